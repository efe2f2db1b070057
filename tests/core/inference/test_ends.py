"""Quantiles and interval ends of all kinds of questions, against sums over all histograms in SciPy.

Priors from 0.001 to 10, empty cells, and arms that are equal or nearly equal. `python -m pytest -m long -rP
tests/core/inference/test_ends.py` compares 10 000 quantiles and 10 000 intervals, and prints the worst of each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pytest

from core.inference.beta_pairs import BetaPairs
from core.inference.contrast_scales import Contrast
from core.inference.distribution import CEILING, FLOOR, Distribution
from core.inference.events import Answered, Share, contrast_distribution, share_distribution
from core.inference.mixture import BetaMixture
from core.inference.quantiles import intervals, quantiles
from core.mechanisms.geometric.mechanism import rehearse
from core.roots import where_tail_is
from core.samplers.reproducible import Reproducible
from tests.core.inference.contrast_cases import (
    Case,
    Released,
    Tail,
    cells,
    in_double_precision,
    question,
    random_case,
)

LEVELS: Final = (0.5, 0.8, 0.95, 0.99, 0.999)
AGREEMENT: Final = 1e-9
"""Largest difference of two methods, in probability. Each is accurate to about 1e-10."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its answer, and the probability below a value by another method."""

    what: str
    answer: Answered
    share: tuple[Released, Share] | None = None
    case: Case | None = None

    def above(self, at: float) -> float:
        """The probability above a value, by enumeration."""
        low, high = self.answer.distribution.range
        if at <= low or at >= high:
            return float(at <= low)
        if self.case is not None:
            return in_double_precision(question(self.case, at))
        assert self.share is not None
        released, share = self.share
        base = frozenset(range(len(released.noisy))) if share.given is None else share.given
        weights, (a, b) = released.concentrations(share.cells & base, base - share.cells)
        return in_double_precision(Tail(a, b, weights, at, 1.0 - at))


def evened(released: Released, rng: np.random.Generator) -> Released:
    """The same release with equal or nearly equal counts in all cells, under equal priors."""
    each = sum(released.noisy) // len(released.noisy)
    noisy = np.full(len(released.noisy), each)
    noisy[0] += sum(released.noisy) - noisy.sum()
    return replace(released, noisy=tuple(noisy.tolist()), prior=(float(rng.choice(released.prior)),) * len(noisy))


def random_question(rng: np.random.Generator) -> Question:
    """A share of one cell or two, a conditional share, or a contrast; one in three with equal or nearly equal arms."""
    case = random_case(rng, most=14)
    if rng.random() < 1 / 3:
        case = replace(case, releases=tuple(evened(each, rng) for each in case.releases))
    if rng.random() < 0.4:
        return Question(f"{case.contrast} ({case.kind})", case.answer(), case=case)
    released = case.releases[0]
    m = len(released.noisy)
    kinds = {"share": Share(cells(int(rng.integers(m))))}
    if m > 2:
        kinds |= {"share of two": Share(cells(0, 1)), "conditional share": Share(cells(1), cells(1, 2))}
    what = list(kinds)[int(rng.integers(len(kinds)))]
    return Question(what, share_distribution(released.posterior(), kinds[what]), share=(released, kinds[what]))


def assert_quantiles_are_right(rng: np.random.Generator, cases: int) -> None:
    worst: dict[str, float] = {}
    for _ in range(cases):
        asked = random_question(rng)
        probability = float(rng.choice([1e-6, 0.025, 0.25, 0.5, 0.5, 0.5, 0.75, 0.975, 1.0 - 1e-6, rng.random()]))
        found = asked.answer.distribution.quantile(probability)
        # The quantile is rounded: a float, and not below the floor.
        step = 2.0 * max(float(np.spacing(abs(found))), FLOOR)
        above = asked.above(found - step) if found < CEILING else 1.0
        below = 1.0 - asked.above(found + step) if found < CEILING else 1.0
        wrong = max((1.0 - probability) - above, probability - below)
        worst[asked.what] = max(worst.get(asked.what, 0.0), wrong)
        assert wrong < AGREEMENT, (asked, probability, found, above, below)
    print(f"{cases} quantiles, worst difference in probability: {worst}")  # noqa: T201  shown by pytest -rP


def assert_intervals_hold_their_level(rng: np.random.Generator, cases: int) -> None:
    least: dict[str, float] = {}
    for _ in range(cases):
        asked, level = random_question(rng), float(rng.choice(LEVELS))
        distribution = asked.answer.distribution
        low, high = distribution.interval(level)
        held = distribution.survival(low) - distribution.survival(high)
        assert held >= level, (asked, level, low, high, held)
        if isinstance(distribution, BetaMixture):
            ((low_of_all, high_of_all),) = intervals([distribution], level).tolist()
            held = distribution.survival(low_of_all) - distribution.survival(high_of_all)
            assert held >= level, (asked, level, low_of_all, high_of_all, held)
        by_enumeration = asked.above(low) - asked.above(high)
        assert by_enumeration >= level - AGREEMENT, (asked, level, low, high, by_enumeration)
        least[asked.what] = min(least.get(asked.what, 1.0), by_enumeration - level)
        # No wider than rounding makes it.
        tail = 0.5 * (1.0 - level) * (1.0 - 1e-6) - AGREEMENT - asked.answer.error
        inner_low = max(low + 16.0 * float(np.spacing(abs(low))), 2.0 * FLOOR if abs(low) <= FLOOR else low)
        assert 1.0 - asked.above(inner_low) >= tail, (asked, level, low)
        if high <= CEILING:
            inner_high = high - 16.0 * float(np.spacing(abs(high))) if abs(high) > FLOOR else -2.0 * FLOOR
            assert asked.above(inner_high) >= tail, (asked, level, high)
    print(f"{cases} intervals, least probability above the level, by enumeration: {least}")  # noqa: T201  as above


def test_quantiles_are_those_of_an_enumeration_under_small_priors_and_for_equal_arms() -> None:
    assert_quantiles_are_right(np.random.default_rng(1), 20)


def test_intervals_hold_their_level_by_their_own_probability_and_by_enumeration() -> None:
    assert_intervals_hold_their_level(np.random.default_rng(2), 20)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(20))
def test_ten_thousand_quantiles_are_those_of_an_enumeration(part: int) -> None:
    assert_quantiles_are_right(np.random.default_rng(100 + part), 500)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(20))
def test_ten_thousand_intervals_hold_their_level(part: int) -> None:
    assert_intervals_hold_their_level(np.random.default_rng(200 + part), 500)


def test_an_interval_of_a_nearly_empty_cell_under_a_small_prior_begins_at_0() -> None:
    """More than half of the probability lies below 1e-300."""
    share = Released((0, 10, 20), "8", (0.001, 0.001, 0.001)).posterior().share(0)
    low, high = share.interval(0.95)
    assert low == 0.0
    assert share.survival(low) - share.survival(high) >= 0.95
    assert share.quantile(0.3) == quantiles([share], [0.3])[0, 0] == 0.0


def test_intervals_found_together_hold_their_level_where_most_of_a_share_is_near_0() -> None:
    mixture = BetaMixture(0.011397, 5.734091, 0, np.array([0.95474415, 0.02573382, 0.01952203]), 3.722694)
    ((low, high),) = intervals([mixture], 0.5).tolist()
    assert mixture.survival(low) - mixture.survival(high) >= 0.5


def test_a_ratio_has_no_upper_end_if_its_divisor_may_be_0() -> None:
    posterior = Released((5, 5, 0, 6), "8", (0.001, 0.001, 0.001, 0.001)).posterior()
    first, second = Share(cells(0), cells(0, 1)), Share(cells(2), cells(2, 3))
    for contrast in (Contrast.RATIO, Contrast.ODDS_RATIO):
        distribution = contrast_distribution(posterior, first, second, contrast).distribution
        low, high = distribution.interval(0.95)
        assert low > 0.0
        assert math.isinf(high)
        assert distribution.survival(low) >= 0.95
        assert distribution.quantile(0.975) == CEILING


@pytest.mark.parametrize(
    "count", [200_000, *(pytest.param(each, marks=pytest.mark.long) for each in (100_000, 1_000_000, 10**9, 10**12))]
)
@pytest.mark.parametrize("nearly", [0, 1, 2])
def test_the_median_of_a_share_of_equal_or_nearly_equal_large_arms_is_found(count: int, nearly: int) -> None:
    """Rounding at the median is larger than the distance to it."""
    released = Released((count + nearly, count - nearly, count, count), "2", (1.0,) * 4)
    distribution = share_distribution(released.posterior(), Share(cells(0), cells(0, 1))).distribution
    assert isinstance(distribution, BetaPairs)
    median = distribution.quantile(0.5)
    assert abs(median - 0.5) < 1.0 / math.sqrt(count)
    assert distribution.cdf(median) == pytest.approx(0.5, abs=1e-7 if count > 10**11 else 1e-10)
    assert_the_interval_holds(distribution)
    between = contrast_distribution(
        released.posterior(), Share(cells(0), cells(0, 1)), Share(cells(2), cells(2, 3)), Contrast.DIFFERENCE
    ).distribution
    assert abs(between.quantile(0.5)) < 1.0 / math.sqrt(count)
    assert_the_interval_holds(between)


def assert_the_interval_holds(distribution: Distribution) -> None:
    low, high = distribution.interval(0.95)
    assert distribution.survival(low) - distribution.survival(high) >= 0.95


def test_medians_of_releases_of_equal_large_arms_are_found() -> None:
    for seed in range(4):
        released = Released((200_000,) * 4, "2", (1.0,) * 4)
        drawn = rehearse(np.array(released.noisy), released.event, Reproducible(seed).entropy())
        posterior = replace(released, noisy=drawn.noisy).posterior()
        for first, second in ((0, 1), (2, 3)):
            share = Share(cells(first), cells(first, second))
            assert share_distribution(posterior, share).distribution.quantile(0.5) == pytest.approx(0.5, abs=0.01)


def test_a_root_among_rounding_is_found_in_few_steps() -> None:
    """A tail that is flat but for noise around the root, which is at 0."""
    steps = 0

    def tail_at(position: float) -> float:
        nonlocal steps
        steps += 1
        return 0.5 * (1.0 + 3e-12 * math.cos(1e20 * position)) - 1e-3 * position

    assert abs(where_tail_is(0.5, tail_at, -30.0, 30.0, tolerance=1e-300)) < 1e-7
    assert steps < 100
    assert where_tail_is(0.9, tail_at, -30.0, 30.0) == -30.0
    assert where_tail_is(0.1, tail_at, -30.0, 30.0) == 30.0


def test_draws_beyond_an_interval_are_no_more_than_its_level_allows() -> None:
    """Two shares with a common cell, one of whose cells is nearly empty."""
    posterior = Released((0, 7, 9), "2", (0.01, 0.5, 1.0)).posterior()
    for contrast in Contrast:
        found = contrast_distribution(posterior, Share(cells(0, 1)), Share(cells(1), cells(1, 2)), contrast)
        assert found.method == "simulation"
        for level in LEVELS:
            low, high = found.distribution.interval(level)
            assert found.above(low).value - found.above(high).value >= level
