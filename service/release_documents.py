"""What is said of a release: the document that is stored and answered, and its parts."""

from __future__ import annotations

import json
from typing import Any

from core.accounting import Accountant
from core.certificate import Certificate
from core.dirichlet import posterior
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import PrivacyLoss
from core.private import Released
from service.debit import ReleaseRow
from service.identifiers import timestamp
from service.ledger import AnyRow, read_cost
from service.schemas import releases as schema
from service.schemas.amounts import amount


def release_response(row: ReleaseRow, plan: dict[str, Any], released: Released[NoisyCounts]) -> schema.Release:
    request = schema.ReleaseCreate.model_validate(plan["request"])
    accountant = Accountant(plan["accountant"])
    certificate = Certificate.from_json(plan["certificate"])
    mechanism = request.mechanism.model_dump(mode="json")
    return schema.Release(
        id=row.id,
        dataset_id=row.dataset_id,
        budget_id=row.budget_id,
        principal_id=row.principal_id,
        state="complete",
        labels=plan["labels"],
        record_count=plan["event"]["n"],
        prior=request.prior,
        mechanism=request.mechanism,
        requested={name: value for name, value in mechanism.items() if name != "kind"},
        certified=loss_response(certificate.loss),
        charged=amount(accountant, read_cost(row, "charged")),
        remaining_after=amount(accountant, read_cost(row, "remaining")),
        certificate=certificate_response(certificate, plan["unit"]),
        receipt=schema.Receipt.model_validate_json(row.receipt),
        posterior=posterior_response(plan["labels"], request.prior, request.level, released.value),
        created_at=timestamp(row.created_at),
    )


def loss_response(loss: PrivacyLoss) -> schema.Loss:
    return schema.Loss(epsilon=loss.epsilon, delta=loss.delta, rho=loss.rho, rho_delta=loss.rho_delta)


def certificate_response(certificate: Certificate, unit: str) -> schema.Certificate:
    fields: dict[str, Any] = {
        "statement": certificate.statement,
        "relation": certificate.relation.value,
        "unit": unit,
        "loss": loss_response(certificate.loss),
        "details": certificate.details,
    }
    if certificate.method == "theorem":
        return schema.TheoremCertificate(method="theorem", **fields)
    return schema.ExactChannelCertificate(method="exact_channel", **fields)


def posterior_response(labels: list[str], prior: list[float], level: float, counts: NoisyCounts) -> schema.ReleasedPosterior:
    law = posterior(prior, counts.on_simplex)
    columns = zip(labels, law.means, law.standard_deviations, law.naive_interval(level), strict=True)
    return schema.ReleasedPosterior(
        concentration=law.concentration.tolist(),
        noisy_counts=list(counts.noisy),
        released_counts=list(counts.on_simplex),
        categories=[
            schema.CategoryPosterior(
                label=label,
                mean=float(mean),
                standard_deviation=float(deviation),
                naive_interval=schema.Interval(level=level, low=float(low), high=float(high)),
            )
            for label, mean, deviation, (low, high) in columns
        ],
    )


def summary(row: AnyRow) -> schema.ReleaseSummary:
    accountant = Accountant(row.accountant)
    return schema.ReleaseSummary(
        id=row.id,
        principal_id=row.principal_id,
        state=row.state,
        public=row.public_since is not None,
        mechanism=json.loads(row.plan).get("request", {}).get("mechanism", {}),
        charged=amount(accountant, read_cost(row, "charged")),
        created_at=timestamp(row.created_at),
    )
