from __future__ import annotations

import numpy as np
import pytest

from core.dirichlet import hellinger_of_posteriors
from core.mechanisms.exponential import error as hellinger_error
from core.mechanisms.exponential.error import error_distribution
from core.mechanisms.exponential.mixture import HellingerMixture
from core.mechanisms.exponential.sampler import HellingerSampler
from core.samplers.reproducible import Reproducible
from tests.core.histograms import histograms

SMALL = [
    ([0.3, 2.5], [300, 900], 30.0),
    ([1.0, 1.0, 1.0], [20, 20, 20], 7.26),
    ([1.0, 0.4, 7.7], [50, 0, 30], 12.0),
    ([0.5, 0.5, 0.5], [1, 0, 40], 0.4),
    ([1.0, 1.0, 0.5, 2.0], [9, 4, 0, 9], 14.0),
]


@pytest.mark.parametrize(("prior", "counts", "kappa"), SMALL)
def test_small_spaces_have_the_exact_distribution(prior: list[float], counts: list[int], kappa: float) -> None:
    distances = hellinger_of_posteriors(prior, counts, np.array(list(histograms(sum(counts), len(counts)))))
    weights = np.exp(-kappa * distances)
    distribution = error_distribution(HellingerMixture(prior, counts), kappa, Reproducible(1))
    for t in (0.0, 1e-9, 0.05, 0.31, 0.8, 0.999):
        assert distribution.exceeding(t) == pytest.approx(weights[distances >= t].sum() / weights.sum(), abs=1e-10)
    moved = np.abs(np.array(list(histograms(sum(counts), len(counts)))) - counts).sum(axis=1)
    assert distribution.expected_l1 == pytest.approx(float(weights @ moved / weights.sum()), rel=1e-9)
    for level in (0.3, 0.9, 0.95):
        t = distribution.quantile(level)
        assert weights[distances <= t + 1e-12].sum() >= level * weights.sum() * (1.0 - 1e-12)
        assert weights[distances < t - 1e-12].sum() < level * weights.sum()


def test_a_million_records_in_three_categories_are_exact_near_the_truth() -> None:
    """Only a few hundred thousand of 5e11 candidates are visited; the mean of the distribution is the exact one."""
    mixture = HellingerMixture([1.0, 1.0, 1.0], [500_000, 300_000, 200_000])
    distribution = error_distribution(mixture, 600.0, Reproducible(1))
    assert distribution.standard_error == 0.0
    masses = np.diff(distribution.cumulative, prepend=0.0)
    assert masses @ distribution.distances == pytest.approx(mixture.expected_distance(600.0), rel=1e-9)


LARGE = [
    ([1.0] * 10, [10_000] * 10, 80.0),
    ([0.5, 1.0, 2.0, 1.0, 1.0], [60_000, 30_000, 9_000, 900, 100], 60.0),
    ([0.54, 0.15, 0.18], [204_734, 205_200, 205_091], 21.5),
    ([1.0] * 30, [3_000] * 30, 300.0),
    ([0.5, 1.5, 1.0, 0.1], [90_000, 9_999, 1, 0], 40.0),
]


@pytest.mark.every(2)
@pytest.mark.parametrize(("prior", "counts", "kappa"), LARGE)
def test_large_spaces_have_the_exact_mean_within_the_stated_error(
    prior: list[float], counts: list[int], kappa: float
) -> None:
    """Five means within 5 standard errors: false alarms below 3e-6. The mean at κ × 1.3 lies outside of that."""
    mixture = HellingerMixture(prior, counts)
    distribution = error_distribution(mixture, kappa, Reproducible(6), draws=1600)
    assert 0.0 < distribution.standard_error < 0.03
    masses = np.diff(distribution.cumulative, prepend=0.0)
    assert masses.sum() == pytest.approx(1.0)
    mean = masses @ distribution.distances
    allowed = 5.0 * 2.0 * distribution.standard_error * np.sqrt(masses @ (distribution.distances - mean) ** 2)
    assert abs(mean - mixture.expected_distance(kappa)) < allowed
    assert abs(mean - mixture.expected_distance(1.3 * kappa)) > allowed


def test_quantiles_of_large_spaces_are_those_of_draws() -> None:
    """The share of 300 draws below a quantile is within 6 standard errors of both samples: false alarms below 1e-8."""
    prior, counts, kappa = LARGE[0]
    mixture = HellingerMixture(prior, counts)
    distribution = error_distribution(mixture, kappa, Reproducible(5), draws=800)
    drawn = hellinger_of_posteriors(
        prior, counts, np.array(HellingerSampler(prior, counts, kappa).draws(300, Reproducible(9).entropy()))
    )
    for level in (0.25, 0.5, 0.95):
        share = float(np.mean(drawn <= distribution.quantile(level)))
        assert abs(share - level) < 6.0 * np.hypot(distribution.standard_error, np.sqrt(level * (1.0 - level) / 300.0))


def test_where_uniform_candidates_rule_the_error_is_close_to_one() -> None:
    distribution = error_distribution(HellingerMixture([1.0] * 40, [1_000] * 40), 20.0, Reproducible(1), draws=300)
    assert distribution.quantile(0.5) > 0.95
    assert distribution.exceeding(0.5) > 0.999


@pytest.mark.parametrize("level", [0.0, 1.0, float("nan")])
def test_an_impossible_level_is_refused(level: float) -> None:
    distribution = hellinger_error.ErrorDistribution(np.array([0.0, 1.0]), np.array([0.5, 1.0]), 0.0, 2.0)
    with pytest.raises(ValueError, match="level"):
        distribution.quantile(level)
