"""Schemas that name cells of a table, by labels or by levels of a cross table's attributes."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from core.limits import MAX_CATEGORIES
from service.schemas.model import AS_WHOLE, Request, ShortText

MAX_ATTRIBUTES: Final = 16

Labels = Annotated[list[ShortText], Field(min_length=1, max_length=MAX_CATEGORIES)]
Levels = Annotated[list[ShortText], Field(min_length=1, max_length=MAX_CATEGORIES)]
Where = Annotated[
    dict[ShortText, Levels],
    Field(
        min_length=1,
        max_length=MAX_ATTRIBUTES,
        description="The cells whose level of each named attribute is among those listed.",
        examples=[{"smoker": ["yes"], "age": ["20-29", "30-39"]}],
    ),
]
"""The cells that satisfy a predicate."""


def _names(value: object) -> str:
    return "where" if isinstance(value, dict) else "labels"


def _names_or_place(value: object) -> str:
    return _names(value) if isinstance(value, dict | list) else "position"


Cells = Annotated[Annotated[Labels, Tag("labels")] | Annotated[Where, Tag("where")], Discriminator(_names)]
"""A set of cells, by labels or by attributes."""
Position = Annotated[
    int, Field(strict=True, ge=0, description="Position of the category among the labels, from 0."), AS_WHOLE
]
CellOrCells = Annotated[
    Annotated[Position, Tag("position")] | Annotated[Labels, Tag("labels")] | Annotated[Where, Tag("where")],
    Discriminator(_names_or_place),
]
"""One category by its position, or a set of cells."""


class SetOfCells(Request):
    """The share of the records in some cells, among all records or among those in `given`. Name the cells by `labels`,
    or by `where` in a cross table.
    """

    labels: Labels | None = Field(
        default=None, description="The labels of the categories in the set.", examples=[["paralytic polio"]]
    )
    where: Where | None = None
    given: Cells | None = Field(
        default=None,
        description=(
            "The cells that form the denominator of the share, by labels or by levels of attributes; all cells if "
            "left out."
        ),
        examples=[{"age": ["20-29", "30-39"]}],
    )

    @model_validator(mode="after")
    def _said_once(self) -> Self:
        if (self.labels is None) is (self.where is None):
            raise ValueError("must have either labels or where")
        return self


class Share(SetOfCells):
    """The share of a set of cells among all records, or among the records in the cells of `given`."""

    kind: Literal["share"]


class Contrast(Request):
    """A contrast of two shares: first minus second, first over second, or the ratio of their odds."""

    kind: Literal["difference", "ratio", "odds_ratio"]
    first: SetOfCells
    second: SetOfCells


class Attribute(Request):
    """A property of each record, with its possible levels."""

    name: ShortText = Field(examples=["smoker"])
    levels: Annotated[list[ShortText], Field(min_length=1, max_length=MAX_CATEGORIES)] = Field(
        description="The levels, in the order in which cells are listed.", examples=[["no", "yes"]]
    )


Attributes = Annotated[list[Attribute], Field(min_length=1, max_length=MAX_ATTRIBUTES)]


def of_json(stored: list[dict[str, Any]] | None) -> list[Attribute] | None:
    """Return the attributes from plain JSON, or None if there are none."""
    return None if stored is None else [Attribute(**each) for each in stored]
