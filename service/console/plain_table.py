"""Reads a table that was typed or pasted, in one way: names of columns in the first line, one separator, plain numbers.

Every other way is refused with the line and what to write. No sentence repeats a number, because it may be a count. In
a browser with JavaScript, the console understands other tables before they are sent.
"""

from __future__ import annotations

import csv
import io
import re
from typing import Final, NamedTuple

MOST_ROWS: Final = 10_000
MOST_COLUMNS: Final = 1_000
_SEPARATORS: Final = ",;\t"
_QUOTED_TEXT: Final = re.compile(r'"[^"]*"')
_NUMBER: Final = re.compile(r"-?[0-9]{0,18}\.?[0-9]{1,18}(?:[eE][-+]?[0-9]{1,3})?")
_GROUPED_NUMBER: Final = re.compile(r"-?[0-9]{1,3}(?:[.,' \u00a0\u202f\u2019][0-9]{3})+")


class TableError(ValueError):
    """The table can't be used. The sentence says why, and contains no count."""


class PlainTable(NamedTuple):
    """The names of the columns, and the rows with the number of the line that each begins on."""

    names: list[str]
    rows: list[tuple[int, list[str]]]


def read_plain_table(text: str) -> PlainTable:
    """Return the table in a text. Spaces around a value don't count. Raises TableError."""
    text = text.strip("\ufeff\r\n ") + "\n"
    first = re.split(r"[\r\n]", text, maxsplit=1)[0]
    found = [each for each in _SEPARATORS if each in _QUOTED_TEXT.sub("", first)]
    if len(found) != 1:
        raise TableError("The first line must name the columns, with one of comma, semicolon or tab between the names.")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=found[0], strict=True)
    names, rows, line = list[str](), list[tuple[int, list[str]]](), 1
    try:
        for row in reader:
            begun, line = line, reader.line_num + 1
            values = [" ".join(value.split()) for value in row]
            if not any(values):
                continue
            if names and len(values) != len(names):
                many = f"{len(values)} value{'' if len(values) == 1 else 's'}"
                raise TableError(f"Line {begun} has {many}, and the first line names {len(names)} columns.")
            if names:
                rows.append((begun, values))
            else:
                names = values
            if len(rows) > MOST_ROWS:
                raise TableError(f"The table has more than {MOST_ROWS} lines. Leave a column out, or merge values.")
    except csv.Error:
        raise TableError(f"Line {line} has a quotation mark without a partner.") from None
    if len(names) > MOST_COLUMNS:
        raise TableError(f"The table has more than {MOST_COLUMNS} columns.")
    if not all(names):
        raise TableError("The first line must name each column.")
    if len(set(names)) < len(names):
        raise TableError("Two columns have the same name.")
    return PlainTable(names, rows)


def decimal_number(text: str) -> float | int | None:
    """Return the number in a text as programs write it; None for others, and for `1.204`, which has two readings."""
    if not _NUMBER.fullmatch(text) or _GROUPED_NUMBER.fullmatch(text):
        return None
    number = float(text)
    return int(number) if number.is_integer() else number
