"""Is a share larger in one release than in another? P(θ_A > θ_B) for independent posteriors, as for vaccinated children against placebo."""

from __future__ import annotations

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
_MOST_HALVINGS: Final = 6


def greater(first: BetaMixture, second: BetaMixture, *, error: float = 0.0) -> Estimate:
    """P(θ_A > θ_B) = ∫ f_A(x) F_B(x) dx for independent θ_A ~ `first` and θ_B ~ `second`.

    `error`: what the two posteriors may themselves be off by, which the stated error includes. The integral runs over the logit of x, in which both
    laws are smooth, by Gauss–Legendre panels between quantiles of both. The panels are halved until two results agree; their last
    difference and the mass beyond the outer panels are in the stated error.
    """
    low, high = first.quantile(_LEFT_OUT), first.quantile(1.0 - _LEFT_OUT)
    inner = [min(max(law.quantile(level), low), high) for law in (first, second) for level in _LEVELS]
    edges = np.unique(special.logit(np.array([low, *inner, high])))
    value, change = _integral(first, second, edges), 1.0
    for _ in range(_MOST_HALVINGS):
        edges = np.sort(np.concatenate((edges, 0.5 * (edges[1:] + edges[:-1]))))
        finer = _integral(first, second, edges)
        value, change = finer, abs(finer - value)
        if change <= _WANTED:
            break
    # Below the lowest edge F_B is at most its value there, above the highest at most 1.
    beyond = first.cdf(low) * second.cdf(low) + first.survival(high)
    return Estimate(min(1.0, max(0.0, value)), change + beyond + _WANTED + error)


def _integral(first: BetaMixture, second: BetaMixture, edges: NDArray[np.float64]) -> float:
    total = 0.0
    for left, right in pairwise(edges):
        half = 0.5 * (right - left)
        points = special.expit(0.5 * (left + right) + half * _NODES)
        slopes = points * special.expit(-(0.5 * (left + right) + half * _NODES))
        below = np.array([second.cdf(float(x)) for x in points])
        total += half * float(_WEIGHTS @ (first.density(points) * slopes * below))
    return total
