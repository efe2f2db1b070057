"""Searches the smallest charge, an epsilon or a rho, at which an error or a width is small enough."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, TypeVar

from core.accounting.zcdp import ConversionError
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON, EventError
from core.mechanisms.gaussian import MAX_RHO, MIN_RHO
from core.privacy import Epsilon, Rho

_FINENESS: Final = 1.01
"""Factor by which the charge found may exceed the least one that is enough."""
REFUSALS: Final = (EventError, ConversionError)
"""The errors that a calibration and a certificate raise if a mechanism cannot run; their text is for users."""
Charge = TypeVar("Charge", bound=Epsilon | Rho)


def smallest_charge(measure: Callable[[Charge], float], target: float, *, start: Charge) -> Charge | None:
    """Return the smallest charge, to 1 %, at which `measure` is at most `target`, or None if epsilon 50 or rho 1000 is
    not enough.

    Arguments: `measure`, non-increasing in the charge; `start`, the first charge tried.

    The returned charge was itself measured. So was one at most 1 % smaller that misses the target, unless the returned
    one is the smallest possible. A charge at which the mechanism cannot run counts as missing the target.
    """
    kind = type(start)
    least, most = (MIN_RHO.units, MAX_RHO.units) if kind is Rho else (MIN_EPSILON.units, MAX_EPSILON.units)
    # Errors are about proportional to 1 / epsilon, or 1 / sqrt(rho).
    power = 2.0 if kind is Rho else 1.0
    fails: int | None = None
    achieves: int | None = None
    units = min(max(start.units, least), most)
    step = 0
    while True:
        step += 1
        value = _measure_charge(measure, kind(units))
        if value <= target:
            achieves = units
        else:
            fails = units
        if achieves is not None and (achieves == least or (fails is not None and achieves <= _FINENESS * fails)):
            return kind(achieves)
        if fails == most:
            return None
        # Aim slightly beyond the target, so that two such guesses enclose it.
        guess = math.inf
        if target > 0.0 and math.isfinite(value):
            guess = units * (value / target) ** power * _FINENESS ** (0.4 if value > target else -0.4)
        # Move the guess away from measured values and limits. Every third time it is the middle of the bracket.
        least_move: float = _FINENESS ** (0.4 * 2.0 ** min(step, 12))
        if achieves is None:
            assert fails is not None
            units = round(min(max(guess, fails * least_move), most))
        elif fails is None:
            units = round(max(min(guess, achieves / least_move), least))
        else:
            units = round(guess) if fails < guess < achieves and step % 3 else math.isqrt(fails * achieves)


def _measure_charge(measure: Callable[[Charge], float], charge: Charge) -> float:
    """Return `measure` at `charge`, or infinity if the mechanism cannot run."""
    try:
        return measure(charge)
    except REFUSALS:
        return math.inf
