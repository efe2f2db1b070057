"""A small space: all histograms of n records over three or more categories, their neighbours, and the weights w_c(r) =
e^{−κ_c·H(c, r)} + e^{−L} between any two of them.

Weights are computed in blocks of candidates r, which bounds memory where |R|² numbers would not fit. The channel is
invariant under permutations of categories with equal priors. One histogram of each orbit therefore represents all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from core.candidates import histograms
from core.mechanisms.exponential.sensitivity import Counts, Floats, global_sensitivity, one_step
from core.special_functions import log_affinity

_BLOCK: Final = 1 << 21
"""Number of weights in memory at once: 16 MB, twice."""
_MAX_CACHED_DISTANCES: Final = 1 << 24
"""Up to this number of distances, those of a search's sample are cached: 128 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class SmallSpace:
    """All histograms, shape (|R|, m), in lexicographic order; the arrays below refer to them by index."""

    prior: tuple[float, ...]
    n: int
    histograms: Counts
    orbits: Counts
    """The representative of each histogram, shape (|R|,): the first one in its orbit."""
    neighbours: Counts
    """Each pair of neighbours once, shape (pairs, 2)."""
    local: Floats
    """Δ at each histogram, shape (|R|,)."""
    log_affinities: tuple[Floats, ...]
    """h_i(c_i, r_i) of each category, shape (n + 1, n + 1)."""

    @classmethod
    @lru_cache(maxsize=1)
    def of(cls, prior: tuple[float, ...], n: int) -> SmallSpace:
        """Return the space of m >= 3 categories and n >= 1 records, with (n + 1)^(m − 1) < 2⁶²."""
        every = histograms(n, len(prior))
        # A number to the base n + 1 identifies each histogram, also in lexicographic order.
        radix = (n + 1) ** np.arange(len(prior) - 2, -1, -1)
        codes = every[:, :-1] @ radix
        steps = np.append(radix, 0)
        pairs, local = [], np.zeros(len(every))
        for i in range(len(prior)):
            for j in range(i + 1, len(prior)):
                x = np.flatnonzero(every[:, i] > 0)
                y = np.searchsorted(codes, codes[x] - steps[i] + steps[j])
                pairs.append(np.stack([x, y], axis=1))
                moved = one_step(prior[i] + (every[x, i] - 1), prior[j] + every[x, j])
                np.maximum.at(local, x, moved)
                np.maximum.at(local, y, moved)
        ordered = every.copy()
        for alpha in set(prior):
            alike = [i for i, each in enumerate(prior) if each == alpha]
            ordered[:, alike] = np.sort(every[:, alike], axis=1)
        orbits = np.searchsorted(codes, ordered[:, :-1] @ radix)
        counts = np.arange(n + 1)
        tables = {alpha: log_affinity(alpha, counts[:, None], counts[None, :]) for alpha in set(prior)}
        return cls(prior, n, every, orbits, np.concatenate(pairs), local, tuple(tables[alpha] for alpha in prior))

    def pairs(self) -> Counts:
        """Return at least one pair of neighbours of each orbit, shape (k, 2). Pairs of one orbit have equal losses."""
        x, y = self.neighbours.T
        of_x, of_y = self.orbits[x], self.orbits[y]
        return np.asarray(self.neighbours[((of_x <= of_y) & (of_x == x)) | ((of_y <= of_x) & (of_y == y))])

    def pairs_within(self, records: int) -> Counts:
        """Return pairs of histograms that differ in 1 to `records` records, shape (k, 2): no pair twice, and at least
        one of each orbit.
        """
        speakers = np.unique(self.orbits)
        found = []
        for first in range(0, len(speakers), step := max(1, _BLOCK // len(self.histograms))):
            some = speakers[first : first + step]
            moved = np.zeros((len(some), len(self.histograms)), dtype=np.int64)
            for held in self.histograms.T:
                moved += np.abs(held[some, None] - held[None, :])
            x, y = np.nonzero((moved > 0) & (moved <= 2 * records))
            x = some[x]
            # Pairs are evaluated in both directions, so a pair is needed only once if both ends are representatives.
            kept = (x < y) | (self.orbits[y] != y)
            found.append(np.stack([x[kept], y[kept]], axis=1))
        return np.concatenate(found)

    def sensitivities(self, gamma: float | None) -> Floats:
        """Return S_γ at every histogram, shape (|R|,), or the global sensitivity if γ is None.

        The value of each neighbour, multiplied by e^{−γ}, is propagated until nothing increases.
        """
        if gamma is None:
            return np.full(len(self.local), global_sensitivity(np.array(self.prior), self.n))
        smooth = self.local.copy()
        x, y = self.neighbours.T
        for _ in range(self.n):
            before = smooth.copy()
            np.maximum.at(smooth, x, before[y] * math.exp(-gamma))
            np.maximum.at(smooth, y, before[x] * math.exp(-gamma))
            if np.array_equal(before, smooth):
                break
        return smooth

    def weights(self, rows: Counts, rates: Floats, added: float) -> Iterator[Floats]:
        """Yield the weights of all candidates r at the k histograms `rows`, in blocks of shape (k, b).

        `rates` are κ_c, and `added` is e^{−L} or 0. Every candidate occurs once. A block is valid until the next one is
        requested.
        """
        is_kept = 2 < len(rows) <= _MAX_CACHED_DISTANCES // len(self.histograms)
        kept = _cached_distances(self, rows.tobytes()) if is_kept else None
        exponents, block = -rates[:, None], np.empty((len(rows), 0))
        for distances in kept or self.distances(rows):
            if kept is None:
                block = distances
            elif block.shape != distances.shape:
                block = np.empty(distances.shape)
            np.multiply(distances, exponents, out=block)
            np.exp(block, out=block)
            block += added
            yield block

    def distances(self, rows: Counts) -> Iterator[Floats]:
        """Yield H between the histograms `rows` and all candidates, in the blocks of `weights`."""
        size = max(1, _BLOCK // max(1, len(rows)))
        # Reuse contiguous memory: allocating it would take most of the time.
        block, part = np.empty((2, len(rows), min(size, len(self.histograms))))
        for first in range(0, len(self.histograms), size):
            candidates = self.histograms[first : first + size]
            if len(candidates) != block.shape[1]:
                block, part = np.empty((2, len(rows), len(candidates)))
            block.fill(0.0)
            for table, held, taken in zip(self.log_affinities, self.histograms[rows].T, candidates.T, strict=True):
                np.take(table[:, taken], held, axis=0, out=part)
                block += part
            np.expm1(block, out=block)
            np.negative(block, out=block)
            np.sqrt(block, out=block)
            yield block

    def row(self, at: int, rate: float, added: float) -> Floats:
        """Return the weights of all candidates at one histogram, shape (|R|,)."""
        blocks = self.weights(np.array([at]), np.array([rate]), added)
        return np.concatenate([block[0].copy() for block in blocks])

    def log_normalisers(self, rates: Floats, added: float) -> Floats:
        """Return ln N_c at every histogram, shape (|R|,)."""
        speakers, indices = np.unique(self.orbits, return_inverse=True)
        totals = np.zeros(len(speakers))
        for block in self.weights(speakers, rates[speakers], added):
            totals += block.sum(axis=1)
        return np.asarray(np.log(totals)[indices])


@lru_cache(maxsize=1)
def _cached_distances(space: SmallSpace, rows: bytes) -> tuple[Floats, ...]:
    """Return the distances of these histograms. A search needs them at several rates."""
    return tuple(each.copy() for each in space.distances(np.frombuffer(rows, dtype=np.int64)))
