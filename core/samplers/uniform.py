"""Uniform variables by integers alone, and an index in proportion to weights."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from core.samplers.entropy import Entropy

_WORD_BITS = 62
_ALL_BITS = 1100
"""Every float up to 1 is a multiple of 2^-1100."""


def uniform_below(bound: int, entropy: Entropy) -> int:
    """Draw a uniform integer in [0, bound), by rejection from the next power of two. `bound` >= 1."""
    if bound < 1:
        raise ValueError("the bound must be at least 1")
    width = (bound - 1).bit_length()
    while True:
        value = entropy.bits(width)
        if value < bound:
            return value


def uniforms_below(bound: int, size: int, entropy: Entropy) -> NDArray[np.int64]:
    """Draw `size` independent uniform integers in [0, bound), 1 <= bound <= 2**62, as an array."""
    if not 1 <= bound <= 1 << 62:
        raise ValueError("the bound must lie between 1 and 2**62")
    if bound == 1:
        return np.zeros(size, dtype=np.int64)
    width = (bound - 1).bit_length()
    kept = np.empty(0, dtype=np.int64)
    while len(kept) < size:
        # A word is accepted with probability bound / 2**width, more than one half.
        words = ((size - len(kept)) << width) // bound + 16
        drawn = np.frombuffer(entropy.bits(64 * words).to_bytes(8 * words), dtype=np.uint64) >> np.uint64(64 - width)
        kept = np.concatenate([kept, drawn[drawn < bound].astype(np.int64)])
    return kept[:size]


def in_proportion(weights: NDArray[np.float64], entropy: Entropy) -> int:
    """Draw an index with probability weights[index] / Σ weights.

    Each weight is represented within 2^-53 of its float, relative to that float, however small it is. `weights` has
    shape (k,), is finite and not negative, with a positive sum; k <= 2^22.

    A word of bits is compared with sums of integer units. With probability below 2^-19 it lies beyond their sum, and
    another word is drawn. With probability below k² / 2^61 it is too near to the end of a weight, and bits are appended
    until big integers determine the index. All other work is the same for all weights.
    """
    k = weights.size
    # Their sum stays below 1 under any rounding.
    shares = weights * ((1.0 - 2.0**-20) / weights.sum())
    ends = np.concatenate([[0], np.cumsum((shares * 2.0**_WORD_BITS).astype(np.int64)), [1 << _WORD_BITS]])
    while True:
        word = entropy.bits(_WORD_BITS)
        index = int(ends.searchsorted(word, side="right")) - 1
        # Each share has lost less than one unit, so its exact start is less than `index` units further.
        if word >= ends[index] + index:
            if index < k:
                return index
        elif (found := _index_by_all_bits(shares, word, entropy)) < k:
            return found


def _index_by_all_bits(shares: NDArray[np.float64], word: int, entropy: Entropy) -> int:
    """Return the index for a word with bits appended, or the number of shares if the word lies beyond their sum."""
    exact = [n * ((1 << _ALL_BITS) // d) for n, d in map(float.as_integer_ratio, shares.tolist())]
    appended = _ALL_BITS - _WORD_BITS
    return bisect_right(list(accumulate(exact)), word << appended | entropy.bits(appended))
