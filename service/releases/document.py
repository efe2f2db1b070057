"""Compose the response document of a release, which is also what is stored.

The document is built from plain JSON values, since validating it would cost more than building it. Tests check it
against the published `schema.Release`.
"""

from __future__ import annotations

from typing import Final

from pydantic import TypeAdapter

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
from service.releases.spec import ReleaseSpec, certificate_document, inside, stated_mechanism
from service.schemas import releases as schema
from service.schemas.amounts import amount

_CERTIFICATE: Final[TypeAdapter[schema.Certificate]] = TypeAdapter(schema.Certificate)


def release_document(row: ReleaseRow, spec: ReleaseSpec, released: Released[NoisyCounts]) -> str:
    """Return the JSON text of a `schema.Release`."""
    request, fields = spec.request, spec.fields
    ids = {
        "id": row.id,
        "dataset_id": row.dataset_id,
        "budget_id": row.budget_id,
        "principal_id": row.principal_id,
    }
    charged = {
        "charged": costs.document(spec.accountant, row.charged),
        "remaining_after": costs.document(spec.accountant, row.remaining),
    }
    drawn = posterior_text(spec.certified.event, spec.labels, request["prior"], request["level"], released.value)
    # These parts are JSON text already.
    parts = [
        inside(ids),
        fields.beginning,
        inside(charged),
        fields.certificate,
        f'"posterior":{drawn}',
        inside({"created_at": timestamp(row.created_at)}),
        f'"receipt":{row.receipt}',
    ]
    return f"{{{','.join(parts)}}}"


def posterior_text(event: TableEvent, labels: list[str], prior: list[float], level: float, counts: NoisyCounts) -> str:
    """Return the JSON text of a `schema.ReleasedPosterior`.

    Categories with equal marginals share one piece of text, because most of ten thousand categories have equal
    marginals.
    """
    released = posterior(prior, counts.on_simplex)
    shown_level = level if lies_near_counts(event) else None
    numbers = {marginal: _numbers(found, shown_level) for marginal, found in released.summaries(level).items()}
    beginning = {
        "concentration": released.concentration,
        "noisy_counts": counts.noisy,
        "released_counts": counts.on_simplex,
    }
    categories = ",".join(
        [
            f"{{{inside({'label': label})},{numbers[marginal]}}}"
            for label, marginal in zip(labels, released.marginals, strict=True)
        ]
    )
    return f'{{{inside(beginning)},"categories":[{categories}]}}'


def _numbers(summary: Summary, level: float | None) -> str:
    low, high = summary.naive_interval
    return inside(
        {
            "mean": summary.mean,
            "standard_deviation": summary.standard_deviation,
            "naive_interval": None if level is None else {"level": level, "low": low, "high": high},
        }
    )


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


def posterior_response(
    event: TableEvent, labels: list[str], prior: list[float], level: float, counts: NoisyCounts
) -> schema.ReleasedPosterior:
    return schema.ReleasedPosterior.model_validate_json(posterior_text(event, labels, prior, level, counts))


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
