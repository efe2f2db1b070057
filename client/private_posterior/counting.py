"""Counts records where they are: a data frame, an Arrow table, a DuckDB relation, or a table of a warehouse.

Narwhals translates the question for the owner's engine. Only the counts of cells, and of records without a cell, come
back. Levels come from the owner, never from the data: a label itself can disclose that somebody has a rare disease.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf, prod
from pathlib import Path
from typing import Any, Final

from private_posterior.errors import NotATable
from private_posterior.groups import Group, Groups
from private_posterior.nearest import nearest
from private_posterior.wording import first_names

MOST_CELLS: Final = 10_000
MOST_LEVELS: Final = 1_000
_NO_VALUE: Final = r"^\s*(?i:na|n/a|#n/a|nan|null|\.|-)?\s*$"
"""Texts that people write for no value. A level with such a text is a level."""
_NUMBER: Final = r"^-?[0-9]{1,15}(?:\.[0-9]{1,15})?$"
_DATE: Final = r"^[0-9]{4}-(?:0[1-9]|1[0-2])(?:-[0-9]{2}(?:[T ].*)?)?$"
_READERS: Final = {
    ".csv": "duckdb.read_csv({path!r}, all_varchar=True)",
    ".dta": "pandas.read_stata({path!r})",
    ".parquet": "duckdb.read_parquet({path!r})",
    ".rds": "pyreadr.read_r({path!r})[None]",
    ".sav": "pandas.read_spss({path!r})",
    ".tsv": "duckdb.read_csv({path!r}, all_varchar=True)",
    ".xlsx": "pandas.read_excel({path!r}, dtype=str)",
}


class CountedTable(dict[str, Any]):
    """The fields of a registration that describe cells, with their counts: `attributes`, `impossible`, `counts`, and
    the number of records a person if `person` was compared.

    `left_out` has the numbers of records without a cell, by reason. It is as secret as the counts.
    """

    def __init__(self, fields: Mapping[str, Any], left_out: Mapping[str, int]) -> None:
        super().__init__(fields)
        self.left_out = dict(left_out)

    def __repr__(self) -> str:
        names = ", ".join(repr(each["name"]) for each in self["attributes"])
        return f"<{len(self['counts'])} cells of {names}; records: {sum(self['counts'])}; left out: {self.left_out}>"


@dataclass(frozen=True, slots=True)
class _Column:
    """A column, the public names of its levels, and the value or group of numbers that has each."""

    name: str
    levels: tuple[str, ...]
    values: tuple[Any, ...]
    is_date: bool = False


def count(
    records: Any,
    columns: Mapping[str, Sequence[Any] | Mapping[str, Any] | Groups],
    *,
    person: str | None = None,
    keep_by: str | None = None,
    records_per_unit: int = 1,
    missing: Mapping[str, str] | None = None,
    impossible: Sequence[Mapping[str, str]] = (),
    leave_out: bool = False,
) -> CountedTable:
    """Return the number of records in each cell of a table, as fields that `Client.create_dataset` takes.

    `count(frame, {"sex": ["f", "m"], "age": groups(0, 18, 65)}, person="id", keep_by="day")`

    `records` is a table or query of an engine that Narwhals supports (pandas, Polars, PyArrow, DuckDB, Ibis, Spark),
    with one record a row. `columns` has the levels of each column: a list of values, a dictionary from public names to
    values, or `groups`. Spaces around a text don't count.

    `person` names the column of the privacy unit. It is an error if somebody has more than `records_per_unit` records,
    so that what you affirm is true. With `keep_by`, the first record of each person in the order of that column is
    kept. Neither column leaves the engine.

    `missing` has the level of records without a value, by column: `{"age": "unknown"}`. Other records without a value
    have no cell. Neither has a record with a value that is not a level, with an `impossible` combination, or without a
    person or a value of `keep_by`. Records without a cell are an error, unless `leave_out` is true.

    Raises NotATable, and ImportError without Narwhals.
    """
    try:
        import narwhals.stable.v2 as nw  # noqa: PLC0415 - an extra of the package
    except ImportError:
        raise ImportError("count() needs Narwhals: pip install narwhals") from None
    missing = missing or {}
    if unknown := [name for name in missing if name not in columns]:
        raise NotATable(f"`missing` names {unknown[0]!r}, which is not a counted column")
    described = [_column_of(name, levels, missing.get(name)) for name, levels in columns.items()]
    names = {column.name: column.levels for column in described}
    possible = possible_cells(names, impossible).values()
    _check_persons(columns, person, keep_by, records_per_unit)
    if isinstance(records, str | Path):
        reader = _READERS.get(Path(records).suffix.lower(), "pandas.read_excel({path!r}, dtype=str)")
        raise NotATable(f"count() takes a table, not a path: count({reader.format(path=str(records))}, …)")
    try:
        frame = nw.from_native(records)
        schema = frame.collect_schema()
    except (TypeError, AttributeError):
        raise NotATable(f"a {type(records).__name__} is not a table that Narwhals supports") from None
    people = [each for each in (person, keep_by) if each is not None]
    for name in (*columns, *people):
        if name not in schema:
            near = nearest(name, list(schema))
            hint = f"did you mean {near!r}?" if near else f"it has {first_names([*map(repr, schema)], 20)}"
            raise NotATable(f"the table has no column {name!r}; {hint}")

    frame = frame.select(
        *(expression for k, each in enumerate(described) for expression in _values(nw, schema[each.name], each, k)),
        *(expression for k, name in enumerate(people) for expression in _person(nw, schema[name], name, k)),
    )
    kept = [nw.col(f"{part} {k}") for k in range(len(people)) for part in ("person", "number of person")]
    codes = [_code(nw, schema[each.name], each, missing.get(each.name), k) for k, each in enumerate(described)]
    blank = [nw.col(f"person is blank {k}") for k in range(len(people))]
    frame = frame.select(*codes, *kept, *blank)
    cell, reasons = _cell(nw, described, people)
    frame = frame.select(cell.alias("cell"), *kept)
    found = {int(number): int(rows) for number, rows in _rows(frame.group_by("cell").agg(nw.len().alias("rows")))}
    left_out = {reasons[-number - 1]: rows for number, rows in sorted(found.items(), reverse=True) if number < 0}
    if person is not None:
        frame = frame.filter(nw.col("cell") >= 0)
        if keep_by is not None:
            frame = frame.unique(subset=["person 0"], keep="first", order_by=["number of person 1", "person 1", "cell"])
        else:
            _check_most(nw, frame, person, records_per_unit)
        found = {int(number): int(rows) for number, rows in _rows(frame.group_by("cell").agg(nw.len().alias("rows")))}
    counts = [found.get(number, 0) for number in possible]
    if impossibles := sum(rows for number, rows in found.items() if number >= 0) - sum(counts):
        left_out["impossible combination"] = impossibles
    if left_out and not leave_out:
        said = ", ".join(f"{rows} ({reason})" for reason, rows in left_out.items())
        dates = [each.name for each in described if each.is_date and f"{each.name}: not a level" in left_out]
        written = f". Texts in {dates[0]!r} must be dates such as 2014-05-18" if dates else ""
        raise NotATable(
            f"records without a cell: {said}{written}. Add their values to the levels, name a level for `missing` "
            "values, or leave them out: leave_out=True"
        )
    fields = registration_fields(names, impossible, counts)
    if person is not None:
        fields |= {"one_record_per_unit": True} if records_per_unit == 1 else {"records_per_unit": records_per_unit}
    return CountedTable(fields, left_out)


def _check_persons(columns: Iterable[str], person: str | None, keep_by: str | None, records_per_unit: int) -> None:
    if records_per_unit < 1:
        raise NotATable("records_per_unit must be at least 1")
    if person is None and (keep_by is not None or records_per_unit != 1):
        raise NotATable("keep_by and records_per_unit need `person`, the column that names people")
    if keep_by is not None and records_per_unit != 1:
        raise NotATable(
            "keep_by keeps one record a person. To keep more, choose them in your engine, and count with "
            "records_per_unit alone"
        )
    if person is not None and (person == keep_by or person in columns):
        raise NotATable(f"the column {person!r} names people; it can't be counted or ordered too")


def _column_of(name: str, levels: Sequence[Any] | Mapping[str, Any] | Groups, missing: str | None) -> _Column:
    """Return the column with its levels. Raises NotATable."""
    is_date = isinstance(levels, Groups) and levels.is_date
    if isinstance(levels, Groups):
        names, values = levels.names, tuple[Any, ...](levels.groups)
    elif isinstance(levels, Mapping):
        names, values = tuple(map(str, levels)), tuple(levels.values())
    elif isinstance(levels, str):
        raise NotATable(f"the levels of {name!r} must be a list, a dictionary or groups")
    else:
        values = tuple(levels)
        names = tuple(each.name if isinstance(each, Group) else str(each) for each in values)
    names = tuple(each.strip() for each in names)
    if missing is not None and missing not in names:
        names, values = (*names, missing), (*values, None)
    if not all(names) or len(set(names)) != len(names):
        raise NotATable(f"the levels of {name!r} must differ, and none may be empty")
    if not 1 <= len(names) <= MOST_LEVELS:
        raise NotATable(f"{name!r} must have 1 to {MOST_LEVELS} levels")
    return _Column(name, names, values, is_date)


def possible_cells(
    levels: Mapping[str, Sequence[str]], impossible: Sequence[Mapping[str, str]]
) -> dict[tuple[str, ...], int]:
    """Return the levels of each possible cell, and its number among all, in row-major order: the last column changes
    fastest. Raises NotATable.
    """
    if not levels:
        raise NotATable("name at least one column and its levels")
    if (size := prod(map(len, levels.values()))) > MOST_CELLS:
        raise NotATable(f"the columns make {size} cells, and {MOST_CELLS} is the most")
    for each in impossible:
        if not each or not all(name in levels and level in levels[name] for name, level in each.items()):
            raise NotATable("an impossible combination must name columns and levels that are given")
    return {
        cell: number
        for number, cell in enumerate(product(*levels.values()))
        if not any(each.items() <= dict(zip(levels, cell, strict=True)).items() for each in impossible)
    }


def registration_fields(
    levels: Mapping[str, Sequence[str]], impossible: Sequence[Mapping[str, str]], counts: Sequence[int]
) -> dict[str, Any]:
    """Return the fields of a registration that describe the cells, with their counts. Raises NotATable."""
    if not any(counts):
        raise NotATable("the table has no records: every count is 0")
    fields: dict[str, Any] = {"attributes": [{"name": name, "levels": list(each)} for name, each in levels.items()]}
    if impossible:
        fields["impossible"] = [{name: [level] for name, level in each.items()} for each in impossible]
    return fields | {"counts": list(counts)}


def _values(nw: Any, dtype: Any, column: _Column, k: int) -> list[Any]:
    """Return the expressions of a column's value, and of its number if it has groups. Raises NotATable."""
    value = number = nw.col(column.name)
    if _is_text(nw, dtype):
        value = value.cast(nw.String).str.strip_chars()
        number = _date_in(nw, value) if column.is_date else _number_in(nw, value)
    elif dtype.is_temporal():
        if not column.is_date:
            raise NotATable(f"{column.name!r} has dates: give its levels as groups('month from 2020-01 to 2020-12')")
        number = value.dt.year().cast(nw.Float64) * 12 + value.dt.month().cast(nw.Float64) - 1
    elif not (dtype.is_numeric() or dtype == nw.Boolean):
        raise NotATable(f"{column.name!r} has the type {dtype}, which has no levels: make it text, a number or a date")
    elif column.is_date:
        raise NotATable(f"{column.name!r} does not have dates")
    grouped = any(isinstance(given, Group) for given in column.values)
    return [value.alias(f"value {k}"), *([number.alias(f"number {k}")] if grouped else [])]


def _person(nw: Any, dtype: Any, name: str, k: int) -> list[Any]:
    """Return the expressions of a person or a place in the order, and of whether there is none.

    Texts that are numbers come in the order of the numbers, and all others in that of texts, as dates need.
    """
    value = nw.col(name)
    if _is_text(nw, dtype):
        value = value.cast(nw.String).str.strip_chars()
    number = _number_in(nw, value).fill_null(0.0) if k and _is_text(nw, dtype) else nw.lit(0.0)
    return [
        value.alias(f"person {k}"),
        number.alias(f"number of person {k}"),
        _is_blank(nw, nw.col(name), dtype).alias(f"person is blank {k}"),
    ]


def _code(nw: Any, dtype: Any, column: _Column, missing: str | None, k: int) -> Any:
    """Return the expression of a record's level: its number from 1, 0 for another value, and -1 for no value."""
    value = nw.col(f"value {k}")
    tests = [
        (place, _has_level(nw, column, given, dtype, value, nw.col(f"number {k}")))
        for place, (name, given) in enumerate(zip(column.levels, column.values, strict=True), 1)
        if given is not None and (_is_text(nw, dtype) or name != missing)
    ]
    matched = nw.sum_horizontal(
        *(nw.when(test.fill_null(value=False)).then(nw.lit(place)).otherwise(nw.lit(0)) for place, test in tests)
    )
    blank = nw.lit(-1 if missing is None else column.levels.index(missing) + 1)
    other = nw.when(_is_blank(nw, value, dtype)).then(blank).otherwise(nw.lit(0))
    return nw.when(matched > 0).then(matched).otherwise(other).alias(f"code {k}")


def _has_level(nw: Any, column: _Column, given: Any, dtype: Any, value: Any, number: Any) -> Any:
    is_text = _is_text(nw, dtype)
    if isinstance(given, Group):
        if dtype == nw.Boolean:
            raise NotATable(f"{column.name!r} is Boolean: its levels are {{'yes': True, 'no': False}}")
        inside = _is_in(nw, number, given)
        return inside | (value == given.name) if is_text else inside
    if is_text:
        return value == str(given).strip()
    if dtype == nw.Boolean or isinstance(given, bool):
        if not (dtype == nw.Boolean and isinstance(given, bool)):
            raise NotATable(
                f"{column.name!r} is {'' if dtype == nw.Boolean else 'not '}Boolean, and {given!r} is "
                f"{'' if isinstance(given, bool) else 'not '}True or False. A dictionary names levels: "
                "{'yes': True, 'no': False}"
            )
        return value == given
    try:
        return value == (int(given) if dtype.is_integer() and float(given) == int(float(given)) else float(given))
    except (TypeError, ValueError):
        raise NotATable(f"{column.name!r} has numbers, and its level {given!r} is not one") from None


def _is_in(nw: Any, number: Any, group: Group) -> Any:
    tests = []
    if group.low > -inf:
        tests.append(number > group.low if group.is_low_open else number >= group.low)
    if group.high < inf:
        tests.append(number < group.high if group.is_high_open else number <= group.high)
    return nw.all_horizontal(*tests, ignore_nulls=False)


def _is_text(nw: Any, dtype: Any) -> bool:
    return dtype in (nw.String, nw.Categorical, nw.Enum)


def _number_in(nw: Any, text: Any) -> Any:
    return nw.when(text.str.contains(_NUMBER)).then(text).otherwise(nw.lit(None)).cast(nw.Float64)


def _date_in(nw: Any, text: Any) -> Any:
    """Return the month of a text such as 2020-03-14, counted from the year 0, else null."""
    date = nw.when(text.str.contains(_DATE)).then(text).otherwise(nw.lit(None))
    return date.str.slice(0, 4).cast(nw.Float64) * 12 + date.str.slice(5, 2).cast(nw.Float64) - 1


def _is_blank(nw: Any, value: Any, dtype: Any) -> Any:
    """Return whether a value is null, NaN, or a text that stands for no value."""
    if _is_text(nw, dtype):
        return value.is_null() | value.cast(nw.String).str.contains(_NO_VALUE)
    return value.is_null() | value.is_nan() if dtype.is_float() else value.is_null()


def _cell(nw: Any, columns: Sequence[_Column], people: Sequence[str]) -> tuple[Any, list[str]]:
    """Return the expression of a record's cell, and the reasons for having none: -1 is the first."""
    cell, stride = nw.lit(0), 1
    for k in reversed(range(len(columns))):
        cell = cell + (nw.col(f"code {k}") - 1) * stride
        stride *= len(columns[k].levels)
    tests = [(nw.col(f"person is blank {k}"), f"{name}: no value") for k, name in enumerate(people)]
    for k, column in enumerate(columns):
        tests.append((nw.col(f"code {k}") == 0, f"{column.name}: not a level"))
        tests.append((nw.col(f"code {k}") == -1, f"{column.name}: no value"))
    for number, (test, _) in reversed(list(enumerate(tests, 1))):
        cell = nw.when(test).then(nw.lit(-number)).otherwise(cell)
    reasons = [reason for _, reason in tests]
    return cell, reasons


def _check_most(nw: Any, frame: Any, person: str, records_per_unit: int) -> None:
    rows = frame.group_by("person 0").agg(nw.len().alias("rows"))
    several = nw.when(nw.col("rows") > 1).then(nw.lit(1)).otherwise(nw.lit(0))
    ((most, many),) = _rows(rows.select(nw.col("rows").max().alias("most"), several.sum().alias("several")))
    if (most or 0) > records_per_unit:
        raise NotATable(
            f"{many} {'person has' if many == 1 else 'people have'} several records by {person!r}, the most {most}. "
            "keep_by='…' keeps the first of each person in the order of a column; or affirm records_per_unit"
        )


def _rows(frame: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a small result."""
    native = frame.to_native()
    if hasattr(native, "fetchall"):  # DuckDB; Narwhals would need PyArrow too
        fetched: list[tuple[Any, ...]] = native.fetchall()
        return fetched
    collected: list[tuple[Any, ...]] = (frame.collect() if hasattr(frame, "collect") else frame).rows()
    return collected
