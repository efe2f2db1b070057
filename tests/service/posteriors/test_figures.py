"""The figures of answers from releases: probabilities, quantiles and intervals. Nothing is served."""

from __future__ import annotations

from typing import Any

import pytest

from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from service.posteriors.comparisons import compare
from service.posteriors.read_releases import ReadRelease
from service.schemas.posteriors import ComparisonCreate, NoiseAwarePosterior
from tests.harness.asked import summarised
from tests.harness.bodies import of_releases, share


def release_of(noisy: tuple[int, ...], prior: float, epsilon: str, *, name: str = "a") -> ReadRelease:
    """A release that has drawn these counts."""
    event = SimplexGeometric(sum(noisy), len(noisy), Epsilon.parse(epsilon))
    labels = [f"cell {index}" for index in range(len(noisy))]
    drawn = NoisyCounts(noisy, noisy)
    return ReadRelease("rel_" + 26 * name, event, labels, [prior] * len(noisy), drawn, "title", "subtitle")


def test_the_probability_that_a_much_smaller_share_is_greater_is_not_0_and_has_its_own_error() -> None:
    first, second = (release_of((300, 600, 300, 800), 1.0, "1", name=name) for name in "ab")
    sides = [
        of_releases(release.id) | share(f"cell {cell}", within=[f"cell {cell}", "cell 3", "cell 2"])
        for release, cell in ((first, 0), (second, 1))
    ]
    request = ComparisonCreate.model_validate({"first": sides[0], "second": sides[1], "contrast": "difference"})
    found = compare([first], [second], request)
    assert found.contrast is not None
    assert found.contrast.above is not None
    for each in (found, found.contrast.above):
        assert 0.0 < each.probability < 1e-4
        assert 0.0 < each.error < 1e-4
        assert (each.method, each.draws) == ("simulation", found.draws)
        assert found.draws is not None


def summary(release: ReadRelease, **asked: Any) -> NoiseAwarePosterior:
    found = summarised(release, **asked)
    assert isinstance(found, NoiseAwarePosterior)
    return found


def test_the_median_of_a_conditional_share_of_equal_large_arms_is_answered() -> None:
    """The release of a two by two table with equal counts, asked as the console asks."""
    events = [
        {"kind": "share", **share("cell 0", within=["cell 0", "cell 1"])},
        {"kind": "share", **share("cell 2", within=["cell 2", "cell 3"])},
    ]
    for noisy in ((200_000,) * 4, (100_001, 100_001, 99_998, 100_000), (1_000_000, 1_000_000, 999_998, 1_000_002)):
        for event in summary(release_of(noisy, 1.0, "2"), quantiles=[0.5], questions=events).answers:
            assert event.quantiles[0].value == pytest.approx(0.5, abs=0.01)


def _questions(*, among: list[str] | None, kinds: tuple[str, ...]) -> list[dict[str, Any]]:
    """Shares of the first cell and of two, and contrasts of the first with the third."""
    first, second = (share(f"cell {cell}", within=among or [f"cell {cell}", f"cell {cell + 1}"]) for cell in (0, 2))
    return [
        {"kind": "share", **first},
        {"kind": "share", **share("cell 0", "cell 3")},
        *({"kind": kind, "first": first, "second": second} for kind in kinds),
    ]


def assert_intervals_hold(release: ReadRelease, kinds: tuple[str, ...]) -> None:
    level, prior = 0.95, release.prior
    asked = _questions(among=None, kinds=kinds)
    asked += _questions(among=["cell 0", "cell 1", "cell 2"], kinds=kinds[:2])
    answered = [
        event for each in asked for event in summary(release, prior=prior, level=level, questions=[each]).answers
    ]
    for question, event in zip(asked, answered, strict=True):
        low, high = event.interval.low, event.interval.high
        assert high is not None or question["kind"] in {"ratio", "odds_ratio"}
        # A threshold is at most a million.
        ends = [low] if high is None or high > 1e6 else [low, high]
        events = summary(release, prior=prior, questions=[{**question, "above": end} for end in ends]).answers
        held = [event.above.probability for event in events if event.above is not None]
        least = level if len(held) == 2 else 0.5 * (1.0 + level)
        assert held[0] - sum(held[1:]) >= least, (question, low, high)
    categories = summary(release, prior=prior, level=level).categories
    questions = [
        {"kind": "share", **share(f"cell {cell}"), "above": end}
        for cell, each in enumerate(categories)
        for end in (each.interval.low, each.interval.high)
    ]
    answers = summary(release, prior=prior, questions=questions).answers
    found = [each.above.probability for each in answers if each.above is not None]
    for cell in range(len(categories)):
        assert found[2 * cell] - found[2 * cell + 1] >= level, cell


@pytest.mark.long
def test_an_interval_of_an_empty_cell_has_at_least_its_level_by_the_probabilities_of_the_service() -> None:
    assert_intervals_hold(release_of((2, 0, 2, 0), 0.001, "8"), ("ratio",))


@pytest.mark.long
@pytest.mark.parametrize("prior", [0.001, 0.03, 1.0])
@pytest.mark.parametrize("noisy", [(0, 5, 9, 4), (6, 0, 6, 0), (0, 0, 0, 12)])
def test_intervals_have_at_least_their_level_by_the_probabilities_of_the_service(
    prior: float, noisy: tuple[int, ...]
) -> None:
    assert_intervals_hold(release_of(noisy, prior, "8"), ("difference", "ratio", "odds_ratio"))


def test_a_conditional_share_lies_between_two_values_as_often_as_above_one_and_not_the_other() -> None:
    within = share("cell 0", within=["cell 0", "cell 1"])
    questions = [
        {"kind": "share", **within, "between": {"low": 0.45, "high": 0.5}},
        {"kind": "share", **within, "above": 0.45},
        {"kind": "share", **within, "above": 0.5},
    ]
    methods = []
    for noisy, epsilon in (((30, 31, 40, 50), "1"), ((200_000,) * 4, "0.01")):
        first, *others = summary(release_of(noisy, 1.0, epsilon), questions=questions).answers
        between, (above, beyond) = first.between, [each.above for each in others]
        assert between is not None
        assert above is not None
        assert beyond is not None
        assert between.probability == pytest.approx(above.probability - beyond.probability, abs=1e-4)
        assert between.probability > 0.01
        assert between.error >= above.error > 0
        methods.append(between.method)
    assert set(methods) == {"exact", "simulation"}
