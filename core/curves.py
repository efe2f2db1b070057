"""Finds interval widths at many values of epsilon at once, at counts that someone made up.

Nothing here sees private data. Widths change smoothly with epsilon. They are simulated at some of the values, with
`core.widths.OF_CURVES`, and interpolated between them until a simulation in the middle of each gap agrees.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import scipy
from numpy.typing import NDArray

from core import planning
from core.accounting.group import share_of_epsilon
from core.cells import CellSet
from core.certificate import Certificate
from core.mechanisms.catalogue import Event, certify_unit_at_once
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.mechanism import Calibration
from core.privacy import Delta, Epsilon
from core.widths import OF_CURVES, interval_widths, narrowest

MAX_RELATIVE_ERROR: Final = 0.15
"""Largest relative error of a width from interpolation. Tests compare it with widths without interpolation, up to 200
categories, and up to six under priors from 0.001.
"""
_STANDARD_ERRORS: Final = 4.0
"""Number of standard errors of simulated widths that are added to it."""
_DISAGREEMENT: Final = 0.05
"""Relative difference of a simulated and an interpolated width beyond which a gap is halved again."""
_FIRST: Final = 4
"""Number of values of epsilon that are simulated at first."""
SEARCHED: Final = (
    "its noise is found by a search at each epsilon, which takes too long for a curve; a plan does it for one"
)


@dataclass(frozen=True, slots=True)
class Point:
    """A mechanism at one epsilon: its certificate, and the expected width and lower end of each share's interval."""

    epsilon: Epsilon
    event: Event
    certificate: Certificate
    widths: tuple[float, ...]
    lows: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """A mechanism at increasing values of epsilon, without those at which it cannot run.

    There are no points if widths are unavailable; `unavailable` is the reason. `max_relative_error` bounds the error of
    the widths, relative to a width or to `core.widths.narrowest`, if that is larger.
    """

    calibration: Calibration[Any]
    points: tuple[Point, ...]
    unavailable: str | None = None
    max_relative_error: float = MAX_RELATIVE_ERROR


def curves(
    counts: NDArray[np.int64],
    prior: tuple[float, ...],
    epsilons: Sequence[Epsilon],
    delta: Delta,
    *,
    shares: Sequence[CellSet],
    given: CellSet | None = None,
    level: float = 0.95,
    records: int = 1,
) -> tuple[Curve, ...]:
    """Return the curve of each mechanism that can be planned for a charge, at increasing values of epsilon.

    Raises EventError if no release has these sizes.
    """
    SimplexGeometric(int(counts.sum()), len(prior), share_of_epsilon(epsilons[0], records))
    ask = partial(_curve, counts, prior, epsilons, delta, shares, given, level, records)
    return tuple(ask(calibration) for calibration in planning.PLANNED)


def _curve(
    counts: NDArray[np.int64],
    prior: tuple[float, ...],
    epsilons: Sequence[Epsilon],
    delta: Delta,
    shares: Sequence[CellSet],
    given: CellSet | None,
    level: float,
    records: int,
    calibration: Calibration[Any],
) -> Curve:
    if calibration.effort == "search":
        return Curve(calibration, (), SEARCHED)
    found: list[tuple[Epsilon, Event, Certificate]] = []
    refusal = ""
    for epsilon in epsilons:
        try:
            event = planning.event_asked(calibration, int(counts.sum()), prior, epsilon, delta, records)
            found.append((epsilon, event, certify_unit_at_once(event, records)))
        except planning.REFUSALS as error:
            refusal = str(error)
    if not found:
        return Curve(calibration, (), refusal)
    alpha = np.array(prior)
    lows = dict[int, list[float]]()
    errors = [0.0]
    least = narrowest(prior)

    def measure(place: int) -> NDArray[np.float64]:
        event = found[place][1]
        widths = interval_widths(event, counts, alpha, level=level, shares=shares, given=given, precision=OF_CURVES)
        if widths.unavailable is not None:
            raise _UnavailableError(widths.unavailable)
        lows[place] = [each.low for each in widths.of_categories]
        uncertain = [each for each in widths.of_categories if each.standard_error > 0.0]
        errors.extend(each.standard_error / max(each.expected, least) for each in uncertain)
        return np.array([each.expected for each in widths.of_categories])

    logs = np.array([math.log(epsilon.units) for epsilon, _, _ in found])
    try:
        widths = interpolated(logs, measure)
    except _UnavailableError as error:
        return Curve(calibration, (), str(error))
    measured = sorted(lows)
    by_share = zip(*(lows[place] for place in measured), strict=True)
    between = np.array([np.interp(logs, logs[measured], of_share) for of_share in by_share]).T
    ends = zip(found, widths.tolist(), np.minimum(between, 1.0 - widths).tolist(), strict=True)
    points = tuple(Point(*each, tuple(row), tuple(low)) for each, row, low in ends)
    return Curve(calibration, points, max_relative_error=MAX_RELATIVE_ERROR + _STANDARD_ERRORS * max(errors))


class _UnavailableError(Exception):
    """Widths are unavailable. The message is the reason."""


def interpolated(at: NDArray[np.float64], measure: Callable[[int], NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return positive measurements at each of the increasing points `at`, shape (k, shares).

    `measure` is called at some points only. Each gap is halved, and its middle point measured, until the measurement
    agrees with the interpolation.
    """
    size = at.size
    known = {place: measure(place) for place in sorted({round(x) for x in np.linspace(0, size - 1, _FIRST)})}
    gaps = list(zip(sorted(known), sorted(known)[1:], strict=False))
    while gaps:
        guesses = _between(at, known)
        halves = []
        for first, last in gaps:
            if last - first < 2:
                continue
            middle = (first + last) // 2
            known[middle] = measure(middle)
            off = np.abs(np.log(known[middle] / guesses[middle])).max()
            if off > _DISAGREEMENT:
                halves += [(first, middle), (middle, last)]
        gaps = halves
    return _between(at, known)


def _between(at: NDArray[np.float64], known: dict[int, NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return smoothed measurements, and monotone cubic interpolation of their logarithms at the other places."""
    places = sorted(known)
    logs = np.array([_falling(each) for each in np.log([known[place] for place in places]).T]).T
    if len(places) == 1:
        return np.asarray(np.exp(logs))
    return np.asarray(np.exp(scipy.interpolate.PchipInterpolator(at[places], logs, axis=0)(at)))


def _falling(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `logs`, the logarithms of widths at increasing epsilon, smoothed so that they fall.

    Widths fall as epsilon rises, except where a wide interval around a likely share follows a narrow one around the
    prior's mean. If a measurement rises by more than simulation noise, `logs` are therefore returned unchanged.
    """
    falling = np.asarray(scipy.optimize.isotonic_regression(logs, increasing=False).x)
    return falling if float(np.abs(falling - logs).max()) <= _DISAGREEMENT else logs
