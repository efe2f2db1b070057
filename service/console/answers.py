"""Texts and pictures of a release's page: the answer to a question, and the shares of the categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum, inf, isfinite
from typing import Any, Final, TypeAlias

from starlette.datastructures import QueryParams

from service.console.pages import date_of
from service.console.prior_and_level import Conditions
from service.console.questions import Question
from service.pictures.forest import Section, forest, units_of
from service.pictures.frame import PictureHeader
from service.pictures.rows import Kind, Row, axis_unit, significant, texts_of, with_own_units
from service.pictures.scales import PERCENT, PLAIN, Unit, decimals_for, grouped, plain_number
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
_NO_END: Final = 1e300
"""Upper end in pictures and files of a ratio that has none: the largest quantile that the API returns."""
_NEXT_TO_NONE: Final = 0.05
"""Number of records below which a lower end is noted as the prior's. With no record and a prior of 1 it is 0.025
    records, with a smaller prior less.
    """
Path: TypeAlias = tuple[str | int, ...]
_UNITS_BY_FREE_MEASURE: Final = {"efficacy": PERCENT, "log_odds_ratio": PLAIN}
"""The units of figures without an axis, either end of whose interval may be missing."""
_AXES: Final[dict[Kind, str]] = {"share": "share", "difference": "difference of shares", "ratio": "ratio"}


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One figure of an answer: a row of a table, and of a picture if it has an axis.

    `measure` is its kind in `/v1`. `texts` are the estimate and both ends, if they are not written as on an axis.
    """

    measure: str
    row: Row
    axis: Kind | None = None
    answer: Mapping[str, Any] = field(default_factory=dict)
    texts: tuple[str, str, str] | None = None
    path: Path = ()
    """The path of the figure in the posterior of `/v1`; empty if the figure has no interval."""
    probability: str = ""

    @property
    def statistic(self) -> str:
        """The estimate's name in `/v1`: the mean of a share, the median of a contrast, which always exists."""
        return "mean" if self.measure == "share" and self.answer.get("mean") is not None else "median"

    @property
    def above(self) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = self.answer.get("above")
        return found


def _row(named: Mapping[str, Any], posterior: Mapping[str, Any], label: str) -> AnswerRow:
    """Return a row of the answer of `/v1`. Without a distribution, the row has no figures."""
    measure, path = named["kind"], tuple(int(key) if key.isdigit() else key for key in named["path"].split("/")[1:])
    answer: Any = posterior
    for key in path:
        answer = answer[key]
    if answer is None:
        return AnswerRow(measure, Row(label, None, None), texts=("none", "", ""))
    if measure == "number_needed":
        row = Row(label, answer["estimate"], (answer["low"], answer["high"]))
        estimate, low, high = (_count(answer[name]) for name in ("estimate", "low", "high"))
        return AnswerRow(measure, row, texts=(estimate, low, high))
    if measure in _UNITS_BY_FREE_MEASURE:
        return _row_without_axis(measure, label, answer, _UNITS_BY_FREE_MEASURE[measure])
    axes: dict[str, Kind] = {"share": "share", "difference": "difference"}
    is_summary = path[0] == "by" and path[1] != "strata"
    row = Row(label, None, _interval(answer["interval"]), is_summary=is_summary)
    found = AnswerRow(measure, row, axes.get(measure, "ratio"), answer, None, path, named["probability"] or "")
    return replace(found, row=replace(row, value=answer[found.statistic]))


@dataclass(frozen=True, slots=True)
class Answered:
    """A question to a release, and its answer. `on_rows` are sentences about single rows."""

    question: Question
    rows: Sequence[AnswerRow]
    probability: str
    """The probability of an effect or of the main figure, in words; empty if the rows have one each, or none."""
    notes: Sequence[str]

    @classmethod
    def of(cls, question: Question, posterior: Mapping[str, Any]) -> Answered:
        is_plain = question.is_contrast and question.kind != "trial" and not question.by
        labels = [question.title, *question.groups] if is_plain else [each["name"] for each in posterior["rows"]]
        named = list(zip(posterior["rows"], labels, strict=True))
        rows = [_row(each, posterior, label) for each, label in named if each["kind"] != "probability"]
        stated = [f"{label}: {each['probability']}" for each, label in named if each["kind"] == "probability"]
        found = cls(question, rows, "".join(stated), [*posterior["warnings"], *posterior["notes"]])
        return found if stated or question.by else replace(found, probability=found.main.probability)

    @property
    def main(self) -> AnswerRow:
        """The figure that the question is about."""
        return next(each for each in self.rows if self.question.kind != "trial" or each.measure == "ratio")

    @property
    def units(self) -> dict[Kind, Unit]:
        """The unit of each kind of answers. Shares that are compared have a common unit."""
        rows: dict[Kind, list[Row]] = {}
        for each in self.rows:
            if each.axis:
                rows.setdefault(each.axis, []).append(each.row)
        return units_of(rows)

    def texts(self, answer: AnswerRow) -> dict[str, str]:
        """Return the cells of the table."""
        if answer.texts or answer.axis is None:
            estimate, low, high = answer.texts or ("none", "", "")
        else:
            unit = self.units[answer.axis]
            estimate, low, high = texts_of(answer.row, answer.axis, unit)
            estimate = f"{estimate}{unit.suffix}"
            high = "no end" if answer.answer["interval"]["high"] is None else high
        return {"label": answer.row.label, "estimate": estimate, "low": low, "high": high}

    @property
    def has_probabilities(self) -> bool:
        """Whether the rows have a probability each."""
        return bool(self.question.by and self.main.probability)

    @property
    def headline(self) -> str:
        """The answer to the question, for a heading."""
        main, texts = self.main, self.texts(self.main)
        adjusted = [self.texts(each)["estimate"] for each in self.rows if "mantel_haenszel" in each.path]
        if adjusted:
            return f"{self.question.title} {texts['estimate']}, adjusted {adjusted[0]}"
        title = "Risk ratio" if self.question.kind == "trial" else self.question.title
        reference = None if main.axis is None else {"ratio": 1.0, "difference": 0.0}.get(main.axis)
        low, high = main.row.interval or (0.0, 0.0)
        if self.question.kind == "trial" and high < 1.0:
            title, texts = self.rows[0].row.label, self.texts(self.rows[0])
        said = f"{title} {texts['estimate']} ({texts['low']} to {texts['high']})"
        if reference is not None and low <= reference <= high:
            return f"No clear difference: {said[:1].lower()}{said[1:]}"
        return said

    @property
    def is_simulated(self) -> bool:
        return any(each.answer.get("method") == "simulation" for each in self.rows)

    def has_prior_end(self, records: int | None) -> bool:
        is_of_people = self.question.about != "records"
        return is_of_people and any(
            each.axis in {"share", "ratio"} and is_of_prior(each.row, records) for each in self.rows
        )

    def priors(self, release: Mapping[str, Any], prior: Sequence[float]) -> str:
        """Return the prior distribution of each share in the question."""
        found = " and ".join(dict.fromkeys(_beta(each, release, prior) for each in self.question.shares))
        if self.question.by:
            return f"{found} over all records; within a stratum, the parameters of its categories alone"
        return found


def _row_without_axis(measure: str, label: str, found: Mapping[str, Any], unit: Unit) -> AnswerRow:
    """Return a row without an axis, either end of whose interval may be missing."""
    median, interval = found["median"], found["interval"]
    low, high = (-inf if interval["low"] is None else interval["low"]), _interval(interval)[1]
    decimals = decimals_for(unit.factor * (high - low)) if isfinite(low) and high < _NO_END else 2
    ends = ["no end" if interval[end] is None else unit.write(interval[end], decimals) for end in ("low", "high")]
    texts = (f"{unit.write(median, decimals)}{unit.suffix}", ends[0], ends[1])
    return AnswerRow(measure, Row(label, median, (low, high)), texts=texts, path=("trial", measure))


def _count(value: float) -> str:
    """Return a number of people with two or three digits."""
    return significant(value) if value < 1000 else grouped(float(f"{value:.2g}"))


def _beta(share: Mapping[str, Any], release: Mapping[str, Any], prior: Sequence[float]) -> str:
    names = CellNames.of_answer(release)
    among = names.matching(share["within"]) if share.get("within") else frozenset(range(names.m))
    inside = names.matching(share["of"]) & among
    first, second = (plain_number(fsum(prior[cell] for cell in each)) for each in (inside, among - inside))
    return f"Beta({first},\N{NO-BREAK SPACE}{second})"


def _interval(interval: Mapping[str, Any]) -> tuple[float, float]:
    return interval["low"], _NO_END if interval["high"] is None else interval["high"]


def is_of_prior(row: Row, records: int | None) -> bool:
    """Return whether the data do not exclude 0: the lower end is far below one record. If the number of records is
    private, that is not known.
    """
    return records is not None and row.interval is not None and row.interval[0] * records < _NEXT_TO_NONE


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """A category in the table of a release: its share in a unit of its own, and the mechanism's noisy count."""

    row: Row
    noisy: int | None
    """None for the last category of `laplace` at a public number of records, for which it draws none."""
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
    if isinstance(prior, Mapping):
        prior = [prior["each"]] * len(shares)
    rows = [Row(each["label"], each["mean"], _interval(each["interval"]) if is_aware else None) for each in shares]
    drawn = release["posterior"]["noisy_counts"]
    counts = [*drawn, *[None] * (len(rows) - len(drawn))]
    return [
        CategoryRow(row, count, concentration)
        for row, count, concentration in zip(with_own_units(rows), counts, prior, strict=True)
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
        drawn, every = [each.row for each in rows], len(self.release["prior"])
        said = f"{len(drawn)} of {every} categories" if len(drawn) < every else "All categories"
        section = Section("share", "share", drawn, axis_unit(drawn))
        return self._draw_forest(f"Shares of the records: {said}", [section], width)

    def answer(self, answered: Answered, width: int) -> Picture:
        """Draw an answer as a forest plot."""
        rows = {kind: [each.row for each in answered.rows if each.axis == kind] for kind in _AXES}
        axes = _AXES | ({"share": "risk", "difference": "risk difference"} if answered.question.first else {})
        if answered.main.axis and answered.question.kind != "trial":
            axes |= {answered.main.axis: answered.question.title.lower()}
        sections = [Section(kind, axes[kind], found) for kind, found in rows.items() if found]
        return self._draw_forest(answered.question.words, sections, width)

    def _draw_forest(self, subtitle: str, sections: Sequence[Section], width: int) -> Picture:
        longest = max(len(row.label) for section in sections for row in section.rows)
        most = _LABELS_ABOVE if longest > _LONG_LABEL else MOST_WIDTH
        return forest(self._head(subtitle), sections, self.conditions.level, width=min(width, most))
