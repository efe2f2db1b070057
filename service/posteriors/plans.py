"""Computes plans from the request only. No data set is read, and nothing is charged."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.candidates import of_shares
from core.cells import CellSet
from core.certificate import Certificate
from core.inference import contrast_scales as scales
from core.inference import events
from core.mechanisms.calibrations import AT_PRIVATE_N
from core.mechanisms.event import MIN_EPSILON, EventError
from core.mechanisms.mechanism import Calibration
from core.planning import plans
from core.planning.intervals import RUNS, RUNS_OF_STRATA, Asked, Expected, Guess
from core.planning.options import CALIBRATIONS, QUICK, Charge, Option, Problem
from core.planning.questions import ContrastOfShares, Question, is_logarithmic, largest_cells
from core.planning.smaller_tables import smaller_table
from core.privacy import Epsilon, NeighbourRelation, Rho
from service.errors import InvalidRequest, error_location
from service.posteriors import strata, trials
from service.posteriors.events import asked_share, asked_shares
from service.posteriors.odds import about_a_fact
from service.posteriors.words import question_words
from service.releases.spec import loss_response
from service.schemas import plans as schema
from service.schemas.cell_names import SEPARATOR, CellNames, cross_table
from service.schemas.cells import CONTRAST_KINDS, Cells, ContrastQuestion, Share, ShareQuestion
from service.schemas.mechanisms import Mechanism, asked_by, record_of_calibration
from service.schemas.trials import TrialQuestion

_SHARES_WITHOUT_QUESTIONS: Final = 12
_SAVES: Final = 0.95
"""A smaller table is named if it needs at most this part of the charge."""
_NO_CASE: Final = (
    "must have at least one case, and one record that is not a case, in each group of a question: no interval contains "
    "a share of 0 or 1"
)
_NO_CASE_THERE: Final = "the guess has no case there, or only cases: no interval contains a share of 0 or 1"
_ON_REQUEST_REASON: Final = "planned only if `mechanisms` names it"
_FIGURES: Final = ("first_risk", "second_risk", *CONTRAST_KINDS)
_NOTE: Final = "Computed at your guess of the counts; no data set was read, and nothing was charged."
_NULL: Final = (
    " Your guess has no difference, so decisions are false ones, and the power is not known: state the share that you "
    "expect in each group."
)
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


def made_up(request: schema.PlanCreate, m: int) -> NDArray[np.int64]:
    """Return the made-up counts of the plan, shape (m,)."""
    match request.data:
        case schema.HypotheticalCounts(counts=counts):
            return np.array(counts, dtype=np.int64)
        case schema.ReferenceShape(shape=shape, record_count=n):
            prior = np.array(_prior(request, m))
            shares = {"even": np.ones(m), "falling": 1.0 / np.arange(1.0, m + 1.0), "prior_mean": prior}
            return of_shares(n, shares[shape])


def _prior(request: schema.PlanCreate, m: int) -> list[float]:
    return request.prior or [1.0] * m


def plan(request: schema.PlanCreate) -> schema.Plan:
    """Return a plan with every mechanism at each requested charge. Raises InvalidRequest."""
    names = _names(request)
    counts, prior = made_up(request, names.m), _prior(request, names.m)
    if not counts.any():
        raise InvalidRequest.at("data.counts", "the counts must hold at least one record")
    if request.merged is not None:
        with error_location("merged"):
            names = names.with_merged(names.merged(request.merged))
        counts, prior = np.array(names.added(counts.tolist()), dtype=np.int64), names.added(prior)
    asked, without_answer = _questions_with_answers(request, names, counts)
    charges: Sequence[Charge] = request.charges
    largest = schema.MAX_PLANNED_WIDTHS // len(asked)
    if len(charges) > largest:
        field = "epsilons" if request.rhos is None else "rhos"
        raise InvalidRequest.at(field, f"must be at most {largest} for {len(asked)} questions")
    selected, not_planned = _calibrations(request)
    problem = Problem(
        guess=Guess(
            counts,
            drawn=request.counts == "drawn",
            is_size_private=NeighbourRelation(request.relation) is NeighbourRelation.ADD_REMOVE,
        ),
        prior=tuple(prior),
        delta=request.delta,
        asked=[each.planned for each in asked],
        level=request.level,
        records=request.records_per_unit,
        has_errors=request.errors,
        calibrations=selected,
    )
    target = _target_of(request, problem)
    try:
        found = plans.plan(problem, charges, target)
    except EventError as error:
        raise InvalidRequest.at("", str(error)) from None
    refused = {
        each: next(option.refusal for option in found.points[-1].options if option.calibration is each)
        for each in selected
        if all(option.refusal for point in found.points for option in point.options if option.calibration is each)
    }
    return schema.Plan(
        level=request.level,
        accountant=request.accountant,
        without_noise=[
            schema.ExactInterval(
                name=question_words(each.asked) + ("" if each.stratum is None else f", {each.stratum}"),
                question=each.asked,
                stratum=each.stratum,
                guess=_value(each.planned.question, each.planned.guess),
                **_interval(each.planned.question, expected),
            )
            for each, expected in zip(asked, problem.exact, strict=True)
        ],
        strata_without_answer=without_answer,
        points=[
            schema.PlanPoint(
                **_charge(point.charge),
                options=[_option(problem, each) for each in point.options if each.calibration not in refused],
                recommended=None if point.recommended is None else _recommendation(problem, point.recommended),
                at_public_size=None if point.at_public_size is None else _option(problem, point.at_public_size),
            )
            for point in found.points
        ],
        suggested=_suggestion(problem, found),
        not_planned=[
            *(_unplanned_mechanism(problem, each, reason or "") for each, reason in refused.items()),
            *not_planned,
        ],
        smaller_tables=_smaller_tables(request, names, asked, problem, found) if not without_answer else [],
        target=None if target is None else _target(problem, found),
        protects=[
            schema.Protection(relation=each.value, statement=_PROTECTS[each])
            for each in dict.fromkeys((NeighbourRelation(request.relation), NeighbourRelation.REPLACE_ONE))
        ],
        note=_NOTE + (_NULL if any(each.is_null for each in problem.asked) else ""),
    )


def _smaller_tables(
    request: schema.PlanCreate, names: CellNames, asked: Sequence[_PlannedQuestion], problem: Problem, found: plans.Plan
) -> list[schema.SmallerTable]:
    """Return the tables that answer every question for less: of the attributes in the questions, and of the groups."""
    best = found.recommended or found.suggested or found.points[-1].recommended
    has_questions = request.questions or request.by or request.trial
    if not request.smaller_tables or request.merged is not None or not has_questions:
        return []
    if best is None or not best.option.intervals:
        return []
    groups, tables, least = names.told_apart(_sets_of(asked, names)), [], _SAVES * best.option.charge.units
    attributes = names.attributes_for(groups)
    margin = groups if attributes is None else tuple(tuple(sorted(each)) for each in names.groups(attributes).values())
    for of, table in ((attributes, margin), (None, groups)):
        smaller = smaller_table(problem, best.option, table) if len(table) < names.m else None
        if smaller is None or smaller.same_width.charge.units > least:
            continue
        least = _SAVES * smaller.same_width.charge.units
        tables.append(
            schema.SmallerTable(
                attributes=of,
                merged=names.sets_of(table),
                category_count=len(table),
                whole=_option(problem, best.option),
                same_charge=_option(smaller.problem, smaller.same_charge),
                same_width=_option(smaller.problem, smaller.same_width),
            )
        )
    return tables


def _sets_of(asked: Sequence[_PlannedQuestion], names: CellNames) -> list[CellSet]:
    """Return the sets of cells in the questions."""
    every, sets = frozenset(range(names.m)), list[CellSet]()
    for each in asked:
        question = each.question
        for share in (question.first, question.second) if isinstance(question, ContrastOfShares) else (question,):
            sets += [share.cells, share.given or every]
    return sets


def _calibrations(request: schema.PlanCreate) -> tuple[tuple[Calibration[Any], ...], list[schema.NotPlanned]]:
    """Return the calibrations to plan, and the mechanisms that a request must name. Raises InvalidRequest."""
    is_private = NeighbourRelation(request.relation) is NeighbourRelation.ADD_REMOVE
    every = AT_PRIVATE_N if is_private else CALIBRATIONS
    if request.mechanisms is None:
        quick = AT_PRIVATE_N if is_private else QUICK
        kinds = dict.fromkeys(record_of_calibration(each).kind for each in every if each not in quick)
        return quick, [schema.NotPlanned(kind=kind, calibration=None, reason=_ON_REQUEST_REASON) for kind in kinds]
    selected = tuple(each for each in every if record_of_calibration(each).kind in request.mechanisms)
    if not selected:
        raise InvalidRequest.at("mechanisms", f"must name a mechanism for the relation {request.relation}")
    return selected, []


def _target_of(request: schema.PlanCreate, problem: Problem) -> plans.Target | None:
    """Return the target, or None if there is none. Raises InvalidRequest."""
    if request.target_width is None and request.target_power is None and request.target_error is None:
        return None
    places = tuple(place for place, each in enumerate(problem.asked) if each.runs == RUNS)
    if request.trial is not None:
        after = len(request.questions) + _FIGURES.index(request.target_of or "ratio")
        places = (after,)
    width = request.target_width
    if width is not None:
        are_ratios = {is_logarithmic(problem.asked[place].question) for place in places}
        if len(are_ratios) > 1:
            raise InvalidRequest.at("target_width", "needs questions with one unit: ratios, or shares and differences")
        if True in are_ratios:
            if width <= 1.0:
                rule = "must be above 1 for a ratio: the upper end of its interval divided by the lower one"
                raise InvalidRequest.at("target_width", rule)
            width = math.log(width)
    if request.target_power is not None:
        if any(problem.asked[place].against is None for place in places):
            raise InvalidRequest.at("target_power", "needs `above` for a share: the value to compare it with")
        if any(problem.asked[place].is_null for place in places):
            raise InvalidRequest.at("target_power", "needs a guess that shows a difference")
    return plans.Target(width, request.target_power, request.target_error, places)


def _names(request: schema.PlanCreate) -> CellNames:
    """Return the names of the cells. Raises InvalidRequest."""
    labels = request.labels
    if request.impossible and request.attributes is None:
        raise InvalidRequest.at("impossible", "needs attributes: leave impossible labels out")
    stated = None if request.prior is None else len(request.prior)
    data = request.data
    m = len(data.counts) if isinstance(data, schema.HypotheticalCounts) else data.category_count or stated
    if request.attributes is not None:
        names = cross_table(request.attributes, request.impossible, None if labels is None else frozenset(labels))
        if labels is not None and list(names.labels) != labels:
            rule = f"must be the possible combinations of levels, joined by '{SEPARATOR}', in the order of the table"
            raise InvalidRequest.at("labels", rule)
    elif labels is None and m is None:
        raise InvalidRequest.at("data.category_count", "is needed without labels, attributes and prior")
    else:
        names = CellNames(labels or [str(position) for position in range(m or 0)])
    if m is not None and names.m != m:
        field = "prior" if stated is not None and stated != names.m else "data"
        raise InvalidRequest.at(field, "must have one number for each label, or possible cell")
    return names


@dataclass(frozen=True, slots=True)
class _Question:
    """A question of a plan: as it was asked, by cell numbers, and the stratum in which it is asked."""

    asked: ShareQuestion | ContrastQuestion
    question: Question
    stratum: str | None = None


@dataclass(frozen=True, slots=True)
class _PlannedQuestion(_Question):
    planned: Asked = field(kw_only=True)


def _questions_with_answers(
    request: schema.PlanCreate, names: CellNames, counts: NDArray[np.int64]
) -> tuple[list[_PlannedQuestion], list[schema.StratumWithoutAnswer]]:
    """Return the questions of a plan, and the strata without an answer. Raises InvalidRequest."""
    asked: list[_PlannedQuestion] = []
    without: list[schema.StratumWithoutAnswer] = []
    for each in _questions(request, names, counts):
        runs = RUNS if each.stratum is None else RUNS_OF_STRATA
        if (planned := Asked.at(each.question, counts, request.above, runs)) is not None:
            asked.append(_PlannedQuestion(each.asked, each.question, each.stratum, planned=planned))
        elif each.stratum is None:
            raise InvalidRequest.at("data", _NO_CASE)
        else:
            without.append(schema.StratumWithoutAnswer(label=each.stratum, reason=_NO_CASE_THERE))
    if not asked:
        raise InvalidRequest.at("data", _NO_CASE)
    if request.by is not None:
        impossible = [each for each in strata.strata_of(request.by, names) if each.reason is not None]
        without += [schema.StratumWithoutAnswer(label=each.label, reason=each.reason or "") for each in impossible]
    return asked, without


def _questions(request: schema.PlanCreate, names: CellNames, counts: NDArray[np.int64]) -> Iterator[_Question]:
    """Yield the questions of a plan. Raises InvalidRequest."""
    for index, each in enumerate(request.questions):
        with error_location(f"questions[{index}]"):
            yield _question_of_all_records(each, names)
    if request.trial is not None:
        with error_location("trial"):
            trials.check(request.trial, names)
            if request.trial.about == "records":
                raise InvalidRequest.at("about", "must be left out: a plan is about the population")
        for each in _questions_of(request.trial):
            yield _question_of_all_records(each, names)
    if request.by is not None:
        asked = request.by.question
        with error_location("by"):
            found = strata.strata_of(request.by, names, most=schema.MAX_PLANNED_STRATA)
            if request.by.standard is not None:
                raise InvalidRequest.at("standard", "must be left out: a plan is not adjusted")
        yield _question_of_all_records(asked, names)
        for stratum in found:
            if stratum.reason is None:
                yield _Question(asked, _question(asked, stratum.shares, names), stratum.label)
    if request.by is None and request.trial is None and not request.questions:
        n = int(counts.sum())
        for cell in largest_cells(counts, _SHARES_WITHOUT_QUESTIONS):
            if 0 < counts[cell] < n:
                yield _question_of_all_records(
                    ShareQuestion(kind="share", of=Cells(labels=names.labels_in(cell))), names
                )


def _question_of_all_records(asked: ShareQuestion | ContrastQuestion, names: CellNames) -> _Question:
    shares = (asked_share(asked, names),) if isinstance(asked, ShareQuestion) else asked_shares(asked, names)
    return _Question(asked, _question(asked, shares, names))


def _questions_of(trial: TrialQuestion) -> list[ShareQuestion | ContrastQuestion]:
    """Return the questions that a trial is planned as."""
    first, second = (Share(of=trial.outcome, within=group) for group in (trial.first, trial.second))
    risks = [ShareQuestion(kind="share", of=each.of, within=each.within) for each in (first, second)]
    contrasts = [ContrastQuestion(kind=kind, first=first, second=second) for kind in CONTRAST_KINDS]
    return [*risks, *contrasts]


def _question(asked: ShareQuestion | ContrastQuestion, shares: Sequence[events.Share], names: CellNames) -> Question:
    """Return a question by cell numbers."""
    if isinstance(asked, ShareQuestion):
        return _planned_share(shares[0], names)
    first, second = (_planned_share(each, names) for each in shares)
    return ContrastOfShares(first, second, scales.Contrast(asked.kind))


def _planned_share(share: events.Share, names: CellNames) -> events.Share:
    """Return the share with its cells inside its base, and without a base of all cells."""
    if share.given is None or len(share.given) == names.m:
        return events.Share(share.cells)
    return events.Share(share.cells & share.given, share.given)


def _value(question: Question, value: float) -> float:
    return math.exp(value) if is_logarithmic(question) else value


def _interval(question: Question, expected: Expected) -> dict[str, Any]:
    return {
        "width": expected.width,
        "upper_over_lower": math.exp(min(expected.width, scales.MAX_LOG)) if is_logarithmic(question) else None,
        "low": _value(question, expected.low),
        "high": _value(question, expected.high),
        "contains": expected.contains,
        "decides": expected.decides,
        "runs": expected.runs,
    }


def _charge(charge: Charge | None) -> dict[str, Any]:
    return {
        "epsilon": charge if isinstance(charge, Epsilon) else None,
        "rho": charge if isinstance(charge, Rho) else None,
    }


def _option(problem: Problem, option: Option) -> schema.PlanOption:
    certificate = option.certificate
    asked = None if option.asked is None else _asked_mechanism(problem, option.calibration, option.asked)
    return schema.PlanOption(
        kind=record_of_calibration(option.calibration).kind,
        calibration=_name_of(problem, option.calibration),
        mechanism=None if option.event is None else asked,
        unavailable_reason=option.refusal,
        certified=None if certificate is None else loss_response(certificate.loss),
        odds=None if certificate is None else _odds(certificate),
        statement=None if certificate is None else certificate.statement,
        intervals=[
            schema.ExpectedInterval(standard_error=each.width_error, **_interval(of.question, each))
            for of, each in zip(problem.asked, option.intervals, strict=False)
        ],
        intervals_unavailable_reason=option.unknown,
        error=None
        if option.error is None
        else schema.HellingerError(**asdict(option.error), quantile_95=option.error.quantile(0.95)),
    )


def _odds(certificate: Certificate) -> float:
    """Return the largest factor by which odds of a fact about a unit can rise."""
    of_fact, _ = about_a_fact(Decimal(str(certificate.loss.epsilon)), Decimal(0), certificate.relation.value)
    return math.exp(of_fact)


def _asked_mechanism(problem: Problem, calibration: Calibration[Any], amount: Charge) -> Mechanism | None:
    """Return the request by a calibration, whether it can run or not, or None if it needs a positive delta."""
    if isinstance(amount, Epsilon):
        return asked_by(calibration, amount, problem.delta, len(problem.prior))
    record = record_of_calibration(calibration)
    asked: Mechanism = record.schema(kind=record.kind, rho=amount, delta=problem.delta)
    return asked


def _name_of(problem: Problem, calibration: Calibration[Any]) -> str | None:
    """Return the `calibration` of a request, or None if the kind has only one."""
    name: str | None = getattr(_asked_mechanism(problem, calibration, MIN_EPSILON), "calibration", None)
    return name


def _unplanned_mechanism(problem: Problem, calibration: Calibration[Any], reason: str) -> schema.NotPlanned:
    return schema.NotPlanned(
        kind=record_of_calibration(calibration).kind, calibration=_name_of(problem, calibration), reason=reason
    )


def _recommendation(problem: Problem, found: plans.Recommendation) -> schema.Recommendation:
    assert found.option.asked is not None, "what is recommended can run"
    mechanism = _asked_mechanism(problem, found.option.calibration, found.option.asked)
    assert mechanism is not None, "what is recommended can run"
    return schema.Recommendation(
        kind=record_of_calibration(found.option.calibration).kind, mechanism=mechanism, reason=found.why
    )


def _suggestion(problem: Problem, found: plans.Plan) -> schema.Suggestion:
    if found.suggested is None:
        return schema.Suggestion(**_charge(None), kind=None, mechanism=None, reason=found.why_none or "")
    return schema.Suggestion(
        **_charge(found.suggested.option.charge), **dict(_recommendation(problem, found.suggested))
    )


def _target(problem: Problem, found: plans.Plan) -> schema.Target:
    return schema.Target(
        unreachable_reason=found.unreachable,
        reached=[
            schema.ReachedTarget(
                **_charge(None if each.option is None else each.option.charge),
                kind=record_of_calibration(each.calibration).kind,
                calibration=_name_of(problem, each.calibration),
                option=None if each.option is None else _option(problem, each.option),
                reason=each.reason,
            )
            for each in found.reached
        ],
        recommended=None if found.recommended is None else _recommendation(problem, found.recommended),
    )
