"""Turns a noisy table that somebody published into a request: a dictionary, a data frame, a series, or a CSV file."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

_VALUE_NAMES: Final = ("value", "count", "counts", "n", "noisy", "noisy_count", "published", "frequency")
_SCALE_NAME: Final = "scale"
_SUPPRESSED: Final = frozenset(
    {"", "na", "n/a", "nan", "none", "null", "*", "**", "-", "–", "..", "...", "x", "s", "c"}
)
_GROUPED: Final = re.compile(r"-?\d{1,3}(,\d{3})+(\.\d+)?")
_INTERVAL: Final = 2
"""Number of ends of an interval."""


class NotATable(ValueError):
    """A table cannot be read. The message says what to change."""


def cells_of(table: Any, noise: Mapping[str, Any], *, value: str | None = None) -> dict[str, Any]:
    """Return the fields `cells` and, for several columns of names, `attributes` of a request.

    `table` is a dictionary from labels to values, a pandas Series or DataFrame, or the path of a CSV file. A value that
    is None or NaN is suppressed, and a pair is an interval. Raises NotATable.
    """
    if isinstance(table, str | Path):
        try:
            with Path(table).open(newline="", encoding="utf-8-sig") as file:
                names, *rows = csv.reader(file)
        except (OSError, UnicodeDecodeError, ValueError) as error:
            raise NotATable(f"{table} can't be read as CSV in UTF-8: {error}") from None
        return cells_of_rows(names, rows, noise, value=value)
    if hasattr(table, "columns") and hasattr(table, "itertuples"):
        rows = list(table.itertuples(index=False, name=None))
        return cells_of_rows([str(each) for each in table.columns], rows, noise, value=value)
    if not isinstance(table, Mapping) and not hasattr(table, "items"):
        raise NotATable(
            "a table is a dictionary from labels to values, a Series, a DataFrame, or the path of a CSV file"
        )
    return {"cells": [{"label": str(label), **_published(each)} for label, each in table.items()]}


def cells_of_rows(
    names: Sequence[str], rows: Iterable[Sequence[Any]], noise: Mapping[str, Any], *, value: str | None = None
) -> dict[str, Any]:
    """Return the same from rows with one cell each. Columns: one of labels or several of levels, one of values named
    `value` or `count`, and maybe `scale`, the scale of each cell's noise. Raises NotATable.
    """
    plain = [name.strip().casefold() for name in names]
    value_place = _place_of_value(plain, value)
    scale_place = plain.index(_SCALE_NAME) if _SCALE_NAME in plain else None
    others = [place for place in range(len(names)) if place not in (value_place, scale_place)]
    if not others:
        raise NotATable("a table needs a column of labels beside the values")
    kept = [list(row) for row in rows if any(_text(item) for item in row)]
    for number, row in enumerate(kept, start=1):
        if len(row) != len(names):
            raise NotATable(f"row {number} has {len(row)} fields, and the first line has {len(names)}")
    cells = []
    for row in kept:
        levels = [_text(row[place]) for place in others]
        named: dict[str, Any] = {"label": levels[0]}
        if len(others) > 1:
            named = {"levels": {names[place].strip(): level for place, level in zip(others, levels, strict=True)}}
        cell = named | _published(row[value_place])
        if scale_place is not None and _text(row[scale_place]):
            cell["noise"] = {"law": noise["law"], "scale": _number(row[scale_place], "scale")}
        cells.append(cell)
    if len(others) == 1:
        return {"cells": cells}
    attributes = [
        {"name": names[place].strip(), "levels": list(dict.fromkeys(_text(row[place]) for row in kept))}
        for place in others
    ]
    return {"attributes": attributes, "cells": cells}


def noise_of(law: str | Mapping[str, Any], numbers: Mapping[str, float | None]) -> dict[str, Any]:
    """Return the noise of a request: the law, with the numbers that were given."""
    if not isinstance(law, str):
        return dict(law)
    return {"law": law} | {name: number for name, number in numbers.items() if number is not None}


def total_of(total: int | Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return the total of a request: a number is the known number of records."""
    return total if total is None or isinstance(total, Mapping) else {"known": total}


def prior_of(prior: Any) -> Any:
    """Return the prior of a request: a number is the concentration of each cell."""
    return {"each": prior} if isinstance(prior, int | float) else prior


def _place_of_value(names: Sequence[str], value: str | None) -> int:
    wanted = _VALUE_NAMES if value is None else (value.strip().casefold(),)
    found = [place for place, name in enumerate(names) if name in wanted]
    if len(found) == 1:
        return found[0]
    rest = [place for place, name in enumerate(names) if name != _SCALE_NAME]
    if value is None and not found and len(rest) == _INTERVAL:
        return rest[1]
    raise NotATable("name one column `value` or `count`, or say which column has the values")


def _published(item: Any) -> dict[str, Any]:
    if isinstance(item, list | tuple):
        if len(item) != _INTERVAL:
            raise NotATable("an interval has two ends, such as (1, 9)")
        return {"value": None, "between": [None if each is None else _number(each, "end") for each in item]}
    text = _text(item)
    if text.casefold() in _SUPPRESSED or text.startswith("<"):
        return {"value": None}
    return {"value": _number(item, "value")}


def _number(item: Any, what: str) -> int | float:
    text = _text(item)
    if _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    try:
        number = float(text)
    except ValueError:
        raise NotATable(f"a {what} is not a number: {text[:40]!r}") from None
    if not math.isfinite(number):
        raise NotATable(f"a {what} is not finite")
    return int(number) if number.is_integer() else number


def _text(item: Any) -> str:
    return "" if item is None else str(item).strip()
