"""The least new noise with which a query is answered as precisely as was asked, given what the history knows."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp, floor, log

import numpy as np

from core.accounting.pairwise_loss import Row
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON
from core.mechanisms.linear import grid_of
from core.privacy import Rate
from core.queries.error_law import law_of
from core.queries.estimator import Query, QueryEstimate, noise_parts
from core.queries.history import History
from core.queries.noise import LaplaceNoise

_HALVINGS = 60


@dataclass(frozen=True, slots=True)
class Search:
    """A row to be measured, and the half width that it will give together with the history."""

    row: Row
    half_width: float


def least_rate(
    history: History, known: QueryEstimate | None, query: Query, half_width: float, confidence: float
) -> Search | None:
    """The measurement of least rate with which the interval of `query` has at most this half width; None where the largest rate does not reach it.

    `known` is what the history says of the query, None where it cannot see it: then the new answer stands alone. Else the two are independent, and are
    weighted by their variances, which is what the best linear estimate from both does. The rate is found by halving, rounded up to a unit and tried again.
    """
    span = float(query.measured_at(Rate(1)).span)
    low = ceil(float(MIN_EPSILON) / span * 10**Rate.digits)
    high = floor(float(MAX_EPSILON) / span * 10**Rate.digits)
    if reached(history, known, query, Rate(high), confidence) > half_width:
        return None
    if reached(history, known, query, Rate(low), confidence) > half_width:
        # The half width falls about like one over the rate, so halves are taken of its logarithm.
        for _ in range(_HALVINGS):
            if high - low <= max(1, low // 10**7):
                break
            middle = round(exp((log(low) + log(high)) / 2))
            middle = min(max(middle, low + 1), high - 1)
            if reached(history, known, query, Rate(middle), confidence) > half_width:
                low = middle
            else:
                high = middle
    else:
        high = low
    row = query.measured_at(Rate(high))
    found = reached(history, known, query, Rate(high), confidence)
    assert found <= half_width
    return Search(row, found)


def reached(history: History, known: QueryEstimate | None, query: Query, rate: Rate, confidence: float) -> float:
    """The half width that measuring the query at this rate gives."""
    row = query.measured_at(rate)
    factor = float(query.scale)
    noise = LaplaceNoise(float(1 / rate.value), float(grid_of(row)))
    own = factor * noise.deviation
    share = 1.0 if known is None else known.deviation**2 / (known.deviation**2 + own**2)
    parts = [] if known is None else noise_parts(history, (1.0 - share) * known.weights)
    law = law_of([*parts, (noise, np.array([share * factor]))])
    slack = share * factor * noise.step + (0.0 if known is None else (1.0 - share) * known.slack)
    return law.half_width(confidence) + slack
