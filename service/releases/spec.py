"""The spec of a release, and the answer that is composed from it and the drawn values.

The spec has the public facts needed to draw the release and compose its answer. It is stored with the payment. The
ledger entry and the receipt name the SHA-256 of its text.

The answer is built from plain JSON values, since validating it would cost more than building it. Tests check it against
the published `schema.CountsRelease`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from pydantic_core import to_json

from core.accounting.accountants import Accountant
from core.certificate import Certificate
from core.dirichlet import Summary, posterior
from core.mechanisms.catalogue import TableEvent, lies_near_counts
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import PrivacyLoss
from core.private import Released
from service.channels.certified import Certified
from service.channels.events import MERGED
from service.database import costs
from service.database.rows import ListedRelease, PaidKind, ReleaseRow, paid_kind_of
from service.identifiers.identifiers import timestamp
from service.ledger.outcomes import SIGNED_OUTCOME
from service.ledger.query_debit import QUERY_PREFIX
from service.principals.auth import Caller
from service.schemas import releases as schema
from service.schemas.cell_names import CellNames
from service.schemas.mechanisms import STATED_MECHANISM, StatedMechanism
from service.schemas.model import PaidBody, amount


def hash_payload(dataset_id: str, body: PaidBody) -> str:
    """Return the SHA-256 of a request for a release or for query answers, in hexadecimal. Its idempotency key is bound
    to this hash, so a later version of the service must find the same hash for a repeated request:

    - Fields equal to their default are omitted. A field added later changes no hash until it is used.
    - Amounts are written in one form, so that `0.5`, `"0.50"` and `"0.5"` are equal.
    - The default of an existing field never changes, since stored hashes depend on it.
    - A field that gets a default later is never omitted.
    - Cells of queries have the form that they had in version 0.1.0.
    """
    return hashlib.sha256(json.dumps([dataset_id, body.payload()], sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class ReleaseSpec:
    """The request as plain JSON, public facts of the data set at the time of payment, and the certified channel."""

    request: dict[str, Any]
    labels: list[str]
    unit: str
    records_per_unit: int
    accountant: Accountant
    certified: Certified
    attributes: list[dict[str, Any]] | None = None
    """Attributes of a cross table, as plain JSON."""
    merged: list[list[int]] | None = None
    """The sets of categories that are merged before the noise is drawn."""

    @cached_property
    def drawn(self) -> dict[str, Any]:
        """Return the event and its certificate as plain JSON."""
        return drawn_document(self.certified, self.merged)

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """Return the certificate, worded for a data set of this unit."""
        return certificate_document(self.certified.document["certificate"], self.unit)

    def to_json(self) -> str:
        """Return the stored text.

        Its format never changes, because a later version may have to draw a release that was paid before a crash.
        """
        content = {
            "request": self.request,
            "labels": self.labels,
            "attributes": self.attributes,
            "unit": self.unit,
            "records_per_unit": self.records_per_unit,
            "accountant": self.accountant.value,
            **self.drawn,
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
            accountant=Accountant(stored["accountant"]),
            certified=Certified.of_document(stored),
            merged=stored["event"].get(MERGED),
        )


def drawn_document(certified: Certified, merged: list[list[int]] | None) -> dict[str, Any]:
    """Return event and certificate as plain JSON, with the categories that are merged before the draw."""
    document = certified.document
    return document if merged is None else document | {"event": document["event"] | {MERGED: merged}}


def certificate_document(stored: dict[str, Any], unit: str) -> dict[str, Any]:
    """Return the public certificate. `stored` is what `Certificate.to_json` returned."""
    return {
        "method": stored["method"],
        "statement": stored["statement"],
        "relation": stored["relation"],
        "unit": unit,
        "loss": stored["loss"],
        "details": stored["details"],
    }


def stated_mechanism(text: str | None) -> StatedMechanism | None:
    """Return the mechanism of a stored spec from its JSON text.

    Returns None if a restore lost the release and only its receipt is left.
    """
    return None if text is None else STATED_MECHANISM.validate_json(text)


def stated_certificate(text: str | None) -> Certificate | None:
    """Return the certificate of a stored spec from its JSON text, or None as `stated_mechanism` does."""
    return None if text is None else Certificate.from_json(json.loads(text))


def release_document(row: ReleaseRow, spec: ReleaseSpec, released: Released[NoisyCounts]) -> str:
    """Return the JSON text of a `schema.CountsRelease`."""
    request, event = spec.request, spec.certified.event
    names, mechanism = CellNames(spec.labels).with_merged(spec.merged), request["mechanism"]
    return paid_text(
        row,
        "counts",
        {
            "labels": spec.labels,
            "attributes": spec.attributes,
            "record_count": event.n,
            "category_count": len(spec.labels),
            "records_per_unit": spec.records_per_unit,
            "event": spec.drawn["event"],
            "prior": request["prior"],
            "mechanism": mechanism,
            "requested": {name: value for name, value in mechanism.items() if name != "kind"},
            "certified": spec.certificate["loss"],
            **charges(row, spec.accountant),
            "certificate": spec.certificate,
            "posterior": posterior_document(event, names.labels, request["prior"], request["level"], released.value),
        },
    )


def paid_text(row: ReleaseRow, kind: PaidKind, fields: dict[str, Any]) -> str:
    """Return the JSON text of the answer of a release, with the fields of its kind. It begins with the kind."""
    document = {
        "kind": kind,
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
    """Return the fields for the charge of a release and for the amount that remained."""
    return {
        "charged": costs.document(accountant, row.charged),
        "remaining_after": costs.document(accountant, row.remaining),
    }


def posterior_document(
    event: TableEvent, labels: Sequence[str], prior: list[float], level: float, counts: NoisyCounts
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
    return schema.Certificate.model_validate(
        certificate_document(certificate.to_json(), unit) | {"loss": loss_response(certificate.loss)}
    )


def unit_of(certificate: Certificate) -> str:
    """Return the unit that a certificate protects. It serves certificates that belong to no data set."""
    records = certificate.details.get("records_per_unit")
    return "one record" if records in (None, "1") else f"one unit of up to {records} records"


def summary(row: ListedRelease, caller: Caller) -> schema.ReleaseSummary:
    accountant, mechanism = Accountant(row.accountant), stated_mechanism(row.mechanism)
    kind = None if mechanism is None else paid_kind_of(mechanism.kind)
    return schema.ReleaseSummary(
        kind="queries" if row.id.startswith(f"{QUERY_PREFIX}_") else kind,
        id=row.id,
        dataset_id=row.dataset_id,
        principal_id=row.principal_id if caller.principal_id in {row.principal_id, row.owner_id} else None,
        state=row.state,
        public=row.public_since is not None,
        mechanism=mechanism,
        charged=amount(accountant, row.charged),
        created_at=timestamp(row.created_at),
    )
