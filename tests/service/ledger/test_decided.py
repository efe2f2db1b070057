"""`ledger verify` compares each row that an owner's decision, or a charge, gives its content with the entry of it."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import Engine, insert, text, update

from service.database.engine import reading, writing
from service.database.tables import datasets, public_texts, releases
from service.datasets.access_requests import change as decide
from service.datasets.access_requests import create as ask_for_access
from service.datasets.datasets import change as change_dataset
from service.ledger.budget_changes import Act, BudgetChange, change_budget, change_grant, record
from service.ledger.chain import EntryKind
from service.ledger.debit import DebitHandler, Paid
from service.ledger.receipts import ReleaseSignature
from service.ledger.verification import verify_database
from service.principals.auth import Caller
from service.principals.people import create_principal
from service.schemas.access_requests import AccessRequestChange, AccessRequestCreate
from service.schemas.datasets import DatasetChange
from service.schemas.principals import Role
from tests.harness.guards import drop_all_guards
from tests.harness.installation import KEYS_OF_COUNTS, SIGNER, Installation, epsilon, install

CHANGES = {
    "UPDATE grants SET principal_id = owner_id WHERE expires_at IS NOT NULL": "another holder (principal_id)",
    "UPDATE grants SET expires_at = 7": "another end (expires_at)",
    "UPDATE grants SET closed_at = NULL": "another closing (closed_at)",
    "UPDATE grants SET owner_id = principal_id": "another owner (owner_id)",
    "UPDATE grants SET dataset_id = (SELECT id FROM datasets WHERE charged = 0)": "names another budget",
    "UPDATE budgets SET owner_id = (SELECT max(principal_id) FROM grants) WHERE frozen_at IS NULL": "another owner",
    "UPDATE budgets SET accountant = 'zcdp'": "another accountant",
    "UPDATE budgets SET epsilon_release_cap = NULL": "another policy (epsilon_release_cap)",
    "UPDATE budgets SET delta_release_cap = 7": "another policy (delta_release_cap)",
    "UPDATE budgets SET rho_release_cap = 7": "another policy (rho_release_cap)",
    "UPDATE budgets SET allowed_mechanisms = NULL": "another policy (allowed_mechanisms)",
    "UPDATE budgets SET low_budget_percent = 1": "another policy (low_budget_percent)",
    "UPDATE budgets SET guaranteed_epsilon = 1": "another guarantee (guaranteed_epsilon)",
    "UPDATE budgets SET guaranteed_delta = 1": "another guarantee (guaranteed_delta)",
    "UPDATE budgets SET delta_conversion = 1": "another guarantee (delta_conversion)",
    "UPDATE budgets SET name = 'other'": "another name (name)",
    "UPDATE datasets SET charged = 0": "another charged (charged)",
    'UPDATE datasets SET labels = \'["none", "case"]\'': "another labels, attributes or unit",
    "UPDATE datasets SET attributes = '[]'": "another labels, attributes or unit",
    "UPDATE datasets SET unit = 'one village'": "another labels, attributes or unit",
    "UPDATE datasets SET labels = 'nothing'": "another labels, attributes or unit",
    "UPDATE datasets SET name = 'other'": "another name (name)",
    "UPDATE datasets SET relation = 'add_remove', n_is_public = 0, record_count = NULL": "another neighbour relation",
    "UPDATE datasets SET one_record_per_unit = 0": "another one_record_per_unit",
    "UPDATE datasets SET records_per_unit = 7": "another size (records_per_unit)",
    "UPDATE datasets SET category_count = 7": "another size (category_count)",
    "UPDATE datasets SET record_count = 8": "another size (record_count)",
    "UPDATE datasets SET commitment = 'other'": "another commitment (commitment)",
    "UPDATE datasets SET owner_id = (SELECT max(principal_id) FROM grants)": "another owner (owner_id)",
    "UPDATE datasets SET registered_by = owner_id": "another owner at registration (registered_by)",
    "UPDATE datasets SET budget_id = (SELECT max(id) FROM budgets)": "names another budget",
    "UPDATE datasets SET listed = 0": "another listed",
    "UPDATE datasets SET history_shared = 0": "another history_shared",
    "UPDATE datasets SET deleted_at = 1": "another deletion (deleted_at)",
    "UPDATE releases SET kind = 'query'": "another kind",
    "UPDATE releases SET created_at = 1": "another created_at",
    "UPDATE releases SET epsilon_remaining = 1": "another epsilon_remaining",
    "UPDATE releases SET delta_remaining = 1": "another delta_remaining",
    "UPDATE releases SET rho_remaining = 1": "another rho_remaining",
    "UPDATE releases SET public_since = NULL": "disagree on whether it is public",
    "UPDATE releases SET public_since = 1": "disagree on whether it is public",
    "UPDATE access_requests SET state = 'withdrawn', grant_id = NULL": "is missing or names another budget",
    "UPDATE access_requests SET state = 'approved', grant_id = 'gra_x', decided_at = 1": "another",
}
"""What to change, and what the fault says."""
MOST = 4 * 10**9


@pytest.fixture
def engine(owner_engine: Engine) -> Engine:
    return owner_engine


@pytest.fixture
def world(engine: Engine) -> Installation:
    """Every kind of decision, and releases under several of them."""
    world = install(engine, total=epsilon(1000), grant=epsilon(500), analysts=1)
    (dataset_id,), (analyst_id,), owner = (
        world.dataset_ids,
        world.analyst_ids,
        Caller(world.owner_id, Role.OWNER, "key"),
    )
    handler = DebitHandler(SIGNER)

    def charge(principal_id: str, *, public: bool = False) -> None:
        with writing(engine) as connection:
            (paid,) = handler(connection, [world.debit(principal_id, dataset_id, epsilon(10))])
            assert isinstance(paid, Paid), paid
            if public:
                record(connection, world.budget_id, Act(EntryKind.RELEASE_PUBLISHED, world.owner_id, paid.row.id))
                connection.execute(update(releases).where(releases.c.id == paid.row.id).values(public_since=1))
                content = f'{{"id":"{paid.row.id}"'
                signature = SIGNER.signed_text(ReleaseSignature.of(paid.row.id, f"{content}}}".encode()))
                signed = f'{content},"signature":{signature}}}'
                connection.execute(insert(public_texts).values(release_id=paid.row.id, text=signed, created_at=1))

    charge(world.owner_id, public=True)
    cap = BudgetChange(
        name="Wave 2", release_cap=epsilon(20), allowed_mechanisms=frozenset({"laplace"}), low_budget_percent=20
    )
    with writing(engine) as connection:
        change_budget(connection, world.budget_id, world.owner_id, cap)
    charge(analyst_id)
    with writing(engine) as connection:
        change = DatasetChange.model_validate({"name": "Trial", "listed": True, "history_shared": True})
        change_dataset(connection, owner, dataset_id, change, KEYS_OF_COUNTS)
        (grant_id,) = world.grant_ids.values()
        change_grant(
            connection,
            budget_id=world.budget_id,
            grant_id=grant_id,
            owner=world.owner_id,
            cap=epsilon(400),
            closed=None,
            expires_at=MOST,
        )
        for decision in (
            AccessRequestChange(state="approved"),
            AccessRequestChange(state="declined", reason="Ask for less"),
        ):
            asking = Caller(create_principal(connection, Role.ANALYST, "analyst"), Role.ANALYST, "key")
            body = AccessRequestCreate.model_validate({"epsilon": "0.000000001", "delta": "0", "purpose": "A report"})
            request_id = ask_for_access(connection, asking, dataset_id, body, MOST)
            decide(connection, owner, request_id, decision)
    charge(world.owner_id)
    with writing(engine) as connection:
        change_grant(
            connection, budget_id=world.budget_id, grant_id=grant_id, owner=world.owner_id, cap=None, closed=True
        )
    return world


def test_a_row_that_differs_from_the_decision_that_it_stores_is_named(engine: Engine, world: Installation) -> None:
    with reading(engine) as connection:
        (finding,) = verify_database(connection)
    assert finding.fault is None, finding
    install(engine, total=epsilon(10))  # other rows to be confused with
    drop_all_guards(engine)
    silent = {}
    for statement, words in CHANGES.items():
        with engine.connect() as connection:
            if engine.dialect.name == "sqlite":
                connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
            connection.execute(text(statement))
            found = " ".join(str(finding) for finding in verify_database(connection))
            connection.rollback()
        if words not in found:
            silent[statement] = found
    assert silent == {}


def test_each_column_of_a_data_set_is_changed_above() -> None:
    changed = set(re.findall(r"(\w+) =", " ".join(each for each in CHANGES if each.startswith("UPDATE datasets"))))
    assert set(datasets.c.keys()) - changed == {"id", "created_at", "created_nanoseconds"}
