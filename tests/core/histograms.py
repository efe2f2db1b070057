"""Every histogram of n records over m categories, and its neighbours: for checks by brute force."""

from __future__ import annotations

import itertools
from collections.abc import Iterator


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
