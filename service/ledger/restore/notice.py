"""Detect with the witness that a database went back in time, and freeze it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from sqlalchemy import Connection, func, select, tuple_, update

from service.database.tables import (
    budgets,
    entries,
    installation,
    releases,
)
from service.ledger import database_state
from service.ledger.budget_changes import Act, lock_budget, store
from service.ledger.chain import EntryKind, Head
from service.ledger.database_state import count_spending, read_heads
from service.ledger.restore.gaps import read_gaps
from service.ledger.witness import Witness
from service.principals.auth import COMMAND_LINE

_ROWS_AT_ONCE = 500
"""Rows per query."""
T = TypeVar("T")


def notice_if_restored(connection: Connection, witness: Witness) -> bool:
    """Check whether the database went back in time, and freeze it if so. Return whether a restore is pending, noticed
    now or before.

    This reads each budget's head. If the ledger has grown, it also reads the entry that the witness recorded.
    """
    # Copies, so that what this process commits from here on is not compared.
    recorded, returned = list(witness.heads.values()), list(witness.returned)
    lost = {seen.budget_id: seen for seen in _lost_heads(connection, recorded)}
    missed_restore = witness.restores < connection.execute(select(installation.c.restores)).scalar_one()
    if missed_restore or witness.pre_restore:
        # Another process noticed a restore. Ignore heads from before it if the ledger records them as lost already.
        past = read_gaps(connection, ended=True) if lost else {}
        known = {
            seen.budget_id
            for seen in lost.values()
            if any(gap.covers(seen.sequence) for gap in past.get(seen.budget_id, []))
        }
        lost = {
            budget_id: seen
            for budget_id, seen in lost.items()
            if budget_id not in known or not (missed_restore or budget_id in witness.pre_restore)
        }
    went_back = bool(lost) or _has_lost_results(connection, returned)
    if not went_back and not database_state.is_restore_pending(connection):
        return False
    _notice(connection, witness, lost)
    there = read_heads(connection)
    witness.lost |= {budget_id: seen for budget_id, seen in lost.items() if budget_id not in there}
    if went_back:
        # The restored database may count as many restores as the history that it replaces, which is another one.
        higher = installation.c.restores <= witness.restores
        connection.execute(update(installation).where(higher).values(restores=witness.restores + 1))
    return True


def _lost_heads(connection: Connection, seen: Iterable[Head]) -> list[Head]:
    """Return the heads among `seen` that the ledgers do not have."""
    heads = read_heads(connection)
    lost, earlier = [], []
    for each in seen:
        now_ = heads.get(each.budget_id)
        if now_ is None or now_.sequence < each.sequence or (now_.sequence == each.sequence and now_.hash != each.hash):
            lost.append(each)
        elif now_.sequence > each.sequence > 0:
            earlier.append(each)
    for some in _batches_of(earlier, _ROWS_AT_ONCE):
        position = tuple_(entries.c.budget_id, entries.c.sequence)
        stored = select(entries.c.budget_id, entries.c.hash).where(
            position.in_([(each.budget_id, each.sequence) for each in some])
        )
        hashes = {row.budget_id: row.hash for row in connection.execute(stored)}
        lost += [each for each in some if hashes.get(each.budget_id) != each.hash]
    return lost


def _batches_of(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _has_lost_results(connection: Connection, returned: list[str]) -> bool:
    """Return whether one of these releases, whose results were returned, has no result now."""
    kept = 0
    for some in _batches_of(returned, _ROWS_AT_ONCE):
        settled = select(func.count()).where(releases.c.id.in_(some), releases.c.state != "paid")
        kept += connection.execute(settled).scalar_one()
    return kept < len(returned)


def _notice(connection: Connection, witness: Witness, lost: Mapping[str, Head]) -> None:
    """Freeze the database, and record the gap in every ledger, unless the ledger records the same gap already."""
    database_state.freeze_all(connection)
    connection.execute(update(releases).where(releases.c.state == "paid").values(state="lost"))
    gaps = read_gaps(connection)
    for budget_id in connection.execute(select(budgets.c.id).order_by(budgets.c.id)).scalars().all():
        row = lock_budget(connection, budget_id)
        gap = next(iter(gaps.get(budget_id, [])), None)
        seen = witness.heads.get(budget_id)
        if gap is not None and (budget_id not in lost or gap.covers(lost[budget_id].sequence)):
            continue
        if budget_id in lost:
            kept = gap.kept if gap is not None else row.sequence if row.sequence < lost[budget_id].sequence else None
            witnessed: int | None = lost[budget_id].sequence
        else:
            kept, witnessed = row.sequence, None if seen is None else row.sequence
        detail = {"kept": kept, "witnessed": witnessed}
        if budget_id in lost and gap is None and kept is not None:
            detail |= _lost_spending(connection, witness, lost[budget_id], kept)
        store(connection, row, {}, [Act(EntryKind.RESTORE_NOTICED, COMMAND_LINE, budget_id, detail=detail)])


def _lost_spending(connection: Connection, witness: Witness, lost: Head, kept: int) -> dict[str, int]:
    """Return the number of lost entries that spend, as a member of the detail, or none if it is unknown."""
    spending = witness.spending_before(lost)
    if spending is None:
        return {}
    return {"charges": max(spending - count_spending(connection, lost.budget_id, after=0, last=kept), 0)}
