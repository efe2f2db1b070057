"""Computes plans from the request only. No data set is read, and nothing is charged."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.certificate import Certificate
from core.inference import contrast_scales as scales
from core.inference import events
from core.mechanisms.event import MIN_EPSILON, EventError
from core.mechanisms.mechanism import Calibration
from core.planning import plans
from core.planning.options import Option, Problem
from core.planning.questions import (
    ContrastOfShares,
    Ends,
    Question,
    is_logarithmic,
    largest_cells,
)
from core.planning.shapes import Shape, reference_counts
from core.planning.widths import SHARES_WITHOUT_QUESTIONS
from core.privacy import Epsilon, NeighbourRelation
from service.errors import InvalidRequest, error_location
from service.posteriors import strata, trials
from service.posteriors.events import asked_share, asked_shares
from service.posteriors.odds import about_a_fact
from service.releases.spec import loss_response
from service.schemas import plans as schema
from service.schemas.cell_names import SEPARATOR, CellNames, cross_table
from service.schemas.cells import CONTRAST_KINDS, Cells, ContrastQuestion, Share, ShareQuestion
from service.schemas.mechanisms import Mechanism, asked_by, record_of_calibration
from service.schemas.trials import TrialQuestion

_PROTECTS: Final = {
    NeighbourRelation.REPLACE_ONE: (
        "With a public number of records, ε bounds what releases show about the records of one unit. It does not hide "
        "whether the unit is in the table."
    ),
    NeighbourRelation.ADD_REMOVE: (
        "With a private number of records, ε bounds what releases show about whether a unit is in the table at all. "
        "Replacing a record removes one and adds another, so it counts twice: what the record says is protected at 2ε."
    ),
}


def planned(text: str) -> str:
    """Return the JSON text of a Plan for the JSON text of a PlanCreate. Raises InvalidRequest."""
    return plan(schema.PlanCreate.model_validate_json(text)).model_dump_json()


def made_up(request: schema.PlanCreate) -> NDArray[np.int64]:
    """Return the made-up counts of the plan."""
    match request.data:
        case schema.HypotheticalCounts(counts=counts):
            return np.array(counts, dtype=np.int64)
        case schema.ReferenceShape(shape=shape, record_count=n):
            return reference_counts(Shape(shape), n, np.array(request.prior))


def plan(request: schema.PlanCreate) -> schema.Plan:
    """Return a plan with every mechanism at each requested epsilon. Raises InvalidRequest."""
    counts = made_up(request)
    is_private = NeighbourRelation(request.relation) is NeighbourRelation.ADD_REMOVE
    if not is_private and not counts.any():
        raise InvalidRequest.at("data.counts", "the counts must hold at least one record")
    names = _names(request, counts.size)
    asked = list(_asked_questions(request, names, counts))
    largest = schema.MAX_PLANNED_WIDTHS // len(asked)
    if len(request.epsilons) > largest:
        raise InvalidRequest.at("epsilons", f"must be at most {largest} for {len(asked)} questions")
    problem = Problem(
        counts=counts,
        prior=tuple(request.prior),
        delta=request.delta,
        questions=[each.question for each in asked],
        level=request.level,
        records=request.records_per_unit,
        has_errors=request.errors,
        is_size_private=is_private,
    )
    target = None
    if request.target_width is not None or request.target_error is not None:
        target = plans.Target(request.target_width, request.target_error)
    try:
        found = plans.plan(problem, request.epsilons, target)
    except EventError as error:
        raise InvalidRequest.at("", str(error)) from None
    return schema.Plan(
        level=request.level,
        without_noise=[
            schema.ExactInterval(question=each.asked, stratum=each.stratum, **_interval(each.question, ends))
            for each, ends in zip(asked, problem.exact, strict=True)
        ],
        strata_without_answer=[
            schema.StratumWithoutAnswer(label=each.label, reason=each.reason)
            for each in ([] if request.by is None else strata.strata_of(request.by, names))
            if each.reason is not None
        ],
        points=[
            schema.PlanPoint(
                epsilon=point.epsilon,
                options=[_option(problem, option) for option in point.options],
                recommended=_recommendation(problem, point.recommended),
                at_public_size=None if point.at_public_size is None else _option(problem, point.at_public_size),
            )
            for point in found.points
        ],
        target=None if target is None else _target(problem, found),
        protects=[
            schema.Protection(relation=each.value, statement=_PROTECTS[each])
            for each in dict.fromkeys((NeighbourRelation(request.relation), NeighbourRelation.REPLACE_ONE))
        ],
        note="Computed at made-up counts; no data set was read, and nothing was charged.",
    )


def _names(request: schema.PlanCreate, m: int) -> CellNames:
    """Return the names of the cells. Raises InvalidRequest."""
    labels = request.labels
    if request.impossible and request.attributes is None:
        raise InvalidRequest.at("impossible", "needs attributes: leave impossible labels out")
    if request.attributes is not None:
        names = cross_table(request.attributes, request.impossible, None if labels is None else frozenset(labels))
        if labels is not None and list(names.labels) != labels:
            rule = f"must be the possible combinations of levels, joined by '{SEPARATOR}', in the order of the table"
            raise InvalidRequest.at("labels", rule)
    else:
        names = CellNames(labels or [str(position) for position in range(m)])
    if names.m != m:
        raise InvalidRequest.at("prior", "must have one number for each label, or possible cell")
    return names


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question of a plan: as it was asked, by cell numbers, and the stratum in which it is asked."""

    asked: ShareQuestion | ContrastQuestion
    question: Question
    stratum: str | None = None


def _asked_questions(request: schema.PlanCreate, names: CellNames, counts: NDArray[np.int64]) -> Iterator[_Asked]:
    """Yield the questions of a plan. Raises InvalidRequest."""
    for index, each in enumerate(request.questions):
        with error_location(f"questions[{index}]"):
            yield _of_all_records(each, names)
    if request.trial is not None:
        with error_location("trial"):
            trials.check(request.trial, names)
            if request.trial.about == "records":
                raise InvalidRequest.at("about", "must be left out: a plan is about the population")
        for each in _questions_of(request.trial):
            yield _of_all_records(each, names)
    if request.by is not None:
        asked = request.by.question
        with error_location("by"):
            found = strata.strata_of(request.by, names, most=schema.MAX_PLANNED_STRATA)
        yield _of_all_records(asked, names)
        for stratum in found:
            if stratum.reason is None:
                yield _Asked(asked, _question(asked, stratum.shares, names), stratum.label)
    if request.by is None and request.trial is None and not request.questions:
        for cell in largest_cells(counts, SHARES_WITHOUT_QUESTIONS):
            yield _of_all_records(ShareQuestion(kind="share", of=Cells(labels=[names.labels[cell]])), names)


def _questions_of(trial: TrialQuestion) -> list[ShareQuestion | ContrastQuestion]:
    """Return the questions that a trial is planned as."""
    first, second = (Share(of=trial.outcome, within=group) for group in (trial.first, trial.second))
    risks = [ShareQuestion(kind="share", of=each.of, within=each.within) for each in (first, second)]
    contrasts = [ContrastQuestion(kind=kind, first=first, second=second) for kind in CONTRAST_KINDS]
    return [*risks, *contrasts]


def _of_all_records(asked: ShareQuestion | ContrastQuestion, names: CellNames) -> _Asked:
    shares = (asked_share(asked, names),) if isinstance(asked, ShareQuestion) else asked_shares(asked, names)
    return _Asked(asked, _question(asked, shares, names))


def _question(asked: ShareQuestion | ContrastQuestion, shares: Sequence[events.Share], names: CellNames) -> Question:
    """Return a question by cell numbers."""
    if isinstance(asked, ShareQuestion):
        return _planned(shares[0], names)
    first, second = (_planned(each, names) for each in shares)
    return ContrastOfShares(first, second, scales.Contrast(asked.kind))


def _planned(share: events.Share, names: CellNames) -> events.Share:
    """Return the share with its cells inside its base, and without a base of all cells."""
    if share.given is None or len(share.given) == names.m:
        return events.Share(share.cells)
    return events.Share(share.cells & share.given, share.given)


def _interval(question: Question, ends: Ends) -> dict[str, float]:
    low, high = (math.exp(each) if is_logarithmic(question) else each for each in ends)
    return {"width": ends.width, "low": low, "high": high}


def _option(problem: Problem, option: Option) -> schema.PlanOption:
    widths, certificate = option.widths, option.certificate
    asked = _asked(problem, option.calibration, option.epsilon)
    return schema.PlanOption(
        kind=record_of_calibration(option.calibration).kind,
        calibration=getattr(asked, "calibration", None),
        mechanism=None if option.event is None else asked,
        unavailable_reason=option.refusal,
        certified=None if certificate is None else loss_response(certificate.loss),
        odds=None if certificate is None else _odds(certificate),
        statement=None if certificate is None else certificate.statement,
        intervals=[]
        if widths is None
        else [
            schema.ExpectedInterval(
                standard_error=each.standard_error,
                **_interval(each.question, Ends(each.low, each.low + each.expected)),
            )
            for each in widths.of_questions
        ],
        rehearsals=0 if widths is None else widths.rehearsals,
        intervals_unavailable_reason=None if widths is None else widths.unavailable,
        error=None
        if option.error is None
        else schema.HellingerError(**asdict(option.error), quantile_95=option.error.quantile(0.95)),
    )


def _odds(certificate: Certificate) -> float:
    """Return the largest factor by which odds of a fact about a unit can rise."""
    of_fact, _ = about_a_fact(Decimal(str(certificate.loss.epsilon)), Decimal(0), certificate.relation.value)
    return math.exp(of_fact)


def _asked(problem: Problem, calibration: Calibration[Any], epsilon: Epsilon) -> Mechanism | None:
    """Return the request by a calibration, whether it can run or not, or None if it needs a positive delta."""
    return asked_by(calibration, epsilon, problem.delta, len(problem.prior))


def _recommendation(problem: Problem, found: plans.Recommendation) -> schema.Recommendation:
    mechanism = _asked(problem, found.option.calibration, found.option.epsilon)
    assert mechanism is not None, "what is recommended can run"
    return schema.Recommendation(
        kind=record_of_calibration(found.option.calibration).kind, mechanism=mechanism, reason=found.why
    )


def _target(problem: Problem, found: plans.Plan) -> schema.Target:
    return schema.Target(
        unreachable_reason=found.unreachable,
        reached=[
            schema.ReachedTarget(
                kind=record_of_calibration(each.calibration).kind,
                calibration=getattr(_asked(problem, each.calibration, MIN_EPSILON), "calibration", None),
                epsilon=None if each.option is None else each.option.epsilon,
                option=None if each.option is None else _option(problem, each.option),
                reason=each.reason,
            )
            for each in found.reached
        ],
        recommended=None if found.recommended is None else _recommendation(problem, found.recommended),
    )
