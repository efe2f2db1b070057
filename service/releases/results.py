"""Store the outcome of paid releases: the drawn values with the composed answer, the values alone, or the failure. The
first stored values and the first stored answer are final, and every response uses them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection, String, bindparam, exists, not_, select, text, update

from service.database.rows import ReleaseRow, fetch_all
from service.database.tables import UNFINISHED, datasets, releases
from service.database.writer import on_commit
from service.errors import (
    OutcomeUnknown,
    Problem,
    ReceiptKeyUnavailable,
    ReleaseAltered,
    ReleaseFailed,
    ReleaseInProgress,
    ReleaseLost,
)
from service.identifiers.identifiers import now
from service.ledger.database_state import is_restore_pending, read_timeline
from service.ledger.outcomes import NOT_SIGNED, is_genuine, is_paid, is_public_text, repeats
from service.ledger.receipts import UnknownKeyError
from service.ledger.witness import ReceiptSigned, ResultStored, Witness
from service.runtime.key_file import InstalledKeys
from service.runtime.response_time import MAX_LEASE_SECONDS
from service.settings.faults import crash_point

_logger = logging.getLogger("posterior.releases")


def check_outcome(row: ReleaseRow, keys: InstalledKeys) -> ReleaseRow:
    """Return the row if its drawn values and answer are those that the service stored.

    Raises ReleaseAltered or ReceiptKeyUnavailable.
    """
    _require(row.id, _verify_receipt(keys, partial(is_genuine, row)))
    return row


def check_public_text(release_id: str, text: str, document: str, keys: InstalledKeys) -> None:
    """Raise ReleaseAltered or ReceiptKeyUnavailable unless this is the signed public text of the release. `document` is
    its answer, with which the text is compared if the key is missing.
    """
    try:
        _require(release_id, _verify_receipt(keys, partial(is_public_text, release_id, text)))
    except ReceiptKeyUnavailable:
        _require(release_id, repeats(text, document))
        raise


def matches_receipt(row: ReleaseRow, keys: InstalledKeys) -> bool:
    """Return whether the row equals its signed receipt. Raises ReceiptKeyUnavailable."""
    return _verify_receipt(keys, partial(is_paid, row))


def _require(release_id: str, genuine: bool) -> None:  # noqa: FBT001  an assertion in form
    if not genuine:
        _logger.error("what is stored of a release was altered", extra={"release_id": release_id})
        raise ReleaseAltered


def _verify_receipt(keys: InstalledKeys, check: Callable[[Mapping[str, str]], bool]) -> bool:
    try:
        return keys.verified(check)
    except UnknownKeyError as error:
        raise ReceiptKeyUnavailable.of(error.key_id) from None


WITHOUT_RESULT: dict[str, type[Problem]] = {
    "failed": ReleaseFailed,
    "lost": ReleaseLost,
    "paid": ReleaseInProgress,
    "drawn": ReleaseInProgress,
}
"""The Problem that answers for a release without a result, by its state."""

_ANSWERED_STATES: Final = frozenset({"complete", "failed"})
"""States whose outcome is returned once it is stored."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The drawn values of a paid release and the answer composed from them, as JSON text, with their signature.

    `values` is None if the draw failed, and `answer` is None if it is not composed yet.
    """

    release_id: str
    receipt: str
    values: str | None
    answer: str | None = None
    signature: str = NOT_SIGNED

    @property
    def state(self) -> str:
        if self.values is None:
            return "failed"
        return "drawn" if self.answer is None else "complete"

    def is_stored_in(self, row: ReleaseRow) -> bool:
        return (row.state, row.drawn, row.result) == (self.state, self.values, self.answer)


_values, _answer = bindparam("new_drawn", type_=String), bindparam("new_result", type_=String)
_exists = exists().where(datasets.c.id == releases.c.dataset_id, datasets.c.deleted_at.is_(None))
_unsettled_condition = ((releases.c.state == "paid") & _exists) | (
    (releases.c.state == "drawn") & (releases.c.drawn == _values) & _answer.is_not(None)
)
_STORE: Final = (
    update(releases)
    .where(releases.c.id == bindparam("release_id"), _unsettled_condition)
    .values(state=bindparam("new_state"), drawn=_values, result=_answer, signature=bindparam("new_signature"))
)
_named_condition = releases.c.id.in_(bindparam("ids", expanding=True))
_FAIL: Final = update(releases).where(_named_condition, releases.c.state == "paid").values(state="failed")
_STORED_RELEASES: Final = select(releases).where(_named_condition)


def store_outcomes(connection: Connection, outcomes: Sequence[Outcome]) -> list[ReleaseRow | Problem | None]:
    """Store outcomes of releases that have none, and answers of releases with the same drawn values.

    If the data set was deleted meanwhile, a paid release has failed. Return None for each outcome that was stored, and
    the current row of the others.
    """
    # In the order of the ids, so that two processes that store the same releases can't deadlock.
    rows = [_parameters(each) for each in sorted(outcomes, key=lambda each: each.release_id)]
    count = connection.execute(_STORE, rows).rowcount
    crash_point("outcome-written")
    # The process that charged the release may have ended before it kept the receipt.
    on_commit(connection, *(ReceiptSigned(each.release_id, each.receipt) for each in outcomes))
    if count == len(outcomes):
        on_commit(connection, *(ResultStored(each.release_id) for each in outcomes if each.state in _ANSWERED_STATES))
        return [None] * count
    ids = [each.release_id for each in outcomes]
    connection.execute(_FAIL, {"ids": ids})
    stored = {row.id: row for row in fetch_all(connection, ReleaseRow, _STORED_RELEASES, {"ids": ids})}
    on_commit(connection, *(ResultStored(row.id) for row in stored.values() if row.state in _ANSWERED_STATES))
    return [_conflicting_outcome(each, stored.get(each.release_id)) for each in outcomes]


def _parameters(outcome: Outcome) -> dict[str, Any]:
    return {
        "release_id": outcome.release_id,
        "new_state": outcome.state,
        "new_drawn": outcome.values,
        "new_result": outcome.answer,
        "new_signature": outcome.signature,
    }


def _conflicting_outcome(outcome: Outcome, row: ReleaseRow | None) -> ReleaseRow | Problem | None:
    if row is None:
        return OutcomeUnknown()  # the database lost the charge in a failover
    return None if outcome.is_stored_in(row) else row


MAX_PENDING: Final = 16
"""Pending releases that the background task reads at once."""


def is_leased(until: int) -> bool:
    """Return whether a lease that ends at `until` is still valid."""
    return now() < until <= now() + MAX_LEASE_SECONDS


def take_lease(connection: Connection, release_id: str, seconds: int, witness: Witness) -> int | None:
    """Take the lease of a paid release. Return its end, or None if another process holds it or releases are stopped."""
    instant = now()
    if is_restore_pending(connection) or not witness.is_verified(read_timeline(connection)):
        return None  # a restored database may list drawn releases as pending
    taken = connection.execute(
        update(releases)
        .where(
            releases.c.id == release_id,
            releases.c.state == "paid",
            not_(releases.c.leased_until.between(instant + 1, instant + MAX_LEASE_SECONDS)),
        )
        .values(leased_until=instant + seconds)
    )
    return instant + seconds if taken.rowcount else None


def end_lease(connection: Connection, row: ReleaseRow) -> None:
    """End the lease of this row, unless it expired and another process holds one now."""
    mine = (releases.c.id == row.id) & (releases.c.state == "paid") & (releases.c.leased_until == row.leased_until)
    connection.execute(update(releases).where(mine).values(leased_until=0))


def pending(connection: Connection, after: str = "") -> list[ReleaseRow]:
    """Return the next releases, by id after `after`, that have no answer and no valid lease."""
    leased = releases.c.leased_until.between(now() + 1, now() + MAX_LEASE_SECONDS)
    query = select(releases).where(text(UNFINISHED), not_(leased), releases.c.id > after)
    return fetch_all(connection, ReleaseRow, query.order_by(releases.c.id).limit(MAX_PENDING))
