"""Reports that are made while releases are charged: each one agrees with itself, and no intact ledger is reported as
altered.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection, Engine, func, select

from core.accounting.accountants import Accountant
from service.database.engine import reading, writing
from service.database.paging import PageRequest
from service.database.tables import entries
from service.datasets.budgets import ledger_rows, owned_budget, read_budget
from service.ledger.debit import DebitHandler, Paid
from service.ledger.verification import verify_database
from service.principals.auth import Caller
from service.principals.verification import verify_chains
from service.releases.access import Wanted, list_mine
from service.reports import allowance, dataset_statement
from service.schemas.model import amount
from service.schemas.principals import Role
from tests.harness.installation import PUBLIC_KEYS, SIGNER, Installation, epsilon, install

COST = 10


def test_all_statements_of_a_read_see_the_database_as_the_first_does(engine: Engine) -> None:
    world = install(engine, total=epsilon(1_000_000))
    count = select(func.count()).select_from(entries)
    with reading(engine) as connection:
        before = connection.execute(count).scalar_one()
        charge(engine, world)
        assert connection.execute(count).scalar_one() == before
    with reading(engine) as connection:
        assert connection.execute(count).scalar_one() == before + 1


def charge(engine: Engine, world: Installation, times: int = 1) -> None:
    handler = DebitHandler(SIGNER)
    for _ in range(times):
        with writing(engine) as connection:
            (outcome,) = handler(connection, [world.debit(world.owner_id, world.dataset_ids[0], epsilon(COST))])
        assert isinstance(outcome, Paid)


def statement(connection: Connection, world: Installation, caller: Caller) -> None:
    said = dataset_statement.get_statement(connection, caller, world.dataset_ids[0], after=0, limit=10_000)
    listed = len(said.releases.items)
    assert said.charged_to_dataset == said.budget_spent
    assert said.guarantee_to_date.epsilon.units == listed * COST
    assert (sum(each.releases for each in said.spenders), said.ledger_sequence) == (listed, listed + 2)


def budget_and_ledger(connection: Connection, world: Installation, caller: Caller) -> None:
    budget = read_budget(connection, caller, world.budget_id)
    assert ledger_rows(connection, world.budget_id, after=0, limit=10_000)[-1].hash == budget.head_hash


def rate(connection: Connection, world: Installation, caller: Caller) -> None:
    row = owned_budget(connection, caller, world.budget_id)
    said = allowance.burn_rate(connection, row)
    assert (said.recent[-1].spent, said.recent[-1].releases * COST) == (said.spent, row.spent.epsilon.units)


def allowed(connection: Connection, world: Installation, caller: Caller) -> None:
    row = owned_budget(connection, caller, world.budget_id)
    said = allowance.compute_allowance(allowance.read_facts(connection, caller, world.dataset_ids[0], None))
    assert said.largest_possible_charge == amount(Accountant.BASIC, row.limit.left_after(row.spent))


def verified(connection: Connection, world: Installation, caller: Caller) -> None:
    assert [each.fault for each in verify_database(connection, public_keys=PUBLIC_KEYS)] == [None]
    assert verify_chains(connection) == {}


def own_releases(connection: Connection, world: Installation, caller: Caller) -> None:
    row = owned_budget(connection, caller, world.budget_id)
    rows = list_mine(connection, caller, PageRequest(limit=10_000), Wanted(["counts"]))
    assert len(rows) * COST == row.spent.epsilon.units


REPORTS = (statement, budget_and_ledger, rate, allowed, verified, own_releases)


@pytest.mark.parametrize("charges", [150, pytest.param(1_900, marks=pytest.mark.long)])
def test_every_report_beside_releases_agrees_with_itself(engine: Engine, charges: int) -> None:
    world = install(engine, total=epsilon(1_000_000))
    caller, contradictions = Caller(world.owner_id, Role.OWNER, "key"), []
    with ThreadPoolExecutor(1) as threads:
        spending = threads.submit(charge, engine, world, charges)
        while not spending.done():
            contradictions += [each.__name__ for each in REPORTS if not agrees(engine, world, caller, each)]
        spending.result()
    assert contradictions == []


def agrees(
    engine: Engine,
    world: Installation,
    caller: Caller,
    report: Callable[[Connection, Installation, Caller], None],
) -> bool:
    with reading(engine) as connection:
        try:
            report(connection, world, caller)
        except AssertionError:
            return False
    return True
