"""Running totals equal the sums of the ledger, for every payer, and every list and report is read through an index."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, func, select, text

from core.accounting.accountants import Cost
from service.database.costs import of_units
from service.database.engine import reading, writing
from service.database.paging import FIRST_PAGE, PageRequest
from service.database.tables import budgets, datasets, grants, releases, spending
from service.datasets import budgets as budget_use_case
from service.datasets import grants as grant_use_case
from service.datasets import public_facts
from service.ledger.debit import DebitHandler
from service.ledger.restore.write_offs import write_off
from service.ledger.verification import verify_database
from service.principals.auth import Caller
from service.principals.people import principal_rows
from service.principals.quotas import used
from service.releases import access
from service.reports import dataset_statement
from service.reports.allowance import burn_rate
from service.schemas.principals import Role
from tests.harness.installation import SIGNER, Installation, epsilon, install


@pytest.fixture
def world(engine: Engine) -> Installation:
    """Two data sets from which an owner and two analysts released, and a write-off."""
    world = install(engine, total=epsilon(1000), grant=epsilon(500), analysts=2, data_sets=2)
    everybody = (world.owner_id, *world.analyst_ids)
    with writing(engine) as connection:
        DebitHandler(SIGNER)(
            connection,
            [
                world.debit(who, dataset_id, epsilon(1 + number))
                for number, who in enumerate(everybody)
                for dataset_id in world.dataset_ids * 2
            ],
        )
        write_off(
            connection,
            world.budget_id,
            owner=world.owner_id,
            idempotency_key="k",
            amount=epsilon(7),
            reason="unknown",
        )
    return world


def added_up(connection: Connection, world: Installation) -> dict[tuple[str, str], tuple[int, Cost]]:
    rows = connection.execute(select(spending).where(spending.c.budget_id == world.budget_id))
    return {
        (row.dataset_id, row.principal_id): (row.releases, of_units(row.epsilon, row.delta, row.rho)) for row in rows
    }


def test_totals_for_each_principal_and_data_set_are_the_sum_of_releases(engine: Engine, world: Installation) -> None:
    query = select(
        releases.c.dataset_id, releases.c.principal_id, func.count(), func.sum(releases.c.epsilon_charged)
    ).group_by(releases.c.dataset_id, releases.c.principal_id)
    with reading(engine) as connection:
        told = {
            (dataset_id, who): (count, epsilon(int(spent)))
            for dataset_id, who, count, spent in connection.execute(
                query.where(releases.c.budget_id == world.budget_id)
            )
        }
        assert added_up(connection, world) == told
        row = budget_use_case.owned_budget(connection, owner_of(world), world.budget_id)
        recent = burn_rate(connection, row).recent
    assert len(told) == 6
    assert [(each.spent.model_dump()["epsilon"], each.releases) for each in recent] == [("0.000000031", 12)] * 3


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("UPDATE hourly_spending SET epsilon = epsilon + 1", "hours that reports add up"),
        ("UPDATE hourly_spending SET hour = hour + 1", "hours that reports add up"),
        ("UPDATE spending SET epsilon = epsilon + 1", "released from data sets"),
        ("UPDATE spending SET kind = 'query'", "released from data sets"),
    ],
)
def test_verification_finds_a_total_that_was_changed(
    engine: Engine, owner_engine: Engine, world: Installation, change: str, fault: str
) -> None:
    """The owner of the tables changes it: the service itself has no right to do so."""
    with reading(engine) as connection:
        assert [finding.fault for finding in verify_database(connection)] == [None]
    with writing(owner_engine) as connection:
        connection.execute(text(change))
        [finding] = verify_database(connection)
    assert finding.fault is not None
    assert fault in finding.fault


def owner_of(world: Installation) -> Caller:
    return Caller(world.owner_id, Role.OWNER, "key")


def analyst_of(world: Installation) -> Caller:
    return Caller(world.analyst_ids[0], Role.ANALYST, "key")


def own_budget(connection: Connection, world: Installation) -> Any:
    return budget_use_case.owned_budget(connection, owner_of(world), world.budget_id)


READS: dict[str, Callable[[Connection, Installation, dict[str, PageRequest]], Any]] = {
    "statement": lambda c, w, _: dataset_statement.get_statement(c, owner_of(w), w.dataset_ids[0], after=0, limit=2),
    "burn rate": lambda c, w, _: burn_rate(c, own_budget(c, w)),
    "budgets": lambda c, w, p: budget_use_case.list_budgets(c, w.owner_id, p["budgets"]),
    "data sets of an owner": lambda c, w, p: public_facts.list_visible(c, owner_of(w), p["datasets"]),
    "data sets of an analyst": lambda c, w, p: public_facts.list_visible(c, analyst_of(w), p["datasets"]),
    "grants given": lambda c, w, p: grant_use_case.list_mine(c, owner_of(w), p["grants"], grant_use_case.Wanted()),
    "grants held": lambda c, w, p: grant_use_case.list_mine(c, analyst_of(w), p["grants"], grant_use_case.Wanted()),
    "grants on a data set": lambda c, w, p: grant_use_case.list_mine(
        c, owner_of(w), p["grants"], grant_use_case.Wanted(w.dataset_ids[0])
    ),
    "releases of an owner": lambda c, w, p: access.list_mine(c, owner_of(w), p["releases"]),
    "releases of an analyst": lambda c, w, p: access.list_mine(c, analyst_of(w), p["releases"]),
    "releases on a data set": lambda c, w, _: access.list_on(c, owner_of(w), w.dataset_ids[0], PageRequest("", 2)),
    "readable releases": lambda c, w, _: access.list_on(c, analyst_of(w), w.dataset_ids[0], PageRequest("", 2)),
    "what tells of a data set": lambda c, w, _: access.measured_releases_on(
        c, analyst_of(w), public_facts.visible(c, analyst_of(w), w.dataset_ids[0]), limit=2
    ),
    "principals": lambda c, _, p: principal_rows(c, p["principals"]),
    "quotas": lambda c, w, _: used(c, w.owner_id),
}
_READS_ALL = re.compile(
    r"SCAN (budgets|datasets|grants|releases|entries|query_charges)\b|SCAN principals$"
    # Every entry of a budget.
    r"|SEARCH entries USING INDEX sqlite_autoindex_entries_1 \(budget_id=\?\)$"
)


def reads_more(statement: str, detail: str) -> bool:
    """Whether a step of SQLite's plan takes longer the more rows there are. Sorting after an inner LIMIT is short, and
    so are recoveries.
    """
    inside, nested, _ = statement.partition(") AS anon_")
    is_little = (nested and "LIMIT" in inside) or "FROM principal_entries" in statement
    return _READS_ALL.match(detail) is not None or (detail == "USE TEMP B-TREE FOR ORDER BY" and not is_little)


@contextmanager
def statements_of(engine: Engine) -> Iterator[list[tuple[str, Any]]]:
    seen: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool) -> None:  # noqa: FBT001  SQLAlchemy's own
        seen.append((statement, parameters))

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(engine, "before_cursor_execute", note)


def test_every_read_finds_its_rows_by_an_index_in_their_order(engine: Engine, world: Installation) -> None:
    """By SQLite's query plan, no table is read as a whole or sorted."""
    if engine.dialect.name != "sqlite":
        pytest.skip("PostgreSQL chooses by the numbers of rows: benchmarks.reads measures it")
    with reading(engine) as connection:
        cursors = {
            table.name: PageRequest(connection.execute(select(func.min(table.c.id))).scalar_one(), 2)
            for table in (budgets, datasets, grants)
        } | {"principals": PageRequest(world.owner_id, 2)}
        own = select(func.min(releases.c.id)).where(releases.c.principal_id == world.analyst_ids[0])
        cursors["releases"] = PageRequest(connection.execute(own).scalar_one(), 2)
    for name, read in READS.items():
        for pages in (cursors, dict.fromkeys(cursors, FIRST_PAGE)):
            with statements_of(engine) as statements, reading(engine) as connection:
                read(connection, world, pages)
            with reading(engine) as connection:
                plans = [
                    (statement, row.detail)
                    for statement, parameters in statements
                    if statement.startswith("SELECT")
                    for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                ]
            assert plans
            for statement, detail in plans:
                assert not reads_more(statement, detail), (name, detail, statement)
