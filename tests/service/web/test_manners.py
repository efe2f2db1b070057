"""The API is consistent: numbers, times, problems, lists and replays."""

from __future__ import annotations

import json
import unicodedata
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import pytest

from service.errors import PROBLEMS
from service.schemas.model import Response, page_of
from tests.harness.bodies import budget_body, querying, release_body, unique
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study, dataset_body


def test_a_whole_number_may_be_written_as_json_writes_numbers(owner: Party) -> None:
    for number in ("10", "10.0", "1e1"):
        text = json.dumps(dataset_body(counts=[0, 0])).replace("[0, 0]", f"[{number}, 5]")
        assert owner.post_text("/v1/datasets", text).json()["record_count"] == 15, number


def test_an_amount_may_be_a_text_or_a_number(study: Study) -> None:
    budget = f"/v1/budgets/{study.budget_id}"
    for amount in ("5.0E-01", 0.5):
        changed = study.owner.patch(budget, {"release_cap": {"epsilon": amount, "delta": 0}})
        assert changed.json()["release_cap"] == {"accountant": "basic", "epsilon": "0.5", "delta": "0"}
        assert study.owner.post("/v1/budgets", budget_body(epsilon=amount)).json()["total"]["epsilon"] == "0.5"


def test_a_time_goes_in_as_it_comes_out(study: Study, server: Server) -> None:
    path = f"/v1/datasets/{study.dataset_id}/grants"
    for sent in ("2030-01-31T12:00:00Z", "2030-01-31T12:00:00.75z", "2030-01-31T13:00:00+01:00"):
        body = {"principal_id": server.new("analyst").principal_id, "epsilon": "0.1", "delta": 0, "expires_at": sent}
        assert study.owner.post(path, body).json()["expires_at"] == "2030-01-31T12:00:00Z"
        assert study.owner.post("/v1/keys", {"expires_at": sent}).json()["expires_at"] == "2030-01-31T12:00:00Z"


def test_names_of_budgets_that_look_alike_are_one_name(owner: Party) -> None:
    word = unique("Étude")
    made = owner.post("/v1/budgets", budget_body(name=f"{word} 1"))
    assert made.json()["name"] == f"{word} 1"
    for alike in (f"{word}  1", f"{word}\u00a01", unicodedata.normalize("NFD", f" {word} 1")):
        assert problem_code(owner.post("/v1/budgets", budget_body(name=alike))) == "name-taken"
    longer = owner.post("/v1/budgets", budget_body(name="\u0958" * 200))
    assert longer.json()["errors"] == [{"location": "body.name", "rule": "must have at most 200 characters"}]


@pytest.mark.parametrize(
    ("epsilon", "delta", "warned"),
    [("10", "0.1", []), ("10.1", "0.1", ["epsilon is above 10"]), ("1", "0.11", ["delta is above 1/n"])],
)
def test_a_weak_guarantee_warns_at_registration_with_the_reason(
    owner: Party, epsilon: str, delta: str, warned: list[str]
) -> None:
    budget = {"kind": "new", "budget": budget_body(epsilon=epsilon, delta=delta)}
    made = owner.post("/v1/datasets", dataset_body(counts=[7, 3], budget=budget)).json()
    assert [each.split(":")[0].split(",")[0] for each in made["warnings"]] == warned
    alone = owner.get(f"/v1/budgets/{made['budget_id']}").json()["warnings"]
    assert alone == [each for each in made["warnings"] if each.startswith("epsilon")]


def test_a_problem_is_retryable_exactly_if_it_has_retry_after() -> None:
    for problem in PROBLEMS:
        assert problem().body()["retryable"] is ("Retry-After" in problem().headers), problem.code
    retryable = {problem.code for problem in PROBLEMS if problem().retryable}
    assert {"rate-limited", "preparation-pending", "release-in-progress", "outcome-unknown"} <= retryable
    assert not retryable & {"budget-exhausted", "grant-exhausted", "internal-error", "release-failed", "not-found"}


def test_an_exhausted_budget_is_safe_to_ask_again_and_no_use(study: Study) -> None:
    refused = study.owner.release(study.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "2"})
    assert problem_code(refused) == "budget-exhausted"
    assert (refused.json()["retry_safe"], refused.json()["retryable"]) == (True, False)


def test_the_detail_of_a_bad_request_names_its_first_error(standing: Study) -> None:
    refused = standing.owner.post("/v1/budgets", budget_body(epsilon="-1", delta="2")).json()
    assert refused["detail"].startswith("body.epsilon: must be a plain decimal text")
    assert len(refused["errors"]) == 2


def test_a_replay_of_whatever_takes_an_idempotency_key_says_so(study: Study, server: Server) -> None:
    """The list comes from the document, so that a new operation fails here until it has a body and a header."""
    other, asker = server.new("analyst").principal_id, server.new("analyst")
    assert study.owner.patch(f"/v1/datasets/{study.dataset_id}", {"listed": True}).is_success
    uncharged = study.owner.post("/v1/datasets", dataset_body()).json()["id"]
    datasets = {"change_dataset": uncharged}
    bodies: dict[str, tuple[Party, dict[str, Any]]] = {
        "change_dataset": (study.owner, {"labels": ["a", "b"], "counts": [1, 2]}),
        "create_access_request": (asker, {"epsilon": "0.1", "delta": "0", "purpose": "to see"}),
        "create_budget": (study.owner, budget_body()),
        "create_dataset": (study.owner, dataset_body()),
        "create_grant": (study.owner, {"principal_id": other, "epsilon": "0.1", "delta": "0"}),
        "create_key": (study.owner, {}),
        "create_principal": (server.admin, {"role": "analyst", "name": "Twice"}),
        "create_release": (study.analyst, release_body()),
        "create_write_off": (study.owner, {"epsilon": "0.01", "delta": "0", "reason": "unknown"}),
    }
    keyed = {
        operation["operationId"]: path
        for path, operations in server.http.get("/openapi.json").json()["paths"].items()
        for operation in operations.values()
        if any(each["name"] == "Idempotency-Key" for each in operation.get("parameters", ()))
        # A quote has the key of the release that it is for, and makes nothing.
        and operation["operationId"] != "create_quote"
    }
    assert bodies.keys() == keyed.keys()
    for name, path in keyed.items():
        party, body = bodies[name]
        changes = name == "change_dataset"
        address = path.format(dataset_id=datasets.get(name, study.dataset_id), budget_id=study.budget_id)
        if changes:
            ask = partial(party.request, "PATCH", address, json=body, headers={"Idempotency-Key": name})
        else:
            ask = partial(party.post, address, body, idempotency_key=name)
        first, again = ask(), ask()
        assert first.status_code == again.status_code == (200 if changes else 201), (name, first.text)
        assert (first.content, "idempotency-replayed" in first.headers) == (again.content, False), name
        assert again.headers.get("idempotency-replayed") == "true", name


def test_a_filter_that_an_operation_does_not_have_is_refused(standing: Study) -> None:
    dataset = f"/v1/datasets/{standing.dataset_id}"
    for path in ("/v1/datasets", "/v1/keys", f"{dataset}/allowance", dataset):
        refused = standing.owner.get(path, state="complete")
        assert problem_code(refused) == "invalid-request", path
        assert refused.json()["errors"][0]["location"] == "query", path
        assert "state" not in refused.text.replace("state_", ""), path


def test_a_filter_that_stands_twice_is_refused(standing: Study) -> None:
    refused = standing.owner.get("/v1/datasets?limit=2&limit=3")
    assert refused.json()["errors"] == [{"location": "query.limit", "rule": "must be given only once"}]


def test_a_balancer_may_ask_for_health_as_it_likes(server: Server) -> None:
    assert server.http.get("/livez?from=balancer").status_code == 200


def listed(party: Party, path: str, limit: int = 2, **query: Any) -> list[str]:
    """The ids of a whole list, read in pages."""
    ids: list[str] = []
    query["limit"] = limit
    while True:
        page = party.get(path, **query).json()
        ids += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            return ids
        query["cursor"] = page["next_cursor"]


def test_lists_are_in_the_order_of_creation(owner: Party, analyst: Party) -> None:
    datasets = [owner.post("/v1/datasets", dataset_body()).json() for _ in range(5)]
    grants = [
        owner.post(
            f"/v1/datasets/{each['id']}/grants", {"principal_id": analyst.principal_id, "epsilon": "0.5", "delta": 0}
        ).json()["id"]
        for each in datasets
    ]
    assert listed(owner, "/v1/datasets") == [each["id"] for each in datasets]
    assert listed(owner, "/v1/budgets") == [each["budget_id"] for each in datasets]
    assert listed(owner, "/v1/grants") == listed(analyst, "/v1/grants") == grants
    keys = [analyst.post("/v1/keys", {}).json()["id"] for _ in range(4)]
    assert listed(analyst, "/v1/keys") == [analyst.key_id, *keys]


def test_own_releases_stay_listed_after_their_data_set_was_deleted(study: Study) -> None:
    paid = [study.analyst.release(study.dataset_id).json()["id"] for _ in range(3)]
    own = study.owner.release(study.dataset_id).json()["id"]
    queries: tuple[dict[str, Any], ...] = (
        {"of": {"labels": ["case"]}, "half_width": 1000.0},
        {"weights": [1, 1]},
    )
    path = f"/v1/datasets/{study.dataset_id}/releases"
    asked = [
        party.post(path, querying(query), idempotency_key=key).json()
        for party, (key, query) in product((study.analyst, study.owner), zip(("some", "all"), queries, strict=True))
    ]
    assert study.owner.delete(f"/v1/datasets/{study.dataset_id}").status_code == 204
    ids = [each["id"] for each in asked]
    whole = "/v1/releases"
    assert listed(study.analyst, whole, kind="counts") == paid
    assert listed(study.owner, whole, kind="counts") == [*paid, own]
    assert listed(study.analyst, whole, kind="queries") == ids[:2]
    assert listed(study.owner, whole, kind="queries") == ids
    assert listed(study.analyst, whole) == [*paid, *ids[:2]]
    assert listed(study.owner, whole, order="newest") == [*reversed(ids), own, *reversed(paid)]
    assert listed(study.owner, whole, state="failed") == []
    first = study.analyst.get("/v1/releases").json()["items"][0]
    assert first["dataset_id"] == study.dataset_id
    assert first["mechanism"] == {"kind": "simplex_geometric", "epsilon": "0.1"}
    assert listed(study.analyst, "/v1/grants") == [study.grant_id]
    returned = study.analyst.get(whole, kind="queries").json()["items"][0]
    assert (returned["public"], returned["mechanism"]) == (False, None)
    assert returned.items() <= (asked[0] | {"public": False, "mechanism": None}).items()


def test_nobody_lists_what_is_anothers(study: Study, server: Server) -> None:
    study.analyst.release(study.dataset_id)
    stranger = server.new("analyst")
    assert listed(stranger, "/v1/releases") == listed(stranger, "/v1/grants") == []


class Row(NamedTuple):
    id: str
    text: str


class Shown(Response):
    id: str


@pytest.mark.parametrize(
    ("lengths", "limit", "ids", "following"),
    [
        ([10, 10, 10], 2, ["0", "1"], "1"),
        ([10, 10], 2, ["0", "1"], None),
        ([300_000, 300_000, 10], 3, ["0"], "0"),
        ([900_000, 10], 2, ["0"], "0"),
        ([900_000], 2, ["0"], None),
        ([], 2, [], None),
    ],
)
def test_a_page_ends_where_its_rows_are_long(
    lengths: list[int], limit: int, ids: list[str], following: str | None
) -> None:
    rows = [Row(str(number), "x" * length) for number, length in enumerate(lengths)]
    page = page_of(rows, limit, lambda row: Shown(id=row.id), lambda row: row.id)
    assert ([each.id for each in page.items], page.next_cursor) == (ids, following)
