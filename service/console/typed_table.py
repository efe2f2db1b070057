"""Reads a table of counts that was typed or that the page counted.

Each line has a value of each attribute, and then the count. A combination that is not listed has the count 0, unless
the owner says that it can't occur.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from typing import Any, Final

from service.console.api import read_json
from service.console.tabular import (
    FileError,
    Record,
    Study,
    Table,
    is_missing,
    is_total,
    is_unnamed,
    plain,
    study,
    whole_number,
)
from service.console.tabular import read_table as read_lines
from service.schemas.cell_names import SEPARATOR

_MOST_CELLS: Final = 10_000
_MOST_COMBINATIONS: Final = 50_000
"""Largest number of combinations of values, possible or not. `/v1` has the same limit."""
_MOST_IMPOSSIBLE: Final = 100
_MOST_COLUMNS: Final = 1_000
_MOST_LINES_NAMED: Final = 3


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
    text: str,
    *,
    impossible: Iterable[str] = (),
    unlisted_impossible: bool = False,
    totals_are_values: bool = False,
    numbers_are_values: bool = False,
    unfold: str = "",
) -> TypedTable:
    """Return the table in a text. Raises TableError.

    `impossible` lists combinations that can't occur, each as a JSON list of its values. `unlisted_impossible` says that
    unlisted combinations can't occur either. `totals_are_values` says that a value such as “Total” is an ordinary
    value, and `numbers_are_values` that numbers which look like counts are. `unfold` names the column that replaces
    several columns of counts.
    """
    table, rows = _rows(text)
    if len(table.names) > _MOST_COLUMNS:
        raise TableError(f"It has more than {_MOST_COLUMNS} columns.")
    if not table.names_line:
        raise TableError(
            "The first line looks like data, and would be lost. Write a line with the names of the columns above it, "
            "or give each column a name that is not a number."
        )
    if len(rows) < 2:
        raise TableError("It needs a line with the names of the columns, and lines for at least two categories.")
    if len(rows) > _MOST_CELLS:
        raise TableError(f"It has more than {_MOST_CELLS} categories. Leave a column out, or join values.")
    found = study(table.names, (row.values for row in rows), table.separator)
    names, lines = _arranged(table, rows, found, unfold=unfold, numbers_are_values=numbers_are_values)
    if not names or any(is_unnamed(name, place) for place, name in enumerate(table.names) if name in names):
        raise TableError("The first line must name each column, and one column must have the counts.")
    if len(set(names)) < len(names):
        raise TableError("Two columns have the same name.")
    if len(lines) > _MOST_CELLS:
        raise TableError(f"It has more than {_MOST_CELLS} categories. Leave a column out, or join values.")
    _check_lines(lines, totals_are_values=totals_are_values)
    counts = {tuple(values[:-1]): whole_number(values[-1]) or 0 for _, values in lines}
    if len(counts) < len(lines):
        first = {tuple(values[:-1]): number for number, values in reversed(lines)}
        doubled = [number for number, values in lines if first[tuple(values[:-1])] != number]
        raise TableError(f"{_lines(doubled)} a combination that is on an earlier line already.")
    levels = [tuple(dict.fromkeys(values[place] for _, values in lines)) for place in range(len(names))]
    combinations = prod(map(len, levels))
    if combinations > _MOST_CELLS and not unlisted_impossible:
        raise TableError(
            f"Its values make {combinations} combinations; at most {_MOST_CELLS} are allowed. Leave a column out, join "
            "values, or say below that what is not listed can't occur."
        )
    if combinations > _MOST_COMBINATIONS:
        raise TableError(
            f"Its values make {combinations} combinations; at most {_MOST_COMBINATIONS} are allowed, even if most "
            "can't occur. Join the columns into one."
        )
    ticked = {cell_of(each) for each in impossible}
    possible = dict[tuple[str, ...], int]()
    unlisted, absent = list[tuple[str, ...]](), list[tuple[str, ...]]()
    for cell in product(*levels):
        count = counts.get(cell, 0)
        if cell in ticked and count:
            raise TableError(
                f"It counts records of “{SEPARATOR.join(cell)}”, which is ticked as a combination that can't occur."
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


def _rows(text: str) -> tuple[Table, list[Record]]:
    try:
        table = read_lines(io.StringIO(text, newline=""))
        rows = islice(table.rows, _MOST_CELLS + 1)
        return table, [Record(line, [plain(value) for value in values]) for line, values in rows]
    except FileError as error:
        said = str(error)
        if said == "the file is empty":
            said = "It needs a line with the names of the columns, and lines for at least two categories"
        raise TableError(f"{said[0].upper()}{said[1:]}.") from None


def _arranged(
    table: Table, rows: list[Record], found: Study, *, unfold: str, numbers_are_values: bool
) -> tuple[list[str], list[Record]]:
    """Return the names of the attributes, and the lines with the count last. Columns of row numbers are left out.

    Raises TableError if columns that look like counts would become attributes and the owner did not say so.
    """
    names = table.names
    if found.unfolded and not numbers_are_values:
        if not unfold:
            raise TableError(
                f"The columns {_quoted(found.unfolded)} look like counts of one value each. Write below the name of "
                "the column that they become, such as sex; or tick that they are values."
            )
        places = [place for place, name in enumerate(names) if name in found.unfolded]
        sums = [place for place, name in enumerate(names) if is_total(name)]
        kept = _kept(names, found, [*places, *sums])
        lines = [
            Record(line, [*(values[each] for each in kept), names[place], values[place]])
            for line, values in rows
            for place in places
        ]
        return [*(names[place] for place in kept), plain(unfold)], lines
    last = len(names) - 1 if found.counts is None else names.index(found.counts)
    kept = _kept(names, found, [last])
    asked = [names[place] for place in kept if names[place] in found.asked]
    if asked and not numbers_are_values:
        raise TableError(
            f"{_quoted(asked)} {'has' if len(asked) == 1 else 'have'} numbers that are mostly different. They may be "
            "counts, and would become public. Leave them out, or tick below that they are values."
        )
    return [names[place] for place in kept], [
        Record(line, [*(values[place] for place in kept), values[last]]) for line, values in rows
    ]


def _kept(names: Sequence[str], found: Study, without: Iterable[int]) -> list[int]:
    """Return the columns of attributes: all others, without an unnamed number of the row if another column is left."""
    left = [place for place in range(len(names)) if place not in without]
    named = [place for place in left if not (is_unnamed(names[place], place) and names[place] in found.row_numbers)]
    return named or left


def _quoted(names: Iterable[str]) -> str:
    all_names = list(names)
    shown = ", ".join(f"“{name}”" for name in all_names[:_MOST_LINES_NAMED])
    return shown + (f" and {len(all_names) - _MOST_LINES_NAMED} more" if len(all_names) > _MOST_LINES_NAMED else "")


def _check_lines(lines: Iterable[Record], *, totals_are_values: bool) -> None:
    empty, blank, uncounted, totals = list[int](), list[int](), list[int](), list[int]()
    total = ""
    for number, values in lines:
        named = [] if totals_are_values else [value for value in values[:-1] if is_total(value)]
        if named:
            totals.append(number)
            total = total or named[0]
        elif not all(values[:-1]):
            empty.append(number)
        elif is_missing(values[-1]):
            blank.append(number)
        elif whole_number(values[-1]) is None:
            uncounted.append(number)
    remedy = "Remove such rows, or tick below that it is a value like the others."
    kinds = (
        (empty, "an empty value."),
        (blank, "no count. Write 0 for a category without records."),
        (uncounted, "a count that is not a whole number. Write thousands without a point or comma."),
        (totals, f"the value “{total}”, as a row of totals has. {remedy}"),
    )
    wrong = [f"{_lines(list(dict.fromkeys(numbers)))} {what}" for numbers, what in kinds if numbers]
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
