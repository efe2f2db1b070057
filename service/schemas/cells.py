"""Describes how callers name cells of a table: by their labels, or by levels of the attributes of a cross table."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import Discriminator, Field, Tag

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
"""A predicate: the cells that meet it."""


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


class Attribute(Request):
    """A property of each record, and the levels that it can have."""

    name: ShortText = Field(examples=["smoker"])
    levels: Annotated[list[ShortText], Field(min_length=1, max_length=MAX_CATEGORIES)] = Field(
        description="In the order of the cells.", examples=[["no", "yes"]]
    )


Attributes = Annotated[list[Attribute], Field(min_length=1, max_length=MAX_ATTRIBUTES)]


def of_json(stored: list[dict[str, Any]] | None) -> list[Attribute] | None:
    """The attributes that were stored as plain JSON."""
    return None if stored is None else [Attribute(**each) for each in stored]
