"""Locks what a batch of debits hangs on: budgets, grants, data sets, principals and keys, each by key, so that no
two batches wait in a ring.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, Table, select

from service.database.compiled import Prepared, is_one_of, run
from service.database.history import HistoryOfServer
from service.database.rows import (
    BudgetRow,
    GrantRow,
    InstallationState,
    LockedDataset,
    LockedPrincipal,
    R,
    ReleaseRow,
    Revocation,
    columns_of,
)
from service.database.tables import (
    api_keys,
    budgets,
    datasets,
    grants,
    installation,
    principals,
    releases,
)
from service.ledger.chain import Head
from service.ledger.decision import (
    BudgetState,
    GrantState,
)


def _locking(row: type[R], table: Table, *, share: bool = False) -> Prepared[R]:
    """Rows of `table` by their ids, locked in the order of the ids."""
    columns = columns_of(row, table)
    return Prepared(
        row,
        lambda ids: select(*columns).where(is_one_of(table.c.id, ids)).order_by(table.c.id).with_for_update(read=share),
    )


_LOCK_BUDGETS = _locking(BudgetRow, budgets)
_LOCK_GRANTS = _locking(GrantRow, grants)
_LOCK_DATASETS = _locking(LockedDataset, datasets, share=True)
_LOCK_PRINCIPALS = _locking(LockedPrincipal, principals, share=True)
_LOCK_KEYS = _locking(Revocation, api_keys, share=True)
_RESTORE_PENDING = Prepared.of(
    InstallationState,
    select(installation.c.restore_pending_since, HistoryOfServer().label("history")),
)
PAID = Prepared(ReleaseRow, lambda ids: select(releases).where(is_one_of(releases.c.key_hash, ids)))


@dataclass(slots=True)
class Locked:
    """The rows of one batch, and how they stand after each debit that was granted."""

    budgets: dict[str, BudgetState]
    heads: dict[str, Head]
    accountants: dict[str, str]
    grants: dict[str, GrantState]
    datasets: dict[str, LockedDataset]
    principals: dict[str, LockedPrincipal]
    revoked: set[str]
    """Ids of principals and keys."""
    stopped: bool
    history: str | None
    """The server's name for its past."""
    stored: dict[str, int]
    """Bytes that are reserved for releases, by the id of the budget or grant that paid for them."""
    paid: dict[str, ReleaseRow]
    """By the hash of the idempotency key, which covers the principal."""
    measured: set[str]
    """Ids of budgets on which the batch was granted rows to measure."""


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
    """Locks the rows, in the one order that every batch keeps to. `key_hashes` are of idempotency keys, `key_ids` of
    API keys.
    """
    budget_rows, grant_rows, dataset_rows, principal_rows, key_rows, [installed], paid_rows = run(
        connection,
        _LOCK_BUDGETS.for_ids(_sorted(budget_ids)),
        _LOCK_GRANTS.for_ids(_sorted(grant_ids)),
        _LOCK_DATASETS.for_ids(_sorted(dataset_ids)),
        _LOCK_PRINCIPALS.for_ids(_sorted(principal_ids)),
        _LOCK_KEYS.for_ids(_sorted(key_ids)),
        _RESTORE_PENDING(),
        # Looked for last: whoever paid under the same key held the same budget's lock, and has committed.
        PAID.for_ids(_sorted(key_hashes)),
    )
    stopped = installed.restore_pending_since is not None
    return Locked(
        stopped=stopped,
        history=installed.history,
        budgets={row.id: budget_state(row, stopped=stopped) for row in budget_rows},
        heads={row.id: Head(row.id, row.sequence, row.head_hash) for row in budget_rows},
        accountants={row.id: row.accountant for row in budget_rows},
        grants={row.id: grant_state(row) for row in grant_rows},
        datasets={row.id: row for row in dataset_rows},
        principals={row.id: row for row in principal_rows},
        revoked={row.id for row in principal_rows if row.revoked_at is not None}
        | {row.id for row in key_rows if row.revoked_at is not None},
        stored={row.id: row.stored_bytes for row in budget_rows} | {row.id: row.stored_bytes for row in grant_rows},
        paid={row.key_hash: row for row in paid_rows},
        measured=set(),
    )


def _sorted(ids: Iterable[str]) -> list[str]:
    return sorted(set(ids))


def grant_state(row: GrantRow) -> GrantState:
    return GrantState(row.cap, row.spent, row.closed_at is not None, row.expires_at)


def budget_state(row: BudgetRow, *, stopped: bool) -> BudgetState:
    return BudgetState(
        limit=row.limit,
        spent=row.spent,
        frozen=stopped or row.frozen_at is not None,
        release_cap=row.release_cap,
        allowed_mechanisms=None if row.allowed_mechanisms is None else frozenset(json.loads(row.allowed_mechanisms)),
    )
