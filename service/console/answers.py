"""What a release's page says and draws: the answer to a question, and the shares of the categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor, fsum, log10
from typing import Any, Final

from starlette.datastructures import QueryParams

from service.console.pages import date_of
from service.console.prior_and_level import Conditions
from service.console.questions import Question
from service.pictures.forest import Section, forest, units_of
from service.pictures.frame import PictureHeader
from service.pictures.rows import Kind, Row, axis_unit, texts_of, with_own_units
from service.pictures.scales import PLAIN, Unit, plain_number
from service.pictures.svg import MOST_WIDTH, NARROW, Picture
from service.schemas.cell_names import CellNames

MOST_ROWS: Final = 300
"""Largest number of categories in a page's table. The file contains all."""
FIRST_ROWS: Final = 20
"""Number of categories that are shown at first: the largest ones."""
SORTS: Final = {"largest": "largest first", "table": "as in the table", "name": "by name"}
_LONG_LABEL: Final = 24
"""Longest label, in characters, beside its row. Longer labels are above their rows in a picture of width
`_LABELS_ABOVE`.
"""
_LABELS_ABOVE: Final = NARROW - 1
_MOST_DECIMALS: Final = 3
_ROUNDING: Final = 1e-9
"""Tolerance for the logarithm of a power of ten."""
_NO_END: Final = 1e300
"""Upper end in pictures and files of a ratio that has none: the largest quantile that the API returns."""
_NEXT_TO_NONE: Final = 0.05
"""Number of records below which a lower end is noted as the prior's. With no record and a prior of 1 it is 0.025
    records, with a smaller prior less.
    """
_AXES: Final[dict[Kind, str]] = {"share": "share", "difference": "difference of shares", "ratio": "ratio"}


def kind_of(event: Mapping[str, Any]) -> Kind:
    """Return the kind of axis for an answer."""
    kind = event["question"]["kind"]
    found: Kind = "ratio" if kind == "odds_ratio" else kind
    return found


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One answer of `/v1`, as a row of a table and of a picture."""

    event: Mapping[str, Any]
    row: Row

    @property
    def kind(self) -> Kind:
        return kind_of(self.event)


@dataclass(frozen=True, slots=True)
class Answered:
    """A question to a release, and its answers: of a contrast, first the contrast and then its shares."""

    question: Question
    rows: Sequence[AnswerRow]

    @classmethod
    def of(cls, question: Question, posterior: Mapping[str, Any]) -> Answered:
        labels = [question.title, *question.groups] if question.is_contrast else question.groups
        return cls(
            question,
            [
                AnswerRow(event, Row(label, _estimate(event), _interval(event["interval"])))
                for label, event in zip(labels, posterior["events"], strict=True)
            ],
        )

    @property
    def units(self) -> dict[Kind, Unit]:
        """The unit of each kind of answers. Shares that are compared have one unit."""
        rows: dict[Kind, list[Row]] = {}
        for each in self.rows:
            rows.setdefault(each.kind, []).append(each.row)
        return units_of(rows)

    def texts(self, answer: AnswerRow) -> dict[str, Any]:
        """Return the cells of the table."""
        unit = self.units[answer.kind]
        estimate, low, high = texts_of(answer.row, answer.kind, unit)
        if answer.event["interval"]["high"] is None:
            high = "no end"
        return {"label": answer.row.label, "estimate": f"{estimate}{unit.suffix}", "low": low, "high": high}

    @property
    def headline(self) -> str:
        """The answer to the question, for a heading."""
        main = self.rows[0]
        texts, reference = self.texts(main), {"ratio": 1.0, "difference": 0.0}.get(main.kind)
        said = f"{self.question.title} {texts['estimate']} ({texts['low']} to {texts['high']})"
        low, high = main.row.interval or (0.0, 0.0)
        if reference is not None and low <= reference <= high:
            return f"No clear difference: {said[:1].lower()}{said[1:]}"
        return said

    @property
    def above(self) -> str:
        """The probabilities on both sides of the threshold; empty if there is none."""
        found = self.rows[0].event["above"]
        if found is None:
            return ""
        threshold, kind = found["threshold"], self.rows[0].kind
        unit = self.units[kind]
        text = f"{threshold:g}" if unit is PLAIN else f"{plain_number(unit.factor * threshold)}{unit.suffix}"
        return sides_of(found, text)

    @property
    def is_simulated(self) -> bool:
        return any(each.event["method"] == "simulation" for each in self.rows)

    def has_prior_end(self, records: int) -> bool:
        return any(each.kind != "difference" and is_of_prior(each.row, records) for each in self.rows)

    def priors(self, release: Mapping[str, Any], prior: Sequence[float]) -> str:
        """Return the prior distribution of each share in the question."""
        return " and ".join(dict.fromkeys(_beta(each, release, prior) for each in self.question.shares))


def sides_of(above: Mapping[str, Any], threshold: str = "") -> str:
    """Return the probabilities on both sides of a threshold, or on one side if nearly all is there.

    They have at most three decimals, and no more than their error allows, as on the command line.
    """
    decimals = max(1, floor(-log10(max(above["error"], 10.0**-_MOST_DECIMALS)) + _ROUNDING))
    threshold = threshold or f"{above['threshold']:g}"
    probability, sure = above["probability"], f"{1 - 10.0**-decimals:g}"
    text = f"{probability:.{decimals}f}"
    if float(text) in {0.0, 1.0}:
        said = f"{'above' if probability > 0.5 else 'below'} {threshold} with probability above {sure}"
    else:
        said = f"below {threshold} with probability {1.0 - probability:.{decimals}f}, above it with {text}"
    return f"{said}, simulated" if above["method"] == "simulation" else said


def _beta(share: Mapping[str, Any], release: Mapping[str, Any], prior: Sequence[float]) -> str:
    names = CellNames.of_answer(release)
    among = names.matching(share["within"]) if share.get("within") else frozenset(range(names.m))
    inside = names.matching(share["of"]) & among
    first, second = (plain_number(fsum(prior[cell] for cell in each)) for each in (inside, among - inside))
    return f"Beta({first},\N{NO-BREAK SPACE}{second})"


def _interval(interval: Mapping[str, Any]) -> tuple[float, float]:
    return interval["low"], _NO_END if interval["high"] is None else interval["high"]


def _estimate(event: Mapping[str, Any]) -> float:
    """Return the mean of a share, or the median of a contrast, which always exists."""
    mean, median = event["mean"], event["quantiles"][0]["value"]
    value: float = mean if event["question"]["kind"] == "share" and mean is not None else median
    return value


def is_of_prior(row: Row, records: int) -> bool:
    """Return whether the data do not exclude 0: the lower end is far below one record."""
    return row.interval is not None and row.interval[0] * records < _NEXT_TO_NONE


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """A category in the table of a release: its share in a unit of its own, and the mechanism's noisy count."""

    row: Row
    noisy: int
    prior: float

    @property
    def value(self) -> float:
        return self.row.value or 0.0

    @property
    def texts(self) -> list[str]:
        """The share with its unit, and both ends of its interval."""
        assert self.row.unit is not None, "each share has a unit of its own"
        estimate, low, high = texts_of(self.row, "share", self.row.unit)
        return [f"{estimate}{self.row.unit.suffix}", low, high]


def categories(release: Mapping[str, Any], posterior: Mapping[str, Any]) -> list[CategoryRow]:
    """Return the categories of a release, in the order of the table."""
    is_aware = posterior["kind"] == "noise_aware"
    shares = posterior["categories"] if is_aware else release["posterior"]["categories"]
    prior = posterior["prior"] if is_aware else release["prior"]
    rows = [Row(each["label"], each["mean"], _interval(each["interval"]) if is_aware else None) for each in shares]
    return [
        CategoryRow(row, count, concentration)
        for row, count, concentration in zip(
            with_own_units(rows), release["posterior"]["noisy_counts"], prior, strict=True
        )
    ]


@dataclass(frozen=True, slots=True)
class Listed:
    """The categories that a page shows: those with a searched text, sorted. `first` of them are seen at first."""

    rows: Sequence[CategoryRow]
    found: int
    first: int
    find: str
    sort: str
    is_asked: bool
    """Whether the address asks for other rows or another order than the page has at first."""


def listed(rows: Sequence[CategoryRow], typed: QueryParams) -> Listed:
    """Return the categories that an address asks for."""
    find, sort = typed.get("find", "").strip(), typed.get("sort", "")
    found = [each for each in rows if find.casefold() in each.row.label.casefold()]
    sort = sort if sort in SORTS else "largest"
    if sort == "largest":
        found.sort(key=lambda each: -each.value)
    elif sort == "name":
        found.sort(key=lambda each: each.row.label.casefold())
    is_asked = any(typed.get(name) for name in ("find", "sort", "all"))
    is_short = len(found) <= FIRST_ROWS
    first = MOST_ROWS if find or typed.get("all") or is_short else FIRST_ROWS
    return Listed(found[:MOST_ROWS], len(found), min(first, len(found), MOST_ROWS), find, sort, is_asked)


@dataclass(frozen=True, slots=True)
class Shown:
    """A release in its pictures. A file has a title, which a page has as text."""

    release: Mapping[str, Any]
    name: str
    conditions: Conditions
    is_file: bool = False

    def _head(self, subtitle: str) -> PictureHeader:
        if not self.is_file:
            return PictureHeader(subtitle, is_drawn=False)
        subtitle = f"{subtitle}; prior: {self.conditions.prior_words}"
        return PictureHeader(self.name, subtitle=subtitle, date=date_of(self.release["created_at"]))

    def shares(self, rows: Sequence[CategoryRow], width: int) -> Picture:
        """Draw the shares of categories."""
        drawn, every = [each.row for each in rows], self.release["category_count"]
        said = f"{len(drawn)} of {every} categories" if len(drawn) < every else "All categories"
        section = Section("share", "share", drawn, axis_unit(drawn))
        return self._drawn(f"Shares of the records: {said}", [section], width)

    def answer(self, answered: Answered, width: int) -> Picture:
        """Draw an answer as a forest plot."""
        rows = {kind: [each.row for each in answered.rows if each.kind == kind] for kind in _AXES}
        share: dict[Kind, str] = {"share": "risk" if answered.question.first else "share"}
        axes = _AXES | share | {answered.rows[0].kind: answered.question.title.lower()}
        sections = [Section(kind, axes[kind], found) for kind, found in rows.items() if found]
        return self._drawn(answered.question.words, sections, width)

    def _drawn(self, subtitle: str, sections: Sequence[Section], width: int) -> Picture:
        longest = max(len(row.label) for section in sections for row in section.rows)
        most = _LABELS_ABOVE if longest > _LONG_LABEL else MOST_WIDTH
        return forest(self._head(subtitle), sections, self.conditions.level, width=min(width, most))
