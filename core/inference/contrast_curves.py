"""Curves in the unit square: the pairs of shares (x, y) with a given difference, ratio or odds ratio.

A curve is parametrised by z from −∞ to ∞ and is smooth everywhere, also at the edges of the square. Shares are given by
ln x and ln (1 − x), each computed without a difference.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

_FAR: Final = 60.0
"""Distance in z beyond which an integrand that falls like e^(−|z|) is below 1e-26 of its value."""


class LogShare(NamedTuple):
    """ln x and ln (1 − x) of one or more shares x, as arrays or plain numbers."""

    log: NDArray[np.float64]
    log_rest: NDArray[np.float64]

    @property
    def logit(self) -> NDArray[np.float64]:
        return self.log - self.log_rest


def log_share(logits: NDArray[np.float64]) -> LogShare:
    return LogShare(special.log_expit(logits), special.log_expit(-logits))


class _Segment(NamedTuple):
    """A share that moves from `low` to `high` > low as z goes from −∞ to ∞: x(z) = low + (high − low) expit(z).

    `low_rest` and `high_rest` are 1 − low and 1 − high.
    """

    low: float
    low_rest: float
    high: float
    high_rest: float

    def at(self, z: NDArray[np.float64]) -> LogShare:
        log_position, rest = special.log_expit(z), special.log_expit(-z)
        return LogShare(
            np.logaddexp(_log(self.low) + rest, _log(self.high) + log_position),
            np.logaddexp(_log(self.low_rest) + rest, _log(self.high_rest) + log_position),
        )

    def log_speed(self, z: NDArray[np.float64], share: LogShare) -> NDArray[np.float64]:
        """Return ln of the derivative of logit x(z) with respect to z."""
        found: NDArray[np.float64] = special.log_expit(z) + special.log_expit(-z) - share.log - share.log_rest
        return found + _log(self.high - self.low if self.high < 1.0 else self.low_rest)

    def z_of(self, share: LogShare) -> NDArray[np.float64]:
        """Return the approximate z at which the segment reaches this share.

        It is NaN or infinite outside the segment.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            log_position = share.log if self.low == 0.0 else np.log(np.exp(share.log) - self.low)
            rest = share.log_rest if self.high_rest == 0.0 else np.log(self.high - np.exp(share.log))
            return np.asarray(log_position - rest)

    def corners(self) -> list[float]:
        """Return the values of z at which the share leaves `low` and reaches `high`, up to rounding."""
        return [sign * _log(each) for sign, each in ((1.0, self.low), (-1.0, self.high_rest)) if each > 0.0]


def _log(x: float) -> float:
    return math.log(x) if x > 0.0 else -math.inf


@dataclass(frozen=True, slots=True)
class ContrastCurve:
    """The pairs of shares (x, y) whose contrast has the value t, along z from −∞ to ∞; y increases with z."""

    x: Callable[[NDArray[np.float64]], LogShare]
    y: Callable[[NDArray[np.float64]], LogShare]
    log_speed: Callable[[NDArray[np.float64], LogShare], NDArray[np.float64]]
    """ln of the derivative of logit y with respect to z, as a function of z and y."""
    log_slope: Callable[[LogShare, LogShare], NDArray[np.float64]]
    """ln of the derivative of logit x with respect to t at fixed y, as a function of x and y."""
    z_of_x: Callable[[LogShare], NDArray[np.float64]]
    z_of_y: Callable[[LogShare], NDArray[np.float64]]
    corners: list[float]
    """The z at which the curve bends."""
    ends: tuple[float | None, float | None] = (None, None)
    """The z beyond which the integrand falls like e^(−|z|); None if y approaches 0 or 1 with z."""


def _straight_curve(
    x: _Segment, y: _Segment, log_slope: Callable[[LogShare, LogShare], NDArray[np.float64]]
) -> ContrastCurve:
    """Return a curve that is a straight line in the unit square of shares."""
    corners = [0.0, *x.corners(), *y.corners()]
    return ContrastCurve(x.at, y.at, y.log_speed, log_slope, x.z_of, y.z_of, corners, _ends_of(y, corners))


def _ends_of(y: _Segment, corners: list[float]) -> tuple[float | None, float | None]:
    return (
        min(corners) - _FAR if y.low > 0.0 else None,
        max(corners) + _FAR if y.high_rest > 0.0 else None,
    )


def curve_of_difference(t: float, rest: float) -> ContrastCurve:
    """Return the curve x − y = t >= 0. `rest` is 1 − t."""
    x, y = _Segment(t, rest, 1.0, 0.0), _Segment(0.0, 1.0, rest, t)
    return _straight_curve(x, y, lambda x, _: -x.log - x.log_rest)


def curve_of_ratio(log_t: float) -> ContrastCurve:
    """Return the curve x / y = t, given `log_t` = ln t."""
    less = -math.expm1(-abs(log_t))
    whole, part = _Segment(0.0, 1.0, 1.0, 0.0), _Segment(0.0, 1.0, math.exp(-abs(log_t)), less)
    x, y = (part, whole) if log_t <= 0.0 else (whole, part)
    return _straight_curve(x, y, lambda x, _: -log_t - x.log_rest)


def curve_of_odds_ratio(log_t: float) -> ContrastCurve:
    """Return the curve on which the logit of x minus the logit of y is `log_t` = ln t."""
    half = 0.5 * log_t
    return ContrastCurve(
        x=lambda z: log_share(z + half),
        y=lambda z: log_share(z - half),
        log_speed=lambda z, _: np.zeros_like(z),
        log_slope=lambda x, _: np.full_like(x.log, -log_t),
        z_of_x=lambda x: x.logit - half,
        z_of_y=lambda y: y.logit + half,
        corners=[-half, half],
    )


def curve_of_parts(t: float, rest: float) -> ContrastCurve:
    """Return the curve s (2u − 1) = t >= 0, with x = u and y = s. `rest` is 1 − t."""
    s, twice_s_u = _Segment(t, rest, 1.0, 0.0), _Segment(2.0 * t, 1.0, 1.0 + t, 1.0)

    def u(z: NDArray[np.float64]) -> LogShare:
        log_twice_s = s.at(z).log + math.log(2.0)
        return LogShare(twice_s_u.at(z).log - log_twice_s, _log(rest) + special.log_expit(z) - log_twice_s)

    def z_of_u(u: LogShare) -> NDArray[np.float64]:
        with np.errstate(divide="ignore", invalid="ignore"):
            log_s = _log(t) - np.log1p(-2.0 * np.exp(u.log_rest))
            return s.z_of(LogShare(log_s, np.log(-np.expm1(log_s))))

    corners = [0.0, *s.corners()]
    return ContrastCurve(
        x=u,
        y=s.at,
        log_speed=s.log_speed,
        log_slope=lambda u, s: -math.log(2.0) - s.log - u.log - u.log_rest,
        z_of_x=z_of_u,
        z_of_y=s.z_of,
        corners=corners,
        ends=_ends_of(s, corners),
    )
