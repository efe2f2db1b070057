"""Puts together the document of paid answers to queries, from what is public and what was measured. Nothing here opens
counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pydantic_core import to_json

from core.queries.estimator import covariance, estimate
from service import costs
from service.database.rows import QueryChargeRow, ReleaseRow
from service.identifiers import timestamp
from service.queries.asked import read_queries
from service.queries.constraints import Constraints
from service.queries.known import Known
from service.queries.order import QueryOrder
from service.queries.quote import answer
from service.schemas import queries as schema


def query_document(
    row: ReleaseRow,
    order: QueryOrder,
    charge: QueryChargeRow,
    known: Known,
    drawn: Sequence[Fraction],
) -> str:
    """The JSON text of a `schema.QueryRelease`. `known`: what the releases that the order rests on tell."""
    history = known.history.copy()
    measured = _measured(order, drawn)
    if order.event is not None:
        for number, (noisy, answered) in enumerate(zip(order.event.measured, drawn, strict=True)):
            history.add_answer(noisy, answered, f"{row.id}/{number}")
    body = schema.QueryCreate.model_validate(order.request)
    queries = read_queries(body.queries, order.names)
    found = [estimate(history, query) for query in queries]
    seen = [each for each in found if each is not None]
    assert len(seen) == len(found), "what was measured tells of every query"
    constraints = Constraints.of(body, replace(known, history=history))
    charged = charge.granted if charge.grant_id is not None else row.charged
    document: dict[str, Any] = {
        "id": row.id,
        "dataset_id": row.dataset_id,
        "budget_id": row.budget_id,
        "principal_id": row.principal_id,
        "state": "complete",
        "answers": [
            told.model_dump(mode="json")
            for asked, query, each in zip(body.queries, queries, found, strict=True)
            if (told := answer(asked, query, each, history, constraints).from_history) is not None
        ],
        "covariance": covariance(history, seen).tolist(),
        "measured": measured,
        "charged": costs.document(order.accountant, charged),
        "price_alone": costs.document(order.accountant, charge.alone),
        "remaining_after": costs.document(order.accountant, row.remaining),
        "certificate": None if order.certificate is None else _certificate(order),
        "created_at": timestamp(row.created_at),
    }
    return f'{to_json(document)[:-1].decode()},"receipt":{row.receipt}}}'


def _measured(order: QueryOrder, drawn: Sequence[Fraction]) -> list[dict[str, Any]]:
    if order.event is None:
        return []
    return [
        {
            "coefficients": list(row.coefficients),
            "denominator": row.denominator,
            "rate": str(row.rate),
            "answer": float(answered),
            "exact_answer": f"{answered.numerator}/{answered.denominator}",
        }
        for row, answered in zip(order.event.measured, drawn, strict=True)
    ]


def _certificate(order: QueryOrder) -> dict[str, Any]:
    assert order.certificate is not None
    stored = order.certificate.to_json()
    return {**stored, "unit": order.unit}
