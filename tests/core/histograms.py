"""Histograms of n records over m categories: every one and its neighbours, for checks by brute force, and some."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray


def histograms(n: int, m: int) -> Iterator[tuple[int, ...]]:
    """In lexicographic order."""
    if m == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in histograms(n - first, m - 1):
            yield (first, *rest)


def neighbours(counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """One record moved to another category."""
    for i, j in itertools.permutations(range(len(counts)), 2):
        if counts[i]:
            moved = list(counts)
            moved[i] -= 1
            moved[j] += 1
            yield tuple(moved)


def by_shares(n: int, shares: Iterable[NDArray[np.float64]]) -> list[NDArray[np.int64]]:
    """One for each array of shares, which are relative, and one with its categories in reverse. What rounding leaves
    goes to the first category before that.
    """
    found = []
    for share in shares:
        counts = np.floor(n * share / share.sum()).astype(np.int64)
        counts[0] += n - counts.sum()
        found += [counts, counts[::-1].copy()]
    return found
