"""Product distributions on truncated windows: the truncation is bounded, and the result agrees with that on whole
windows.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import logsumexp

from core.count_simplex import Window, condition_on_total
from core.mechanisms.exponential.components import HellingerComponents
from core.special_functions import log_affinity, log_affinity_terms
from tests.core.histograms import histograms

CUT = [
    ([1.0, 1.0, 1.0], [20, 0, 0]),
    ([1.0, 1.0, 1.0], [7, 7, 6]),
    ([0.001, 0.3, 0.9], [0, 0, 30]),
    ([50.0, 0.02, 3.0], [12, 9, 0]),
    ([1e6, 1e6, 1e6], [25, 0, 0]),
    ([1e4, 1.0, 0.5, 1e4], [9, 0, 2, 1]),
]


@pytest.mark.parametrize(("prior", "counts"), CUT)
@pytest.mark.parametrize("k", [1.0, 2.5, 40.0])
@pytest.mark.parametrize("depth", [1.0, 3.0, 8.0])
@pytest.mark.parametrize("tilt", [0.0, 0.1, 0.5])
def test_the_probability_outside_windows_is_within_its_bound(
    prior: list[float], counts: list[int], k: float, depth: float, tilt: float
) -> None:
    """By enumeration, with windows far narrower than those of a draw."""
    components = HellingerComponents(np.array(prior), np.array(counts), 1e-3)
    components._depth = depth
    windows = components._windows(k, tilt)
    lows, highs = (np.array([getattr(window, end) for window in windows]) for end in ("low", "high"))
    every = np.array(list(histograms(sum(counts), len(counts))))
    logs = k * log_affinity(np.array(prior), np.array(counts), every).sum(axis=1)
    outside = ((every < lows) | (every > highs)).any(axis=1)
    distribution = condition_on_total(windows, sum(counts), tolerance=1e-12)
    assert distribution.log_normaliser == pytest.approx(logsumexp(logs[~outside]), abs=1e-9)
    bound = components._log_omitted_mass(windows, k, distribution)
    if outside.any():
        assert logsumexp(logs[outside]) - distribution.log_normaliser <= bound + 1e-9
    else:
        assert bound == -math.inf


def whole(prior: NDArray[np.float64], counts: NDArray[np.int64], k: float) -> list[Window]:
    """Windows of all counts there are."""
    n = int(counts.sum())
    return [Window(0, k * log_affinity_terms(a, c, 0, n)) for a, c in zip(prior.tolist(), counts.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("alpha", "spread"),
    [
        pytest.param(alpha, spread, marks=[] if (alpha, spread) == (1.0, "few") else pytest.mark.long)
        for alpha in (0.1, 1.0, 1e3, 1e6)
        for spread in ("even", "one", "half in one", "few")
    ],
)
def test_distributions_of_wide_windows_are_those_of_whole_ones(alpha: float, spread: str) -> None:
    n, m = 1200, 60
    counts = np.full(m, n // m)
    if spread != "even":
        counts[:] = {"one": 0, "half in one": n // 2 // (m - 1), "few": 0}[spread]
        counts[: 3 if spread == "few" else 1] += (n - counts.sum()) // (3 if spread == "few" else 1)
        counts[0] += n - counts.sum()
    prior = np.full(m, alpha)
    components = HellingerComponents(prior, counts, 1e-20)
    for k in (1.0, 7.0, 200.0, 1.0, 30_000.0):
        distribution, expected = (
            components.distribution(k),
            condition_on_total(whole(prior, counts, k), n, tolerance=1e-22),
        )
        assert distribution.log_normaliser == pytest.approx(expected.log_normaliser, rel=1e-11, abs=1e-11)
        for marginal, of_whole in zip(distribution.marginals(), expected.marginals(), strict=True):
            found, wanted = np.zeros(n + 1), np.zeros(n + 1)
            found[marginal.values], wanted[of_whole.values] = marginal.probabilities, of_whole.probabilities
            assert found == pytest.approx(wanted, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("counts", [[1] * 1000, [1000] + [0] * 999])
def test_windows_reach_as_far_as_the_counts_of_a_sum_do(counts: list[int]) -> None:
    """Alone, a category of one record in a thousand could hold them all; beside the others it does not."""
    components = HellingerComponents(np.ones(1000), np.array(counts), 1e-3)
    components.distribution(1.0)
    assert sum(piece.size for piece in components._pieces) < 60 * 1000
