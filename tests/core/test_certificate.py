"""A certificate survives storage, and an invalid one is refused."""

from __future__ import annotations

import json

import pytest

from core.certificate import Certificate, CertificateError
from core.privacy import Delta, Epsilon, NeighbourRelation, PrivacyLoss, Rho

CERTIFICATE = Certificate(
    loss=PrivacyLoss(Epsilon.parse("0.8"), Delta.parse("1e-8"), Rho.parse("0.08")),
    method="theorem",
    statement="(0.8, 1e-8)-DP by Theorem 1.",
    relation=NeighbourRelation.REPLACE_ONE,
    details={"gamma": "0.014"},
)


@pytest.mark.parametrize("rho", [None, Rho.parse("0.08")])
def test_a_certificate_reads_back_equal_from_its_stored_text(rho: Rho | None) -> None:
    certificate = Certificate(
        PrivacyLoss(Epsilon.parse("0.8"), Delta.parse("1e-8"), rho),
        "exact_channel",
        "s",
        NeighbourRelation.REPLACE_ONE,
        {"a": "b"},
    )
    assert Certificate.from_json(json.loads(json.dumps(certificate.to_json()))) == certificate


@pytest.mark.parametrize("field", ["loss", "method", "statement", "relation", "details"])
def test_a_stored_form_with_a_field_missing_or_of_another_kind_is_refused(field: str) -> None:
    stored = CERTIFICATE.to_json()
    with pytest.raises(CertificateError):
        Certificate.from_json({**stored, field: 1})
    del stored[field]
    with pytest.raises(CertificateError):
        Certificate.from_json(stored)
