"""Decide who may read a release, and publish or withdraw it. Every function works inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple, get_args

from sqlalchemy import ColumnElement, Connection, Select, exists, select, true, union, update

from service.database.paging import OF_CURSORS, PageRequest, in_order
from service.database.rows import (
    DatasetRow,
    ListedRelease,
    MeasuredRelease,
    PaidKind,
    R,
    ReleaseKind,
    ReleaseRow,
    ReleaseState,
    columns_of,
    fetch_all,
    fetch_first,
    fetch_one,
)
from service.database.tables import (
    CHARGED_MECHANISM,
    NOTHING_MEASURED,
    ORDERED_MECHANISM,
    budgets,
    datasets,
    entries,
    grants,
    query_charges,
    releases,
)
from service.datasets import public_facts
from service.errors import InvalidRequest, NotFound, NotSupported, ReleaseAltered
from service.identifiers.identifiers import now
from service.ledger import budget_changes as ledger
from service.ledger.budget_changes import Act
from service.ledger.chain import EntryKind
from service.ledger.outcomes import SignedText
from service.ledger.transfers import former_owners
from service.principals.auth import Caller
from service.releases.public_text import keep_public_text
from service.releases.results import WITHOUT_RESULT, check_outcome
from service.runtime.key_file import InstalledKeys
from service.schemas.principals import Role

_LISTING_EXPRESSIONS: Final = {"mechanism": ORDERED_MECHANISM, "owner_id": budgets.c.owner_id}
"""Columns of a list that do not come from the release itself. `releases.owner_id` is the owner at registration."""


def _column(name: str) -> ColumnElement[Any]:
    if name in _LISTING_EXPRESSIONS:
        return _LISTING_EXPRESSIONS[name]
    return next(table.c[name] for table in (releases, budgets, query_charges) if name in table.c)


_LISTED_RELEASES: Final = (
    select(*map(_column, ListedRelease._fields))
    .select_from(releases)
    .join(budgets, budgets.c.id == releases.c.budget_id)
    .outerjoin(query_charges, query_charges.c.release_id == releases.c.id)
)
_MEASURED_RELEASES: Final = select(releases.c.id, releases.c.kind, CHARGED_MECHANISM).join(
    entries, (entries.c.budget_id == releases.c.budget_id) & (entries.c.sequence == releases.c.sequence)
)


def _readable_posteriors(caller: Caller, row: type[R]) -> Select[Any]:
    """Select the posteriors that the caller may read."""
    return _readable_of_any_kind(caller, row).where(releases.c.kind == "posterior")


def _readable_of_any_kind(caller: Caller, row: type[R]) -> Select[Any]:
    """Select the releases that the caller may read: those they paid for, those from their own data sets, and public
    ones.
    """
    columns = _LISTED_RELEASES if row is ListedRelease else select(*columns_of(row, releases))
    return columns.join(datasets, datasets.c.id == releases.c.dataset_id).where(
        (releases.c.principal_id == caller.principal_id)
        | (datasets.c.owner_id == caller.principal_id)
        | releases.c.public_since.is_not(None)
    )


def visible_row(connection: Connection, caller: Caller, release_id: str) -> ListedRelease:
    """Return the list entry of a readable release, whatever its state. Raises NotFound."""
    return _found_row(connection, ListedRelease, _readable_of_any_kind(caller, ListedRelease), release_id)


def _found_row(connection: Connection, row: type[R], among: Select[Any], release_id: str) -> R:
    found = fetch_first(connection, row, among.where(releases.c.id == release_id))
    if found is None:
        raise NotFound
    return found


def _complete_row(row: ReleaseRow, keys: InstalledKeys) -> ReleaseRow:
    """Return the row if it is complete.

    Raises ReleaseInProgress, ReleaseFailed, ReleaseLost, ReleaseAltered, ReceiptKeyUnavailable.
    """
    if row.result is None:
        raise WITHOUT_RESULT[row.state]
    return check_outcome(row, keys)


def readable_row(connection: Connection, caller: Caller, release_id: str, keys: InstalledKeys) -> ReleaseRow:
    """Return the row of a complete release of counts or margins. Raises NotFound and the errors of `_complete_row`."""
    return _complete_row(_found_row(connection, ReleaseRow, _readable_posteriors(caller, ReleaseRow), release_id), keys)


def read_text(connection: Connection, caller: Caller, release_id: str, keys: InstalledKeys) -> SignedText | None:
    """Return the stored text of a release for its payer and the data set's owner.

    Returns None for other readers of a public release, who get the public text. Raises the errors of `readable_row`.
    """
    row = _complete_row(_found_row(connection, ReleaseRow, _readable_of_any_kind(caller, ReleaseRow), release_id), keys)
    if caller.principal_id in {row.principal_id, _owner_of(connection, row.dataset_id)}:
        return SignedText(row.document, row.signature)
    return None


def read_signature(connection: Connection, caller: Caller, release_id: str, keys: InstalledKeys) -> str:
    """Return the signature of a complete release of any kind for its payer and the data set's owner.

    Raises NotFound, also if version 0.1.0 paid, and the errors of `readable_row`.
    """
    signature = own_row(connection, caller, release_id, keys).signature
    if not signature:
        raise NotFound("Version 0.1.0 drew this release, and signed no answers.")
    return signature


def own_row(connection: Connection, caller: Caller, release_id: str, keys: InstalledKeys) -> ReleaseRow:
    """Return the row of a complete release of any kind for its payer and the data set's owner. Raises the errors of
    `readable_row`.
    """
    row = _found_row(connection, ReleaseRow, _readable_of_any_kind(caller, ReleaseRow), release_id)
    if caller.principal_id not in {row.principal_id, _owner_of(connection, row.dataset_id)}:
        raise NotFound
    return _complete_row(row, keys)


def _owner_of(connection: Connection, dataset_id: str) -> str:
    owner_id: str = connection.execute(select(datasets.c.owner_id).where(datasets.c.id == dataset_id)).scalar_one()
    return owner_id


def require_public(connection: Connection, release_id: str) -> None:
    """Raise NotFound unless the release is public."""
    query = select(releases.c.id).where(releases.c.id == release_id, releases.c.public_since.is_not(None))
    if connection.execute(query).first() is None:
        raise NotFound


def public_row(connection: Connection, release_id: str, keys: InstalledKeys) -> ReleaseRow:
    """Return the row of a public, complete release. Raises NotFound, ReleaseAltered, ReceiptKeyUnavailable."""
    query = select(releases).where(
        releases.c.id == release_id, releases.c.public_since.is_not(None), releases.c.result.is_not(None)
    )
    row = fetch_first(connection, ReleaseRow, query)
    if row is None:
        raise NotFound
    return check_outcome(row, keys)


def publish(connection: Connection, caller: Caller, release_id: str, keys: InstalledKeys, *, public: bool) -> None:
    """Publish or withdraw a complete release of a data set of the caller.

    Raises NotFound, NotSupported for answers to queries, and the errors of `readable_row`.
    """
    row = own_row(connection, caller, release_id, keys)
    if _owner_of(connection, row.dataset_id) != caller.principal_id:
        raise NotFound
    if row.paid_kind == "queries":
        raise NotSupported("Answers to queries disclose what their payer was charged: they are not made public.")
    if public != (row.public_since is not None):
        kind = EntryKind.RELEASE_PUBLISHED if public else EntryKind.RELEASE_WITHDRAWN
        ledger.record(connection, row.budget_id, Act(kind, caller, release_id))
        if public:
            keep_public_text(connection, release_id, row.document, keys.current.signer)
        connection.execute(
            update(releases).where(releases.c.id == release_id).values(public_since=now() if public else None)
        )


class Wanted(NamedTuple):
    """The filters of a list of releases. No kinds means all."""

    kinds: Collection[PaidKind] = ()
    state: ReleaseState | None = None
    budget_ids: Collection[str] = ()
    principal_id: str | None = None

    @property
    def stored_kinds(self) -> list[ReleaseKind]:
        return sorted({"query" if each == "queries" else "posterior" for each in self.kinds or get_args(PaidKind)})

    def condition(self, caller: Caller) -> ColumnElement[bool]:
        """Only its payer and the data set's owner may learn who paid for a public release: no filter discloses it."""
        condition: ColumnElement[bool] = true()
        if self.budget_ids:
            condition &= releases.c.budget_id.in_(self.budget_ids)
        if self.principal_id is not None:
            condition &= releases.c.principal_id == self.principal_id
        if self.principal_id not in {None, caller.principal_id}:
            own = select(budgets.c.id).where(budgets.c.owner_id == caller.principal_id)
            condition &= releases.c.budget_id.in_(own)
        with_counts = "counts" in self.kinds
        # Releases of counts have several mechanisms, so they are found by those of the other kinds.
        if told_apart := [
            each
            for each in get_args(PaidKind)
            if self.kinds and each not in ("counts", "queries") and (each in self.kinds) is not with_counts
        ]:
            charged = exists().where(
                entries.c.budget_id == releases.c.budget_id,
                entries.c.sequence == releases.c.sequence,
                CHARGED_MECHANISM.in_(told_apart),
            )
            condition &= (releases.c.kind == "query") | (~charged if with_counts else charged)
        return condition if self.state is None else condition & (releases.c.state == self.state)


ALL: Final = Wanted()


def _last_release(connection: Connection, caller: Caller, page: PageRequest) -> ListedRelease | None:
    """Return the last release of the page before, or None on the first page. Raises InvalidRequest at `cursor` for a
    release that the caller may not read: its place in a list would disclose when it was made.
    """
    try:
        return visible_row(connection, caller, page.cursor) if page.cursor else None
    except NotFound:
        raise InvalidRequest.at("cursor", OF_CURSORS) from None


def list_mine(connection: Connection, caller: Caller, page: PageRequest, wanted: Wanted = ALL) -> list[ListedRelease]:
    """Return the releases that the caller paid for, and those from its own data sets, including deleted ones.

    Raises InvalidRequest at `cursor` if no list returned that cursor.
    """
    _last_release(connection, caller, page)
    if caller.role is Role.OWNER:
        # Owners release only from their own data sets, and only owners have data sets. The index has the owner at
        # registration, so the releases of each registrant are listed in its order.
        registrants = {caller.principal_id, *former_owners(connection, caller.principal_id)}
        mine: list[ColumnElement[bool]] = [
            (budgets.c.owner_id == caller.principal_id) & (releases.c.owner_id == each) for each in registrants
        ]
    else:
        mine = [releases.c.principal_id == caller.principal_id]
    # Within one second, releases of a budget are ordered by their ledger sequence. One read for each range of an index.
    ordering = (releases.c.created_at, releases.c.budget_id, releases.c.sequence)
    pages = [
        in_order(
            connection,
            _LISTED_RELEASES.where(which, releases.c.kind == kind, wanted.condition(caller)),
            ordering,
            releases,
            page,
        )
        for which in mine
        for kind in wanted.stored_kinds
    ]
    rows = chain.from_iterable(fetch_all(connection, ListedRelease, each) for each in pages)
    in_time = sorted(rows, key=lambda row: (row.created_at, row.budget_id, row.sequence), reverse=page.newest_first)
    return in_time[: page.limit + 1]


def list_on(
    connection: Connection, caller: Caller, dataset_id: str, page: PageRequest, wanted: Wanted = ALL
) -> list[ListedRelease]:
    """Return the readable releases from a data set in ledger order.

    Raises NotFound, and InvalidRequest at `cursor` if no list returned that cursor.
    """
    dataset = public_facts.visible(connection, caller, dataset_id)
    which = wanted.condition(caller) & releases.c.kind.in_(wanted.stored_kinds)
    if (last := _last_release(connection, caller, page)) is not None:
        if last.dataset_id != dataset_id:
            raise InvalidRequest.at("cursor", OF_CURSORS)
        which &= releases.c.sequence < last.sequence if page.newest_first else releases.c.sequence > last.sequence
    if page.created_after is not None:
        which &= releases.c.created_at >= page.created_after
    if page.created_before is not None:
        which &= releases.c.created_at < page.created_before
    ordering = releases.c.sequence.desc() if page.newest_first else releases.c.sequence.asc()
    listed = _ids_on(dataset, caller, which, ordering, page.limit + 1)
    query = _LISTED_RELEASES.where(releases.c.id.in_(listed))
    return fetch_all(connection, ListedRelease, query.order_by(ordering).limit(page.limit + 1))


def _ids_of_all_on(
    dataset: DatasetRow, which: ColumnElement[bool], ordering: ColumnElement[Any], limit: int
) -> Select[Any]:
    return select(releases.c.id).where(releases.c.dataset_id == dataset.id, which).order_by(ordering).limit(limit)


def is_shared_with(connection: Connection, caller: Caller, dataset: DatasetRow) -> bool:
    """Return whether the owner shares the data set's history with an open grant of the caller."""
    open_grant = select(grants.c.id).where(
        grants.c.dataset_id == dataset.id,
        grants.c.principal_id == caller.principal_id,
        grants.c.closed_at.is_(None),
        grants.c.expires_at.is_(None) | (grants.c.expires_at > now()),
    )
    return bool(dataset.history_shared) and connection.execute(open_grant.limit(1)).first() is not None


def _ids_on(
    dataset: DatasetRow,
    caller: Caller,
    which: ColumnElement[bool],
    ordering: ColumnElement[Any],
    limit: int,
) -> Select[Any]:
    """Select the ids of the first readable releases from a data set, in the given order.

    If there are enough, at least `limit` ids are selected. The owner reads all releases; others read their own and the
    public ones. Those two are separate index scans, because one condition with OR would also scan the releases of
    others.
    """
    ids = _ids_of_all_on(dataset, which, ordering, limit)
    if dataset.owner_id == caller.principal_id:
        return select(ids.subquery())
    own = ids.where(releases.c.principal_id == caller.principal_id)
    public = ids.where(releases.c.public_since.is_not(None))
    return select(union(select(own.subquery()), select(public.subquery())).subquery())


def measured_releases_on(
    connection: Connection, caller: Caller, dataset: DatasetRow, *, limit: int
) -> list[MeasuredRelease]:
    """Return the latest complete releases that contain noisy measurements of the counts, newest first.

    These are posteriors, margins, and query answers with measured rows. Only readable ones are included, or all if the
    history is shared with the caller.
    """
    measured = exists().where(query_charges.c.release_id == releases.c.id, query_charges.c.measured != NOTHING_MEASURED)
    informative = (releases.c.state == "complete") & ((releases.c.kind == "posterior") | measured)
    latest_first = releases.c.sequence.desc()
    if is_shared_with(connection, caller, dataset):
        listed = select(_ids_of_all_on(dataset, informative, latest_first, limit).subquery())
    else:
        listed = _ids_on(dataset, caller, informative, latest_first, limit)
    query = _MEASURED_RELEASES.where(releases.c.id.in_(listed))
    return fetch_all(connection, MeasuredRelease, query.order_by(latest_first).limit(limit))


def measured_releases(connection: Connection, release_ids: Sequence[str]) -> list[MeasuredRelease]:
    """Return the releases with these ids, in this order. A paid request used them, so its caller may read them.

    Raises ReleaseAltered if one of them has no entry.
    """
    query = _MEASURED_RELEASES.where(releases.c.id.in_(release_ids))
    found = {each.id: each for each in fetch_all(connection, MeasuredRelease, query)}
    if not found.keys() >= set(release_ids):
        raise ReleaseAltered
    return [found[each] for each in release_ids]


def read_complete(connection: Connection, release_id: str, keys: InstalledKeys) -> ReleaseRow:
    """Return a complete release. It can be long, so read one at a time. Raises the errors of `check_outcome`."""
    row = fetch_one(connection, ReleaseRow, select(releases).where(releases.c.id == release_id))
    return check_outcome(row, keys)
