"""The two kinds of model: what callers send, and what they get."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Id = Annotated[str, StringConstraints(pattern=r"^[a-z]{3}_[a-z2-7]{26}$")]
T = TypeVar("T")


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
