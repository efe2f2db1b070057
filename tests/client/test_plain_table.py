"""Tables of counts and of noisy values are read in one way, and every other way is refused with what to write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from private_posterior.errors import NotATable
from private_posterior.plain_table import read_plain_table, totals_among

if TYPE_CHECKING:
    from pathlib import Path

FEW = 0.5


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
        (b"a,b\n" + b"x,1\n" * 10_001, "has more than 10000 rows"),
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


@pytest.mark.parametrize(
    ("rows", "tolerance", "found"),
    [
        ([("north", 90), ("south", 105), ("all", 195)], 0.0, (0, "all")),
        ([("north", 90), ("south", 105), ("all", 195.3)], FEW, (0, "all")),
        ([("north", 90), ("south", 105), ("all", 197)], FEW, None),
        ([("north", 90), ("all", 90)], 0.0, None),
        ([("a", 0), ("b", 4), ("c", 4)], 0.0, None),
        ([("a", 20), ("b", 20), ("c", 20), ("d", 20)], 30.0, None),
        ([("north", 90), ("south", None), ("all", 195)], 0.0, None),
    ],
)
def test_a_label_is_a_total_by_its_number_and_not_by_its_name(
    rows: list[tuple[str, float | None]], tolerance: float, found: tuple[int, str] | None
) -> None:
    assert totals_among([([label], value) for label, value in rows], tolerance) == found


def test_a_level_is_a_total_in_three_groups_with_different_sums() -> None:
    cells = {(area, age): number for number, (area, age) in enumerate((a, b) for a in "uvw" for b in ("0-17", "18+"))}
    rows: list[tuple[list[str], float | None]] = [([*cell], float(number + 1)) for cell, number in cells.items()]
    totals = [([area, "000"], float(cells[area, "0-17"] + cells[area, "18+"] + 2)) for area in "uvw"]
    assert totals_among([*rows, *totals], 0.0) == (1, "000")
    assert totals_among([*rows, *totals[:2]], 0.0) is None
    assert totals_among([*rows, *totals[:2], (["w", "000"], 3.0)], 0.0) is None
    assert totals_among(rows, 0.0) is None


def test_a_level_is_a_total_beside_values_that_are_not_shown() -> None:
    rows: list[tuple[list[str], float | None]] = [
        ([area, age], value)
        for area, values in {"u": (900, 400, None, 1304), "v": (700, None, 350, 1057), "w": (610, 80, 35, 725)}.items()
        for age, value in zip(("0-17", "18-64", "65+", "000"), values, strict=True)
    ]
    assert totals_among(rows, 0.0) == (1, "000")
    assert totals_among([*rows[:3], (["u", "000"], 1340.0), *rows[4:]], 0.0) is None
