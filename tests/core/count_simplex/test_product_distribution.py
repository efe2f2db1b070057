"""Compared with enumeration where it is possible, and with distributions known in closed form where it is not."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from core.count_simplex import CountSimplexError, ProductDistribution, Window, condition_on_total

CASES = [(categories, seed) for categories in (2, 3, 4, 5) for seed in range(6)]


def random_windows(categories: int, seed: int) -> tuple[list[Window], int]:
    """Windows with uneven ends, irregular weights of many magnitudes and some zeros, and a total within reach."""
    rng = np.random.default_rng([categories, seed])
    windows = []
    for _ in range(categories):
        log_weights = rng.normal(scale=rng.choice([0.1, 2.0, 15.0]), size=rng.integers(2, 9))
        log_weights[1:][rng.random(log_weights.size - 1) < 0.1] = -math.inf
        windows.append(Window(int(rng.integers(-3, 6)), log_weights))
    lowest, highest = sum(window.low for window in windows), sum(window.high for window in windows)
    return windows, int(rng.integers(lowest, highest + 1))


def enumerate_law(windows: list[Window], total: int) -> dict[tuple[int, ...], float]:
    """ln of the weight of each vector with the total."""
    ranges = [range(window.low, window.high + 1) for window in windows]
    return {
        vector: math.fsum(float(window.log_weights[r - window.low]) for window, r in zip(windows, vector, strict=True))
        for vector in itertools.product(*ranges)
        if sum(vector) == total
    }


@pytest.mark.parametrize(("categories", "seed"), CASES)
def test_normaliser_marginals_and_expectations_equal_enumeration(categories: int, seed: int) -> None:
    windows, total = random_windows(categories, seed)
    weights = enumerate_law(windows, total)
    if max(weights.values()) == -math.inf:
        with pytest.raises(CountSimplexError):
            condition_on_total(windows, total)
        return
    distribution = condition_on_total(windows, total)
    log_normaliser = float(special.logsumexp(list(weights.values())))
    assert distribution.log_normaliser == pytest.approx(log_normaliser, abs=1e-12)
    expected = np.zeros((categories, 64))
    for vector, weight in weights.items():
        probability = math.exp(weight - log_normaliser)
        for category, r in enumerate(vector):
            expected[category, r + 8] += probability
    for category, marginal in enumerate(distribution.marginals()):
        full = np.zeros(64)
        full[marginal.low + 8 : marginal.low + 8 + marginal.probabilities.size] = marginal.probabilities
        assert full == pytest.approx(expected[category], rel=1e-10, abs=1e-19)
    assert distribution.means().sum() == pytest.approx(total, abs=1e-11)


def dirichlet_multinomial(alpha: NDArray[np.float64], total: int) -> ProductDistribution:
    """Π Γ(α_i + r_i) / (Γ(α_i) r_i!): Z = Γ(A + n) / (Γ(A) n!), A = Σ α_i, and every marginal is Beta-binomial."""
    r = np.arange(total + 1)
    return condition_on_total(
        [Window(0, special.gammaln(a + r) - special.gammaln(a) - special.gammaln(r + 1)) for a in alpha], total
    )


@pytest.mark.parametrize(("categories", "total"), [(3, 4000), (40, 3000), (150, 900)])
def test_a_dirichlet_multinomial_has_its_known_normaliser_and_marginals(categories: int, total: int) -> None:
    alpha = np.random.default_rng(categories).uniform(0.2, 4.0, size=categories)
    whole = alpha.sum()
    distribution = dirichlet_multinomial(alpha, total)
    exact = special.gammaln(whole + total) - special.gammaln(whole) - special.gammaln(total + 1)
    assert distribution.log_normaliser == pytest.approx(exact, abs=1e-9)
    for a, marginal in zip(alpha, distribution.marginals(), strict=True):
        reference = stats.betabinom(total, a, whole - a).pmf(marginal.values)
        assert marginal.probabilities == pytest.approx(reference, abs=1e-11)


def test_a_thousand_poisson_weights_make_a_multinomial() -> None:
    rates = np.random.default_rng(5).uniform(20.0, 80.0, size=1000)
    total = int(rates.sum())
    windows = []
    for rate in rates:
        r = np.arange(max(0, int(rate - 14 * rate**0.5)), int(rate + 14 * rate**0.5) + 20)
        windows.append(Window(int(r[0]), stats.poisson(rate).logpmf(r)))
    distribution = condition_on_total(windows, total)
    assert distribution.log_normaliser == pytest.approx(stats.poisson(rates.sum()).logpmf(total), abs=1e-9)
    assert distribution.log_normaliser_error < 1e-6
    shares = rates / rates.sum()
    for share, marginal in list(zip(shares, distribution.marginals(), strict=True))[::97]:
        assert marginal.probabilities == pytest.approx(stats.binom(total, share).pmf(marginal.values), abs=1e-11)


def test_the_error_bounds_hold_and_are_small() -> None:
    """The closed form again, compared by the stated bounds instead of a tolerance."""
    alpha = np.linspace(0.3, 3.0, 60)
    distribution = dirichlet_multinomial(alpha, 2000)
    exact = special.gammaln(alpha.sum() + 2000) - special.gammaln(alpha.sum()) - special.gammaln(2001)
    gammaln_rounding = 60 * 2e-13
    assert abs(distribution.log_normaliser - exact) < distribution.log_normaliser_error + gammaln_rounding
    assert distribution.log_normaliser_error < 1e-8
    assert distribution.left_out <= 1e-20


@pytest.mark.parametrize("end", ["low", "high"])
def test_the_only_vector_at_an_end_of_the_range_is_certain(end: str) -> None:
    windows, _ = random_windows(4, 1)
    finite = [Window(window.low, np.nan_to_num(window.log_weights, neginf=-3.0)) for window in windows]
    only = [getattr(window, end) for window in finite]
    distribution = condition_on_total(finite, sum(only))
    assert distribution.means().tolist() == only


@pytest.mark.parametrize("total", [-1, 7])
def test_a_total_out_of_reach_is_refused(total: int) -> None:
    with pytest.raises(CountSimplexError):
        condition_on_total([Window(0, np.zeros(4)), Window(0, np.zeros(4))], total)


def test_a_total_that_the_gaps_forbid_is_refused() -> None:
    even = np.array([0.0, -math.inf, 0.0])
    with pytest.raises(CountSimplexError):
        condition_on_total([Window(0, even), Window(0, even), Window(0, even)], 3)


def test_tails_beyond_the_windows_are_bounded() -> None:
    """Windows truncated on purpose: the bound covers the mass of the full distribution outside them."""
    r = np.arange(60)
    full = [Window(0, -((r - mode) ** 2) / 8.0) for mode in (10, 20, 30)]
    narrow = [
        Window(mode - 9, window.log_weights[mode - 9 : mode + 10])
        for mode, window in zip((10, 20, 30), full, strict=True)
    ]
    distribution = condition_on_total(narrow, 60)
    log_tails, outside = [], 0.0
    for window, part in zip(full, narrow, strict=True):
        tilted = window.log_weights + distribution.tilt * (r - (part.low + 9))
        inside = (r >= part.low) & (r <= part.high)
        log_tails.append(float(special.logsumexp(tilted[~inside]) - special.logsumexp(tilted[inside])))
    for marginal, part in zip(condition_on_total(full, 60).marginals(), narrow, strict=True):
        outside += marginal.probabilities[(marginal.values < part.low) | (marginal.values > part.high)].sum()
    assert outside <= math.exp(distribution.log_left_out_beyond(log_tails)) < 1e-4


def test_a_distribution_does_not_print_what_it_was_made_from() -> None:
    distribution = condition_on_total([Window(777_001, np.zeros(3)), Window(777_001, np.zeros(3))], 1_554_004)
    for thing in (distribution, distribution.marginals()[0], Window(777_001, np.zeros(3))):
        assert "777" not in repr(thing)
