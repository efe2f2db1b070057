"""Questions about a release: the cells that they are about, their form fields, and their names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from starlette.datastructures import QueryParams

from service.console.api import read_json
from service.console.forms import FormError
from service.pictures.scales import plain_number
from service.pictures.text import isolated

KINDS: Final = {
    "share": "a share, or a risk: the share among those with something",
    "ratio": "a risk ratio: a ratio of two shares",
    "odds_ratio": "an odds ratio",
    "difference": "a risk difference: a difference of two shares",
}
MOST: Final = 8
"""Largest number of questions in one request of `/v1`."""
MOST_CHOICES: Final = 300
"""Largest number of labels in a list of choices. If there are more, people type the label."""
_MOST_NAMED: Final = 8
"""Largest number of categories in the name of a weighted sum."""
Cells: TypeAlias = dict[str, list[str]] | list[str]
Question: TypeAlias = dict[str, Any]


def choices_of(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the choices in the fields about cells: the levels of each attribute, or the labels, if there are not too
    many of them to choose from.
    """
    if data["attributes"]:
        named = [(each["name"], each["levels"]) for each in data["attributes"]]
    else:
        named = [("", data["labels"])]
    return [{"name": name, "levels": levels if len(levels) <= MOST_CHOICES else []} for name, levels in named]


def cells_of(typed: Mapping[str, str], part: str, data: Mapping[str, Any]) -> Cells | None:
    """Return the cells that are chosen in the fields `part_0`, `part_1`, …, or None if none is chosen.

    Each field is for one attribute; a data set without attributes has one field for labels. `/v1` refuses made-up
    choices.
    """
    if not data["attributes"]:
        label = typed.get(f"{part}_0", "").strip()
        return [label] if label else None
    found = {
        attribute["name"]: [typed[f"{part}_{place}"]]
        for place, attribute in enumerate(data["attributes"])
        if typed.get(f"{part}_{place}")
    }
    return found or None


def typed_question(typed: QueryParams, data: Mapping[str, Any], *, so_far: int) -> Question:
    """Return the question in the fields of a form, asked after `so_far` others. Raises FieldError."""
    if so_far >= MOST:
        raise FormError("kind", f"At most {MOST} answers stand here at once. Remove one first.")
    kind = typed.get("kind", "")
    if kind not in KINDS:
        raise FormError("kind", "Choose one of the kinds.")
    outcome = cells_of(typed, "outcome", data)
    if outcome is None:
        raise FormError("outcome_0", "Choose what the share is of.")
    first, second = cells_of(typed, "first", data), cells_of(typed, "second", data)
    if kind == "share":
        return {"kind": kind} | _set(outcome, first)
    if not data["attributes"]:
        if second is None:
            raise FormError("second_0", "Choose what it is compared with.")
        return {"kind": kind, "first": _set(outcome, None), "second": _set(second, None)}
    if first is None:
        raise FormError(
            "first_0", "Choose the group whose share is compared: all records would contain the other group."
        )
    if second is None:
        raise FormError("second_0", "Choose the group to compare with: all records would contain the first group.")
    if first == second:
        raise FormError("second_0", "Choose a group that differs from the first.")
    return {"kind": kind, "first": _set(outcome, first), "second": _set(outcome, second)}


def _set(cells: Cells, given: Cells | None) -> dict[str, Any]:
    named = {"labels" if isinstance(cells, list) else "where": cells}
    return named if given is None else named | {"given": given}


def read_questions(texts: Sequence[str]) -> list[Question]:
    """Return the questions in an address, without those that the console can't have made."""
    found = []
    for text in texts[:MOST]:
        try:
            question = read_json(text)
            words(question)
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        found.append(question)
    return found


def written(question: Question) -> str:
    """Return the question as text for an address."""
    return json.dumps(question, ensure_ascii=False, separators=(",", ":"))


def words(question: Question) -> str:
    """Return the name of the answer on a page."""
    if question["kind"] == "share":
        return f"{'Risk' if question.get('given') else 'Share'}: {_share_words(question)}"
    what, first, second = _contrast(question).capitalize(), question["first"], question["second"]
    if _cells(first) == _cells(second):
        return f"{what} of {_cell_words(_cells(first))}: {_groups(question)}"
    return f"{what}: {_groups(question)}"


def row_label(question: Question) -> str:
    """Return the name of the answer in a picture."""
    if question["kind"] == "share":
        return _share_words(question)
    first, second = question["first"], question["second"]
    of = f", {_cell_words(_cells(first))}" if _cells(first) == _cells(second) else ""
    return f"{_contrast(question)}: {_groups(question)}{of}"


def query_words(query: Mapping[str, Any]) -> str:
    """Return a linear query in words."""
    weights = query["weights"]
    if weights is None:
        cells = query["where"] if query["where"] is not None else query["labels"]
        asked = f"count of {_cell_words(cells)}" if cells else "count of no records"
    elif isinstance(weights, dict):
        named = [
            f"{plain_number(float(weight))} × {isolated(label)}" for label, weight in weights.items() if float(weight)
        ]
        more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
        asked = f"sum of {' + '.join(named[:_MOST_NAMED])}{more}"
    else:
        asked = "weighted sum of the counts"
    return asked if query["half_width"] is None else f"{asked}, to ± {plain_number(query['half_width'])}"


def _contrast(question: Question) -> str:
    """Return the statistical term for the contrast. Shares within groups are called risks."""
    is_of_risks = question["first"].get("given") and question["second"].get("given")
    match question["kind"]:
        case "odds_ratio":
            return "odds ratio"
        case "ratio":
            return "risk ratio" if is_of_risks else "ratio of shares"
        case "difference":
            return "risk difference" if is_of_risks else "difference of shares"
        case kind:
            raise KeyError(kind)


def _groups(question: Question) -> str:
    first, second = question["first"], question["second"]
    if _cells(first) == _cells(second):
        return f"{_group(first)} against {_group(second)}"
    return f"{_share_words(first)} against {_share_words(second)}"


def _cells(asked: Mapping[str, Any]) -> Cells:
    cells: Cells = asked["where"] if "where" in asked else asked["labels"]
    return cells


def _group(asked: Mapping[str, Any]) -> str:
    return _cell_words(asked["given"]) if asked.get("given") else "all"


def _share_words(asked: Mapping[str, Any]) -> str:
    said = _cell_words(_cells(asked))
    return f"{said}, among {_cell_words(asked['given'])}" if asked.get("given") else said


def _cell_words(cells: Cells) -> str:
    if isinstance(cells, dict):
        return " and ".join(f"{isolated(name)} {' or '.join(map(isolated, levels))}" for name, levels in cells.items())
    return " or ".join(map(isolated, cells))
