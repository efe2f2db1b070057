"""Reads forms, and puts what `/v1` says of a field beside that field."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from service.console.api import Refused

TOKEN_FIELD: Final = "form_token"  # noqa: S105  the name of a field
ONCE_FIELD: Final = "once"
KEY_FIELD: Final = "key"
SECRET_FIELDS: Final = frozenset({TOKEN_FIELD, KEY_FIELD, "invitation"})
"""Fields that are never shown again."""
_PATTERN: Final = "must match the pattern"
_WRONG_FORM: Final = "does not have the form that is asked for here"
_MOST_FIELDS: Final = 25_000
_ONCE: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_SECRET: Final = re.compile(r"(?<![A-Za-z0-9_-])pp[er]?_[A-Za-z0-9_-]+")
_SAID: Final = {
    "must be a plain decimal text such as 0.25 or 1e-8": "must be a number such as 0.25",
    "must be the id of an analyst": (
        "no analyst of this service has this id. Check that all of it is pasted, and that the person is an analyst, "
        "who finds the id on the page “Keys”"
    ),
}
"""Rules of `/v1` in the words of people who type into a form."""


class FieldError(Exception):
    """Says what is wrong with a typed text, and at which field."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a form, in the order in which they were sent."""

    fields: tuple[tuple[str, str], ...] = ()

    def text(self, name: str, default: str = "") -> str:
        """The first value of a field, without spaces around it."""
        return next((value for each, value in self.fields if each == name), default).strip()

    def decimal(self, name: str, default: str = "") -> str:
        """The first value of a field for a number, whose decimal comma becomes a point."""
        return with_point(self.text(name)) or default

    def all(self, name: str) -> list[str]:
        """Every value of a field."""
        return [value for each, value in self.fields if each == name]

    def has(self, name: str) -> bool:
        """Whether a box was ticked, or a button pressed."""
        return any(each == name for each, _ in self.fields)

    def with_text(self, name: str, value: str) -> Form:
        """The form with another value of a field."""
        return Form((*((each, old) for each, old in self.fields if each != name), (name, value)))

    @property
    def once(self) -> str:
        """The Idempotency-Key that was made with the page, or a new one if it was altered."""
        sent = self.text(ONCE_FIELD)
        return sent if _ONCE.fullmatch(sent) else new_once()

    @property
    def shown(self) -> list[tuple[str, str]]:
        """The fields without secrets."""
        return [(name, value) for name, value in self.fields if name not in SECRET_FIELDS]


def with_point(text: str) -> str:
    """A typed number, without spaces around it and with a decimal point."""
    return text.strip().replace(",", ".")


def secret_in(text: str) -> str:
    """The key, invitation or recovery code in a pasted text, such as a line of a letter; the text if there is none, or
    several that differ.
    """
    found = set(_SECRET.findall(text))
    return found.pop() if len(found) == 1 else text


def decimal_of(text: str) -> float | str:
    """A number that is typed, or the text for `/v1` to refuse."""
    try:
        value = float(with_point(text))
    except ValueError:
        return text
    return value if isfinite(value) else text


def new_once() -> str:
    """An Idempotency-Key for a form: whatever a browser does with the page, the form acts once."""
    return secrets.token_urlsafe(18)


async def read_form(request: Request) -> Form:
    """The form in the body. Raises Refused for what is no form."""
    body = await request.body()
    try:
        text = body.decode("ascii")
        fields = parse_qsl(
            text, keep_blank_values=True, strict_parsing=bool(text), max_num_fields=_MOST_FIELDS, errors="strict"
        )
    except ValueError:
        raise Refused(400, {"detail": "The form could not be read."}) from None
    # Browsers end the lines of a text field with a carriage return as well.
    return Form(tuple((name, value.replace("\r\n", "\n")) for name, value in fields))


def at_fields(
    refused: Refused, places: Mapping[str, str], *, by_code: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Sentences by the name of the form's field. `places`: the field for each location in the request, of which the
    longest beginning counts; `by_code`: the field that a problem as a whole is about. What belongs to no field stands
    under the empty name.
    """
    found: dict[str, str] = {}
    for location, rule in refused.rules:
        name = _longest(location.removeprefix("body").lstrip("."), places)
        said = _WRONG_FORM if rule.startswith(_PATTERN) else _SAID.get(rule, rule)
        is_named = not name and location != "body"
        sentence = f"{location}: {said}." if is_named else f"{said[:1].upper()}{said[1:]}."
        if sentence not in found.get(name, ""):  # a rule may be broken at many places of one field
            found[name] = f"{found[name]} {sentence}" if name in found else sentence
    if not found:
        found[(by_code or {}).get(refused.code, "")] = refused.detail
    return found


def _longest(location: str, places: Mapping[str, str]) -> str:
    matching = [place for place in places if _is_at(location, place)]
    return places[max(matching, key=len)] if matching else ""


def _is_at(location: str, place: str) -> bool:
    return location == place or (location.startswith(place) and location[len(place) :][:1] in {".", "["})


def lines_of(text: str) -> list[str]:
    """The lines of a text field, without empty ones."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def hidden(fields: Iterable[tuple[str, str]], *, without: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Fields to be carried in a page, but those named."""
    return [(name, value) for name, value in fields if name not in without]
