"""Schemas of plans, which predict a release. No data set is named or read."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator
from typing_extensions import TypeAliasType

from core.limits import MAX_RECORDS
from core.privacy import Delta, Epsilon
from service.schemas.cells import Attributes, ContrastQuestion, ShareQuestion, Where
from service.schemas.datasets import Count, check_counts, check_labels
from service.schemas.mechanisms import Mechanism, MechanismKind
from service.schemas.model import (
    AS_WHOLE,
    NOTHING_LEFT_OUT,
    DeltaOrNone,
    EpsilonField,
    EpsilonOfRelease,
    Method,
    Relation,
    Request,
    Response,
    ShortText,
    examples,
)
from service.schemas.releases import Level, Loss, Prior, RecordsPerUnit
from service.schemas.strata import StratifiedQuestion
from service.schemas.trials import TrialQuestion

MAX_PLANNED_CATEGORIES = 1000
MAX_PLANNED_QUESTIONS = 12
MAX_PLANNED_EPSILONS = 40
MAX_PLANNED_STRATA = 50
"""A plan of 50 strata of a table of 200 cells takes some 3 s of CPU for each ε."""
MAX_PLANNED_WIDTHS = MAX_PLANNED_QUESTIONS * MAX_PLANNED_EPSILONS
"""Largest number of questions, those of strata and of a trial among them, times the number of values of ε."""

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
    shape: Literal["even", "falling", "prior_mean"] = Field(
        description="How the records are spread over the categories."
    )
    record_count: Annotated[int, Field(strict=True, ge=1, le=MAX_RECORDS), AS_WHOLE] = Field(
        examples=[1000], description="The number of made-up records n."
    )


Hypothetical = TypeAliasType(
    "Hypothetical", Annotated[HypotheticalCounts | ReferenceShape, Field(discriminator="kind")]
)


Question = TypeAliasType("Question", Annotated[ShareQuestion | ContrastQuestion, Field(discriminator="kind")])


class PlanCreate(Request):
    """Made-up counts or sizes, values of ε, and the shares whose intervals matter to you."""

    model_config = examples(
        {
            "prior": [1, 1],
            "data": {"kind": "counts", "counts": [30, 970]},
            "epsilons": ["0.1", "0.5"],
            "labels": ["paralytic polio", "none"],
            "questions": [{"kind": "share", "of": {"labels": ["paralytic polio"]}}],
            "target_width": 0.03,
        },
        {
            "prior": [1, 1, 1, 1],
            "data": {"kind": "counts", "counts": [30, 2390, 40, 3353]},
            "epsilons": ["0.2", "0.5", "1"],
            "delta": "1e-8",
            "attributes": [{"name": "vaccine", "levels": ["yes", "no"]}, {"name": "ill", "levels": ["yes", "no"]}],
            "questions": [
                {"kind": "share", "of": {"where": {"ill": ["yes"]}}, "within": {"where": {"vaccine": ["yes"]}}},
                {
                    "kind": "ratio",
                    "first": {"of": {"where": {"ill": ["yes"]}}, "within": {"where": {"vaccine": ["yes"]}}},
                    "second": {"of": {"where": {"ill": ["yes"]}}, "within": {"where": {"vaccine": ["no"]}}},
                },
            ],
        },
        {
            "prior": [1, 1, 1],
            "data": {"kind": "shape", "shape": "falling", "record_count": 60},
            "epsilons": ["1"],
            "delta": "1e-8",
        },
    )

    prior: Annotated[Prior, Field(max_length=MAX_PLANNED_CATEGORIES)] = Field(
        examples=[[1, 1]], description="Concentration parameters of the prior, one for each category."
    )
    data: Hypothetical = Field(description="The made-up counts, or their shape.")
    epsilons: Annotated[list[EpsilonOfRelease], Field(min_length=1, max_length=MAX_PLANNED_EPSILONS)] = Field(
        description="Values of ε, in increasing order.", examples=[["0.1", "0.2", "0.5", "1"]]
    )
    delta: DeltaOrNone = Field(
        default=Delta(0),
        json_schema_extra=NOTHING_LEFT_OUT,
        description="Only `gaussian` and `exponential_published` need a positive delta.",
    )
    level: Level = Field(
        default=0.95, description=("Probability that an interval contains the share, above 0 and below 1.")
    )
    labels: Annotated[list[ShortText], Field(min_length=2, max_length=MAX_PLANNED_CATEGORIES)] | None = Field(
        default=None,
        description="Names of the categories. Without labels and attributes, they are called 0, 1, 2 and so on.",
    )
    attributes: Attributes | None = Field(
        default=None,
        description=(
            "Attributes of the cross table that the counts are in; required if questions name cells by attributes. "
            "`labels` beside them are the labels of its possible cells, as a data set has them."
        ),
    )
    impossible: Annotated[list[Where], Field(max_length=100)] = Field(
        default=[], description="Combinations of levels that no record can have; they are not cells."
    )
    questions: Annotated[list[Question], Field(max_length=MAX_PLANNED_QUESTIONS)] = Field(
        default=[],
        description=(
            "Shares and contrasts of two shares whose intervals are computed. Without questions, `by` and `trial`, the "
            "shares of the twelve largest categories, largest first."
        ),
        examples=[[{"kind": "share", "of": {"labels": ["0"]}}]],
    )
    by: StratifiedQuestion | None = Field(
        default=None,
        description=(
            f"A question that is planned for all records and in each of at most {MAX_PLANNED_STRATA} strata, as a "
            "posterior answers it, but not adjusted. A threshold changes nothing. All questions times the values of ε "
            f"are at most {MAX_PLANNED_WIDTHS}."
        ),
    )
    trial: TrialQuestion | None = Field(
        default=None,
        description=(
            "A trial, which is planned as five questions: the risk in each group, and the difference, the ratio and "
            "the odds ratio of the risks. A stated effect changes nothing."
        ),
    )
    records_per_unit: RecordsPerUnit = 1
    relation: Relation = Field(
        default="replace_one",
        description=(
            "`add_remove` plans for a data set whose number of records is private. The made-up counts are then a guess "
            "of that number too, and intervals come from posteriors at an unknown number of records."
        ),
    )
    errors: bool = Field(
        default=True,
        strict=True,
        description=(
            "Whether the `error` of an option with known intervals is computed. A plan without them is about a quarter "
            "faster."
        ),
    )
    target_width: Annotated[float, Field(gt=0.0, le=10.0, strict=True)] | None = Field(
        default=None,
        description=(
            "Also find the smallest ε at which no interval is expected to be wider than this. The widths of ratios are "
            "differences of natural logarithms."
        ),
    )
    target_error: Annotated[float, Field(gt=0.0, lt=1.0, strict=True)] | None = Field(
        default=None,
        description=(
            "Also find the smallest ε whose expected Hellinger error is at most this. Not with `add_remove`, where no "
            "error is computed."
        ),
    )

    @field_validator("labels")
    @classmethod
    def _labels(cls, labels: list[str] | None) -> list[str] | None:
        return None if labels is None else check_labels(labels)

    @field_validator("epsilons")
    @classmethod
    def _rising(cls, epsilons: list[Epsilon]) -> list[Epsilon]:
        if any(second <= first for first, second in pairwise(epsilons)):
            raise ValueError("epsilons must rise")
        return epsilons

    @model_validator(mode="after")
    def _match(self) -> Self:
        if isinstance(self.data, HypotheticalCounts) and len(self.data.counts) != len(self.prior):
            raise ValueError("prior and made-up counts must have the same length")
        if self.target_error is not None and self.relation == "add_remove":
            raise ValueError("target_error needs a public number of records: leave it out, or take target_width")
        return self


class ErrorQuantile(Response):
    """The distance that the error does not exceed with probability `level`."""

    level: float = Field(description="The probability.")
    distance: float = Field(description="The Hellinger distance, from 0 to 1.")


class ErrorExceedance(Response):
    """The probability that the error is at least `distance`."""

    distance: float = Field(description="The Hellinger distance, from 0 to 1.")
    probability: float = Field(description="The probability that the error is at least this.")


class HellingerError(Response):
    """The distribution of the Hellinger distance between the true and the released posterior, at the made-up counts."""

    expected: float = Field(description="Expected Hellinger distance, from 0 to 1.")
    standard_error: float = Field(description="Standard error of `expected`; 0 if that is exact.")
    quantile_95: float = Field(description="The distance that the error does not exceed with probability 0.95.")
    quantiles: list[ErrorQuantile] = Field(description="Quantiles of the distance.")
    exceedances: list[ErrorExceedance] = Field(description="Probabilities of larger distances.")
    probability_error: float = Field(
        description="The largest standard error of a probability; 0 if the distribution is exact."
    )
    expected_l1: float = Field(
        description=(
            "Expected sum over categories of |released - true count|, in records. A moved record counts twice."
        )
    )
    method: Method = Field(description="How the distribution was computed.")
    rehearsals: int | None = Field(
        description=("Number of runs, or of weighted draws, of the simulation; null if `exact`.")
    )


class ExactInterval(Response):
    """A question, and the interval that exact counts would give."""

    question: Question = Field(
        description=(
            "A requested question, a question of the requested trial, or the share of one of the largest categories."
        )
    )
    stratum: str | None = Field(
        description="The stratum of `by` in which it is asked; null for all records.", examples=["A"]
    )
    width: float = Field(
        description=(
            "High minus low; for a ratio and an odds ratio, the natural logarithm of high over low. Logarithms of ends "
            "are cut at ±700."
        ),
    )
    low: float = Field(description="The lower end.")
    high: float = Field(description="The upper end.")


class ExpectedInterval(Response):
    """The expected width of the noise-aware interval of a question, and where the interval is expected to lie."""

    width: float = Field(
        description=(
            "Mean width; for a ratio and an odds ratio, the mean of the natural logarithm of high over low. Logarithms "
            "of ends are cut at ±700."
        ),
    )
    standard_error: float = Field(
        description=(
            "Standard error of the weighted mean over simulated releases, as they varied; 0 for a sum over all "
            "releases. `width` is off by at most four of these and 5 %, for a sum over all releases by 1 %. If the "
            "prior of a category is below 0.3, these are 5 % of 0.01 for a width below 0.01, which can come from "
            "releases that are rarer than all simulated ones."
        )
    )
    low: float = Field(
        description=(
            "Mean lower end, or its geometric mean for ratios. At a rare share an interval reaches further up than "
            "down from the guess."
        )
    )
    high: float = Field(description="Mean upper end, or its geometric mean for ratios.")


class PlanOption(Response):
    """One mechanism at one ε. Its δ is at most the requested one."""

    kind: MechanismKind
    calibration: str | None = Field(description="The `calibration` of its request; null if the kind has only one.")
    mechanism: Mechanism | None = Field(
        description="The mechanism to send in a release request; null if it can't run, as `unavailable_reason` says."
    )
    unavailable_reason: str | None = Field(
        description=(
            "The reason why the mechanism can't run, or why it takes too long to find; null if it can. It may depend "
            "on the number of values of ε."
        )
    )
    certified: Loss | None = Field(
        description=(
            "The privacy loss that would be proven and charged, for `records_per_unit` records; null if the mechanism "
            "can't run."
        )
    )
    odds: float | None = Field(
        description=(
            "e to the certified epsilon, or to twice that with `add_remove`. Suppose that somebody knows the records "
            "of all other units. The release multiplies their odds of a fact about the remaining unit by at most this "
            "factor. If the certified delta is above 0, this can fail with probability delta, or delta times "
            "(1 + e^epsilon) with `add_remove`."
        )
    )
    statement: str | None = Field(description="What is proven, in words.")
    intervals: list[ExpectedInterval] = Field(
        description="In the order of the plan's questions; empty if they are not known."
    )
    rehearsals: int = Field(
        description=(
            "Number of simulated releases behind the widths; 0 at two categories of `replace_one`, where a width is a "
            "sum over all releases. In two cases each width is accurate to 1 % only: the exponential mechanism at two "
            "categories and over 200 records, and noise that leaves more than 1024 counts of a share possible."
        )
    )
    intervals_unavailable_reason: str | None = Field(
        description=(
            "The reason why there are no intervals; null if there are some. Beyond 50 categories, no widths are known "
            "if the prior of a category is below 0.3."
        )
    )
    error: HellingerError | None = Field(
        description=(
            "The distribution of the error of the whole posterior; null if it is not known, and with `add_remove`."
        )
    )


class Recommendation(Response):
    """A mechanism, and the reason for it."""

    kind: MechanismKind
    mechanism: Mechanism = Field(description="The mechanism to send in a release request.")
    reason: str = Field(description="The reason, in words.")


class PlanPoint(Response):
    """All mechanisms at one ε. A mechanism appears once for each of its calibrations."""

    epsilon: EpsilonField = Field(description="The requested ε.")
    options: list[PlanOption] = Field(description="One for each mechanism and calibration.")
    recommended: Recommendation = Field(description="The mechanism to take at this ε.")
    at_public_size: PlanOption | None = Field(
        default=None,
        description=(
            "With `add_remove`: the simplex geometric mechanism at the same ε, if the number of records were public. "
            "Null otherwise."
        ),
    )


class ReachedTarget(Response):
    """The smallest ε, to 1 %, at which a mechanism reaches the wanted width and error."""

    kind: MechanismKind
    calibration: str | None = Field(description="The `calibration` of its request; null if the kind has only one.")
    epsilon: EpsilonField | None = Field(description="Null if the mechanism does not reach it, or is not searched.")
    option: PlanOption | None = Field(description="The mechanism at this ε; null if `epsilon` is null.")
    reason: str | None = Field(description="The reason why there is no ε; null if there is one.")


class Target(Response):
    """The mechanisms at the smallest ε that reaches `target_width` and `target_error`."""

    unreachable_reason: str | None = Field(
        description=(
            "The reason why no mechanism reaches `target_width`: the intervals from exact counts are wider, too. The "
            "reason states their width. Null otherwise."
        )
    )
    reached: list[ReachedTarget] = Field(description="One for each mechanism; empty if the target is unreachable.")
    recommended: Recommendation | None = Field(
        description="The mechanism that reaches the target at the smallest charge; null if there is none."
    )


class Protection(Response):
    """What ε protects under a neighbour relation."""

    relation: Relation
    statement: str = Field(description="What it protects, in words.")


class StratumWithoutAnswer(Response):
    label: str = Field(description="The levels of the stratum, joined by ` · `.")
    reason: str = Field(description="The reason why the question has no answer there.")


class Plan(Response):
    """The expected accuracy and cost of each mechanism at each ε, at made-up counts."""

    level: float = Field(description="The probability that an interval contains the share.")
    without_noise: list[ExactInterval] = Field(
        description=(
            "Each question with its interval from exact counts, in the order of each option's `intervals`: "
            "`questions`, those of `trial`, then those of `by`."
        )
    )
    strata_without_answer: list[StratumWithoutAnswer] = Field(
        description="The strata of `by` in which the question has no answer."
    )
    points: list[PlanPoint] = Field(description="One for each requested ε.")
    target: Target | None = Field(description="Null unless `target_width` or `target_error` was requested.")
    protects: list[Protection] = Field(
        description=(
            "What ε protects: under the requested relation and, with `add_remove`, under that of `at_public_size`."
        )
    )
    note: str = Field(description="What was computed, and what was not read or charged.")
