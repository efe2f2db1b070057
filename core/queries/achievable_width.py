"""Finds how narrow an interval what is left can reach, when the query itself is measured."""

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
"""How much less than the largest rate is counted on: the search for the least one is as precise."""


def largest_rate(query: Query, payer: Payer, remaining: int) -> Rate | None:
    """The largest rate at which the query can be measured so that it raises what the payer's rows cost by at most
    `left` units; None where not even the least rate fits.
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
    """The half width that measuring the query with what is left gives together with the history, a hair wider than the
    least, so that asking for it is granted; what the history gives where nothing can be measured, None where neither
    gives any.
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
