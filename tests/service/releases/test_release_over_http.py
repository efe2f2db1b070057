"""The main job over a socket: an owner registers, an analyst releases, and the budget is charged exactly the certified
loss.
"""

from __future__ import annotations

import json
import time
from importlib.metadata import version
from typing import Any

import pytest

from service.identifiers.identifiers import now, timestamp
from service.schemas.releases import CountsRelease
from tests.harness.bodies import budget_body, release_body, unique
from tests.harness.deadlines import until
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import COUNTS, Study, dataset_body, make_study

SMALL = {"labels": ["one", "two", "three"], "counts": [7, 3, 5]}
MECHANISMS: list[dict[str, Any]] = [
    {"kind": "simplex_geometric", "epsilon": "0.1"},
    {"kind": "laplace", "epsilon": "0.1"},
    {"kind": "gaussian", "rho": "0.0001", "delta": "1e-8"},
    {"kind": "exponential_published", "nominal_epsilon": "0.1", "delta": "1e-8"},
    {"kind": "exponential_global", "epsilon": "0.1"},
]


def test_an_analyst_gets_a_posterior_with_its_certificate(study: Study) -> None:
    answer = study.analyst.release(study.dataset_id)
    assert answer.status_code == 201
    release = answer.json()
    assert release["charged"] == {"accountant": "basic", "epsilon": "0.1", "delta": "0"}
    assert release["certificate"]["loss"]["epsilon"] == "0.1"
    assert release["certificate"]["unit"] == "one child"
    assert sum(release["posterior"]["released_counts"]) == release["record_count"] == sum(COUNTS)
    assert release["remaining_after"]["epsilon"] == "0.4"
    assert study.spent() == "0.1"


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism["kind"])
@pytest.mark.parametrize("accountant", ["basic", "zcdp"])
def test_every_mechanism_charges_what_was_certified(owner: Party, accountant: str, mechanism: dict[str, Any]) -> None:
    dataset = owner.post(
        "/v1/datasets", dataset_body(**SMALL, budget={"kind": "new", "budget": budget_body(accountant=accountant)})
    ).json()
    answer = owner.release(dataset["id"], prior=[1, 0.5, 2.5], mechanism=mechanism)
    assert answer.status_code == 201, answer.text
    release = answer.json()
    assert json.loads(CountsRelease.model_validate_json(answer.content).model_dump_json()) == release, (
        "not what the API documents"
    )
    budget = owner.get(f"/v1/budgets/{dataset['budget_id']}").json()
    assert budget["spent"] == release["charged"]
    if accountant == "basic":
        assert {name: release["certificate"]["loss"][name] for name in ("epsilon", "delta")} == {
            name: release["charged"][name] for name in ("epsilon", "delta")
        }
    assert release["posterior"]["concentration"] == [
        a + r for a, r in zip([1, 0.5, 2.5], release["posterior"]["released_counts"], strict=True)
    ]
    assert owner.get(f"/v1/releases/{release['id']}").content == answer.content


def test_an_amount_is_the_same_as_number_and_as_text(study: Study) -> None:
    answers = [
        study.analyst.release(
            study.dataset_id, key="spelling", mechanism={"kind": "simplex_geometric", "epsilon": epsilon}
        )
        for epsilon in ("0.1", 0.1, "0.10", "1e-1")
    ]
    assert len({answer.content for answer in answers}) == 1
    assert study.spent() == "0.1"


def test_a_number_with_excess_digits_is_rounded_down_and_echoed(study: Study) -> None:
    release = study.analyst.release(
        study.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": 0.1 + 0.2}
    ).json()
    assert release["requested"] == {"epsilon": "0.3"}
    assert study.spent() == "0.3"


def test_a_tenth_and_two_tenths_fit_a_budget_of_three_tenths(owner: Party) -> None:
    dataset = owner.post(
        "/v1/datasets", dataset_body(budget={"kind": "new", "budget": budget_body(epsilon=0.3)})
    ).json()
    for epsilon in (0.1, 0.2):
        assert owner.release(dataset["id"], mechanism={"kind": "laplace", "epsilon": epsilon * 2}).status_code == 201
    assert owner.get(f"/v1/budgets/{dataset['budget_id']}").json()["remaining"]["epsilon"] == "0"


# Replays


def stop_nothing(_: Study) -> None:
    pass


def close_the_grant(study: Study) -> None:
    assert study.owner.patch(f"/v1/grants/{study.grant_id}", {"closed": True}).status_code == 200


def freeze_the_budget(study: Study) -> None:
    assert study.owner.patch(f"/v1/budgets/{study.budget_id}", {"frozen": True}).status_code == 200


def spend_the_budget(study: Study) -> None:
    mechanism = {"kind": "simplex_geometric", "epsilon": study.budget()["remaining"]["epsilon"]}
    assert study.owner.release(study.dataset_id, mechanism=mechanism).status_code == 201


def spend_the_grant(study: Study) -> None:
    assert (
        study.analyst.release(study.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "0.4"}).status_code
        == 201
    )


def delete_the_dataset(study: Study) -> None:
    assert study.owner.delete(f"/v1/datasets/{study.dataset_id}").status_code == 204


def change_the_key(study: Study) -> None:
    study.analyst.key = study.analyst.post(f"/v1/keys/{study.analyst.key_id}/successor", None).json()["key"]


@pytest.mark.parametrize(
    "happens",
    [
        stop_nothing,
        close_the_grant,
        freeze_the_budget,
        spend_the_budget,
        spend_the_grant,
        delete_the_dataset,
        change_the_key,
    ],
    ids=lambda happens: happens.__name__,
)
def test_a_retry_returns_the_same_release_byte_for_byte_and_free(study: Study, happens: Any) -> None:
    first = study.analyst.release(study.dataset_id, key="again")
    assert first.status_code == 201
    happens(study)
    before = study.ledger()
    again = study.analyst.release(study.dataset_id, key="again")
    assert (again.status_code, again.content) == (201, first.content)
    assert study.analyst.get(f"/v1/releases/{first.json()['id']}").content == first.content
    assert study.ledger() == before


def test_a_key_that_paid_for_one_request_is_refused_for_another(study: Study) -> None:
    assert study.analyst.release(study.dataset_id, key="mine").status_code == 201
    for changes in ({"mechanism": {"kind": "laplace", "epsilon": "0.1"}}, {"level": 0.9}):
        refused = study.analyst.release(study.dataset_id, key="mine", **changes)
        assert problem_code(refused) == "idempotency-key-reused"
        assert refused.json()["retry_safe"] is False
    assert study.spent() == "0.1"
    second = study.owner.post("/v1/datasets", dataset_body()).json()
    assert study.owner.release(study.dataset_id, key="both").status_code == 201
    assert problem_code(study.owner.release(second["id"], key="both")) == "idempotency-key-reused"


def test_a_key_that_bought_nothing_can_be_used_for_another_request(study: Study) -> None:
    refused = study.analyst.release(
        study.dataset_id, key="spare", mechanism={"kind": "simplex_geometric", "epsilon": "0.6"}
    )
    assert problem_code(refused) == "grant-exhausted"
    assert study.analyst.release(study.dataset_id, key="spare").status_code == 201


def test_keys_of_two_people_are_two_keys(study: Study) -> None:
    mine, theirs = (party.release(study.dataset_id, key="shared") for party in (study.analyst, study.owner))
    assert mine.json()["id"] != theirs.json()["id"]
    assert study.spent() == "0.2"


# Refusals


def test_what_is_refused_leaves_no_entry(study: Study) -> None:
    before = study.ledger()
    study.owner.patch(f"/v1/budgets/{study.budget_id}", {"frozen": True})
    for _ in range(3):
        refused = study.analyst.release(study.dataset_id)
        assert problem_code(refused) == "budget-frozen"
        assert refused.json()["charged"] is False
    study.owner.patch(f"/v1/budgets/{study.budget_id}", {"frozen": False})
    kinds = [entry["kind"] for entry in study.ledger()[len(before) :]]
    assert kinds == ["budget_frozen", "budget_unfrozen"]
    assert study.analyst.release(study.dataset_id).status_code == 201


def test_a_grant_that_has_too_little_left_says_how_much(study: Study) -> None:
    study.analyst.release(study.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "0.3"})
    refused = study.analyst.release(study.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "0.200000001"})
    assert problem_code(refused) == "grant-exhausted"
    assert refused.json()["largest_possible_charge"] == {"accountant": "basic", "epsilon": "0.2", "delta": "0.000001"}
    assert study.spent() == "0.3"


def test_an_exhausted_budget_says_how_much_is_left(study: Study) -> None:
    refused = study.owner.release(study.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "1.000000001"})
    assert problem_code(refused) == "budget-exhausted"
    assert refused.json()["largest_possible_charge"]["epsilon"] == "1"
    assert (
        study.owner.release(study.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "1"}).status_code
        == 201
    )
    assert problem_code(study.owner.release(study.dataset_id)) == "budget-exhausted"
    assert study.spent() == "1"


def test_what_the_owner_forbids_is_refused_by_name(study: Study) -> None:
    study.owner.patch(
        f"/v1/budgets/{study.budget_id}",
        {"allowed_mechanisms": ["laplace"], "release_cap": {"epsilon": "0.05", "delta": "0"}},
    )
    assert problem_code(study.analyst.release(study.dataset_id)) == "mechanism-not-allowed"
    refused = study.analyst.release(study.dataset_id, mechanism={"kind": "laplace", "epsilon": "0.2"})
    assert problem_code(refused) == "release-cap-exceeded"
    assert (
        study.analyst.release(study.dataset_id, mechanism={"kind": "laplace", "epsilon": "0.1"}).json()["charged"][
            "epsilon"
        ]
        == "0.05"
    )
    assert study.spent() == "0.05"


def test_a_charge_above_what_the_analyst_wants_to_pay_is_refused(owner: Party) -> None:
    dataset = owner.post("/v1/datasets", dataset_body(**SMALL)).json()
    body = {
        "prior": [1, 1, 1],
        "mechanism": {"kind": "exponential_published", "nominal_epsilon": "0.1", "delta": "1e-8"},
    }
    certified = owner.release(dataset["id"], body, max_charge={"epsilon": "0.01"})
    assert problem_code(certified) == "max-charge-exceeded"
    epsilon = certified.json()["certified"]["epsilon"]
    assert owner.get(f"/v1/budgets/{dataset['budget_id']}").json()["spent"]["epsilon"] == "0"
    assert owner.release(dataset["id"], body, max_charge={"epsilon": epsilon}).json()["charged"]["epsilon"] == epsilon


# Grants


def test_a_closed_grant_that_is_reopened_keeps_what_it_spent(study: Study) -> None:
    study.analyst.release(study.dataset_id)
    close_the_grant(study)
    assert problem_code(study.analyst.release(study.dataset_id)) == "grant-closed"
    reopened = study.owner.patch(f"/v1/grants/{study.grant_id}", {"closed": False}).json()
    assert (reopened["spent"]["epsilon"], reopened["remaining"]["epsilon"], reopened["closed"]) == ("0.1", "0.4", False)
    assert study.analyst.release(study.dataset_id).status_code == 201
    assert study.spent() == "0.2"


def test_a_grant_can_be_raised_and_not_lowered_below_what_it_spent(study: Study) -> None:
    study.analyst.release(study.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "0.5"})
    assert problem_code(study.owner.patch(f"/v1/grants/{study.grant_id}", {"epsilon": "0.4"})) == "invalid-request"
    assert study.owner.patch(f"/v1/grants/{study.grant_id}", {"epsilon": "0.6"}).json()["remaining"]["epsilon"] == "0.1"
    assert study.analyst.release(study.dataset_id).status_code == 201


def test_a_grant_ends_at_its_time_and_its_owner_can_give_it_another(owner: Party, analyst: Party) -> None:
    dataset = owner.post("/v1/datasets", dataset_body()).json()
    body = {"principal_id": analyst.principal_id, "epsilon": "0.5", "delta": 0, "expires_at": timestamp(now() - 10)}
    refused = owner.post(f"/v1/datasets/{dataset['id']}/grants", body)
    assert (refused.status_code, refused.json()["errors"][0]["location"]) == (422, "body.expires_at")
    grant = owner.post(
        f"/v1/datasets/{dataset['id']}/grants", body | {"expires_at": timestamp(end := now() + 2)}
    ).json()
    while now() < end:
        time.sleep(0.1)
    assert problem_code(analyst.release(dataset["id"])) == "grant-expired"
    changed = owner.patch(f"/v1/grants/{grant['id']}", {"expires_at": timestamp(now() + 3600)})
    assert (changed.status_code, changed.json()["closed"]) == (200, False)
    assert analyst.release(dataset["id"]).status_code == 201
    assert owner.patch(f"/v1/grants/{grant['id']}", {"expires_at": None}).json()["expires_at"] is None
    last = owner.get(f"/v1/budgets/{dataset['budget_id']}/ledger", limit=1000).json()["items"][-1]
    assert (last["kind"], last["detail"]["expires_at"]) == ("grant_changed", None)


def test_an_analyst_has_one_grant_on_a_dataset(study: Study) -> None:
    again = {"principal_id": study.analyst.principal_id, "epsilon": "0.5", "delta": 0}
    assert problem_code(study.owner.post(f"/v1/datasets/{study.dataset_id}/grants", again)) == "conflict"
    assert [grant["id"] for grant in study.analyst.get("/v1/grants", dataset_id=study.dataset_id).json()["items"]] == [
        study.grant_id
    ]


# Budgets and data sets


def test_two_datasets_draw_on_one_budget(study: Study) -> None:
    existing = {"kind": "existing", "id": study.budget_id}
    second = study.owner.post("/v1/datasets", dataset_body(budget=existing)).json()
    assert second["budget_id"] == study.budget_id
    for dataset_id in (study.dataset_id, second["id"]):
        assert (
            study.owner.release(dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "0.4"}).status_code
            == 201
        )
    assert study.spent() == "0.8"
    for dataset_id in (study.dataset_id, second["id"]):
        refused = study.owner.release(dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "0.3"})
        assert problem_code(refused) == "budget-exhausted"
    assert study.owner.delete(f"/v1/datasets/{second['id']}").status_code == 204
    assert study.spent() == "0.8", "deleting a data set frees nothing"


def test_a_budget_of_somebody_else_takes_no_dataset(study: Study, server: Server) -> None:
    other = server.new("owner")
    refused = other.post("/v1/datasets", dataset_body(budget={"kind": "existing", "id": study.budget_id}))
    assert problem_code(refused) == "not-found"
    assert other.get("/v1/datasets").json()["items"] == []


def test_a_deleted_dataset_is_gone_and_its_ledger_stays(study: Study) -> None:
    release = study.analyst.release(study.dataset_id)
    name = study.owner.get(f"/v1/datasets/{study.dataset_id}").json()["name"]
    delete_the_dataset(study)
    for party in (study.owner, study.analyst):
        assert problem_code(party.get(f"/v1/datasets/{study.dataset_id}")) == "not-found"
        assert problem_code(party.release(study.dataset_id)) == "not-found"
        assert party.get("/v1/datasets").json()["items"] == []
    assert problem_code(study.owner.delete(f"/v1/datasets/{study.dataset_id}")) == "not-found"
    assert problem_code(study.owner.patch(f"/v1/datasets/{study.dataset_id}", {"counts": [1, 2]})) == "not-found"
    assert study.owner.get(f"/v1/releases/{release.json()['id']}").content == release.content
    assert [entry["kind"] for entry in study.ledger()][-2:] == ["release_charged", "dataset_deleted"]
    existing = {"kind": "existing", "id": study.budget_id}
    assert study.owner.post("/v1/datasets", dataset_body(name=name, budget=existing)).status_code == 201, (
        "the name is free again"
    )


def test_counts_can_be_replaced_until_the_first_charge(study: Study) -> None:
    path = f"/v1/datasets/{study.dataset_id}"
    before = study.owner.get(path).json()
    changed = study.owner.patch(path, {"counts": [COUNTS[0] + 1, COUNTS[1]]})
    assert changed.status_code == 200
    assert changed.json()["record_count"] == before["record_count"] + 1
    assert changed.json()["commitment"] != before["commitment"]
    assert len(changed.json()["nonce"]) == 64
    assert study.ledger()[-1]["detail"]["commitment"] == changed.json()["commitment"]
    assert study.analyst.release(study.dataset_id).json()["record_count"] == before["record_count"] + 1
    entries = study.ledger()
    assert problem_code(study.owner.patch(path, {"counts": COUNTS})) == "conflict"
    assert study.ledger() == entries
    assert study.owner.get(path).json()["commitment"] == changed.json()["commitment"]


def test_a_dataset_can_be_renamed_to_a_name_that_is_free(owner: Party, analyst: Party) -> None:
    first, second = (make_study(owner, analyst, name=unique("wave")) for _ in range(2))
    taken = owner.get(f"/v1/datasets/{second.dataset_id}").json()["name"]
    assert problem_code(owner.patch(f"/v1/datasets/{first.dataset_id}", {"name": taken})) == "name-taken"
    assert owner.patch(f"/v1/datasets/{first.dataset_id}", {"name": taken + " b"}).json()["name"] == taken + " b"


# Reading


def test_lists_come_in_pages(study: Study) -> None:
    made = [study.analyst.release(study.dataset_id).json()["id"] for _ in range(3)]
    cursor, seen = "", []
    while cursor is not None:
        page = study.owner.get("/v1/releases", dataset_id=study.dataset_id, limit=2, cursor=cursor).json()
        seen += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
    assert seen == made
    ledger, cursor = [], ""
    while cursor is not None:
        page = study.owner.get(f"/v1/budgets/{study.budget_id}/ledger", limit=2, cursor=cursor).json()
        ledger += page["items"]
        cursor = page["next_cursor"]
    assert ledger == study.ledger()
    assert [entry["sequence"] for entry in ledger] == list(range(1, len(ledger) + 1))


def test_the_service_says_that_it_lives_and_is_ready(server: Server) -> None:
    assert server.http.get("/livez").json() == {"status": "ok", "version": version("private-posterior")}
    until(lambda: server.http.get("/readyz").json().get("notes") == [])
    assert "text/html" in server.http.get("/docs").headers["content-type"]


def test_a_loss_above_the_limit_of_requests_is_reported(study: Study) -> None:
    mechanism = {"kind": "gaussian", "rho": "999", "delta": "1e-8"}
    quote = study.owner.post(
        f"/v1/datasets/{study.dataset_id}/quotes", {"prior": [1, 1], "mechanism": mechanism}
    ).json()
    assert quote["certified"] == quote["certificate"]["loss"]
    assert float(quote["certified"]["epsilon"]) > 1000
    assert (quote["granted"], quote["blocked_by"]) == (False, "budget-exhausted")


def test_a_quote_under_a_key_that_paid_names_its_release(study: Study) -> None:
    body = release_body()
    path = f"/v1/datasets/{study.dataset_id}/quotes"
    key = unique("paid").replace(" ", "-")
    assert study.analyst.post(path, body, idempotency_key=key).json()["paid_under_key"] is None
    made = study.analyst.post(f"/v1/datasets/{study.dataset_id}/releases", body, idempotency_key=key)
    assert made.status_code == 201, made.text
    assert study.analyst.post(path, body, idempotency_key=key).json()["paid_under_key"]["id"] == made.json()["id"]
    assert study.analyst.post(path, body).json()["paid_under_key"] is None
    # A key belongs to the principal who used it.
    assert study.owner.post(path, body, idempotency_key=key).json()["paid_under_key"] is None
