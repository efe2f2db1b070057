"""A mixture of Beta laws of any parameters: the law of a conditional share, whose base is only known up to a law."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.inference.mixture import ProbabilityError
from core.special_functions import beta_kernel, unequal

_MIN_SHARE = 1e-300
_MAX_LOGIT = 690.0
_LEAST_STEP, _GREATEST_STEP = 1e-9, 5.0
"""Of the first bracket of a quantile, in the logit."""


@dataclass(frozen=True, slots=True, eq=False)
class BetaPairs:
    """θ ~ Σ_k weights[k] Beta(a[k], b[k]); all of shape (k,), the weights summing to 1.

    The law of θ_{A∩B} / θ_B given a release: a and b are α plus the counts of A∩B and of B∖A, and their joint law the
    weights.
    """

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    weights: NDArray[np.float64]

    @property
    def mean(self) -> float:
        return float(self.weights @ (self.a / (self.a + self.b)))

    @property
    def standard_deviation(self) -> float:
        """By Var θ = E Var(θ | k) + Var E(θ | k)."""
        total, means = self.a + self.b, self.a / (self.a + self.b)
        within = float(self.weights @ (means * (self.b / total) / (total + 1.0)))
        return math.sqrt(within + float(self.weights @ (means - self.mean) ** 2))

    def cdf(self, at: float) -> float:
        """P(θ <= at)."""
        return min(1.0, float(self.weights @ special.betainc(self.a, unequal(self.a, self.b), min(max(at, 0.0), 1.0))))

    def survival(self, at: float) -> float:
        """P(θ > at)."""
        return min(1.0, float(self.weights @ special.betaincc(self.a, unequal(self.a, self.b), min(max(at, 0.0), 1.0))))

    def cdf_of_logit(self, logit: float) -> float:
        """P(θ <= x) where the logit of x is given, which tells shares apart that are 1 but for less than rounding."""
        return self.cdf(_expit(logit)) if logit < 0.0 else self._swapped.survival(_expit(-logit))

    def survival_of_logit(self, logit: float) -> float:
        """P(θ > x), likewise."""
        return self.survival(_expit(logit)) if logit < 0.0 else self._swapped.cdf(_expit(-logit))

    def density_of_logit(self, logit: float) -> float:
        """The density of the logit of θ."""
        return float(self.weights @ beta_kernel(self.a, self.b, logit))

    def between(self, low: float, high: float) -> float:
        """P(low < θ < high); 0 where low >= high."""
        return max(0.0, self.cdf(high) - self.cdf(low)) if low < high else 0.0

    def density(self, at: ArrayLike) -> NDArray[np.float64]:
        """The density at each point of `at`, shape (k,), all in the open interval (0, 1)."""
        points = np.asarray(at, dtype=np.float64)
        return np.array([self.density_of_logit(float(special.logit(x))) / (x * (1.0 - x)) for x in points])

    def quantile(self, probability: float) -> float:
        """The x with P(θ <= x) = `probability` in (0, 1); never below 1e-300. Raises ProbabilityError outside (0,
        1).
        """
        return max(_expit(self.logit_quantile(probability)), _MIN_SHARE)

    def logit_quantile(self, probability: float) -> float:
        """The logit of `quantile`, which keeps its digits where that is 1 but for less than rounding."""
        if not 0.0 < probability < 1.0:
            raise ProbabilityError("a probability lies strictly between 0 and 1")

        def excess(logit: float) -> float:
            if probability < 0.5:
                return self.cdf_of_logit(logit) - probability
            return (1.0 - probability) - self.survival_of_logit(logit)

        mean, rest = self.mean, self._swapped.mean
        spread = self.standard_deviation / (mean * rest)
        low = high = math.log(mean) - math.log(rest)
        step = min(max(spread, _LEAST_STEP), _GREATEST_STEP)
        while excess(low) > 0.0 and low > -_MAX_LOGIT:
            low, step = low - step, 2.0 * step
        while excess(high) < 0.0 and high < _MAX_LOGIT:
            high, step = high + step, 2.0 * step
        if excess(low) >= 0.0:
            return low
        if excess(high) <= 0.0:
            return high
        return float(scipy.optimize.brentq(excess, low, high, xtol=min(1e-11, 1e-4 * spread), rtol=1e-14))

    @property
    def _swapped(self) -> BetaPairs:
        """The law of 1 − θ."""
        return BetaPairs(self.b, self.a, self.weights)

    def interval(self, level: float) -> tuple[float, float]:
        """The central credible interval of probability `level` in (0, 1): as much probability below it as above."""
        if not 0.0 < level < 1.0:
            raise ProbabilityError("the level of an interval lies strictly between 0 and 1")
        return self.quantile((1.0 - level) / 2.0), self.quantile((1.0 + level) / 2.0)


def _expit(logit: float) -> float:
    return float(special.expit(logit))
