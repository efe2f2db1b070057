"""Requests that spend budget, their quotes and their answers, distinguished by `kind`."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Body
from pydantic import BeforeValidator, Field
from typing_extensions import TypeAliasType

from service.schemas.margins import MarginsCreate, MarginsQuote, MarginsRelease
from service.schemas.queries import QueriesQuote, QueryCreate, QueryRelease
from service.schemas.releases import CountsCreate, CountsQuote, CountsRelease


def with_kind(kind: str | None = None) -> BeforeValidator:
    """Add the kind to a body without one, as version 0.2.0 took it. Problems name places in the body with its kind."""

    def added(body: Any) -> Any:
        if isinstance(body, dict) and "kind" not in body:
            of_margins = not body.keys().isdisjoint(("all", "margins", "half_widths"))
            body["kind"] = kind or ("queries" if "queries" in body else "margins" if of_margins else "counts")
        return body

    return BeforeValidator(added)


ReleaseCreate = TypeAliasType(
    "ReleaseCreate", Annotated[CountsCreate | MarginsCreate | QueryCreate, Field(discriminator="kind")]
)
PaidRequestBody = Annotated[ReleaseCreate, with_kind(), Body()]
Quote = TypeAliasType("Quote", Annotated[CountsQuote | MarginsQuote | QueriesQuote, Field(discriminator="kind")])
Release = TypeAliasType(
    "Release", Annotated[CountsRelease | MarginsRelease | QueryRelease, Field(discriminator="kind")]
)
