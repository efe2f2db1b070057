"""Draws the counts of a table with two attributes as a heat map, with the interval of each count."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from service.pictures.frame import LegendEntry, PictureHeader, described, draw_head, draw_legend, percent
from service.pictures.scales import decimals_for, grouped
from service.pictures.svg import DEFAULT_WIDTH, LINE, NARROW, SIZE, Drawing, Picture
from service.pictures.text import cut, isolated, text_width, wrap

_TONE: Final = "aware"
MOST_OPAQUE: Final = 0.45
"""Opacity of the cell with the largest estimate. Texts on it keep a contrast of 4.5 in light and in dark."""
_PAD: Final = 6.0
_GAP: Final = 2.0
"""Space between two cells, in pixels."""
_MAX_CELL_WIDTH: Final = 170.0
"""Largest width of a cell, in pixels."""
_WIDEST_WORD: Final = 90.0
"""A word of a column's name widens the column up to this width, in pixels."""
_NAME_LINES: Final = 3
_MIN_WHOLE_WIDTH: Final = 10.0
"""Width of an interval, in records, from which counts are written without decimals."""


class HeatCell(NamedTuple):
    """An estimated count and its interval, in records."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class HeatTable:
    """A table of counts. `rows` and `columns` are the names of its attributes.

    `cells` has a row for each level of `rows`. A cell is None if no record can be in it. `title` names the table if a
    picture has several.
    """

    rows: str
    columns: str
    row_levels: Sequence[str]
    column_levels: Sequence[str]
    cells: Sequence[Sequence[HeatCell | None]]
    title: str = ""


class _Grid(NamedTuple):
    """The places of the cells: `across` columns beside each other, each `cell` wide, from `start` on."""

    start: float
    cell: float
    across: int
    stacks_ends: bool
    """Whether the two ends of an interval are written on two lines."""


def heat_map(
    head: PictureHeader,
    tables: Sequence[HeatTable],
    *,
    level: float,
    records: str = "records",
    width: float = DEFAULT_WIDTH,
) -> Picture:
    """Return a picture of the tables, which share one scale of colour.

    `level` is the confidence of the intervals. `records` is the unit of the counts.
    """
    drawing = head.drawing(width)
    y = draw_head(drawing, head)
    found = [cell.estimate for table in tables for row in table.cells for cell in row if cell is not None]
    largest = max([1.0, *found])
    y = draw_legend(drawing, y, [LegendEntry(f"0 to {grouped(largest)} {records}", _ramp)]) + LINE + 4
    drawing.text(drawing.margin, y, f"below each estimate: its {percent(level)} interval", tone="muted")
    for table in tables:
        y = _table(drawing, y + 14, table, largest)
    sentences = [_sentence(table, percent(level), records) for table in tables]
    return drawing.finished(y + 12, head.whole_title, described(head, sentences))


def _ramp(drawing: Drawing, x: float, y: float) -> None:
    for step in range(5):
        drawing.block(x + 6 * step, y - 7, 6, 14, _TONE, MOST_OPAQUE * step / 4)


def _texts(cell: HeatCell | None) -> tuple[str, str, str]:
    """Return the estimate and both ends of the interval as texts."""
    if cell is None:
        return "\N{EN DASH}", "", ""
    width = cell.high - cell.low
    decimals = 0 if width >= _MIN_WHOLE_WIDTH else decimals_for(width)
    estimate, low, high = (grouped(each, decimals) for each in cell)
    return estimate, low, high


def _lines(cell: HeatCell | None, *, stacked: bool) -> list[str]:
    estimate, low, high = _texts(cell)
    if not low:
        return [estimate]
    return [estimate, low, f"to {high}"] if stacked else [estimate, f"{low} to {high}"]


def _grid(drawing: Drawing, table: HeatTable) -> _Grid:
    left, right = drawing.margin, drawing.width - drawing.margin
    start = left
    if drawing.width >= NARROW:
        start += min(0.25 * right, max(text_width(each, SIZE) for each in (table.rows, *table.row_levels))) + 2 * _PAD
    words = [text_width(word, SIZE) for name in table.column_levels for word in name.split(" ")]
    names, columns = min(_WIDEST_WORD, max(words)), len(table.column_levels)
    room = right - start
    beside, below = (
        max(
            names,
            *(text_width(line, SIZE) for row in table.cells for cell in row for line in _lines(cell, stacked=stacked)),
        )
        + 2 * _PAD
        for stacked in (False, True)
    )
    across = columns
    if below * columns > room:  # in bands of equal numbers of columns
        across = math.ceil(columns / math.ceil(columns / max(1, math.floor(room / below))))
    return _Grid(start, min(_MAX_CELL_WIDTH, room / across), across, stacks_ends=beside > room / across)


def _table(drawing: Drawing, top: float, table: HeatTable, largest: float) -> float:
    """Draw a table below `top`, and return the vertical position of its lower end."""
    left, y, grid = drawing.margin, top, _grid(drawing, table)
    for line in wrap(table.title, drawing.width - 2 * left, SIZE, bold=True, most=2) if table.title else ():
        y += LINE
        drawing.text(left, y, line, bold=True)
    for first in range(0, len(table.column_levels), grid.across):
        places = range(first, min(first + grid.across, len(table.column_levels)))
        y = _column_names(drawing, y + 4, table, grid, places)
        for row, name in enumerate(table.row_levels):
            y = _row(drawing, y, name, [table.cells[row][place] for place in places], grid, largest)
        y += 8
    return y


def _column_names(drawing: Drawing, top: float, table: HeatTable, grid: _Grid, places: Sequence[int]) -> float:
    is_narrow = drawing.width < NARROW
    room = drawing.width - drawing.margin - grid.start
    title = f"{isolated(table.rows)}, by {isolated(table.columns)}" if is_narrow else table.columns
    y = top + LINE
    drawing.text(grid.start, y, cut(title, room, SIZE), tone="muted")
    names = [wrap(table.column_levels[place], grid.cell - _PAD, SIZE, most=_NAME_LINES) for place in places]
    depth = max(map(len, names))
    for column, lines in enumerate(names):
        middle = grid.start + grid.cell * (column + 0.5)
        for number, line in enumerate(lines, start=depth - len(lines) + 1):
            drawing.text(middle, y + LINE * number, line, anchor="middle")
    y += LINE * depth
    if not is_narrow:
        drawing.text(drawing.margin, y, cut(table.rows, grid.start - drawing.margin - _PAD, SIZE), tone="muted")
    return y + 8


def _row(
    drawing: Drawing, top: float, name: str, cells: Sequence[HeatCell | None], grid: _Grid, largest: float
) -> float:
    height = LINE * (3 if grid.stacks_ends else 2) + _PAD
    if drawing.width < NARROW:
        shown = cut(name, drawing.width - 2 * drawing.margin, SIZE, bold=True)
        drawing.text(drawing.margin, top + LINE - 4, shown, bold=True)
        top += LINE + 2
    else:
        room = grid.start - drawing.margin - _PAD
        lines = wrap(name, room, SIZE, most=3 if grid.stacks_ends else 2)
        for number, line in enumerate(lines):
            drawing.text(drawing.margin, top + height / 2 + 5 + LINE * (number - (len(lines) - 1) / 2), line)
    for column, cell in enumerate(cells):
        x = grid.start + grid.cell * column
        opacity = 0.0 if cell is None else MOST_OPAQUE * min(1.0, max(0.0, cell.estimate / largest))
        drawing.block(x, top, grid.cell - _GAP, height - _GAP, _TONE, opacity)
        for number, line in enumerate(_lines(cell, stacked=grid.stacks_ends)):
            drawing.text(
                x + (grid.cell - _GAP) / 2, top + LINE * (number + 1) - 2, line, anchor="middle", bold=number == 0
            )
    return top + height


def _sentence(table: HeatTable, level: str, records: str) -> str:
    found = []
    for name, row in zip(table.row_levels, table.cells, strict=True):
        for other, cell in zip(table.column_levels, row, strict=True):
            estimate, low, high = _texts(cell)
            said = f"{estimate}, {level} interval {low} to {high}" if low else "not possible"
            found.append(f"{isolated(name)}, {isolated(other)}: {said}")
    names = f"{isolated(table.rows)} and {isolated(table.columns)}"
    title = f"{isolated(table.title)}: " if table.title else ""
    return f"{title}{records} by {names}: {'; '.join(found)}"
