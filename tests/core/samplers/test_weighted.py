from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from core.samplers.entropy import SeededEntropy
from core.samplers.weighted import exact_coin, weighted_coin, weighted_index


class CountedBits:
    """Returns a prepared value and remembers how many bits were asked for."""

    def __init__(self, value: int) -> None:
        self.value = value
        self.asked = 0

    def bits(self, count: int) -> int:
        self.asked = count
        return self.value


def test_a_coin_compares_with_every_bit_of_the_float() -> None:
    """2^-80 is decided among 2^80 values, of which only zero wins."""
    source = CountedBits(0)
    assert exact_coin(2.0**-80, source)
    assert source.asked == 80
    assert not exact_coin(2.0**-80, CountedBits(1))
    assert not exact_coin(0.0, CountedBits(0))
    assert exact_coin(1.0, CountedBits(0))


def test_a_nearly_certain_side_leaves_the_rare_one_its_probability() -> None:
    assert not weighted_coin(1.0, 2.0**-70, CountedBits(0))
    assert weighted_coin(1.0, 2.0**-70, CountedBits(1))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 16, 33])
def test_an_index_is_drawn_in_proportion_to_its_weight(size: int) -> None:
    """Six chi-square tests at p > 1e-7 each; weights off by 30 % are rejected."""
    weights = np.random.default_rng(size).uniform(0.2, 1.0, size=size)
    entropy = SeededEntropy(size)
    seen = Counter(weighted_index(weights, entropy) for _ in range(20_000))
    observed = np.array([seen[i] for i in range(size)])
    expected = 20_000 * weights / weights.sum()
    if size == 1:
        assert observed.tolist() == [20_000]
        return
    assert stats.chisquare(observed, expected).pvalue > 1e-7
    wrong = weights * np.where(np.arange(size) % 2 == 0, 1.3, 1.0)
    assert stats.chisquare(observed, 20_000 * wrong / wrong.sum()).pvalue < 1e-7


def test_a_weight_of_zero_is_never_drawn() -> None:
    weights = np.array([0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0])
    entropy = SeededEntropy(2)
    assert {weighted_index(weights, entropy) for _ in range(500)} == {1, 4}


def test_weights_far_apart_do_not_overflow() -> None:
    assert weighted_index(np.array([1e-300, math.ldexp(1.0, 900)]), SeededEntropy(4)) == 1
