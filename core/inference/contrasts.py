"""Distributions of a contrast of two shares: their difference, ratio or odds ratio.

Three kinds, by what they are computed from: one share that the contrast rises with, an integral over two shares, or
draws. Each is computed on a scale of the contrast that runs from −∞ to ∞ and keeps the digits of values near the ends
of its range and near that of equal shares, because under a prior far below 1 much of the probability can lie there.
"""

from __future__ import annotations

import bisect
import math
from abc import abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Final, Protocol

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.inference.beta_pairs import TAILS, BetaPairs
from core.inference.contrast_curves import (
    Curve,
    LogShare,
    curve_of_difference,
    curve_of_odds_ratio,
    curve_of_parts,
    curve_of_ratio,
    log_share,
)
from core.inference.distribution import Distribution, check_probability
from core.inference.quadrature import integral

_MAX_LOG: Final = 690.0
"""Logarithms of positive contrasts are cut off here, inside the range of floats."""
_FURTHEST_DIFFERENCE: Final = 40.0
"""From here on −ln(1 − |d|) is that of a difference d that rounds to ±1."""
_GREATEST: Final = 1e300
"""A density is stated as this where it is greater, or infinite."""

_SMALL: Final = 1e-300
"""The size of the least difference that keeps its sign."""
_NARROW: Final = 1e-3
"""Ratio of the ends of a bracket, from which on a quantile is searched for without logarithms."""
_SETTLED: Final = 1e-11
"""Error of the probability of a quantile, relative to the smaller of those below and above it."""
_LEAST_RTOL: Final = 4.0 * float(np.finfo(float).eps)

_TOLERANCE: Final = 2e-13
"""Largest accepted difference of the two rules on one panel."""
_WIDE: Final = 4.0
"""Width in z of the panels next to where something changes; the next ones are twice as wide, and so on."""
_ERROR: Final = 3e-11
"""Bound on the error of an integral: a hundred panels, the mass left out at the ends, and rounding."""


class Scale(Protocol):
    """An increasing map from an interval onto the real line, and its inverse."""

    def coordinate(self, value: float) -> float:
        """−∞ at the lower end of the interval and below, ∞ at the upper end and above."""
        ...

    def value_at(self, coordinate: ArrayLike) -> NDArray[np.float64]:
        """The inverse, elementwise, within the range of floats."""
        ...


class Contrast(StrEnum):
    """A comparison of two shares x and y."""

    DIFFERENCE = "difference"
    """x − y, on the scale ∓ln(1 − |x − y|)."""
    RATIO = "ratio"
    """x / y, the risk ratio, on a logarithmic scale."""
    ODDS_RATIO = "odds_ratio"
    """(x / (1 − x)) / (y / (1 − y)), on a logarithmic scale."""

    @property
    def equal(self) -> float:
        """Its value for equal shares."""
        return 0.0 if self is Contrast.DIFFERENCE else 1.0

    def coordinate(self, value: float) -> float:
        if self is not Contrast.DIFFERENCE:
            return math.log(value) if value > 0.0 else -math.inf
        return math.copysign(-math.log1p(-abs(value)) if abs(value) < 1.0 else math.inf, value)

    def value_at(self, coordinate: ArrayLike) -> NDArray[np.float64]:
        if self is not Contrast.DIFFERENCE:
            return np.asarray(np.exp(np.clip(coordinate, -_MAX_LOG, _MAX_LOG)), dtype=np.float64)
        return np.asarray(np.copysign(-np.expm1(-np.abs(coordinate)), coordinate))

    def coordinates(self, draws: LogShares) -> NDArray[np.float64]:
        """The contrast's coordinate at each draw: shape (size,)."""
        a, not_a, b, not_b = draws.a, draws.not_a, draws.b, draws.not_b
        base_a, base_b = np.logaddexp(a, not_a), np.logaddexp(b, not_b)
        if self is Contrast.DIFFERENCE:
            x_less_y = draws.difference(base_a + base_b)
            near = np.abs(x_less_y) < 0.5
            coordinates = np.copysign(-np.log1p(-np.where(near, np.abs(x_less_y), 0.0)), x_less_y)
            # 1 − (x − y) = (1 − x) + y, and 1 − (y − x) likewise.
            log_rest = np.logaddexp(not_a - base_a, b - base_b), np.logaddexp(not_b - base_b, a - base_a)
            return np.where(near, coordinates, np.where(x_less_y > 0.0, -log_rest[0], log_rest[1]))
        log_first, log_second = (a + base_b, b + base_a) if self is Contrast.RATIO else (a + not_b, b + not_a)
        less_one = draws.difference(log_second)
        near = np.abs(less_one) < 0.5
        return np.where(near, np.log1p(np.where(near, less_one, 0.0)), log_first - log_second)


@dataclass(frozen=True, slots=True, eq=False)
class LogShares:
    """Draws of two shares a / (a + not_a) and b / (b + not_b), as logarithms, each of shape (size,).

    `excess` and `shortfall` are those of the terms of a·not_b and of b·not_a that do not cancel: their difference has
    the sign of that of the shares, however small it is.
    """

    a: NDArray[np.float64]
    not_a: NDArray[np.float64]
    b: NDArray[np.float64]
    not_b: NDArray[np.float64]
    excess: NDArray[np.float64]
    shortfall: NDArray[np.float64]

    def difference(self, log_unit: NDArray[np.float64]) -> NDArray[np.float64]:
        """a·not_b − b·not_a over a unit, with its sign where it is too small for a float."""
        with np.errstate(over="ignore"):
            size = np.abs(np.exp(self.excess - log_unit) - np.exp(self.shortfall - log_unit))
        found: NDArray[np.float64] = np.copysign(np.maximum(size, _SMALL), self.excess - self.shortfall)
        return found


class OfOneShare(StrEnum):
    """A quantity that rises with one share x; its scale is the logit of x."""

    SHARE = "share"
    """x."""
    ODDS = "odds"
    """x / (1 − x)."""
    ODDS_AND_ONE = "odds and one"
    """1 / (1 − x)."""
    LESS_THE_REST = "less the rest"
    """2x − 1."""
    LESS_ONE = "less one"
    """x − 1."""

    def coordinate(self, value: float) -> float:
        x, rest = self._odds(value)
        if x <= 0.0 or rest <= 0.0:
            return -math.inf if x <= 0.0 else math.inf
        return math.log(x) - math.log(rest)

    def value_at(self, coordinate: ArrayLike) -> NDArray[np.float64]:
        logit = np.asarray(coordinate, dtype=np.float64)
        found: NDArray[np.float64]
        match self:
            case OfOneShare.SHARE:
                found = special.expit(logit)
            case OfOneShare.ODDS:
                found = np.exp(np.clip(logit, -_MAX_LOG, _MAX_LOG))
            case OfOneShare.ODDS_AND_ONE:
                found = 1.0 + np.exp(np.minimum(logit, _MAX_LOG))
            case OfOneShare.LESS_THE_REST:
                found = np.tanh(0.5 * logit)
            case OfOneShare.LESS_ONE:
                found = -special.expit(-logit)
        return found

    def log_slope(self, value: float) -> float:
        """The logarithm of the derivative of the coordinate in the value, inside the range of values."""
        x, rest = self._odds(value)
        return -math.log(x) if self in {OfOneShare.ODDS, OfOneShare.ODDS_AND_ONE} else math.log(1.0 / x + 1.0 / rest)

    def _odds(self, value: float) -> tuple[float, float]:
        """Two numbers in the ratio of x to 1 − x."""
        match self:
            case OfOneShare.SHARE:
                return value, 1.0 - value
            case OfOneShare.ODDS:
                return value, 1.0
            case OfOneShare.ODDS_AND_ONE:
                return value - 1.0, 1.0
            case OfOneShare.LESS_THE_REST:
                return 1.0 + value, 1.0 - value
            case OfOneShare.LESS_ONE:
                return 1.0 + value, -value


class OnScale(Distribution):
    """A distribution that is computed at coordinates on `scale`."""

    scale: Scale

    @property
    def mean(self) -> float | None:
        return None

    @property
    def standard_deviation(self) -> float | None:
        return None

    @abstractmethod
    def survival_at(self, coordinate: float) -> float:
        """P(coordinate of θ > coordinate), at any finite one."""

    @abstractmethod
    def coordinate_quantile(self, probability: float) -> float:
        """The coordinate of the quantile, for a probability in (0, 1)."""

    def survival(self, at: float) -> float:
        coordinate = self.scale.coordinate(at)
        return self.survival_at(coordinate) if math.isfinite(coordinate) else float(coordinate < 0.0)

    def cdf(self, at: float) -> float:
        return 1.0 - self.survival(at)

    def quantile(self, probability: float) -> float:
        """As `Distribution.quantile`; beyond the range of floats, the nearest value inside it."""
        check_probability(probability)
        return float(self.scale.value_at(self.coordinate_quantile(probability)))


@dataclass(frozen=True, eq=False)
class DrawnDistribution(OnScale):
    """The distribution of independent draws, given by their coordinates in increasing order, shape (size,)."""

    coordinates: NDArray[np.float64]
    scale: Scale
    moments: int
    """2 if the drawn quantity has a mean and a variance, 1 if it has a mean alone, 0 if it has neither."""

    @cached_property
    def _values(self) -> NDArray[np.float64]:
        return self.scale.value_at(self.coordinates)

    @property
    def mean(self) -> float | None:
        return float(self._values.mean()) if self.moments >= 1 else None

    @property
    def standard_deviation(self) -> float | None:
        return float(self._values.std()) if self.moments >= 2 else None

    def survival_at(self, coordinate: float) -> float:
        below = int(np.searchsorted(self.coordinates, coordinate, side="right"))
        return 1.0 - below / self.coordinates.size

    def coordinate_quantile(self, probability: float) -> float:
        return float(np.quantile(self.coordinates, probability, method="inverted_cdf"))


@dataclass(frozen=True, eq=False)
class OneShareContrast(OnScale):
    """A contrast that rises with one share."""

    share: BetaPairs
    scale: OfOneShare

    @property
    def error(self) -> float:
        """Bound on the error of a probability for this mixture."""
        return self.share.error

    def survival_at(self, coordinate: float) -> float:
        return self.share.survival_of_logit(coordinate)

    def cdf(self, at: float) -> float:
        return self.share.cdf_of_logit(self.scale.coordinate(at))

    def coordinate_quantile(self, probability: float) -> float:
        return self.share.logit_quantile(probability)

    def density(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """The density at each point of `at`, shape (k,): 0 outside the range of the contrast."""
        logits = np.array([self.scale.coordinate(each) for each in at.tolist()])
        inside = np.isfinite(logits)
        found = np.zeros(at.size)
        slopes = np.array([self.scale.log_slope(each) for each in at[inside].tolist()])
        with np.errstate(over="ignore"):
            found[inside] = self.share.density_of_logits(logits[inside]) * np.exp(slopes)
        return np.minimum(found, _GREATEST)


@dataclass(frozen=True, eq=False)
class TwoShareContrast(OnScale):
    """A contrast of two shares x and y of which each is a mixture of Beta distributions.

    P(contrast > t) = Σ_kl joint[k, l] ∫ f_l(y) P(X_k > x(t, y)) dy, with components X_k of `x` and Y_l of `y` that are
    independent given k and l; `joint` has shape (k, l), or is None if the shares are independent. The integral runs
    along the curve on which the contrast is t, in the logit of the place on it, by panels that are halved until two
    rules agree. Probabilities are right to `error`.
    """

    x: BetaPairs
    y: BetaPairs
    joint: NDArray[np.float64] | None
    scale: Contrast
    of_parts: bool = False
    """Whether the contrast is y (2x − 1): the difference of two disjoint shares, y their sum and x the first one's part
    of it.
    """

    @property
    def error(self) -> float:
        """Bound on the error of a probability for these mixtures."""
        return _ERROR + self.x.error + self.y.error

    @cached_property
    def _swapped(self) -> TwoShareContrast:
        """The difference with the sign changed."""
        if self.of_parts:
            part = BetaPairs(self.x.b, self.x.a, self.x.weights)
            return TwoShareContrast(part, self.y, self.joint, self.scale, of_parts=True)
        joint = None if self.joint is None else self.joint.T
        return TwoShareContrast(self.y, self.x, joint, self.scale)

    def survival_at(self, coordinate: float) -> float:
        if self.scale is Contrast.DIFFERENCE and coordinate < 0.0:
            return 1.0 - self._swapped.survival_at(-coordinate)
        curve = self._curve(coordinate)

        def mass(z: NDArray[np.float64]) -> NDArray[np.float64]:
            x, y = curve.x(z).logit, curve.y(z)
            if self.joint is None:
                found = self.x.survival_of_logits(x) * self.y.density_of_logits(y.logit)
            else:
                found = self._joined(self.x.survivals_of_logits(x), y)
            return found * np.exp(curve.log_speed(z, y))

        return min(1.0, max(0.0, integral(mass, self._edges(curve), self._tolerance)))

    def density(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """The density at each point of `at`, shape (k,): 0 outside the range of the contrast, and at most 1e300."""
        return np.array([self._density(self.scale.coordinate(each)) for each in at.tolist()])

    def _density(self, coordinate: float) -> float:
        if not math.isfinite(coordinate):
            return 0.0
        if self.scale is Contrast.DIFFERENCE and coordinate < 0.0:
            return self._swapped._density(-coordinate)  # noqa: SLF001  its own class
        curve = self._curve(coordinate)

        def height(z: NDArray[np.float64]) -> NDArray[np.float64]:
            x, y = curve.x(z), curve.y(z)
            if self.joint is None:
                found = self.x.density_of_logits(x.logit) * self.y.density_of_logits(y.logit)
            else:
                found = self._joined(self.x.densities_of_logits(x.logit), y)
            return found * np.minimum(np.exp(curve.log_speed(z, y) + curve.log_slope(x, y)), _GREATEST)

        with np.errstate(over="ignore"):
            return min(integral(height, self._edges(curve), self._tolerance, relative=True), _GREATEST)

    def _joined(self, of_x: NDArray[np.float64], y: LogShare) -> NDArray[np.float64]:
        """Σ_kl joint[k, l] of_x[k] f_l(y), for `of_x` of shape (k, q), at each y: shape (q,)."""
        assert self.joint is not None, "independent shares need no joint probabilities"
        found: NDArray[np.float64] = (of_x * (self.joint @ self.y.densities_of_logits(y.logit))).sum(axis=0)
        return found

    def coordinate_quantile(self, probability: float) -> float:
        low, high = self._bracket(probability)
        # Near equal shares the quantile may be as small as any number, of either sign.
        is_narrow = low * high > 0.0 and _NARROW * max(abs(low), abs(high)) < min(abs(low), abs(high))
        to, back = (float, float) if is_narrow else (_to_logarithms, _from_logarithms)
        settled = _SETTLED * min(probability, 1.0 - probability)

        def excess(position: float) -> float:
            found = (1.0 - probability) - self.survival_at(back(position))
            return 0.0 if abs(found) < settled else found

        if excess(to(low)) >= 0.0:
            return low
        if excess(to(high)) <= 0.0:
            return high
        return back(scipy.optimize.brentq(excess, to(low), to(high), xtol=1e-20, rtol=_LEAST_RTOL))

    def _bracket(self, probability: float) -> tuple[float, float]:
        """Coordinates with the quantile between them: but for a probability of q, x is inside its quantiles at q / 4
        and 1 − q / 4, and so is y, whatever their joint distribution.
        """
        furthest = _FURTHEST_DIFFERENCE if self.scale is Contrast.DIFFERENCE else _MAX_LOG
        low, high = -furthest, furthest
        below, above = (bisect.bisect_right(TAILS, 0.25 * q) - 1 for q in (probability, 1.0 - probability))
        x, y = self.x.landmarks.tolist(), self.y.landmarks.tolist()
        if below >= 0:
            low = min(self._corner(x[below], each) for each in (y[below], y[-1 - below]))
        if above >= 0:
            high = max(self._corner(x[-1 - above], each) for each in (y[above], y[-1 - above]))
        return max(low, -furthest), min(high, furthest)

    def _corner(self, x: float, y: float) -> float:
        """The contrast's coordinate by the logits of x and y."""
        if self.scale is Contrast.RATIO:
            return float(special.log_expit(x) - special.log_expit(y))
        if self.scale is Contrast.ODDS_RATIO:
            return x - y
        share = float(special.expit(y))
        return self.scale.coordinate(share * math.tanh(0.5 * x) if self.of_parts else float(special.expit(x)) - share)

    def _curve(self, coordinate: float) -> Curve:
        if self.scale is Contrast.RATIO:
            return curve_of_ratio(coordinate)
        if self.scale is Contrast.ODDS_RATIO:
            return curve_of_odds_ratio(coordinate)
        t, rest = -math.expm1(-coordinate), math.exp(-coordinate)
        return curve_of_parts(t, rest) if self.of_parts else curve_of_difference(t, rest)

    def _edges(self, curve: Curve) -> NDArray[np.float64]:
        """Edges of panels, narrow where either share's distribution lies and at the curve's corners."""
        z_of_y = curve.z_of_y(log_share(self.y.landmarks))
        z_of_y = z_of_y[np.isfinite(z_of_y)]
        if not z_of_y.size:
            return np.zeros(1)  # y lies beyond the curve
        low = z_of_y.min() if curve.ends[0] is None else curve.ends[0]
        high = z_of_y.max() if curve.ends[1] is None else curve.ends[1]
        z_of_x = curve.z_of_x(log_share(self.x.landmarks))
        points = np.concatenate(([low, high], z_of_y, z_of_x[np.isfinite(z_of_x)], curve.corners))
        edges = np.unique(np.clip(points, low, high)).tolist()
        found = edges[:1]
        for left, right in pairwise(edges):
            # Away from such places all is a power of e^z.
            steps = [_WIDE * (2.0**k - 1.0) for k in range(1, 20) if _WIDE * (2.0**k - 1.0) < 0.5 * (right - left)]
            found += [*(left + step for step in steps), *(right - step for step in steps[::-1]), right]
        return np.array(found)

    @property
    def _tolerance(self) -> float:
        return _TOLERANCE * self.error / _ERROR


def _to_logarithms(coordinate: float) -> float:
    """A scale that is logarithmic on either side of zero."""
    return math.asinh(coordinate / _SMALL)


def _from_logarithms(position: float) -> float:
    return _SMALL * math.sinh(position)
