import math
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest

from core.samplers.entropy import SeededEntropy
from core.samplers.uniform import in_proportion, uniform_below, uniforms_below
from tests.core.chi_square import assert_accepts, assert_rejects


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 10, 33])
def test_uniform_below_is_uniform(bound: int) -> None:
    entropy = SeededEntropy(bound)
    assert_accepts([uniform_below(bound, entropy) for _ in range(20_000)], dict.fromkeys(range(bound), 1 / bound))


@pytest.mark.parametrize("bound", [1, 3, 33])
def test_the_vectorised_draw_is_uniform(bound: int) -> None:
    assert_accepts(uniforms_below(bound, 20_000, SeededEntropy(1)), dict.fromkeys(range(bound), 1 / bound))


def test_the_vectorised_draw_reaches_62_bits() -> None:
    drawn = uniforms_below(1 << 62, 100, SeededEntropy(1))
    assert drawn.min() >= 0
    assert int(drawn.max()).bit_length() == 62


def test_an_index_follows_its_weights() -> None:
    entropy, weights = SeededEntropy(2), np.array([1.0, 2.0, 3.0, 0.0, 4.0]) / 3.0
    draws = [in_proportion(weights, entropy) for _ in range(50_000)]
    assert_accepts(draws, {0: 0.1, 1: 0.2, 2: 0.3, 4: 0.4})
    assert_rejects(draws, {0: 0.11, 1: 0.19, 2: 0.3, 4: 0.4})


class Scripted:
    """Words as prepared, to reach both sides of a boundary."""

    def __init__(self, *words: int) -> None:
        self.left, self.asked = list(words), list[int]()

    def bits(self, count: int) -> int:
        self.asked.append(count)
        assert self.left[0] < 1 << count
        return self.left.pop(0)


def test_every_boundary_lies_where_the_exact_sums_of_the_shares_do() -> None:
    """Weights far apart, some below a unit: words on either side are decided as fractions decide them, with or without
    more bits.
    """
    weights = np.array([2.0**-40, 0.3, 0.0, 1e-30, 5e-17, 0.7, 2.0**-40, 1e-200, 0.1])
    shares = weights * ((1.0 - 2.0**-20) / weights.sum())
    ends = list(accumulate(map(Fraction, shares.tolist())))
    for end in ends[:-1]:
        for exact in (int(end * 2**1100) - 1, int(end * 2**1100)):
            word, rest = divmod(exact, 2**1038)
            source = Scripted(word, rest)
            expected = next(index for index, past in enumerate(ends) if exact < past * 2**1100)
            assert in_proportion(weights, source) == expected
    assert in_proportion(weights, Scripted((1 << 62) - 1, 5)) == 0


@pytest.mark.parametrize("weights", [[1.0], [1e-300, 1.0], [0.5] * 1000, [math.exp(-700.0)] * 3, [1.0, 0.0, 1e-250]])
def test_an_index_takes_one_word_whatever_the_weights(weights: list[float]) -> None:
    source = Scripted(1234567890123456789)
    in_proportion(np.array(weights), source)
    assert source.asked == [62]


def test_an_index_among_a_million() -> None:
    """P(index < x) = (x / 10^6)^2: the mean is 2/3 within 6 standard errors."""
    weights, entropy = np.arange(1_000_000.0), SeededEntropy(4)
    draws = [in_proportion(weights, entropy) for _ in range(100)]
    assert abs(np.mean(draws) / 1e6 - 2 / 3) < 6 * (1 / 18 / 100) ** 0.5
