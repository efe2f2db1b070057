"""Distributions of a contrast of two shares: their difference, ratio or odds ratio.

Three kinds, by what they are computed from: one share that the contrast rises with, an integral over two shares, or
draws. Each is computed on a scale of the contrast that runs from −∞ to ∞ and keeps the digits of values near the ends
of its range and near that of equal shares, because under a prior far below 1 much of the probability can lie there.
"""

from __future__ import annotations

import bisect
import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple, Protocol

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.inference.beta_pairs import TAILS, BetaPairs
from core.inference.distribution import Distribution, check_probability

_MAX_LOG: Final = 690.0
"""Logarithms of positive contrasts are cut off here, inside the range of floats."""
_FURTHEST_DIFFERENCE: Final = 40.0
"""From here on −ln(1 − |d|) is that of a difference d that rounds to ±1."""
_GREATEST: Final = 1e300
"""A density is stated as this where it is greater, or infinite."""

_SMALL: Final = 1e-300
_NARROW: Final = 1e-3
_SETTLED: Final = 1e-11
"""Of the smaller probability below or above a quantile: its error."""
_LEAST_RTOL: Final = 4.0 * float(np.finfo(float).eps)

_ORDER: Final = 32
"""Of the quadrature rule: a panel has one node more."""
_TOLERANCE: Final = 2e-13
"""Largest accepted difference of the two rules on one panel."""
_MAX_PANELS: Final = 1024
"""Panels that are computed together, at most; halving ends there."""
_MAX_HALVINGS: Final = 40
_FAR: Final = 60.0
"""Beyond it an integrand that falls like e^(−|z|) is below 1e-26 of what it was."""
_WIDE: Final = 4.0
_ERROR: Final = 3e-11
"""Bound on the error of an integral: a hundred panels, the mass left out at the ends, and rounding."""
_TOTAL_OF_EXPANSIONS: Final = 1e12
_ERROR_OF_EXPANSIONS: Final = 1e-7
"""Likewise for Beta parameters from 1e12 on, whose distribution function is right to 1e-8."""


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
    error: float = 0.0

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


class _Share(NamedTuple):
    """ln x and ln (1 − x) of some shares, arrays or plain numbers."""

    log: NDArray[np.float64]
    log_rest: NDArray[np.float64]

    @property
    def logit(self) -> NDArray[np.float64]:
        return self.log - self.log_rest


def _share_of(logits: NDArray[np.float64]) -> _Share:
    return _Share(special.log_expit(logits), special.log_expit(-logits))


class _Segment(NamedTuple):
    """A share that moves from `low` to `high` > low with z, as its place between them, expit(z), goes from 0 to 1.

    `low_rest` and `high_rest` are 1 − low and 1 − high.
    """

    low: float
    low_rest: float
    high: float
    high_rest: float

    def at(self, z: NDArray[np.float64]) -> _Share:
        place, rest = special.log_expit(z), special.log_expit(-z)
        return _Share(
            np.logaddexp(_log(self.low) + rest, _log(self.high) + place),
            np.logaddexp(_log(self.low_rest) + rest, _log(self.high_rest) + place),
        )

    def log_speed(self, z: NDArray[np.float64], share: _Share) -> NDArray[np.float64]:
        """The logarithm of the derivative of the share's logit in z."""
        found: NDArray[np.float64] = special.log_expit(z) + special.log_expit(-z) - share.log - share.log_rest
        return found + _log(self.high - self.low if self.high < 1.0 else self.low_rest)

    def places_of(self, share: _Share) -> NDArray[np.float64]:
        """The z at which the share is as given, roughly; NaN or infinite outside the segment."""
        with np.errstate(divide="ignore", invalid="ignore"):
            place = share.log if self.low == 0.0 else np.log(np.exp(share.log) - self.low)
            rest = share.log_rest if self.high_rest == 0.0 else np.log(self.high - np.exp(share.log))
            return np.asarray(place - rest)

    def corners(self) -> list[float]:
        """The z at which the share begins to leave one end and to near the other."""
        return [sign * _log(each) for sign, each in ((1.0, self.low), (-1.0, self.high_rest)) if each > 0.0]


def _log(x: float) -> float:
    return math.log(x) if x > 0.0 else -math.inf


@dataclass(frozen=True, slots=True)
class _Curve:
    """The pairs of shares x and y whose contrast is t, along z from −∞ to ∞; y rises with z."""

    x: Callable[[NDArray[np.float64]], _Share]
    y: Callable[[NDArray[np.float64]], _Share]
    log_speed: Callable[[NDArray[np.float64], _Share], NDArray[np.float64]]
    """ln of the derivative of the logit of y in z, by z and y."""
    log_slope: Callable[[_Share, _Share], NDArray[np.float64]]
    """ln of the derivative of the logit of x in t at a given y, by x and y."""
    places_of_x: Callable[[_Share], NDArray[np.float64]]
    places_of_y: Callable[[_Share], NDArray[np.float64]]
    corners: list[float] = field(default_factory=list)
    """Where the curve bends."""
    ends: tuple[float | None, float | None] = (None, None)
    """Beyond these z the integrand falls like e^(−|z|); None where y goes on to 0 or 1."""


def _along(x: _Segment, y: _Segment, log_slope: Callable[[_Share, _Share], NDArray[np.float64]]) -> _Curve:
    """A straight line in the square of shares."""
    corners = [0.0, *x.corners(), *y.corners()]
    return _Curve(x.at, y.at, y.log_speed, log_slope, x.places_of, y.places_of, corners, _ends_of(y, corners))


def _ends_of(y: _Segment, corners: list[float]) -> tuple[float | None, float | None]:
    return (
        min(corners) - _FAR if y.low > 0.0 else None,
        max(corners) + _FAR if y.high_rest > 0.0 else None,
    )


def _curve_of_difference(t: float, rest: float) -> _Curve:
    """x − y = t >= 0; `rest` is 1 − t."""
    x, y = _Segment(t, rest, 1.0, 0.0), _Segment(0.0, 1.0, rest, t)
    return _along(x, y, lambda x, _: -x.log - x.log_rest)


def _curve_of_ratio(log_t: float) -> _Curve:
    """x / y = t."""
    less = -math.expm1(-abs(log_t))
    whole, part = _Segment(0.0, 1.0, 1.0, 0.0), _Segment(0.0, 1.0, math.exp(-abs(log_t)), less)
    x, y = (part, whole) if log_t <= 0.0 else (whole, part)
    return _along(x, y, lambda x, _: -log_t - x.log_rest)


def _curve_of_odds_ratio(log_t: float) -> _Curve:
    """The logit of x less that of y is ln t."""
    half = 0.5 * log_t
    return _Curve(
        x=lambda z: _share_of(z + half),
        y=lambda z: _share_of(z - half),
        log_speed=lambda z, _: np.zeros_like(z),
        log_slope=lambda x, _: np.full_like(x.log, -log_t),
        places_of_x=lambda x: x.logit - half,
        places_of_y=lambda y: y.logit + half,
        corners=[-half, half],
    )


def _curve_of_parts(t: float, rest: float) -> _Curve:
    """s (2u − 1) = t >= 0, u in the place of x and s in that of y; `rest` is 1 − t."""
    s, twice_s_u = _Segment(t, rest, 1.0, 0.0), _Segment(2.0 * t, 1.0, 1.0 + t, 1.0)

    def u(z: NDArray[np.float64]) -> _Share:
        log_twice_s = s.at(z).log + math.log(2.0)
        return _Share(twice_s_u.at(z).log - log_twice_s, _log(rest) + special.log_expit(z) - log_twice_s)

    def places_of_u(u: _Share) -> NDArray[np.float64]:
        with np.errstate(divide="ignore", invalid="ignore"):
            log_s = _log(t) - np.log1p(-2.0 * np.exp(u.log_rest))
            return s.places_of(_Share(log_s, np.log(-np.expm1(log_s))))

    corners = [0.0, *s.corners()]
    return _Curve(
        x=u,
        y=s.at,
        log_speed=s.log_speed,
        log_slope=lambda u, s: -math.log(2.0) - s.log - u.log - u.log_rest,
        places_of_x=places_of_u,
        places_of_y=s.places_of,
        corners=corners,
        ends=_ends_of(s, corners),
    )


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
        """Bound on the error of a probability, beside that of the mixtures."""
        greatest = max(float((each.a + each.b).max()) for each in (self.x, self.y))
        return _ERROR if greatest < _TOTAL_OF_EXPANSIONS else _ERROR_OF_EXPANSIONS

    @cached_property
    def _swapped(self) -> TwoShareContrast:
        """The difference with the sign changed."""
        if self.of_parts:
            return TwoShareContrast(self._complement, self.y, self.joint, self.scale, of_parts=True)
        joint = None if self.joint is None else self.joint.T
        return TwoShareContrast(self.y, self.x, joint, self.scale)

    @property
    def _complement(self) -> BetaPairs:
        return BetaPairs(self.x.b, self.x.a, self.x.weights)

    def survival_at(self, coordinate: float) -> float:
        if self.scale is Contrast.DIFFERENCE and coordinate < 0.0:
            return 1.0 - self._swapped.survival_at(-coordinate)
        curve = self._curve(coordinate)

        def mass(z: NDArray[np.float64]) -> NDArray[np.float64]:
            x, y = curve.x(z).logit, curve.y(z)
            if self.joint is None:
                found = self.y.density_of_logits(y.logit) * self.x.survival_of_logits(x)
            else:
                survivals = self.x.survivals_of_logits(x)
                found = ((self.joint @ self.y.densities_of_logits(y.logit)) * survivals).sum(axis=0)
            return found * np.exp(curve.log_speed(z, y))

        return min(1.0, max(0.0, _integral(mass, self._edges(curve), self._tolerance)))

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
                found = self.y.density_of_logits(y.logit) * self.x.density_of_logits(x.logit)
            else:
                densities = self.x.densities_of_logits(x.logit)
                found = ((self.joint @ self.y.densities_of_logits(y.logit)) * densities).sum(axis=0)
            with np.errstate(over="ignore"):
                slopes = np.minimum(np.exp(curve.log_speed(z, y) + curve.log_slope(x, y)), _GREATEST)
            return found * slopes

        with np.errstate(over="ignore"):
            return min(_integral(height, self._edges(curve), self._tolerance, relative=True), _GREATEST)

    def coordinate_quantile(self, probability: float) -> float:
        low, high = self._bracket(probability)
        # Near equal shares the quantile may be as small as any number, of either sign.
        is_narrow = low * high > 0.0 and _NARROW * max(abs(low), abs(high)) < min(abs(low), abs(high))
        to, back = (float, float) if is_narrow else (_to_logarithms, _from_logarithms)
        settled = _SETTLED * min(probability, 1.0 - probability)

        def excess(place: float) -> float:
            found = (1.0 - probability) - self.survival_at(back(place))
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

    def _curve(self, coordinate: float) -> _Curve:
        if self.scale is Contrast.RATIO:
            return _curve_of_ratio(coordinate)
        if self.scale is Contrast.ODDS_RATIO:
            return _curve_of_odds_ratio(coordinate)
        t, rest = -math.expm1(-coordinate), math.exp(-coordinate)
        return _curve_of_parts(t, rest) if self.of_parts else _curve_of_difference(t, rest)

    def _edges(self, curve: _Curve) -> NDArray[np.float64]:
        """Edges of panels, narrow where either share's distribution lies and at the curve's corners."""
        places_of_y = curve.places_of_y(_share_of(self.y.landmarks))
        places_of_y = places_of_y[np.isfinite(places_of_y)]
        if not places_of_y.size:
            return np.zeros(1)  # y lies beyond the curve
        low = places_of_y.min() if curve.ends[0] is None else curve.ends[0]
        high = places_of_y.max() if curve.ends[1] is None else curve.ends[1]
        places_of_x = curve.places_of_x(_share_of(self.x.landmarks))
        places = np.concatenate(([low, high], places_of_y, places_of_x[np.isfinite(places_of_x)], curve.corners))
        edges = np.unique(np.clip(places, low, high)).tolist()
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


def _from_logarithms(place: float) -> float:
    return _SMALL * math.sinh(place)


def _clenshaw_curtis(order: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Nodes in [−1, 1] and weights, order + 1 of each, for an even order; every second node is one of half the order.

    Source: Waldvogel 2006, equation 2.4.
    """
    angles, j = np.arange(order + 1) * (math.pi / order), np.arange(1, order // 2 + 1)
    factors = np.where(j == order // 2, 1.0, 2.0) / (4.0 * j**2 - 1.0)
    weights = (2.0 / order) * (1.0 - np.cos(2.0 * np.outer(angles, j)) @ factors)
    weights[[0, -1]] *= 0.5
    return np.cos(angles), weights


_NODES, _WEIGHTS = _clenshaw_curtis(_ORDER)
_COARSE_WEIGHTS = _clenshaw_curtis(_ORDER // 2)[1]


def _integral(
    integrand: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    edges: NDArray[np.float64],
    tolerance: float,
    *,
    relative: bool = False,
) -> float:
    """∫ from the first edge to the last, by panels that are halved until two rules are within `tolerance` on each."""
    left, right = edges[:-1], edges[1:]
    total = 0.0
    for _ in range(_MAX_HALVINGS):
        if not left.size:
            break
        middle, half = 0.5 * (left + right), 0.5 * (right - left)
        heights = integrand((middle[:, None] + half[:, None] * _NODES).ravel()).reshape(left.size, -1)
        fine, coarse = half * (heights @ _WEIGHTS), half * (heights[:, ::2] @ _COARSE_WEIGHTS)
        wanted = tolerance * max(1.0, total + float(fine.sum())) if relative else tolerance
        is_open = np.abs(fine - coarse) > wanted
        if int(is_open.sum()) > _MAX_PANELS // 2:
            is_open[:] = False
        total += float(fine[~is_open].sum())
        left, right = (
            np.concatenate([left[is_open], middle[is_open]]),
            np.concatenate([middle[is_open], right[is_open]]),
        )
    return total
