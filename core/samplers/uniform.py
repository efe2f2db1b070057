"""Draws uniform variables by integers alone, and an index in proportion to weights."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from core.samplers.entropy import Entropy

_WORD_BITS = 62
_ALL_BITS = 1100
"""Every float up to 1 is a multiple of 2 to the power of minus this."""


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


def in_proportion(weights: NDArray[np.float64], entropy: Entropy) -> int:
    """An index drawn with probability weights[index] / Σ weights, each weight within 2^-53 relative of the float that
    it is, however small it is beside the others.

    `weights` of shape (k,), not negative, finite, k <= 2^22; their sum is positive. A word of bits decides by sums of
    whole units. With a probability below 2^-19 it falls beyond their sum, and another is taken; with one below k² /
    2^61 it is too near to the end of a weight, and bits are appended until long integers decide. All other work is the
    same whatever the weights are.
    """
    k = weights.size
    # Their sum stays below 1 whatever its rounding.
    shares = weights * ((1.0 - 2.0**-20) / weights.sum())
    ends = np.concatenate([[0], np.cumsum((shares * 2.0**_WORD_BITS).astype(np.int64)), [1 << _WORD_BITS]])
    while True:
        word = entropy.bits(_WORD_BITS)
        index = int(ends.searchsorted(word, side="right")) - 1
        # Each share has lost less than a unit of its own, so that its exact beginning is less than `index` units on.
        if word >= ends[index] + index:
            if index < k:
                return index
        elif (found := _by_all_bits(shares, word, entropy)) < k:
            return found


def _by_all_bits(shares: NDArray[np.float64], word: int, entropy: Entropy) -> int:
    """What a word decides for with bits appended; the number of shares where that lies beyond their sum."""
    exact = [n * ((1 << _ALL_BITS) // d) for n, d in map(float.as_integer_ratio, shares.tolist())]
    appended = _ALL_BITS - _WORD_BITS
    return bisect_right(list(accumulate(exact)), word << appended | entropy.bits(appended))
