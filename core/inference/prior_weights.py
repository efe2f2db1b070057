"""Weights of counts under a Dirichlet prior: DirMult(c; n, α) ∝ Π Γ(α_i + c_i) / c_i!, one factor per category.

Large values of lnΓ never appear: at α = 10⁶ they would lose half of their digits. Constants that depend on α alone are
omitted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.count_simplex.rows import TOGETHER
from core.special_functions import stirling_remainder

UNIT: Final = 2.0**-53
_ROUNDING_UNITS: Final = 8.0
"""Number of roundings in a term of a log-weight, at most."""
_KNOT_SPACING: Final = 16
"""Spacing of the counts of a run at which Stirling's formula is evaluated."""


def log_prior_weight(alpha: ArrayLike, counts: ArrayLike, *, anchor: ArrayLike) -> NDArray[np.float64]:
    """Return ln(Γ(α + c) / Γ(c + 1)) minus its value at c = `anchor`, for c >= 0 and `anchor` >= 0. It is exactly 0 for
    α = 1.

    α and `anchor` are numbers or arrays of the shape of `counts`. Terms are of the size of c − anchor. Let z = anchor +
    1, x = anchor + α, k = c − anchor, d = α − 1, and R the remainder of Stirling's formula. The result is

        d ln((x + k)/x) + (z + k − ½) ln((x + k) z / (x (z + k))) + k ln(x/z) + R(x + k) − R(x) − R(z + k) + R(z).
    """
    terms = _prior_terms(alpha, counts, anchor)
    total: NDArray[np.float64] = sum(terms[1:], start=terms[0])
    return total


def prior_weight_rounding(alpha: ArrayLike, counts: ArrayLike, *, anchor: ArrayLike) -> NDArray[np.float64]:
    """Return a bound on the rounding error of `log_prior_weight` at each c."""
    return _rounding_of(_prior_terms(alpha, counts, anchor))


def log_prior_weights_of_runs(
    alpha: NDArray[np.float64], low: NDArray[np.int64], sizes: NDArray[np.int64], *, anchor: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return `log_prior_weight` over one run of consecutive counts per category, all runs end to end.

    Category i has the counts low_i, low_i + 1, …, sizes_i >= 1 of them. All arguments have shape (k,). Every sixteenth
    weight, a knot, comes from Stirling's formula. The others come from the ratios (α + c)/(c + 1) of consecutive
    weights, which are faster.
    """
    pieces = [(at_knots[:, None] + since)[inside] for at_knots, since, inside, _ in _knots(alpha, low, sizes, anchor)]
    return np.concatenate(pieces)


def rounding_of_runs(
    alpha: NDArray[np.float64], low: NDArray[np.int64], sizes: NDArray[np.int64], *, anchor: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return a bound on the rounding error of `log_prior_weights_of_runs`, for each count."""
    pieces = []
    for at_knots, since, inside, rounding in _knots(alpha, low, sizes, anchor):
        # The steps of a run share a sign, so no partial sum exceeds the last. Each step has an error of a few units,
        # and one more per addition.
        of_steps = (_ROUNDING_UNITS + _KNOT_SPACING) * np.abs(since)
        of_sums = np.abs(at_knots[:, None] + since)
        pieces.append((rounding[:, None] + UNIT * (of_steps + of_sums))[inside])
    return np.concatenate(pieces)


def _knots(
    alpha: NDArray[np.float64], low: NDArray[np.int64], sizes: NDArray[np.int64], anchor: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]]:
    """Yield the knots of `log_prior_weights_of_runs`, every sixteenth count of a run, in batches of j knots.

    A batch has four arrays: the log-weights of the knots, shape (j,); the increments from each knot to its 16 counts,
    shape (j, 16); whether each of these counts is inside the run, shape (j, 16); and a bound on the rounding error of
    each log-weight, shape (j,).
    """
    of_run = -(-sizes // _KNOT_SPACING)
    of_knot = np.repeat(np.arange(sizes.size), of_run)
    index = np.arange(of_knot.size) - np.repeat(np.cumsum(of_run) - of_run, of_run)
    for start in range(0, of_knot.size, TOGETHER // _KNOT_SPACING):
        runs, indices = (
            of_knot[start : start + TOGETHER // _KNOT_SPACING],
            index[start : start + TOGETHER // _KNOT_SPACING],
        )
        knots, prior = low[runs] + _KNOT_SPACING * indices, alpha[runs]
        terms = _prior_terms(prior, knots, anchor[runs])
        since = np.zeros((runs.size, _KNOT_SPACING))
        if (prior != 1.0).any():
            counts = knots[:, None] + np.arange(0.0, _KNOT_SPACING - 1.0)
            np.cumsum(_log_ratio(prior[:, None], counts), axis=1, out=since[:, 1:])
        inside = _KNOT_SPACING * indices[:, None] + np.arange(_KNOT_SPACING) < sizes[runs][:, None]
        yield sum(terms[1:], start=terms[0]), since, inside, _rounding_of(terms)


def _log_ratio(prior: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ln((α + c)/(c + 1))."""
    following = counts + 1.0
    return _log_one_plus((prior - 1.0) / following, (prior + counts) / following)


def _prior_terms(alpha: ArrayLike, at: ArrayLike, anchored_at: ArrayLike) -> tuple[NDArray[np.float64], ...]:
    prior, counts, anchor = (np.asarray(each, dtype=np.float64) for each in (alpha, at, anchored_at))
    z, x, d = anchor + 1.0, anchor + prior, prior - 1.0
    if not d.any():
        return (np.zeros_like(counts),)
    z_there, x_there, k = counts + 1.0, counts + prior, counts - anchor
    # Near 1 the logarithm of a ratio needs the exact difference; far from 1 the ratio itself is more accurate.
    growth = _log_one_plus(k / x, x_there / x)
    against = _log_one_plus(-k * (d / (x * z_there)), (x_there / z_there) * (z / x))
    slope = _log_one_plus(d / z, x / z)
    remainders = (
        stirling_remainder(x_there) - stirling_remainder(z_there) + (stirling_remainder(z) - stirling_remainder(x))
    )
    remainders = np.where(d == 0.0, 0.0, remainders)
    return d * growth, (z_there - 0.5) * against, k * slope, remainders


def _rounding_of(terms: tuple[NDArray[np.float64], ...]) -> NDArray[np.float64]:
    return _ROUNDING_UNITS * UNIT * sum((np.abs(term) for term in terms), start=np.zeros_like(terms[0]))


def _log_one_plus(difference: NDArray[np.float64], ratio: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ln(1 + difference) = ln(ratio), computed from the argument that keeps its digits."""
    near = np.abs(difference) < 0.5
    if near.all():
        close: NDArray[np.float64] = np.log1p(difference)
        return close
    return np.where(near, np.log1p(np.where(near, difference, 0.0)), np.log(ratio))
