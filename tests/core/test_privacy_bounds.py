"""The proven loss is the smallest the theorems give, and grows and shrinks with what it depends on."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.privacy_bounds import excess_by_ratio, excess_by_tail, largest_rate, prove, steepest_exponent, zcdp_of_range
from core.sensitivity import smooth_sensitivity
from tests.core.histograms import histograms


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
    """At a wide γ the absolute change of κ is no help, and κ_max is large: the δ buys a smaller ε."""
    prior = np.full(3, 1e4)
    with_delta = prove(prior, 1000, 8.0, 0.2, None, 1e-8)
    without = prove(prior, 1000, 8.0, 0.2, None, 0.0)
    assert with_delta.reason.endswith("Theorem 1, tail")
    assert (with_delta.delta, without.delta) == (1e-8, 0.0)
    assert with_delta.epsilon < without.epsilon
    assert with_delta.terms["Theorem 1, tail"] == pytest.approx(excess_by_tail(1000, 3, 0.2, 1e-8))


@pytest.mark.parametrize(("n", "m", "share"), [(1000, 2, 0.79), (1000, 3, 0.87), (20_000, 3, 0.83), (10**5, 10, 0.82), (10**6, 100, 0.82)])
def test_the_published_calibration_is_proven_below_its_nominal_epsilon_without_a_delta(n: int, m: int, share: float) -> None:
    gamma = math.log1p(0.8 / (2 * math.log(2 * (n + 1) / 1e-8)))
    proven = prove(np.ones(m), n, 0.8, gamma, None, 0.0)
    assert proven.delta == 0.0
    assert proven.epsilon <= share * 0.8
    assert zcdp_of_range(proven.loss_range) <= 0.22 * 0.8**2
