"""Infers an unknown total n beside the counts: n is one more factor of the product distribution.

    p(c | y) ∝ g(n) Π w_i(c_i),  n = Σ c,  w_i(c) = Γ(α_i + c) / c! · L_i(c),  g(n) = p(n) L(n) n! / Γ(n + A),  A = Σ α.

A factor for −n with the weight g(n) makes the sum of all factors' values 0, so nothing else changes. Its window must be
cut: for A > 1 ln g is convex, and over all sums of the counts a tilted g has two peaks. Let K(t) = Σ_i ln Σ_c w_i(c)
e^(tc). Whatever the tilt t, the weight of all totals from a to b is at most

    e^K(t) max over n in [a, b] of g(n) e^(−tn)

(Chernoff). Such bounds on panels of totals tell which panels matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.inference.prior_weights import log_prior_weight, prior_weight_rounding

_PANELS_OF_ONE_DEVIATION: Final = 12
_GROWTH: Final = 1.5
"""Factor by which panels grow from 12 standard deviations on."""
_MAX_PANELS: Final = 80
"""Largest number of panels on either side."""
_MAX_HALVINGS: Final = 12
_NEGLIGIBLE_DROP: Final = 150.0
"""Number of nats below the largest bound at which no further panels are needed."""

Moments = Callable[[float], tuple[float, float, float]]
"""For a tilt t: K(t), and the mean and standard deviation of Σ c under independent weights w_i(c) e^(tc). K(t) is
infinite if the weights beyond a window cannot be bounded.
"""


@dataclass(frozen=True, slots=True, eq=False)
class TotalWeight:
    """ln g(n) for the possible totals n, from `least` to `most`, 0 at `anchor` but for ln L(n).

    `whole` is A. `log_likelihood` is ln L(n), and largest at a total in `near`, or concave and largest there or at an
    end. If `others` records are known beside these n, g is p(n) L(n) (n + others)! / Γ(n + others + A).
    """

    whole: float
    least: int
    most: int
    anchor: int
    log_likelihood: Callable[[NDArray[np.int64]], NDArray[np.float64]]
    near: range
    is_smooth: bool
    """Whether nothing is published about n, so that g has no kinks below `most`."""
    others: int = 0

    def at(self, totals: NDArray[np.int64]) -> NDArray[np.float64]:
        return self.log_likelihood(totals) - self.log_prior(totals)

    def log_prior(self, totals: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
        """Return ln(Γ(n + others + A) / (n + others)!), up to its value at the anchor."""
        return log_prior_weight(self.whole, totals + self.others, anchor=self.anchor + self.others)

    def rounding(self, totals: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return a bound on the rounding error of each `at`."""
        of_prior = prior_weight_rounding(self.whole, totals + self.others, anchor=self.anchor + self.others)
        return of_prior + 4.0 * 2.0**-53 * np.abs(np.nan_to_num(self.log_likelihood(totals), neginf=0.0))

    def log_most(
        self, low: NDArray[np.int64], high: NDArray[np.int64], tilts: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return a bound on ln max g(n) e^(−tn) over n in [low_j, high_j] for each tilt t, shape (panels, tilts)."""
        ends = np.stack([low, high])
        smooth = -self.log_prior(ends)
        tilted = -tilts * ends[..., None].astype(np.float64)
        if self.whole >= 1.0:  # ln(n! / Γ(n + A)) is convex in n: its maximum is at an end
            most = np.max(smooth[..., None] + tilted, axis=0)
        else:
            most = smooth.max(axis=0)[:, None] + tilted.max(axis=0)
        near = [np.clip(each, low, high) for each in self.near]
        likely = np.max([self.log_likelihood(each) for each in (low, *near, high)], axis=0)
        return np.asarray(most + likely[:, None])


@dataclass(frozen=True, slots=True, eq=False)
class Panels:
    """Bounds on ln of the weight of the totals in [edges_j, edges_(j + 1)), which cover all possible totals.

    Totals outside of [`least`, `most`] need counts outside of their windows.
    """

    edges: NDArray[np.int64]
    log_bounds: NDArray[np.float64]
    least: int
    most: int

    def window(self, depth: float) -> tuple[int, int, float, float]:
        """Return the window of the totals whose panel is within `depth` nats of the largest bound.

        The third value bounds ln of the weight outside of this window but within [least, most]; the fourth bounds ln of
        the weight outside of [least, most].
        """
        inside = (self.edges[:-1] >= self.least) & (self.edges[1:] <= self.most + 1)
        within = np.where(inside, self.log_bounds, -math.inf)
        kept = np.flatnonzero(within >= within.max() - depth)
        first, last = int(kept[0]), int(kept[-1])
        cut = np.concatenate([within[:first], within[last + 1 :], [-math.inf]])
        beyond = np.append(self.log_bounds[~inside], -math.inf)
        log_cut, log_beyond = (float(np.logaddexp.reduce(each)) for each in (cut, beyond))
        return int(self.edges[first]), int(self.edges[last + 1]) - 1, log_cut, log_beyond


def panels_of_total(weight: TotalWeight, moments: Moments, least: int, most: int) -> Panels | None:
    """Return bounds on the weight of all totals, given windows of counts with sums from `least` to `most`.

    It is None if the weights without a tilt cannot be bounded beyond the windows of the counts. `least` must be at most
    `weight.most`.
    """
    most = min(most, weight.most)
    points = _points(weight, moments, least, most)
    if not points:
        return None
    tilts, logs, means = np.array(sorted(points)).T
    below = [weight.least, *(max(weight.least, least >> halvings) for halvings in range(least.bit_length() + 1))]
    middle = np.clip(np.rint(means), least, most).astype(np.int64)
    edges = np.unique(np.array([*below, *middle.tolist(), most + 1, weight.most + 1], dtype=np.int64))
    bounds = (logs + weight.log_most(edges[:-1], edges[1:] - 1, tilts)).min(axis=1)
    return Panels(edges, bounds, least, most)


def _points(weight: TotalWeight, moments: Moments, least: int, most: int) -> list[tuple[float, float, float]]:
    """Return tilts, with K(t) and the mean of each, whose means are about a standard deviation apart."""
    start = (0.0, *moments(0.0))
    if not math.isfinite(start[1]):
        return []
    points, largest = [start[:3]], -math.inf
    for sign in (1.0, -1.0):
        tilt, log_sum, mean, deviation = start
        for step in range(_MAX_PANELS):
            here = np.array([min(max(round(mean), least), most)])
            largest = max(largest, log_sum + float(weight.log_most(here, here, np.array([tilt]))[0, 0]))
            rest = (here, np.array([weight.most])) if sign > 0.0 else (np.array([weight.least]), here)
            remaining = log_sum + float(weight.log_most(*rest, np.array([tilt]))[0, 0])
            is_last = mean >= most - 0.5 if sign > 0.0 else mean <= least + 0.5
            if is_last or remaining < largest - _NEGLIGIBLE_DROP:
                break
            stride = sign * _GROWTH ** max(0, step - _PANELS_OF_ONE_DEVIATION) / max(deviation, 0.05)
            for _ in range(_MAX_HALVINGS):
                found = moments(tilt + stride)
                if math.isfinite(found[0]):
                    break
                stride *= 0.5
            else:
                break
            tilt, (log_sum, mean, deviation) = tilt + stride, found
            points.append((tilt, log_sum, mean))
    return points
