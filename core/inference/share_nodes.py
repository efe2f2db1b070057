"""The distribution of a share at an unknown total n, if too many pairs of counts are possible to list them.

The count c_A of the share's cells and the count N of the others have the joint distribution f_1(c_A) f_2(N) g(c_A + N).
Given both, θ_A is Beta(α_A + c_A, A − α_A + N). If g is smooth, so is everything but f_1 and f_2, and their Gauss rules
need few nodes (Golub and Welsch 1969). Probabilities are not smooth in counts below 48, which are summed.
"""

from __future__ import annotations

import math
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from core.cells import CellSet
from core.inference.beta_pairs import BetaPairs
from core.inference.counts import CountMarginal, InferenceError
from core.inference.product_counts import ProductCounts

Floats: TypeAlias = NDArray[np.float64]

_SMOOTH_FROM: Final = 48
_ORDERS: Final = ((24, 16), (36, 24), (48, 32), (64, 44))
"""Numbers of nodes of c_A and of N. The error is estimated by the difference from the result before."""
_CHECKED_AT: Final = np.array([-5.0, -3.0, -1.6, -0.5, 0.0, 0.5, 1.6, 3.0, 5.0])
"""Logits at which both results are compared, in standard deviations from the mean."""
_NEGLIGIBLE: Final = 1e-18
_MAX_ERROR: Final = 1e-8
_ROUNDING: Final = 1e-11


def share_by_nodes(
    counts: ProductCounts, cells: tuple[CellSet, CellSet], priors: tuple[float, float]
) -> tuple[BetaPairs, float]:
    """Return the distribution of θ_A, and an estimate of the error of its probabilities.

    Arguments: `counts`, the posterior of the counts at an unknown total; `cells`, the set A and the set of all other
    cells; `priors`, the sums of α over both.

    Raises InferenceError if g is not smooth, because the total is published or its bound matters, or if the error is
    above 1e-8.
    """
    first, second, log_weight = counts.pair_at_unknown_total(cells)
    coarse: BetaPairs | None = None
    for orders in _ORDERS:
        (a, of_a), (b, of_b) = (_rule(each, order) for each, order in zip((first, second), orders, strict=True))
        logs = log_weight(a[:, None] + b)
        weights = of_a[:, None] * of_b * np.exp(logs - logs.max())
        i, j = np.nonzero(weights > _NEGLIGIBLE * weights.sum())
        kept = weights[i, j]
        fine = BetaPairs(priors[0] + a[i], priors[1] + b[j], kept / kept.sum())
        error = math.inf if coarse is None else _difference(coarse, fine) + _ROUNDING
        if error <= _MAX_ERROR:
            return fine, error
        coarse = fine
    raise InferenceError("too many counts")


def _difference(coarse: BetaPairs, fine: BetaPairs) -> float:
    unit = min(2.0, fine.standard_deviation / (fine.mean * (1.0 - fine.mean)))
    logits = float(special.logit(fine.mean)) + unit * _CHECKED_AT
    return float(np.max(np.abs(fine.survival_of_logits(logits) - coarse.survival_of_logits(logits))))


def _rule(count: CountMarginal, order: int) -> tuple[Floats, Floats]:
    """Return nodes and weights for a distribution of a count: all counts below 48, and a Gauss rule for the others."""
    values = count.low + np.arange(count.probabilities.size, dtype=np.float64)
    likely = count.probabilities > 0.0
    values, weights = values[likely], count.probabilities[likely]
    split = int(np.searchsorted(values, _SMOOTH_FROM))
    smooth, rest = values[split:], weights[split:]
    if smooth.size <= 2 * order:
        return values, weights
    mass = float(rest.sum())
    centre = float(rest @ smooth) / mass
    unit = float(np.sqrt(rest @ (smooth - centre) ** 2 / mass))
    diagonal, beside = _recurrence((smooth - centre) / unit, rest / mass, order)
    nodes, vectors = linalg.eigh_tridiagonal(diagonal, beside)
    return (
        np.concatenate([values[:split], np.clip(centre + unit * nodes, smooth[0], smooth[-1])]),
        np.concatenate([weights[:split], mass * vectors[0] ** 2]),
    )


def _recurrence(points: Floats, weights: Floats, order: int) -> tuple[Floats, Floats]:
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
