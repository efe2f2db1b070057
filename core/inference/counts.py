"""Infers the true histogram from a release: p(c | y) under a Dirichlet prior on the shares.

p(c | y) ∝ DirMult(c; n, α) P(y | c), with DirMult(c; n, α) ∝ Π Γ(α_i + c_i) / c_i!. The condition is the channel's raw
output, not the consistent counts made from it. Clipping and projection lose information and make the categories
dependent.

This module has what all such distributions share, and the case where every histogram can be listed.
`core.inference.product_counts` covers noise that is a product over categories.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.cells import CellSet
from core.inference.prior_weights import log_prior_weight, prior_weight_rounding
from core.samplers.reproducible import Reproducible

MAX_ENTRIES_OF_A_TABLE: Final = 1 << 22
"""Largest number of probabilities in a table of the joint distribution of several counts."""
NEGLIGIBLE: Final = 1e-18
"""Probability relative to the mode, below which counts at the ends of a distribution are dropped."""


class InferenceError(ValueError):
    """The posterior cannot be computed. The message states the rule, in terms of public numbers only."""


TOO_MANY_AT_THIS_NOISE: Final = "too many counts are possible at this noise"
"""The message of InferenceError if a table of counts is too large."""


@dataclass(frozen=True, slots=True, eq=False)
class CountMarginal:
    """P(c_i = low), P(c_i = low + 1), … given the release; they sum to 1."""

    low: int
    probabilities: NDArray[np.float64]

    @property
    def mean(self) -> float:
        return self.low + float(self.probabilities @ np.arange(self.probabilities.size))

    @property
    def standard_deviation(self) -> float:
        steps = np.arange(self.probabilities.size) - (self.mean - self.low)
        return math.sqrt(float(self.probabilities @ steps**2))

    def quantile(self, probability: float) -> int:
        """Return the smallest count c with P(c_i <= c) >= `probability` in (0, 1)."""
        return self.low + int(np.searchsorted(np.cumsum(self.probabilities[:-1]), probability))

    def interval(self, level: float) -> tuple[int, int]:
        """Return the shortest interval with at most probability (1 − level) / 2 on either side."""
        tail = 0.5 * (1.0 - level)
        above = np.cumsum(self.probabilities[:0:-1])  # added from the far end, so that small tails keep their digits
        below = int(np.searchsorted(np.cumsum(self.probabilities[:-1]), tail, side="right"))
        return self.low + below, self.low + self.probabilities.size - 1 - int(
            np.searchsorted(above, tail, side="right")
        )


@dataclass(frozen=True, slots=True, eq=False)
class JointCounts:
    """The joint distribution of several counts: P(c_1 = lows[0] + i_1, …, c_k = lows[k − 1] + i_k) = probabilities[i_1,
    …, i_k].

    The probabilities sum to 1. `error` bounds their error in total variation.
    """

    lows: tuple[int, ...]
    probabilities: NDArray[np.float64]
    error: float


class CountPosterior(Protocol):
    """p(c | y) on the histograms of n records over m categories."""

    @property
    def n(self) -> int | None:
        """Return the number of records, or None if it is unknown."""
        ...

    @property
    def m(self) -> int: ...

    @property
    def error(self) -> float:
        """Return a bound on the error in total variation; if `simulated`, the largest standard error of a
        probability.
        """
        ...

    @property
    def simulated(self) -> int | None:
        """Return the number of draws that represent the posterior, or None if it is exact."""
        ...

    @property
    def effective(self) -> float | None:
        """Return the effective sample size of these draws, or None if the posterior is exact."""
        ...

    def marginals(self) -> tuple[CountMarginal, ...]:
        """Return the distribution of each c_i."""
        ...

    def totals(self) -> CountMarginal:
        """Return the distribution of the number of records n."""
        ...

    def sums(self, groups: Sequence[CellSet]) -> JointCounts:
        """Return the joint distribution of the sums of counts over disjoint sets of cells, one axis per set.

        Raises InferenceError if the table would have more than 2^22 probabilities.
        """
        ...

    def greater(self, groups: tuple[CellSet, CellSet], priors: tuple[float, float]) -> tuple[float, float]:
        """Return P(G_1 > G_2) and a bound on its error, to which rounding adds 1e-11.

        `groups` are two disjoint sets of cells, and G_i ~ Gamma(priors[i] + the sum of the counts in groups[i]).

        Raises InferenceError if the computation would take more than one or two seconds.
        """
        ...

    def draws_of_sums(self, groups: Sequence[CellSet], size: int, rng: Reproducible) -> NDArray[np.int64]:
        """Draw the sums of counts over disjoint sets of cells, shape (size, len(groups))."""
        ...

    def probabilities(self, histograms: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return p(c | y) for each row c of `histograms`, shape (k,).

        `histograms` has shape (k, m), each row with sum n.
        """
        ...

    def draws(self, size: int, rng: Reproducible) -> NDArray[np.int64]:
        """Draw independent histograms, shape (size, m)."""
        ...


class ListedCounts:
    """p(c | y) as a list of histograms in lexicographic order, shape (k, m), and their probabilities, shape (k,),
    with sum 1.
    """

    def __init__(self, histograms: NDArray[np.int64], probabilities: NDArray[np.float64], error: float) -> None:
        self.n, self.m, self.error = int(histograms[0].sum()), histograms.shape[1], error
        self.simulated: int | None = None
        self.effective: float | None = None
        self._histograms, self._probabilities = histograms, probabilities

    def marginals(self) -> tuple[CountMarginal, ...]:
        return tuple(self._marginal(counts) for counts in self._histograms.T)

    def totals(self) -> CountMarginal:
        return CountMarginal(self.n, np.ones(1))

    def sums(self, groups: Sequence[CellSet]) -> JointCounts:
        columns = [self._histograms[:, sorted(cells)].sum(axis=1) for cells in groups]
        lows = tuple(int(column.min()) for column in columns)
        shape = tuple(int(column.max()) - low + 1 for column, low in zip(columns, lows, strict=True))
        check_table(shape)
        indices = np.ravel_multi_index(tuple(column - low for column, low in zip(columns, lows, strict=True)), shape)
        table = _sum_by_index(indices, self._probabilities, math.prod(shape)).reshape(shape)
        return JointCounts(lows, table, self.error)

    def greater(self, groups: tuple[CellSet, CellSet], priors: tuple[float, float]) -> tuple[float, float]:
        """Return P(G_1 > G_2) and its error, from the incomplete beta function at each distinct pair of counts."""
        columns = [self._histograms[:, sorted(cells)].sum(axis=1) for cells in groups]
        pairs, indices = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
        odds = special.betaincc(priors[0] + pairs[:, 0], priors[1] + pairs[:, 1], 0.5)
        return float(self._probabilities @ odds[indices.ravel()]), self.error

    def draws_of_sums(self, groups: Sequence[CellSet], size: int, rng: Reproducible) -> NDArray[np.int64]:
        drawn = self.draws(size, rng)
        return np.stack([drawn[:, sorted(cells)].sum(axis=1) for cells in groups], axis=1)

    def probabilities(self, histograms: NDArray[np.int64]) -> NDArray[np.float64]:
        known = {
            counts.tobytes(): probability
            for counts, probability in zip(self._histograms, self._probabilities, strict=True)
        }
        return np.array([known.get(counts.tobytes(), 0.0) for counts in np.ascontiguousarray(histograms)])

    def draws(self, size: int, rng: Reproducible) -> NDArray[np.int64]:
        drawn: NDArray[np.int64] = self._histograms[rng.categories(self._probabilities, size)]
        return drawn

    def _marginal(self, counts: NDArray[np.int64]) -> CountMarginal:
        low = int(counts.min())
        return CountMarginal(low, _sum_by_index(counts - low, self._probabilities, int(counts.max()) - low + 1))


def listed_counts(
    prior: NDArray[np.float64], histograms: NDArray[np.int64], log_likelihoods: NDArray[np.float64], error: float
) -> ListedCounts:
    """Return p(c | y) from the likelihood of every histogram.

    Arguments: `histograms`, shape (k, m); `log_likelihoods`, shape (k,); `prior` α, shape (m,); `error`, a bound on the
    error of a log-likelihood. This error affects the weight and the normaliser, so it changes a probability by a factor
    of at most e^(2·error).
    """
    likeliest = histograms[int(np.argmax(log_likelihoods))]
    logs, rounding = log_likelihoods.copy(), np.zeros(len(histograms))
    for alpha, counts, anchor in zip(prior, histograms.T, likeliest, strict=True):
        logs += log_prior_weight(float(alpha), counts, anchor=float(anchor))
        rounding += prior_weight_rounding(float(alpha), counts, anchor=float(anchor))
    weights = np.exp(logs - logs.max())
    likely = np.flatnonzero(weights > NEGLIGIBLE)
    kept = slice(int(likely[0]), int(likely[-1]) + 1)
    probabilities = weights[kept] / weights[kept].sum()
    left_out = NEGLIGIBLE * len(histograms)
    return ListedCounts(
        histograms[kept], probabilities, 2.0 * (error + float(probabilities @ rounding[kept])) + left_out
    )


def check_table(shape: Sequence[int]) -> None:
    """Raise InferenceError if a table of this shape is too large."""
    if math.prod(shape) > MAX_ENTRIES_OF_A_TABLE:
        raise InferenceError("the table of the joint distribution of the counts is too large")


def _sum_by_index(indices: NDArray[np.int64], probabilities: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Return the sum of the probabilities at each index, shape (size,)."""
    return np.bincount(indices, probabilities, minlength=size).astype(np.float64)
