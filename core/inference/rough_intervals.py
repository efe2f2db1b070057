"""Estimates the ends of noise-aware intervals for plans, to about a percent and in milliseconds.

Exact quantiles over very many counts would take seconds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.inference.mixture import BetaMixture
from core.inference.quantiles import quantiles

_MAX_EXACT_COUNTS: Final = 4096
"""Largest number of counts of a mixture that is used exactly, as Beta distributions of small shares are not normal.
Beyond, normal distributions of the angle represent groups of counts.
"""
_THINNED_SIZE: Final = 96
"""Number of groups of neighbouring counts in a larger mixture."""
_PARTS: Final = np.linspace(0.0, 1.0, _THINNED_SIZE, endpoint=False)
_BRACKET_DEVIATIONS: Final = 4.0
"""Range beyond the outermost angles, in units of 1/√N, which is twice the deviation of the angle."""
_HALVINGS: Final = 14
_RELATIVE_PRECISION: Final = 0.0001
"""Distance from 0 or 1, in records, within which an end is taken for 0 or 1."""


def rough_intervals_of(
    distributions: Sequence[BetaMixture], level: float, *, n: int = 0, grain: int = 1
) -> NDArray[np.float64]:
    """Return the ends of the central intervals of several shares, shape (k, 2). They are exact if few counts are
    possible.

    If each of the `n` records of the distributions represents `grain` records, the counts are multiplied by `grain`.
    """
    tails = _tails(level)
    ends = np.empty((len(distributions), 2))
    narrow = [
        index
        for index, distribution in enumerate(distributions)
        if grain == 1 and distribution.probabilities.size <= _MAX_EXACT_COUNTS
    ]
    if narrow:
        ends[narrow] = _narrow_intervals([distributions[index] for index in narrow], tails)
    wide = sorted(set(range(len(distributions))).difference(narrow))
    if wide:
        # Each has as many components. The last ones may have no weight.
        concentrations, weights = np.empty((len(wide), _THINNED_SIZE)), np.zeros((len(wide), _THINNED_SIZE))
        for row, index in enumerate(wide):
            steps, of_groups = _thin_probabilities(distributions[index].probabilities)
            found = distributions[index].prior + grain * (distributions[index].low + steps)
            concentrations[row, : found.size], concentrations[row, found.size :] = found, found[-1]
            weights[row, : found.size] = of_groups
        totals = np.array([distributions[index].total for index in wide]) + (grain - 1) * n
        ends[wide] = _wide_intervals(concentrations, totals, weights, tails)
    return ends


def _thin_probabilities(probabilities: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean places of groups of neighbours, in increasing order, and the probabilities of the groups."""
    # The groups are smallest where counts are likely.
    spread = np.cumsum(np.sqrt(probabilities))
    starts = np.unique(np.searchsorted(spread, _PARTS * spread[-1]))
    weights = np.add.reduceat(probabilities, starts)
    steps = np.add.reduceat(probabilities * np.arange(probabilities.size), starts)
    return np.divide(steps, weights, out=starts.astype(np.float64), where=weights > 0.0), weights


def _narrow_intervals(distributions: Sequence[BetaMixture], tails: tuple[float, float]) -> NDArray[np.float64]:
    """Return the quantiles at `tails`. Ends within a ten-thousandth of a record of 0 or 1 are rounded outward, because
    a search for them takes dozens of steps.
    """
    near = _RELATIVE_PRECISION / np.array([each.total for each in distributions])
    first, last = (np.array([each.ends[end] for each in distributions]) for end in (0, 1))
    of_first, of_last = (np.array([each.probabilities[place] for each in distributions]) for place in (0, -1))
    at_0 = of_first * special.betainc(first[:, 0], first[:, 1], near)
    at_1 = of_last * special.betainc(last[:, 1], last[:, 0], near)
    zero = np.zeros_like(near)
    ends = np.where(at_0[:, None] >= tails, np.stack([zero, near], axis=1), np.stack([1.0 - near, zero + 1.0], axis=1))
    sought = np.stack([at_0[:, None] < tails, at_1[:, None] < 1.0 - np.array(tails)]).all(axis=0)
    for columns in ([0, 1], [0], [1]):
        # Most rows need both ends, whose search shares its preparation.
        rows = np.flatnonzero((sought == np.isin([0, 1], columns)).all(axis=1))
        if rows.size:
            ends[rows[:, None], columns] = quantiles(
                [distributions[row] for row in rows.tolist()], [tails[column] for column in columns]
            )
    return ends


def _tails(level: float) -> tuple[float, float]:
    return 0.5 * (1.0 - level), 0.5 * (1.0 + level)


def _wide_intervals(
    concentrations: NDArray[np.float64],
    totals: NDArray[np.float64],
    weights: NDArray[np.float64],
    tails: tuple[float, float],
) -> NDArray[np.float64]:
    """Return the quantiles at `tails` of mixtures of Beta(a, total − a), shape (k, 2), for increasing `concentrations`
    a of the shape of `weights`, (k, components), and `totals` of shape (k,).

    The quantiles are found by bisection in the angle arcsin √θ. With N = `total`, the angle of Beta(a, N − a) is
    approximately normal, with deviation 1/(2√N) around the angle of the share a/N. Each component represents all counts
    up to halfway to the next one, which adds to its deviation.
    """
    roots = np.sqrt(totals)
    angles = np.arcsin(np.sqrt(np.minimum(concentrations / totals[:, None], 1.0)))
    gaps = np.gradient(angles, axis=1) if angles.shape[1] > 1 else np.zeros_like(angles)
    deviations = np.hypot(0.5 / roots[:, None], gaps / math.sqrt(12.0))
    weights = weights / weights.sum(axis=1, keepdims=True)
    ends = []
    for tail in tails:
        low, high = angles[:, 0] - _BRACKET_DEVIATIONS / roots, angles[:, -1] + _BRACKET_DEVIATIONS / roots
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            below = (weights * special.ndtr((middle[:, None] - angles) / deviations)).sum(axis=1)
            low, high = np.where(below < tail, middle, low), np.where(below < tail, high, middle)
        ends.append(np.sin(np.clip(0.5 * (low + high), 0.0, 0.5 * math.pi)) ** 2)
    return np.stack(ends, axis=1)
