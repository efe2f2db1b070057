"""A mixture of Beta laws of any parameters: the law of a conditional share, whose base is only known up to a law."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.inference.mixture import ProbabilityError
from core.special_functions import unequal

_MIN_SHARE = 1e-300
_MAX_LOGIT = 690.0


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

    def between(self, low: float, high: float) -> float:
        """P(low < θ < high); 0 where low >= high."""
        return max(0.0, self.cdf(high) - self.cdf(low)) if low < high else 0.0

    def density(self, at: ArrayLike) -> NDArray[np.float64]:
        """The density at each point of `at`, shape (k,), all in the open interval (0, 1)."""
        points = np.asarray(at, dtype=np.float64)
        scale = special.betaln(self.a, self.b)
        return np.array(
            [
                self.weights @ np.exp(special.xlogy(self.a - 1.0, x) + special.xlog1py(self.b - 1.0, -x) - scale)
                for x in points
            ]
        )

    def quantile(self, probability: float) -> float:
        """The x with P(θ <= x) = `probability` in (0, 1); never below 1e-300. Raises ProbabilityError outside (0,
        1).
        """
        if not 0.0 < probability < 1.0:
            raise ProbabilityError("a probability lies strictly between 0 and 1")

        def excess(logit: float) -> float:
            x = float(special.expit(logit))
            return self.cdf(x) - probability if probability < 0.5 else (1.0 - probability) - self.survival(x)

        mean, deviation = self.mean, max(self.standard_deviation, 1e-12)
        low = high = float(special.logit(min(max(mean, 1e-15), 1.0 - 1e-15)))
        step = min(max(deviation / (mean * (1.0 - mean) + 1e-15), 1e-6), 5.0)
        while excess(low) > 0.0 and low > -_MAX_LOGIT:
            low, step = low - step, 2.0 * step
        while excess(high) < 0.0 and high < _MAX_LOGIT:
            high, step = high + step, 2.0 * step
        if excess(low) >= 0.0:
            return max(float(special.expit(low)), _MIN_SHARE)
        if excess(high) <= 0.0:
            return float(special.expit(high))
        return float(special.expit(scipy.optimize.brentq(excess, low, high, xtol=1e-11, rtol=1e-12)))

    def interval(self, level: float) -> tuple[float, float]:
        """The central credible interval of probability `level` in (0, 1): as much probability below it as above."""
        if not 0.0 < level < 1.0:
            raise ProbabilityError("the level of an interval lies strictly between 0 and 1")
        return self.quantile((1.0 - level) / 2.0), self.quantile((1.0 + level) / 2.0)
