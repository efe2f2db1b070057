from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from core.inference.distribution import FLOOR, ProbabilityError
from core.inference.mixture import BetaMixture

MIXTURES = [
    BetaMixture(1.0, 7.0, 0, np.array([0.2, 0.5, 0.3])),
    BetaMixture(0.5, 20.0, 3, np.array([0.2, 0.5, 0.3])),
    BetaMixture(0.001, 30.0, 0, np.array([0.6, 0.4])),
    BetaMixture(2.5, 1e7, 400_000, np.array([0.2, 0.0, 0.5, 0.3])),
    BetaMixture(1e6, 3e6, 10, np.array([1.0])),
]


def mixed(mixture: BetaMixture, function: Callable[[float, float], float]) -> float:
    """Σ p(c) function(a, b) over the components Beta(a, b)."""
    a = mixture.prior + mixture.low + np.arange(mixture.probabilities.size)
    return sum(
        float(p) * float(function(a_i, mixture.total - a_i)) for p, a_i in zip(mixture.probabilities, a, strict=True)
    )


@pytest.mark.parametrize("mixture", MIXTURES)
@pytest.mark.parametrize("level", [1e-6, 0.025, 0.5, 0.975, 1 - 1e-6])
def test_distribution_and_density_are_those_of_the_components(mixture: BetaMixture, level: float) -> None:
    x = max(mixture.quantile(level), FLOOR)
    assert mixture.cdf(x) == pytest.approx(mixed(mixture, lambda a, b: stats.beta.cdf(x, a, b)), rel=1e-11)
    assert mixture.survival(x) == pytest.approx(mixed(mixture, lambda a, b: stats.beta.sf(x, a, b)), rel=1e-11)
    assert mixture.density([x])[0] == pytest.approx(mixed(mixture, lambda a, b: stats.beta.pdf(x, a, b)), rel=1e-9)
    if x > 1e-299:
        assert mixture.cdf(x) == pytest.approx(level, rel=1e-10)


def test_a_rest_that_is_given_keeps_its_digits_beside_a_large_count() -> None:
    n = 2**53
    mixture = BetaMixture(0.25, n + 0.75, n - 2, np.array([0.2, 0.5, 0.3]), rest=0.5)
    scale = 1e-15
    # n (1 − θ) is all but Gamma(b, 1): Beta(a, b) with a of 10^16.
    expected = sum(p * stats.gamma.cdf(n * scale, b) for p, b in zip((0.2, 0.5, 0.3), (2.5, 1.5, 0.5), strict=True))
    (least, _), (_, prior_of_rest) = mixture.ends
    rest = BetaMixture(prior_of_rest, mixture.total, 0, mixture.probabilities[::-1], rest=least)
    assert rest.cdf(scale) == pytest.approx(expected, rel=1e-9)
    assert rest.quantile(expected) == pytest.approx(scale, rel=1e-9)
    assert rest.mean == pytest.approx((0.2 * 2.5 + 0.5 * 1.5 + 0.3 * 0.5) / n, rel=1e-12)
    assert np.isfinite(mixture.density([0.5, 1 - 2**-53])).all()


@pytest.mark.parametrize("share", [0.3, 0.01])
def test_an_interval_of_very_many_records_is_as_wide_as_a_normal_one(share: float) -> None:
    n = 2**53
    mixture = BetaMixture(1.0, n + 2.0, round(share * n), np.array([0.3, 0.7]))
    low, high = mixture.interval(0.95)
    assert high - low == pytest.approx(2 * stats.norm.ppf(0.975) * mixture.standard_deviation, rel=1e-4)


@pytest.mark.parametrize("mixture", MIXTURES)
def test_mean_and_standard_deviation_are_those_of_the_components(mixture: BetaMixture) -> None:
    mean = mixed(mixture, stats.beta.mean)
    variance = mixed(mixture, lambda a, b: stats.beta.var(a, b) + (stats.beta.mean(a, b) - mean) ** 2)
    assert mixture.mean == pytest.approx(mean, rel=1e-13)
    assert mixture.standard_deviation == pytest.approx(variance**0.5, rel=1e-11)


@pytest.mark.parametrize("mixture", MIXTURES)
def test_an_interval_holds_its_level_with_equal_tails(mixture: BetaMixture) -> None:
    low, high = mixture.interval(0.9)
    if low > 1e-299:
        assert mixture.cdf(low) == pytest.approx(0.05, rel=1e-10)
        assert mixture.between(low, high) == pytest.approx(0.9, rel=1e-10)
    assert mixture.survival(high) == pytest.approx(0.05, rel=1e-10)


def test_probabilities_at_and_beyond_the_ends() -> None:
    mixture = MIXTURES[0]
    assert (mixture.cdf(0.0), mixture.cdf(1.0), mixture.survival(-1.0), mixture.survival(2.0)) == (0.0, 1.0, 1.0, 0.0)
    assert mixture.between(0.7, 0.3) == 0.0
    assert mixture.between(0.0, 1.0) == 1.0


@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, float("nan")])
def test_a_level_outside_zero_and_one_is_refused(level: float) -> None:
    with pytest.raises(ProbabilityError):
        MIXTURES[0].interval(level)
    with pytest.raises(ProbabilityError):
        MIXTURES[0].quantile(level)


def test_the_density_integrates_to_one() -> None:
    mixture = MIXTURES[1]
    grid = np.linspace(1e-6, 1 - 1e-6, 4_001)
    density: NDArray[np.float64] = mixture.density(grid)
    assert np.trapezoid(density, grid) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(
    ("prior", "n", "low", "size"),
    [(1.0, 10, 0, 11), (1.0, 100_000, 0, 100_001), (1.0, 100_000, 40_000, 20_000), (0.5, 10**7, 5_000, 30_000)],
)
@pytest.mark.parametrize("decay", [0.0, 1e-3, 1.0])
def test_a_quantile_from_the_relevant_terms_equals_that_of_all_terms(
    prior: float, n: int, low: int, size: int, decay: float
) -> None:
    weights = np.exp(-decay * np.abs(np.arange(size) - 0.3 * size)) * np.random.default_rng(1).random(size)
    mixture = BetaMixture(prior, 2.0 * prior + n, low, weights / weights.sum())
    for tail in (1e-9, 0.025, 0.3):
        assert mixture.cdf(mixture.quantile(tail)) == pytest.approx(tail, rel=1e-8)
        assert mixture.survival(mixture.quantile(1.0 - tail)) == pytest.approx(1.0 - (1.0 - tail), rel=1e-8)
