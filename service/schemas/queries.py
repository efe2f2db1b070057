"""Schemas of linear queries and their answers."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    ModelWrapValidatorHandler,
    PlainSerializer,
    PrivateAttr,
    Tag,
    WithJsonSchema,
    model_validator,
)
from typing_extensions import TypeAliasType

from core.limits import MAX_CELLS
from service.schemas.cells import AnswerRange, Cells, Where
from service.schemas.model import (
    Amount,
    Id,
    PaidBody,
    Request,
    Response,
    ShortText,
    examples,
)
from service.schemas.releases import AS_FRACTION, CalibratedEvent, Certificate, MaxCharge, OfQuotes, PaidRelease

MAX_QUERIES: Final = 100
WEIGHT_DIGITS: Final = 9
MAX_WEIGHT: Final = 10**6
_DECIMAL: Final = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,20})?")
_WEIGHT: Final = re.compile(rf"-?({MAX_WEIGHT}(\.0{{1,20}})?|[0-9]{{1,6}}(\.[0-9]{{1,{WEIGHT_DIGITS}}}0{{0,11}})?)")
"""Texts of weights within the limits of size and digits."""


def _weight(value: object) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        raise ValueError("must be a number or a decimal text")
    if isinstance(value, str) and not _DECIMAL.fullmatch(value):
        raise ValueError("must be a plain decimal text such as 2.5 or -0.25")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("must be finite")
    size: float | Decimal = abs(value) if isinstance(value, int | float) else abs(Decimal(value))
    if size > MAX_WEIGHT:
        raise ValueError(f"must be at most {MAX_WEIGHT} in absolute value")
    weight = Decimal(repr(value) if isinstance(value, float) else value)
    if weight and (weight.adjusted() < -WEIGHT_DIGITS or (Fraction(weight) * 10**WEIGHT_DIGITS).denominator != 1):
        raise ValueError(f"must have at most {WEIGHT_DIGITS} digits after the point")
    if isinstance(value, str) and not _WEIGHT.fullmatch(value):
        raise ValueError("must not have leading zeros")
    return weight.normalize() if weight else Decimal(0)


def _plain_weight(weight: Decimal) -> str:
    """Return the plain text that `_weight` parses. `str` would write 1E-9, and 1E+1 for ten."""
    return f"{weight:f}"


Weight = TypeAliasType(
    "Weight",
    Annotated[
        Decimal,
        BeforeValidator(_weight),
        PlainSerializer(_plain_weight, when_used="json"),
        WithJsonSchema(
            {
                "anyOf": [
                    {"type": "number", "minimum": -MAX_WEIGHT, "maximum": MAX_WEIGHT},
                    {"type": "string", "format": "decimal"},
                ],
                "description": "At most nine digits after the point.",
                "examples": [2.5],
            }
        ),
    ],
)
WeightsByLabel = TypeAliasType(
    "WeightsByLabel",
    Annotated[
        dict[ShortText, Weight],
        Field(max_length=MAX_CELLS, description="A weight for each label; 0 for a label that is left out."),
    ],
)


def _weighting_tag(value: object) -> str:
    return "by_label" if isinstance(value, dict) else "in_order"


Weights = TypeAliasType(
    "Weights",
    Annotated[
        Annotated[list[Weight], Field(max_length=MAX_CELLS), Tag("in_order")]
        | Annotated[WeightsByLabel, Tag("by_label")],
        Discriminator(_weighting_tag),
    ],
)
Confidence = Annotated[float, Field(strict=True, ge=1e-6, le=1 - 1e-6), AS_FRACTION]


class Query(Request):
    """The number of records in some cells, or a weighted sum of the counts with a weight for each category."""

    of: Cells | None = Field(default=None, description="The cells whose records are counted, in place of weights.")
    weights: Weights | None = Field(
        default=None,
        description=(
            "One weight for each category in order, or weights by label. A label that is left out has weight 0."
        ),
        examples=[{"10-19K": 2, "20K+": 5}],
    )
    half_width: Annotated[float, Field(strict=True, gt=0, le=1e300)] | None = Field(
        default=None,
        description=(
            "Half the width of the interval that you want, in units of the answer. If left out, the query is "
            "answered from earlier releases alone."
        ),
        examples=[15.0],
    )
    confidence: Confidence = Field(
        default=0.95, description=("The probability with which the interval contains the true answer.")
    )
    between: AnswerRange | None = Field(
        default=None, description="Also return the probability that the true answer lies in this range."
    )

    @model_validator(mode="after")
    def _check_weights_once(self) -> Self:
        if (self.of is None) is (self.weights is None):
            raise ValueError("must have either of or weights")
        return self


def _query_with_cells(query: object) -> object:
    """Move the cells of a query of version 0.1.0 from its fields `labels` or `where` to `of`."""
    if not isinstance(query, dict) or "of" in query:
        return query
    cells = {name: query[name] for name in ("labels", "where") if query.get(name) is not None}
    rest = {name: value for name, value in query.items() if name not in {"labels", "where"}}
    return rest | {"of": cells} if cells else rest


_CELLS_OF_0_1: Final = (
    'must have no fields labels and where: name cells in the field `of`, as {"of": {"labels": [...]}}'
)


class QueryCreate(PaidBody):
    model_config = examples(
        {
            "kind": "queries",
            "queries": [{"of": {"labels": ["paralytic polio"]}, "half_width": 40.0}],
            "max_charge": {"epsilon": "0.2"},
        },
    )

    kind: Literal["queries"]
    queries: list[Query] = Field(
        min_length=1, max_length=MAX_QUERIES, description="The queries. All are answered, or none."
    )
    max_charge: MaxCharge | None = Field(
        default=None,
        description=(
            "Upper bound on your charge; with 0, only earlier releases are used. A request with half widths needs it."
        ),
    )
    constraints: bool | None = Field(
        default=None,
        description="If true, the request only finds an answer that it paid for before version 0.3.0.",
    )
    _is_of_version_0_1: bool = PrivateAttr(default=False)

    @property
    def finds_price(self) -> bool:
        """Whether a query gives a half width."""
        return any(each.half_width is not None for each in self.queries)

    @property
    def broken_rule(self) -> tuple[str, str] | None:
        """Return the broken rule. Naming cells in the form of version 0.1.0 breaks one."""
        if self._is_of_version_0_1:
            return "queries", _CELLS_OF_0_1
        if self.constraints:
            return "constraints", "must be left out: version 0.3.0 computes no second interval"
        return super().broken_rule

    @model_validator(mode="wrap")
    @classmethod
    def _query_with_cells(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(value, dict) or not isinstance(value.get("queries"), list):
            return handler(value)
        queries = [_query_with_cells(each) for each in value["queries"]]
        made = handler(value | {"queries": queries})
        return made if queries == value["queries"] else made.marked()

    def marked(self) -> Self:
        """Return this request, marked as one of version 0.1.0."""
        self._is_of_version_0_1 = True
        return self

    def payload(self) -> dict[str, Any]:
        """Return the body in the form of version 0.1.0, in which a query has the fields of its cells."""
        document = super().payload()
        for query in document["queries"]:
            query.update(query.pop("of", {}))
        return document


class QueryInterval(Response):
    """An interval that contains the true answer with probability `confidence`, if the query was fixed before the
    answers were seen.
    """

    low: float = Field(description="The lower end.")
    high: float = Field(description="The upper end.")
    half_width: float = Field(description="Half of the width, in units of the answer.")
    confidence: float = Field(description="The probability with which it contains the true answer.")


SecondInterval = TypeAliasType(
    "SecondInterval",
    Annotated[
        dict[str, Any],
        Field(description="An interval in an answer of 0.2.0, for counts that are whole, not negative and sum to n."),
    ],
)


class UsedRelease(Response):
    """A release that the estimate uses, with the weight of each of its noisy counts or answers."""

    release_id: Id
    weights: list[float] = Field(description="The weight of each noisy count or measured row.")


class QueryEstimate(Response):
    """The best linear unbiased estimate of the true answer, and its error."""

    estimate: float = Field(description="The estimate of the true answer.")
    standard_deviation: float = Field(description="Standard deviation of the estimate's error.")
    interval: QueryInterval = Field(description="The interval at the requested confidence.")
    probability: float | None = Field(
        description=(
            "The probability that the true answer lies in `between`, under a flat prior; null if `between` was "
            "left out."
        )
    )
    used: list[UsedRelease] = Field(description="The releases that the estimate uses.")
    with_constraints: SecondInterval | None = Field(
        default=None,
        description="Null, except in answers that version 0.2.0 or 0.1.0 stored with a second interval.",
    )


class ExcludedRelease(Response):
    """A release that estimates can't use."""

    release_id: Id
    reason: str = Field(description="The reason, in words.")


class MeasuredRow(Response):
    """A row of weights, `coefficients` over `denominator`, and its answer with Laplace noise of scale 1/`rate`."""

    coefficients: list[int] = Field(description="A weight for each category, as a numerator.")
    denominator: int = Field(description="The common denominator of the weights.")
    rate: str = Field(
        description="The rate of the noise as an exact fraction: its scale is 1/`rate`, in units of the answer."
    )
    answer: float = Field(description="The noisy answer, rounded to a double.")
    exact_answer: str = Field(description="The noisy answer as an exact fraction.")


class PaidQuery(Response):
    """A query as it was asked."""

    of: Cells | None = Field(default=None, description="The cells whose records are counted; null for a weighted sum.")
    weights: Weights | None = Field(default=None, description="The weights of a weighted sum; null for a count.")
    labels: list[str] | None = Field(
        default=None, description="The labels of the cells of a query that version 0.1.0 answered; it has no `of`."
    )
    where: Where | None = Field(
        default=None, description="The levels of the cells of a query that version 0.1.0 answered; it has no `of`."
    )
    half_width: float | None = Field(
        description="Half the width of the interval, in units of the answer; null if none was asked for."
    )
    confidence: float = Field(description="The probability with which the interval contains the true answer.")
    between: AnswerRange | None = Field(description="The range whose probability was asked for.")


class QueryRelease(PaidRelease):
    """Answers to queries, the rows measured for them, and the charge."""

    kind: Literal["queries"]
    queries: list[PaidQuery] = Field(description="The queries, in the order of the answers.")
    answers: list[QueryEstimate] = Field(description="The answers, in the order of the queries.")
    covariance: list[list[float]] = Field(description="Joint covariance matrix of the estimates' errors.")
    measured: list[MeasuredRow] = Field(
        description=("The measured rows; empty if earlier releases were precise enough.")
    )
    standalone_cost: Amount = Field(description="The cost of the measured rows without any others.")
    event: CalibratedEvent | None = Field(
        description=("Every parameter of the measurement; null if nothing was measured.")
    )
    certificate: Certificate | None = Field(
        description="The certificate of the measured rows alone; null if nothing was measured."
    )


class QueriesQuote(OfQuotes):
    """The cost of queries, and whether they would be granted now.

    The actual charge can be higher if the rows measured on the data set distinguish more than a thousand groups of
    cells.
    """

    kind: Literal["queries"]
    standalone_cost: Amount = Field(
        description="The cost of the new rows without any others; the cap for one release applies to it."
    )
    joint_cost: Amount = Field(
        description=(
            "The joint cost of all rows that were measured under your grant, or of all rows if you own the data set or "
            "its history is shared with you. The charge is the increase of this cost."
        )
    )
    achievable_half_widths: list[float | None] = Field(
        description=(
            "About the smallest half width of each query, if it alone used all that remains of your grant, or of the "
            "budget if you own it. Null if nothing can be measured, or it takes too long to compute."
        )
    )
