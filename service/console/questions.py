"""Questions about a release: which cells they are about, how they are typed, and what they are called."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from starlette.datastructures import QueryParams

from service.pictures.text import isolated

CONTRASTS: Final = {"ratio": "ratio", "odds_ratio": "odds ratio", "difference": "difference"}
KINDS: Final = {"share": "share"} | CONTRASTS
MOST: Final = 5
"""Questions that `/v1` takes at once."""
MOST_CHOICES: Final = 300
"""Labels that are offered in a list; of more, the label is typed."""
Cells: TypeAlias = dict[str, list[str]] | list[str]
Question: TypeAlias = dict[str, Any]


class QuestionError(Exception):
    """Says what is wrong with a typed question, and at which field."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field
        self.sentence = sentence


def cells_of(typed: Mapping[str, str], part: str, data: Mapping[str, Any]) -> Cells | None:
    """The cells that are chosen in the fields `part_0`, `part_1`, …, of which each is about an attribute, or the one
    about labels; None if none is chosen. Choices that were made up are left to `/v1` to refuse.
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
    """The question in the fields of a form, asked after `so_far` others. Raises QuestionError."""
    if so_far >= MOST:
        raise QuestionError("kind", f"At most {MOST} answers stand here at once. Take one away first.")
    kind = typed.get("kind", "")
    if kind not in KINDS:
        raise QuestionError("kind", "Choose one of the kinds.")
    outcome = cells_of(typed, "outcome", data)
    if outcome is None:
        raise QuestionError("outcome_0", "Choose what the share is of.")
    first, second = cells_of(typed, "first", data), cells_of(typed, "second", data)
    if kind == "share":
        return {"kind": kind} | _set(outcome, first)
    if not data["attributes"]:
        if second is None:
            raise QuestionError("second_0", "Choose what it is compared with.")
        return {"kind": kind, "first": _set(outcome, None), "second": _set(second, None)}
    if first == second:
        raise QuestionError("second_0", "Choose a group that differs from the first.")
    return {"kind": kind, "first": _set(outcome, first), "second": _set(outcome, second)}


def _set(cells: Cells, given: Cells | None) -> dict[str, Any]:
    named = {"labels" if isinstance(cells, list) else "where": cells}
    return named if given is None else named | {"given": given}


def read_questions(texts: Sequence[str]) -> list[Question]:
    """The questions of an address; what is none of ours is left out."""
    found = []
    for text in texts[:MOST]:
        try:
            question = json.loads(text)
            words(question)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue
        found.append(question)
    return found


def written(question: Question) -> str:
    """The question as text for an address."""
    return json.dumps(question, ensure_ascii=False, separators=(",", ":"))


def words(question: Question) -> str:
    """What the answer is called."""
    if question["kind"] == "share":
        return _share_words(question)
    what = CONTRASTS[question["kind"]].capitalize()
    first, second = question["first"], question["second"]
    if _cells(first) == _cells(second):
        groups = f"{_group(first)} against {_group(second)}"
        return f"{what} of {_cell_words(_cells(first))}: {groups}"
    return f"{what}: {_share_words(first)} against {_share_words(second)}"


def row_label(question: Question) -> str:
    """What the answer is called in a picture, whose axis names the kind."""
    if question["kind"] == "share":
        return words(question)
    first, second = question["first"], question["second"]
    odds = "odds ratio: " if question["kind"] == "odds_ratio" else ""
    if _cells(first) == _cells(second):
        return f"{odds}{_group(first)} against {_group(second)}, {_cell_words(_cells(first))}"
    return f"{odds}{_share_words(first)} against {_share_words(second)}"


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
