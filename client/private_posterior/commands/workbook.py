"""Reads the sheets of an Excel file (.xlsx), a row at a time. The console's `static/workbook.js` has the same rules."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import floor, isinf
from typing import BinaryIO, Final
from xml.parsers import expat  # document types, and with them entities, are refused below

from private_posterior.commands.tabular import LONGEST_VALUE, MOST_COLUMNS, FileError, Record

_MOST_UNPACKED: Final = 512 * 2**20
"""Bytes of a part of the file, unpacked."""
_MOST_PARTS: Final = 10_000
_MOST_TEXTS: Final = 5_000_000
"""Texts that the sheets share."""
_MOST_ROWS: Final = 1_048_576
_CHUNK: Final = 65_536
_DATES: Final = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
"""Formats of dates and times that every Excel file has."""
_FLOAT: Final = re.compile(r"[-+]?[0-9]{1,400}(\.[0-9]{0,400})?([eE][-+]?[0-9]{1,3})?")
_PLACE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_CODE: Final = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
"""Parts of a format's code that are not of a date: texts, escaped letters, colours and conditions."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: its name, whether it is hidden, and the part of the file with its rows."""

    name: str
    is_hidden: bool
    part: str


class _Handler:
    """Takes the tags and texts of a part of the file, and gives the rows that are complete."""

    def begin(self, name: str, given: dict[str, str]) -> None:
        """Take the beginning of an element."""

    def end(self, name: str) -> None:
        """Take the end of an element."""

    def text(self, text: str) -> None:
        """Take a text."""

    def taken(self) -> list[Record]:
        """Return the rows that are complete, once."""
        return []


class _Tags(_Handler):
    def __init__(self, begin: Callable[[str, dict[str, str]], None]) -> None:
        self._begin = begin

    def begin(self, name: str, given: dict[str, str]) -> None:
        self._begin(name, given)


class _Texts(_Handler):
    """The texts that the sheets share. A text has runs; what is read aloud (`rPh`) is not of it."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._parts: list[str] = []
        self._is_text = False
        self._is_aloud = False

    def begin(self, name: str, given: dict[str, str]) -> None:  # noqa: ARG002  no element of it has an attribute that matters
        if name == "si":
            self._parts = []
        elif name == "rPh":
            self._is_aloud = True
        elif name == "t":
            self._is_text = not self._is_aloud

    def end(self, name: str) -> None:
        if name == "si":
            if len(self.found) >= _MOST_TEXTS:
                raise FileError(f"the file has more than {_MOST_TEXTS} texts. Save the table as CSV")
            self.found.append("".join(self._parts))
        elif name == "rPh":
            self._is_aloud = False
        elif name == "t":
            self._is_text = False

    def text(self, text: str) -> None:
        if self._is_text:
            self._parts.append(text)


class _Rows(_Handler):
    def __init__(self, texts: list[str], dates: list[bool], *, begins_1904: bool) -> None:
        self._texts = texts
        self._dates = dates
        self._begins_1904 = begins_1904
        self._done: list[Record] = []
        self._line = 0
        self._values: list[str] = []
        self._column = -1
        self._kind = "n"
        self._is_date = False
        self._is_value = False
        self._is_aloud = False
        self._parts: list[str] = []

    def begin(self, name: str, given: dict[str, str]) -> None:
        if name == "row":
            self._line = _int(given.get("r")) or self._line + 1
            if self._line > _MOST_ROWS:
                raise FileError(f"row {self._line} is beyond the {_MOST_ROWS} rows of a sheet")
            self._values, self._column = [], -1
        elif name == "c":
            self._column = _column(given.get("r", ""), self._column + 1)
            self._kind = given.get("t", "n")
            style = _int(given.get("s"))
            self._is_date = style < len(self._dates) and self._dates[style]
            self._parts = []
        elif name == "rPh":
            self._is_aloud = True
        elif name in {"v", "t"}:
            self._is_value = not self._is_aloud

    def text(self, text: str) -> None:
        if self._is_value:
            self._parts.append(text)

    def end(self, name: str) -> None:
        if name in {"v", "t"}:
            self._is_value = False
        elif name == "rPh":
            self._is_aloud = False
        elif name == "c" and self._parts:
            value = self._value("".join(self._parts))
            if len(value) > LONGEST_VALUE:
                raise FileError(f"row {self._line} has a value of more than {LONGEST_VALUE} characters")
            self._values.extend([""] * (self._column - len(self._values)))
            self._values[self._column :] = [value]
        elif name == "row" and any(self._values):
            self._done.append(Record(self._line, self._values))

    def taken(self) -> list[Record]:
        done, self._done = self._done, []
        return done

    def _value(self, text: str) -> str:
        if self._kind == "s":
            place = _int(text)
            return self._texts[place] if place < len(self._texts) else ""
        if self._kind == "b":
            return "TRUE" if text.strip() == "1" else "FALSE"
        if self._kind == "d":
            return text.replace("T", " ").removesuffix(" 00:00:00")
        if self._kind != "n":
            return text
        if not _FLOAT.fullmatch(text.strip()):
            return text
        number = float(text)
        return _date(number, begins_1904=self._begins_1904) if self._is_date else _number(number)


def _local(name: str) -> str:
    return name.rpartition(":")[2] if ":" in name else name


def _int(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) <= 9 else 0


def _column(place: str, otherwise: int) -> int:
    """Return the number of a cell's column, from 0."""
    found = _PLACE.fullmatch(place)
    column = otherwise
    if found:
        column = 0
        for letter in found[1]:
            column = column * 26 + ord(letter) - 64
        column -= 1
    if column >= MOST_COLUMNS:
        raise FileError(f"a cell is beyond the {MOST_COLUMNS} columns of a sheet")
    return column


def _number(number: float) -> str:
    """Return a number with the 15 digits that Excel shows, as JavaScript writes it."""
    short = float(f"{number:.15g}")
    if isinf(short):
        return "Infinity" if short > 0 else "-Infinity"
    if short.is_integer() and abs(short) < 1e21:
        return str(int(short))
    text = repr(short)
    if "e" not in text:
        return text
    digits, _, power = text.partition("e")
    if -7 <= int(power) < 0:
        return f"{short:.{len(digits.replace('-', '').replace('.', '')) - int(power) - 1}f}"
    return f"{digits}e{int(power):+d}"


def _date(number: float, *, begins_1904: bool) -> str:
    """Return the date and time that a day number of Excel stands for, or the number if it is not a day number."""
    seconds = floor(number * 86_400 + 0.5) if 0 <= number < 2_958_466 else -1  # as JavaScript rounds
    if not 0 <= seconds < 2_958_466 * 86_400:
        return _number(number)
    days, second = divmod(seconds, 86_400)
    time = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
    if days == 0 and not begins_1904:
        return time
    # Excel counts 29 February 1900, which was not a day.
    first = datetime(1904, 1, 1) if begins_1904 else datetime(1899, 12, 31 if days < 60 else 30)  # noqa: DTZ001  a date of a sheet has no zone
    date = (first + timedelta(days=days)).date().isoformat()
    return f"{date} {time}" if second else date


class Workbook:
    """An Excel file that is open. Raises FileError if it is of another kind."""

    def __init__(self, file: BinaryIO) -> None:
        try:
            self._packed = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, NotImplementedError, OSError):
            raise FileError("this packed file is damaged") from None
        self._parts = {info.filename: info for info in self._packed.infolist()}
        if len(self._parts) > _MOST_PARTS:
            raise FileError(f"this packed file has more than {_MOST_PARTS} parts")
        if "xl/workbook.xml" not in self._parts:
            raise FileError("this is a packed file, but not an Excel file (.xlsx). Save the table as .xlsx or CSV")
        self._begins_1904 = False
        self.sheets = self._read_sheets()
        self._dates: list[bool] | None = None
        self._texts: list[str] | None = None

    def sheet(self, name: str | None) -> Sheet:
        """Return the sheet of this name, or the first that is not hidden. Raises FileError."""
        for sheet in self.sheets:
            if sheet.name == name or (name is None and not sheet.is_hidden):
                return sheet
        shown = ", ".join(repr(sheet.name) for sheet in self.sheets[:20])
        raise FileError(
            f"the file has no sheet {name!r}; it has {shown}" if name else "the file has no sheet with a table"
        )

    def rows(self, sheet: Sheet) -> Iterator[Record]:
        """Yield the rows of a sheet that have a value. Raises FileError."""
        if self._dates is None or self._texts is None:
            self._dates, self._texts = self._read_dates(), self._read_texts()
        rows = _Rows(self._texts, self._dates, begins_1904=self._begins_1904)
        yield from self._parsed(sheet.part, rows)

    def _read_sheets(self) -> list[Sheet]:
        targets = dict[str, str]()
        found = list[tuple[str, str, str]]()

        def relation(name: str, given: dict[str, str]) -> None:
            if name == "Relationship":
                target = given.get("Target", "")
                targets[given.get("Id", "")] = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"

        def sheet(name: str, given: dict[str, str]) -> None:
            if name == "sheet":
                number = next((value for key, value in given.items() if key.rpartition(":")[2] == "id"), "")
                found.append((given.get("name", ""), given.get("state", "visible"), number))
            elif name == "workbookPr":
                self._begins_1904 = given.get("date1904", "0") in {"1", "true"}

        self._parse("xl/_rels/workbook.xml.rels", relation)
        self._parse("xl/workbook.xml", sheet)
        return [
            Sheet(name, state != "visible", targets[number])
            for name, state, number in found
            if "worksheets/" in targets.get(number, "")
        ]

    def _read_dates(self) -> list[bool]:
        """Return, for each style of a cell, whether it shows a date."""
        codes = dict[int, bool]()
        formats = list[int]()
        is_in_cells = False

        def begin(name: str, given: dict[str, str]) -> None:
            nonlocal is_in_cells
            if name == "numFmt":
                code = _CODE.sub("", given.get("formatCode", ""))
                codes[_int(given.get("numFmtId"))] = bool(re.search("[dmyhs]", code, re.IGNORECASE))
            elif name in {"cellXfs", "cellStyleXfs"}:
                is_in_cells = name == "cellXfs"
            elif name == "xf" and is_in_cells:
                formats.append(_int(given.get("numFmtId")))
            elif name == "cellStyles":
                is_in_cells = False

        self._parse("xl/styles.xml", begin)
        return [codes.get(each, each in _DATES) for each in formats]

    def _read_texts(self) -> list[str]:
        texts = _Texts()
        for _ in self._parsed("xl/sharedStrings.xml", texts):
            pass
        return texts.found

    def _parse(self, part: str, begin: Callable[[str, dict[str, str]], None]) -> None:
        for _ in self._parsed(part, _Tags(begin)):
            pass

    def _parsed(self, part: str, handler: _Handler) -> Iterator[Record]:
        info = self._parts.get(part)
        if info is None:
            return
        if info.file_size > _MOST_UNPACKED:
            raise FileError(f"{part} is larger than {_MOST_UNPACKED >> 20} MiB unpacked. Save the table as CSV")
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = lambda name, given: handler.begin(_local(name), given)
        parser.EndElementHandler = lambda name: handler.end(_local(name))
        parser.CharacterDataHandler = handler.text
        parser.StartDoctypeDeclHandler = _refuse_type
        size = 0
        try:
            with self._packed.open(info) as opened:
                while chunk := opened.read(_CHUNK):
                    size += len(chunk)
                    if size > _MOST_UNPACKED:
                        raise FileError(
                            f"{part} is larger than {_MOST_UNPACKED >> 20} MiB unpacked. Save the table as CSV"
                        )
                    parser.Parse(chunk, False)
                    yield from handler.taken()
                parser.Parse(b"", True)
                yield from handler.taken()
        except (expat.ExpatError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError):
            raise FileError("this Excel file is damaged") from None


def _refuse_type(*_: object) -> None:
    raise FileError("this Excel file has a document type, which no program for tables writes")
