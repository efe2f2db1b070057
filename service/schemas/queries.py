"""Linear queries: what is asked of the counts, and what earlier releases answer."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Final, Literal, Self

from pydantic import BeforeValidator, Discriminator, Field, PlainSerializer, Tag, WithJsonSchema, model_validator

from core.limits import MAX_CATEGORIES
from service.schemas.amounts import Amount, EpsilonField, RhoField
from service.schemas.cells import Where
from service.schemas.model import Id, Request, Response, ShortText, Timestamp, examples
from service.schemas.releases import CalibratedEvent, Receipt, TheoremCertificate

MAX_QUERIES: Final = 100
WEIGHT_DIGITS: Final = 9
MAX_WEIGHT: Final = 10**6
_DECIMAL: Final = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,20})?")
_WEIGHT: Final = re.compile(rf"-?({MAX_WEIGHT}(\.0{{1,20}})?|[0-9]{{1,6}}(\.[0-9]{{1,{WEIGHT_DIGITS}}}0{{0,11}})?)")
"""Texts of weights that are small enough, and have no more digits than are used."""


def _weight(value: object) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        raise ValueError("must be a number or a decimal text")
    if isinstance(value, str) and not _DECIMAL.fullmatch(value):
        raise ValueError("must be a plain decimal text such as 2.5 or -0.25")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("must be finite")
    size: float | Decimal = abs(value) if isinstance(value, int | float) else abs(Decimal(value))
    if size > MAX_WEIGHT:
        raise ValueError(f"must be at most {MAX_WEIGHT} in size")
    weight = Decimal(repr(value) if isinstance(value, float) else value)
    if weight and (weight.adjusted() < -WEIGHT_DIGITS or (Fraction(weight) * 10**WEIGHT_DIGITS).denominator != 1):
        raise ValueError(f"must have at most {WEIGHT_DIGITS} digits after the point")
    if isinstance(value, str) and not _WEIGHT.fullmatch(value):
        raise ValueError("must have no zeros in front")
    return weight.normalize() if weight else Decimal(0)


def _plain(weight: Decimal) -> str:
    """As `_weight` reads it again: str would write 1E-9, and 1E+1 for ten."""
    return f"{weight:f}"


Weight = Annotated[
    Decimal,
    BeforeValidator(_weight),
    PlainSerializer(_plain, when_used="json"),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": -MAX_WEIGHT, "maximum": MAX_WEIGHT},
                {"type": "string", "pattern": f"^{_WEIGHT.pattern}$"},
            ],
            "description": "At most nine digits after the point.",
            "examples": [2.5],
        }
    ),
]


def _how_weighted(value: object) -> str:
    return "nothing" if value is None else "by_label" if isinstance(value, dict) else "in_order"


Weights = Annotated[
    Annotated[list[Weight], Field(max_length=MAX_CATEGORIES), Tag("in_order")]
    | Annotated[dict[ShortText, Weight], Field(max_length=MAX_CATEGORIES), Tag("by_label")]
    | Annotated[None, Tag("nothing")],
    Discriminator(_how_weighted),
]
Confidence = Annotated[float, Field(strict=True, ge=1e-6, le=1 - 1e-6)]
Bound = Annotated[float, Field(strict=True, ge=-1e300, le=1e300)]


class AnswerRange(Request):
    """The range whose probability you want. A bound that is left out does not limit it."""

    low: Bound | None = None
    high: Bound | None = None

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if self.low is None and self.high is None:
            raise ValueError("must have low, high or both")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError("low must not be above high")
        return self


class Query(Request):
    """A weighted sum of the counts: by weights of categories, or the number of records in some categories."""

    weights: Weights = Field(
        default=None,
        description=(
            "One weight for each category in their order, or weights by label; a label that is left out weighs nothing."
        ),
        examples=[{"10-19K": 2, "20K+": 5}],
    )
    labels: list[ShortText] | None = Field(
        default=None,
        max_length=MAX_CATEGORIES,
        description="In place of weights: counts the records in these categories.",
        examples=[["20K+"]],
    )
    where: Where | None = Field(default=None, description="As labels, by the levels of attributes of a cross table.")
    half_width: Annotated[float, Field(strict=True, gt=0, le=1e300)] | None = Field(
        default=None,
        description="Half the width of the interval that you want, in units of the answer.",
        examples=[15.0],
    )
    confidence: Confidence = Field(default=0.95, description="How surely the interval is to hold the true answer.")
    between: AnswerRange | None = Field(
        default=None, description="Asks for the probability that the true answer lies there."
    )

    @model_validator(mode="after")
    def _said_once(self) -> Self:
        if sum(each is not None for each in (self.weights, self.labels, self.where)) != 1:
            raise ValueError("must have either weights, labels or where")
        return self


class QueryMaxCharge(Request):
    """The most that answers may be charged, in what the budget counts."""

    epsilon: EpsilonField | None = None
    rho: RhoField | None = None


class QueryQuoteCreate(Request):
    model_config = examples(
        {"queries": [{"labels": ["paralytic polio"], "half_width": 15.0, "confidence": 0.95}]},
        {
            "queries": [
                {"weights": {"paralytic polio": 2.5}, "half_width": 50.0},
                {"weights": [0, 1], "between": {"low": 10}},
            ]
        },
    )

    queries: list[Query] = Field(min_length=1, max_length=MAX_QUERIES)
    constraints: bool | None = Field(
        default=None,
        description="Whether to say also what follows where counts are whole, not negative and sum to the number of "
        "records: a second interval, under a uniform prior on all such counts. Off unless you ask for it; a quote that "
        "rests on posterior releases alone says it unless you decline it.",
    )


class QueryCreate(QueryQuoteCreate):
    model_config = examples(
        {"queries": [{"labels": ["paralytic polio"], "half_width": 40.0}], "max_charge": {"epsilon": "0.2"}},
    )

    max_charge: QueryMaxCharge | None = Field(
        default=None, description="The most that you want to be charged; 0 takes what is known already, or nothing."
    )


class QueryInterval(Response):
    """Holds the true answer with the confidence that was asked for, where the query was fixed before its answers
    were seen.
    """

    low: float
    high: float
    half_width: float
    confidence: float


class WithConstraints(Response):
    """What the same answers say where counts are whole, not negative and sum to the number of records: the posterior
    under a uniform prior on all such counts. It holds the true answer with its confidence on average over that prior,
    not for every data set, and its mean is not unbiased.
    """

    mean: float | None
    standard_deviation: float | None
    interval: QueryInterval | None
    narrower: Literal["estimate", "with_constraints"] | None = Field(
        description="Which of the two intervals is narrower."
    )
    unavailable_reason: str | None = Field(description="Why there is none; null where there is one.")


class UsedRelease(Response):
    """A release that an estimate is made from, with the weight of each of its noisy counts or answers."""

    release_id: Id
    weights: list[float]


class QueryEstimate(Response):
    """The best linear unbiased estimate of the true answer, and how far off it is."""

    estimate: float
    standard_deviation: float = Field(description="Standard deviation of the estimate's error.")
    interval: QueryInterval
    probability: float | None = Field(
        description=(
            "The probability that the true answer lies in `between`, under a flat prior; null where none was asked for."
        )
    )
    used: list[UsedRelease]
    with_constraints: WithConstraints | None = Field(
        default=None, description="Null unless `constraints` was asked for; it is free, and no part of the estimate."
    )


class QuoteAnswer(Response):
    """The answer to one query."""

    from_history: QueryEstimate | None = Field(
        description="The answer from earlier releases, free; null where they can't answer this query."
    )
    meets_half_width: bool = Field(
        description="Whether that is as precise as was asked; true where no `half_width` was given and there is an "
        "estimate."
    )
    achievable_half_width: float | None = Field(
        default=None,
        description="About the least half width that you could ask for: what all that is left of your grant, or of the "
        "budget where you own it, reaches for this query alone. Null where nothing can be measured, or where finding "
        "it takes too long.",
    )


class ExcludedRelease(Response):
    """A release that no estimate can be made from."""

    release_id: Id
    reason: str


class QueryQuote(Response):
    """What the releases that you may read already answer. All of it is free."""

    answers: list[QuoteAnswer]
    covariance: list[list[float]] | None = Field(
        description=(
            "Covariance matrix of the errors of the estimates, in the order of the queries; null where a query "
            "has no estimate."
        )
    )
    would_charge: Amount | None = Field(
        description="What you would be charged for all of these answers now: by how much the cost of your own rows "
        "would rise, of all rows where you own the data set or its history is shared with you; 0 where history is "
        "precise enough. Null where a query can't be measured as it stands, where nothing may be measured for you "
        "now, or where so many rows are paid for that finding it takes too long. It can be more where rows with more "
        "than a thousand different columns were measured on the data set."
    )
    standalone_cost: Amount | None = Field(
        description="What the rows that would be measured cost without any others; the cap for one release is held "
        "against this."
    )
    one_release_for_all: EpsilonField | None = Field(
        description="The epsilon of one `simplex_geometric` release that would count these and all other sets of "
        "categories as precisely; null where no half width was "
        "asked for, a query is more than the count of a set, or no epsilon is enough."
    )
    excluded_releases: list[ExcludedRelease]


class NoisyRow(Response):
    """A row of weights, coefficients over the denominator, that was answered with Laplace noise of scale one over the
    rate.
    """

    coefficients: list[int]
    denominator: int
    rate: str


class HistoryItem(Response):
    """A release that queries can be answered from: noisy counts of categories, or measured rows."""

    release_id: Id
    mechanism: str
    rows: int = Field(description="How many noisy counts it holds, or how many rows were measured.")
    standard_deviation: float = Field(
        description="Standard deviation of the noise of each count; of the noisiest row where rows were measured."
    )
    measured: list[NoisyRow] | None = Field(
        description="The rows that were measured. Null for noisy counts, which are one row for each category, and "
        "where the rows before it hold so many numbers that its own would make the answer too long."
    )
    standalone_cost: Amount = Field(description="What it would cost without any others.")
    charged: Amount | None = Field(
        description="What was charged for it: to your grant, or to the budget if the data set is yours. Null for rows "
        "that somebody else paid for."
    )


class History(Response):
    """The releases of the data set that you may read and that queries are answered from."""

    items: list[HistoryItem]
    excluded_releases: list[ExcludedRelease]
    joint_cost: Amount | None = Field(
        description="What all rows cost together that your grant paid for, or that anybody did if the data set is "
        "yours or its history is shared with you: the price of the next one is by how much it raises this. Null where "
        "the rows are too many to look at."
    )
    precise_categories: list[ShortText] = Field(
        description=(
            "Categories whose count is known well: the error from all these releases together has a standard "
            "deviation of at most a tenth of the mean count."
        )
    )


class MeasuredRow(NoisyRow):
    """A row that was measured, and what was answered."""

    answer: float
    exact_answer: str = Field(description="The noisy answer exactly, as a fraction.")


class AnsweredQueries(Response):
    """Answers to queries in a list; `state` is `paid` while they are measured, `failed` where they could not be, and
    `lost` where a restored backup does not have them.
    """

    id: Id
    dataset_id: Id
    principal_id: Id
    state: Literal["paid", "drawn", "complete", "failed", "lost"]
    charged: Amount
    created_at: Timestamp


class QueryRelease(Response):
    """Answers to queries, what was measured for them, and what that cost."""

    id: Id
    dataset_id: Id
    budget_id: Id
    principal_id: Id
    state: Literal["complete"]
    answers: list[QueryEstimate]
    covariance: list[list[float]] = Field(description="Of the errors of the estimates, joint.")
    measured: list[MeasuredRow] = Field(description="Empty where earlier releases were precise enough.")
    charged: Amount = Field(
        description="By how much the cost of your own rows on the data set rose; of all rows where you own it."
    )
    standalone_cost: Amount = Field(description="What the measured rows would cost without any others.")
    remaining_after: Amount = Field(description="Of your grant, or of the budget where you own it, as of the charge.")
    record_count: int = Field(description="n, which is public.")
    category_count: int = Field(description="m, the number of categories.")
    records_per_unit: int = Field(description="The most records that one unit has.")
    event: CalibratedEvent | None = Field(description="Of the measured rows; null where nothing was measured.")
    certificate: TheoremCertificate | None = Field(
        description="What is proven of the rows alone; null where nothing was measured."
    )
    created_at: Timestamp
    receipt: Receipt
