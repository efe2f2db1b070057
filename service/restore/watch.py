"""Holds the database against its witness: once when a process starts, then again and again."""

from __future__ import annotations

from sqlalchemy import Engine

from service.database.engine import reading, writing
from service.ledger.witness import Witness, open_witness, read_heads
from service.restore.restore import notice_if_restored
from service.settings import Settings


def watch(engine: Engine, settings: Settings) -> Witness:
    """The witness of a database that is about to be used; a restored database is stopped before anything else. Raises SettingsError."""
    with reading(engine) as connection:
        witness = open_witness(connection, settings)
    with writing(engine) as connection:
        notice_if_restored(connection, witness)
    with reading(engine) as connection:
        witness.remember(connection)
    return witness


def look(engine: Engine, witness: Witness) -> None:
    """Has the witness remember what was committed since; where that contradicts it, the database is stopped first."""
    with reading(engine) as connection:
        heads = read_heads(connection)
    if any(
        seen.budget_id not in heads or witness.is_contradicted_by(heads[seen.budget_id])
        for seen in witness.heads.values()
    ):
        with writing(engine) as connection:
            notice_if_restored(connection, witness)
    with reading(engine) as connection:
        witness.remember(connection)
