"""The distribution of a real quantity: the interface shared by shares and their contrasts."""

from __future__ import annotations

from abc import ABC, abstractmethod


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
    def quantile(self, probability: float) -> float:
        """Return the x with P(θ <= x) = `probability`. Raises ProbabilityError unless `probability` is in (0, 1)."""

    def between(self, low: float, high: float) -> float:
        """Return P(low < θ < high), as a difference of the smaller tails. It is 0 if low >= high."""
        if low >= high:
            return 0.0
        above = self.survival(low)
        return max(0.0, above - self.survival(high) if above <= 0.5 else self.cdf(high) - self.cdf(low))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the central credible interval of probability `level` in (0, 1), with equal tails.

        Raises ProbabilityError outside (0, 1).
        """
        if not 0.0 < level < 1.0:
            raise ProbabilityError("the level of an interval lies strictly between 0 and 1")
        return self.quantile((1.0 - level) / 2.0), self.quantile((1.0 + level) / 2.0)


def check_probability(probability: float) -> None:
    """Raise ProbabilityError if `probability` is not in (0, 1)."""
    if not 0.0 < probability < 1.0:
        raise ProbabilityError("a probability lies strictly between 0 and 1")
