"""The expected width of a share's interval without noise, given a release.

The exact counts are unknown, but their distribution given the release is known. The expectation is taken over it, so
this is post-processing.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.inference.beta_pairs import BetaPairs
from core.inference.events import Share, ShareDistribution
from core.inference.posterior import NoiseAwarePosterior
from core.samplers.reproducible import Reproducible
from core.special_functions import beta_quantile

_ALIKE: Final = 0.1
"""Beta distributions of one skew whose standard deviations differ by less than this factor have about one ratio of
width to deviation.
"""
_MAX_SKEWED_SHAPE: Final = 50.0
"""If the smaller parameter is above this, skew hardly matters."""
_DRAWS: Final = 20_000


def expected_exact_width(
    posterior: NoiseAwarePosterior, share: Share, distribution: ShareDistribution | None, level: float
) -> float:
    """Return the expected width of the central interval at `level` that the exact counts would give for a share.

    `distribution` is the share's distribution given the release. It is None if the share is known from draws only; then
    the result comes from draws of the counts under a fixed seed.
    """
    if distribution is not None:
        return expected_width(distribution, level)
    base = frozenset(range(posterior.counts.m)) if share.given is None else share.given
    pieces = [share.cells & base, base - share.cells]
    counts = posterior.counts.draws_of_sums(pieces, _DRAWS, Reproducible(0))
    a, b = (math.fsum(posterior.prior[sorted(cells)]) + of for cells, of in zip(pieces, counts.T, strict=True))
    return _mean_width(a, b, np.full(_DRAWS, 1.0 / _DRAWS), level)


def expected_width(distribution: ShareDistribution, level: float) -> float:
    """Return the expected width of the central intervals of the components of a share's distribution."""
    if isinstance(distribution, BetaPairs):
        return _mean_width(distribution.a, distribution.b, distribution.weights, level)
    (least, _), (_, rest) = distribution.ends
    steps = np.arange(distribution.probabilities.size, dtype=np.float64)
    return _mean_width(least + steps, rest + steps[::-1], distribution.probabilities, level)


def _mean_width(a: NDArray[np.float64], b: NDArray[np.float64], weights: NDArray[np.float64], level: float) -> float:
    """Return Σ w · (width of the central interval of Beta(a, b)) / Σ w, to 0.1 %, with w = `weights`.

    A width is the standard deviation times a factor that changes slowly between neighbours. A few dozen quantiles are
    therefore enough for any number of possible counts.
    """
    deviations = _deviations(a, b)
    skews = np.log(np.minimum(np.minimum(a, b), _MAX_SKEWED_SHAPE))
    alike = 1e4 * np.floor(np.log(deviations) / _ALIKE) + 2.0 * np.floor(skews / _ALIKE) + (a < b)
    _, groups = np.unique(alike, return_inverse=True)

    def summed(each: NDArray[np.float64]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = np.bincount(groups, weights * each).astype(np.float64, copy=False)
        return found

    mass = summed(np.ones_like(a))
    likely = mass > 0.0
    mean_a, mean_b = (summed(each)[likely] / mass[likely] for each in (a, b))
    tail = 0.5 * (1.0 - level)
    widths = beta_quantile(mean_a, mean_b, tail, upper=True) - beta_quantile(mean_a, mean_b, tail)
    return float(summed(deviations)[likely] @ (widths / _deviations(mean_a, mean_b)) / mass.sum())


def _deviations(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    total = a + b
    return np.sqrt(a / total * (b / total) / (total + 1.0))
