"""Counts raw records, or reads counts, from CSV and Excel files. A file is read one row at a time, so that it may be
larger than memory.

The owner always gives the levels of a column. Labels found in data are private: a label itself can disclose that
somebody has a rare disease. Errors quote the file, because only its owner sees them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import chain, islice, product
from math import prod
from typing import Any, Final, NamedTuple

from private_posterior.commands.files import File, Opened, opened
from private_posterior.commands.groups import Groups, checked, group_of, groups_of
from private_posterior.commands.tabular import (
    MOST_COMPARED,
    FileError,
    Record,
    is_missing,
    is_total,
    is_unnamed,
    names_people,
    plain,
    study,
    whole_number,
)

MOST_CELLS: Final = 10_000
JOINED_BY: Final = " · "
"""Separator of the levels in the label of a cell. The service uses the same."""
_ROWS_BETWEEN_REPORTS: Final = 100_000
_MAX_RECORDS: Final = 2**53
_MAX_QUOTED: Final = 40
_MOST_PEOPLE: Final = 10_000_000
"""People whose rows are counted; each takes memory."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the file, and its public levels in order. `name` is empty if it is the only column."""

    name: str
    levels: tuple[str, ...]
    groups: Groups | None = None
    """Levels that are groups of numbers or dates. A value that is the text of a level has that level."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The possible cells of the table of the columns, in row-major order: the last column changes fastest."""

    columns: tuple[Column, ...]
    impossible: tuple[Mapping[str, str], ...] = ()

    def __post_init__(self) -> None:
        for column in self.columns:
            if len(set(column.levels)) != len(column.levels):
                raise FileError(f"the levels of {_named(column)} must differ")
            if not all(column.levels):
                raise FileError(f"a level of {_named(column)} is empty")
        if prod(len(column.levels) for column in self.columns) > MOST_CELLS:
            raise FileError(f"the columns make more than {MOST_CELLS} cells")
        known = {column.name: column.levels for column in self.columns}
        for each in self.impossible:
            if not all(name in known and level in known[name] for name, level in each.items()):
                raise FileError("--impossible must name columns and levels that --levels gives")

    def description(self) -> dict[str, Any]:
        """Return the cells in the form of a registration request."""
        if [column.name for column in self.columns] == [""]:
            return {"labels": self.labels}
        attributes = [{"name": column.name, "levels": list(column.levels)} for column in self.columns]
        impossible = [{name: [level] for name, level in each.items()} for each in self.impossible]
        return {"attributes": attributes} | ({"impossible": impossible} if impossible else {})

    def possible(self) -> list[tuple[str, ...]]:
        """Return the levels of each cell."""
        names = [column.name for column in self.columns]
        return [
            levels
            for levels in product(*(column.levels for column in self.columns))
            if not any(each.items() <= dict(zip(names, levels, strict=True)).items() for each in self.impossible)
        ]

    @property
    def labels(self) -> list[str]:
        """Return the service's label of each cell."""
        return [JOINED_BY.join(levels) for levels in self.possible()]


def listed(text: str) -> tuple[str, ...]:
    """Return the items of a comma-separated list. An item that contains a comma is in double quotes."""
    try:
        (row,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (csv.Error, ValueError):
        raise FileError("a list has its items separated by commas, and an item with a comma in double quotes") from None
    return tuple(item.strip() for item in row)


def column_of(text: str) -> Column:
    """Parse a column written as `name=first,second,third`. Levels such as `0-17` or `0-17 = child` are groups, too."""
    name, sign, levels = text.partition("=")
    if not sign or not name.strip():
        raise FileError("--levels takes a column and its levels: name=first,second,third")
    items = listed(levels)
    groups = [group_of(item) for item in items]
    names = tuple(item if group is None else group.name for item, group in zip(items, groups, strict=True))
    found = [group for group in groups if group is not None]
    try:
        made = Groups(checked(found)) if found else None
    except FileError:
        if names != items:
            raise
        made = None  # texts that look like groups that overlap
    return Column(name.strip(), names, made)


def grouped_column_of(text: str) -> Column:
    """Parse a column and the rule of its groups: `age=every 10 from 0 to 99`."""
    name, sign, rule = text.partition("=")
    if not sign or not name.strip():
        raise FileError("--groups takes a column and a rule: age=every 10 from 0 to 99")
    groups = groups_of(rule)
    return Column(name.strip(), groups.names, groups)


class Unfolded(NamedTuple):
    """Columns that each have the counts of one value, and the name of the column that they become."""

    name: str
    columns: tuple[str, ...]


def unfolded_of(text: str) -> Unfolded:
    """Parse `name=column,column`."""
    name, sign, columns = text.partition("=")
    if not sign or not name.strip() or len(listed(columns)) < 2:
        raise FileError("--unfold takes a name and at least two columns: sex=Male,Female")
    return Unfolded(name.strip(), listed(columns))


def combination_of(text: str) -> dict[str, str]:
    """Parse a combination of levels written as `column=level,other=level`."""
    pairs = [item.partition("=") for item in listed(text)]
    if not all(sign and name and level for name, sign, level in pairs):
        raise FileError("--impossible takes columns with a level each: age=10-19,smoker=yes")
    return {name.strip(): level.strip() for name, _, level in pairs}


@dataclass(frozen=True, slots=True)
class Counted:
    """Cells with their counts, and how the file was read, in sentences for the owner."""

    cells: Cells
    counts: list[int]
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Described:
    """What the options of a command say about the table in a file."""

    labels: str | None = None
    levels: Sequence[str] = ()
    groups: Sequence[str] = ()
    impossible: Sequence[str] = ()
    missing: str | None = None
    count_column: str | None = None
    unfold: str | None = None
    person: str | None = None
    finds_person: bool = True
    most_records: int | None = None


def table_of(file: File, wanted: Described, *, raw: bool, report: Callable[[int], None]) -> Counted:
    """Return the cells and counts that the options of a command describe, from raw records or from counts.

    Raises FileError.
    """
    if wanted.labels is not None and (wanted.levels or wanted.groups):
        raise FileError("give either --labels or --levels")
    columns = [column_of(each) for each in wanted.levels] + [grouped_column_of(each) for each in wanted.groups]
    if wanted.labels is not None:
        columns = [Column("", listed(wanted.labels))]
    without = [combination_of(each) for each in wanted.impossible]
    if not raw:
        unfold = None if wanted.unfold is None else unfolded_of(wanted.unfold)
        return read_counts(file, columns, without, count_column=wanted.count_column, unfold=unfold)
    if wanted.count_column or wanted.unfold:
        raise FileError("--count-column and --unfold are for a file with counts: --counts")
    if not columns:
        raise FileError("give --labels or --levels: labels that are found in data are not public")
    cells = Cells(tuple(columns), tuple(without))
    return count_records(
        file,
        cells,
        missing=wanted.missing,
        person=wanted.person,
        finds_person=wanted.finds_person,
        most_records=wanted.most_records,
        report=report,
    )


def count_records(
    file: File,
    cells: Cells,
    *,
    missing: str | None = None,
    person: str | None = None,
    finds_person: bool = True,
    most_records: int | None = None,
    report: Callable[[int], None] = lambda _: None,
) -> Counted:
    """Return the number of records in each cell of a file with one record a row. Raises FileError.

    A row without a value counts as the level `missing`, and is an error if `missing` is None. `person` is a column that
    names people: then it is an error if somebody has more than `most_records`. Without it, and with `finds_person`, the
    column that looks like the person is compared. `report` is called from time to time with the number of rows read.
    """
    with opened(file) as found:
        table = found.table
        numbers = {levels: number for number, levels in enumerate(cells.possible())}
        counts = [0] * len(numbers)
        places = _places(table.names, cells.columns)
        first = list[Record]()
        who = None if person is None else _places(table.names, [Column(person, ())])[0]
        if person is None and finds_person and any(map(names_people, table.names)):
            first = list(islice(table.rows, MOST_COMPARED + 1))
            looks_like = study(table.names, (row for _, row in first), table.separator).person
            # A column whose values the owner lists as levels does not name people.
            who = None if looks_like is None or (place := table.names.index(looks_like)) in places else place
        people: dict[str, int] = {}
        reader = _Reader(cells.columns, numbers, missing, table.separator)
        # Remember which cell each spelling belongs to, padded or not, for a bounded number of spellings.
        known: dict[tuple[str, ...], int] = {}
        for read, (line, row) in enumerate(chain(first, table.rows), start=1):
            if who is not None:
                named = plain(row[who])
                people[named] = people.get(named, 0) + 1
                if len(people) > _MOST_PEOPLE:
                    raise FileError(
                        f"column {table.names[who]!r} names more than {_MOST_PEOPLE} people, too many to compare"
                        + ("" if person else "; --no-person leaves that out")
                    )
            written = tuple([row[place] for place in places])
            number = known.get(written)
            if number is None:
                number = reader.cell(written, line)
                if number is None:
                    continue
                if len(known) < MOST_CELLS:
                    known[written] = number
            counts[number] += 1
            if read % _ROWS_BETWEEN_REPORTS == 0:
                report(read)
    reader.require_no_faults()
    if not any(counts):
        raise FileError(f"{file} has no records")
    said = [] if who is None else _said_of_people(people, table.names[who], most_records, is_found=person is None)
    return Counted(cells, counts, (*_said(found), *said))


def _said(found: Opened) -> list[str]:
    """Return how a file was read, and what was completed or skipped."""
    table, said = found.table, list[str]()
    if found.sheet:
        others = [name for name in found.sheets if name != found.sheet]
        said.append(f"sheet {found.sheet!r}" + (f"; --sheet names another: {_quoted_list(others)}" if others else ""))
    elif found.encoding != "utf-8":
        said.append(f"read as {found.encoding}; --encoding names another")
    if table.names_line != 1:
        where = f"in line {table.names_line}" if table.names_line else "nowhere"
        said.append(f"the names of the columns are {where}: {_quoted_list(table.names)}; --names-line names another")
    if table.left.short:
        said.append(f"lines with fewer values than names: {table.left.short}; their last columns count as no value")
    if table.left.blank:
        said.append(f"lines without a value, which are skipped: {table.left.blank}")
    return said


def _said_of_people(people: Mapping[str, int], person: str, most_records: int | None, *, is_found: bool) -> list[str]:
    """Return how many people have several rows. Raises FileError if somebody has more than `most_records`."""
    rows = [number for value, number in people.items() if not is_missing(value)]
    if not rows:
        return []
    most, several = max(rows), sum(number > 1 for number in rows)
    having = "1 person has" if several == 1 else f"{several} people have"
    said = f"{having} several rows, the most {most}" if most > 1 else "each person has one row in this file"
    said = f"{person!r} looks like the person: {said}" if is_found else f"column {person!r}: {said}"
    if most_records is not None and most > most_records:
        raise FileError(
            f"{said}. You affirm at most {most_records}: the answer or the file is wrong. Give --records-per-unit"
            + (f", or --no-person if {person!r} does not name people" if is_found else "")
        )
    return [f"{said}; this number is not public, what you affirm is" if most > 1 else said]


def read_counts(
    file: File,
    columns: Sequence[Column],
    impossible: Sequence[Mapping[str, str]],
    *,
    count_column: str | None = None,
    unfold: Unfolded | None = None,
) -> Counted:
    """Return the cells and counts of a file with one cell a row. Raises FileError.

    The column of counts is found by its name, or named. Without `columns`, the only other column has the labels, in
    order. Otherwise every possible cell occurs once, in any order.
    """
    with opened(file) as found:
        names = list(found.table.names)
        lines = [Record(line, [plain(item) for item in row]) for line, row in _limited(found)]
    separator = found.table.separator
    for line, row in lines:
        total = next((item for item in row if is_total(item) and not _is_level(item, columns)), None)
        if total is not None:
            raise FileError(f"line {line}: {_quoted(total)} looks like a sum of other rows; leave such rows out")
    if unfold is not None:
        names, lines = _unfold(names, lines, unfold)
        place = len(names) - 1
    else:
        place = _count_place(names, lines, count_column, separator, file)
    others = [
        each
        for each, name in enumerate(names)
        if each != place and not (is_unnamed(name, each) and _is_row_number(lines, each))
    ]
    if columns:
        cells = Cells(tuple(columns), tuple(impossible))
        places = _places(names, cells.columns)
    else:
        if len(others) != 1:
            raise FileError(
                f"{file} must have two columns, label and count, or --levels for each column; it has "
                f"{_quoted_list(names)}"
            )
        places = others
        asked = study(names, (row for _, row in lines), separator).asked
        if names[others[0]] in asked:
            raise FileError(
                f"column {names[others[0]]!r} has numbers that are mostly different, so they may be counts, and they "
                "would become public; --labels lists them if they are labels"
            )
        cells = Cells((Column("", tuple(row[others[0]] for _, row in lines)),))
    numbers = {levels: number for number, levels in enumerate(cells.possible())}
    reader = _Reader(cells.columns, numbers, None, separator)
    counted: dict[int, int] = {}
    for line, row in lines:
        number = reader.cell(tuple(row[each] for each in places), line)
        if number is None:
            continue
        if number in counted:
            raise FileError(f"line {line}: this cell is on an earlier line already")
        counted[number] = _count_in(row[place], line)
    reader.require_no_faults()
    if len(counted) != len(numbers):
        absent = next(label for number, label in enumerate(cells.labels) if number not in counted)
        raise FileError(
            f"{file} must hold every possible cell, empty ones with a count of 0; {_quoted(absent)} is absent"
        )
    counts = [counted[number] for number in range(len(numbers))]
    if not any(counts):
        raise FileError(f"{file} has no records: every count is 0")
    if sum(counts) > _MAX_RECORDS:
        raise FileError(f"{file} has more than 2^53 records. No table of people has as many")
    return Counted(cells, counts, tuple(_said(found)))


def _limited(found: Opened) -> list[Record]:
    rows = list[Record]()
    for row in found.table.rows:
        if len(rows) >= MOST_CELLS:
            raise FileError(f"the file has more than {MOST_CELLS} lines, and each is a category")
        rows.append(row)
    return rows


def _unfold(names: list[str], lines: list[Record], unfold: Unfolded) -> tuple[list[str], list[Record]]:
    places = _places(names, [Column(name, ()) for name in unfold.columns])
    kept = [place for place in range(len(names)) if place not in places]
    made = [
        Record(line, [*(row[each] for each in kept), names[place], row[place]])
        for line, row in lines
        for place in places
    ]
    return [*(names[each] for each in kept), unfold.name, "count"], made


def _count_place(names: Sequence[str], lines: Sequence[Record], wanted: str | None, separator: str, file: File) -> int:
    if wanted is not None:
        return _places(names, [Column(wanted, ())])[0]
    if names and names[-1] == "count":
        return len(names) - 1
    found = study(names, (row for _, row in lines), separator)
    if found.counts is not None:
        return names.index(found.counts)
    if found.unfolded:
        raise FileError(
            f"the columns {_quoted_list(found.unfolded)} look like counts of one value each: "
            f"--unfold NAME={','.join(found.unfolded[:3])} makes them one column, or --count-column names one"
        )
    raise FileError(f"{file} needs a column of counts; --count-column names it: one of {_quoted_list(names)}")


def _is_row_number(lines: Sequence[Record], place: int) -> bool:
    return all(row[place] == str(number) for number, (_, row) in enumerate(lines, 1))


def _is_level(item: str, columns: Sequence[Column]) -> bool:
    return any(item in column.levels for column in columns)


def _count_in(text: str, line: int) -> int:
    number = whole_number(text)
    if number is not None or text.isdecimal():
        if number is None or number > _MAX_RECORDS:
            raise FileError(f"line {line}: the count {text} is more than 2^53. No table of people has as many")
        return number
    rule = "the count must be a whole number that is not negative"
    if is_missing(text):
        raise FileError(f"line {line}: {rule}, and 0 for nobody; this one is {_quoted(text)}")
    if re.fullmatch(r"[0-9]{1,3}([.,'][0-9]{3})+", text):
        raise FileError(f"line {line}: {rule}; write {re.sub('[^0-9]', '', text)}, not {text}")
    raise FileError(f"line {line}: {rule}; this one is {_quoted(text)}")


def _places(names: Sequence[str], columns: Sequence[Column]) -> list[int]:
    if [column.name for column in columns] == [""]:
        if len(names) != 1:
            raise FileError(
                f"--labels is for a file with one column, and this one has {_quoted_list(names)}; --levels "
                "name=first,second says which column"
            )
        return [0]
    for column in columns:
        if names.count(column.name) > 1:
            raise FileError(f"the header has {names.count(column.name)} columns {column.name!r}")
        if column.name not in names:
            near = _nearest(column.name, names)
            raise FileError(
                f"the header has no column {column.name!r}; it has {_quoted_list(names)}"
                + (f", and the nearest is {near!r}: write --levels {near}=…" if near else "")
            )
    return [names.index(column.name) for column in columns]


@dataclass(slots=True)
class _Reader:
    """Finds the cell of each row, and records the rows that match none."""

    columns: Sequence[Column]
    numbers: Mapping[tuple[str, ...], int]
    missing: str | None
    separator: str = ","
    faults: dict[str, int] = field(default_factory=dict)
    """The number of lines with each kind of fault."""
    first: dict[str, str] = field(default_factory=dict)
    """Message about the first line with each kind of fault."""

    def cell(self, written: Sequence[str], line: int) -> int | None:
        """Return the number of the row's cell, or None if the row has a fault."""
        levels = []
        for text, column in zip(written, self.columns, strict=True):
            given = self._given(plain(text), column)
            level = None if given is None else _level_of(given, column, self.separator)
            if level is None:
                self._note_fault(given, column, line)
                return None
            levels.append(level)
        number = self.numbers.get(tuple(levels))
        if number is None:
            self._count("impossible")
            self.first.setdefault(
                "impossible", f"line {line}: {_quoted_list(levels)} were said to be impossible together"
            )
        return number

    def _given(self, text: str, column: Column) -> str | None:
        return self.missing if is_missing(text) and text not in column.levels else text

    def _note_fault(self, given: str | None, column: Column, line: int) -> None:
        kind = "empty" if given is None else "level"
        self._count(kind)
        if kind in self.first:
            return
        self.first[kind] = (
            f"line {line}: {_named(column)} is empty; --missing LEVEL counts empty fields as a level"
            if given is None
            else f"line {line}: {_named(column)} has {_quoted(given)}, {self._rule(given, column)}"
        )

    def _rule(self, given: str, column: Column) -> str:
        if column.groups is not None and column.groups.number_of(given, self.separator) is not None:
            return "which is outside its groups"
        return f"which is not one of its levels{_near_level(given, column)}"

    def _count(self, kind: str) -> None:
        self.faults[kind] = self.faults.get(kind, 0) + 1

    def require_no_faults(self) -> None:
        """Raise FileError with the first fault of each kind."""
        said = [
            self.first[kind] + (f" ({count} such lines)" if count > 1 else "") for kind, count in self.faults.items()
        ]
        if said:
            raise FileError(". ".join(said))


def _near_level(given: str, column: Column) -> str:
    near = _nearest(given, column.levels)
    return f"; the nearest is {near!r}" if near else f"; they are {_quoted_list(column.levels)}"


def _level_of(text: str, column: Column, separator: str) -> str | None:
    """Return the level in a field: the same text, the same number with a decimal comma instead of a point, or the group
    that contains the number or date.
    """
    if text in column.levels:
        return text
    level = _as_decimal(text, column.levels)
    if level is None and column.groups is not None:
        return column.groups.name_of(text, separator)
    return level


def _as_decimal(text: str, levels: Sequence[str]) -> str | None:
    """Return the level that is the same number with a point instead of a comma, or the reverse."""
    if not re.fullmatch(r"-?[0-9]+[.,][0-9]+", text):
        return None
    other = text.replace(",", ".") if "," in text else text.replace(".", ",")
    return other if other in levels else None


def _nearest(text: str, known: Sequence[str]) -> str | None:
    """Return the name that was probably meant: equal except for case and spaces, or similar."""
    folded = {re.sub(r"[\s_-]", "", each).casefold(): each for each in known if each}
    plain = re.sub(r"[\s_-]", "", text).casefold()
    if plain in folded:
        return folded[plain]
    near = get_close_matches(plain, folded, n=1, cutoff=0.6)
    return folded[near[0]] if near else None


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}…")


def _quoted_list(texts: Sequence[str]) -> str:
    return ", ".join(map(_quoted, texts[:20])) + (", …" if len(texts) > 20 else "")


def _named(column: Column) -> str:
    return f"column {column.name!r}" if column.name else "the column"
