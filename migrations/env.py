"""Runs migrations, one process at a time: PostgreSQL by an advisory lock, SQLite by its write lock."""

from __future__ import annotations

import os

from alembic import context

from migrations.rights import grant_rights
from service.database.engine import open_engine, writing
from service.database.migration import LOCK_WAIT_SECONDS
from service.database.tables import metadata

_ADVISORY_LOCK = 0x70_6F_73_74


def run() -> None:
    url = context.config.attributes.get("url") or os.environ["POSTERIOR_DATABASE_URL"]
    engine = open_engine(url, make=True)
    try:
        with writing(engine) as connection:
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = {int(1000 * LOCK_WAIT_SECONDS)}")
            context.configure(connection=connection, target_metadata=metadata, transaction_per_migration=False)
            context.run_migrations()
            grant_rights(connection)
    finally:
        engine.dispose()


run()
