"""A mixture of Beta laws with one total is the law of a category's share when its count is known up to a law."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.inference.distribution import Distribution, check_probability
from core.special_functions import beta_quantile, log_scale, unequal

_MIN_SHARE = 1e-300
_NEGLIGIBLE = 110.0
"""e^-110 is below 1e-47, which leaves seven digits for what the bound of `_near` is generous with."""


@dataclass(frozen=True, slots=True, eq=False)
class BetaMixture(Distribution):
    """θ ~ Σ_c p(c) Beta(prior + c, total − prior − c), c = low, low + 1, …

    `probabilities` p has shape (w,) and sums to 1; `total` is the concentration of the share and the rest together, the
    same for every c. Probabilities and quantiles take p as given: `core.inference.counts` bounds what is wrong with it.

    `rest` is total − prior − c at the greatest c, for whoever knows it exactly: a difference of large numbers would
    have lost it where nearly all of 10^15 records are in the category.
    """

    prior: float
    total: float
    low: int
    probabilities: NDArray[np.float64]
    rest: float | None = None
    _known: dict[str, NDArray[np.float64]] = field(default_factory=dict, init=False, repr=False)

    @property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The parameters of the Beta law of the least count, and those of the greatest."""
        steps = self.probabilities.size - 1.0
        least = self.prior + self.low
        # Of the greatest count first, where its rest is known, as of a large count it is the one with digits.
        rest = self.total - (least + steps) if self.rest is None else self.rest
        return (least, rest + steps), (least + steps, rest)

    @property
    def _a(self) -> NDArray[np.float64]:
        return self._keep("a", lambda: self.ends[0][0] + np.arange(self.probabilities.size, dtype=np.float64))

    @property
    def _b(self) -> NDArray[np.float64]:
        return self._keep("b", lambda: self.ends[1][1] + np.arange(self.probabilities.size, dtype=np.float64)[::-1])

    @property
    def _log_scales(self) -> NDArray[np.float64]:
        return self._keep("log_scales", lambda: log_scale(self._a, self._b, self.total))

    @property
    def _up_to(self) -> NDArray[np.float64]:
        return self._keep("up_to", lambda: np.cumsum(self.probabilities)[:-1])

    @property
    def _above(self) -> NDArray[np.float64]:
        return self._keep("above", lambda: np.cumsum(self.probabilities[::-1])[::-1][1:])

    def _keep(self, name: str, compute: Callable[[], NDArray[np.float64]]) -> NDArray[np.float64]:
        """Computed at the first use: many mixtures are made whose quantiles are found together with those of others."""
        if name not in self._known:
            self._known[name] = compute()
        return self._known[name]

    @property
    def count_mean(self) -> float:
        """E[c], a number of records."""
        # Summed from the window's start, so that the digits of a large count are kept.
        return self.low + float(self.probabilities @ np.arange(self.probabilities.size))

    @property
    def count_standard_deviation(self) -> float:
        """sd of c, a number of records."""
        steps = np.arange(self.probabilities.size)
        return math.sqrt(float(self.probabilities @ (steps - float(self.probabilities @ steps)) ** 2))

    @property
    def mean(self) -> float:
        return (self.prior + self.count_mean) / self.total

    @property
    def standard_deviation(self) -> float:
        """By Var θ = E Var(θ | c) + Var E(θ | c)."""
        within = float(self.probabilities @ (self._a * self._b)) / (self.total + 1.0)
        return math.sqrt(within + self.count_standard_deviation**2) / self.total

    def complement(self) -> BetaMixture:
        """The law of 1 − θ."""
        return BetaMixture(float(self._b[-1]), self.total, 0, self.probabilities[::-1], rest=float(self._a[0]))

    def density(self, at: ArrayLike) -> NDArray[np.float64]:
        """The density at each point of `at`, shape (k,), all in the open interval (0, 1); to about 1e-12 relative where
        it is above 1e-20.
        """
        points = np.asarray(at, dtype=np.float64)
        return np.array([self._density(x) for x in points])

    def _density(self, x: float) -> float:
        near = self._near(x)
        indices = slice(near.start, near.stop + 1)
        kernels = np.exp(self._log_kernels(x, indices) - math.log(x) - math.log1p(-x))
        return float(self.probabilities[indices] @ kernels)

    def cdf(self, at: float) -> float:
        """P(θ <= at), to about 1e-12 relative.

        With a + b fixed, I_x(a, b) − I_x(a + 1, b − 1) = x^a (1 − x)^(b−1) / (a B(a, b)) =: t_a. Summed by parts, the
        mixture is the incomplete beta function of its greatest count and a sum of t_a times the law of the count, all
        terms positive.
        """
        return self._cdf(at, slice(None))

    def survival(self, at: float) -> float:
        """P(θ > at), likewise, by the same sum from the least count."""
        return self._survival(at, slice(None))

    def quantile(self, probability: float) -> float:
        """The x with P(θ <= x) = `probability` in (0, 1), to about 1e-12 relative to x (1 − x); never below 1e-300.

        Raises ProbabilityError outside (0, 1).
        """
        check_probability(probability)

        def excess(logit: float) -> float:
            x = float(special.expit(logit))
            near = self._near(x)
            return (
                self._cdf(x, near) - probability if probability < 0.5 else (1.0 - probability) - self._survival(x, near)
            )

        # The mixture's quantile lies between those of its least and its greatest count; logits keep the digits at
        # either end.
        lower, upper = (
            _beta_logit(float(self._a[0]), float(self._b[0]), probability) - 1e-9,
            _beta_logit(float(self._a[-1]), float(self._b[-1]), probability) + 1e-9,
        )
        if excess(lower) >= 0.0:
            return float(special.expit(lower))
        if excess(upper) <= 0.0:
            return float(special.expit(upper))
        return float(special.expit(scipy.optimize.brentq(excess, lower, upper, xtol=1e-13, rtol=1e-14)))

    def _cdf(self, x: float, indices: slice) -> float:
        """P(θ <= x), summed over these places of all counts but the greatest."""
        if x <= 0.0:
            return 0.0
        if x >= 1.0:
            return 1.0
        greatest = float(special.betainc(self._a[-1], unequal(self._a[-1], self._b[-1]), x))
        return min(1.0, greatest + float(self._steps(x, indices) @ self._up_to[indices]))

    def _survival(self, x: float, indices: slice) -> float:
        """P(θ > x), as `_cdf`."""
        if x <= 0.0:
            return 1.0
        if x >= 1.0:
            return 0.0
        least = float(special.betaincc(self._a[0], unequal(self._a[0], self._b[0]), x))
        return min(1.0, least + float(self._steps(x, indices) @ self._above[indices]))

    def _near(self, x: float) -> slice:
        """The places, of all counts but the greatest, that `_cdf` and `_survival` need at x for an absolute error below
        1e-40.

        By Stirling's formula t_a <= N² exp(−M KL(a/M ‖ x)), M = N − 1, which is at most N² exp(−2 (a − Mx)² / M)
        (Pinsker); there are at most N of them, and they are weighted by probabilities.
        """
        radius = math.sqrt(0.5 * self.total * (_NEGLIGIBLE + 3.0 * math.log(self.total)))
        centre = self.total * x - self.prior - self.low
        last = self.probabilities.size - 1
        return slice(int(min(max(centre - radius, 0.0), last)), int(min(max(centre + radius + 1.0, 0.0), last)))

    def _steps(self, x: float, indices: slice) -> NDArray[np.float64]:
        """t_a at these places of all counts but the greatest."""
        last = self._a.size - 1
        within = slice(indices.start, last if indices.stop is None else min(last, indices.stop))
        return np.exp(self._log_kernels(x, within) - np.log(self._a[within]) - math.log1p(-x))

    def _log_kernels(self, x: float, indices: slice) -> NDArray[np.float64]:
        """ln(x^a (1 − x)^b / B(a, b)) at these places of all counts.

        Stirling's formula leaves −[a ln(a / (Nx)) + b ln(b / (N(1 − x)))] beside what does not depend on x, N = a + b.
        Both logarithms are taken of the one difference a − Nx = N(1 − x) − b, by the smaller two of these numbers: its
        rounding then cancels in their sum, where lnΓ would have lost the digits of a large count.
        """
        a, b = self._a[indices], self._b[indices]
        here, there = self.total * x, self.total * (1.0 - x)
        difference = a - here if x < 0.5 else there - b
        divergence = a * np.log1p(difference / here) + b * np.log1p(-difference / there)
        return self._log_scales[indices] - divergence


def _beta_logit(a: float, b: float, probability: float) -> float:
    """The logit of the quantile of Beta(a, b), each end from the function that keeps its digits."""
    share = float(beta_quantile(a, b, probability))
    rest = float(beta_quantile(b, a, probability, upper=True))
    return math.log(max(share, _MIN_SHARE)) - math.log(max(rest, _MIN_SHARE))
