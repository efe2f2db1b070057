"""Switches off the triggers of a database, as the owner of its tables can."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import text

from service.database.engine import writing
from service.database.tables import metadata

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine

_TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"


def drop_guards(connection: Connection) -> None:
    """For good, in a database of this test alone."""
    if connection.dialect.name == "sqlite":
        for name, _ in connection.execute(text(_TRIGGERS)).all():
            connection.exec_driver_sql(f'DROP TRIGGER "{name}"')
        return
    for table in metadata.tables:
        connection.exec_driver_sql(f"ALTER TABLE {table} DISABLE TRIGGER USER")


def drop_all_guards(engine: Engine) -> None:
    """Drop the guards of all tables, in a transaction of its own."""
    with writing(engine) as connection:
        drop_guards(connection)


@contextmanager
def without_guards(connection: Connection, table: str) -> Iterator[None]:
    """For one table, until the block ends."""
    if connection.dialect.name == "sqlite":
        found = connection.execute(text(f"{_TRIGGERS} AND tbl_name = :table"), {"table": table}).all()
        for name, _ in found:
            connection.exec_driver_sql(f'DROP TRIGGER "{name}"')
        yield
        for _, sql in found:
            connection.exec_driver_sql(sql)
        return
    connection.exec_driver_sql(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    yield
    connection.exec_driver_sql(f"ALTER TABLE {table} ENABLE TRIGGER USER")
