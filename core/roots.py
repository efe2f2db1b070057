"""Finds where a tail of a distribution has a given probability: the one search behind all quantiles and half widths."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import scipy

NOISE: Final = 1e-12
"""Relative difference below which two probabilities differ by rounding alone."""
_LEAST_STEP: Final = 1e-20
_LEAST_RELATIVE_STEP: Final = 4.0 * 2.0**-52
_MAX_STEPS: Final = 1000
"""Far above the number of steps that the search takes, some twenty. It never raises."""
_SMALLEST_POSITIVE: Final = 5e-324


def where_tail_is(
    tail: float, tail_at: Callable[[float], float], inner: float, outer: float, *, tolerance: float = _LEAST_STEP
) -> float:
    """Return the position from `inner` to `outer` at which the probability `tail_at` has fallen to `tail` > 0.

    It is `inner` or `outer` if the tail has that probability beyond it. The search ends at a probability within `NOISE`
    of `tail`, or at positions closer than `tolerance`. Without the first rule a root at 0 would be searched down to the
    smallest float, among differences that are rounding.
    """

    def excess(position: float) -> float:
        log_ratio = math.log(max(tail_at(position), _SMALLEST_POSITIVE)) - math.log(tail)
        return 0.0 if abs(log_ratio) < NOISE else log_ratio

    known = {inner: excess(inner), outer: excess(outer)}
    if known[inner] <= 0.0:
        return inner
    if known[outer] >= 0.0:
        return outer
    root, _ = scipy.optimize.brentq(
        lambda position: known[position] if position in known else excess(position),
        inner,
        outer,
        xtol=tolerance,
        rtol=_LEAST_RELATIVE_STEP,
        maxiter=_MAX_STEPS,
        full_output=True,
        disp=False,
    )
    return float(root)
