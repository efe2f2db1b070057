"""Questions about a release or a plan: the fields of their form, their requests to `/v1`, and their names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import isfinite, nan
from typing import Any, Final, TypeAlias

from starlette.datastructures import QueryParams

from service.console.forms import FormError, lines_of, with_point
from service.pictures.scales import grouped, plain_number
from service.pictures.text import isolated
from service.schemas.cell_names import cell_words

KINDS: Final = {
    "share": "share or risk",
    "odds_ratio": "odds ratio",
    "ratio": "risk ratio",
    "difference": "risk difference",
    "trial": "2 × 2 trial",
}
"""The kinds of questions, as a form offers them."""
ABOUT: Final = {"population": "people like these", "records": "these people alone"}
"""Whether a question is about the population or about the records, as a form offers it."""
CHIPS: Final = 12
"""Largest number of levels that a form offers side by side. More are a list."""
MOST_CHOICES: Final = 300
"""Largest number of levels or labels that a form offers. Of more, people type those that they mean."""
_DIGITS: Final = 15
"""Largest number of digits of a total."""
_MAX_NAMED_LABELS: Final = 8
"""Largest number of categories in a name."""
_NEGATIVE_LABELS: Final = frozenset({"0", "alive", "false", "healthy", "n", "negative", "no", "none", "well"})
_FIELD: Final = re.compile(r"kind|above|by|about|total_(first|second)|(outcome|first|second|only)_\d{1,2}")
_RATIO_PATTERN: Final = re.compile(r"(?:about)?(.+?)(?:per|in|of|/)(.+)")
Cells: TypeAlias = dict[str, list[str]] | list[str]
"""Levels by attribute, or labels."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The levels of an attribute, or the labels of a data set without attributes."""

    name: str
    levels: Sequence[str]

    @property
    def is_offered(self) -> bool:
        """Whether there are few enough to list them all."""
        return len(self.levels) <= MOST_CHOICES

    @property
    def are_chips(self) -> bool:
        return len(self.levels) <= CHIPS


def choices_of(data: Mapping[str, Any]) -> list[Choice]:
    """Return the choices of the fields about cells."""
    if data["attributes"]:
        return [Choice(each["name"], each["levels"]) for each in data["attributes"]]
    return [Choice("", data["labels"])]


def chosen(typed: QueryParams, part: str, place: int) -> list[str]:
    """Return the levels or labels that are chosen for an attribute in a part of a form: `outcome`, `first` and so on.

    Where a form offers none, each line of its field is one.
    """
    return list(dict.fromkeys(line for text in typed.getlist(f"{part}_{place}") for line in lines_of(text)))


def cells_of(typed: QueryParams, part: str, data: Mapping[str, Any]) -> Cells | None:
    """Return the cells that are chosen in the fields `part_0`, `part_1`, …, or None if none is chosen.

    Each field is for one attribute; a data set without attributes has one field for labels. Raises FormError for a name
    that the data set does not have.
    """
    found: dict[str, list[str]] = {}
    for place, choice in enumerate(choices_of(data)):
        for name in chosen(typed, part, place):
            if name not in choice.levels:
                raise FormError(f"{part}_{place}", unknown_value(name, choice))
            found.setdefault(choice.name, []).append(name)
    if not data["attributes"]:
        return found.get("")
    return found or None


def unknown_value(name: str, choice: Choice) -> str:
    """Return a sentence about a name that is not among the choices, with the nearest of them."""
    of = f"of {choice.name}" if choice.name else "here"
    near = get_close_matches(name, choice.levels, 1)
    return f"“{name}” is not a value {of}.{f' Do you mean “{near[0]}”?' if near else ''}"


@dataclass(frozen=True, slots=True)
class Question:
    """The share of the cells `outcome` among those of `first`, or a contrast of this share with that among `second`.

    Without attributes, a contrast compares the shares of the labels `outcome` and `second` among all records.
    """

    kind: str
    outcome: Cells
    first: Cells | None = None
    second: Cells | None = None
    only: dict[str, list[str]] = field(default_factory=dict)
    """Both groups contain only records with these levels."""
    above: float | None = None
    by: str = ""
    """The attribute in each of whose levels the question is answered; empty for none."""
    about: str = "population"
    totals: tuple[int | None, ...] = ()
    """The public number of records in each group, or None."""

    @property
    def is_contrast(self) -> bool:
        return self.kind != "share"

    @property
    def shares(self) -> list[dict[str, Any]]:
        """The shares in the question, as `/v1` names them."""
        if not self.is_contrast:
            return [_share(self.outcome, self._cells_within(self.first))]
        if isinstance(self.outcome, list):
            return [_share(cells, None) for cells in (self.outcome, self.second) if cells is not None]
        return [_share(self.outcome, self._cells_within(group)) for group in (self.first, self.second)]

    def _cells_within(self, group: Cells | None) -> Cells | None:
        if isinstance(group, list):
            return group
        return ({} if group is None else group) | self.only or None

    @property
    def planned(self) -> dict[str, Any]:
        """The question as `/v1` plans it."""
        if not self.is_contrast:
            return {"kind": "share"} | self.shares[0]
        first, second = self.shares
        return {"kind": self.kind, "first": first, "second": second}

    @property
    def request(self) -> dict[str, Any]:
        """The fields of a request for a posterior that ask this question. A contrast also asks for its two shares."""
        if self.kind == "trial":
            groups = [self._cells_within(each) for each in (self.first, self.second)]
            named = zip(("outcome", "first", "second"), (self.outcome, *groups), strict=True)
            effect = {} if self.above is None else {"effect": {"measure": "efficacy", "above": self.above}}
            trial = {name: in_api(cells) for name, cells in named if cells is not None}
            return {"trial": trial | effect | {"about": self.about}} | self._known_totals
        own = self.planned | ({} if self.above is None else {"above": self.above}) | {"about": self.about}
        if self.by:
            return {"by": {"attributes": [self.by], "question": own}}
        shares = [{"kind": "share", "about": self.about} | each for each in self.shares] if self.is_contrast else []
        return {"questions": [own, *shares]} | self._known_totals

    @property
    def _known_totals(self) -> dict[str, Any]:
        """The public totals of groups, as a field of a request."""
        groups = zip((self.first, self.second), self.totals, strict=False)
        found = [(self._cells_within(group), total) for group, total in groups if total is not None]
        return {"known": [{"of": in_api(cells), "count": total} for cells, total in found if cells]} if found else {}

    @property
    def title(self) -> str:
        """The statistical term. Shares within groups are called risks."""
        has_groups = self.first is not None
        match self.kind:
            case "share":
                return "Risk" if has_groups else "Share"
            case "odds_ratio":
                return "Odds ratio"
            case "trial":
                return "Trial"
            case "ratio":
                return "Risk ratio" if has_groups else "Ratio of shares"
            case _:
                return "Risk difference" if has_groups else "Difference of shares"

    @property
    def words(self) -> str:
        """The question in words."""
        of, only = cell_words(self.outcome), f", only {cell_words(self.only)}" if self.only else ""
        only += f", for each {isolated(self.by)}" if self.by else ""
        only += ", in these records alone" if self.about == "records" else ""
        typed = [grouped(each) for each in self.totals if each is not None]
        only += f", given the public totals {' and '.join(typed)}" if typed else ""
        if not self.is_contrast:
            return f"{self.title}: {of}{f', among {cell_words(self.first)}' if self.first else ''}{only}"
        if isinstance(self.outcome, list):
            return f"{self.title}: {of} against {cell_words(self.second)}{only}"
        return f"{self.title} of {of}: {cell_words(self.first)} against {cell_words(self.second)}{only}"

    @property
    def groups(self) -> list[str]:
        """The names of the shares of a contrast."""
        pair = (self.outcome, self.second) if isinstance(self.outcome, list) else (self.first, self.second)
        return [cell_words(each) for each in pair] if self.is_contrast else [self.words.partition(": ")[2]]


def in_api(cells: Cells) -> dict[str, Any]:
    """Return a set of cells as `/v1` takes it."""
    return {"labels": cells} if isinstance(cells, list) else {"where": cells}


def _share(of: Cells, within: Cells | None) -> dict[str, Any]:
    return {"of": in_api(of)} | ({} if within is None else {"within": in_api(within)})


def question_of(typed: QueryParams, data: Mapping[str, Any]) -> Question:
    """Return the question in the fields of a form. Raises FormError."""
    kind = typed.get("kind", "share")
    if kind not in KINDS:
        raise FormError("kind", "Choose one of the kinds.")
    if kind not in kinds_of(data):
        raise FormError(
            "kind",
            "Groups need a column of their own beside that of the outcome. For two data sets: posterior trial rel_… "
            "rel_…",
        )
    outcome = cells_of(typed, "outcome", data)
    if outcome is None:
        raise FormError(outcome_field(typed, data), "Choose what is counted.")
    above, about = _threshold(typed.get("above", ""), kind), typed.get("about") or "population"
    if about not in ABOUT:
        raise FormError("about", "Choose one of the two.")
    first, second = cells_of(typed, "first", data), cells_of(typed, "second", data)
    if not data["attributes"]:
        if kind != "share" and second is None:
            raise FormError("second_0", "Choose what it is compared with.")
        return Question(kind, outcome, first if kind == "share" else None, second, above=above, about=about)
    only = cells_of(typed, "only", data)
    only = only if isinstance(only, dict) else {}
    group = f"_{likely_group(data)}"
    if kind == "share":
        second = None
    elif first is None:
        raise FormError(f"first{group}", "Choose the group that is compared: all records would contain the other one.")
    elif second is None:
        raise FormError(f"second{group}", "Choose the group to compare with: all records would contain the first one.")
    elif first == second:
        raise FormError(f"second{group}", "Choose a group that differs from the first.")
    for name in only:
        if name in (first or {}) or name in (second or {}):
            place = [each["name"] for each in data["attributes"]].index(name)
            raise FormError(f"only_{place}", f"{name} is chosen for the groups already.")
    by = typed.get("by", "") if kind != "trial" else ""
    if by and by not in {each["name"] for each in data["attributes"]}:
        raise FormError("by", "Choose one of the columns.")
    if by and any(by in cells for cells in (outcome, first or {}, second or {}, only)):
        raise FormError("by", f"{by} is in the question already. Choose another column.")
    totals = tuple(_total(typed, name, group, by) for name, group in (("total_first", first), ("total_second", second)))
    return Question(kind, outcome, first, second, only, above, by, about, totals)


def outcome_field(typed: QueryParams, data: Mapping[str, Any]) -> str:
    """Return the field of a form at which sentences about the counted cells stand."""
    used = (f"outcome_{place}" for place in range(len(choices_of(data))) if chosen(typed, "outcome", place))
    return next(used, f"outcome_{likely_outcome(data)}")


def kinds_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the kinds of questions about a release; for two columns of two values, a trial first.

    One column has no groups. Labels have none either, but their shares can be compared.
    """
    if not data["attributes"]:
        return {kind: words for kind, words in KINDS.items() if kind != "trial"}
    if len(data["attributes"]) == 1:
        return {"share": KINDS["share"]}
    is_trial = [len(each["levels"]) for each in data["attributes"]] == [2, 2]
    return {kind: KINDS[kind] for kind in sorted(KINDS, key=lambda kind: is_trial and kind != "trial")}


def likely_outcome(data: Mapping[str, Any]) -> int:
    """Return the position of the last attribute that has several levels: analysts often want its share."""
    several = [place for place, each in enumerate(data["attributes"] or []) if len(each["levels"]) > 1]
    return several[-1] if several else 0


def likely_level(levels: Sequence[str]) -> str:
    """Return the level whose share analysts often want: of two such as no and yes, the affirmative one."""
    return levels[1] if len(levels) == 2 and levels[0].strip().casefold() in _NEGATIVE_LABELS else levels[0]


def likely_group(data: Mapping[str, Any]) -> int:
    """Return the position of the attribute whose levels analysts often compare: of two levels, if there is one."""
    others = [place for place in range(len(data["attributes"] or [])) if place != likely_outcome(data)]
    of_two = [place for place in others if len(data["attributes"][place]["levels"]) == 2]
    return next(iter(of_two or others), 0)


def _total(typed: QueryParams, name: str, group: Cells | None, by: str) -> int | None:
    """Return the public number of records in a group, or None. Raises FormError."""
    text = re.sub(r"[\s\u202f]", "", typed.get(name, ""))
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
        raise FormError(name, "Type a whole number of records, such as 18198.")
    if group is None or by:
        raise FormError(name, "Leave “for each” out." if by else "Choose the group that has this number of records.")
    return int(text)


def _threshold(text: str, kind: str) -> float | None:
    """Return the threshold of a question, or None. Raises FormError."""
    if not text.strip():
        return None
    if kind in {"share", "difference", "trial"}:
        return share_of(text, "above")
    try:
        value = float(with_point(text))
    except ValueError:
        value = nan
    if not isfinite(value):
        raise FormError("above", "Type a number such as 1.5.")
    return value


def share_of(text: str, field_name: str) -> float:
    """Return a share from a percentage such as `10`, or from a text such as `20 per 100 000`. Raises FormError."""
    plain = re.sub(r"[\s\u202f]", "", with_point(text)).lower()
    per = _RATIO_PATTERN.fullmatch(plain)
    try:
        value = float(per[1]) / float(per[2].replace(".", "")) if per else float(plain.removesuffix("%")) / 100
    except (ValueError, ZeroDivisionError):
        value = nan
    if not isfinite(value) or abs(value) > 1:
        raise FormError(
            field_name, "Type a percentage such as 10, or a share such as 20 per 100\N{NARROW NO-BREAK SPACE}000."
        )
    return value


def fields_of(typed: QueryParams) -> list[tuple[str, str]]:
    """Return the fields of an address that are about the question."""
    return [(name, value) for name, value in typed.multi_items() if _FIELD.fullmatch(name) and value]


def query_words(query: Mapping[str, Any]) -> str:
    """Return a linear query in words."""
    weights = query["weights"]
    if weights is None:
        # An answer of version 0.1.0 has the cells of a query in its own fields.
        named = query.get("of") or query
        cells = named.get("where") or named.get("labels")
        asked = f"count of {cell_words(cells)}" if cells else "count of no records"
    elif isinstance(weights, dict):
        named = [
            f"{plain_number(float(weight))} × {isolated(label)}" for label, weight in weights.items() if float(weight)
        ]
        more = f" and {len(named) - _MAX_NAMED_LABELS} more" if len(named) > _MAX_NAMED_LABELS else ""
        asked = f"sum of {' + '.join(named[:_MAX_NAMED_LABELS])}{more}"
    else:
        asked = "weighted sum of the counts"
    return asked if query["half_width"] is None else f"{asked}, to ± {plain_number(query['half_width'])}"
