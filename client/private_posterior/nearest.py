"""Finds the label, level or attribute that a wrong one was probably meant to be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Final

NOT_A_LABEL: Final = "is not a label of this data set"
NOT_A_LEVEL: Final = "is not a level of this attribute"
_STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d+)\]")


def nearest(text: str, names: Iterable[str]) -> str | None:
    """Return the name that is most like the text, or None if none is."""
    by_case = {name.casefold(): name for name in names}
    found = get_close_matches(text.casefold(), by_case, n=1)
    return by_case[found[0]] if found else None


def sent_at(body: Mapping[str, Any] | None, location: str) -> Any:
    """Return the value that was sent at a location such as `body.queries[0].of.labels[0]`, or None if it is not found.

    A text in place of a list counts as a list of one.
    """
    value: Any = body
    for name, place in _STEP.findall(location):
        if isinstance(value, Mapping) and name in value:
            value = value[name]
        elif isinstance(value, list) and place and int(place) < len(value):
            value = value[int(place)]
        elif not (isinstance(value, str) and place == "0"):
            return None
    return value


def hint(location: str, rule: str, body: Mapping[str, Any] | None, about: Mapping[str, Any] | None) -> str:
    """Return what was sent in place of a label or level, and the nearest one, as a clause; empty for other rules.

    `about` has the labels and attributes: it is the data set, the release or the plan that the request is about.
    """
    sent = sent_at(body, location)
    if rule not in {NOT_A_LABEL, NOT_A_LEVEL} or not isinstance(sent, str):
        return ""
    known = about or {}
    names: Iterable[str] = known.get("labels") or ()
    if rule == NOT_A_LEVEL:
        attribute = re.sub(r"\[\d+\]$", "", location).rpartition(".where.")[2]
        names = next((each["levels"] for each in known.get("attributes") or () if each["name"] == attribute), ())
    likely = nearest(sent, names)
    return f"“{sent}” was sent" + (f"; did you mean “{likely}”?" if likely else "")
