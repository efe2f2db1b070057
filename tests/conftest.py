"""Databases for the tests: every test that asks for `database_url` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from service.migration import migrate
from tests.postgres import PostgresServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL cluster for this process's tests."""
    with PostgresServer() as server:
        yield server


@pytest.fixture(scope="session")
def migrated_postgres(postgres: PostgresServer) -> str:
    """The name of a migrated database that others are copied from; nothing may connect to it."""
    name = postgres.create_database()
    migrate(postgres.url(name))
    return name


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database file that others are copied from."""
    path = tmp_path_factory.mktemp("migrated") / "posterior.sqlite3"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without a schema, on each kind in turn."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'posterior.sqlite3'}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    name = server.create_database()
    yield server.url(name)
    server.drop_database(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a migrated database that holds nothing yet, on each kind in turn."""
    if request.param == "sqlite":
        path = tmp_path / "posterior.sqlite3"
        shutil.copy(request.getfixturevalue("migrated_sqlite"), path)
        yield f"sqlite:///{path}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    name = server.create_database(template=request.getfixturevalue("migrated_postgres"))
    yield server.url(name)
    server.drop_database(name)
