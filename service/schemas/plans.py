"""Schemas of plans, which predict a release. No data set is named or read."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, field_validator, model_validator
from typing_extensions import TypeAliasType

from core.limits import MAX_RECORDS
from core.privacy import Delta, Epsilon, Rho
from service.schemas.cells import Attributes, Contrast, Question, Where
from service.schemas.datasets import Count, check_counts, check_labels
from service.schemas.mechanisms import Mechanism, MechanismKind
from service.schemas.model import (
    AS_WHOLE,
    NOTHING_LEFT_OUT,
    AccountantName,
    DeltaOrNone,
    EpsilonField,
    EpsilonOfRelease,
    Method,
    Relation,
    Request,
    Response,
    RhoField,
    RhoOfRelease,
    ShortText,
    examples,
)
from service.schemas.releases import Level, Loss, Merged, Prior, RecordsPerUnit
from service.schemas.strata import StratifiedQuestion
from service.schemas.trials import TrialQuestion

MAX_PLANNED_CATEGORIES = 1000
MAX_PLANNED_QUESTIONS = 12
MAX_PLANNED_CHARGES = 40
MAX_PLANNED_STRATA = 50
"""A plan of 50 strata takes some 5 s of CPU for each charge."""
MAX_PLANNED_WIDTHS = MAX_PLANNED_QUESTIONS * MAX_PLANNED_CHARGES
"""Largest number of questions, those of strata and of a trial among them, times the number of charges."""

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
    """A reference histogram if you have no guess: even shares, shares that fall as 1, 1/2, 1/3, …, or the mean of
    `prior`.
    """

    kind: Literal["shape"]
    shape: Literal["even", "falling", "prior_mean"] = Field(
        description="How the records are spread over the categories."
    )
    record_count: Annotated[int, Field(strict=True, ge=1, le=MAX_RECORDS), AS_WHOLE] = Field(
        examples=[1000], description="The number of made-up records n."
    )
    category_count: Annotated[int, Field(strict=True, ge=2, le=MAX_PLANNED_CATEGORIES), AS_WHOLE] | None = Field(
        default=None, description="The number of categories; needed if `prior`, `labels` and `attributes` are left out."
    )


Hypothetical = TypeAliasType(
    "Hypothetical", Annotated[HypotheticalCounts | ReferenceShape, Field(discriminator="kind")]
)


FigureOfTrial = TypeAliasType("FigureOfTrial", Literal["first_risk", "second_risk", Contrast])


class PlanCreate(Request):
    """A guess of the counts, charges, and the questions whose intervals matter to you."""

    model_config = examples(
        {
            "data": {"kind": "counts", "counts": [30, 970]},
            "epsilons": ["0.1", "0.5"],
            "labels": ["paralytic polio", "none"],
            "questions": [{"kind": "share", "of": {"labels": ["paralytic polio"]}}],
            "target_width": 0.03,
        },
        {
            "data": {"kind": "counts", "counts": [30, 2390, 40, 3353]},
            "accountant": "zcdp",
            "rhos": ["0.01", "0.1", "1"],
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
            "mechanisms": ["simplex_geometric", "exponential"],
        },
    )

    prior: Annotated[Prior, Field(max_length=MAX_PLANNED_CATEGORIES)] | None = Field(
        default=None,
        examples=[[1, 1]],
        description=(
            "Concentration parameters of the released posterior, one for each category; 1 each if left out. `error` "
            "and the exponential mechanism depend on them. Intervals have ½ for each piece of a question instead."
        ),
    )
    data: Hypothetical = Field(description="Your guess of the counts, or their shape.")
    counts: Literal["drawn", "exact"] = Field(
        default="drawn",
        description=(
            "Whether the counts of each simulated table are drawn at the shares of the guess, as those of a sample "
            "are, or are exactly the guess, as those of a register that you know."
        ),
    )
    accountant: AccountantName = Field(
        default="basic",
        description=(
            "The accountant of the budget. Mechanisms are compared at equal charge: `epsilons` with `delta` under "
            "`basic`, `rhos` under `zcdp`."
        ),
    )
    epsilons: Annotated[list[EpsilonOfRelease], Field(min_length=1, max_length=MAX_PLANNED_CHARGES)] | None = Field(
        default=None,
        description="Charges under `basic`: values of ε, in increasing order.",
        examples=[["0.1", "0.2", "0.5", "1"]],
    )
    rhos: Annotated[list[RhoOfRelease], Field(min_length=1, max_length=MAX_PLANNED_CHARGES)] | None = Field(
        default=None,
        description="Charges under `zcdp`: values of ρ, in increasing order.",
        examples=[["0.01", "0.1", "1"]],
    )
    delta: DeltaOrNone = Field(
        default=Delta(0),
        json_schema_extra=NOTHING_LEFT_OUT,
        description=(
            "Only `gaussian` and `exponential_published` need a positive delta. Under `zcdp` it is not charged."
        ),
    )
    mechanisms: Annotated[list[MechanismKind], Field(min_length=1, max_length=10)] | None = Field(
        default=None,
        description=(
            "The mechanisms to compare. If left out, those that add noise to counts. The exponential mechanism is "
            "planned on request only: its error takes long to compute, and its intervals are not predicted."
        ),
    )
    level: Level = Field(
        default=0.95, description=("Probability that an interval contains the share, above 0 and below 1.")
    )
    labels: (
        Annotated[list[ShortText], Field(min_length=2, max_length=MAX_PLANNED_CATEGORIES), AfterValidator(check_labels)]
        | None
    ) = Field(
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
    merged: Merged | None = Field(
        default=None,
        description="Sets of labels that are merged before the noise, as a release takes them. Guess and prior add.",
        examples=[[["mild", "severe"]]],
    )
    questions: Annotated[list[Question], Field(max_length=MAX_PLANNED_QUESTIONS)] = Field(
        default=[],
        description=(
            "Shares and contrasts of two shares whose intervals are computed. Without questions, `by` and `trial`, the "
            "shares of the twelve largest categories, largest first. They have no `above`, `between` and `about`."
        ),
        examples=[[{"kind": "share", "of": {"labels": ["0"]}}]],
    )
    by: StratifiedQuestion | None = Field(
        default=None,
        description=(
            f"A question that is planned for all records and in each of at most {MAX_PLANNED_STRATA} strata, as a "
            "posterior answers it, but not adjusted. A threshold changes nothing. All questions times the charges are "
            f"at most {MAX_PLANNED_WIDTHS}."
        ),
    )
    trial: TrialQuestion | None = Field(
        default=None,
        description=(
            "A trial, which is planned as five questions: the risk in each group, and the difference, the ratio and "
            "the odds ratio of the risks. A stated effect changes nothing."
        ),
    )
    above: Annotated[float, Field(gt=0.0, lt=1.0, strict=True)] | None = Field(
        default=None,
        description=(
            "A value that every planned share is to differ from. Differences are distinguished from 0, ratios from 1."
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
        default=False,
        strict=True,
        description="Whether the `error` of an option with known intervals is computed.",
    )
    smaller_tables: bool = Field(
        default=False,
        strict=True,
        description="Whether tables of fewer categories that answer the same questions are compared.",
    )
    target_width: Annotated[float, Field(gt=0.0, le=1e12, strict=True)] | None = Field(
        default=None,
        description=(
            "Also find the smallest charge at which no interval is expected to be wider than this. For ratios and odds "
            "ratios it is the upper end divided by the lower one, so above 1."
        ),
    )
    target_power: Annotated[float, Field(gt=0.0, lt=1.0, strict=True)] | None = Field(
        default=None,
        description=(
            "Also find the smallest charge at which the interval decides in this fraction of releases: it lies beyond "
            "no difference, or beyond `above`, on the side of the guess. 0.8 is usual. A power of 0.02 less is "
            "accepted: the error of a simulated fraction."
        ),
    )
    target_of: FigureOfTrial | None = Field(
        default=None,
        description="The figure of `trial` that `target_width` and `target_power` are about; the ratio if left out.",
    )
    target_error: Annotated[float, Field(gt=0.0, lt=1.0, strict=True)] | None = Field(
        default=None,
        description=(
            "Also find the smallest charge whose expected Hellinger error is at most this. Not with `add_remove`, "
            "where no error is computed."
        ),
    )

    @field_validator("questions")
    @classmethod
    def _check_questions(cls, questions: list[Question]) -> list[Question]:
        """Intervals of the population are planned. `above` of the plan itself is the value for all questions."""
        if any(each.above is not None or each.between is not None or each.about == "records" for each in questions):
            raise ValueError("must have no above, between and about: a plan has its own above")
        return questions

    @field_validator("epsilons", "rhos")
    @classmethod
    def _check_rising_charges(cls, charges: list[Epsilon] | list[Rho] | None) -> list[Epsilon] | list[Rho] | None:
        if charges is not None and any(second.units <= first.units for first, second in pairwise(charges)):
            raise ValueError("charges must rise")
        return charges

    @model_validator(mode="after")
    def _match(self) -> Self:
        if isinstance(self.data, HypotheticalCounts) and self.prior and len(self.data.counts) != len(self.prior):
            raise ValueError("prior and made-up counts must have the same length")
        given, other = (self.epsilons, self.rhos) if self.accountant == "basic" else (self.rhos, self.epsilons)
        if given is None or other is not None:
            raise ValueError("must have epsilons with accountant basic, or rhos with accountant zcdp")
        if self.target_error is not None and self.relation == "add_remove":
            raise ValueError("target_error needs a public number of records: leave it out, or take target_width")
        if self.target_of is not None and self.trial is None:
            raise ValueError("target_of names a figure of trial, which is left out")
        return self

    @property
    def charges(self) -> list[Epsilon] | list[Rho]:
        """The charges, in the unit of the accountant."""
        charges = self.epsilons if self.rhos is None else self.rhos
        assert charges is not None, "it has one of them"
        return charges


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


class IntervalOfPlan(Response):
    """The interval of a question over simulated tables and releases."""

    width: float = Field(
        description=(
            "Mean width; for a ratio and an odds ratio, the mean of the natural logarithm of high over low. Logarithms "
            "of ends are cut at ±700."
        ),
    )
    upper_over_lower: float | None = Field(
        description="For a ratio and an odds ratio, e to `width`: the upper end divided by the lower one. Else null."
    )
    low: float = Field(description="Median of the lower ends.")
    high: float = Field(description="Median of the upper ends.")
    contains: float = Field(description="The fraction of releases whose interval contains the guess.")
    decides: float | None = Field(
        description=(
            "The fraction of releases whose interval lies beyond no difference, or beyond `above`, on the side of the "
            "guess: the power. At a guess of no difference, the fraction on either side: false decisions. Null for a "
            "share without `above`."
        )
    )
    runs: int = Field(
        description=(
            "The number of simulated releases. A fraction p has the standard error √(p (1 − p) / runs). 0 for a sum "
            "over all releases: for two pieces at a public number of records."
        )
    )


class ExactInterval(IntervalOfPlan):
    """A question, its value at the guess, and the intervals that exact counts would give."""

    name: str = Field(description="The question in words.", examples=["outcome ill, among arm new"])
    question: Question = Field(
        description=(
            "A requested question, a question of the requested trial, or the share of one of the largest categories."
        )
    )
    stratum: str | None = Field(
        description="The stratum of `by` in which it is asked; null for all records.", examples=["A"]
    )
    guess: float = Field(description="The value of the question at the guess.")


class ExpectedInterval(IntervalOfPlan):
    """The noise-aware interval of a question from this mechanism at this charge."""

    standard_error: float = Field(
        description=(
            "Standard error of `width` over simulated releases; 0 for a sum over all. `width` is off by at most four "
            "of these and 5 %, for a sum over all releases by 1 %."
        )
    )


class PlanOption(Response):
    """One mechanism at one charge. Under `basic` its δ is at most the requested one."""

    kind: MechanismKind
    calibration: str | None = Field(description="The `calibration` of its request; null if the kind has only one.")
    mechanism: Mechanism | None = Field(
        description="The mechanism to send in a release request; null if it can't run, as `unavailable_reason` says."
    )
    unavailable_reason: str | None = Field(
        description=(
            "The reason why the mechanism can't run, or why it takes too long to find; null if it can. It may depend "
            "on the number of charges."
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
    intervals_unavailable_reason: str | None = Field(
        description="The reason why there are no intervals; null if there are some."
    )
    error: HellingerError | None = Field(
        description=(
            "The distribution of the error of the whole posterior; null unless `errors` asks for it or there are no "
            "intervals, and with `add_remove`."
        )
    )


class Recommendation(Response):
    """A mechanism, and the reason for it."""

    kind: MechanismKind
    mechanism: Mechanism = Field(description="The mechanism to send in a release request.")
    reason: str = Field(description="The reason, in words.")


class Charged(Response):
    """A charge, in the unit of the plan's accountant."""

    epsilon: EpsilonField | None = Field(description="The ε; null under `zcdp`.")
    rho: RhoField | None = Field(description="The ρ; null under `basic`.")


class PlanPoint(Charged):
    """All planned mechanisms at one charge. A mechanism appears once for each of its calibrations."""

    options: list[PlanOption] = Field(description="One for each mechanism and calibration that can run at a charge.")
    recommended: Recommendation | None = Field(
        description=(
            "The mechanism to take at this charge: the one with the narrowest intervals among those that contain the "
            "guess in at least `level` less 5 points of releases. Null if nothing is known about any."
        )
    )
    at_public_size: PlanOption | None = Field(
        default=None,
        description=(
            "With `add_remove` and `basic`: the simplex geometric mechanism at the same ε, if the number of records "
            "were public. Null otherwise."
        ),
    )


class Suggestion(Charged):
    """The least of the plan's charges that is enough, and the mechanism to take there.

    The intervals contain the guess in at least `level` less 5 points of releases. They decide in at least nine tenths
    of what exact counts would decide, if these decide in at least half; otherwise they are at most 1.5 times as wide.
    """

    kind: MechanismKind | None = Field(description="Null if no charge is enough.")
    mechanism: Mechanism | None = Field(description="The mechanism to send in a release request.")
    reason: str = Field(description="What it gives, or why no charge is enough, in words.")


class ReachedTarget(Charged):
    """The smallest charge, to 1 %, at which a mechanism reaches all targets; null if there is none, or no search."""

    kind: MechanismKind
    calibration: str | None = Field(description="The `calibration` of its request; null if the kind has only one.")
    option: PlanOption | None = Field(description="The mechanism at this charge; null if there is none.")
    reason: str | None = Field(description="The reason why there is no charge; null if there is one.")


class Target(Response):
    """The mechanisms at the smallest charge that reaches `target_width`, `target_power` and `target_error`."""

    unreachable_reason: str | None = Field(
        description=(
            "The reason why no mechanism reaches the targets: exact counts would not either. It states what exact "
            "counts give. Null if some mechanism can."
        )
    )
    reached: list[ReachedTarget] = Field(
        description="The smallest charge of each mechanism; empty if the targets are unreachable."
    )
    recommended: Recommendation | None = Field(
        description="The mechanism that reaches the target at the smallest charge; null if there is none."
    )


class NotPlanned(Response):
    """A mechanism that is not among the options of any charge."""

    kind: MechanismKind
    calibration: str | None = Field(description="The `calibration` of its request; null if the kind has only one.")
    reason: str = Field(description="The reason, in words.")


class Protection(Response):
    """What ε protects under a neighbour relation."""

    relation: Relation
    statement: str = Field(description="What ε protects, in words.")


class StratumWithoutAnswer(Response):
    label: str = Field(description="The levels of the stratum, joined by ` · `.")
    reason: str = Field(description="The reason why the question has no answer there.")


class SmallerTable(Response):
    """A table that answers all questions of the plan with less noise. Nothing within a merged set can be asked
    afterwards.
    """

    attributes: list[str] | None = Field(
        description="The attributes whose table it is; null for the groups that the questions tell apart."
    )
    merged: list[list[str]] = Field(description="The sets of labels to send as `merged`, in a plan or a release.")
    category_count: int = Field(description="The number of categories that are left.")
    whole: PlanOption = Field(
        description=(
            "The release of the whole table that it is compared with: recommended for the target, otherwise suggested, "
            "otherwise recommended at the largest charge."
        )
    )
    same_charge: PlanOption = Field(
        description="The same mechanism on this table at that charge. It has no intervals of strata."
    )
    same_width: PlanOption = Field(
        description="The same mechanism at about the smallest charge at which no interval is wider than in `whole`."
    )


class Plan(Response):
    """What each mechanism achieves at each charge, at a guess of the counts."""

    level: float = Field(description="The probability that an interval contains the share.")
    accountant: AccountantName = Field(description="The accountant whose charges are compared.")
    without_noise: list[ExactInterval] = Field(
        description=(
            "Each question with the intervals of exact counts, in the order of each option's `intervals`: `questions`, "
            "those of `trial`, then those of `by`."
        )
    )
    strata_without_answer: list[StratumWithoutAnswer] = Field(
        description="The strata of `by` in which the question has no answer, or the guess has no case."
    )
    points: list[PlanPoint] = Field(description="One for each requested charge.")
    suggested: Suggestion = Field(description="The charge to take.")
    not_planned: list[NotPlanned] = Field(description="Mechanisms without an option, a line each.")
    smaller_tables: list[SmallerTable] = Field(
        description=(
            "Tables of fewer categories that answer your questions for at most 95 % of the charge: that of the "
            "attributes in them, then that of the groups that they tell apart. Empty unless `smaller_tables` asks for "
            "them, without questions, and if `merged` is given."
        )
    )
    target: Target | None = Field(description="Null unless a target was requested.")
    protects: list[Protection] = Field(
        description=(
            "What ε protects: under the requested relation and, with `add_remove`, under that of `at_public_size`."
        )
    )
    note: str = Field(description="States what was computed, and that no counts were read and nothing was charged.")
