"""Notices a database that went back in time, by its witness, and stops it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from sqlalchemy import Connection, func, select, tuple_, update

from service.auth import COMMAND_LINE
from service.database.tables import (
    budgets,
    entries,
    installation,
    releases,
)
from service.ledger import freeze
from service.ledger.acts import Act, lock_budget, store
from service.ledger.chain import EntryKind, Head
from service.ledger.witness import Witness, read_heads
from service.restore.gaps import read_gaps

_AT_ONCE = 500
"""Rows that one look asks for."""
T = TypeVar("T")


def notice_if_restored(connection: Connection, witness: Witness) -> bool:
    """Looks whether the database went back in time, and stops it if so. True where a restore is under way, noticed now
    or before.

    It costs a look at each budget's head, and at the entry that the witness remembers where the ledger has grown since.
    """
    # What the process commits from here on is no part of what it looks for.
    seen_before, told = list(witness.heads.values()), list(witness.returned)
    news = {seen.budget_id: seen for seen in _forgotten(connection, seen_before)}
    slept = witness.restores < connection.execute(select(installation.c.restores)).scalar_one()
    if slept or witness.pre_restore:
        # A restore that others noticed: what was seen of before it is no news where the ledger already knows it is
        # gone.
        past = read_gaps(connection, ended=True) if news else {}
        known = {
            seen.budget_id
            for seen in news.values()
            if any(gap.covers(seen.sequence) for gap in past.get(seen.budget_id, []))
        }
        news = {
            budget_id: seen
            for budget_id, seen in news.items()
            if budget_id not in known or not (slept or budget_id in witness.pre_restore)
        }
    if not news and not freeze.is_restore_pending(connection) and not _has_lost_results(connection, told):
        return False
    _notice(connection, witness, news)
    return True


def _forgotten(connection: Connection, seen: Iterable[Head]) -> list[Head]:
    """The heads among `seen` that the ledgers do not have."""
    heads = read_heads(connection)
    forgotten, behind = [], []
    for each in seen:
        now_ = heads.get(each.budget_id)
        if now_ is None or now_.sequence < each.sequence or (now_.sequence == each.sequence and now_.hash != each.hash):
            forgotten.append(each)
        elif now_.sequence > each.sequence > 0:
            behind.append(each)
    for some in _batched(behind, _AT_ONCE):
        place = tuple_(entries.c.budget_id, entries.c.sequence)
        stored = select(entries.c.budget_id, entries.c.hash).where(
            place.in_([(each.budget_id, each.sequence) for each in some])
        )
        hashes = {row.budget_id: row.hash for row in connection.execute(stored)}
        forgotten += [each for each in some if hashes.get(each.budget_id) != each.hash]
    return forgotten


def _batched(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _has_lost_results(connection: Connection, told: list[str]) -> bool:
    """Whether one of these releases, whose results were told, has none any more."""
    kept = 0
    for some in _batched(told, _AT_ONCE):
        settled = select(func.count()).where(releases.c.id.in_(some), releases.c.state != "paid")
        kept += connection.execute(settled).scalar_one()
    return kept < len(told)


def _notice(connection: Connection, witness: Witness, news: Mapping[str, Head]) -> None:
    """Stops the database and writes into every ledger what is known of what it forgot, once for each thing known."""
    freeze.freeze_all(connection)
    connection.execute(update(releases).where(releases.c.state == "paid").values(state="lost"))
    gaps = read_gaps(connection)
    for budget_id in connection.execute(select(budgets.c.id).order_by(budgets.c.id)).scalars().all():
        row = lock_budget(connection, budget_id)
        gap = next(iter(gaps.get(budget_id, [])), None)
        seen = witness.heads.get(budget_id)
        if gap is not None and (budget_id not in news or gap.covers(news[budget_id].sequence)):
            continue
        if budget_id in news:
            kept = gap.kept if gap is not None else row.sequence if row.sequence < news[budget_id].sequence else None
            witnessed: int | None = news[budget_id].sequence
        else:
            kept, witnessed = row.sequence, None if seen is None else row.sequence
        detail = {"kept": kept, "witnessed": witnessed}
        store(connection, row, {}, [Act(EntryKind.RESTORE_NOTICED, COMMAND_LINE, budget_id, detail=detail)])
