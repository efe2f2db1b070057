"""Raw records are counted into the cells that their owner named, whatever the file is like, or refused by line and
rule.
"""

from __future__ import annotations

import tracemalloc
from collections import Counter
from pathlib import Path

import pytest

from private_posterior.commands.records import (
    Cells,
    Column,
    RecordsError,
    column_of,
    combination_of,
    count_records,
    listed,
)
from private_posterior.commands.records import read_counts as read

ARM, OUTCOME = Column("arm", ("new", "old")), Column("outcome", ("ill", "well"))
TABLE = Cells((ARM, OUTCOME))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "records.csv"


def test_the_last_column_changes_fastest_and_other_columns_do_not_matter(file: Path) -> None:
    file.write_text("id,outcome,arm\n1,ill,new\n2,well,old\n3, well ,old\n4,ill,old\n")
    assert TABLE.labels == ["new · ill", "new · well", "old · ill", "old · well"]
    assert count_records(file, TABLE) == [1, 0, 1, 2]


def test_impossible_cells_are_left_out_and_a_record_in_one_is_refused(file: Path) -> None:
    cells = Cells((ARM, OUTCOME), ({"arm": "old", "outcome": "ill"},))
    assert cells.labels == ["new · ill", "new · well", "old · well"]
    assert cells.description()["impossible"] == [{"arm": ["old"], "outcome": ["ill"]}]
    file.write_text("arm,outcome\nnew,ill\nold,ill\n")
    with pytest.raises(RecordsError, match=r"line 3: .* impossible together"):
        count_records(file, cells)


def test_lists_may_hold_commas_and_quotes() -> None:
    assert listed('a, "b, c",d') == ("a", "b, c", "d")
    assert column_of('age="10,000-20,000",20K+') == Column("age", ("10,000-20,000", "20K+"))
    assert combination_of("age=0-9, smoker=yes") == {"age": "0-9", "smoker": "yes"}


def test_quoted_fields_may_hold_line_breaks_and_the_line_is_still_right(file: Path) -> None:
    file.write_text('note,arm,outcome\n"two\nlines",new,ill\nx,new,dead\n')
    with pytest.raises(RecordsError, match=r"line 4: column 'outcome' has none of the levels"):
        count_records(file, TABLE)


def test_an_empty_field_counts_as_the_level_that_is_named_for_it(file: Path) -> None:
    file.write_text('outcome\nill\n""\nwell\n')
    cells = Cells((Column("outcome", ("ill", "well", "unknown")),))
    assert count_records(file, cells, missing="unknown") == [1, 1, 1]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1", "cp1252", "utf-16"])
def test_a_file_is_read_in_its_encoding(file: Path, encoding: str) -> None:
    file.write_bytes("größe\nklein\ngroß\n".encode(encoding))
    assert count_records(file, Cells((Column("größe", ("klein", "groß")),)), encoding=encoding) == [1, 1]


SECRET = "Huntington"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b"arm,outcome\n", "has no records"),
        (f"arm,outcome\nnew,ill\nnew,{SECRET}\n".encode(), "line 3: column 'outcome' has none of the levels"),
        (f"arm,outcome\nnew,ill\n,{SECRET}\n".encode(), "line 3: column 'arm' is empty; --missing LEVEL"),
        (f"arm,outcome\nnew,{SECRET}\xe9\n".encode("latin-1"), "line 2: this is not utf-8; --encoding says"),
        (f"arm,outcome\nnew,ill,{SECRET}\n".encode(), "line 2: has 3 fields where the header has 2"),
        (b"arm,outcome\nnew,ill\n\nold,ill\n", "line 3 is empty"),
        (f'arm,outcome\nnew,"{SECRET}\n'.encode(), "a quote may be missing"),
        (b"arm,result\nnew,ill\n", "one column 'outcome'"),
        (b"arm,outcome,outcome\nnew,ill,ill\n", "one column 'outcome'"),
    ],
    ids=["nothing", "header", "level", "empty", "encoding", "fields", "blank", "quote", "column", "twice"],
)
def test_what_is_wrong_is_told_by_line_and_rule_and_not_repeated(file: Path, content: bytes, words: str) -> None:
    file.write_bytes(content)
    with pytest.raises(RecordsError, match=words) as told:
        count_records(file, TABLE)
    assert SECRET not in str(told.value)


@pytest.mark.parametrize("count", [100_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_many_rows_are_counted_a_row_at_a_time(file: Path, count: int) -> None:
    rows = ["new,ill\n", "old,well\n", " new , well\n", "old,ill\n"]
    with file.open("w") as sink:
        sink.write("arm,outcome\n")
        sink.writelines(rows[number % 4] for number in range(count))
    seen: list[int] = []
    tracemalloc.start()
    counts = count_records(file, TABLE, report=seen.append)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert counts == [count // 4] * 4
    assert seen == list(range(100_000, count + 1, 100_000))
    assert peak < file.stat().st_size / 5


def test_spellings_without_end_take_no_memory_without_end(file: Path) -> None:
    with file.open("w") as sink:
        sink.write("outcome\n")
        sink.writelines("ill" + " " * (number % 300) + "\t" * (number // 300) + "\n" for number in range(30_000))
    assert count_records(file, Cells((OUTCOME,))) == [30_000, 0]


def test_counts_are_read_by_label_and_by_levels(file: Path) -> None:
    file.write_text("label,count\nill,3\nwell,0\n")
    cells, counts = read(file, [], [], encoding="utf-8-sig")
    assert (cells.description(), counts) == ({"labels": ["ill", "well"]}, [3, 0])
    file.write_text("outcome,arm,count\nwell,old,4\nill,new,1\nill,old,3\nwell,new,2\n")
    assert read(file, [ARM, OUTCOME], [], encoding="utf-8-sig")[1] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("label,number\nill,3\n", "`count` as its last column"),
        ("label,count\nill,three\n", "line 2: the count must be a whole number"),
        ("label,count\nill,-1\n", "line 2: the count must be a whole number"),
        ("label,count\nill,1\nill,2\n", "must differ"),
        ("a,b,count\nill,x,1\n", "two columns"),
    ],
)
def test_counts_that_make_no_table_are_refused(file: Path, content: str, words: str) -> None:
    file.write_text(content)
    with pytest.raises(RecordsError, match=words):
        read(file, [], [], encoding="utf-8-sig")


def test_a_cell_that_is_missing_or_stands_twice_is_refused(file: Path) -> None:
    file.write_text("outcome,count\nill,1\n")
    with pytest.raises(RecordsError, match="every possible cell"):
        read(file, [OUTCOME], [], encoding="utf-8-sig")
    file.write_text("outcome,count\nill,1\nill,1\nwell,2\n")
    with pytest.raises(RecordsError, match="line 3: this cell stood above"):
        read(file, [OUTCOME], [], encoding="utf-8-sig")


def test_too_many_cells_are_refused_before_any_is_made() -> None:
    with pytest.raises(RecordsError, match="more than 10000 cells"):
        Cells(tuple(Column(str(number), tuple(map(str, range(10)))) for number in range(40)))


def test_the_oracle_agrees(file: Path) -> None:
    """Against the standard library's own counter, on every order of the columns."""
    rows = [("new" if number % 3 else "old", "ill" if number % 7 else "well") for number in range(1000)]
    file.write_text("arm,outcome\n" + "".join(f"{arm},{outcome}\n" for arm, outcome in rows))
    expected = Counter(rows)
    for columns in ((ARM, OUTCOME), (OUTCOME, ARM)):
        cells = Cells(columns)
        flipped = columns[0] is OUTCOME
        assert count_records(file, cells) == [
            expected[(levels[1], levels[0]) if flipped else (levels[0], levels[1])] for levels in cells.possible()
        ]
