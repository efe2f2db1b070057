"""Answers with figures and their intervals: posteriors and comparisons. The service names the figures."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from private_posterior.answers import SEPARATOR, Answer, Table, optional_package
from private_posterior.drawing import Bar, Picture, Scale
from private_posterior.wording import figure_texts

if TYPE_CHECKING:
    from private_posterior.models import Attribute

_MOST_COMBINATIONS: Final = 50_000
_DRAW_DIMENSIONS: Final = frozenset({"chain", "draw", "share"})
"""Names that the draws of an InferenceData have."""


class FiguresAnswer(Answer):
    """Figures with intervals. The service names them, and says in `path` where they are in its answer."""

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each figure: `comparison.rows()[0]["mean"]`."""
        return [_named_row(each, self, self._name(each)) for each in self.get("rows", ())]

    def _name(self, row: Mapping[str, Any]) -> str:
        return str(row["name"])

    def table(self) -> Table:
        return _table(_question_rows(self.rows()))

    def pictures(self) -> list[Picture]:
        return _pictures(_question_rows(self.rows()))

    def remarks(self) -> list[str]:
        """Return what to know about the figures: `answer.remarks()[0]`."""
        return ["Shares are posterior means, other figures medians.", *self["notes"], *self.get("warnings", ())]

    def remark(self) -> str:
        return " ".join(self.remarks())


class PosteriorAnswer(FiguresAnswer):
    """A noise-aware posterior of shares, with the answers to the questions, or the reason why there is none.

    `names` are the caller's names of the questions, and `attributes` those of the cross table.
    """

    title = "Posterior of the shares, with the noise accounted for"
    names: Sequence[str] = ()
    attributes: Sequence[Attribute] = ()

    @property
    def is_available(self) -> bool:
        """Whether there is a noise-aware posterior: `release.posterior().is_available`."""
        return bool(self["kind"] == "noise_aware")

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each figure of an answer, for each category, and for an unknown number of records:
        `answer.rows()[0]["mean"]`.
        """
        rows = [*super().rows(), *(_row("category", each["label"], each) for each in self.get("categories", ()))]
        return rows + ([_row("total", "records in all", self["total"])] if self.get("total") else [])

    def _name(self, row: Mapping[str, Any]) -> str:
        """Return the name of a row, with the caller's name in place of the question's."""
        _, field, *keys = row["path"].split("/")
        if field != "answers" or not self.names:
            return str(row["name"])
        question = next(each["name"] for each in self["rows"] if each["path"] == f"/answers/{keys[0]}")
        return f"{self.names[int(keys[0])]}{row['name'].removeprefix(question)}"

    def remark(self) -> str:
        if self.get("kind") == "unavailable":
            return str(self["reason"])
        return super().remark()

    def to_inference_data(self) -> Any:
        """Return the joint draws for ArviZ: `release.posterior(draws=4000).to_inference_data()`.

        The variable `share` has one chain. Its coordinates are the attributes of a cross table, or `category`. The
        attribute `question` is the question that the draws are for, as JSON.
        Combinations that no record can have, which the data set leaves out, have the share 0. Raises ValueError if no
        draws were asked for, and ImportError if ArviZ is not installed.
        """
        if not self.get("draws"):
            raise ValueError("there are no draws: ask for them with posterior(draws=4000)")
        arviz = optional_package("to_inference_data()", "arviz")
        numpy, xarray = import_module("numpy"), import_module("xarray")
        draws = numpy.asarray(self["draws"])
        labels = [each["label"] for each in self["categories"]]
        coordinates: dict[str, list[str]] = {each["name"]: list(each["levels"]) for each in self.attributes}
        places = _places_of(labels, coordinates)
        if places is None:
            coordinates, places = {"category": labels}, range(len(labels))
        sizes = [len(levels) for levels in coordinates.values()]
        shares = numpy.zeros((1, len(draws), math.prod(sizes)))
        shares[0][:, list(places)] = draws
        dimensions = ("chain", "draw", *coordinates)
        asked = self["draws_of"]["question"]
        about = {"question": "none" if asked is None else json.dumps(asked, ensure_ascii=False)}
        data = xarray.Dataset({"share": (dimensions, shares.reshape(1, len(draws), *sizes))}, coordinates, about)
        if arviz.__version__.startswith("0."):
            return arviz.InferenceData(posterior=data)
        return xarray.DataTree.from_dict({"posterior": data})  # what ArviZ takes from version 1


def _places_of(labels: Sequence[str], levels: Mapping[str, Sequence[str]]) -> Sequence[int] | None:
    """Return the place of each label among the combinations of levels, or None if the labels aren't such."""
    if not levels or levels.keys() & _DRAW_DIMENSIONS or math.prod(map(len, levels.values())) > _MOST_COMBINATIONS:
        return None
    cells = {SEPARATOR.join(cell): place for place, cell in enumerate(product(*levels.values()))}
    return [cells[label] for label in labels] if cells.keys() >= set(labels) else None


PICTURES: Final[Mapping[str, tuple[str, Scale]]] = {
    "share": ("Shares", "share"),
    "category": ("Shares", "share"),
    "difference": ("Differences of shares", "difference"),
    "ratio": ("Ratios", "ratio"),
    "odds_ratio": ("Ratios", "ratio"),
}
"""The title of the picture of each kind of figure, and its scale."""
_MEAN_KINDS: Final = frozenset({"share", "category", "count", "total"})
"""The kinds of figures whose estimate is the mean. The mean of others may not exist: theirs is the median."""
_RATIOS: Final = frozenset({"ratio", "odds_ratio", "number_needed"})
_CELL_KINDS: Final = frozenset({"category", "count"})


def _question_rows(rows: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Return the rows of what was asked, or all rows if nothing was."""
    asked = [each for each in rows if each["kind"] not in _CELL_KINDS]
    return asked if any(each["kind"] != "total" for each in asked) else rows


def _table(rows: Sequence[Mapping[str, Any]]) -> Table:
    level = next((f"{each['level']} " for each in rows if each["level"] is not None), "")
    tested = any(each["words"] for each in rows)
    headings = ["", "estimate", f"{level}from", "to", *(["probability"] if tested else [])]
    return Table(headings, [[each["name"], *_texts(each), *([each["words"]] if tested else [])] for each in rows])


def _texts(row: Mapping[str, Any]) -> list[str]:
    """Return the estimate of a row and both ends of its interval, with the digits that it has."""
    value, low, high = _estimate(row), row["low"], row["high"]
    if value is None:
        return ["" if row["kind"] == "probability" else "none", "", ""]
    if row["level"] is None:
        return [f"{value:.4g}", "", ""]
    if row["kind"] in {"count", "total"}:
        return [f"{value:,.1f}", *("no end" if each is None else f"{each:,.0f}" for each in (low, high))]
    return figure_texts(value, low, high, is_ratio=row["kind"] in _RATIOS)


def _estimate(row: Mapping[str, Any]) -> float | None:
    found: float | None = row["mean"] if row["kind"] in _MEAN_KINDS and row["mean"] is not None else row["median"]
    return found


def _pictures(rows: Sequence[Mapping[str, Any]]) -> list[Picture]:
    """Return a picture of the rows of each scale that have an interval."""
    found: dict[tuple[str, Scale], list[Bar]] = {}
    for each in rows:
        if each["kind"] in PICTURES and each["level"] is not None:
            bar = Bar(each["name"], _estimate(each), each["low"], each["high"])
            found.setdefault(PICTURES[each["kind"]], []).append(bar)
    return [Picture(title, bars, scale) for (title, scale), bars in found.items()]


def _named_row(row: Mapping[str, Any], answer: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a row of an answer with the figures that its path leads to."""
    figures: Any = answer
    for key in row["path"].split("/")[1:]:
        figures = figures[int(key) if isinstance(figures, list) else key]
    if not isinstance(figures, Mapping):
        figures = {"mean": figures}
    return _row(row["kind"], name, figures) | {"words": row["probability"] or ""}


def _row(kind: str, name: str, figures: Mapping[str, Any]) -> dict[str, Any]:
    interval = figures.get("interval", figures)
    median = _median_of(figures["quantiles"]) if "quantiles" in figures else figures.get("estimate")
    tested: Mapping[str, Any] = figures if kind == "probability" else figures.get("above") or {}
    return {
        "kind": kind,
        "name": name,
        "mean": figures.get("mean"),
        "median": figures.get("median", median),
        "standard_deviation": figures.get("standard_deviation"),
        "low": interval.get("low"),
        "high": interval.get("high"),
        "level": interval.get("level"),
        "above": tested.get("threshold"),
        "probability": tested.get("probability"),
        "probability_error": tested.get("error"),
        "method": (tested or figures).get("method"),
        "words": "",
    }


def _median_of(quantiles: Sequence[Mapping[str, Any]]) -> float | None:
    return next((each["value"] for each in quantiles if each["probability"] == 0.5), None)


class TableAnswer(PosteriorAnswer):
    """The posterior of a noisy table: shares, counts, the number of records, and what is doubtful about the table."""

    title = "Posterior of a noisy table"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each question, category and count: `answer.rows()[0]["mean"]`."""
        counts = [_row("count", f"records in {each['label']}", each["count"]) for each in self.get("categories", ())]
        return [*super().rows(), *counts]


class ComparisonAnswer(FiguresAnswer):
    """The probability that one share is greater than another, and the contrast or the trial that was asked for."""

    title = "Comparison of two shares"

    def remarks(self) -> list[str]:
        return [*super().remarks(), f"People: {self['people'].replace('_', ' ')}."]
