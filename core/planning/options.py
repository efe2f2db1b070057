"""Options: each mechanism within a charge of (epsilon, delta), with its certificate, widths and error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.certificate import Certificate
from core.mechanisms.calibrations import AT_PRIVATE_N
from core.mechanisms.catalogue import MECHANISMS, CountsEvent, Event, certify_unit_at_once
from core.mechanisms.mechanism import Calibration
from core.planning import private_size as at_private_n
from core.planning.questions import Ends, Question, interval_without_noise, largest_cells, share_of_cell
from core.planning.release_error import HellingerError, hellinger_error
from core.planning.smallest_epsilon import REFUSALS
from core.planning.widths import SHARES_WITHOUT_QUESTIONS, Widths, interval_widths
from core.privacy import Delta, Epsilon

CALIBRATIONS: Final[tuple[Calibration[Any], ...]] = tuple(each for of in MECHANISMS for each in of.calibrations)
"""All calibrations for a public number of records, in the order in which plans show them."""
PLANNED: Final[tuple[Calibration[Any], ...]] = tuple(each for each in CALIBRATIONS if each.within is not None)
"""The calibrations that can be requested by an (epsilon, delta) that bounds the charge."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """The subject of a plan: made-up counts, shape (m,), the prior, the questions, and the level of their intervals.

    `records` are those of one unit. `questions` None stands for the shares of the largest categories. `exact` are the
    intervals that exact counts would give. Without `has_errors`, no error of an event with known widths is computed.
    If `is_size_private`, the number of records would be private, and is a guess like the counts.
    """

    counts: NDArray[np.int64]
    prior: tuple[float, ...]
    delta: Delta
    questions: Sequence[Question] | None = None
    level: float = 0.95
    records: int = 1
    has_errors: bool = True
    is_size_private: bool = False
    asked: tuple[Question, ...] = field(init=False)
    exact: tuple[Ends, ...] = field(init=False)

    def __post_init__(self) -> None:
        largest = largest_cells(self.counts, SHARES_WITHOUT_QUESTIONS) if self.questions is None else []
        asked = tuple(self.questions or map(share_of_cell, largest))
        exact = tuple(interval_without_noise(self.counts, self.alpha, each, self.level) for each in asked)
        object.__setattr__(self, "asked", asked)
        object.__setattr__(self, "exact", exact)

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    @property
    def calibrations(self) -> tuple[Calibration[Any], ...]:
        """The calibrations that are planned."""
        return AT_PRIVATE_N if self.is_size_private else CALIBRATIONS

    @property
    def alpha(self) -> NDArray[np.float64]:
        return np.array(self.prior)


@dataclass(frozen=True, slots=True)
class Option:
    """One mechanism within the requested (epsilon, delta). If it cannot run, there is no event, and `refusal` is the
    reason.
    """

    calibration: Calibration[Any]
    epsilon: Epsilon
    event: CountsEvent | None
    certificate: Certificate | None
    error: HellingerError | None
    widths: Widths | None
    refusal: str | None = None


def event_within(
    calibration: Calibration[Any], n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta
) -> Event:
    """Return the event of a calibration in PLANNED whose charge is at most (epsilon, delta).

    Arguments: `n` records; `prior` α, one number per category; `epsilon` and `delta`, exact amounts.

    Raises one of REFUSALS if it cannot run at these sizes or at this delta.
    """
    assert calibration.within is not None, "it is planned"
    event: Event = calibration.within(n, prior, epsilon, delta)
    return event


def option(problem: Problem, calibration: Calibration[Any], epsilon: Epsilon) -> Option:
    """Return the option of one mechanism at one epsilon."""
    try:
        event = asked(problem, calibration, epsilon)
        certificate = certify_unit_at_once(event, problem.records)
    except REFUSALS as refusal:
        return Option(calibration, epsilon, None, None, None, None, str(refusal))
    found = widths(problem, event)
    error = None
    if event.n is not None and (problem.has_errors or not found.of_questions):
        error = hellinger_error(event, problem.counts, problem.alpha)
    return Option(calibration, epsilon, event, certificate, error, found)


def asked(problem: Problem, calibration: Calibration[Any], epsilon: Epsilon) -> CountsEvent:
    """Return the event that a release would use at this epsilon. Raises one of REFUSALS if it cannot run."""
    event: CountsEvent = calibration.asked(problem.n, problem.prior, epsilon, problem.delta, problem.records)
    return event


def widths(problem: Problem, event: CountsEvent) -> Widths:
    """Return the widths of the problem's questions."""
    if event.n is None:
        return at_private_n.interval_widths(
            event, problem.counts, problem.alpha, problem.asked, problem.exact, level=problem.level
        )
    return interval_widths(
        event, problem.counts, problem.alpha, level=problem.level, questions=problem.asked, exact=problem.exact
    )
