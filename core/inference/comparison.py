"""Compares shares of two releases: P(θ_A > θ_B) for independent posteriors, as for vaccinated children against
placebo.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.inference.mixture import BetaMixture
from core.inference.posterior import Estimate

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(24)
_LEVELS: Final = (1e-9, 1e-6, 1e-3, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0 - 1e-3, 1.0 - 1e-6, 1.0 - 1e-9)
_LEFT_OUT: Final = 1e-13
_WANTED: Final = 1e-11
_MAX_HALVINGS: Final = 6
_HALF: Final = 0.5
LARGEST_EXACT_TOTAL: Final = 2.0**40
"""Of records and prior: above it the incomplete beta function is rounded more than panels can tell."""


def greater(first: BetaMixture, second: BetaMixture, *, error: float = 0.0) -> Estimate:
    """P(θ_A > θ_B) = ∫ f_A(x) F_B(x) dx for independent θ_A ~ `first` and θ_B ~ `second`.

    `error`: what the two posteriors may themselves be off by, which the stated error includes. Shares below one half
    are integrated as they are, those above as 1 − θ, which keeps the digits of both ends; in the logit, in which the
    laws are smooth, by Gauss–Legendre panels between quantiles of both. The panels are halved until two results agree;
    their last difference and the mass beyond the outer panels are in the stated error.
    """
    below, below_error = _lower_half(first, second, partial(second.cdf, absolute=True))
    rest, other = first.complement(), second.complement()
    above, above_error = _lower_half(rest, other, partial(other.survival, absolute=True))
    # Beyond the lowest edge of 1 − θ nearly all of the other law lies on the far side.
    low = _lowest(rest)
    above += rest.cdf(low) * other.survival(low)
    return Estimate(min(1.0, max(0.0, below + above)), below_error + above_error + _WANTED + error)


def _lower_half(first: BetaMixture, second: BetaMixture, weight: Callable[[float], float]) -> tuple[float, float]:
    """∫ f_A(x) weight(x) dx from the lowest edge of A to one half, and what it can be off by: its last change, and
    both laws' mass below that edge.
    """
    low = _lowest(first)
    beyond = first.cdf(low) * second.cdf(low)
    if low >= _HALF:
        return 0.0, beyond
    inner = [min(max(law.quantile(level), low), _HALF) for law in (first, second) for level in _LEVELS]
    edges = np.unique(special.logit(np.array([low, *inner, _HALF])))
    value, change = _integral(first, weight, edges), 1.0
    for _ in range(_MAX_HALVINGS):
        before = change
        edges = np.sort(np.concatenate((edges, 0.5 * (edges[1:] + edges[:-1]))))
        finer = _integral(first, weight, edges)
        value, change = finer, abs(finer - value)
        if change <= _WANTED or (first.total > LARGEST_EXACT_TOTAL and change > 0.5 * before):
            break
    return value, change + beyond


def _lowest(law: BetaMixture) -> float:
    return min(law.quantile(_LEFT_OUT), _HALF)


def _integral(law: BetaMixture, weight: Callable[[float], float], edges: NDArray[np.float64]) -> float:
    total = 0.0
    for left, right in pairwise(edges):
        half = 0.5 * (right - left)
        logits = 0.5 * (left + right) + half * _NODES
        points = special.expit(logits)
        slopes = points * special.expit(-logits)
        total += half * float(_WEIGHTS @ (law.density(points) * slopes * np.array([weight(float(x)) for x in points])))
    return total
