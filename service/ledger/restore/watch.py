"""Compare the database with its witness, when a process starts and then periodically."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, select

from service.database.engine import reading, writing
from service.database.tables import installation
from service.database.writer import begin_events
from service.ledger.budget_changes import NewestTime, newest_times
from service.ledger.chain import Head
from service.ledger.database_state import read_heads, read_timeline
from service.ledger.restore.notice import notice_if_restored
from service.ledger.witness import Sign, Witness, open_witness
from service.settings.settings import WitnessSettings

_BUDGETS_AT_ONCE = 1000
"""Budgets compared by one look, so that a look takes a few milliseconds."""


def watch(engine: Engine, settings: WitnessSettings, sign: Sign | None = None) -> Witness:
    """Open the witness of a database, and freeze the database if it was restored. Raises SettingsError."""
    with reading(engine) as connection:
        witness = open_witness(connection, settings, sign)
    _compare(engine, witness)
    with reading(engine) as connection:
        witness.reset(connection)
    return witness


def look(engine: Engine, witness: Witness) -> None:
    """Record the heads of the next budgets in the witness. If a head contradicts it, freeze the database first.

    Each look compares the next thousand budgets, in turns. Commits of this process are recorded without a look.
    """
    after = witness.cursor
    # Read before the database, whose snapshot lacks later commits.
    known = witness.heads_after(after, _BUDGETS_AT_ONCE)
    with reading(engine) as connection:
        is_verified = witness.is_verified(read_timeline(connection))
        heads = read_heads(connection, after=after, limit=_BUDGETS_AT_ONCE)
        restores = connection.execute(select(installation.c.restores)).scalar_one()
        witness.count_spending(connection, heads)
        unrecorded = witness.unrecorded(connection, heads)
        times = newest_times(connection, heads.keys()).values()
        newest = NewestTime(*(max(column) for column in zip(*times, strict=True))) if times else NewestTime(0, 0)
    # Compare only up to the last budget that both lists cover.
    ends = [max(heads)] if len(heads) == _BUDGETS_AT_ONCE else []
    ends += [known[-1].budget_id] if len(known) == _BUDGETS_AT_ONCE else []
    last = min(ends, default="")
    lost = [seen for seen in known if (not last or seen.budget_id <= last) and _contradicts(heads, seen)]
    if lost or restores != witness.restores:
        _compare(engine, witness)
        with reading(engine) as connection:
            witness.reset(connection)
    elif is_verified:
        witness.keep_entries(unrecorded)
        witness.record_heads(heads.values())
        witness.cursor = last
        witness.record_look(*newest)
        witness.write()
        witness.compact_if_long()
    elif witness.may_compare:
        _compare(engine, witness)


@contextmanager
def recorded(engine: Engine, witness: Witness) -> Iterator[Connection]:
    """Begin a write transaction. After its commit, its entries are recorded in the witness."""
    with writing(engine) as connection:
        events = begin_events(connection)
        yield connection
    witness.on_commit(events)


def _contradicts(heads: dict[str, Head], seen: Head) -> bool:
    now = heads.get(seen.budget_id)
    return now is None or now.sequence < seen.sequence or (now.sequence == seen.sequence and now.hash != seen.hash)


def _compare(engine: Engine, witness: Witness) -> None:
    """Compare every ledger with the heads that all processes of the machine recorded. Afterwards the timeline is
    verified, or the database is frozen.
    """
    witness.reload()
    with recorded(engine, witness) as connection:
        timeline = read_timeline(connection)
        notice_if_restored(connection, witness)
    witness.mark_verified(timeline)
