"""Distributions of values of the records themselves: discrete, perhaps infinite, and perhaps undefined."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.inference.counts import InferenceError
from core.inference.distribution import Distribution, check_probability, shown, tail_of_level

Floats: TypeAlias = NDArray[np.float64]

_FLAT: Final = 1e-12
"""Distance from ½ at which the distribution function is taken as flat."""


@dataclass(frozen=True, eq=False)
class RecordsLaw(Distribution):
    """The distribution of a value, such as a share or a ratio of records, that may be undefined.

    `values` increase, and the last may be infinite. `probabilities` are given that the value is defined, and sum to 1;
    quantiles, intervals and moments are given that, too. Probabilities of events are not: with `undefined`, that of an
    undefined value, they add up to 1.
    """

    values: Floats
    probabilities: Floats
    undefined: float
    draws: int | None = None
    """Number of draws that it consists of, if any."""

    @classmethod
    def of(cls, values: Floats, weights: Floats | None = None) -> RecordsLaw:
        """Return the distribution of values with these weights, or of draws; NaN is undefined.

        Raises InferenceError if all are undefined.
        """
        defined, draws = ~np.isnan(values), values.size if weights is None else None
        weights = np.ones(values.size) if weights is None else weights
        whole = float(weights[defined].sum())
        if not whole > 0.0:
            raise InferenceError("the value is undefined for all records that are possible")
        found, places = np.unique(values[defined], return_inverse=True)
        sums = np.bincount(places.ravel(), weights[defined], minlength=found.size)
        return cls(found, sums / whole, float(weights[~defined].sum() / weights.sum()), draws)

    @cached_property
    def _probabilities_up_to(self) -> Floats:
        return np.cumsum(self.probabilities)

    @property
    def mean(self) -> float | None:
        return None if math.isinf(self.values[-1]) else float(self.probabilities @ self.values)

    @property
    def standard_deviation(self) -> float | None:
        mean = self.mean
        return None if mean is None else math.sqrt(float(self.probabilities @ (self.values - mean) ** 2))

    def cdf(self, at: float) -> float:
        return self._defined_probability(self.values <= at)

    def survival(self, at: float) -> float:
        return self._defined_probability(self.values > at)

    def below(self, at: float) -> float:
        return self._defined_probability(self.values < at)

    def equal(self, at: float) -> float:
        """Return the probability of one value."""
        return self._defined_probability(self.values == at)

    def between(self, low: float, high: float) -> float:
        """Return P(low <= value <= high)."""
        return self._defined_probability((self.values >= low) & (self.values <= high))

    def _defined_probability(self, some: NDArray[np.bool_]) -> float:
        return min(1.0, (1.0 - self.undefined) * float(self.probabilities[some].sum()))

    def quantile_of_tail(self, tail: float, *, upper: bool) -> float:
        return self.quantile(1.0 - tail if upper else tail)

    def quantile(self, probability: float) -> float:
        """Return the smallest value x with P(value <= x) >= `probability`. If every value in a gap is a median, return
        the middle of the gap.
        """
        check_probability(probability)
        place = min(int(np.searchsorted(self._probabilities_up_to, probability - _FLAT)), self.values.size - 1)
        found = float(self.values[place])
        if probability == 0.5 and self._probabilities_up_to[place] - 0.5 <= _FLAT and place + 1 < self.values.size:
            found = 0.5 * (found + float(self.values[place + 1]))
        return float(shown(found))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the shortest interval with at most probability (1 − level) / 2 on either side."""
        tail = tail_of_level(level)
        above = np.cumsum(self.probabilities[:0:-1])  # added from the far end, so that small tails keep their digits
        low = int(np.searchsorted(self._probabilities_up_to[:-1], tail, side="right"))
        high = self.values.size - 1 - int(np.searchsorted(above, tail, side="right"))
        return float(shown(self.values[low])), float(self.values[high])

    @property
    def range(self) -> tuple[float, float]:
        return float(self.values[0]), float(self.values[-1])
