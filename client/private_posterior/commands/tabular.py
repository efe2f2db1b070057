"""Rules for reading a table: separator, names, short lines, and what a column holds.

`commands/tabular.py` of the client and `service/console/tabular.py` are the same: client and service don't import each
other. `static/tabular.js` has the same rules for the browser. `tests/files/cases.json` has files with their right
values, and all three are tested with it.

Errors quote values of the file, because only its owner sees them.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from typing import Final, NamedTuple

SEPARATORS: Final = (",", ";", "\t", "|")
SPACE: Final = " "
"""One space or more, as in files of R and SAS. It is found only if no other separator splits the lines."""
MOST_COLUMNS: Final = 16_384
"""Largest number of columns. Excel has the same limit."""
LONGEST_VALUE: Final = 131_072
"""Characters of the longest value. A quotation mark without a partner makes a longer one."""
_SAMPLED_LINES: Final = 500
_SAMPLED_CHARACTERS: Final = 262_144
_SEPARATED: Final = 100
"""Records that are compared to find the separator and titles."""
_MOST_TITLES: Final = 50
"""Largest number of title lines above the names."""
_MISSING: Final = frozenset({"", "na", "n/a", "#n/a", "nan", "null", ".", "-"})


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


TOTALS: Final = (
    "total", "totals", "subtotal", "grand total", "sum", "all", "overall", "gesamt", "insgesamt", "summe", "ensemble",
    "totale", "totaal", "razem", "suma", "összesen", "celkem", "yhteensä", "totalt", "i alt",
)  # fmt: skip
"""Usual names of a row of totals."""
_COUNTS: Final = _set(
    "freq freqs frequency frequencies count counts anzahl häufigkeit haeufigkeit fallzahl effectif effectifs "
    "fréquence frecuencia frequenza frequência contagem conteggio aantal frequentie antal antall lukumäärä liczba "
    "liczebność počet četnost число количество частота кількість πλήθος συχνότητα sayı frekans 人数 件数 度数 数量 "
    "例数 频数 빈도 인원"
)
"""Names of columns of counts that mean nothing else."""
_PERHAPS_COUNTS: Final = _set(
    "n no num number obs cases people persons population total size fälle faelle zahl personen nombre cas personnes "
    "número numero casos cantidad personas casi persone gevallen fall tilfeller przypadki osoby případy db szám"
)
"""Names of columns of counts that can also mean something else."""
_VALUES: Final = _set("value values wert werte valeur valeurs valor valores valore valori observation observations") | {
    "obs value"
}
"""Names of the column of numbers in tables of statistical offices. Measurements of people have such names too."""
_COUNTS_BEGIN: Final = re.compile(
    r"(number|count|no|nr|anzahl|zahl|nombre|número|numero|liczba|počet|aantal|antal|total) "
    r"(of|der|von|de|di|d|med|av|af) "
)
_MEASURES: Final = _set(
    "age ages year years month day week date time hour score weight height length income price cost amount salary rate "
    "percent share id nr code zip postcode lat lon latitude longitude rank grade level class stratum group block set "
    "alter jahr monat tag datum preis kosten gewicht größe plz année an mois jour âge poids prix año mes día edad "
    "peso anno mese giorno età jaar maand leeftijd år ålder alder rok wiek"
)
"""Words in the names of columns of whole numbers that are not counts."""
_PERSON: Final = (
    _set(
        "patient patients person subject participant respondent passenger insured insuree member customer client "
        "employee student pupil pseudonym proband teilnehmer versicherter versicherte pid pnr ssn mrn nhs cpr pesel "
        "personnummer patientid subjectid personid participantid respondentid passengerid memberid patno subjid "
        "usubjid individual worker donor user woman mother child infant"
    ),
    _set("case policy policyid caseid claimant household record fall police vertrag"),
    _set("id ids identifier nr nummer number no key uid uuid guid code"),
)
"""Words in the name of a column that names people, the likeliest first."""
_JOINED: Final = re.compile(r"(id|nr|no|num|number|nummer|code)$")
"""The end of a word such as `pidnum`."""
_ROW: Final = _PERSON[0] | _PERSON[2] | {"row", "rows", "rownames", "index", "x", "unnamed", "obs"}
"""Words in the name of a column with the number of the row."""
_LEAST_DIFFERENT: Final = 0.1
"""Share of different values from which a column may name people."""
MOST_COMPARED: Final = 10_000
"""Rows of a table of counts; the same as the most categories."""
_RECURRENCE: Final = 4
"""Rows for each different value from which a column of whole numbers has categories."""
_NEARLY_ALL: Final = 0.9
_FEWEST_SPACED: Final = 4
MOST_VALUES: Final = 5_000
"""Different values of a column that are remembered."""
_NUMBER: Final = re.compile(
    r"[-+−]?([0-9]{1,18}|[0-9]{1,3}([ '\u00a0\u202f][0-9]{3})+)([.,][0-9]{1,18})?([eE][-+]?[0-9]{1,2})?"
)
_GROUPED: Final = re.compile(r"[-+]?[1-9][0-9]{0,2}([.,])[0-9]{3}(\1[0-9]{3})*")
_WHOLE: Final = re.compile(r"([0-9]{1,16}|[0-9]{1,3}([ '\u00a0\u202f][0-9]{3})+)([.,]0{1,2})?")


class FileError(ValueError):
    """The table can't be read. The message names the line and the rule."""


class Record(NamedTuple):
    """A line of the file, or a row of a sheet: its number, and its values."""

    line: int
    values: list[str]


@dataclass(slots=True)
class Left:
    """Numbers of lines that are incomplete or were skipped."""

    short: int = 0
    """Lines with fewer values than names. Their last values count as no value."""
    blank: int = 0
    """Lines without any value, which are skipped."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table that is being read: its names, and an iterator over its rows, which are as long as the names.

    `names_line` is the line of the names, 0 if the file has none. `left` is complete after the last row.
    """

    separator: str
    names_line: int
    names: tuple[str, ...]
    rows: Iterator[Record]
    left: Left = field(default_factory=Left)


def plain(text: str) -> str:
    """Return a text without spaces around it, and with single spaces in it."""
    return " ".join(text.split())


def is_missing(text: str) -> bool:
    """Return whether a value is written as people write that there is none."""
    return text.strip().lower() in _MISSING


def is_total(value: str) -> bool:
    """Return whether a value has a usual name of a row of totals."""
    return " ".join(re.findall(r"[^\W\d_]+", value.lower())) in TOTALS


def number_of(text: str, separator: str = ",") -> float | None:
    """Return the number in a text, or None.

    In a file whose values are separated by semicolons, a comma is the decimal mark and 1.234 is a thousand. In other
    files 1,234 is.
    """
    text = text.strip()
    grouped = _GROUPED.fullmatch(text)
    thousands = "." if separator == ";" else ","
    if grouped and (grouped[1] == thousands or text.count(grouped[1]) > 1):
        return float(text.replace(grouped[1], ""))
    if not _NUMBER.fullmatch(text):
        return None
    return float(re.sub("[ '\u00a0\u202f]", "", text).replace(",", ".").replace("−", "-"))


def whole_number(text: str) -> int | None:
    """Return the whole number in a text, as spreadsheets write it too (5.0, 5,0, 1 200), or None."""
    text = text.strip()
    if not _WHOLE.fullmatch(text):
        return None
    return int(re.sub("[ '\u00a0\u202f]", "", re.sub(r"[.,]0{1,2}$", "", text)))


def read_table(lines: Iterable[str], *, separator: str | None = None, names_line: int | None = None) -> Table:
    """Return the table in the lines of a CSV file. Omitted settings are detected. Raises FileError."""
    given = iter(lines)
    sample = _sample(given)
    declared = re.fullmatch(r'"?sep=(.)"?\s*', sample[0].lstrip("\ufeff")) if sample else None
    if sample:
        sample[0] = "\n" if declared else sample[0].removeprefix("\ufeff")
    chosen = separator or (declared and declared[1]) or find_separator(sample)
    return read_records(parse(chain(sample, given), chosen), separator=chosen, names_line=names_line)


def _sample(lines: Iterator[str]) -> list[str]:
    found, size = list[str](), 0
    for line in islice(lines, _SAMPLED_LINES):
        found.append(line)
        size += len(line)
        if size > _SAMPLED_CHARACTERS:
            break
    return found


def parse(lines: Iterable[str], separator: str) -> Iterator[Record]:
    """Yield the records of a CSV file (RFC 4180). Raises FileError."""
    if separator == SPACE:
        lines, separator = map(_tabbed, lines), "\t"
    reader = csv.reader(lines, delimiter=separator, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            values = next(reader, None)
        except csv.Error as error:
            if "field limit" in str(error):
                raise FileError(f"line {line} has a value of more than {LONGEST_VALUE} characters") from None
            raise FileError(f"line {line} has a quotation mark without a partner") from None
        if values is None:
            return
        if len(values) > MOST_COLUMNS:
            raise FileError(f"line {line} has more than {MOST_COLUMNS} values")
        yield Record(line, values)


def _tabbed(line: str) -> str:
    """Return a line with tabs in place of the spaces that are not quoted."""
    return re.sub(r'("(?:[^"]|"")*")| +', lambda found: found[1] or "\t", line.strip(" \r\n"))


def find_separator(lines: Sequence[str]) -> str:
    """Return the separator that splits most of the first records into the same number of values."""

    def score(separator: str) -> tuple[float, int]:
        lengths = Counter[int]()
        try:
            for record in islice(parse(lines, separator), _SEPARATED):
                if any(value.strip() for value in record.values):
                    lengths[len(record.values)] += 1
        except FileError:
            pass
        if not lengths:
            return 0, 0
        length = max(lengths, key=lambda each: (lengths[each], each))
        return (lengths[length] / lengths.total() if length > 1 else 0), length

    found = max(SEPARATORS, key=score)
    return SPACE if not score(found)[0] and _is_spaced(lines) else found


def _is_spaced(lines: Sequence[str]) -> bool:
    """Return whether spaces split the lines below the first alike, into columns of which half have numbers."""
    try:
        rows = [record.values for record in islice(parse(lines, SPACE), _SEPARATED) if any(record.values)][1:]
    except FileError:
        return False
    widths = {len(row) for row in rows}
    width = max(widths, default=0)
    return len(widths) == 1 and width > 1 and 2 * len(_number_columns(rows, width)) >= width


def read_records(records: Iterable[Record], *, separator: str = "", names_line: int | None = None) -> Table:
    """Return the table in the rows of a file or sheet. Raises FileError. `separator` is empty for a sheet."""
    given = iter(records)
    sample = list(islice(given, _SAMPLED_LINES))
    filled = [Record(line, _trimmed(values)) for line, values in sample if any(map(str.strip, values))]
    if not filled:
        raise FileError("the file is empty")
    at, has_names, shifted = _find_names(filled, names_line)
    rows = [record.values for record in filled[at + has_names :]]
    widest = max(map(len, rows), default=0)
    raw = next(record.values for record in sample if record.line == filled[at].line)
    if not has_names:
        names = tuple(f"column {place}" for place in range(1, widest + 1))
    else:
        found = ["", *filled[at].values] if shifted else list(filled[at].values)
        found += [""] * (min(widest, len(raw)) - len(found))
        names = tuple(plain(name) or f"column {place}" for place, name in enumerate(found, 1))
    left = Left()
    first = filled[at].line if not has_names else filled[at].line + 1
    line_of_names = filled[at].line if has_names else 0
    body = _rows(
        (record for record in chain(sample, given) if record.line >= first),
        names,
        line_of_names,
        left,
        is_sheet=not separator,
    )
    return Table(separator, line_of_names, names, body, left)


def _rows(
    records: Iterator[Record], names: tuple[str, ...], names_line: int, left: Left, *, is_sheet: bool
) -> Iterator[Record]:
    width = len(names)
    for record in records:
        values = record.values
        if len(values) != width:
            values = _trimmed(values)
            if len(values) > width:
                columns = f"{width} column{'' if width == 1 else 's'}"
                said = f"line {names_line} names {columns}" if names_line else f"the first lines have {width}"
                raise FileError(f"line {record.line} has {len(values)} values, and {said}")
            is_short = len(record.values) < width and not is_sheet
            values = values + [""] * (width - len(values))
        else:
            is_short = False
        if not record.values or (width > 1 and not any(map(str.strip, values))):
            left.blank += 1
            continue
        left.short += is_short
        yield Record(record.line, values)


def _trimmed(values: list[str]) -> list[str]:
    """Return the values without the empty ones at the end."""
    length = len(values)
    while length and not values[length - 1].strip():
        length -= 1
    return values[:length]


def _find_names(records: Sequence[Record], names_line: int | None) -> tuple[int, bool, bool]:
    """Return the place of the first record that is used, whether it has the names, and whether the name of the first
    column is left out, as R does for row names.
    """
    lengths = Counter(len(record.values) for record in records[:_SEPARATED])
    usual = max(lengths, key=lambda each: (lengths[each], each))
    if names_line:
        at = next((place for place, record in enumerate(records) if record.line == names_line), None)
        if at is None:
            raise FileError(f"line {names_line} has no names")
        return at, True, _is_shifted(records, at, usual)
    at = 0
    while at < min(_MOST_TITLES, len(records) - 1) and _is_title(records, at, usual):
        at += 1
    if names_line == 0:
        return at, False, False
    if _is_shifted(records, at, usual):
        return at, True, True
    return at, not _is_data(records[at].values, [record.values for record in records[at + 1 :]]), False


def _is_title(records: Sequence[Record], at: int, usual: int) -> bool:
    values = records[at].values
    if usual < 2 or len(values) >= usual + 1:
        return False
    if len(values) == 1:
        return True
    return len(values) < usual - 1 or (
        len(values) == usual - 1 and not _is_shifted(records, at, usual) and _is_names(records, at, usual)
    )


def _is_names(records: Sequence[Record], at: int, usual: int) -> bool:
    """Return whether this record has the names of the columns: one for each column, and texts above the numbers of the
    record below.
    """
    below = records[at + 1].values
    columns = _number_columns([record.values for record in records[at + 2 : at + 2 + _SEPARATED]], usual)
    return len(below) == usual and any(number_of(below[place]) is None for place in columns)


def _is_shifted(records: Sequence[Record], at: int, usual: int) -> bool:
    """Return whether the names are one fewer than the values of each line below, and the line below has data."""
    rows = [record.values for record in records[at + 1 : at + 1 + _SEPARATED]]
    if len(records[at].values) != usual - 1 or not rows or any(len(row) != usual for row in rows):
        return False
    columns = _number_columns(rows[1:] or rows, usual)
    return bool(columns) and all(number_of(rows[0][place]) is not None for place in columns)


def _number_columns(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Return the columns that have numbers and nothing else."""
    found = []
    for place in range(width):
        values = [row[place] for row in rows if len(row) > place and not is_missing(row[place])]
        if values and all(number_of(value) is not None for value in values):
            found.append(place)
    return found


def _is_data(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first line has data: most of its values recur below, or it has numbers above all numbers.

    Rising numbers above several columns, such as years, are names.
    """
    recurring = 0
    for place, value in enumerate(first):
        recurring += bool(value.strip()) and any(len(row) > place and row[place] == value for row in rows)
    if 2 * recurring > len(first):
        return True
    columns = [place for place in _number_columns(rows, len(first)) if place < len(first)]
    numbers = [number for place in columns if (number := number_of(first[place])) is not None]
    if not columns or len(numbers) < len(columns):
        return False
    return len(numbers) == 1 or any(low >= high for low, high in pairwise(numbers))


class _Column:
    """The different values of a column. Once there are too many, a further value is not examined."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}
        self.rows = self.missing = self.examined = self.whole = self.numbers = 0
        self.is_row_number = True
        self.is_full = False

    def add(self, value: str, separator: str) -> None:
        self.rows += 1
        if is_missing(value):
            self.missing += 1
            self.is_row_number = False
            return
        if value not in self.values and len(self.values) >= MOST_VALUES:
            self.is_full = True
            return
        whole = whole_number(value)
        self.values[value] = self.values.get(value, 0) + 1
        self.examined += 1
        self.whole += whole is not None
        self.numbers += whole is not None or number_of(value, separator) is not None
        self.is_row_number &= whole == self.rows

    @property
    def is_whole(self) -> bool:
        return 0 < self.examined == self.whole

    @property
    def is_numeric(self) -> bool:
        return self.examined > 0 and self.numbers >= _NEARLY_ALL * self.examined

    def is_evenly_spaced(self, separator: str) -> bool:
        """Return whether the values are numbers in equal steps, as years and ages are, and counts hardly ever."""
        numbers = sorted({number for value in self.values if (number := number_of(value, separator)) is not None})
        steps = {round(high - low, 9) for low, high in pairwise(numbers)}
        return not self.is_full and len(numbers) == len(self.values) >= _FEWEST_SPACED and len(steps) == 1


@dataclass(frozen=True, slots=True)
class Study:
    """What the columns of a table seem to be. Each is a suggestion: the owner decides.

    `counts` is the column with the number of records, `unfolded` are columns that each have counts of one value, as in
    a pivot. `asked` are columns of numbers, mostly different: without a question their values must not become public.
    `person` is the column that names people, and `row_numbers` are columns with the number of the row.
    """

    rows: int
    counts: str | None
    unfolded: tuple[str, ...]
    asked: tuple[str, ...]
    person: str | None
    row_numbers: tuple[str, ...]


def study(names: Sequence[str], rows: Iterable[Sequence[str]], separator: str = ",") -> Study:
    """Return what the columns of a table seem to be."""
    columns = [_Column() for _ in names]
    kept = list[Sequence[str]]()
    size = 0
    for row in rows:
        size += 1
        if size <= MOST_COMPARED:
            kept.append(row)
        for column, value in zip(columns, row, strict=True):
            column.add(plain(value), separator)
    if size > MOST_COMPARED:
        kept = []
    numbered = [
        place
        for place, column in enumerate(columns)
        if column.is_row_number
        and column.rows > 1
        and (is_unnamed(names[place], place) or _ROW.intersection(_words(names[place])))
    ]
    counts = _counts(names, columns, kept, numbered)
    is_certain = counts is not None and not is_total(names[counts]) and _is_count(names[counts])
    unfolded = [] if is_certain else _unfolded(names, columns, kept, numbered, separator)
    if len(unfolded) > 1 and counts in unfolded:
        counts = None
    asked = [
        place
        for place, column in enumerate(columns)
        if place != counts and place not in numbered and column.is_numeric and 2 * len(column.values) > column.rows
        and not column.is_evenly_spaced(separator)
    ]  # fmt: skip
    person = None if counts is not None or unfolded else _person(names, columns)
    return Study(
        rows=size,
        counts=None if counts is None else names[counts],
        unfolded=tuple(names[place] for place in unfolded),
        asked=tuple(names[place] for place in asked),
        person=None if person is None else names[person],
        row_numbers=tuple(names[place] for place in numbered),
    )


def _words(name: str) -> list[str]:
    parted = re.sub(r"(?<=[a-zà-ÿ])(?=[A-Z])", " ", name)
    return re.findall(r"[^\W\d_]+", parted.lower())


def is_unnamed(name: str, place: int) -> bool:
    """Return whether a column has no name in the file."""
    return name == f"column {place + 1}"


def _is_count(name: str) -> bool:
    return " ".join(_words(name)) in _COUNTS or bool(_COUNTS_BEGIN.match(" ".join(_words(name)) + " "))


def _differ(rows: Sequence[Sequence[str]], places: Sequence[int]) -> bool:
    """Return whether no two rows have the same values in these columns. False if there were too many rows."""
    return 0 < len(rows) == len({tuple(plain(row[place]) for place in places) for row in rows})


def _counts(
    names: Sequence[str], columns: Sequence[_Column], rows: Sequence[Sequence[str]], numbered: Sequence[int]
) -> int | None:
    whole = [place for place, column in enumerate(columns) if column.is_whole and place not in numbered]
    certain = [place for place in whole if _is_count(names[place])]
    if certain:
        return certain[0] if len(certain) == 1 else None
    perhaps = _PERHAPS_COUNTS if any(names_people(name) for name in names) else _PERHAPS_COUNTS | _VALUES
    for place in (each for each in whole if " ".join(_words(names[each])) in perhaps):
        others = [each for each in range(len(names)) if each != place and each not in numbered]
        is_many = any(int(whole_number(value) or 0) > 1 for value in columns[place].values)
        if is_many and _differ(rows, others):
            return place
    return _last_counts(names, columns, rows, whole)


def _last_counts(
    names: Sequence[str], columns: Sequence[_Column], rows: Sequence[Sequence[str]], whole: Sequence[int]
) -> int | None:
    """Return the last column of a table of counts without names, or None."""
    last = len(names) - 1
    if last not in whole or not all(is_unnamed(name, place) for place, name in enumerate(names)):
        return None
    if last > 1 and any(2 * len(column.values) > column.rows for column in columns[:last]):
        return None
    return last if _differ(rows, range(last)) else None


def _unfolded(
    names: Sequence[str],
    columns: Sequence[_Column],
    rows: Sequence[Sequence[str]],
    numbered: Sequence[int],
    separator: str,
) -> list[int]:
    def is_measure(place: int) -> bool:
        is_range = any(map(str.isdigit, names[place]))
        return (bool(_MEASURES.intersection(_words(names[place]))) and not is_range) or is_total(names[place])

    whole = [
        place
        for place, column in enumerate(columns)
        if column.is_whole and place not in numbered and not is_measure(place)
    ]
    others = [
        place
        for place, column in enumerate(columns)
        if place not in whole and place not in numbered and column.examined and not is_total(names[place])
    ]
    others = others or list(numbered)
    if not _differ(rows, others):
        others += [place for place in whole if _RECURRENCE * len(columns[place].values) <= len(rows)]
        whole = [place for place in whole if place not in others]
    if len(whole) < 2 or len(rows) < 2 or not _differ(rows, others):
        return []
    for place in others:
        column = columns[place]
        is_measured = column.is_numeric and not column.is_whole and not column.is_evenly_spaced(separator)
        if is_measured or names_people(names[place]):
            return []
        if column.is_whole and 2 * len(column.values) > column.rows and not column.is_evenly_spaced(separator):
            return []
    return whole


def _has_word(name: str, words: frozenset[str]) -> bool:
    return any(word in words or _JOINED.sub("", word) in words for word in _words(name))


def names_people(name: str) -> bool:
    """Return whether a column with this name may name people."""
    return any(_has_word(name, words) for words in _PERSON)


def _person(names: Sequence[str], columns: Sequence[_Column]) -> int | None:
    for words in _PERSON:
        for place, column in enumerate(columns):
            is_many = column.is_full or len(column.values) >= _LEAST_DIFFERENT * column.rows
            is_measured = column.is_numeric and not column.is_whole
            if len(column.values) > 1 and is_many and not is_measured and _has_word(names[place], words):
                return place
    return None
