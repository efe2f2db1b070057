"""Prepared statements give on both databases what SQLAlchemy would, and fail in its words."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from sqlalchemy import Engine, bindparam, insert, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from service.database.compiled import NoRow, Prepared, is_one_of, run
from service.database.engine import HeldConnection, is_disconnect, open_engine, reading, writing
from service.database.rows import PrincipalRow
from service.database.tables import principal_names, principals
from tests.harness.postgres import PostgresServer


class PrincipalId(NamedTuple):
    id: str


BY_ID = Prepared(
    PrincipalRow, lambda ids: select(principals).where(is_one_of(principals.c.id, ids)).order_by(principals.c.id)
)
INSERT = Prepared.of(NoRow, insert(principals))
REVOKE = Prepared.of(NoRow, update(principals).where(principals.c.id == bindparam("whose")))
ALL = Prepared.of(PrincipalId, select(principals.c.id).order_by(principals.c.id))


def named(*ids: str) -> list[dict[str, object]]:
    """A row of principals for each id: what may be null is."""
    blank = {column.name: None if column.nullable else 1 for column in principals.columns}
    return [blank | {"id": each, "role": "owner"} for each in ids]


@pytest.fixture
def engine(engine: Engine) -> Engine:
    """With principals of the ids a to g in the database."""
    with writing(engine) as connection:
        run(connection, INSERT.for_each(named(*"abcdefg")))
    return engine


@pytest.mark.parametrize("ids", ["", "c", "ca", "fab", "gfedcba", "xyz", "bxb"])
def test_the_rows_of_any_number_of_ids(engine: Engine, ids: str) -> None:
    with reading(engine) as connection:
        [rows] = run(connection, BY_ID.for_ids(list(ids)))
        expected = connection.execute(
            select(principals).where(principals.c.id.in_(list(ids))).order_by(principals.c.id)
        ).all()
    assert [row._asdict() for row in rows] == [row._asdict() for row in expected]


def test_statements_of_a_call_run_in_their_order(engine: Engine) -> None:
    with writing(engine) as connection:
        before, _, _, after = run(
            connection,
            BY_ID.for_ids(["a", "h"]),
            INSERT.for_each(named("h")),
            REVOKE.for_each([{"whose": "a", "revoked_at": 5}, {"whose": "h", "revoked_at": 6}]),
            BY_ID.for_ids(["a", "h"]),
        )
    assert [(row.id, row.revoked_at) for row in before] == [("a", None)]
    assert [(row.id, row.revoked_at) for row in after] == [("a", 5), ("h", 6)]


def test_a_refused_statement_raises_as_everywhere_and_undoes_the_transaction(engine: Engine) -> None:
    with pytest.raises(IntegrityError) as caught, writing(engine) as connection:
        run(connection, INSERT.for_each(named("n1")), INSERT.for_each(named("a")), INSERT.for_each(named("n2")))
    assert not is_disconnect(caught.value)
    with reading(engine) as connection:
        assert [row.id for row in run(connection, ALL())[0]] == list("abcdefg")


def test_a_foreign_key_is_refused_too(engine: Engine) -> None:
    orphan = Prepared.of(NoRow, insert(principal_names))
    with pytest.raises(IntegrityError), writing(engine) as connection:
        run(connection, orphan.for_each([{"principal_id": "nobody", "name": "x"}]))


def test_rows_are_never_made_of_other_columns_than_their_type_has(engine: Engine) -> None:
    with reading(engine) as connection, pytest.raises(TypeError, match="other columns than PrincipalId"):
        run(connection, Prepared.of(PrincipalId, select(principals.c.role))())


def test_a_lost_connection_is_known_as_one_and_the_next_transaction_takes_another(
    postgres: PostgresServer, migrated_postgres: str
) -> None:
    engine = open_engine(postgres.url(postgres.create_database(template=migrated_postgres)))
    held = HeldConnection(engine, writes=True)
    with held.transaction() as connection:
        run(connection, INSERT.for_each(named("a")))
        own = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
    with writing(engine) as connection:
        connection.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": own})
    with pytest.raises(DBAPIError) as caught, held.transaction() as connection:
        run(connection, ALL())
    assert is_disconnect(caught.value)
    with held.transaction() as connection:
        assert [row.id for row in run(connection, ALL())[0]] == ["a"]
    held.close()
    engine.dispose()


def test_a_held_connection_is_given_back_after_a_failure(engine: Engine) -> None:
    held = HeldConnection(engine, writes=True)
    with held.transaction() as connection:
        first = connection
    with held.transaction() as connection:
        assert connection is first

    def fail() -> None:
        with held.transaction() as connection:
            run(connection, INSERT.for_each(named("gone")))
            raise RuntimeError("nothing of the database")

    with pytest.raises(RuntimeError, match="nothing of the database"):
        fail()
    assert first.closed
    with held.transaction() as connection:
        assert connection is not first
        assert not run(connection, BY_ID.for_ids(["gone"]))[0]
    held.close()
