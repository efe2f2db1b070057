"""Quantiles of many mixtures at once: against the search for one alone, and their probabilities against mpmath."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from core.inference.beta_pairs import BetaPairs
from core.inference.distribution import ProbabilityError
from core.inference.mixture import BetaMixture
from core.inference.quantiles import intervals_and_quantiles, quantiles

LEVELS = [1e-9, 0.025, 0.3, 0.5, 0.9, 0.975, 1 - 1e-9]


def mixture(prior: float, total: float, low: int, weights: list[float] | np.ndarray) -> BetaMixture:
    p = np.asarray(weights, dtype=np.float64)
    return BetaMixture(prior, total, low, p / p.sum())


def made_up() -> list[BetaMixture]:
    """Narrow and wide distributions of a count, one of a single count, two humps, steep ends, and shares of nearly 0 or
    1.
    """
    rng, steps = np.random.default_rng(2), np.arange(250)
    found = [mixture(1.0, 10.0**7, int(low), np.exp(-0.5 * np.abs(steps - 125))) for low in rng.integers(0, 9000, 40)]
    return [
        *found,
        mixture(0.5, 3.0, 0, [1.0, 2.0]),
        mixture(1.0, 12.0, 4, [1.0]),
        mixture(2.0, 1e4, 10, [1.0, *[0.0] * 800, 2.0]),
        mixture(1e-3, 100.0, 0, [0.9, 0.05, 0.05]),
        mixture(0.02, 20.04, 0, np.ones(21)),
        mixture(1.0, 1e15, 0, 0.5**steps),
        mixture(1e6, 3e6, 0, np.ones(1000)),
        mixture(1.0, 20_002.0, 0, np.ones(20_001)),
        BetaMixture(0.7, 1e9, 10**9 - 60, np.full(40, 1 / 40), rest=20.3),
    ]


def test_quantiles_found_together_are_those_found_alone() -> None:
    mixtures = made_up()
    found = quantiles(mixtures, LEVELS)
    for distribution, row in zip(mixtures, found, strict=True):
        for level, value in zip(LEVELS, row.tolist(), strict=True):
            alone = distribution.quantile(level)
            assert abs(value - alone) <= 1e-11 * alone * (1.0 - alone) + 1e-300, (
                distribution.total,
                distribution.low,
                level,
            )


def test_wide_mixtures_alone_are_searched_one_by_one() -> None:
    distribution = mixture(1.0, 20_002.0, 0, np.ones(20_001))
    assert quantiles([distribution], [0.25]) == pytest.approx(0.25, rel=1e-3)
    assert quantiles([], LEVELS).shape == (0, len(LEVELS))


def test_shares_with_almost_no_density_at_their_mean_are_found_without_a_warning() -> None:
    law = BetaPairs(np.array([1045.0, 1.0]), np.array([1.0, 1045.0]), np.array([0.5, 0.5]))
    _, found = intervals_and_quantiles([law], 0.95, [0.25, 0.75])
    assert found[0] == pytest.approx([1.0 - 0.5 ** (1 / 1045), 0.5 ** (1 / 1045)], rel=1e-9)


@pytest.mark.parametrize("place", [40, 41, 42])
def test_the_probability_below_a_quantile_is_its_level(place: int) -> None:
    distribution = made_up()[place]
    found = quantiles([distribution], LEVELS[:4])[0]
    with mpmath.workdps(30):
        for level, value in zip(LEVELS, found.tolist(), strict=False):
            below = mpmath.mpf(0)
            for step in np.flatnonzero(distribution.probabilities > 1e-25).tolist():
                a = mpmath.mpf(distribution.prior) + distribution.low + step
                cumulative = mpmath.betainc(a, distribution.total - a, 0, value, regularized=True)
                below += float(distribution.probabilities[step]) * cumulative
            assert float(below) == pytest.approx(level, rel=1e-9)


@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, float("nan")])
def test_levels_outside_zero_and_one_are_refused(level: float) -> None:
    with pytest.raises(ProbabilityError):
        quantiles(made_up()[:1], [0.5, level])


def test_shares_of_several_beta_distributions_are_found_together_as_alone() -> None:
    """Also extreme ones, whose quantiles lie at the ends of what is searched."""
    rng = np.random.default_rng(71)
    laws = [
        BetaPairs(rng.uniform(low, high, 6), rng.uniform(0.05, 4_000.0, 6), rng.dirichlet(np.ones(6)))
        for low, high in ((0.05, 0.06), (0.05, 40.0), (0.5, 2.0), (200.0, 4_000.0))
        for _ in range(5)
    ]
    ends, values = intervals_and_quantiles(laws, 0.95, [0.001, 0.5, 0.999])
    alone = [[*law.interval(0.95), *(law.quantile(each) for each in (0.001, 0.5, 0.999))] for law in laws]
    assert np.allclose(np.hstack([ends, values]), alone, rtol=1e-10, atol=1e-200)
