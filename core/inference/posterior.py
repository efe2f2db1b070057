"""The noise-aware posterior: infers the shares from a release, given the distribution of the mechanism's noise.

p(θ | y) = Σ_c p(c | y) Dir(θ | α + c). This is post-processing and costs no privacy. Any prior may be used, also one
other than the release's. The released Dirichlet treats y as data, so its intervals cover the truth too rarely.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.cells import CellSet
from core.inference.counts import CountPosterior, InferenceError
from core.inference.likelihood import counts_given_releases
from core.inference.mixture import BetaMixture
from core.limits import MAX_CONCENTRATION, MIN_CONCENTRATION
from core.mechanisms.catalogue import TableEvent
from core.mechanisms.noisy_counts import NoisyCounts
from core.samplers.reproducible import Reproducible

_ROUNDING: Final = 1e-11
"""Rounding error of a probability's floating-point sums, added to the bound on the distribution of the counts."""
COMPARISON_DRAWS: Final = 4000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A probability and its error: a bound if `exact`, one standard error if it is a `simulation` of `draws` draws."""

    value: float
    error: float
    method: Literal["exact", "simulation"] = "exact"
    draws: int | None = None

    @classmethod
    def of_frequency(cls, successes: int, size: int, *, simulation_error: float = 0.0) -> Estimate:
        """Estimate a probability from the number of independent draws in which an event occurred.

        Value and error are mean and standard deviation of Beta(successes + 1, failures + 1), so neither is ever 0.
        `simulation_error` is the standard error of the distribution that was drawn from, if it is simulated too.
        """
        value = (successes + 1.0) / (size + 2.0)
        error = math.hypot(math.sqrt(value * (1.0 - value) / (size + 3.0)), simulation_error)
        return cls(value, error, "simulation", size)


@dataclass(frozen=True, slots=True, eq=False)
class NoiseAwarePosterior:
    """The posterior of θ, shape (m,), given a release, under a Dirichlet prior α, shape (m,)."""

    prior: NDArray[np.float64]
    counts: CountPosterior
    _drawn_arrays: list[NDArray[np.float64]] = field(default_factory=list, init=False, repr=False)
    _concentrations: list[Fraction] = field(default_factory=list, init=False, repr=False)
    """α_1, …, α_m and their sum as exact fractions, so that the sum of the others is an exact difference."""

    @property
    def error(self) -> float:
        """Return a bound on the error of every probability below; if simulated, the largest standard error."""
        return self.counts.error + _ROUNDING

    @property
    def simulation_error(self) -> float:
        """Return the largest standard error of a probability if the distribution of the counts is simulated,
        otherwise 0.
        """
        return 0.0 if self.counts.simulated is None else self.counts.error

    @property
    def method(self) -> Literal["exact", "simulation"]:
        return "exact" if self.counts.simulated is None else "simulation"

    def estimate(self, value: float, error: float | None = None) -> Estimate:
        """Wrap a probability that was computed from the distribution of the counts, which may be a simulation."""
        return Estimate(value, self.error if error is None else error, self.method, self.counts.simulated)

    def shares(self) -> tuple[BetaMixture, ...]:
        """Return the distribution of each θ_i.

        It is a mixture over p(c_i | y) of Beta(α_i + c_i, A + n − α_i − c_i), A = Σ α.
        """
        return tuple(self.share(category) for category in range(self.counts.m))

    def share(self, category: int) -> BetaMixture:
        """Return the distribution of θ_i."""
        marginal = self.counts.marginals()[category]
        return self._mixture(frozenset({category}), marginal.low, marginal.probabilities)

    def share_of(self, cells: CellSet) -> BetaMixture:
        """Return the distribution of θ_A for a proper subset A of the cells.

        It is a mixture over p(c_A | y) of Beta(α_A + c_A, …).
        """
        if len(cells) == 1:
            return self.share(*cells)  # the distributions of all single counts are computed together
        joint = self.counts.sums([cells])
        return self._mixture(cells, joint.lows[0], joint.probabilities)

    def _mixture(self, cells: CellSet, low: int, probabilities: NDArray[np.float64]) -> BetaMixture:
        """Return the distribution of the share of some cells, whose count c has P(c = low + i) = probabilities[i].

        Raises InferenceError if n is unknown: the share then depends on two counts
        (`core.inference.events.share_distribution`).
        """
        n = self.counts.n
        if n is None:
            raise InferenceError("at an unknown total a share is a mixture over two counts")
        if not self._concentrations:
            self._concentrations.extend(Fraction(alpha) for alpha in self.prior.tolist())
            self._concentrations.append(sum(self._concentrations, start=Fraction(0)))
        whole, inside = self._concentrations[-1], sum((self._concentrations[cell] for cell in cells), start=Fraction(0))
        rest = whole - inside + n - (low + probabilities.size - 1)
        return BetaMixture(float(inside), float(whole + n), low, probabilities, float(rest))

    def above(self, category: int, threshold: float) -> Estimate:
        """Return P(θ_i > threshold)."""
        return self.estimate(self.share(category).survival(threshold))

    def between(self, category: int, low: float, high: float) -> Estimate:
        """Return P(low < θ_i < high)."""
        return self.estimate(self.share(category).between(low, high))

    def greater(self, first: int, second: int) -> Estimate:
        """Return P(θ_i > θ_j), i ≠ j."""
        return self.greater_of(frozenset({first}), frozenset({second}))

    def greater_of(self, first: CellSet, second: CellSet) -> Estimate:
        """Return P(θ_A > θ_B) for two sets of cells, neither of which contains the other.

        Common cells cancel. Given the counts of disjoint sets, θ_A / (θ_A + θ_B) ~ Beta(α_A + c_A, α_B + c_B). The
        result is exact if that takes at most one or two seconds (`core.inference.gamma_pairs`). Otherwise it comes from
        4000 draws of θ, with the same seed for all pairs.

        Raises InferenceError if one set contains the other.
        """
        left, right = first - second, second - first
        if not left or not right:
            raise InferenceError("a share is compared with that of other categories")
        if len(left) + len(right) == self.counts.m and self.counts.n is not None:
            return self.estimate(self.share_of(left).survival(0.5))
        priors = math.fsum(self.prior[sorted(left)]), math.fsum(self.prior[sorted(right)])
        try:
            value, error = self.counts.greater((left, right), priors)
        except InferenceError:
            draws = self._comparison_draws()
            first_sum, second_sum = (np.logaddexp.reduce(draws[:, sorted(cells)], axis=1) for cells in (left, right))
            successes = int(np.count_nonzero(first_sum > second_sum))
            return Estimate.of_frequency(successes, len(draws), simulation_error=self.simulation_error)
        return self.estimate(min(1.0, value), error + _ROUNDING)

    def _comparison_draws(self) -> NDArray[np.float64]:
        if not self._drawn_arrays:
            self._drawn_arrays.append(self.log_gammas(COMPARISON_DRAWS, seed=0))
        return self._drawn_arrays[0]

    def draws(self, size: int, *, seed: int) -> NDArray[np.float64]:
        """Draw θ jointly `size` times, shape (size, m), each row with sum 1.

        The draws use public values only, so a seed may make them reproducible.
        """
        shares: NDArray[np.float64] = special.softmax(self.log_gammas(size, seed=seed), axis=1)
        return shares

    def log_gammas(self, size: int, *, seed: int) -> NDArray[np.float64]:
        """Draw the logarithms of m gamma variables jointly `size` times, shape (size, m).

        The variables are proportional to the shares.
        """
        rng = Reproducible(seed)
        return rng.log_gammas(self.prior + self.counts.draws(size, rng))

    def log_gammas_of(self, groups: Sequence[CellSet], size: int, *, seed: int) -> NDArray[np.float64]:
        """Draw the logarithms of gamma variables for disjoint sets of cells jointly `size` times, shape (size,
        len(groups)).

        The variables are proportional to the sets' shares. Logarithms represent shares far below the smallest float.
        """
        rng = Reproducible(seed)
        counts = self.counts.draws_of_sums(groups, size, rng)
        return rng.log_gammas(np.array([math.fsum(self.prior[sorted(cells)]) for cells in groups]) + counts)


def infer(event: TableEvent, release: NoisyCounts, prior: Sequence[float] | NDArray[np.float64]) -> NoiseAwarePosterior:
    """Return the posterior of the shares given a release: p(θ | y) = Σ_c p(c | y) Dir(θ | α + c).

    Arguments: `event`, the release's event; `release`, its noisy counts; `prior` α, shape (m,), each in [1e-6, 1e6].

    Raises InferenceError if the prior is invalid or inference from the release is unavailable.
    """
    return pool([(event, release)], prior)


def pool(
    releases: Sequence[tuple[TableEvent, NoisyCounts]],
    prior: Sequence[float] | NDArray[np.float64],
    at_most: int | None = None,
) -> NoiseAwarePosterior:
    """Return the posterior of the shares given one or more releases of one data set, under one prior on the shares.

    The likelihoods multiply and the prior enters once, so posteriors must not be multiplied. Arguments as for `infer`;
    `at_most`, the largest number of records that is considered if it is private.

    Raises InferenceError as `infer` does, and if the releases differ in size.
    """
    alpha = np.array(prior, dtype=np.float64)
    check_prior(alpha, releases[0][0].m)
    return NoiseAwarePosterior(alpha, counts_given_releases(releases, alpha, at_most))


def check_prior(prior: NDArray[np.float64], m: int) -> None:
    """Raise InferenceError unless `prior` is a Dirichlet prior α on m categories, each in [1e-6, 1e6]."""
    if prior.shape != (m,):
        raise InferenceError("the prior must have one number for each category")
    if not (np.isfinite(prior).all() and (prior >= MIN_CONCENTRATION).all() and (prior <= MAX_CONCENTRATION).all()):
        raise InferenceError("each prior must lie between 0.000001 and 1000000")
