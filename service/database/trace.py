"""Determine the outcome of a transaction whose COMMIT was sent and not answered. PostgreSQL records the outcome of each
transaction by its number.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum

from sqlalchemy import Connection, Engine, Text, cast, func, select, text

from service.database.engine import await_standbys, writing
from service.database.server_timeline import HistoryOfServer

_PATIENCE_SECONDS = 2.0
_AGAIN_AFTER_SECONDS = 0.05
_NUMBER = select(HistoryOfServer().label("history"), cast(func.pg_current_xact_id_if_assigned(), Text).label("number"))
_FATE = text("SELECT pg_xact_status(CAST(:number AS xid8))")


class Fate(Enum):
    """The outcome of a transaction."""

    COMMITTED = "committed"
    ABORTED = "aborted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Trace:
    """Identifies a transaction. The number is unique only within one history: after a failover that lost the
    transaction, another transaction may have the same number.
    """

    history: str | None
    number: str


def trace(connection: Connection) -> Trace | None:
    """Return the identity of this connection's transaction. Return None if it wrote nothing, and on other databases."""
    if connection.dialect.name != "postgresql":
        return None
    row = connection.execute(_NUMBER).one()
    return None if row.number is None else Trace(row.history, row.number)


def fate_of(engine: Engine, found: Trace) -> Fate:
    """Return the outcome of the transaction. A commit counts only if the synchronous standbys have it. Raises
    DBAPIError.
    """
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        with writing(engine) as connection:
            await_standbys(connection)
            same_past = connection.execute(select(HistoryOfServer())).scalar_one() == found.history
            status = connection.execute(_FATE, {"number": found.number}).scalar_one() if same_past else None
        if status != "in progress":
            return {"committed": Fate.COMMITTED, "aborted": Fate.ABORTED}.get(str(status), Fate.UNKNOWN)
        if time.monotonic() > deadline:
            return Fate.UNKNOWN
        time.sleep(_AGAIN_AFTER_SECONDS)
