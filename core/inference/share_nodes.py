"""The distribution of a share that depends on two counts with too many pairs of values, by quadrature over both counts.

θ_A / (θ_A + θ_B) given the counts is Beta(α_A + c_A, α_B + c_B). Its probabilities are smooth in large counts, so few
values of each count suffice: those of a Gauss rule for the distribution of the count (Golub and Welsch 1969). Values of
c_A are whole numbers near the nodes of its rule, with weights that are exact for the same polynomials as an
interpolation. For each of them, c_B has its own conditional distribution and rule, so the rule also serves if a sharply
known total ties both counts. Counts below 16 are not smooth and are summed.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from core.cells import CellSet
from core.inference.beta_pairs import BetaPairs
from core.inference.counts import CountMarginal, InferenceError
from core.inference.product_counts import ProductCounts

Floats = NDArray[np.float64]

_SMOOTH_FROM: Final = 16
"""Count from which probabilities of a share are smooth in the count."""
_ORDERS: Final = (16, 24)
"""Numbers of nodes of each count. The error is estimated by the difference of both results."""
_ALL_UP_TO: Final = 192
"""Number of values of c_A up to which all are used."""
_CHECKED_AT: Final = (1e-6, 1e-3, 0.05, 0.3, 0.5, 0.7, 0.95, 0.999, 1.0 - 1e-6)
"""Probabilities at whose quantiles both results are compared."""
_NEGLIGIBLE: Final = 1e-16
_MAX_ERROR: Final = 1e-8
_ROUNDING: Final = 1e-11


def share_by_nodes(
    counts: ProductCounts, cells: tuple[CellSet, CellSet], priors: tuple[float, float]
) -> tuple[BetaPairs, float]:
    """Return the distribution of θ_A / (θ_A + θ_B), and an estimate of the error of its probabilities.

    Arguments: `counts`, the posterior of the counts; `cells`, the disjoint sets A and B; `priors`, α_A and α_B.

    Raises InferenceError if the error is above 1e-8.
    """
    of_first = counts.sums([cells[0]])
    first = CountMarginal(of_first.lows[0], of_first.probabilities)
    coarse, fine = (_pairs(counts, first, cells, priors, order) for order in _ORDERS)
    points = [fine.quantile(probability) for probability in _CHECKED_AT]
    difference = max(abs(fine.cdf(point) - coarse.cdf(point)) for point in points)
    error = difference + of_first.error + _ROUNDING
    if not error <= _MAX_ERROR:
        raise InferenceError("too many counts")
    return fine, error


def _pairs(
    counts: ProductCounts,
    first: CountMarginal,
    cells: tuple[CellSet, CellSet],
    priors: tuple[float, float],
    order: int,
) -> BetaPairs:
    values, weights = _values_of_first(first, order)
    a, b, pair_weights = [], [], []
    for value, weight, second in zip(
        values.tolist(), weights.tolist(), counts.second_given_first(cells, values), strict=True
    ):
        nodes, parts = _nodes_of_second(second, order)
        a.append(np.full(nodes.size, priors[0] + value))
        b.append(priors[1] + nodes)
        pair_weights.append(weight * parts)
    joined = np.concatenate(pair_weights)
    return BetaPairs(np.concatenate(a), np.concatenate(b), joined / joined.sum())


def _values_of_first(first: CountMarginal, order: int) -> tuple[NDArray[np.int64], Floats]:
    """Return whole numbers and their weights for the distribution of the first count."""
    values, weights = _likely(first)
    if values.size <= _ALL_UP_TO:
        return values, weights
    split = int(np.searchsorted(values, _SMOOTH_FROM))
    smooth, rest = values[split:].astype(np.float64), weights[split:]
    centre, unit = _centre(smooth, rest)
    scaled = (smooth - centre) / unit
    diagonal, beside = _recurrence(scaled, rest, order)
    nodes = linalg.eigh_tridiagonal(diagonal, beside[1:order], eigvals_only=True)
    chosen = np.unique(np.clip(np.rint(centre + unit * nodes), smooth[0], smooth[-1]))
    # The weights integrate the orthonormal polynomials exactly: 1 for the constant, and 0 for the others.
    basis = _polynomials((chosen - centre) / unit, diagonal, beside, chosen.size)
    right = np.zeros(chosen.size)
    right[0] = 1.0
    interpolated = np.linalg.solve(basis, right) * rest.sum()
    return (
        np.concatenate([values[:split], chosen.astype(np.int64)]),
        np.concatenate([weights[:split], interpolated]),
    )


def _nodes_of_second(second: CountMarginal, order: int) -> tuple[Floats, Floats]:
    """Return real nodes and their weights for a conditional distribution of the second count."""
    values, weights = _likely(second)
    split = int(np.searchsorted(values, _SMOOTH_FROM))
    smooth, rest = values[split:].astype(np.float64), weights[split:]
    if smooth.size <= 2 * order:
        return values.astype(np.float64), weights
    centre, unit = _centre(smooth, rest)
    diagonal, beside = _recurrence((smooth - centre) / unit, rest, order)
    nodes, vectors = linalg.eigh_tridiagonal(diagonal, beside[1:order])
    return (
        np.concatenate([values[:split].astype(np.float64), centre + unit * nodes]),
        np.concatenate([weights[:split], rest.sum() * vectors[0] ** 2]),
    )


def _likely(marginal: CountMarginal) -> tuple[NDArray[np.int64], Floats]:
    """Return the counts without ends of negligible probability, and their probabilities."""
    kept = np.flatnonzero(marginal.probabilities > _NEGLIGIBLE / marginal.probabilities.size)
    probabilities = marginal.probabilities[kept[0] : kept[-1] + 1]
    return marginal.low + np.arange(kept[0], kept[-1] + 1), probabilities


def _centre(values: Floats, weights: Floats) -> tuple[float, float]:
    mean = float(weights @ values) / float(weights.sum())
    return mean, float(np.sqrt(weights @ (values - mean) ** 2 / weights.sum()))


def _recurrence(points: Floats, weights: Floats, order: int) -> tuple[Floats, Floats]:
    """Return a_k and b_k of b_(k+1) p_(k+1) = (x − a_k) p_k − b_k p_(k−1) for orthonormal polynomials, k < order."""
    weights = weights / weights.sum()
    diagonal, beside = np.zeros(order), np.zeros(order + 1)
    before, here = np.zeros(points.size), np.ones(points.size)
    for k in range(order):
        diagonal[k] = float(weights @ (points * here**2))
        following = (points - diagonal[k]) * here - beside[k] * before
        beside[k + 1] = np.sqrt(float(weights @ following**2))
        before, here = here, following / beside[k + 1]
    return diagonal, beside


def _polynomials(points: Floats, diagonal: Floats, beside: Floats, size: int) -> Floats:
    """Return the first orthonormal polynomials at some points, shape (size, points)."""
    rows = [np.ones(points.size)]
    before = np.zeros(points.size)
    for k in range(size - 1):
        following = ((points - diagonal[k]) * rows[-1] - beside[k] * before) / beside[k + 1]
        before = rows[-1]
        rows.append(following)
    return np.stack(rows)
