"""Schema of problem documents, and the `responses` of routes."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, Field

from service import errors
from service.errors import Problem
from service.schemas.model import Amount, Timestamp
from service.schemas.releases import Loss


class FieldError(BaseModel):
    """A location in the request and the rule that it breaks. Input is not repeated."""

    location: str = Field(examples=["body.prior[1]"], description="The place in the request.")
    rule: str = Field(examples=["must be above 0"], description="The rule that it breaks.")


class ProblemDocument(BaseModel):
    """Problem details (RFC 9457)."""

    type: str = Field(
        description="Stable name of the problem; it is also the path of its description.",
        examples=["/problems/budget-exhausted"],
    )
    title: str = Field(description="What happened.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="What happened, and what to do.")
    charged: bool | None = Field(description="Whether budget was charged; null if that is unknown.")
    retry_safe: bool = Field(description="Whether the same request can be sent again without a further charge.")
    retryable: bool = Field(
        description=(
            "Whether the same request can succeed later if the caller only waits as long as `Retry-After` says."
        )
    )
    errors: list[FieldError] = Field(
        default_factory=list, description=("Every location that breaks a rule. Absent for problems without locations.")
    )
    largest_possible_charge: Amount | None = Field(
        default=None, description="Present if too little is left: upper bound on the charge of one release now."
    )
    certified: Loss | None = Field(
        default=None, description="Present if `max_charge` of a release was too low: the proven loss."
    )
    would_charge: Amount | None = Field(
        default=None, description="Present if `max_charge` of queries was too low: the charge."
    )
    certificate: str | None = Field(
        default=None, description="Present while a certificate is computed: its path on this host."
    )
    job: str | None = Field(
        default=None,
        description="Present while margins or queries are planned or priced: the path of the job on this host.",
    )
    moved_to: str | None = Field(
        default=None, description="`operation-moved`: the operation that answers now.", examples=["POST /v1/posteriors"]
    )
    used_at: Timestamp | None = Field(
        default=None, description=("`token-already-used`: the time at which the token was exchanged.")
    )
    key_prefix: str | None = Field(
        default=None,
        description="`token-already-used`: the first characters of the key that the token was exchanged for.",
    )


_GENERAL_PROBLEMS = (
    errors.MalformedBody,
    errors.Unauthenticated,
    errors.InvalidRequest,
    errors.BodyTooLarge,
    errors.BodyTooSlow,
    errors.UnsupportedMediaType,
    errors.RateLimited,
    errors.InternalError,
    errors.DatabaseUnavailable,
    errors.ShuttingDown,
)

OF_STORED_TEXTS: Final = (errors.NotFound, errors.ReleaseAltered, errors.ReceiptKeyUnavailable)
"""Problems of operations that read the stored text of a release."""
OF_STORED_RELEASES: Final = (
    *OF_STORED_TEXTS,
    errors.ReleaseFailed,
    errors.ReleaseInProgress,
    errors.ReleaseLost,
)
"""Problems of operations that read a stored release in any state."""
OF_CHANGES: Final = (errors.RecoveryPending, errors.RoleNotAllowed, errors.NotFound, errors.OutcomeUnknown)
"""Problems of operations that change something of the caller's."""
OF_CREATIONS: Final = (
    errors.RecoveryPending,
    errors.IdempotencyKeyMissing,
    errors.IdempotencyKeyReused,
    errors.OutcomeUnknown,
)
"""Problems of operations that create something."""
OF_CERTIFICATES: Final = (errors.NotSupported, errors.PreparationPending, errors.CertificateQuotaExceeded)
"""Problems of operations that need the certificate of a mechanism."""
OF_CHARGES: Final = (
    *OF_CREATIONS,
    *OF_STORED_RELEASES,
    errors.RoleNotAllowed,
    errors.InvalidRequest,
    errors.BudgetExhausted,
    errors.BudgetFrozen,
    errors.ClockUnconfirmed,
    errors.DatasetChanged,
    errors.DecryptionKeyUnavailable,
    errors.FailoverPending,
    errors.GrantClosed,
    errors.GrantExhausted,
    errors.GrantExpired,
    errors.MaxChargeExceeded,
    errors.MechanismNotAllowed,
    errors.OwnerUnavailable,
    errors.ReleaseCapExceeded,
    errors.RestorePending,
    errors.StorageQuotaExceeded,
    errors.StoredDataAltered,
)
"""Problems of operations that spend budget and draw."""


def problems(*kinds: type[Problem]) -> dict[int | str, dict[str, Any]]:
    """Return the `responses` of a route with these problems and with those that every route can have."""
    by_status: dict[int | str, list[type[Problem]]] = {}
    for kind in dict.fromkeys(_GENERAL_PROBLEMS + kinds):
        by_status.setdefault(kind.status, []).append(kind)
    return {status: _response(same) for status, same in sorted(by_status.items(), key=str)}


def _response(kinds: list[type[Problem]]) -> dict[str, Any]:
    return {
        "description": "A problem.",
        "content": {
            "application/problem+json": {
                "schema": {"$ref": "#/components/schemas/ProblemDocument"},
                "examples": {kind.code: {"value": kind().body()} for kind in kinds},
            }
        },
    }
