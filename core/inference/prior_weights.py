"""Weights of counts under a Dirichlet prior: DirMult(c; n, α) ∝ Π Γ(α_i + c_i) / c_i!, one factor a category.

Large values of lnΓ never meet: at α = 10⁶ either would have lost half of the digits. What α alone decides is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.count_simplex.rows import TOGETHER
from core.special_functions import stirling_remainder

UNIT: Final = 2.0**-53
_FEW: Final = 8.0
"""Roundings that a term of a log-weight can have gone through."""
_KNOT_SPACING: Final = 16
"""Counts from one that Stirling's formula is used at to the next, in a run of counts."""


def log_prior_weight(alpha: ArrayLike, counts: ArrayLike, *, anchor: ArrayLike) -> NDArray[np.float64]:
    """ln(Γ(α + c) / Γ(c + 1)) at an array of c >= 0, less its value at `anchor` >= 0; exact for α = 1, and a term of
    the size of c − anchor. α and `anchor`: one number, or one for each c.

    By Stirling's formula, with z = anchor + 1, x = anchor + α, k = c − anchor, d = α − 1 and R its remainder: d ln((x +
    k)/x) + (z + k − ½) ln((x + k) z / (x (z + k))) + k ln(x/z) + R(x + k) − R(x) − R(z + k) + R(z).
    """
    terms = _prior_terms(alpha, counts, anchor)
    total: NDArray[np.float64] = sum(terms[1:], start=terms[0])
    return total


def prior_weight_rounding(alpha: ArrayLike, counts: ArrayLike, *, anchor: ArrayLike) -> NDArray[np.float64]:
    """A bound on the rounding of `log_prior_weight`, for each c."""
    return _rounding_of(_prior_terms(alpha, counts, anchor))


def log_prior_weights_of_runs(
    alpha: NDArray[np.float64], low: NDArray[np.int64], sizes: NDArray[np.int64], *, anchor: NDArray[np.int64]
) -> NDArray[np.float64]:
    """`log_prior_weight` of the counts low_i, low_i + 1, … of each category i, sizes_i of them, >= 1: all runs end to
    end. All arguments of shape (k,).

    Every sixteenth by Stirling's formula, the others by the ratios (α + c)/(c + 1) of one to the next, which are
    quicker.
    """
    pieces = [(at_knots[:, None] + since)[inside] for at_knots, since, inside, _ in _knots(alpha, low, sizes, anchor)]
    return np.concatenate(pieces)


def rounding_of_runs(
    alpha: NDArray[np.float64], low: NDArray[np.int64], sizes: NDArray[np.int64], *, anchor: NDArray[np.int64]
) -> NDArray[np.float64]:
    """A bound on the rounding of `log_prior_weights_of_runs`, for each count."""
    pieces = []
    for at_knots, since, inside, rounding in _knots(alpha, low, sizes, anchor):
        # All steps of a run have one sign, so that no partial sum is larger than the last; each is off by a few units
        # by itself, and by one more for each that is added.
        of_steps = (_FEW + _KNOT_SPACING) * np.abs(since)
        of_sums = np.abs(at_knots[:, None] + since)
        pieces.append((rounding[:, None] + UNIT * (of_steps + of_sums))[inside])
    return np.concatenate(pieces)


def _knots(
    alpha: NDArray[np.float64], low: NDArray[np.int64], sizes: NDArray[np.int64], anchor: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]]:
    """For some knots at a time: the log-weight at each, shape (j,); what the counts from it on add to that, shape (j,
    16), and which of them are in the run; a bound on the rounding at each knot.
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
    """ln((α + c)/(c + 1))."""
    following = counts + 1.0
    return _log_one_plus((prior - 1.0) / following, (prior + counts) / following)


def _prior_terms(alpha: ArrayLike, at: ArrayLike, anchored_at: ArrayLike) -> tuple[NDArray[np.float64], ...]:
    prior, counts, anchor = (np.asarray(each, dtype=np.float64) for each in (alpha, at, anchored_at))
    z, x, d = anchor + 1.0, anchor + prior, prior - 1.0
    if not d.any():
        return (np.zeros_like(counts),)
    z_there, x_there, k = counts + 1.0, counts + prior, counts - anchor
    # Where both come near to each other the logarithm of their ratio needs their exact difference; far apart, the ratio
    # itself is better.
    growth = _log_one_plus(k / x, x_there / x)
    against = _log_one_plus(-k * (d / (x * z_there)), (x_there / z_there) * (z / x))
    slope = _log_one_plus(d / z, x / z)
    remainders = (
        stirling_remainder(x_there) - stirling_remainder(z_there) + (stirling_remainder(z) - stirling_remainder(x))
    )
    remainders = np.where(d == 0.0, 0.0, remainders)
    return d * growth, (z_there - 0.5) * against, k * slope, remainders


def _rounding_of(terms: tuple[NDArray[np.float64], ...]) -> NDArray[np.float64]:
    return _FEW * UNIT * sum((np.abs(term) for term in terms), start=np.zeros_like(terms[0]))


def _log_one_plus(difference: NDArray[np.float64], ratio: NDArray[np.float64]) -> NDArray[np.float64]:
    """ln(1 + difference) = ln(ratio), by whichever keeps its digits."""
    near = np.abs(difference) < 0.5
    if near.all():
        close: NDArray[np.float64] = np.log1p(difference)
        return close
    return np.where(near, np.log1p(np.where(near, difference, 0.0)), np.log(ratio))
