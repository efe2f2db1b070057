"""The closed forms of the sensitivities against a search over every histogram and every neighbour."""

from __future__ import annotations

import itertools
import time

import mpmath
import numpy as np
import pytest
from scipy.special import gammaln

from core.mechanisms.exponential.sensitivity import (
    global_sensitivity,
    local_sensitivity,
    one_step,
    smallest_local_sensitivity,
    smooth_sensitivities,
    smooth_sensitivity,
    two_category_sensitivities,
)
from tests.core.histograms import histograms, neighbours

CASES = [
    ((1.0, 1.0), 9),
    ((0.3, 2.5), 8),
    ((7.25, 0.01), 8),
    ((1.0, 1.0, 1.0), 7),
    ((0.5, 3.7, 0.2), 7),
    ((6.0, 0.4, 11.5), 6),
    ((1.0, 1.0, 1.0, 1.0), 5),
    ((0.1, 4.0, 2.5, 0.7), 5),
    ((3.0, 2.0, 1.0, 0.5), 4),
    ((5.0, 0.2, 0.2), 1),
]


def hellinger(a: np.ndarray, b: np.ndarray) -> float:
    def log_beta(x: np.ndarray) -> float:
        return float(gammaln(x).sum() - gammaln(x.sum()))

    return float(np.sqrt(-np.expm1(log_beta((a + b) / 2) - log_beta(a) / 2 - log_beta(b) / 2)))


def brute_local(prior: np.ndarray, counts: tuple[int, ...]) -> float:
    return max(hellinger(prior + counts, prior + np.array(other)) for other in neighbours(counts))


@pytest.mark.parametrize(("prior", "n"), CASES)
def test_local_and_global_sensitivity_equal_a_search_over_all_neighbours(prior: tuple[float, ...], n: int) -> None:
    alpha = np.array(prior)
    local = {c: brute_local(alpha, c) for c in histograms(n, len(prior))}
    for counts, expected in local.items():
        assert local_sensitivity(alpha, np.array(counts)) == pytest.approx(expected, rel=1e-10)
    assert global_sensitivity(alpha, n) == pytest.approx(max(local.values()), rel=1e-10)
    assert smallest_local_sensitivity(alpha, n) <= min(local.values())


@pytest.mark.parametrize("gamma", [0.003, 0.1, 0.4, 2.0])
@pytest.mark.parametrize(("prior", "n"), CASES)
def test_smooth_sensitivity_equals_a_search_over_all_histograms(prior: tuple[float, ...], n: int, gamma: float) -> None:
    alpha = np.array(prior)
    local = {c: brute_local(alpha, c) for c in histograms(n, len(prior))}
    smooth = {
        c: max(step * np.exp(-gamma * np.abs(np.subtract(c, other)).sum() / 2) for other, step in local.items())
        for c in local
    }
    for counts, expected in smooth.items():
        assert smooth_sensitivity(alpha, np.array(counts), gamma) == pytest.approx(expected, rel=1e-10)
    if len(prior) == 2:
        at_all = two_category_sensitivities(alpha, n, gamma)
        assert at_all == pytest.approx([smooth[k, n - k] for k in range(n + 1)], rel=1e-10)


def test_one_step_keeps_its_digits_at_large_counts() -> None:
    with mpmath.workdps(40):
        for t in (3.7, 1e3, 1e5, 1e7):
            u, v = mpmath.mpf(t), mpmath.mpf(2 * t)

            def g(x: mpmath.mpf) -> mpmath.mpf:
                return (
                    mpmath.gamma(x + 0.5) / mpmath.sqrt(mpmath.gamma(x) * mpmath.gamma(x + 1))
                    if x < 1e4
                    else mpmath.exp(mpmath.loggamma(x + 0.5) - (mpmath.loggamma(x) + mpmath.loggamma(x + 1)) / 2)
                )

            assert float(one_step(t, 2 * t)) == pytest.approx(float(mpmath.sqrt(1 - g(u) * g(v))), rel=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_smooth_sensitivity_equals_every_way_to_lower_two_categories(seed: int) -> None:
    """Twelve categories of unequal priors, some empty: every pair and every split of the removed records, not only the
    extreme ones.
    """
    rng = np.random.default_rng(seed)
    alpha = rng.choice([0.01, 0.5, 1.0, 4.0, 20.0], 12) * rng.uniform(0.9, 1.1, 12)
    counts = rng.integers(0, 30, 12) * rng.integers(0, 2, 12)
    counts[rng.integers(12)] += 3
    gamma = float(rng.choice([0.002, 0.05, 0.3]))
    best = 0.0
    for i, j in itertools.permutations(range(12), 2):
        s = np.arange(max(counts[i], 1))[:, None]
        t = np.arange(counts[j] + 1)[None, :]
        moved = s + t if counts[i] else np.maximum(t, 1)
        step = one_step(alpha[i] + np.maximum(counts[i] - 1, 0) - s, alpha[j] + counts[j] - t)
        best = max(best, float((step * np.exp(-gamma * moved)).max()))
    assert smooth_sensitivity(alpha, counts, gamma) == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize(
    ("m", "n", "gamma"), [(2, 10**7, 1e-6), (10, 10**5, 0.012), (1000, 10**7, 1e-3), (1000, 10**7, 1e-6)]
)
def test_smooth_sensitivity_is_fast_at_the_largest_sizes(m: int, n: int, gamma: float) -> None:
    counts = np.random.default_rng(0).multinomial(n, np.full(m, 1 / m))
    started = time.process_time()
    smooth_sensitivity(np.ones(m), counts, gamma)
    assert time.process_time() - started < 2, "a hundred times what it takes"


@pytest.mark.parametrize("gamma", [1e-4, 0.3, 9.0])
def test_smooth_sensitivities_keep_their_digits_where_records_are_many(gamma: float) -> None:
    """Sums of ln Δ with γ·k lose the digits that γ·n has before the point: up to 1e-11 of S at γ = 9."""
    prior, n = np.array([320.0, 0.8]), 3000
    at_all = two_category_sensitivities(prior, n, gamma)
    for k in range(0, n + 1, 97):
        one = smooth_sensitivity(prior, np.array([k, n - k]), gamma)
        assert abs(at_all[k] - one) <= 1e-13 * one


@pytest.mark.parametrize("gamma", [0.001, 0.03])
@pytest.mark.parametrize("falling", [True, False])
def test_smooth_sensitivity_at_many_categories_equals_a_look_at_every_pair(falling: bool, gamma: float) -> None:  # noqa: FBT001  a parameter of the test
    """If priors fall as counts rise, no category can be excluded in advance."""
    rng = np.random.default_rng(5)
    prior, counts = 10 ** rng.uniform(-2, 3, 40), rng.multinomial(200, rng.dirichlet(np.full(40, 0.7)))
    if falling:
        prior, counts = np.sort(prior)[::-1], np.sort(counts)
    best = local_sensitivity(prior, counts)
    giving = np.maximum(counts - 1, 0)
    for d in range(1, 201):
        for first, then in ((giving, counts), (counts, giving)):
            taken = np.minimum(d, first)
            lowered = prior + (first - taken)
            other = prior[None, :] + np.maximum(then[None, :] - (d - taken)[:, None], 0)
            np.fill_diagonal(other, np.inf)
            best = max(best, float(one_step(lowered, other.min(axis=1)).max()) * float(np.exp(-gamma * d)))
    assert smooth_sensitivity(prior, counts, gamma) == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize("m", [2, 5])
def test_sensitivities_at_many_gammas_are_those_at_each(m: int) -> None:
    prior, counts = np.linspace(0.3, 4.0, m), np.arange(m) ** 2 * 40 + 3
    gammas = np.geomspace(1e-5, 2.0, 12)
    each = [smooth_sensitivity(prior, counts, gamma) for gamma in gammas.tolist()]
    assert smooth_sensitivities(prior, counts, gammas).tolist() == each
