"""Shares at an unknown total n, as mixtures of their distributions at a few totals.

Given n, the counts have a product distribution with a known sum, and a share is a mixture of Beta distributions over
one count. P(θ_A <= x | n) changes slowly with n compared with the spread of n, unless the set has most of the records
and the total is known through their noise only. So a Gauss rule for the distribution of n needs few totals, whatever is
published about n. They are whole numbers near the Gauss nodes, with interpolatory weights.

With R the change of a share's mean per standard deviation of n, in standard deviations of the share at a fixed n, the
error of a rule of order k is about (R² / (1 + R²))^k, as that of a Gauss-Hermite rule for Φ(a + Rz). This takes many
cells: with few, the noise of single cells makes P(θ_A <= x | n) less smooth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, optimize

from core.inference.beta_pairs import BetaPairs
from core.inference.counts import CountMarginal, InferenceError
from core.inference.mixture import BetaMixture

Floats: TypeAlias = NDArray[np.float64]

FASTEST: Final = 0.7
"""Largest R of shares for which the same totals are used for all cells."""
_MIN_SPEED: Final = 0.05
_LOG_PRECISION: Final = math.log(1e-13)
_MIN_SMOOTH_TOTAL: Final = 48
"""Each total below this is a node, because probabilities of small totals are not smooth."""
_MOST_TOTALS: Final = 64
_MAX_RESIDUAL: Final = 1e-11
_UNIMPORTANT_WEIGHT: Final = 1e-6
_NEGLIGIBLE_PROBABILITY: Final = 1e-15


@dataclass(frozen=True, eq=False)
class OverTotals(BetaPairs):
    """A share as a mixture of `parts`, its distributions at a few totals with their weights."""

    parts: tuple[tuple[float, BetaMixture], ...] = ()

    @classmethod
    def of(cls, parts: Sequence[tuple[float, BetaMixture]]) -> Self:
        """Return the mixture of these distributions. Their weights sum to 1."""
        a, b, weights = [], [], []
        for weight, part in parts:
            (least, _), (_, rest) = part.ends
            steps = np.arange(part.probabilities.size, dtype=np.float64)
            # In order of falling counts, each component follows from the one before (see `BetaPairs`).
            a.append((least + steps)[::-1])
            b.append(rest + steps)
            weights.append(weight * part.probabilities[::-1])
        return cls(np.concatenate(a), np.concatenate(b), np.concatenate(weights), tuple(parts))


def order_for(speed: float) -> int:
    """Return the order of a rule whose error is below about 1e-13, for a share with R = `speed`."""
    square = max(speed, _MIN_SPEED) ** 2
    return max(4, 1 + math.ceil(_LOG_PRECISION / math.log(square / (1.0 + square))))


def speeds(below: Sequence[BetaMixture], middle: Sequence[BetaMixture], above: Sequence[BetaMixture]) -> Floats:
    """Return R of each share, from its distributions at totals one deviation below the mean, at the mean, and above."""
    change = np.array([high.mean - low.mean for low, high in zip(below, above, strict=True)])
    return np.asarray(0.5 * np.abs(change) / np.array([each.standard_deviation for each in middle]))


def likely_totals(law: CountMarginal) -> tuple[NDArray[np.int64], Floats]:
    """Return the totals of non-negligible probability and their probabilities, with sum 1."""
    likely = law.probabilities > _NEGLIGIBLE_PROBABILITY
    return law.low + np.flatnonzero(likely), law.probabilities[likely] / law.probabilities[likely].sum()


def rule_of_total(law: CountMarginal, order: int) -> tuple[NDArray[np.int64], Floats]:
    """Return totals and weights >= 0, so that weighted sums over these totals are nearly means over the law of the
    total. Raises InferenceError if no such rule with at most 64 totals is found.
    """
    totals, weights = likely_totals(law)
    split = int(np.searchsorted(totals, _MIN_SMOOTH_TOTAL))
    if float(weights[:split].sum()) < _UNIMPORTANT_WEIGHT:
        split = 0
    smooth, rest = totals[split:], weights[split:]
    if smooth.size > 4 * order:
        chosen, on_chosen = _interpolatory(smooth.astype(np.float64), rest / rest.sum(), order)
        totals = np.concatenate([totals[:split], smooth[chosen]])
        weights = np.concatenate([weights[:split], float(rest.sum()) * on_chosen])
    if totals.size > _MOST_TOTALS:
        raise InferenceError("too many totals")
    return totals, weights


def _interpolatory(points: Floats, weights: Floats, order: int) -> tuple[NDArray[np.int64], Floats]:
    """Return the indices of some of these consecutive whole points, and weights >= 0, so that weighted sums of
    polynomials of a degree up to 3/2 of the order are means.

    The points are neighbours of the Gauss nodes.
    """
    centre = float(weights @ points)
    unit = math.sqrt(float(weights @ (points - centre) ** 2))
    scaled, degree = (points - centre) / unit, 3 * order // 2
    diagonal, beside = recurrence(scaled, weights, degree)
    nodes = centre + unit * linalg.eigh_tridiagonal(diagonal[:order], beside[: order - 1], eigvals_only=True)
    near = np.concatenate([np.floor(nodes), np.ceil(nodes)]) - points[0]
    near = np.unique(np.clip(near, 0, points.size - 1).astype(np.int64))
    polynomials = np.ones((degree, near.size))
    before, here, at = np.zeros(near.size), np.ones(near.size), scaled[near]
    for k in range(degree - 1):
        following = ((at - diagonal[k]) * here - (beside[k - 1] if k else 0.0) * before) / beside[k]
        before, here = here, following
        polynomials[k + 1] = here
    # Orthonormal polynomials have the mean 0, except for the constant 1.
    sizes = np.linalg.norm(polynomials, axis=0)
    try:
        scaled_weights, residual = optimize.nnls(polynomials / sizes, np.eye(degree)[0], maxiter=20 * near.size)
    except RuntimeError:
        raise InferenceError("no rule of this order") from None
    if residual > _MAX_RESIDUAL:
        raise InferenceError("no rule of this order")
    found, used = scaled_weights / sizes, scaled_weights > 0.0
    return near[used], np.asarray(found[used] / found.sum(), dtype=np.float64)


def recurrence(points: Floats, weights: Floats, order: int) -> tuple[Floats, Floats]:
    """Return a_0, …, a_(order − 1) and b_1, …, b_(order − 1) of the orthonormal polynomials of a distribution.

    b_(k+1) p_(k+1) = (x − a_k) p_k − b_k p_(k−1).
    """
    diagonal, beside = np.zeros(order), np.zeros(order + 1)
    before, here = np.zeros(points.size), np.ones(points.size)
    for k in range(order):
        diagonal[k] = float(weights @ (points * here**2))
        following = (points - diagonal[k]) * here - beside[k] * before
        beside[k + 1] = np.sqrt(float(weights @ following**2))
        before, here = here, following / beside[k + 1]
    return diagonal, beside[1:order]
