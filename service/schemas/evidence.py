"""Evidence of a release: what was stored of it, and one signed body about it. The lists of what a spec and drawn values
may hold in public.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from service.schemas.cells import Attribute
from service.schemas.model import DeltaField, EpsilonField, Response, RhoField
from service.schemas.releases import OF_DETAILS, OF_STATED, CalibratedEvent, Loss


class EvidenceContent(Response):
    """Amounts are decimal texts. No number is a fraction or above 2^53, so every JSON parser keeps the body."""

    kind: str = Field(description="The marker of the signed format.")
    release_id: str
    dataset_id: str
    budget_id: str
    accountant: str = Field(description="`basic` or `zcdp`.")
    sequence: int = Field(description="Number of the ledger entry of the charge, from 1.")
    chain_hash: str = Field(description="Hash of the ledger entry: SHA-256 in hexadecimal.")
    spec_sha256: str = Field(description="SHA-256 of `spec`, in lower-case hexadecimal.")
    drawn_sha256: str = Field(description="SHA-256 of `drawn`, in lower-case hexadecimal.")
    answer_sha256: str = Field(
        description="SHA-256 of the bytes that the payer first got, in lower-case hexadecimal. A public text differs."
    )
    epsilon: EpsilonField = Field(description="The charged ε; for queries, their standalone cost.")
    delta: DeltaField = Field(description="The charged δ.")
    rho: RhoField = Field(description="The charged ρ.")
    at: int = Field(description="Unix time of the ledger entry, in seconds.")


class EvidenceSignature(Response):
    """An Ed25519 signature over the canonical JSON of `body`. The public key is at `/v1/public-key`."""

    body: EvidenceContent = Field(description="The signed content.")
    key_id: str = Field(description="The receipt key that signed.")
    signature: str = Field(description="The signature in unpadded base64url.")


class Evidence(Response):
    """The stored spec and drawn values of a release, with the service's signature. The page *Evidence* of the documents
    says how to check it.
    """

    spec: str = Field(
        description="The stored JSON text with the request, the public facts, the event and its certificate."
    )
    drawn: str = Field(description="The stored JSON text of the drawn values: noisy counts, or noisy answers.")
    signature: EvidenceSignature = Field(description="The signature of the service.")


class SpecCertificate(Response):
    """The certificate as a spec has it: without the unit, which stands beside it."""

    loss: Loss
    method: str
    statement: str
    relation: str
    details: dict[str, str] = Field(json_schema_extra=OF_DETAILS)


class SpecRequest(Response):
    """Public members of the request of a release, or of a release of margins."""

    prior: Any
    level: Any
    mechanism: dict[str, Any] = Field(json_schema_extra=OF_STATED)
    margins: Any
    all: Any
    weights: Any
    epsilon: Any
    rho: Any
    half_widths: Any
    noise: Any
    delta_to_spend: Any
    confidence: Any
    delta: Any


class SpecTable(Response):
    """A wanted table with the sizes of its errors."""

    margin: Any
    deviation: Any
    intervals: Any


class PublicSpec(Response):
    """Members of a spec that anyone may read. Specs of 0.1.0 and 0.2.0 also have `max_charge`, which is the payer's."""

    request: SpecRequest
    labels: list[str]
    attributes: list[Attribute] | None
    unit: str
    records_per_unit: int
    accountant: str
    event: CalibratedEvent
    certificate: SpecCertificate
    tables: list[SpecTable]
    outcome: str


class PublicDrawn(Response):
    """Members of the drawn values of a release that anyone may read."""

    noisy: Any
    on_simplex: Any


class AnswerSignatureContent(Response):
    kind: str = Field(description="The marker of the signed format.")
    release_id: str
    drawn_sha256: str = Field(description="SHA-256 of the stored drawn values, in lower-case hexadecimal.")
    answer_sha256: str = Field(
        description="SHA-256 of the bytes of the release as it was first returned, in lower-case hexadecimal."
    )


class AnswerSignature(Response):
    """An Ed25519 signature over the canonical JSON of `body`. The public key is at `/v1/public-key`."""

    body: AnswerSignatureContent = Field(description="The signed content.")
    key_id: str = Field(description="The receipt key that signed.")
    signature: str = Field(description="The signature in unpadded base64url.")


class ReleaseSignatureContent(Response):
    kind: str = Field(description="The marker of the signed format.")
    release_id: str
    sha256: str = Field(
        description='SHA-256 in lower-case hexadecimal, over the bytes before `,"signature"` and a closing brace.'
    )


class ReleaseSignature(Response):
    """An Ed25519 signature over the canonical JSON of `body`. The public key is at `/v1/public-key`."""

    body: ReleaseSignatureContent = Field(description="The signed content.")
    key_id: str = Field(description="The receipt key that signed.")
    signature: str = Field(description="The signature in unpadded base64url.")
