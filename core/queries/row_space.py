"""Decides exactly whether a query is a combination of rows: modulo a random prime, then verified in integers.

A tolerance cannot decide this, since rows that differ in the ninth digit are different rows. The reduced basis E = T B
of the rows modulo a prime p is updated row by row. A query outside the span modulo p is treated as outside. That is
wrong for few of the primes above 2^30, and then makes the analyst pay for a query that could be free. For a query
inside, the rational solution is found by lifting from p to p², p³ and so on (Dixon 1982). It is recognised as fractions
and multiplied out, so a positive answer is proven.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt, lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.samplers.entropy import Entropy
from core.samplers.uniform import uniform_below

_MIN_PRIME: Final = 2**30
_WITNESSES: Final = (2, 3, 5, 7)
"""Bases that decide primality below 3 215 031 751 (Jaeschke 1993)."""
_MAX_LIFTS: Final = 4_096
_LIFTING_WORK: Final = 4 * 10**8
"""Largest number of integer products, which take seconds. A query that needs more is treated as outside the span."""


def random_prime(entropy: Entropy) -> int:
    """Draw a uniform prime between 2^30 and 2^31."""
    while True:
        candidate = _MIN_PRIME + uniform_below(_MIN_PRIME, entropy)
        if all(_passes_primality_test(candidate, base) for base in _WITNESSES):
            return candidate


def _passes_primality_test(candidate: int, base: int) -> bool:
    """Return whether the candidate passes the Miller-Rabin test to this base."""
    if candidate % 2 == 0:
        return False
    twos = ((candidate - 1) & (1 - candidate)).bit_length() - 1
    power = pow(base, (candidate - 1) >> twos, candidate)
    for _ in range(twos):
        if power in (1, candidate - 1):
            return True
        power = power * power % candidate
        if power == 1:
            return False
    return False


class RowSpace:
    """The span over the rationals of integer rows of shape (k,), |entries| < 2^63, with a reduced basis modulo a
    prime < 2^31.
    """

    __slots__ = ("_basis", "_prime", "_reduced_rows", "_transform", "pivots")

    def __init__(self, k: int, prime: int) -> None:
        self._prime = prime
        self._reduced_rows = np.zeros((0, k), dtype=np.int64)
        self._transform = np.zeros((0, 0), dtype=np.int64)
        self._basis = np.zeros((0, k), dtype=np.int64)
        self.pivots: list[int] = []
        """A column of each basis row: the basis is regular on them."""

    @classmethod
    def whole(cls, k: int, prime: int, zeros: int) -> RowSpace:
        """Return the space of all rows of shape (k,) whose first `zeros` entries are 0. Adding one of them changes
        nothing.
        """
        space = cls(k, prime)
        space.pivots = list(range(zeros, k))
        return space

    @property
    def rank(self) -> int:
        return len(self.pivots)

    def copy(self) -> RowSpace:
        other = RowSpace(0, self._prime)
        other._reduced_rows, other._transform, other._basis = self._reduced_rows, self._transform, self._basis
        other.pivots = list(self.pivots)
        return other

    def split(self, parents: NDArray[np.int64]) -> None:
        """Split equal columns: new column i becomes a copy of column parents[i].

        A pivot moves to the first copy of its column.
        """
        self._reduced_rows, self._basis = self._reduced_rows[:, parents], self._basis[:, parents]
        self.pivots = [int(np.argmax(parents == pivot)) for pivot in self.pivots]

    def add(self, row: NDArray[np.int64]) -> bool:
        """Add a row, and return whether it enlarges the span."""
        p, residues = self._prime, row % self._prime
        steps = residues[self.pivots]
        rest = (residues - _times(steps, self._reduced_rows, p)) % p
        found = np.flatnonzero(rest)
        if found.size == 0:
            return False
        pivot = int(found[0])
        inverse = pow(int(rest[pivot]), -1, p)
        rest = rest * inverse % p
        combined = np.append((-_times(steps, self._transform, p)) % p, 1) * inverse % p
        column = self._reduced_rows[:, pivot]
        widened = np.pad(self._transform, ((0, 0), (0, 1)))
        self._reduced_rows = np.vstack(((self._reduced_rows - column[:, None] * rest % p) % p, rest))
        self._transform = np.vstack(((widened - column[:, None] * combined % p) % p, combined))
        self._basis = np.vstack((self._basis, row))
        self.pivots.append(pivot)
        return True

    def holds(self, query: list[int]) -> bool:
        """Return whether the query is a rational combination of the rows.

        True is proven; False has a small probability of error.
        """
        p = self._prime
        residues = np.array([value % p for value in query], dtype=np.int64)
        if np.any((residues - _times(residues[self.pivots], self._reduced_rows, p)) % p):
            return False
        return not any(query) or self._has_solution(query)

    def _has_solution(self, query: list[int]) -> bool:
        """Return whether x B = q has a rational solution x, for the basis B and the query q.

        The solution on the pivots is lifted modulo powers of the prime until it is recognised and verified.
        """
        p, rank = self._prime, self.rank
        on_pivots = self._basis[:, self.pivots].astype(object)
        rest = np.array([query[pivot] for pivot in self.pivots], dtype=object)
        digits, modulus = np.zeros(rank, dtype=object), 1
        next_check = 1
        for lift in range(1, min(_MAX_LIFTS, _LIFTING_WORK // (rank * rank)) + 1):
            digit = _times((rest % p).astype(np.int64), self._transform, p)
            rest = (rest - digit.astype(object) @ on_pivots) // p
            digits, modulus = digits + digit.astype(object) * modulus, modulus * p
            if lift < next_check and any(rest):
                continue
            next_check = 2 * lift
            solution = _fractions(digits.tolist(), modulus)
            if solution is not None and (found := self._is_combination(query, solution)) is not None:
                return found
        return False

    def _is_combination(self, query: list[int], solution: list[Fraction]) -> bool | None:
        """Return whether this combination of the basis equals the query.

        Returns None if it differs even on the pivots, where the combination is unique.
        """
        common = lcm(*(x.denominator for x in solution))
        weights = np.array([x.numerator * (common // x.denominator) for x in solution], dtype=object)
        used = np.flatnonzero(weights)
        same = weights[used] @ self._basis[used].astype(object) == np.array(query, dtype=object) * common
        return bool(np.all(same)) if np.all(same[self.pivots]) else None


def _times(vector: NDArray[np.int64], matrix: NDArray[np.int64], p: int) -> NDArray[np.int64]:
    """Return vector @ matrix modulo p < 2^31.

    The vector is split into 16-bit halves, so that sums of up to 2^15 products below 2^47 fit into 63 bits.
    """
    high = (vector >> 16) @ matrix % p
    product: NDArray[np.int64] = ((high << 16) + (vector & 0xFFFF) @ matrix) % p
    return product


def _fractions(residues: list[int], modulus: int) -> list[Fraction] | None:
    """Return fractions with these residues, numerators and denominators at most sqrt(modulus / 2), or None if there are
    none.

    Source: Wang 1981. The entries of one solution share most of their denominator, so each is multiplied by the common
    denominator so far.
    """
    bound = isqrt(modulus // 2)
    common, found = 1, list[Fraction]()
    for residue in residues:
        scaled = residue * common % modulus
        if scaled <= bound or modulus - scaled <= bound:
            found.append(Fraction(scaled if scaled <= bound else scaled - modulus, common))
            continue
        before, now = (modulus, 0), (scaled, 1)
        while now[0] > bound:
            quotient = before[0] // now[0]
            before, now = now, (before[0] - quotient * now[0], before[1] - quotient * now[1])
        if not now[1] or abs(now[1]) > bound:
            return None
        found.append(Fraction(now[0], now[1] * common))
        common *= abs(now[1])
        if common > bound:
            return None
    return found
