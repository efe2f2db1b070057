"""`migrate` beside other connections: it waits briefly, changes nothing if it gives up, and names the cause."""

from __future__ import annotations

import sqlite3
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from service.database import engine as engines
from service.database import migration
from service.database.engine import READ_ONLY, check_ready, is_unwritable, open_engine, reading
from service.database.migration import MigrationError, migrate
from service.database.tables import REVISION
from tests.harness.deadlines import until
from tests.harness.process import COMMAND, environment

if TYPE_CHECKING:
    from pathlib import Path

OF_0_2_0 = "r0002"


@pytest.fixture
def old(empty_database_url: str) -> str:
    migrate(empty_database_url, OF_0_2_0)
    return empty_database_url


def revision(url: str) -> str:
    engine = open_engine(url)
    with reading(engine) as connection:
        found = str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one())
    engine.dispose()
    return found


def test_migrate_names_an_open_transaction_and_changes_nothing(old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migration, "_REPEATED_SECONDS", 3.0)
    monkeypatch.setattr(engines, "_LOCK_WAIT_SECONDS", 1)
    engine = open_engine(old)
    is_sqlite = engine.dialect.name == "sqlite"
    # A reader of SQLite is in nobody's way.
    with engine.connect().execution_options(writes=is_sqlite) as connection, connection.begin() as transaction:
        connection.execute(text("SELECT count(*) FROM entries"))
        with pytest.raises(MigrationError) as refused:
            migrate(old)
        transaction.rollback()
    engine.dispose()
    cause = "another program holds a lock on the database file" if is_sqlite else "another connection uses the tables"
    assert cause in str(refused.value)
    assert revision(old) == OF_0_2_0
    migrate(old)
    assert revision(old) == REVISION


def test_migrate_goes_on_once_an_open_transaction_has_ended(old: str) -> None:
    engine = open_engine(old)
    reads, ended = threading.Event(), threading.Event()

    def dump() -> None:
        with reading(engine) as connection:
            connection.execute(text("SELECT count(*) FROM entries"))
            reads.set()
            ended.wait(2 * migration.LOCK_WAIT_SECONDS)

    thread = threading.Thread(target=dump)
    thread.start()
    reads.wait()
    migrate(old)
    ended.set()
    thread.join()
    engine.dispose()
    assert revision(old) == REVISION


def test_migrate_goes_on_after_a_deadlock_with_a_caller(old: str) -> None:
    engine = open_engine(old)
    if engine.dialect.name == "sqlite":
        pytest.skip("SQLite has one lock")
    waits = text(
        "SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database AND datname = current_database() "
        "WHERE NOT granted"
    )

    def is_waiting() -> bool:
        with reading(engine) as another:
            return another.execute(waits).first() is not None

    with ThreadPoolExecutor(1) as threads:
        with reading(engine) as connection:
            connection.execute(text("SELECT count(*) FROM datasets"))
            migrating = threads.submit(migrate, old)
            until(is_waiting)
            connection.execute(text("SELECT count(*) FROM entries"))
        migrating.result()
    engine.dispose()
    assert revision(old) == REVISION


def migrate_in_a_process(url: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, "migrate"], env=environment(url), capture_output=True, text=True, check=False)


def test_two_migrations_at_once_both_succeed(old: str) -> None:
    with ThreadPoolExecutor(2) as threads:
        done = list(threads.map(lambda _: migrate_in_a_process(old), range(2)))
    assert [each.stdout for each in done] == ["The database is ready.\n"] * 2, [each.stderr for each in done]
    assert revision(old) == REVISION


def test_a_read_only_server_is_named(old: str) -> None:
    if make_url(old).get_backend_name() == "sqlite":
        pytest.skip("SQLite has a test of its own")
    engine = open_engine(old)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f'ALTER DATABASE "{engine.url.database}" SET default_transaction_read_only = on')
    engine.dispose()
    with pytest.raises(MigrationError, match=READ_ONLY):
        migrate(old)


def test_a_read_only_file_is_recognised(migrated_sqlite: Path) -> None:
    with closing(sqlite3.connect(f"file:{migrated_sqlite}?mode=ro", uri=True)) as connection:
        with pytest.raises(sqlite3.OperationalError) as refused:
            connection.execute("CREATE TABLE another (id INTEGER)")
        assert is_unwritable(refused.value)
    engine = open_engine(f"sqlite:///{migrated_sqlite}")
    with reading(engine) as connection_of_engine:
        assert check_ready(connection_of_engine) == REVISION
    engine.dispose()
