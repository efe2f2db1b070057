"""Lists the candidate posteriors Dir(α + r), r a histogram of n records over m categories, in lexicographic order of r.

This is for spaces small enough to visit every candidate. The order links an index drawn from a list of weights to its
histogram.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.special_functions import log_affinity_terms

MAX_SPACE = 1 << 22
_MAX_WORK = 1 << 26


def candidate_count(n: int, m: int) -> int:
    """Return |R| = C(n + m − 1, m − 1), the number of histograms of n >= 0 records over m >= 1 categories."""
    return math.comb(n + m - 1, m - 1)


@lru_cache(maxsize=1024)
def log_candidate_count(n: int, m: int) -> float:
    """Return ln |R|, from the exact integer."""
    return math.log(candidate_count(n, m))


def of_shares(n: int, shares: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return a made-up histogram of n records with approximately these shares, shape (m,).

    The first category gets the remainder.
    """
    counts: NDArray[np.int64] = np.floor(n * shares / shares.sum()).astype(np.int64)
    counts[0] += n - int(counts.sum())
    return counts


def enumerable(n: int, m: int) -> bool:
    """Return whether every candidate can be visited for one draw. Uses public sizes only.

    There may be at most 4 194 304 candidates, fewer if m is large.
    """
    if min(n, m - 1) > 12:  # already C(26, 13) candidates, and a binomial coefficient of huge numbers is expensive
        return False
    count = candidate_count(n, m)
    return count <= MAX_SPACE and count * m <= _MAX_WORK


def log_affinities(prior: Sequence[float], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return ln BC(Dir(α + c), Dir(α + r)) <= 0 for every candidate r, shape (|R|,), with a relative error below 1e-12.

    BC is the affinity. `prior` α and `counts` c have shape (m,). The logarithm is a sum over categories of terms of one
    sign, which keeps their relative precision. Requires an enumerable space.
    """
    n = int(counts.sum())
    terms = [log_affinity_terms(a, int(c), 0, n) for a, c in zip(prior, counts, strict=True)]
    remaining, total = np.array([n]), np.zeros(1)
    for term in terms[:-1]:
        branches = remaining + 1
        first = np.cumsum(branches) - branches
        taken = np.arange(int(branches.sum())) - np.repeat(first, branches)
        total = np.repeat(total, branches) + term[taken]
        remaining = np.repeat(remaining, branches) - taken
    return np.asarray(total + terms[-1][remaining])


def histograms(n: int, m: int) -> NDArray[np.int64]:
    """Return every histogram of n records over m categories, one per row, in lexicographic order: shape (|R|, m).

    Requires an enumerable space.
    """
    rows = np.array([[n]])
    for _ in range(m - 1):
        left = rows[:, -1]
        first = np.repeat(np.cumsum(left + 1) - left - 1, left + 1)
        taken = np.arange(int((left + 1).sum())) - first
        rows = np.column_stack([np.repeat(rows[:, :-1], left + 1, axis=0), taken, np.repeat(left, left + 1) - taken])
    return rows


def candidate(index: int, n: int, m: int) -> tuple[int, ...]:
    """Return the histogram at `index`, 0 <= index < |R|, in lexicographic order."""
    counts: list[int] = []
    for later in range(m - 1, 1, -1):
        taken = 0
        while index >= (rest := candidate_count(n - taken, later)):
            index -= rest
            taken += 1
        counts.append(taken)
        n -= taken
    # The remaining index is the count of the last but one category.
    return (*counts, index, n - index)


def candidate_index(counts: Sequence[int]) -> int:
    """Return the index of `counts`, shape (m,), among the candidates: the inverse of `candidate`."""
    n, index = sum(counts), 0
    for later, taken in zip(range(len(counts) - 1, 0, -1), counts, strict=False):
        # Σ_{t < taken} C(n − t + later − 1, later − 1), summed by the hockey-stick identity.
        index += math.comb(n + later, later) - math.comb(n - taken + later, later)
        n -= taken
    return index
