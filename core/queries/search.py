"""Searches for the lowest noise rate at which a new answer gives a query a target half width, given the history, and
for the narrowest interval that the remaining budget allows if the query itself is measured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, exp, floor, isfinite, log, sqrt
from typing import Final

import numpy as np

from core.accounting.pairwise_loss import Row
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON
from core.mechanisms.linear import grid_of
from core.noise import LaplaceNoise
from core.privacy import Rate
from core.queries.error_distribution import EstimateErrorDistribution, LaplaceSum, distribution_of
from core.queries.estimator import Query, QueryEstimate, noise_parts
from core.queries.history import History
from core.queries.payer import Payer

_HALVINGS = 60
_MARGIN = 1e-9
_TRIES = 12
_WIDTH_TOLERANCE = 1e-3
"""Accepted shortfall of the half width below its target if each evaluation of the distribution takes 0.1 s."""
_PRECISION: Final = 1e-6
_LARGEST_RATE_MARGIN: Final = 2e-6
_LARGEST_RATE_MARGIN_WITH_RELEASES: Final = 2e-3
"""Fraction by which the rate stays below the largest: the precision of the search for the least rate."""


@dataclass(frozen=True, slots=True)
class Search:
    """A row to measure, and the half width that it gives together with the history."""

    row: Row
    half_width: float


def least_rate(
    history: History, known: QueryEstimate | None, query: Query, half_width: float, confidence: float
) -> Search | None:
    """Return the measurement of the query at the lowest rate at which its interval has at most this half width.

    Returns None if even the largest rate does not achieve it.

    `known` is the estimate from the history, or None if the history does not determine the query. Without it the new
    answer is used alone. Otherwise the two are independent and are weighted by their variances, which gives the best
    linear estimate.

    The rate is found by bisection. If posterior releases contribute noise, each evaluation is expensive; the search
    then treats the half width as a multiple of the standard deviation.
    """
    span = float(query.measured_at(Rate(1)).span)
    low = ceil(float(MIN_EPSILON) / span * 10**Rate.digits)
    high = max_rate(query).units
    # Slightly below the target, as half widths are rounded up.
    target = half_width * (1.0 - _MARGIN)

    beside_releases = known is not None and not isinstance(known.distribution, LaplaceSum)
    if known is not None and beside_releases:
        near = _rate_by_deviation(history, known, query, target, confidence)
        if near is not None and low < near[0] <= high:
            return Search(query.measured_at(Rate(near[0])), near[1])

    def meets(units: int) -> bool:
        distribution, slack = _error_distribution_at(history, known, query, Rate(units))
        return distribution.holds(target - slack, confidence)

    if not meets(high):
        return None
    parts_per_unit = 10**3 if beside_releases else 10**7
    high = low if meets(low) else _search_by_halves(meets, low, high, parts_per_unit=parts_per_unit)
    found = achieved_half_width(history, known, query, Rate(high), confidence)
    assert found <= half_width
    return Search(query.measured_at(Rate(high)), found)


def max_rate(query: Query) -> Rate:
    """Return the largest rate at which a query can be measured."""
    return Rate(floor(float(MAX_EPSILON) / float(query.measured_at(Rate(1)).span) * 10**Rate.digits))


def _search_by_halves(meets: Callable[[int], bool], low: int, high: int, *, parts_per_unit: int) -> int:
    """Return the lowest rate that meets the target, to this precision. `low` does not meet it, and `high` does."""
    # The half width is about proportional to 1 / rate, so the logarithm is bisected.
    for _ in range(_HALVINGS):
        if high - low <= max(1, low // parts_per_unit):
            break
        middle = round(exp((log(low) + log(high)) / 2))
        middle = min(max(middle, low + 1), high - 1)
        low, high = (low, middle) if meets(middle) else (middle, high)
    return high


def _rate_by_deviation(
    history: History, known: QueryEstimate, query: Query, target: float, confidence: float
) -> tuple[int, float] | None:
    """Return a rate whose half width is at most the target and within a thousandth of it, and that half width.

    Returns None if the steps do not converge. The combined standard deviation must equal target · deviation / half
    width. That ratio changes little between rates.
    """
    aim = target * (1.0 - _WIDTH_TOLERANCE / 2)
    ratio = known.deviation / known.planned_half_width(confidence)
    for _ in range(_TRIES):
        together = aim * ratio
        if not 0.0 < together < known.deviation:
            return None
        # 1 / together² = 1 / known² + 1 / own²
        own = together / sqrt(1.0 - (together / known.deviation) ** 2)
        wanted = sqrt(2.0) * float(query.scale) / own * 10**Rate.digits
        if not isfinite(wanted):
            return None
        units: int = ceil(wanted)
        half = achieved_half_width(history, known, query, Rate(units), confidence)
        if target * (1.0 - _WIDTH_TOLERANCE) <= half <= target:
            return units, half
        ratio = together / half
    return None


def achieved_half_width(
    history: History, known: QueryEstimate | None, query: Query, rate: Rate, confidence: float
) -> float:
    """Return the half width of the query's interval after measuring the query at this rate."""
    distribution, slack = _error_distribution_at(history, known, query, rate)
    return distribution.half_width(confidence) + slack


def _error_distribution_at(
    history: History, known: QueryEstimate | None, query: Query, rate: Rate
) -> tuple[EstimateErrorDistribution, float]:
    """Return the distribution of the error after measuring the query at this rate, and the slack to add to it."""
    row = query.measured_at(rate)
    factor = float(query.scale)
    noise = LaplaceNoise(float(1 / rate.value), float(grid_of(row)))
    own = factor * noise.deviation
    share = 1.0 if known is None else known.deviation**2 / (known.deviation**2 + own**2)
    parts = [] if known is None else noise_parts(history, (1.0 - share) * known.weights)
    distribution = distribution_of([*parts, (noise, np.array([share * factor]))])
    return distribution, share * factor * noise.step + (0.0 if known is None else (1.0 - share) * known.slack)


def affordable_rate(query: Query, payer: Payer, remaining: int) -> Rate | None:
    """Return the largest rate at which measuring the query raises the payer's cost by at most `remaining` units.

    Returns None if even the smallest rate costs more.
    """
    span = query.measured_at(Rate(1)).span * payer.records
    low = ceil(MIN_EPSILON.value / span * 10**Rate.digits)
    high = floor(MAX_EPSILON.value / span * 10**Rate.digits)

    def fits(units: int) -> bool:
        loss = payer.loss(query, Rate(units))
        return payer.rise(loss) <= remaining and (
            payer.max_standalone_cost is None or loss.largest <= payer.max_standalone_cost
        )

    if not fits(low):
        return None
    if fits(high):
        return Rate(high)
    while high - low > max(1, low * _PRECISION):
        middle = min(max(round(exp((log(low) + log(high)) / 2)), low + 1), high - 1)
        low, high = (middle, high) if fits(middle) else (low, middle)
    return Rate(low)


def achievable_half_width(
    history: History, known: QueryEstimate | None, query: Query, payer: Payer, remaining: int, confidence: float
) -> float | None:
    """Return the half width of the query's interval if all `remaining` units are spent on measuring the query.

    The estimate also uses the history. The half width is slightly above the smallest achievable one, so that a request
    for it is granted. If nothing can be measured, the half width from the history alone is returned, or None if the
    history does not determine the query.
    """
    alone = None if known is None else known.half_width(confidence)
    if query.constant is not None or (rate := affordable_rate(query, payer, remaining)) is None:
        return alone
    is_plain = known is None or isinstance(known.distribution, LaplaceSum)
    margin = _LARGEST_RATE_MARGIN if is_plain else _LARGEST_RATE_MARGIN_WITH_RELEASES
    least = ceil(MIN_EPSILON.value / query.measured_at(Rate(1)).span * 10**Rate.digits)
    units = max(floor(rate.units * (1.0 - margin)), least)
    found = achieved_half_width(history, known, query, Rate(units), confidence)
    return found if alone is None else min(found, alone)
