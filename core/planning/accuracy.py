"""The expected accuracy of a release by its event alone: widths at a few made-up counts of the same public sizes,
compared with those of exact counts and of the prior.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import special

from core.candidates import of_shares
from core.inference.pieces import PRIOR_OF_A_PIECE
from core.mechanisms.catalogue import Event, likelihood_of, mechanism_of
from core.mechanisms.exponential.pointwise import likelihood_seconds
from core.mechanisms.mechanism import NoiseOnCounts
from core.planning.intervals import Asked, Expected, Guess, expected_intervals
from core.planning.questions import share_of_cell
from core.planning.release_error import expected_hellinger

_COUNTS: Final = (1000, 30)
"""Made-up counts of a category, in addition to an even share of the records."""
_NEXT_TO_NOTHING: Final = 0.8
"""A release is poor from this fraction of the prior's interval width, or of the largest Hellinger distance."""
_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The intervals of the share of one category, by its made-up count, largest first, from the release and from exact
    counts, and the width of the prior's interval.

    If the event adds no noise to counts, there are no intervals, and `error` is the expected error of the released
    posterior at even counts. `is_poor` is true if a release at even counts gives almost no information.
    """

    intervals: dict[int, tuple[Expected, Expected]]
    prior_width: float
    error: float | None
    is_poor: bool


def accuracy_of(event: Event, prior: list[float], level: float) -> Accuracy:
    """Return the expected accuracy of a release by this event. Its `prior` is that of the released posterior."""
    low, high = special.betaincinv(PRIOR_OF_A_PIECE, PRIOR_OF_A_PIECE, [0.5 - level / 2, 0.5 + level / 2])
    prior_width = float(high - low)
    if not isinstance(likelihood_of(event), NoiseOnCounts):
        error = expected_hellinger(event, of_shares(event.n, np.ones(event.m)), np.array(prior))
        return Accuracy({}, prior_width, error, error >= _NEXT_TO_NOTHING)
    even, found = max(1, event.n // event.m), {}
    for count in sorted({even, *(each for each in _COUNTS if each <= event.n // 2)}, reverse=True):
        counts = np.insert(of_shares(event.n - count, np.ones(event.m - 1)), 0, count)
        asked, guess = [Asked(share_of_cell(0), count / event.n, None)], Guess(counts, drawn=False)
        (noisy,), (exact,) = (expected_intervals(each, guess, asked, level) for each in (event, None))
        found[count] = noisy, exact
    noisy, exact = found[even]
    return Accuracy(found, prior_width, None, says_next_to_nothing(noisy.width, exact.width, prior_width))


def says_next_to_nothing(width: float, without_noise: float, of_prior: float) -> bool:
    """Return whether an interval is about as wide as the prior's because of the noise."""
    return width >= _NEXT_TO_NOTHING * of_prior and width > 1.5 * without_noise


def accuracy_seconds(event: Event) -> float:
    """Return the estimated time to compute one table in `accuracy_of`, on one core."""
    if isinstance(likelihood_of(event), NoiseOnCounts):
        return _SECONDS
    return math.inf if mechanism_of(event).hellinger is None else likelihood_seconds(event.n, event.m)
