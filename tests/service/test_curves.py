"""Widths, prices and odds at many values of epsilon in one answer, free."""

from __future__ import annotations

import math
from typing import Any

import pytest
from scipy import special

from service.schemas.plans import MAX_CURVE_EPSILONS
from tests.harness.server import Party, problem_code

ASKED: dict[str, Any] = {
    "prior": [1, 1, 1],
    "data": {"kind": "counts", "counts": [30, 200, 770]},
    "epsilons": ["0.1", "0.2", "0.5", "1"],
    "delta": "1e-6",
    "shares": [0],
}


def test_curves_show_widths_prices_and_odds(analyst: Party) -> None:
    answer = analyst.post("/v1/curves", ASKED)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["shares"], found["level"]) == ([0], 0.95)
    curves = {curve["kind"]: curve for curve in found["mechanisms"]}
    for kind in ("simplex_geometric", "laplace", "gaussian"):
        points = curves[kind]["points"]
        assert [point["epsilon"] for point in points] == ASKED["epsilons"]
        widths = [point["widths"][0] for point in points]
        assert widths == sorted(widths, reverse=True)
        assert widths[-1] > 0.95 * found["widths_without_noise"][0]
        for point in points:
            assert point["odds"] == pytest.approx(math.exp(float(point["certified"]["epsilon"])))
            assert float(point["certified"]["epsilon"]) <= float(point["epsilon"])
    exponential = curves["exponential"]
    assert exponential["points"] == []
    assert "search" in exponential["unavailable_reason"]


def test_a_point_is_asked_for_and_charged_as_it_says(analyst: Party) -> None:
    several = ASKED | {"records_per_unit": 3}
    curve = analyst.post("/v1/curves", several).json()["mechanisms"][0]
    plan = {name: value for name, value in several.items() if name != "epsilons"} | {"epsilon": "0.5"}
    option = analyst.post("/v1/plans", plan).json()["options"][0]
    point = curve["points"][2]
    assert (point["mechanism"], point["certified"]) == (option["mechanism"], option["certified"])
    assert point["widths"][0] == pytest.approx(option["widths"][0]["expected"], rel=0.1)


def test_the_interval_of_a_rare_share_is_not_the_guess_plus_or_minus_half_its_width(analyst: Party) -> None:
    """3 of 1 400: exact counts give the interval of Beta(4, 1398), and much noise leaves far more above than below."""
    asked = ASKED | {"prior": [1, 1], "data": {"kind": "counts", "counts": [3, 1397]}, "epsilons": ["0.1", "10"]}
    for share, ends in (([0], lambda pair: pair), ([1], lambda pair: [1 - each for each in reversed(pair)])):
        found = analyst.post("/v1/curves", asked | {"shares": share}).json()
        exact = special.betaincinv(4, 1398, [0.025, 0.975]).tolist()
        [interval] = found["intervals_without_noise"]
        assert ends([interval["low"], interval["high"]]) == pytest.approx(exact)
        curve = found["mechanisms"][0]
        noisy, close = (ends([each["intervals"][0][end] for end in ("low", "high")]) for each in curve["points"])
        assert close == pytest.approx(exact, rel=0.05)
        assert noisy[0] >= 0
        assert noisy[1] - 3 / 1400 > 3 * (3 / 1400 - noisy[0])
        assert noisy[1] - noisy[0] == pytest.approx(curve["points"][0]["widths"][0])


TRIAL: dict[str, Any] = {
    "prior": [1] * 4,
    "data": {"kind": "counts", "counts": [40, 3960, 160, 3840]},
    "attributes": [{"name": "vaccine", "levels": ["yes", "no"]}, {"name": "ill", "levels": ["yes", "no"]}],
    "epsilons": ["0.1", "1", "40"],
    "shares": [{"ill": ["yes"]}],
}


def test_a_share_within_a_group_is_as_wide_as_its_own_two_counts_give(analyst: Party) -> None:
    """The risk of illness among the vaccinated: at almost no noise that of a Beta distribution of its two counts."""
    answer = analyst.post("/v1/curves", TRIAL | {"given": {"vaccine": ["yes"]}})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    low, high = special.betaincinv(41, 3961, [0.025, 0.975])
    assert found["widths_without_noise"] == pytest.approx([high - low])
    for curve in found["mechanisms"]:
        widths = [point["widths"][0] for point in curve["points"]]
        assert widths == sorted(widths, reverse=True)
        assert not widths or widths[-1] == pytest.approx(high - low, rel=0.03)
    whole = analyst.post("/v1/curves", TRIAL).json()
    assert whole["widths_without_noise"][0] == pytest.approx(
        special.betaincinv(202, 7802, 0.975) - special.betaincinv(202, 7802, 0.025)
    )
    plan = {name: value for name, value in TRIAL.items() if name != "epsilons"} | {"given": {"vaccine": ["yes"]}}
    (width,) = analyst.post("/v1/plans", plan | {"epsilon": "0.1"}).json()["options"][0]["widths"]
    assert width["without_noise"] == pytest.approx(high - low)
    assert width["expected"] == pytest.approx(found["mechanisms"][0]["points"][0]["widths"][0], rel=0.1)


@pytest.mark.parametrize(
    "change",
    [
        {"given": {"vaccine": ["maybe"]}}, {"given": {"ill": ["no"]}}, {"given": {"ill": ["yes"]}},
        {"given": {"vaccine": ["yes"]}, "shares": []}, {"given": 0},
    ],
)  # fmt: skip
def test_a_group_that_makes_no_share_is_refused(analyst: Party, change: dict[str, Any]) -> None:
    assert problem_code(analyst.post("/v1/curves", TRIAL | change)) == "invalid-request"


def test_sizes_alone_and_thirty_epsilons_are_the_default(analyst: Party) -> None:
    asked = {"prior": [1, 1], "data": {"kind": "shape", "shape": "falling", "record_count": 1000}}
    found = analyst.post("/v1/curves", asked)
    assert len(found.json()["mechanisms"][0]["points"]) == 30
    assert analyst.post("/v1/curves", asked).content == found.content


@pytest.mark.parametrize(
    "change",
    [
        {"epsilons": []}, {"epsilons": ["1", "0.5"]}, {"epsilons": ["0.5", "0.5"]}, {"epsilons": ["0"]},
        {"epsilons": [f"{each + 1}" for each in range(MAX_CURVE_EPSILONS + 1)]}, {"shares": [3]}, {"shares": [0] * 5},
        {"prior": [1, 1]}, {"level": 1}, {"prior": [1] * 1001, "data": {"kind": "counts", "counts": [1] * 1001}},
        {"data": {"kind": "counts", "counts": [-1, 2, 3]}}, {"surplus": 1},
    ],
)  # fmt: skip
def test_what_is_no_question_is_refused(analyst: Party, change: dict[str, Any]) -> None:
    assert problem_code(analyst.post("/v1/curves", ASKED | change)) == "invalid-request"
