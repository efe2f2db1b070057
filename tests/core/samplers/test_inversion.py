"""Inversion by words: bounds on distribution functions hold, and the bits decide exactly as a real number would."""

from fractions import Fraction
from itertools import accumulate
from math import comb, exp

import mpmath
import numpy as np
import pytest

from core.samplers.entropy import SeededEntropy
from core.samplers.inversion import Inversions, LogConcave
from tests.core.chi_square import assert_accepts, assert_rejects


def binomial_law(tosses: int, rate: Fraction) -> list[mpmath.mpf]:
    """P(X <= k) for k = 0..tosses, to 600 bits."""
    odds = mpmath.exp(-mpmath.mpf(rate.numerator) / rate.denominator)
    terms = [mpmath.binomial(tosses, k) * odds**k / (1 + odds) ** tosses for k in range(tosses + 1)]
    return [*accumulate(terms[:-1]), mpmath.mpf(1)]


def negative_binomial_law(size: int, rate: Fraction, up_to: int) -> list[mpmath.mpf]:
    q = mpmath.exp(-mpmath.mpf(rate.numerator) / rate.denominator)
    terms = [mpmath.binomial(k + size - 1, k) * (1 - q) ** size * q**k for k in range(up_to + 1)]
    return list(accumulate(terms))


LAWS = [
    (LogConcave.binomial(tosses, rate), tosses, rate)
    for tosses in (0, 1, 9, 100)
    for rate in (Fraction(1, 10**9), Fraction(2, 3), Fraction(79, 10))
]
TOTALS = [
    (LogConcave.negative_binomial(size, rate), size, rate)
    for size in (1, 9, 100)
    for rate in (Fraction(1), Fraction(8))
]


@pytest.mark.every(3)
@pytest.mark.parametrize("precision", [16, 56, 224])
def test_the_bounds_hold_and_are_close(precision: int) -> None:
    with mpmath.workprec(600):
        one = mpmath.mpf(2) ** precision
        checked = [(distribution, binomial_law(tosses, rate)) for distribution, tosses, rate in LAWS]
        checked += [(distribution, negative_binomial_law(size, rate, 700)) for distribution, size, rate in TOTALS]
        for distribution, exact in checked:
            first, below, up_to = distribution.bounds(precision)
            for k, (low, high) in enumerate(zip(below, up_to, strict=True), first):
                before, after = (exact[k - 1] if k else 0) * one, (exact[k] if k < len(exact) else 1) * one
                assert before <= low <= before + 2
                assert after - 2 <= high <= after
            assert below[0] <= 2
            assert up_to[-1] >= one - 2


def test_a_distribution_is_taken_from_any_start() -> None:
    """The value at which terms begin is a matter of time alone."""
    exact = LogConcave.binomial(40, Fraction(1, 3)).bounds(64)
    for mode in (0, 40):
        low, high = (
            LogConcave(lambda k: (40 - k, k + 1), Fraction(1, 3), mode, 40).bounds(64).value(word << 60)
            for word in (3, 12)
        )
        assert (low, high) == (exact.value(3 << 60), exact.value(12 << 60))


class Given:
    """Bits that were chosen beforehand, request by request."""

    def __init__(self, *values: int) -> None:
        self.values = list(values)

    def bits(self, count: int) -> int:
        value = self.values.pop(0)
        assert 0 <= value < 1 << count
        return value


def in_memory(*words: int) -> int:
    """The bits that the draws take words of 56 bits from."""
    return int.from_bytes(np.array([word << 8 for word in words], dtype=np.uint64).tobytes())


@pytest.mark.parametrize(("appended", "value"), [(0, 0), (2**56 - 1, 1)])
def test_the_word_at_a_boundary_is_settled_by_the_bits_after_it(appended: int, value: int) -> None:
    rate = Fraction(2, 3)
    with mpmath.workprec(200):
        boundary = int(2**56 / (1 + mpmath.exp(-mpmath.mpf(2) / 3)))
    coin = Inversions([LogConcave.binomial(1, rate)])
    entropy = Given(in_memory(boundary), appended)
    assert coin.draws(1, entropy).tolist() == [[value]]
    assert not entropy.values
    # Its neighbours decide at once.
    assert coin.draws(2, Given(in_memory(boundary - 1, boundary + 1))).tolist() == [[0], [1]]


@pytest.mark.parametrize("word_bits", [3, 8, 56])
def test_values_follow_their_distributions_and_no_nearby_ones(word_bits: int) -> None:
    """With words of three bits, nearly every draw is settled by bits appended."""
    entropy, rate = SeededEntropy(word_bits), Fraction(2, 3)

    def binomial(rate: float) -> dict[int, float]:
        p = 1 / (1 + exp(rate))
        return {k: comb(7, k) * p**k * (1 - p) ** (7 - k) for k in range(8)}

    def total(rate: float) -> dict[int, float]:
        return {k: comb(k + 2, k) * (1 - exp(-rate)) ** 3 * exp(-rate * k) for k in range(60)}

    distributions = [LogConcave.binomial(7, rate), LogConcave.negative_binomial(3, rate), LogConcave.binomial(7, rate)]
    drawn = Inversions(distributions, word_bits=word_bits).draws(6_000, entropy)
    for column, distribution in zip(drawn.T, (binomial, total, binomial), strict=True):
        assert_accepts(column, distribution(2 / 3))
        assert_rejects(column, distribution(2 / 3 * 1.3))
        assert_rejects(column, distribution(2 / 3 * 0.7))
    # Independent of each other: all pairs of the first and the last.
    one = binomial(2 / 3)
    pairs = {100 * i + j: one[i] * one[j] for i in one for j in one}
    assert_accepts(100 * drawn[:, 0] + drawn[:, 2], pairs)
    assert_rejects(100 * drawn[:, 0] + drawn[:, 0], pairs)


def test_no_draws_no_distributions_and_too_many_distributions() -> None:
    distribution = LogConcave.binomial(3, Fraction(1))
    assert Inversions([distribution]).draws(0, SeededEntropy(1)).shape == (0, 1)
    with pytest.raises(ValueError, match="127"):
        Inversions([distribution] * 128)
    many = Inversions([distribution] * 127).draws(200, SeededEntropy(2))
    assert np.unique(many).tolist() == [0, 1, 2, 3]
