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
from scipy import special

from core.candidates import log_candidate_count
from core.mechanisms.exponential.block_sums import BlockSums, log_peaks
from core.mechanisms.exponential.sensitivity import global_sensitivity, one_step
from core.mechanisms.exponential.windows import expected_tilts, reaches

Floats = NDArray[np.float64]

PURE_UP_TO: Final = 590.0
"""Up to this sum of the largest exponent and ln |R| a draw through the mixture keeps pure ε-DP pure."""

LARGEST_EPSILON0: Final = 50.0
"""The most that calibrations set where a draw is through the mixture."""

_UNLIKELY: Final = 10.0
"""Of product laws whose share is below e to the power of minus this, none is computed."""

_MAIN: Final = 1.5
"""Of product laws whose share is below e to the power of minus this, the envelope needs no normaliser."""

_GROUPS: Final = 12
"""So many different priors stand for all."""
_SAME: Final = 1.0 + 1e-6
"""Priors within this factor are one."""

_SLOPES: Final = 32
_TILTS: Final = 4
_COUNTS: Final = (0.0, 0.5, 1.0, 1.5, 2.0, 4.0, 16.0, 100.0)
"""Beside the mean."""

_RATIO: Final = 2.0**0.5
"""Between the k that are looked at."""

_NODES_RATIO: Final = 4.0
"""Between those at which normalisers are bounded, of which some at first:"""
_FIRST_NODES: Final = 9

_MAIN_WITHIN: Final = 16.0
"""The components that have the most mass lie within this factor of the smallest k that may have a share."""

_RATES: Final = 56
_RATES_RATIO: Final = 2.0**0.25
"""From the largest κ down."""

_LOOSE: Final = 0.05
"""By so many nats a category bounds of normalisers lie above these."""

_FURTHER: Final = np.array([0, 1, 2, 4, 8, 14])
"""Steps beyond the smallest k that may have a share: windows are narrower there, and may be cut deeper."""

_FILLED: Final = (1, 3)
"""Groups that hold the records, beside all, and all but one category."""

_SHALLOW: Final = 7.0
"""−ln of what tails may take from a normaliser that is only bounded."""

_SECONDS: Final = 0.003
_PER_CATEGORY: Final = 5e-6
_PER_DISTINCT_CATEGORY: Final = 1.6e-5
_PER_DISTINCT_CATEGORY_AND_DIGIT: Final = 1.2e-5
"""Of the records in a category."""

_OF_LAWS: Final = 0.005
_OF_LAWS_PER_CATEGORY: Final = 5e-4
_FEWER_LAWS_FROM: Final = 800
"""Categories, about: with many, an envelope needs fewer normalisers."""

_PER_WEIGHT: Final = 2.5e-7


@dataclass(frozen=True, slots=True, eq=False)
class _Priors:
    """Some of the priors, falling, and how many categories each stands for."""

    n: int
    alpha: Floats
    many: Floats
    """Those between two of them count in part as either."""
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
    # Categories of one prior that have different counts have 0 + 1 + 2 + … records at least.
    distinct = np.unique(alpha).size
    different = min(priors.m, distinct + math.sqrt(2.0 * n * distinct))
    digits = math.log10(1.0 + n / priors.m)
    each = _PER_DISTINCT_CATEGORY + _PER_DISTINCT_CATEGORY_AND_DIGIT * digits
    without = _SECONDS + _PER_CATEGORY * priors.m + each * different
    laws = _likely_laws(priors, largest_rate)
    if not laws:
        return without
    # At the same ε the largest κ of any histogram may be larger, and tails are cut as deep as that one needs. At an
    # even spread it is hardly so, which reaches farther than one with an empty category.
    of_any = global_sensitivity(alpha, n) / shortest
    of_even = min(of_any, _step_of_even(n, alpha) / shortest)
    cases = [
        (filled, law, _depth(priors, min(largest_rate, law.rate * max(1.0, spread)), largest_rate))
        for law in laws
        for filled, spread in [
            (float(priors.m), of_even),
            (priors.m - 1.0, of_any),
            *((float(priors.many[:groups].sum()), of_any) for groups in _FILLED if groups < priors.alpha.size),
        ]
    ]
    filled = np.array([filled for filled, _, _ in cases])
    of_draw = _weights(priors, filled, np.array([law.k for _, law, _ in cases]), np.array([d for *_, d in cases]))
    of_bounds = _weights(
        priors, filled, np.array([law.k_of_bounds for _, law, _ in cases]), np.full(filled.size, _SHALLOW)
    )
    most = float((of_draw + of_bounds).max())
    # Where windows are as wide as the space there are several such laws, else each is half as wide or less.
    weights = most * (1.0 + min(1.0, most / (2.0 * priors.m * n)) ** 2)
    of_laws = _OF_LAWS + _OF_LAWS_PER_CATEGORY * priors.m / (1.0 + priors.m / _FEWER_LAWS_FROM)
    # The more categories, the more often weights are convolved.
    return without + of_laws + _PER_WEIGHT * (1.0 - 1.0 / priors.m) * weights


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


def _step_of_even(n: int, alpha: Floats) -> float:
    """At most the local sensitivity where n records are spread evenly; `alpha` rises."""
    smallest, second = alpha[:2] + max(0.0, n / alpha.size - 1.0)
    return float(one_step(smallest, second))


def _grouped(n: int, alpha: Floats) -> _Priors:
    """Each prior where there are few, else some, chosen so that between two of them there are few categories or a
    small range; what depends on a prior is interpolated in its logarithm.
    """
    distinct, many = np.unique(alpha if alpha[-1] > _SAME * alpha[0] else alpha[-1:], return_counts=True)
    each: Floats = many * (alpha.size / many.sum())
    if distinct.size > _GROUPS:
        logs = np.log(distinct)
        place = np.cumsum(each) / alpha.size + (logs - logs[0]) / (logs[-1] - logs[0])
        place /= place[-1]
        chosen = np.unique(np.searchsorted(place, np.linspace(place[0], 1.0, _GROUPS)))
        position = np.interp(logs, logs[chosen], np.arange(chosen.size, dtype=np.float64))
        below = np.minimum(position.astype(np.int64), chosen.size - 2)
        above = position - below
        distinct, lower = distinct[chosen], np.bincount(below, each * (1.0 - above), chosen.size)
        each = np.asarray(lower + np.bincount(below + 1, each * above, chosen.size), dtype=np.float64)
    return _Priors(n, distinct[::-1].copy(), each[::-1].copy(), log_candidate_count(n, alpha.size))


@dataclass(frozen=True, slots=True)
class _Law:
    """A product law that a draw may compute."""

    k: float
    rate: float
    """The largest κ, of some, at which it may."""
    k_of_bounds: float
    """About the smallest k whose normaliser the envelope needs at such κ."""


def _likely_laws(priors: _Priors, largest_rate: float) -> list[_Law]:
    """That of the smallest k that may have a share, and some beyond."""
    # Components beyond κ² have no mass that matters, so that some below have a share.
    furthest = max(16.0, largest_rate * largest_rate)
    nodes = _powers(_NODES_RATIO, math.ceil(math.log(furthest, _NODES_RATIO)) + 1)
    near = nodes[:_FIRST_NODES]
    bounds = _log_normaliser_bounds(priors, near)
    laws = _laws_with_share(priors, largest_rate, near, bounds)
    if near.size == nodes.size or (laws and laws[0].k * _MAIN_WITHIN <= near[-1]):
        return laws
    bounds = np.concatenate([bounds, _log_normaliser_bounds(priors, nodes[_FIRST_NODES:])])
    return _laws_with_share(priors, largest_rate, nodes, bounds)


def _laws_with_share(priors: _Priors, largest_rate: float, nodes: Floats, bounds: Floats) -> list[_Law]:
    """Those of all k up to the last node, where these are bounds of ln Z_k at the nodes.

    Beside the uniform component, and beside the histogram itself, the k around some have a share of at most k p_k Z_k /
    max(|R| e^{−κ}, 1), about. Beside others, both of them are bounded, about equally well.
    """
    k = _powers(_RATIO, math.ceil(math.log(nodes[-1], _RATIO)) + 1)
    rates = largest_rate / _powers(_RATES_RATIO, _RATES)[:, None]
    shares = _log_masses(rates, k) + np.log(np.maximum(1.0, 0.5 * k))
    shares += np.interp(k, *_below_chords(nodes, bounds, priors.log_candidates))
    most = np.maximum(
        np.maximum(priors.log_candidates - rates, 0.0), shares.max(axis=1, keepdims=True) - _LOOSE * priors.m
    )
    is_likely, is_main = shares + _UNLIKELY >= most, shares + _MAIN >= most
    (likely,) = np.nonzero(is_likely.any(axis=0))
    if not likely.size:
        return []
    # Where no component is large, the envelope needs no normaliser.
    first_main = np.where(is_main.any(axis=1), k[is_main.argmax(axis=1)], k[-1])
    found = []
    for at in np.unique(likely[np.searchsorted(likely, np.minimum(likely[0] + _FURTHER, likely[-1]))]).tolist():
        of_rates = is_likely[:, at]
        k_of_bounds = max(float(k[at]), float(first_main[of_rates].min()))
        found.append(_Law(float(k[at]), float(rates[of_rates.argmax(), 0]), k_of_bounds))
    return found


def _powers(ratio: float, size: int) -> Floats:
    """1, the ratio, its square, …"""
    return np.asarray(np.power(ratio, np.arange(size)), dtype=np.float64)


def _log_masses(rates: Floats, k: Floats) -> Floats:
    """About ln p_k(κ) for real k >= 1, up to a quarter of a nat: `log_masses` with its series left out."""
    nu = k - 0.5
    z = rates / nu
    root = np.sqrt(1.0 + z * z)
    excess = z * z / (1.0 + root)
    coefficient = special.gammaln(nu) - special.gammaln(k + 1.0) - math.log(2.0 * math.sqrt(math.pi))
    return np.asarray(
        np.log(rates) + coefficient + nu * (np.log1p(0.5 * excess) - excess) - 0.5 * np.log(root), dtype=np.float64
    )


def _below_chords(k: Floats, bounds: Floats, log_candidates: float) -> tuple[list[float], list[float]]:
    """The corners of the largest convex function that is nowhere above these bounds of ln Z_k, which is convex, and
    above `log_candidates` at 0.
    """
    corners = [(0.0, log_candidates)]
    for x, y in zip(k.tolist(), bounds.tolist(), strict=True):
        while len(corners) > 1:
            (x0, y0), (x1, y1) = corners[-2:]
            if (y1 - y0) * (x - x0) < (y - y0) * (x1 - x0):
                break
            corners.pop()
        corners.append((x, y))
    return [x for x, _ in corners], [y for _, y in corners]


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
    even = np.full(groups, mean)
    tilt = np.maximum(expected_tilts(priors.alpha + even, even, k[:, None], n, priors.many)[:, 0], 1e-12)
    least, best = np.full(k.size, math.inf), tilt
    for _ in range(_TILTS):
        logs, means, variances = blocks.log_sums(k[:, None, None], tilt[:, None, None])
        peaks = log_peaks(a, c, k[:, None], tilt[:, None])
        each = (logs + (peaks - logs) / m).reshape(k.size, 1, groups, counts.size) - paid[:, None]
        worth = each.max(axis=-1) @ priors.many + slopes * n
        dearest = worth.argmin(axis=1)
        bounds = worth[np.arange(k.size), dearest]
        places = each[np.arange(k.size), dearest].argmax(axis=-1) + counts.size * np.arange(groups)
        slope, curvature = (np.take_along_axis(moments, places, axis=1) @ priors.many for moments in (means, variances))
        step = np.divide(slope, curvature, out=np.zeros(k.size), where=curvature > 0.0)
        # Where another histogram is the worst one tilt further, Newton's step leads too far: then to the other side.
        is_better = bounds < least
        following = np.where(
            is_better, np.clip(tilt + step, 0.1 * tilt, 4.0 * tilt), best * np.where(tilt > best, 0.25, 4.0)
        )
        least, best, tilt = np.where(is_better, bounds, least), np.where(is_better, tilt, best), following
    return np.asarray(np.minimum(least, priors.log_candidates), dtype=np.float64)


def _weights(priors: _Priors, filled: Floats, k: Floats, depth: Floats) -> Floats:
    """About the most weights that the windows of a law have whose tails are cut at that depth, where the records are
    spread evenly over so many of the categories, those of the largest priors first; all of shape (q,).

    The root is concave, so that an even spread has the widest windows, and what holds most of the records reaches
    farthest under the tilt.
    """
    n, before = priors.n, np.cumsum(priors.many) - priors.many
    with_records = np.clip(filled[:, None] - before, 0.0, priors.many)
    many = np.concatenate([with_records, priors.many - with_records], axis=1)
    counts = np.repeat([[1.0], [0.0]], priors.alpha.size) * (n / filled)[:, None]
    a = np.tile(priors.alpha, 2) + counts
    tilt = expected_tilts(a, counts, k[:, None], n, many)
    of_all = depth[:, None] + math.log(priors.m) + math.log(n + 1.0) + 4.0
    down, up = reaches(a, np.maximum(np.floor(k[:, None] / _RATIO) + 1.0, k[:, None] / math.sqrt(_RATIO)), of_all, tilt)
    return np.asarray((many * (np.minimum(n, up) + np.minimum(counts, down) + 7.0)).sum(axis=1), dtype=np.float64)


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
