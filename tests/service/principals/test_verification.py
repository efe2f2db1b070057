"""A rewritten chain of keys is found, even if it is consistent in itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import insert, text

from service.database.engine import reading, writing
from service.database.tables import principal_entries
from service.ledger.acts import BudgetChange, change_budget
from service.principals.keys import create_key
from service.principals.verification import verify_chains
from tests.harness.installation import epsilon, install

if TYPE_CHECKING:
    from sqlalchemy import Engine


def test_chains_that_are_intact_have_no_fault(owner_engine: Engine) -> None:
    world = install(owner_engine, total=epsilon(10))
    with writing(owner_engine) as connection:
        create_key(connection, world.owner_id, issued_by="admin", expires_in_days=None)
        change_budget(connection, world.budget_id, world.owner_id, BudgetChange(frozen=True))
    with reading(owner_engine) as connection:
        assert verify_chains(connection) == {}


@pytest.mark.parametrize(
    ("rewriting", "fault"),
    [
        ("UPDATE principals SET head_hash = 'x'", "names another end"),
        ("UPDATE principals SET sequence = sequence + 1", "names another end"),
    ],
)
def test_a_head_that_was_changed_is_found(owner_engine: Engine, rewriting: str, fault: str) -> None:
    world = install(owner_engine, total=epsilon(10))
    with writing(owner_engine) as connection:
        create_key(connection, world.owner_id, issued_by="admin", expires_in_days=None)
        connection.execute(text(f"{rewriting} WHERE id = '{world.owner_id}'"))
    with reading(owner_engine) as connection:
        assert fault in verify_chains(connection)[world.owner_id]


def test_a_chain_that_lacks_what_a_budget_names_is_found(owner_engine: Engine) -> None:
    """As after a partial restore: the budget's ledger names a key that the chain does not have."""
    world = install(owner_engine, total=epsilon(10))
    with writing(owner_engine) as connection:
        connection.execute(
            text("UPDATE principals SET sequence = 5, head_hash = 'of a key that is gone' WHERE id = :id"),
            {"id": world.owner_id},
        )
        change_budget(connection, world.budget_id, world.owner_id, BudgetChange(frozen=True))
    with reading(owner_engine) as connection:
        assert "is named by a budget's ledger, but is missing" in verify_chains(connection)[world.owner_id]


def test_an_entry_out_of_place_is_found(owner_engine: Engine) -> None:
    world = install(owner_engine, total=epsilon(10))
    forged = {"kind": "key_issued", "actor_id": "x", "subject_id": "x", "detail": "{}", "created_at": 1}
    with writing(owner_engine) as connection:
        connection.execute(
            insert(principal_entries).values(
                principal_id=world.owner_id, sequence=1, previous_hash="0" * 64, hash="0" * 64, **forged
            )
        )
    with reading(owner_engine) as connection:
        assert "does not follow" in verify_chains(connection)[world.owner_id]
