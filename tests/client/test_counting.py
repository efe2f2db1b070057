"""Records are counted by the owner's engine as a loop over them counts, or refused with the numbers and the way out."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections import Counter
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from private_posterior import NotATable, count, groups
from private_posterior.groups import groups_of
from tests.harness.bodies import registration

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tests.harness.server import Server

Rows = dict[str, list[Any]]


def _pandas(rows: Rows) -> pd.DataFrame:
    frame = pd.DataFrame(rows)
    for name, values in rows.items():
        kinds = {type(value) for value in values} - {type(None)}
        if kinds == {dt.date}:
            frame[name] = pd.to_datetime(frame[name])
        elif kinds == {bool}:
            frame[name] = frame[name].astype("boolean")
    return frame


def _ibis(rows: Rows) -> Any:
    """A table of a database, as Ibis sees one in a warehouse. `make generators` installs Ibis."""
    database = duckdb.connect()
    database.from_arrow(pa.table(rows)).create("records")
    return import_module("ibis").duckdb.from_connection(database).table("records")


@cache
def _spark_session() -> Any:
    """Spark on this machine, for all tests of a process. `make generators` installs it, and it runs in Java."""
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[1]")
    for name, value in {
        "driver.host": "127.0.0.1",
        "sql.shuffle.partitions": 1,
        "ui.enabled": False,
        "ui.showConsoleProgress": False,
    }.items():
        builder = builder.config(f"spark.{name}", value)
    return builder.getOrCreate()


def _spark(rows: Rows) -> Any:
    return _spark_session().createDataFrame(list(zip(*rows.values(), strict=True)), schema=list(rows))


ENGINES: Final[Mapping[str, Callable[[Rows], Any]]] = {
    "pandas": _pandas,
    "pandas with Arrow": lambda rows: _pandas(rows).convert_dtypes(dtype_backend="pyarrow"),
    "Polars": pl.DataFrame,
    "a Polars query": lambda rows: pl.DataFrame(rows).lazy(),
    "PyArrow": pa.table,
    "DuckDB": lambda rows: duckdb.from_arrow(pa.table(rows)),
    "Ibis": _ibis,
    "Spark": _spark,
}
COLUMNS: Final[dict[str, Any]] = {
    "sex": ["f", "m"],
    "age": groups(0, 18, 65),
    "smoker": {"yes": True, "no": False},
    "dose": [1, 2.5],
    "seen": groups("quarter from 2020-01 to 2020-12"),
}


_LONG_REASONS: Final = {
    "Ibis": pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    "Spark": pytest.mark.filterwarnings("ignore:Exception ignored in. <socket:pytest.PytestUnraisableExceptionWarning"),
}
"""Engines of the long tests, with the warning of each. Spark leaves sockets to the garbage collector."""


@pytest.fixture(
    params=[
        pytest.param(name, marks=(pytest.mark.long, _LONG_REASONS[name]) if name in _LONG_REASONS else ())
        for name in ENGINES
    ]
)
def engine(request: pytest.FixtureRequest) -> Callable[[Rows], Any]:
    return ENGINES[request.param]


def people(number: int, *, with_holes: bool) -> Rows:
    """Made-up records: some persons have several, and, with holes, some values are missing or are not levels."""
    rng = random.Random(20)

    def maybe(value: Any) -> Any:
        return None if with_holes and rng.random() < 0.05 else value

    return {
        "id": [f"p{rng.randrange(number // 2)}" for _ in range(number)],
        "day": [maybe(rng.randrange(20)) for _ in range(number)],
        "sex": [maybe(rng.choice(["f", " m ", "m", *(["x", "NA", ""] if with_holes else [])])) for _ in range(number)],
        "age": [maybe(rng.randrange(100)) for _ in range(number)],
        "smoker": [maybe(rng.random() < 0.3) for _ in range(number)],
        "dose": [maybe(rng.choice([1.0, 2.5])) for _ in range(number)],
        "seen": [maybe(dt.date(2020, rng.randrange(1, 13), 3)) for _ in range(number)],
    }


def cell_of(row: Mapping[str, Any], missing: Mapping[str, str]) -> tuple[str, ...] | str:
    """The oracle: the levels of a record, or why it has none."""
    found = []
    for name in COLUMNS:
        value = row[name].strip() if isinstance(row[name], str) else row[name]
        if value in (None, "", "NA"):
            if name not in missing:
                return f"{name}: no value"
            found.append(missing[name])
        elif name == "age":
            found.append("0-17" if value < 18 else "18-64" if value < 65 else "65+")
        elif name == "seen":
            found.append(f"2020-Q{(value.month + 2) // 3}")
        elif name == "smoker":
            found.append("yes" if value else "no")
        elif str(value).removesuffix(".0") in ("f", "m", "1", "2.5"):
            found.append(str(value).removesuffix(".0"))
        else:
            return f"{name}: not a level"
    return tuple(found)


def rows_of(table: Rows) -> list[dict[str, Any]]:
    return [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]


def as_table(found: Mapping[str, Any]) -> dict[tuple[str, ...], int]:
    from itertools import product

    cells = product(*(each["levels"] for each in found["attributes"]))
    return {cell: number for cell, number in zip(cells, found["counts"], strict=True) if number}


@pytest.mark.parametrize("missing", [{}, {"sex": "unknown", "age": "unknown", "seen": "unknown"}])
def test_each_engine_counts_as_a_loop_does(engine: Callable[[Rows], Any], missing: dict[str, str]) -> None:
    table = people(1500, with_holes=True)
    oracle = Counter(cell_of(row, missing) for row in rows_of(table))
    found = count(engine(table), COLUMNS, missing=missing, leave_out=True)
    assert as_table(found) == {cell: number for cell, number in oracle.items() if isinstance(cell, tuple)}
    assert found.left_out == {reason: number for reason, number in oracle.items() if isinstance(reason, str)}
    assert sum(found["counts"]) + sum(found.left_out.values()) == 1500


@pytest.mark.parametrize("as_text", [False, True], ids=["numbers", "texts"])
def test_the_first_record_of_each_person_is_kept(engine: Callable[[Rows], Any], *, as_text: bool) -> None:
    table = people(1500, with_holes=False)
    first: dict[str, tuple[int, tuple[int, ...], tuple[str, ...]]] = {}
    numbers = {"f": 0, "m": 1, "0-17": 0, "18-64": 1, "65+": 2, "yes": 0, "no": 1, "1": 0, "2.5": 1}
    for row in rows_of(table):
        cell = cell_of(row, {})
        assert isinstance(cell, tuple)
        place = tuple(numbers.get(level, int(level[-1]) if level[-1].isdecimal() else 0) for level in cell)
        order = (row["day"], place, cell)
        first[row["id"]] = min(first.get(row["id"], order), order)
    if as_text:
        table["day"] = list(map(str, table["day"]))
    found = count(engine(table), COLUMNS, person="id", keep_by="day")
    assert as_table(found) == Counter(cell for _, _, cell in first.values())
    assert (found["one_record_per_unit"], found.left_out) == (True, {})
    assert "day" not in repr(found)


def test_dates_in_texts_are_in_the_order_of_time(engine: Callable[[Rows], Any]) -> None:
    table = {"id": ["a", "a", "b"], "on": ["2020-02-10", "2020-02-09", "2021-01-01"], "ill": ["no", "yes", "no"]}
    assert count(engine(table), {"ill": ["yes", "no"]}, person="id", keep_by="on")["counts"] == [1, 1]


def test_somebody_with_more_records_than_affirmed_is_refused(engine: Callable[[Rows], Any]) -> None:
    table = {"id": ["a", " a", "b", "a", "c", "c"], "ill": ["yes", "no", "no", "no", "no", "no"]}
    columns = {"ill": ["yes", "no"]}
    for affirmed in (1, 2):
        with pytest.raises(NotATable, match=r"^2 people have several records by 'id', the most 3\. keep_by='…' keeps"):
            count(engine(table), columns, person="id", records_per_unit=affirmed)
    assert count(engine(table), columns, person="id", records_per_unit=3) == {
        "attributes": [{"name": "ill", "levels": ["yes", "no"]}], "counts": [1, 5], "records_per_unit": 3,
    }  # fmt: skip
    assert "records_per_unit" not in count(engine(table), columns)


def test_records_without_a_person_or_a_day_have_no_cell(engine: Callable[[Rows], Any]) -> None:
    table: Rows = {"id": ["a", None, "b", "c"], "day": [1, 2, None, 4], "ill": ["yes", "yes", "yes", "maybe"]}
    with pytest.raises(NotATable, match=r"^records without a cell: 1 \(id: no value\), 1 \(day: no value\)"):
        count(engine(table | {"ill": ["yes"] * 4}), {"ill": ["yes", "no"]}, person="id", keep_by="day")
    found = count(engine(table), {"ill": ["yes", "no"]}, person="id", keep_by="day", leave_out=True)
    assert found["counts"] == [1, 0]
    assert found.left_out == {"id: no value": 1, "day: no value": 1, "ill: not a level": 1}


def test_a_record_in_an_impossible_cell_is_refused_or_left_out(engine: Callable[[Rows], Any]) -> None:
    table: Rows = {"age": [9, 30, 40], "smoker": ["yes", "yes", "no"]}
    columns: dict[str, Any] = {"age": groups(0, 18), "smoker": ["yes", "no"]}
    impossible = [{"age": "0-17", "smoker": "yes"}]
    with pytest.raises(NotATable, match=r"1 \(impossible combination\)"):
        count(engine(table), columns, impossible=impossible)
    found = count(engine(table), columns, impossible=impossible, leave_out=True)
    assert (found["counts"], found["impossible"]) == ([0, 1, 1], [{"age": ["0-17"], "smoker": ["yes"]}])


def test_texts_in_groups_are_numbers_dates_or_the_name_of_a_group(engine: Callable[[Rows], Any]) -> None:
    table = {"age": ["3", " 17.5", "0-17", "65", "65+", "1,000"], "seen": ["2020-01", *["2020-12-31T08:00"] * 5]}
    columns: dict[str, Sequence[Any] | Any] = {"age": groups(0, 18, 65), "seen": groups("year from 2020 to 2020")}
    found = count(engine(table), columns, leave_out=True)
    assert (found["counts"], found.left_out) == ([3, 0, 2], {"age: not a level": 1})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"columns": {"sx": ["f"]}}, r"^the table has no column 'sx'; did you mean 'sex'\?$"),
        ({"columns": {"region": ["f"]}}, r"^the table has no column 'region'; it has 'id', 'sex', 'age', 'ill', 'on'$"),
        ({"columns": {"ill": ["yes", "no"]}}, r"^'ill' is Boolean, and 'yes' is not True or False.*\{'yes': True"),
        ({"columns": {"age": [True]}}, r"^'age' is not Boolean, and True is True or False"),
        ({"columns": {"age": ["young"]}}, r"^'age' has numbers, and its level 'young' is not one$"),
        ({"columns": {"on": ["2020"]}}, r"^'on' has dates: give its levels as groups"),
        ({"columns": {"age": groups("year from 2020 to 2020")}}, r"^'age' does not have dates$"),
        ({"columns": {"sex": []}}, r"^'sex' must have 1 to 1000 levels$"),
        ({"columns": {"sex": ["f", "f "]}}, r"^the levels of 'sex' must differ"),
        ({"columns": {"sex": "fm"}}, r"^the levels of 'sex' must be a list, a dictionary or groups$"),
        ({"columns": {}}, r"^name at least one column and its levels$"),
        ({"columns": {"sex": range(200), "age": range(200)}}, r"^the columns make 40000 cells, and 10000 is the most$"),
        ({"missing": {"age": "?"}}, r"^`missing` names 'age', which is not a counted column$"),
        ({"impossible": [{"sex": "x"}]}, r"^an impossible combination must name columns and levels that are given$"),
        ({"keep_by": "age"}, r"^keep_by and records_per_unit need `person`"),
        (
            {"person": "id", "keep_by": "age", "records_per_unit": 2},
            r"^keep_by keeps one record a person\. To keep more",
        ),
        ({"person": "sex"}, r"^the column 'sex' names people; it can't be counted or ordered too$"),
        ({"records": [1, 2]}, r"^a list is not a table that Narwhals supports$"),
        (
            {"records": "people.sav"},
            r"^count\(\) takes a table, not a path: count\(pandas\.read_spss\('people\.sav'\), …\)$",
        ),
        ({"columns": {"sex": ["x"]}}, r"^records without a cell: 2 \(sex: not a level\)\. Add their values"),
        (
            {"columns": {"sex": groups("year from 2020 to 2020")}},
            r"\. Texts in 'sex' must be dates such as 2014-05-18\.",
        ),
    ],
)
def test_what_cannot_be_counted_is_refused_with_the_way_out(given: dict[str, Any], words: str) -> None:
    table = {
        "id": ["a", "b"], "sex": ["f", "m"], "age": [3, 4], "ill": [True, False], "on": [dt.date(2020, 1, 1)] * 2,
    }  # fmt: skip
    whole: dict[str, Any] = {"records": pl.DataFrame(table), "columns": {"sex": ["f", "m"]}}
    with pytest.raises(NotATable, match=words):
        count(**(whole | given))


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("0-18, 18-64", "the groups 0-18 and 18-64 overlap"),
        ("17-0", "the group 17-0 ends before it begins"),
        ("from 0, 18, 18", "the bounds 18 and 18 must rise"),
        ("every 0 from 0 to 9", "the steps must be at least 1, and rise"),
        ("every 1 from 0 to 100000", "more than 1000 groups"),
        ("month from 2020-13 to 2021-01", "the months must be from 01 to 12, and rise"),
        ("young, old", "'young' is not a group"),
    ],
)
def test_groups_that_overlap_or_do_not_rise_are_refused(rule: str, words: str) -> None:
    with pytest.raises(NotATable, match=words):
        groups_of(rule)


def test_the_page_on_warehouses_registers_what_it_counts(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs/how-to/count-in-your-warehouse.md").read_text("utf-8")
    (code,) = re.findall("```python\n(.*?)```", page, re.DOTALL)
    owner = server.new("owner")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PRIVATE_POSTERIOR_SERVER", server.url)
    monkeypatch.setenv("PRIVATE_POSTERIOR_KEY", owner.key)
    (tmp_path / "visits.csv").write_text("patient,day,sex,age,infected\na,10,f,9,no\na,9,f,8,yes\nb,1,m,70,no\n")
    exec(code, {})  # noqa: S102 - the page as a reader runs it
    assert capsys.readouterr().out == "{}\n"
    (made,) = owner.get("/v1/datasets").json()["items"]
    assert (made["record_count"], made["category_count"], made["records_per_unit"]) == (2, 12, 1)


def test_what_each_engine_counts_is_registered(engine: Callable[[Rows], Any], server: Server) -> None:
    table = count(engine(people(200, with_holes=False)), COLUMNS, person="id", keep_by="day")
    body = registration([1]) | {"labels": None} | table
    made = server.new("owner").post("/v1/datasets", body).json()
    assert (made["record_count"], made["category_count"]) == (sum(table["counts"]), 96)


def test_lower_bounds_and_a_rule_make_the_same_groups() -> None:
    assert groups(0, 18, 65) == groups("from 0, 18, 65") == groups("0-17, 18-64, 65+")
