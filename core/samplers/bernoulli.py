"""Tosses exact coins: of rational probability, of probability e^-γ for rational γ, and of a floating-point one."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from core.samplers.entropy import Entropy
from core.samplers.uniform import uniform_below

_WORD_BITS: Final = 64
_DEEPEST: Final = 700.0
"""e to the power of minus this is a normal number."""


def bernoulli_exp_of(numerator: int, denominator: int, entropy: Entropy) -> bool:
    """True with probability e^-(numerator / denominator), numerator >= 0, denominator >= 1; they need not be in
    lowest terms. Source: Canonne, Kamath, Steinke 2020, Algorithm 1.
    """
    while numerator > denominator:
        if not bernoulli_exp_up_to_one(1, 1, entropy):
            return False
        numerator -= denominator
    return bernoulli_exp_up_to_one(numerator, denominator, entropy)


def bernoulli_exp_up_to_one(numerator: int, denominator: int, entropy: Entropy) -> bool:
    """True with probability e^-γ, γ = numerator / denominator, 0 <= γ <= 1, which need not be in lowest terms.

    The number K of tosses up to the first failure of coins γ/1, γ/2, γ/3, ... is odd with probability e^-γ:
    P(K > k) = γ^k / k!, and the alternating sum of these is the exponential series.
    """
    toss = 1
    while uniform_below(denominator * toss, entropy) < numerator:
        toss += 1
    return toss % 2 == 1


def exact_coin(probability: float, entropy: Entropy) -> bool:
    """True with exactly the probability that the float is, 0 <= probability <= 1.

    Takes one word of bits, and another with a probability of 2^-64 only, so that neither the time nor the number of
    bits depends on the probability.
    """
    while True:
        # Both are exact: by a power of two, and of the digits that are left.
        scaled = probability * 2.0**_WORD_BITS
        whole = math.floor(scaled)
        drawn = entropy.bits(_WORD_BITS)
        if drawn != whole:
            return drawn < whole
        probability = scaled - whole


def coin_of_log(log_probability: float, entropy: Entropy) -> bool:
    """True with probability e^log_probability, log_probability <= 0, to one unit in the last place of its exponential,
    however small that is: below the range of floats too.
    """
    while True:
        is_deep, tossed = log_probability < -_DEEPEST, exact_coin(math.exp(max(log_probability, -_DEEPEST)), entropy)
        if not is_deep & tossed:
            return tossed
        log_probability += _DEEPEST


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
