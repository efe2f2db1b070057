"""Estimates the time of the slowest draw through the mixture from what is public: the number of records and the prior.

A draw takes as long as the product laws that it computes, and it computes those that may have a share at all. What
share they can have at most, at any histogram and ε, is bounded here; how wide the widest of their windows are follows.
The factors in between are measured (`python -m benchmarks.draw_times`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.candidates import log_candidate_count
from core.mechanisms.exponential.block_sums import BlockSums, log_peaks
from core.mechanisms.exponential.sensitivity import global_sensitivity, one_step
from core.mechanisms.exponential.stable_law import log_masses
from core.mechanisms.exponential.windows import expected_tilt, reaches

Floats = NDArray[np.float64]

PURE_UP_TO: Final = 590.0
"""Up to this sum of the largest exponent and ln |R| a draw through the mixture keeps pure ε-DP pure."""

LARGEST_EPSILON0: Final = 50.0
"""The most that calibrations set where a draw is through the mixture."""

_UNLIKELY: Final = 10.0
"""Of product laws whose share is below e to the power of minus this, none is computed."""

_POWERS: Final = 40
"""Of two, up to which k is looked at."""

_GROUPS: Final = 8
"""Priors within a factor, so many over their range, count as the largest of them."""

_SLOPES: Final = 32
_TILTS: Final = 3
_COUNTS: Final = (0.0, 0.5, 1.0, 1.5, 2.0, 4.0, 16.0, 100.0)
"""Beside the mean."""

_FILLED: Final = (1, 3, _GROUPS + 1)
"""Groups that hold the records."""

_RATES: Final = 14
"""Powers of two, from the largest κ down, that are looked at."""

_LOOSE: Final = 0.25
"""By so many nats a category bounds of normalisers lie above these."""

_FURTHER: Final = (0, 2, 4, 7)
"""Powers of two beyond the smallest k that may have a share: windows are narrower there, and may be cut deeper."""

_SHALLOW: Final = 7.0
"""−ln of what tails may take from a normaliser that is only bounded."""

_SECONDS: Final = 0.003
_PER_CATEGORY: Final = 1e-5
_PER_DISTINCT_CATEGORY: Final = 2e-5
_PER_DISTINCT_CATEGORY_AND_DIGIT: Final = 2e-5
"""Of the records in a category."""

_OF_LAWS: Final = 0.005
_OF_LAWS_PER_CATEGORY: Final = 1.8e-4
_PER_WEIGHT: Final = 2.5e-7


@dataclass(frozen=True, slots=True, eq=False)
class _Priors:
    """Categories by their priors, those with nearly the same together."""

    n: int
    alpha: Floats
    """The largest prior of each group, falling."""
    many: Floats
    """How many categories are in each."""
    log_candidates: float

    @property
    def m(self) -> int:
        return round(float(self.many.sum()))


@lru_cache(maxsize=256)
def mixture_seconds(n: int, prior: tuple[float, ...]) -> float:
    """What a draw of n records through the mixture takes on one core at most, about, for any histogram and ε."""
    alpha = np.sort(np.array(prior))
    shortest = shortest_step(n, alpha)
    priors, largest_rate = _grouped(n, alpha), LARGEST_EPSILON0 / (2.0 * shortest)
    spread = max(1.0, global_sensitivity(alpha, n) / shortest)
    # Categories of one prior that have different counts have 0 + 1 + 2 + … records at least.
    distinct = np.unique(alpha).size
    different = min(priors.m, distinct + math.sqrt(2.0 * n * distinct))
    digits = math.log10(1.0 + n / priors.m)
    each = _PER_DISTINCT_CATEGORY + _PER_DISTINCT_CATEGORY_AND_DIGIT * digits
    without = _SECONDS + _PER_CATEGORY * priors.m + each * different
    k = np.exp2(np.arange(_POWERS))
    rates = _rates_with_share(priors, k, largest_rate)
    (likely,) = np.nonzero(rates)
    if not likely.size:
        return without
    shallow = deep = 0.0
    for at in {min(likely[0] + further, likely[-1]) for further in _FURTHER}:
        # Tails are cut as deep as the largest κ of any histogram needs, at the same ε.
        depth = _depth(priors, min(largest_rate, float(rates[at]) * spread), largest_rate)
        of_bound, of_draw = _weights(priors, float(k[at]), depth)
        shallow, deep = max(shallow, of_bound), max(deep, of_draw)
    laws = _OF_LAWS + _OF_LAWS_PER_CATEGORY * priors.m
    # Where windows are as wide as the space there are several such laws, else each is half as wide or less.
    weights = (shallow + deep) * (1.0 + min(1.0, (shallow + deep) / (2.0 * priors.m * n)) ** 2)
    return without + laws + _PER_WEIGHT * weights


def shortest_step(n: int, alpha: Floats) -> float:
    """At most the local sensitivity at any histogram of n records, and so the smooth one; `alpha` rises, shape (m,).

    Pour the n records over the categories, the smallest first: some concentration is at most the level w to which they
    fill them, or the counts would add up to more, and without the smallest prior so is a second one at most at its own
    level w' >= w. A record that the smallest gives, or another takes from it, is a step between concentrations up to
    these. Only where the smallest is empty it has nothing to give: then its concentration is a prior up to w, and the
    record comes from a category that has at most the largest prior and all records.
    """
    level, second = _level(alpha, n), _level(alpha[1:], n)
    empty = alpha[np.searchsorted(alpha, level, side="right") - 1]
    return float(np.minimum(one_step(level, second), one_step(empty, alpha[-1] + n)))


def _level(alpha: Floats, n: int) -> float:
    """The w with Σ max(w − α_i, 0) = n, for rising α."""
    sizes = np.arange(1, alpha.size + 1)
    levels = (n + np.cumsum(alpha)) / sizes
    # The first that the next prior is not below.
    return float(levels[np.argmax(levels <= np.append(alpha[1:], np.inf))])


def _grouped(n: int, alpha: Floats) -> _Priors:
    if alpha[0] == alpha[-1]:
        groups, many = alpha[-1:], np.array([float(alpha.size)])
    else:
        step = max(1e-3, math.log(alpha[-1] / alpha[0]) / _GROUPS)
        groups, many = np.unique(np.floor(np.log(alpha[-1] / alpha) / step), return_counts=True)
        groups, many = alpha[-1] * np.exp(-step * groups), many.astype(np.float64)
    return _Priors(n, groups, many, log_candidate_count(n, alpha.size))


def _rates_with_share(priors: _Priors, k: Floats, largest_rate: float) -> Floats:
    """The largest κ, of some, at which each component k may have a share, and 0 where there is none.

    Beside the uniform component, and beside the histogram itself, component k has a share of at most p_k Z_k / max(|R|
    e^{−κ}, 1). Beside another component, both of them are bounded, about equally well.
    """
    # ln Z_k falls: what bounds it at one power of two does so at the next.
    bounds = np.repeat(_log_normaliser_bounds(priors, k[::2]), 2)
    rates = largest_rate * 2.0 ** -np.arange(_RATES, dtype=np.float64)
    shares = np.stack([log_masses(rate, k) for rate in rates.tolist()]) + bounds
    most = np.maximum(np.maximum(priors.log_candidates - rates, 0.0), shares.max(axis=1) - _LOOSE * priors.m)
    return np.asarray(np.where(shares + _UNLIKELY >= most[:, None], rates[:, None], 0.0).max(axis=0))


def _log_normaliser_bounds(priors: _Priors, k: Floats) -> Floats:
    """About the most that `HellingerComponents.log_normaliser_bound` says of ln Z_k at any histogram, for each k.

    Under one tilt it is a sum over categories, less its largest part, and so at most (m − 1)/m of the sum. Over all
    histograms Σ φ_i(c_i) is at most Σ max_c (φ_i(c) − λc) + λn for any λ: what is paid for records is what they are
    worth. φ is looked at for some counts only, and concave between them in all that was tried. Whatever tilt is tried,
    the least bound holds: Newton's steps lead to a good one.
    """
    n, m, groups = priors.n, priors.m, priors.alpha.size
    mean = n / m
    counts = np.floor(mean * np.array(_COUNTS))
    counts = np.unique(np.minimum(n, np.concatenate([counts, [1.0, math.ceil(mean), n]])))
    alpha, c = np.repeat(priors.alpha, counts.size), np.tile(counts, groups)
    blocks, a = BlockSums(alpha, c.astype(np.int64), n), alpha + c
    slopes = np.geomspace(1e-3 * min(1.0, 1.0 / mean), 1.0, _SLOPES)
    paid = slopes[:, None] * counts
    least = np.full(k.size, priors.log_candidates)
    tilts = np.full((k.size, 1), math.log1p(m / n))
    for _ in range(_TILTS):
        logs, means, variances = blocks.log_sums(k[:, None, None], tilts[..., None])
        peaks = log_peaks(a, c, k[:, None], tilts)
        each = (logs + (peaks - logs) / m).reshape(k.size, 1, groups, counts.size) - paid[:, None]
        worth = each.max(axis=-1) @ priors.many + slopes * n
        dearest = worth.argmin(axis=1)
        least = np.minimum(least, worth[np.arange(k.size), dearest])
        places = each[np.arange(k.size), dearest].argmax(axis=-1) + counts.size * np.arange(groups)
        slope, curvature = (np.take_along_axis(moments, places, axis=1) @ priors.many for moments in (means, variances))
        step = np.divide(slope, curvature, out=np.zeros(k.size), where=curvature > 0.0)
        tilts = np.clip(tilts + step[:, None], 0.1 * tilts, 4.0 * tilts)
    return least


def _weights(priors: _Priors, k: float, depth: float) -> tuple[float, float]:
    """About the most weights that the windows of a bound have, and of a draw whose tails are cut at that depth, where k
    is the smallest power of two with a share: an envelope may have a node at half of it.

    That is where records are spread evenly, over all categories or over those of the largest priors: the root is
    concave, and what holds most of the records reaches farthest under the tilt.
    """
    n, alpha, many = priors.n, priors.alpha, priors.many
    of_both = math.log(priors.m) + math.log(n + 1.0) + 4.0
    shallow = deep = 0.0
    for filled in {min(each, alpha.size) for each in _FILLED}:
        counts = np.where(np.arange(alpha.size) < filled, n / many[:filled].sum(), 0.0)
        a = alpha + counts
        tilt = expected_tilt(a, counts, k, n, many)
        of_bound, of_draw = (
            float(many @ (np.minimum(n, up) + np.minimum(counts, down) + 7.0))
            for down, up in (
                reaches(a, max(1.0, each), depth_of_each + of_both, tilt)
                for each, depth_of_each in ((0.5 * k, _SHALLOW), (math.sqrt(0.5) * k, depth))
            )
        )
        shallow, deep = max(shallow, of_bound), max(deep, of_draw)
    return shallow, deep


def _depth(priors: _Priors, rate: float, largest_rate: float) -> float:
    """About the most nats at which the tails of a draw at the rate κ are cut: minus ln of the tolerance that
    `arithmetic` has for it.
    """
    largest = min(rate, priors.log_candidates + 14.0)
    if largest + priors.log_candidates <= PURE_UP_TO:
        return max(46.0, 30.0 + largest + priors.log_candidates)
    epsilon0 = min(LARGEST_EPSILON0, 1.5 * LARGEST_EPSILON0 * rate / largest_rate)
    gamma = epsilon0 / (2 * math.log(2 * (priors.n + 1)))
    return 44.0 + min(600.0, epsilon0 + gamma * largest)
