"""Reads a table of counts as it is typed, or as the page counted it in the browser: a line for each possible cell, with
a value of each attribute and the count behind them. What is not listed is impossible.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, Final

_SEPARATORS: Final = ("\t", ";", ",")
_MOST_CELLS: Final = 10_000
_MOST_IMPOSSIBLE: Final = 100
_COUNT: Final = re.compile(r"[0-9]{1,16}")
_MOST_LINES_NAMED: Final = 3


class TableError(ValueError):
    """What is wrong with a table, in a sentence without a count."""


@dataclass(frozen=True, slots=True)
class TypedTable:
    """A table: its attributes with their values in order, and the counts of the possible cells in row-major order."""

    attributes: tuple[tuple[str, tuple[str, ...]], ...]
    cells: tuple[tuple[str, ...], ...]
    counts: tuple[int, ...]
    impossible: tuple[Mapping[str, list[str]], ...]

    @property
    def record_count(self) -> int:
        return sum(self.counts)

    def body(self) -> dict[str, Any]:
        """The table as `/v1` takes it."""
        return {
            "attributes": [{"name": name, "levels": list(levels)} for name, levels in self.attributes],
            "impossible": list(self.impossible),
            "counts": list(self.counts),
        }


def read_table(text: str) -> TypedTable:
    """The table in a text. Raises TableError."""
    rows = _rows(text)
    if len(rows) < 3:
        raise TableError("It needs a line with the names of the columns, and a line for each of at least two cells.")
    header, lines = rows[0], rows[1:]
    names = header[:-1]
    if not names or not all(names):
        raise TableError("The first line must name each column; the last column is the count.")
    if len(set(names)) < len(names):
        raise TableError("Two columns have the same name.")
    if len(lines) > _MOST_CELLS:
        raise TableError(f"It has more than {_MOST_CELLS} cells. Leave a column out, or join values.")
    _check_lines(lines, len(header))
    counts = {tuple(line[:-1]): int(line[-1]) for line in lines}
    if len(counts) < len(lines):
        first = {tuple(line[:-1]): number for number, line in reversed(list(enumerate(lines, 2)))}
        doubled = [number for number, line in enumerate(lines, 2) if first[tuple(line[:-1])] != number]
        raise TableError(f"{_lines(doubled)} a combination that stands above already.")
    levels = [tuple(dict.fromkeys(line[place] for line in lines)) for place in range(len(names))]
    impossible = _impossible(names, levels, counts)
    if len(impossible) > _MOST_IMPOSSIBLE:
        raise TableError(
            f"The combinations that are not listed fall into more than {_MOST_IMPOSSIBLE} groups. List those that are "
            "possible with a count of 0, or join the columns into one."
        )
    cells = tuple(cell for cell in product(*levels) if cell in counts)
    attributes = tuple(zip(names, levels, strict=True))
    return TypedTable(attributes, cells, tuple(counts[cell] for cell in cells), tuple(impossible))


def _rows(text: str) -> list[list[str]]:
    first = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)
    try:
        found = list(csv.reader(io.StringIO(text), delimiter=separator, strict=True))
    except csv.Error:
        raise TableError("A quotation mark in it has no partner.") from None
    return [[" ".join(value.split()) for value in row] for row in found if any(value.strip() for value in row)]


def _check_lines(lines: Iterable[list[str]], length: int) -> None:
    ragged, empty, uncounted = list[int](), list[int](), list[int]()
    for number, line in enumerate(lines, 2):
        if len(line) != length:
            ragged.append(number)
        elif not all(line[:-1]):
            empty.append(number)
        elif not _COUNT.fullmatch(line[-1].replace("\N{NARROW NO-BREAK SPACE}", "").replace(" ", "")):
            uncounted.append(number)
        else:
            line[-1] = line[-1].replace("\N{NARROW NO-BREAK SPACE}", "").replace(" ", "")
    for numbers, what in (
        (ragged, "another number of columns than the first line"),
        (empty, "an empty value"),
        (uncounted, "a last column that is no whole number"),
    ):
        if numbers:
            raise TableError(f"{_lines(numbers)} {what}.")


def _lines(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:_MOST_LINES_NAMED]))
    more = f" and {len(numbers) - _MOST_LINES_NAMED} more" if len(numbers) > _MOST_LINES_NAMED else ""
    return f"Line {shown} has" if len(numbers) == 1 else f"Lines {shown}{more} have"


def _impossible(
    names: list[str], levels: list[tuple[str, ...]], counts: Mapping[tuple[str, ...], int]
) -> list[dict[str, list[str]]]:
    """The combinations that are not listed, as few predicates: those that differ in one attribute alone are joined."""
    if prod(map(len, levels)) > 100 * _MOST_CELLS:
        raise TableError("Most combinations of its values are not listed. Join the columns into one.")
    groups: list[tuple[tuple[str, ...], ...]] = [
        tuple((value,) for value in cell) for cell in product(*levels) if cell not in counts
    ]
    for place in range(len(names)):
        joined: dict[tuple[tuple[str, ...], ...], tuple[str, ...]] = {}
        for group in groups:
            others = group[:place] + group[place + 1 :]
            joined[others] = joined.get(others, ()) + group[place]
        groups = [(*others[:place], values, *others[place:]) for others, values in joined.items()]
    return [
        {
            name: list(values)
            for name, values, all_values in zip(names, group, levels, strict=True)
            if len(values) < len(all_values)
        }
        for group in groups
    ]
