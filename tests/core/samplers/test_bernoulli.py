import math
from fractions import Fraction
from math import exp

import mpmath
import pytest

from core.samplers.bernoulli import bernoulli_exp_of, coin_of_log, exact_coin, exp_bounds
from core.samplers.entropy import SeededEntropy
from tests.core.chi_square import assert_accepts, assert_rejects

DRAWS = 20_000


def coin(p: float) -> dict[int, float]:
    return {0: 1 - p, 1: p}


@pytest.mark.parametrize(
    "gamma", [Fraction(0), Fraction(1, 1000), Fraction(2, 7), Fraction(1), Fraction(5, 2), Fraction(10**9 + 7, 10**9)]
)
def test_an_exponential_coin(gamma: Fraction) -> None:
    entropy = SeededEntropy(2)
    draws = [bernoulli_exp_of(gamma.numerator, gamma.denominator, entropy) for _ in range(DRAWS)]
    assert_accepts(draws, coin(exp(-gamma)))
    if gamma > Fraction(1, 10):
        assert_rejects(draws, coin(exp(-1.3 * gamma)))
        assert_rejects(draws, coin(exp(-0.7 * gamma)))


@pytest.mark.parametrize(
    "gamma",
    [
        Fraction(1, 10**9),
        Fraction(1, 3),
        Fraction(999, 1000),
        Fraction(1),
        Fraction(17, 4),
        Fraction(40),
        Fraction(1000),
    ],
)
@pytest.mark.parametrize("precision", [64, 200])
def test_the_bounds_of_an_exponential_hold_and_are_close(gamma: Fraction, precision: int) -> None:
    low, high = exp_bounds(gamma, precision)
    with mpmath.workprec(precision + 200):
        exact = mpmath.exp(-mpmath.mpf(gamma.numerator) / gamma.denominator) * mpmath.mpf(2) ** precision
        assert low <= exact <= high
    assert high - low <= 2


class Words:
    """Gives out prepared words, and remembers how many bits were asked for."""

    def __init__(self, *words: int) -> None:
        self.left, self.asked = list(words), list[int]()

    def bits(self, count: int) -> int:
        self.asked.append(count)
        return self.left.pop(0)


def test_a_coin_compares_with_every_bit_of_the_float() -> None:
    """2^-80 is decided by two words, the first of which has to be zero."""
    assert exact_coin(2.0**-80, Words(0, 2**48 - 1))
    assert not exact_coin(2.0**-80, Words(0, 2**48 + 1))
    assert not exact_coin(2.0**-80, Words(1))
    assert not exact_coin(0.0, Words(0, 1))
    assert exact_coin(1.0, Words(2**64 - 1))
    assert exact_coin(0.3, Words(math.floor(0.3 * 2**64) - 1))


@pytest.mark.parametrize("probability", [0.0, 1e-300, 2.0**-70, 0.25, 1.0 - 2.0**-53, 1.0])
def test_a_coin_takes_one_word_whatever_its_probability(probability: float) -> None:
    source = Words(12345678901234567)
    exact_coin(probability, source)
    coin_of_log(math.log(probability) if probability else -math.inf, again := Words(12345678901234567))
    assert source.asked == again.asked == [64]


def test_a_coin_of_a_logarithm_reaches_below_the_range_of_floats() -> None:
    """e^-1000 as e^-700 and e^-300, of which each takes words of zeros first."""
    assert coin_of_log(-1000.0, Words(*[0] * 60))
    assert not coin_of_log(-1000.0, Words(1))


def test_a_coin_of_a_logarithm() -> None:
    entropy = SeededEntropy(8)
    assert_accepts([coin_of_log(-0.7, entropy) for _ in range(DRAWS)], coin(exp(-0.7)))
    assert_rejects([coin_of_log(-0.7, entropy) for _ in range(DRAWS)], coin(exp(-0.8)))
