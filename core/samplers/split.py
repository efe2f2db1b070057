"""Splits a total into parts, uniformly over all compositions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.samplers.entropy import Entropy
from core.samplers.uniform import uniform_below, uniforms_below

_MAX_SINGLE_DRAWS = 64
"""Up to this number of integers, Python draws them faster than as arrays."""


def uniform_split(total: int, parts: int, entropy: Entropy) -> NDArray[np.int64]:
    """Draw a uniform vector of `parts` >= 1 non-negative integers with sum `total` < 2**61; shape (parts,).

    Stars and bars: parts - 1 bars are at distinct positions among total + parts - 1, uniformly over all sets of
    positions.
    """
    if parts < 1 or total < 0:
        raise ValueError("there must be a part, and the total must not be negative")
    positions = total + parts - 1
    if total < parts - 1:
        # The stars are the smaller set; the part of a star is the number of bars before it.
        stars = uniform_subset(positions, total, entropy)
        return np.bincount(stars - np.arange(total), minlength=parts).astype(np.int64)
    bars = uniform_subset(positions, parts - 1, entropy)
    return np.diff(bars, prepend=-1, append=positions) - 1


def uniform_subset(positions: int, size: int, entropy: Entropy) -> NDArray[np.int64]:
    """Draw a uniform set of `size` of the integers below `positions`, sorted.

    Uniform integers are drawn until `size` are distinct; by symmetry all sets are equally likely. Each round draws at
    most the missing number of integers, so the set never gets too large. Of a set of more than half of the integers the
    complement is drawn, which needs fewer rounds.
    """
    if 2 * size > positions + 1:
        return np.setdiff1d(np.arange(positions), uniform_subset(positions, positions - size, entropy))
    if size <= _MAX_SINGLE_DRAWS:
        few: set[int] = set()
        while len(few) < size:
            few.add(uniform_below(positions, entropy))
        return np.array(sorted(few), dtype=np.int64)
    chosen = np.empty(0, dtype=np.int64)
    while len(chosen) < size:
        drawn = np.sort(np.concatenate([chosen, uniforms_below(positions, size - len(chosen), entropy)]))
        chosen = np.concatenate([drawn[:1], drawn[1:][drawn[1:] != drawn[:-1]]])
    return chosen
