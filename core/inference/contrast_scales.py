"""The contrasts of two shares, each with a scale: an increasing map of its values onto the real line."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

MAX_LOG: Final = 700.0
"""Largest absolute logarithm of a positive contrast; values beyond are clipped to stay inside the range of floats."""
SMALLEST: Final = 1e-300
"""Smallest absolute difference that keeps its sign."""


def log_sum(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ln(e^first + e^second) of finite numbers, within a few units. It takes a third of `np.logaddexp`."""
    return np.maximum(first, second) + np.log(1.0 + np.exp(-np.abs(first - second)))


class Scale(Protocol):
    """An increasing map from an interval onto the real line, and its inverse."""

    @property
    def range(self) -> tuple[float, float]:
        """Return the ends of the interval."""
        ...

    def coordinate(self, value: float) -> float:
        """Return the coordinate of a value: −∞ at or below the lower end of the interval, ∞ at or above the upper
        end.
        """
        ...

    def value_at(self, coordinate: ArrayLike) -> NDArray[np.float64]:
        """Return the value at each coordinate, clipped to the range of floats."""
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
        """Return the value of the contrast if the two shares are equal."""
        return 0.0 if self is Contrast.DIFFERENCE else 1.0

    @property
    def range(self) -> tuple[float, float]:
        return (-1.0, 1.0) if self is Contrast.DIFFERENCE else (0.0, math.inf)

    def coordinate(self, value: float) -> float:
        if self is not Contrast.DIFFERENCE:
            return math.log(value) if value > 0.0 else -math.inf
        return math.copysign(-math.log1p(-abs(value)) if abs(value) < 1.0 else math.inf, value)

    def value_at(self, coordinate: ArrayLike) -> NDArray[np.float64]:
        if self is not Contrast.DIFFERENCE:
            return np.asarray(np.exp(np.clip(coordinate, -MAX_LOG, MAX_LOG)), dtype=np.float64)
        return np.asarray(np.copysign(-np.expm1(-np.abs(coordinate)), coordinate))

    def coordinates(self, draws: LogShares) -> NDArray[np.float64]:
        """Return the coordinate of the contrast at each draw, of the shape of the draws."""
        a, not_a, b, not_b = draws.a, draws.not_a, draws.b, draws.not_b
        if self is Contrast.DIFFERENCE:
            base_a, base_b = log_sum(a, not_a), log_sum(b, not_b)
            x_less_y = draws.difference(base_a + base_b)
            near = np.abs(x_less_y) < 0.5
            coordinates = np.copysign(-np.log1p(-np.where(near, np.abs(x_less_y), 0.0)), x_less_y)
            if near.all():
                return coordinates
            # 1 − (x − y) = (1 − x) + y, and 1 − (y − x) likewise.
            log_rest = np.logaddexp(not_a - base_a, b - base_b), np.logaddexp(not_b - base_b, a - base_a)
            return np.where(near, coordinates, np.where(x_less_y > 0.0, -log_rest[0], log_rest[1]))
        if self is Contrast.RATIO:
            not_a, not_b = log_sum(a, not_a), log_sum(b, not_b)
        log_first, log_second = a + not_b, b + not_a
        less_one = draws.difference(log_second)
        near = np.abs(less_one) < 0.5
        return np.where(near, np.log1p(np.where(near, less_one, 0.0)), log_first - log_second)


@dataclass(frozen=True, slots=True, eq=False)
class LogShares:
    """Draws of two shares a / (a + not_a) and b / (b + not_b), as logarithms, each of shape (size,).

    `excess` and `shortfall` are the logarithms of the terms of a·not_b and of b·not_a that do not cancel. The sign of
    their difference is that of the difference of the shares, even if it is tiny.
    """

    a: NDArray[np.float64]
    not_a: NDArray[np.float64]
    b: NDArray[np.float64]
    not_b: NDArray[np.float64]
    excess: NDArray[np.float64]
    shortfall: NDArray[np.float64]

    def difference(self, log_unit: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (a·not_b − b·not_a) / unit, given `log_unit`.

        The sign is kept even if the value is too small for a float.
        """
        with np.errstate(over="ignore"):
            size = np.abs(np.exp(self.excess - log_unit) - np.exp(self.shortfall - log_unit))
        found: NDArray[np.float64] = np.copysign(np.maximum(size, SMALLEST), self.excess - self.shortfall)
        return found


class OfOneShare(StrEnum):
    """A quantity that increases with one share x. Its scale is the logit of x."""

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

    @property
    def range(self) -> tuple[float, float]:
        match self:
            case OfOneShare.SHARE:
                return 0.0, 1.0
            case OfOneShare.ODDS:
                return 0.0, math.inf
            case OfOneShare.ODDS_AND_ONE:
                return 1.0, math.inf
            case OfOneShare.LESS_THE_REST:
                return -1.0, 1.0
            case OfOneShare.LESS_ONE:
                return -1.0, 0.0

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
                found = np.exp(np.clip(logit, -MAX_LOG, MAX_LOG))
            case OfOneShare.ODDS_AND_ONE:
                found = 1.0 + np.exp(np.minimum(logit, MAX_LOG))
            case OfOneShare.LESS_THE_REST:
                found = np.tanh(0.5 * logit)
            case OfOneShare.LESS_ONE:
                found = -special.expit(-logit)
        return found

    def log_slope(self, value: float) -> float:
        """Return ln of the derivative of the coordinate with respect to the value, inside the range of values."""
        x, rest = self._odds(value)
        return -math.log(x) if self in {OfOneShare.ODDS, OfOneShare.ODDS_AND_ONE} else math.log(1.0 / x + 1.0 / rest)

    def _odds(self, value: float) -> tuple[float, float]:
        """Return two numbers whose ratio is x : 1 − x."""
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
