"""Checks what all events have in common: the public size of the histogram, and its limits."""

from __future__ import annotations

from typing import Final

from core.limits import MAX_CATEGORIES, MAX_RECORDS
from core.privacy import Epsilon

MIN_EPSILON: Final = Epsilon.parse("0.0001")
MAX_EPSILON: Final = Epsilon.parse("50")


class EventError(ValueError):
    """Public parameters that no mechanism accepts. The message names the rule."""


class LossError(EventError):
    """A loss that no mechanism may have."""


def check_size(n: int, m: int, most: int = MAX_CATEGORIES) -> None:
    """Raise EventError unless 1 <= n <= 2**53 records and 2 <= m <= `most` categories."""
    if not 1 <= n <= MAX_RECORDS:
        raise EventError("there must be between 1 and 2**53 records")
    if not 2 <= m <= most:
        raise EventError(f"there must be between 2 and {most} categories")


def check_epsilon(epsilon: Epsilon) -> None:
    """Raise EventError unless 0.0001 <= epsilon <= 50."""
    if not MIN_EPSILON <= epsilon <= MAX_EPSILON:
        raise LossError("epsilon must lie between 0.0001 and 50")
