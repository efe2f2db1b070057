"""The table of counts in a form: lines with a value of each attribute, and then the count.

A combination that is not listed has the count 0, unless the owner says that it can't occur.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, Final

from service.console.api import read_json
from service.console.plain_table import TableError, read_plain_table
from service.posteriors.totals import totals_among
from service.schemas.cell_names import SEPARATOR

_MOST_CELLS: Final = 10_000
_MOST_COMBINATIONS: Final = 50_000
"""Largest number of combinations of values, possible or not. `/v1` has the same limit."""
_MAX_IMPOSSIBLE_GROUPS: Final = 100
_MOST_LINES_NAMED: Final = 3
_COUNT: Final = "count"
"""The name of the last column. A column of counts under another name may be one of several, as in a pivot."""
_WHOLE_NUMBER: Final = re.compile(r"[0-9]{1,16}")


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
) -> TypedTable:
    """Return the table in a text. Raises TableError.

    `impossible` lists combinations that can't occur, each as a JSON list of its values. `unlisted_impossible` says that
    unlisted combinations can't occur either. `totals_are_values` says that a value is an ordinary one although its
    counts are the sums of the others.
    """
    table = read_plain_table(text)
    if len(table.rows) < 2:
        raise TableError("It needs a line with the names of the columns, and lines for at least two categories.")
    if table.names[-1].casefold() != _COUNT:
        raise TableError("The last column must be called count, and have the number of records of each line.")
    names, lines = table.names[:-1], table.rows
    _check_lines(lines)
    counts = {tuple(values[:-1]): int(values[-1]) for _, values in lines}
    if len(counts) < len(lines):
        first = {tuple(values[:-1]): number for number, values in reversed(lines)}
        doubled = [number for number, values in lines if first[tuple(values[:-1])] != number]
        raise TableError(f"{_lines(doubled)} a combination that is on an earlier line already.")
    if not totals_are_values and (found := totals_among([(cell, (count, count)) for cell, count in counts.items()])):
        place, level = found
        raise TableError(
            f"The counts of “{level}” in “{names[place]}” are the sums of the others. Remove such lines, or tick below "
            "that it is a value like the others."
        )
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
    groups = _impossible_predicates(names, levels, possible)
    if len(groups) > _MAX_IMPOSSIBLE_GROUPS:
        raise TableError(
            f"The combinations that can't occur fall into more than {_MAX_IMPOSSIBLE_GROUPS} groups. List those that "
            "are possible with a count of 0, or join the columns into one."
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


def _check_lines(lines: Iterable[tuple[int, list[str]]]) -> None:
    empty, blank, uncounted = list[int](), list[int](), list[int]()
    for number, values in lines:
        if not all(values[:-1]):
            empty.append(number)
        elif not values[-1]:
            blank.append(number)
        elif not _WHOLE_NUMBER.fullmatch(values[-1]):
            uncounted.append(number)
    kinds = (
        (empty, "an empty value."),
        (blank, "no count. Write 0 for a category without records."),
        (uncounted, "a count that is not a whole number. Write it with digits alone."),
    )
    wrong = [f"{_lines(numbers)} {what}" for numbers, what in kinds if numbers]
    if wrong:
        raise TableError(" ".join(wrong))


def _lines(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:_MOST_LINES_NAMED]))
    more = f" and {len(numbers) - _MOST_LINES_NAMED} more" if len(numbers) > _MOST_LINES_NAMED else ""
    return f"Line {shown} has" if len(numbers) == 1 else f"Lines {shown}{more} have"


def _impossible_predicates(
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
