"""Schemas of plans, curves and rehearsals, which predict a release. No data set is named or read."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from core.limits import MAX_RECORDS
from core.privacy import Delta, Epsilon
from service.schemas.amounts import NOTHING_LEFT_OUT, DeltaOrNone, EpsilonField, EpsilonOfRelease
from service.schemas.cells import Attributes, CellOrCells, Cells, Where
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
    """Counts that you make up. Your guess discloses nothing private."""

    kind: Literal["counts"]
    counts: MadeUpCounts = Field(examples=[[30, 970]])

    @field_validator("counts")
    @classmethod
    def _counts(cls, counts: list[int]) -> list[int]:
        return check_counts(counts)


class ReferenceShape(Request):
    """A reference histogram if you have no guess: even shares, shares that fall as 1, 1/2, 1/3, …, or the mean of the
    prior.
    """

    kind: Literal["shape"]
    shape: Literal["even", "falling", "prior_mean"]
    record_count: Annotated[int, Field(strict=True, ge=1, le=MAX_RECORDS), AS_WHOLE] = Field(examples=[1000])


Hypothetical = Annotated[HypotheticalCounts | ReferenceShape, Field(discriminator="kind")]


class HypotheticalRelease(Request):
    """Made-up counts or sizes, and the shares whose intervals matter to you."""

    prior: Annotated[Prior, Field(max_length=MAX_PLANNED_CATEGORIES)] = Field(examples=[[1, 1]])
    data: Hypothetical
    delta: DeltaOrNone = Field(
        default=Delta(0),
        json_schema_extra=NOTHING_LEFT_OUT,
        description="Only `gaussian` and `exponential_published` need a positive delta.",
    )
    level: Level = Field(
        default=0.95, description=("Probability that an interval contains the share, above 0 and below 1.")
    )
    labels: Annotated[list[ShortText], Field(min_length=2, max_length=MAX_PLANNED_CATEGORIES)] | None = Field(
        default=None, description="Names of the categories; needed if `shares` name cells by labels."
    )
    attributes: Attributes | None = Field(
        default=None,
        description=(
            "Attributes of the cross table that the counts are in; required if `shares` name cells by attributes."
        ),
    )
    impossible: Annotated[list[Where], Field(max_length=100)] = Field(
        default=[], description="Combinations of levels that no record can have; they are no cells."
    )
    given: Cells | None = Field(
        default=None,
        description=(
            "The cells that form the denominator of every share in `shares`, by labels or by levels of attributes; all "
            "cells if left out."
        ),
        examples=[{"vaccine": ["yes"]}],
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
        default=None, description="Also return the smallest epsilon at which no interval is expected to be wider."
    )
    target_error: Annotated[float, Field(gt=0.0, lt=1.0, strict=True)] | None = Field(
        default=None, description="Also return the smallest epsilon whose expected Hellinger error is at most this."
    )
    shares: Annotated[list[CellOrCells], Field(max_length=MAX_PLANNED_SHARES)] = Field(
        default=[],
        description="Shares whose intervals are computed. If left out, those of the twelve largest categories.",
        examples=[[0]],
    )


def _default_epsilons() -> list[Epsilon]:
    """Return 30 values from 0.01 to 10, each 1.27 times the one before."""
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
        description="Values of ε, in increasing order. Default: 30 values from 0.01 to 10.",
        examples=[["0.1", "0.2", "0.5", "1"]],
    )
    shares: Annotated[list[CellOrCells], Field(max_length=MAX_CURVE_SHARES)] = Field(
        default=[],
        description="Shares whose intervals are computed. If left out, that of the largest category.",
        examples=[[0]],
    )

    @field_validator("epsilons")
    @classmethod
    def _rising(cls, epsilons: list[Epsilon]) -> list[Epsilon]:
        if any(second <= first for first, second in pairwise(epsilons)):
            raise ValueError("epsilons must rise")
        return epsilons


class ExpectedInterval(Response):
    """The mean ends of the intervals of simulated releases, as shares from 0 to 1."""

    low: float
    high: float


class CurvePoint(Response):
    """A mechanism at one epsilon."""

    epsilon: EpsilonField = Field(description="The requested ε.")
    mechanism: Mechanism = Field(description="The mechanism to send in a release request.")
    certified: Loss = Field(
        description=("The privacy loss that would be proven and charged, for `records_per_unit` records.")
    )
    odds: float = Field(
        description=(
            "e to the certified epsilon. Suppose that somebody knows the records of all other units. The release "
            "multiplies their odds of a fact about the remaining unit by at most this factor. If the certified delta "
            "is above 0, this can fail with probability delta."
        )
    )
    widths: list[float] = Field(description="Expected widths of the intervals, in the order of `shares`.")
    intervals: list[ExpectedInterval] = Field(
        description=(
            "Where the intervals are expected to lie. At a rare share they reach further up than down from the guess, "
            "so they are not the guess plus or minus half of `widths`."
        )
    )


class MechanismCurve(Response):
    """A mechanism at rising values of epsilon, except those at which it can't run."""

    kind: MechanismKind
    points: list[CurvePoint]
    unavailable_reason: str | None = Field(description="The reason why there are no points; null if there are some.")


class Curves(Response):
    """Interval widths of each mechanism at many values of epsilon, for made-up counts."""

    shares: list[CellOrCells] = Field(
        description=("Categories by their positions from 0, or cells as the request names them.")
    )
    widths_without_noise: list[float] = Field(description="The widths from exact counts, in the order of `shares`.")
    intervals_without_noise: list[ExpectedInterval] = Field(description="The intervals that exact counts would give.")
    level: float
    max_relative_error: float = Field(
        description=(
            "Bound on the relative error of `widths`, which are computed at some values of epsilon and interpolated at "
            "the others: 0.15, and four standard errors beyond two categories. There, if the prior of a category is "
            "below 0.3, the error of a width below 0.01 is relative to 0.01. A plan computes widths more precisely at "
            "one epsilon."
        )
    )
    mechanisms: list[MechanismCurve]
    note: str


class ErrorQuantile(Response):
    """The distance that the error does not exceed with probability `level`."""

    level: float
    distance: float


class ErrorExceedance(Response):
    """The probability that the error is at least `distance`."""

    distance: float
    probability: float


class HellingerError(Response):
    """The distribution of the Hellinger distance between the true and the released posterior, at the made-up counts."""

    expected: float
    standard_error: float = Field(description="Standard error of `expected`; 0 if that is exact.")
    quantile_95: float
    quantiles: list[ErrorQuantile]
    exceedances: list[ErrorExceedance]
    probability_error: float = Field(
        description="The largest standard error of a probability; 0 if the distribution is exact."
    )
    expected_l1: float = Field(
        description=(
            "Expected sum over categories of |released - true count|, in records. A moved record counts twice."
        )
    )
    method: Literal["exact", "simulation"]
    rehearsals: int | None = Field(
        description=("Number of runs, or of weighted draws, of the simulation; null if `exact`.")
    )


class IntervalWidth(Response):
    """The expected width of the noise-aware interval of a share, and the width from exact counts."""

    share: CellOrCells = Field(description="A category by its position from 0, or cells as the request names them.")
    expected: float
    standard_error: float = Field(
        description=(
            "Standard error of the weighted mean over simulated releases, as they varied; 0 for a sum over all "
            "releases. `expected` is off by at most four of these and 5 %, at two categories by 1 %. If the prior of "
            "a category is below 0.3, these are 5 % of 0.01 for a width below 0.01, which can come from releases that "
            "are rarer than all simulated ones."
        )
    )
    without_noise: float


class PlanOption(Response):
    """One mechanism at the requested epsilon and delta. If it can't run there, `unavailable_reason` says why."""

    kind: MechanismKind
    mechanism: Mechanism | None = Field(
        description=("The mechanism to send in a release request; null if it can't run.")
    )
    certified: Loss | None = Field(
        description=(
            "The privacy loss that would be proven and charged. For `exponential_published` it can be more than "
            "requested. Null if the mechanism can't run."
        )
    )
    statement: str | None
    widths: list[IntervalWidth] = Field(
        description="Widths for the requested shares, or for the twelve largest categories, the largest first."
    )
    widths_level: float
    widths_rehearsals: int = Field(
        description=(
            "Number of simulated releases behind the widths; 0 at two categories, where a width is a sum over all "
            "releases. In two cases each width is accurate to 1 % only: the exponential mechanism at two categories "
            "and over 200 records, and noise that leaves more than 4096 counts of a share possible."
        )
    )
    widths_unavailable_reason: str | None = Field(
        description=(
            "The reason why there are no widths; null if there are some. Beyond 50 categories, no widths are known if "
            "the prior of a category is below 0.3."
        )
    )
    error: HellingerError | None
    smallest_epsilon: EpsilonField | None = Field(
        description=(
            "The smallest epsilon, to 1 %, that reaches `target_width` and `target_error`. Null if none does (see "
            "`target_unreachable_reason`), and for mechanisms whose calibration is a search."
        )
    )
    unavailable_reason: str | None


class Plan(Response):
    options: list[PlanOption]
    recommended: MechanismKind
    recommended_mechanism: Mechanism = Field(description="The mechanism to send in a release request.")
    recommendation_reason: str
    target_unreachable_reason: str | None = Field(
        description=(
            "The reason why no mechanism reaches `target_width`: the intervals from exact counts are wider, too. The "
            "reason states their width. Null otherwise."
        )
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
    """A simulated release on made-up counts. It discloses nothing about anybody."""

    rehearsal: Literal[True]
    labels: list[str]
    prior: list[float]
    mechanism: Mechanism
    certified: Loss
    certificate: Certificate
    posterior: ReleasedPosterior
    plot_svg: str | None = Field(description="The picture as an SVG document; null beyond 200 categories.")
    note: str
