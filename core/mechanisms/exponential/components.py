"""The Hellinger mixture has these components: P_k(r) = Π_i e^{k h_i(r_i)} / Z_k on {r : Σ r_i = n}, for k > 0.

Π_i e^{h_i(r_i)} = s(r) is the affinity of Dir(α + r) and Dir(α + c), so Z_k = Σ_r s(r)^k. ln Z_k is convex and falls in
k, from Z_0 = |R|, the number of candidates, to Z_∞ = 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.count_simplex import CountSimplexError, ProductLaw, Window, condition_on_total, in_groups
from core.mechanisms.exponential.tilted_sums import log_tilted_sums, tilts_for
from core.special_functions import log_affinity

_MAX_WIDENINGS: Final = 8


class HellingerComponents:
    """The product laws P_k of one prior and histogram; windows of h_i are kept for all k.

    Everything here is private: it is made from the counts.
    """

    __slots__ = (
        "_counts",
        "_depth",
        "_down",
        "_k_smallest",
        "_lows",
        "_pieces",
        "_prior",
        "_tolerance",
        "_total",
        "_up",
    )

    def __init__(self, prior: NDArray[np.float64], counts: NDArray[np.int64], tolerance: float) -> None:
        """`prior` α and `counts` c of shape (m,), m >= 2; `tolerance` bounds what all cut tails together can change,
        in total variation.
        """
        self._prior = np.asarray(prior, dtype=np.float64)
        self._counts = np.asarray(counts, dtype=np.int64)
        self._total = int(self._counts.sum())
        self._tolerance = tolerance
        # How far, in nats, weights fall to the end of their window: the tolerance, shared by the categories, times a
        # probability near 1/n.
        self._depth = -math.log(tolerance) + math.log(self._counts.size) + math.log(self._total + 1.0) + 4.0
        self._k_smallest = math.inf
        # One record more or less in each category, the smallest steps away from c.
        self._up = -log_affinity(self._prior, self._counts, self._counts + 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            down = -log_affinity(self._prior, self._counts, np.maximum(self._counts - 1, 0))
        self._down = np.where(self._counts > 0, down, np.inf)

    @property
    def smallest_step(self) -> float:
        """The smallest −ln s(r) over all r ≠ c: one record moves. Each h_i falls on both sides of c_i, and r ≠ c
        goes up once and down once.
        """
        ups, downs = np.argsort(self._up)[:2], np.argsort(self._down)[:2]
        return float(min(self._up[i] + self._down[j] for i in ups for j in downs if i != j))

    def law(self, k: float) -> ProductLaw:
        """P_k for a real k > 0, right up to the tolerance in total variation; `log_normaliser` is ln Z_k."""
        if k < self._k_smallest:
            # Windows grow like k^−½, so that going down in steps of eight costs little more than the last step alone.
            # A draw asks for no k below 1.
            self._reach(min(k, max(1.0, self._k_smallest / 8.0)), self._depth)
        for _ in range(_MAX_WIDENINGS):
            windows = self._windows(k)
            law = condition_on_total(windows, self._total, tolerance=0.5 * self._tolerance)
            excess = self._log_left_out(windows, k) - law.log_normaliser - math.log(0.5 * self._tolerance)
            if excess <= 0.0:
                return law
            self._reach(self._k_smallest, self._depth + excess + 5.0)
        raise CountSimplexError("the windows hold all but a negligible part of the weight")

    def log_normaliser_bound(self, k: float) -> float:
        """An upper bound of ln Z_k for k > 0, without a convolution: Σ_r Π f_i(r_i) <= Π M_i over all categories but
        one, M_i >= Σ_t f_i(t), since the last count is what the others leave and no weight passes one.

        By −h_i(c_i ± x) >= x² / (8a ± 4x), a = α_i + c_i, a sum over x >= 1 is at most an integral: of e^{−kx²/8a}
        downward; upward of e^{−kx²/16a} up to x = 2a, and of e^{−kx/8} from there. Where windows are nearly as wide as
        the space, the same sums under a tilt say more.
        """
        a = self._prior + self._counts
        narrow = np.sqrt(2.0 * math.pi * a / k)
        downward = np.minimum(narrow, self._counts)
        upward = np.minimum(math.sqrt(2.0) * narrow + 8.0 / k * np.exp(-0.25 * k * a), self._total - self._counts)
        log_sums = np.log1p(downward + upward)
        tilted, peaks = log_tilted_sums(a, self._counts, k, tilts_for(self._total, a.size)[:, None])
        least = float((tilted.sum(axis=1) - (tilted - peaks).max(axis=1)).min())
        return min(float(log_sums.sum() - log_sums.max()), least) * (1.0 + 1e-12)

    def _reach(self, k: float, depth: float) -> None:
        """Lay windows out to k h_i <= −depth.

        −h_i(c_i ± x) >= x² / (8 (α_i + c_i ± x/2)), as the other parts of Stirling's formula have the same sign; so x =
        sqrt(4y² + 8ya) ± 2y, with y = depth/k and a = α_i + c_i, is far enough.
        """
        self._k_smallest, self._depth = k, depth
        y, a = depth / k, self._prior + self._counts
        root = np.sqrt(4.0 * y * y + 8.0 * y * a)
        # Three steps beyond, for the ratios that bound the tails.
        widest = float(self._total)
        self._lows = np.maximum(0, self._counts - np.ceil(np.minimum(root - 2.0 * y, widest)).astype(np.int64) - 3)
        highs = np.minimum(self._total, self._counts + np.ceil(np.minimum(root + 2.0 * y, widest)).astype(np.int64) + 3)
        sizes = highs - self._lows + 1
        self._pieces = [piece for group in in_groups(sizes) for piece in self._terms(group, sizes[group])]

    def _terms(self, categories: slice, sizes: NDArray[np.int64]) -> list[NDArray[np.float64]]:
        """h over the windows of these sizes, laid end to end for the computation."""
        ends = np.cumsum(sizes)
        t = np.arange(ends[-1]) - np.repeat(ends - sizes - self._lows[categories], sizes)
        prior, counts = (np.repeat(each[categories], sizes) for each in (self._prior, self._counts))
        return np.split(log_affinity(prior, counts, t), ends[:-1])

    def _windows(self, k: float) -> list[Window]:
        """The part of the windows that k needs."""
        y, a = self._depth / k, self._prior + self._counts
        root = np.sqrt(4.0 * y * y + 8.0 * y * a)
        firsts = np.maximum(
            self._counts - self._lows - np.minimum(np.ceil(root - 2.0 * y) + 3, self._total).astype(np.int64), 0
        )
        lasts = self._counts - self._lows + np.minimum(np.ceil(root + 2.0 * y) + 3, self._total).astype(np.int64)
        return [
            Window(int(low + first), k * piece[first : last + 1])
            for low, first, last, piece in zip(self._lows, firsts, lasts, self._pieces, strict=True)
        ]

    def _log_left_out(self, windows: Sequence[Window], k: float) -> float:
        """ln of a bound on Σ e^{k Σ h_i(r_i)} over all r with some r_i outside its window.

        Given that r_i is outside, all other counts but one are free and the last takes the rest at a weight of at most
        one, so with tails τ_i and sums M_i it is at most Σ_i τ_i Π M_l over l other than i and some j, the one with the
        largest M.
        """
        tails = np.array([self._tail(category, window, k) for category, window in enumerate(windows)])
        log_sums = np.log(tails + np.array([float(np.exp(window.log_weights).sum()) for window in windows]))
        largest, second = np.argsort(log_sums)[[-1, -2]]
        spared = np.where(np.arange(tails.size) == largest, log_sums[second], log_sums[largest])
        with np.errstate(divide="ignore"):
            return float(np.logaddexp.reduce(np.log(tails) + math.fsum(log_sums) - log_sums - spared))

    def _tail(self, category: int, window: Window, k: float) -> float:
        """A bound on Σ e^{k h(t)} outside the window, by geometric series of steps of two.

        h(t + 2) − h(t) = −½ [ln(1 + x/A) + ln(1 + (x + 1)/A)], A = α + (c + t)/2, x = (t − c)/2, falls in t from c
        upward if α + c >= 1, and so does h(t − 2) − h(t) from c downward; the last difference inside the window then
        bounds those outside. If α + c < 1, then c = 0, and (x + 1)/A >= 1 makes each difference at most −½ ln 2.
        """
        values, total = window.log_weights, 0.0
        if window.high < self._total:
            step = (
                values[-1] - values[-3]
                if self._prior[category] + self._counts[category] >= 1.0
                else -0.5 * k * math.log(2.0)
            )
            total += 2.0 * math.exp(max(values[-1], values[-2]) + step) / -math.expm1(step)
        if window.low > 0:
            step = values[0] - values[2]
            total += 2.0 * math.exp(max(values[0], values[1]) + step) / -math.expm1(step)
        return total
