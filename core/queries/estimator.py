"""Estimates a query from a history: the best linear unbiased estimate, the distribution of its error, intervals and
probabilities.

The query is Σ q_i c_i. If β H = q, the estimate Σ β_j y_j has the error Σ β_j noise_j, whose distribution is known
exactly. Under a flat prior it is the posterior of the true answer. An interval has its confidence for queries fixed
before the answers were seen, not for queries selected by their answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import fsum, gcd
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.accounting.pairwise_loss import Row
from core.limits import MAX_RECORDS
from core.noise import Noise
from core.privacy import NeighbourRelation, Rate
from core.queries.error_distribution import EstimateErrorDistribution, distribution_of
from core.queries.history import History

_ROUNDING: Final = 1e-9
_CORRECTIONS: Final = 2


@dataclass(frozen=True, slots=True)
class Query:
    """The query Σ q_i c_i with q = coefficients / denominator, shape (m,). `relation` is `add_remove` if the number of
    records n is private.
    """

    coefficients: tuple[int, ...]
    denominator: int = 1
    relation: NeighbourRelation = NeighbourRelation.REPLACE_ONE

    @property
    def row(self) -> NDArray[np.float64]:
        return np.array(self.coefficients, dtype=np.float64) / self.denominator

    @property
    def constant(self) -> Fraction | None:
        """Return the weight of every cell if the answer, n times the weight, is public, otherwise None.

        It is public if n is public and all weights are equal, and if all weights are 0.
        """
        if any(self._changing_coefficients):
            return None
        return Fraction(self.coefficients[0], self.denominator)

    def measured_at(self, rate: Rate) -> Row:
        """Return the row that is measured for this query at `rate`.

        The row is a multiple of the query, up to a constant if n is public. Its coefficients are integers without a
        common divisor over a power of ten, chosen so that the span lies in [1, 10).
        """
        return Row(*self._measured_coefficients, rate, relation=self.relation)

    @property
    def scale(self) -> Fraction:
        """Return the factor by which the measured row is multiplied to give the query."""
        coefficients, denominator = self._measured_coefficients
        return Fraction(max(map(abs, self._changing_coefficients)), self.denominator) / Fraction(
            max(map(abs, coefficients)), denominator
        )

    @property
    def _changing_coefficients(self) -> tuple[int, ...]:
        """Return the coefficients without the multiple of ones whose answer is public."""
        least = min(self.coefficients) if self.relation is NeighbourRelation.REPLACE_ONE else 0
        return tuple(value - least for value in self.coefficients)

    @property
    def _measured_coefficients(self) -> tuple[tuple[int, ...], int]:
        common = gcd(*self._changing_coefficients)
        whole = tuple(value // common for value in self._changing_coefficients)
        return whole, 10 ** (len(str(max(map(abs, whole)))) - 1)


def is_within(half_width: float, target: float) -> bool:
    """Return whether a half width is at most the target, up to the rounding errors that every half width includes."""
    return half_width <= target * (1.0 + _ROUNDING)


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval that contains the true answer with its confidence."""

    lower: float
    upper: float

    @property
    def half_width(self) -> float:
        return (self.upper - self.lower) / 2


@dataclass(frozen=True)
class QueryEstimate:
    """An estimate of a query's true answer and the distribution of its error.

    `weights`, shape (J,), are the weights of the history's rows. `parts` are the noises with the weights on their rows.
    `slack` bounds the error that grids add, and `rounding` the error of floating-point numbers. The latter grows with
    the noisy answers.
    """

    estimate: float
    weights: NDArray[np.float64]
    parts: Sequence[tuple[Noise, NDArray[np.float64]]]
    slack: float
    rounding: float = 0.0

    @cached_property
    def distribution(self) -> EstimateErrorDistribution:
        """Return the distribution of the error.

        If posterior releases contribute noise, the first access takes 0.1 s.
        """
        return distribution_of(self.parts)

    @property
    def deviation(self) -> float:
        return float(self.distribution.deviation)

    def half_width(self, confidence: float) -> float:
        """Return the half width of the interval at this confidence, in (0, 1)."""
        return self.planned_half_width(confidence) + self.rounding

    def planned_half_width(self, confidence: float) -> float:
        """Return the half width without rounding. Prices depend on it, so it must not depend on the noisy answers."""
        return self.distribution.half_width(confidence) + self.slack

    def is_precise(self, half_width: float, target: float) -> bool:
        """Return whether a half width of this estimate meets the target. Rounding does not count: another measurement
        would not lower it.
        """
        return is_within(half_width - self.rounding, target)

    def interval(self, confidence: float) -> Interval:
        half = self.half_width(confidence)
        return Interval(self.estimate - half, self.estimate + half)

    def probability(self, lower: float | None, upper: float | None) -> float:
        """Return P(lower <= true answer <= upper) given the answers, under a flat prior. The slack is not included.

        None means that there is no bound on that side.
        """
        if self.distribution.deviation == 0.0:
            return float((lower is None or lower <= self.estimate) and (upper is None or self.estimate <= upper))
        above = 1.0 if lower is None else self._probability_beyond(lower - self.estimate)
        return max(above - (0.0 if upper is None else self._probability_beyond(upper - self.estimate)), 0.0)

    def _probability_beyond(self, x: float) -> float:
        """Return P(true answer − estimate > x)."""
        return self.distribution.beyond(x) if x >= 0 else 1.0 - self.distribution.beyond(-x)


def estimate(history: History, query: Query) -> QueryEstimate | None:
    """Return the best linear unbiased estimate of a query, or None if the history does not determine the query.

    A constant query is answered exactly.
    """
    if query.constant is not None:
        return QueryEstimate(float(query.constant * (history.n or 0)), np.zeros(len(history)), [], 0.0)
    if not history.sees(query.coefficients):
        return None
    weights = history.weights(query.row)
    parts = noise_parts(history, weights)
    if history.n is None:
        value, bias = _estimate_at_private_n(history, query, weights)
    else:
        value, bias = _estimate_at_public_n(history, history.n, query.row, weights)
    grids = sum(noise.discrepancy(part) for noise, part in parts)
    bias += 1e-15 * float(np.abs(weights) @ np.abs(history.answers))
    return QueryEstimate(value, weights, parts, grids, bias)


def _estimate_at_public_n(
    history: History, n: int, row: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[float, float]:
    """Return the estimate at these weights, and a bound on its error from rounding the weights.

    The remainder q − β H contributes between n least and n largest. The midpoint is added; half the range is the bound.
    """
    least, largest = history.left_over(weights, row)
    value = fsum((weights * history.answers).tolist()) + n * (least + largest) / 2
    return value, n * ((largest - least) / 2 + history.rounding(weights, row))


def _estimate_at_private_n(history: History, query: Query, weights: NDArray[np.float64]) -> tuple[float, float]:
    """Return what `_estimate_at_public_n` returns if only the largest number of records of any table is known.

    A remainder of 1e-16 for each record would be too much for 2^53 records. So the weights are corrected by those of
    the remainder, which is computed exactly.
    """
    exact, terms = [Fraction(weight) for weight in weights.tolist()], (weights * history.answers).tolist()
    rest = history.remainder(exact, query.coefficients, query.denominator)
    for _ in range(_CORRECTIONS):
        if not any(rest):
            break
        correction = history.weights(np.array([float(each) for each in rest])[history.class_of])
        exact = [each + Fraction(more) for each, more in zip(exact, correction.tolist(), strict=True)]
        terms += (correction * history.answers).tolist()
        rest = history.remainder(exact, query.coefficients, query.denominator)
    return fsum(terms), MAX_RECORDS * max(float(abs(each)) for each in rest)


def noise_parts(history: History, weights: NDArray[np.float64]) -> list[tuple[Noise, NDArray[np.float64]]]:
    """Return the noise of each part of a history (rows with a common noise), and the weights on its rows."""
    return [(part.noise, weights[part.rows]) for part in history.parts]


def covariance(history: History, estimates: Sequence[QueryEstimate]) -> NDArray[np.float64]:
    """Return the joint covariance of the errors of several estimates from this history, shape (k, k).

    Noise with sum zero has the covariance of independent noise if the mean of the weights is subtracted
    (`SimplexGeometricNoise`).
    """
    rows = np.array([each.weights for each in estimates]).reshape(len(estimates), len(history))
    for part in history.parts:
        if part.noise.is_tied:
            rows[:, part.rows] -= rows[:, part.rows].mean(axis=1, keepdims=True)
    scaled = rows * history.deviations
    return scaled @ scaled.T
