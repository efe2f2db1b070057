"""Responses of the service: dictionaries that keep their text, and paged lists.

Releases, posteriors, plans and statements display themselves in a notebook, and convert to data frames if pandas is
installed.
"""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from private_posterior.drawing import Bar, drawing

Item = TypeVar("Item")


class Answer(dict[str, Any]):
    """A JSON object as the service sent it; `text` is the answer, unchanged.

    `replayed`: whether the service answered an earlier request, so that this one was free.
    """

    def __init__(self, content: dict[str, Any], *, text: str, replayed: bool = False) -> None:
        super().__init__(content)
        self.text = text
        self.replayed = replayed


class Listing(Generic[Item]):
    """A list whose items are fetched page by page. Each iteration requests them again."""

    def __init__(self, pages: Callable[[], Iterator[Answer]]) -> None:
        self.pages = pages
        """Yield the service's responses, one for each page."""

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page["items"]

    def to_frame(self) -> Any:
        """Return a pandas data frame with a row for each item."""
        return _frame(list(self))


class Table(NamedTuple):
    """A table: headings and rows."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Any]]


class Shown(Answer, ABC):
    """A response that a notebook shows as a table (`_repr_html_`) and a drawing (`_repr_svg_`)."""

    title: ClassVar[str]

    @abstractmethod
    def table(self) -> Table:
        """Return the response as a table."""

    @abstractmethod
    def bars(self) -> list[Bar]:
        """Return the bars of the drawing."""

    def remark(self) -> str:
        """Return a line of text below the table and the drawing."""
        return ""

    def to_frame(self) -> Any:
        """Return a pandas data frame with the rows of the table. Raises ImportError if pandas is not installed."""
        headings, rows = self.table()
        return _frame([dict(zip(headings, row, strict=True)) for row in rows])

    def _repr_html_(self) -> str:
        headings, rows = self.table()
        head = "".join(f"<th>{html.escape(each)}</th>" for each in headings)
        body = "".join(f"<tr>{''.join(f'<td>{html.escape(_text(each))}</td>' for each in row)}</tr>" for row in rows)
        remark = f"<p>{html.escape(self.remark())}</p>" if self.remark() else ""
        return f"<p><b>{html.escape(self.title)}</b></p><table><tr>{head}</tr>{body}</table>{remark}"

    def _repr_svg_(self) -> str:
        return drawing(self.title, self.bars(), self.remark())


class ReleaseAnswer(Shown):
    """A release. Its naive figures treat the noisy counts as the true ones."""

    title = "Release: noisy counts"

    def table(self) -> Table:
        posterior = self["posterior"]
        rows = [
            [each["label"], count, each["mean"], each["standard_deviation"]]
            for each, count in zip(posterior["categories"], posterior["released_counts"], strict=True)
        ]
        return Table(["category", "noisy count", "naive mean share", "naive deviation"], rows)

    def bars(self) -> list[Bar]:
        return [Bar(label, mean, None, None) for label, _, mean, _ in self.table().rows]

    def remark(self) -> str:
        return "Naive figures treat the noisy counts as the true ones. client.posterior(...) accounts for the noise."


class PosteriorAnswer(Shown):
    """A noise-aware posterior of the shares, or the reason why there is none."""

    title = "Posterior of the shares, with the noise accounted for"

    def table(self) -> Table:
        rows = [
            [each["label"], each["mean"], each["standard_deviation"], each["interval"]["low"], each["interval"]["high"]]
            for each in self.get("categories", ())
        ]
        return Table(["category", "mean share", "deviation", "low", "high"], rows)

    def bars(self) -> list[Bar]:
        return [Bar(label, mean, low, high) for label, mean, _, low, high in self.table().rows]

    def remark(self) -> str:
        if self.get("kind") == "unavailable":
            return str(self["reason"])
        levels = {each["interval"]["level"] for each in self.get("categories", ())}
        return f"Intervals of level {', '.join(f'{level:g}' for level in sorted(levels))}." if levels else ""


class PlanAnswer(Shown):
    """The predicted cost and error of each mechanism."""

    title = "Plan: the mechanisms, at made-up counts"

    def table(self) -> Table:
        rows = [
            [
                point["epsilon"],
                each["kind"],
                None if each["certified"] is None else each["certified"]["epsilon"],
                None if each["certified"] is None else each["certified"]["delta"],
                each["intervals"][0]["width"] if each["intervals"] else None,
                None if each["error"] is None else each["error"]["expected"],
                None if each["error"] is None else each["error"]["quantile_95"],
            ]
            for point in self["points"]
            for each in point["options"]
        ]
        headings = ["requested", "mechanism", "epsilon", "delta", "interval width", "error", "95 % of errors below"]
        return Table(headings, rows)

    def bars(self) -> list[Bar]:
        several = len(self["points"]) > 1
        return [
            Bar(
                f"{each['kind']}, {point['epsilon']}" if several else each["kind"],
                each["error"]["expected"],
                0.0,
                each["error"]["quantile_95"],
            )
            for point in self["points"]
            for each in point["options"]
            if each["error"] is not None
        ]

    def remark(self) -> str:
        return " ".join(
            f"Recommended at {point['epsilon']}: {point['recommended']['kind']}, as {point['recommended']['reason']}."
            for point in self["points"]
        )


class StatementAnswer(Shown):
    """The guarantee to the people in a data set, and what was spent."""

    title = "Statement"

    def table(self) -> Table:
        return Table(["", ""], [[number, sentence] for number, sentence in enumerate(self["summary"], start=1)])

    def bars(self) -> list[Bar]:
        unit = "epsilon" if self["budget_total"]["accountant"] == "basic" else "rho"
        return [
            Bar(f"{name} ({unit})", float(self[field][unit]), 0.0, float(self[field][unit]))
            for name, field in (
                ("budget", "budget_total"), ("spent", "budget_spent"), ("this data set", "charged_to_dataset")
            )
        ]  # fmt: skip

    def remark(self) -> str:
        data_set = self["dataset"]
        return f"{data_set['name']}: one record stands for {data_set['unit']}. As of {self['created_at']}."

    def to_frame(self) -> Any:
        """Return a pandas data frame with a row for each release of the statement's page."""
        return _frame(self["releases"]["items"])


def _text(value: Any) -> str:
    match value:
        case None:
            return ""
        case float():
            return f"{value:.4g}"
        case int():
            return f"{value:,}"
        case _:
            return str(value)


def _frame(rows: Sequence[Any]) -> Any:
    import pandas as pd  # noqa: PLC0415  only who asks for a frame needs it

    return pd.DataFrame(rows)
