"""Plan which rows to measure so that queries are answered with the requested precision, and keep the plan as a spec.

The plan uses public facts only: the queries, the releases that the caller may read, and the rows that the payer of the
next measurement has paid for on the data set, with the remaining amount. The payer has paid for

- all rows, if the caller is the owner; the remainder is that of the budget
- the rows of their own grant, if the caller holds one; the remainder is that of the grant

A grant's holder sees the rows of others only if the owner shares the data set's history. The plan is a computation from
text to text, so that it can run in a separate process.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import lcm
from typing import Any, Final, NamedTuple, Self, TypeAlias

from pydantic_core import to_json
from sqlalchemy import Connection, func, select

from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import MAX_COLUMNS, JointLoss, Row, RowLoss
from core.cells import indicator
from core.certificate import Certificate
from core.mechanisms.catalogue import LINEAR
from core.mechanisms.event import EventError
from core.mechanisms.linear import MAX_ROWS, LinearAnswers, certify
from core.privacy import NeighbourRelation
from core.queries.choice import cheaper_row
from core.queries.estimator import Query, QueryEstimate, estimate
from core.queries.history import History, HistoryError
from core.queries.payer import Payer
from core.queries.search import achieved_half_width, least_rate, max_rate
from service.channels.events import event_from_json, event_to_json
from service.database import costs
from service.database.rows import BudgetRow, DatasetRow, fetch_one
from service.database.tables import NOTHING_MEASURED, budgets, grants, query_charges
from service.datasets.grants import caller_limits, may_measure
from service.errors import InvalidRequest, error_location
from service.ledger.joint_costs import read_rows
from service.ledger.outcomes import SIGNED_OUTCOME
from service.ledger.query_debit import remaining_for_queries
from service.principals.auth import Caller
from service.queries.readable_history import KnownRelease, history_of
from service.releases import access as release_access
from service.schemas import queries as schema
from service.schemas.cell_names import CellNames
from service.schemas.cells import of_json


class ErrorSize(NamedTuple):
    """The standard deviation of an answer's error, and the half width of its interval before the slack of grids and
    rounding.

    Neither depends on the drawn values. Computing them can take a tenth of a second.
    """

    deviation: float
    half_width: float

    @classmethod
    def of(cls, found: QueryEstimate, confidence: float) -> Self:
        return cls(found.deviation, found.distribution.half_width(confidence))


@dataclass(frozen=True, slots=True)
class QuerySpec:
    """The request as plain JSON, public facts of the data set, the ids of the releases used, and the event that
    measures.

    `event` is None if nothing is measured.
    """

    request: dict[str, Any]
    labels: list[str]
    attributes: list[dict[str, Any]] | None
    """Attributes of a cross table, as plain JSON."""
    unit: str
    records_per_unit: int
    record_count: int | None
    accountant: Accountant
    rests_on: list[str]
    """Ids of the releases used, in the order in which they are added to the history."""
    event: LinearAnswers | None
    numbers: int
    """Upper bound of the numbers in the answers: weights, covariances and the fields of each estimate."""
    errors: list[ErrorSize]
    """One for each answer."""

    @property
    def certificate(self) -> Certificate | None:
        return None if self.event is None else certify(self.event)

    @property
    def names(self) -> CellNames:
        return CellNames(self.labels, of_json(self.attributes))

    def to_json(self) -> str:
        """Return the stored text.

        Its format never changes, because a later version may have to draw a release that was paid before a crash.
        """
        content = {
            "kind": "query",
            "request": self.request,
            "labels": self.labels,
            "attributes": self.attributes,
            "unit": self.unit,
            "records_per_unit": self.records_per_unit,
            "record_count": self.record_count,
            "accountant": self.accountant.value,
            "rests_on": self.rests_on,
            "numbers": self.numbers,
            "event": None if self.event is None else event_to_json(self.event),
            "certificate": None if self.certificate is None else self.certificate.to_json(),
            "errors": self.errors,
            **SIGNED_OUTCOME,
        }
        return to_json(content).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Parse the text that `to_json` wrote."""
        stored: dict[str, Any] = json.loads(text)
        return cls(
            request=stored["request"],
            labels=stored["labels"],
            attributes=stored["attributes"],
            unit=stored["unit"],
            records_per_unit=stored["records_per_unit"],
            record_count=stored["record_count"],
            accountant=Accountant(stored["accountant"]),
            rests_on=stored["rests_on"],
            numbers=stored["numbers"],
            event=None if stored["event"] is None else event_from_json(stored["event"], (LINEAR,)),
            errors=[ErrorSize(*each) for each in stored["errors"]],
        )


_MAX_CHARACTERS: Final = 4_000_000
_MAX_WORK: Final = 10**8
"""Limit of work, in rows times the square of columns: about a second."""

PayerFacts: TypeAlias = dict[str, Any]
"""Plain JSON with these members:

- `paid`: list of stored rows and of the flags that say which were charged by themselves; None if there are too many
- `left`: remaining amount in units
- `release_cap`: cap of one release in units, or None
- `measuring_allowed`: whether the budget allows measuring
"""


def read_payer(connection: Connection, caller: Caller, dataset: DatasetRow) -> PayerFacts:
    """Return the facts that determine the caller's next charge for rows, limited to those that the caller may see."""
    budget_row = fetch_one(connection, BudgetRow, select(budgets).where(budgets.c.id == dataset.budget_id))
    budget, grant = caller_limits(connection, caller, dataset, budget_row)
    dimension = costs.main_dimension(Accountant(dataset.accountant))
    cap = budget.release_cap
    return {
        "paid": _paid_queries(connection, caller, dataset),
        "left": getattr(remaining_for_queries(budget, grant), dimension).units,
        "release_cap": None if cap is None else getattr(cap, dimension).units,
        "measuring_allowed": may_measure(connection, caller, dataset, budget, grant),
    }


def _paid_queries(connection: Connection, caller: Caller, dataset: DatasetRow) -> list[tuple[str, str]] | None:
    of_payer = (query_charges.c.dataset_id == dataset.id) & (query_charges.c.measured != NOTHING_MEASURED)
    # If the history is shared, a grant is charged the same as the budget.
    if dataset.owner_id != caller.principal_id and not release_access.is_shared_with(connection, caller, dataset):
        held = select(grants.c.id).where(
            grants.c.dataset_id == dataset.id, grants.c.principal_id == caller.principal_id
        )
        of_payer &= query_charges.c.grant_id.in_(held)
    length = connection.execute(select(func.sum(func.length(query_charges.c.measured))).where(of_payer)).scalar()
    if length is not None and length > _MAX_CHARACTERS:
        return None
    rows = select(query_charges.c.measured, query_charges.c.apart).where(of_payer).order_by(query_charges.c.sequence)
    return [(measured, separate) for measured, separate in connection.execute(rows)]


def payer_of(facts: PayerFacts, dataset: DatasetRow) -> Payer | None:
    """Return the payer with the joint loss of the rows paid for, or None if there are too many rows."""
    if facts["paid"] is None:
        return None
    accountant = Accountant(dataset.accountant)
    joint, work = JointLoss(dataset.category_count), 0
    for measured, separate in facts["paid"]:
        for row, by_itself in zip(read_rows(measured), json.loads(separate), strict=True):
            work += (joint.columns + 1) ** 2
            if work > _MAX_WORK:
                return None
            joint.add(RowLoss.of(row, accountant), apart=by_itself)
    return Payer(joint, accountant, dataset.records_per_unit, facts["release_cap"])


_DENOMINATOR = 10**schema.WEIGHT_DIGITS


def read_queries(asked: Sequence[schema.Query], names: CellNames, n: int | None) -> list[Query]:
    """Return the queries over these cells of a table of n records, or of a private number of records if n is None.

    Raises InvalidRequest if a query names an unknown category.
    """
    cells, relation = names.numbers(), NeighbourRelation.at_size(n)
    found = []
    for index, query in enumerate(asked):
        with error_location(f"queries[{index}]"):
            found.append(_parse_query(query, names, cells, relation))
    return found


def _parse_query(asked: schema.Query, names: CellNames, cells: dict[str, int], relation: NeighbourRelation) -> Query:
    m = len(cells)
    if asked.of is not None:
        with error_location("of"):
            return Query(tuple(indicator(names.named(asked.of), m).tolist()), relation=relation)
    assert asked.weights is not None, "a query has either"
    if isinstance(asked.weights, dict):
        if not cells.keys() >= asked.weights.keys():
            raise InvalidRequest.at("weights", "names a label that this data set does not have")
        given = {cells[label]: weight for label, weight in asked.weights.items()}
        weights = [given.get(cell, Decimal(0)) for cell in range(m)]
    else:
        weights = list(asked.weights)
        if len(weights) != m:
            raise InvalidRequest.at("weights", "must have one number for each category of the data set")
    return Query(tuple(int(weight * _DENOMINATOR) for weight in weights), _DENOMINATOR, relation)


_MAX_PAIRS: Final = 2_000_000
"""Limit of rows times the square of columns that one request measures: pricing them takes up to half a second."""
_NUMBERS_EACH: Final = 40
"""Numbers of one answer in the response, apart from weights and covariances."""
_MAX_NUMBERS: Final = 200_000
_PASSES: Final = 2
_MAX_CHOICES: Final = 20
"""Rows of one request that are optimized for cost, at up to a third of a second each. Further rows are the queries
themselves.
"""
_QUICK_WORK: Final = 4_000
"""Limit of work in `most_quick_rows`: about 25 ms of one core."""


def most_quick_rows(m: int, queries: int) -> int:
    """Return the number of rows of the longest history with which `queries` queries are planned in about 25 ms.

    It is negative if even an empty history takes longer. The estimate uses public sizes only: each query adds a row and
    reads all rows.
    """
    return _QUICK_WORK // ((m + 100) * queries) - queries


def most_rows(m: int, queries: int) -> int:
    """Return the largest number of rows over m cells that one request with `queries` half widths may measure."""
    return min(MAX_ROWS, _MAX_PAIRS // min(m, MAX_COLUMNS) ** 2, _PASSES * queries)


def inputs(dataset: DatasetRow, document: dict[str, Any], releases: list[KnownRelease], payer: PayerFacts) -> str:
    """Return the JSON input of `ordered`."""
    return json.dumps({"dataset": dataset, "request": document, "known": releases, "payer": payer})


def ordered(text: str) -> str:
    """Computation: return the JSON text of a request's QuerySpec. Raises InvalidRequest."""
    content = json.loads(text)
    dataset = DatasetRow(*content["dataset"])
    return spec_of(dataset, content["request"], content["known"], payer_of(content["payer"], dataset)).to_json()


def spec_of(
    dataset: DatasetRow, document: dict[str, Any], releases: list[KnownRelease], payer: Payer | None
) -> QuerySpec:
    """Return the spec of a request: the rows to measure, and the public facts needed to compose the answers.

    Raises InvalidRequest. Refusals depend on public facts only, so they disclose nothing about the counts.
    """
    body = schema.QueryCreate.model_validate(document | {"kind": "queries"})
    queries = read_queries(body.queries, CellNames.of_texts(dataset.labels, dataset.attributes), dataset.record_count)
    known = history_of(dataset.record_count, dataset.category_count, releases)
    if len(known.history) * len(queries) > _MAX_NUMBERS:
        raise InvalidRequest.at("queries", f"must be fewer: the answers would have more than {_MAX_NUMBERS} weights")
    measured = rows_to_measure(body, queries, known.history, payer)
    try:
        event = None if not measured else event_of(dataset, measured)
    except EventError as error:
        raise InvalidRequest.at("queries", str(error)) from None
    return QuerySpec(
        request=document,
        labels=json.loads(dataset.labels),
        attributes=None if dataset.attributes is None else json.loads(dataset.attributes),
        unit=dataset.unit,
        records_per_unit=dataset.records_per_unit,
        record_count=dataset.record_count,
        accountant=Accountant(dataset.accountant),
        rests_on=known.release_ids,
        event=event,
        numbers=len(queries) * (len(known.history) + len(measured) + len(queries) + _NUMBERS_EACH),
        errors=_errors(body, queries, known.history, event),
    )


def _errors(
    body: schema.QueryCreate, queries: list[Query], known: History, event: LinearAnswers | None
) -> list[ErrorSize]:
    """Return the size of each answer's error.

    It is known before the draw, because it does not depend on the drawn values.
    """
    history = known.copy()
    for row in () if event is None else event.measured:
        history.add_answer(row, Fraction(0), "")
    found = [estimate(history, query) for query in queries]
    return [
        ErrorSize.of(each, asked.confidence)
        for asked, each in zip(body.queries, found, strict=True)
        if each is not None  # always true: the measured rows determine every query
    ]


def rows_to_measure(
    body: schema.QueryCreate,
    queries: list[Query],
    known: History,
    payer: Payer | None,
    estimates: Sequence[QueryEstimate | None] | None = None,
) -> list[Row]:
    """Return the rows to measure. With a payer, a cheaper row may replace a query; without one, each row is the query.

    `estimates` are the estimates of the queries from `known`, if they were computed before.

    A query gets a row if the history and the rows for earlier queries do not give its requested half width.
    """
    history, measured, rest = known.copy(), list[Row](), payer
    most = most_rows(known.m, MAX_ROWS)
    for _ in range(_PASSES):
        before = len(measured)
        for index, (asked, query) in enumerate(zip(body.queries, queries, strict=True)):
            with error_location(f"queries[{index}]"):
                found = estimate(history, query) if measured or estimates is None else estimates[index]
                row = _row_for(asked, query, found, history, rest)
                if row is None:
                    continue
                if len(measured) == most:
                    raise InvalidRequest.at(
                        "", f"would be one row too many: a request measures at most {most} over these cells"
                    )
                try:
                    # The precision of an estimate does not depend on the drawn value.
                    history.add_answer(row, Fraction(0), "")
                except HistoryError as error:
                    raise InvalidRequest.at("", str(error)) from None
                measured.append(row)
                rest = None if rest is None or len(measured) >= _MAX_CHOICES else rest.after(row)
        # A row for a later query changes earlier estimates. Their variance falls, but in rare cases their interval gets
        # wider. So a second pass checks them again.
        if len(queries) == 1 or len(measured) == before:
            break
    return measured


def _row_for(
    asked: schema.Query, query: Query, found: QueryEstimate | None, history: History, payer: Payer | None
) -> Row | None:
    """Return the row to measure for one query, or None if its estimate from the history is precise enough.

    Raises InvalidRequest.
    """
    if asked.half_width is None:
        if found is None:
            raise InvalidRequest.at("half_width", "is required if earlier releases can't answer the query")
        return None
    if found is not None and found.is_precise(found.half_width(asked.confidence), asked.half_width):
        return None
    search = least_rate(history, found, query, asked.half_width, asked.confidence)
    if search is None:
        least = achieved_half_width(history, found, query, max_rate(query), asked.confidence)
        rule = f"is smaller than the largest rate of noise reaches, which is {least:.6g}"
        raise InvalidRequest.at("half_width", rule)
    if payer is None:
        return search.row
    return cheaper_row(history, payer, query, search, asked.half_width, asked.confidence).row


def event_of(dataset: DatasetRow, rows: list[Row]) -> LinearAnswers:
    """Return the event that measures these rows, of which there is at least one.

    Raises EventError beyond its limits.
    """
    common = lcm(*(row.denominator for row in rows))
    whole = tuple(tuple(value * (common // row.denominator) for value in row.coefficients) for row in rows)
    rates = tuple(row.rate for row in rows)
    return LinearAnswers(
        dataset.record_count, dataset.category_count, common, whole, rates, records_per_unit=dataset.records_per_unit
    )
