"""Compose the response document of paid query answers from public facts and the noisy measurements. This module never
decrypts counts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from core.queries.estimator import covariance, estimate
from service.channels.events import event_to_json
from service.database import costs
from service.database.rows import QueryChargeRow, ReleaseRow
from service.queries.measuring import QuerySpec, read_queries
from service.queries.quote import build_answer
from service.queries.readable_history import KnownRelease, ReadableHistory, history_of
from service.releases.spec import paid_text
from service.schemas import queries as schema

ANSWERED: Final = "service.queries.answers:answered"


def inputs(row: ReleaseRow, charge: QueryChargeRow, known: list[KnownRelease]) -> str:
    """Return the JSON input of `answered`: the release row, its charge, and the releases that the answers use."""
    return json.dumps({"row": row, "charge": charge, "known": known})


def answered(text: str) -> str:
    """Computation: return the `query_document` of the input that `inputs` wrote."""
    content = json.loads(text)
    row = ReleaseRow(*content["row"])
    spec = QuerySpec.from_json(row.spec)
    known = history_of(spec.record_count, len(spec.labels), content["known"])
    drawn = [Fraction(each) for each in json.loads(row.drawn or "[]")]
    return query_document(row, spec, QueryChargeRow(*content["charge"]), known, drawn)


def query_document(
    row: ReleaseRow,
    spec: QuerySpec,
    charge: QueryChargeRow,
    known: ReadableHistory,
    drawn: Sequence[Fraction],
) -> str:
    """Return the JSON text of a `schema.QueryRelease`. `known` contains the releases that the answers use."""
    history = known.history.copy()
    measured = _measured_rows(spec, drawn)
    if spec.event is not None:
        for number, (noisy, value) in enumerate(zip(spec.event.measured, drawn, strict=True)):
            history.add_answer(noisy, value, f"{row.id}/{number}")
    body = schema.QueryCreate.model_validate(spec.request | {"kind": "queries"})
    queries = read_queries(body.queries, spec.names, spec.record_count)
    found = [estimate(history, query) for query in queries]
    seen = [each for each in found if each is not None]
    assert len(seen) == len(found), "the measured rows determine every query"
    charged = charge.granted if charge.grant_id is not None else row.charged
    return paid_text(
        row,
        "queries",
        {
            "queries": body.model_dump(mode="json", include={"queries"})["queries"],
            "answers": [
                build_answer(asked, each, history, error).model_dump(mode="json")
                for asked, each, error in zip(body.queries, seen, spec.errors, strict=True)
            ],
            "covariance": covariance(history, seen).tolist(),
            "measured": measured,
            "charged": costs.document(spec.accountant, charged),
            "standalone_cost": costs.document(spec.accountant, charge.alone),
            "remaining_after": costs.document(spec.accountant, row.remaining),
            "record_count": spec.record_count,
            "category_count": len(spec.labels),
            "records_per_unit": spec.records_per_unit,
            "event": None if spec.event is None else event_to_json(spec.event),
            "certificate": None if spec.certificate is None else _certificate(spec),
        },
    )


def _measured_rows(spec: QuerySpec, drawn: Sequence[Fraction]) -> list[dict[str, Any]]:
    if spec.event is None:
        return []
    return [
        {
            "coefficients": list(row.coefficients),
            "denominator": row.denominator,
            "rate": str(row.rate),
            "answer": float(answered),
            "exact_answer": f"{answered.numerator}/{answered.denominator}",
        }
        for row, answered in zip(spec.event.measured, drawn, strict=True)
    ]


def _certificate(spec: QuerySpec) -> dict[str, Any]:
    assert spec.certificate is not None
    stored = spec.certificate.to_json()
    return {**stored, "unit": spec.unit}
