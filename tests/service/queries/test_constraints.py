"""The second interval, for non-negative integer counts that sum to n, over a socket: labelled, off by default, and with
a reason if it is unavailable.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.server import Party
from tests.service.conftest import Study, make_study
from tests.service.queries.test_measured import POOR, asked, spent
from tests.service.queries.test_queries import CUBE, RICH, release

OVERLAPPING = ["20s rich", "20s poor"]


@pytest.fixture
def cube(owner: Party, analyst: Party) -> Study:
    return make_study(owner, analyst, **CUBE)


def quoted(study: Study, *queries: dict[str, Any], **changes: Any) -> list[dict[str, Any]]:
    body = {"queries": list(queries)} | changes
    answer = study.analyst.post(f"/v1/datasets/{study.dataset_id}/query-quotes", body)
    assert answer.status_code == 200, answer.text
    return [each["from_history"] for each in answer.json()["answers"]]


def test_measured_sets_say_a_second_interval_where_they_are_nested_or_disjoint(cube: Study) -> None:
    queries = [{"of": {"labels": RICH}, "half_width": 60.0}, {"of": {"labels": ["40s rich"]}, "half_width": 60.0}]
    plain = asked(cube.analyst, cube, *queries, key="plain")
    assert [each["with_constraints"] for each in plain["answers"]] == [None, None]
    paid = spent(cube)
    found = asked(cube.analyst, cube, *queries, {"of": {"labels": RICH}}, key="constrained", constraints=True)
    assert (spent(cube), found["charged"]["epsilon"]) == (paid, "0")
    for answer in found["answers"]:
        told = answer["with_constraints"]
        low, high = told["interval"]["low"], told["interval"]["high"]
        assert told["unavailable_reason"] is None
        assert 0 <= low <= told["mean"] <= high <= 1680
        assert low.is_integer()
        narrower = told["interval"]["half_width"] < answer["interval"]["half_width"]
        assert told["narrower"] == ("with_constraints" if narrower else "estimate")
    assert found["answers"][0]["with_constraints"] == found["answers"][2]["with_constraints"]
    again = quoted(cube, *queries, constraints=True)
    assert [each["with_constraints"] for each in again] == [each["with_constraints"] for each in found["answers"][:2]]
    assert [each["with_constraints"] for each in quoted(cube, *queries)] == [None, None]
    # Twice the count of a set is one on another scale.
    [scaled] = quoted(
        cube, {"weights": {label: 2 if label in RICH else 0 for label in CUBE["labels"]}}, constraints=True
    )
    assert scaled["with_constraints"]["mean"] == pytest.approx(2 * again[0]["with_constraints"]["mean"])


def test_where_it_is_not_offered_it_is_said_why(cube: Study) -> None:
    asked(cube.analyst, cube, {"of": {"labels": RICH}, "half_width": 30.0}, key="rich")
    weighted = {"weights": {"20s rich": 1, "30s rich": 2}, "half_width": 90.0}
    found = asked(cube.analyst, cube, weighted, key="weighted", constraints=True)["answers"][0]["with_constraints"]
    assert (found["interval"], found["narrower"]) == (None, None)
    assert found["unavailable_reason"] == "it weighs categories differently, and is not a count of a set"
    [told] = quoted(cube, {"of": {"labels": RICH}}, constraints=True)
    assert told["with_constraints"]["unavailable_reason"].startswith(
        "a row that the estimate uses weighs categories differently"
    )


def test_overlapping_sets_are_not_offered(cube: Study) -> None:
    asked(
        cube.analyst,
        cube,
        {"of": {"labels": RICH}, "half_width": 60.0},
        {"of": {"labels": OVERLAPPING}, "half_width": 60.0},
    )
    [told] = quoted(cube, {"of": {"labels": RICH}}, constraints=True)
    assert (
        told["with_constraints"]["unavailable_reason"]
        == "the estimate uses overlapping sets: only nested and disjoint sets can be used"
    )


def test_a_quote_from_posterior_releases_says_what_pooling_them_gives_and_which_is_narrower(cube: Study) -> None:
    releases = [release(cube, kind="simplex_geometric", epsilon=epsilon) for epsilon in ("0.3", "0.15")]
    [answer] = quoted(cube, {"of": {"labels": ["40s rich"]}})
    told = answer["with_constraints"]
    assert told["unavailable_reason"] is None
    assert abs(told["mean"] - 30) < 10 * told["standard_deviation"]
    assert told["interval"]["low"] >= 0
    narrower = told["interval"]["half_width"] < answer["interval"]["half_width"]
    assert told["narrower"] == ("with_constraints" if narrower else "estimate")
    # The posterior of the share has the mean (count + 1) / (1680 + 9).
    body = {"release_ids": [each["id"] for each in releases], "prior": [1] * 9}
    pooled = cube.analyst.post("/v1/posteriors", body)
    assert pooled.status_code == 200, pooled.text
    share = pooled.json()["categories"][-1]["mean"]
    assert share == pytest.approx((told["mean"] + 1) / 1689, rel=1e-6)
    assert [each["with_constraints"] for each in quoted(cube, {"of": {"labels": ["40s rich"]}}, constraints=False)] == [
        None
    ]
    measured = asked(cube.analyst, cube, {"of": {"labels": POOR}, "half_width": 22.0}, constraints=True)["answers"][0]
    assert "posterior releases" in measured["with_constraints"]["unavailable_reason"]
