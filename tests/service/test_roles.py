"""The rights of each role on the objects of every other, and keys that are no longer valid."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from service.identifiers import now, timestamp
from tests.harness.bodies import budget_body, unique
from tests.harness.published import OPERATIONS, bodies, body_schema
from tests.harness.server import Party, Role, Server, problem_code
from tests.service.conftest import Study, dataset_body

UNKNOWN = "a" * 26
OPEN = {"get_public_release"}
ANALYSTS_MAY = {"create_release", "create_quote", "create_queries", "create_query_quote", "compute_posterior"}
RELEASE = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that names an object of another principal, with a valid body."""

    name: str
    method: str
    path: str
    body: object


def requests_on(study: Study) -> list[Asked]:
    """Every operation of the API that names a data set, budget, grant or release, on those of the study."""
    release_id = study.owner.release(study.dataset_id).json()["id"]
    ids = {
        "dataset_id": study.dataset_id,
        "budget_id": study.budget_id,
        "grant_id": study.grant_id,
        "release_id": release_id,
    }
    asked = []
    for name, (method, path, operation) in OPERATIONS.items():
        if not ids.keys() & set(re.findall(r"\{(\w+)\}", path)) or name in OPEN:
            continue
        body = bodies(body_schema(operation))[0] if "requestBody" in operation else None
        asked.append(Asked(name, method, path.format_map(ids), body))
    return asked


def send(party: Party, method: str, path: str, body: object) -> tuple[str, bytes]:
    """The problem that answers the request, and its whole body."""
    answer = party.request(method, path, json=body, headers={"Idempotency-Key": unique("key").replace(" ", "-")})
    assert answer.is_error, answer.text
    return problem_code(answer), answer.content


def state(study: Study) -> tuple[object, ...]:
    return (study.budget(), study.ledger(), study.owner.get(f"/v1/datasets/{study.dataset_id}").json())


@pytest.mark.parametrize("role", ["owner", "analyst", "admin"])
def test_a_stranger_of_any_role_gets_the_answer_for_missing_objects(study: Study, server: Server, role: Role) -> None:
    stranger = server.new(role)
    asked = requests_on(study)
    before = state(study)
    for each in asked:
        nowhere = re.sub(r"_[a-z2-7]{26}", f"_{UNKNOWN}", each.path)
        code, content = send(stranger, each.method, each.path, each.body)
        assert code in {"not-found", "role-not-allowed"}, each
        assert (code, content) == send(stranger, each.method, nowhere, each.body), each
    assert state(study) == before


def test_an_analyst_with_a_grant_cannot_act_as_the_owner(study: Study) -> None:
    asked = requests_on(study)
    before = state(study)
    for each in asked:
        if each.method != "GET" and each.name not in ANALYSTS_MAY:
            assert send(study.analyst, each.method, each.path, each.body)[0] in {"role-not-allowed", "not-found"}, each
        if each.method == "GET" and "/budgets/" in each.path:
            assert send(study.analyst, each.method, each.path, None)[0] == "not-found", each
    assert state(study) == before


def test_an_admin_can_neither_change_budgets_nor_see_datasets(study: Study, admin: Party) -> None:
    before = state(study)
    assert send(admin, "PATCH", f"/v1/budgets/{study.budget_id}", {"epsilon": "2"})[0] == "role-not-allowed"
    assert send(admin, "PATCH", f"/v1/grants/{study.grant_id}", {"epsilon": "1"})[0] == "role-not-allowed"
    assert send(admin, "POST", "/v1/budgets", budget_body())[0] == "role-not-allowed"
    assert send(admin, "POST", "/v1/datasets", dataset_body())[0] == "role-not-allowed"
    assert send(admin, "POST", f"/v1/datasets/{study.dataset_id}/releases", RELEASE)[0] == "role-not-allowed"
    assert send(admin, "GET", f"/v1/datasets/{study.dataset_id}", None)[0] == "not-found"
    for kind in ("budgets", "datasets"):
        assert admin.get(f"/v1/{kind}").json()["items"] == []
    assert state(study) == before


def test_only_an_admin_makes_principals(owner: Party, analyst: Party) -> None:
    for party in (owner, analyst):
        assert send(party, "POST", "/v1/principals", {"role": "admin", "name": "me"})[0] == "role-not-allowed"
        assert send(party, "DELETE", f"/v1/principals/{party.principal_id}", None)[0] == "role-not-allowed"
        assert (
            send(party, "POST", "/v1/keys", {"principal_id": party.server.admin.principal_id})[0] == "invalid-request"
        )
        assert (
            send(party, "POST", f"/v1/principals/{party.principal_id}/enrolment-tokens", None)[0] == "role-not-allowed"
        )
        assert [one["id"] for one in party.get("/v1/principals").json()["items"]] == [party.principal_id]
        assert [one["id"] for one in party.get("/v1/keys").json()["items"]] == [party.key_id]


def test_a_key_of_somebody_else_cannot_be_revoked(owner: Party, analyst: Party) -> None:
    assert send(analyst, "DELETE", f"/v1/keys/{owner.key_id}", None) == send(
        analyst, "DELETE", f"/v1/keys/key_{UNKNOWN}", None
    )
    assert owner.get("/v1/keys").status_code == 200


def test_keys_that_do_not_count_get_the_same_answer(study: Study, admin: Party, server: Server) -> None:
    revoked, expired, dismissed = (server.new("analyst") for _ in range(3))
    assert revoked.delete(f"/v1/keys/{revoked.key_id}").status_code == 204
    server.rows("UPDATE api_keys SET expires_at = 1000000000 WHERE id = :id", id=expired.key_id)
    assert admin.delete(f"/v1/principals/{dismissed.principal_id}").status_code == 204
    answers = [party.get("/v1/datasets") for party in (revoked, expired, dismissed)]
    headers = [
        {},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer pp_" + "A" * 43},
        {"Authorization": f"Basic {study.analyst.key}"},
        {"Authorization": study.analyst.key},
        {"Authorization": f"Bearer {study.analyst.key[:-1]}"},
        {"Authorization": f"Bearer {study.analyst.key} {study.analyst.key}"},
        {"X-API-Key": study.analyst.key},
    ]
    answers += [server.http.get("/v1/datasets", headers=header) for header in headers]
    answers.append(server.http.get("/v1/datasets", params={"access_token": study.analyst.key}))
    for answer in answers:
        assert problem_code(answer) == "unauthenticated"
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.content == answers[0].content
    assert study.analyst.get("/v1/datasets").status_code == 200


def test_a_missing_key_is_reported_before_anything_else(study: Study, server: Server) -> None:
    for body in ({}, RELEASE, {"prior": [-1], "surplus": 1}):
        answer = server.http.post(f"/v1/datasets/{study.dataset_id}/releases", json=body)
        assert problem_code(answer) == "unauthenticated"
    assert study.spent() == "0"


def test_a_key_is_shown_once_and_kept_nowhere(analyst: Party, server: Server) -> None:
    end = timestamp(now() + 30 * 86_400)
    made = analyst.post("/v1/keys", {"expires_at": end}).json()
    assert made["key"].startswith(made["prefix"])
    assert made["expires_at"] == end
    listed = analyst.get("/v1/keys").text
    assert made["id"] in listed
    assert made["key"] not in listed
    assert made["key"] not in server.log.read_text()
    for row in server.rows("SELECT * FROM api_keys WHERE id = :id", id=made["id"]):
        assert made["key"] not in str(row)


def test_an_erased_name_leaves_the_principal_in_the_ledger(study: Study, admin: Party) -> None:
    study.analyst.release(study.dataset_id)
    assert admin.delete(f"/v1/principals/{study.analyst.principal_id}", erase_name=True).status_code == 204
    rows = study.owner.server.rows(
        "SELECT * FROM principal_names WHERE principal_id = :id", id=study.analyst.principal_id
    )
    assert rows == []
    (charge,) = (entry for entry in study.ledger() if entry["kind"] == "release_charged")
    assert charge["principal_id"] == study.analyst.principal_id
    assert problem_code(study.analyst.release(study.dataset_id)) == "unauthenticated"
