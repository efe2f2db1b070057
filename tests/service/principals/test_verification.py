"""A rewritten chain of keys is found, even if it is consistent in itself."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import NoResultFound

from service.database.engine import reading, writing
from service.database.tables import principal_entries
from service.datasets import access_requests
from service.errors import Problem
from service.ledger.budget_changes import BudgetChange, change_budget
from service.principals.auth import Caller, authenticate
from service.principals.enrolment import exchange, issue_token, veto
from service.principals.keys import (
    add_key,
    create_child,
    create_key,
    create_session,
    end_keys,
    note_use,
    replace_key,
    revoke_key,
)
from service.principals.people import create_principal, revoke_principal
from service.principals.verification import count_unbound_roles, verify_chains
from service.schemas.access_requests import AccessRequestChange, AccessRequestCreate
from service.schemas.principals import Role
from tests.harness.guards import drop_guards
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
    """A partial restore leaves a budget's ledger that names a key, and a chain without it."""
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
                principal_id=world.owner_id, sequence=2, previous_hash="0" * 64, hash="0" * 64, **forged
            )
        )
    with reading(owner_engine) as connection:
        assert "does not follow" in verify_chains(connection)[world.owner_id]


OF_ROWS = {
    "UPDATE principals SET role = 'admin' WHERE role = 'owner'": "another role",
    "UPDATE principals SET revoked_at = NULL WHERE role = 'analyst'": "whether its access was revoked",
    "UPDATE principals SET revoked_at = 1 WHERE role = 'owner'": "whether its access was revoked",
    "UPDATE principals SET frozen_until = NULL": "another recovery",
    "UPDATE principals SET recovery_id = NULL": "another recovery",
    "UPDATE api_keys SET revoked_at = NULL WHERE revoked_at IS NOT NULL": "whether it was revoked",
    "UPDATE api_keys SET revoked_at = 1 WHERE revoked_at IS NULL": "whether it was revoked",
    "UPDATE api_keys SET principal_id = (SELECT id FROM principals WHERE role = 'analyst')": "never issued",
    "UPDATE api_keys SET id = 'key_x' WHERE parent_id IS NOT NULL": "key_x was never issued",
    "UPDATE enrolments SET id = 'enr_x' || id WHERE kind = 'token' AND used_at IS NULL": "was never issued",
    "UPDATE enrolments SET used_at = 1 WHERE used_at IS NULL": "whether it was exchanged",
    "UPDATE enrolments SET used_at = NULL WHERE kind = 'token'": "whether it was exchanged",
    "UPDATE enrolments SET ended_at = NULL WHERE kind = 'token'": "says that it can be exchanged",
    "UPDATE enrolments SET secret_hash = id WHERE kind = 'token' AND used_at IS NULL": "not as it was issued",
    "UPDATE enrolments SET secret_hash = 'x' WHERE kind = 'recovery_code' AND used_at IS NULL": "not as it was issued",
    "UPDATE enrolments SET expires_at = 1 WHERE kind = 'token'": "not as it was issued",
    "DELETE FROM enrolments WHERE kind = 'recovery_code'": "was issued and is missing",
    "UPDATE enrolments SET made_by = 'enr_x' WHERE kind = 'recovery_code'": "recovery code of enr_x was never issued",
    "INSERT INTO enrolments (id, principal_id, kind, secret_hash, issued_by, made_by, created_at) SELECT 'enr_x', "
    "principal_id, kind, 'x', issued_by, made_by, created_at FROM enrolments WHERE kind = 'recovery_code'": (
        "a recovery code was never issued"
    ),
    "UPDATE api_keys SET secret_hash = 'x' WHERE parent_id IS NOT NULL": "not as it was issued",
    "UPDATE api_keys SET expires_at = 1 WHERE revoked_at IS NOT NULL": "not as it was issued",
    "UPDATE api_keys SET kind = 'session' WHERE parent_id IS NOT NULL": "not as it was issued",
    "UPDATE api_keys SET enrolment_id = NULL": "not as it was issued",
    "UPDATE api_keys SET parent_id = NULL": "another parent",
}
"""What to change, and what the fault says."""


def test_a_row_of_a_principal_a_key_or_a_token_that_differs_from_its_entries_is_named(owner_engine: Engine) -> None:
    with writing(owner_engine) as connection:
        owner_id = create_principal(connection, Role.OWNER, "owner")
        key_id, _ = create_key(connection, owner_id, issued_by="admin", expires_in_days=None)
        create_child(connection, Caller(owner_id, Role.OWNER, key_id), expires_at=None, most=9)
        note_use(connection, key_id, 1)
        exchange(connection, issue_token(connection, owner_id, by="admin").token, expires_at=None, recovery_days=7)
        issue_token(connection, owner_id, by="admin")
        issue_token(connection, owner_id, by="admin")
        gone = create_principal(connection, Role.ANALYST, "gone")
        ended, _ = create_key(connection, gone, issued_by="admin", expires_in_days=None)
        end_keys(connection, gone, [ended], by="admin")
        revoke_principal(connection, gone, erase_name=True)
    with reading(owner_engine) as connection:
        assert verify_chains(connection) == {}
        assert count_unbound_roles(connection) == 0
    with writing(owner_engine) as connection:
        drop_guards(connection)
    silent = {}
    for statement, words in OF_ROWS.items():
        with owner_engine.connect() as connection:
            connection.execute(text(statement))
            found = " ".join(verify_chains(connection).values())
            connection.rollback()
        if words not in found:
            silent[statement] = found
    assert silent == {}


@pytest.mark.parametrize(
    "change", ["epsilon_requested = epsilon_requested + 1", "state = 'open', decided_at = NULL", "id = 'acc_x'"]
)
def test_an_access_request_that_differs_from_its_entries_is_named(owner_engine: Engine, change: str) -> None:
    world = install(owner_engine, total=epsilon(10))
    with writing(owner_engine) as connection:
        connection.execute(text("UPDATE datasets SET listed = 1"))
        analyst_id = create_principal(connection, Role.ANALYST, "analyst")
        key_id, _ = create_key(connection, analyst_id, issued_by="admin", expires_in_days=None)
        caller = Caller(analyst_id, Role.ANALYST, key_id)
        body = AccessRequestCreate.model_validate({"epsilon": "0.1", "delta": "0", "purpose": "A report"})
        request_id = access_requests.create(connection, caller, world.dataset_ids[0], body, most=5)
        access_requests.change(connection, caller, request_id, AccessRequestChange(state="withdrawn"))
        assert verify_chains(connection) == {}
        drop_guards(connection)
        connection.execute(text(f"UPDATE access_requests SET {change}"))  # noqa: S608  the texts above
        assert "is not what its entries say" in verify_chains(connection)[analyst_id]


def test_no_fault_is_named_whatever_people_do_with_keys_tokens_and_codes(owner_engine: Engine) -> None:
    rng, keys, secrets, done = random.Random(7), ["key"], ["ppe_none"], set[str]()
    acts = ("token", "exchange", "child", "session", "replace", "revoke", "veto", "use")
    with writing(owner_engine) as connection:
        owner_id = create_principal(connection, Role.OWNER, "owner")
        admin = Caller(create_principal(connection, Role.ADMIN, "admin"), Role.ADMIN, "key")
        for act in rng.choices(acts, (2, 3, 3, 2, 2, 1, 1, 2), k=200):
            caller = Caller(owner_id, Role.OWNER, rng.choice(keys[-4:]))
            step = connection.begin_nested()
            try:
                match act:
                    case "token":
                        secrets.append(issue_token(connection, owner_id, by=admin.principal_id).token)
                    case "exchange":
                        days, secret = rng.choice([0, 0, 7]), rng.choice(secrets[-3:])
                        enrolled = exchange(connection, secret, expires_at=None, recovery_days=days)
                        keys.append(enrolled.key_id)
                        secrets.append(enrolled.recovery_code)
                    case "child":
                        keys.append(create_child(connection, caller, expires_at=None, most=99)[0])
                    case "session":
                        keys.append(create_session(connection, caller, expires_at=None)[0])
                    case "replace":
                        keys.append(replace_key(connection, caller, caller.key_id)[0])
                    case "revoke":
                        revoke_key(connection, rng.choice([caller, admin]), rng.choice(keys[-4:]))
                    case "veto":
                        veto(connection, caller, owner_id, recovery_days=7)
                    case _:
                        note_use(connection, caller.key_id, 1)
            except (Problem, NoResultFound):
                step.rollback()
            else:
                done.add(act)
                assert verify_chains(connection) == {}, act
    assert done == set(acts)


def test_a_key_that_the_services_role_added_acts_as_its_principal_and_is_named(engine: Engine) -> None:
    """What the threat model says of the service's role: on PostgreSQL `engine` has it."""
    with writing(engine) as connection:
        owner_id = create_principal(connection, Role.OWNER, "owner")
        create_key(connection, owner_id, issued_by="admin", expires_in_days=None)
        key_id, secret = add_key(connection, owner_id, issued_by="admin", expires_at=None)
    with reading(engine) as connection:
        caller = authenticate(connection, secret.secret_hash)
        assert (caller.principal_id, caller.role) == (owner_id, Role.OWNER)
        assert verify_chains(connection) == {owner_id: f"key {key_id} was never issued"}
