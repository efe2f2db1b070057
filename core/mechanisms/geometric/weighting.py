"""Weights geometric noise so that it stays on the simplex: P(r | c) = w_r e^(-epsilon d(r, c)) over the candidates r,
where d counts replaced records.

A shift of noise by the data leaves a small simplex at its edge, and what it puts outside is partly wasted. Instead,
give every candidate a weight w_r >= 0 with Σ_r w_r e^(-epsilon d(r, c)) = 1 for every histogram c: a linear system with
one solution, known as the weighting of a metric space (Leinster 2013). Where it is not negative it makes a channel
without a normaliser: the log-ratio between neighbours is epsilon (d(r, c') - d(r, c)) <= epsilon, and nearly every one
of these bounds is met, which is what makes a channel good. At m = 2 it is the truncated geometric mechanism, which is
optimal; at m = 3 linear programming finds it within 1 % of the best possible under a flat prior, and up to 7 % from it
under an uneven one (docs/distance-to-optimum.md). As a function of c the likelihood is that of the geometric noise
without an edge, so that inference is the same for both.
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
"""Epsilon kept back for rounding, of which less than a thousandth can be needed (`SimplexWeighting.draw`)."""
_MAX_RESIDUAL: Final = 1e-13
_MAX_EXPONENT: Final = 600.0


@dataclass(frozen=True, slots=True, eq=False)
class SimplexWeighting:
    """The candidates, shape (k, m), their weights, shape (k,), and e^(-epsilon d) for d = 0..n, shape (n + 1,)."""

    candidates: NDArray[np.int64]
    weights: NDArray[np.float64]
    powers: NDArray[np.float64]

    def probabilities(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """P(r | c) for every candidate r, shape (k,), at the histogram c, shape (m,); they sum to 1 within 1e-13."""
        moved = np.abs(self.candidates - counts).sum(axis=1) // 2
        likely: NDArray[np.float64] = self.weights * self.powers[moved]
        return likely

    def largest_loss_probability(self) -> float:
        """The largest probability, over neighbours c and c', that a release at c loses the whole epsilon: P(d(r, c') =
        d(r, c) + 1 | c).

        That is, that r has no fewer records than c in the category that c' takes one from, and no more than c in the
        one that gains it. The weights are the same for histograms that differ by the order of their categories, so that
        one pair of categories stands for all.
        """
        gives, gains = self.candidates[:, 0], self.candidates[:, 1]
        moving = self.candidates[gives >= 1]
        largest = 0.0
        for counts in moving:
            further = (gives >= counts[0]) & (gains <= counts[1])
            largest = max(largest, float(self.probabilities(counts)[further].sum()))
        return largest

    def losses(self, records: int) -> NDArray[np.float64]:
        """P(d(r, c') − d(r, c) = j | c) for j = −records..records, shape (pairs, 2 records + 1), of all pairs c, c' at
        distance up to `records` whose first has its counts in order: no other pair has another row.
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
        """One candidate, in proportion to the floats above taken as the exact numbers they are.

        Rounding, of epsilon d <= 600 above all, moves a probability by a factor within 1 ± 1e-12, and as all sum to 1
        within 1e-12, dividing by their sum by one more: a log-ratio of neighbours passes that of real numbers by less
        than 1e-11, and 2e-8 are kept back for it.
        """
        return tuple(self.candidates[in_proportion(self.probabilities(counts), entropy)].tolist())


def may_be_weighted(n: int, m: int, epsilon: Epsilon) -> bool:
    """Whether the simplex is small enough to look for a weighting."""
    return m > 2 and min(n, m - 1) <= 12 and candidate_count(n, m) <= MAX_SPACE and n * float(epsilon) <= _MAX_EXPONENT


@lru_cache(maxsize=128)
def weighting(n: int, m: int, epsilon: Epsilon) -> SimplexWeighting | None:
    """The weighting for at least three categories, or None where there is none to use: a matter of public parameters.

    None for m = 2, where cutting back the unbounded noise gives the same; for more than 1000 candidates; where
    e^(-epsilon n) nears the end of the floats; where a weight would be negative; and where the system is not solved to
    1e-13.
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
