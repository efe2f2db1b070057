"""The Dirichlet distribution (Beta at two categories): updates by counts, Hellinger distances, and summaries of each
share.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.special_functions import beta_quantile, beta_quantile_of, log_affinity

_MAX_SEPARATE_MARGINALS: Final = 32
"""Largest number of marginals whose intervals are faster without arrays."""


class DirichletError(ValueError):
    """A vector is not a valid concentration, or sizes differ. The message states the rule."""


class Summary(NamedTuple):
    """Summary statistics of the share of one category."""

    mean: float
    standard_deviation: float
    naive_interval: tuple[float, float]


@dataclass(frozen=True)
class Dirichlet:
    """Dir(a) over m >= 2 categories; `concentration` is a, of length m, all a_i > 0 and finite.

    It has plain numbers, as most distributions here have few categories, where an array costs more than the
    computation.
    """

    concentration: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.concentration) < 2:
            raise DirichletError("a concentration must be a vector of at least two numbers")
        if not all(0.0 < each < math.inf for each in self.concentration):
            raise DirichletError("a concentration must be positive and finite in every category")

    @property
    def means(self) -> list[float]:
        """Return E[θ_i] = a_i / A for each i, A = Σ a_i."""
        return [a / self._total for a in self.concentration]

    @cached_property
    def marginals(self) -> list[tuple[float, float]]:
        """Return the m pairs (a_i, A − a_i). θ_i has the distribution Beta(a_i, A − a_i)."""
        return list(zip(self.concentration, self._other_concentrations, strict=True))

    def summaries(self, level: float) -> dict[tuple[float, float], Summary]:
        """Return the summary of each distinct marginal. `level`, in (0, 1), is that of its interval.

        Among ten thousand categories most marginals are equal.
        """
        if not 0.0 < level < 1.0:
            raise DirichletError("the level of an interval must lie strictly between 0 and 1")
        distinct = dict.fromkeys(self.marginals)
        return {
            marginal: Summary(marginal[0] / self._total, self._deviation(*marginal), interval)
            for marginal, interval in zip(distinct, _central_intervals(distinct, 0.5 * (1.0 - level)), strict=True)
        }

    def _deviation(self, a: float, b: float) -> float:
        return math.sqrt(a * b / (self._total + 1.0)) / self._total

    @cached_property
    def _total(self) -> float:
        return math.fsum(self.concentration)

    @cached_property
    def _other_concentrations(self) -> list[float]:
        """Return A − a_i for each i, as a sum over the other categories.

        If one a_i is large, the difference A − a_i would lose the digits of the others.
        """
        before = accumulate(self.concentration[:-1], initial=0.0)
        after = [*accumulate(self.concentration[:0:-1], initial=0.0)][::-1]
        return [x + y for x, y in zip(before, after, strict=True)]


def _central_intervals(marginals: Collection[tuple[float, float]], tail: float) -> list[tuple[float, float]]:
    """Return the interval of each Beta(a, b) with probability `tail` on either side."""
    if len(marginals) <= _MAX_SEPARATE_MARGINALS:
        return [(beta_quantile_of(a, b, tail), beta_quantile_of(a, b, tail, upper=True)) for a, b in marginals]
    a, b = zip(*marginals, strict=True)
    low, high = (beta_quantile(a, b, tail, upper=upper).tolist() for upper in (False, True))
    return list(zip(low, high, strict=True))


def posterior(prior: Sequence[float], counts: Sequence[int]) -> Dirichlet:
    """Return the posterior given a histogram: Dir(prior + counts), both of length m, counts >= 0.

    Raises DirichletError if the lengths differ.
    """
    if len(prior) != len(counts):
        raise DirichletError("the prior must have one number for each category")
    return Dirichlet(tuple([float(alpha + count) for alpha, count in zip(prior, counts, strict=True)]))


def log_affinity_of_posteriors(prior: ArrayLike, counts: ArrayLike, others: ArrayLike) -> NDArray[np.float64]:
    """Return ln BC(Dir(α + c), Dir(α + r)) = Σ_i h_i(r_i) for histograms c and r with the same total, where BC is the
    affinity.

    `prior` and `counts` have shape (m,), `others` has shape (..., m). The result has shape (...) and is exact to 1e-13
    relative. `log_affinity` of the rounded sums α + c would be worse: at a count of 1e7 they lose the digits that
    distinguish c from c + 1.
    """
    terms: NDArray[np.float64] = np.sum(log_affinity(prior, counts, others), axis=-1)
    return terms


def hellinger_of_posteriors(prior: ArrayLike, counts: ArrayLike, others: ArrayLike) -> NDArray[np.float64]:
    """Return H = sqrt(1 − BC) in [0, 1) between Dir(α + c) and Dir(α + r), Σc = Σr.

    Shapes are as in `log_affinity_of_posteriors`.
    """
    return np.sqrt(-np.expm1(log_affinity_of_posteriors(prior, counts, others)))
