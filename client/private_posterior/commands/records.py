"""Counts raw records, or reads counts, from CSV files. A file is read one row at a time, so that it may be larger than
memory.

The owner always gives the levels of a column. Labels found in data are private: a label itself can disclose that
somebody has a rare disease. Errors quote the file, because only its owner sees them.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import chain, product
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, Final

MOST_CELLS: Final = 10_000
JOINED_BY: Final = " · "
"""Separator of the levels in the label of a cell. The service uses the same."""
_ROWS_BETWEEN_REPORTS: Final = 100_000
_SEPARATORS: Final = {"comma": ",", "semicolon": ";", "tab": "\t"}
_MAX_RECORDS: Final = 2**53
_MAX_QUOTED: Final = 40
_SUMS: Final = {
    "total", "totals", "sum", "all", "subtotal", "grand total", "overall", "gesamt", "summe", "insgesamt", "totaal",
    "totale", "ensemble", "razem", "suma", "totalt", "yhteensä",
}  # fmt: skip
"""Common names of a row of sums."""
_NOT_A_NUMBER: Final = {"nan", "na", "n/a", "null", "none", "", ".", "-", "inf", "-inf", "infinity"}


class RecordsError(ValueError):
    """The file or the list of levels can't be used. The message names the location and the rule."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the file, and its public levels in order. `name` is empty if it is the only column."""

    name: str
    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """The possible cells of the table of the columns, in row-major order: the last column changes fastest."""

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
        """Return the cells in the form of a registration request."""
        if [column.name for column in self.columns] == [""]:
            return {"labels": self.labels}
        attributes = [{"name": column.name, "levels": list(column.levels)} for column in self.columns]
        impossible = [{name: [level] for name, level in each.items()} for each in self.impossible]
        return {"attributes": attributes} | ({"impossible": impossible} if impossible else {})

    def possible(self) -> list[tuple[str, ...]]:
        """Return the levels of each cell."""
        names = [column.name for column in self.columns]
        return [
            levels
            for levels in product(*(column.levels for column in self.columns))
            if not any(each.items() <= dict(zip(names, levels, strict=True)).items() for each in self.impossible)
        ]

    @property
    def labels(self) -> list[str]:
        """Return the service's label of each cell."""
        return [JOINED_BY.join(levels) for levels in self.possible()]


def listed(text: str) -> tuple[str, ...]:
    """Return the items of a comma-separated list. An item that contains a comma is in double quotes."""
    try:
        (row,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (csv.Error, ValueError):
        raise RecordsError(
            "a list has its items separated by commas, and an item with a comma in double quotes"
        ) from None
    return tuple(item.strip() for item in row)


def column_of(text: str) -> Column:
    """Parse a column written as `name=first,second,third`."""
    name, sign, levels = text.partition("=")
    if not sign or not name.strip():
        raise RecordsError("--levels takes a column and its levels: name=first,second,third")
    return Column(name.strip(), listed(levels))


def combination_of(text: str) -> dict[str, str]:
    """Parse a combination of levels written as `column=level,other=level`."""
    pairs = [item.partition("=") for item in listed(text)]
    if not all(sign and name and level for name, sign, level in pairs):
        raise RecordsError("--impossible takes columns with a level each: age=10-19,smoker=yes")
    return {name.strip(): level.strip() for name, _, level in pairs}


@dataclass(frozen=True, slots=True)
class File:
    """A CSV file with a header; `-` is standard input. If `separator` is None, it is detected from the header."""

    path: Path
    encoding: str = "utf-8"
    separator: str | None = None

    def __str__(self) -> str:
        return "standard input" if str(self.path) == "-" else str(self.path)


def table_of(
    file: File,
    *,
    raw: bool,
    labels: str | None,
    levels: Sequence[str],
    impossible: Sequence[str],
    missing: str | None,
    report: Callable[[int], None],
) -> tuple[Cells, list[int]]:
    """Return the cells and counts that the options of a command describe, from raw records or from counts.

    Raises RecordsError.
    """
    if labels is not None and levels:
        raise RecordsError("give either --labels or --levels")
    columns = [column_of(each) for each in levels] if labels is None else [Column("", listed(labels))]
    without = [combination_of(each) for each in impossible]
    if not raw:
        return read_counts(file, columns, without)
    if not columns:
        raise RecordsError("give --labels or --levels: labels that are found in data are not public")
    cells = Cells(tuple(columns), tuple(without))
    return cells, count_records(file, cells, missing=missing, report=report)


def count_records(
    file: File, cells: Cells, *, missing: str | None = None, report: Callable[[int], None] = lambda _: None
) -> list[int]:
    """Return the number of records in each cell of a CSV file with a header. Raises RecordsError.

    An empty field counts as the level `missing`, and is an error if `missing` is None. `report` is called from time to
    time with the number of rows read.
    """
    with _rows(file, [column.name for column in cells.columns]) as rows:
        numbers = {levels: number for number, levels in enumerate(cells.possible())}
        counts = [0] * len(numbers)
        places = _places(next(rows, (1, []))[1], cells.columns)
        reader = _Reader(cells.columns, numbers, missing)
        # Remember which cell each spelling belongs to, padded or not, for a bounded number of spellings.
        known: dict[tuple[str, ...], int] = {}
        for read, (line, row) in enumerate(rows, start=1):
            written = tuple([row[place] for place in places])
            number = known.get(written)
            if number is None:
                number = reader.cell(written, line)
                if number is None:
                    continue
                if len(known) < MOST_CELLS:
                    known[written] = number
            counts[number] += 1
            if read % _ROWS_BETWEEN_REPORTS == 0:
                report(read)
    reader.require_no_faults()
    if not any(counts):
        raise RecordsError(f"{file} has no records")
    return counts


def read_counts(
    file: File, columns: Sequence[Column], impossible: Sequence[Mapping[str, str]]
) -> tuple[Cells, list[int]]:
    """Return the cells and counts of a CSV file with a header whose last column is `count`. Raises RecordsError.

    Without `columns`, the column before it has the labels, in order. Otherwise every possible cell occurs once, in any
    order.
    """
    with _rows(file, [*(column.name for column in columns), "count"]) as rows:
        header = [name.strip() for name in next(rows, (1, []))[1]]
        if not header or header[-1] != "count":
            shown = f"; the last of {_quoted_list(header)} is {_quoted(header[-1])}" if header else ""
            raise RecordsError(f"{file} must have a header, and `count` as its last column{shown}")
        lines = [(line, [item.strip() for item in row]) for line, row in rows]
    for line, row in lines:
        if any(item.casefold() in _SUMS for item in row[:-1]) and not _are_levels(row[:-1], columns):
            item = next(item for item in row[:-1] if item.casefold() in _SUMS)
            raise RecordsError(f"line {line}: {_quoted(item)} looks like a sum of other rows; leave such rows out")
    if not columns:
        if len(header) != 2:
            raise RecordsError(f"{file} must have two columns, label and count; --levels makes a cross table")
        cells = Cells((Column("", tuple(row[0] for _, row in lines)),))
    else:
        cells = Cells(tuple(columns), tuple(impossible))
    places = [0] if not columns else _places(header, cells.columns)
    numbers = {levels: number for number, levels in enumerate(cells.possible())}
    reader = _Reader(cells.columns, numbers, None)
    found: dict[int, int] = {}
    for line, row in lines:
        number = reader.cell(tuple(row[place] for place in places), line)
        if number is None:
            continue
        if number in found:
            raise RecordsError(f"line {line}: this cell stood above already")
        found[number] = _whole_number(row[-1], line)
    reader.require_no_faults()
    if len(found) != len(numbers):
        absent = next(label for number, label in enumerate(cells.labels) if number not in found)
        raise RecordsError(
            f"{file} must hold every possible cell, empty ones with a count of 0; {_quoted(absent)} is absent"
        )
    counts = [found[number] for number in range(len(numbers))]
    if not any(counts):
        raise RecordsError(f"{file} has no records: every count is 0")
    if sum(counts) > _MAX_RECORDS:
        raise RecordsError(f"{file} has more than 2^53 records, which is no count of people")
    return cells, counts


def _are_levels(row: Sequence[str], columns: Sequence[Column]) -> bool:
    """Return whether every word of the row that can mean a sum, such as `total`, is a level that the owner listed."""
    known = {level for column in columns for level in column.levels}
    return all(item in known for item in row if item.casefold() in _SUMS)


def _whole_number(text: str, line: int) -> int:
    if re.fullmatch(r"[0-9]+([.,]0{1,2})?", text):  # spreadsheets write 5.0 and 5,0 for a whole number
        number = int(re.split("[.,]", text)[0])
        if number > _MAX_RECORDS:
            raise RecordsError(f"line {line}: the count {text} is more than 2^53, which is no count of people")
        return number
    rule = "the count must be a whole number that is not negative"
    if text.casefold() in _NOT_A_NUMBER:
        raise RecordsError(f"line {line}: {rule}, and 0 for nobody; this one is {_quoted(text)}")
    if re.fullmatch(r"[0-9]{1,3}([.,' \u00a0\u202f][0-9]{3})+", text):
        raise RecordsError(f"line {line}: {rule}; write {re.sub('[^0-9]', '', text)}, not {text}")
    raise RecordsError(f"line {line}: {rule}; this one is {_quoted(text)}")


@contextmanager
def _rows(file: File, columns: Sequence[str]) -> Iterator[Iterator[tuple[int, list[str]]]]:
    """Yield the rows with their line numbers. Each must be as long as the header. Raises RecordsError."""
    try:
        encoding = codecs.lookup(file.encoding).name
    except LookupError:
        raise RecordsError(
            "--encoding names no encoding that is known here, such as utf-8, latin-1 or cp1252"
        ) from None
    if encoding == "utf-8":
        encoding = "utf-8-sig"
    try:
        if str(file.path) == "-":
            yield _even(_decoded(sys.stdin.buffer, encoding), file.separator, columns)
        else:
            with file.path.open("rb") as opened:
                yield _even(_decoded(opened, encoding), file.separator, columns)
    except OSError as error:
        raise RecordsError(f"{file} can't be read: {error.strerror}") from None


def _require_text(beginning: bytes, encoding: str) -> None:
    """Raise RecordsError if the first bytes show a spreadsheet, or a byte-order mark of another encoding."""
    if beginning.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise RecordsError("this is a spreadsheet (XLSX, XLS or ODS), and no CSV file: save as CSV, and give that file")
    if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not encoding.startswith("utf-16"):
        raise RecordsError("this file is written in UTF-16: --encoding utf-16")


def _decoded(file: BinaryIO, encoding: str) -> Iterator[str]:
    # Line by line, so that the line of a wrong byte is known; if a line does not end with the byte of a newline, by a
    # wrapper that reads ahead.
    if isinstance(file, io.BufferedReader):
        _require_text(file.peek(4)[:4], encoding)
    wrapper = None if "\n".encode(encoding).endswith(b"\n") else io.TextIOWrapper(file, encoding=encoding, newline="")
    number = 0
    try:
        for line in file if wrapper is None else wrapper:
            number += 1
            yield line.decode(encoding) if isinstance(line, bytes) else line
    except UnicodeError:
        name = "utf-8" if encoding == "utf-8-sig" else encoding
        raise RecordsError(
            f"line {number or 1}: this is not {name}; --encoding says what the file is written in, such as latin-1 or "
            "cp1252"
        ) from None
    finally:
        if wrapper is not None:
            wrapper.detach()


def _even(lines: Iterator[str], separator: str | None, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    first = next(lines, "")
    delimiter = _separator_of(first, columns) if separator is None else _SEPARATORS[separator]
    reader = csv.reader(chain([first], lines), delimiter=delimiter, strict=True)
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


def _separator_of(header: str, columns: Sequence[str]) -> str:
    """Return the separator with which the header contains the expected columns; otherwise the one that splits it
    most.
    """

    def fields(delimiter: str) -> list[str]:
        try:
            return [name.strip() for name in next(csv.reader([header], delimiter=delimiter), [])]
        except csv.Error:
            return []

    parted = {delimiter: fields(delimiter) for delimiter in _SEPARATORS.values()}
    return max(parted, key=lambda each: (len(set(columns) & set(parted[each])), len(parted[each])))


def _places(header: Sequence[str], columns: Sequence[Column]) -> list[int]:
    names = [name.strip() for name in header]
    if not names:
        raise RecordsError("the file is empty; its first line must name the columns")
    if [column.name for column in columns] == [""]:
        if len(names) != 1:
            raise RecordsError(
                f"--labels is for a file with one column, and this one has {_quoted_list(names)}; --levels "
                "name=first,second says which column"
            )
        return [0]
    for column in columns:
        if names.count(column.name) > 1:
            raise RecordsError(f"the header has {names.count(column.name)} columns {column.name!r}")
        if column.name not in names:
            near = _nearest(column.name, names)
            raise RecordsError(
                f"the header has no column {column.name!r}; it has {_quoted_list(names)}"
                + (f", and the nearest is {near!r}: write --levels {near}=…" if near else "")
            )
    return [names.index(column.name) for column in columns]


@dataclass(slots=True)
class _Reader:
    """Finds the cell of each row, and records the rows that match none."""

    columns: Sequence[Column]
    numbers: Mapping[tuple[str, ...], int]
    missing: str | None
    faults: dict[str, int] = field(default_factory=dict)
    """The number of lines with each kind of fault."""
    first: dict[str, str] = field(default_factory=dict)
    """Message about the first line with each kind of fault."""

    def cell(self, written: Sequence[str], line: int) -> int | None:
        """Return the number of the row's cell, or None if the row has a fault."""
        levels = []
        for text, column in zip(written, self.columns, strict=True):
            given = text.strip() or self.missing
            level = None if given is None else _level_of(given, column.levels)
            if level is None:
                self._note_fault(given, column, line)
                return None
            levels.append(level)
        number = self.numbers.get(tuple(levels))
        if number is None:
            self._count("impossible")
            self.first.setdefault(
                "impossible", f"line {line}: {_quoted_list(levels)} were said to be impossible together"
            )
        return number

    def _note_fault(self, given: str | None, column: Column, line: int) -> None:
        kind = "empty" if given is None else "level"
        self._count(kind)
        if kind in self.first:
            return
        self.first[kind] = (
            f"line {line}: {_named(column)} is empty; --missing LEVEL counts empty fields as a level"
            if given is None
            else f"line {line}: {_named(column)} has {_quoted(given)}, which is none of its levels"
            + _near_level(given, column)
        )

    def _count(self, kind: str) -> None:
        self.faults[kind] = self.faults.get(kind, 0) + 1

    def require_no_faults(self) -> None:
        """Raise RecordsError with the first fault of each kind."""
        said = [
            self.first[kind] + (f" ({count} such lines)" if count > 1 else "") for kind, count in self.faults.items()
        ]
        if said:
            raise RecordsError(". ".join(said))


def _near_level(given: str, column: Column) -> str:
    near = _nearest(given, column.levels)
    return f"; the nearest is {near!r}" if near else f"; they are {_quoted_list(column.levels)}"


def _level_of(text: str, levels: Sequence[str]) -> str | None:
    """Return the level in a field: the same text, or the same number with a decimal comma instead of a point."""
    return text if text in levels else _as_decimal(text, levels)


def _as_decimal(text: str, levels: Sequence[str]) -> str | None:
    """Return the level that is the same number with a point instead of a comma, or the reverse."""
    if not re.fullmatch(r"-?[0-9]+[.,][0-9]+", text):
        return None
    other = text.replace(",", ".") if "," in text else text.replace(".", ",")
    return other if other in levels else None


def _nearest(text: str, known: Sequence[str]) -> str | None:
    """Return the name that was probably meant: equal except for case and spaces, or similar."""
    folded = {re.sub(r"[\s_-]", "", each).casefold(): each for each in known if each}
    plain = re.sub(r"[\s_-]", "", text).casefold()
    if plain in folded:
        return folded[plain]
    near = get_close_matches(plain, folded, n=1, cutoff=0.6)
    return folded[near[0]] if near else None


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}…")


def _quoted_list(texts: Sequence[str]) -> str:
    return ", ".join(map(_quoted, texts[:20])) + (", …" if len(texts) > 20 else "")


def _named(column: Column) -> str:
    return f"column {column.name!r}" if column.name else "the column"
