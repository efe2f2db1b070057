"""The prior and the level under which a release is read. They stand in the address of its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import fsum, isfinite
from typing import Any, Final
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from service.console.forms import FieldError, with_point
from service.pictures.scales import plain_number, prior_text

_LEVEL: Final = "95"
_MOST_TYPED: Final = 50
"""Numbers of a prior that a field shows."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """The prior and the level. `typed`: the fields of the address that say them, without those left empty."""

    prior: list[float]
    level: float
    typed: tuple[tuple[str, str], ...] = ()

    @property
    def body(self) -> dict[str, Any]:
        """The fields of a request for a posterior or a picture."""
        return {"prior": self.prior, "level": self.level}

    @property
    def percent(self) -> str:
        return f"{100 * self.level:.10g}"

    @property
    def prior_words(self) -> str:
        return prior_text(self.prior)

    @property
    def prior_records(self) -> str:
        """How many made-up records the prior counts as."""
        return plain_number(fsum(self.prior))

    @property
    def prior_field(self) -> str:
        """The prior as it can be typed; empty if it is too long."""
        if len(set(self.prior)) == 1:
            return f"{self.prior[0]:.10g}"
        return " ".join(f"{each:.10g}" for each in self.prior) if len(self.prior) <= _MOST_TYPED else ""

    def with_fields(self, *fields: tuple[str, str]) -> str:
        """An address's query with these fields and the conditions."""
        return urlencode([*fields, *self.typed])


def conditions_of(typed: QueryParams, release: Mapping[str, Any]) -> Conditions:
    """The conditions in the fields `prior` and `level`. Raises FieldError."""
    fields = {name: typed.get(name, "").strip() for name in ("prior", "level")}
    prior = _prior(fields["prior"], release["category_count"]) if fields["prior"] else release["prior"]
    return Conditions(
        prior, level_of(fields["level"] or _LEVEL), tuple((name, text) for name, text in fields.items() if text)
    )


def own_conditions(release: Mapping[str, Any]) -> Conditions:
    """The prior that the release was made with, and the usual level."""
    return Conditions(release["prior"], level_of(_LEVEL))


def _prior(text: str, categories: int) -> list[float]:
    try:
        found = [float(with_point(word.rstrip(","))) for word in text.replace(";", " ").split()]
    except ValueError:
        found = []
    if not found or not all(map(isfinite, found)):
        raise FieldError("prior", "Type one number, or one for each category with spaces between them.")
    if len(found) == 1:
        return found * categories
    if len(found) != categories:
        raise FieldError("prior", f"Type one number, or {categories}: one for each category. These are {len(found)}.")
    return found


def level_of(text: str, field: str = "level") -> float:
    """A level or a confidence that is typed as a percentage, or as a fraction of 1. Raises FieldError."""
    try:
        level = Decimal(with_point(text.rstrip("% ")))
        percent = level if level >= 1 else 100 * level
    except InvalidOperation:  # also if it is no number
        raise FieldError(field, "Type a percentage, such as 95.") from None
    if not 0 < percent < 100:
        raise FieldError(field, "Type a percentage between 0 and 100, such as 95.")
    return float(percent / 100)
