"""The prior of a posterior and the level of its intervals. The address of a release's page contains them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import fsum, isfinite
from typing import Any, Final

from starlette.datastructures import QueryParams

from service.console.forms import FormError, with_point
from service.pictures.scales import plain_number, prior_text
from service.schemas.cell_names import CellNames

_LEVEL: Final = "95"
_DECIMAL_COMMA: Final = re.compile(r"\d+,\d+")
_MAX_TYPED_VALUES: Final = 50
"""Largest number of prior parameters that a field shows."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """The prior and the level. `typed` contains the non-empty fields of the address that define them.

    `part` is the prior of each part of a question, if the address has one.
    """

    prior: list[float]
    level: float
    typed: tuple[tuple[str, str], ...] = ()
    part: float | None = None

    @property
    def body(self) -> dict[str, Any]:
        """The fields of a request for a posterior. Without a prior, each part of a question has ½."""
        of_part = {} if self.part is None else {"prior": {"each": self.part, "of": "piece"}}
        return ({"prior": self.prior} if self.has_prior else of_part) | {"level": self.level}

    @property
    def has_prior(self) -> bool:
        """Whether the address has a prior by category."""
        return "prior" in dict(self.typed) and self.part is None

    @property
    def percent(self) -> str:
        return f"{100 * self.level:.10g}"

    @property
    def prior_words(self) -> str:
        return prior_text(self.prior) if self.has_prior else f"{self._part} for each part of a question"

    @property
    def prior_short(self) -> str:
        """The prior in a word or two."""
        if not self.has_prior:
            return f"{self._part} a part"
        return plain_number(self.prior[0]) if len(set(self.prior)) == 1 else "of your own"

    @property
    def prior_records(self) -> str:
        """How many made-up records the prior counts as."""
        return plain_number(fsum(self.prior))

    @property
    def prior_field(self) -> str:
        """The prior as text for its field; empty if it is too long, or if there is none in the address."""
        if not self.has_prior:
            return "" if self.part is None else f"part={self.part:.10g}"
        if len(set(self.prior)) == 1:
            return f"{self.prior[0]:.10g}"
        return " ".join(f"{each:.10g}" for each in self.prior) if len(self.prior) <= _MAX_TYPED_VALUES else ""

    @property
    def _part(self) -> str:
        return "½" if self.part is None else plain_number(self.part)


def conditions_of(typed: QueryParams, release: Mapping[str, Any]) -> Conditions:
    """Return the conditions in the fields `prior` and `level`. Raises FieldError."""
    fields = {name: typed.get(name, "").strip() for name in ("prior", "level")}
    prior, part, names = release["prior"], None, CellNames.of_answer(release)
    if fields["prior"]:
        name, equals, number = fields["prior"].partition("=")
        if equals:
            if name.strip() != "part":
                raise FormError("prior", "Type numbers, or part=1 for each part of a question.")
            (part,) = prior_of(number, 1)
        else:
            prior = names.added(prior_of(fields["prior"], names.cells_of_table))
    given = tuple((name, text) for name, text in fields.items() if text)
    return Conditions(prior, level_of(fields["level"] or _LEVEL), given, part)


def own_conditions(release: Mapping[str, Any]) -> Conditions:
    """Return the prior of the release, and the default level."""
    return Conditions(release["prior"], level_of(_LEVEL))


def prior_of(text: str, categories: int) -> list[float]:
    """Return the prior's concentration parameters. Raises FieldError.

    The command line has the same rule: commas and spaces separate numbers, and a decimal comma is refused.
    """
    for word in text.split():
        if _DECIMAL_COMMA.fullmatch(comma := word.strip(",")):
            point, two = comma.replace(",", "."), comma.split(",")
            sentence = f"{comma} can mean {point}, or {two[0]} and {two[1]}. Type {point}, or {' '.join(two)}."
            raise FormError("prior", sentence)
    try:
        found = [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        found = []
    if not found or not all(map(isfinite, found)):
        raise FormError("prior", "Type one number, or one for each category with spaces or commas between them.")
    if len(found) == 1:
        return found * categories
    if len(found) != categories:
        raise FormError("prior", f"Type one number, or {categories}: one for each category. These are {len(found)}.")
    return found


def level_of(text: str, field: str = "level") -> float:
    """Return a level or a confidence from a percentage or from a fraction of 1. Raises FieldError."""
    try:
        level = Decimal(with_point(text.rstrip("% ")))
        percent = level if level >= 1 else 100 * level
    except InvalidOperation:  # also if it is not a number
        raise FormError(field, "Type a percentage, such as 95.") from None
    if not 0 < percent < 100:
        raise FormError(field, "Type a percentage between 0 and 100, such as 95.")
    return float(percent / 100)
