"""The distribution of a share at an unknown total n, if too many pairs of counts are possible to list them.

If g below is not smooth, all likely totals n are used.

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
from core.inference.counts import TOO_MANY_AT_THIS_NOISE, CountMarginal, InferenceError
from core.inference.product_counts import ProductCounts
from core.inference.total_nodes import likely_totals, recurrence

Floats: TypeAlias = NDArray[np.float64]

_MIN_SMOOTH_COUNT: Final = 48
_ORDERS: Final = ((24, 16), (36, 24), (48, 32), (64, 44), (96, 66))
"""Numbers of nodes of c_A and of N. The error is estimated by the difference from the result before."""
MOST_TOTALS: Final = 1 << 10
"""Largest number of totals that are listed where the bound of the total matters."""
_MOST_PAIRS: Final = 1 << 20
_CHECKED_POINTS: Final = np.array([-5.0, -3.0, -1.6, -0.5, 0.0, 0.5, 1.6, 3.0, 5.0])
"""Logits at which both results are compared, in standard deviations from the mean."""
_NEGLIGIBLE_SHARE: Final = 1e-18
_MAX_ERROR: Final = 1e-8
_MAX_ADMITTED_ERROR: Final = 1e-5
"""The error at which the last rule is used: an interval from draws is off by about 8e-3."""
_ROUNDING: Final = 1e-11


def share_by_nodes(
    counts: ProductCounts, cells: tuple[CellSet, CellSet], priors: tuple[float, float]
) -> tuple[BetaPairs, float]:
    """Return the distribution of θ_A, and an estimate of the error of its probabilities.

    Arguments: `counts`, the posterior of the counts at an unknown total; `cells`, the set A and the set of all other
    cells; `priors`, the sums of α over both.

    Raises InferenceError if g is not smooth, because the total is published or its bound matters, or if the error is
    above 1e-5.
    """
    first, second, log_weight = counts.pair_at_unknown_total(cells)
    coarse, least_error = None, counts.above_bound + _ROUNDING
    for orders in _ORDERS:
        (a, of_a), (b, of_b) = (_rule(each, order) for each, order in zip((first, second), orders, strict=True))
        logs = log_weight(a[:, None] + b)
        weights = of_a[:, None] * of_b * np.exp(logs - logs.max())
        i, j = np.nonzero(weights > _NEGLIGIBLE_SHARE * weights.sum())
        kept = weights[i, j]
        fine = BetaPairs(priors[0] + a[i], priors[1] + b[j], kept / kept.sum())
        error = math.inf if coarse is None else difference(coarse, fine) + least_error
        if error <= (_MAX_ERROR if orders != _ORDERS[-1] else _MAX_ADMITTED_ERROR):
            return fine, error
        coarse = fine
    raise InferenceError(TOO_MANY_AT_THIS_NOISE)


def share_over_totals(
    counts: ProductCounts, cells: tuple[CellSet, CellSet], priors: tuple[float, float]
) -> tuple[BetaPairs, float]:
    """Return the distribution of θ_A from all likely totals and all counts at each, and its rounding error.

    g need not be smooth. Arguments as for `share_by_nodes`. Raises InferenceError if there are more than 1024 totals or
    2^20 pairs of a total and a count.
    """
    totals, weights = likely_totals(counts.totals())
    if totals.size > MOST_TOTALS:
        raise InferenceError("too many totals")
    found = counts.sums_at_totals(cells, totals)
    sizes = [each.probabilities.size for each in found]
    if sum(sizes) > _MOST_PAIRS:
        raise InferenceError("too many pairs of counts")
    # In descending order of the counts, which `BetaPairs` adds up quickly.
    a = np.concatenate([each.low + np.arange(size)[::-1] for each, size in zip(found, sizes, strict=True)])
    on = np.concatenate([weight * each.probabilities[::-1] for weight, each in zip(weights, found, strict=True)])
    return BetaPairs(priors[0] + a, priors[1] + (np.repeat(totals, sizes) - a), on / on.sum()), _ROUNDING


def difference(coarse: BetaPairs, fine: BetaPairs) -> float:
    """Return the largest difference of probabilities between two approximations of a distribution."""
    unit = min(2.0, fine.standard_deviation / (fine.mean * (1.0 - fine.mean)))
    logits = float(special.logit(fine.mean)) + unit * _CHECKED_POINTS
    return float(np.max(np.abs(fine.survival_of_logits(logits) - coarse.survival_of_logits(logits))))


def _rule(count: CountMarginal, order: int) -> tuple[Floats, Floats]:
    """Return nodes and weights for a distribution of a count: all counts below 48, and a Gauss rule for the others."""
    values = count.low + np.arange(count.probabilities.size, dtype=np.float64)
    likely = count.probabilities > 0.0
    values, weights = values[likely], count.probabilities[likely]
    split = int(np.searchsorted(values, _MIN_SMOOTH_COUNT))
    smooth, rest = values[split:], weights[split:]
    if smooth.size <= 2 * order:
        return values, weights
    mass = float(rest.sum())
    centre = float(rest @ smooth) / mass
    unit = float(np.sqrt(rest @ (smooth - centre) ** 2 / mass))
    diagonal, beside = recurrence((smooth - centre) / unit, rest / mass, order)
    nodes, vectors = linalg.eigh_tridiagonal(diagonal, beside)
    return (
        np.concatenate([values[:split], np.clip(centre + unit * nodes, smooth[0], smooth[-1])]),
        np.concatenate([weights[:split], mass * vectors[0] ** 2]),
    )
