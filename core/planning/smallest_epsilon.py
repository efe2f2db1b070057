"""Searches the smallest epsilon at which an error or a width is small enough."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from core.accounting.zcdp import ConversionError
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON, EventError
from core.privacy import Epsilon

_FINENESS: Final = 1.01
"""Factor by which the epsilon found may exceed the least one that is enough."""
REFUSALS: Final = (EventError, ConversionError)
"""The errors that a calibration and a certificate raise if a mechanism cannot run; their text is for users."""


def smallest_epsilon(
    measure: Callable[[Epsilon], float], target: float, *, start: Epsilon = MAX_EPSILON
) -> Epsilon | None:
    """Return the smallest epsilon, to 1 %, at which `measure` is at most `target`, or None if epsilon 50 is not enough.

    Arguments: `measure`, non-increasing in epsilon; `start`, the first epsilon tried.

    The returned epsilon was itself measured. So was an epsilon at most 1 % smaller that misses the target, unless the
    returned one is the smallest possible. An epsilon at which the mechanism cannot run counts as missing the target.
    """
    fails: int | None = None
    achieves: int | None = None
    units = min(max(start, MIN_EPSILON), MAX_EPSILON).units
    step = 0
    while True:
        step += 1
        value = _measured(measure, Epsilon(units))
        if value <= target:
            achieves = units
        else:
            fails = units
        if achieves is not None and (
            achieves == MIN_EPSILON.units or (fails is not None and achieves <= _FINENESS * fails)
        ):
            return Epsilon(achieves)
        if fails == MAX_EPSILON.units:
            return None
        # Errors are about proportional to 1 / epsilon. Aim slightly beyond the target, so that two such guesses enclose
        # it.
        guess = math.inf if target <= 0.0 else units * value / target * _FINENESS ** (0.4 if value > target else -0.4)
        units = _next_units(fails, achieves, guess, step)


def _next_units(fails: int | None, achieves: int | None, guess: float, step: int) -> int:
    """Return the next epsilon to measure: the guess, moved away from measured values and limits.

    Every third time it is the middle of the bracket in ln epsilon.
    """
    least_move: float = _FINENESS ** (0.4 * 2.0 ** min(step, 12))
    if achieves is None:
        assert fails is not None
        return round(min(max(guess, fails * least_move), MAX_EPSILON.units))
    if fails is None:
        return round(max(min(guess, achieves / least_move), MIN_EPSILON.units))
    return round(guess) if fails < guess < achieves and step % 3 else math.isqrt(fails * achieves)


def _measured(measure: Callable[[Epsilon], float], epsilon: Epsilon) -> float:
    """Return `measure` at `epsilon`, or infinity if the mechanism cannot run."""
    try:
        return measure(epsilon)
    except REFUSALS:
        return math.inf
