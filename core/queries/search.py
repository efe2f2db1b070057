"""Searches for the least new noise that answers a query as precisely as asked, given what the history knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, exp, floor, log, sqrt

import numpy as np

from core.accounting.pairwise_loss import Row
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON
from core.mechanisms.linear import grid_of
from core.privacy import Rate
from core.queries.error_distribution import EstimateErrorDistribution, LaplaceSum, distribution_of
from core.queries.estimator import Query, QueryEstimate, noise_parts
from core.queries.history import History
from core.queries.noise import LaplaceNoise

_HALVINGS = 60
_MARGIN = 1e-9
_TRIES = 12
_NEAR = 1e-3
"""How much narrower than asked for a half width may be where each look at the law takes a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Search:
    """A row to be measured, and the half width that it will give together with the history."""

    row: Row
    half_width: float


def least_rate(
    history: History, known: QueryEstimate | None, query: Query, half_width: float, confidence: float
) -> Search | None:
    """The measurement of least rate with which the interval of `query` has at most this half width; None where the
    largest rate does not reach it.

    `known` is what the history says of the query, None where it cannot see it: then the new answer stands alone. Else
    the two are independent, and are weighted by their variances, which is what the best linear estimate from both does.
    The rate is found by halving, each tried as it is; beside noise of releases, where each look is dear, by steps that
    take the half width for a multiple of the standard deviation.
    """
    span = float(query.measured_at(Rate(1)).span)
    low = ceil(float(MIN_EPSILON) / span * 10**Rate.digits)
    high = most_of(query).units
    # A hair less than asked for, as a half width is told a hair too large.
    target = half_width * (1.0 - _MARGIN)

    beside_releases = known is not None and not isinstance(known.distribution, LaplaceSum)
    if known is not None and beside_releases:
        near = _by_deviation(history, known, query, target, confidence)
        if near is not None and low < near[0] <= high:
            return Search(query.measured_at(Rate(near[0])), near[1])

    def meets(units: int) -> bool:
        distribution, slack = _error_distribution_at(history, known, query, Rate(units))
        return distribution.holds(target - slack, confidence)

    if not meets(high):
        return None
    parts_per_unit = 10**3 if beside_releases else 10**7
    high = low if meets(low) else _by_halves(meets, low, high, parts_per_unit=parts_per_unit)
    found = achieved_half_width(history, known, query, Rate(high), confidence)
    assert found <= half_width
    return Search(query.measured_at(Rate(high)), found)


def most_of(query: Query) -> Rate:
    """The largest rate that a query is measured at."""
    return Rate(floor(float(MAX_EPSILON) / float(query.measured_at(Rate(1)).span) * 10**Rate.digits))


def _by_halves(meets: Callable[[int], bool], low: int, high: int, *, parts_per_unit: int) -> int:
    """The least rate that meets, to this precision, between one that does not and one that does."""
    # The half width falls about like one over the rate, so halves are taken of its logarithm.
    for _ in range(_HALVINGS):
        if high - low <= max(1, low // parts_per_unit):
            break
        middle = round(exp((log(low) + log(high)) / 2))
        middle = min(max(middle, low + 1), high - 1)
        low, high = (low, middle) if meets(middle) else (middle, high)
    return high


def _by_deviation(
    history: History, known: QueryEstimate, query: Query, target: float, confidence: float
) -> tuple[int, float] | None:
    """A rate that gives a half width within a thousandth of the wanted one, from below, and that half width; None where
    the steps do not come there.

    The standard deviation that both answers must have together is wanted times deviation / half width, a ratio that
    changes little from one rate to the next.
    """
    aim = target * (1.0 - _NEAR / 2)
    ratio = known.deviation / known.half_width(confidence)
    for _ in range(_TRIES):
        together = aim * ratio
        if not 0.0 < together < known.deviation:
            return None
        # 1 / together² = 1 / known² + 1 / own²
        own = together / sqrt(1.0 - (together / known.deviation) ** 2)
        units: int = ceil(sqrt(2.0) * float(query.scale) / own * 10**Rate.digits)
        half = achieved_half_width(history, known, query, Rate(units), confidence)
        if target * (1.0 - _NEAR) <= half <= target:
            return units, half
        ratio = together / half
    return None


def achieved_half_width(
    history: History, known: QueryEstimate | None, query: Query, rate: Rate, confidence: float
) -> float:
    """The half width that measuring the query at this rate gives."""
    distribution, slack = _error_distribution_at(history, known, query, rate)
    return distribution.half_width(confidence) + slack


def _error_distribution_at(
    history: History, known: QueryEstimate | None, query: Query, rate: Rate
) -> tuple[EstimateErrorDistribution, float]:
    """The law of the error that measuring the query at this rate leaves, and what may come on top of it."""
    row = query.measured_at(rate)
    factor = float(query.scale)
    noise = LaplaceNoise(float(1 / rate.value), float(grid_of(row)))
    own = factor * noise.deviation
    share = 1.0 if known is None else known.deviation**2 / (known.deviation**2 + own**2)
    parts = [] if known is None else noise_parts(history, (1.0 - share) * known.weights)
    distribution = distribution_of([*parts, (noise, np.array([share * factor]))])
    return distribution, share * factor * noise.step + (0.0 if known is None else (1.0 - share) * known.slack)
