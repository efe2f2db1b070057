"""Raw records are counted into the cells that their owner named, in any file format, or refused by line and rule."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from pathlib import Path

import pytest

from private_posterior.commands.files import File
from private_posterior.commands.records import (
    Cells,
    Column,
    column_of,
    combination_of,
    count_records,
    grouped_column_of,
    listed,
    read_counts,
)
from private_posterior.commands.tabular import FileError

ARM, OUTCOME = Column("arm", ("new", "old")), Column("outcome", ("ill", "well"))
TABLE = Cells((ARM, OUTCOME))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "records.csv"


def test_the_last_column_changes_fastest_and_other_columns_do_not_matter(file: Path) -> None:
    file.write_text("id,outcome,arm\n1,ill,new\n2,well,old\n3, well ,old\n4,ill,old\n")
    assert TABLE.labels == ["new · ill", "new · well", "old · ill", "old · well"]
    assert count_records(File(file), TABLE).counts == [1, 0, 1, 2]


def test_impossible_cells_are_left_out_and_a_record_in_one_is_refused(file: Path) -> None:
    cells = Cells((ARM, OUTCOME), ({"arm": "old", "outcome": "ill"},))
    assert cells.labels == ["new · ill", "new · well", "old · well"]
    assert cells.description()["impossible"] == [{"arm": ["old"], "outcome": ["ill"]}]
    file.write_text("arm,outcome\nnew,ill\nold,ill\n")
    with pytest.raises(FileError, match=r"line 3: .* impossible together"):
        count_records(File(file), cells)


def test_lists_may_hold_commas_and_quotes() -> None:
    assert listed('a, "b, c",d') == ("a", "b, c", "d")
    assert column_of('age="10,000-20,000",20K+') == Column("age", ("10,000-20,000", "20K+"))
    assert combination_of("age=0-9, smoker=yes") == {"age": "0-9", "smoker": "yes"}


def test_quoted_fields_may_hold_line_breaks_and_the_line_is_still_right(file: Path) -> None:
    file.write_text('note,arm,outcome\n"two\nlines",new,ill\nx,new,dead\n')
    with pytest.raises(FileError, match=r"line 4: column 'outcome' has 'dead', which is not one of its levels"):
        count_records(File(file), TABLE)


def test_an_empty_field_counts_as_the_level_that_is_named_for_it(file: Path) -> None:
    file.write_text('outcome\nill\n""\nwell\n')
    cells = Cells((Column("outcome", ("ill", "well", "unknown")),))
    assert count_records(File(file), cells, missing="unknown").counts == [1, 1, 1]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1", "cp1252", "utf-16"])
def test_a_file_is_read_in_its_encoding(file: Path, encoding: str) -> None:
    file.write_bytes("größe\nklein\ngroß\n".encode(encoding))
    assert count_records(File(file, encoding), Cells((Column("größe", ("klein", "groß")),))).counts == [1, 1]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b"arm,outcome\n", "has no records"),
        (
            b"arm,outcome\nnew,ill\nnew,wel\nnew,dead\n",
            "line 3: column 'outcome' has 'wel', which is not one of its levels; the nearest is 'well' .2 such lines.$",
        ),
        (b"arm,outcome\nnew,dead\n", "line 2: column 'outcome' has 'dead', .*; they are 'ill', 'well'$"),
        (b"arm,outcome\nnew,ill\n,ill\n", "line 3: column 'arm' is empty; --missing LEVEL"),
        (b"arm,outcome\nnew,ill\xe9\n", "line 2: column 'outcome' has 'illé', .*; the nearest is 'ill'"),
        (b"arm,outcome\nnew,ill,x\n", "line 2 has 3 values, and line 1 names 2 columns"),
        (b"arm,outcome\nnew,ill\n\nold\n", "line 4: column 'outcome' is empty"),
        (b'arm,outcome\nnew,"ill\n', "line 2 has a quotation mark without a partner"),
        (b"arm,result\nnew,ill\n", "no column 'outcome'; it has 'arm', 'result'$"),
        (b"arm, Out_Come \nnew,ill\n", "no column 'outcome'; it has 'arm', 'Out_Come', and the nearest is 'Out_Come'"),
        (b"arm,outcome,outcome\nnew,ill,ill\n", "2 columns 'outcome'"),
        (b"PK\x03\x04\x14\x00", "this packed file is damaged"),
        ("arm\toutcome\nnew\twel".encode("utf-16"), "line 2: .* the nearest is 'well'"),
    ],
    ids=[
        "nothing", "header", "near", "far", "empty", "encoding", "fields", "blank", "quote", "column", "case", "twice",
        "xlsx", "utf-16",
    ],
)  # fmt: skip
def test_an_unknown_level_is_quoted_with_its_line_and_the_nearest_level(file: Path, content: bytes, words: str) -> None:
    file.write_bytes(content)
    with pytest.raises(FileError, match=words):
        count_records(File(file), TABLE)


@pytest.mark.parametrize(
    "content",
    [
        "name;arm;outcome\n'a, b';new;ill\nc;old;well\n",
        "arm\toutcome\nnew\till\nold\twell\n",
        "\ufeffarm;outcome\nnew;ill\nold;well\n",
        "a,b,c;arm;outcome\nx;new;ill\ny;old;well\n",
    ],
    ids=["semicolon", "tab", "mark", "commas in a name"],
)
def test_the_separator_is_found_from_the_header(file: Path, content: str) -> None:
    file.write_text(content, encoding="utf-8")
    assert count_records(File(file), TABLE).counts == [1, 0, 0, 1]


def test_a_decimal_comma_is_a_decimal_point(file: Path) -> None:
    file.write_text("dose;arm\n0,5;new\n1,5;old\n0.5;new\n")
    cells = Cells((Column("dose", ("0.5", "1.5")), ARM))
    assert count_records(File(file), cells).counts == [2, 0, 0, 1]


@pytest.mark.parametrize("count", [100_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_many_rows_are_counted_a_row_at_a_time(file: Path, count: int) -> None:
    rows = ["new,ill\n", "old,well\n", " new , well\n", "old,ill\n"]
    with file.open("w") as sink:
        sink.write("arm,outcome\n")
        sink.writelines(rows[number % 4] for number in range(count))
    seen: list[int] = []
    tracemalloc.start()
    counts = count_records(File(file), TABLE, report=seen.append).counts
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert counts == [count // 4] * 4
    assert seen == list(range(100_000, count + 1, 100_000))
    # Rows as objects take many times their bytes. A service in a thread of this process allocates a little meanwhile.
    assert peak < file.stat().st_size / 2


def test_spellings_without_end_take_no_memory_without_end(file: Path) -> None:
    with file.open("w") as sink:
        sink.write("outcome\n")
        sink.writelines("ill" + " " * (number % 300) + "\t" * (number // 300) + "\n" for number in range(30_000))
    assert count_records(File(file), Cells((OUTCOME,))).counts == [30_000, 0]


def test_counts_are_read_by_label_and_by_levels(file: Path) -> None:
    file.write_text("label,count\nill,3\nwell,0\n")
    found = read_counts(File(file), [], [])
    assert (found.cells.description(), found.counts) == ({"labels": ["ill", "well"]}, [3, 0])
    file.write_text("outcome,arm,count\nwell,old,4\nill,new,1\nill,old,3\nwell,new,2\n")
    assert read_counts(File(file), [ARM, OUTCOME], []).counts == [1, 2, 3, 4]


def test_a_whole_number_may_be_written_as_spreadsheets_do(file: Path) -> None:
    file.write_text("label;count\nill;5,0\nwell;7\n")
    assert read_counts(File(file), [], []).counts == [5, 7]


def test_a_level_that_is_called_total_is_no_sum(file: Path) -> None:
    file.write_text("loss,count\npartial,3\ntotal,4\n")
    assert read_counts(File(file), [Column("loss", ("partial", "total"))], []).counts == [3, 4]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("label,weight\nill,3\n", "needs a column of counts; --count-column names it: one of 'label', 'weight'"),
        ("label,count\nill,three\n", "line 2: the count must be a whole number .* this one is 'three'"),
        ("label,count\nill,-1\n", "line 2: the count must be a whole number"),
        ("label,count\nill,2.5\n", "line 2: the count must be a whole number .* this one is '2.5'"),
        ("label,count\nill,NaN\n", "line 2: .* and 0 for nobody; this one is 'NaN'"),
        ("label;count\nill;\n", "line 2: .* and 0 for nobody; this one is ''"),
        ("label;count\nill;1.000\n", "line 2: .*; write 1000, not 1.000"),
        ("label,count\nill,99999999999999999999\n", r"line 2: .* more than 2\^53"),
        ("label,count\nill,9007199254740992\nwell,1\n", r"more than 2\^53 records"),
        ("label,count\nill,0\nwell,0\n", "has no records: every count is 0"),
        ("label,count\nill,3\nwell,4\nTotal,7\n", "line 4: 'Total' looks like a sum of other rows"),
        ("label,count\nill,1\nill,2\n", "must differ"),
        ("a,b,count\nill,x,1\n", "two columns"),
    ],
)
def test_counts_that_make_no_table_are_refused(file: Path, content: str, words: str) -> None:
    file.write_text(content)
    with pytest.raises(FileError, match=words):
        read_counts(File(file), [], [])


def test_a_cell_that_is_missing_or_stands_twice_is_refused(file: Path) -> None:
    file.write_text("outcome,count\nill,1\n")
    with pytest.raises(FileError, match="every possible cell"):
        read_counts(File(file), [OUTCOME], [])
    file.write_text("outcome,count\nill,1\nill,1\nwell,2\n")
    with pytest.raises(FileError, match="line 3: this cell is on an earlier line"):
        read_counts(File(file), [OUTCOME], [])


def test_too_many_cells_are_refused_before_any_is_made() -> None:
    with pytest.raises(FileError, match="more than 10000 cells"):
        Cells(tuple(Column(str(number), tuple(map(str, range(10)))) for number in range(40)))


def test_the_oracle_agrees(file: Path) -> None:
    """Against the standard library's own counter, on every order of the columns."""
    rows = [("new" if number % 3 else "old", "ill" if number % 7 else "well") for number in range(1000)]
    file.write_text("arm,outcome\n" + "".join(f"{arm},{outcome}\n" for arm, outcome in rows))
    expected = Counter(rows)
    for columns in ((ARM, OUTCOME), (OUTCOME, ARM)):
        cells = Cells(columns)
        flipped = columns[0] is OUTCOME
        assert count_records(File(file), cells).counts == [
            expected[(levels[1], levels[0]) if flipped else (levels[0], levels[1])] for levels in cells.possible()
        ]


def test_somebody_with_more_rows_than_affirmed_is_refused(file: Path) -> None:
    file.write_text("case_id,outcome\na,ill\nb,ill\na,well\n")
    cells = Cells((OUTCOME,))
    said = "column 'case_id': 1 person has several rows, the most 2"
    with pytest.raises(FileError, match=rf"{said}. You affirm at most 1: .* Give --records-per-unit$"):
        count_records(File(file), cells, person="case_id", most_records=1)
    counted = count_records(File(file), cells, person="case_id", most_records=3)
    assert counted.said == (f"{said}; this number is not public, what you affirm is",)


def test_the_column_that_looks_like_the_person_is_compared_unless_the_owner_says_that_it_is_not(file: Path) -> None:
    file.write_text("patient_id,outcome\na,ill\nb,ill\n a ,well\nb,well\nb,ill\nc,ill\nNA,ill\nNA,ill\n")
    cells = Cells((OUTCOME,))
    said = "'patient_id' looks like the person: 2 people have several rows, the most 3"
    for affirmed in (1, 2):
        with pytest.raises(FileError, match=rf"{said}. You affirm at most {affirmed}: .*--no-person if 'patient_id'"):
            count_records(File(file), cells, most_records=affirmed)
    for enough in (None, 3):
        counted = count_records(File(file), cells, most_records=enough)
        assert counted.said == (f"{said}; this number is not public, what you affirm is",)
        assert counted.counts == [6, 2]
    assert count_records(File(file), cells, finds_person=False, most_records=1).said == ()
    file.write_text("patient_id,outcome\na,ill\nb,ill\n")
    once = count_records(File(file), cells, most_records=1)
    assert once.said == ("'patient_id' looks like the person: each person has one row in this file",)


def test_rows_far_down_a_long_file_are_compared_and_columns_with_listed_levels_are_not(file: Path) -> None:
    file.write_text(
        "id,case\n" + "".join(f"{number % 19_999},{'yes' if number % 7 else 'no'}\n" for number in range(20_000))
    )
    cells = Cells((Column("case", ("yes", "no")),))
    with pytest.raises(FileError, match="'id' looks like the person: 1 person has several rows, the most 2"):
        count_records(File(file), cells, most_records=1)
    file.write_text("case\nyes\nno\nyes\n")
    assert count_records(File(file), cells, most_records=1).said == ()


def test_what_was_found_completed_or_skipped_is_reported_to_the_owner(file: Path) -> None:
    file.write_bytes("Fälle\n\nNr;outcome;Größe\n1;ill\n2;well;1\n\n".encode("cp1252"))
    assert count_records(File(file), Cells((OUTCOME,))).said == (
        "read as windows-1252; --encoding names another",
        "the names of the columns are in line 3: 'Nr', 'outcome', 'Größe'; --names-line names another",
        "lines with fewer values than names: 1; their last columns count as no value",
        "lines without a value, which are skipped: 1",
        "'Nr' looks like the person: each person has one row in this file",
    )


def test_groups_that_overlap_or_do_not_rise_are_refused() -> None:
    for rule, words in (
        ("0-18, 18-64", "the groups 0-18 and 18-64 overlap"),
        ("17-0", "the group 17-0 ends before it begins"),
        ("from 0, 18, 18", "the bounds 18 and 18 must rise"),
        ("every 0 from 0 to 9", "the steps must be at least 1, and rise"),
        ("every 1 from 0 to 100000", "more than 1000 groups"),
        ("month from 2020-13 to 2021-01", "the months must be from 01 to 12, and rise"),
        ("young, old", "'young' is not a group"),
    ):
        with pytest.raises(FileError, match=words):
            grouped_column_of(f"age={rule}")
