"""The PostgreSQL that the tests start."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from tests.harness.postgres import Postgres, PostgresServer, embedded_binaries

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def packaged(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostgresServer]:
    """A cluster made from the package's binaries, as on a machine without PostgreSQL."""
    monkeypatch.setattr("tests.harness.postgres.installed_binaries", lambda: None)
    with PostgresServer() as server:
        yield server


@pytest.mark.long
def test_a_machine_without_postgresql_uses_the_packaged_one(packaged: PostgresServer) -> None:
    with packaged.connect() as connection:
        row = connection.execute(
            "SELECT current_setting('server_version_num')::int, current_setting('fsync')"
        ).fetchone()
    assert row is not None
    assert row[0] >= 180000
    assert row[1] == "on"


def test_a_database_is_made_from_a_template(postgres: Postgres) -> None:
    template = postgres.create_database()
    with postgres.connect(template) as connection:
        connection.execute("CREATE TABLE kept (value int)")
    copy = postgres.create_database(template)
    with postgres.connect(copy) as connection:
        connection.execute("INSERT INTO kept VALUES (1)")
    postgres.drop_database(copy)
    postgres.drop_database(template)


def test_a_killed_cluster_starts_again_with_what_was_committed() -> None:
    with PostgresServer() as server:
        with server.connect() as connection:
            connection.execute("CREATE TABLE kept (value int)")
            connection.execute("INSERT INTO kept VALUES (1)")
            server.kill()
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT 1")
        server.start()
        with server.connect() as connection:
            assert connection.execute("SELECT value FROM kept").fetchall() == [(1,)]


def test_nothing_stays_behind() -> None:
    with PostgresServer() as server:
        directory = server.directory
        assert directory.is_dir()
    assert not directory.exists()


def test_the_packaged_binaries_are_there(tmp_path: Path) -> None:
    assert (embedded_binaries(tmp_path) / "initdb").is_file()
