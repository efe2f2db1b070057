"""Find out whether a commit is lost: by the history of the database server, which changes if the server may have lost
commits, and by the outcome of a transaction whose COMMIT was sent and not answered. PostgreSQL records the outcome of
each transaction by its number.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from sqlalchemy import Connection, Engine, String, Text, cast, func, select, text
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from service.database.engine import await_standbys, writing

_TIMELINE: Final = (
    "((SELECT system_identifier::text FROM pg_control_system()) || '/' || "
    # The timeline is the first part of the current WAL file's name; a standby writes no file.
    "CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END)"
)
_PATIENCE_SECONDS: Final = 2.0
_AGAIN_AFTER_SECONDS: Final = 0.05


class HistoryOfServer(FunctionElement[str]):
    """On PostgreSQL, the id of the cluster and its timeline, which every failover changes. NULL on other databases."""

    type = String()
    inherit_cache = True
    name = "history"


@compiles(HistoryOfServer)
def _null(_element: HistoryOfServer, _compiler: Any, **_: Any) -> str:
    return "NULL"


@compiles(HistoryOfServer, "postgresql")
def _timeline(_element: HistoryOfServer, _compiler: Any, **_: Any) -> str:
    return _TIMELINE


_NUMBER: Final = select(
    HistoryOfServer().label("history"), cast(func.pg_current_xact_id_if_assigned(), Text).label("number")
)
_FATE: Final = text("SELECT pg_xact_status(CAST(:number AS xid8))")


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
