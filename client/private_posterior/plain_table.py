"""Reads a small table from a CSV file in one way, and refuses every other with the line and what to write.

A first line with the names of the columns, one separator, UTF-8, and numbers as a program writes them. The console
understands other files.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from private_posterior.errors import NotATable

MOST_ROWS: Final = 10_000
_MOST_BYTES: Final = 16_000_000
_SEPARATORS: Final = ",;\t"
_KINDS: Final = (
    (b"PK\x03\x04", "an Excel file"),
    (b"\xd0\xcf\x11\xe0", "an old Excel file"),
    (b"PAR1", "a Parquet file"),
    (b"%PDF", "a PDF file"),
    (b"\x1f\x8b", "a packed file"),
)
"""First bytes of files that are not texts."""
_WHOLE_NUMBER: Final = re.compile(r"[0-9]+")
_NUMBER: Final = re.compile(r"-?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?")
_GROUPED_NUMBER: Final = re.compile(r"-?[0-9]{1,3}(?:[.,' \u00a0\u202f\u2019][0-9]{3})+")
_MINUS: Final = "\u2212"
_FEWEST_PARTS: Final = 2


class PlainTable(NamedTuple):
    """The names of the columns, and the rows with the number of the line that each ends on."""

    names: tuple[str, ...]
    rows: list[tuple[int, list[str]]]


def read_plain_table(path: Path) -> PlainTable:
    """Return the table in a file; `-` is standard input. Spaces around a value don't count. Raises NotATable."""
    name = "standard input" if str(path) == "-" else str(path)
    text = _text(path, name)
    separator, names = header_of(text.partition("\n")[0], name)
    if not separator:
        raise NotATable(
            f"the first line of {name} has one column: separate the names of the columns by comma, semicolon or tab"
        )
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        next(reader)
        rows = [(reader.line_num, [each.strip() for each in row]) for row in reader if any(map(str.strip, row))]
    except csv.Error as error:
        raise NotATable(f"line {reader.line_num} of {name}: {error}") from None
    for line, row in rows:
        if len(row) != len(names):
            values = f"{len(row)} value{'' if len(row) == 1 else 's'}"
            raise NotATable(
                f"line {line} has {values}, and the first line names {len(names)} columns. Correct it, or open the "
                "file in the console, which leaves out notes below a table"
            )
    if len(rows) > MOST_ROWS:
        raise NotATable(
            f"{name} has more than {MOST_ROWS} rows, the most for a table with a row for each cell. Join levels, or "
            "leave out a column and add up its rows. A file with a row for each record is for datasets create --records"
        )
    return PlainTable(names, rows)


def header_of(line: str, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the separator in the first line of a file, "" for one column, and the names. Raises NotATable."""
    found = [each for each in _SEPARATORS if each in re.sub(r'"[^"]*"', "", line)]
    if len(found) > 1:
        raise NotATable(f"the first line of {name} has several separators: use one of comma, semicolon and tab")
    try:
        (row,) = csv.reader([line.rstrip("\r\n")], delimiter=found[0] if found else ",", strict=True)
    except (csv.Error, ValueError):
        raise NotATable(f"the first line of {name} does not name columns") from None
    names = tuple(each.strip() for each in row)
    if not all(names) or len(set(names)) != len(names):
        raise NotATable(f"the names of the columns in the first line of {name} must differ, and none may be empty")
    return (found[0] if found else ""), names


def _text(path: Path, name: str) -> str:
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(_MOST_BYTES + 1)
        else:
            with path.open("rb") as file:
                data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise NotATable(f"{name} can't be read: {error.strerror}") from None
    remedy = "open it in the console, or save the table as CSV in UTF-8"
    if kind := next((kind for signature, kind in _KINDS if data.startswith(signature)), None):
        raise NotATable(f"{name} is {kind}: {remedy}")
    if len(data) > _MOST_BYTES:
        raise NotATable(f"{name} is larger than {_MOST_BYTES // 1_000_000} MB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotATable(f"{name} is not written in UTF-8: {remedy}") from None


def whole_number(text: str, where: str) -> int:
    """Return a number of records. Raises NotATable."""
    if _WHOLE_NUMBER.fullmatch(text):
        return int(text)
    raise NotATable(
        f"{where}: the count must be a whole number that is not negative, and 0 for nobody; {_advice(text)}"
    )


def decimal_number(text: str, what: str) -> int | float:
    """Return a number that may have a sign and decimals. Raises NotATable."""
    if _NUMBER.fullmatch(text) and not _GROUPED_NUMBER.fullmatch(text):
        number = float(text)
        return int(number) if number.is_integer() else number
    raise NotATable(f"{what} is not a number as programs write it; {_advice(text)}")


def _advice(text: str) -> str:
    plain = text.replace(_MINUS, "-")
    if _GROUPED_NUMBER.fullmatch(plain):
        whole = re.sub(r"[^-0-9]", "", plain)
        decimals = f", or {plain}0 for a number with decimals" if re.fullmatch(r"-?[0-9]+\.[0-9]+", plain) else ""
        return f"{text!r} can be read in two ways: write {whole}{decimals}"
    if plain != text:
        return f"write {plain}, with a hyphen"
    if re.fullmatch(r"-?[0-9]+,[0-9]+", text):
        return f"write {text.replace(',', '.')}, not {text}"
    return f"this one is {text[:40]!r}"


def sum_among(counts: Mapping[str, int]) -> str | None:
    """Return a label whose count is the sum of the others, of which two at least are not 0; or None."""
    if sum(map(bool, counts.values())) <= _FEWEST_PARTS:
        return None
    whole = sum(counts.values())
    return next((label for label, each in counts.items() if 2 * each == whole), None)
