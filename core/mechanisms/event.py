"""What every mechanism's event has in common: the public size of the histogram, and the limits it must keep."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.mechanisms.unsealing import unseal
from core.privacy import Epsilon
from core.private import Private

LARGEST_COUNT: Final = 2**53
"""Counts up to here are exact in a float, which every later computation may then rely on."""
MOST_CATEGORIES: Final = 10_000
LEAST_EPSILON: Final = Epsilon.parse("0.0001")
LARGEST_EPSILON: Final = Epsilon.parse("50")


class EventError(ValueError):
    """Public parameters that no mechanism runs with; the message names the rule."""


class HistogramError(ValueError):
    """A private histogram is not of the event's size. The text is constant: it says nothing of the counts."""


def check_size(n: int, m: int) -> None:
    """Raises EventError unless 1 <= n <= 2**53 records fall into 2 <= m <= 10 000 categories."""
    if not 1 <= n <= LARGEST_COUNT:
        raise EventError("there must be between 1 and 2**53 records")
    if not 2 <= m <= MOST_CATEGORIES:
        raise EventError(f"there must be between 2 and {MOST_CATEGORIES} categories")


def check_epsilon(epsilon: Epsilon) -> None:
    """Raises EventError unless 0.0001 <= epsilon <= 50."""
    if not LEAST_EPSILON <= epsilon <= LARGEST_EPSILON:
        raise EventError("epsilon must lie between 0.0001 and 50")


def open_histogram(counts: Private[NDArray[np.int64]], *, n: int, m: int) -> NDArray[np.int64]:
    """The private counts, shape (m,), once they are known to be what the event says: its guarantee is about such counts alone."""
    opened = unseal(counts)
    if opened.shape != (m,) or opened.dtype != np.int64 or opened.min() < 0 or opened.sum() != n:
        raise HistogramError("the histogram is not of the size that the event states")
    return opened
