"""Describes the body of every error."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from service import errors
from service.errors import Problem
from service.schemas.amounts import Amount
from service.schemas.model import Timestamp
from service.schemas.releases import Loss


class FieldError(BaseModel):
    """A place in the request and the rule that it breaks. What was sent is not repeated."""

    location: str = Field(examples=["body.prior[1]"])
    rule: str = Field(examples=["must be above 0"])


class ProblemDocument(BaseModel):
    """Problem details (RFC 9457)."""

    type: str = Field(
        description="A stable name of the problem, and the path of its description.",
        examples=["/problems/budget-exhausted"],
    )
    title: str
    status: int
    detail: str
    charged: bool | None = Field(description="Whether budget was charged; null where that can't be known.")
    retry_safe: bool = Field(description="Whether the same request can be sent again without a further charge.")
    retryable: bool = Field(
        description="Whether the same request can succeed later with nothing done but waiting, as long as "
        "`Retry-After` says."
    )
    errors: list[FieldError] = Field(
        default_factory=list, description="Each place in the request that breaks a rule, and that rule."
    )
    largest_possible_charge: Amount | None = Field(
        default=None, description="Where too little is left: the most that a release could be charged now."
    )
    achievable_half_widths: list[float | None] | None = Field(
        default=None,
        description="Where an amount stopped queries that you may know the rest of: about the least half width that "
        "each of them could get alone.",
    )
    certified: Loss | None = Field(
        default=None, description="Where `max_charge` of a release was too low: what is proven."
    )
    would_charge: Amount | None = Field(
        default=None, description="Where `max_charge` of queries was too low: what you would be charged."
    )
    certificate: str | None = Field(default=None, description="Where one is being computed: the path to watch it at.")
    job: str | None = Field(
        default=None, description="Where what queries need is being found: the path of the job to watch it at."
    )
    used_at: Timestamp | None = Field(default=None, description="When an enrolment token was exchanged before.")


_ANYWHERE = (
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


def problems(*kinds: type[Problem]) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route that can answer with these problems, and with those that any route can."""
    by_status: dict[int | str, list[type[Problem]]] = {}
    for kind in dict.fromkeys(_ANYWHERE + kinds):
        by_status.setdefault(kind.status, []).append(kind)
    return {status: _response(same) for status, same in sorted(by_status.items(), key=str)}


def _response(kinds: list[type[Problem]]) -> dict[str, Any]:
    return {
        "description": " Or: ".join(dict.fromkeys(kind.title for kind in kinds)),
        "content": {
            "application/problem+json": {
                "schema": {"$ref": "#/components/schemas/ProblemDocument"},
                "examples": {kind.code: {"value": kind().body()} for kind in kinds},
            }
        },
    }
