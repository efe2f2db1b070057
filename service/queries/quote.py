"""Answers queries from what was already released, and says which one release would answer all. Free, whatever is
asked.
"""

from __future__ import annotations

import json
from decimal import ROUND_CEILING, Context, Decimal

import numpy as np
from sqlalchemy import Connection

from core.accounting.pairwise_loss import JointLoss, cost_of_units
from core.mechanisms.event import MAX_EPSILON, EventError
from core.privacy import Epsilon
from core.queries.error_distribution import StepDistribution
from core.queries.estimator import Query, QueryEstimate, covariance, estimate
from core.queries.history import History
from core.queries.noise import MIN_RATE, SimplexGeometricNoise
from core.queries.payer import Payer
from service.auth import Caller, Role
from service.cells import CellNames
from service.database.rows import DatasetRow
from service.datasets import datasets as dataset_use_case
from service.errors import InvalidRequest
from service.jobs.jobs import Order
from service.queries.asked import read_queries
from service.queries.constraints import Constraints
from service.queries.known import Known, history_of, read_known
from service.queries.measuring import event_of, rows_to_measure
from service.queries.payer import PayerFacts, payer_of, read_payer
from service.queries.reach import half_widths
from service.queries.spec import ErrorSize
from service.schemas import queries as schema
from service.schemas.amounts import Amount, amount

_MAX_NUMBERS = 200_000
"""How many numbers a response may hold: weights of many categories and queries add up."""
_NEGLIGIBLE = 1e-12
_FEW_CELLS = 40
"""Up to so many, narrow peaks of the noise are looked at closely."""
_STEPS = 40


def ordered(connection: Connection, caller: Caller, dataset_id: str, body: schema.QueryQuoteCreate) -> Order:
    """The quote of these queries, as the computation `quoted` takes it: from the releases that the caller may read.
    Raises NotFound and RoleNotAllowed.
    """
    caller.require(Role.OWNER, Role.ANALYST)
    dataset = dataset_use_case.visible(connection, caller, dataset_id)
    known, payer = read_known(connection, caller, dataset), read_payer(connection, caller, dataset)
    content = {"dataset": dataset, "known": known, "request": body.model_dump_json(), "payer": payer}
    return Order(json.dumps(content))


def quoted(text: str) -> str:
    """A computation: the JSON text of a QueryQuote, what the releases that a caller may read say of queries. Raises
    InvalidRequest.
    """
    content = json.loads(text)
    dataset = DatasetRow(*content["dataset"])
    known = history_of(dataset.record_count, dataset.category_count, content["known"])
    body = schema.QueryQuoteCreate.model_validate_json(content["request"])
    queries = read_queries(body.queries, CellNames.of_texts(dataset.labels, dataset.attributes))
    return _quote(body, queries, known, dataset, content["payer"]).model_dump_json()


def _quote(
    body: schema.QueryQuoteCreate, queries: list[Query], known: Known, dataset: DatasetRow, facts: PayerFacts
) -> schema.QueryQuote:
    if len(known.history) * len(queries) > _MAX_NUMBERS:
        raise InvalidRequest.at(
            "queries", f"must be fewer: they and what they are answered from have more than {_MAX_NUMBERS} weights"
        )
    found = [estimate(known.history, query) for query in queries]
    seen = [each for each in found if each is not None]
    payer = payer_of(facts, dataset)
    achievable_half_width = half_widths(body.queries, queries, found, known.history, facts, payer)
    would_charge, standalone_cost = _prices(
        body, queries, known.history, dataset, payer, measuring_allowed=facts["measuring_allowed"]
    )
    constraints = Constraints.of(body, known, pooled_anyway=True)
    answers = [
        answer(asked, query, each, known.history, constraints)
        for asked, query, each in zip(body.queries, queries, found, strict=True)
    ]
    return schema.QueryQuote(
        answers=[
            told.model_copy(update={"achievable_half_width": half})
            for told, half in zip(answers, achievable_half_width, strict=True)
        ],
        covariance=covariance(known.history, seen).tolist() if len(seen) == len(found) else None,
        would_charge=would_charge,
        standalone_cost=standalone_cost,
        one_release_for_all=_one_release_for_all(body, queries, known.history.m, dataset.records_per_unit),
        excluded_releases=known.excluded_releases,
    )


def _prices(
    body: schema.QueryQuoteCreate,
    queries: list[Query],
    history: History,
    dataset: DatasetRow,
    payer: Payer | None,
    *,
    measuring_allowed: bool,
) -> tuple[Amount, Amount] | tuple[None, None]:
    """What answering all queries would be charged, and what the rows for that would cost alone; nothing where they
    can't be measured, or too many rows are paid for to look at.
    """
    if payer is None:
        return None, None
    try:
        rows = rows_to_measure(body, queries, history, payer)
        measured = event_of(dataset, rows).measured if rows else ()
    except (InvalidRequest, EventError):
        return None, None
    if rows and not measuring_allowed:
        return None, None
    together, alone = payer, Payer(JointLoss(history.m), payer.accountant, payer.records)
    for row in measured:
        together, alone = together.after(row), alone.after(row)
    rise = together.joint.units - payer.joint.units
    charged, by_itself = (cost_of_units(payer.accountant, units) for units in (rise, alone.joint.units))
    return amount(payer.accountant, charged), amount(payer.accountant, by_itself)


def answer(
    asked: schema.Query,
    query: Query,
    found: QueryEstimate | None,
    history: History,
    constraints: Constraints,
    error: ErrorSize | None = None,
) -> schema.QuoteAnswer:
    """The estimate as it is told. `error`: of the estimate, where it was found before."""
    if found is None:
        return schema.QuoteAnswer(from_history=None, meets_half_width=False)
    error = ErrorSize.of(found, asked.confidence) if error is None else error
    half, wanted = error.half_width + found.slack, asked.half_width
    least = _NEGLIGIBLE * float(np.abs(found.weights).max(initial=0.0))
    used: dict[str, list[float]] = {}
    for part in history.parts:
        weights = np.where(np.abs(found.weights[part.rows]) <= least, 0.0, found.weights[part.rows])
        used.setdefault(part.name.partition("/")[0], []).extend(weights.tolist())
    told = schema.QueryEstimate(
        estimate=found.estimate,
        standard_deviation=error.deviation,
        interval=schema.QueryInterval(
            low=found.estimate - half, high=found.estimate + half, half_width=half, confidence=asked.confidence
        ),
        probability=None if asked.between is None else found.probability(asked.between.low, asked.between.high),
        used=[schema.UsedRelease(release_id=name, weights=each) for name, each in used.items() if any(each)],
        with_constraints=constraints.answer(asked, query, half),
    )
    return schema.QuoteAnswer(from_history=told, meets_half_width=wanted is None or half <= wanted)


def _one_release_for_all(
    body: schema.QueryQuoteCreate, queries: list[Query], m: int, records_per_unit: int
) -> Epsilon | None:
    """The least epsilon, to three digits, at which half of the categories, the set that is told worst, is counted as
    precisely as is asked of any query.

    None where a query is not the count of a set: nothing as simple bounds its interval.
    """
    wanted = [
        (asked.half_width / float(query.scale), asked.confidence)
        for asked, query in zip(body.queries, queries, strict=True)
        if asked.half_width is not None and query.constant is None
    ]
    if not wanted or any(len(set(query.coefficients)) > 2 for query in queries):
        return None

    def reaches(epsilon: float) -> bool:
        law = StepDistribution(1.0, SimplexGeometricNoise(epsilon / (2 * records_per_unit), m).sum_distribution(m // 2))
        return all(law.half_width(confidence) <= half for half, confidence in wanted)

    low, high = 2 * MIN_RATE * records_per_unit, float(MAX_EPSILON)
    if not reaches(high):
        return None
    for _ in range(_STEPS):
        if reaches(low):
            high = low
            break
        middle = (low * high) ** 0.5
        low, high = (low, middle) if reaches(middle) else (middle, high)
        if high / low < 1.001:
            break
    # Three digits, rounded up.
    return Epsilon.ceil(Decimal(high).normalize(Context(prec=3, rounding=ROUND_CEILING)))
