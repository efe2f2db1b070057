"""Contrasts under small priors, where much of the probability lies closer to 0 or 1 than any float.

`python -m pytest -m long -rP tests/core/inference/test_contrasts.py` runs the large samples, in an hour.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.inference.beta_pairs import BetaPairs
from core.inference.contrast_scales import Contrast
from core.inference.contrasts import TwoShareContrast
from core.inference.distribution import CEILING
from core.inference.events import (
    Share,
    contrast_between,
    contrast_distribution,
    greater_between,
    share_distribution,
)
from core.samplers.reproducible import Reproducible
from tests.core.inference.contrast_cases import (
    NEARLY_EMPTY,
    Case,
    Released,
    cells,
    furthest_corner,
    in_double_precision,
    in_thirty_digits,
    question,
    random_case,
    threshold,
)

_FURTHEST_CORNER = 30.0


def range_of(case: Case) -> tuple[float, float]:
    if case.contrast is Contrast.DIFFERENCE:
        return (0.0, 1.0) if case.kind == "nested" else (-1.0, 1.0)
    return (1.0, math.inf) if case.kind == "nested" else (0.0, math.inf)


def hold(cases: list[Case], rng: np.random.Generator, *, at_each: int) -> tuple[float, int]:
    """The largest error of an exact answer beside its stated error, and the number of answers by draws."""
    worst, drawn = 0.0, 0
    for case in cases:
        answer = case.answer()
        for t in [threshold(case, answer, rng) for _ in range(at_each)]:
            low, high = range_of(case)
            exact = float(t <= low) if not low < t < high else in_double_precision(question(case, t))
            error = abs(answer.distribution.survival(t) - exact)
            assert error <= answer.error, (case, t, exact, error)
            if answer.method == "exact":
                worst = max(worst, error / answer.error)
        drawn += answer.method == "simulation"
    return worst, drawn


def test_contrasts_are_as_exact_as_they_say() -> None:
    rng = np.random.default_rng(31)
    worst, drawn = hold([random_case(rng, most=12) for _ in range(40)], rng, at_each=1)
    assert 0.0 < worst <= 1.0
    assert drawn < 15


@pytest.mark.long
@pytest.mark.timeout(3 * 3600)
@pytest.mark.parametrize("seed", range(100, 110))
def test_a_thousand_contrasts_are_as_exact_as_they_say(seed: int) -> None:
    """Ten thousand, in ten parts."""
    rng = np.random.default_rng(seed)
    cases = [random_case(rng, most=int(rng.choice([6, 30, 30, 100]))) for _ in range(1000)]
    worst, drawn = hold(cases, rng, at_each=2)
    print(f"largest error of an exact answer: {worst:.3f} of the stated one; {drawn} were drawn")  # noqa: T201  read with -rP


def corner_case(rng: np.random.Generator) -> Case:
    """Few records, nearly all in one cell, and the smallest priors."""

    def released(m: int) -> Released:
        noisy = np.zeros(m, dtype=np.int64)
        noisy[int(rng.integers(m))] = int(rng.integers(1, 4))
        prior = rng.choice([0.001, 0.02, 0.3, 10.0], m).tolist()
        return Released(tuple(noisy.tolist()), str(rng.choice(["0.5", "5", "40"])), tuple(prior))

    if rng.random() < 0.6:
        return Case("between", list(Contrast)[int(rng.integers(3))], (released(2), released(2)))
    return Case("disjoint bases", list(Contrast)[int(rng.integers(3))], (released(4),))


def hold_in_thirty_digits(cases: list[Case], rng: np.random.Generator) -> float:
    worst = 0.0
    for case in cases:
        answer = case.answer()
        low, high = range_of(case)
        t, corner = low, math.inf
        # The number of nodes grows with how far the integrand bends from the middle.
        while not low < t < high or corner > _FURTHEST_CORNER:
            t = threshold(case, answer, rng)
            corner = furthest_corner(question(case, t)) if low < t < high else math.inf
        exact = in_thirty_digits(question(case, t), min(1.0 / 24.0, 0.4 / max(corner, 1.0)))
        error = abs(answer.distribution.survival(t) - exact)
        assert error <= answer.error, (case, t, exact, error)
        if answer.method == "exact":
            worst = max(worst, error)
    return worst


def test_contrasts_in_the_worst_corners_equal_thirty_digits() -> None:
    quoted = Case("between", Contrast.RATIO, QUOTED)
    question_at_one = question(quoted, 1.0)
    assert quoted.answer().distribution.survival(1.0) == pytest.approx(in_double_precision(question_at_one), abs=1e-11)
    rng = np.random.default_rng(33)
    hold_in_thirty_digits([corner_case(rng) for _ in range(2)], rng)


@pytest.mark.long
@pytest.mark.timeout(3 * 3600)
def test_three_hundred_contrasts_equal_thirty_digits() -> None:
    rng = np.random.default_rng(34)
    cases = [corner_case(rng) for _ in range(200)] + [random_case(rng, most=5) for _ in range(100)]
    print(f"largest error of an exact answer: {hold_in_thirty_digits(cases, rng):.1e}")  # noqa: T201  read with -rP


QUOTED = Released((20, 0), "20", (1.0, 0.02)), Released((30, 0), "20", (1.0, 0.02))


@pytest.mark.parametrize("contrast", list(Contrast))
def test_a_contrast_is_above_that_of_equal_shares_as_often_as_one_share_is_above_the_other(contrast: Contrast) -> None:
    first, second = ((each.posterior(), Share(cells(0))) for each in QUOTED)
    greater, answer = greater_between(first, second), contrast_between(first, second, contrast)
    assert greater.value == pytest.approx(0.496, abs=5e-4)
    assert answer.distribution.survival(contrast.equal) == pytest.approx(greater.value, abs=1e-10)
    assert answer.error < 1e-9


def test_an_interval_of_an_odds_ratio_holds_what_it_says() -> None:
    case = Case("between", Contrast.ODDS_RATIO, QUOTED)
    low, high = case.answer().distribution.interval(0.95)
    assert in_double_precision(question(case, low)) == pytest.approx(0.975, abs=1e-10)
    assert in_double_precision(question(case, high)) == pytest.approx(0.025, abs=1e-10)


def test_the_ratio_of_a_set_to_one_of_its_cells_is_above_one() -> None:
    answer = contrast_distribution(NEARLY_EMPTY.posterior(), Share(cells(0, 1)), Share(cells(1)), Contrast.RATIO)
    assert answer.distribution.survival(1.0) == 1.0
    assert answer.distribution.mean is None


@pytest.mark.every(4)
@pytest.mark.parametrize("at", [-2.0, -1.0, 0.0, 1.0, 2.0])
@pytest.mark.parametrize("contrast", list(Contrast))
def test_thresholds_at_the_ends_of_the_range_are_certain(contrast: Contrast, at: float) -> None:
    first, second = ((each.posterior(), Share(cells(0))) for each in QUOTED)
    posterior = NEARLY_EMPTY.posterior()
    shares = Share(cells(0), cells(0, 1)), Share(cells(0, 2), cells(0, 1, 2))
    for answer in (contrast_between(first, second, contrast), contrast_distribution(posterior, *shares, contrast)):
        low, high = (-1.0, 1.0) if contrast is Contrast.DIFFERENCE else (0.0, math.inf)
        if at <= low:
            assert (answer.distribution.survival(at), answer.distribution.cdf(at)) == (1.0, 0.0)
        elif at >= high:
            assert (answer.distribution.survival(at), answer.distribution.cdf(at)) == (0.0, 1.0)


@pytest.mark.every(5)
@pytest.mark.parametrize("level", [1e-6, 0.5, 0.999999, 1.0 - 1e-12])
@pytest.mark.parametrize("contrast", list(Contrast))
def test_intervals_at_all_levels_are_in_order_and_only_ratios_lack_an_upper_end(
    contrast: Contrast, level: float
) -> None:
    first, second = ((each.posterior(), Share(cells(1))) for each in QUOTED)
    distribution = contrast_between(first, second, contrast).distribution
    low, high = distribution.interval(level)
    assert -math.inf < low <= distribution.quantile(0.5) <= high
    assert math.isfinite(high) or contrast is not Contrast.DIFFERENCE
    assert isinstance(distribution, TwoShareContrast)
    assert np.isfinite(distribution.density(np.linspace(low, min(high, CEILING), 101))).all()


def test_a_conditional_share_of_nearly_empty_cells_is_near_its_ends() -> None:
    distribution = share_distribution(NEARLY_EMPTY.posterior(), Share(cells(0), cells(0, 1))).distribution
    assert isinstance(distribution, BetaPairs)
    assert distribution.cdf_of_logit(distribution.logit_of_tail(1e-9, upper=False)) == pytest.approx(1e-9, rel=1e-9)
    assert distribution.survival(0.0) == distribution.cdf(1.0) == 1.0
    assert distribution.cdf(0.0) == distribution.survival(1.0) == 0.0


def test_the_logarithm_of_an_odds_ratio_is_known_beyond_the_range_of_floats() -> None:
    """At priors of 0.001 and separate cells. The odds ratio itself rounds to 0."""
    x, y = (BetaPairs(*(np.array([value]) for value in (a, b, 1.0))) for a, b in ((0.001, 5.001), (3.001, 0.001)))
    odds_ratio = TwoShareContrast(x, y, None, Contrast.ODDS_RATIO)
    rng = Reproducible(3)
    (a, b), (c, d) = (rng.log_gammas(np.tile([each.a[0], each.b[0]], (40_000, 1))).T for each in (x, y))
    drawn = np.quantile(a - b - c + d, [0.05, 0.5, 0.95])
    found = [
        odds_ratio.end_of_coordinate(0.05, upper=False),
        odds_ratio.coordinate_of_tail(0.5, upper=False),
        odds_ratio.end_of_coordinate(0.05, upper=True),
    ]
    assert found == pytest.approx(drawn.tolist(), rel=0.03)
    assert found[1] < -1600
    assert odds_ratio.quantile(0.5) == 0.0
