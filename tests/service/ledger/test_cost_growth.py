"""The cost of a charge does not grow with the ledger: a million entries compared with a thousand, in one run."""

from __future__ import annotations

import contextlib
import re
import shutil
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text

from migrations.rights import SERVICE_ROLE
from service.database.engine import open_engine, reading, writing
from service.ledger.debit import DebitHandler, Paid
from tests.harness.installation import SIGNER, Installation, epsilon, install
from tests.harness.postgres import PostgresServer
from tests.harness.shared_postgres import OWNER

FEW, MANY = 1_000, 1_000_000
ROUNDS, BATCH = 300, 8
_CHUNK = 20_000

_NUMBERS = {
    "sqlite": "WITH RECURSIVE numbers(n) AS (SELECT :first UNION ALL SELECT n + 1 FROM numbers WHERE n < :last) ",
    "postgresql": "WITH numbers AS (SELECT generate_series(CAST(:first AS bigint), CAST(:last AS bigint)) AS n) ",
}
_ENTRIES = (
    "INSERT INTO entries (budget_id, sequence, kind, epsilon, delta, rho, principal_id, subject_id, detail, "
    "created_at, previous_hash, hash) "
    "{numbers} SELECT e.budget_id, n, 'release_charged', 1, 0, 0, e.principal_id, 'rel_' || n, e.detail, "
    "e.created_at, e.hash, e.hash "
    "FROM entries e, numbers WHERE e.budget_id = :budget AND e.sequence = :template"
)
_RELEASES = (
    "INSERT INTO releases ({columns}) {numbers} SELECT {values} FROM releases r, numbers WHERE r.budget_id = :budget "
    "AND r.sequence = :template"
)


@pytest.fixture(params=["sqlite", "postgresql"])
def two_databases(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Engine, Engine]]:
    """A database for the short ledger and one for the long."""
    with contextlib.ExitStack() as stack:
        if request.param == "sqlite":
            paths = [tmp_path / f"{name}.sqlite3" for name in ("few", "many")]
            for path in paths:
                shutil.copy(request.getfixturevalue("migrated_sqlite"), path)
            urls = [f"sqlite:///{path}" for path in paths]
        else:
            server: PostgresServer = request.getfixturevalue("postgres")
            names = [
                server.create_database(template=request.getfixturevalue("migrated_postgres"), owner=OWNER)
                for _ in range(2)
            ]
            for name in names:
                stack.callback(server.drop_database, name)
            urls = [server.url(name, SERVICE_ROLE) for name in names]
        few, many = map(open_engine, urls)
        stack.callback(few.dispose)
        stack.callback(many.dispose)
        yield few, many


def _pay(engine: Engine, world: Installation, count: int) -> None:
    with writing(engine) as connection:
        debits = [world.debit(world.owner_id, world.dataset_ids[0], epsilon(1)) for _ in range(count)]
        assert all(isinstance(outcome, Paid) for outcome in DebitHandler(SIGNER)(connection, debits))


def _lengthen(engine: Engine, world: Installation, length: int) -> None:
    """Copies one paid release until the ledger has `length` entries, with the columns that its indexes hold made
    different.
    """
    _pay(engine, world, 1)
    numbers = _NUMBERS[engine.dialect.name]
    with writing(engine) as connection:
        row = connection.execute(text("SELECT * FROM releases WHERE budget_id = :b"), {"b": world.budget_id}).one()
    values = {name: f"r.{name}" for name in row._mapping}
    values |= {"id": "'rel_' || n", "sequence": "n", "key_hash": "'key_' || n", "state": "'failed'"}
    columns = ", ".join(values)
    for first in range(row.sequence + 1, length + 1, _CHUNK):
        bounds = {
            "first": first,
            "last": min(first + _CHUNK - 1, length),
            "budget": world.budget_id,
            "template": row.sequence,
        }
        with writing(engine) as connection:
            connection.execute(text(_ENTRIES.format(numbers=numbers)), bounds)
            connection.execute(
                text(_RELEASES.format(columns=columns, numbers=numbers, values=", ".join(values.values()))), bounds
            )
            connection.execute(text("UPDATE budgets SET sequence = :last WHERE id = :budget"), bounds)
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("ANALYZE"))


def _seconds(engine: Engine, world: Installation) -> float:
    started = time.perf_counter()
    _pay(engine, world, BATCH)
    return time.perf_counter() - started


def test_no_statement_of_a_charge_scans_a_table_that_grows(migrated_sqlite: Path, tmp_path: Path) -> None:
    path = tmp_path / "posterior.sqlite3"
    shutil.copy(migrated_sqlite, path)
    engine = open_engine(f"sqlite:///{path}")
    world = install(engine, total=epsilon(100), grant=epsilon(50), analysts=1)
    seen: list[str] = []
    with writing(engine) as connection:
        driver: Any = connection.connection.driver_connection
        driver.set_trace_callback(seen.append)
        debits = [
            replace(world.debit(person, world.dataset_ids[0], epsilon(1)), noise=f"of {person}", once=True)
            for person in (world.owner_id, *world.analyst_ids)
        ]
        assert all(isinstance(outcome, Paid) for outcome in DebitHandler(SIGNER)(connection, debits))
        driver.set_trace_callback(None)
    # The parameters are inlined in the text; statements of triggers are traced as a comment.
    statements = {statement for statement in seen if not statement.startswith(("BEGIN", "--"))}
    assert len(statements) >= 9
    assert any("noise = " in statement for statement in statements)
    with reading(engine) as connection:
        for statement in statements:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}").all()
            # An INSERT of several rows scans those.
            scans = [step[3] for step in plan if re.match(r"SCAN (?!installation$|\d+ CONSTANT ROWS?$)", step[3])]
            assert not scans, statement
    engine.dispose()


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_charge_at_a_million_entries_costs_what_it_costs_at_a_thousand(two_databases: tuple[Engine, Engine]) -> None:
    few, many = two_databases
    worlds = {engine: install(engine, total=epsilon(10**9)) for engine in (few, many)}
    _lengthen(few, worlds[few], FEW)
    _lengthen(many, worlds[many], MANY)
    for engine in (few, many):
        for _ in range(30):
            _seconds(engine, worlds[engine])
    # Alternating, so that whatever else the machine does falls on both; medians, so that a pause falls on neither.
    pairs = [(_seconds(few, worlds[few]), _seconds(many, worlds[many])) for _ in range(ROUNDS)]
    ratio = statistics.median(slow for _, slow in pairs) / statistics.median(fast for fast, _ in pairs)
    assert ratio < 1.3, (
        f"a batch of {BATCH} charges at {MANY:,} entries takes {ratio:.2f} times what it takes at {FEW:,}"
    )
