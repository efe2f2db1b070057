"""Estimates how wide the noise-aware intervals of two shares are, to about a percent and in milliseconds: for plans,
where the exponential mechanism's channel at every histogram would take seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.inference.counts import log_prior_weight
from core.inference.mixture import BetaMixture
from core.inference.quantiles import quantiles
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.exponential.rough import RoughChannel, stands_for

_NEGLIGIBLE: Final = -20.0
"""Log of the weight of a count, beside that of the likeliest."""
_NARROW: Final = 1024
"""Up to so many counts the Beta law of each is taken, beyond them a normal law of the angle."""
_FURTHEST: Final = 4.0
"""Of 1/√N, twice that law's deviation: where nothing is left of it."""
_HALVINGS: Final = 18


def rough_widths(
    event: Exponential, released: Sequence[int], prior: NDArray[np.float64], level: float
) -> NDArray[np.float64]:
    """The width of the central interval of the share of the first of two categories, for each release of so many
    records in it: shape (k,).
    """
    tails = (0.5 * (1.0 - level), 0.5 * (1.0 + level))
    widths = np.empty(len(released))
    narrow: dict[int, BetaMixture] = {}
    for place, r in enumerate(released):
        counts, logs = RoughChannel.of(event).likelihoods(r)
        kept = _likely(_log_weights(event.n, prior, counts, logs))
        counts, logs = counts[kept], logs[kept]
        if counts[-1] - counts[0] < _NARROW:
            every = np.arange(counts[0], counts[-1] + 1)
            weights = np.exp(_log_weights(event.n, prior, every, np.interp(every, counts, logs)))
            total = float(prior.sum()) + event.n
            narrow[place] = BetaMixture(float(prior[0]), total, int(every[0]), weights / weights.sum())
        else:
            weights = np.exp(_log_weights(event.n, prior, counts, logs)) * stands_for(counts)
            low, high = (_wide_quantile(event.n, prior, counts, weights, tail) for tail in tails)
            widths[place] = high - low
    if narrow:
        found = quantiles(list(narrow.values()), tails)
        widths[list(narrow)] = found[:, 1] - found[:, 0]
    return widths


def _log_weights(
    n: int, prior: NDArray[np.float64], first: NDArray[np.int64], logs: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What likelihoods at some counts of the first category make of the prior, the largest 0."""
    for alpha, counts in zip(prior, (first, n - first), strict=True):
        logs = logs + log_prior_weight(float(alpha), counts, anchor=float(counts[counts.size // 2]))
    return np.asarray(logs - logs.max())


def _likely(logs: NDArray[np.float64]) -> slice:
    """From the last count before to the first after those that are likely."""
    likely = np.flatnonzero(logs > _NEGLIGIBLE)
    return slice(max(int(likely[0]) - 1, 0), int(likely[-1]) + 2)


def _wide_quantile(
    n: int, prior: NDArray[np.float64], counts: NDArray[np.int64], weights: NDArray[np.float64], probability: float
) -> float:
    """By halving, in the angle arcsin √θ: that of Beta(a, N − a) is about normal, with deviation 1/(2√N) around that of
    the share a/N.
    """
    total = float(prior.sum()) + n
    angles = np.arcsin(np.sqrt((prior[0] + counts) / total))
    weights = weights / weights.sum()
    low, high = angles[0] - _FURTHEST / np.sqrt(total), angles[-1] + _FURTHEST / np.sqrt(total)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        below = float(weights @ special.ndtr(2.0 * np.sqrt(total) * (middle - angles)))
        low, high = (middle, high) if below < probability else (low, middle)
    return float(np.sin(np.clip(0.5 * (low + high), 0.0, 0.5 * np.pi)) ** 2)
