"""Converts pydantic's findings to locations and rules, without repeating input."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.errors import IdempotencyKeyMissing, InvalidRequest, MalformedBody, NotFound, Problem, UnsupportedMediaType

# The wording of each finding. Only limits that the schema publishes are filled in. An unlisted finding gets a general
# rule.
_RULES = {
    "missing": "is required",
    "extra_forbidden": "is not a field of this request",
    "string_type": "must be a text",
    "string_unicode": "must be Unicode text",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must match the pattern {pattern}",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a whole number of at most 2^53",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "too_short": "must have at least {min_length} items",
    "too_long": "must have at most {max_length} items",
    "greater_than": "must be above {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be below {lt}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "union_tag_not_found": "needs the field {discriminator}",
    "union_tag_invalid": "must name one of {expected_tags} in the field {discriminator}",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "dict_type": "must be an object",
}
_TYPE_RULES: Final = {name for name in _RULES if name.endswith("_type")}
_SINGULAR_PATTERN = re.compile(r"\b1 (item|character)s\b")
_FIELD_NAME = re.compile(r"(l[12]_)?[A-Za-z][A-Za-z_]{0,39}")
_KEY_PLACE: Final = "[key]"
"""Last element of pydantic's path if the name of a field, and not its value, breaks the rule."""


def problem_of_findings(findings: Sequence[Mapping[str, Any]], body: object = None) -> Problem:
    """Return the problem of these findings. `body` is the parsed body: JSON, or bytes if another content type was
    declared.
    """
    for finding in findings:
        if finding["type"] == "json_invalid":
            return _malformed_body(body, finding["loc"][1])
    if any(finding["loc"][0] == "path" for finding in findings):
        return NotFound()
    if any(finding["loc"][0] == "header" for finding in findings):
        return IdempotencyKeyMissing()
    if isinstance(body, bytes):
        return UnsupportedMediaType()
    places = [_path(finding["loc"], body, finding["type"]) for finding in findings]
    above = {tuple(place[:depth]) for place in places for depth in range(len(place))}
    return InvalidRequest(
        errors=[
            {"location": _location(place), "rule": _rule(finding)}
            for place, finding in zip(places, findings, strict=True)
            # If pydantic looked into one member of a union, the findings about the kind of other members are omitted.
            if not (finding["type"] in _TYPE_RULES and tuple(place) in above)
        ]
    )


def _malformed_body(text: object, position: int) -> MalformedBody:
    if not isinstance(text, str):
        return MalformedBody()
    return MalformedBody.at(text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position))


def _rule(finding: Mapping[str, Any]) -> str:
    if finding["type"] == "value_error":
        return str(finding["ctx"]["error"])
    template = _RULES.get(finding["type"], "is not valid")
    return _SINGULAR_PATTERN.sub(r"1 \1", template.format_map(finding.get("ctx") or {}))


def _location(path: Sequence[str | int]) -> str:
    """Return the location of an error, such as `body.counts[1]`.

    A name that the caller sent is shown only if it looks like a field's.
    """
    first, *steps = path
    return "".join([str(first), *(f"[{step}]" if isinstance(step, int) else _shown_step(step) for step in steps)])


def _shown_step(name: str) -> str:
    return "" if name == _KEY_PLACE else f".{shown_name(name)}"


def shown_name(name: str) -> str:
    """Return the name if it looks like a field's. A label that was sent as a name is not repeated."""
    return name if _FIELD_NAME.fullmatch(name) else "(unknown)"


def _path(steps: Sequence[str | int], body: object, kind: str) -> list[str | int]:
    """Return the steps that lead through the body.

    Pydantic inserts the kind of a union's member between them, which is not a location in the body.
    """
    path, place, of_kind = list(steps[:1]), body, False
    for step in steps[1:-1]:
        if isinstance(place, dict) and step == place.get("kind") and not of_kind:
            of_kind = True  # a kind can have the name of one of its fields
            continue
        of_kind = False
        match place, step:
            case list(), int():
                place = place[step]
            case dict(), str() if step in place:
                place = place[step]
            case (dict(), _) | (list(), str()):
                continue
            case _:
                pass
        path.append(step)
    if isinstance(place, dict) and not of_kind and steps[-1] == place.get("kind"):
        return path
    return path + [step for step in steps[1:][-1:] if not _is_kind(step, place, kind)]


def _is_kind(step: str | int, place: object, kind: str) -> bool:
    """Return whether the last element of the error path names a union member.

    Such an element is omitted from the location.
    """
    if not isinstance(step, str):
        return False
    if isinstance(place, dict):
        return step not in place and kind in {"value_error", *_TYPE_RULES}
    return isinstance(place, list) or kind in _TYPE_RULES  # a list has numbers, and a plain value has no steps
