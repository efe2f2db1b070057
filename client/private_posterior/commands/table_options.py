"""The options of `datasets create` that describe a table, and the table in a file of records or of counts.

The owner always gives the levels of a column. Labels found in data are private: a label itself can disclose that
somebody has a rare disease. Errors quote the file, because only its owner sees them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from private_posterior.counting import count, possible_cells, registration_fields
from private_posterior.errors import NotATable
from private_posterior.groups import Group, checked, group_of, groups_of
from private_posterior.nearest import nearest
from private_posterior.plain_table import header_of, read_plain_table, sum_among, whole_number
from private_posterior.wording import first_names

if TYPE_CHECKING:
    from private_posterior.groups import Groups

JOINED_BY: Final = " · "
"""Separator of the levels in the label of a cell. The service uses the same."""
_MAX_RECORDS: Final = 2**53
_LONGEST_HEADER: Final = 1_000_000
"""Bytes of the line with the names of the columns."""
_QUARTER: Final = re.compile(r"-Q([1-4])$")
_NUMBER: Final = re.compile(r"-?[0-9]+(?:[.,][0-9]+)*")
_Line = tuple[int, Mapping[str, str]]
"""The number of a line, and its values by column."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What the options of a command say about the table in a file."""

    labels: str | None = None
    levels: Sequence[str] = ()
    groups: Sequence[str] = ()
    impossible: Sequence[str] = ()
    missing: str | None = None
    count_column: str | None = None
    person: str | None = None
    keep_by: str | None = None
    records_per_unit: int = 1
    leave_out: bool = False
    like: Mapping[str, Any] | None = None
    """The public facts of a data set that has the columns and levels."""
    one_record_per_line: bool = False

    def columns(self) -> dict[str, list[str | Group] | Groups]:
        """Return the levels of each column; "" is the only column of a file. Raises NotATable."""
        if self.labels is not None:
            if self.levels or self.groups:
                raise NotATable("give either --labels or --levels")
            return {"": list(listed(self.labels))}
        if self.like is not None:
            if self.levels or self.groups:
                raise NotATable("give either --like or --levels and --groups")
            if not self.like.get("attributes"):
                raise NotATable("--like needs a data set with named columns; list the categories with --labels")
            return {each["name"]: _levels_like(each["levels"]) for each in self.like["attributes"]}
        return dict([*map(_levels_of, self.levels), *map(_groups_of, self.groups)])

    def cells_that_cannot_occur(self) -> list[dict[str, str]]:
        """Return a combination of levels for each. Raises NotATable."""
        found = [_combination_of(each) for each in self.impossible]
        for each in (self.like or {}).get("impossible") or ():
            found += [dict(zip(each, levels, strict=True)) for levels in product(*each.values())]
        return found


@dataclass(frozen=True, slots=True)
class Counted:
    """The cells of a registration with their counts, and the records that were left out, by reason."""

    fields: Mapping[str, Any]
    left_out: Mapping[str, int]

    @property
    def counts(self) -> list[int]:
        counts: list[int] = self.fields["counts"]
        return counts

    @property
    def labels(self) -> list[str]:
        """Return the service's label of each cell."""
        if "labels" in self.fields:
            labels: list[str] = self.fields["labels"]
            return labels
        levels = {each["name"]: each["levels"] for each in self.fields["attributes"]}
        impossible = [{name: level for name, (level,) in each.items()} for each in self.fields.get("impossible", ())]
        return [JOINED_BY.join(cell) for cell in possible_cells(levels, impossible)]


def listed(text: str) -> tuple[str, ...]:
    """Return the items of a comma-separated list. An item that contains a comma is in double quotes."""
    try:
        (row,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (csv.Error, ValueError):
        raise NotATable("a list has its items separated by commas, and an item with a comma in double quotes") from None
    return tuple(item.strip() for item in row)


def _levels_of(text: str) -> tuple[str, list[str | Group]]:
    """Parse a column written as `name=first,second,third`. Levels such as `0-17` or `0-17 = child` are groups, too."""
    name, sign, levels = text.partition("=")
    if not sign or not name.strip():
        raise NotATable("--levels takes a column and its levels: name=first,second,third")
    return name.strip(), _items_with_groups(listed(levels))


def _levels_like(levels: Sequence[str]) -> list[str | Group] | Groups:
    """Return the levels of a column of another data set: periods, or values and groups of numbers."""
    for period in ("month", "quarter", "year"):
        bounds = [_QUARTER.sub(lambda found: f"-{3 * int(found[1]) - 2:02}", level) for level in levels]
        with suppress(NotATable):
            made = groups_of(f"{period} from {bounds[0]} to {bounds[-1]}")
            if list(made.names) == list(levels):
                return made
    return _items_with_groups(levels)


def _items_with_groups(items: Sequence[str]) -> list[str | Group]:
    groups = [group_of(item) for item in items]
    found = [group for group in groups if group is not None]
    try:
        checked(found)
    except NotATable:
        if any(group is not None and group.name != item for item, group in zip(items, groups, strict=True)):
            raise
        return list(items)  # texts that look like groups that overlap
    return [item if group is None else group for item, group in zip(items, groups, strict=True)]


def _groups_of(text: str) -> tuple[str, Groups]:
    """Parse a column and the rule of its groups: `age=every 10 from 0 to 99`."""
    name, sign, rule = text.partition("=")
    if not sign or not name.strip():
        raise NotATable("--groups takes a column and a rule: age=every 10 from 0 to 99")
    return name.strip(), groups_of(rule)


def _combination_of(text: str) -> dict[str, str]:
    """Parse a combination of levels written as `column=level,other=level`."""
    pairs = [item.partition("=") for item in listed(text)]
    if not all(sign and name and level for name, sign, level in pairs):
        raise NotATable("--impossible takes columns with a level each: age=10-19,smoker=yes")
    return {name.strip(): level.strip() for name, _, level in pairs}


def count_file(path: Path, options: TableOptions) -> Counted:
    """Return the table of a CSV or Parquet file with one record a row. Raises NotATable."""
    columns = options.columns()
    if options.count_column:
        raise NotATable("--count-column is for a file with counts: --counts")
    if not columns:
        raise NotATable("give --labels or --levels: labels that are found in data are not public")
    try:
        import duckdb
    except ImportError:
        raise NotATable(_NEEDS_TABLES) from None
    records = _records_in(path)
    if "" in columns:
        if len(records.columns) != 1:
            raise NotATable(
                f"--labels is for a file with one column, and {path} has {first_names(records.columns, 20)}; --levels "
                "name=first,second names the column"
            )
        columns = {records.columns[0]: columns[""]}
    named = options.missing
    missing = {} if named is None else {name: named for name, levels in columns.items() if named in _names(levels)}
    if named is not None and not missing:
        raise NotATable(f"--missing {named}: no column has this level; add it to --levels")
    try:
        counted = count(
            records,
            columns,
            person=options.person,
            keep_by=options.keep_by,
            records_per_unit=1 if options.person is None else options.records_per_unit,
            missing=missing,
            impossible=options.cells_that_cannot_occur(),
            leave_out=options.leave_out,
        )
        if options.person is None and not options.one_record_per_line:
            lines = sum(counted["counts"]) + sum(counted.left_out.values())
            _require_one_record_per_line(path, records, [*columns], lines, has_missing=bool(missing))
    except ImportError:
        raise NotATable(_NEEDS_TABLES) from None
    except duckdb.Error as error:
        raise _unreadable(path, error) from None
    except NotATable as error:
        said = str(error)
        for argument, option in _OPTIONS.items():
            said = said.replace(argument, option)
        raise NotATable(said) from None
    fields: dict[str, Any] = {key: counted[key] for key in ("attributes", "impossible", "counts") if key in counted}
    if options.labels is not None:
        fields = {"labels": fields["attributes"][0]["levels"], "counts": fields["counts"]}
    return Counted(fields, counted.left_out)


def _require_one_record_per_line(
    path: Path, records: Any, counted: Sequence[str], lines: int, *, has_missing: bool
) -> None:
    """Raise NotATable if a column that is not counted may have numbers of records, or a line with their total.

    Numbers of records are whole, some are above 1, and they are not running numbers. No two lines have the same values
    in the other columns, apart from columns that differ in each line or measure.
    """
    text = {name: 'trim("' + name.replace('"', '""') + '")' for name in records.columns}
    rest = [name for name in text if name not in counted]
    if not rest or not 1 < lines <= _MOST_COMPARED:
        return
    facts = [_FACTS.format(text=text[name], number=_NUMBER_IN.format(text[name])) for name in rest]
    about = dict(zip(rest, records.aggregate(", ".join(facts)).fetchall()[0], strict=True))
    numbers = {name: each for name, each in about.items() if 2 * each["known"] >= lines and each["least"] >= 0}
    advice = "if each line is one record, add --one-record-per-line"
    for name, each in numbers.items():
        if has_missing and each["positive"] > _FEWEST_PARTS and abs(2 * each["most"] - each["sum"]) < _UNEQUAL:
            raise NotATable(f"a line of {path} has the sum of the others in {name!r}: delete totals; {advice}")
    keys = [
        name
        for name, each in about.items()
        if each["different"] < lines and (name not in numbers or (each["whole"] and 2 * each["different"] <= lines))
    ]
    for name, each in reversed(numbers.items()):  # numbers of records are usually in the last column
        is_running = each["different"] == lines == each["most"] - each["least"] + 1
        if not each["whole"] or each["most"] <= 1 or is_running:
            continue
        others = ", ".join(text[other] for other in (*counted, *keys) if other != name)
        if records.aggregate(f"count(DISTINCT row({others}))").fetchall() == [(lines,)]:
            raise NotATable(
                f"{name!r} in {path} may have numbers of records, since no two lines have the same other values: "
                f"use --counts in place of --records; {advice}"
            )


_FACTS: Final = (
    "{{'different': count(DISTINCT {text}), 'known': count({number}), 'positive': count_if({number} > 0), "
    "'least': min({number}), 'most': max({number}), 'sum': sum({number}), "
    "'whole': bool_and({number} = floor({number}))}}"
)
"""Facts about a column of texts, and the numbers in it."""
_NUMBER_IN: Final = (
    "TRY_CAST(CASE WHEN regexp_full_match({0}, '[0-9]{{1,3}}([., ''’\u00a0\u2009\u202f][0-9]{{3}})+') "
    "THEN regexp_replace({0}, '[^0-9]', '', 'g') ELSE {0} END AS DOUBLE)"
)
"""The number in a text. `1.204` may be 1204, so it is taken for a number of records."""
_MOST_COMPARED: Final = 1_000_000
"""Number of lines up to which they are compared."""
_FEWEST_PARTS: Final = 2
_UNEQUAL: Final = 1e-6
"""Difference from which two sums are not equal."""
_OPTIONS: Final = {
    "keep_by='…'": "--keep-by COLUMN",
    "leave_out=True": "--leave-out",
    "records_per_unit": "--records-per-unit",
    "a level for `missing` values": "a level for values that are missing with --missing",
}
"""What the arguments of `count` are called on the command line, in the words of its errors."""
_NEEDS_TABLES: Final = "records are counted by DuckDB and Narwhals: pip install duckdb narwhals"


def _names(levels: Sequence[str | Group] | Groups) -> tuple[str, ...]:
    if isinstance(levels, Sequence):
        return tuple(each if isinstance(each, str) else each.name for each in levels)
    return levels.names


def _records_in(path: Path) -> Any:
    """Return the file as a relation of texts, which DuckDB reads when it is counted. Raises NotATable."""
    import duckdb

    kind = path.suffix.lower()
    if kind not in (".csv", ".tsv", ".txt", ".parquet"):
        raise NotATable(
            f"{path} is neither CSV nor Parquet. Open it in the console, or count it in Python: "
            f"count(pandas.read_excel({str(path)!r}, dtype=str), …)"
        )
    try:
        with path.open("rb") as file:
            line = file.readline(_LONGEST_HEADER)
        if kind == ".parquet":
            return duckdb.read_parquet(str(path)).project("CAST(COLUMNS(*) AS VARCHAR)")
        separator, names = header_of(line.decode("utf-8-sig"), str(path))
        # DuckDB's own detection drops rows silently, where a later row has another number of values.
        return duckdb.read_csv(
            str(path), header=True, auto_detect=False, columns=dict.fromkeys(names, "VARCHAR"), sep=separator or ",",
            quotechar='"', escapechar='"',
        )  # fmt: skip
    except UnicodeDecodeError:
        raise NotATable(f"{path} is not written in UTF-8: open it in the console") from None
    except OSError as error:
        raise NotATable(f"{path} can't be read: {error.strerror}") from None
    except duckdb.Error as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: Exception) -> NotATable:
    return NotATable(f"{path} can't be read by DuckDB: {str(error).splitlines()[0]}. The console reads other files")


def read_counts(path: Path, options: TableOptions) -> Counted:
    """Return the table of a file with one cell a row and a column of counts. Raises NotATable.

    Without columns, the only other column has the labels, in order. Otherwise every possible cell has one row.
    """
    columns = options.columns()
    names, rows = read_plain_table(path)
    lines: list[_Line] = [(line, dict(zip(names, row, strict=True))) for line, row in rows]
    column = options.count_column or "count"
    others = [name for name in names if name != column]
    if column not in names:
        raise NotATable(
            f"{path} has no column {column!r}; --count-column names one of {first_names(names, 20)}. The "
            "console opens a table with several columns of counts"
        )
    if not columns or "" in columns:
        if len(others) != 1:
            raise NotATable(f"{path} must have two columns, label and count, or --levels for each; it has {names}")
        found: list[str | Group] = [row[others[0]] for _, row in lines]
        if not columns and all(_NUMBER.fullmatch(str(each)) for each in found):
            raise NotATable(f"the values of {others[0]!r} are numbers, and would be public: list them with --labels")
        columns = {others[0]: columns.get("") or found}
    if absent := [name for name in columns if name not in names]:
        near = nearest(absent[0], list(names))
        hint = f"; did you mean {near!r}?" if near else f"; it has {first_names(names, 20)}"
        raise NotATable(f"{path} has no column {absent[0]!r}{hint}")
    return _cells_with(path, columns, column, lines, options)


def _cells_with(
    path: Path,
    columns: Mapping[str, Sequence[str | Group] | Groups],
    column: str,
    lines: Sequence[_Line],
    options: TableOptions,
) -> Counted:
    levels = {name: _names(each) for name, each in columns.items()}
    counts: dict[tuple[str, ...], int] = {}
    for line, row in lines:
        cell = tuple(row[name] for name in columns)
        for name, level in zip(columns, cell, strict=True):
            if level not in levels[name]:
                near = nearest(level, list(levels[name]))
                hint = f"; did you mean {near!r}?" if near else ""
                raise NotATable(f"line {line}: {level!r} is not a level of {name!r}{hint}")
        if cell in counts:
            raise NotATable(f"line {line}: this cell has an earlier line already")
        counts[cell] = whole_number(row[column], f"line {line}")
    labels = {} if options.labels is not None or len(columns) > 1 else {cell[0]: each for cell, each in counts.items()}
    if found := sum_among(labels):
        raise NotATable(
            f"the count of {found!r} is the sum of the others. Leave out a row of totals; if it is a category, list "
            "all of them: --labels"
        )
    if sum(counts.values()) > _MAX_RECORDS:
        raise NotATable(f"{path} has more than 2^53 records. No table of people has as many")
    impossible = options.cells_that_cannot_occur()
    possible = possible_cells(levels, impossible)
    if outside := [cell for cell in counts if cell not in possible]:
        raise NotATable(f"{JOINED_BY.join(outside[0])} is said to be impossible, and {path} has a row of it")
    if absent := [cell for cell in possible if cell not in counts]:
        raise NotATable(
            f"{path} must have a row for each possible cell, with a count of 0 for nobody; {JOINED_BY.join(absent[0])} "
            "is missing"
        )
    fields = registration_fields(levels, impossible, [counts[cell] for cell in possible])
    if not options.levels and not options.groups:
        fields = {"labels": fields["attributes"][0]["levels"], "counts": fields["counts"]}
    return Counted(fields, {})
