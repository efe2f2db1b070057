"""Tosses exact coins: of rational probability, of probability e^-γ for rational γ, and the number of heads among
many.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from core.samplers.entropy import Entropy
from core.samplers.uniform import uniform_below


def bernoulli(probability: Fraction, entropy: Entropy) -> bool:
    """True with the given probability, 0 <= probability <= 1."""
    if not 0 <= probability <= 1:
        raise ValueError("a probability lies between 0 and 1")
    return uniform_below(probability.denominator, entropy) < probability.numerator


def bernoulli_exp(gamma: Fraction, entropy: Entropy) -> bool:
    """True with probability e^-gamma, gamma >= 0 rational (Canonne, Kamath, Steinke 2020, Algorithm 1).

    For gamma <= 1, the number K of tosses up to the first failure of coins gamma/1, gamma/2, gamma/3, ... is odd with
    probability e^-gamma: P(K > k) = gamma^k / k!, and the alternating sum of these is the exponential series.
    """
    if gamma < 0:
        raise ValueError("gamma is not negative")
    return bernoulli_exp_of(gamma.numerator, gamma.denominator, entropy)


def bernoulli_exp_of(numerator: int, denominator: int, entropy: Entropy) -> bool:
    """True with probability e^-(numerator / denominator), numerator >= 0, denominator >= 1; they need not be in
    lowest terms.
    """
    while numerator > denominator:
        if not bernoulli_exp_up_to_one(1, 1, entropy):
            return False
        numerator -= denominator
    return bernoulli_exp_up_to_one(numerator, denominator, entropy)


def bernoulli_exp_up_to_one(numerator: int, denominator: int, entropy: Entropy) -> bool:
    """True with probability e^-(numerator / denominator), 0 <= numerator <= denominator, which need not be in lowest
    terms.
    """
    toss = 1
    while uniform_below(denominator * toss, entropy) < numerator:
        toss += 1
    return toss % 2 == 1


class BinaryExpansion:
    """The binary digits of a real number in (0, 1), computed as far as a draw needs them, and kept for the next.

    `bounds(k)` gives integers (low, high) with low <= number * 2**k <= high, closer together relative to 2**k as k
    grows; the number must not be a dyadic rational, or no bound would settle its last digits. Threads may share one.
    """

    __slots__ = ("_bounds", "_known")

    def __init__(self, bounds: Callable[[int], tuple[int, int]]) -> None:
        self._bounds = bounds
        self._known = _Digits(0, 0, 64)

    def digit(self, index: int) -> bool:
        """The digit worth 2**-(index + 1)."""
        known = self._known
        while index >= known.agreed:
            precision = 2 * known.precision
            low, high = self._bounds(precision)
            # Digits that the two bounds share are digits of the number between them.
            self._known = known = _Digits(low, precision - (low ^ high).bit_length(), precision)
        return bool(known.low >> (known.precision - 1 - index) & 1)


class _Digits(NamedTuple):
    """The first `agreed` of the `precision` binary digits of `low` are known to be the number's."""

    low: int
    agreed: int
    precision: int


def binomial(tosses: int, probability: BinaryExpansion, entropy: Entropy) -> int:
    """The number of heads among `tosses` independent coins, each heads with exactly the given probability.

    A coin compares a uniform real with the probability digit by digit; all undecided coins take their next bit in one
    integer, so that the work is about log2(tosses) popcounts, and the digits are computed only as far as some coin is
    undecided.
    """
    heads = 0
    undecided = tosses
    place = 0
    while undecided:
        ones = entropy.bits(undecided).bit_count()
        if probability.digit(place):
            # Bit 0 under digit 1: below the probability, heads. Bit 1: still equal.
            heads += undecided - ones
            undecided = ones
        else:
            # Bit 1 over digit 0: above, tails. Bit 0: still equal.
            undecided -= ones
        place += 1
    return heads


def exp_bounds(gamma: Fraction, precision: int) -> tuple[int, int]:
    """Integers (low, high), low <= e^-gamma * 2**precision <= high, for rational gamma >= 0; they differ by a few
    units.
    """
    # e^-gamma = (e^-(gamma / 2^halvings))^(2^halvings): each squaring about doubles the error, so as many guard bits,
    # and some for the series.
    halvings = max(0, (gamma.numerator // gamma.denominator).bit_length() + 1)
    guarded = precision + 2 * halvings + 16
    one = 1 << guarded
    numerator, denominator = gamma.numerator, gamma.denominator << halvings
    low_term, high_term, low, high, order = one, one, one, one, 1
    # An alternating series with falling terms lies between consecutive partial sums; every term is rounded both ways.
    while high_term:
        low_term = low_term * numerator // (denominator * order)
        high_term = -(-high_term * numerator // (denominator * order))
        if order % 2:
            low, high = low - high_term, high - low_term
        else:
            low, high = low + low_term, high + high_term
        if high_term <= 1:
            low, high = low - 1, high + 1
            break
        order += 1
    for _ in range(halvings):
        low, high = low * low >> guarded, -(-high * high >> guarded)
    shift = guarded - precision
    return low >> shift, -(-high >> shift)


def exp_expansion(gamma: Fraction) -> BinaryExpansion:
    """The digits of e^-gamma, gamma > 0 rational: irrational, so never dyadic (Lindemann)."""
    return BinaryExpansion(lambda precision: exp_bounds(gamma, precision))


def logistic_expansion(gamma: Fraction) -> BinaryExpansion:
    """The digits of 1 / (1 + e^gamma) = e^-gamma / (1 + e^-gamma), gamma > 0 rational."""

    def bounds(precision: int) -> tuple[int, int]:
        low, high = exp_bounds(gamma, precision + 4)
        one = 1 << (precision + 4)
        return (low << precision) // (one + low), -((-high << precision) // (one + high))

    return BinaryExpansion(bounds)
