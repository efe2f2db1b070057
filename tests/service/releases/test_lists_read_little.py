"""Lists, statements and quotes read only the columns that they show, also beside long results."""

from __future__ import annotations

import json
import shutil
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, update

from service.database.engine import open_engine, reading, writing
from service.database.paging import PageRequest
from service.database.tables import datasets, releases
from service.datasets.public_facts import MAX_LISTED_LABELS, dataset_response, list_visible
from service.ledger.debit import DebitHandler
from service.principals.auth import Caller
from service.releases import access
from service.releases.spec import summary
from service.reports import dataset_statement
from service.schemas.principals import Role
from tests.harness.guards import drop_guards
from tests.harness.installation import SIGNER, Installation, epsilon, install

CATEGORIES, RELEASES = 10_000, 100
LONG = json.dumps({"numbers": list(range(10**9, 10**9 + CATEGORIES)), "more": ["x" * 20] * CATEGORIES})
MECHANISM = {"kind": "laplace", "epsilon": "0.5"}


@pytest.fixture
def world(engine: Engine, owner_engine: Engine) -> Installation:
    """A data set of 10 000 labels with a hundred releases, whose plans and results are a third of a megabyte each."""
    world = install(engine, total=epsilon(1000), grant=epsilon(500), analysts=1)
    who, dataset_id = world.analyst_ids[0], world.dataset_ids[0]
    order = json.dumps(
        {
            "request": {"mechanism": MECHANISM},
            "certificate": {
                "method": "theorem", "statement": "it is private", "relation": "replace_one",
                "loss": {"epsilon": "0.5", "delta": "0", "rho": None, "rho_delta": "0"}, "details": {},
            },
            "long": LONG,
        }
    )  # fmt: skip
    with writing(engine) as connection:
        debits = [world.debit(who, dataset_id, epsilon(1)) for _ in range(RELEASES)]
        for debit in debits:
            object.__setattr__(debit, "spec", order)
        DebitHandler(SIGNER)(connection, debits)
        connection.execute(update(releases).values(state="complete", drawn="{}", result=LONG, signature="signed"))
    with writing(owner_engine) as connection:
        drop_guards(connection)
        connection.execute(update(datasets).values(labels=json.dumps([f"category {n}" for n in range(CATEGORIES)])))
    return world


def peak(engine: Engine, read: Callable[[Connection], Any]) -> tuple[Any, float]:
    """The statements read, and the peak of their additional memory in megabytes."""
    with reading(engine) as connection:
        read(connection)  # which compiles the statements
        tracemalloc.start()
        try:
            found = read(connection)
            return found, tracemalloc.get_traced_memory()[1] / 2**20
        finally:
            tracemalloc.stop()


def test_lists_of_long_releases_take_little_memory(engine: Engine, world: Installation) -> None:
    owner = Caller(world.owner_id, Role.OWNER, "key")
    reads: list[Callable[[Connection], list[Any]]] = [
        lambda c: [summary(row, owner) for row in access.list_on(c, owner, world.dataset_ids[0], PageRequest("", 200))],
        lambda c: [summary(row, owner) for row in access.list_mine(c, owner, PageRequest("", 200))],
    ]
    for read in reads:
        found, megabytes = peak(engine, read)
        assert len(found) == RELEASES
        assert found[0].mechanism.kind == "laplace"
        assert megabytes < 3
    statement, megabytes = peak(
        engine, lambda c: dataset_statement.get_statement(c, owner, world.dataset_ids[0], after=0, limit=1000)
    )
    assert {each.certificate for each in statement.releases.items} == {"it is private"}
    assert megabytes < 8, "the labels of the data set itself, once or twice"


def test_a_list_of_query_answers_does_not_read_the_other_releases(tmp_path: Path, migrated_sqlite: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    engine = open_engine(f"sqlite:///{tmp_path / 'posterior.sqlite3'}")
    world = install(engine, total=epsilon(100_000), grant=epsilon(50_000), analysts=1)
    analyst, owner = Caller(world.analyst_ids[0], Role.ANALYST, "key"), Caller(world.owner_id, Role.OWNER, "key")

    def work() -> list[int]:
        """The instructions that SQLite executes for each list."""
        counted = []
        for caller in (analyst, owner):
            executed = [0]

            def count(executed: list[int] = executed) -> None:
                executed[0] += 1

            with reading(engine) as connection:
                driver: Any = connection.connection.driver_connection
                driver.set_progress_handler(count, 1)
                access.list_mine(connection, caller, PageRequest("", 100), access.Wanted(["queries"]))
                driver.set_progress_handler(None, 0)
            counted.append(executed[0])
        return counted

    def spend(times: int) -> None:
        with writing(engine) as connection:
            DebitHandler(SIGNER)(
                connection,
                [world.debit(analyst.principal_id, world.dataset_ids[0], epsilon(1)) for _ in range(times)],
            )

    spend(10)
    few = work()
    spend(500)
    assert work() == few
    engine.dispose()


def test_long_labels_are_not_in_lists(engine: Engine, world: Installation) -> None:
    owner = Caller(world.owner_id, Role.OWNER, "key")

    def read(connection: Connection) -> list[Any]:
        return [dataset_response(row, None) for row in list_visible(connection, owner, PageRequest("", 200))]

    found, megabytes = peak(engine, read)
    assert (found[0].labels, found[0].category_count > 0) == ([], True)
    assert megabytes < 1
    with writing(engine) as connection:
        connection.execute(update(datasets).values(labels=json.dumps(["a" * (MAX_LISTED_LABELS - 20), "b"])))
    assert len(peak(engine, read)[0][0].labels) == 2
