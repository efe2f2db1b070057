"""Estimates the exponential mechanism's channel of two categories to about a percent and in milliseconds, for plans and
never for releases.

Sums over candidates and histograms use a subset, denser where the terms bend, with linear interpolation.
`core.mechanisms.exponential.channel` has the channel to eight digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.exponential.sensitivity import Floats, global_sensitivity, one_step
from core.special_functions import log_affinity

Counts = NDArray[np.int64]

_RATIO: Final = 1.06
"""Ratio of consecutive candidates' distances from the histogram, unless they differ by one record."""
SPREAD_UP_TO: Final = 10_000_000
"""Up to this number of records, more records need more counts."""
_ZERO: Final = np.zeros(1, dtype=np.int64)
_NORMALISERS: Final = 160
"""Number of histograms at which a normaliser is summed."""


@dataclass(frozen=True, slots=True, eq=False)
class RoughChannel:
    """The channel of one event. Counts are those of the first of two categories."""

    event: Exponential
    spread: Counts
    """Counts from 0 to n, at most one deviation of Beta(t, n − t) apart."""
    log_rates: Floats
    """ln κ at each count of `spread`."""
    log_normalisers: Floats
    """ln N at each count of `spread`."""

    @staticmethod
    @lru_cache(maxsize=8)
    def of(event: Exponential) -> RoughChannel:
        spread = spread_over(event.n)
        rates = _rates(event, spread)
        some = _SomeDistances.of(event.prior, event.n)
        rates_of_some = _rates(event, some.counts)
        sums = (np.exp(-rates_of_some[:, None] * some.distances) * some.stands_for).sum(axis=1)
        sums += (event.n + 1) * _added(event)
        # Interpolate N κ, which changes slowly.
        product = np.interp(_angle(event.n, spread), _angle(event.n, some.counts), np.log(sums * rates_of_some))
        return RoughChannel(event, spread, np.log(rates), product - np.log(rates))

    def likelihoods(self, released: int) -> tuple[Counts, Floats]:
        """Return increasing counts c, denser near `released` r, and ln P(r | c) at each."""
        counts = spread_around(self.event.n, released)
        rates = np.exp(np.interp(counts, self.spread, self.log_rates))
        weights = _log_weights(self.event, counts, rates, np.array(released))
        return counts, np.asarray(weights - np.interp(counts, self.spread, self.log_normalisers))

    def masses(self, first: int) -> tuple[Counts, Floats]:
        """Return increasing releases, denser near `first`, and the weight that each represents, if the true count of
        the first category is `first`.
        """
        nodes = _around(self.event.n, first)
        (rate,) = _rates(self.event, np.array([first]))
        return nodes, np.exp(_log_weights(self.event, np.array(first), rate, nodes)) * stands_for(nodes)


@lru_cache(maxsize=2)
def spread_over(n: int) -> Counts:
    """Return counts from 0 to n whose gaps are at most one standard deviation of Beta(t, n − t), for up to ten million
    records.

    For more records the number of counts stays the same.
    """
    # Under priors below 1 the ends are likely, and the terms bend there.
    return np.unique(
        np.concatenate([_spread(n, int(np.pi * np.sqrt(min(n, SPREAD_UP_TO))) + 2), _around(n, 0), _around(n, n)])
    )


def spread_around(n: int, count: int) -> Counts:
    """Return the counts of `spread_over` and further counts near `count`."""
    return np.union1d(_around(n, count), spread_over(n))


def stands_for(nodes: Counts) -> Floats:
    """Return weights w such that Σ w f(nodes) equals the sum of f over all counts from the first to the last node.

    This holds for f that is linear between nodes.
    """
    gaps = np.diff(nodes)
    return np.asarray(0.5 * (np.concatenate([[1.0], gaps]) + np.concatenate([gaps, [1.0]])))


@dataclass(frozen=True, slots=True, eq=False)
class _SomeDistances:
    """Distances from selected histograms to selected candidates around each. They do not depend on κ."""

    counts: Counts
    """The histograms' first counts, shape (k,)."""
    distances: Floats
    """Shape (k, w)."""
    stands_for: Floats
    """Weights of the candidates, shape (k, w); zero in the padding of a row."""

    @staticmethod
    @lru_cache(maxsize=2)
    def of(prior: tuple[float, ...], n: int) -> _SomeDistances:
        # Normalisers bend near 0 and n, so add counts there.
        near_ends = np.concatenate([end + sign * 2 ** np.arange(n.bit_length()) for end, sign in ((0, 1), (n, -1))])
        counts = np.union1d(_spread(n, _NORMALISERS), np.clip(near_ends, 0, n))
        nodes = [_around(n, int(c)) for c in counts]
        width = max(each.size for each in nodes)
        candidates, weights = np.full((len(nodes), width), n), np.zeros((len(nodes), width))
        for row, each in enumerate(nodes):
            candidates[row, : each.size] = each
            weights[row, : each.size] = stands_for(each)
        return _SomeDistances(counts, _distances(prior, n, counts[:, None], candidates), weights)


def _around(n: int, count: int) -> Counts:
    """Return counts from 0 to n, including both ends, whose distances from `count` grow geometrically."""
    away = _away(n)
    below, above = count - away[::-1], count + away[1:]
    low, high = np.searchsorted(below, 0, side="right"), np.searchsorted(above, n)
    return np.concatenate([_ZERO, below[low:], above[:high], np.array([n])[: count < n]])


@lru_cache(maxsize=8)
def _away(n: int) -> Counts:
    """Return distinct distances that grow geometrically from 0 to beyond n."""
    steps = [0.0, 1.0]
    while steps[-1] <= n:
        steps.append(max(steps[-1] + 1.0, steps[-1] * _RATIO))
    away = np.unique(np.rint(steps).astype(np.int64))
    away.flags.writeable = False
    return away


def _spread(n: int, size: int) -> Counts:
    """Return about `size` counts from 0 to n, evenly spaced in standard deviations of Beta(t, n − t)."""
    return np.unique(np.rint(n * np.sin(np.linspace(0.0, 0.5 * np.pi, size)) ** 2).astype(np.int64))


def _angle(n: int, counts: Counts) -> Floats:
    return np.asarray(np.arcsin(np.sqrt(counts / n)))


def _log_weights(event: Exponential, c: Counts, rates: Floats, r: Counts) -> Floats:
    return np.asarray(np.log(np.exp(-rates * _distances(event.prior, event.n, c, r)) + _added(event)))


def _distances(prior: tuple[float, ...], n: int, c: Counts, r: Counts) -> Floats:
    return np.sqrt(-np.expm1(log_affinity(prior[0], c, r) + log_affinity(prior[1], n - c, n - r)))


def _rates(event: Exponential, counts: Counts) -> Floats:
    """Return κ_c = ε₀ / (2 S(c)) at each of the increasing `counts`, with the smooth sensitivity S.

    S(c) is computed as the largest local sensitivity at `counts` and hundreds of others, each multiplied by e^{−γ} per
    record of its distance from c.
    """
    prior, n = np.array(event.prior), event.n
    if event.gamma is None:
        return np.full(counts.size, float(event.epsilon0) / (2.0 * global_sensitivity(prior, n)))
    nodes = np.unique(np.concatenate([_around(n, 0), _around(n, n), _spread(n, _NORMALISERS), counts]))
    stays = np.clip(np.stack([nodes, nodes - 1]), 0, n - 1)
    logs = np.log(one_step(prior[0] + stays, prior[1] + (n - 1 - stays)).max(axis=0))
    along = event.gamma * nodes
    from_below = np.maximum.accumulate(logs + along) - along
    from_above = np.maximum.accumulate((logs - along)[::-1])[::-1] + along
    log_sensitivities = np.maximum(from_below, from_above)[np.searchsorted(nodes, counts)]
    return np.asarray(0.5 * float(event.epsilon0) * np.exp(-log_sensitivities))


def _added(event: Exponential) -> float:
    return 0.0 if event.uniform_admixture is None else float(np.exp(-event.uniform_admixture))
