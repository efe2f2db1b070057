"""Distributions of a contrast of two shares: their difference, ratio or odds ratio.

There are three kinds, by their source: one share of which the contrast is an increasing function, an integral over two
shares, and draws. Each is computed on the contrast's scale from −∞ to ∞. The scale keeps the digits of values near the
ends of the range and near equal shares, where much of the probability can lie under a prior far below 1.

`OnScale` derives the distribution function, quantiles and intervals for all three.
"""

from __future__ import annotations

import bisect
import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.inference.beta_pairs import TAILS, BetaPairs
from core.inference.contrast_curves import (
    ContrastCurve,
    LogShare,
    curve_of_difference,
    curve_of_odds_ratio,
    curve_of_parts,
    curve_of_ratio,
    log_share,
)
from core.inference.contrast_scales import MAX_LOG, SMALLEST, Contrast, OfOneShare, Scale
from core.inference.distribution import INWARD, Distribution, outward
from core.inference.quadrature import integral
from core.roots import where_tail_is

_FURTHEST_DIFFERENCE: Final = 40.0
"""Coordinate −ln(1 − |d|) beyond which the difference d rounds to ±1."""
_FURTHEST_LOG_ODDS: Final = 2e6
"""Largest logarithm of an odds ratio that is searched: the difference of two logits."""
_LARGEST_DENSITY: Final = 1e300
"""Largest density returned; greater or infinite densities are clipped to it."""

_NARROW_RATIO: Final = 1e-3
"""Ratio of the ends of a bracket above which a quantile is searched without logarithms."""

_TOLERANCE: Final = 2e-13
"""Largest accepted difference of the two rules on one panel."""
_FIRST_PANEL_WIDTH: Final = 4.0
"""Width in z of the panels next to a bend; each further panel is twice as wide."""
_ERROR: Final = 3e-11
"""Bound on the error of an integral: a hundred panels, the mass beyond the ends, and rounding."""


class OnScale(Distribution):
    """A distribution computed at coordinates of `scale`.

    A subclass gives the survival function and the quantile of the coordinate.
    """

    scale: Scale

    @property
    def mean(self) -> float | None:
        return None

    @property
    def standard_deviation(self) -> float | None:
        return None

    @abstractmethod
    def survival_at(self, coordinate: float) -> float:
        """Return P(coordinate of θ > coordinate) at any finite coordinate."""

    @abstractmethod
    def coordinate_of_tail(self, tail: float, *, upper: bool) -> float:
        """Return the coordinate of `quantile_of_tail`."""

    def end_of_coordinate(self, tail: float, *, upper: bool) -> float:
        """Return the coordinate of `end`, which is infinite if nothing limits it."""
        coordinate = self.coordinate_of_tail(INWARD * tail, upper=upper)
        return float(outward(coordinate, (-math.inf, math.inf), upper=upper))

    @property
    def range(self) -> tuple[float, float]:
        return self.scale.range

    def survival(self, at: float) -> float:
        coordinate = self.scale.coordinate(at)
        return self.survival_at(coordinate) if math.isfinite(coordinate) else float(coordinate < 0.0)

    def cdf(self, at: float) -> float:
        return 1.0 - self.survival(at)

    def quantile_of_tail(self, tail: float, *, upper: bool) -> float:
        return float(self.scale.value_at(self.coordinate_of_tail(tail, upper=upper)))


@dataclass(frozen=True, eq=False)
class DrawnDistribution(OnScale):
    """The empirical distribution of independent draws, given by their coordinates in increasing order, shape
    (size,).
    """

    coordinates: NDArray[np.float64]
    scale: Scale
    moments: int
    """Number of finite moments of the drawn quantity, at most 2."""

    @cached_property
    def _values(self) -> NDArray[np.float64]:
        return self.scale.value_at(self.coordinates)

    @property
    def mean(self) -> float | None:
        return float(self._values.mean()) if self.moments >= 1 else None

    @property
    def standard_deviation(self) -> float | None:
        return float(self._values.std()) if self.moments >= 2 else None

    def count_above(self, at: float) -> int:
        """Return the number of draws above a value."""
        return self.coordinates.size - int(np.searchsorted(self.coordinates, self.scale.coordinate(at), side="right"))

    def moments_of_coordinate(self) -> tuple[float, float]:
        """Return the mean and the standard deviation of the drawn coordinates."""
        return float(self.coordinates.mean()), float(self.coordinates.std())

    def survival_at(self, coordinate: float) -> float:
        below = int(np.searchsorted(self.coordinates, coordinate, side="right"))
        return 1.0 - below / self.coordinates.size

    def coordinate_of_tail(self, tail: float, *, upper: bool) -> float:
        return float(np.quantile(self.coordinates, 1.0 - tail if upper else tail, method="inverted_cdf"))

    def end(self, tail: float, *, upper: bool) -> float:
        """Return the draw with so few draws beyond it that their smoothed frequency is at most `tail`.

        The frequency of k of n draws counts as (k + 1)/(n + 2).
        """
        coordinate = self.end_of_coordinate(tail, upper=upper)
        if math.isinf(coordinate):
            return self.range[upper]
        return float(outward(self.scale.value_at(coordinate), self.range, upper=upper))

    def end_of_coordinate(self, tail: float, *, upper: bool) -> float:
        beyond = math.floor(tail * (self.coordinates.size + 2)) - 1
        if beyond < 0:
            return math.inf if upper else -math.inf
        return float(self.coordinates[-1 - beyond if upper else beyond])


@dataclass(frozen=True, eq=False)
class OneShareContrast(OnScale):
    """A contrast that is an increasing function of one share."""

    share: BetaPairs
    scale: OfOneShare

    @property
    def error(self) -> float:
        """Return a bound on the error of a probability for this mixture."""
        return self.share.error

    def survival_at(self, coordinate: float) -> float:
        return self.share.survival_of_logit(coordinate)

    def cdf(self, at: float) -> float:
        return self.share.cdf_of_logit(self.scale.coordinate(at))

    def coordinate_of_tail(self, tail: float, *, upper: bool) -> float:
        return self.share.logit_of_tail(tail, upper=upper)

    def density(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the density at each point of `at`, shape (k,). It is 0 outside the range of the contrast."""
        logits = np.array([self.scale.coordinate(each) for each in at.tolist()])
        inside = np.isfinite(logits)
        found = np.zeros(at.size)
        slopes = np.array([self.scale.log_slope(each) for each in at[inside].tolist()])
        with np.errstate(over="ignore"):
            found[inside] = self.share.density_of_logits(logits[inside]) * np.exp(slopes)
        return np.minimum(found, _LARGEST_DENSITY)


@dataclass(frozen=True, eq=False)
class TwoShareContrast(OnScale):
    """A contrast of two shares x and y, each a mixture of Beta distributions.

        P(contrast > t) = Σ_kl joint[k, l] ∫ f_l(y) P(X_k > x(t, y)) dy

    The components X_k of `x` and Y_l of `y` are independent given k and l. `joint` has shape (k, l); it is None if the
    shares are independent. The integral runs along the curve of pairs whose contrast is t
    (`core.inference.contrast_curves`). Its panels are halved until two rules agree. Probabilities are accurate to
    `error`.
    """

    x: BetaPairs
    y: BetaPairs
    joint: NDArray[np.float64] | None
    scale: Contrast
    of_parts: bool = False
    """Whether the contrast is y (2x − 1): the difference of two disjoint shares, with sum y, of which the first has the
    part x.
    """

    @property
    def error(self) -> float:
        """Return a bound on the error of a probability for these mixtures."""
        return _ERROR + self.x.error + self.y.error

    def moments_of_coordinate(self) -> tuple[float, float]:
        """Return the mean and the standard deviation of the coordinate of an odds ratio, logit x − logit y.

        The logit of Beta(a, b) has the mean ψ(a) − ψ(b) and the variance ψ'(a) + ψ'(b).
        """
        assert self.scale is Contrast.ODDS_RATIO, "the coordinates of other contrasts are not sums of two terms"
        (x, var_x), (y, var_y) = (
            (special.digamma(each.a) - special.digamma(each.b), special.zeta(2.0, each.a) + special.zeta(2.0, each.b))
            for each in (self.x, self.y)
        )
        mean = float(self.x.weights @ x - self.y.weights @ y)
        joint = np.outer(self.x.weights, self.y.weights) if self.joint is None else self.joint
        between = float(np.sum(joint * np.square(np.subtract.outer(x, y) - mean)))
        within = float(self.x.weights @ var_x + self.y.weights @ var_y)
        return mean, math.sqrt(within + between)

    @cached_property
    def _swapped_contrast(self) -> TwoShareContrast:
        """Return the distribution of the difference with the opposite sign."""
        if self.of_parts:
            part = BetaPairs(self.x.b, self.x.a, self.x.weights)
            return TwoShareContrast(part, self.y, self.joint, self.scale, of_parts=True)
        joint = None if self.joint is None else self.joint.T
        return TwoShareContrast(self.y, self.x, joint, self.scale)

    def survival_at(self, coordinate: float) -> float:
        if self.scale is Contrast.DIFFERENCE and coordinate < 0.0:
            return 1.0 - self._swapped_contrast.survival_at(-coordinate)
        curve = self._curve(coordinate)

        def mass(z: NDArray[np.float64]) -> NDArray[np.float64]:
            x, y = curve.x(z).logit, curve.y(z)
            if self.joint is None:
                found = self.x.survival_of_logits(x) * self.y.density_of_logits(y.logit)
            else:
                found = self._joint_sums(self.x.survivals_of_logits(x), y)
            return found * np.exp(curve.log_speed(z, y))

        return min(1.0, max(0.0, integral(mass, self._edges(curve), self._tolerance)))

    def density(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the density at each point of `at`, shape (k,).

        It is 0 outside the range of the contrast, and at most 1e300.
        """
        return np.array([self._density(self.scale.coordinate(each)) for each in at.tolist()])

    def _density(self, coordinate: float) -> float:
        if not math.isfinite(coordinate):
            return 0.0
        if self.scale is Contrast.DIFFERENCE and coordinate < 0.0:
            return self._swapped_contrast._density(-coordinate)  # noqa: SLF001  its own class
        curve = self._curve(coordinate)

        def height(z: NDArray[np.float64]) -> NDArray[np.float64]:
            x, y = curve.x(z), curve.y(z)
            if self.joint is None:
                found = self.x.density_of_logits(x.logit) * self.y.density_of_logits(y.logit)
            else:
                found = self._joint_sums(self.x.densities_of_logits(x.logit), y)
            return found * np.minimum(np.exp(curve.log_speed(z, y) + curve.log_slope(x, y)), _LARGEST_DENSITY)

        with np.errstate(over="ignore"):
            return min(integral(height, self._edges(curve), self._tolerance, relative=True), _LARGEST_DENSITY)

    def _joint_sums(self, of_x: NDArray[np.float64], y: LogShare) -> NDArray[np.float64]:
        """Return Σ_kl joint[k, l] of_x[k] f_l(y) at each y, shape (q,), for `of_x` of shape (k, q)."""
        assert self.joint is not None, "independent shares need no joint probabilities"
        found: NDArray[np.float64] = (of_x * (self.joint @ self.y.densities_of_logits(y.logit))).sum(axis=0)
        return found

    def end(self, tail: float, *, upper: bool) -> float:
        return super().end(max(tail - self.error, 0.5 * tail), upper=upper)

    def coordinate_of_tail(self, tail: float, *, upper: bool) -> float:
        # For equal shares, rounding makes the distribution flat around its median: a search could end anywhere.
        if tail == 0.5 and abs(self.survival_at(0.0) - 0.5) <= self.error:
            return 0.0
        low, high = self._bracket(tail, upper=upper)
        # Near equal shares the quantile can be arbitrarily small, of either sign.
        is_narrow = low * high > 0.0 and _NARROW_RATIO * max(abs(low), abs(high)) < min(abs(low), abs(high))
        to, back = (float, float) if is_narrow else (_log_position, _coordinate_of_position)

        def tail_at(position: float) -> float:
            above = self.survival_at(back(position))
            return above if upper else 1.0 - above

        return back(where_tail_is(tail, tail_at, *((to(low), to(high)) if upper else (to(high), to(low)))))

    def _bracket(self, tail: float, *, upper: bool) -> tuple[float, float]:
        """Return coordinates that enclose the quantile.

        With probability at least 1 − q, x and y both lie between their quantiles at q / 4 and 1 − q / 4, whatever their
        joint distribution.
        """
        furthest = {Contrast.DIFFERENCE: _FURTHEST_DIFFERENCE, Contrast.ODDS_RATIO: _FURTHEST_LOG_ODDS}.get(
            self.scale, MAX_LOG
        )
        low, high = -furthest, furthest
        lower_tail, upper_tail = (1.0 - tail, tail) if upper else (tail, 1.0 - tail)
        below, above = (bisect.bisect_right(TAILS, 0.25 * q) - 1 for q in (lower_tail, upper_tail))
        x, y = self.x.landmarks.tolist(), self.y.landmarks.tolist()
        if below >= 0:
            low = min(self._corner(x[below], each) for each in (y[below], y[-1 - below]))
        if above >= 0:
            high = max(self._corner(x[-1 - above], each) for each in (y[above], y[-1 - above]))
        return max(low, -furthest), min(high, furthest)

    def _corner(self, x: float, y: float) -> float:
        """Return the contrast's coordinate, given the logits of x and y."""
        if self.scale is Contrast.RATIO:
            return float(special.log_expit(x) - special.log_expit(y))
        if self.scale is Contrast.ODDS_RATIO:
            return x - y
        share = float(special.expit(y))
        return self.scale.coordinate(share * math.tanh(0.5 * x) if self.of_parts else float(special.expit(x)) - share)

    def _curve(self, coordinate: float) -> ContrastCurve:
        if self.scale is Contrast.RATIO:
            return curve_of_ratio(coordinate)
        if self.scale is Contrast.ODDS_RATIO:
            return curve_of_odds_ratio(coordinate)
        t, rest = -math.expm1(-coordinate), math.exp(-coordinate)
        return curve_of_parts(t, rest) if self.of_parts else curve_of_difference(t, rest)

    def _edges(self, curve: ContrastCurve) -> NDArray[np.float64]:
        """Return the edges of the integration panels, which are narrow near landmarks of either share and corners of
        the curve.
        """
        z_of_y = curve.z_of_y(log_share(self.y.landmarks))
        z_of_y = z_of_y[np.isfinite(z_of_y)]
        if not z_of_y.size:
            return np.zeros(1)  # the curve contains no landmark of y
        low = z_of_y.min() if curve.ends[0] is None else curve.ends[0]
        high = z_of_y.max() if curve.ends[1] is None else curve.ends[1]
        z_of_x = curve.z_of_x(log_share(self.x.landmarks))
        points = np.concatenate(([low, high], z_of_y, z_of_x[np.isfinite(z_of_x)], curve.corners))
        edges = np.unique(np.clip(points, low, high)).tolist()
        found = edges[:1]
        for left, right in pairwise(edges):
            # Away from these points the integrand is a power of e^z.
            steps = [
                _FIRST_PANEL_WIDTH * (2.0**k - 1.0)
                for k in range(1, 20)
                if _FIRST_PANEL_WIDTH * (2.0**k - 1.0) < 0.5 * (right - left)
            ]
            found += [*(left + step for step in steps), *(right - step for step in steps[::-1]), right]
        return np.array(found)

    @property
    def _tolerance(self) -> float:
        return _TOLERANCE * self.error / _ERROR


def _log_position(coordinate: float) -> float:
    """Map the coordinate to a scale that is logarithmic on either side of zero."""
    return math.asinh(coordinate / SMALLEST)


def _coordinate_of_position(position: float) -> float:
    return SMALLEST * math.sinh(position)
