"""Plans a release before it is paid for: errors, widths and costs of each mechanism, at counts that the caller makes
up.

Nothing here sees private data. Each figure comes from the mechanism's distribution, or from a stated number of
rehearsals under a fixed seed, so equal questions get equal answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, assert_never

import numpy as np
from numpy.typing import NDArray

from core import release_error
from core.accounting.group import share_of_delta, share_of_epsilon, share_of_rho
from core.accounting.zcdp import ConversionError
from core.candidates import of_shares
from core.cells import CellSet
from core.certificate import Certificate
from core.mechanisms import calibrations
from core.mechanisms.catalogue import MECHANISMS, Event, certify_unit_at_once
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON, EventError
from core.mechanisms.exponential.calibration import calibrate_published
from core.mechanisms.exponential.mechanism import is_certified_at_once
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.mechanism import Calibration
from core.privacy import Delta, Epsilon
from core.release_error import HellingerError
from core.widths import Widths, interval_widths

CALIBRATIONS: Final[tuple[Calibration[Any], ...]] = tuple(each for of in MECHANISMS for each in of.calibrations)
"""All calibrations, in the order in which plans show them."""
PLANNED: Final[tuple[Calibration[Any], ...]] = tuple(each for each in CALIBRATIONS if each.within is not None)
"""The calibrations that can be requested by an (epsilon, delta) that bounds the charge."""

_FINENESS: Final = 1.01
"""Factor by which the epsilon found may exceed the least one with the target accuracy."""
_PREFERENCE: Final = 1.02
REFUSALS: Final = (EventError, ConversionError)
"""The errors that `event_within` and `certify` raise if a mechanism cannot run; their text is for users."""


class PlanError(ValueError):
    """The counts or the prior do not belong to a release. The message names the rule."""


class Shape(StrEnum):
    """Reference histograms for callers without a guess: equal shares, shares that fall as 1, 1/2, 1/3, …, or the
    prior's mean.
    """

    EVEN = "even"
    FALLING = "falling"
    PRIOR_MEAN = "prior_mean"


@dataclass(frozen=True, slots=True)
class Option:
    """One mechanism within the requested (epsilon, delta). If it cannot run, there is no event, and `refusal` is the
    reason.
    """

    calibration: Calibration[Any]
    event: Event | None
    certificate: Certificate | None
    error: HellingerError | None
    widths: Widths | None
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The options of all mechanisms, the recommended one, and the reason."""

    options: tuple[Option, ...]
    recommended: Calibration[Any]
    why: str


def reference_counts(shape: Shape, n: int, prior: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return a made-up histogram of n records over the prior's m categories, shape (m,).

    The first category gets the rounding rest.
    """
    match shape:
        case Shape.EVEN:
            shares = np.ones(prior.size)
        case Shape.FALLING:
            shares = 1.0 / np.arange(1.0, prior.size + 1.0)
        case Shape.PRIOR_MEAN:
            shares = prior
        case _:
            assert_never(shape)
    return of_shares(n, shares)


def event_within(
    calibration: Calibration[Any], n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta
) -> Event:
    """Return the event of a calibration in PLANNED for a charge of at most (epsilon, delta).

    Arguments: `n` records; `prior` α, one number per category; `epsilon` and `delta`, exact amounts.

    Raises one of REFUSALS if it cannot run at these sizes or at this delta.
    """
    assert calibration.within is not None, "it is planned"
    event: Event = calibration.within(n, prior, epsilon, delta)
    return event


def hellinger_error(
    event: Event, counts: NDArray[np.int64], prior: NDArray[np.float64], *, seed: int = 0
) -> HellingerError:
    """Return the distribution of the error of the released posterior Dir(α + r) at made-up counts c
    (`core.release_error`).

    `counts` c and `prior` α have shape (m,). Raises PlanError if they are not of the event's size.
    """
    _check(event, counts, prior)
    return release_error.hellinger_error(event, counts, prior, seed=seed)


def expected_hellinger(event: Event, counts: NDArray[np.int64], prior: NDArray[np.float64]) -> float:
    """Return the mean of `hellinger_error` alone, which a search needs many times."""
    _check(event, counts, prior)
    return release_error.expected_hellinger(event, counts, prior)


def smallest_epsilon(
    event_at: Callable[[Epsilon], Event],
    measure: Callable[[Event], float],
    target: float,
    *,
    start: Epsilon = MAX_EPSILON,
) -> Epsilon | None:
    """Return the least epsilon, to 1 %, at which `measure` of the event is at most `target`; None if not even epsilon
    50 is enough.

    Arguments: `event_at`, the event for an epsilon; `measure`, non-increasing in epsilon, such as `lambda event:
    expected_hellinger(event, counts, prior)`; `start`, the first epsilon tried.

    The returned epsilon was itself measured. So was one at most 1 % smaller that misses the target, unless it is the
    smallest epsilon. An epsilon at which the mechanism cannot run misses the target.
    """
    fails: int | None = None
    achieves: int | None = None
    units = min(max(start, MIN_EPSILON), MAX_EPSILON).units
    step = 0
    while True:
        step += 1
        value = _measured(event_at, measure, Epsilon(units))
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
    """Return where to measure next: the guess, moved away from measured values and limits.

    Every third time it is the middle of ln epsilon.
    """
    least_move: float = _FINENESS ** (0.4 * 2.0 ** min(step, 12))
    if achieves is None:
        assert fails is not None
        return round(min(max(guess, fails * least_move), MAX_EPSILON.units))
    if fails is None:
        return round(max(min(guess, achieves / least_move), MIN_EPSILON.units))
    return round(guess) if fails < guess < achieves and step % 3 else math.isqrt(fails * achieves)


def _measured(event_at: Callable[[Epsilon], Event], measure: Callable[[Event], float], epsilon: Epsilon) -> float:
    """Measure at `epsilon`; infinite if the mechanism cannot run."""
    try:
        return measure(event_at(epsilon))
    except REFUSALS:
        return math.inf


def plan(
    counts: NDArray[np.int64],
    prior: tuple[float, ...],
    epsilon: Epsilon,
    delta: Delta,
    *,
    level: float = 0.95,
    shares: Sequence[CellSet] | None = None,
    given: CellSet | None = None,
    records: int = 1,
) -> Plan:
    """Return the option of every mechanism at a cost of at most (epsilon, delta), at made-up counts, and a
    recommendation.

    Arguments: `counts`, shape (m,), of n records; `prior` α, m numbers; `level` of the intervals, in (0, 1); `shares`,
    the sets of cells whose interval widths are estimated, None for the largest categories; `given`, the cells that form
    the denominator of these shares, None for all; `records` of one unit.

    The narrowest noise-aware intervals are recommended, or the least expected Hellinger error if no mechanism has such
    intervals. The simplex geometric mechanism is preferred within 2 %, as it needs no delta.

    Raises PlanError if counts and prior do not match, and EventError if the sizes are outside the limits.
    """
    n, alpha = int(counts.sum()), np.array(prior)
    SimplexGeometric(n, len(prior), share_of_epsilon(epsilon, records))
    options = tuple(
        _option(calibration, n, counts, alpha, epsilon, delta, level, shares, given, records)
        for calibration in CALIBRATIONS
    )
    return Plan(options, *_recommended(options, epsilon, delta, level))


def _recommended(
    options: tuple[Option, ...], epsilon: Epsilon, delta: Delta, level: float
) -> tuple[Calibration[Any], str]:
    # An option whose charge exceeds the request is shown but never recommended.
    within = [
        option
        for option in options
        if option.certificate is not None
        and option.certificate.loss.epsilon <= epsilon
        and option.certificate.loss.delta <= delta
    ]
    widths = {
        option.calibration: math.fsum(each.expected for each in option.widths.of_categories)
        for option in within
        if option.widths is not None and option.widths.of_categories
    }
    errors = {option.calibration: option.error.expected for option in within if option.error is not None}
    measured = widths or errors
    best = min(measured, key=lambda calibration: measured[calibration])
    if measured.get(calibrations.SIMPLEX_GEOMETRIC, math.inf) <= _PREFERENCE * measured[best]:
        best = calibrations.SIMPLEX_GEOMETRIC
    if not widths:
        return best, f"its expected Hellinger error, {errors[best]:.4g}, is the least at these counts"
    (found,) = (option.widths for option in within if option.calibration is best)
    assert found is not None, "it has widths"
    size = len(found.of_categories)
    exact = math.fsum(each.without_noise for each in found.of_categories) / size
    tie = ", or within 2 % of that" if best is calibrations.SIMPLEX_GEOMETRIC else ""
    return best, (
        f"its {100 * level:g} % intervals are the narrowest at these counts{tie}: {widths[best] / size:.3g} wide on "
        f"average, where exact counts would give {exact:.3g}"
    )


def event_asked(
    calibration: Calibration[Any], n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta, records: int
) -> Event:
    """Return the event that a release would use at (epsilon, delta), if one unit has `records` records.

    Raises one of REFUSALS if it cannot run.
    """
    of_one = share_of_epsilon(epsilon, records)
    if calibration is calibrations.GAUSSIAN:
        of_unit = event_within(calibration, n, prior, epsilon, delta)
        assert isinstance(of_unit, Gaussian), "it is the Gaussian calibration"
        return replace(of_unit, rho=share_of_rho(of_unit.rho, records))
    of_delta = share_of_delta(delta, epsilon, records)
    if calibration.within is not None:
        return event_within(calibration, n, prior, of_one, of_delta)
    if calibration is calibrations.EXPONENTIAL_PUBLISHED and is_certified_at_once(n, len(prior)):
        return calibrate_published(n, prior, of_one, of_delta)
    raise EventError("what it is charged takes long to find: ask for its certificate")


def _option(
    calibration: Calibration[Any],
    n: int,
    counts: NDArray[np.int64],
    prior: NDArray[np.float64],
    epsilon: Epsilon,
    delta: Delta,
    level: float,
    shares: Sequence[CellSet] | None,
    given: CellSet | None,
    records: int,
) -> Option:
    try:
        event = event_asked(calibration, n, tuple(prior.tolist()), epsilon, delta, records)
        certificate = certify_unit_at_once(event, records)
        return Option(
            calibration,
            event,
            certificate,
            hellinger_error(event, counts, prior),
            interval_widths(event, counts, prior, level=level, shares=shares, given=given),
        )
    except REFUSALS as refusal:
        return Option(calibration, None, None, None, None, str(refusal))


def _check(event: Event, counts: NDArray[np.int64], prior: NDArray[np.float64]) -> None:
    if counts.shape != (event.m,) or prior.shape != (event.m,):
        raise PlanError("counts and prior have one number for each category")
    if int(counts.sum()) != event.n or int(counts.min()) < 0:
        raise PlanError("the made-up counts are not negative and sum to n")
