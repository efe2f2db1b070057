"""Reads a noisy table from a request: its cells, their noise, and what is known about the number of records."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.inference.published import Noise, Printed, PublishedCell, PublishedError, Total, noise_of, table_noise
from core.inference.sources import Source, source_of_tables
from service.errors import InvalidRequest, error_location
from service.posteriors.totals import totals_among
from service.schemas import tables as schema
from service.schemas.cell_names import SEPARATOR, CellNames, cross_table
from service.schemas.model import as_seen

UNSEEN_CELL: Final = PublishedCell(None, Noise("none"), between=(None, None))
_DEVIATIONS: Final = 4.0
"""Standard deviations of the noise within which a value counts as the sum of others."""


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A noisy table, and further ones of the same cells in the same order."""

    names: CellNames
    tables: list[list[PublishedCell]]
    total: int | Total

    @property
    def source(self) -> Source:
        return source_of_tables(self.tables, self.total)


def read(table: schema.TableSource) -> ReadTable:
    """Return the table. Raises InvalidRequest."""
    if table.adjusted:
        raise InvalidRequest.at(
            "adjusted",
            "must be false: the posterior needs cells that were published independently of each other, and not made to "
            "add up, made consistent, or suppressed to protect another cell",
        )
    if len(table.cells) + sum(len(each.cells) for each in table.further) > schema.MAX_CELLS_IN_ALL:
        raise InvalidRequest.at("further", f"must have, with `cells`, at most {schema.MAX_CELLS_IN_ALL} cells")
    names, order = _names(table)
    places = names.numbers()
    with error_location("noise"):
        noise = _noise(table.noise)
    printed = _printed_rules(table.printed)
    published = [UNSEEN_CELL] * names.m
    for index, cell in enumerate(table.cells):
        with error_location(f"cells[{index}]"):
            published[order[index]] = _cell(cell, noise, printed)
    if not table.no_totals:
        _refuse_totals(table, [published[place] for place in order])
    tables = [published]
    for index, further in enumerate(table.further):
        with error_location(f"further[{index}]"):
            tables.append(_further(further, names, places))
    total = _total(table.total)
    if (
        isinstance(total, Total)
        and total.at_most is None
        and (total.published is None or not _likelihood_falls(total.published))
    ):
        for index, place in enumerate(order):
            if not any(_likelihood_falls(cells[place]) for cells in tables):
                rule = "has no upper end: give `total`, or at least a bound of it in `total.at_most`"
                raise InvalidRequest.at(f"cells[{index}]", rule)
    return ReadTable(names, tables, total)


def _refuse_totals(table: schema.TableSource, published: list[PublishedCell]) -> None:
    """Raises InvalidRequest for values that may be the sums of others, each of which would count everybody twice."""
    names = ["label"] if table.attributes is None else [each.name for each in table.attributes]
    rows = [
        ([cell.label or ""] if cell.levels is None else [cell.levels[name] for name in names], _ends(each))
        for cell, each in zip(table.cells, published, strict=True)
    ]
    found = totals_among(rows, max(map(_tolerance, published)))
    if found is not None:
        place, level = found
        where = f"“{level}”" if table.attributes is None else f"“{level}” in “{names[place]}”"
        raise InvalidRequest.at(
            "cells",
            f"must not have totals: the values of {where} are close to the sums of the others. Leave out such rows, "
            "or set `no_totals` if they are categories like the others",
        )


def _ends(cell: PublishedCell) -> tuple[float, float]:
    """Return the least and the largest value that the cell can have, without noise that is below 0."""
    if cell.value is not None:
        return cell.value, cell.value
    low, high = cell.event
    return min(max(0.0, low), high), high


def _tolerance(cell: PublishedCell) -> float:
    """Return by how much the value may differ from the count."""
    is_gaussian = cell.noise.law in ("gaussian", "discrete_gaussian", "table", "none")
    deviation = math.hypot(*(noise.scale for noise in cell.noises)) * (1.0 if is_gaussian else math.sqrt(2.0))
    return _DEVIATIONS * deviation + (cell.printed.to_nearest or 0)


def _names(table: schema.TableSource) -> tuple[CellNames, list[int]]:
    """Return the names of the cells, and for each cell of the request its place among them."""
    labels = [_label(cell, table, f"cells[{index}]") for index, cell in enumerate(table.cells)]
    seen: dict[str, int] = {}
    for index, label in enumerate(labels):
        if seen.setdefault(as_seen(label), index) != index:
            field = "label" if table.attributes is None else "levels"
            raise InvalidRequest.at(f"cells[{index}].{field}", "must differ from those of the cells before")
    if table.attributes is None:
        if table.impossible:
            raise InvalidRequest.at("impossible", "needs `attributes`")
        return CellNames(labels), list(range(len(labels)))
    names = cross_table(table.attributes, table.impossible)
    places = names.numbers()
    for index, label in enumerate(labels):
        if label not in places:
            rule = "must be a possible combination of levels of the attributes"
            raise InvalidRequest.at(f"cells[{index}].levels", rule)
    if len(labels) != names.m:
        raise InvalidRequest.at(
            "cells",
            "must have every possible combination of levels: give suppressed ones as null, and name those that no "
            "record can have in `impossible`",
        )
    return names, [places[label] for label in labels]


def _label(cell: schema.TableCell, table: schema.TableSource, place: str) -> str:
    if table.attributes is None:
        if cell.label is None:
            raise InvalidRequest.at(f"{place}.levels", "needs the field `attributes` of the table")
        return cell.label
    if cell.levels is None:
        raise InvalidRequest.at(f"{place}.label", "must be left out of a table with attributes: give `levels`")
    if cell.levels.keys() != {each.name for each in table.attributes}:
        raise InvalidRequest.at(f"{place}.levels", "must have the level of each attribute")
    return SEPARATOR.join(cell.levels[each.name] for each in table.attributes)


def _further(further: schema.FurtherTable, names: CellNames, places: dict[str, int]) -> list[PublishedCell]:
    with error_location("noise"):
        noise = _noise(further.noise)
    printed, published, seen = _printed_rules(further.printed), [UNSEEN_CELL] * names.m, set()
    for index, cell in enumerate(further.cells):
        with error_location(f"cells[{index}]"):
            if cell.levels is None:
                field, label = "label", cell.label
            else:
                field = "levels"
                label = SEPARATOR.join(cell.levels.get(each.name, "") for each in names.attributes or ())
            if label not in places or (cell.levels is None) is not (names.attributes is None):
                raise InvalidRequest.at(field, "must name a cell of the table")
            if label in seen:
                raise InvalidRequest.at(field, "must differ from those of the cells before")
            seen.add(label)
            published[places[label]] = _cell(cell, noise, printed)
    return published


def _cell(cell: schema.TableCell, noise: Noise, printed: Printed) -> PublishedCell:
    if cell.noise is not None:
        with error_location("noise"):
            if cell.noise.law == "table":
                raise InvalidRequest.at("law", "must not be `table` for a cell: give it for the whole table")
            noise = _noise(cell.noise)
    return _published_cell(
        cell.value, noise, printed, None if cell.between is None else (cell.between[0], cell.between[1])
    )


def _published_cell(
    value: float | None, noise: Noise, printed: Printed, between: tuple[float | None, float | None] | None = None
) -> PublishedCell:
    try:
        return PublishedCell(value, noise, printed, between)
    except PublishedError as error:
        raise InvalidRequest.at(error.field, error.rule) from None


def _noise(noise: schema.TableNoise) -> Noise:
    """Return the noise. Raises InvalidRequest."""
    if (noise.law == "table") is (noise.changes is None):
        raise InvalidRequest.at("changes", "must be given with the law `table`, and only then")
    names = ("scale", "variance", "epsilon", "rho", "second_scale")
    given = [name for name in names if getattr(noise, name) is not None]
    if noise.law in ("none", "table") and given:
        raise InvalidRequest.at(given[0], f"must be left out with the law `{noise.law}`")
    if noise.law == "none":
        return Noise("none")
    if noise.changes is None:
        return _noise_with_scale(noise)
    try:
        return table_noise([{int(change): p for change, p in row.items()} for row in noise.changes])
    except PublishedError as error:
        raise InvalidRequest.at(error.field, error.rule) from None


@lru_cache(maxsize=1000)
def _noise_with_scale(noise: schema.TableNoise) -> Noise:
    """Return noise that has a scale. Cells often have the same. Raises InvalidRequest."""
    try:
        return noise_of(
            noise.law,
            scale=noise.scale,
            variance=noise.variance,
            epsilon=noise.epsilon,
            l1_sensitivity=noise.l1_sensitivity,
            rho=noise.rho,
            l2_sensitivity=noise.l2_sensitivity,
            second_scale=noise.second_scale,
        )
    except PublishedError as error:
        raise InvalidRequest.at(error.field, error.rule) from None


def _printed_rules(printed: schema.TablePrinted | None) -> Printed:
    if printed is None:
        return Printed()
    try:
        return Printed(printed.round_to, printed.rounding, printed.clamped_at_zero, printed.shown_from)
    except PublishedError as error:
        raise InvalidRequest.at(f"printed.{error.field}", error.rule) from None


def _total(total: schema.TableTotal | None) -> int | Total:
    if total is None:
        return Total()
    if total.known is not None:
        return total.known
    published = None
    if total.published is not None:
        with error_location("total.published"):
            with error_location("noise"):
                noise = _noise(total.published.noise)
            published = _published_cell(total.published.value, noise, _printed_rules(total.published.printed))
    return Total(total.at_most, published)


def _likelihood_falls(cell: PublishedCell) -> bool:
    """Return whether the cell's likelihood falls as the count grows."""
    return cell.informative and cell.bounded_above
