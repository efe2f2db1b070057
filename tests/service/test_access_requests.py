"""Owners list data sets; analysts see their public facts and ask for access; owners approve or decline, once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from service.database.engine import open_engine, reading, writing
from service.database.tables import api_keys, entries, grants
from service.datasets import access_requests, datasets
from service.datasets.access_requests import MAX_REQUESTS_PER_DATASET
from service.datasets.cipher import KeyRing
from service.errors import Conflict
from service.identifiers.identifiers import now, timestamp
from service.ledger.verification import verify_database
from service.principals.auth import Caller
from service.principals.quotas import Quotas
from service.principals.verification import verify_chains
from service.schemas.access_requests import AccessRequestChange, AccessRequestCreate
from service.schemas.datasets import DatasetChange, DatasetCreate
from service.schemas.principals import Role
from tests.harness.bodies import budget_body, unique
from tests.harness.people import Person, person
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import COUNTS, dataset_body

if TYPE_CHECKING:
    from sqlalchemy import Engine

ASKED = {"epsilon": "0.25", "delta": "1e-7", "purpose": "to compare the two trials"}
REASON = "ask again when the trial has ended"


@dataclass(frozen=True, slots=True)
class Listed:
    """A listed data set."""

    owner: Party
    dataset_id: str
    budget_id: str

    def ask(self, analyst: Party, **changes: Any) -> dict[str, Any]:
        answer = analyst.post(f"/v1/datasets/{self.dataset_id}/access-requests", ASKED | changes)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def refused(self, analyst: Party, **changes: Any) -> str:
        return problem_code(analyst.post(f"/v1/datasets/{self.dataset_id}/access-requests", ASKED | changes))

    def set_listed(self, *, listed: bool) -> None:
        assert self.owner.patch(f"/v1/datasets/{self.dataset_id}", {"listed": listed}).json()["listed"] is listed

    def kinds(self) -> list[str]:
        items = self.owner.get(f"/v1/budgets/{self.budget_id}/ledger", limit=1000).json()["items"]
        return [entry["kind"] for entry in items]


def listed_by(owner: Party, **changes: Any) -> Listed:
    made = owner.post("/v1/datasets", dataset_body(**changes)).json()
    assert made["listed"] is False
    found = Listed(owner, made["id"], made["budget_id"])
    found.set_listed(listed=True)
    return found


@pytest.fixture
def shown(owner: Party) -> Listed:
    return listed_by(owner)


def decide(party: Party, request: dict[str, Any], **body: Any) -> dict[str, Any]:
    answer = party.patch(f"/v1/access-requests/{request['id']}", body)
    assert answer.status_code == 200, answer.text
    decided: dict[str, Any] = answer.json()
    return decided


def seen_by(analyst: Party) -> set[str]:
    found, cursor = set[str](), ""
    while True:
        page = analyst.get("/v1/listed-datasets", limit=2, cursor=cursor).json()
        found |= {each["id"] for each in page["items"]}
        cursor = page["next_cursor"]
        if cursor is None:
            return found


def read(party: Party, request: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = party.get(f"/v1/access-requests/{request['id']}").json()
    return found


def test_only_listed_data_sets_are_seen_and_only_what_is_public_of_them(shown: Listed, analyst: Party) -> None:
    hidden = shown.owner.post("/v1/datasets", dataset_body()).json()["id"]
    path = "/v1/listed-datasets"
    assert shown.dataset_id in seen_by(analyst)
    assert hidden not in seen_by(analyst)
    found = analyst.get(f"{path}/{shown.dataset_id}").json()
    assert found.keys() == {
        "id", "name", "owner_name", "unit", "labels", "attributes", "category_count", "record_count",
        "records_per_unit", "relation", "accountant", "created_at",
    }  # fmt: skip
    assert found["owner_name"] == shown.owner.get("/v1/me").json()["principal"]["name"]
    assert (found["labels"], found["record_count"], found["unit"]) == (["case", "none"], sum(COUNTS), "one child")
    unknown = analyst.get(f"{path}/dat_{'a' * 26}")
    assert problem_code(unknown) == "not-found"
    assert analyst.get(f"{path}/{hidden}").content == unknown.content
    for party in (shown.owner, shown.owner.server.admin, analyst.server.new("owner")):
        assert problem_code(party.get(path)) == problem_code(party.get(f"{path}/{hidden}")) == "role-not-allowed"
    assert problem_code(analyst.get(f"/v1/datasets/{shown.dataset_id}")) == "not-found"
    assert analyst.get("/v1/datasets").json()["items"] == []
    nowhere = analyst.post(f"/v1/datasets/dat_{'a' * 26}/access-requests", ASKED)
    assert analyst.post(f"/v1/datasets/{hidden}/access-requests", ASKED).content == nowhere.content


def test_a_request_is_approved_with_the_cap_and_the_end_that_the_owner_sets(shown: Listed, analyst: Party) -> None:
    made = shown.ask(analyst)
    assert made["requested"] == {"accountant": "basic", "epsilon": "0.25", "delta": "0.0000001"}
    assert (made["state"], made["grant_id"], made["purpose"]) == ("open", None, ASKED["purpose"])
    (listed,) = shown.owner.get("/v1/access-requests", dataset_id=shown.dataset_id, state="open").json()["items"]
    assert listed == read(shown.owner, made) == read(analyst, made) == made
    end = timestamp(now() + 3600)
    approved = decide(shown.owner, made, state="approved", epsilon="0.125", expires_at=end)
    assert (approved["state"], approved["changed"]) == ("approved", True)
    (grant,) = analyst.get("/v1/grants").json()["items"]
    assert (grant["id"], grant["cap"]["epsilon"], grant["cap"]["delta"]) == (
        approved["grant_id"], "0.125", "0.0000001",
    )  # fmt: skip
    assert grant["expires_at"] == end
    again = decide(shown.owner, made, state="approved", epsilon="1")
    assert again == approved | {"changed": False}
    assert analyst.get("/v1/grants").json()["items"] == [grant]
    conflict = shown.owner.patch(f"/v1/access-requests/{made['id']}", {"state": "declined", "reason": REASON})
    assert problem_code(conflict) == "conflict"
    assert problem_code(analyst.patch(f"/v1/access-requests/{made['id']}", {"state": "withdrawn"})) == "conflict"
    assert shown.refused(analyst) == "conflict", "they have a grant"
    assert analyst.release(shown.dataset_id).status_code == 201
    for state, count in (("open", 0), ("approved", 1)):
        assert len(analyst.get("/v1/access-requests", state=state).json()["items"]) == count


def test_an_approved_request_without_its_grant_names_no_other_object(shown: Listed, server: Server) -> None:
    """The row was changed: the request was open, and now says that it was approved."""
    other = server.rows("SELECT max(id) FROM grants")[0][0] or "gra_x"
    for grant_id in ("gra_x", other):
        asker = server.new("analyst")
        request = shown.ask(asker)
        approved = "UPDATE access_requests SET state = 'approved', decided_at = 1, grant_id = :grant WHERE id = :id"
        server.rows(approved, grant=grant_id, id=request["id"])
        for party in (asker, shown.owner):
            found = read(party, request)
            assert (found["state"], found["grant_id"]) == ("approved", None)
        again = shown.owner.patch(f"/v1/access-requests/{request['id']}", {"state": "approved"})
        assert (again.status_code, again.json()["grant_id"]) == (200, None)


def test_a_declined_request_says_why_and_can_be_made_again(shown: Listed, analyst: Party) -> None:
    made = shown.ask(analyst)
    assert shown.refused(analyst) == "conflict", "one is open"
    declined = decide(shown.owner, made, state="declined", reason=REASON)
    assert (declined["state"], declined["reason"], declined["changed"]) == ("declined", REASON, True)
    assert decide(shown.owner, made, state="declined", reason="another") == declined | {"changed": False}
    assert problem_code(shown.owner.patch(f"/v1/access-requests/{made['id']}", {"state": "approved"})) == "conflict"
    withdrawn = shown.ask(analyst)
    assert decide(analyst, withdrawn, state="withdrawn")["changed"] is True
    assert decide(analyst, withdrawn, state="withdrawn")["changed"] is False
    assert (
        problem_code(shown.owner.patch(f"/v1/access-requests/{withdrawn['id']}", {"state": "approved"})) == "conflict"
    )
    assert analyst.get("/v1/grants").json()["items"] == []


def test_a_grant_that_the_owner_gives_by_hand_answers_the_open_request(shown: Listed, analyst: Party) -> None:
    made = shown.ask(analyst)
    body = {"principal_id": analyst.principal_id, "epsilon": "0.5", "delta": "0"}
    grant = shown.owner.post(f"/v1/datasets/{shown.dataset_id}/grants", body).json()
    found = read(analyst, made)
    assert (found["state"], found["grant_id"]) == ("approved", grant["id"])
    opened = shown.owner.get(f"/v1/budgets/{shown.budget_id}/ledger").json()["items"][-1]
    assert (opened["kind"], opened["detail"]["access_request_id"]) == ("grant_opened", made["id"])


def test_requests_are_bounded(shown: Listed, analyst: Party) -> None:
    for _ in range(MAX_REQUESTS_PER_DATASET):
        decide(analyst, shown.ask(analyst), state="withdrawn")
    assert shown.refused(analyst) == "object-quota-exceeded"
    existing = {"kind": "existing", "id": shown.budget_id}
    others = [listed_by(shown.owner, budget=existing) for _ in range(Quotas().access_requests + 1)]
    for each in others[:-1]:
        each.ask(analyst)
    assert others[-1].refused(analyst) == "object-quota-exceeded"
    assert analyst.get("/v1/quotas").json()["access_requests"] == {"used": 20, "limit": 20}
    assert shown.owner.delete(f"/v1/datasets/{others[0].dataset_id}").status_code == 204
    others[-1].ask(analyst)


@pytest.mark.parametrize(
    "change",
    [
        {"purpose": ""}, {"purpose": "x" * 501}, {"purpose": "two\nlines"}, {"purpose": "turned \u202e"},
        {"purpose": "\u200b"}, {"epsilon": None}, {"epsilon": "0"}, {"epsilon": "1001"}, {"rho": "0.1"},
        {"delta": "-1"}, {"delta": "1.5"}, {"surplus": 1},
    ],
)  # fmt: skip
def test_a_request_that_breaks_a_rule_is_refused(shown: Listed, analyst: Party, change: dict[str, Any]) -> None:
    assert shown.refused(analyst, **change) == "invalid-request"
    made = shown.ask(analyst)
    if "purpose" in change:
        refusal = shown.owner.patch(
            f"/v1/access-requests/{made['id']}", {"state": "declined", "reason": change["purpose"]}
        )
        assert problem_code(refusal) == "invalid-request"


def test_a_zcdp_budget_is_asked_for_rho(owner: Party, analyst: Party) -> None:
    shown = listed_by(owner, budget={"kind": "new", "budget": budget_body(accountant="zcdp")})
    assert shown.refused(analyst) == "invalid-request"
    made = shown.ask(analyst, epsilon=None, rho="0.01")
    assert decide(owner, made, state="approved")["requested"] == {
        "accountant": "zcdp", "rho": "0.01", "delta": "0.0000001",
    }  # fmt: skip


def test_nobody_else_sees_or_decides_a_request(shown: Listed, analyst: Party, server: Server) -> None:
    made = shown.ask(analyst)
    path, approval = f"/v1/access-requests/{made['id']}", {"state": "approved"}
    unknown = f"/v1/access-requests/acc_{'a' * 26}"
    for stranger in (server.new("analyst"), server.new("owner"), server.admin):
        assert stranger.get(path).content == stranger.get(unknown).content
        assert stranger.get("/v1/access-requests").json()["items"] == []
        assert stranger.get("/v1/access-requests", dataset_id=shown.dataset_id).json()["items"] == []
        assert stranger.patch(path, approval).content == stranger.patch(unknown, approval).content
        withdrawal = stranger.patch(path, {"state": "withdrawn"})
        assert problem_code(withdrawal) in {"not-found", "role-not-allowed"}
    assert problem_code(analyst.patch(path, approval)) == "role-not-allowed"
    assert problem_code(shown.owner.patch(path, {"state": "withdrawn"})) == "role-not-allowed"
    assert read(analyst, made)["state"] == "open"


def test_open_requests_outlive_unlisting_and_freezing_and_end_with_the_data_set(shown: Listed, analyst: Party) -> None:
    made = shown.ask(analyst)
    shown.set_listed(listed=False)
    assert shown.dataset_id not in seen_by(analyst)
    assert read(analyst, made)["state"] == "open"
    assert shown.refused(analyst.server.new("analyst")) == "not-found"
    assert shown.owner.patch(f"/v1/budgets/{shown.budget_id}", {"frozen": True}).status_code == 200
    assert decide(shown.owner, made, state="approved")["state"] == "approved"
    shown.set_listed(listed=True)
    other = analyst.server.new("analyst")
    ended = shown.ask(other)
    assert shown.owner.delete(f"/v1/datasets/{shown.dataset_id}").status_code == 204
    assert shown.dataset_id not in seen_by(other)
    assert read(other, ended)["state"] == read(shown.owner, ended)["state"] == "ended"
    assert problem_code(shown.owner.patch(f"/v1/access-requests/{ended['id']}", {"state": "approved"})) == "conflict"
    assert [each["id"] for each in other.get("/v1/access-requests", state="ended").json()["items"]] == [ended["id"]]


def test_a_request_ends_with_its_analyst_and_with_its_owner(shown: Listed, server: Server) -> None:
    gone, left = server.new("analyst"), server.new("analyst")
    first, second = shown.ask(gone), shown.ask(left)
    assert server.admin.delete(f"/v1/principals/{gone.principal_id}").status_code == 204
    assert read(shown.owner, first)["state"] == "ended"
    assert problem_code(shown.owner.patch(f"/v1/access-requests/{first['id']}", {"state": "approved"})) == "conflict"
    assert server.admin.delete(f"/v1/principals/{shown.owner.principal_id}").status_code == 204
    assert read(left, second)["state"] == "ended"
    assert shown.dataset_id not in seen_by(left)


def test_texts_are_erased_with_the_names_of_their_authors(shown: Listed, server: Server) -> None:
    analysts = [server.new("analyst") for _ in range(2)]
    made = [shown.ask(each, purpose=unique("for my thesis")) for each in analysts]
    for each in made:
        decide(shown.owner, each, state="declined", reason=REASON)
    assert server.admin.delete(f"/v1/principals/{analysts[0].principal_id}", erase_name=True).status_code == 204
    found = read(shown.owner, made[0])
    assert (found["name"], found["purpose"], found["reason"]) == (None, None, None)
    assert read(analysts[1], made[1])["reason"] == REASON
    assert server.admin.delete(f"/v1/principals/{shown.owner.principal_id}", erase_name=True).status_code == 204
    found = read(analysts[1], made[1])
    assert (found["purpose"], found["reason"]) == (made[1]["purpose"], None)
    stored = server.rows(
        "SELECT purpose, reason FROM access_requests WHERE dataset_id = :id ORDER BY created_nanoseconds",
        id=shown.dataset_id,
    )
    assert [tuple(row) for row in stored] == [(None, None), (made[1]["purpose"], None)]


def test_acts_are_entries_without_the_texts_and_the_chains_verify(shown: Listed, analyst: Party) -> None:
    purpose = unique("secret plan")
    first = shown.ask(analyst, purpose=purpose)
    decide(analyst, first, state="withdrawn")
    second = shown.ask(analyst, purpose=purpose)
    decide(shown.owner, second, state="declined", reason=REASON)
    third = shown.ask(analyst, purpose=purpose)
    decide(shown.owner, third, state="approved")
    shown.set_listed(listed=False)
    assert shown.kinds()[2:] == ["dataset_listed", "access_declined", "grant_opened", "dataset_unlisted"]
    chain = analyst.get(f"/v1/principals/{analyst.principal_id}/entries").json()["items"]
    assert [(each["kind"], each["subject_id"]) for each in chain[2:]] == [
        ("access_requested", first["id"]), ("access_withdrawn", first["id"]), ("access_requested", second["id"]),
        ("access_requested", third["id"]),
    ]  # fmt: skip
    assert chain[2]["detail"] == {
        "api_key_id": analyst.key_id, "dataset_id": shown.dataset_id, "requested": [250_000_000, 10**11, 0],
    }  # fmt: skip
    ledger = shown.owner.get(f"/v1/budgets/{shown.budget_id}/ledger.jsonl").text
    for text in (str(chain), ledger, analyst.server.log.read_text()):
        assert purpose not in text
        assert REASON not in text
    assert second["id"] in analyst.server.log.read_text()
    # Other tests move times of keys in this database.
    engine = open_engine(analyst.server.owner_database_url)
    with reading(engine) as connection:
        (own,) = (each for each in verify_database(connection) if each.budget_id == shown.budget_id)
        assert own.fault is None
        assert not {analyst.principal_id, shown.owner.principal_id} & verify_chains(connection).keys()
    engine.dispose()


def test_a_request_sent_again_is_made_once(shown: Listed, analyst: Party) -> None:
    path = f"/v1/datasets/{shown.dataset_id}/access-requests"
    first, again = (analyst.post(path, ASKED, idempotency_key="mine") for _ in range(2))
    assert first.content == again.content
    assert (
        problem_code(analyst.post(path, ASKED | {"epsilon": "1"}, idempotency_key="mine")) == "idempotency-key-reused"
    )


@dataclass(frozen=True, slots=True)
class Stored:
    """A listed data set straight in a database, with its owner and an analyst."""

    owner: Caller
    analyst: Caller
    dataset_id: str

    @classmethod
    def of(cls, engine: Engine) -> Stored:
        ring = KeyRing("k1", {"k1": bytes(32)})
        owner, analyst = (caller(engine, role) for role in (Role.OWNER, Role.ANALYST))
        with writing(engine) as connection:
            body = DatasetCreate.model_validate(dataset_body())
            made = datasets.register(connection, owner, body, datasets.histogram(body), ring)
            datasets.change(connection, owner, made.dataset_id, DatasetChange(listed=True), ring)
        return cls(owner, analyst, made.dataset_id)

    def ask(self, engine: Engine) -> str:
        asked = AccessRequestCreate.model_validate(ASKED)
        with writing(engine) as connection:
            return access_requests.create(connection, self.analyst, self.dataset_id, asked, 20)


def caller(engine: Engine, role: Role) -> Caller:
    made: Person = person(engine, role)
    with reading(engine) as connection:
        query = select(api_keys.c.id).where(api_keys.c.principal_id == made.principal_id)
        return Caller(made.principal_id, role, connection.execute(query).scalar_one())


def test_services_that_decide_at_once_decide_once(database_url: str, engine: Engine) -> None:
    """Each with connections of its own, as two processes of the owner's have."""
    stored = Stored.of(engine)
    request_id = stored.ask(engine)
    approval, refusal = AccessRequestChange(state="approved"), AccessRequestChange(state="declined", reason=REASON)
    bodies = [approval, refusal] * 3
    start = Barrier(len(bodies))

    def decide_it(body: AccessRequestChange) -> bool | None:
        own = open_engine(database_url)
        try:
            start.wait()
            with writing(own) as connection:
                return access_requests.change(connection, stored.owner, request_id, body)
        except Conflict:
            return None
        finally:
            own.dispose()

    with ThreadPoolExecutor(len(bodies)) as pool:
        outcomes = list(pool.map(decide_it, bodies))
    assert sorted(outcomes, key=str) == [False, False, None, None, None, True]
    with reading(engine) as connection:
        found = access_requests.get_access_request(connection, stored.owner, request_id)
        kinds = list(connection.execute(select(entries.c.kind).order_by(entries.c.sequence)).scalars())
        given = connection.execute(select(func.count()).select_from(grants)).scalar_one()
    assert kinds[3:] == ["grant_opened" if found.state == "approved" else "access_declined"]
    assert given == (found.state == "approved")


def test_requests_at_once_are_one_open_request(database_url: str, engine: Engine) -> None:
    stored = Stored.of(engine)
    start = Barrier(4)

    def ask(_: int) -> bool:
        own = open_engine(database_url)
        try:
            start.wait()
            stored.ask(own)
        except Conflict:
            return False
        finally:
            own.dispose()
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(ask, range(4))) == [False, False, False, True]
