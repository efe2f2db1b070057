from fractions import Fraction
from math import exp

import mpmath
import pytest

from core.samplers.bernoulli import bernoulli_exp_of, exp_bounds
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
