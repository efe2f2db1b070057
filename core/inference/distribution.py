"""The distribution of a real quantity: the interface shared by shares and their contrasts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

INWARD: Final = 1.0 - 5e-11
"""Factor of the tails of an interval. It exceeds the errors of quantiles and of tails, about 1e-12 relative."""
_OUTWARD_SPACINGS: Final = 4.0
"""Number of floats by which an end is moved outward: the rounding of the end itself, and of its logit."""
FLOOR: Final = 1e-300
CEILING: Final = 1e300
"""Smallest and largest absolute values of quantiles other than 0. They keep their digits in further computations."""


class ProbabilityError(ValueError):
    """A level or probability lies outside (0, 1). The message states the rule."""


class Distribution(ABC):
    """A continuous distribution on an interval of the real line."""

    __slots__ = ()

    @property
    @abstractmethod
    def mean(self) -> float | None:
        """Return the mean, or None if it does not exist or is not computed."""

    @property
    @abstractmethod
    def standard_deviation(self) -> float | None:
        """Return the standard deviation, or None if it does not exist or is not computed."""

    @abstractmethod
    def cdf(self, at: float) -> float:
        """Return P(θ <= at)."""

    @abstractmethod
    def survival(self, at: float) -> float:
        """Return P(θ > at)."""

    @abstractmethod
    def quantile_of_tail(self, tail: float, *, upper: bool) -> float:
        """Return the x with P(θ <= x) = `tail` in (0, 1), or P(θ > x) = `tail` if `upper`, as the nearest float.

        Its absolute value may lie below FLOOR or above CEILING only if that of the quantile does.
        """

    def quantile(self, probability: float) -> float:
        """Return the x with P(θ <= x) = `probability`; 0 if |x| is below FLOOR, and at most CEILING.

        Raises ProbabilityError unless `probability` is in (0, 1).
        """
        check_probability(probability)
        return float(shown(self.quantile_of_tail(min(probability, 1.0 - probability), upper=probability > 0.5)))

    def between(self, low: float, high: float) -> float:
        """Return P(low < θ < high), as a difference of the smaller tails. It is 0 if low >= high."""
        if low >= high:
            return 0.0
        above = self.survival(low)
        return max(0.0, above - self.survival(high) if above <= 0.5 else self.cdf(high) - self.cdf(low))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the central credible interval of probability `level` in (0, 1), with equal tails.

        Both ends are rounded outward, so `survival` at the lower one minus that at the upper one is at least `level`.
        A lower end below FLOOR is 0; an upper end above CEILING is infinite, if values are. Raises ProbabilityError
        outside (0, 1).
        """
        tail = tail_of_level(level)
        return self.end(tail, upper=False), self.end(tail, upper=True)

    def end(self, tail: float, *, upper: bool) -> float:
        """Return an end beyond which the probability is at most `tail` in (0, 1), above if `upper`, otherwise below."""
        return float(outward(self.quantile_of_tail(INWARD * tail, upper=upper), self.range, upper=upper))

    @property
    @abstractmethod
    def range(self) -> tuple[float, float]:
        """Return the ends of the interval of all possible values."""


def check_probability(probability: float) -> None:
    """Raise ProbabilityError if `probability` is not in (0, 1)."""
    if not 0.0 < probability < 1.0:
        raise ProbabilityError("a probability must lie strictly between 0 and 1")


def tail_of_level(level: float) -> float:
    """Return the probability on either side of a central interval. Raises ProbabilityError outside (0, 1)."""
    if not 0.0 < level < 1.0:
        raise ProbabilityError("the level of an interval must lie strictly between 0 and 1")
    return 0.5 * (1.0 - level)


def shown(value: ArrayLike) -> NDArray[np.float64]:
    """Return quantiles as they are shown: 0 below FLOOR, and at most CEILING."""
    values = np.asarray(value, dtype=np.float64)
    return np.where(np.abs(values) <= FLOOR, 0.0, np.minimum(values, CEILING))


def outward(value: ArrayLike, within: tuple[float, float], *, upper: bool) -> NDArray[np.float64]:
    """Move values by a few floats, up if `upper`, otherwise down, and beyond FLOOR and CEILING.

    They stay in the range `within`.
    """
    sign = 1.0 if upper else -1.0
    values = sign * np.asarray(value, dtype=np.float64)
    moved = values + _OUTWARD_SPACINGS * np.spacing(np.abs(values))
    moved = np.where(np.abs(values) <= FLOOR, np.where(values < 0.0, 0.0, FLOOR), moved)
    beyond = np.where(values >= CEILING, np.inf, np.where(values <= -CEILING, -CEILING, moved))
    return np.clip(sign * beyond, *within) + 0.0  # not −0
