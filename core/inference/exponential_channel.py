"""The exponential mechanism's channel at two categories, from every histogram to one release: what the noise-aware posterior needs of it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.mechanisms.exponential import Exponential
from core.sensitivity import global_sensitivity, two_category_sensitivities
from core.special_functions import log_affinity

LARGEST_N: Final = 20_000
"""The normaliser of every histogram is summed over every candidate: n² / 2 distances, a few seconds here."""

_TABLE_ERROR: Final = 2e-10
"""Bound on the error of ln BC from tables of lnΓ, which reach 2e5 at n = 20 000: five units in their last place."""


def log_likelihoods(event: Exponential, observed: int) -> tuple[NDArray[np.float64], float]:
    """The logs ln P(r | c), and a bound on their error, of the released r = (observed, n − observed) at every histogram c = (k, n − k), k = 0..n: shape (n + 1,).

    P(r | c) = (e^{−κ_c H(c, r)} + e^{−L}) / N_c, the e^{−L} only where the event has an admixture. Requires two categories and n <= LARGEST_N.
    """
    first = np.arange(event.n + 1)
    logs = log_affinity(event.prior[0], first, observed) + log_affinity(event.prior[1], event.n - first, event.n - observed)
    rates = _rates(event)
    weights = np.exp(-rates * np.sqrt(-np.expm1(logs))) + _added(event)
    # H >= 1/2 beyond the careful steps, so that κH is off by at most κ times the table's error.
    return np.log(weights) - _log_normalisers(event), 1e-12 + _TABLE_ERROR * float(rates.max())


@lru_cache(maxsize=32)
def _log_normalisers(event: Exponential) -> NDArray[np.float64]:
    """ln N_c = ln Σ_r (e^{−κ_c H(c, r)} + e^{−L}) at every histogram, shape (n + 1,).

    H is symmetric, so each distance d = |r − c| is visited once, for all pairs of histograms that far apart. Up to sqrt(n) replaced records, where H
    is small, a difference of tabulated lnΓ would have lost its digits, and the careful form is taken.
    """
    n = event.n
    first, second = event.prior
    half_steps = np.arange(2 * n + 1) / 2.0
    table = special.gammaln(first + half_steps) + special.gammaln(second + n - half_steps)
    at_histograms = 0.5 * table[::2]
    rates = _rates(event)
    normalisers = np.ones(n + 1)
    for d in range(1, n + 1):
        if d * d <= n + 64:
            low, high = np.arange(n + 1 - d), np.arange(d, n + 1)
            logs = log_affinity(first, low, high) + log_affinity(second, n - low, n - high)
        else:
            logs = table[d : 2 * n + 1 - d : 2] - at_histograms[: n + 1 - d] - at_histograms[d:]
        distance = np.sqrt(-np.expm1(np.minimum(logs, 0.0)))
        normalisers[: n + 1 - d] += np.exp(-rates[: n + 1 - d] * distance)
        normalisers[d:] += np.exp(-rates[d:] * distance)
    return np.log(normalisers + (n + 1) * _added(event))


def _added(event: Exponential) -> float:
    return 0.0 if event.uniform_admixture is None else math.exp(-event.uniform_admixture)


def _rates(event: Exponential) -> NDArray[np.float64]:
    """κ_c = ε₀ / (2 S(c)) at every histogram, shape (n + 1,)."""
    prior = np.array(event.prior)
    if event.gamma is None:
        return np.full(event.n + 1, float(event.epsilon0) / (2.0 * global_sensitivity(prior, event.n)))
    return float(event.epsilon0) / (2.0 * two_category_sensitivities(prior, event.n, event.gamma))
