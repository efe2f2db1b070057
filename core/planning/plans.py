"""Plans a release before it is paid for: what each mechanism achieves at each epsilon, at made-up counts, and the
smallest epsilon for a wanted width or error.

Each figure comes from the mechanism's distribution, or from a stated number of simulated releases under a fixed seed,
so equal requests get equal answers. Each epsilon is computed by itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from core.accounting.group import share_of_epsilon
from core.inference.contrast_scales import MAX_LOG
from core.mechanisms import calibrations
from core.mechanisms.catalogue import MECHANISMS
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.mechanism import Calibration
from core.mechanisms.private_size import PrivateSize
from core.planning.options import Option, Problem, asked, option, widths
from core.planning.questions import is_logarithmic
from core.planning.release_error import expected_hellinger
from core.planning.smallest_epsilon import REFUSALS, smallest_epsilon
from core.planning.widths import Widths
from core.privacy import Epsilon

_PREFERRED: Final = (calibrations.SIMPLEX_GEOMETRIC, calibrations.GEOMETRIC_AT_PRIVATE_N)
_PREFERENCE: Final = 1.02
_MOST_SECONDS: Final = 0.25
"""Longest estimated time of the certificates of one mechanism at all values of epsilon, if there are several."""
TOO_SLOW: Final = "its certificates take too long at this number of values of ε; ask for fewer at a time"
NOT_SEARCHED: Final = "its certificates take too long for a search; ask for several values of ε instead"


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The mechanism to use, and the reason."""

    option: Option
    why: str


@dataclass(frozen=True, slots=True)
class Point:
    """All mechanisms at one epsilon, and the recommended one.

    `at_public_size` is the simplex geometric mechanism at the same epsilon, if the number of records were public. It is
    None if it is.
    """

    epsilon: Epsilon
    options: tuple[Option, ...]
    recommended: Recommendation
    at_public_size: Option | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """A wanted width, a wanted expected Hellinger error, or both."""

    width: float | None = None
    error: float | None = None


@dataclass(frozen=True, slots=True)
class Reached:
    """The option of a mechanism at the smallest epsilon, to 1 %, that reaches a target; if it does not, the reason."""

    calibration: Calibration[Any]
    option: Option | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The points in the order of their epsilon. `reached` is empty without a target, and if `unreachable` is the
    reason why no mechanism reaches it. `recommended` is the mechanism that reaches the target at the smallest charge.
    """

    points: tuple[Point, ...]
    reached: tuple[Reached, ...] = ()
    recommended: Recommendation | None = None
    unreachable: str | None = None


def plan(problem: Problem, epsilons: Sequence[Epsilon], target: Target | None = None) -> Plan:
    """Return what each mechanism achieves at a cost of at most (epsilon, delta), for each epsilon.

    The mechanism with the narrowest noise-aware intervals is recommended, or the one with the smallest expected
    Hellinger error if no mechanism has such intervals. Within 2 % geometric noise is preferred, because it needs no
    delta.

    Raises EventError if the sizes are outside the limits.
    """
    if problem.is_size_private:
        PrivateSize(len(problem.prior), "geometric", epsilons[0], records_per_unit=problem.records)
    else:
        SimplexGeometric(problem.n, len(problem.prior), share_of_epsilon(epsilons[0], problem.records))
    refused = _too_slow(problem, epsilons)
    public = replace(problem, is_size_private=False, has_errors=False) if problem.is_size_private else None
    points = []
    for epsilon in epsilons:
        options = tuple(
            Option(each, epsilon, None, None, None, None, TOO_SLOW)
            if each in refused
            else option(problem, each, epsilon)
            for each in problem.calibrations
        )
        beside = None if public is None else option(public, calibrations.SIMPLEX_GEOMETRIC, epsilon)
        points.append(Point(epsilon, options, _recommended(problem, options, epsilon), beside))
    if target is None:
        return Plan(tuple(points))
    if (reason := _unreachable(problem, target)) is not None:
        return Plan(tuple(points), unreachable=reason)
    reached = tuple(_reached(problem, each, epsilons[-1], target) for each in problem.calibrations)
    return Plan(tuple(points), reached, _cheapest(reached))


def _too_slow(problem: Problem, epsilons: Sequence[Epsilon]) -> list[Calibration[Any]]:
    """Return the calibrations that are not planned at this number of values of epsilon."""
    found: list[Calibration[Any]] = []
    for mechanism in MECHANISMS if len(epsilons) > 1 and not problem.is_size_private else ():
        if not mechanism.closed_form:
            # The time depends on the sizes alone, so the calibration that is found first serves for all.
            with suppress(*REFUSALS):
                event = asked(problem, mechanism.calibrations[0], epsilons[-1])
                if len(epsilons) * mechanism.certificate_seconds(event, problem.records) > _MOST_SECONDS:
                    found += mechanism.calibrations
    return found


def _recommended(problem: Problem, options: Sequence[Option], epsilon: Epsilon) -> Recommendation:
    # An option whose charge exceeds the request is shown but never recommended.
    within = [
        each
        for each in options
        if each.certificate is not None
        and each.certificate.loss.epsilon <= epsilon
        and each.certificate.loss.delta <= problem.delta
    ]
    logarithmic = {is_logarithmic(each) for each in problem.asked}
    # Widths of shares and of ratios have no common unit: each is compared with its own width from exact counts.
    units = [each.width for each in problem.exact] if len(logarithmic) > 1 else [1.0] * len(problem.exact)
    summed = [
        (each, math.fsum(of.expected / unit for of, unit in zip(each.widths.of_questions, units, strict=True)))
        for each in within
        if each.widths is not None and each.widths.of_questions
    ]
    by_error = [(each, each.error.expected) for each in within if each.error is not None]
    if not (summed or by_error):
        return Recommendation(within[0], "no widths are known at this size, and it needs no δ")
    best, least = _least(summed or by_error)
    if not summed:
        return Recommendation(best, f"its expected Hellinger error, {least:.4g}, is the least at these counts")
    assert best.widths is not None, "it has widths"
    size = len(best.widths.of_questions)
    tie = ", or within 2 % of that" if best.calibration in _PREFERRED else ""
    narrowest = f"its {100 * problem.level:g} % intervals are the narrowest at these counts{tie}: "
    if len(logarithmic) > 1:
        return Recommendation(
            best, f"{narrowest}{max(1.0, least / size):.3g} times as wide as exact counts, on average"
        )
    means = least / size, math.fsum(each.width for each in problem.exact) / size
    are_ratios = True in logarithmic
    width, exact = (float(f"{math.exp(min(each, MAX_LOG)) if are_ratios else each:.3g}") for each in means)
    # The widths are off by about a percent, which can be more than the noise adds.
    compared = f"where exact counts would give {exact:g}" if width > exact else "as with exact counts"
    shown = max(width, exact)
    wide = f"the upper end is {shown:g} times the lower one" if are_ratios else f"{shown:g} wide"
    return Recommendation(best, f"{narrowest}{wide} on average, {compared}")


def _least(measured: Sequence[tuple[Option, float]]) -> tuple[Option, float]:
    """Return the option with the least number, or the one with geometric noise within 2 % of it."""
    best = min(measured, key=lambda each: each[1])
    preferred = [each for each in measured if each[0].calibration in _PREFERRED]
    return preferred[0] if preferred and preferred[0][1] <= _PREFERENCE * best[1] else best


def _cheapest(reached: Sequence[Reached]) -> Recommendation | None:
    found = [each.option for each in reached if each.option is not None]
    if not found:
        return None
    best, _ = _least([(each, float(each.certificate.loss.epsilon)) for each in found if each.certificate is not None])
    tie = ", or at most 2 % more than that" if best.calibration in _PREFERRED else ""
    return Recommendation(best, f"it reaches this at the smallest ε{tie}: {best.epsilon}")


def _unreachable(problem: Problem, target: Target) -> str | None:
    """Return the reason why no mechanism reaches the target width; None if exact counts do, or no width is wanted."""
    if target.width is None:
        return None
    widest = max(each.width for each in problem.exact)
    if widest < target.width:
        return None
    return (
        f"No mechanism reaches a width of {target.width:.4g}: exact counts would already give an interval "
        f"{widest:.4g} wide."
    )


def _reached(problem: Problem, calibration: Calibration[Any], start: Epsilon, target: Target) -> Reached:
    """Search the smallest epsilon that reaches the target, if evaluating one epsilon takes milliseconds."""
    if calibration.within is None or (
        calibration.effort != "formula" if target.width else calibration.effort == "search"
    ):
        return Reached(calibration, None, NOT_SEARCHED)
    measure = _excess(problem, calibration, target)
    found = smallest_epsilon(measure, 1.0, start=start)
    if found is not None:
        return Reached(calibration, option(problem, calibration, found))
    at_most = option(problem, calibration, start)
    unavailable = None if at_most.widths is None else at_most.widths.unavailable
    return Reached(calibration, None, at_most.refusal or unavailable or "no ε up to 50 is enough")


def _excess(problem: Problem, calibration: Calibration[Any], target: Target) -> Callable[[Epsilon], float]:
    """Return a function of epsilon: the predicted error or width relative to its target, whichever ratio is larger."""

    def measure(epsilon: Epsilon) -> float:
        event = asked(problem, calibration, epsilon)
        worst = 0.0
        if target.error is not None:
            assert event.n is not None, "no error is wanted at a private number of records"
            worst = expected_hellinger(event, problem.counts, problem.alpha) / target.error
        if target.width is not None:
            worst = max(worst, _excess_of_widths(widths(problem, event), target.width))
        return worst

    return measure


def _excess_of_widths(found: Widths, wanted: float) -> float:
    """Return the noise's contribution to the widest interval, divided by its allowance. It falls about as 1 / epsilon.

    Squares of widths add up: the square for the exact counts and the square for the noise.
    """
    worst = 0.0 if found.of_questions else math.inf
    for each in found.of_questions:
        room = wanted**2 - each.without_noise**2
        noise = max(each.expected**2 - each.without_noise**2, 0.0)
        worst = max(worst, math.sqrt(noise / room) if room > 0.0 else math.inf)
    return worst
