"""Opens a CSV or Excel file, and finds how it is written. `static/files.js` of the console has the same rules."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from private_posterior.commands.encodings import ENCODINGS, find_encoding
from private_posterior.commands.tabular import FileError, Table, read_records, read_table
from private_posterior.commands.workbook import Workbook

_EXCEL: Final = b"PK\x03\x04"
_OTHER_KINDS: Final = (
    (b"\xd0\xcf\x11\xe0", "an old Excel file (.xls), or one with a password"),
    (b"%PDF", "a PDF file"),
    (b"\x1f\x8b", "a packed file"),
    (b"PAR1", "a Parquet file"),
    (b"$FL", "an SPSS file"),
    (b"<stata_dta>", "a Stata file"),
    (b"RDX", "an R file"),
)
"""First bytes of files that are neither texts nor Excel files."""
_REMEDY: Final = "Save the table as .xlsx without a password, or as CSV"
_LONGEST_LINE: Final = 2**24
"""Characters of the longest line."""
SEPARATORS: Final = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "space": " "}


@dataclass(frozen=True, slots=True)
class File:
    """A CSV or Excel file; `-` is standard input. A setting that is None is detected."""

    path: Path
    encoding: str | None = None
    separator: str | None = None
    names_line: int | None = None
    sheet: str | None = None

    def __str__(self) -> str:
        return "standard input" if str(self.path) == "-" else str(self.path)


@dataclass(frozen=True, slots=True)
class Opened:
    """A table that is being read, and how its file is written: `encoding` or, in an Excel file, `sheet`."""

    table: Table
    encoding: str = ""
    sheet: str = ""
    sheets: Sequence[str] = ()


@contextmanager
def opened(file: File) -> Iterator[Opened]:
    """Open a file until the block ends. Raises FileError."""
    try:
        if str(file.path) == "-":
            encoding, text = _text(sys.stdin.buffer, file, is_whole=False)
            try:
                yield _table(text, encoding, file)
            finally:
                text.detach()  # so that standard input stays open
            return
        with file.path.open("rb") as source:
            if source.peek(4)[:4] == _EXCEL:
                book = Workbook(source)
                sheet = book.sheet(file.sheet)
                table = read_records(book.rows(sheet), names_line=file.names_line)
                yield Opened(table, sheet=sheet.name, sheets=[each.name for each in book.sheets])
                return
            encoding, text = _text(source, file, is_whole=True)
            with text:
                yield _table(text, encoding, file)
    except OSError as error:
        raise FileError(f"{file} can't be read: {error.strerror}") from None


def _text(source: BinaryIO, file: File, *, is_whole: bool) -> tuple[str, io.TextIOWrapper]:
    """Return the encoding of a file, given or found, and its text."""
    if file.sheet is not None:
        raise FileError("this file has no sheets")
    start = source.peek(16)[:16] if isinstance(source, io.BufferedReader) else b""
    if start.startswith(_EXCEL):
        raise FileError("an Excel file is read from a path, not from standard input")
    for signature, kind in _OTHER_KINDS:
        if start.startswith(signature):
            raise FileError(f"this is {kind}. {_REMEDY}")
    encoding = file.encoding or _found(source, is_whole=is_whole)
    if encoding is None:
        raise FileError(f"this is neither a text nor an Excel file. {_REMEDY}")
    try:
        codec = codecs.lookup(ENCODINGS.get(encoding.lower(), encoding))
    except LookupError:
        raise FileError(f"the encoding {encoding!r} is unknown. Choose one such as utf-8 or windows-1252") from None
    return encoding, io.TextIOWrapper(source, encoding=codec.name, newline="")


def _table(text: io.TextIOWrapper, encoding: str, file: File) -> Opened:
    separator = None if file.separator is None else SEPARATORS[file.separator]
    return Opened(read_table(_lines(text, encoding), separator=separator, names_line=file.names_line), encoding)


def _found(source: BinaryIO, *, is_whole: bool) -> str | None:
    if is_whole:
        found = find_encoding(source)
        source.seek(0)
        return found
    return (
        find_encoding(io.BytesIO(source.peek()), is_whole=False) if isinstance(source, io.BufferedReader) else "utf-8"
    )


def _lines(text: io.TextIOWrapper, encoding: str) -> Iterator[str]:
    number = 0
    try:
        while line := text.readline(_LONGEST_LINE):
            number += 1
            if len(line) >= _LONGEST_LINE:
                raise FileError(f"line {number} is longer than {_LONGEST_LINE} characters")
            yield line
    except UnicodeError:
        raise FileError(f"the file is not written in {encoding}. Choose another encoding") from None
