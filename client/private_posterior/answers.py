"""Responses of the service: dictionaries that keep their text, and paged lists.

A notebook shows each as a table with its picture (`_repr_html_`). They convert to data frames if pandas is installed.
"""

from __future__ import annotations

import base64
import html
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, overload

from private_posterior.drawing import Picture, drawing
from private_posterior.wording import amount_words

Item = TypeVar("Item")
MOST_ROWS: Final = 60
"""Number of rows of a table in a notebook."""
_MOST_NAMES: Final = 12
SEPARATOR: Final = " · "
"""Separates the levels in a cell's label, as the service writes them."""


class Table(NamedTuple):
    """A table: headings and rows."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Any]]


def table_of(rows: Sequence[Mapping[str, Any]], headings: Mapping[str, str]) -> Table:
    """Return the named columns of rows under their headings, without columns that the rows do not have."""
    names = [name for name in headings if rows and name in rows[0]]
    return Table([headings[name] for name in names], [[each[name] for name in names] for each in rows])


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
        """Return the table that a notebook shows: `answer.table().rows`."""
        return Table(["", ""], [[name.replace("_", " "), value] for name, value in self.items()])

    def pictures(self) -> list[Picture]:
        """Return the pictures that a notebook draws: `answer.pictures()[0].bars`."""
        return []

    def remark(self) -> str:
        """Return the line below table and pictures: `answer.remark()`."""
        return ""

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of a data frame: `answer.rows()[0]`."""
        return [dict(self)]

    def to_frame(self) -> Any:
        """Return a pandas data frame: `answer.to_frame()`. Raises ImportError if pandas is not installed."""
        return optional_package("to_frame()", "pandas").DataFrame(self.rows())

    def _repr_html_(self) -> str:
        return as_html(self.title, self.table(), self.pictures(), self.remark())

    def __str__(self) -> str:
        """Return the table of a notebook as text: `print(release.posterior())`. `repr` returns a dictionary as text."""
        return as_text(self.title, self.table(), self.remark()) if self.title else super().__str__()


class Listing(Sequence[Item]):
    """A list whose items are fetched page by page, when they are needed, and kept: `client.releases()[0]`."""

    def __init__(self, pages: Callable[[], Iterator[Answer]]) -> None:
        self.pages = pages
        """Yield the service's responses, one for each page. Each call requests them again."""
        self._restart()

    def _restart(self) -> None:
        self._fetched_items: list[Item] = []
        self._remaining_items = (item for page in self.pages() for item in page["items"])

    def _fetch_items(self, count: float) -> None:
        """Fetch until there are `count` items, or all."""
        try:
            while len(self._fetched_items) < count:
                try:
                    item = next(self._remaining_items)
                except StopIteration:
                    return
                self._fetched_items.append(item)
        except BaseException:  # an iterator that failed is at its end, and would make the list shorter
            self._restart()
            raise

    def __len__(self) -> int:
        self._fetch_items(math.inf)
        return len(self._fetched_items)

    @overload
    def __getitem__(self, place: int) -> Item: ...

    @overload
    def __getitem__(self, place: slice) -> list[Item]: ...

    def __getitem__(self, place: int | slice) -> Item | list[Item]:
        self._fetch_items(place + 1 if isinstance(place, int) and place >= 0 else math.inf)
        return self._fetched_items[place]

    def __iter__(self) -> Iterator[Item]:
        place = 0
        while True:
            self._fetch_items(place + 1)
            if place >= len(self._fetched_items):
                return
            yield self._fetched_items[place]
            place += 1

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self._fetched_items)} items so far>"

    def to_frame(self) -> Any:
        """Return a pandas data frame with a row for each item: `client.releases().to_frame()`."""
        return optional_package("to_frame()", "pandas").DataFrame(list(self))

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


def optional_package(what: str, package: str) -> Any:
    """Return an optional package. Raises ImportError with its name and how to install it."""
    try:
        return import_module(package)
    except ImportError as error:
        raise ImportError(f"{what} needs {package}: pip install {package}") from error


def interval_of(table: Mapping[str, Any], confidence: float) -> dict[str, float]:
    """Return the interval of a table's counts. Raises KeyError if the table has none of this confidence."""
    intervals: dict[float, dict[str, float]] = {each["confidence"]: each for each in table["intervals"]}
    return intervals[confidence]
