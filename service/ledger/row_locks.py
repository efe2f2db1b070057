"""Lock the rows that decide a batch of debits: budgets, grants, data sets, callers with the data sets' owners, and
keys, each table in the order of its ids. All batches use the same order, so they can't deadlock.

The terms of locked budgets and grants are compared with the newest entries that decided them. A row can be changed by a
person who writes the database. An entry can't: triggers refuse that, and the chain shows it. A debit relies on limit,
policy and freeze of a budget, and on cap, end and closing of a grant.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, Table, bindparam, func, select, text, tuple_, update

from service.database import costs
from service.database.lost_commits import HistoryOfServer
from service.database.rows import (
    ApiKeyRow,
    BudgetRow,
    EntryRow,
    GrantRow,
    LockedDataset,
    PrincipalRow,
    R,
    ReleaseRow,
    columns_of,
    fetch_all,
    fetch_first,
)
from service.database.tables import (
    OF_TERMS,
    api_keys,
    budgets,
    datasets,
    entries,
    grants,
    installation,
    principals,
    releases,
)
from service.errors import StoredDataAltered
from service.ledger.chain import EntryKind, Head
from service.ledger.decision import (
    BudgetState,
    GrantState,
)
from service.ledger.noise import hash_of
from service.principals.auth import available


def _locking(row: type[NamedTuple], table: Table, *, share: bool = False) -> Select[Any]:
    """Return a query that locks rows of `table` by their ids, in the order of the ids."""
    columns = columns_of(row, table)
    wanted = table.c.id.in_(bindparam("ids", expanding=True))
    return select(*columns).where(wanted).order_by(table.c.id).with_for_update(read=share)


_LOCK_BUDGETS = _locking(BudgetRow, budgets)
_LOCK_GRANTS = _locking(GrantRow, grants)
_LOCK_DATASETS = _locking(LockedDataset, datasets, share=True)
_LOCK_PRINCIPALS = _locking(PrincipalRow, principals, share=True)
_LOCK_KEYS = _locking(ApiKeyRow, api_keys, share=True)
_INSTALLATION = select(installation.c.restore_pending_since, HistoryOfServer().label("history"))
_PAID_RELEASES = select(releases).where(releases.c.key_hash.in_(bindparam("ids", expanding=True)))
_RELEASES_WITHOUT_NOISE = select(releases.c.id, releases.c.receipt, releases.c.spec).where(
    releases.c.dataset_id == bindparam("dataset_id"),
    releases.c.principal_id == bindparam("principal_id"),
    releases.c.noise.is_(None),
)
_HASH = update(releases).where(releases.c.id == bindparam("of")).values(noise=bindparam("noise"))
_RELEASE_OF_NOISE = (
    select(releases)
    .where(releases.c.noise == bindparam("noise"), releases.c.state.in_(("paid", "drawn", "complete")))
    .order_by(releases.c.noise, releases.c.sequence)
    .limit(1)
)


@dataclass(slots=True)
class Locked:
    """The locked rows of one batch, updated after each granted debit."""

    budgets: dict[str, BudgetState]
    heads: dict[str, Head]
    accountants: dict[str, str]
    grants: dict[str, GrantState]
    holders: dict[str, tuple[str, str]]
    """Holder and data set of each grant."""
    datasets: dict[str, LockedDataset]
    principals: dict[str, PrincipalRow]
    """Callers, and owners of the data sets."""
    available: set[str]
    """Ids of those among them who can act."""
    revoked: set[str]
    """Ids of revoked principals and keys."""
    key_ends: dict[str, int]
    """Expiry of API keys by id, without keys that never expire."""
    restore_pending: bool
    history: str | None
    """The database server's id of its timeline, or None if it has none."""
    stored: dict[str, int]
    """Bytes reserved for releases, by the id of the budget or grant that paid."""
    paid: dict[str, ReleaseRow]
    """Paid releases by the hash of their idempotency key, which covers the principal."""
    altered: set[str]
    """Ids of budgets and grants whose terms differ from the entries that decided them."""
    measured: set[str]
    """Ids of budgets on which this batch was granted measured rows."""


def lock(
    connection: Connection,
    *,
    budget_ids: Iterable[str],
    grant_ids: Iterable[str],
    dataset_ids: Iterable[str],
    principal_ids: Iterable[str],
    key_ids: Iterable[str],
    key_hashes: Iterable[str],
) -> Locked:
    """Lock the rows in the fixed order.

    `key_hashes` are hashes of idempotency keys, and `key_ids` are ids of API keys.
    """
    budget_rows = _read_rows(connection, BudgetRow, _LOCK_BUDGETS, budget_ids)
    grant_rows = _read_rows(connection, GrantRow, _LOCK_GRANTS, grant_ids)
    dataset_rows = _read_rows(connection, LockedDataset, _LOCK_DATASETS, dataset_ids)
    owner_ids = (row.owner_id for row in dataset_rows)
    principal_rows = _read_rows(connection, PrincipalRow, _LOCK_PRINCIPALS, chain(principal_ids, owner_ids))
    key_rows = _read_rows(connection, ApiKeyRow, _LOCK_KEYS, key_ids)
    pending_since, history = connection.execute(_INSTALLATION).one()
    # Read last: a request that paid under the same key held the same budget's lock, and has committed.
    paid_rows = find_paid(connection, key_hashes)
    restore_pending = pending_since is not None
    return Locked(
        restore_pending=restore_pending,
        history=history,
        budgets={row.id: budget_state(row, restore_pending=restore_pending) for row in budget_rows},
        heads={row.id: Head(row.id, row.sequence, row.head_hash) for row in budget_rows},
        accountants={row.id: row.accountant for row in budget_rows},
        grants={row.id: grant_state(row) for row in grant_rows},
        holders={row.id: (row.principal_id, row.dataset_id) for row in grant_rows},
        datasets={row.id: row for row in dataset_rows},
        principals={row.id: row for row in principal_rows},
        available=available(connection, principal_rows),
        revoked={row.id for row in principal_rows if row.revoked_at is not None}
        | {row.id for row in key_rows if row.revoked_at is not None},
        key_ends={row.id: row.expires_at for row in key_rows if row.expires_at is not None},
        stored={row.id: row.stored_bytes for row in budget_rows} | {row.id: row.stored_bytes for row in grant_rows},
        paid={row.key_hash: row for row in paid_rows},
        altered=altered(connection, budget_rows, grant_rows),
        measured=set(),
    )


def find_paid(connection: Connection, key_hashes: Iterable[str]) -> list[ReleaseRow]:
    """Return the releases that these idempotency keys paid for."""
    return _read_rows(connection, ReleaseRow, _PAID_RELEASES, key_hashes)


def hash_former(connection: Connection, dataset_id: str, principal_id: str) -> bool:
    """Store the hash of the noise of each release of a payer on a data set that has none. Return whether there was
    one.
    """
    payer = {"dataset_id": dataset_id, "principal_id": principal_id}
    found = connection.execute(_RELEASES_WITHOUT_NOISE, payer).all()
    hashes = [{"of": row.id, "noise": hash_of(principal_id, dataset_id, row.receipt, row.spec)} for row in found]
    if hashes:
        connection.execute(_HASH, hashes)
    return bool(hashes)


def find_by_noise(connection: Connection, noise: str) -> ReleaseRow | None:
    """Return the first release of this noise (`service.ledger.noise`) that is neither failed nor lost, or None."""
    row = fetch_first(connection, ReleaseRow, _RELEASE_OF_NOISE, {"noise": noise})
    if row is None or hash_of(row.principal_id, row.dataset_id, row.receipt, row.spec) != noise:
        return None  # a person who writes the database can write hashes
    return row


def _read_rows(connection: Connection, row: type[R], query: Select[Any], ids: Iterable[str]) -> list[R]:
    wanted = sorted(set(ids))
    return fetch_all(connection, row, query, {"ids": wanted}) if wanted else []


def grant_state(row: GrantRow) -> GrantState:
    return GrantState(row.cap, row.spent, row.closed_at is not None, row.expires_at)


def budget_state(row: BudgetRow, *, restore_pending: bool) -> BudgetState:
    return BudgetState(
        limit=row.limit,
        spent=row.spent,
        frozen=restore_pending or row.frozen_at is not None,
        release_cap=row.release_cap,
        allowed_mechanisms=row.allowed,
    )


_PARTS: Final = ("expires_at", "epsilon_release_cap", "allowed_mechanisms")
"""Members that the detail of a change has only if they changed."""


def _newest_entries() -> Select[Any]:
    """Return a query for the newest entry of each kind and each set of parts, for every subject, in order."""
    parts = [entries.c.detail.contains(f'"{name}":') for name in _PARTS]
    chosen = (
        select(entries.c.budget_id, func.max(entries.c.sequence))
        .where(entries.c.subject_id.in_(bindparam("ids", expanding=True)), text(OF_TERMS))
        .group_by(entries.c.budget_id, entries.c.subject_id, entries.c.kind, *parts)
    )
    place = tuple_(entries.c.budget_id, entries.c.sequence)
    return select(entries).where(place.in_(chosen)).order_by(entries.c.sequence)


_NEWEST_ENTRIES: Final = _newest_entries()


def altered(connection: Connection, budgets: Sequence[BudgetRow], grants: Sequence[GrantRow]) -> set[str]:
    """Return the ids of the rows whose terms differ from their entries. The caller holds the locks of the budgets."""
    ids = [row.id for row in budgets] + [row.id for row in grants]
    newest: dict[str, list[EntryRow]] = {each: [] for each in ids}
    for entry in fetch_all(connection, EntryRow, _NEWEST_ENTRIES, {"ids": ids}):
        newest[entry.subject_id].append(entry)
    return {row.id for row in budgets if not _is_of_budget(row, newest[row.id])} | {
        row.id for row in grants if not _is_of_grant(row, newest[row.id])
    }


def require_unaltered(connection: Connection, budget: BudgetRow, *grants: GrantRow) -> None:
    """Raise StoredDataAltered if the terms of one of the rows differ from their entries, so that no new entry repeats
    them.
    """
    if altered(connection, [budget], grants):
        raise StoredDataAltered


def _is_of_budget(row: BudgetRow, decided: Iterable[EntryRow]) -> bool:
    limit, frozen, policy = None, False, dict[str, Any]()
    for entry in decided:
        match entry.kind:
            case EntryKind.BUDGET_OPENED | EntryKind.BUDGET_CHANGED:
                limit = entry.amount
            case EntryKind.POLICY_CHANGED:
                policy |= _detail(entry)
            case _:
                frozen = entry.kind == EntryKind.BUDGET_FROZEN
    cap = [policy.get(name) for name in costs.column_names("release_cap")]
    stored_cap = [getattr(row, name) for name in costs.column_names("release_cap")]
    allowed = policy.get("allowed_mechanisms")
    stored = row.limit, row.frozen_at is not None, stored_cap, row.allowed_mechanisms
    return stored == (limit, frozen, cap, None if allowed is None else json.dumps(allowed))


def _is_of_grant(row: GrantRow, decided: Iterable[EntryRow]) -> bool:
    cap, closed, expires_at = None, False, None
    for entry in decided:
        match entry.kind:
            case EntryKind.GRANT_OPENED | EntryKind.GRANT_CHANGED:
                cap, expires_at = entry.amount, _detail(entry).get("expires_at", expires_at)
            case _:
                closed = entry.kind == EntryKind.GRANT_CLOSED
    return (row.cap, row.closed_at is not None, row.expires_at) == (cap, closed, expires_at)


def _detail(entry: EntryRow) -> dict[str, Any]:
    """Return the detail of an entry, or nothing if it was altered to no JSON."""
    try:
        found: dict[str, Any] = json.loads(entry.detail)
    except ValueError:
        return {}
    return found
