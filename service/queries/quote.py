"""Price the measurement of queries, and build their answers. A quote is always free."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

import numpy as np
from sqlalchemy import Connection

from core.accounting.pairwise_loss import JointLoss, cost_of_units
from core.mechanisms.event import EventError
from core.queries.error_distribution import LaplaceSum
from core.queries.estimator import Query, QueryEstimate, estimate
from core.queries.history import History
from core.queries.payer import Payer
from core.queries.search import achievable_half_width
from service.database import costs
from service.database.rows import DatasetRow
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
from service.queries.readable_history import history_of, read_known
from service.runtime.jobs import JobInput
from service.runtime.key_file import InstalledKeys
from service.schemas import queries as schema
from service.schemas.cell_names import CellNames

_NEGLIGIBLE_WEIGHT = 1e-12
_MAX_WORK: Final = 4 * 10**8
"""Limit of work of one request, in pairs of columns: a few seconds."""
_EVALUATIONS: Final = 40
"""Evaluations of the joint loss in one search."""
_SLOW_DISTRIBUTION: Final = 10**8
"""Work of an error distribution that includes noise of released counts, in pairs of columns: a tenth of a second."""


def pricing(
    connection: Connection, caller: Caller, dataset: DatasetRow, body: schema.QueryCreate, keys: InstalledKeys
) -> JobInput:
    """Return the input of `priced`, including the releases that the caller may read."""
    known, payer = read_known(connection, caller, dataset, keys), read_payer(connection, caller, dataset)
    queries = [each.model_dump(mode="json") for each in body.queries]
    return JobInput(json.dumps({"dataset": dataset, "known": known, "queries": queries, "payer": payer}))


def priced(text: str) -> str:
    """Computation: return the charge for all queries, the standalone cost of their rows, the joint cost of the rows
    that were paid for, and the achievable half widths, as JSON.

    Raises InvalidRequest for a query that can't be measured, and ComputationTooLarge if too many rows were paid for.
    """
    content = json.loads(text)
    dataset, facts = DatasetRow(*content["dataset"]), content["payer"]
    known = history_of(dataset.record_count, dataset.category_count, content["known"]).history
    body = schema.QueryCreate.model_validate({"kind": "queries", "queries": content["queries"]})
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
        "joint_cost": costs.document(payer.accountant, cost_of_units(payer.accountant, payer.joint.units)),
        "achievable_half_widths": _achievable_half_widths(body.queries, queries, found, known, facts, payer),
    }
    return json.dumps(price)


def build_answer(
    asked: schema.Query, found: QueryEstimate, history: History, error: ErrorSize | None = None
) -> schema.QueryEstimate:
    """Return the public form of an estimate. `error` is the size of its error if it is already known."""
    error = ErrorSize.of(found, asked.confidence) if error is None else error
    half = error.half_width + found.slack + found.rounding
    least = _NEGLIGIBLE_WEIGHT * float(np.abs(found.weights).max(initial=0.0))
    used: dict[str, list[float]] = {}
    for part in history.parts:
        weights = np.where(np.abs(found.weights[part.rows]) <= least, 0.0, found.weights[part.rows])
        used.setdefault(part.name.partition("/")[0], []).extend(weights.tolist())
    return schema.QueryEstimate(
        estimate=found.estimate,
        standard_deviation=error.deviation,
        interval=schema.QueryInterval(
            low=found.estimate - half, high=found.estimate + half, half_width=half, confidence=asked.confidence
        ),
        probability=None if asked.between is None else found.probability(asked.between.low, asked.between.high),
        used=[schema.UsedRelease(release_id=name, weights=each) for name, each in used.items() if any(each)],
    )


def _achievable_half_widths(
    asked: Sequence[schema.Query],
    queries: Sequence[Query],
    found: Sequence[QueryEstimate | None],
    history: History,
    facts: PayerFacts,
    payer: Payer | None,
) -> list[float | None]:
    """Return for each query the smallest half width that the remaining amount can buy if this query alone is measured.

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
