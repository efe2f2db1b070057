"""The two kinds of model: what callers send, and what they get."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

# Control characters, line and paragraph separators, and marks that turn the direction of what follows: they would let a name forge a line of a report.
_CONTROL = r"\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069"
_CONTROL_CHARACTER = re.compile(f"[{_CONTROL}]")
_PLAIN: dict[str, Any] = {"pattern": rf"^[^{_CONTROL}]*[^\s{_CONTROL}][^{_CONTROL}]*$"}


def _plain(text: str) -> str:
    if _CONTROL_CHARACTER.search(text):
        raise ValueError("must have no control characters")
    return text


def _text(max_length: int) -> tuple[object, ...]:
    constraints = StringConstraints(strip_whitespace=True, min_length=1, max_length=max_length)
    return constraints, AfterValidator(_plain), Field(json_schema_extra=_PLAIN)


ShortText = Annotated[str, *_text(200)]
LongText = Annotated[str, *_text(500)]
Name = ShortText
ID_PATTERN = r"^[a-z]{3}_[a-z2-7]{26}$"
Id = Annotated[str, StringConstraints(pattern=ID_PATTERN)]
T = TypeVar("T")
R = TypeVar("R")


def examples(*bodies: dict[str, Any]) -> ConfigDict:
    """The configuration of a request with bodies that a reader of the documentation can send as they stand, but for ids."""
    return ConfigDict(json_schema_extra={"examples": list(bodies)})


class Request(BaseModel):
    """A body that callers send: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Response(BaseModel):
    """A body that callers get."""

    model_config = ConfigDict(frozen=True)


class Page(Response, Generic[T]):
    """Some items and where to go on."""

    items: list[T]
    next_cursor: str | None = Field(description="Pass as `cursor` to get the next page; null on the last one.")


def page_of(rows: Sequence[R], limit: int, item: Callable[[R], T], cursor: Callable[[R], object]) -> Page[T]:
    """The page of the first `limit` rows, where one row more was asked for; `cursor` of its last row is where the next page begins."""
    shown = rows[:limit]
    return Page(items=[item(row) for row in shown], next_cursor=str(cursor(shown[-1])) if len(rows) > limit else None)
