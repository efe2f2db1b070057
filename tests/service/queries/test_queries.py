"""Linear queries over a socket: answered from releases that the caller may read, free, right, and with a problem for
every bad input.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study, make_study

CUBE: dict[str, Any] = {
    "labels": [
        "20s poor",
        "20s middle",
        "20s rich",
        "30s poor",
        "30s middle",
        "30s rich",
        "40s poor",
        "40s middle",
        "40s rich",
    ],
    "counts": [100, 210, 370, 200, 120, 50, 530, 70, 30],
}
RICH = ["20s rich", "30s rich", "40s rich"]


@pytest.fixture
def cube(owner: Party, analyst: Party) -> Study:
    return make_study(owner, analyst, **CUBE)


def release(study: Study, **mechanism: Any) -> dict[str, Any]:
    answer = study.analyst.release(study.dataset_id, prior=[1] * 9, mechanism=mechanism)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def quote(party: Party, study: Study, *queries: dict[str, Any]) -> dict[str, Any]:
    """The free estimates, with the quote if the queries can be measured."""
    answer = party.post(f"/v1/datasets/{study.dataset_id}/estimates", {"queries": list(queries)})
    assert answer.status_code == 200, answer.text
    price = party.post(f"/v1/datasets/{study.dataset_id}/quotes", {"kind": "queries", "queries": list(queries)})
    assert price.status_code in {200, 422}, price.text
    found: dict[str, Any] = answer.json() | (price.json() if price.status_code == 200 else {})
    return found


def test_without_releases_only_what_is_public_is_answered(cube: Study) -> None:
    quoted = quote(
        cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 15.0}, {"weights": [2] * 9}, {"weights": {}}
    )
    unseen, constant, zero = quoted["answers"]
    assert unseen is None
    assert quoted["achievable_half_widths"] == [pytest.approx(5.9915, abs=1e-4), 0.0, 0.0]
    assert constant["interval"] == {
        "low": 3360.0,
        "high": 3360.0,
        "half_width": 0.0,
        "confidence": 0.95,
    }
    assert zero["estimate"] == 0
    assert quoted["covariance"] is None
    assert (quoted["used"], quoted["excluded_releases"]) == ([], [])
    assert quoted["joint_cost"] == {"accountant": "basic", "epsilon": "0", "delta": "0"}


def test_a_release_answers_every_query_at_no_cost(cube: Study) -> None:
    released = release(cube, kind="simplex_geometric", epsilon="0.5")
    before = cube.budget()
    quoted = quote(
        cube.analyst,
        cube,
        {"of": {"labels": RICH}, "half_width": 40.0},
        {"of": {"labels": RICH}, "half_width": 1.0},
        {"weights": dict(zip(CUBE["labels"], [0, 2, 5] * 3, strict=True)), "confidence": 0.9, "between": {"low": 0}},
    )
    noisy = released["posterior"]["noisy_counts"]
    rich, _, tax = quoted["answers"]
    assert rich["estimate"] == pytest.approx(sum(noisy[2::3]), abs=1e-6)
    assert quoted["standalone_cost"]["epsilon"] != "0", "the narrow one would be measured"
    precise = quote(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 40.0})
    assert (precise["standalone_cost"]["epsilon"], precise["granted"]) == ("0", True)
    assert tax["estimate"] == pytest.approx(2 * sum(noisy[1::3]) + 5 * sum(noisy[2::3]), abs=1e-6)
    assert 0.99 < tax["probability"] <= 1
    [used] = rich["used"]
    assert used["release_id"] == released["id"]
    assert len(used["weights"]) == 9
    covariance = quoted["covariance"]
    assert covariance[0][0] == pytest.approx(rich["standard_deviation"] ** 2)
    assert covariance[0][2] == covariance[2][0]
    assert cube.budget() == before


def test_a_half_width_that_a_release_has_is_not_sold_again(cube: Study) -> None:
    """Noise of integers has whole half widths, to which an estimate adds a rounding error of some 1e-13."""
    release(cube, kind="simplex_geometric", epsilon="0.5")
    [asked] = quote(cube.analyst, cube, {"of": {"labels": RICH}})["answers"]
    exact = asked["interval"]["half_width"]
    whole = round(exact)
    assert exact == pytest.approx(whole, abs=1e-9)
    quoted = quote(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": whole})
    assert quoted["standalone_cost"] == quoted["would_charge"]
    assert quoted["would_charge"] == {"accountant": "basic", "epsilon": "0", "delta": "0"}
    narrower = quote(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": whole * (1 - 1e-6)})
    assert narrower["standalone_cost"]["epsilon"] != "0"


def test_two_releases_together_tell_more_than_either(cube: Study) -> None:
    query = {"of": {"labels": RICH}}
    widths, weights = [], []
    for mechanism in ({"kind": "laplace", "epsilon": "0.1"}, {"kind": "gaussian", "rho": "0.003", "delta": "1e-6"}):
        release(cube, **mechanism)
        [answer] = quote(cube.analyst, cube, query)["answers"]
        widths.append(answer["interval"]["half_width"])
        weights = [len(each["weights"]) for each in answer["used"]]
    assert widths[1] < widths[0]
    assert quote(cube.analyst, cube, query)["excluded_releases"] == []
    assert weights == [9, 8]


def test_releases_without_additive_noise_are_left_out_and_it_is_said_why(owner: Party, analyst: Party) -> None:
    small = make_study(owner, analyst, labels=["a", "b", "c"], counts=[8, 0, 0])
    for mechanism in (
        {"kind": "simplex_geometric", "epsilon": "0.8"},
        {"kind": "exponential_global", "epsilon": "0.1"},
    ):
        assert owner.release(small.dataset_id, prior=[1, 1, 1], mechanism=mechanism).status_code == 201
    quoted = quote(owner, small, {"of": {"labels": ["a"]}})
    [answer] = quoted["answers"]
    assert answer is None
    exponential, weighted = (each["reason"] for each in quoted["excluded_releases"])
    assert "exponential" in exponential
    assert "solved weights" in weighted


def test_queries_use_no_answers_of_others(cube: Study, server: Server) -> None:
    release(cube, kind="laplace", epsilon="0.3")
    other = server.new("analyst")
    granted = cube.owner.post(
        f"/v1/datasets/{cube.dataset_id}/grants", {"principal_id": other.principal_id, "epsilon": "0.5", "delta": "0"}
    )
    assert granted.status_code == 201, granted.text
    assert quote(other, cube, {"of": {"labels": RICH}})["answers"][0] is None
    assert quote(cube.owner, cube, {"of": {"labels": RICH}})["answers"][0] is not None
    stranger = server.new("analyst")
    for body in ({}, {"kind": "queries"}):
        path = f"/v1/datasets/{cube.dataset_id}/{'quotes' if body else 'estimates'}"
        refused = stranger.post(path, body | {"queries": [{"of": {"labels": RICH}}]})
        assert problem_code(refused) == "not-found"


@pytest.mark.parametrize(
    ("query", "location"),
    [
        ({"of": {"labels": ["nobody"]}}, "body.queries[0].of.labels"),
        ({"of": {"labels": []}}, "body.queries[0].of.labels"),
        ({"weights": {"nobody": 1}}, "body.queries[0].weights"),
        ({"weights": [1, 2]}, "body.queries[0].weights"),
        ({"weights": {"20s rich": "0.0000000001"}}, "body.queries[0].weights.(unknown)"),
        ({"weights": {"20s rich": 1000001}}, "body.queries[0].weights.(unknown)"),
        ({"weights": [1] * 9, "of": {"labels": ["a"]}}, "body.queries[0]"),
        ({}, "body.queries[0]"),
        ({"weights": [1000001] + [0] * 8}, "body.queries[0].weights"),
        ({"weights": ["0.0000000001"] + [0] * 8}, "body.queries[0].weights"),
        ({"weights": ["NaN"] + [0] * 8}, "body.queries[0].weights"),
        ({"weights": ["1e400000"] + [0] * 8}, "body.queries[0].weights"),
        ({"of": {"labels": RICH}, "half_width": 0}, "body.queries[0].half_width"),
        ({"of": {"labels": RICH}, "half_width": -1.0}, "body.queries[0].half_width"),
        ({"of": {"labels": RICH}, "confidence": 1.0}, "body.queries[0].confidence"),
        ({"of": {"labels": RICH}, "confidence": 0}, "body.queries[0].confidence"),
        ({"of": {"labels": RICH}, "between": {}}, "body.queries[0].between"),
        ({"of": {"labels": RICH}, "between": {"low": 2, "high": 1}}, "body.queries[0].between"),
    ],
)
def test_bad_queries_are_refused_where_they_are_bad(cube: Study, query: dict[str, Any], location: str) -> None:
    answer = cube.analyst.post(f"/v1/datasets/{cube.dataset_id}/estimates", {"queries": [query]})
    assert problem_code(answer) == "invalid-request", answer.text
    [error] = answer.json()["errors"]
    assert error["location"].startswith(location), answer.text
    assert "must be a list" not in error["rule"]
    assert "nobody" not in answer.text


@pytest.mark.parametrize("weights", ["all", 1, None])
def test_weights_are_a_list_or_named(cube: Study, weights: Any) -> None:
    answer = cube.analyst.post(f"/v1/datasets/{cube.dataset_id}/estimates", {"queries": [{"weights": weights}]})
    assert problem_code(answer) == "invalid-request", answer.text
    assert len(answer.json()["errors"]) == 1


@pytest.mark.parametrize("count", [0, 101])
def test_none_or_too_many_queries_are_refused(cube: Study, count: int) -> None:
    answer = cube.analyst.post(
        f"/v1/datasets/{cube.dataset_id}/estimates", {"queries": [{"of": {"labels": RICH}}] * count}
    )
    assert problem_code(answer) == "invalid-request"
