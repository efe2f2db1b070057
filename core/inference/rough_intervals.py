"""Estimates how wide noise-aware intervals are, to about a percent and in milliseconds. For plans: the exponential
mechanism's channel at every histogram, or the quantiles of laws of very many counts, would take seconds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.inference.mixture import BetaMixture
from core.inference.prior_weights import log_prior_weight
from core.inference.quantiles import quantiles
from core.mechanisms.catalogue import Event, mechanism_of
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.exponential.rough import RoughChannel, spread_around, stands_for
from core.mechanisms.mechanism import NoiseOnCounts
from core.mechanisms.noisy_counts import NoisyCounts

_NEGLIGIBLE: Final = -20.0
"""Log of the weight of a count, beside that of the likeliest."""
_EVERY_UP_TO: Final = 4096
"""Records of two categories, up to which noise is looked at for each count; beyond, for some."""
_EXACT_UP_TO: Final = 4096
"""Counts of a mixture that is taken as it is: their Beta distributions are not normal where a share is small. Beyond, a
normal distribution of the angle stands for each of some counts.
"""
_THINNED_TO: Final = 1024
"""Groups of neighbouring counts that stand for all, beyond that."""
_FURTHEST: Final = 4.0
"""Of 1/√N, twice that law's deviation: where nothing is left of it."""
_HALVINGS: Final = 18


def rough_widths(
    event: Event, releases: Sequence[NoisyCounts], prior: NDArray[np.float64], level: float
) -> NDArray[np.float64]:
    """The width of the central interval of the share of the first of two categories, for each release: shape (k,)."""
    tails, total = _tails(level), float(prior.sum()) + event.n
    widths = np.empty(len(releases))
    narrow: dict[int, BetaMixture] = {}
    for place, release in enumerate(releases):
        counts, likelihoods = _likelihoods(event, release)
        logs = _log_weights(event.n, prior, counts, likelihoods)
        kept = _likely(logs)
        counts, likelihoods, logs = counts[kept], likelihoods[kept], logs[kept]
        first, last = int(counts[0]), int(counts[-1])
        if last - first < _EXACT_UP_TO:
            if last - first >= counts.size:
                every = np.arange(first, last + 1)
                logs = _log_weights(event.n, prior, every, np.interp(every, counts, likelihoods))
            weights = np.exp(logs)
            narrow[place] = BetaMixture(float(prior[0]), total, first, weights / weights.sum())
        else:
            widths[place] = _wide_interval(prior[0] + counts, total, np.exp(logs) * stands_for(counts), tails)
    if narrow:
        found = quantiles(list(narrow.values()), tails)
        widths[list(narrow)] = found[:, 1] - found[:, 0]
    return widths


def _likelihoods(event: Event, release: NoisyCounts) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Some counts of the first category, rising, and ln P(y | c) at each, up to a constant."""
    if isinstance(event, Exponential):
        return RoughChannel.of(event).likelihoods(release.noisy[0])
    likelihood = mechanism_of(event).likelihood(event)
    assert isinstance(likelihood, NoiseOnCounts), "it adds noise to counts"
    if event.n <= _EVERY_UP_TO:
        first = np.arange(event.n + 1)
    else:
        first = spread_around(event.n, min(max(release.noisy[0], 0), event.n))
    observed = zip(release.noisy, (first, event.n - first), strict=False)
    return first, np.sum([likelihood.log_noise(y - counts) for y, counts in observed], axis=0)


def rough_widths_of(laws: Sequence[BetaMixture], level: float, *, n: int = 0, grain: int = 1) -> NDArray[np.float64]:
    """The widths of the central intervals of some shares, shape (k,): exact where few counts are possible.

    Where each of the `n` records that the laws know of stands for `grain` of them, the counts are so many times as
    large.
    """
    tails = _tails(level)
    widths = np.empty(len(laws))
    narrow = [place for place, law in enumerate(laws) if grain == 1 and law.probabilities.size <= _EXACT_UP_TO]
    if narrow:
        found = quantiles([laws[place] for place in narrow], tails)
        widths[narrow] = found[:, 1] - found[:, 0]
    for place in set(range(len(laws))).difference(narrow):
        law = laws[place]
        starts = np.arange(0, law.probabilities.size, math.ceil(law.probabilities.size / _THINNED_TO))
        weights = np.add.reduceat(law.probabilities, starts)
        steps = np.add.reduceat(law.probabilities * np.arange(law.probabilities.size), starts)
        means = np.divide(steps, weights, out=starts.astype(np.float64), where=weights > 0.0)
        widths[place] = _wide_interval(
            law.prior + grain * (law.low + means), law.total + (grain - 1) * n, weights, tails
        )
    return widths


def _tails(level: float) -> tuple[float, float]:
    return 0.5 * (1.0 - level), 0.5 * (1.0 + level)


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


def _wide_interval(
    concentrations: NDArray[np.float64], total: float, weights: NDArray[np.float64], tails: tuple[float, float]
) -> float:
    """How far apart the quantiles at `tails` of a mixture of Beta(a, total − a) lie, for a in `concentrations`, rising.

    By halving, in the angle arcsin √θ: that of Beta(a, N − a) is about normal, with deviation 1/(2√N) around that of
    the share a/N. Each stands for all up to halfway to the next, which widens it.
    """
    angles, root = np.arcsin(np.sqrt(np.minimum(concentrations / total, 1.0))), math.sqrt(total)
    gaps = np.gradient(angles) if angles.size > 1 else np.zeros(1)
    deviations = np.hypot(0.5 / root, gaps / math.sqrt(12.0))
    weights = weights / weights.sum()
    ends = []
    for tail in tails:
        low, high = float(angles[0]) - _FURTHEST / root, float(angles[-1]) + _FURTHEST / root
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            below = float(weights @ special.ndtr((middle - angles) / deviations))
            low, high = (middle, high) if below < tail else (low, middle)
        ends.append(math.sin(min(max(0.5 * (low + high), 0.0), 0.5 * math.pi)) ** 2)
    return ends[1] - ends[0]
