"""Texts and pictures of a release's page: the answer to a question, and the shares of the categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import floor, fsum, inf, isfinite, log10
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
_MOST_DECIMALS: Final = 3
_ROUNDING: Final = 1e-9
"""Tolerance for the logarithm of a power of ten."""
_NO_END: Final = 1e300
"""Upper end in pictures and files of a ratio that has none: the largest quantile that the API returns."""
_NEXT_TO_NONE: Final = 0.05
"""Number of records below which a lower end is noted as the prior's. With no record and a prior of 1 it is 0.025
    records, with a smaller prior less.
    """
Path: TypeAlias = tuple[str | int, ...]
MANTEL_HAENSZEL: Final = "Mantel–Haenszel"
_EMPTY_FROM: Final = 0.1
"""Smallest probability of no records in a stratum that a note names."""
_LOGS: Final = "Its logarithm (SD {:.2g})"
_NNT: Final = {"fewer": "(NNTB)", "more": "(NNTH)"}
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
    """The keys that lead to it in the posterior of `/v1`; empty if it has no interval there."""

    @property
    def statistic(self) -> str:
        """The estimate's name in `/v1`: the mean of a share, the median of a contrast, which always exists."""
        return "mean" if self.measure == "share" and self.answer.get("mean") is not None else "median"

    @property
    def above(self) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = self.answer.get("above")
        return found


def _row(
    measure: str, label: str, posterior: Mapping[str, Any], *path: str | int, is_summary: bool = False
) -> AnswerRow:
    """Return a row for the distribution of a share or a contrast. Without one, the row has no figures."""
    answer: Any = posterior
    for key in path:
        answer = answer[key]
    if answer is None:
        return AnswerRow(measure, Row(label, None, None), texts=("none", "", ""))
    axes: dict[str, Kind] = {"share": "share", "difference": "difference"}
    row = Row(label, None, _interval(answer["interval"]), is_summary=is_summary)
    found = AnswerRow(measure, row, axes.get(measure, "ratio"), answer, path=path)
    return replace(found, row=replace(row, value=answer[found.statistic]))


@dataclass(frozen=True, slots=True)
class Answered:
    """A question to a release, and its answer. `on_rows` are sentences about single rows."""

    question: Question
    rows: Sequence[AnswerRow]
    on_rows: Sequence[str] = ()
    effect: Mapping[str, Any] | None = None
    """The probability of the stated effect of a trial."""
    warnings: Sequence[str] = ()
    """Doubts about the totals of groups that were typed."""

    @classmethod
    def of(cls, question: Question, posterior: Mapping[str, Any]) -> Answered:
        if question.kind == "trial":
            found = posterior["trial"]
            return cls(question, _of_trial(question, posterior), _note_on(found["number_needed"]), found["effect"])
        if question.by:
            return cls(question, _of_strata(question, posterior), _notes_on(posterior["by"]))
        rows = [
            _row(question.kind, question.title if question.is_contrast else question.groups[0], posterior, "answers", 0)
        ]
        if question.is_contrast:
            rows += [_row("share", name, posterior, "answers", at) for at, name in enumerate(question.groups, start=1)]
        return cls(question, rows)

    @property
    def notes(self) -> list[str]:
        """Sentences about single rows, and those about the prior where it matters."""
        matters = [(each.row.label, each.answer.get("prior_matters")) for each in self.rows]
        return [*self.warnings, *self.on_rows, *(f"{label}: {found['note']}" for label, found in matters if found)]

    @property
    def main(self) -> AnswerRow:
        """The figure that the question is about."""
        return next(each for each in self.rows if self.question.kind != "trial" or each.measure == "ratio")

    @property
    def units(self) -> dict[Kind, Unit]:
        """The unit of each kind of answers. Shares that are compared have one unit."""
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
        above = probability_text(answer.above) if answer.above else ""
        return {"label": answer.row.label, "estimate": estimate, "low": low, "high": high, "above": above}

    @property
    def threshold(self) -> str:
        """The threshold of each row; empty if only the question has one."""
        above = self.main.above
        return self._written(above["threshold"]) if above and self.question.by else ""

    def _written(self, threshold: float) -> str:
        unit = PERCENT if self.effect or self.main.axis is None else self.units[self.main.axis]
        return f"{plain_number(unit.factor * threshold)}{unit.suffix}"

    @property
    def headline(self) -> str:
        """The answer to the question, for a heading."""
        main, texts = self.main, self.texts(self.main)
        adjusted = [self.texts(each)["estimate"] for each in self.rows if each.row.label == MANTEL_HAENSZEL]
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
    def above(self) -> str:
        """The probabilities on both sides of the threshold; empty if there is none."""
        if self.effect:
            return f"efficacy {sides_of(self.effect, self._written(self.effect['effect']['above']))}"
        found = self.main.above
        return sides_of(found, self._written(found["threshold"])) if found else ""

    @property
    def is_simulated(self) -> bool:
        return any(each.answer.get("method") == "simulation" for each in self.rows)

    def has_prior_end(self, records: int | None) -> bool:
        return any(each.axis in {"share", "ratio"} and is_of_prior(each.row, records) for each in self.rows)

    def priors(self, release: Mapping[str, Any], prior: Sequence[float]) -> str:
        """Return the prior distribution of each share in the question."""
        found = " and ".join(dict.fromkeys(_beta(each, release, prior) for each in self.question.shares))
        if self.question.by:
            return f"{found} over all records; within a stratum, the parameters of its categories alone"
        return found


def _of_strata(question: Question, posterior: Mapping[str, Any]) -> list[AnswerRow]:
    found, row = posterior["by"], partial(_row, question.kind)
    rows = [row("All", posterior, "by", "overall", is_summary=True)]
    rows += [row(each["label"], posterior, "by", "strata", at, "answer") for at, each in enumerate(found["strata"])]
    if found["adjusted"]:
        for label, name in ((MANTEL_HAENSZEL, "mantel_haenszel"), ("Standardised", "standardised")):
            rows.append(row(label, posterior, "by", "adjusted", name, is_summary=True))
    return rows


def _notes_on(found: Mapping[str, Any]) -> list[str]:
    """Return sentences about strata without an answer or without records, and about a missing adjustment."""
    notes = [f"{each['label']}: {each['unavailable_reason']}." for each in found["strata"] if not each["answer"]]
    notes += [
        f"{each['label']}: with probability {probability_text(each['without_records'])} a denominator has no records "
        "here; to that extent, the answer follows from the prior."
        for each in found["strata"]
        if each["answer"] and each["without_records"]["probability"] >= _EMPTY_FROM
    ]
    reason = found["adjusted_unavailable_reason"]
    return [*notes, f"{reason}."] if reason else notes


def _of_trial(question: Question, posterior: Mapping[str, Any]) -> list[AnswerRow]:
    found = posterior["trial"]
    logs = found["log_odds_ratio"]
    of_logs = [] if logs is None else [_free("log_odds_ratio", _LOGS.format(logs["standard_deviation"]), logs, PLAIN)]
    first, second = question.groups
    return [
        _free("efficacy", "Efficacy (1 − risk ratio)", found["efficacy"], PERCENT),
        _row("share", f"Risk, {first}", posterior, "trial", "first"),
        _row("share", f"Risk, {second}", posterior, "trial", "second"),
        _row("ratio", "Risk ratio", posterior, "trial", "ratio"),
        _row("odds_ratio", "Odds ratio", posterior, "trial", "odds_ratio"),
        *of_logs,
        _row("difference", "Risk difference", posterior, "trial", "difference"),
        _needed(found["number_needed"]),
    ]


def _free(measure: str, label: str, found: Mapping[str, Any], unit: Unit) -> AnswerRow:
    """Return a row without an axis, either end of whose interval may be missing."""
    median, interval = found["median"], found["interval"]
    low, high = (-inf if interval["low"] is None else interval["low"]), _interval(interval)[1]
    decimals = decimals_for(unit.factor * (high - low)) if isfinite(low) and high < _NO_END else 2
    ends = ["no end" if interval[end] is None else unit.write(interval[end], decimals) for end in ("low", "high")]
    texts = (f"{unit.write(median, decimals)}{unit.suffix}", ends[0], ends[1])
    return AnswerRow(measure, Row(label, median, (low, high)), texts=texts, path=("trial", measure))


def _needed(found: Mapping[str, Any] | None) -> AnswerRow:
    """Return the row of the number needed to treat, which has no figures if there may be no difference."""
    if found is None:
        return AnswerRow("number_needed", Row("Number needed to treat", None, None), texts=("none", "", ""))
    label = f"Number needed to treat, for one {found['direction']} {_NNT[found['direction']]}"
    row = Row(label, found["estimate"], (found["low"], found["high"]))
    estimate, low, high = (_count(found[name]) for name in ("estimate", "low", "high"))
    return AnswerRow("number_needed", row, texts=(estimate, low, high))


def _note_on(needed: Mapping[str, Any] | None) -> list[str]:
    """Return a sentence about a missing number needed to treat."""
    return [] if needed else ["No number needed to treat: there may be no difference of the risks."]


def _count(value: float) -> str:
    """Return a number of people with two or three digits."""
    return significant(value) if value < 1000 else grouped(float(f"{value:.2g}"))


def probability_text(found: Mapping[str, Any]) -> str:
    """Return a probability with at most three decimals, and no more than its error allows."""
    decimals = _decimals_of(found)
    text = f"{found['probability']:.{decimals}f}"
    if float(text) in {0.0, 1.0}:
        least = 10.0**-decimals
        return f"< {least:g}" if found["probability"] < 0.5 else f"> {1 - least:g}"
    return text


def _decimals_of(found: Mapping[str, Any]) -> int:
    return max(1, floor(-log10(max(found["error"], 10.0**-_MOST_DECIMALS)) + _ROUNDING))


def sides_of(above: Mapping[str, Any], threshold: str = "") -> str:
    """Return the probabilities on both sides of a threshold, or on one side if nearly all is there.

    They have at most three decimals, and no more than their error allows, as on the command line.
    """
    decimals = _decimals_of(above)
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


def is_of_prior(row: Row, records: int | None) -> bool:
    """Return whether the data do not exclude 0: the lower end is far below one record. If the number of records is
    private, that is not known.
    """
    return records is not None and row.interval is not None and row.interval[0] * records < _NEXT_TO_NONE


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
    if isinstance(prior, Mapping):
        prior = [prior["each"]] * len(shares)
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
        drawn, every = [each.row for each in rows], len(self.release["prior"])
        said = f"{len(drawn)} of {every} categories" if len(drawn) < every else "All categories"
        section = Section("share", "share", drawn, axis_unit(drawn))
        return self._drawn(f"Shares of the records: {said}", [section], width)

    def answer(self, answered: Answered, width: int) -> Picture:
        """Draw an answer as a forest plot."""
        rows = {kind: [each.row for each in answered.rows if each.axis == kind] for kind in _AXES}
        axes = _AXES | ({"share": "risk", "difference": "risk difference"} if answered.question.first else {})
        if answered.main.axis and answered.question.kind != "trial":
            axes |= {answered.main.axis: answered.question.title.lower()}
        sections = [Section(kind, axes[kind], found) for kind, found in rows.items() if found]
        return self._drawn(answered.question.words, sections, width)

    def _drawn(self, subtitle: str, sections: Sequence[Section], width: int) -> Picture:
        longest = max(len(row.label) for section in sections for row in section.rows)
        most = _LABELS_ABOVE if longest > _LONG_LABEL else MOST_WIDTH
        return forest(self._head(subtitle), sections, self.conditions.level, width=min(width, most))
