"""Answer queries from existing releases, and price their measurement. A quote is always free."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

import numpy as np
from sqlalchemy import Connection

from core.accounting.pairwise_loss import JointLoss, cost_of_units
from core.mechanisms.event import EventError
from core.queries.achievable_width import achievable_half_width
from core.queries.error_distribution import LaplaceSum
from core.queries.estimator import Query, QueryEstimate, covariance, estimate
from core.queries.history import History
from core.queries.payer import Payer
from service.database import costs
from service.database.rows import DatasetRow
from service.datasets import datasets as dataset_use_case
from service.errors import ComputationTooLarge, InvalidRequest
from service.principals.auth import Caller
from service.queries.measuring import (
    ErrorSize,
    PayerFacts,
    event_of,
    payer_of,
    read_payer,
    read_queries,
    rows_to_measure,
)
from service.queries.readable_history import ReadableHistory, history_of, read_known
from service.runtime.jobs import JobInput
from service.runtime.key_file import InstalledKeys
from service.schemas import queries as schema
from service.schemas.cell_names import CellNames
from service.schemas.model import Amount, amount
from service.schemas.principals import Role

_MAX_NUMBERS = 200_000
"""Limit of weights in a response: rows of the history times queries."""
_NEGLIGIBLE = 1e-12
_MAX_WORK: Final = 4 * 10**8
"""Limit of work of one request, in pairs of columns: a few seconds."""
_EVALUATIONS: Final = 40
"""Evaluations of the joint loss in one search."""
_SLOW_DISTRIBUTION: Final = 10**8
"""Work of an error distribution that includes noise of released counts, in pairs of columns: a tenth of a second."""


def ordered(
    connection: Connection, caller: Caller, dataset_id: str, body: schema.QueryQuoteCreate, keys: InstalledKeys
) -> JobInput:
    """Return the input of the `quoted` computation, including the releases that the caller may read.

    Raises NotFound and RoleNotAllowed.
    """
    caller.require(Role.OWNER, Role.ANALYST)
    dataset = dataset_use_case.visible(connection, caller, dataset_id)
    known, payer = read_known(connection, caller, dataset, keys), read_payer(connection, caller, dataset)
    content = {"dataset": dataset, "known": known, "request": body.model_dump_json(), "payer": payer}
    return JobInput(json.dumps(content))


def quoted(text: str) -> str:
    """Computation: return the JSON text of a QueryQuote. Raises InvalidRequest."""
    content = json.loads(text)
    dataset = DatasetRow(*content["dataset"])
    known = history_of(dataset.record_count, dataset.category_count, content["known"])
    body = schema.QueryQuoteCreate.model_validate_json(content["request"])
    queries = read_queries(body.queries, CellNames.of_texts(dataset.labels, dataset.attributes), dataset.record_count)
    return _quote(body, queries, known, dataset, content["payer"]).model_dump_json()


def _quote(
    body: schema.QueryQuoteCreate, queries: list[Query], known: ReadableHistory, dataset: DatasetRow, facts: PayerFacts
) -> schema.QueryQuote:
    if len(known.history) * len(queries) > _MAX_NUMBERS:
        raise InvalidRequest.at(
            "queries",
            f"must be fewer: the answers would have more than {_MAX_NUMBERS} weights",
        )
    found = [estimate(known.history, query) for query in queries]
    seen = [each for each in found if each is not None]
    payer = payer_of(facts, dataset)
    achievable_half_width = _achievable_half_widths(body.queries, queries, found, known.history, facts, payer)
    would_charge, standalone_cost = _prices(
        body, queries, found, known.history, dataset, payer, measuring_allowed=facts["measuring_allowed"]
    )
    answers = [build_answer(asked, each, known.history) for asked, each in zip(body.queries, found, strict=True)]
    return schema.QueryQuote(
        answers=[
            each.model_copy(update={"achievable_half_width": half})
            for each, half in zip(answers, achievable_half_width, strict=True)
        ],
        covariance=covariance(known.history, seen).tolist() if len(seen) == len(found) else None,
        would_charge=would_charge,
        standalone_cost=standalone_cost,
        excluded_releases=known.excluded_releases,
    )


def _prices(
    body: schema.QueryQuoteCreate,
    queries: list[Query],
    found: list[QueryEstimate | None],
    history: History,
    dataset: DatasetRow,
    payer: Payer | None,
    *,
    measuring_allowed: bool,
) -> tuple[Amount, Amount] | tuple[None, None]:
    """Return the charge for answering all queries, and the standalone cost of the rows to measure.

    Returns (None, None) if they can't be measured, or if too many rows were paid for already.
    """
    if payer is None:
        return None, None
    try:
        rows = rows_to_measure(body, queries, history, payer, found)
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


def pricing(
    connection: Connection, caller: Caller, dataset: DatasetRow, body: schema.QueryQuoteCreate, keys: InstalledKeys
) -> JobInput:
    """Return the input of `priced`, including the releases that the caller may read."""
    known, payer = read_known(connection, caller, dataset, keys), read_payer(connection, caller, dataset)
    queries = [each.model_dump(mode="json") for each in body.queries]
    return JobInput(json.dumps({"dataset": dataset, "known": known, "queries": queries, "payer": payer}))


def priced(text: str) -> str:
    """Computation: return the charge for all queries, what their rows cost alone, and the achievable half widths, as
    JSON. Raises InvalidRequest for a query that can't be measured, and ComputationTooLarge if too many rows were paid
    for.
    """
    content = json.loads(text)
    dataset, facts = DatasetRow(*content["dataset"]), content["payer"]
    known = history_of(dataset.record_count, dataset.category_count, content["known"]).history
    body = schema.QueryQuoteCreate.model_validate({"queries": content["queries"]})
    queries = read_queries(body.queries, CellNames.of_texts(dataset.labels, dataset.attributes), dataset.record_count)
    payer = payer_of(facts, dataset)
    if payer is None:
        raise ComputationTooLarge
    found = [estimate(known, query) for query in queries]
    rows = rows_to_measure(body, queries, known, payer, found)
    try:
        measured = event_of(dataset, rows).measured if rows else ()
    except EventError as error:
        raise InvalidRequest.at("queries", str(error)) from None
    together, alone = payer, Payer(JointLoss(known.m), payer.accountant, payer.records)
    for row in measured:
        together, alone = together.after(row), alone.after(row)
    rise = together.joint.units - payer.joint.units
    charge, by_itself = (cost_of_units(payer.accountant, units) for units in (rise, alone.joint.units))
    price = {
        "measures": bool(rows),
        "would_charge": costs.document(payer.accountant, charge),
        "standalone_cost": costs.document(payer.accountant, by_itself),
        "achievable_half_widths": _achievable_half_widths(body.queries, queries, found, known, facts, payer),
    }
    return json.dumps(price)


def build_answer(
    asked: schema.Query,
    found: QueryEstimate | None,
    history: History,
    error: ErrorSize | None = None,
) -> schema.QuoteAnswer:
    """Return the public form of an estimate. `error` is the size of its error if it is already known."""
    if found is None:
        return schema.QuoteAnswer(from_history=None, meets_half_width=False)
    error = ErrorSize.of(found, asked.confidence) if error is None else error
    half, wanted = error.half_width + found.slack + found.rounding, asked.half_width
    least = _NEGLIGIBLE * float(np.abs(found.weights).max(initial=0.0))
    used: dict[str, list[float]] = {}
    for part in history.parts:
        weights = np.where(np.abs(found.weights[part.rows]) <= least, 0.0, found.weights[part.rows])
        used.setdefault(part.name.partition("/")[0], []).extend(weights.tolist())
    answer_from_history = schema.QueryEstimate(
        estimate=found.estimate,
        standard_deviation=error.deviation,
        interval=schema.QueryInterval(
            low=found.estimate - half, high=found.estimate + half, half_width=half, confidence=asked.confidence
        ),
        probability=None if asked.between is None else found.probability(asked.between.low, asked.between.high),
        used=[schema.UsedRelease(release_id=name, weights=each) for name, each in used.items() if any(each)],
    )
    meets = wanted is None or found.is_precise(half, wanted)
    return schema.QuoteAnswer(from_history=answer_from_history, meets_half_width=meets)


def _achievable_half_widths(
    asked: Sequence[schema.Query],
    queries: Sequence[Query],
    found: Sequence[QueryEstimate | None],
    history: History,
    facts: PayerFacts,
    payer: Payer | None,
) -> list[float | None]:
    """Return the half width of each query that is achievable if everything that is left is spent on this query alone.

    If nothing can be measured, or the limit of work is reached, it is the half width from the history, or None if the
    history has no estimate.
    """
    achievable: list[float | None] = []
    work = 0
    for each, query, known in zip(asked, queries, found, strict=True):
        columns = (
            1 if payer is None else min(len(query.coefficients), payer.joint.columns * len(set(query.coefficients)))
        )
        work += _EVALUATIONS * columns**2
        work += _SLOW_DISTRIBUTION if known is not None and not isinstance(known.distribution, LaplaceSum) else 0
        if payer is None or not facts["measuring_allowed"] or work > _MAX_WORK:
            achievable.append(None if known is None else known.half_width(each.confidence))
        else:
            achievable.append(achievable_half_width(history, known, query, payer, facts["left"], each.confidence))
    return achievable
