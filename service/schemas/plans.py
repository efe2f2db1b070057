"""Describes plans and rehearsals: what a release would be worth before it is paid for. No data set is named or read."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from core.limits import MAX_RECORDS
from core.privacy import Delta
from service.schemas.amounts import NOTHING_LEFT_OUT, DeltaOrNone, EpsilonField, EpsilonOfRelease
from service.schemas.cells import Attributes, CellOrCells, Where
from service.schemas.datasets import Count, check_counts, check_labels
from service.schemas.mechanisms import Mechanism, MechanismKind
from service.schemas.model import AS_WHOLE, Request, Response, ShortText, examples
from service.schemas.releases import Certificate, Level, Loss, Prior, RecordsPerUnit, ReleasedPosterior

MAX_PLANNED_CATEGORIES = 1000
MAX_PLANNED_SHARES = 12

MadeUpCounts = Annotated[list[Count], Field(min_length=2, max_length=MAX_PLANNED_CATEGORIES)]


class HypotheticalCounts(Request):
    """Counts that you make up. They are your guess, so nothing about them is private."""

    kind: Literal["counts"]
    counts: MadeUpCounts = Field(examples=[[30, 970]])

    @field_validator("counts")
    @classmethod
    def _counts(cls, counts: list[int]) -> list[int]:
        return check_counts(counts)


class ReferenceShape(Request):
    """A reference histogram, for when you have no guess: even shares, shares that fall as 1, 1/2, 1/3, …, or the
    prior's mean.
    """

    kind: Literal["shape"]
    shape: Literal["even", "falling", "prior_mean"]
    record_count: Annotated[int, Field(strict=True, ge=1, le=MAX_RECORDS), AS_WHOLE] = Field(examples=[1000])


Hypothetical = Annotated[HypotheticalCounts | ReferenceShape, Field(discriminator="kind")]


class PlanCreate(Request):
    model_config = examples(
        {"prior": [1, 1], "data": {"kind": "counts", "counts": [30, 970]}, "epsilon": "0.5", "target_width": 0.05},
        {
            "prior": [1, 1, 1],
            "data": {"kind": "shape", "shape": "falling", "record_count": 60},
            "epsilon": "1",
            "delta": "1e-8",
        },
    )

    prior: Annotated[Prior, Field(max_length=MAX_PLANNED_CATEGORIES)] = Field(examples=[[1, 1]])
    data: Hypothetical
    epsilon: EpsilonOfRelease
    delta: DeltaOrNone = Field(
        default=Delta(0),
        json_schema_extra=NOTHING_LEFT_OUT,
        description="Only what spends a delta needs one: `gaussian` and `exponential_published`.",
    )
    level: Level = Field(default=0.95, description="Level of the intervals.")
    target_width: Annotated[float, Field(gt=0.0, lt=1.0, strict=True)] | None = Field(
        default=None, description="Also find the smallest epsilon at which no interval is expected to be wider."
    )
    target_error: Annotated[float, Field(gt=0.0, lt=1.0, strict=True)] | None = Field(
        default=None, description="Also find the smallest epsilon whose expected Hellinger error is at most this."
    )
    labels: Annotated[list[ShortText], Field(min_length=2, max_length=MAX_PLANNED_CATEGORIES)] | None = Field(
        default=None, description="Names of the categories, where `shares` name cells by labels."
    )
    attributes: Attributes | None = Field(
        default=None,
        description="Of a cross table whose cells the counts are, where `shares` name cells by attributes.",
    )
    impossible: Annotated[list[Where], Field(max_length=100)] = Field(
        default=[], description="Combinations of levels that are no cells."
    )
    shares: Annotated[list[CellOrCells], Field(max_length=MAX_PLANNED_SHARES)] = Field(
        default=[],
        description="The shares whose intervals you want to be narrow; those of the largest categories when left out.",
        examples=[[0]],
    )
    records_per_unit: RecordsPerUnit = 1

    @field_validator("labels")
    @classmethod
    def _labels(cls, labels: list[str] | None) -> list[str] | None:
        return None if labels is None else check_labels(labels)

    @model_validator(mode="after")
    def _match(self) -> PlanCreate:
        if isinstance(self.data, HypotheticalCounts) and len(self.data.counts) != len(self.prior):
            raise ValueError("prior and made-up counts must have the same length")
        return self


class ErrorQuantile(Response):
    """The distance that the error stays within with probability `level`."""

    level: float
    distance: float


class ErrorExceedance(Response):
    """The probability of an error of `distance` or more."""

    distance: float
    probability: float


class HellingerError(Response):
    """The distribution of the Hellinger distance between the true and the released posterior, at the made-up counts."""

    expected: float
    standard_error: float = Field(description="Of the expectation; 0 where that is exact.")
    quantile_95: float
    quantiles: list[ErrorQuantile]
    exceedances: list[ErrorExceedance]
    probability_error: float = Field(
        description="The largest standard error of a probability; 0 where the law is exact."
    )
    expected_l1: float = Field(
        description="The expected sum over categories of |released - true count|, in records: a moved record counts "
        "twice."
    )
    method: Literal["exact", "simulation"]
    rehearsals: int | None = Field(description="Runs, or weighted draws, of the simulation.")


class IntervalWidth(Response):
    """The expected width of the noise-aware interval of a share, and what the exact counts would give."""

    share: CellOrCells = Field(description="A category by its position, or the cells as they were named.")
    expected: float
    standard_error: float
    without_noise: float


class PlanOption(Response):
    """One mechanism at the epsilon and delta asked for; `unavailable_reason` says why where it can't run there."""

    kind: MechanismKind
    mechanism: Mechanism | None = Field(description="What to ask a release by; null where it can't run.")
    certified: Loss | None = Field(
        description="What would be proven, and so charged: more than was asked by `exponential_published`, at times."
    )
    statement: str | None
    widths: list[IntervalWidth] = Field(
        description="Of the shares asked for, or of the twelve largest categories, the largest first."
    )
    widths_level: float
    widths_rehearsals: int = Field(
        description="Runs of the mechanism that the widths come from: up to 24, fewer where they agree to 0.5 %. "
        "Besides, each width is right to 1 % only: of the exponential mechanism at two categories and over 200 "
        "records, and of noise so wide that more than 4096 counts of a share stay possible."
    )
    widths_unavailable_reason: str | None
    error: HellingerError | None
    smallest_epsilon: EpsilonField | None = Field(
        description="The smallest epsilon, to 1 %, that reaches `target_width` and `target_error`; null where none "
        "does (see `target_unreachable_reason`), and for mechanisms whose calibration is a search."
    )
    unavailable_reason: str | None


class Plan(Response):
    options: list[PlanOption]
    recommended: MechanismKind
    recommended_mechanism: Mechanism = Field(description="What to ask a release by.")
    recommendation_reason: str
    target_unreachable_reason: str | None = Field(
        description="Set if exact counts would already miss `target_width`, so that no mechanism reaches it. It states "
        "the width that exact counts would give."
    )
    note: str


class RehearsalCreate(Request):
    """A release on counts that you make up."""

    model_config = examples(
        {
            "labels": ["paralytic polio", "none"],
            "counts": [30, 970],
            "prior": [1, 1],
            "mechanism": {"kind": "simplex_geometric", "epsilon": "0.5"},
        }
    )

    labels: Annotated[list[ShortText], Field(min_length=2, max_length=MAX_PLANNED_CATEGORIES)] = Field(
        examples=[["paralytic polio", "none"]]
    )
    counts: MadeUpCounts = Field(examples=[[30, 970]])
    prior: Annotated[Prior, Field(max_length=MAX_PLANNED_CATEGORIES)] = Field(examples=[[1, 1]])
    mechanism: Mechanism
    level: Level = 0.95
    records_per_unit: RecordsPerUnit = 1

    @field_validator("labels")
    @classmethod
    def _labels(cls, labels: list[str]) -> list[str]:
        return check_labels(labels)

    @field_validator("counts")
    @classmethod
    def _counts(cls, counts: list[int]) -> list[int]:
        return check_counts(counts)

    @model_validator(mode="after")
    def _match(self) -> RehearsalCreate:
        if not len(self.labels) == len(self.counts) == len(self.prior):
            raise ValueError("labels, counts and prior must have the same length")
        return self


class RehearsedRelease(Response):
    """What a release would have looked like. It is about made-up counts and says nothing of anybody."""

    rehearsal: Literal[True]
    labels: list[str]
    prior: list[float]
    mechanism: Mechanism
    certified: Loss
    certificate: Certificate
    posterior: ReleasedPosterior
    plot_svg: str | None = Field(description="The picture, an SVG document; null beyond 200 categories.")
    note: str
