"""Responses of the service: dictionaries that keep their text, and paged lists.

A notebook shows each as a table with its picture (`_repr_html_`). They convert to data frames if pandas is installed.
"""

from __future__ import annotations

import base64
import html
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, cast, overload

from private_posterior.drawing import Bar, Picture, Scale, drawing
from private_posterior.errors import ClientError, NotSendable
from private_posterior.payload import Numbers
from private_posterior.wording import amount_words, figure_texts

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.models import (
        Attribute,
        Cells,
        ContrastQuestion,
        Effect,
        KnownTotal,
        Release,
        ShareQuestion,
        StratifiedQuestion,
        TrialQuestion,
    )

    Question: TypeAlias = ShareQuestion | ContrastQuestion
About: TypeAlias = Literal["population", "records"]
Contrast: TypeAlias = Literal["difference", "ratio", "odds_ratio"]

Item = TypeVar("Item")
MOST_ROWS: Final = 60
"""Number of rows of a table in a notebook."""
_MOST_NAMES: Final = 12
_MOST_COMBINATIONS: Final = 50_000
_SEPARATOR: Final = " · "
"""Separates the levels in a cell's label, as the service writes them."""
_OF_DRAWS: Final = frozenset({"chain", "draw", "share"})
"""Names that the draws of an InferenceData have."""


class Table(NamedTuple):
    """A table: headings and rows."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Any]]


class Answer(dict[str, Any]):
    """A JSON object as the service sent it; `text` is the answer, unchanged.

    `replayed`: whether the service answered an earlier request, so that this one was free. `signature`: the signature
    over the bytes of `text`, as JSON; only of what was paid for.
    """

    title: str = ""

    def __init__(
        self, content: Mapping[str, Any], *, text: str, replayed: bool = False, signature: str | None = None
    ) -> None:
        super().__init__(content)
        self.text = text
        self.replayed = replayed
        self.signature = signature

    def table(self) -> Table:
        """Return what a notebook shows as a table: `answer.table().rows`."""
        return Table(["", ""], [[name.replace("_", " "), value] for name, value in self.items()])

    def pictures(self) -> list[Picture]:
        """Return what a notebook draws: `answer.pictures()[0].bars`."""
        return []

    def remark(self) -> str:
        """Return the line below table and pictures: `answer.remark()`."""
        return ""

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of a data frame: `answer.rows()[0]`."""
        return [dict(self)]

    def to_frame(self) -> Any:
        """Return a pandas data frame: `answer.to_frame()`. Raises ImportError if pandas is not installed."""
        return _needed("to_frame()", "pandas").DataFrame(self.rows())

    def _repr_html_(self) -> str:
        return as_html(self.title, self.table(), self.pictures(), self.remark())

    def __str__(self) -> str:
        """Return what a notebook shows, as text: `print(release.posterior())`. `repr` is that of a dictionary."""
        return as_text(self.title, self.table(), self.remark()) if self.title else super().__str__()


class Listing(Sequence[Item]):
    """A list whose items are fetched page by page, when they are needed, and kept: `client.releases()[0]`."""

    def __init__(self, pages: Callable[[], Iterator[Answer]]) -> None:
        self.pages = pages
        """Yield the service's responses, one for each page. Each call requests them again."""
        self._restart()

    def _restart(self) -> None:
        self._read: list[Item] = []
        self._left = (item for page in self.pages() for item in page["items"])

    def _read_to(self, count: float) -> None:
        """Fetch until there are `count` items, or all."""
        try:
            while len(self._read) < count:
                try:
                    item = next(self._left)
                except StopIteration:
                    return
                self._read.append(item)
        except BaseException:  # an iterator that failed is at its end, and would make the list shorter
            self._restart()
            raise

    def __len__(self) -> int:
        self._read_to(math.inf)
        return len(self._read)

    @overload
    def __getitem__(self, place: int) -> Item: ...

    @overload
    def __getitem__(self, place: slice) -> list[Item]: ...

    def __getitem__(self, place: int | slice) -> Item | list[Item]:
        self._read_to(place + 1 if isinstance(place, int) and place >= 0 else math.inf)
        return self._read[place]

    def __iter__(self) -> Iterator[Item]:
        place = 0
        while True:
            self._read_to(place + 1)
            if place >= len(self._read):
                return
            yield self._read[place]
            place += 1

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self._read)} items so far>"

    def to_frame(self) -> Any:
        """Return a pandas data frame with a row for each item: `client.releases().to_frame()`."""
        return _needed("to_frame()", "pandas").DataFrame(list(self))

    def _repr_html_(self) -> str:
        items: list[Any] = list(self)
        names = list(dict.fromkeys(name for each in items for name in each))
        rows = [[each.get(name) for name in names] for each in items]
        return as_html(f"{len(items)} in the list", Table([name.replace("_", " ") for name in names], rows), [], "")


def as_html(title: str, table: Table, pictures: Sequence[Picture], remark: str) -> str:
    """Return HTML without scripts. A picture is an image, in which a browser runs none either."""
    headings, rows = table
    head = "".join(f"<th>{html.escape(each)}</th>" for each in headings)
    shown = [f"<tr>{''.join(_cell(each) for each in row)}</tr>" for row in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        remark = f"The first {MOST_ROWS} of {len(rows)} rows; to_frame() has all. {remark}"
    parts = [f"<p><b>{html.escape(title)}</b></p>"] if title else []
    parts += [f"<table><tr>{head}</tr>{''.join(shown)}</table>"] if rows else []
    for each in pictures:
        parts.append(_image(drawing(each).encode(), each.title))
    parts += [f"<p>{html.escape(remark)}</p>"] if remark else []
    return "".join(parts)


def as_text(title: str, table: Table, remark: str) -> str:
    """Return a title, a table in aligned columns and a remark."""
    headings, rows = table
    lines = [[str(each) for each in headings]]
    lines += [
        ["" if each is None else f"{each:.4g}" if isinstance(each, float) else str(each) for each in row]
        for row in rows[:MOST_ROWS]
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    shown = ["  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip() for line in lines]
    if len(rows) > MOST_ROWS:
        remark = f"The first {MOST_ROWS} of {len(rows)} rows. {remark}"
    return "\n".join([title, *shown, *([remark] if remark else [])])


class FiguresAnswer(Answer):
    """Figures with intervals. The service names them, and says in `path` where they are in its answer."""

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each figure: `comparison.rows()[0]["mean"]`."""
        return [_named_row(each, self, self._name(each)) for each in self.get("rows", ())]

    def _name(self, row: Mapping[str, Any]) -> str:
        return str(row["name"])

    def table(self) -> Table:
        return _table(_asked(self.rows()))

    def pictures(self) -> list[Picture]:
        return _pictures(_asked(self.rows()))

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
        """Return the name of a row, with the caller's name of its question."""
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

        The variable `share` has one chain. Its coordinates are the attributes of a cross table, or `category`.
        Combinations that no record can have, which the data set leaves out, have the share 0. Raises ValueError if no
        draws were asked for, and ImportError if ArviZ is not installed.
        """
        if not self.get("draws"):
            raise ValueError("there are no draws: ask for them with posterior(draws=4000)")
        arviz = _needed("to_inference_data()", "arviz")
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
        data = xarray.Dataset({"share": (dimensions, shares.reshape(1, len(draws), *sizes))}, coordinates)
        if arviz.__version__.startswith("0."):
            return arviz.InferenceData(posterior=data)
        return xarray.DataTree.from_dict({"posterior": data})  # what ArviZ takes from version 1


def _places_of(labels: Sequence[str], levels: Mapping[str, Sequence[str]]) -> Sequence[int] | None:
    """Return the place of each label among the combinations of levels, or None if the labels aren't such."""
    if not levels or levels.keys() & _OF_DRAWS or math.prod(map(len, levels.values())) > _MOST_COMBINATIONS:
        return None
    cells = {_SEPARATOR.join(cell): place for place, cell in enumerate(product(*levels.values()))}
    return [cells[label] for label in labels] if cells.keys() >= set(labels) else None


_PICTURES: Final[Mapping[str, tuple[str, Scale]]] = {
    "share": ("Shares", "share"),
    "category": ("Shares", "share"),
    "difference": ("Differences of shares", "difference"),
    "ratio": ("Ratios", "ratio"),
    "odds_ratio": ("Ratios", "ratio"),
}
"""The title of the picture of each kind of figure, and its scale."""
_OF_MEANS: Final = frozenset({"share", "category", "count", "total"})
"""The kinds of figures whose estimate is the mean. The mean of others may not exist: theirs is the median."""
_RATIOS: Final = frozenset({"ratio", "odds_ratio", "number_needed"})
_OF_CELLS: Final = frozenset({"category", "count"})


def _asked(rows: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Return the rows of what was asked, or all rows if nothing was."""
    asked = [each for each in rows if each["kind"] not in _OF_CELLS]
    return asked if any(each["kind"] != "total" for each in asked) else rows


def _table(rows: Sequence[Mapping[str, Any]]) -> Table:
    level = next((f"{each['level']:g} " for each in rows if each["level"] is not None), "")
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
    found: float | None = row["mean"] if row["kind"] in _OF_MEANS and row["mean"] is not None else row["median"]
    return found


def _pictures(rows: Sequence[Mapping[str, Any]]) -> list[Picture]:
    """Return a picture of the rows of each scale that have an interval."""
    found: dict[tuple[str, Scale], list[Bar]] = {}
    for each in rows:
        if each["kind"] in _PICTURES and each["level"] is not None:
            bar = Bar(each["name"], _estimate(each), each["low"], each["high"])
            found.setdefault(_PICTURES[each["kind"]], []).append(bar)
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


class _Released(Answer):
    """A paid answer that has posteriors. `client` is the one that it came from, by which its methods ask."""

    client: Client | None = None

    def _asking(self) -> Client:
        if self.client is None:
            raise NotSendable("this release did not come from a client; nothing was sent")
        return self.client

    def _posterior(
        self,
        *,
        questions: Sequence[Question] | Mapping[str, Question],
        draws: int,
        seed: int,
        attributes: Sequence[Attribute],
        **asked: Any,
    ) -> PosteriorAnswer:
        names = list(questions) if isinstance(questions, Mapping) else []
        body: dict[str, Any] = {"questions": list(questions.values() if isinstance(questions, Mapping) else questions)}
        body |= asked
        if draws:
            body["draws"] = {"size": draws, "seed": seed}
        found = cast("PosteriorAnswer", self._asking().posterior(self, **body))
        found.attributes = attributes
        found.names = names
        return found


class ReleaseAnswer(_Released):
    """A release. A notebook shows its noise-aware shares first; naive shares treat the noisy counts as the true ones.

    `client` is the one that it came from, by which `posterior`, `compare` and `plot` ask.
    """

    title = "Release"
    asked_prior: Sequence[float] | None = None
    """The prior of the request, if it named one: figures are computed at it. The release may have another."""
    _shares: PosteriorAnswer | None = None

    @property
    def document(self) -> Release:
        """The release with the types of its members: `release.document["charged"]`."""
        return cast("Release", self)

    def posterior(
        self,
        *,
        questions: Sequence[Question] | Mapping[str, Question] = (),
        by: StratifiedQuestion | None = None,
        trial: TrialQuestion | None = None,
        known: Sequence[KnownTotal] = (),
        prior: Numbers | None = None,
        level: float = 0.95,
        quantiles: Numbers = (0.5,),
        draws: int = 0,
        seed: int = 0,
    ) -> PosteriorAnswer:
        """Return the posterior of the shares, free: `release.posterior(level=0.9)`.

        `by` answers a question in each stratum: `{"attributes": ["age"], "question": {"kind": "share", "of": …}}`.
        `trial` gives the figures of a trial: `{"outcome": …, "first": …, "second": …}`, each a set of cells.
        `known` are public totals of groups: `[{"of": {"where": {"arm": ["vaccine"]}}, "count": 18198}]`.

        `prior` is one number for each cell; None means the prior with which the release was asked for, or ½ for each
        part of the question if none was named. A mapping names the questions:
        `release.posterior(questions={"risk": {"kind": "share", "of": {"labels": ["ill"]}}})`.
        """
        return self._posterior(
            questions=questions,
            by=by,
            trial=trial,
            known=list(known),
            prior=self.asked_prior if prior is None else prior,
            level=level,
            quantiles=quantiles,
            draws=draws,
            seed=seed,
            attributes=self.get("attributes") or (),
        )

    def compare(
        self,
        other: ReleaseAnswer,
        of: Cells,
        *,
        within: Cells | None = None,
        contrast: Contrast = "difference",
        above: float | None = None,
        level: float = 0.95,
        about: About = "population",
    ) -> ComparisonAnswer:
        """Compare a share with the same share of another release: `placebo.compare(vaccine, {"labels": ["ill"]})`.

        The contrast is this release's share minus the other's, or over it: "difference", "ratio" or "odds_ratio".
        `about="records"` asks about these records alone, not about the people that they represent.
        """
        asked = {"contrast": contrast, "above": above, "level": level, "quantiles": [0.5], "about": about}
        return self._compared(other, of, within, **asked)

    def trial(
        self,
        other: ReleaseAnswer,
        outcome: Cells,
        *,
        within: Cells | None = None,
        effect: Effect | None = None,
        level: float = 0.95,
        about: About = "population",
    ) -> ComparisonAnswer:
        """Return the figures of a trial whose groups have a release each, free:
        `vaccine.trial(placebo, {"labels": ["ill"]}, effect={"measure": "efficacy", "above": 0.3})`.

        The risk of the outcome in this release is compared with that in the other one.
        """
        return self._compared(other, outcome, within, trial=True, effect=effect, level=level, about=about)

    def _compared(self, other: ReleaseAnswer, of: Cells, within: Cells | None, **asked: Any) -> ComparisonAnswer:
        share = {"of": of} if within is None else {"of": of, "within": within}
        sides = {
            side: {"sources": [{"kind": "release", "release_id": release["id"]}]} | share
            for side, release in (("first", self), ("second", other))
        }
        return cast("ComparisonAnswer", self._asking().compare(cast("Any", sides | asked)))

    def plot(self, *, level: float = 0.95, by: Sequence[str] = (), of: Cells | None = None) -> SvgPicture:
        """Return the service's picture of the release, which a notebook shows: `release.plot(by=["sex"])`."""
        return SvgPicture(self._asking().plot(self["id"], level=level, by=by, of=of))

    def _noise_aware(self) -> PosteriorAnswer | None:
        """Return the posterior for the table, or None if it is not available now."""
        if self._shares is None and self.client is not None:
            with suppress(ClientError, RuntimeError):  # httpx raises the latter if the client was closed
                self._shares = self.posterior()
        return self._shares if self._shares is not None and self._shares.is_available else None

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each category: `release.rows()[0]["mean"]`. `naive_mean` does not account for the noise."""
        naive, aware, means = self["posterior"], self._noise_aware(), self.naive_means()
        shares: list[Any] = [None] * len(naive["categories"])
        if aware is not None:
            shares = [each for each in aware.rows() if each["kind"] == "category"]
        return [
            {
                "category": each["label"],
                **{name: None if share is None else share[name] for name in ("mean", "low", "high", "level")},
                "noisy_count": count,
                "naive_mean": mean,
            }
            for each, count, share, mean in zip(
                naive["categories"], naive["released_counts"], shares, means, strict=True
            )
        ]

    def naive_means(self) -> list[float]:
        """Return the mean of each share as if the noisy counts were the true ones: `release.naive_means()[0]`."""
        found = self["posterior"]
        if self.asked_prior is None:
            return [each["mean"] for each in found["categories"]]
        concentration = list(map(math.fsum, zip(self.asked_prior, found["released_counts"], strict=True)))
        return [each / math.fsum(concentration) for each in concentration]

    def table(self) -> Table:
        rows = self.rows()
        names = ["mean", "low", "high"] if any(each["mean"] is not None for each in rows) else []
        headings = ["category", *({"mean": "mean share", "low": "from", "high": "to"}[name] for name in names)]
        names = ["category", *names, "noisy_count", "naive_mean"]
        return Table([*headings, "noisy count", "naive share"], [[each[name] for name in names] for each in rows])

    def pictures(self) -> list[Picture]:
        bars = [Bar(each["category"], each["mean"], each["low"], each["high"]) for each in self.rows()]
        return [Picture("Shares, with the noise accounted for", bars)] if bars and bars[0].value is not None else []

    def remark(self) -> str:
        if "id" not in self:
            return str(self["note"])
        charged = amount_words(self["charged"])
        paid = f"Released on {self['created_at']}, free" if self.replayed else f"Charged {charged}"
        return f"{paid}: {self['id']}. The naive share treats the noisy count as the true one."


class MarginTablesAnswer(_Released):
    """Tables combined from measured margins. The tables agree with each other."""

    title = "Tables combined from margins"
    attributes: Sequence[Attribute] = ()
    """The attributes of the data set."""
    confidence: float = 0.95
    """Confidence of the intervals in `rows` and in a notebook: 0.9, 0.95, 0.99, or the one of the request."""

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each cell of each table: `answer.rows()[0]["estimate"]`.

        A row has the level of each attribute of its table, and the interval of `answer.confidence`.
        """
        levels = {each["name"]: each["levels"] for each in self.attributes}
        rows = []
        for table in self["tables"]:
            names, width = table["attributes"], _half_width(table, self.confidence)
            for cell, estimate in zip(product(*(levels[each] for each in names)), table["estimates"], strict=True):
                figures = {"estimate": estimate, "low": estimate - width, "high": estimate + width}
                said = {"table": ", ".join(names), "cell": _SEPARATOR.join(cell), "confidence": self.confidence}
                rows.append(said | dict(zip(names, cell, strict=True)) | said | figures)
        return rows

    def table(self) -> Table:
        names = ["table", "cell", "estimate", "low", "high"]
        rows = [[each[name] for name in names] for each in self.rows()]
        return Table(["table", "cell", "estimate", "from", "to"], rows)

    def frame(self, *attributes: str) -> Any:
        """Return the estimates of one table as a pandas data frame: `answer.frame("age", "smoker")`.

        The last attribute has the columns, and the others the index. Raises KeyError if there is no such table, and
        ImportError if pandas is not installed.
        """
        pandas = _needed("frame()", "pandas")
        found = next((each for each in self["tables"] if set(each["attributes"]) == set(attributes)), None)
        if found is None:
            raise KeyError(f"there is no table of {', '.join(attributes)}")
        levels = {each["name"]: each["levels"] for each in self.attributes}
        index = pandas.MultiIndex.from_product(
            [levels[each] for each in found["attributes"]], names=found["attributes"]
        )
        wanted = pandas.MultiIndex.from_product([levels[each] for each in attributes], names=attributes)
        series = pandas.Series(found["estimates"], index=index, name="estimate").reorder_levels(attributes)[wanted]
        return series.unstack(attributes[-1], sort=False) if len(attributes) > 1 else series.to_frame()

    def remark(self) -> str:
        return f"Intervals of confidence {self.confidence:g}, for amounts that were fixed before any answer was seen."


class MarginsAnswer(MarginTablesAnswer):
    """A release of margins: the wanted tables, and each measured margin, which has a posterior of its own."""

    title = "Margins"

    @property
    def measured(self) -> list[list[str]]:
        """The attributes of each measured margin: `answer.measured[0]`."""
        return [each["attributes"] for each in self["measured"]]

    def posterior(
        self,
        margin: Sequence[str],
        *,
        questions: Sequence[Question] | Mapping[str, Question] = (),
        by: StratifiedQuestion | None = None,
        trial: TrialQuestion | None = None,
        known: Sequence[KnownTotal] = (),
        prior: Numbers | None = None,
        level: float = 0.95,
        quantiles: Numbers = (0.5,),
        draws: int = 0,
        seed: int = 0,
    ) -> PosteriorAnswer:
        """Return the posterior of the shares from the counts of one measured margin, free:
        `answer.posterior(["age", "smoker"])`.

        It uses no other margin. The questions are those of `ReleaseAnswer.posterior`.
        """
        return self._posterior(
            margin=list(margin),
            questions=questions,
            by=by,
            trial=trial,
            known=list(known),
            prior=prior,
            level=level,
            quantiles=quantiles,
            draws=draws,
            seed=seed,
            attributes=[each for each in self.attributes if each["name"] in margin],
        )

    def remark(self) -> str:
        charged = amount_words(self["charged"])
        paid = f"Released on {self['created_at']}, free" if self.replayed else f"Charged {charged}"
        measured = "; ".join(", ".join(each) or "number of records" for each in self.measured)
        return f"{paid}: {self['id']}. Measured: {measured}. {super().remark()}"


def _half_width(table: Mapping[str, Any], confidence: float) -> float:
    """Return the half width of a table's intervals. Raises KeyError if the table has none of this confidence."""
    widths: dict[float, float] = {each["confidence"]: each["half_width"] for each in table["intervals"]}
    return widths[confidence]


class MarginsQuoteAnswer(Answer):
    """The cost of margins, the margins that would be measured, and the widths of the tables' intervals."""

    title = "Quote of margins"
    confidence: float = 0.95
    """The confidence of the request."""

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each table: `quote.rows()[0]["half_width"]`."""
        return [
            {
                "table": ", ".join(each["attributes"]),
                "cells": each["cell_count"],
                "half_width": _half_width(each, self.confidence),
                "confidence": self.confidence,
                "half_width_of_full_release": full,
            }
            for each, full in zip(self["tables"], self["full_release"]["half_widths"], strict=True)
        ]

    def table(self) -> Table:
        rows = [
            [each[n] for n in ("table", "cells", "half_width", "half_width_of_full_release")] for each in self.rows()
        ]
        return Table(["table", "cells", "half width", "half width of one full release"], rows)

    def remark(self) -> str:
        charge = amount_words(self["would_charge"])
        measured = "; ".join(", ".join(each["attributes"]) or "number of records" for each in self["measured"])
        granted = "granted now" if self["granted"] else f"not granted now: {self['blocked_by']}"
        better = "One full release is nearly as precise: `release` is the better buy. "
        better = better if self["full_release"]["is_nearly_as_precise"] else ""
        return f"{better}Would charge {charge}, {granted}. Would measure: {measured}."


class ComparisonAnswer(FiguresAnswer):
    """The probability that one share is greater than another, and the contrast or the trial that was asked for."""

    title = "Comparison of two shares"

    def remarks(self) -> list[str]:
        return [*super().remarks(), f"People: {self['people'].replace('_', ' ')}."]


class QueriesAnswer(Answer):
    """Answers to queries, measured or from earlier releases."""

    title = "Answers to queries"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each query: `answer.rows()[0]["estimate"]`."""
        return [
            {
                "query": number,
                "estimate": None if each is None else each["estimate"],
                **{name: None if each is None else each["interval"][name] for name in ("low", "high", "confidence")},
            }
            for number, each in enumerate(self["answers"], start=1)
        ]

    def table(self) -> Table:
        names = ["query", "estimate", "low", "high", "confidence"]
        return Table(["query", "estimate", "from", "to", "confidence"], [[e[n] for n in names] for e in self.rows()])

    def remark(self) -> str:
        if "id" not in self:
            return ""
        charged = amount_words(self["charged"])
        return f"Released on {self['created_at']}, free." if self.replayed else f"Charged {charged}: {self['id']}."


class QuoteAnswer(Answer):
    """The cost of a release, and whether it would be granted now."""

    title = "Quote"

    def table(self) -> Table:
        paid, accuracy, proof = self["paid_under_key"], self.get("expected_accuracy"), self.get("certificate")
        rows = [
            ("would charge", self["would_charge"]),
            (
                "paid before",
                None if paid is None else f"{paid['id']} on {paid['created_at']}: the same request is free",
            ),
            ("granted", self["granted"] or f"no: {self['blocked_by']}"),
            ("most possible", self["largest_possible_charge"]),
            ("released before", f"{len(self['already_released'])} that answer any prior and question, free"),
            ("accuracy", None if accuracy is None else accuracy["warning"] or accuracy["summary"]),
            ("certificate", None if proof is None else proof["statement"]),
        ]
        return Table(["", ""], [each for each in rows if each[1] is not None])


class PlanAnswer(Answer):
    """The predicted cost and error of each mechanism."""

    title = "Plan: the mechanisms, at made-up counts"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each ε, mechanism and question: `plan.rows()[0]["width"]`."""
        asked = [each["name"] for each in self["without_noise"]]
        return [
            {
                "requested": point["epsilon"],
                "mechanism": each["kind"],
                "calibration": each["calibration"],
                "epsilon": None if each["certified"] is None else each["certified"]["epsilon"],
                "delta": None if each["certified"] is None else each["certified"]["delta"],
                "question": question,
                "low": interval and interval["low"],
                "high": interval and interval["high"],
                "width": interval and interval["width"],
                "standard_error": interval and interval["standard_error"],
                "width_without_noise": exact["width"],
                "error": each["error"] and each["error"]["expected"],
                "error_quantile_95": each["error"] and each["error"]["quantile_95"],
            }
            for point in self["points"]
            for each in point["options"]
            for question, exact, interval in zip(
                asked, self["without_noise"], each["intervals"] or [None] * len(asked), strict=True
            )
        ]

    def table(self) -> Table:
        names = ["requested", "mechanism", "epsilon", "delta", "question", "width", "width_without_noise", "error"]
        headings = [*names[:4], "question", "interval width", "without noise", "error"]
        rows = [each | {"mechanism": _called(each["mechanism"], each["calibration"])} for each in self.rows()]
        return Table(headings, [[each[name] for name in names] for each in rows])

    def pictures(self) -> list[Picture]:
        several = len(self["points"]) > 1
        bars = [
            Bar(
                _called(each["kind"], each["calibration"]) + (f", ε {point['epsilon']}" if several else ""),
                each["error"]["expected"],
                0.0,
                each["error"]["quantile_95"],
            )
            for point in self["points"]
            for each in point["options"]
            if each["error"] is not None
        ]
        return [Picture("Hellinger error: expected, and the value that 95 % are below", bars)] if bars else []

    def remark(self) -> str:
        return " ".join(
            f"Recommended at {point['epsilon']}: {point['recommended']['kind']}, as {point['recommended']['reason']}."
            for point in self["points"]
        )


def _called(kind: str, calibration: str | None) -> str:
    return f"{kind}, {calibration}" if calibration else kind


class StatementAnswer(Answer):
    """The guarantee to the people in a data set, and what was spent."""

    title = "Statement"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each release of the statement's page: `statement.rows()[0]["charged"]`."""
        return list(self["releases"]["items"])

    def table(self) -> Table:
        return Table(["", ""], [[number, sentence] for number, sentence in enumerate(self["summary"], start=1)])

    def pictures(self) -> list[Picture]:
        unit = "epsilon" if self["budget_total"]["accountant"] == "basic" else "rho"
        bars = [
            Bar(name, float(self[field][unit]), 0.0, float(self[field][unit]))
            for name, field in (
                ("budget", "budget_total"), ("spent", "budget_spent"), ("this data set", "charged_to_dataset")
            )
        ]  # fmt: skip
        return [Picture(f"Budget in {'ε' if unit == 'epsilon' else 'ρ'}", bars)]

    def remark(self) -> str:
        data_set = self["dataset"]
        return f"{data_set['name']}: one record stands for {data_set['unit']}. As of {self['created_at']}."


class SvgPicture(bytes):
    """An SVG document, which a notebook shows: `release.plot().save("release.svg")`."""

    def save(self, path: str) -> None:
        """Write the document to a file: `release.plot().save("release.svg")`."""
        Path(path).write_bytes(self)

    def _repr_html_(self) -> str:
        return _image(self, "Picture of the release")


def _image(svg: bytes, alternative: str) -> str:
    """Return an image element. A browser runs no script in an image."""
    encoded = base64.b64encode(svg).decode()
    return f'<img alt="{html.escape(alternative)}" src="data:image/svg+xml;base64,{encoded}"/>'


def _cell(value: Any) -> str:
    side = "right" if isinstance(value, int | float) and not isinstance(value, bool) else "left"
    return f'<td style="text-align:{side}">{html.escape(_text(value))}</td>'


def _text(value: Any) -> str:
    """Return a value of an answer for people."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4g}"
        case int():
            return f"{value:,}"
        case {"accountant": _, "delta": _}:
            return amount_words(value)
        case {"kind": kind}:
            return str(kind)
        case dict():
            return ", ".join(f"{name} {_text(each)}" for name, each in value.items())
        case list() | tuple():
            more = ", …" if len(value) > _MOST_NAMES else ""
            return ", ".join(map(_text, value[:_MOST_NAMES])) + more
        case _:
            return str(value)


def _needed(what: str, package: str) -> Any:
    """Return an optional package. Raises ImportError with its name and how to install it."""
    try:
        return import_module(package)
    except ImportError as error:
        raise ImportError(f"{what} needs {package}: pip install {package}") from error
