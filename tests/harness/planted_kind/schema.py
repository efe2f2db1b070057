"""Schemas of the largest category."""

from __future__ import annotations

from typing import Any, Literal

from service.schemas.model import EpsilonOfRelease, PaidBody
from service.schemas.releases import CalibratedEvent, Certificate, Loss, OfQuotes, PaidRelease


class LargestCreate(PaidBody):
    kind: Literal["largest"]
    epsilon: EpsilonOfRelease

    def payload(self) -> dict[str, Any]:
        """Return the body with its kind, whose other fields another kind could have."""
        return super().payload() | {"kind": self.kind}


class LargestQuote(OfQuotes):
    kind: Literal["largest"]
    certified: Loss
    certificate: Certificate


class LargestRelease(PaidRelease):
    kind: Literal["largest"]
    labels: list[str]
    event: CalibratedEvent
    certificate: Certificate
    largest: str
