"""Searches for the least new noise that answers a query as precisely as asked, given what the history knows."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp, floor, log

import numpy as np

from core.accounting.pairwise_loss import Row
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON
from core.mechanisms.linear import grid_of
from core.privacy import Rate
from core.queries.error_law import ErrorLaw, LaplaceSum, law_of
from core.queries.estimator import Query, QueryEstimate, noise_parts
from core.queries.history import History
from core.queries.noise import LaplaceNoise

_HALVINGS = 60
_MARGIN = 1e-9


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
    The rate is found by halving, each tried as it is.
    """
    span = float(query.measured_at(Rate(1)).span)
    low = ceil(float(MIN_EPSILON) / span * 10**Rate.digits)
    high = floor(float(MAX_EPSILON) / span * 10**Rate.digits)
    # A hair less than asked for, as a half width is told a hair too large.
    wanted = half_width * (1.0 - _MARGIN)

    def meets(units: int) -> bool:
        law, slack = _law_at(history, known, query, Rate(units))
        return law.holds(wanted - slack, confidence)

    if not meets(high):
        return None
    # Beside noise of releases each look takes a tenth of a second or more, and a rate that is a thousandth too large
    # does no harm.
    parts_per_unit = 10**7 if isinstance(_law_at(history, known, query, Rate(high))[0], LaplaceSum) else 10**3
    if meets(low):
        high = low
    else:
        # The half width falls about like one over the rate, so halves are taken of its logarithm.
        for _ in range(_HALVINGS):
            if high - low <= max(1, low // parts_per_unit):
                break
            middle = round(exp((log(low) + log(high)) / 2))
            middle = min(max(middle, low + 1), high - 1)
            low, high = (low, middle) if meets(middle) else (middle, high)
    found = reached(history, known, query, Rate(high), confidence)
    assert found <= half_width
    return Search(query.measured_at(Rate(high)), found)


def reached(history: History, known: QueryEstimate | None, query: Query, rate: Rate, confidence: float) -> float:
    """The half width that measuring the query at this rate gives."""
    law, slack = _law_at(history, known, query, rate)
    return law.half_width(confidence) + slack


def _law_at(history: History, known: QueryEstimate | None, query: Query, rate: Rate) -> tuple[ErrorLaw, float]:
    """The law of the error that measuring the query at this rate leaves, and what may come on top of it."""
    row = query.measured_at(rate)
    factor = float(query.scale)
    noise = LaplaceNoise(float(1 / rate.value), float(grid_of(row)))
    own = factor * noise.deviation
    share = 1.0 if known is None else known.deviation**2 / (known.deviation**2 + own**2)
    parts = [] if known is None else noise_parts(history, (1.0 - share) * known.weights)
    law = law_of([*parts, (noise, np.array([share * factor]))])
    return law, share * factor * noise.step + (0.0 if known is None else (1.0 - share) * known.slack)
