"""The expected accuracy of a release by its event alone: widths at a few made-up counts of the same public sizes,
compared with those of exact counts and of the prior.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.candidates import of_shares
from core.mechanisms.catalogue import Event, mechanism_of
from core.mechanisms.exponential.pointwise import likelihood_seconds
from core.planning.questions import interval_without_noise, share_of_cell
from core.planning.release_error import expected_hellinger
from core.planning.widths import PLANNED, SMALL_PRIOR, IntervalWidth, has_quick_widths, interval_widths, width_seconds

_COUNTS: Final = (1000, 30)
"""Made-up counts of a category, in addition to an even share of the records."""
_NEXT_TO_NOTHING: Final = 0.8
"""A release is poor from this fraction of the prior's interval width, or of the largest Hellinger distance."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The widths of the interval of the category with the smallest prior, by its made-up count, largest first, and the
    width of the prior's interval.

    If the event has no noise-aware intervals, there are no widths, and `error` is the expected error of the released
    posterior at even counts. `is_poor` is true if a release at even counts gives almost no information.
    """

    widths: dict[int, IntervalWidth]
    prior_width: float
    error: float | None
    is_poor: bool


def accuracy_of(event: Event, prior: list[float], level: float) -> Accuracy:
    """Return the expected accuracy of a release by this event."""
    alpha, even = np.array(prior), max(1, event.n // event.m)
    category = int(np.argmin(alpha))
    share = share_of_cell(category)
    prior_width = interval_without_noise(np.zeros(event.m, dtype=np.int64), alpha, share, level).width
    # Under a small prior more releases are simulated, which would take longer than a quote.
    precision = replace(PLANNED, rehearsals=12) if alpha.min() < SMALL_PRIOR else PLANNED
    found = {}
    for count in sorted({even, *(each for each in _COUNTS if each <= event.n // 2)}, reverse=True):
        counts = _table(event, category, count)
        widths = interval_widths(event, counts, alpha, level=level, questions=[share], precision=precision)
        if not widths.of_questions:
            error = expected_hellinger(event, of_shares(event.n, np.ones(event.m)), alpha)
            return Accuracy({}, prior_width, error, error >= _NEXT_TO_NOTHING)
        (found[count],) = widths.of_questions
    at_even = found[even]
    return Accuracy(
        found, prior_width, None, says_next_to_nothing(at_even.expected, at_even.without_noise, prior_width)
    )


def says_next_to_nothing(width: float, without_noise: float, of_prior: float) -> bool:
    """Return whether an interval is about as wide as the prior's because of the noise."""
    return width >= _NEXT_TO_NOTHING * of_prior and width > 1.5 * without_noise


def accuracy_seconds(event: Event) -> float:
    """Return the estimated time to compute one table in `accuracy_of`, on one core."""
    if has_quick_widths(event):
        return width_seconds(event)
    return math.inf if mechanism_of(event).hellinger is None else likelihood_seconds(event.n, event.m)


def _table(event: Event, category: int, count: int) -> NDArray[np.int64]:
    """Return made-up counts, shape (m,): `count` in one category, and the rest spread evenly over the others."""
    return np.insert(of_shares(event.n - count, np.ones(event.m - 1)), category, count)
