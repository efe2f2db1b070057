"""Plans a release before it is paid for: errors, widths and prices of each mechanism, at counts that the caller makes
up.

Nothing here sees private data. Each figure is computed from the mechanism's law, or from a stated number of rehearsals
of it under a fixed seed, so that the same question gets the same answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, assert_never

import numpy as np
from numpy.typing import NDArray

from core import release_error
from core.accounting.zcdp import ConversionError
from core.candidates import of_shares
from core.certificate import Certificate
from core.dirichlet import posterior
from core.inference import InferenceError, infer, why_not
from core.mechanisms import calibrations
from core.mechanisms.catalogue import MECHANISMS, Event, certify, rehearse
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON, EventError
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.mechanism import Calibration
from core.privacy import Delta, Epsilon
from core.release_error import HellingerError
from core.samplers.reproducible import Reproducible

PLANNED: Final[tuple[Calibration[Any], ...]] = tuple(
    each for of in MECHANISMS for each in of.calibrations if each.within is not None
)
"""What can be planned for an (epsilon, delta) that bounds the charge."""

_MAX_WIDTH_REHEARSALS: Final = 40
_MIN_WIDTH_REHEARSALS: Final = 4
_REHEARSED_COMPONENTS: Final = 200_000
"""Of the mixtures whose intervals are found, in all rehearsals: noise as wide as a large simplex makes long ones."""
_SHOWN_CATEGORIES: Final = 12
_FINENESS: Final = 1.01
"""The smallest epsilon that reaches an accuracy is found up to this factor."""
_PREFERENCE: Final = 1.02


REFUSALS: Final = (EventError, ConversionError)
"""What `event_within` and `certify` raise where a mechanism cannot run; the text is for people."""


class PlanError(ValueError):
    """A question about no release; the message names the rule."""


class Shape(StrEnum):
    """Reference histograms for whoever has no guess: even shares, shares that fall as 1, 1/2, 1/3, …, or the prior's
    mean.
    """

    EVEN = "even"
    FALLING = "falling"
    PRIOR_MEAN = "prior_mean"


@dataclass(frozen=True, slots=True)
class IntervalWidth:
    """The expected width of a category's noise-aware interval, and that of the interval which the exact counts would
    give.
    """

    category: int
    expected: float
    standard_error: float
    without_noise: float


@dataclass(frozen=True, slots=True)
class Widths:
    """Expected widths at `level` from `rehearsals` runs, for the largest categories; or why they are not available."""

    level: float
    of_categories: tuple[IntervalWidth, ...]
    rehearsals: int
    unavailable: str | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One mechanism within the (epsilon, delta) asked for; without an event where `refusal` says why it cannot run."""

    calibration: Calibration[Any]
    event: Event | None
    certificate: Certificate | None
    error: HellingerError | None
    widths: Widths | None
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """Every mechanism's option, the one recommended, and why."""

    options: tuple[Option, ...]
    recommended: Calibration[Any]
    why: str


def reference_counts(shape: Shape, n: int, prior: NDArray[np.float64]) -> NDArray[np.int64]:
    """A made-up histogram of n records over the prior's m categories, shape (m,); what rounding leaves goes to the
    first category.
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
    """The mechanism as one of PLANNED sets it for a charge of at most (epsilon, delta).

    Raises one of REFUSALS where it cannot run at these sizes, or not at this delta.
    """
    assert calibration.within is not None, "it is planned"
    event: Event = calibration.within(n, prior, epsilon, delta)
    return event


def hellinger_error(
    event: Event, counts: NDArray[np.int64], prior: NDArray[np.float64], *, seed: int = 0
) -> HellingerError:
    """The law of the error of the released posterior Dir(α + r) at made-up counts c, as `core.release_error` has it.

    `counts` and `prior` of shape (m,). Raises PlanError where they are not of the event's size.
    """
    _check(event, counts, prior)
    return release_error.hellinger_error(event, counts, prior, seed=seed)


def expected_hellinger(event: Event, counts: NDArray[np.int64], prior: NDArray[np.float64]) -> float:
    """The mean of that law alone, which a search asks for many times."""
    _check(event, counts, prior)
    return release_error.expected_hellinger(event, counts, prior)


def interval_widths(
    event: Event, counts: NDArray[np.int64], prior: NDArray[np.float64], *, level: float = 0.95, seed: int = 0
) -> Widths:
    """Expected widths of the noise-aware intervals at made-up counts, for the twelve largest categories; fewer
    rehearsals where each takes long.
    """
    _check(event, counts, prior)
    if (reason := why_not(event)) is not None:
        return Widths(level, (), 0, reason)
    most = min(_MAX_WIDTH_REHEARSALS, max(_MIN_WIDTH_REHEARSALS, 200 // event.m))
    shown = sorted(np.argsort(-counts, kind="stable")[:_SHOWN_CATEGORIES].tolist())
    widths = np.empty((most, len(shown)))
    rehearsals = components = 0
    for run, release in enumerate(rehearse(event, counts, most, Reproducible(seed).entropy())):
        try:
            shares = infer(event, release, prior).shares()
        except InferenceError as refusal:
            return Widths(level, (), 0, str(refusal))
        for place, category in enumerate(shown):
            low, high = shares[category].interval(level)
            widths[run, place] = high - low
        rehearsals, components = run + 1, components + sum(share.probabilities.size for share in shares)
        if rehearsals >= _MIN_WIDTH_REHEARSALS and components > _REHEARSED_COMPONENTS:
            break
    widths = widths[:rehearsals]
    exact = [high - low for low, high in posterior(prior.tolist(), counts.tolist()).naive_intervals(level)]
    deviations = widths.std(axis=0, ddof=1) / math.sqrt(rehearsals)
    return Widths(
        level,
        tuple(
            IntervalWidth(category, float(mean), float(deviation), exact[category])
            for category, mean, deviation in zip(shown, widths.mean(axis=0), deviations, strict=True)
        ),
        rehearsals,
    )


def smallest_epsilon(
    event_at: Callable[[Epsilon], Event],
    measure: Callable[[Event], float],
    wanted: float,
    *,
    start: Epsilon = MAX_EPSILON,
) -> Epsilon | None:
    """The smallest epsilon, to 1 %, at which `measure` of the event is at most `wanted`; None where not even epsilon 50
    reaches it.

    The measure falls in epsilon. The epsilon returned has been measured itself, and so has one at most 1 % smaller,
    unless it is the least there is; an epsilon at which the mechanism cannot run does not reach it. `measure` might be
    `lambda event: expected_hellinger(event, counts, prior)`.
    """
    fails: int | None = None
    reaches: int | None = None
    units = min(max(start, MIN_EPSILON), MAX_EPSILON).units
    step = 0
    while True:
        step += 1
        value = _measured(event_at, measure, Epsilon(units))
        if value <= wanted:
            reaches = units
        else:
            fails = units
        if reaches is not None and (
            reaches == MIN_EPSILON.units or (fails is not None and reaches <= _FINENESS * fails)
        ):
            return Epsilon(reaches)
        if fails == MAX_EPSILON.units:
            return None
        # Errors fall about as 1 / epsilon: from any one of them to the wanted one, and a little beyond it, so that two
        # such guesses enclose it.
        guess = math.inf if wanted <= 0.0 else units * value / wanted * _FINENESS ** (0.4 if value > wanted else -0.4)
        units = _next_units(fails, reaches, guess, step)


def _next_units(fails: int | None, reaches: int | None, guess: float, step: int) -> int:
    """Where to measure next: at the guess, unless it is too near to what was measured already or outside; each third
    time in the middle of ln epsilon.
    """
    least_move: float = _FINENESS ** (0.4 * 2.0 ** min(step, 12))
    if reaches is None:
        assert fails is not None
        return round(min(max(guess, fails * least_move), MAX_EPSILON.units))
    if fails is None:
        return round(max(min(guess, reaches / least_move), MIN_EPSILON.units))
    return round(guess) if fails < guess < reaches and step % 3 else math.isqrt(fails * reaches)


def _measured(event_at: Callable[[Epsilon], Event], measure: Callable[[Event], float], epsilon: Epsilon) -> float:
    """What is measured at `epsilon`; infinite where the mechanism cannot run."""
    try:
        return measure(event_at(epsilon))
    except REFUSALS:
        return math.inf


def plan(
    counts: NDArray[np.int64], prior: tuple[float, ...], epsilon: Epsilon, delta: Delta, *, level: float = 0.95
) -> Plan:
    """Every mechanism at most (epsilon, delta) dear, at made-up counts, shape (m,), and the recommendation.

    The least expected Hellinger error wins; within 2 % of it the simplex geometric mechanism does, as its noise-aware
    posterior is exact at any number of categories and it needs no delta. Raises PlanError where counts and prior are of
    no release, EventError where the sizes are.
    """
    n, alpha = int(counts.sum()), np.array(prior)
    SimplexGeometric(n, len(prior), epsilon)
    options = tuple(_option(calibration, n, counts, alpha, epsilon, delta, level) for calibration in PLANNED)
    errors = {option.calibration: option.error.expected for option in options if option.error is not None}
    best = min(errors, key=lambda calibration: errors[calibration])
    recommended, why = best, f"its expected Hellinger error, {errors[best]:.4g}, is the least at these counts"
    if errors[calibrations.SIMPLEX_GEOMETRIC] <= _PREFERENCE * errors[best]:
        recommended = calibrations.SIMPLEX_GEOMETRIC
        why = (
            f"its expected Hellinger error, {errors[recommended]:.4g}, is the least at these counts or within 2 % of "
            "it; "
            "its noise-aware posterior is exact, and it spends no delta"
        )
    return Plan(options, recommended, why)


def _option(
    calibration: Calibration[Any],
    n: int,
    counts: NDArray[np.int64],
    prior: NDArray[np.float64],
    epsilon: Epsilon,
    delta: Delta,
    level: float,
) -> Option:
    try:
        event = event_within(calibration, n, tuple(prior.tolist()), epsilon, delta)
        certificate = certify(event)
        return Option(
            calibration,
            event,
            certificate,
            hellinger_error(event, counts, prior),
            interval_widths(event, counts, prior, level=level),
        )
    except REFUSALS as refusal:
        return Option(calibration, None, None, None, None, str(refusal))


def _check(event: Event, counts: NDArray[np.int64], prior: NDArray[np.float64]) -> None:
    if counts.shape != (event.m,) or prior.shape != (event.m,):
        raise PlanError("counts and prior have one number for each category")
    if int(counts.sum()) != event.n or int(counts.min()) < 0:
        raise PlanError("the made-up counts are not negative and sum to n")
