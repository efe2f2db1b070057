"""A debit relies on terms of budgets and grants only if the newest entries decided them, on SQLite and as the owner of
the tables on PostgreSQL.
"""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, text

from service.database.engine import writing
from service.errors import StoredDataAltered
from service.ledger.budget_changes import BudgetChange, change_budget, change_grant
from service.ledger.debit import DebitHandler, Paid
from tests.harness.guards import drop_guards
from tests.harness.installation import SIGNER, Installation, epsilon, install

CHANGES = (
    "UPDATE grants SET epsilon_cap = 5000",
    "UPDATE grants SET expires_at = 5000000000",
    "UPDATE grants SET expires_at = NULL",
    "UPDATE grants SET closed_at = NULL",
    "UPDATE budgets SET epsilon_limit = 5000",
    "UPDATE budgets SET epsilon_release_cap = NULL, delta_release_cap = NULL, rho_release_cap = NULL",
    "UPDATE budgets SET epsilon_release_cap = 5000",
    "UPDATE budgets SET allowed_mechanisms = NULL",
    'UPDATE budgets SET allowed_mechanisms = \'["laplace", "gaussian"]\'',
    "UPDATE budgets SET allowed_mechanisms = 'no JSON'",
    "UPDATE budgets SET frozen_at = NULL",
    "UPDATE budgets SET head_hash = 'x'",
)


@pytest.fixture
def engine(owner_engine: Engine) -> Engine:
    return owner_engine


@pytest.fixture
def world(engine: Engine) -> Installation:
    """A budget and a grant whose terms changed several times, each in another part."""
    world = install(engine, total=epsilon(900), grant=epsilon(500), analysts=1)
    with writing(engine) as connection:
        for change in (
            BudgetChange(release_cap=epsilon(20)),
            BudgetChange(allowed_mechanisms=frozenset({"laplace"})),
            BudgetChange(low_budget_percent=20),
            BudgetChange(name="Wave 2", frozen=True),
            BudgetChange(frozen=False),
        ):
            change_budget(connection, world.budget_id, world.owner_id, change)
        end(connection, world, cap=None, closed=None, expires_at=4 * 10**9)
        end(connection, world, cap=epsilon(400), closed=True)
        end(connection, world, cap=None, closed=False)
    return world


def end(connection: object, world: Installation, **changes: object) -> None:
    (grant_id,) = world.grant_ids.values()
    change_grant(connection, budget_id=world.budget_id, grant_id=grant_id, owner=world.owner_id, **changes)  # type: ignore[arg-type]


def pay(engine: Engine, world: Installation) -> object:
    with writing(engine) as connection:
        debit = world.debit(world.analyst_ids[0], world.dataset_ids[0], epsilon(10))
        (outcome,) = DebitHandler(SIGNER)(connection, [debit])
    return outcome


def test_terms_that_were_changed_in_parts_are_those_of_their_entries(engine: Engine, world: Installation) -> None:
    assert isinstance(pay(engine, world), Paid)


def test_no_charge_relies_on_terms_that_no_entry_decided(engine: Engine, world: Installation) -> None:
    with writing(engine) as connection:
        drop_guards(connection)
        change_budget(connection, world.budget_id, world.owner_id, BudgetChange(frozen=True))
        end(connection, world, cap=None, closed=True)
    believed = []
    for statement in CHANGES:
        with engine.connect() as connection:
            connection.execute(text(statement))
            debit = world.debit(world.analyst_ids[0], world.dataset_ids[0], epsilon(10))
            (outcome,) = DebitHandler(SIGNER)(connection, [debit])
            connection.rollback()
        if not isinstance(outcome, StoredDataAltered):
            believed.append((statement, outcome))
    assert believed == []


def test_no_entry_repeats_terms_that_no_entry_decided_and_a_stop_still_works(
    engine: Engine, world: Installation
) -> None:
    with writing(engine) as connection:
        connection.execute(text("UPDATE grants SET epsilon_cap = 5000"))
        connection.execute(text("UPDATE budgets SET epsilon_limit = 5000, guaranteed_epsilon = 5000"))
    with writing(engine) as connection:
        with pytest.raises(StoredDataAltered):
            end(connection, world, cap=None, closed=None, expires_at=3 * 10**9)
        with pytest.raises(StoredDataAltered):
            change_budget(connection, world.budget_id, world.owner_id, BudgetChange(low_budget_percent=5))
        end(connection, world, cap=None, closed=True)
        change_budget(connection, world.budget_id, world.owner_id, BudgetChange(frozen=True))
