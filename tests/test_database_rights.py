"""On PostgreSQL the service connects as a role that cannot rewrite the ledger, even without triggers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg import sql

from migrations.rights import LEFT, RIGHTS, SERVICE_ROLE
from service.database.tables import metadata
from tests.harness.shared_postgres import OWNER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.harness.postgres import Postgres


@pytest.fixture
def service_connection(postgres: Postgres, migrated_postgres: str) -> Iterator[psycopg.Connection]:
    name = postgres.create_database(template=migrated_postgres, owner=OWNER)
    with psycopg.connect(host=str(postgres.directory), user=SERVICE_ROLE, dbname=name, autocommit=True) as connection:
        yield connection
    postgres.drop_database(name)


def test_every_table_has_its_rights_stated() -> None:
    assert set(RIGHTS) == set(metadata.tables) | LEFT | {"alembic_version"}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET kind = kind",
        "DELETE FROM entries",
        "TRUNCATE entries CASCADE",
        "DROP TABLE entries CASCADE",
        "ALTER TABLE entries DISABLE TRIGGER ALL",
        "DROP TRIGGER entries_kept ON entries",
        "TRUNCATE budgets CASCADE",
        "DELETE FROM budgets",
        "DELETE FROM grants",
        "DELETE FROM releases",
        "ALTER TABLE budgets DISABLE TRIGGER ALL",
        "DELETE FROM principals",
        "UPDATE key_checks SET retired_at = 1",
        "UPDATE holdings SET datasets = 0",
        "UPDATE alembic_version SET version_num = '0'",
        "CREATE TABLE elsewhere (value int)",
        "CREATE FUNCTION entries_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
    ],
)
def test_the_service_may_not(service_connection: psycopg.Connection, statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        service_connection.execute(statement)


def test_the_service_may_read_every_table(service_connection: psycopg.Connection) -> None:
    for table in RIGHTS:
        service_connection.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(table)))


def test_migrating_again_takes_back_what_was_granted_by_hand(postgres: Postgres, migrated_postgres: str) -> None:
    from service.database.migration import migrate

    name = postgres.create_database(template=migrated_postgres, owner=OWNER)
    with postgres.connect(name) as connection:
        connection.execute(f"GRANT ALL ON entries TO {SERVICE_ROLE}")
    migrate(postgres.url(name, OWNER))
    with postgres.connect(name) as connection:
        row = connection.execute(
            f"SELECT has_table_privilege('{SERVICE_ROLE}', 'entries', 'UPDATE, DELETE, TRUNCATE')"
        ).fetchone()
    assert row == (False,)
    postgres.drop_database(name)
