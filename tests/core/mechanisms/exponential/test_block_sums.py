"""Sums of blocks of tilted weights: bounds above what adding up gives, and close where a draw needs them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from core.mechanisms.exponential import block_sums
from core.mechanisms.exponential.block_sums import BlockSums, _blocks
from core.mechanisms.exponential.components import HellingerComponents
from core.special_functions import log_affinity
from tests.core.histograms import by_shares, histograms

N = 3_000
COUNTS = np.array([0, 1, 2, 3, 7, 300, 1_499, 1_500, 2_999, 3_000])


@pytest.mark.parametrize("n", [1, 2, 3, 4, 9, 100, 4_321])
def test_each_count_is_in_one_block(n: int) -> None:
    counts = np.unique(np.array([0, 1, 2, 3, n // 3, n // 2, n - 2, n - 1, n]).clip(0, n))
    for count, firsts, lasts in zip(counts.tolist(), *_blocks(counts, n), strict=True):
        found = [x for first, last in zip(firsts, lasts, strict=True) for x in range(first, last + 1)]
        assert found == list(range(-count, n - count + 1))
        filled = [last - first for first, last in zip(firsts, lasts, strict=True) if last >= first]
        assert filled[0] == filled[-1] == 0


def test_nothing_that_counts_decide_is_kept() -> None:
    """A cache under a key of counts would outlive the draw, and tell the next by its time."""
    assert not [name for name, value in vars(block_sums).items() if hasattr(value, "cache_info")]


@pytest.mark.parametrize("alpha", [0.001, 0.3, 0.499, 0.5, 1.0, 40.0, 1e4, 1e6])
def test_bounds_lie_above_the_sum(alpha: float) -> None:
    blocks = BlockSums(np.full(COUNTS.size, alpha), COUNTS, N)
    for k, tilt in itertools.product((0.5, 1.0, 9.0, 300.0, 1e6), (0.0, 1e-3, 0.02, 0.7, 5.0)):
        sums, _, _ = blocks.log_sums(k, tilt)
        for count, bound in zip(COUNTS.tolist(), sums.tolist(), strict=True):
            x = np.arange(-count, N - count + 1)
            exact = float(np.logaddexp.reduce(k * log_affinity(alpha, count, count + x) - tilt * x))
            assert bound >= exact - 1e-9 * (1.0 + abs(exact))
            if tilt <= 0.02 and count <= 300:
                assert bound <= exact + 0.2


@pytest.mark.parametrize(
    "prior", [[1.0, 1.0], [0.001, 5.0], [3.0, 0.2, 0.2], [0.01, 0.49, 0.5, 2.0], [1e6, 1.0, 0.001], [1e6] * 4]
)
@pytest.mark.parametrize("n", [1, 2, 6])
def test_no_normaliser_of_a_small_space_is_above_its_bound(prior: list[float], n: int) -> None:
    """Every one, by adding up."""
    every = list(histograms(n, len(prior)))
    for counts in every:
        components = HellingerComponents(np.array(prior), np.array(counts), 1e-3)
        terms = np.array([log_affinity(np.array(prior), np.array(counts), np.array(r)).sum() for r in every])
        for k in (1.0, 2.0, 7.0, 60.0, 1e4, 1e8):
            exact = float(np.logaddexp.reduce(k * terms))
            assert exact <= components.log_normaliser_bound(k)


def shares(m: int) -> list[NDArray[np.float64]]:
    return [np.full(m, 1.0), np.eye(m)[0], 0.9 ** np.arange(m), (np.arange(m) < m // 3) + 1e-3]


@pytest.mark.parametrize(
    "prior",
    [np.full(60, 0.001), np.full(60, 1.0), np.full(60, 1e6), np.geomspace(1e6, 1e-3, 60), np.repeat([1e6, 0.001], 30)],
    ids=["small", "flat", "large", "falling", "half"],
)
@pytest.mark.parametrize("n", [40, 2_000, 100_000])
def test_bounds_of_many_categories_lie_above_the_normalisers_and_close(prior: NDArray[np.float64], n: int) -> None:
    for counts in by_shares(n, shares(prior.size)):
        components = HellingerComponents(prior, counts, 1e-9)
        for k in (4096.0, 256.0, 30.0, 5.0, 1.0):
            exact = components.law(k).log_normaliser
            assert exact <= components.log_normaliser_bound(k) + 1e-8
            if counts.max() < 0.5 * n:
                assert components.log_normaliser_bound(k) <= exact + 0.2 * prior.size + math.log(n)
