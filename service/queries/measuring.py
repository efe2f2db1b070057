"""Plan which rows to measure so that queries are answered with the requested precision. The plan uses public facts
only. It is a computation from text to text, so that it can run in a separate process.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final

from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import MAX_COLUMNS, Row
from core.mechanisms.event import EventError
from core.mechanisms.linear import MAX_ROWS, LinearAnswers
from core.queries.choice import cheaper_row
from core.queries.estimator import Query, QueryEstimate, estimate
from core.queries.history import History, HistoryError
from core.queries.payer import Payer
from core.queries.search import achieved_half_width, least_rate, max_rate
from service.database.rows import DatasetRow
from service.errors import InvalidRequest, error_location
from service.queries.paid_rows import PayerFacts, payer_of
from service.queries.query_parsing import read_queries
from service.queries.readable_history import KnownRelease, history_of
from service.queries.spec import ErrorSize, QuerySpec
from service.schemas import queries as schema
from service.schemas.cell_names import CellNames

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
    body = schema.QueryCreate.model_validate(document)
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
    body: schema.QueryQuoteCreate,
    queries: list[Query],
    known: History,
    payer: Payer | None,
    estimates: Sequence[QueryEstimate | None] | None = None,
) -> list[Row]:
    """Return the rows to measure. With a payer, a cheaper row may replace a query; without one, each row is the query.

    `estimates` are those of the queries from `known`, if they were computed before.

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
