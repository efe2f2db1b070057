"""Weights geometric noise so that it stays on the simplex: P(r | c) = w_r e^(-epsilon d(r, c)) over the candidates r,
with d the number of replaced records.

A shift of noise by the data leaves a small simplex at its edge, and the probability outside is partly wasted. Instead,
every candidate gets a weight w_r >= 0 with Σ_r w_r e^(-epsilon d(r, c)) = 1 for every histogram c. This linear system
has one solution, the weighting of a metric space (Leinster 2013). If it is not negative, it is a channel without a
normaliser. Its log-ratio between neighbours is epsilon (d(r, c') - d(r, c)) <= epsilon, and nearly all of these bounds
are attained, which makes the channel accurate.

At m = 2 it is the truncated geometric mechanism, which is optimal. At m = 3 it is within 1 % of the best possible under
a flat prior, by linear programming, and up to 7 % from it under an uneven one
(docs/explanation/certificates.md). As a function of c the likelihood is that of unbounded geometric noise, so
inference is the same for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.candidates import candidate, candidate_count
from core.privacy import Epsilon
from core.samplers.entropy import Entropy
from core.samplers.uniform import in_proportion

MAX_SPACE: Final = 1000
RESERVED: Final = Epsilon(20)
"""Epsilon reserved for rounding, which needs less than a thousandth of it (`SimplexWeighting.draw`)."""
RELATIVE_ERROR: Final = "1e-9"
"""Bound on the relative error of a probability against exact weights, as certificates state it. Tests find 1e-11."""
_MAX_RESIDUAL: Final = 1e-13
_MAX_EXPONENT: Final = 600.0


@dataclass(frozen=True, slots=True, eq=False)
class SimplexWeighting:
    """The candidates, shape (k, m), their weights, shape (k,), and e^(-epsilon d) for d = 0..n, shape (n + 1,)."""

    candidates: NDArray[np.int64]
    weights: NDArray[np.float64]
    powers: NDArray[np.float64]

    def probabilities(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return P(r | c) for every candidate r, shape (k,), at the histogram c, shape (m,); they sum to 1 within
        1e-13.
        """
        moved = np.abs(self.candidates - counts).sum(axis=1) // 2
        likely: NDArray[np.float64] = self.weights * self.powers[moved]
        return likely

    def largest_loss_probability(self) -> float:
        """Return the largest probability, over neighbours c and c', that a release at c has the loss epsilon.

        That is P(d(r, c') = d(r, c) + 1 | c). In this event r has at least as many records as c in the category that
        loses a record in c', and at most as many in the category that gains it. The weights are invariant under
        permutations of the categories, so one pair of categories represents all.
        """
        gives, gains = self.candidates[:, 0], self.candidates[:, 1]
        moving = self.candidates[gives >= 1]
        largest = 0.0
        for counts in moving:
            further = (gives >= counts[0]) & (gains <= counts[1])
            largest = max(largest, float(self.probabilities(counts)[further].sum()))
        return largest

    def losses(self, records: int) -> NDArray[np.float64]:
        """Return P(d(r, c') − d(r, c) = j | c) for j = −records, …, records, one row for each pair c, c', shape (pairs,
        2 records + 1).

        The pairs are those at distance up to `records` for which the counts of c are in descending order. All other
        pairs have the same rows.
        """
        found, values = [], 2 * records + 1
        for counts in self.candidates[(np.diff(self.candidates, axis=1) <= 0).all(axis=1)]:
            moved = np.abs(self.candidates - counts).sum(axis=1) // 2
            others = self.candidates[(moved > 0) & (moved <= records)]
            further = sum(
                np.abs(held - taken[:, None]) for held, taken in zip(self.candidates.T, others.T, strict=True)
            )
            bins = np.arange(len(others))[:, None] * values + records + further // 2 - moved
            likely = np.broadcast_to(self.probabilities(counts), bins.shape)
            found.append(np.bincount(bins.ravel(), likely.ravel(), len(others) * values).reshape(-1, values))
        return np.concatenate(found)

    def draw(self, counts: NDArray[np.int64], entropy: Entropy) -> tuple[int, ...]:
        """Draw one candidate, in proportion to the floats of `probabilities` taken as exact numbers.

        Rounding, mainly of epsilon d <= 600, changes a probability by a factor within 1 ± 1e-12. All probabilities sum
        to 1 within 1e-12, so division by their sum adds one more such factor. A log-ratio of neighbours therefore
        exceeds its real value by less than 1e-11, for which 2e-8 are reserved.
        """
        return tuple(self.candidates[in_proportion(self.probabilities(counts), entropy)].tolist())


def is_small(n: int, m: int) -> bool:
    """Return whether the simplex is small enough for a weighting at some epsilon."""
    return m > 2 and min(n, m - 1) <= 12 and candidate_count(n, m) <= MAX_SPACE


def may_be_weighted(n: int, m: int, epsilon: Epsilon) -> bool:
    """Return whether the simplex is small enough to compute a weighting at this epsilon."""
    return is_small(n, m) and n * float(epsilon) <= _MAX_EXPONENT


@lru_cache(maxsize=128)
def weighting(n: int, m: int, epsilon: Epsilon) -> SimplexWeighting | None:
    """Return the weights w_r of all candidates r, from public parameters, or None if there are no usable ones.

    None is returned in these cases:

    - m = 2, where truncating the unbounded noise gives the same channel;
    - more than 1000 candidates;
    - e^(-epsilon n) close to the smallest float;
    - a negative weight;
    - a residual of the system above 1e-13.
    """
    if not may_be_weighted(n, m, epsilon):
        return None
    candidates = np.array([candidate(index, n, m) for index in range(candidate_count(n, m))], dtype=np.int64)
    powers = np.exp(-float(epsilon.value - RESERVED.value) * np.arange(n + 1))
    kernel = powers[np.abs(candidates[:, None, :] - candidates[None, :, :]).sum(axis=2) // 2]
    weights = np.linalg.solve(kernel, np.ones(len(candidates)))
    if not (
        np.isfinite(weights).all() and (weights >= 0.0).all() and np.abs(kernel @ weights - 1.0).max() <= _MAX_RESIDUAL
    ):
        return None
    return SimplexWeighting(candidates, weights, powers)
