"""Options: each mechanism at a charge, with its certificate, its intervals and its error.

A charge is an epsilon, beside the delta of the problem, or a rho.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.certificate import Certificate
from core.mechanisms.catalogue import MECHANISMS, CountsEvent, certify_unit_at_once, likelihood_of
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON, EventError
from core.mechanisms.mechanism import Calibration, NoiseOnCounts, NoLikelihood
from core.planning.intervals import RUNS, Asked, Expected, Guess, expected_intervals
from core.planning.release_error import HellingerError, hellinger_error
from core.planning.smallest_charge import REFUSALS
from core.privacy import Delta, Epsilon, Rho

Charge: TypeAlias = Epsilon | Rho
CALIBRATIONS: Final[tuple[Calibration[Any], ...]] = tuple(each for of in MECHANISMS for each in of.calibrations)
"""All calibrations for a public number of records, in the order in which plans show them."""
QUICK: Final[tuple[Calibration[Any], ...]] = tuple(each for each in CALIBRATIONS if each.effort == "formula")
"""The calibrations that add noise to counts, whose plans take milliseconds."""
_DIGITS: Final = 5
"""Number of digits of the epsilon whose rho is within a charge: it is at most 0.01 % below the largest one."""
NO_RHO: Final = "it is not planned for a budget in ρ: the ρ of its release takes long to find"
NO_INTERVALS: Final = "it does not add noise to counts, so a plan has its error only"


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """The subject of a plan: a guess of the counts, the prior that is released, the questions, and their level.

    `records` are those of one unit. `calibrations` are planned. With `has_errors`, the errors of released posteriors
    are computed. `exact` is what exact counts would give.
    """

    guess: Guess
    prior: tuple[float, ...]
    delta: Delta
    asked: Sequence[Asked]
    level: float = 0.95
    records: int = 1
    has_errors: bool = False
    calibrations: tuple[Calibration[Any], ...] = QUICK
    exact: tuple[Expected, ...] = ()

    def __post_init__(self) -> None:
        if not self.exact:
            object.__setattr__(self, "exact", expected_intervals(None, self.guess, self.asked, self.level))

    @property
    def n(self) -> int:
        return self.guess.n

    @property
    def main(self) -> tuple[int, ...]:
        """The numbers of the questions about the whole table, by which a mechanism is chosen."""
        return tuple(place for place, each in enumerate(self.asked) if each.runs >= RUNS)

    @property
    def alpha(self) -> NDArray[np.float64]:
        return np.array(self.prior)


@dataclass(frozen=True, slots=True)
class Option:
    """One mechanism at a charge. If it cannot run, there is no event, and `refusal` is the reason.

    `asked` is the amount that its request names: the charge itself, or under a rho the largest epsilon within it. If
    `intervals` is empty, `unknown` is the reason.
    """

    calibration: Calibration[Any]
    charge: Charge
    asked: Charge | None = None
    event: CountsEvent | None = None
    certificate: Certificate | None = None
    intervals: tuple[Expected, ...] = ()
    unknown: str | None = None
    error: HellingerError | None = None
    refusal: str | None = None

    def is_within(self, delta: Delta) -> bool:
        """Return whether the certified loss is at most the requested charge. If that is an epsilon, `delta` is its
        delta.
        """
        if self.certificate is None:
            return False
        loss = self.certificate.loss
        if isinstance(self.charge, Epsilon):
            return loss.epsilon <= self.charge and loss.delta <= delta
        return loss.rho is not None and loss.rho <= self.charge


def option(problem: Problem, calibration: Calibration[Any], charge: Charge) -> Option:
    """Return the option of one mechanism at one charge."""
    try:
        asked = amount(problem, calibration, charge)
        event = event_at(problem, calibration, asked)
        certificate = certify_unit_at_once(event, problem.records)
    except REFUSALS as refusal:
        return Option(calibration, charge, refusal=str(refusal))
    intervals, unknown = intervals_of(problem, event)
    error = None
    if event.n is not None and (problem.has_errors or not intervals):
        error = hellinger_error(event, problem.guess.counts, problem.alpha)
    return Option(calibration, charge, asked, event, certificate, intervals, unknown, error)


def amount(problem: Problem, calibration: Calibration[Any], charge: Charge) -> Charge:
    """Return the amount that a request names, so that its release costs at most this charge.

    Raises one of REFUSALS if there is none.
    """
    if isinstance(charge, Epsilon) or calibration.at_rho is not None:
        return charge
    if calibration.effort != "formula":
        raise EventError(NO_RHO)
    least, most = MIN_EPSILON.units * problem.records, MAX_EPSILON.units
    if least > most or not _is_within(problem, calibration, Epsilon(least), charge):
        raise EventError("rho is too small for it")
    if _is_within(problem, calibration, MAX_EPSILON, charge):
        return MAX_EPSILON
    while True:
        step = 10 ** max(0, len(str(least)) - _DIGITS)
        middle = (least + most) // (2 * step) * step
        if middle <= least:
            return Epsilon(least)
        least, most = (middle, most) if _is_within(problem, calibration, Epsilon(middle), charge) else (least, middle)


def _is_within(problem: Problem, calibration: Calibration[Any], epsilon: Epsilon, rho: Rho) -> bool:
    loss = certify_unit_at_once(event_at(problem, calibration, epsilon), problem.records).loss
    return loss.rho is not None and loss.rho <= rho


def event_at(problem: Problem, calibration: Calibration[Any], asked: Charge) -> CountsEvent:
    """Return the event that a release would use at this amount. Raises one of REFUSALS if it cannot run."""
    if isinstance(asked, Epsilon):
        event: CountsEvent = calibration.asked(problem.n, problem.prior, asked, problem.delta, problem.records)
        return event
    assert calibration.at_rho is not None, "it is asked for by its rho"
    at_rho: CountsEvent = calibration.at_rho(problem.n, problem.prior, asked, problem.delta, problem.records)
    return at_rho


def intervals_of(problem: Problem, event: CountsEvent) -> tuple[tuple[Expected, ...], str | None]:
    """Return what to expect of the problem's questions, or why that is not known."""
    likelihood = likelihood_of(event)
    if not isinstance(likelihood, NoiseOnCounts):
        return (), likelihood.reason if isinstance(likelihood, NoLikelihood) else NO_INTERVALS
    try:
        return expected_intervals(event, problem.guess, problem.asked, problem.level), None
    except ArithmeticError as error:
        return (), str(error)
