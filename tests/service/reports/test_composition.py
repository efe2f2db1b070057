"""The report on fixed composition: shown beside the sum, never instead of it."""

from __future__ import annotations

from decimal import Decimal

from tests.harness.bodies import budget_body
from tests.harness.server import Party, problem_code
from tests.service.conftest import Study, dataset_body


def test_fixed_composition_is_tighter_and_the_charge_stays_the_sum(owner: Party) -> None:
    dataset = owner.post(
        "/v1/datasets", dataset_body(budget={"kind": "new", "budget": budget_body(epsilon="5", delta="1e-3")})
    ).json()
    for _ in range(40):
        body = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.05"}}
        assert owner.release(dataset["id"], body).status_code == 201
    report = owner.get(f"/v1/budgets/{dataset['budget_id']}/composition").json()
    assert (report["releases"], report["charged_epsilon"], report["charged_delta"], report["delta"]) == (
        40,
        "2",
        "0",
        "0.001",
    )
    # dp-accounting 0.6.0: from_privacy_parameters(DifferentialPrivacyParameters(0.05, 0),
    # value_discretization_interval=1e-5), .self_compose(40).get_epsilon_for_delta(1e-3)
    assert abs(Decimal(report["epsilon_nonadaptive"]) - Decimal("0.774930")) < Decimal("1e-3")
    assert owner.get(f"/v1/budgets/{dataset['budget_id']}").json()["spent"]["epsilon"] == "2"


def test_a_budget_without_releases_proves_nothing_either_way(study: Study) -> None:
    report = study.owner.get(f"/v1/budgets/{study.budget_id}/composition").json()
    assert (report["releases"], report["charged_epsilon"], report["epsilon_nonadaptive"]) == (0, "0", "0")


def test_only_the_owner_sees_it(study: Study) -> None:
    assert problem_code(study.analyst.get(f"/v1/budgets/{study.budget_id}/composition")) == "not-found"
