"""A mixture of Beta laws of any parameters: the law of a conditional share, whose base is only known up to a law.

The parameters are counts and priors, so that most laws have a neighbour in the list, and

    I_x(a, b + 1)     = I_x(a, b) + x^a (1 − x)^b / (b B(a, b)),
    I_x(a − 1, b + 1) = I_x(a, b) + x^(a − 1) (1 − x)^b / (b B(a, b))

(DLMF 8.17.18 to 8.17.21). The incomplete beta function itself, which takes up to a thousand times as long at large
parameters, is asked for once for each run of neighbours. All terms are positive.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import cast

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.inference.mixture import ProbabilityError
from core.special_functions import beta_kernel, beta_tail

_MIN_SHARE = 1e-300
_LEAST_REST = 2.0**-53
_MAX_LOGIT = 690.0
_WHOLE = 1e-6
"""What rounding may make of a step of one from count to count."""
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

    _known: dict[str, BetaPairs | _Runs] = field(default_factory=dict, init=False, repr=False)

    @property
    def _runs(self) -> _Runs:
        if "runs" not in self._known:
            self._known["runs"] = _Runs.of(self.a, self.b, self.weights)
        return cast("_Runs", self._known["runs"])

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
        if not 0.0 < at < 1.0:
            return 0.0 if at <= 0.0 else 1.0
        x, runs = at, self._runs
        first = beta_tail(self.a[runs.starts], self.b[runs.starts], x)
        return min(1.0, float(runs.weights @ first) + float(self._steps(x) @ runs.later))

    def survival(self, at: float) -> float:
        """P(θ > at)."""
        if not 0.0 < at < 1.0:
            return 1.0 if at <= 0.0 else 0.0
        x, runs = at, self._runs
        last = beta_tail(self.a[runs.ends], self.b[runs.ends], x, upper=True)
        return min(1.0, float(runs.weights @ last) + float(self._steps(x) @ runs.earlier))

    def survivals(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        """P(θ > x) under each law of the mixture, shape (k, q), at each x of `at`, shape (q,)."""
        runs = self._runs
        found = self._steps(at[:, None]).T
        found[runs.ends] = beta_tail(self.a[runs.ends, None], self.b[runs.ends, None], at[None, :], upper=True)
        for start, end in zip(runs.starts.tolist(), runs.ends.tolist(), strict=True):
            found[start : end + 1] = np.cumsum(found[start : end + 1][::-1], axis=0)[::-1]
        return np.where(at <= 0.0, 1.0, np.where(at >= 1.0, 0.0, np.minimum(found, 1.0)))

    def _steps(self, x: float | NDArray[np.float64]) -> NDArray[np.float64]:
        """From each law to the next of its run, the rise of P(θ <= x); 0 at the last. Shape (k,), or (q, k) for x of
        shape (q, 1).
        """
        inside = np.clip(x, _MIN_SHARE, 1.0 - _LEAST_REST)
        steps = beta_kernel(self.a, self.b, special.logit(inside)) * self._runs.scale
        return np.where(self._runs.total_kept, steps / inside, steps)

    def cdf_of_logit(self, logit: float) -> float:
        """P(θ <= x) where the logit of x is given, which tells shares apart that are 1 but for less than rounding."""
        return self.cdf(_expit(logit)) if logit < 0.0 else self.complement.survival(_expit(-logit))

    def survival_of_logit(self, logit: float) -> float:
        """P(θ > x), likewise."""
        return self.survival(_expit(logit)) if logit < 0.0 else self.complement.cdf(_expit(-logit))

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

        mean, rest = self.mean, self.complement.mean
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
    def complement(self) -> BetaPairs:
        """The law of 1 − θ, in an order in which neighbours follow one another."""
        if "complement" not in self._known:
            order = np.lexsort((self.a, -self.b))
            self._known["complement"] = BetaPairs(self.b[order], self.a[order], self.weights[order])
        return cast("BetaPairs", self._known["complement"])

    def interval(self, level: float) -> tuple[float, float]:
        """The central credible interval of probability `level` in (0, 1): as much probability below it as above."""
        if not 0.0 < level < 1.0:
            raise ProbabilityError("the level of an interval lies strictly between 0 and 1")
        return self.quantile((1.0 - level) / 2.0), self.quantile((1.0 + level) / 2.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """Laws in a row of which each has one more in b than the one before, and as much or one less in a."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    """The places of the first and the last law of each run."""
    weights: NDArray[np.float64]
    """Of each run."""
    later: NDArray[np.float64]
    """For each law, the weight of those after it in its run."""
    earlier: NDArray[np.float64]
    """For each law, its weight and that of those before it in its run."""
    total_kept: NDArray[np.bool_]
    """Whether the next law has one less in a."""
    scale: NDArray[np.float64]
    """1 / b, and 0 at the end of a run."""

    @classmethod
    def of(cls, a: NDArray[np.float64], b: NDArray[np.float64], weights: NDArray[np.float64]) -> _Runs:
        up, down = np.diff(b), -np.diff(a)
        next_up = np.abs(up - 1.0) < _WHOLE
        kept = next_up & (np.abs(down - 1.0) < _WHOLE)
        linked = kept | (next_up & (np.abs(down) < _WHOLE))
        starts = np.concatenate(([0], np.flatnonzero(~linked) + 1))
        ends = np.concatenate((np.flatnonzero(~linked), [a.size - 1]))
        earlier = np.concatenate([np.cumsum(weights[start : end + 1]) for start, end in zip(starts, ends, strict=True)])
        sums = earlier[ends]
        later = np.concatenate(
            [np.cumsum(weights[start : end + 1][::-1])[::-1] for start, end in zip(starts, ends, strict=True)]
        )
        later = np.maximum(later - weights, 0.0)
        return cls(
            starts=starts,
            ends=ends,
            weights=sums,
            later=later,
            earlier=earlier,
            total_kept=np.append(kept, False),
            scale=np.append(linked, False) / b,
        )


def _expit(logit: float) -> float:
    return float(special.expit(logit))
