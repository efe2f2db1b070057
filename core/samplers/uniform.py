"""Draws exact uniform and categorical variables, by integers alone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from core.samplers.entropy import Entropy

_LIMB = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def uniform_below(bound: int, entropy: Entropy) -> int:
    """A uniform integer in [0, bound), by rejection from the next power of two. `bound` >= 1."""
    if bound < 1:
        raise ValueError("the bound is at least 1")
    width = (bound - 1).bit_length()
    while True:
        value = entropy.bits(width)
        if value < bound:
            return value


def uniforms_below(bound: int, size: int, entropy: Entropy) -> NDArray[np.int64]:
    """`size` independent uniform integers in [0, bound), 1 <= bound <= 2**62, as an array."""
    if not 1 <= bound <= 1 << 62:
        raise ValueError("the bound lies between 1 and 2**62")
    if bound == 1:
        return np.zeros(size, dtype=np.int64)
    width = (bound - 1).bit_length()
    kept = np.empty(0, dtype=np.int64)
    while len(kept) < size:
        # A word is kept with probability bound / 2**width, more than a half.
        words = ((size - len(kept)) << width) // bound + 16
        drawn = np.frombuffer(entropy.bits(64 * words).to_bytes(8 * words), dtype=np.uint64) >> np.uint64(64 - width)
        kept = np.concatenate([kept, drawn[drawn < bound].astype(np.int64)])
    return kept[:size]


def categorical(weights: Sequence[int] | NDArray[np.integer], entropy: Entropy) -> int:
    """An index drawn with probability exactly weights[index] / sum(weights).

    Weights are non-negative integers, not all zero: Python integers of any size, or an integer array of up to 2**31
    entries. Raises ValueError for a negative weight or none that is positive.
    """
    if isinstance(weights, np.ndarray) and weights.dtype != object:
        return _categorical_array(weights, entropy)
    values = [int(weight) for weight in weights]
    if any(value < 0 for value in values) or not any(values):
        raise ValueError("weights are not negative, and one is positive")
    cumulative = list(accumulate(values))
    return bisect_right(cumulative, uniform_below(cumulative[-1], entropy))


def _categorical_array(weights: NDArray[np.integer], entropy: Entropy) -> int:
    """Cumulative sums in two limbs of 32 bits and more, since the total of 64-bit weights need not fit 64 bits."""
    if weights.ndim != 1 or len(weights) >= 1 << 31 or not np.issubdtype(weights.dtype, np.integer):
        raise ValueError("weights are a vector of fewer than 2**31 integers")
    if len(weights) == 0 or weights.min() < 0 or weights.max() == 0:
        raise ValueError("weights are not negative, and one is positive")
    words = weights.astype(np.uint64)
    low = np.cumsum(words & _LOW, dtype=np.uint64)
    high = np.cumsum(words >> _LIMB, dtype=np.uint64) + (low >> _LIMB)
    low &= _LOW
    target = uniform_below((int(high[-1]) << 32) + int(low[-1]), entropy)
    target_high, target_low = np.uint64(target >> 32), np.uint64(target & 0xFFFFFFFF)
    # The first index whose cumulative sum exceeds the target: by the high limb first, by the low one among its equals.
    first, past = np.searchsorted(high, target_high, side="left"), np.searchsorted(high, target_high, side="right")
    return int(first + np.searchsorted(low[first:past], target_low, side="right"))
