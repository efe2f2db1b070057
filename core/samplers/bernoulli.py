"""Exact coins: of rational probability, of probability e^-γ for rational γ, and of a floating-point probability."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from core.samplers.entropy import Entropy
from core.samplers.uniform import uniform_below

_WORD_BITS: Final = 64
_DEEPEST: Final = 700.0
"""e^-700 is still a normal float."""


def bernoulli_exp_of(numerator: int, denominator: int, entropy: Entropy) -> bool:
    """Return True with probability e^-(numerator / denominator), numerator >= 0, denominator >= 1.

    The fraction need not be in lowest terms. Source: Canonne, Kamath, Steinke 2020, Algorithm 1.
    """
    while numerator > denominator:
        if not bernoulli_exp_up_to_one(1, 1, entropy):
            return False
        numerator -= denominator
    return bernoulli_exp_up_to_one(numerator, denominator, entropy)


def bernoulli_exp_up_to_one(numerator: int, denominator: int, entropy: Entropy) -> bool:
    """Return True with probability e^-γ, γ = numerator / denominator in [0, 1], not necessarily in lowest terms.

    Coins of probability γ/1, γ/2, γ/3, ... are tossed until one fails. The number K of tosses is odd with probability
    e^-γ: P(K > k) = γ^k / k!, and the alternating sum of these is the exponential series.
    """
    toss = 1
    while uniform_below(denominator * toss, entropy) < numerator:
        toss += 1
    return toss % 2 == 1


def exact_coin(probability: float, entropy: Entropy) -> bool:
    """Return True with exactly the given `probability`, a float in [0, 1].

    One word of bits is used, and another only with probability 2^-64. Neither the time nor the number of bits depends
    on the probability.
    """
    while True:
        # Both operations are exact: a power of two, and a difference of the remaining digits.
        scaled = probability * 2.0**_WORD_BITS
        whole = math.floor(scaled)
        drawn = entropy.bits(_WORD_BITS)
        if drawn != whole:
            return drawn < whole
        probability = scaled - whole


def coin_of_log(log_probability: float, entropy: Entropy) -> bool:
    """Return True with probability e^log_probability, log_probability <= 0.

    The error is one unit in the last place of the exponential, also below the range of floats.
    """
    while True:
        is_deep, tossed = log_probability < -_DEEPEST, exact_coin(math.exp(max(log_probability, -_DEEPEST)), entropy)
        if not is_deep & tossed:
            return tossed
        log_probability += _DEEPEST


def exp_bounds(gamma: Fraction, precision: int) -> tuple[int, int]:
    """Return integers low <= e^-gamma * 2**precision <= high that differ by a few units, for rational gamma >= 0."""
    # e^-gamma = (e^-(gamma / 2^halvings))^(2^halvings). Each squaring about doubles the error, which needs that many
    # guard bits, and some for the series.
    halvings = max(0, (gamma.numerator // gamma.denominator).bit_length() + 1)
    guarded = precision + 2 * halvings + 16
    one = 1 << guarded
    numerator, denominator = gamma.numerator, gamma.denominator << halvings
    low_term, high_term, low, high, order = one, one, one, one, 1
    # An alternating series with decreasing terms lies between consecutive partial sums. Each term is rounded down and
    # up.
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
