"""Compare the terms of locked budgets and grants with the newest entries that decided them.

A row can be changed by a person who writes the database. An entry can't: triggers refuse that, and the chain shows it.
A debit relies on limit, policy and freeze of a budget, and on cap, end and closing of a grant.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Select, bindparam, func, select, text, tuple_

from service.database import costs
from service.database.rows import BudgetRow, EntryRow, GrantRow, fetch_all
from service.database.tables import OF_TERMS, entries
from service.errors import StoredDataAltered
from service.ledger.chain import EntryKind

_PARTS: Final = ("expires_at", "epsilon_release_cap", "allowed_mechanisms")
"""Members that the detail of a change has only if they changed."""


def _newest_entries() -> Select[Any]:
    """Return a query of the newest entries of each kind, and of each set of parts, by subject in their order."""
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
