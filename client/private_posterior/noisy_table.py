"""Turns a noisy table that somebody published into a request: a dictionary, a data frame, a series, or a CSV file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from private_posterior.errors import NotATable
from private_posterior.plain_table import decimal_number, read_plain_table

Rounding: TypeAlias = Literal["at_random", "half_even", "half_up", "half_down", "half_away"]
VALUE_NAMES: Final = ("value", "count")
_SCALE_NAME: Final = "scale"
_MARKS: Final = frozenset(
    {"", "na", "n/a", "nan", "none", "null", "*", "**", "-", "–", ":", "..", "...", "x", "s", "c", "[c]", "[x]"}
)
_VALUE_BELOW: Final = re.compile(r"(<=|<|≤)\s*([0-9]+)")
_VALUE_ABOVE: Final = re.compile(r"(>=|>|≥)\s*([0-9]+)")
_VALUE_RANGE: Final = re.compile(r"([0-9]+)\s*[-–]\s*([0-9]+)")
_REAL_VALUED_LAWS: Final = frozenset({"laplace", "gaussian"})
_INTERVAL: Final = 2
"""Number of ends of an interval."""
_LABEL_AND_VALUE: Final = 2
_MAX_SHOWN_CHANGE: Final = 10_000
"""Number of records from which a change is refused."""


class NoisyTable:
    """A noisy table that somebody published, from which a posterior is computed.

    `client.posterior(NoisyTable({"yes": 41, "no": 112}, "geometric", epsilon=1))`

    The table is a dictionary from labels to values, a data frame or series that names its cells, or the path of a CSV
    file; None and NaN are suppressed values, and a pair is an interval. `value` names the column of values. The service
    refuses values that are close to the sums of others, unless you say `no_totals`. `noise` is the law, with one of
    `scale`, `variance`, `epsilon` and `rho`, in records; `second_scale` is that of a second noise of this law. With the
    law `table`, `changes` is the perturbation table: for each count from 0 up, its changes with their probabilities, or
    the path of a CSV file with the columns count, change and probability. With `round_to`, `rounding` says whether
    exact counts were rounded `at_random`, or values to the nearest multiple. `total` is the number of records, if it is
    known. `further` are more tables of the same counts, in the form of the API. Raises NotATable.
    """

    __slots__ = ("source",)

    def __init__(
        self,
        table: Any,
        noise: str | Mapping[str, Any],
        *,
        scale: float | None = None,
        variance: float | None = None,
        epsilon: float | None = None,
        l1_sensitivity: float | None = None,
        rho: float | None = None,
        l2_sensitivity: float | None = None,
        second_scale: float | None = None,
        changes: str | Path | Sequence[Mapping[Any, float]] | None = None,
        round_to: int | None = None,
        rounding: Rounding | None = None,
        clamped_at_zero: bool = False,
        shown_from: int | None = None,
        total: int | Mapping[str, Any] | None = None,
        value: str | None = None,
        no_totals: bool = False,
        adjusted: bool = False,
        further: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        numbers = {
            "scale": scale,
            "variance": variance,
            "epsilon": epsilon,
            "l1_sensitivity": l1_sensitivity,
            "rho": rho,
            "l2_sensitivity": l2_sensitivity,
            "second_scale": second_scale,
        }
        added = noise_of(noise, numbers)
        if changes is not None:
            added["changes"] = changes_of(changes)
        self.source: dict[str, Any] = {
            "kind": "table",
            **cells_of(table, added, value=value),
            "noise": added,
            "printed": {
                "round_to": round_to,
                "rounding": rounding,
                "clamped_at_zero": clamped_at_zero,
                "shown_from": shown_from,
            },
            "total": total_of(total),
            "no_totals": no_totals,
            "adjusted": adjusted,
            "further": list(further),
        }


def cells_of(
    table: Any,
    noise: Mapping[str, Any],
    *,
    value: str | None = None,
) -> dict[str, Any]:
    """Return the fields `cells` and, for several columns of names, `attributes` of a request.

    `table` is a dictionary from labels to values, a data frame or a series with the names of its cells, or the path of
    a CSV file. A value that is None or NaN is suppressed. A pair, or a text such as `<5` or `1-9`, is an interval.
    Raises NotATable.
    """
    names, rows = _named_rows(table)
    return cells_of_rows(names, rows, noise, value=value)


def _named_rows(table: Any) -> tuple[Sequence[str], Iterable[Sequence[Any]]]:
    """Return the names of the columns, and the rows."""
    if isinstance(table, str | Path):
        names, rows = read_plain_table(Path(table))
        return names, (row for _, row in rows)
    if hasattr(table, "iter_rows"):  # Polars
        return list(table.columns), table.iter_rows()
    if hasattr(table, "to_pylist") and hasattr(table, "column_names"):  # PyArrow
        return table.column_names, ([row[name] for name in table.column_names] for row in table.to_pylist())
    if hasattr(table, "columns") and hasattr(table, "itertuples"):  # pandas
        index = list(table.index.names)
        if index == [None] and table.columns.name is None:
            if not _counts_up(table.index):
                raise NotATable("the index of a data frame needs a name: frame.rename_axis('answer')")
            return [str(each) for each in table.columns], table.itertuples(index=False, name=None)
        if table.columns.name is None:
            return _named_rows(table.reset_index())
        return _named_rows(table.stack(future_stack=True))  # a cross table
    if hasattr(table, "index") and hasattr(table, "items") and hasattr(table.index, "names"):  # a series
        levels = list(table.index.names)
        if len(levels) == 1:
            if _counts_up(table.index) and levels == [None]:
                raise NotATable("a series needs the labels of its cells as its index")
            return ["label", "value"], ((label, each) for label, each in table.items())
        if None in levels:
            raise NotATable("each level of the index needs a name: series.rename_axis(['sex', 'age'])")
        return [*map(str, levels), "value"], ((*key, each) for key, each in table.items())
    if not isinstance(table, Mapping):
        raise NotATable(
            "a table is a dictionary from labels to values, a data frame, a series, or the path of a CSV file"
        )
    return ["label", "value"], ((label, each) for label, each in table.items())


def _counts_up(index: Any) -> bool:
    return list(index) == list(range(len(index)))


def cells_of_rows(
    names: Sequence[str],
    rows: Iterable[Sequence[Any]],
    noise: Mapping[str, Any],
    *,
    value: str | None = None,
) -> dict[str, Any]:
    """Return the same from rows with one cell each. Columns: one of labels or several of levels, one of values named
    `value` or `count`, and maybe `scale`, the scale of each cell's noise. Of two columns, the second has the values,
    unless a name says otherwise. Raises NotATable.
    """
    names = [name.strip() for name in names]
    value_place = _place_of_value(names, value)
    scale_place = names.index(_SCALE_NAME) if _SCALE_NAME in names else None
    others = [place for place in range(len(names)) if place not in (value_place, scale_place)]
    if not others:
        raise NotATable("a table needs a column of labels beside the values")
    kept, cells = list[list[str]](), list[dict[str, Any]]()
    for row in rows:
        levels = [_text(row[place]) for place in others]
        if not all(levels):
            raise NotATable(f"row {len(cells) + 1} does not name its cell")
        named: dict[str, Any] = {"label": levels[0]}
        if len(others) > 1:
            named = {"levels": {names[place]: level for place, level in zip(others, levels, strict=True)}}
        cell = named | _parse_published(row[value_place], noise)
        if scale_place is not None and _text(row[scale_place]):
            cell["noise"] = {"law": noise["law"], "scale": _number(row[scale_place], "scale")}
        cells.append(cell)
        kept.append(levels)
    if len(others) == 1:
        return {"cells": cells}
    attributes = [
        {"name": names[place], "levels": list(dict.fromkeys(levels[each] for levels in kept))}
        for each, place in enumerate(others)
    ]
    return {"attributes": attributes, "cells": cells}


def noise_of(law: str | Mapping[str, Any], numbers: Mapping[str, float | None]) -> dict[str, Any]:
    """Return the noise of a request: the law, with the numbers that were given."""
    if not isinstance(law, str):
        return dict(law)
    return {"law": law} | {name: number for name, number in numbers.items() if number is not None}


def changes_of(table: str | Path | Sequence[Mapping[Any, float]]) -> list[dict[str, float]]:
    """Return a perturbation table in the form of a request. Raises NotATable."""
    if not isinstance(table, str | Path):
        return [{str(change): p for change, p in row.items()} for row in table]
    names, lines = read_plain_table(Path(table))
    found: dict[int, dict[str, float]] = {}
    numbers: list[tuple[int, int, float]] = []
    with suppress(ValueError):
        places = [names.index(name) for name in ("count", "change", "probability")]
        rows = [[values[place] for place in places] for _, values in lines]
        numbers = [(int(count), int(change), float(p)) for count, change, p in rows]
    for count, change, p in numbers:
        found.setdefault(count, {})[str(change)] = p
    is_right = all(abs(change) < _MAX_SHOWN_CHANGE and 0.0 <= p <= 1.0 for _, change, p in numbers)
    if not found or not is_right or sorted(found) != list(range(len(found))):
        raise NotATable(
            "a perturbation table has the columns count, change and probability, with numbers, and rows for each count "
            "from 0 up"
        )
    return [found[count] for count in range(len(found))]


def total_of(total: int | Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return the total of a request: a number is the known number of records."""
    return total if total is None or isinstance(total, Mapping) else {"known": total}


def prior_of(prior: Any) -> Any:
    """Return the prior of a request: a number is the concentration of each cell, and None that of ½ for each piece."""
    return {"each": prior, "of": "cell"} if isinstance(prior, int | float) else prior


def _place_of_value(names: Sequence[str], value: str | None) -> int:
    wanted = VALUE_NAMES if value is None else (value.strip(),)
    found = [place for place, name in enumerate(names) if name in wanted]
    if len(found) == 1:
        return found[0]
    rest = [place for place, name in enumerate(names) if name != _SCALE_NAME]
    if value is None and not found and len(rest) == _LABEL_AND_VALUE:
        return rest[1]
    raise NotATable("name one column `value` or `count`, or say which column has the values")


def _parse_published(item: Any, noise: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(item, list | tuple):
        if len(item) != _INTERVAL:
            raise NotATable("an interval has two ends, such as (1, 9)")
        return {"value": None, "between": [None if each is None else _number(each, "end") for each in item]}
    text = _text(item)
    if text.casefold() in _MARKS:
        return {"value": None}
    step = 0 if noise.get("law") in _REAL_VALUED_LAWS else 1  # `<5` is at most 4, if values are whole
    if found := _VALUE_BELOW.fullmatch(text):
        return {"value": None, "between": [None, int(found[2]) - (step if found[1] == "<" else 0)]}
    if found := _VALUE_ABOVE.fullmatch(text):
        return {"value": None, "between": [int(found[2]) + (step if found[1] == ">" else 0), None]}
    if found := _VALUE_RANGE.fullmatch(text):
        return {"value": None, "between": [int(found[1]), int(found[2])]}
    return {"value": _number(item, "value")}


def _number(item: Any, what: str) -> int | float:
    number = decimal_number(item, f"a {what}") if isinstance(item, str) else float(item)
    if not math.isfinite(number):
        raise NotATable(f"a {what} is not finite")
    return int(number) if float(number).is_integer() else number


def _text(item: Any) -> str:
    return "" if item is None else str(item).strip()
