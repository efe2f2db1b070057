"""Describes plans and rehearsals: what a release would be worth before it is paid for. No data set is named or read."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from core.limits import MAX_RECORDS
from core.privacy import Delta, Epsilon
from service.schemas.amounts import NOTHING_LEFT_OUT, DeltaOrNone, EpsilonField, EpsilonOfRelease
from service.schemas.cells import Attributes, CellOrCells, Where
from service.schemas.datasets import Count, check_counts, check_labels
from service.schemas.mechanisms import Mechanism, MechanismKind
from service.schemas.model import AS_WHOLE, Request, Response, ShortText, examples
from service.schemas.releases import Certificate, Level, Loss, Prior, RecordsPerUnit, ReleasedPosterior

MAX_PLANNED_CATEGORIES = 1000
MAX_PLANNED_SHARES = 12
MAX_CURVE_SHARES = 4
MAX_CURVE_EPSILONS = 40

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


class HypotheticalRelease(Request):
    """Counts or sizes that you make up, and the shares whose intervals you want to be narrow."""

    prior: Annotated[Prior, Field(max_length=MAX_PLANNED_CATEGORIES)] = Field(examples=[[1, 1]])
    data: Hypothetical
    delta: DeltaOrNone = Field(
        default=Delta(0),
        json_schema_extra=NOTHING_LEFT_OUT,
        description="Only what spends a delta needs one: `gaussian` and `exponential_published`.",
    )
    level: Level = Field(default=0.95, description="Level of the intervals.")
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
    records_per_unit: RecordsPerUnit = 1

    @field_validator("labels")
    @classmethod
    def _labels(cls, labels: list[str] | None) -> list[str] | None:
        return None if labels is None else check_labels(labels)

    @model_validator(mode="after")
    def _match(self) -> Self:
        if isinstance(self.data, HypotheticalCounts) and len(self.data.counts) != len(self.prior):
            raise ValueError("prior and made-up counts must have the same length")
        return self


class PlanCreate(HypotheticalRelease):
    model_config = examples(
        {"prior": [1, 1], "data": {"kind": "counts", "counts": [30, 970]}, "epsilon": "0.5", "target_width": 0.05},
        {
            "prior": [1, 1, 1],
            "data": {"kind": "shape", "shape": "falling", "record_count": 60},
            "epsilon": "1",
            "delta": "1e-8",
        },
    )

    epsilon: EpsilonOfRelease
    target_width: Annotated[float, Field(gt=0.0, lt=1.0, strict=True)] | None = Field(
        default=None, description="Also find the smallest epsilon at which no interval is expected to be wider."
    )
    target_error: Annotated[float, Field(gt=0.0, lt=1.0, strict=True)] | None = Field(
        default=None, description="Also find the smallest epsilon whose expected Hellinger error is at most this."
    )
    shares: Annotated[list[CellOrCells], Field(max_length=MAX_PLANNED_SHARES)] = Field(
        default=[],
        description="The shares whose intervals you want to be narrow; those of the largest categories when left out.",
        examples=[[0]],
    )


def _default_epsilons() -> list[Epsilon]:
    """30 values from 0.01 to 10, each 1.27 times the one before."""
    return [Epsilon.parse(f"{10 ** (-2 + 3 * step / 29):.4f}") for step in range(30)]


class CurveCreate(HypotheticalRelease):
    model_config = examples(
        {
            "prior": [1, 1, 1],
            "data": {"kind": "counts", "counts": [30, 200, 770]},
            "epsilons": ["0.1", "0.2", "0.5", "1"],
            "delta": "1e-6",
            "shares": [0],
        },
        {"prior": [1, 1], "data": {"kind": "shape", "shape": "falling", "record_count": 1000}},
    )

    epsilons: Annotated[list[EpsilonOfRelease], Field(min_length=1, max_length=MAX_CURVE_EPSILONS)] = Field(
        default_factory=_default_epsilons,
        description="Rising. When left out, 30 values from 0.01 to 10.",
        examples=[["0.1", "0.2", "0.5", "1"]],
    )
    shares: Annotated[list[CellOrCells], Field(max_length=MAX_CURVE_SHARES)] = Field(
        default=[],
        description="The shares whose intervals you want to see; that of the largest category when left out.",
        examples=[[0]],
    )

    @field_validator("epsilons")
    @classmethod
    def _rising(cls, epsilons: list[Epsilon]) -> list[Epsilon]:
        if any(second <= first for first, second in pairwise(epsilons)):
            raise ValueError("epsilons must rise")
        return epsilons


class CurvePoint(Response):
    """A mechanism at one epsilon."""

    epsilon: EpsilonField = Field(description="As asked for.")
    mechanism: Mechanism = Field(description="What to ask a release by.")
    certified: Loss = Field(description="What would be proven, and so charged, for `records_per_unit` records.")
    odds: float = Field(
        description="e to the certified epsilon. The release can raise anyone's odds of any fact about a unit at most "
        "this many times; under a certified delta above 0, but for a probability of delta."
    )
    widths: list[float] = Field(description="Expected widths of the intervals, in the order of `shares`.")


class MechanismCurve(Response):
    """A mechanism at rising values of epsilon, without those at which it can't run."""

    kind: MechanismKind
    points: list[CurvePoint]
    unavailable_reason: str | None = Field(description="Why there are no points.")


class Curves(Response):
    """Interval widths of each mechanism at many values of epsilon, for made-up counts."""

    shares: list[CellOrCells] = Field(description="Categories by their positions, or cells as they were named.")
    widths_without_noise: list[float] = Field(description="What the exact counts would give, in the same order.")
    level: float
    max_relative_error: float = Field(
        description="Widths are rehearsed at some values of epsilon and interpolated at the others. They are off by at "
        "most this part of themselves. A plan finds them more precisely, at one epsilon."
    )
    curves: list[MechanismCurve]
    note: str


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
