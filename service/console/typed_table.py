"""Reads a table of counts that was typed or that the page counted.

Each line has a value of each attribute, and then the count. A combination that is not listed has the count 0, unless
the owner says that it can't occur.
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

from service.console.api import read_json

_SEPARATORS: Final = ("\t", ";", ",")
_JOINED_BY: Final = " · "
"""Separator of the values in the label of a category. `/v1` uses the same."""
_MOST_CELLS: Final = 10_000
_MOST_COMBINATIONS: Final = 50_000
"""Largest number of combinations of values, possible or not. `/v1` has the same limit."""
_MOST_IMPOSSIBLE: Final = 100
_COUNT: Final = re.compile(r"[0-9]{1,16}")
_MOST_LINES_NAMED: Final = 3
TOTALS: Final = (
    "total", "totals", "subtotal", "grand total", "sum", "all", "overall", "gesamt", "insgesamt", "summe", "ensemble",
    "totale", "totaal", "razem", "suma", "összesen", "celkem", "yhteensä", "totalt", "i alt",
)  # fmt: skip
"""Usual names of a row of totals."""


class TableError(ValueError):
    """The table can't be used. The sentence says why, and contains no count."""


@dataclass(frozen=True, slots=True)
class TypedTable:
    """A table: its attributes with their ordered values, and the counts of the possible cells in row-major order.

    `unlisted` are the cells with a count of 0 because the text does not list them. `absent` are all combinations
    without records, possible or not.
    """

    attributes: tuple[tuple[str, tuple[str, ...]], ...]
    cells: tuple[tuple[str, ...], ...]
    counts: tuple[int, ...]
    impossible: tuple[Mapping[str, list[str]], ...]
    unlisted: tuple[tuple[str, ...], ...] = ()
    absent: tuple[tuple[str, ...], ...] = ()

    @property
    def record_count(self) -> int:
        return sum(self.counts)

    def body(self) -> dict[str, Any]:
        """Return the table in the form of a `/v1` request."""
        return {
            "attributes": [{"name": name, "levels": list(levels)} for name, levels in self.attributes],
            "impossible": list(self.impossible),
            "counts": list(self.counts),
        }


def read_table(
    text: str, *, impossible: Iterable[str] = (), unlisted_impossible: bool = False, totals_are_values: bool = False
) -> TypedTable:
    """Return the table in a text. Raises TableError.

    `impossible` lists combinations that can't occur, each as a JSON list of its values. `unlisted_impossible` says that
    unlisted combinations can't occur either. `totals_are_values` says that a value such as “Total” is an ordinary
    value.
    """
    rows = _rows(text)
    if len(rows) < 3:
        raise TableError("It needs a line with the names of the columns, and lines for at least two categories.")
    header, lines = rows[0], rows[1:]
    names = header[:-1]
    if not names or not all(names):
        raise TableError("The first line must name each column; the last column is the count.")
    if len(set(names)) < len(names):
        raise TableError("Two columns have the same name.")
    if len(lines) > _MOST_CELLS:
        raise TableError(f"It has more than {_MOST_CELLS} categories. Leave a column out, or join values.")
    _check_lines(lines, len(header), totals_are_values=totals_are_values)
    counts = {tuple(line[:-1]): int(line[-1]) for line in lines}
    if len(counts) < len(lines):
        first = {tuple(line[:-1]): number for number, line in reversed(list(enumerate(lines, 2)))}
        doubled = [number for number, line in enumerate(lines, 2) if first[tuple(line[:-1])] != number]
        raise TableError(f"{_lines(doubled)} a combination that stands above already.")
    levels = [tuple(dict.fromkeys(line[place] for line in lines)) for place in range(len(names))]
    combinations = prod(map(len, levels))
    if combinations > _MOST_CELLS and not unlisted_impossible:
        raise TableError(
            f"Its values make {combinations} combinations, and {_MOST_CELLS} is the most. Leave a column out, join "
            "values, or say below that what is not listed can't occur."
        )
    if combinations > _MOST_COMBINATIONS:
        raise TableError(
            f"Its values make {combinations} combinations, and {_MOST_COMBINATIONS} is the most, even if most can't "
            "occur. Join the columns into one."
        )
    ticked = {cell_of(each) for each in impossible}
    possible = dict[tuple[str, ...], int]()
    unlisted, absent = list[tuple[str, ...]](), list[tuple[str, ...]]()
    for cell in product(*levels):
        count = counts.get(cell, 0)
        if cell in ticked and count:
            raise TableError(
                f"It counts records of “{_JOINED_BY.join(cell)}”, which is ticked as a combination that can't occur."
            )
        if not count:
            absent.append(cell)
        if cell in ticked or (cell not in counts and unlisted_impossible):
            continue
        possible[cell] = count
        if cell not in counts:
            unlisted.append(cell)
    groups = _impossible(names, levels, possible)
    if len(groups) > _MOST_IMPOSSIBLE:
        raise TableError(
            f"The combinations that can't occur fall into more than {_MOST_IMPOSSIBLE} groups. List those that are "
            "possible with a count of 0, or join the columns into one."
        )
    return TypedTable(
        attributes=tuple(zip(names, levels, strict=True)),
        cells=tuple(possible),
        counts=tuple(possible.values()),
        impossible=tuple(groups),
        unlisted=tuple(unlisted),
        absent=tuple(absent),
    )


def cell_of(text: str) -> tuple[str, ...]:
    """Return the values of a combination in a JSON list; empty if the text is not such a list."""
    try:
        values = read_json(text)
    except ValueError:
        return ()
    return tuple(map(str, values)) if isinstance(values, list) else ()


def impossible_of(data: Mapping[str, Any]) -> list[str]:
    """Return the combinations that no record of a registered data set can have."""
    if data["attributes"] is None:
        return []
    possible = set(data["labels"])
    cells = product(*(attribute["levels"] for attribute in data["attributes"]))
    return [label for label in map(_JOINED_BY.join, cells) if label not in possible]


def is_total(value: str) -> bool:
    """Return whether a value has a usual name of a row of totals."""
    return " ".join(re.findall(r"[^\W\d_]+", value.lower())) in TOTALS


def _rows(text: str) -> list[list[str]]:
    first = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)
    try:
        found = list(csv.reader(io.StringIO(text), delimiter=separator, strict=True))
    except csv.Error:
        raise TableError("A quotation mark in it has no partner.") from None
    return [[" ".join(value.split()) for value in row] for row in found if any(value.strip() for value in row)]


def _check_lines(lines: Iterable[list[str]], length: int, *, totals_are_values: bool) -> None:
    ragged, empty, uncounted, totals = list[int](), list[int](), list[int](), list[int]()
    total = ""
    for number, line in enumerate(lines, 2):
        named = [] if totals_are_values else [value for value in line[:-1] if is_total(value)]
        if named:
            totals.append(number)
            total = total or named[0]
        elif len(line) != length:
            ragged.append(number)
        elif not all(line[:-1]):
            empty.append(number)
        elif not _COUNT.fullmatch(line[-1].replace("\N{NARROW NO-BREAK SPACE}", "").replace(" ", "")):
            uncounted.append(number)
        else:
            line[-1] = line[-1].replace("\N{NARROW NO-BREAK SPACE}", "").replace(" ", "")
    remedy = "Remove such rows, or tick below that it is a value like the others."
    kinds = (
        (ragged, "another number of columns than the first line."),
        (empty, "an empty value."),
        (uncounted, "a last column that is no whole number."),
        (totals, f"the value “{total}”, as a row of totals has. {remedy}"),
    )
    wrong = [f"{_lines(numbers)} {what}" for numbers, what in kinds if numbers]
    if wrong:
        raise TableError(" ".join(wrong))


def _lines(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:_MOST_LINES_NAMED]))
    more = f" and {len(numbers) - _MOST_LINES_NAMED} more" if len(numbers) > _MOST_LINES_NAMED else ""
    return f"Line {shown} has" if len(numbers) == 1 else f"Lines {shown}{more} have"


def _impossible(
    names: list[str], levels: list[tuple[str, ...]], counts: Mapping[tuple[str, ...], int]
) -> list[dict[str, list[str]]]:
    """Return predicates for the combinations without a count. Combinations that differ in one attribute only share a
    predicate.
    """
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
