"""Reads forms, and puts the rules that `/v1` names beside the fields that break them."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from service.console.api import Refused

TOKEN_FIELD: Final = "form_token"  # noqa: S105  the name of a field
WHOSE_FIELD: Final = "whose"
ONCE_FIELD: Final = "once"
KEY_FIELD: Final = "key"
SECRET_FIELDS: Final = frozenset({TOKEN_FIELD, WHOSE_FIELD, KEY_FIELD, "invitation"})
"""Fields whose values are never shown again."""
_PATTERN: Final = "must match the pattern"
_WRONG_FORM: Final = "does not have the form that this field needs"
_MOST_FIELDS: Final = 25_000
_PROOF_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_ACTS_AGAIN: Final = "If you press the button again, the same happens a second time."
_NO_DIGIT: Final = re.compile(r"^(-?)\.(?=\d)")
_SECRET: Final = re.compile(r"(?<![A-Za-z0-9_-])pp[er]?_[A-Za-z0-9_-]+")
_SENTENCE_BY_RULE: Final = {
    "must be a plain decimal text such as 0.25 or 2.5e-8, without sign or spaces": "must be a number such as 0.25",
    "must be the id of an analyst": (
        "no analyst of this service has this id. Check that all of it is pasted, and that the person is an analyst, "
        "who finds the id on the page “Keys”"
    ),
}
"""Rules of `/v1`, and their wording for people who fill in a form."""


class FormMark(NamedTuple):
    """The hidden fields of every form: the token of the session whose cookie its page was shown with, and the id of the
    person whose page it was.
    """

    token: str
    whose: str


class FormError(Exception):
    """A typed text can't be used: the field, and a sentence that says why."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a form, in the order in which they were sent."""

    fields: tuple[tuple[str, str], ...] = ()

    def text(self, name: str, default: str = "") -> str:
        """Return the first value of a field, without surrounding spaces."""
        return next((value for each, value in self.fields if each == name), default).strip()

    def decimal(self, name: str, default: str = "") -> str:
        """Return the first value of a numeric field, with a decimal point in place of a comma."""
        return with_point(self.text(name)) or default

    def all(self, name: str) -> list[str]:
        """Return every value of a field."""
        return [value for each, value in self.fields if each == name]

    def has(self, name: str) -> bool:
        """Return whether a box was ticked, or a button pressed."""
        return any(each == name for each, _ in self.fields)

    def with_text(self, name: str, value: str) -> Form:
        """Return the form with another value of a field."""
        return Form((*((each, old) for each, old in self.fields if each != name), (name, value)))

    @property
    def once(self) -> str:
        """The Idempotency-Key that was made with the page, or a new one if that is not valid."""
        sent = self.text(ONCE_FIELD)
        return sent if _PROOF_PATTERN.fullmatch(sent) else new_once()

    def next_once(self, errors: Mapping[str, str] | None) -> str:
        """Return the Idempotency-Key of the page that follows this form: the same one if the form was refused, unless
        it acted before.
        """
        return self.once if errors and _ACTS_AGAIN not in errors.get("", "") else new_once()

    @property
    def shown(self) -> list[tuple[str, str]]:
        """The fields that contain no secret."""
        return [(name, value) for name, value in self.fields if name not in SECRET_FIELDS]


def with_point(text: str) -> str:
    """Return a typed number without surrounding spaces, with a decimal point and a digit before it."""
    return _NO_DIGIT.sub(r"\g<1>0.", text.strip().replace(",", "."))


def secret_in(text: str) -> str:
    """Return the key, invitation or recovery code in a pasted text. Return the whole text if it contains none, or
    several different ones.
    """
    found = set(_SECRET.findall(text))
    return found.pop() if len(found) == 1 else text


def decimal_of(text: str) -> float | str:
    """Return the typed number. If it is not a number, return the text, which `/v1` refuses."""
    try:
        value = float(with_point(text))
    except ValueError:
        return text
    return value if isfinite(value) else text


def new_once() -> str:
    """Return a new Idempotency-Key for a form, so that the form acts only once if a browser sends it again."""
    return secrets.token_urlsafe(18)


def form_of(body: bytes) -> Form:
    """Return the form in a body. Raises Refused if the body is not a form."""
    try:
        text = body.decode("ascii")
        fields = parse_qsl(
            text, keep_blank_values=True, strict_parsing=bool(text), max_num_fields=_MOST_FIELDS, errors="strict"
        )
    except ValueError:
        raise Refused(400, {"detail": "The form could not be read."}) from None
    # Browsers send CR LF as the line end of a text field.
    return Form(tuple((name, value.replace("\r\n", "\n")) for name, value in fields))


def at_fields(
    refused: Refused, places: Mapping[str, str], *, by_code: Mapping[str, str] | None = None, did: str = "did this"
) -> dict[str, str]:
    """Return sentences about a refusal, by the name of the form's field.

    `places` maps locations in the request to fields; the longest matching location is used. `by_code` maps the code of
    a problem to the field that it is about. Sentences without a field have the empty name. `did` is for a page that is
    sent a second time, with other fields.
    """
    if refused.code == "idempotency-key-reused":
        return {"": f"This page {did} already. {_ACTS_AGAIN}"}
    found: dict[str, str] = {}
    for location, rule in refused.rules:
        name = _longest_place(location.removeprefix("body").lstrip("."), places)
        said = _WRONG_FORM if rule.startswith(_PATTERN) else _SENTENCE_BY_RULE.get(rule, rule)
        is_named = not name and location != "body"
        sentence = f"{location}: {said}." if is_named else f"{said[:1].upper()}{said[1:]}."
        if sentence not in found.get(name, ""):  # one field can break a rule at many locations
            found[name] = f"{found[name]} {sentence}" if name in found else sentence
    if not found:
        found[(by_code or {}).get(refused.code, "")] = refused.detail
    return found


def _longest_place(location: str, places: Mapping[str, str]) -> str:
    matching = [place for place in places if _is_at(location, place)]
    return places[max(matching, key=len)] if matching else ""


def _is_at(location: str, place: str) -> bool:
    return location == place or (location.startswith(place) and location[len(place) :][:1] in {".", "["})


def lines_of(text: str) -> list[str]:
    """Return the non-empty lines of a text field."""
    return [line.strip() for line in text.splitlines() if line.strip()]
