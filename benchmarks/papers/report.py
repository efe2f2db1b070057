"""A part of the report: a source's claim, the finding, the difference, and the pictures; its Markdown, and the tables
that are too long for it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO
from typing import Final

MOST_ROWS: Final = 4
"""Rows of the largest table that stands in the report. A longer one is a CSV file beside it."""


@dataclass(frozen=True)
class Table:
    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        lines = [self.header, ["---"] * len(self.header), *self.rows]
        return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)

    def csv(self) -> str:
        file = StringIO()
        csv.writer(file, lineterminator="\n").writerows([self.header, *self.rows])
        return file.getvalue()


@dataclass(frozen=True)
class Picture:
    """An SVG document, the name of its file without the suffix, and its caption."""

    name: str
    svg: str
    alternative: str

    def markdown(self) -> str:
        return f"![{self.alternative}]({self.name}.svg)"


@dataclass(frozen=True)
class Part:
    """`says` is the source's claim in its own terms, `true` the finding by exact numbers."""

    title: str
    says: str
    true: str
    tables: Sequence[Table] = ()
    pictures: Sequence[Picture] = ()
    numbers: dict[str, float] = field(default_factory=dict)

    def markdown(self) -> str:
        blocks = [f"### {self.title}"]
        if self.says:
            blocks.append(f"**The source says.** {self.says}")
        blocks.append(f"**True.** {self.true}" if self.says else self.true)
        blocks += [table.markdown() for table in self.tables if len(table.rows) <= MOST_ROWS]
        blocks += [f"[Table of {len(table.rows)} rows]({name})" for name, table in self.files().items()]
        blocks += [picture.markdown() for picture in self.pictures]
        return "\n\n".join(blocks)

    def files(self) -> dict[str, Table]:
        """Return the tables that are written to files, by file name."""
        stem = re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")
        long = [table for table in self.tables if len(table.rows) > MOST_ROWS]
        return {f"{stem}-{number}.csv": table for number, table in enumerate(long, start=1)}


def number(value: float, digits: int = 4) -> str:
    """A number for prose and tables: `digits` significant, no exponent where it can be avoided."""
    if value == 0.0:
        return "0"
    if 1e-4 <= abs(value) < 1e6:
        text = f"{value:.{digits}g}"
        return f"{float(text):,.0f}".replace(",", " ") if "e" in text else text
    return f"{value:.{max(digits - 2, 1)}e}"
