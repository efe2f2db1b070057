"""Schemas of free estimates from all releases that a caller may read."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from service.schemas.margins import ConstrainedTable, MarginTable, Wanted
from service.schemas.model import Id, Response, examples
from service.schemas.queries import MAX_QUERIES, Confidence, ExcludedRelease, Query, QueryEstimate


class EstimatesCreate(Wanted):
    """What is estimated: the answers of queries, or the wanted tables of a cross table."""

    model_config = examples(
        {"queries": [{"of": {"labels": ["paralytic polio"]}, "confidence": 0.9}]},
        {"queries": [{"weights": {"paralytic polio": 2.5}}, {"weights": [0, 1], "between": {"low": 10}}]},
        {"all": 2, "constraints": True},
        {"margins": [["age", "smoker"]], "confidence": 0.9},
    )

    queries: Annotated[list[Query], Field(min_length=1, max_length=MAX_QUERIES)] | None = Field(
        default=None,
        description="Send either these, or `margins`, or `all`. `half_width` of a query has no effect here.",
    )
    confidence: Confidence = Field(
        default=0.95, description="For tables: the probability with which an interval contains the true count."
    )
    constraints: bool = Field(
        default=False,
        strict=True,
        description="For tables: also return whole counts that are not negative and sum to the number of records.",
    )

    @model_validator(mode="after")
    def _check_wanted_once(self) -> Self:
        if sum(each is not None for each in (self.queries, self.margins, self.all)) != 1:
            raise ValueError("must have exactly one of queries, margins and all")
        if self.queries is not None and self.model_fields_set & {"confidence", "constraints"}:
            raise ValueError("must not have confidence or constraints beside queries: each query has its confidence")
        return self


class Estimates(Response):
    """Estimates from the releases that you may read."""

    answers: list[QueryEstimate | None] | None = Field(
        description=(
            "The answer of each query, in order: null for one that the releases can't answer. Null without `queries`."
        )
    )
    covariance: list[list[float]] | None = Field(
        description=(
            "Covariance matrix of the answers' errors, in the order of the queries; null if a query has no answer."
        )
    )
    tables: list[MarginTable] | None = Field(
        description="The tables, in the order of the request; null if it has queries."
    )
    constrained: list[ConstrainedTable] | None = Field(description="Null unless `constraints` was requested.")
    used: list[Id] = Field(description="The releases that the estimates use, in ledger order.")
    excluded_releases: list[ExcludedRelease] = Field(description="Releases that the estimates could not use.")
