"""Each number of a how-to page is in tests/page_numbers.csv, with the file that has it and that file's words, or as an
example that the writer chose. `test_readme_numbers` has those of README.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parent.parent
HOW_TO: Final = ROOT / "docs" / "how-to"
RECORD: Final = ROOT / "tests" / "page_numbers.csv"
TABLES: Final = "(tables)"
"""Stands for the figures of a page's tables, which one file computes."""
EXAMPLE: Final = "example"
NOT_FIGURES: Final = re.compile(
    r"```.*?```|`[^`]*`|\]\([^)]*\)|^#[^\n]*|^ *\d+\. |\b0\.\d\.[\dx]|\bsteps? \d|^\| \d \|"
    r"|\b(?:Returns|returns|is a|of a|a) 50\d\b|\b50\d(?=,|\.? If|, with| in)|\b200 with\b|\b504 if\b",
    re.DOTALL | re.MULTILINE,
)
"""Code, links, headings, numbers of items, versions, exit codes and statuses of HTTP."""


class Figure(NamedTuple):
    """A number of a page in its words, and the file that has it in its own."""

    page: str
    words: str
    file: str
    text: str


def record() -> list[Figure]:
    with RECORD.open(encoding="utf-8", newline="") as file:
        return [Figure(**row) for row in csv.DictReader(file)]


def joined(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("page", sorted(path.name for path in HOW_TO.glob("*.md")))
def test_no_number_of_a_page_is_missing_in_the_record(page: str) -> None:
    text, figures = (HOW_TO / page).read_text(encoding="utf-8"), [each for each in record() if each.page == page]
    if any(each.words == TABLES for each in figures):
        text = re.sub(r"^\s*\|.*$", "", text, flags=re.MULTILINE)
    text = joined(NOT_FIGURES.sub(" … ", text))
    for each in figures:
        assert each.words == TABLES or each.words in text, each
        text = text.replace(each.words, "")
    assert re.findall(r".{0,40}\d.{0,40}", text) == []


def test_each_file_of_the_record_has_the_number() -> None:
    found = record()
    assert found == sorted(found, key=lambda each: each.page)
    stated = [each for each in found if each.file != EXAMPLE]
    assert len(stated) > 40
    missing = [each for each in stated if each.text not in joined((ROOT / each.file).read_text(encoding="utf-8"))]
    assert missing == []
    assert all(each.text for each in stated)
