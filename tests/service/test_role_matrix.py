"""Which role may use which operation on whose objects: a row for every operation of the API, so that a new one without
a row fails.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

import httpx
import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

from service import routers
from tests.harness.bodies import unique
from tests.harness.published import OPERATIONS, bodies, body_schema
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study, make_study

CALLERS: Final = ("nobody", "other analyst", "other owner", "admin", "analyst", "owner")
"""Of a study, its owner and the analyst who holds a grant on it; others of each role; and who has no key."""
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
    "compare_releases": OWNER,
    "compute_pooled_posterior": OWNER,
    "compute_posterior": OWNER,
    "compute_public_posterior": EVERYBODY,
    "create_access_request": "401 404 403 403 404 403",
    "create_budget": ANY_OWNER,
    "create_certificate": ASKERS,
    "create_curves": ASKERS,
    "create_dataset": ANY_OWNER,
    "create_enrolment": EVERYBODY,
    "create_enrolment_token": ADMIN,
    "create_grant": OWNERS_ACT,
    "create_key": KEYS,
    "create_plan": ASKERS,
    "create_principal": ADMIN,
    "create_queries": HOLDERS,
    "create_query_quote": HOLDERS,
    "create_quote": HOLDERS,
    "create_rehearsal": ASKERS,
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
    "get_certificate": OWNER,
    "get_composition": OWNER,
    "get_dataset": READERS,
    "get_head": OWNER,
    "get_history": HOLDERS,
    "get_job": OWNER,
    "get_job_result": OWNER,
    "get_problem": EVERYBODY,
    "get_listed_dataset": "401 404 403 403 404 403",
    "get_me": KEYS,
    "get_public_key": EVERYBODY,
    "get_public_release": EVERYBODY,
    "get_queries": OWNER,
    "get_quotas": KEYS,
    "get_release": OWNER,
    "get_statement": OWNER,
    "get_statement_in_words": OWNER,
    "list_access_requests": OWNER,
    "list_budgets": KEYS,
    "list_datasets": KEYS,
    "list_grants": READERS,
    "list_keys": KEYS,
    "list_ledger": OWNER,
    "list_listed_datasets": "401 yes 403 403 yes 403",
    "list_my_access_requests": KEYS,
    "list_my_grants": KEYS,
    "list_my_queries": KEYS,
    "list_my_releases": KEYS,
    "list_principal_entries": "401 404 404 yes 404 yes",
    "list_principals": KEYS,
    "list_problems": EVERYBODY,
    "list_releases": READERS,
    "livez": EVERYBODY,
    "plot_public_release": EVERYBODY,
    "plot_release": OWNER,
    "readyz": EVERYBODY,
    "replace_key": "401 404 404 409 404 yes",
    "revoke_key": "401 404 404 yes 404 yes",
    "revoke_principal": ADMIN,
    "veto_recovery": "401 404 404 404 404 409",
}
"""By operation, for each caller: may use it (yes), has no valid key (401), lacks the role (403), gets "not found"
(404), or a conflict with the current state (409).
"""
_ENDING = {"delete_dataset", "delete_job", "replace_key", "revoke_key", "revoke_principal", "veto_recovery"}
"""Operations that end the object of the next caller."""


def ids_of(study: Study, server: Server, *, public: bool) -> dict[str, str]:
    """The ids of the study's objects, all of its owner's."""
    owner = study.owner
    release_id = owner.release(study.dataset_id).json()["id"]
    if public:
        owner.patch(f"/v1/releases/{release_id}", {"public": True})
    number = unique("x").split()[1].rjust(26, "a").replace("0", "a").replace("1", "b").replace("8", "c")
    number = number.replace("9", "d")
    job_id, certificate_id = f"job_{number}", f"cer_{number}"
    server.rows(
        "INSERT INTO jobs (id, principal_id, key, kind, input, state, result, created_at, tries, "
        "created_nanoseconds) VALUES (:id, :principal_id, :id, 'plan', '{}', 'ready', '{}', 2000000000, 0, 0)",
        id=job_id,
        principal_id=owner.principal_id,
    )
    server.rows(
        "INSERT INTO certificates (key, id, parameters, state, created_at, tries) "
        "VALUES (:id, :id, '{}', 'failed', 2000000000, 0)",
        id=certificate_id,
    )
    server.rows(
        "INSERT INTO certificate_requests (certificate_key, principal_id, created_at, id) "
        "VALUES (:id, :principal_id, 2000000000, :id)",
        id=certificate_id,
        principal_id=owner.principal_id,
    )
    request_id = f"acc_{number}"
    server.rows(
        "INSERT INTO access_requests (id, dataset_id, principal_id, owner_id, epsilon_requested, delta_requested, "
        "rho_requested, purpose, state, created_at, created_nanoseconds) "
        "VALUES (:id, :dataset_id, :principal_id, :owner_id, 1, 0, 0, 'to see', 'open', 2000000000, 0)",
        id=request_id,
        dataset_id=study.dataset_id,
        principal_id=study.analyst.principal_id,
        owner_id=owner.principal_id,
    )
    return {
        "access_request_id": request_id,
        "dataset_id": study.dataset_id,
        "budget_id": study.budget_id,
        "grant_id": study.grant_id,
        "release_id": release_id,
        "principal_id": owner.principal_id,
        "key_id": owner.key_id,
        "certificate_id": certificate_id,
        "job_id": job_id,
        "code": "not-found",
    }


def answers_of(study: Study) -> str:
    """The id of answers to queries that the owner asked for."""
    asked = {"queries": [{"labels": ["case"], "half_width": 1000.0}]}
    headers = {"Idempotency-Key": unique("key").replace(" ", "-")}
    answer = study.owner.request("POST", f"/v1/datasets/{study.dataset_id}/queries", json=asked, headers=headers)
    assert answer.is_success, answer.text
    return str(answer.json()["id"])


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
        text = re.sub(rf"{prefix}_([a-z])\1{{25}}", ids[name], text)
    return json.loads(text)


def callers(study: Study, server: Server) -> dict[str, Party]:
    return {
        "nobody": replace(study.owner, key="pp_nobody"),
        "other analyst": server.new("analyst"),
        "other owner": server.new("owner"),
        "admin": server.new("admin"),
        "analyst": study.analyst,
        "owner": study.owner,
    }


def test_every_operation_has_its_row() -> None:
    assert OPERATIONS.keys() == MATRIX.keys()


def test_no_operation_but_the_metrics_is_left_out_of_the_document() -> None:
    """Operations left out of the document have no row, and `/metrics` has a key of its own."""
    modules = [import_module(f"{routers.__name__}.{module.name}") for module in iter_modules(routers.__path__)]
    offered = [router for module in modules if isinstance(router := getattr(module, "router", None), APIRouter)]
    routes = [route for router in offered for route in router.routes if isinstance(route, APIRoute)]
    assert {route.path for route in routes if not route.include_in_schema} == {"/metrics"}
    assert OPERATIONS.keys() == {route.name for route in routes if route.include_in_schema}


@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_everybody_may_do_what_the_row_says(request: pytest.FixtureRequest, database: str, name: str) -> None:
    server: Server = request.getfixturevalue(f"{database}_server")
    method, path, operation = OPERATIONS[name]
    examples = bodies(body_schema(operation)) if "requestBody" in operation else [None]
    told = list[str]()
    study = make_study(server.new("owner"), server.new("analyst"))
    ids = ids_of(study, server, public="/public/" in path)
    if name == "get_queries":
        ids["release_id"] = answers_of(study)
    parties = callers(study, server)
    for who in CALLERS:
        if name in _ENDING and told:
            study = make_study(server.new("owner"), server.new("analyst"))
            ids, parties = ids_of(study, server, public=False), callers(study, server)
        headers = {"Idempotency-Key": unique("key").replace(" ", "-")}
        where = path.format_map(ids)
        told.append(outcome(parties[who].request(method, where, json=filled(examples[0], ids), headers=headers)))
    assert " ".join(told) == MATRIX.get(name, "")
