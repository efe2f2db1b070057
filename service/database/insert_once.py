"""Inserts a row unless its key is taken. Only the dialect of the database at hand is imported: each takes memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.sql.base import Executable


def insert_once(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Whether nobody had inserted a row of this key before. Whoever inserts it at the same time waits here, on
    PostgreSQL, for the outcome of the first.
    """
    return connection.execute(_unless_there(connection, table, row)).first() is not None


def _unless_there(connection: Connection, table: Table, row: Mapping[str, Any]) -> Executable:
    """Gives the key where it inserts."""
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects import sqlite  # noqa: PLC0415  see the module's docstring

        return sqlite.insert(table).values(**row).on_conflict_do_nothing().returning(*table.primary_key)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415  as above

    return postgresql.insert(table).values(**row).on_conflict_do_nothing().returning(*table.primary_key)
