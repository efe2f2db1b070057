"""Plans a release before it is paid for: what each mechanism achieves at each charge, at a guess of the counts, which
one to take, which charge is enough, and the smallest charge for a wanted width, power or error.

Each figure comes from the mechanism's distribution, or from a stated number of simulated releases under a fixed seed,
so equal requests get equal answers. Each charge is computed by itself.
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
from core.mechanisms.event import MIN_EPSILON
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.mechanism import Calibration
from core.mechanisms.private_size import PrivateSize
from core.planning.intervals import Expected
from core.planning.options import Charge, Option, Problem, amount, event_at, intervals_of, option
from core.planning.questions import ContrastOfShares, is_logarithmic
from core.planning.release_error import expected_hellinger
from core.planning.smallest_charge import REFUSALS, smallest_charge
from core.privacy import Epsilon, Rho

_PREFERRED_CALIBRATIONS: Final = (calibrations.SIMPLEX_GEOMETRIC, calibrations.GEOMETRIC_AT_PRIVATE_N)
_PREFERENCE: Final = 1.02
_MOST_SECONDS: Final = 0.25
"""Longest estimated time of the certificates of one mechanism at all charges, if there are several."""
_LESS_OFTEN: Final = 0.05
"""An interval that contains the guess less often than its level by more than this is not recommended."""
_NEAR_EXACT_RATIO: Final = 1.5
"""A charge is enough if an interval is at most this many times as wide as that of exact counts."""
_NEAR_POWER_RATIO: Final = 0.9
"""A charge is enough for a decision at this fraction of the power of exact counts."""
_DECIDES_FROM: Final = 0.5
"""Power of exact counts from which a charge is suggested by its power."""
_NEARLY_WHOLE: Final = 0.9
"""Part of the range of a share from which an interval says nearly nothing."""
_POWER_ERROR: Final = 0.02
"""The standard error of a power, by which the found one may miss the target."""
TOO_SLOW: Final = "its certificates take too long at this number of charges; plan fewer charges in one request"
NOT_SEARCHED: Final = "its certificates take too long for a search; ask for several charges instead"


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The mechanism to use, and the reason."""

    option: Option
    why: str


@dataclass(frozen=True, slots=True)
class Point:
    """All mechanisms at one charge, and the recommended one.

    `at_public_size` is the simplex geometric mechanism at the same epsilon, if the number of records were public. It is
    None if it is, and under a rho.
    """

    charge: Charge
    options: tuple[Option, ...]
    recommended: Recommendation | None
    at_public_size: Option | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """A wanted width, power or expected Hellinger error. If several are wanted, one charge must give all of them.

    `places` are the numbers of the questions that the width and the power are about. The width of a ratio is a
    logarithm.
    """

    width: float | None = None
    power: float | None = None
    error: float | None = None
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reached:
    """The option of a mechanism at the smallest charge, to 1 %, that reaches a target; or the reason why it reaches
    none.
    """

    calibration: Calibration[Any]
    option: Option | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The points in the order of their charge.

    `suggested` is the recommended option at the least charge that is enough. If there is none, `why_none` is the
    reason. `reached` is empty without a target, and if `unreachable` is the reason why no mechanism reaches it.
    `recommended` is the mechanism that reaches the target at the smallest charge.
    """

    points: tuple[Point, ...]
    suggested: Recommendation | None
    why_none: str | None
    reached: tuple[Reached, ...] = ()
    recommended: Recommendation | None = None
    unreachable: str | None = None


def plan(problem: Problem, charges: Sequence[Charge], target: Target | None = None) -> Plan:
    """Return the accuracy of each mechanism at each charge, and the recommended one.

    At each charge the mechanism with the narrowest intervals is recommended, among those whose intervals contain the
    guess in at least `level` − 5 points of releases. If none has intervals, it is the one with the smallest expected
    Hellinger error. Within 2 % geometric noise is preferred, because it needs no delta.

    Raises EventError if the sizes are outside the limits.
    """
    least = charges[0] if isinstance(charges[0], Epsilon) else MIN_EPSILON
    if problem.guess.is_size_private:
        PrivateSize(len(problem.prior), "geometric", least, records_per_unit=problem.records)
    else:
        SimplexGeometric(problem.n, len(problem.prior), max(share_of_epsilon(least, problem.records), MIN_EPSILON))
    refused = _slow_calibrations(problem, charges)
    public = None
    if problem.guess.is_size_private and isinstance(charges[0], Epsilon):
        public = replace(problem, guess=replace(problem.guess, is_size_private=False))
    points = []
    for charge in charges:
        options = tuple(
            Option(each, charge, refusal=TOO_SLOW) if each in refused else option(problem, each, charge)
            for each in problem.calibrations
        )
        beside = None if public is None else option(public, calibrations.SIMPLEX_GEOMETRIC, charge)
        points.append(Point(charge, options, _recommend_option(problem, options), beside))
    suggested, why_none = _suggest_option(problem, points)
    found = Plan(tuple(points), suggested, why_none)
    if target is None:
        return found
    if (reason := _unreachable(problem, target)) is not None:
        return replace(found, unreachable=reason)
    reached = tuple(_search_reached_charge(problem, each, charges[-1], target) for each in problem.calibrations)
    return replace(found, reached=reached, recommended=_recommend_cheapest(reached))


def _slow_calibrations(problem: Problem, charges: Sequence[Charge]) -> list[Calibration[Any]]:
    """Return the calibrations that are not planned at this number of charges."""
    found: list[Calibration[Any]] = []
    for mechanism in MECHANISMS if len(charges) > 1 and isinstance(charges[0], Epsilon) else ():
        if not mechanism.closed_form and set(mechanism.calibrations) & set(problem.calibrations):
            # The time depends on the sizes alone, so the calibration that is found first serves for all.
            with suppress(*REFUSALS):
                event = event_at(problem, mechanism.calibrations[0], charges[-1])
                if len(charges) * mechanism.certificate_seconds(event, problem.records) > _MOST_SECONDS:
                    found += mechanism.calibrations
    return found


def _contains(problem: Problem, option: Option) -> float:
    """Return how often the guess is in the interval, for the interval that contains it least often."""
    return min(option.intervals[place].contains for place in problem.main)


def is_honest(problem: Problem, option: Option) -> bool:
    """Return whether the frequency with which intervals contain the guess is about their level."""
    return _contains(problem, option) >= problem.level - _LESS_OFTEN


def _recommend_option(problem: Problem, options: Sequence[Option]) -> Recommendation | None:
    # An option whose charge exceeds the request is shown but never recommended.
    within = [each for each in options if each.is_within(problem.delta)]
    known = [each for each in within if each.intervals]
    if not known:
        by_error = [(each, each.error.expected) for each in within if each.error is not None]
        if not by_error:
            return None
        best, least = _least_option(by_error)
        return Recommendation(best, f"its expected Hellinger error, {least:.4g}, is the least at this guess")
    of, least_often = _scope(problem.main)
    honest = [each for each in known if is_honest(problem, each)]
    if not honest:
        best = max(known, key=lambda each: _contains(problem, each))
        return Recommendation(
            best,
            f"no mechanism's intervals{of} contain the guess in {100 * (problem.level - _LESS_OFTEN):.4g} % of "
            f"releases at this charge; these do so the most often, in {least_often}"
            f"{100 * _contains(problem, best):.3g} %",
        )
    places = problem.main
    logarithmic = {is_logarithmic(problem.asked[place].question) for place in places}
    # Widths of shares and of ratios have no common unit: each is compared with its own width from exact counts.
    units = [problem.exact[place].width if len(logarithmic) > 1 else 1.0 for place in places]
    summed = [
        (each, math.fsum(each.intervals[place].width / unit for place, unit in zip(places, units, strict=True)))
        for each in honest
    ]
    best, least = _least_option(summed)
    near = "" if least == min(each for _, each in summed) else "within 2 % of "
    often = f"contain the guess in {least_often}{100 * _contains(problem, best):.3g} % of releases"
    narrowest = f"its {100 * problem.level:g} % intervals{of} {often} and are {near}the narrowest at this charge: "
    if len(logarithmic) > 1:
        return Recommendation(
            best, f"{narrowest}{max(1.0, least / len(places)):.3g} times as wide as exact counts, on average"
        )
    means = least / len(places), math.fsum(problem.exact[place].width for place in places) / len(places)
    are_ratios = True in logarithmic
    width, exact = (float(f"{math.exp(min(each, MAX_LOG)) if are_ratios else each:.3g}") for each in means)
    # The widths are off by about a percent, which can be more than the noise adds.
    compared = f"where exact counts would give {exact:g}" if width > exact else "as with exact counts"
    shown = max(width, exact)
    wide = f"the upper end is {shown:g} times the lower one" if are_ratios else f"{shown:g} wide"
    return Recommendation(best, f"{narrowest}{wide} on average, {compared}")


def _least_option(measured: Sequence[tuple[Option, float]]) -> tuple[Option, float]:
    """Return the option with the least number, or the one with geometric noise within 2 % of it."""
    best = min(measured, key=lambda each: each[1])
    preferred = [each for each in measured if each[0].calibration in _PREFERRED_CALIBRATIONS]
    return preferred[0] if preferred and preferred[0][1] <= _PREFERENCE * best[1] else best


def _suggest_option(problem: Problem, points: Sequence[Point]) -> tuple[Recommendation | None, str | None]:
    """Return the recommended option at the least charge that is enough, or the reason why there is none.

    A charge is enough if the intervals contain the guess and are nearly as narrow as those of exact counts. If exact
    counts would decide a question, the power counts in place of the width.
    """
    known = [point for point in points if point.recommended is not None and point.recommended.option.intervals]
    if not known:
        return None, "No mechanism's intervals are known here."
    places = problem.main
    deciding = [
        place
        for place in places
        if (power := problem.exact[place].decides) is not None
        and power >= _DECIDES_FROM
        and not problem.asked[place].is_null
    ]
    for point in known:
        assert point.recommended is not None, "it is known"
        best = point.recommended.option
        if not is_honest(problem, best):
            continue
        of, least_often = _scope(places)
        often = f"the {'intervals' if of else 'interval'}{of} contain{'' if of else 's'} the guess in {least_often}"
        often += f"{100 * _contains(problem, best):.3g} % of releases"
        nothing = _nearly_nothing(problem, best)
        if deciding:
            power, exact = (min(_power(of[place]) for place in deciding) for of in (best.intervals, problem.exact))
            if all(
                _power(best.intervals[place]) >= _NEAR_POWER_RATIO * _power(problem.exact[place]) for place in deciding
            ):
                _, least_often = _scope(deciding)
                decide = f"{len(deciding)} of them decide" if len(deciding) > 1 else "one decides" if of else "decides"
                why = f"{often} and {decide} in {least_often}{100 * power:.3g} %, exact counts in {least_often}"
                return Recommendation(best, f"{why}{100 * exact:.3g} %{nothing}"), None
            continue
        wider = max(_times_as_wide(problem, best, place) for place in places)
        if wider <= _NEAR_EXACT_RATIO:
            is_wider = f"{'are at most' if of else 'is'} {max(wider, 1.0):.3g} times as wide as with exact counts"
            return Recommendation(best, f"{often} and {is_wider}{nothing}"), None
    if deciding:
        exact = min(_power(problem.exact[place]) for place in deciding)
        wanted = f"to decide in nine tenths of the {100 * exact:.3g} % that exact counts would decide"
    else:
        wanted = f"to be at most {_NEAR_EXACT_RATIO:g} times as wide as with exact counts"
    return None, f"None of these charges is enough: intervals have to contain the guess often enough, and {wanted}."


def _scope(places: Sequence[int]) -> tuple[str, str]:
    """Return the number of figures that a figure is the least of, and “at least”, in words; empty for one."""
    return (f" of the {len(places)} figures", "at least ") if len(places) > 1 else ("", "")


def _nearly_nothing(problem: Problem, best: Option) -> str:
    """Return a clause on the interval of a share or a difference that is nearly the whole range; empty for none."""
    for place in problem.main:
        question, expected = problem.asked[place].question, best.intervals[place]
        whole = 2.0 if isinstance(question, ContrastOfShares) else 1.0
        if not is_logarithmic(question) and expected.width > _NEARLY_WHOLE * whole:
            ends = f"{expected.low:.3g} to {expected.high:.3g}"
            answer = "an answer" if len(problem.main) > 1 else "the answer"
            return f"; but {answer} says nearly nothing: its interval, {ends}, is nearly the whole range"
    return ""


def _power(expected: Expected) -> float:
    assert expected.decides is not None, "there is something to decide"
    return expected.decides


def _times_as_wide(problem: Problem, option: Option, place: int) -> float:
    exact = problem.exact[place].width
    return option.intervals[place].width / exact if exact > 0.0 else math.inf


def _recommend_cheapest(reached: Sequence[Reached]) -> Recommendation | None:
    found = [each.option for each in reached if each.option is not None]
    if not found:
        return None
    best, _ = _least_option([(each, float(each.charge)) for each in found])
    is_least = best.charge == min(each.charge for each in found)
    unit = "ε" if isinstance(best.charge, Epsilon) else "ρ"
    rank = "the smallest" if is_least else "at most 2 % above the smallest"
    return Recommendation(best, f"it reaches this at {unit} = {best.charge}, {rank}")


def _unreachable(problem: Problem, target: Target) -> str | None:
    """Return the reason why exact counts don't reach the target; None if they do."""
    exact = [problem.exact[place] for place in target.places]
    if target.width is not None and (widest := max(each.width for each in exact)) >= target.width:
        is_ratio = is_logarithmic(problem.asked[target.places[0]].question)
        wanted, given = (math.exp(min(each, MAX_LOG)) if is_ratio else each for each in (target.width, widest))
        wide = (f"an upper end {wanted:.4g} times the lower one", f"{given:.4g} times") if is_ratio else (
            f"a width of {wanted:.4g}", f"an interval {given:.4g} wide"
        )  # fmt: skip
        return f"No mechanism reaches {wide[0]}: exact counts would already give {wide[1]}."
    if target.power is not None and (power := min(map(_power, exact))) < target.power:
        return f"Even exact counts decide in only {100 * power:.3g} %."
    return None


def _search_reached_charge(problem: Problem, calibration: Calibration[Any], start: Charge, target: Target) -> Reached:
    """Search the smallest charge that reaches the target, if evaluating one charge takes milliseconds."""
    needs_intervals = target.width is not None or target.power is not None
    if calibration.within is None or (
        calibration.effort != "formula" if needs_intervals or isinstance(start, Rho) else calibration.effort == "search"
    ):
        return Reached(calibration, None, NOT_SEARCHED)
    found = smallest_charge(_excess(problem, calibration, target), 1.0, start=start)
    if found is not None:
        return Reached(calibration, option(problem, calibration, found))
    at_most = option(problem, calibration, start)
    return Reached(calibration, None, at_most.refusal or at_most.unknown or "no charge up to the largest is enough")


def _excess(problem: Problem, calibration: Calibration[Any], target: Target) -> Callable[[Charge], float]:
    """Return a function of the charge: the predicted figure relative to its target, the largest ratio if several."""

    def measure(charge: Charge) -> float:
        event = event_at(problem, calibration, amount(problem, calibration, charge))
        worst = 0.0
        if target.error is not None and event.n is not None:
            worst = expected_hellinger(event, problem.guess.counts, problem.alpha) / target.error
        if target.width is None and target.power is None:
            return worst
        found, _ = intervals_of(problem, event)
        if not found or min(found[place].contains for place in target.places) < problem.level - _LESS_OFTEN:
            return math.inf
        for place in target.places:
            if target.width is not None:
                worst = max(worst, excess_width(found[place].width, problem.exact[place].width, target.width))
            if target.power is not None:
                missed = 1.0 - _power(found[place])
                worst = max(worst, missed / (1.0 - target.power + _POWER_ERROR))
        return worst

    return measure


def excess_width(width: float, exact: float, wanted: float) -> float:
    """Return the noise's contribution to a width, divided by its allowance. It falls about as 1 / epsilon.

    Squares of widths add up: the square for the exact counts and the square for the noise.
    """
    return math.sqrt(max(width**2 - exact**2, 0.0) / (wanted**2 - exact**2))
