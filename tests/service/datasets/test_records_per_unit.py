"""Data sets with several records per unit: calibrated, certified, charged and reported for all records of a unit."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.harness.bodies import querying, registration
from tests.harness.deadlines import PATIENCE
from tests.harness.server import Party
from tests.service.conftest import Study, make_study

SEVERAL: dict[str, Any] = {
    "one_record_per_unit": None,
    "records_per_unit": 3,
    "counts": [20, 12, 28],
    "labels": list("abc"),
}
MECHANISMS: list[dict[str, Any]] = [
    {"kind": "simplex_geometric", "epsilon": "0.3"},
    {"kind": "laplace", "epsilon": "0.3"},
    {"kind": "gaussian", "rho": "0.0009", "delta": "1e-7"},
    {"kind": "exponential", "calibration": "proven", "epsilon": "0.3"},
    {"kind": "exponential_published", "nominal_epsilon": "0.3", "delta": "1e-7"},
    {"kind": "exponential_global", "epsilon": "0.3"},
]


@pytest.fixture
def visits(owner: Party, analyst: Party) -> Study:
    return make_study(owner, analyst, **SEVERAL)


def test_a_data_set_says_how_many_records_a_unit_has(visits: Study) -> None:
    dataset = visits.analyst.get(f"/v1/datasets/{visits.dataset_id}").json()
    assert (dataset["one_record_per_unit"], dataset["records_per_unit"]) == (False, 3)
    registered = next(entry for entry in visits.ledger() if entry["kind"] == "dataset_registered")
    assert registered["detail"]["records_per_unit"] == 3
    said = visits.owner.get(f"/v1/datasets/{visits.dataset_id}/statement.txt").text
    assert "no person, or other unit that is to be protected, has more than 3 records" in said
    assert "up to 3 records, all those of one person, are in other categories" in said
    assert "how many records a person has" in said


@pytest.mark.every(3)
@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism["kind"])
def test_every_mechanism_is_certified_for_all_records_of_a_unit(visits: Study, mechanism: dict[str, Any]) -> None:
    body = {"prior": [1, 1, 1], "mechanism": mechanism}
    quoted = visits.owner.wait_for(
        lambda: visits.owner.post(f"/v1/datasets/{visits.dataset_id}/quotes", body), status=200
    )
    assert quoted.status_code == 200, quoted.text
    answer = visits.owner.release(visits.dataset_id, prior=[1, 1, 1], mechanism=mechanism)
    assert answer.status_code == 201, answer.text
    release = answer.json()
    assert release["certificate"]["details"]["records_per_unit"] == "3"
    assert release["certificate"] == quoted.json()["certificate"]
    assert release["charged"] == quoted.json()["would_charge"]
    of_one = float(release["certificate"]["details"]["epsilon_of_one_record"])
    if mechanism["kind"] == "gaussian":
        assert release["certified"]["rho"] == "0.0009"
        return
    charged = float(release["charged"]["epsilon"])
    if mechanism["kind"].startswith("exponential"):  # by evaluation of all pairs that differ in three records
        assert of_one < charged <= 3 * of_one
    else:
        assert charged == pytest.approx(3 * of_one)
    if "epsilon" in mechanism:
        assert charged <= 0.3
    # The same request to a data set of one record a unit is less noisy.
    single = make_study(visits.owner, visits.analyst, counts=SEVERAL["counts"], labels=SEVERAL["labels"])
    other = visits.owner.wait_for(
        lambda: visits.owner.release(single.dataset_id, prior=[1, 1, 1], mechanism=mechanism),
        status=201,
        seconds=PATIENCE,
    ).json()
    assert float(other["charged"]["epsilon"]) > 2 * of_one


def test_the_noise_is_that_of_a_third_of_the_epsilon(visits: Study) -> None:
    aware = []
    for dataset, epsilon in ((visits.dataset_id, "0.3"), (None, "0.1")):
        single = SEVERAL | {"one_record_per_unit": True, "records_per_unit": None}
        study = visits if dataset else make_study(visits.owner, visits.analyst, **single)
        mechanism = {"kind": "simplex_geometric", "epsilon": epsilon}
        study.owner.release(study.dataset_id, prior=[1, 1, 1], mechanism=mechanism)
        asked = {"queries": [{"weights": [1, 0, 0]}]}
        [answer] = study.owner.post(f"/v1/datasets/{study.dataset_id}/estimates", asked).json()["answers"]
        aware.append(answer["standard_deviation"])
    assert aware[0] == pytest.approx(aware[1])


@pytest.mark.parametrize(("accountant", "amount"), [("basic", {"epsilon": "0.5"}), ("zcdp", {"epsilon": "0.5"})])
def test_the_allowance_is_what_can_be_released(
    owner: Party, analyst: Party, accountant: str, amount: dict[str, str]
) -> None:
    body = {"accountant": accountant, "name": f"visits {accountant} {owner.principal_id}", "delta": "1e-6", **amount}
    dataset = owner.post("/v1/datasets", registration([]) | SEVERAL | {"budget": {"kind": "new", "budget": body}})
    assert dataset.status_code == 201, dataset.text
    path = f"/v1/datasets/{dataset.json()['id']}"
    for kind in ("laplace", "simplex_geometric"):
        allowed = next(e for e in owner.get(f"{path}/allowance").json()["mechanisms"] if e["kind"] == kind)
        mechanism = {"kind": kind, "epsilon": allowed["largest_epsilon"]}
        quoted = owner.post(f"{path}/quotes", {"prior": [1, 1, 1], "mechanism": mechanism}).json()
        assert quoted["granted"]
        assert quoted["would_charge"] == allowed["charge"]


@pytest.mark.parametrize(
    ("changes", "location", "rule"),
    [
        ({"records_per_unit": 0}, "body.records_per_unit", "at least 1"),
        ({"records_per_unit": -1}, "body.records_per_unit", "at least 1"),
        ({"records_per_unit": 1001}, "body.records_per_unit", "at most 1000"),
        ({"records_per_unit": 2.5}, "body.records_per_unit", "whole number"),
        ({"records_per_unit": 126}, "body.records_per_unit", "at most the number of records"),
        ({"records_per_unit": None}, "body", "either one_record_per_unit or records_per_unit"),
        ({"one_record_per_unit": True}, "body", "either one_record_per_unit or records_per_unit"),
    ],
)
def test_a_number_of_records_that_is_none_is_refused(
    owner: Party, changes: dict[str, Any], location: str, rule: str
) -> None:
    answer = owner.post("/v1/datasets", registration([]) | SEVERAL | changes)
    assert answer.status_code == 422, answer.text
    (error, *_) = answer.json()["errors"]
    assert error["location"] == location
    assert rule in error["rule"]


def test_an_epsilon_that_leaves_nothing_for_one_record_is_refused_uncharged(visits: Study) -> None:
    before = visits.budget()
    for mechanism in (
        {"kind": "simplex_geometric", "epsilon": "0.0002"},
        {"kind": "exponential_published", "nominal_epsilon": "0.3", "delta": "2e-18"},
    ):
        answer = visits.owner.release(visits.dataset_id, prior=[1, 1, 1], mechanism=mechanism)
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["location"] == "body.mechanism"
        assert not answer.json()["charged"]
    assert visits.budget() == before


@pytest.mark.parametrize("accountant", ["basic", "zcdp"])
def test_answers_to_queries_cost_what_all_records_of_a_unit_move(owner: Party, analyst: Party, accountant: str) -> None:
    def study(**changes: Any) -> Study:
        name = f"queries {len(changes)} {accountant} {owner.principal_id}"
        budget = {"accountant": accountant, "name": name, "epsilon": "5", "delta": "1e-6"}
        body = registration([40, 25, 60], labels=list("abc"), budget={"kind": "new", "budget": budget})
        dataset = owner.post("/v1/datasets", body | changes).json()
        return Study(owner, dataset["id"], dataset["budget_id"], analyst, "")

    def asked(of: Study, *labels: str) -> dict[str, Any]:
        query = {"of": {"labels": list(labels)}, "half_width": 15.0}
        path = f"/v1/datasets/{of.dataset_id}/releases"
        body = querying(query, accountant=accountant)
        answer = owner.post(path, body, idempotency_key="-".join([of.dataset_id, *labels]))
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found

    single, several = study(), study(one_record_per_unit=None, records_per_unit=3)
    dimension = "epsilon" if accountant == "basic" else "rho"
    first, thrice = asked(single, "a"), asked(several, "a")
    assert first["measured"][0]["rate"] == thrice["measured"][0]["rate"]
    assert thrice["certificate"]["details"]["records_per_unit"] == "3"
    assert "replacing 3 records" in thrice["certificate"]["statement"]
    costs = [float(each["charged"][dimension]) for each in (first, thrice)]
    rate = float(first["measured"][0]["rate"])
    expected = [k * rate if accountant == "basic" else k * rate - 1 + math.exp(-k * rate) for k in (1, 3)]
    assert costs == pytest.approx(expected, abs=1e-8)
    # A second row of other cells adds on the same worst pair.
    costs = [float(asked(each, "b")["charged"][dimension]) for each in (single, several)]
    assert costs == pytest.approx(expected, abs=1e-8)
