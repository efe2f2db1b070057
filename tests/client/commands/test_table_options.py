"""The options of `datasets create` describe a table of records or of counts, which is read in one way or refused."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from private_posterior.commands.table_options import TableOptions, count_file, listed, read_counts
from private_posterior.errors import NotATable

if TYPE_CHECKING:
    from pathlib import Path

TABLE = TableOptions(levels=["arm=new,old", "outcome=ill,well"])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "records.csv"


def test_lists_may_hold_commas_and_quotes() -> None:
    assert listed('a, "b, c",d') == ("a", "b, c", "d")


def test_the_last_column_changes_fastest_and_other_columns_do_not_matter(file: Path) -> None:
    file.write_text("id,outcome,arm\n1,ill,new\n2,well,old\n3, well ,old\n4,ill,old\n")
    found = count_file(file, TABLE)
    assert found.labels == ["new · ill", "new · well", "old · ill", "old · well"]
    assert (found.counts, found.left_out) == ([1, 0, 1, 2], {})


def test_the_columns_of_another_data_set_are_those_of_the_next_file(file: Path) -> None:
    like = {
        "attributes": [
            {"name": "age", "levels": ["0-17", "18+"]},
            {"name": "seen", "levels": ["2024-Q1", "2024-Q2"]},
            {"name": "arm", "levels": ["new", "old", "missing"]},
        ],
        "impossible": [{"age": ["0-17"], "arm": ["old", "missing"]}],
    }
    file.write_text("seen,age,arm\n2024-02-03,17,new\n2024-05-01,40,\n2024-06-30,18,old\n")
    found = count_file(file, TableOptions(like=like, missing="missing"))
    assert dict(zip(found.labels, found.counts, strict=True)) == {
        "0-17 · 2024-Q1 · new": 1, "0-17 · 2024-Q2 · new": 0,
        "18+ · 2024-Q1 · new": 0, "18+ · 2024-Q1 · old": 0, "18+ · 2024-Q1 · missing": 0,
        "18+ · 2024-Q2 · new": 0, "18+ · 2024-Q2 · old": 1, "18+ · 2024-Q2 · missing": 1,
    }  # fmt: skip
    assert found.fields["attributes"] == like["attributes"]
    file.write_text("seen,age,treatment\n2024-02-03,17,new\n")
    with pytest.raises(NotATable, match="has no column 'arm'"):
        count_file(file, TableOptions(like=like))
    with pytest.raises(NotATable, match="give either --like or --levels"):
        TableOptions(like=like, levels=["arm=new"]).columns()


def test_impossible_cells_are_left_out_and_a_record_in_one_is_refused(file: Path) -> None:
    options = TableOptions(levels=TABLE.levels, impossible=["arm=old,outcome=ill"])
    file.write_text("arm,outcome\nnew,ill\n")
    found = count_file(file, options)
    assert found.labels == ["new · ill", "new · well", "old · well"]
    assert found.fields["impossible"] == [{"arm": ["old"], "outcome": ["ill"]}]
    file.write_text("arm,outcome\nnew,ill\nold,ill\n")
    with pytest.raises(NotATable, match=r"1 \(impossible combination\)"):
        count_file(file, options)


def test_files_are_counted_as_texts_whatever_their_engine_would_make_of_them(file: Path) -> None:
    file.write_text('code;smoker;age\n007;yes;"17"\n7;no;65\n007;yes;\n')
    options = TableOptions(levels=["code=007,7", "smoker=yes,no"], groups=["age=from 0, 18"], missing="unknown")
    with pytest.raises(NotATable, match="no column has this level"):
        count_file(file, options)
    options = TableOptions(levels=["code=007,7", "smoker=yes,no", "age=0-17,18+,unknown"], missing="unknown")
    assert count_file(file, options).counts == [1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0]


def test_a_parquet_file_is_counted_as_texts(tmp_path: Path) -> None:
    file = tmp_path / "records.parquet"
    pl.DataFrame({"dose": [1, 2, 2], "ill": [True, False, None]}).write_parquet(file)
    options = TableOptions(levels=["dose=1,2", "ill=true,false"])
    with pytest.raises(NotATable, match=r"1 \(ill: no value\).* missing with --missing, .*: --leave-out$"):
        count_file(file, options)
    found = count_file(file, TableOptions(levels=options.levels, leave_out=True))
    assert (found.counts, found.left_out) == ([1, 0, 0, 1], {"ill: no value": 1})


def test_a_file_with_one_column_has_labels(file: Path) -> None:
    file.write_text("outcome\nill\nwell\nill\n")
    assert count_file(file, TableOptions(labels="ill,well")).fields == {"labels": ["ill", "well"], "counts": [2, 1]}
    with pytest.raises(NotATable, match="give either --labels or --levels"):
        count_file(file, TableOptions(labels="ill,well", levels=["outcome=ill,well"]))


def test_the_records_of_each_person_are_compared_or_the_first_is_kept(file: Path) -> None:
    file.write_text("id,day,outcome\na,10,ill\na,9,well\nb,1,ill\n")
    options: dict[str, Any] = {"levels": ["outcome=ill,well"], "person": "id"}
    with pytest.raises(NotATable, match=r"1 person has several records by 'id', the most 2\. --keep-by COLUMN keeps"):
        count_file(file, TableOptions(**options))
    assert count_file(file, TableOptions(**options, records_per_unit=2)).counts == [2, 1]
    assert count_file(file, TableOptions(**options, keep_by="day")).counts == [1, 1]


AGGREGATED = "new,ill,3\nnew,well,256\nold,ill,10\nold,well,250\n"


@pytest.mark.parametrize(
    "text",
    [
        f"arm,outcome,count\n{AGGREGATED}",
        f"arm,outcome,9\n{AGGREGATED}",
        "site,arm,outcome,n\n" + "\n".join(f"{site},{line}" for site in "AB" for line in AGGREGATED.split()),
        "year,arm,outcome,n\n" + "\n".join(f"{year},{line}" for year in (2001, 2002) for line in AGGREGATED.split()),
        "arm,outcome,count\nnew,ill,*\nnew,well,256\nold,ill,10\nold,well,250\n",
        "arm,outcome,count\nnew,ill,3\nnew,well,1.256\nold,ill,10\nold,well,1.250\n",
    ],
)
def test_a_column_that_may_have_numbers_of_records_is_asked_about(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(NotATable, match=r"may have numbers of records.* use --counts .* add --one-record-per-line"):
        count_file(file, TABLE)
    found = count_file(file, TableOptions(levels=TABLE.levels, one_record_per_line=True))
    assert sum(found.counts) == len(text.splitlines()) - 1


def test_a_line_of_totals_is_asked_about_if_empty_fields_have_a_level(file: Path) -> None:
    levels = ["arm=new,old,unknown", "outcome=ill,well,unknown"]
    records = "new,ill,3.5\nnew,ill,2\nold,well,7\nold,,1\n"
    file.write_text(f"arm,outcome,cost\n{records},,13.5\n")
    with pytest.raises(NotATable, match="the sum of the others in 'cost': delete totals"):
        count_file(file, TableOptions(levels=levels, missing="unknown"))
    assert sum(count_file(file, TableOptions(levels=levels, missing="unknown", one_record_per_line=True)).counts) == 5
    file.write_text(f"arm,outcome,cost\n{records}")
    assert sum(count_file(file, TableOptions(levels=levels, missing="unknown")).counts) == 4


def test_lists_of_records_are_counted_without_a_question(file: Path) -> None:
    draw = random.Random(3)
    lines = [
        f"P{number},{number + 7},{draw.randint(18, 80)},{draw.gauss(70, 9):.1f},{draw.choice('AB')},"
        f"{draw.choice(['new', 'old'])},{draw.choice(['ill', 'well'])},{draw.randint(0, 1)}"
        for number in range(60)
    ]
    file.write_text("id,number,age,weight,site,arm,outcome,smoker\n" + "\n".join(lines) + "\n")
    assert sum(count_file(file, TABLE).counts) == 60


@pytest.mark.parametrize("count", [3_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_the_oracle_agrees(file: Path, count: int) -> None:
    """Against the standard library's own counter, on every order of the columns."""
    rows = [("new" if number % 3 else "old", "ill" if number % 7 else "well") for number in range(count)]
    file.write_text("arm,outcome\n" + "".join(f"{arm},{outcome}\n" for arm, outcome in rows))
    expected = Counter(rows)
    levels = {"arm": ("new", "old"), "outcome": ("ill", "well")}
    arms = [expected[arm, outcome] for arm in levels["arm"] for outcome in levels["outcome"]]
    outcomes = [expected[arm, outcome] for outcome in levels["outcome"] for arm in levels["arm"]]
    assert count_file(file, TABLE).counts == arms
    assert count_file(file, TableOptions(levels=list(reversed(TABLE.levels)))).counts == outcomes


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("records.csv", "arm,outcome\n", "every count is 0"),
        ("records.csv", "arm,outcome\nnew,ill\nnew,dead\n", r"1 \(outcome: not a level\). Add their values"),
        ("records.csv", "arm,result\nnew,ill\n", "no column 'outcome'; it has 'arm', 'result'$"),
        ("records.csv", "arm,outcome\nnew,ill\nold\n", "can't be read by DuckDB: .* on Line: 3"),
        ("records.csv", "arm,outcome\nnew,ill\nold,ill,x\n", "can't be read by DuckDB: .* on Line: 3"),
        ("records.csv", 'arm,outcome\nnew,"ill\n', "can't be read by DuckDB: .* on Line: 2"),
        ("records.csv", "# people\narm,outcome\nnew,ill\n", "no column 'arm'; it has '# people'"),
        ("records.xlsx", "", r"neither CSV nor Parquet. Open it in the console, or .* count\(pandas.read_excel\("),
        ("records.parquet", "arm", "can't be read by DuckDB: "),
    ],
)
def test_records_that_have_no_cell_or_cannot_be_read_are_refused(
    tmp_path: Path, name: str, content: str, words: str
) -> None:
    file = tmp_path / name
    file.write_text(content)
    with pytest.raises(NotATable, match=words):
        count_file(file, TABLE)


def test_counts_are_read_by_label_and_by_levels(file: Path) -> None:
    file.write_text("label,count\nill,3\nwell,0\n")
    assert read_counts(file, TableOptions()).fields == {"labels": ["ill", "well"], "counts": [3, 0]}
    assert read_counts(file, TableOptions(labels="well,ill")).counts == [0, 3]
    file.write_text("outcome,arm,count\nwell,old,4\nill,new,1\nill,old,3\nwell,new,2\n")
    assert read_counts(file, TABLE).counts == [1, 2, 3, 4]
    file.write_text("age;deaths\n0-17;4\n18+;5\n")
    grouped = TableOptions(groups=["age=from 0, 18"], count_column="deaths")
    assert read_counts(file, grouped).fields["attributes"] == [{"name": "age", "levels": ["0-17", "18+"]}]


def test_a_count_that_is_the_sum_of_the_others_is_a_category_if_the_owner_lists_it(file: Path) -> None:
    file.write_text("loss,count\npartial,3\nnone,4\n9,7\n")
    with pytest.raises(NotATable, match="the count of '9' is the sum of the others"):
        read_counts(file, TableOptions())
    assert read_counts(file, TableOptions(labels="partial,none,9")).counts == [3, 4, 7]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("label,weight\nill,3\n", "has no column 'count'; --count-column names one of label, weight"),
        ("label,count\nill,three\n", "line 2: the count must be a whole number .* this one is 'three'"),
        ("label,count\nill,-1\n", "line 2: the count must be a whole number"),
        ("label,count\nill,2.5\n", "line 2: the count must be a whole number .* this one is '2.5'"),
        ("label;count\nill;\n", "line 2: .* and 0 for nobody; this one is ''"),
        ("label;count\nill;<5\n", "line 2: .* and 0 for nobody; this one is '<5'"),
        ("label;count\nill;1.000\n", "line 2: .*'1.000' can be read in two ways: write 1000"),
        ("label;count\nill;1 000\n", "line 2: .*'1 000' can be read in two ways: write 1000$"),
        ("label,count\nill,9007199254740992\nwell,1\n", r"more than 2\^53 records"),
        ("label,count\nill,0\nwell,0\n", "has no records: every count is 0"),
        ("label,count\nill,1\nill,2\n", "line 3: this cell has an earlier line already"),
        ("a,b,count\nill,x,1\n", "two columns"),
        ("age,count\n17,1\n18,2\n", "the values of 'age' are numbers, and would be public: list them with --labels"),
    ],
)
def test_counts_that_make_no_table_are_refused(file: Path, content: str, words: str) -> None:
    file.write_text(content)
    with pytest.raises(NotATable, match=words):
        read_counts(file, TableOptions())


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("arm,outcome,count\nnew,ill,1\n", "must have a row for each possible cell.*; new · well is missing"),
        ("arm,outcome,count\nnew,wel,1\n", "line 2: 'wel' is not a level of 'outcome'; did you mean 'well'"),
        ("arm,outcme,count\nnew,ill,1\n", "has no column 'outcome'; did you mean 'outcme'"),
    ],
)
def test_a_cell_that_is_missing_or_not_described_is_refused(file: Path, content: str, words: str) -> None:
    file.write_text(content)
    with pytest.raises(NotATable, match=words):
        read_counts(file, TABLE)
