"""Schemas that name cells of a table, and shares of sets of cells."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self, TypeAlias, get_args

from pydantic import BeforeValidator, Field, model_validator
from typing_extensions import TypeAliasType

from core.limits import MAX_CATEGORIES
from service.schemas.model import Request, ShortText, is_none

MAX_ATTRIBUTES: Final = 16


def _list_text(value: object) -> object:
    """Return a text as a list of one: R's jsonlite sends a list of one text as the text."""
    return [value] if isinstance(value, str) else value


Labels = Annotated[list[ShortText], Field(min_length=1, max_length=MAX_CATEGORIES), BeforeValidator(_list_text)]
"""Labels of cells, or levels of an attribute. A text is a list of one."""
Where = TypeAliasType(
    "Where",
    Annotated[
        dict[ShortText, Labels],
        Field(
            min_length=1,
            max_length=MAX_ATTRIBUTES,
            description="The cells whose level of each named attribute is among those listed.",
            examples=[{"smoker": ["yes"], "age": ["20-29", "30-39"]}],
        ),
    ],
)
"""The cells that satisfy a predicate."""


MarginNames = TypeAliasType(
    "MarginNames",
    Annotated[
        list[ShortText],
        Field(
            min_length=1,
            max_length=MAX_ATTRIBUTES,
            description="The attributes of a margin, in any order. The margin is the table summed over all others.",
            examples=[["age", "smoker"]],
        ),
        BeforeValidator(_list_text),
    ],
)


class Cells(Request):
    """A set of cells: those with these labels, or in a cross table those with these levels of attributes. A text in
    place of a list stands for a list of one.
    """

    labels: Labels | None = Field(
        default=None, exclude_if=is_none, description="The labels of the cells.", examples=[["paralytic polio"]]
    )
    where: Where | None = Field(default=None, exclude_if=is_none)

    @model_validator(mode="after")
    def _check_named_once(self) -> Self:
        if (self.labels is None) is (self.where is None):
            raise ValueError("must have either labels or where")
        return self


class Share(Request):
    """The share of the records in the cells `of`, among all records or among those in the cells `within`."""

    of: Cells = Field(description="The cells whose records are counted.")
    within: Cells | None = Field(
        default=None,
        exclude_if=is_none,
        description="The cells that form the denominator of the share; all cells if left out.",
    )


About: TypeAlias = Literal["population", "records"]
ABOUT: Final = (
    "`population`: the people that the records represent. `records`: these records alone. Their counts are known up to "
    "the noise, so intervals shrink to nothing as the noise does, and equality has a probability of its own."
)
Proportion = Annotated[float, Field(strict=True, ge=0.0, le=1.0)]
_Bound = Annotated[float, Field(strict=True, ge=-1e300, le=1e300)]


class AnswerRange(Request):
    """A range whose probability you want. A bound that is left out is infinite."""

    low: _Bound | None = Field(default=None, description="The lower bound; infinite if left out.")
    high: _Bound | None = Field(default=None, description="The upper bound; infinite if left out.")

    @model_validator(mode="after")
    def _check_bounds(self) -> Self:
        if self.low is None and self.high is None:
            raise ValueError("must have low, high or both")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError("low must not be above high")
        return self


class ShareQuestion(Share):
    """A question about the share of a set of cells."""

    kind: Literal["share"]
    above: Proportion | None = Field(
        default=None, description=("Also return the probability that the share is above this.")
    )
    between: AnswerRange | None = Field(
        default=None, description="Also return the probability that the value lies in this range."
    )
    about: About = Field(default="population", description=ABOUT)


Contrast: TypeAlias = Literal["difference", "ratio", "odds_ratio"]
CONTRAST_KINDS: Final[tuple[Contrast, ...]] = get_args(Contrast)
ContrastKind = TypeAliasType("ContrastKind", Contrast)


class ContrastQuestion(Request):
    """A question about a contrast of two shares: first minus second, first over second, or the ratio of their odds."""

    kind: Contrast
    first: Share
    second: Share
    above: Annotated[float, Field(strict=True, ge=-1.0, le=1e6)] | None = Field(
        default=None,
        description=(
            "Also return the probability that the contrast is above this. If left out, the value at equal shares: "
            "0 for a difference, 1 for ratios."
        ),
    )
    between: AnswerRange | None = Field(
        default=None, description="Also return the probability that the value lies in this range."
    )
    about: About = Field(default="population", description=ABOUT)


Question = TypeAliasType("Question", Annotated[ShareQuestion | ContrastQuestion, Field(discriminator="kind")])


class Attribute(Request):
    """A property of each record, with its possible levels."""

    name: ShortText = Field(examples=["smoker"], description="The name of the property.")
    levels: Labels = Field(description="The levels, in the order in which cells are listed.", examples=[["no", "yes"]])


Attributes = Annotated[list[Attribute], Field(min_length=1, max_length=MAX_ATTRIBUTES)]


def of_json(stored: list[dict[str, Any]] | None) -> list[Attribute] | None:
    """Return the attributes from plain JSON, or None if there are none."""
    return None if stored is None else [Attribute(**each) for each in stored]
