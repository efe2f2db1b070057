"""The spec of a release: the public facts needed to draw it and compose its answer. It is stored with the payment. The
ledger entry and the receipt name the SHA-256 of its text.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from pydantic_core import to_json

from core.accounting.accountants import Accountant
from core.certificate import Certificate
from service.channels.certified import Certified
from service.ledger.outcomes import SIGNED_OUTCOME
from service.schemas.mechanisms import STATED_MECHANISM, StatedMechanism
from service.schemas.model import PaidBody


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
            **self.certified.document,
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
        )


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
