from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, exp

import numpy as np
import pytest

from core.samplers.entropy import SeededEntropy
from core.samplers.geometric import GeometricTotal, geometrics
from core.samplers.split import uniform_split
from tests.core.chi_square import assert_accepts, assert_rejects

RATES = [Fraction(1, 10), Fraction(4, 10), Fraction(2), Fraction(5)]


def negative_binomial(rate: float, size: int, up_to: int) -> dict[int, float]:
    q = exp(-rate)
    return {k: comb(k + size - 1, k) * (1 - q) ** size * q**k for k in range(up_to)}


@pytest.mark.every(5)
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("size", [1, 2, 7])
def test_the_total_is_negative_binomial(rate: Fraction, size: int) -> None:
    entropy = SeededEntropy(1)
    distribution = GeometricTotal(rate, size)
    draws = [distribution.draw(entropy) for _ in range(20_000)]
    assert_accepts(draws, negative_binomial(float(rate), size, 600))
    if rate < 5:
        assert_rejects(draws, negative_binomial(1.3 * float(rate), size, 600))
        assert_rejects(draws, negative_binomial(0.7 * float(rate), size, 800))


@pytest.mark.every(5)
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("size", [1, 7, 8])
def test_totals_side_by_side_are_independent_and_negative_binomial(rate: Fraction, size: int) -> None:
    entropy = SeededEntropy(5)
    distribution = GeometricTotal(rate, size)
    triples = np.array([distribution.draws(3, entropy) for _ in range(10_000)])
    expected = negative_binomial(float(rate), size, 600)
    assert_accepts(triples.ravel(), expected)
    # The sum of two is the total of twice as many variables only if they are independent.
    for one, other in ((0, 1), (1, 2)):
        assert_accepts(triples[:, one] + triples[:, other], negative_binomial(float(rate), 2 * size, 900))
    if rate < 5:
        assert_rejects(triples.ravel(), negative_binomial(1.3 * float(rate), size, 600))


def test_totals_of_several_batches_have_their_mean_and_spread() -> None:
    size, rate = 2_000, Fraction(1, 10)
    draws = np.array(GeometricTotal(rate, size).draws(400, SeededEntropy(6)), dtype=np.float64)
    q = exp(-rate)
    mean, variance = size * q / (1 - q), size * q / (1 - q) ** 2
    assert abs(draws.mean() - mean) < 6 * (variance / 400) ** 0.5
    assert abs(draws.var() / variance - 1) < 6 * (2 / 400) ** 0.5


def test_the_total_of_none_is_zero() -> None:
    assert GeometricTotal(Fraction(1), 0).draw(SeededEntropy(1)) == 0
    assert GeometricTotal(Fraction(1), 0).draws(2, SeededEntropy(1)) == [0, 0]


@pytest.mark.every(3)
@pytest.mark.parametrize(("total", "parts"), [(0, 3), (5, 1), (4, 3), (3, 4), (1, 6), (7, 2)])
def test_every_composition_is_as_likely(total: int, parts: int) -> None:
    entropy = SeededEntropy(2)
    all_vectors = [v for v in product(range(total + 1), repeat=parts) if sum(v) == total]
    index = {v: k for k, v in enumerate(all_vectors)}
    assert len(all_vectors) == comb(total + parts - 1, parts - 1)
    draws = [index[tuple(uniform_split(total, parts, entropy).tolist())] for _ in range(20_000)]
    assert_accepts(draws, {k: 1 / len(all_vectors) for k in range(len(all_vectors))})


@pytest.mark.every(2)
@pytest.mark.parametrize("rate", RATES)
def test_many_at_once_are_independent_geometrics(rate: Fraction) -> None:
    entropy = SeededEntropy(3)
    pairs = Counter(tuple(geometrics(rate, 2, entropy).tolist()) for _ in range(10_000))
    q = exp(-rate)
    draws = [first * 1000 + second for (first, second), count in pairs.items() for _ in range(count)]
    assert_accepts(draws, {i * 1000 + j: (1 - q) ** 2 * q ** (i + j) for i in range(300) for j in range(300)})
    assert_accepts(geometrics(rate, 20_000, entropy), {k: (1 - q) * q**k for k in range(600)})


def test_a_slow_rate_has_its_mean_and_spread() -> None:
    rate = Fraction(1, 20_000)
    draws = geometrics(rate, 50_000, SeededEntropy(4)).astype(np.float64)
    # Exponential but for the grid: six standard errors of the mean and of the variance.
    assert abs(draws.mean() * float(rate) - 1) < 6 / 50_000**0.5
    assert abs(draws.var() * float(rate) ** 2 - 1) < 6 * (8 / 50_000) ** 0.5
