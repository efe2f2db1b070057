"""Tables of counts and of noisy values are read in one way, and every other way is refused with what to write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from private_posterior.errors import NotATable
from private_posterior.plain_table import read_plain_table, sum_among

CASES: Final[list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "files" / "totals.json").read_text("utf-8")
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.csv"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_names_one_separator_and_utf_8_make_a_table(file: Path, separator: str) -> None:
    file.write_text(
        f'\ufeffgröße{separator} count\n"a, b; c\td"{separator}3\n\n" two\nlines "{separator} 4 \n', "utf-8"
    )
    names, rows = read_plain_table(file)
    assert (names, rows) == (("größe", "count"), [(2, ["a, b; c\td", "3"]), (5, ["two\nlines", "4"])])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the first line of .* has one column"),
        (b"label count\nill 3\n", "has one column: separate the names of the columns by comma, semicolon or tab"),
        (b"a,b;count\nx,1;2\n", "has several separators"),
        (b"a,a\nx,1\n", "the names of the columns in the first line .* must differ"),
        (b"a,\nx,1\n", "none may be empty"),
        (b"label,count\nill,3,4\n", "line 2 has 3 values, and the first line names 2 columns"),
        (b"label,count\nill\n", "line 2 has 1 value, and .* open the file in the console, which leaves out notes"),
        (b'label,count\n"ill,3\n', "line 2 of .*: unexpected end of data"),
        ("größe,count\nklein,3\n".encode("latin-1"), "is not written in UTF-8: open it in the console"),
        ("label,count\n".encode("utf-16"), "is not written in UTF-8"),
        (b"PK\x03\x04\x14\x00", "is an Excel file: open it in the console, or save the table as CSV in UTF-8"),
        (b"a,b\n" + b"x,1\n" * 10_001, "has more than 10000 rows, the most for a table .* Join levels, or leave out"),
        (b"a,b\n" + b"x" * 16_000_000, "is larger than 16 MB"),
    ],
    ids=[
        "nothing",
        "space",
        "several",
        "twice",
        "no-name",
        "longer",
        "shorter",
        "quote",
        "latin-1",
        "utf-16",
        "excel",
        "rows",
        "bytes",
    ],
)
def test_what_can_be_read_in_another_way_is_refused(file: Path, content: bytes, words: str) -> None:
    file.write_bytes(content)
    with pytest.raises(NotATable, match=words):
        read_plain_table(file)


def test_a_file_that_is_not_there_is_named(file: Path) -> None:
    with pytest.raises(NotATable, match=r"table\.csv can't be read: No such file"):
        read_plain_table(file)


@pytest.mark.parametrize("case", [case for case in CASES if case.keys().isdisjoint({"tolerance"})])
def test_a_count_is_the_sum_of_the_others_by_the_cases_of_the_service(case: dict[str, Any]) -> None:
    cells = case["cells"]
    if not all(isinstance(value, int) for value in cells.values()):
        pytest.skip("a table of counts has no count that is not shown")
    assert sum_among(cells) == case["total"]
