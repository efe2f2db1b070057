"""Insert a row unless its key exists. Only the dialect in use is imported, since each takes memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.sql.base import Executable


def insert_once(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Insert the row, and return False if its key existed. On PostgreSQL a concurrent insert of the same key waits for
    the first transaction.
    """
    return connection.execute(_insert_statement(connection, table, row)).first() is not None


def _insert_statement(connection: Connection, table: Table, row: Mapping[str, Any]) -> Executable:
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects import sqlite  # noqa: PLC0415  see the module's docstring

        return sqlite.insert(table).values(**row).on_conflict_do_nothing().returning(*table.primary_key)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415  as above

    return postgresql.insert(table).values(**row).on_conflict_do_nothing().returning(*table.primary_key)
