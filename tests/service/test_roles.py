"""Which role may use which operation on whose objects: a row for every operation of the API, so that a new one without
a row fails. Objects of others look like missing ones, and keys that are no longer valid get one answer.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

import httpx
import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

from service import api
from service.api.former import MOVED, PAID, READ
from service.database.rows import JobRow
from service.identifiers.identifiers import now, timestamp
from service.ledger.receipts import ComputedJob, Signer
from service.web.operations import ANY_ROLE, ANYONE
from service.web.operations import OPERATIONS as OPERATION_WORDS
from tests.harness.bodies import release_body, unique
from tests.harness.published import OPERATIONS, bodies, body_schema
from tests.harness.rows import assert_each
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study, make_study

CALLERS: Final = ("nobody", "other analyst", "other owner", "admin", "analyst", "owner")
"""A study's owner and its analyst with a grant, others of each role, and a caller without a key."""
EVERYBODY = "yes yes yes yes yes yes"
KEYS = "401 yes yes yes yes yes"
ASKERS = "401 yes yes 403 yes yes"
ANY_OWNER = "401 403 yes 403 403 yes"
OWNER = "401 404 404 404 404 yes"
OWNERS_ACT = "401 403 404 403 403 yes"
READERS = "401 404 404 404 yes yes"
HOLDERS = "401 404 404 403 yes yes"
ADMIN = "401 403 403 yes 403 403"
MATRIX: Final = {
    "change_access_request": "401 403 404 403 403 409",
    "change_budget": OWNERS_ACT,
    "change_dataset": "401 403 404 403 403 409",
    "change_grant": OWNERS_ACT,
    "change_release": OWNERS_ACT,
    "compare_shares": OWNER,
    "compute_posterior": OWNER,
    "compute_public_posterior": EVERYBODY,
    "create_access_request": "401 404 403 403 404 403",
    "create_budget": ANY_OWNER,
    "create_certificate": ASKERS,
    "create_dataset": ANY_OWNER,
    "create_enrolment": EVERYBODY,
    "create_enrolment_token": ADMIN,
    "create_grant": OWNERS_ACT,
    "create_key": KEYS,
    "create_plan": ASKERS,
    "create_principal": ADMIN,
    "compute_estimates": HOLDERS,
    "create_quote": HOLDERS,
    "create_release": HOLDERS,
    "create_write_off": OWNERS_ACT,
    "delete_dataset": OWNERS_ACT,
    "delete_job": OWNER,
    "export_ledger_csv": OWNER,
    "export_ledger_json_lines": OWNER,
    "get_access_request": READERS,
    "get_allowance": READERS,
    "get_budget": OWNER,
    "get_burn_rate": OWNER,
    "get_dataset": READERS,
    "get_grant": READERS,
    "get_head": OWNER,
    "get_job": OWNER,
    "get_job_result": OWNER,
    "get_problem": EVERYBODY,
    "get_listed_dataset": "401 404 403 403 404 403",
    "get_me": KEYS,
    "get_public_key": EVERYBODY,
    "get_public_release": EVERYBODY,
    "get_public_release_evidence": EVERYBODY,
    "get_quotas": KEYS,
    "get_release": OWNER,
    "get_release_evidence": OWNER,
    "get_release_signature": OWNER,
    "get_registry_entry": OWNER,
    "get_statement": OWNER,
    "get_statement_in_words": OWNER,
    "transfer_budget": ADMIN,
    "list_analysts": ANY_OWNER,
    "list_budgets": KEYS,
    "list_datasets": KEYS,
    "list_keys": KEYS,
    "list_ledger": OWNER,
    "list_listed_datasets": "401 yes 403 403 yes 403",
    "list_access_requests": KEYS,
    "list_grants": KEYS,
    "list_principal_entries": "401 404 404 yes 404 yes",
    "list_principal_budgets": ADMIN,
    "list_principals": KEYS,
    "list_mechanisms": EVERYBODY,
    "list_problems": EVERYBODY,
    "list_releases": KEYS,
    "livez": EVERYBODY,
    "plot_public_release": EVERYBODY,
    "plot_release": OWNER,
    "readyz": EVERYBODY,
    "confirm_session": "401 404 404 404 404 404",
    "replace_key": "401 404 404 409 404 yes",
    "revoke_key": "401 404 404 yes 404 yes",
    "revoke_principal": ADMIN,
    "veto_recovery": "401 404 404 404 404 409",
}
"""By operation, for each caller: may use it (yes), has no valid key (401), lacks the role (403), gets "not found"
(404), or a conflict with the current state (409).
"""


_SINGLE_WAY_OPERATIONS: Final = {("change_access_request", "analyst"), ("change_budget", "admin")}
"""Roles that may send only one body: an analyst withdraws, and an admin freezes."""


def test_the_published_roles_are_those_of_the_matrix() -> None:
    """A role that is refused with 403 is not among them, and one that succeeds is."""
    columns = {"analyst": (1, 4), "owner": (2, 5), "admin": (3,)}
    for name, row in MATRIX.items():
        said, answers = OPERATION_WORDS[name].role, row.split()
        assert (said == ANYONE) == (row == EVERYBODY), name
        if said == ANYONE:
            continue
        assert answers[0] == "401"
        named = set(columns) if said == ANY_ROLE else {role for role in columns if role in said}
        for role, places in columns.items():
            found = {answers[place] for place in places}
            if role not in named:
                assert found <= {"403", "404"}, (name, role)
            elif (name, role) not in _SINGLE_WAY_OPERATIONS:
                assert found != {"403"}, (name, role)


_ENDING = {"delete_dataset", "delete_job", "replace_key", "revoke_key", "revoke_principal", "veto_recovery"}
"""Operations that end the object of the next caller."""
_NEEDING_RELEASES = {"change_dataset", "compare_shares", "compute_posterior", "compute_public_posterior"}
"""Operations about releases that their path does not name."""


def ids_of(study: Study, server: Server, name: str) -> dict[str, str]:
    """The ids that a request of this operation can name, all of its owner's objects. Only those are made."""
    path, owner = OPERATIONS[name][1], study.owner
    number = unique("x").split()[1].rjust(26, "a").translate(str.maketrans("0189", "abcd"))
    ids = {
        "access_request_id": f"acc_{number}",
        "dataset_id": study.dataset_id,
        "budget_id": study.budget_id,
        "grant_id": study.grant_id,
        "principal_id": owner.principal_id,
        "key_id": owner.key_id,
        "job_id": f"job_{number}",
        "code": "not-found",
    }
    if "{release_id}" in path or name in _NEEDING_RELEASES:
        ids["release_id"] = owner.release(study.dataset_id).json()["id"]
    if "/public/" in path:
        owner.patch(f"/v1/releases/{ids['release_id']}", {"public": True})
    if "{job_id}" in path:
        plant_job(server, ids["job_id"], owner.principal_id, kind="plan", state="ready", result="{}")
    if "access" in path:
        server.rows(
            "INSERT INTO access_requests (id, dataset_id, principal_id, owner_id, epsilon_requested, delta_requested, "
            "rho_requested, purpose, state, created_at, created_nanoseconds) "
            "VALUES (:id, :dataset_id, :principal_id, :owner_id, 1, 0, 0, 'to see', 'open', 2000000000, 0)",
            id=ids["access_request_id"],
            dataset_id=study.dataset_id,
            principal_id=study.analyst.principal_id,
            owner_id=owner.principal_id,
        )
    return ids


def plant_job(server: Server, job_id: str, principal_id: str, **columns: Any) -> None:
    """A job, signed as the service signs it."""
    row = JobRow(
        id=job_id, principal_id=principal_id, key=job_id, input="{}", **columns,
        problem=None, created_at=2_000_000_000, finished_at=None, leased_until=None, tries=0, created_nanoseconds=0,
    )  # fmt: skip
    signer = Signer.parse(server.environment["POSTERIOR_RECEIPT_KEY"])
    signed = row._asdict() | {"signature": signer.signed_text(ComputedJob.of(row))}
    names = ", ".join(signed)
    places = ", ".join(f":{name}" for name in signed)
    server.rows(f"INSERT INTO jobs ({names}) VALUES ({places})", **signed)  # noqa: S608  the columns of the table


def outcome(answer: httpx.Response) -> str:
    """Whether the caller had the right to ask; the rest of the request may be wrong."""
    if not answer.is_error:
        return "yes"
    codes = {"unauthenticated": "401", "role-not-allowed": "403", "not-found": "404", "conflict": "409"}
    return codes.get(problem_code(answer), "yes")


def filled(body: Any, ids: dict[str, str]) -> Any:
    """The example of a body, about the study's objects."""
    text = json.dumps(body).replace("paralytic polio", "case")
    for prefix, name in (("rel", "release_id"), ("bud", "budget_id")):
        text = re.sub(rf"{prefix}_([a-z])\1{{25}}", ids.get(name, r"\g<0>"), text)
    return json.loads(text)


def strangers(server: Server) -> dict[str, Party]:
    return {
        "other analyst": server.new("analyst"),
        "other owner": server.new("owner"),
        "admin": server.new("admin"),
    }


def test_every_operation_has_its_row() -> None:
    assert OPERATIONS.keys() == MATRIX.keys()


def test_no_operation_but_the_metrics_is_left_out_of_the_document() -> None:
    """Operations left out of the document have no row, and `/metrics` has a key of its own."""
    modules = [import_module(f"{api.__name__}.{module.name}") for module in iter_modules(api.__path__)]
    offered = [router for module in modules if isinstance(router := getattr(module, "router", None), APIRouter)]
    routes = [route for router in offered for route in router.routes if isinstance(route, APIRoute)]
    moved = {former.split()[1] for former in [*MOVED, *PAID, *READ]}
    assert {route.path for route in routes if not route.include_in_schema} - moved == {"/metrics"}
    assert OPERATIONS.keys() == {route.name for route in routes if route.include_in_schema}


@pytest.mark.timeout(1200)
def test_everybody_may_do_what_the_row_says(server: Server) -> None:
    others, people = strangers(server), (server.new("owner"), server.new("analyst"))
    assert_each(sorted(OPERATIONS), lambda name: assert_as_the_row_says(server, others, people, name))


def assert_as_the_row_says(server: Server, others: dict[str, Party], people: tuple[Party, Party], name: str) -> None:
    method, path, operation = OPERATIONS[name]
    examples = bodies(body_schema(operation)) if "requestBody" in operation else [None]
    found = list[str]()
    study = make_study(*(people if name not in _ENDING else (server.new("owner"), server.new("analyst"))))
    ids = ids_of(study, server, name)
    for who in CALLERS:
        if name in _ENDING and found:
            study = make_study(server.new("owner"), server.new("analyst"))
            ids = ids_of(study, server, name)
        parties = {"nobody": replace(study.owner, key="pp_nobody"), "analyst": study.analyst, "owner": study.owner}
        headers = {"Idempotency-Key": unique("key").replace(" ", "-")}
        where = path.format_map(ids)
        party = (parties | others)[who]
        found.append(outcome(party.request(method, where, json=filled(examples[0], ids), headers=headers)))
    assert " ".join(found) == MATRIX.get(name, "")


# Objects of others


UNKNOWN = "a" * 26
ANALYSTS_MAY = {
    "compute_estimates",
    "compute_posterior",
    "create_quote",
    "create_release",
}
_PUBLIC_OPERATIONS = {"get_public_release", "get_public_release_evidence"}


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
        if not ids.keys() & set(re.findall(r"\{(\w+)\}", path)) or name in _PUBLIC_OPERATIONS:
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


def test_a_stranger_of_any_role_gets_the_answer_for_missing_objects_and_changes_nothing(
    study: Study, server: Server
) -> None:
    asked = requests_on(study)
    before = state(study)
    for role, stranger in strangers(server).items():
        for each in asked:
            if (each.name, role) == ("transfer_budget", "admin"):
                continue
            nowhere = re.sub(r"_[a-z2-7]{26}", f"_{UNKNOWN}", each.path)
            code, content = send(stranger, each.method, each.path, each.body)
            assert code in {"not-found", "role-not-allowed"}, each
            assert (code, content) == send(stranger, each.method, nowhere, each.body), each
        key = f"/v1/keys/{study.owner.key_id}"
        if role != "admin":
            assert send(stranger, "DELETE", key, None) == send(stranger, "DELETE", f"/v1/keys/key_{UNKNOWN}", None)
    assert state(study) == before


def test_an_analyst_with_a_grant_cannot_act_as_the_owner(study: Study) -> None:
    asked = requests_on(study)
    before = state(study)
    for each in asked:
        if each.method != "GET" and each.name not in ANALYSTS_MAY:
            assert send(study.analyst, each.method, each.path, each.body)[0] in {"role-not-allowed", "not-found"}, each
    assert state(study) == before


def test_lists_show_their_caller_what_is_their_own_alone(study: Study, admin: Party) -> None:
    for kind in ("budgets", "datasets"):
        assert admin.get(f"/v1/{kind}").json()["items"] == []
    for party in (study.owner, study.analyst):
        assert [one["id"] for one in party.get("/v1/principals").json()["items"]] == [party.principal_id]
        assert [one["id"] for one in party.get("/v1/keys").json()["items"]] == [party.key_id]


# Keys


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
    for body in ({}, release_body(), {"prior": [-1], "surplus": 1}):
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
