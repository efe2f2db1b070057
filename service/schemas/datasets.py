"""Schemas of data sets and of grants on them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag, ValidationInfo, field_validator, model_validator
from typing_extensions import TypeAliasType

from core.limits import MAX_CATEGORIES, MAX_CELLS, MAX_RECORDS
from service.schemas.budgets import BudgetCreate
from service.schemas.cells import Attribute, Attributes, Labels, Where
from service.schemas.model import (
    AS_WHOLE,
    NOT_NULL,
    AccountantName,
    Amount,
    Change,
    DeltaField,
    EpsilonField,
    Id,
    Instant,
    LongText,
    Name,
    Relation,
    Request,
    Response,
    RhoField,
    ShortText,
    Timestamp,
    as_seen,
    examples,
)
from service.schemas.releases import RecordsPerUnit

Count = Annotated[int, Field(strict=True, json_schema_extra={"minimum": 0, "maximum": MAX_RECORDS}), AS_WHOLE]
Counts = Annotated[list[Count], Field(min_length=2, max_length=MAX_CELLS)]


def _names(value: object) -> str:
    return "where" if isinstance(value, dict) else "labels"


Cell = TypeAliasType(
    "Cell", Annotated[Annotated[Labels, Tag("labels")] | Annotated[Where, Tag("where")], Discriminator(_names)]
)


class NamedCount(Request):
    """The number of records in one category."""

    cell: Cell = Field(
        description=("The category: a list of its label, or an object of its level of each attribute, each in a list."),
        examples=[{"age": ["20-29"], "smoker": ["yes"]}],
    )
    count: Count = Field(description="The number of records in it.")


def check_named_counts(counts: list[NamedCount]) -> list[NamedCount]:
    """Return the counts if they can be a histogram, as `check_counts` does."""
    check_counts([each.count for each in counts])
    return counts


def check_labels(labels: list[str]) -> list[str]:
    """Return the labels. Raises ValueError if two look alike."""
    if len({as_seen(label) for label in labels}) != len(labels):
        raise ValueError("labels must differ from each other")
    return labels


def check_counts(counts: list[int]) -> list[int]:
    """Return the counts if they can be a histogram. Errors state the rule and never a count."""
    if any(count < 0 for count in counts):
        raise ValueError("every count must be a whole number that is not negative")
    total = sum(counts)
    if total > MAX_RECORDS:
        raise ValueError("the counts must sum to at most 2^53")
    return counts


NamedCounts = Annotated[list[NamedCount], Field(min_length=2, max_length=MAX_CELLS), AfterValidator(check_named_counts)]
Categories = Annotated[list[ShortText], Field(min_length=2, max_length=MAX_CATEGORIES), AfterValidator(check_labels)]


class ExistingBudget(Request):
    kind: Literal["existing"]
    id: Id


class NewBudget(Request):
    kind: Literal["new"]
    budget: BudgetCreate = Field(description="The budget to open.")


BudgetOfDataset = TypeAliasType("BudgetOfDataset", Annotated[ExistingBudget | NewBudget, Field(discriminator="kind")])


class DatasetCreate(Request):
    """A histogram to register. The API never returns its counts."""

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

    name: Name = Field(examples=["Vaccinated"], description="A name, unique among your data sets.")
    labels: Categories | None = Field(
        default=None,
        description="The categories in order; they are public. Omit impossible categories, and keep empty ones.",
        examples=[["paralytic polio", "none"]],
    )
    attributes: Attributes | None = Field(
        default=None,
        description=(
            "The attributes of a cross table, in place of labels; they are public. Its cells are all combinations "
            "of levels in row-major order: the last attribute changes fastest. A cell's label joins its levels by "
            "' · '."
        ),
    )
    impossible: Annotated[list[Where], Field(max_length=100)] = Field(
        default=[],
        description=(
            "Combinations of levels that no record can have; they are not cells. Cells that are merely empty stay."
        ),
    )
    counts: Counts | None = Field(
        default=None,
        description=(
            "Records in each category, in the order of the labels, or of the possible cells in row-major order."
        ),
        examples=[[33, 200712]],
    )
    named_counts: NamedCounts | None = Field(
        default=None,
        description="Records in each category by its name, in any order. Send either this or `counts`.",
    )
    unit: LongText = Field(
        description="The person or thing that one record describes, in your words.", examples=["one child"]
    )
    one_record_per_unit: Literal[True] | None = Field(
        default=None, description="You affirm that each unit has exactly one record. The guarantee is per record."
    )
    records_per_unit: RecordsPerUnit | None = Field(
        default=None,
        description=(
            "You affirm that no unit has more records than this; in place of `one_record_per_unit`. Mechanisms are "
            "calibrated and certified for this number of changed records, and add more noise. The number of "
            "records of a unit is not hidden."
        ),
        examples=[3],
    )
    n_is_public: bool = Field(
        strict=True,
        description=(
            "May it be known how many records there are? True: you affirm that their number is public, and it is "
            "published. "
            "False: nothing states it, and you affirm that the same people are in no table of another budget whose "
            "number of records is public. False is the default under `add_remove`."
        ),
    )
    relation: Relation = Field(
        default="replace_one",
        description=(
            "`replace_one` if the number of records is public, and `add_remove` if it is private. All data sets of a "
            "budget have the relation of its first one. `add_remove` also hides whether a unit is in the table; it "
            "admits the mechanisms `geometric`, `laplace` and `gaussian`. If `n_is_public` is false: add_remove if "
            "left out. If it is true:"
        ),
    )
    budget: BudgetOfDataset = Field(description="The budget that releases are charged to.")

    @model_validator(mode="before")
    @classmethod
    def _relation_and_size(cls, body: Any) -> Any:
        """Fill in `relation` or `n_is_public`, of which each implies the other."""
        if isinstance(body, dict):
            if body.get("n_is_public") is False:
                return {"relation": "add_remove"} | body
            if body.get("relation") == "add_remove":
                return {"n_is_public": False} | body
        return body

    @field_validator("counts")
    @classmethod
    def _counts(cls, counts: list[int] | None, so_far: ValidationInfo) -> list[int] | None:
        labels = so_far.data.get("labels")
        if counts is not None and labels is not None and len(counts) != len(labels):
            raise ValueError("must have as many counts as there are labels")
        return None if counts is None else check_counts(counts)


class DatasetChange(Change):
    """Fields to change. Fields that are left out stay as they are."""

    model_config = examples({"name": "Vaccinated, recounted", "counts": [34, 200711]})

    name: Annotated[Name | None, NOT_NULL] = Field(default=None, description="A new name.")
    counts: Annotated[Counts | None, NOT_NULL] = Field(
        default=None, description="New counts; allowed only while nothing was released from this data set."
    )
    named_counts: Annotated[NamedCounts | None, NOT_NULL] = Field(
        default=None, description=("New counts by category name, in any order. Send either this or `counts`.")
    )
    labels: Annotated[Categories | None, NOT_NULL] = Field(
        default=None, description="New labels, in place of the earlier labels or attributes. They need new counts."
    )
    attributes: Annotated[Attributes | None, NOT_NULL] = Field(
        default=None, description="New attributes, in place of the earlier labels or attributes. They need new counts."
    )
    impossible: Annotated[list[Where], Field(max_length=100)] = Field(
        default=[], description="Combinations of the new attributes that no record can have."
    )
    history_shared: Annotated[Annotated[bool, Field(strict=True)] | None, NOT_NULL] = Field(
        default=None,
        description=(
            "Whether linear queries under every open grant use the whole history of the data set, and are priced with "
            "it. The history is everything that anyone released or measured. Analysts then see each other's queries. "
            "A grant's cap limits its holder's spending, not what the holder can learn."
        ),
    )
    listed: Annotated[Annotated[bool, Field(strict=True)] | None, NOT_NULL] = Field(
        default=None,
        description=(
            "Whether every analyst of the installation can ask for access, and sees the name, the owner's name, the "
            "unit, the labels and the number of records if that is public. Initially false. Earlier requests stay if "
            "it is set to false again."
        ),
    )

    @field_validator("counts")
    @classmethod
    def _counts(cls, counts: list[int] | None) -> list[int] | None:
        return None if counts is None else check_counts(counts)


class ListedDataset(Response):
    """The part of a listed data set that every analyst of the installation sees."""

    id: Id
    name: str = Field(description="The name that the owner gave.")
    owner_name: str | None = Field(description="The owner's name; null once erased.")
    unit: str = Field(description="The person or thing that one record describes, in the owner's words.")
    labels: list[str] = Field(description="The categories. Empty in lists if they are long. Then read the data set.")
    attributes: list[Attribute] | None = Field(
        description=(
            "Attributes of a cross table; `labels` name its possible cells in row-major order. Null if the data "
            "set is not a cross table, and in lists if they are long."
        )
    )
    category_count: int = Field(description="The number of categories m.")
    record_count: int | None = Field(description="The number of records n; null if it is private.")
    records_per_unit: int = Field(description="Upper bound on the records of one unit.")
    relation: Relation
    accountant: AccountantName = Field(
        description="Decides the amounts of charges and requests: ε and δ under `basic`, ρ and δ under `zcdp`."
    )
    created_at: Timestamp


class Dataset(ListedDataset):
    """The public facts about a data set."""

    budget_id: Id
    one_record_per_unit: bool = Field(description="Whether the owner affirmed that each unit has exactly one record.")
    n_is_public: bool = Field(description="Whether the owner affirmed that the number of records is public.")
    commitment: str = Field(
        description=(
            "SHA-256 over nonce, labels and counts, in hexadecimal. With the nonce it proves later which counts were "
            "registered."
        )
    )
    history_shared: bool = Field(
        description=(
            "Whether linear queries under every open grant use the whole history of the data set. Other analysts "
            "then see your queries. A grant's cap limits its holder's spending, not what the holder can learn."
        )
    )
    listed: bool = Field(description="Whether every analyst of the installation sees it and can ask for access.")
    nonce: str | None = Field(
        description=(
            "In the answer that registered or changed the counts. Keep it: it proves later which counts were "
            "registered. A repeated request returns it for a day. Null in other answers: the service has no copy."
        ),
    )
    warnings: list[str] | None = Field(
        description=(
            "In the answer to the registration: reasons why the budget's guarantee is weak for this data set, an "
            "epsilon above 10, or a delta above 1/n for n records. Null in other answers."
        ),
    )


class GrantCreate(Request):
    model_config = examples({"principal_id": "pri_aaaaaaaaaaaaaaaaaaaaaaaaaa", "epsilon": "1", "delta": "1e-7"})

    principal_id: Id = Field(description="The analyst who may spend.")
    epsilon: EpsilonField | None = Field(
        default=None, description=("Upper bound on what the analyst spends; only under `basic`.")
    )
    rho: RhoField | None = Field(
        default=None, description=("Upper bound on what the analyst spends; only under `zcdp`.")
    )
    delta: DeltaField = Field(description="Upper bound on the δ that the analyst spends.")
    expires_at: Instant | None = Field(
        default=None,
        description=(
            "Time from which nothing can be spent. Fractions of a second are cut off. If left out, the grant does not "
            "expire."
        ),
    )


class GrantChange(Change):
    """Fields to change. Fields that are left out stay as they are."""

    model_config = examples({"epsilon": "1.5"}, {"closed": True}, {"expires_at": "2027-01-31T12:00:00Z"})

    CLEARED: ClassVar[frozenset[str]] = frozenset({"expires_at"})

    epsilon: Annotated[EpsilonField | None, NOT_NULL] = Field(
        default=None, description="The new cap; only under `basic`."
    )
    rho: Annotated[RhoField | None, NOT_NULL] = Field(default=None, description="The new cap; only under `zcdp`.")
    delta: Annotated[DeltaField | None, NOT_NULL] = Field(default=None, description="The new cap on δ.")
    closed: Annotated[Annotated[bool, Field(strict=True)] | None, NOT_NULL] = Field(
        default=None,
        description="True ends spending under the grant; false allows it again. What was spent is not refunded.",
    )
    expires_at: Instant | None = Field(
        default=None,
        description="Time from which nothing can be spent. A later time renews an expired grant. Null: never.",
    )


class Grant(Response):
    id: Id
    dataset_id: Id
    principal_id: Id = Field(description="The analyst who holds it.")
    name: str | None = Field(description="The analyst's name; null once erased.")
    cap: Amount = Field(description="Upper bound on what the analyst spends under the grant.")
    spent: Amount = Field(description="The charges under the grant so far.")
    remaining: Amount = Field(
        description=(
            "The minimum of the remainders of cap and budget. If queries were measured on the budget, the holder "
            "sees the remainder of the cap only."
        )
    )
    warnings: list[str] = Field(
        description=("For the owner: a warning if the budget is used up before the grant's cap. Otherwise empty.")
    )
    stored_bytes: int = Field(
        description=("Bytes reserved for its releases; `bytes_per_grant` of `GET /v1/quotas` is the limit.")
    )
    closed: bool = Field(description="Whether the owner closed the grant.")
    expired: bool = Field(description="Whether `expires_at` has passed. An expired grant can't spend.")
    expires_at: Timestamp | None = Field(
        description="Time from which nothing can be spent; null if the grant does not expire."
    )
    created_at: Timestamp
