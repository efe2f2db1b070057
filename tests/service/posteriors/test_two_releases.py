"""The figures of a trial with a release for each group."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from service.posteriors.comparisons import compare
from service.posteriors.read_releases import ReadRelease
from service.schemas.posteriors import Comparison, ComparisonCreate, NoiseAwarePosterior
from tests.harness.asked import summarised
from tests.harness.bodies import of_releases, share

ARMS = ((33, 200_712), (110, 201_119))
"""The released counts of ill and well in each of two arms."""


def release_of(noisy: tuple[int, ...], epsilon: str, name: str) -> ReadRelease:
    event = SimplexGeometric(sum(noisy), len(noisy), Epsilon.parse(epsilon))
    labels = ["ill", "well"] if len(noisy) == 2 else [f"{arm} · {is_ill}" for arm in "ab" for is_ill in ("ill", "well")]
    drawn = NoisyCounts(noisy, noisy)
    return ReadRelease(
        f"rel_{26 * name}", event, labels, [1.0] * len(noisy), drawn, "", "", dataset_id=name, budget_id=name
    )


def compared(first: ReadRelease, second: ReadRelease, **asked: Any) -> Comparison:
    sides = [of_releases(each.id) | share("ill") for each in (first, second)]
    body = {"first": sides[0], "second": sides[1], "trial": True} | asked
    return compare([first], [second], ComparisonCreate.model_validate(body))


def test_a_trial_with_a_release_for_each_group_has_the_figures_of_a_report() -> None:
    """Each arm alone: nearly the trial of one data set with both, whose noise is of the same size."""
    first, second = (release_of(arm, "0.5", name) for arm, name in zip(ARMS, "ab", strict=True))
    effect = {"measure": "efficacy", "above": 0.3}
    found = compared(first, second, effect=effect)
    assert (found.people, found.contrast) == ("different", None)
    assert found.trial is not None
    assert found.trial.first.mean == pytest.approx(found.first_mean)
    assert found.trial.second.mean == pytest.approx(found.second_mean)
    assert found.trial.difference.above is not None
    assert abs(found.trial.difference.above.probability - found.probability) <= found.trial.difference.error
    assert found.trial.log_odds_ratio is not None
    assert found.trial.log_odds_ratio.mean == pytest.approx(math.log(33 / 200_745 / (110 / 201_229)), abs=0.05)
    assert found.trial.number_needed is not None
    assert found.trial.number_needed.direction == "fewer"
    assert found.trial.effect is not None
    assert found.trial.effect.probability > 0.99
    asked = {
        "outcome": {"labels": ["a · ill", "b · ill"]}, "first": {"labels": ["a · ill", "a · well"]},
        "second": {"labels": ["b · ill", "b · well"]},
    }  # fmt: skip
    within = summarised(release_of(ARMS[0] + ARMS[1], "0.5", "c"), trial=asked)
    assert isinstance(within, NoiseAwarePosterior)
    assert within.trial is not None
    assert found.trial.ratio.median == pytest.approx(within.trial.ratio.median, rel=0.05)
    assert found.trial.efficacy.interval.low == pytest.approx(within.trial.efficacy.interval.low, abs=0.1)


def test_two_releases_of_one_table_give_the_trial_of_their_pool() -> None:
    """Their groups are of the same people, so that both risks have one posterior."""
    noisy = (30, 970, 60, 940)
    first, second = (release_of(noisy, "0.5", name) for name in "ab")
    second = replace(second, dataset_id=first.dataset_id)
    sides = [
        of_releases(each.id) | share(f"{arm} · ill", within=[f"{arm} · ill", f"{arm} · well"])
        for each, arm in zip((first, second), "ab", strict=True)
    ]
    body = {"first": sides[0], "second": sides[1], "trial": True, "contrast": "ratio"}
    found = compare([first], [second], ComparisonCreate.model_validate(body))
    assert found.people == "same"
    assert found.trial is not None
    assert found.trial.ratio == found.contrast
    assert found.trial.number_needed is not None


def test_two_data_sets_are_compared_as_these_records() -> None:
    first, second = (release_of(arm, "2", name) for arm, name in zip(((30, 970), (31, 969)), "ab", strict=True))
    sides = {
        side: {"sources": [{"kind": "release", "release_id": each.id}], **share("ill")}
        for side, each in (("first", first), ("second", second))
    }
    body = {**sides, "contrast": "difference", "trial": True, "about": "records"}
    found = compare([first], [second], ComparisonCreate.model_validate(body))
    assert found.equal is not None
    assert 0.1 < found.equal < 0.5
    assert found.undefined == 0.0
    assert "The comparison is about these records alone, not about people like these." in found.notes
    assert found.contrast is not None
    assert found.contrast.above is not None
    assert found.contrast.above.probability == found.probability
    # Noise of a scale of half a record moves the difference by few records.
    assert (found.contrast.interval.high or 1) - (found.contrast.interval.low or 0) < 0.01
    assert found.trial is not None
    assert found.trial.log_odds_ratio is None


def test_an_effect_belongs_to_a_trial() -> None:
    sides = {side: of_releases("rel_" + 26 * "a") | share("ill") for side in ("first", "second")}
    with pytest.raises(ValidationError, match="must have `trial` true"):
        ComparisonCreate.model_validate(sides | {"effect": {"measure": "ratio", "below": 1.0}})
