"""Compared with enumeration where it is possible."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from core.dirichlet import hellinger_of_posteriors, log_affinity_of_posteriors
from core.mechanisms.exponential.mixture import HellingerMixture
from tests.core.histograms import histograms

# Priors that are not integer, unequal, below one half and far apart; counts with zeros and ties; weights from flat to
# steep.
SMALL = [
    ([1.0, 1.0], [7, 2], 3.0),
    ([0.3, 2.5], [0, 9], 5.0),
    ([1e-3, 1e-3], [1, 0], 2.0),
    ([50.0, 0.02], [30, 10], 9.0),
    ([1e6, 3.0], [4, 8], 0.7),
    ([0.5, 0.5], [250, 250], 60.0),
    ([1.0, 2.0], [0, 1], 1e-4),
    ([2.2, 0.7], [1000, 0], 25.0),
    ([1.0, 1.0, 1.0], [4, 4, 4], 2.0),
    ([0.05, 0.4, 7.7], [5, 0, 3], 12.0),
    ([0.3, 0.3, 0.3], [0, 0, 20], 6.0),
    ([10.0, 0.1, 1.0], [1, 9, 0], 0.01),
    ([3.3, 1e-3, 1e3], [2, 2, 2], 20.0),
    ([1.0, 1.5, 0.49], [30, 1, 4], 30.0),
    ([0.9, 0.9, 120.0], [0, 15, 0], 8.0),
    ([1.0, 2.0, 3.0, 4.0], [1, 1, 1, 1], 2.5),
    ([0.5, 1.0, 2.0, 0.2], [0, 6, 1, 0], 1.5),
    ([0.01, 0.01, 0.01, 0.01], [3, 0, 0, 2], 10.0),
    ([7.0, 7.0, 7.0, 0.3], [2, 0, 5, 1], 40.0),
    ([1.0, 1.0, 1.0, 1.0], [0, 0, 0, 9], 15.0),
    ([0.7, 0.2, 1.1, 5.0, 0.4], [1, 0, 2, 0, 1], 3.0),
    ([1.0, 1.0, 1.0, 1.0, 1.0], [2, 1, 1, 1, 0], 7.0),
    ([0.1, 9.0, 0.1, 9.0, 0.1], [0, 3, 0, 0, 2], 0.3),
    ([2.5, 2.5, 0.25, 0.25, 30.0], [0, 0, 1, 4, 0], 18.0),
]


def candidates(n: int, m: int) -> NDArray[np.int64]:
    """All of R, shape (|R|, m)."""
    return np.array(list(histograms(n, m)), dtype=np.int64)


@pytest.mark.every(4)
@pytest.mark.parametrize(("prior", "counts", "kappa"), SMALL)
def test_normaliser_and_expected_error_equal_enumeration(prior: list[float], counts: list[int], kappa: float) -> None:
    distances = hellinger_of_posteriors(prior, counts, candidates(sum(counts), len(counts)))
    weights = np.exp(-kappa * distances)
    mixture = HellingerMixture(prior, counts)
    assert math.exp(mixture.log_normaliser(kappa)) == pytest.approx(weights.sum(), rel=1e-10)
    assert mixture.expected_distance(kappa) == pytest.approx((weights @ distances) / weights.sum(), rel=1e-10)
    assert mixture.expected_distance(1e-12) == pytest.approx(distances.mean(), rel=1e-10)


@pytest.mark.parametrize(("prior", "counts", "kappa"), SMALL[::3])
def test_components_are_powers_of_the_affinity(prior: list[float], counts: list[int], kappa: float) -> None:
    """`kappa` serves as k here: normaliser and marginals of s(r)^k."""
    every = candidates(sum(counts), len(counts))
    weights = np.exp(kappa * log_affinity_of_posteriors(prior, counts, every))
    distribution = HellingerMixture(prior, counts).component(kappa)
    assert math.exp(distribution.log_normaliser) == pytest.approx(weights.sum(), rel=1e-10)
    for category, marginal in enumerate(distribution.marginals()):
        full = np.zeros(sum(counts) + 1)
        full[marginal.values] = marginal.probabilities
        expected = np.bincount(every[:, category], weights=weights, minlength=full.size) / weights.sum()
        assert full == pytest.approx(expected, rel=1e-10, abs=1e-18)


@pytest.mark.parametrize(
    ("kappa", "normaliser"), [(3.6323079993774225, 93.24321397971667), (7.264615998754845, 14.024924272262332)]
)
def test_two_normalisers_known_beforehand(kappa: float, normaliser: float) -> None:
    """n = 60, α = (1, 1, 1), c = (20, 20, 20), from enumeration by another program."""
    assert math.exp(HellingerMixture([1.0, 1.0, 1.0], [20, 20, 20]).log_normaliser(kappa)) == pytest.approx(
        normaliser, rel=1e-12
    )


@pytest.mark.parametrize("counts", [[34_451, 0], [0, 600_694], [0, 7, 12_000]])
def test_empty_categories_of_small_priors_have_the_exact_normaliser(counts: list[int]) -> None:
    """All the mass is on one side of c, where windows are cut at n; two categories are summed directly."""
    prior = [0.04, 0.8, 0.3][: len(counts)]
    mixture = HellingerMixture(prior, counts)
    if len(counts) == 2:
        n = sum(counts)
        every = np.stack([np.arange(n + 1), n - np.arange(n + 1)], axis=1)
        expected = np.exp(-2.5 * hellinger_of_posteriors(prior, counts, every)).sum()
        assert math.exp(mixture.log_normaliser(2.5)) == pytest.approx(expected, rel=1e-10)


def test_a_finer_tolerance_changes_nothing_that_can_be_seen() -> None:
    coarse, fine = (
        HellingerMixture([0.3, 1.0, 4.0], [500, 20, 3], tolerance=tolerance) for tolerance in (1e-20, 1e-45)
    )
    assert coarse.log_normaliser(11.0) == pytest.approx(fine.log_normaliser(11.0), abs=1e-12)
