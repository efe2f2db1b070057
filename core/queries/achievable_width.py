"""Finds the narrowest interval that the remaining budget allows if the query itself is measured."""

from __future__ import annotations

from math import ceil, exp, floor, log
from typing import Final

from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON
from core.privacy import Rate
from core.queries.error_distribution import LaplaceSum
from core.queries.estimator import Query, QueryEstimate
from core.queries.history import History
from core.queries.payer import Payer
from core.queries.search import achieved_half_width

_PRECISION: Final = 1e-6
_MARGIN: Final = 2e-6
_MARGIN_WITH_RELEASES: Final = 2e-3
"""Fraction by which the rate stays below the largest: the precision of the search for the least rate."""


def largest_rate(query: Query, payer: Payer, remaining: int) -> Rate | None:
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
    if query.constant is not None or (rate := largest_rate(query, payer, remaining)) is None:
        return alone
    is_plain = known is None or isinstance(known.distribution, LaplaceSum)
    margin = _MARGIN if is_plain else _MARGIN_WITH_RELEASES
    least = ceil(MIN_EPSILON.value / query.measured_at(Rate(1)).span * 10**Rate.digits)
    units = max(floor(rate.units * (1.0 - margin)), least)
    found = achieved_half_width(history, known, query, Rate(units), confidence)
    return found if alone is None else min(found, alone)
