"""Chooses with probabilities in proportion to floating-point weights, right to a relative error however small the
probability.

Inverting a running sum of weights gives each outcome an absolute error of about 1e-16, which is everything where the
probability is 1e-30. Here each decision is a coin whose bias has a relative error of a few 2^-53 on both sides, so that
the error of a log-probability adds up over the decisions and can be charged to epsilon; no mass is lost that would have
to be charged to delta.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.samplers.entropy import Entropy


def exact_coin(probability: float, entropy: Entropy) -> bool:
    """True with exactly the probability that the float is, 0 <= probability <= 1."""
    numerator, denominator = probability.as_integer_ratio()
    # A finite float is an integer over a power of two, so a uniform integer below that power decides without rounding.
    return entropy.bits(denominator.bit_length() - 1) < numerator


def weighted_coin(first: float, second: float, entropy: Entropy) -> bool:
    """True with probability first / (first + second); both >= 0, not both 0. Both outcomes within 3 · 2^-53
    relative.
    """
    if first <= second:
        return exact_coin(first / (first + second), entropy)
    return not exact_coin(second / (first + second), entropy)


def weighted_index(weights: NDArray[np.float64], entropy: Entropy) -> int:
    """Index i with probability weights[i] / Σ weights; shape (w,), all >= 0, at least one positive.

    Descends a tree of pairwise sums: each probability is within 7 · 2^-53 · ceil(log2 w) relative.
    """
    levels = [weights]
    while levels[-1].size > 1:
        below = levels[-1]
        pairs = below[: below.size // 2 * 2].reshape(-1, 2).sum(axis=1)
        levels.append(pairs if below.size % 2 == 0 else np.append(pairs, below[-1]))
    index = 0
    for level in reversed(levels[:-1]):
        index *= 2
        if index + 1 < level.size and not weighted_coin(float(level[index]), float(level[index + 1]), entropy):
            index += 1
    return index
