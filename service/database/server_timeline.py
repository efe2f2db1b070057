"""Identify the history of a database server. If it changes, the server may have lost commits."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import String
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

_TIMELINE: Final = (
    "((SELECT system_identifier::text FROM pg_control_system()) || '/' || "
    # The timeline is the first part of the current WAL file's name; a standby writes no file.
    "CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END)"
)


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
