"""Schemas of certificates that are requested ahead of a release."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.limits import MAX_RECORDS
from service.schemas.mechanisms import Mechanism
from service.schemas.model import AS_WHOLE, Request, Response, examples
from service.schemas.releases import CalibratedEvent, Certificate, Prior, RecordsPerUnit


class CertificateCreate(Request):
    """Public parameters of a release. No data set is named or read."""

    model_config = examples(
        {
            "record_count": 1000,
            "prior": [1, 1],
            "mechanism": {"kind": "exponential_published", "nominal_epsilon": "0.5", "delta": "1e-8"},
        }
    )

    record_count: Annotated[int, Field(strict=True, ge=1, le=MAX_RECORDS), AS_WHOLE] | None = Field(
        examples=[1000], description="The number of records n; null if it is private."
    )
    prior: Prior = Field(examples=[[1, 1]], description="Concentration parameters of the prior, one for each category.")
    mechanism: Mechanism
    records_per_unit: RecordsPerUnit = 1


class CertifiedEvent(Response):
    """A calibrated event and the proof of its loss."""

    event: CalibratedEvent = Field(description="Every parameter of the mechanism.")
    certificate: Certificate = Field(description="The proven privacy loss.")
