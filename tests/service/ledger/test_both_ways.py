"""Verification goes from entries to rows too, and to its end: a missing row, or a value that can't be read, is a
finding among the others of the same pass.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, Engine, text
from sqlalchemy.exc import DBAPIError

from service.database.engine import open_engine
from service.ledger.budget_changes import Act, record
from service.ledger.chain import EntryKind
from service.ledger.debit import DebitHandler
from tests.harness.installation import SIGNER, Installation, epsilon, install
from tests.harness.shared_postgres import shared_postgres
from tests.harness.stored_columns import (
    Change,
    Database,
    PostgresCopies,
    SqliteCopies,
    all_columns,
    altering,
    faults,
    places,
    tell,
)


@pytest.fixture
def paid(owner_engine: Engine) -> tuple[Installation, Installation]:
    """Two installations' worth of people in one database, each with a release by an analyst."""
    worlds = [install(owner_engine, total=epsilon(100), grant=epsilon(50), analysts=1) for _ in range(2)]
    for world in worlds:
        with owner_engine.connect() as connection, connection.begin():
            debit = world.debit(world.analyst_ids[0], world.dataset_ids[0], epsilon(10))
            DebitHandler(SIGNER)(connection, [debit])
    return worlds[0], worlds[1]


@pytest.mark.parametrize("table", ["budgets", "principals", "installation", "datasets", "encrypted_counts", "grants"])
def test_rows_that_entries_name_and_that_are_gone_are_named(
    owner_engine: Engine, paid: tuple[Installation, Installation], table: str
) -> None:
    with altering(owner_engine) as connection:
        assert faults(connection) == {}
        connection.exec_driver_sql(f"DELETE FROM {table}")  # noqa: S608  a name of the schema
        found = faults(connection)
    if table == "installation":
        assert found.keys() == {"installation"}
    elif table == "principals":
        assert found.keys() >= {world.owner_id for world in paid}
    else:
        assert found.keys() == {world.budget_id for world in paid}
        assert all("missing" in fault or "no such budget" in fault for fault in found.values()), found


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE spending SET delta = -1",
        "UPDATE budgets SET accountant = 'zzz'",
        "UPDATE budgets SET epsilon_spent = -1",
        "UPDATE grants SET epsilon_cap = -1",
        "UPDATE entries SET detail = 'zzz' WHERE sequence = 2",
        "UPDATE releases SET spec = 'zzz'",
        "UPDATE entries SET kind = 'zzz' WHERE sequence = 1",
    ],
)
def test_a_value_that_cant_be_read_is_one_finding_among_others(
    owner_engine: Engine, paid: tuple[Installation, Installation], change: str
) -> None:
    first, second = paid
    with altering(owner_engine) as connection:
        connection.execute(text(change))
        connection.execute(text("UPDATE principals SET role = 'admin' WHERE id = :id"), {"id": first.owner_id})
        found = faults(connection)
    assert found.keys() >= {first.budget_id, second.budget_id}
    assert not any("zzz" in fault for fault in found.values()), "no value is repeated"


def test_another_number_of_releases_name_or_state_is_named(
    owner_engine: Engine, paid: tuple[Installation, Installation]
) -> None:
    silent = []
    for change in (
        "spending SET releases = releases + 1",
        "hourly_spending SET releases = releases + 1",
        "budgets SET name = 'x'",
        "datasets SET name = 'x'",
        "releases SET state = 'drawn'",
    ):
        with altering(owner_engine) as connection:
            connection.execute(text(f"UPDATE {change}"))
            if faults(connection).keys() != {world.budget_id for world in paid}:
                silent.append(change)
    assert silent == []


def test_all_faults_of_one_budget_are_named(owner_engine: Engine, paid: tuple[Installation, Installation]) -> None:
    world, other = paid
    with altering(owner_engine) as connection:
        for change in ("epsilon_spent = epsilon_spent + 1", "frozen_at = 1", "guaranteed_epsilon = 7"):
            query = f"UPDATE budgets SET {change} WHERE id = :id"  # noqa: S608  the texts above
            connection.execute(text(query), {"id": world.budget_id})
        found = faults(connection)
    assert found.keys() == {world.budget_id}, other
    fault = found[world.budget_id]
    assert all(part in fault for part in ("guarantee", "The balance says", "whether it is frozen")), fault


def test_a_restore_that_the_entries_have_and_the_installation_lacks_is_named(
    owner_engine: Engine, paid: tuple[Installation, Installation]
) -> None:
    with altering(owner_engine) as connection:
        budget_id = paid[0].budget_id
        detail = {"kept": 4, "witnessed": 5}
        record(connection, budget_id, Act(EntryKind.RESTORE_NOTICED, "command-line", budget_id, detail=detail))
        assert faults(connection).keys() == {"installation"}


def values(column: Column[Any], *, postgres: bool) -> list[str]:
    """Statements that give one row another value."""
    odd = {int: ["-1", "0"], str: ["'zzz'", "''"]}.get(column.type.python_type, [])
    found = [Change(column.table, column).statement(postgres=postgres)]
    update = f"UPDATE {column.table.name} SET {column.name} ="  # noqa: S608  names of the schema
    return found + [f"{update} {value} WHERE TRUE" for value in odd]


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("role", ["owner", "service"])
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_no_value_of_any_row_hides_the_fault_of_another_budget(tmp_path: Path, kind: str, role: str) -> None:
    database: Database = SqliteCopies(tmp_path) if kind == "sqlite" else PostgresCopies(tmp_path, shared_postgres())
    asyncio.run(tell(database))
    engine = open_engine(database.owner_url() if role == "owner" else database.service_url())
    planted = "UPDATE budgets SET stored_bytes = 7, epsilon_spent = epsilon_spent + 1 WHERE id = :id"
    tried, named = 0, set[str]()
    with altering(engine, role) as connection:
        query = "SELECT budgets.id FROM budgets JOIN grants ON grants.owner_id <> budgets.owner_id"
        other = connection.execute(text(query)).scalar_one()
        connection.execute(text(planted), {"id": other})
        assert faults(connection).keys() == {other}
        for column in all_columns():
            for place in places(connection, column.table):
                for statement in values(column, postgres=kind == "postgresql"):
                    nested = connection.begin_nested()
                    try:
                        connection.execute(text(f"{statement} AND {place}"))
                    except DBAPIError:  # refused by a trigger, a constraint or a missing right
                        nested.rollback()
                        continue
                    found = faults(connection)
                    tried += 1
                    own = {"budgets.id", "budgets.epsilon_spent", "entries.budget_id"}
                    assert other in found or str(column) in own, (statement, place)
                    if len(found) > 1:
                        named.add(str(column))
                    nested.rollback()
    engine.dispose()
    assert tried > (400 if role == "owner" else 100)
    assert len(named) > (80 if role == "owner" else 20), named
