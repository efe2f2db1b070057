"""Counts raw records, or reads counts, from CSV files: a row at a time, so that a file may be larger than memory.

The levels of a column are always given by the owner. Labels that are found in data are private: that somebody has a
rare disease can be read off the label itself. Errors name a line and a rule, and never repeat what stands there.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, Final

MOST_CELLS: Final = 10_000
JOINED_BY: Final = " · "
"""Between the levels in the label of a cell, as the service joins them."""
_ROWS_BETWEEN_REPORTS: Final = 100_000


class RecordsError(ValueError):
    """A file or a list of levels that can't be used; the message names the place and the rule."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the file, and its public levels in order; `name` is empty for the only column that there is."""

    name: str
    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """The possible cells of the table that the columns make, in row-major order: the last column changes fastest."""

    columns: tuple[Column, ...]
    impossible: tuple[Mapping[str, str], ...] = ()

    def __post_init__(self) -> None:
        for column in self.columns:
            if len(set(column.levels)) != len(column.levels):
                raise RecordsError(f"the levels of {_named(column)} must differ")
            if not all(column.levels):
                raise RecordsError(f"a level of {_named(column)} is empty")
        if prod(len(column.levels) for column in self.columns) > MOST_CELLS:
            raise RecordsError(f"the columns make more than {MOST_CELLS} cells")
        known = {column.name: column.levels for column in self.columns}
        for each in self.impossible:
            if not all(name in known and level in known[name] for name, level in each.items()):
                raise RecordsError("--impossible must name columns and levels that --levels gives")

    def description(self) -> dict[str, Any]:
        """How a registration describes the cells."""
        if [column.name for column in self.columns] == [""]:
            return {"labels": self.labels}
        attributes = [{"name": column.name, "levels": list(column.levels)} for column in self.columns]
        impossible = [{name: [level] for name, level in each.items()} for each in self.impossible]
        return {"attributes": attributes} | ({"impossible": impossible} if impossible else {})

    def possible(self) -> list[tuple[str, ...]]:
        """The levels of each cell."""
        names = [column.name for column in self.columns]
        return [
            levels
            for levels in product(*(column.levels for column in self.columns))
            if not any(each.items() <= dict(zip(names, levels, strict=True)).items() for each in self.impossible)
        ]

    @property
    def labels(self) -> list[str]:
        """What the service calls each cell."""
        return [JOINED_BY.join(levels) for levels in self.possible()]


def listed(text: str) -> tuple[str, ...]:
    """The items of a list with commas between them; an item with a comma stands in double quotes."""
    try:
        (row,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (csv.Error, ValueError):
        raise RecordsError("a list has its items parted by commas, and an item with a comma in double quotes") from None
    return tuple(item.strip() for item in row)


def column_of(text: str) -> Column:
    """The column of `name=first,second,third`."""
    name, sign, levels = text.partition("=")
    if not sign or not name.strip():
        raise RecordsError("--levels takes a column and its levels: name=first,second,third")
    return Column(name.strip(), listed(levels))


def combination_of(text: str) -> dict[str, str]:
    """The levels of `column=level,other=level`."""
    pairs = [item.partition("=") for item in listed(text)]
    if not all(sign and name and level for name, sign, level in pairs):
        raise RecordsError("--impossible takes columns with a level each: age=10-19,smoker=yes")
    return {name.strip(): level.strip() for name, _, level in pairs}


def count_records(
    path: Path,
    cells: Cells,
    *,
    encoding: str = "utf-8-sig",
    missing: str | None = None,
    report: Callable[[int], None] = lambda _: None,
) -> list[int]:
    """The records in each cell of a CSV file with a header. An empty field counts as the level `missing`, and is
    refused where that is None. `report` is called with the rows read so far, now and then. Raises RecordsError.
    """  # fmt: skip
    with _rows(path, encoding) as rows:
        numbers = {levels: number for number, levels in enumerate(cells.possible())}
        counts = [0] * len(numbers)
        places = _places(next(rows, (1, []))[1], cells.columns)
        # How a cell is written, padded or not, is remembered for a bounded number of spellings.
        known: dict[tuple[str, ...], int] = {}
        for read, (line, row) in enumerate(rows, start=1):
            written = tuple([row[place] for place in places])
            number = known.get(written)
            if number is None:
                number = _cell(written, cells.columns, numbers, missing, line)
                if len(known) < MOST_CELLS:
                    known[written] = number
            counts[number] += 1
            if read % _ROWS_BETWEEN_REPORTS == 0:
                report(read)
    if not any(counts):
        raise RecordsError(f"{_file(path)} has no records")
    return counts


def read_counts(path: Path, columns: Sequence[Column], impossible: Sequence[Mapping[str, str]], *, encoding: str) -> (
    tuple[Cells, list[int]]
):  # fmt: skip
    """Cells and counts of a CSV file with a header whose last column is `count`. Where no columns are given, the one
    before holds the labels, in order; else every possible cell stands once, in any order. Raises RecordsError.
    """
    with _rows(path, encoding) as rows:
        header = next(rows, (1, []))[1]
        if not header or header[-1].strip() != "count":
            raise RecordsError(f"{_file(path)} must have a header, and `count` as its last column")
        lines = [(line, [item.strip() for item in row]) for line, row in rows]
    if not columns:
        if len(header) != 2:
            raise RecordsError(f"{_file(path)} must have two columns, label and count; --levels makes a cross table")
        cells = Cells((Column("", tuple(row[0] for _, row in lines)),))
    else:
        cells = Cells(tuple(columns), tuple(impossible))
    places = [0] if not columns else _places(header, cells.columns)
    numbers = {levels: number for number, levels in enumerate(cells.possible())}
    found: dict[int, int] = {}
    for line, row in lines:
        number = _cell(tuple(row[place] for place in places), cells.columns, numbers, None, line)
        if number in found:
            raise RecordsError(f"line {line}: this cell stood above already")
        if not (row[-1].isascii() and row[-1].isdigit()):
            raise RecordsError(f"line {line}: the count must be a whole number that is not negative")
        found[number] = int(row[-1])
    if len(found) != len(numbers):
        raise RecordsError(f"{_file(path)} must hold every possible cell, empty ones with a count of 0")
    return cells, [found[number] for number in range(len(numbers))]


@contextmanager
def _rows(path: Path, encoding: str) -> Iterator[Iterator[tuple[int, list[str]]]]:
    """The rows with the numbers of their lines, all as long as the header. Raises RecordsError."""
    try:
        "".encode(encoding)
    except LookupError:
        raise RecordsError(
            "--encoding names no encoding that is known here, such as utf-8, latin-1 or cp1252"
        ) from None
    try:
        if str(path) == "-":
            yield _even(_decoded(sys.stdin.buffer, encoding))
        else:
            with path.open("rb") as file:
                yield _even(_decoded(file, encoding))
    except OSError as error:
        raise RecordsError(f"{_file(path)} can't be read: {error.strerror}") from None


def _decoded(file: BinaryIO, encoding: str) -> Iterator[str]:
    # Line by line, so that the line of a wrong byte is known; where a line does not end with the byte of a newline, by
    # a wrapper that reads ahead.
    wrapper = None if "\n".encode(encoding).endswith(b"\n") else io.TextIOWrapper(file, encoding=encoding, newline="")
    number = 0
    try:
        for line in file if wrapper is None else wrapper:
            number += 1
            yield line.decode(encoding) if isinstance(line, bytes) else line
    except UnicodeError:
        name = "utf-8" if encoding == "utf-8-sig" else encoding
        raise RecordsError(
            f"line {number or 1}: this is not {name}; --encoding says what the file is written in"
        ) from None
    finally:
        if wrapper is not None:
            wrapper.detach()


def _even(lines: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines, strict=True)
    width, blank = 0, 0
    try:
        for row in reader:
            if not row:
                blank = blank or reader.line_num
                continue
            if blank:
                raise RecordsError(f"line {blank} is empty")
            width = width or len(row)
            if len(row) != width:
                raise RecordsError(f"line {reader.line_num}: has {len(row)} fields where the header has {width}")
            yield reader.line_num, row
    except csv.Error:
        raise RecordsError(f"line {reader.line_num}: this is no CSV; a quote may be missing") from None


def _places(header: Sequence[str], columns: Sequence[Column]) -> list[int]:
    names = [name.strip() for name in header]
    if not names:
        raise RecordsError("the file is empty; its first line must name the columns")
    if [column.name for column in columns] == [""]:
        if len(names) != 1:
            raise RecordsError("--labels is for a file with one column; --levels name=first,second says which column")
        return [0]
    for column in columns:
        if names.count(column.name) != 1:
            raise RecordsError(f"the header must have one column {column.name!r}, as --levels says")
    return [names.index(column.name) for column in columns]


def _cell(
    written: Sequence[str],
    columns: Sequence[Column],
    numbers: Mapping[tuple[str, ...], int],
    missing: str | None,
    line: int,
) -> int:
    levels = []
    for text, column in zip(written, columns, strict=True):
        level = text.strip() or missing
        if level is None:
            raise RecordsError(
                f"line {line}: {_named(column)} is empty; --missing LEVEL counts empty fields as a level"
            )
        if level not in column.levels:
            raise RecordsError(f"line {line}: {_named(column)} has none of the levels that were given")
        levels.append(level)
    number = numbers.get(tuple(levels))
    if number is None:
        raise RecordsError(f"line {line}: these levels were said to be impossible together")
    return number


def _named(column: Column) -> str:
    return f"column {column.name!r}" if column.name else "the column"


def _file(path: Path) -> str:
    return "standard input" if str(path) == "-" else str(path)
