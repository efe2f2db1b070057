"""Describes data sets and grants on them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from core.limits import MAX_CATEGORIES, MAX_RECORDS
from service.schemas.amounts import Amount, DeltaField, EpsilonField, RhoField
from service.schemas.budgets import BudgetCreate
from service.schemas.cells import Attribute, Attributes, Cells, Where
from service.schemas.model import (
    AS_WHOLE,
    Id,
    Instant,
    LongText,
    Name,
    Request,
    Response,
    ShortText,
    Timestamp,
    as_seen,
    examples,
)
from service.schemas.releases import RecordsPerUnit

Count = Annotated[int, Field(strict=True, json_schema_extra={"minimum": 0, "maximum": MAX_RECORDS}), AS_WHOLE]
Counts = Annotated[list[Count], Field(min_length=2, max_length=MAX_CATEGORIES)]


class NamedCount(Request):
    """The records in one category."""

    cell: Cells = Field(
        description="Its label in a list, or its level of each attribute in a list.",
        examples=[{"age": ["20-29"], "smoker": ["yes"]}],
    )
    count: Count


NamedCounts = Annotated[list[NamedCount], Field(min_length=2, max_length=MAX_CATEGORIES)]


def check_named_counts(counts: list[NamedCount]) -> list[NamedCount]:
    """As `check_counts`."""
    check_counts([each.count for each in counts])
    return counts


def check_labels(labels: list[str]) -> list[str]:
    """Raises ValueError where two look alike."""
    if len({as_seen(label) for label in labels}) != len(labels):
        raise ValueError("labels must differ from each other")
    return labels


def check_counts(counts: list[int]) -> list[int]:
    """The counts, if they can be a histogram. The messages say the rule and never a count."""
    if any(count < 0 for count in counts):
        raise ValueError("every count must be a whole number that is not negative")
    total = sum(counts)
    if total == 0:
        raise ValueError("the counts must hold at least one record")
    if total > MAX_RECORDS:
        raise ValueError("the counts must sum to at most 2^53")
    return counts


class ExistingBudget(Request):
    kind: Literal["existing"]
    id: Id


class NewBudget(Request):
    kind: Literal["new"]
    budget: BudgetCreate


class DatasetCreate(Request):
    """A histogram to register. The counts go in and never come back."""

    model_config = examples(
        {
            "name": "Vaccinated",
            "labels": ["paralytic polio", "none"],
            "counts": [33, 200712],
            "unit": "one child",
            "one_record_per_unit": True,
            "n_is_public": True,
            "budget": {
                "kind": "new",
                "budget": {
                    "accountant": "basic",
                    "name": "Polio field trial 1954, vaccinated",
                    "epsilon": "2",
                    "delta": "1e-6",
                },
            },
        },
        {
            "name": "Placebo",
            "labels": ["paralytic polio", "none"],
            "counts": [115, 201114],
            "unit": "one child",
            "one_record_per_unit": True,
            "n_is_public": True,
            "budget": {"kind": "existing", "id": "bud_aaaaaaaaaaaaaaaaaaaaaaaaaa"},
        },
        {
            "name": "Smokers by age",
            "attributes": [
                {"name": "age", "levels": ["10-19", "20-29", "30-39"]},
                {"name": "smoker", "levels": ["no", "yes"]},
            ],
            "impossible": [{"age": ["10-19"], "smoker": ["yes"]}],
            "counts": [310, 250, 95, 240, 120],
            "unit": "one person",
            "one_record_per_unit": True,
            "n_is_public": True,
            "budget": {"kind": "existing", "id": "bud_aaaaaaaaaaaaaaaaaaaaaaaaaa"},
        },
    )

    name: Name = Field(examples=["Vaccinated"])
    labels: Annotated[list[ShortText], Field(min_length=2, max_length=MAX_CATEGORIES)] | None = Field(
        default=None,
        description="The categories, in order, public. Leave impossible ones out and keep empty ones.",
        examples=[["paralytic polio", "none"]],
    )
    attributes: Attributes | None = Field(
        default=None,
        description="In place of labels, the attributes of a cross table, public. Its cells are the combinations of "
        "their levels in row-major order: the last attribute changes fastest. A cell's label joins its levels by "
        "' · '.",
    )
    impossible: Annotated[list[Where], Field(max_length=100)] = Field(
        default=[],
        description="Combinations of levels that no record can have: whatever meets one of these is no cell. Empty "
        "cells are possible.",
    )
    counts: Counts | None = Field(
        default=None,
        description="Records in each category: in the order of the labels, or of the possible cells in row-major "
        "order.",
        examples=[[33, 200712]],
    )
    named_counts: NamedCounts | None = Field(
        default=None, description="In place of counts: records in each category by name, in any order."
    )
    unit: LongText = Field(description="Whom one record stands for, in your words.", examples=["one child"])
    one_record_per_unit: Literal[True] | None = Field(
        default=None, description="You affirm that each unit has exactly one record; the guarantee is per record."
    )
    records_per_unit: RecordsPerUnit | None = Field(
        default=None,
        description="In place of `one_record_per_unit`: you affirm that no unit has more records than this. Every "
        "mechanism is calibrated and certified for as many changed records, and so is noisier. How many records a unit "
        "has is not hidden.",
        examples=[3],
    )
    n_is_public: Literal[True] = Field(
        description="You affirm that the number of records may be known; under `replace_one` it is published."
    )
    relation: Literal["replace_one"] = Field(
        default="replace_one",
        description=(
            "Which data sets count as neighbours: those that differ in the category of one record. No other "
            "relation is offered, since every mechanism publishes counts that sum to n."
        ),
    )
    budget: Annotated[ExistingBudget | NewBudget, Field(discriminator="kind")]

    @field_validator("counts")
    @classmethod
    def _counts(cls, counts: list[int] | None, so_far: ValidationInfo) -> list[int] | None:
        labels = so_far.data.get("labels")
        if counts is not None and labels is not None and len(counts) != len(labels):
            raise ValueError("must have as many counts as there are labels")
        return None if counts is None else check_counts(counts)

    @field_validator("named_counts")
    @classmethod
    def _named_counts(cls, counts: list[NamedCount] | None) -> list[NamedCount] | None:
        return None if counts is None else check_named_counts(counts)

    @field_validator("labels")
    @classmethod
    def _labels(cls, labels: list[str] | None) -> list[str] | None:
        return None if labels is None else check_labels(labels)


class DatasetChange(Request):
    """What to change; what is left out stays."""

    model_config = examples({"name": "Vaccinated, recounted", "counts": [34, 200711]})

    name: Name | None = None
    counts: Counts | None = Field(
        default=None, description="New counts; possible only while nothing was released from this data set."
    )
    named_counts: NamedCounts | None = Field(default=None, description="In place of counts: by name, in any order.")
    history_shared: bool | None = Field(
        default=None,
        strict=True,
        description="Whether linear queries under every open grant are answered from, and priced beside, all that was "
        "ever released from or measured on the data set, also by others and by you. What one asked is then no secret "
        "to the others, and a grant's cap bounds what its holder spends, not what he learns.",
    )
    listed: bool | None = Field(
        default=None,
        strict=True,
        description="Whether every analyst of this installation sees the name, the unit, the labels and the number of "
        "records, and can ask for access. Off at first. If it is switched off again, requests that were made stay.",
    )

    @field_validator("counts")
    @classmethod
    def _counts(cls, counts: list[int] | None) -> list[int] | None:
        return None if counts is None else check_counts(counts)

    @field_validator("named_counts")
    @classmethod
    def _named_counts(cls, counts: list[NamedCount] | None) -> list[NamedCount] | None:
        return None if counts is None else check_named_counts(counts)


class Dataset(Response):
    """What is public about a data set."""

    id: Id
    name: str
    budget_id: Id
    accountant: Literal["basic", "zcdp"]
    labels: list[str] = Field(description="Empty in lists where they are long: read the data set for them.")
    attributes: list[Attribute] | None = Field(
        description="Of a cross table; its possible cells, in row-major order, have the labels. Null where labels are "
        "all there is, and in lists where they are long."
    )
    category_count: int
    record_count: int
    unit: str
    one_record_per_unit: bool
    records_per_unit: int = Field(description="The most records that one unit has.")
    n_is_public: bool
    relation: Literal["replace_one"]
    commitment: str = Field(description="SHA-256 over nonce, labels and counts, in hexadecimal.")
    history_shared: bool = Field(
        description="Whether linear queries under every open grant are answered from the whole history of the data "
        "set. What you ask is then seen by the others, and a grant's cap bounds what its holder spends, not what he "
        "learns."
    )
    listed: bool = Field(description="Whether every analyst of this installation sees it and can ask for access.")
    created_at: Timestamp


class RegisteredDataset(Dataset):
    warnings: list[str] = Field(
        description="What makes the budget's guarantee weak for this data set: an epsilon above 10, or a delta above "
        "1/n, n being the number of records."
    )
    nonce: str | None = Field(
        description=(
            "Keep it: with it you can later prove which counts were registered. A repeated request is told it for a "
            "day; then it is null, and kept nowhere."
        )
    )


class ChangedDataset(Dataset):
    nonce: str | None = Field(
        description="The nonce of the new counts, which replaces the earlier one; null where the counts stayed."
    )


class GrantCreate(Request):
    model_config = examples({"principal_id": "pri_aaaaaaaaaaaaaaaaaaaaaaaaaa", "epsilon": "1", "delta": "1e-7"})

    principal_id: Id = Field(description="The analyst.")
    epsilon: EpsilonField | None = Field(default=None, description="Cap under `basic`.")
    rho: RhoField | None = Field(default=None, description="Cap under `zcdp`.")
    delta: DeltaField
    expires_at: Instant | None = Field(
        default=None,
        description="From when nothing can be spent; a fraction of a second is cut off. Never when left out.",
    )


class GrantChange(Request):
    """What to change; what is left out stays."""

    model_config = examples({"epsilon": "1.5"}, {"closed": True}, {"expires_at": "2027-01-31T12:00:00Z"})

    epsilon: EpsilonField | None = None
    rho: RhoField | None = None
    delta: DeltaField | None = None
    closed: bool | None = Field(default=None, strict=True)
    expires_at: Instant | None = Field(
        default=None,
        description="Time from which nothing can be spent; also renews a grant that has expired. Null: never.",
    )


class Grant(Response):
    id: Id
    dataset_id: Id
    principal_id: Id
    name: str | None = Field(description="The analyst's. Null once erased.")
    cap: Amount
    spent: Amount
    remaining: Amount = Field(
        description="The lesser of what is left of the cap and what is left of the budget. Where queries were measured "
        "on the budget, its holder is shown what is left of the cap."
    )
    warnings: list[str] = Field(description="To the owner: whether the budget ends the grant's releases first.")
    stored_bytes: int = Field(description="What its releases may take, of the most that GET /v1/quotas tells.")
    closed: bool = Field(description="Whether the owner closed it.")
    expired: bool = Field(description="Whether `expires_at` has passed: nothing can be spent then, as of a closed one.")
    expires_at: Timestamp | None
    created_at: Timestamp
