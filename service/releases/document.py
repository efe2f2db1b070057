"""Compose the response document of a release, which is also what is stored.

The document is built from plain JSON values, since validating it would cost more than building it. Tests check it
against the published `schema.Release`.
"""

from __future__ import annotations

import json
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic_core import to_json

from core.accounting.accountants import Accountant
from core.certificate import Certificate
from core.dirichlet import Summary, posterior
from core.mechanisms.catalogue import TableEvent, lies_near_counts
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import PrivacyLoss
from core.private import Released
from service.database import costs
from service.database.rows import ListedRelease, ReleaseRow
from service.identifiers.identifiers import timestamp
from service.principals.auth import Caller
from service.releases.spec import ReleaseSpec, certificate_document, stated_mechanism
from service.schemas import releases as schema
from service.schemas.model import amount

_CERTIFICATE: Final[TypeAdapter[schema.Certificate]] = TypeAdapter(schema.Certificate)


def release_document(row: ReleaseRow, spec: ReleaseSpec, released: Released[NoisyCounts]) -> str:
    """Return the JSON text of a `schema.Release`."""
    request, event = spec.request, spec.certified.event
    mechanism = request["mechanism"]
    return paid_text(
        row,
        {
            "labels": spec.labels,
            "attributes": spec.attributes,
            "record_count": event.n,
            "category_count": len(spec.labels),
            "records_per_unit": spec.records_per_unit,
            "event": spec.certified.document["event"],
            "prior": request["prior"],
            "mechanism": mechanism,
            "requested": {name: value for name, value in mechanism.items() if name != "kind"},
            "certified": spec.certificate["loss"],
            **charges(row, spec.accountant),
            "certificate": spec.certificate,
            "posterior": posterior_document(event, spec.labels, request["prior"], request["level"], released.value),
        },
    )


def paid_text(row: ReleaseRow, fields: dict[str, Any]) -> str:
    """Return the JSON text of the answer of a release, with the fields of its kind."""
    document = {
        "id": row.id,
        "dataset_id": row.dataset_id,
        "budget_id": row.budget_id,
        "principal_id": row.principal_id,
        "state": "complete",
        **fields,
        "created_at": timestamp(row.created_at),
        "receipt": json.loads(row.receipt),
    }
    return to_json(document).decode()


def charges(row: ReleaseRow, accountant: Accountant) -> dict[str, Any]:
    """Return the fields of what a release was charged, and of what remained."""
    return {
        "charged": costs.document(accountant, row.charged),
        "remaining_after": costs.document(accountant, row.remaining),
    }


def posterior_document(
    event: TableEvent, labels: list[str], prior: list[float], level: float, counts: NoisyCounts
) -> dict[str, Any]:
    """Return a `schema.ReleasedPosterior`. Categories with equal marginals share their numbers, because most of ten
    thousand categories have equal marginals.
    """
    released = posterior(prior, counts.on_simplex)
    shown_level = level if lies_near_counts(event) else None
    numbers = {marginal: _numbers(found, shown_level) for marginal, found in released.summaries(level).items()}
    return {
        "concentration": released.concentration,
        "noisy_counts": counts.noisy,
        "released_counts": counts.on_simplex,
        "categories": [
            {"label": label} | numbers[marginal] for label, marginal in zip(labels, released.marginals, strict=True)
        ],
    }


def _numbers(summary: Summary, level: float | None) -> dict[str, Any]:
    low, high = summary.naive_interval
    return {
        "mean": summary.mean,
        "standard_deviation": summary.standard_deviation,
        "naive_interval": None if level is None else {"level": level, "low": low, "high": high},
    }


def loss_response(loss: PrivacyLoss) -> schema.Loss:
    return schema.Loss(epsilon=loss.epsilon, delta=loss.delta, rho=loss.rho, rho_delta=loss.rho_delta)


def certificate_response(certificate: Certificate, unit: str) -> schema.Certificate:
    # A certified loss may exceed the limits of requests, so those validators do not apply.
    return _CERTIFICATE.validate_python(
        certificate_document(certificate.to_json(), unit) | {"loss": loss_response(certificate.loss)}
    )


def unit_of(certificate: Certificate) -> str:
    """Return the unit that a certificate protects. It serves certificates that belong to no data set."""
    records = certificate.details.get("records_per_unit")
    return "one record" if records in (None, "1") else f"one unit of up to {records} records"


def summary(row: ListedRelease, caller: Caller) -> schema.ReleaseSummary:
    accountant = Accountant(row.accountant)
    return schema.ReleaseSummary(
        id=row.id,
        dataset_id=row.dataset_id,
        principal_id=row.principal_id if caller.principal_id in {row.principal_id, row.owner_id} else None,
        state=row.state,
        public=row.public_since is not None,
        mechanism=stated_mechanism(row.mechanism),
        charged=amount(accountant, row.charged),
        created_at=timestamp(row.created_at),
    )
