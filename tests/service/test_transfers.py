"""An admin transfers the budget of an owner who has left to another owner, who then has all rights to it."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from service.database.engine import reading, writing
from service.database.rows import BudgetRow, EntryRow, fetch_all, fetch_one
from service.database.tables import budgets, datasets, entries
from service.datasets.cipher import KeyRing
from service.datasets.counts import rotate_counts
from service.ledger.chain import read_entry
from service.ledger.debit import DebitHandler, Paid
from service.ledger.receipts import Receipt, verify
from service.ledger.restore import decisions
from service.ledger.transfers import transfer as give_to_another
from service.ledger.verification import verify_database
from service.principals.auth import COMMAND_LINE, Caller
from service.principals.keys import create_key
from service.principals.people import create_principal, revoke_principal
from service.schemas.principals import Role
from tests.client.people import someone
from tests.harness.bodies import budget_body, unique
from tests.harness.commands import run
from tests.harness.guards import without_guards
from tests.harness.installation import KEYS_OF_COUNTS, PUBLIC_KEYS, SIGNER, Installation, epsilon, install
from tests.harness.process import COMMAND
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study, dataset_body
from tests.service.principals.test_enrolment import exchange

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Engine


@dataclass(frozen=True, slots=True)
class Left:
    """A study whose owner has left, and the owner who is to follow."""

    study: Study
    successor: Party

    @property
    def path(self) -> str:
        return f"/v1/budgets/{self.study.budget_id}/owner"

    def transfer(self, to: Party | None = None) -> None:
        admin = self.study.owner.server.admin
        answer = admin.request("PUT", self.path, json={"principal_id": (to or self.successor).principal_id})
        assert (answer.status_code, answer.content) == (204, b""), answer.text


@pytest.fixture
def left(study: Study, server: Server) -> Left:
    assert server.admin.delete(f"/v1/principals/{study.owner.principal_id}").status_code == 204
    return Left(study, server.new("owner"))


def is_intact(server: Server, budget_id: str) -> bool:
    """By the command. Other files alter budgets of this service."""
    return f"budget {budget_id}: intact" in run([COMMAND, "ledger", "verify"], env=server.environment).stdout


def test_the_new_owner_has_every_right_and_what_was_paid_stays_as_it_was(study: Study, server: Server) -> None:
    owner, analyst, dataset, budget = study.owner, study.analyst, study.dataset_id, study.budget_id
    asking, successor, path = server.new("analyst"), server.new("owner"), f"/v1/datasets/{study.dataset_id}"
    names = owner.get(path).json()["name"], study.budget()["name"]
    mine = successor.post("/v1/datasets", dataset_body(name=names[0])).json()
    assert successor.post("/v1/budgets", budget_body(name=names[1])).status_code == 201
    paid = analyst.release(dataset, key="before")
    owners_own = owner.release(dataset).json()
    owner.patch(path, {"listed": True})
    asked = asking.post(f"{path}/access-requests", {"epsilon": "0.1", "delta": "0", "purpose": "to see"}).json()
    untouched = owner.post("/v1/datasets", dataset_body(budget={"kind": "existing", "id": budget})).json()
    sequence = study.budget()["sequence"]

    server.admin.delete(f"/v1/principals/{owner.principal_id}")
    Left(study, successor).transfer()

    assert analyst.release(dataset, key="before").content == paid.content
    after = analyst.release(dataset, key="after")
    assert after.status_code == 201, after.text
    body = after.json()["receipt"]["body"]
    assert (body["owner_id"], body["principal_id"]) == (owner.principal_id, analyst.principal_id)
    found = successor.get(f"/v1/budgets/{budget}").json()
    assert found["name"] == f"{names[1]} (2)"
    assert found["spent"]["epsilon"] != "0"
    assert successor.get(path).json()["name"] == f"{names[0]} (2)"
    assert successor.get(f"/v1/datasets/{mine['id']}").json()["name"] == names[0]
    assert {each["id"] for each in successor.get("/v1/datasets").json()["items"]} == {
        dataset, untouched["id"], mine["id"],
    }  # fmt: skip
    assert [each["id"] for each in successor.get("/v1/grants").json()["items"]] == [study.grant_id]
    listed = successor.get("/v1/releases").json()["items"]
    assert [each["id"] for each in listed] == [paid.json()["id"], owners_own["id"], after.json()["id"]]
    assert all(each["principal_id"] for each in listed)
    assert successor.get(f"/v1/releases/{owners_own['id']}").json() == owners_own
    assert successor.patch(f"/v1/releases/{owners_own['id']}", {"public": True}).status_code == 200
    request = successor.get(f"/v1/access-requests/{asked['id']}").json()
    assert request["state"] == "open"
    assert [each["id"] for each in successor.get("/v1/access-requests").json()["items"]] == [asked["id"]]
    approved = successor.patch(f"/v1/access-requests/{asked['id']}", {"state": "approved"})
    assert approved.status_code == 200, approved.text
    assert successor.release(dataset).status_code == 201
    assert asking.release(dataset, mechanism={"kind": "simplex_geometric", "epsilon": "0.01"}).status_code == 201
    counts = {"counts": [1_300_427_311, 213_377_551]}
    assert successor.patch(f"/v1/datasets/{untouched['id']}", counts).status_code == 200
    assert successor.release(untouched["id"], mechanism={"kind": "laplace", "epsilon": "0.01"}).status_code == 201
    assert successor.patch(f"/v1/grants/{study.grant_id}", {"closed": True}).status_code == 200
    entries = successor.get(f"/v1/budgets/{budget}/ledger", limit=1000).json()["items"][sequence:]
    assert [(each["kind"], each["principal_id"]) for each in entries[:3]] == [
        ("budget_transferred", server.admin.principal_id),
        ("budget_renamed", server.admin.principal_id),
        ("dataset_renamed", server.admin.principal_id),
    ]
    moved = {"from": owner.principal_id, "to": successor.principal_id}
    assert moved.items() <= entries[0]["detail"].items()
    told = successor.get(f"{path}/statement.txt").text
    assert f"The principal {owner.principal_id} registered the data set" in told
    assert f"the budget was transferred from {owner.principal_id} to {successor.principal_id}, by an admin" in told
    held = successor.get("/v1/quotas").json()
    assert [held[name]["used"] for name in ("budgets", "datasets", "grants")] == [3, 3, 2]
    rows = server.rows("SELECT budgets, datasets, grants FROM holdings WHERE owner_id = :id", id=owner.principal_id)
    assert [tuple(row) for row in rows] == [(0, 0, 0)]
    assert is_intact(server, budget)


def test_a_budget_is_transferred_a_second_time(left: Left, server: Server) -> None:
    study, third = left.study, server.new("owner")
    left.transfer()
    left.transfer()
    server.admin.delete(f"/v1/principals/{left.successor.principal_id}")
    assert problem_code(study.analyst.release(study.dataset_id)) == "owner-unavailable"
    left.transfer(third)
    assert study.analyst.release(study.dataset_id).json()["receipt"]["body"]["owner_id"] == study.owner.principal_id
    assert third.release(study.dataset_id).status_code == 201
    assert len(third.get("/v1/releases").json()["items"]) == 2
    kinds = [each["kind"] for each in third.get(f"/v1/budgets/{study.budget_id}/ledger", limit=1000).json()["items"]]
    assert kinds.count("budget_transferred") == 2, "a repetition adds no entry"
    assert is_intact(server, study.budget_id)


def test_only_an_admin_hands_over_only_what_an_ended_owner_had(study: Study, server: Server) -> None:
    successor, path = server.new("owner"), f"/v1/budgets/{study.budget_id}/owner"
    admin, ended = server.admin, server.new("owner")
    admin.delete(f"/v1/principals/{ended.principal_id}")

    def code(party: Party, to: str, path: str = path) -> str:
        return problem_code(party.request("PUT", path, json={"principal_id": to}))

    assert code(admin, successor.principal_id) == "conflict", "the owner has not left"
    for party in (study.owner, study.analyst, successor):
        assert code(party, successor.principal_id) == "role-not-allowed"
        assert problem_code(party.get(f"/v1/principals/{study.owner.principal_id}/budgets")) == "role-not-allowed"
    assert code(admin, successor.principal_id, f"/v1/budgets/bud_{'a' * 26}/owner") == "not-found"
    assert problem_code(admin.get(f"/v1/principals/pri_{'a' * 26}/budgets")) == "not-found"
    admin.delete(f"/v1/principals/{study.owner.principal_id}")
    for wrong in (study.analyst.principal_id, ended.principal_id, study.owner.principal_id, f"pri_{'a' * 26}"):
        refused = admin.request("PUT", path, json={"principal_id": wrong})
        assert problem_code(refused) == "invalid-request"
        assert refused.json()["errors"] == [
            {"location": "body.principal_id", "rule": "must be the id of an owner whose access has not ended"}
        ]
    [budget] = admin.get(f"/v1/principals/{study.owner.principal_id}/budgets").json()["items"]
    assert budget.keys() == {"id", "created_at"}
    assert budget["id"] == study.budget_id


def test_an_admin_hands_over_with_the_command(left: Left, server: Server, tmp_path: Path) -> None:
    admin, (former, successor) = someone(tmp_path, server, server.admin), (left.study.owner, left.successor)
    said = admin.run("budgets", "transfer", former.principal_id, successor.principal_id).stderr
    assert f"{left.study.budget_id} is now a budget of {successor.principal_id}." in said
    assert successor.get(f"/v1/budgets/{left.study.budget_id}").status_code == 200
    assert "has no budget" in admin.run("budgets", "transfer", former.principal_id, successor.principal_id).stderr


def test_the_owner_verifies_a_ledger_that_was_transferred(left: Left, server: Server, tmp_path: Path) -> None:
    assert left.study.analyst.release(left.study.dataset_id).is_error
    left.transfer()
    assert left.study.analyst.release(left.study.dataset_id).status_code == 201
    owner = someone(tmp_path, server, left.successor)
    assert "intact" in owner.run("verify", left.study.budget_id).stdout


def test_a_new_owner_without_a_key_lets_nothing_be_released_until_the_invitation_is_used(left: Left) -> None:
    server, study = left.study.owner.server, left.study
    invited = server.admin.post("/v1/principals", {"role": "owner", "name": unique("invited")}).json()
    answer = server.admin.request("PUT", left.path, json={"principal_id": invited["id"]})
    assert answer.status_code == 204, answer.text
    refused = study.analyst.release(study.dataset_id, key="transferred")
    assert (problem_code(refused), refused.json()["charged"]) == ("owner-unavailable", False)
    assert study.analyst.get(f"/v1/datasets/{study.dataset_id}/allowance").json()["blocked_by"] == "owner-unavailable"
    assert exchange(server, invited["enrolment"]["token"]).is_success
    assert study.analyst.release(study.dataset_id, key="transferred").status_code == 201


# On the database


def transfer(engine: Engine, world: Installation, *, admin: Role = Role.ADMIN) -> str:
    with writing(engine) as connection:
        admin_id = create_principal(connection, admin, "admin")
        successor = create_principal(connection, Role.OWNER, "successor")
        create_key(connection, successor, issued_by=COMMAND_LINE, expires_in_days=None)
        revoke_principal(connection, world.owner_id, erase_name=True)
        give_to_another(connection, world.budget_id, Caller(admin_id, Role.ADMIN, "key"), successor)
    return successor


def pay(engine: Engine, world: Installation, who: str) -> Paid:
    with writing(engine) as connection:
        [paid] = DebitHandler(SIGNER)(connection, [world.debit(who, world.dataset_ids[0], epsilon(1))])
    assert isinstance(paid, Paid), paid
    return paid


def test_counts_stay_bound_to_their_registrant_and_are_rotated(engine: Engine) -> None:
    world = install(engine, total=epsilon(100), grant=epsilon(50), analysts=1)
    successor = transfer(engine, world)
    paid = pay(engine, world, world.analyst_ids[0])
    assert paid.row.owner_id == world.owner_id
    assert verify(json.loads(paid.row.receipt), Receipt, PUBLIC_KEYS).owner_id == world.owner_id
    ring = KeyRing("new", {**KEYS_OF_COUNTS.keys, "new": secrets.token_bytes(32)})
    with writing(engine) as connection:
        assert rotate_counts(connection, ring, after="", limit=1000).unreadable == ()
    with reading(engine) as connection:
        [owner] = connection.execute(
            select(datasets.c.owner_id, datasets.c.registered_by).where(datasets.c.id == world.dataset_ids[0])
        )
        assert tuple(owner) == (successor, world.owner_id)


@pytest.mark.parametrize("column", ["owner_id", "registered_by"])
def test_verification_names_an_owner_that_no_entry_gave(owner_engine: Engine, column: str) -> None:
    engine = owner_engine
    world = install(engine, total=epsilon(100), grant=epsilon(50), analysts=1)
    transfer(engine, world)
    pay(engine, world, world.analyst_ids[0])

    def fault() -> str | None:
        with reading(engine) as connection:
            return next(each.fault for each in verify_database(connection) if each.budget_id == world.budget_id)

    assert fault() is None
    with writing(engine) as connection, without_guards(connection, "datasets"):
        connection.execute(
            update(datasets)
            .where(datasets.c.budget_id == world.budget_id)
            .values({column: None if column == "registered_by" else world.owner_id})
        )
    assert "names another owner" in (fault() or "")


def test_a_transfer_that_a_restore_lost_is_not_applied_again(engine: Engine) -> None:
    """The budget then stays frozen, and an admin transfers it again."""
    world = install(engine, total=epsilon(100))
    transfer(engine, world)
    with reading(engine) as connection:
        budget = fetch_one(connection, BudgetRow, select(budgets).where(budgets.c.id == world.budget_id))
        of_budget = select(entries).where(entries.c.budget_id == world.budget_id)
        rows = fetch_all(connection, EntryRow, of_budget.order_by(entries.c.sequence))
        [entry] = [read_entry(row._asdict()) for row in rows if row.kind == "budget_transferred"]
        assert decisions.apply(connection, budget, entry, budget.sequence, lambda _, __: None) is None
