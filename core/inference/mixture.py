"""Mixtures of Beta distributions with a common total: the share of a category whose count has a known distribution."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.inference.distribution import Distribution
from core.roots import where_tail_is
from core.special_functions import beta_quantile, log_scale, unequal

_FURTHEST_LOGIT = 700.0
"""Largest logit searched; the share or the rest is then below the floor of quantiles."""
_NEGLIGIBLE_EXPONENT = 110.0
"""Exponent at which a term is negligible.

e^-110 < 1e-47 leaves a margin of seven digits in the bound of `_relevant_counts`.
"""


@dataclass(frozen=True, slots=True, eq=False)
class BetaMixture(Distribution):
    """θ ~ Σ_c p(c) Beta(prior + c, total − prior − c), c = low, low + 1, …

    `probabilities` p has shape (w,) and sum 1. `total` is the concentration of the share and the rest together, the
    same for every c. Probabilities and quantiles take p as exact; `core.inference.counts` bounds its error.

    `rest` is total − prior − c at the greatest c, if it is known exactly. As a difference of large numbers it would
    lose its digits when nearly all of 10^15 records are in the category.
    """

    prior: float
    total: float
    low: int
    probabilities: NDArray[np.float64]
    rest: float | None = None
    _array_by_name: dict[str, NDArray[np.float64]] = field(default_factory=dict, init=False, repr=False)

    @property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the Beta parameters at the smallest and at the largest count."""
        steps = self.probabilities.size - 1.0
        least = self.prior + self.low
        # Start from the greatest count, where `rest` is small and keeps its digits.
        rest = self.total - (least + steps) if self.rest is None else self.rest
        return (least, rest + steps), (least + steps, rest)

    @property
    def _a(self) -> NDArray[np.float64]:
        return self._cached_array("a", lambda: self.ends[0][0] + np.arange(self.probabilities.size, dtype=np.float64))

    @property
    def _b(self) -> NDArray[np.float64]:
        return self._cached_array(
            "b", lambda: self.ends[1][1] + np.arange(self.probabilities.size, dtype=np.float64)[::-1]
        )

    @property
    def _log_scales(self) -> NDArray[np.float64]:
        return self._cached_array("log_scales", lambda: log_scale(self._a, self._b, self.total))

    @property
    def _probabilities_up_to(self) -> NDArray[np.float64]:
        return self._cached_array("up_to", lambda: np.cumsum(self.probabilities)[:-1])

    @property
    def _probabilities_above(self) -> NDArray[np.float64]:
        return self._cached_array("above", lambda: np.cumsum(self.probabilities[::-1])[::-1][1:])

    def _cached_array(self, name: str, compute: Callable[[], NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the array of this name, computed at its first use.

        `quantiles` handles many mixtures together and does not need these arrays.
        """
        if name not in self._array_by_name:
            self._array_by_name[name] = compute()
        return self._array_by_name[name]

    @property
    def count_mean(self) -> float:
        """Return E[c], in records."""
        # Sum steps from the start of the window to keep the digits of a large count.
        return self.low + float(self.probabilities @ np.arange(self.probabilities.size))

    @property
    def count_standard_deviation(self) -> float:
        """Return the standard deviation of c, in records."""
        steps = np.arange(self.probabilities.size)
        return math.sqrt(float(self.probabilities @ (steps - float(self.probabilities @ steps)) ** 2))

    @property
    def mean(self) -> float:
        return (self.prior + self.count_mean) / self.total

    @property
    def standard_deviation(self) -> float:
        """Return the standard deviation of θ, from Var θ = E Var(θ | c) + Var E(θ | c)."""
        within = float(self.probabilities @ (self._a * self._b)) / (self.total + 1.0)
        return math.sqrt(within + self.count_standard_deviation**2) / self.total

    def density(self, at: ArrayLike) -> NDArray[np.float64]:
        """Return the density at each point of `at`, shape (k,), in the open interval (0, 1).

        Its relative error is about 1e-12 where the density exceeds 1e-20.
        """
        points = np.asarray(at, dtype=np.float64)
        return np.array([self._density(x) for x in points])

    def _density(self, x: float) -> float:
        near = self._relevant_counts(x)
        indices = slice(near.start, near.stop + 1)
        kernels = np.exp(self._log_kernels(x, indices) - math.log(x) - math.log1p(-x))
        return float(self.probabilities[indices] @ kernels)

    def cdf(self, at: float) -> float:
        """Return P(θ <= at), to about 1e-12 relative.

        For fixed a + b, I_x(a, b) − I_x(a + 1, b − 1) = x^a (1 − x)^(b−1) / (a B(a, b)) =: t_a. Summation by parts
        gives the incomplete beta function at the largest count plus Σ t_a P(c <= a − prior), in which all terms are
        positive.
        """
        return self._cdf(at, slice(None))

    def survival(self, at: float) -> float:
        """Return P(θ > at), to about 1e-12 relative, by the corresponding sum from the smallest count."""
        return self._survival(at, slice(None))

    @property
    def range(self) -> tuple[float, float]:
        return 0.0, 1.0

    def quantile_of_tail(self, tail: float, *, upper: bool) -> float:
        """Return the quantile, to about 1e-12 standard deviations."""

        def tail_at(logit: float) -> float:
            x = float(special.expit(logit))
            return self._survival(x, self._relevant_counts(x)) if upper else self._cdf(x, self._relevant_counts(x))

        # The quantile lies between those of the least and the greatest count. Logits keep the digits at either end.
        (least_a, least_b), (greatest_a, greatest_b) = self.ends
        low = _beta_logit(least_a, least_b, tail, upper=upper) - 1e-9
        high = _beta_logit(greatest_a, greatest_b, tail, upper=upper) + 1e-9
        return float(special.expit(where_tail_is(tail, tail_at, *((low, high) if upper else (high, low)))))

    def _cdf(self, x: float, indices: slice) -> float:
        """Return P(θ <= x), summed over these indices of all counts but the largest."""
        if x <= 0.0:
            return 0.0
        if x >= 1.0:
            return 1.0
        greatest = float(special.betainc(self._a[-1], unequal(self._a[-1], self._b[-1]), x))
        return min(1.0, greatest + float(self._steps(x, indices) @ self._probabilities_up_to[indices]))

    def _survival(self, x: float, indices: slice) -> float:
        """Return P(θ > x), summed as in `_cdf`."""
        if x <= 0.0:
            return 1.0
        if x >= 1.0:
            return 0.0
        least = float(special.betaincc(self._a[0], unequal(self._a[0], self._b[0]), x))
        return min(1.0, least + float(self._steps(x, indices) @ self._probabilities_above[indices]))

    def _relevant_counts(self, x: float) -> slice:
        """Return the indices of the counts that `_cdf` and `_survival` need at x for an absolute error below 1e-40.

        By Stirling's formula and Pinsker's inequality t_a <= N² exp(−M KL(a/M ‖ x)) <= N² exp(−2 (a − Mx)² / M), N =
        `total`, M = N − 1. At most N terms are weighted by probabilities. The largest count is not indexed.
        """
        radius = math.sqrt(0.5 * self.total * (_NEGLIGIBLE_EXPONENT + 3.0 * math.log(self.total)))
        centre = self.total * x - self.prior - self.low
        last = self.probabilities.size - 1
        return slice(int(min(max(centre - radius, 0.0), last)), int(min(max(centre + radius + 1.0, 0.0), last)))

    def _steps(self, x: float, indices: slice) -> NDArray[np.float64]:
        """Return t_a, as defined in `cdf`, at these indices of all counts but the largest."""
        last = self._a.size - 1
        within = slice(indices.start, last if indices.stop is None else min(last, indices.stop))
        return np.exp(self._log_kernels(x, within) - np.log(self._a[within]) - math.log1p(-x))

    def _log_kernels(self, x: float, indices: slice) -> NDArray[np.float64]:
        """Return ln(x^a (1 − x)^b / B(a, b)) at these indices of all counts.

        By Stirling's formula the part that depends on x is −[a ln(a / (Nx)) + b ln(b / (N(1 − x)))], N = a + b. Both
        logarithms use the one difference a − Nx = N(1 − x) − b, computed from the smaller two numbers. Its rounding
        then cancels in their sum, whereas lnΓ would lose the digits of a large count.
        """
        a, b = self._a[indices], self._b[indices]
        here, there = self.total * x, self.total * (1.0 - x)
        difference = a - here if x < 0.5 else there - b
        divergence = a * np.log1p(difference / here) + b * np.log1p(-difference / there)
        return self._log_scales[indices] - divergence


def _beta_logit(a: float, b: float, tail: float, *, upper: bool) -> float:
    """Return the logit of the quantile of Beta(a, b), within ±700.

    Each of x and 1 − x comes from the function that keeps its digits.
    """
    share = float(beta_quantile(a, b, tail, upper=upper))
    rest = float(beta_quantile(b, a, tail, upper=not upper))
    if share <= 0.0 or rest <= 0.0:
        return -_FURTHEST_LOGIT if share <= 0.0 else _FURTHEST_LOGIT
    return min(max(math.log(share) - math.log(rest), -_FURTHEST_LOGIT), _FURTHEST_LOGIT)
