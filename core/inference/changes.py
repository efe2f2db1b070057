"""Finite laws of noise, which depend on the count: random rounding, and the perturbation tables of cell keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]


class Changes:
    """The changes of a count and their probabilities.

    Row c has those of the count c; the last row also those of all larger counts, unless the rows repeat. Without noise,
    the only change is 0.
    """

    __slots__ = ("_changes", "_probabilities", "_repeat", "deviation", "least", "most")

    def __init__(self, rows: Sequence[Mapping[int, float]], *, repeat: bool = False) -> None:
        size = max(map(len, rows))
        of_rows = [[*row.items(), *[(0, 0.0)] * (size - len(row))] for row in rows]
        self._changes = np.array([[change for change, _ in row] for row in of_rows], dtype=np.int64)
        self._probabilities = np.array([[p for _, p in row] for row in of_rows], dtype=np.float64)
        self._repeat = repeat
        possible = self._changes[self._probabilities > 0.0]
        self.least, self.most = int(possible.min()), int(possible.max())
        self.deviation = float(np.sqrt((self._probabilities * np.square(self._changes)).sum(axis=1).max()))

    def log_likelihood(self, low: Floats, high: Floats, counts: NDArray[np.int64]) -> Floats:
        """Return ln P(low <= c + z <= high) for each count c; all arguments have one shape."""
        size = len(self._changes)
        rows = counts % size if self._repeat else np.clip(counts, 0, size - 1)
        found = np.zeros(counts.size)
        for change, probability in zip(self._changes.T, self._probabilities.T, strict=True):
            changed = counts + change[rows]
            found += np.where((low <= changed) & (changed <= high), probability[rows], 0.0)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(found))

    def log_moments(self, of: Callable[[NDArray[np.int64]], NDArray[np.int64]], tilts: Floats) -> Floats:
        """Return a bound on ln E e^(λ f(z)) and ln E e^(λ f(−z)) for each λ of `tilts`, whatever the count."""
        with np.errstate(divide="ignore"):
            logs = np.log(self._probabilities)
        each = [logs + np.multiply.outer(tilts, of(sign * self._changes)) for sign in (1, -1)]
        return np.asarray(special.logsumexp(each, axis=3).max(axis=(0, 2)))


UNCHANGED: Final = Changes([{0: 1.0}])


@lru_cache(maxsize=64)
def rounded_at_random(base: int) -> Changes:
    """Return unbiased random rounding: to the neighbouring multiples of `base`, so that the mean is the count."""
    rows = [{-rest: 1.0 - rest / base, base - rest: rest / base} for rest in range(1, base)]
    return Changes([{0: 1.0}, *rows], repeat=True)
