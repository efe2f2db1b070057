"""The components of the Hellinger mixture: P_k(r) = Π_i e^{k h_i(r_i)} / Z_k on {r : Σ r_i = n}, for k > 0.

Π_i e^{h_i(r_i)} = s(r) is the affinity of Dir(α + r) and Dir(α + c), so Z_k = Σ_r s(r)^k. ln Z_k is convex in k and
decreases from Z_0 = |R|, the number of candidates, to Z_∞ = 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.count_simplex import CountSimplexError, ProductDistribution, Window, condition_on_total, in_groups
from core.mechanisms.exponential.windows import expected_tilt, window_radii
from core.special_functions import log_affinity

_MAX_WIDENINGS: Final = 12
_MAX_EXPONENT: Final = 700.0


class HellingerComponents:
    """The product distributions P_k of one prior and histogram. All k share the windows of h_i.

    Everything here is private, because it is computed from the counts.
    """

    __slots__ = (
        "_counts",
        "_depth",
        "_highs",
        "_k_smallest",
        "_log_affinity_down",
        "_log_affinity_up",
        "_lows",
        "_pieces",
        "_prior",
        "_tilt_ratio",
        "_tolerance",
        "_total",
    )

    def __init__(self, prior: NDArray[np.float64], counts: NDArray[np.int64], tolerance: float) -> None:
        """Take `prior` α and `counts` c of shape (m,), m >= 2.

        `tolerance` bounds the total-variation effect of all cut tails.
        """
        self._prior = np.asarray(prior, dtype=np.float64)
        self._counts = np.asarray(counts, dtype=np.int64)
        self._total = int(self._counts.sum())
        self._tolerance = tolerance
        # A window is cut where a weight is this many nats below its maximum. Each category gets an equal share of the
        # tolerance, and the conditioning on the total multiplies by up to about n.
        self._depth = -math.log(tolerance) + math.log(self._counts.size) + math.log(self._total + 1.0) + 4.0
        self._k_smallest = math.inf
        self._lows, self._highs = self._counts, self._counts - 1
        self._pieces: list[NDArray[np.float64]] = []
        # Ratio of the actual tilt of a distribution to the expected one.
        self._tilt_ratio = 1.0
        # One record more or less in each category, the smallest steps away from c.
        self._log_affinity_up = -log_affinity(self._prior, self._counts, self._counts + 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            down = -log_affinity(self._prior, self._counts, np.maximum(self._counts - 1, 0))
        self._log_affinity_down = np.where(self._counts > 0, down, np.inf)

    @property
    def smallest_step(self) -> float:
        """Return the least −ln s(r) over all r ≠ c. Moving one record attains it.

        Each h_i decreases on both sides of c_i, and every r ≠ c has one category above c and one below.
        """
        ups, downs = np.argsort(self._log_affinity_up)[:2], np.argsort(self._log_affinity_down)[:2]
        return float(min(self._log_affinity_up[i] + self._log_affinity_down[j] for i in ups for j in downs if i != j))

    def distribution(self, k: float) -> ProductDistribution:
        """Return P_k for a real k > 0, within the tolerance in total variation. Its `log_normaliser` is ln Z_k."""
        expected = self._expected_tilt(k)
        tilt = expected * self._tilt_ratio
        if k < self._k_smallest:
            # Windows grow like k^−½, so extending them for a k smaller by a factor of 8 at a time costs little more
            # than the last extension. No draw needs k < 1.
            least = min(k, max(1.0, self._k_smallest / 8.0))
            self._k_smallest = least
            self._compute_windows(
                *self._ends(least, tilt if least == k else self._expected_tilt(least) * self._tilt_ratio)
            )
        for widening in range(_MAX_WIDENINGS):
            windows = self._windows(k, tilt)
            distribution = condition_on_total(windows, self._total, tolerance=0.5 * self._tolerance)
            excess = self._log_omitted_mass(windows, k, distribution) - math.log(0.5 * self._tolerance)
            if excess <= 0.0:
                return distribution
            found = max(0.0, -distribution.tilt)
            if widening or abs(found - tilt) <= 0.1 * found:
                self._depth += min(excess, self._depth) + 5.0
            self._tilt_ratio, tilt = found / expected if expected else 1.0, found
        raise CountSimplexError("the windows must hold all but a negligible part of the weight")

    def _expected_tilt(self, k: float) -> float:
        return expected_tilt(self._prior + self._counts, self._counts, k, self._total, np.ones(self._counts.size))

    def _ends(self, k: float, tilt: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the first and last count of each window: the radius of `window_radii` and three counts more, whose
        ratios bound the tails.
        """
        widest = float(self._total)
        down, up = (
            np.ceil(np.minimum(radius, widest)).astype(np.int64) + 3
            for radius in window_radii(self._prior + self._counts, k, self._depth, tilt)
        )
        return np.maximum(0, self._counts - down), np.minimum(self._total, self._counts + up)

    def _compute_windows(self, lows: NDArray[np.int64], highs: NDArray[np.int64]) -> None:
        """Compute the log-affinity h over these windows, unless the stored windows already contain them."""
        if (lows >= self._lows).all() and (highs <= self._highs).all():
            return
        self._lows, self._highs = np.minimum(lows, self._lows), np.maximum(highs, self._highs)
        sizes = self._highs - self._lows + 1
        self._pieces = [piece for group in in_groups(sizes) for piece in self._terms(group, sizes[group])]

    def _terms(self, categories: slice, sizes: NDArray[np.int64]) -> list[NDArray[np.float64]]:
        """Return the log-affinity h of these categories over windows of these sizes, computed as one array."""
        ends = np.cumsum(sizes)
        t = np.arange(ends[-1]) - np.repeat(ends - sizes - self._lows[categories], sizes)
        prior, counts = (np.repeat(each[categories], sizes) for each in (self._prior, self._counts))
        return np.split(log_affinity(prior, counts, t), ends[:-1])

    def _windows(self, k: float, tilt: float) -> list[Window]:
        """Return the window of each category at this k and tilt, with k·h at its counts."""
        lows, highs = self._ends(k, tilt)
        self._compute_windows(lows, highs)
        starts, stops = lows - self._lows, highs - self._lows + 1
        return [
            Window(int(low), k * piece[start:stop])
            for low, start, stop, piece in zip(lows, starts, stops, self._pieces, strict=True)
        ]

    def _log_omitted_mass(self, windows: Sequence[Window], k: float, distribution: ProductDistribution) -> float:
        """Return ln of a bound on the mass outside the windows, relative to the mass inside.

        The mass outside is Σ e^{k Σ h_i(r_i)} over all r with some r_i outside its window; the mass inside is Z_k over
        the windows.

        The sums use the tilt θ of `distribution`, which changes nothing where Σ r_i = n. Relative to each category's
        tilted sum, the tilted tails are small. Untilted sums ignore that the counts sum to n, and are wrong by hundreds
        of nats if windows are wide.

        If θ > 0, for example when one category holds nearly all records, tilted tails could grow, and untilted sums
        suffice. A sum is at least as large as any of its terms. The terms used are those at c_i and near the largest
        term, x = 4aθ/k records from c_i.
        """
        tilt = min(distribution.tilt, 0.0)
        ends = np.array([[*values[:3], *values[-3:]] for values in map(_pad_log_weights, windows)])
        lows, highs = (np.array(each) for each in zip(*((w.low, w.high) for w in windows), strict=True))
        upward = np.where(self._prior + self._counts >= 1.0, ends[:, 5] - ends[:, 3], -0.5 * k * math.log(2.0))
        above = _log_geometric(ends[:, 5], ends[:, 4], upward, tilt, highs - self._counts)
        below = _log_geometric(ends[:, 0], ends[:, 1], ends[:, 0] - ends[:, 2], -tilt, self._counts - lows)
        above[highs >= self._total], below[lows <= 0] = -np.inf, -np.inf
        if tilt < distribution.tilt:
            log_sums = np.array([np.logaddexp.reduce(window.log_weights) for window in windows])
            outside = float(np.logaddexp.reduce(np.logaddexp(above, below) - log_sums))
            # Π (1 + τ_i) − 1 <= Σ τ_i e^{Σ τ_i}, relative to the product of the sums.
            every = math.fsum(log_sums) - distribution.log_normaliser + distribution.log_normaliser_error
            return outside + math.exp(min(outside, _MAX_EXPONENT)) + every
        largest = np.clip(self._counts + np.rint(4.0 * tilt / k * (self._prior + self._counts)), lows, highs)
        at_largest = np.array(
            [window.log_weights[index] for window, index in zip(windows, (largest - lows).astype(int), strict=True)]
        )
        log_sums = np.maximum(0.0, at_largest + tilt * (largest - self._counts))
        return distribution.log_left_out_beyond((np.logaddexp(above, below) - log_sums).tolist())


def _pad_log_weights(window: Window) -> NDArray[np.float64]:
    """Return the window's log-weights, or three zeros if it has fewer than three.

    A window with fewer than three counts contains all possible counts and has no tails, so the zeros are not used.
    """
    return window.log_weights if window.log_weights.size >= 3 else np.zeros(3)


def _log_geometric(
    last: NDArray[np.float64],
    before: NDArray[np.float64],
    step: NDArray[np.float64],
    tilt: float,
    distance: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return ln of a bound on the tail Σ e^{k h(c ± x) + tilt·x} over all x > `distance`, by geometric series in steps
    of two.

    `last` and `before` are the values of k h at `distance` and one count nearer to c. `step` bounds the change of k h
    over every two further counts.

    h(t + 2) − h(t) = −½ [ln(1 + x/A) + ln(1 + (x + 1)/A)], A = α + (c + t)/2, x = (t − c)/2. If α + c >= 1 this
    decreases in t from c upward, and so does h(t − 2) − h(t) from c downward. The last difference inside the window
    then bounds those outside. If α + c < 1, then c = 0, and (x + 1)/A >= 1 makes each difference at most −½ ln 2. The
    bound is infinite if the tilt outweighs the step.
    """
    step = step + 2.0 * tilt
    first = np.maximum(last, before - tilt) + tilt * distance + step
    with np.errstate(divide="ignore"):
        return np.where(step < 0.0, math.log(2.0) + first - np.log(-np.expm1(np.minimum(step, 0.0))), np.inf)
