"""Holds the database against its witness: once when a process starts, then again and again."""

from __future__ import annotations

from sqlalchemy import Engine, select

from service.database.engine import reading, writing
from service.database.tables import installation
from service.ledger.chain import Head
from service.ledger.witness import Witness, open_witness, read_heads, read_timeline
from service.restore.notice import notice_if_restored
from service.settings import WitnessSettings

_BUDGETS_AT_ONCE = 1000
"""That a look takes in: a few milliseconds, however many there are."""


def watch(engine: Engine, settings: WitnessSettings) -> Witness:
    """The witness of a database that is about to be used; a restored database is stopped before anything else.
    Raises SettingsError.
    """
    with reading(engine) as connection:
        witness = open_witness(connection, settings)
    _compare(engine, witness)
    with reading(engine) as connection:
        witness.reset(connection)
    return witness


def look(engine: Engine, witness: Witness) -> None:
    """Has the witness see what was committed to the next budgets; where something contradicts it, the database is
    stopped first.

    Every budget has its turn after so many looks as there are thousands of them. What this process itself commits is
    known at once.
    """
    after = witness.cursor
    # Before the database is read, which may not have what is committed from here on.
    known = witness.heads_after(after, _BUDGETS_AT_ONCE)
    with reading(engine) as connection:
        is_verified = witness.is_verified(read_timeline(connection))
        heads = read_heads(connection, after=after, limit=_BUDGETS_AT_ONCE)
        restores = connection.execute(select(installation.c.restores)).scalar_one()
    # Both end somewhere, or with the last budget: only so far they can be compared.
    ends = [max(heads)] if len(heads) == _BUDGETS_AT_ONCE else []
    ends += [known[-1].budget_id] if len(known) == _BUDGETS_AT_ONCE else []
    last = min(ends, default="")
    gone = [seen for seen in known if (not last or seen.budget_id <= last) and _contradicts(heads, seen)]
    if gone or restores != witness.restores:
        _compare(engine, witness)
        with reading(engine) as connection:
            witness.reset(connection)
    elif is_verified:
        witness.record_heads(heads.values())
        witness.cursor = last
        witness.write()
        witness.compact_if_long()
    elif witness.may_compare:
        _compare(engine, witness)


def _contradicts(heads: dict[str, Head], seen: Head) -> bool:
    now = heads.get(seen.budget_id)
    return now is None or now.sequence < seen.sequence or (now.sequence == seen.sequence and now.hash != seen.hash)


def _compare(engine: Engine, witness: Witness) -> None:
    """Holds every ledger against what this process and the others of the machine saw. From then on its past is
    trusted, or nothing is released.
    """
    witness.reload()
    with writing(engine) as connection:
        timeline = read_timeline(connection)
        notice_if_restored(connection, witness)
    witness.mark_verified(timeline)
