"""The remaining amount in an analyst's terms: the reported releases are granted to the last unit, and one unit more is
refused.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from service.identifiers.identifiers import now
from tests.harness.bodies import budget_body, release_body
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study, dataset_body, end_grant, make_study

NANO = Decimal("1e-9")
ZCDP = {"accountant": "zcdp", "epsilon": "1", "delta": "1e-6", "delta_conversion": "4e-7"}


def allowance(party: Party, study: Study, **query: str) -> dict[str, Any]:
    response = party.get(f"/v1/datasets/{study.dataset_id}/allowance", **query)
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


def largest(party: Party, study: Study) -> dict[str, dict[str, Any]]:
    return {each["kind"]: each for each in allowance(party, study)["mechanisms"]}


def release(party: Party, study: Study, kind: str, **parameters: str) -> Any:
    return party.release(study.dataset_id, {"prior": [1, 1], "mechanism": {"kind": kind, **parameters}})


@pytest.fixture
def zcdp_study(owner: Party, analyst: Party) -> Study:
    """A data set on a zcdp budget, and an analyst whose grant is smaller than the budget."""
    dataset = owner.post("/v1/datasets", dataset_body(budget={"kind": "new", "budget": budget_body(**ZCDP)}))
    assert dataset.status_code == 201, dataset.text
    grant = owner.post(
        f"/v1/datasets/{dataset.json()['id']}/grants",
        {"principal_id": analyst.principal_id, "rho": "0.005", "delta": "1e-7"},
    )
    assert grant.status_code == 201, grant.text
    return Study(owner, dataset.json()["id"], dataset.json()["budget_id"], analyst, grant.json()["id"])


@pytest.mark.parametrize("kind", ["simplex_geometric", "laplace"])
@pytest.mark.parametrize("accountant", ["basic", "zcdp"])
def test_the_largest_epsilon_is_granted_and_one_unit_more_is_not(
    study: Study, zcdp_study: Study, kind: str, accountant: str
) -> None:
    asked = study if accountant == "basic" else zcdp_study
    found = largest(asked.analyst, asked)[kind]
    epsilon = Decimal(found["largest_epsilon"])
    refused = release(asked.analyst, asked, kind, epsilon=str(epsilon + 2 * NANO))
    assert problem_code(refused) == "grant-exhausted"
    granted = release(asked.analyst, asked, kind, epsilon=str(epsilon))
    assert granted.status_code == 201, granted.text
    assert granted.json()["charged"] == found["charge"]
    after = largest(asked.analyst, asked)[kind]
    assert after["largest_epsilon"] is None or Decimal(after["largest_epsilon"]) < epsilon / 100


@pytest.mark.parametrize(
    "mechanism", [{"kind": "exponential", "calibration": "proven"}, {"kind": "exponential_global"}]
)
def test_the_largest_epsilon_of_an_exponential_mechanism_is_granted_for_at_most_the_price_said(
    owner: Party, analyst: Party, mechanism: dict[str, str]
) -> None:
    study = make_study(owner, analyst, counts=[40, 20])
    found = largest(analyst, study)[mechanism["kind"]]
    granted = release(analyst, study, epsilon=found["largest_epsilon"], **mechanism)
    assert granted.status_code == 201, granted.text
    assert Decimal(granted.json()["charged"]["epsilon"]) <= Decimal(found["charge"]["epsilon"]) == Decimal("0.5")


def test_the_largest_rho_of_a_gaussian_is_granted_on_either_accountant(study: Study, zcdp_study: Study) -> None:
    for asked in (study, zcdp_study):
        found = largest(asked.owner, asked)["gaussian"]
        more = str(Decimal(found["largest_rho"]) * Decimal("1.000001"))[:14]
        assert (
            problem_code(release(asked.owner, asked, "gaussian", rho=more, delta=found["delta"])) == "budget-exhausted"
        )
        granted = release(asked.owner, asked, "gaussian", rho=found["largest_rho"], delta=found["delta"])
        assert granted.status_code == 201, granted.text
        assert granted.json()["charged"] == found["charge"]


def test_the_release_cap_binds_before_grant_and_budget(study: Study) -> None:
    study.owner.patch(f"/v1/budgets/{study.budget_id}", {"release_cap": {"epsilon": "0.25", "delta": "0"}})
    for party in (study.owner, study.analyst):
        said = allowance(party, study)
        assert said["largest_possible_charge"]["epsilon"] == "0.25"
        assert not said["below_threshold"]
        assert said["mechanisms"][0]["largest_epsilon"] == "0.25"
        (gaussian,) = (each for each in said["mechanisms"] if each["kind"] == "gaussian")
        assert gaussian == {
            "kind": "gaussian",
            "allowed": True,
            "largest_epsilon": None,
            "largest_rho": None,
            "delta": None,
            "charge": None,
        }


def test_the_budget_binds_where_others_spent(study: Study) -> None:
    assert release(study.owner, study, "simplex_geometric", epsilon="0.7").status_code == 201
    said = allowance(study.analyst, study)
    assert said["largest_possible_charge"]["epsilon"] == "0.3"
    assert {each["kind"]: each["largest_epsilon"] for each in said["mechanisms"][:2]} == {
        "simplex_geometric": "0.3",
        "laplace": "0.6",
    }


def test_how_many_more_like_a_release_is_exactly_how_many_are_granted(study: Study) -> None:
    first = release(study.analyst, study, "simplex_geometric", epsilon="0.15").json()
    more = allowance(study.analyst, study, more_like=first["id"])["more_like"]
    assert more == {"release_id": first["id"], "charged": first["charged"], "remaining_releases": 2}
    for _ in range(more["remaining_releases"]):
        assert release(study.analyst, study, "simplex_geometric", epsilon="0.15").status_code == 201
    assert problem_code(release(study.analyst, study, "simplex_geometric", epsilon="0.15")) == "grant-exhausted"
    assert allowance(study.analyst, study, more_like=first["id"])["more_like"]["remaining_releases"] == 0


def test_the_allowance_more_like_another_persons_release_is_not_found(
    study: Study, owner: Party, analyst: Party
) -> None:
    hidden = release(study.owner, study, "simplex_geometric", epsilon="0.1").json()["id"]
    assert (
        problem_code(study.analyst.get(f"/v1/datasets/{study.dataset_id}/allowance", more_like=hidden)) == "not-found"
    )


def test_a_blocked_allowance_names_what_blocks_it(study: Study) -> None:
    study.owner.patch(f"/v1/grants/{study.grant_id}", {"closed": True})
    closed = allowance(study.analyst, study)
    assert (closed["can_release"], closed["blocked_by"]) == (False, "grant-closed")
    assert all(each["charge"] is None for each in closed["mechanisms"])
    assert allowance(study.owner, study)["can_release"]
    study.owner.patch(f"/v1/budgets/{study.budget_id}", {"frozen": True})
    assert allowance(study.owner, study)["blocked_by"] == "budget-frozen"


def test_an_allowance_names_the_limit_that_is_used_up(study: Study) -> None:
    """Seen before: `can_release` was false and `blocked_by` null."""
    path = f"/v1/budgets/{study.budget_id}"

    def blocked(party: Party) -> tuple[bool, str | None]:
        found = allowance(party, study)
        return found["can_release"], found["blocked_by"]

    assert release(study.analyst, study, "simplex_geometric", epsilon="0.5").status_code == 201
    assert blocked(study.analyst) == (False, "grant-exhausted")
    assert blocked(study.owner) == (True, None)
    for change, reason in (
        ({"allowed_mechanisms": ["linear"]}, "mechanism-not-allowed"),
        ({"allowed_mechanisms": None, "release_cap": {"epsilon": "0.00001", "delta": "0"}}, "release-cap-exceeded"),
    ):
        assert study.owner.patch(path, change).status_code == 200
        assert blocked(study.owner) == blocked(study.analyst) == (False, reason)
    assert study.owner.patch(path, {"release_cap": None}).status_code == 200
    assert release(study.owner, study, "simplex_geometric", epsilon="0.5").status_code == 201
    assert blocked(study.owner) == (False, "budget-exhausted")


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("stop", "problem", "blocked_by"),
    [
        ("max_charge", "max-charge-exceeded", None),
        ("the grant's end", "grant-expired", "grant-expired"),
        ("a recovery", "recovery-pending", "recovery-pending"),
        ("a recovery of the owner", "owner-unavailable", "owner-unavailable"),
        ("a restore", "restore-pending", "restore-pending"),
    ],
)
def test_quote_allowance_budget_and_release_say_the_same(
    server: Server, study: Study, stop: str, problem: str, blocked_by: str | None
) -> None:
    body = release_body("0.1")
    later = "UPDATE principals SET frozen_until = :until WHERE id = :id"
    pending = "UPDATE installation SET restore_pending_since = :since"
    match stop:
        case "max_charge":
            body["max_charge"] = {"epsilon": "0.05"}
        case "the grant's end":
            end_grant(study)
            [ended] = study.owner.get("/v1/grants", dataset_id=study.dataset_id).json()["items"]
            assert (ended["closed"], ended["expired"]) == (False, True)
        case "a recovery":
            server.rows(later, until=now() + 1000, id=study.analyst.principal_id)
        case "a recovery of the owner":
            server.rows(later, until=now() + 1000, id=study.owner.principal_id)
        case _:
            server.rows(pending, since=now())
    try:
        path = f"/v1/datasets/{study.dataset_id}"
        quote = study.analyst.post(f"{path}/quotes", body).json()
        assert (quote["granted"], quote["blocked_by"]) == (False, problem)
        assert allowance(study.analyst, study)["blocked_by"] == blocked_by
        seen = [
            study.owner.get(f"/v1/budgets/{study.budget_id}").json(),
            *study.owner.get("/v1/budgets").json()["items"],
        ]
        assert all((each["restore_pending"], each["frozen"]) == (stop == "a restore", False) for each in seen)
        assert problem_code(study.analyst.post(f"{path}/releases", body, idempotency_key="k")) == problem
    finally:
        server.rows(pending, since=None)


def test_mechanisms_that_the_owner_excludes_are_marked(study: Study) -> None:
    study.owner.patch(f"/v1/budgets/{study.budget_id}", {"allowed_mechanisms": ["gaussian"]})
    assert [each["kind"] for each in allowance(study.analyst, study)["mechanisms"] if each["allowed"]] == ["gaussian"]


def test_strangers_get_not_found(study: Study, server: Any) -> None:
    for stranger in (server.new("analyst"), server.new("owner"), server.admin):
        assert stranger.get(f"/v1/datasets/{study.dataset_id}/allowance").status_code == 404
        assert stranger.get(f"/v1/budgets/{study.budget_id}/burn-rate").status_code == 404


def test_a_low_budget_is_flagged_to_owner_and_analyst(study: Study) -> None:
    study.owner.patch(f"/v1/budgets/{study.budget_id}", {"low_budget_percent": 60})
    assert not allowance(study.owner, study)["below_threshold"]
    assert release(study.analyst, study, "simplex_geometric", epsilon="0.45").status_code == 201
    assert allowance(study.owner, study)["below_threshold"]
    assert allowance(study.analyst, study)["below_threshold"]
    assert study.budget()["below_threshold"]


def test_the_burn_rate_adds_up_what_was_charged(study: Study) -> None:
    assert study.owner.get(f"/v1/budgets/{study.budget_id}/burn-rate").json()["days_left"] is None
    for epsilon in ("0.1", "0.2"):
        assert release(study.analyst, study, "simplex_geometric", epsilon=epsilon).status_code == 201
    burn = study.owner.get(f"/v1/budgets/{study.budget_id}/burn-rate").json()
    assert [(each["days"], each["spent"]["epsilon"], each["releases"]) for each in burn["recent"]] == [
        (1, "0.3", 2),
        (7, "0.3", 2),
        (30, "0.3", 2),
    ]
    assert burn["spent_guarantee"] == {"epsilon": "0.3", "delta": "0"}
    assert burn["days_left"] == 0


def test_a_zcdp_budget_splits_its_delta_and_every_mechanism_draws_on_it(owner: Party) -> None:
    """n is small, so that the exponential mechanisms can enumerate. Each release is charged in rho, and the converted
    sum stays within the guarantee.
    """
    body = dataset_body(counts=[40, 20], budget={"kind": "new", "budget": budget_body(**ZCDP | {"epsilon": "8"})})
    dataset = owner.post("/v1/datasets", body).json()
    budget = owner.get(f"/v1/budgets/{dataset['budget_id']}").json()
    assert budget["guarantee"] == {"epsilon": "8", "delta": "0.000001"}
    assert budget["delta_conversion"] == "0.0000004"
    assert budget["total"]["delta"] == "0.0000006"
    mechanisms: list[dict[str, str]] = [
        {"kind": "simplex_geometric", "epsilon": "0.5"},
        {"kind": "laplace", "epsilon": "0.5"},
        {"kind": "gaussian", "rho": "0.01", "delta": "1e-7"},
        {"kind": "exponential", "calibration": "proven", "epsilon": "0.5"},
        {"kind": "exponential_published", "nominal_epsilon": "0.5", "delta": "1e-8"},
        {"kind": "exponential_global", "epsilon": "0.5"},
    ]
    spent = Decimal(0)
    for mechanism in mechanisms:
        response = owner.release(dataset["id"], {"prior": [1, 1], "mechanism": mechanism})
        assert response.status_code == 201, response.text
        charged = response.json()["charged"]
        assert charged["accountant"] == "zcdp"
        assert 0 < Decimal(charged["rho"]) <= Decimal("0.6")
        spent += Decimal(charged["rho"])
    after = owner.get(f"/v1/budgets/{dataset['budget_id']}").json()
    assert Decimal(after["spent"]["rho"]) == spent
    burn = owner.get(f"/v1/budgets/{dataset['budget_id']}/burn-rate").json()
    assert Decimal(0) < Decimal(burn["spent_guarantee"]["epsilon"]) < Decimal(8)
    assert Decimal(burn["spent_guarantee"]["delta"]) <= Decimal("1e-6")


def test_a_grant_on_a_zcdp_budget_is_capped_in_rho(zcdp_study: Study) -> None:
    wrong = zcdp_study.owner.patch(f"/v1/grants/{zcdp_study.grant_id}", {"epsilon": "0.5"})
    assert problem_code(wrong) == "invalid-request"
    assert "zcdp" in wrong.text
    refused = release(zcdp_study.analyst, zcdp_study, "gaussian", rho="0.005000000001", delta="1e-6")
    assert problem_code(refused) == "grant-exhausted"
    assert refused.json()["largest_possible_charge"] == {"accountant": "zcdp", "rho": "0.005", "delta": "0.0000001"}
    assert release(zcdp_study.analyst, zcdp_study, "gaussian", rho="0.005", delta="1e-6").status_code == 201


def test_make_study_is_basic(owner: Party, analyst: Party) -> None:
    assert make_study(owner, analyst).budget()["delta_conversion"] is None


def test_a_grant_shows_no_more_than_remains_of_the_budget_everywhere(owner: Party, analyst: Party) -> None:
    study = make_study(owner, analyst)
    assert owner.release(study.dataset_id, release_body("0.7")).status_code == 201
    path = f"/v1/grants/{study.grant_id}"
    documents = [
        owner.patch(path, {"closed": False}).json(),
        *(
            next(each for each in party.get("/v1/grants").json()["items"] if each["id"] == study.grant_id)
            for party in (owner, analyst)
        ),
    ]
    assert [each["remaining"]["epsilon"] for each in documents] == ["0.3"] * 3
    assert [len(each["warnings"]) for each in documents] == [1, 1, 0], "the owner alone is warned"
    assert allowance(analyst, study)["largest_possible_charge"]["epsilon"] == "0.3"
    refused = analyst.release(study.dataset_id, release_body("0.4"))
    assert problem_code(refused) == "budget-exhausted"
    assert refused.json()["largest_possible_charge"]["epsilon"] == "0.3"


def test_giving_a_grant_above_what_remains_of_the_budget_warns(owner: Party, server: Server) -> None:
    dataset = owner.post("/v1/datasets", dataset_body()).json()
    path = f"/v1/datasets/{dataset['id']}/grants"
    for epsilon, warned in (("1", False), ("1.1", True)):
        body = {"principal_id": server.new("analyst").principal_id, "epsilon": epsilon, "delta": 0}
        granted = owner.post(path, body).json()
        assert (granted["remaining"]["epsilon"], bool(granted["warnings"])) == ("1", warned)
