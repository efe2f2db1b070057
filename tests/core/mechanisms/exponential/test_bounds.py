"""The proven loss is the smallest that the theorems give, and is monotone in its parameters."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.candidates import candidate_index, log_affinities
from core.mechanisms.exponential.bounds import (
    excess_by_ratio,
    excess_by_tail,
    largest_rate,
    prove,
    score_and_change,
    steepest_exponent,
    zcdp_of_range,
)
from core.mechanisms.exponential.mixture import HellingerMixture
from core.mechanisms.exponential.sensitivity import one_step, smooth_sensitivity
from tests.core.histograms import histograms, neighbours


@pytest.mark.parametrize("rate", [0.5, 5.0, 60.0])
@pytest.mark.parametrize("admixture", [3.0, 20.0, 100.0])
def test_an_admixture_bounds_what_a_larger_rate_can_do_to_a_weight(rate: float, admixture: float) -> None:
    t = np.linspace(0, rate, 100_001)

    def log_weight(exponent: np.ndarray) -> np.ndarray:
        return np.asarray(np.logaddexp(-exponent, -admixture))

    for gamma in (0.001, 0.1, 1.0):
        smaller = t * math.exp(-gamma)
        change = float((log_weight(smaller) - log_weight(t)).max())
        assert change <= excess_by_ratio(rate, gamma, admixture)
    slope = -t[:-1] * np.diff(log_weight(t)) / np.diff(t)
    assert float(slope.max()) <= steepest_exponent(rate, admixture) * (1 + 1e-3)
    assert steepest_exponent(1e9, admixture) < admixture


@pytest.mark.parametrize("prior", [(1.0, 1.0), (0.2, 5.0), (1.0, 1.0, 1.0), (0.5, 30.0, 2.0)])
def test_no_histogram_has_a_larger_rate(prior: tuple[float, ...]) -> None:
    alpha = np.array(prior)
    smallest = min(smooth_sensitivity(alpha, np.array(c), 0.1) for c in histograms(8, len(prior)))
    assert 0.8 / (2 * smallest) <= largest_rate(alpha, 8, 0.8, 0.1)


def test_without_an_admixture_the_tail_bound_is_used_where_it_is_smaller() -> None:
    """At strong priors and a wide γ, κ_max and its change are large: a δ buys a smaller ε there, and is not used
    otherwise.
    """
    prior = np.full(2, 1e5)
    with_delta = prove(prior, 1000, 40.0, 0.05, None, 1e-3)
    without = prove(prior, 1000, 40.0, 0.05, None, 0.0)
    assert with_delta.epsilon <= without.epsilon
    assert with_delta.delta in {0.0, 1e-3}
    assert without.delta == 0.0
    assert (with_delta.delta > 0) == (with_delta.epsilon < without.epsilon)
    assert with_delta.terms["excess_by_tail"] == pytest.approx(excess_by_tail(1000, 2, 0.05, 1e-3))


@pytest.mark.parametrize("change", [0.0, 0.1, 0.7, 0.72, 3.0])
def test_score_and_change_together_are_the_largest_sum_over_distances(change: float) -> None:
    h = np.linspace(0, 1, 100_001)
    assert score_and_change(1.0, change) == pytest.approx(float((np.sqrt(1 - h**2 / 2) + change * h).max()), rel=1e-9)


@pytest.mark.parametrize("prior", [(1.0, 1.0), (0.2, 5.0), (1.0, 1.0, 1.0), (0.5, 30.0, 2.0)])
def test_distances_of_neighbours_differ_less_the_further_a_candidate_is(prior: tuple[float, ...]) -> None:
    distances = {c: np.sqrt(-np.expm1(log_affinities(prior, np.array(c)))) for c in histograms(9, len(prior))}
    for x, from_x in distances.items():
        for y in neighbours(x):
            step = distances[y][candidate_index(x)]
            assert (distances[y] - from_x <= step * np.sqrt(1 - from_x**2 / 2) + 1e-12).all()


@pytest.mark.parametrize(
    ("n", "m", "share"), [(1000, 2, 0.68), (1000, 3, 0.81), (20_000, 3, 0.80), (10**5, 10, 0.80), (10**6, 100, 0.79)]
)
def test_the_published_calibration_is_proven_below_its_nominal_epsilon_without_a_delta(
    n: int, m: int, share: float
) -> None:
    gamma = math.log1p(0.8 / (2 * math.log(2 * (n + 1) / 1e-8)))
    proven = prove(np.ones(m), n, 0.8, gamma, None, 0.0)
    assert proven.delta == 0.0
    assert proven.epsilon <= share * 0.8
    assert zcdp_of_range(proven.loss_range) <= 0.18 * 0.8**2


def test_the_proof_is_close_to_the_truth_at_ten_categories() -> None:
    """The loss of a pair of neighbours at one candidate follows from two normalisers: 0.74 ε, with 0.79 ε proven."""
    prior, n = np.ones(10), 10**5
    gamma = math.log1p(0.8 / (2 * math.log(2 * (n + 1) / 1e-8)))
    x = np.full(10, (n - 200) // 9)
    x[0] = 200
    x[1] += n - x.sum()
    y = x + np.array([-1, 0, 1, *[0] * 7])
    rate_x, rate_y = (0.8 / (2 * smooth_sensitivity(prior, c, gamma)) for c in (x, y))
    normalisers = [HellingerMixture(prior, c).log_normaliser(rate) for c, rate in ((x, rate_x), (y, rate_y))]
    loss_at_x = rate_y * float(one_step(1.0 + y[0], 1.0 + x[2])) + normalisers[1] - normalisers[0]
    proven = prove(prior, n, 0.8, gamma, None, 0.0).epsilon
    assert 0.9 * proven < loss_at_x < proven
