"""Mixtures of Beta distributions with arbitrary parameters. They describe a conditional share, whose base has an
unknown count.

The parameters are counts plus priors, so most components have a neighbour in the list. Neighbours satisfy

    I_x(a, b + 1)     = I_x(a, b) + x^a (1 − x)^b / (b B(a, b)),
    I_x(a − 1, b + 1) = I_x(a, b) + x^(a − 1) (1 − x)^b / (b B(a, b))

(DLMF 8.17.18 to 8.17.21). At large parameters the incomplete beta function takes up to a thousand times as long as one
such step. It is therefore computed once for each run of neighbours. All terms are positive.

Everything is computed at the logit of x. Under a prior far below 1, most of a share's probability can lie closer to 0
or 1 than any float: at a = 0.02, half of it lies below 1e-15.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.inference.distribution import Distribution
from core.roots import where_tail_is
from core.special_functions import beta_tail_at_logit, log_beta_kernel, log_scale

_FURTHEST_LOGIT: Final = 1e9
"""Largest logit searched. Under the smallest prior, 1e-6, a logit beyond it has probability e^-1000."""
_WHOLE_STEP_TOLERANCE: Final = 1e-6
"""Largest rounding error of a unit step between neighbouring parameters."""
_NEGLIGIBLE_EXPONENT: Final = 80.0
"""Exponent at which a kernel is negligible. e^-80 < 1e-34; times the bound's polynomial factor it is below 1e-18 at
2^53 records.
"""
_MAX_SUMMED_COMPONENTS: Final = 1024
"""Number of components above which negligible ones are skipped."""
_BLOCK: Final = 1 << 20
"""Largest number of components times points computed at once."""
TAILS: Final = (1e-15, 1e-6, 1e-2, 0.3)
"""Tail probabilities of the landmarks, measured from either end."""
_BRACKET_RADIUS: Final = 0.2
"""Distance from a normal approximation within which a quantile is sought first."""
_ROUGH_TOLERANCE: Final = 1e-3
_EXACT_TOLERANCE: Final = 1e-15
"""Relative tolerances of a landmark and of a quantile."""


@dataclass(frozen=True, eq=False)
class BetaPairs(Distribution):
    """θ ~ Σ_k weights[k] Beta(a[k], b[k]). All arrays have shape (k,), and the weights sum to 1.

    This is the distribution of θ_{A∩B} / θ_B given a release. Here a and b are α plus the counts of A∩B and of B∖A, and
    the weights are the joint distribution of these counts.
    """

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    weights: NDArray[np.float64]

    @cached_property
    def _runs(self) -> _Runs:
        return _Runs.of(self.a, self.b, self.weights)

    @cached_property
    def _scale(self) -> NDArray[np.float64]:
        return log_scale(self.a, self.b, self.a + self.b)

    @cached_property
    def error(self) -> float:
        """Return a bound on the rounding error of a probability."""
        return 1e-12 if float((self.a + self.b).max()) < 1e12 else 1e-8

    @cached_property
    def mean(self) -> float:
        return float(self.weights @ (self.a / (self.a + self.b)))

    @cached_property
    def standard_deviation(self) -> float:
        """Return the standard deviation of θ, from Var θ = E Var(θ | k) + Var E(θ | k)."""
        total, means = self.a + self.b, self.a / (self.a + self.b)
        within = float(self.weights @ (means * (self.b / total) / (total + 1.0)))
        return math.sqrt(within + float(self.weights @ (means - self.mean) ** 2))

    def cdf(self, at: float) -> float:
        return self.cdf_of_logit(float(special.logit(min(max(at, 0.0), 1.0))))

    def survival(self, at: float) -> float:
        return self.survival_of_logit(float(special.logit(min(max(at, 0.0), 1.0))))

    def cdf_of_logit(self, logit: float) -> float:
        """Return P(logit θ <= logit) for any logit, also an infinite one."""
        if math.isinf(logit):
            return 0.0 if logit < 0.0 else 1.0
        runs, at = self._runs, np.array([logit])
        first = beta_tail_at_logit(self.a[runs.starts], self.b[runs.starts], at)
        return min(1.0, float(runs.weights @ first) + float(self._weighted_increases(at, runs.later)[0]))

    def survival_of_logit(self, logit: float) -> float:
        """Return P(logit θ > logit) for any logit, also an infinite one."""
        return float(self.survival_of_logits(np.array([logit]))[0]) if math.isfinite(logit) else float(logit < 0.0)

    def survival_of_logits(self, logits: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return P(logit θ > z) at each finite z of `logits`, shape (q,)."""
        runs = self._runs
        last = beta_tail_at_logit(self.a[runs.ends, None], self.b[runs.ends, None], logits, upper=True)
        found: NDArray[np.float64] = np.minimum(
            1.0, runs.weights @ last + self._weighted_increases(logits, runs.earlier)
        )
        return found

    def survivals_of_logits(self, logits: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return P(logit θ > z) under each component at each finite z of `logits`, shape (k, q)."""
        runs = self._runs
        found = np.exp(self._log_steps(logits, slice(None)))
        found[runs.ends] = beta_tail_at_logit(self.a[runs.ends, None], self.b[runs.ends, None], logits, upper=True)
        for start, end in zip(runs.starts.tolist(), runs.ends.tolist(), strict=True):
            found[start : end + 1] = np.cumsum(found[start : end + 1][::-1], axis=0)[::-1]
        return np.minimum(found, 1.0)

    def densities_of_logits(self, logits: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the density of logit θ under each component at each finite z of `logits`, shape (k, q)."""
        return np.exp(self._log_kernels(logits, slice(None)))

    def density_of_logits(self, logits: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the density of logit θ at each finite z of `logits`, shape (q,)."""
        return self._sum(logits, self.weights, self._log_kernels)

    def density(self, at: ArrayLike) -> NDArray[np.float64]:
        """Return the density of θ at each point of `at`, shape (k,), all in the open interval (0, 1)."""
        points = np.asarray(at, dtype=np.float64)
        found: NDArray[np.float64] = self.density_of_logits(special.logit(points)) / (points * (1.0 - points))
        return found

    @property
    def range(self) -> tuple[float, float]:
        return 0.0, 1.0

    def quantile_of_tail(self, tail: float, *, upper: bool) -> float:
        return float(special.expit(self.logit_of_tail(tail, upper=upper)))

    @cached_property
    def landmarks(self) -> NDArray[np.float64]:
        """Return the logits of the quantiles at the lower `TAILS`, then of those at the upper `TAILS` in reverse, to
        1e-3.
        """
        below, above = (
            [self.logit_of_tail(tail, upper=upper, tolerance=_ROUGH_TOLERANCE) for tail in TAILS]
            for upper in (False, True)
        )
        return np.array([*below, *above[::-1]])

    def logit_of_tail(self, tail: float, *, upper: bool, tolerance: float = _EXACT_TOLERANCE) -> float:
        """Return the logit beyond which the probability is `tail`, also where its share rounds to 0 or 1.

        `tolerance` is relative to the distance between this logit and the logit of the mean.
        """
        mean = self.mean
        centre = math.log(mean) - math.log(float(self.weights @ (self.b / (self.a + self.b))))
        unit = min(1.0, self.standard_deviation / (mean * (1.0 - mean)) if mean < 1.0 else 1.0)

        def tail_at(position: float) -> float:
            logit = centre + unit * math.sinh(position)
            return self.survival_of_logit(logit) if upper else self.cdf_of_logit(logit)

        sign = 1.0 if upper else -1.0
        furthest, guess = sign * math.asinh(_FURTHEST_LOGIT / unit), -sign * math.asinh(float(special.ndtri(tail)))
        position = where_tail_is(
            tail, tail_at, guess - sign * _BRACKET_RADIUS, guess + sign * _BRACKET_RADIUS, tolerance=tolerance
        )
        if abs(position - guess) >= (1.0 - 1e-9) * _BRACKET_RADIUS:  # it is one of the ends
            position = where_tail_is(tail, tail_at, -furthest, furthest, tolerance=tolerance)
        return centre + unit * math.sinh(position)

    def _weighted_increases(self, logits: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return Σ_k weights[k] · (increase of P(logit θ <= z) from component k to the next one), shape (q,).

        The last component of each run of neighbours (`_Runs`) contributes nothing.
        """
        return self._sum(logits, weights, self._log_steps)

    def _sum(
        self,
        logits: NDArray[np.float64],
        weights: NDArray[np.float64],
        log_terms: Callable[[NDArray[np.float64], slice], NDArray[np.float64]],
    ) -> NDArray[np.float64]:
        """Return Σ_k weights[k] e^(log_terms[k, q]), shape (q,)."""
        step = max(8, _BLOCK // self.a.size)
        blocks = [logits[start : start + step] for start in range(0, logits.size, step)]
        found = []
        for block in blocks:
            near = self._relevant_components(block)
            found.append(weights[near] @ np.exp(log_terms(block, near)))
        return np.concatenate(found) if found else np.zeros(0)

    def _log_kernels(self, logits: NDArray[np.float64], components: slice) -> NDArray[np.float64]:
        a, b, scale = (each[components, None] for each in (self.a, self.b, self._scale))
        return log_beta_kernel(a, b, scale, logits)

    def _log_steps(self, logits: NDArray[np.float64], components: slice) -> NDArray[np.float64]:
        """Return ln of the increase of P(logit θ <= z) from each component to the next of its run.

        It is −∞ at the last component of a run.
        """
        found = self._log_kernels(logits, components)
        found += self._runs.log_scale[components, None]
        kept = self._runs.total_kept[components]
        found[kept] -= special.log_expit(logits)
        return found

    def _relevant_components(self, logits: NDArray[np.float64]) -> slice:
        """Return a range of components that contains all with a kernel of at least 1e-18 at some of these logits.

        By Stirling's formula and Pinsker's inequality a kernel is at most N² exp(−M KL(a/N ‖ x)) <= N² exp(−2 M (a/N −
        x)²), N = a + b, M = N − 1.
        """
        if self.a.size <= _MAX_SUMMED_COMPONENTS:
            return slice(None)
        low, high = float(special.expit(logits.min())), float(special.expit(logits.max()))
        least, greatest = self._spans
        near = np.flatnonzero((least <= high) & (greatest >= low))
        return slice(int(near[0]), int(near[-1]) + 1) if near.size else slice(0, 0)

    @cached_property
    def _spans(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the lowest and the highest share at which each component's kernel is not negligible."""
        total = self.a + self.b
        # At N <= 2 no kernel is negligible, and the radius exceeds 1.
        radius = np.sqrt((_NEGLIGIBLE_EXPONENT + 3.0 * np.log1p(total)) / (2.0 * np.maximum(total - 1.0, 1.0)))
        return self.a / total - radius, self.a / total + radius


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """Maximal runs of neighbouring components: from one to the next, b rises by 1 and a stays or falls by 1."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    """Indices of the first and the last component of each run."""
    weights: NDArray[np.float64]
    """The total weight of each run."""
    later: NDArray[np.float64]
    """For each component, the total weight of the later ones in its run."""
    earlier: NDArray[np.float64]
    """For each component, the total weight of this and the earlier ones in its run."""
    total_kept: NDArray[np.bool_]
    """Whether a falls by 1 at the next component, which keeps a + b."""
    log_scale: NDArray[np.float64]
    """−ln b, and −∞ at the end of a run."""

    @classmethod
    def of(cls, a: NDArray[np.float64], b: NDArray[np.float64], weights: NDArray[np.float64]) -> _Runs:
        up, down = np.diff(b), -np.diff(a)
        next_up = np.abs(up - 1.0) < _WHOLE_STEP_TOLERANCE
        kept = next_up & (np.abs(down - 1.0) < _WHOLE_STEP_TOLERANCE)
        linked = kept | (next_up & (np.abs(down) < _WHOLE_STEP_TOLERANCE))
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
            log_scale=np.where(np.append(linked, False), -np.log(b), -math.inf),
        )
