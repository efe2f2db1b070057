"""Draws the figures: curves and boxes with labelled axes, one colour, dash and marker per mechanism throughout, so
that they also read in black and white.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import wrap

from benchmarks._svg import Axis
from benchmarks.papers.svg import ChartDrawing, LogAxis

WIDTH, HEIGHT = 760.0, 470.0
_LEFT_MARGIN, _RIGHT_MARGIN, _BOTTOM_MARGIN = 72.0, 24.0, 56.0
_GRID, _INK = "#e2e2e2", "#222222"


@dataclass(frozen=True)
class Style:
    """The look of a mechanism in every figure."""

    label: str
    colour: str
    dash: str
    marker: str


STYLES = {
    "hellinger": Style("Hellinger, as defined", "#0072b2", "", "circle"),
    "without_2": Style("Hellinger without the 2", "#56b4e9", "7 3", "square"),
    "sound": Style("Hellinger, exact loss ε", "#009e73", "9 3 2 3", "diamond"),
    "own": Style("Hellinger, calibrated here", "#7f7f00", "4 2 1 2", "right"),
    "global": Style("Hellinger, global sensitivity", "#cc79a7", "2 3", "triangle"),
    "local": Style("Hellinger, local (not private)", "#8c8c8c", "1 3", "cross"),
    "laplace": Style("Laplace 2/ε, as printed", "#e69f00", "11 4", "down"),
    "laplace_1": Style("Laplace 1/ε, which suffices", "#d55e00", "5 2", "plus"),
    "geometric": Style("simplex geometric", "#000000", "", "ring"),
    "optimum": Style("optimum (linear program)", "#5e4fa2", "3 2", "star"),
}
_SHADES = ["#7b3294", "#a6611a", "#35608d", "#b2182b", "#4d4d4d", "#1b7837", "#9970ab", "#8c510a"]
_DASHES = ["", "9 4", "2 3", "9 3 2 3", "5 2", "1 3", "12 3", "4 6"]
_MARKERS = ["circle", "square", "diamond", "triangle", "down", "ring", "plus", "cross"]


def plain(label: str, place: int) -> Style:
    """The look of a curve of another mechanism: other colours."""
    return Style(label, _SHADES[place % 8], _DASHES[place % 8], _MARKERS[place % 8])


def marked_as(style: Style, label: str, place: int) -> Style:
    """A mechanism's colour and dash with a marker of its own: one mechanism in several settings."""
    return Style(label, style.colour, style.dash, _MARKERS[place % 8])


@dataclass(frozen=True)
class Curve:
    style: Style
    points: Sequence[tuple[float, float]]
    marked: bool = True


@dataclass(frozen=True)
class Box:
    """Quartiles between the 5 % and 95 % quantiles, and the mean."""

    style: Style
    quantiles: tuple[float, float, float, float, float]
    mean: float


@dataclass(frozen=True)
class Chart:
    """Curves over an axis, or boxes over named groups; `rules` are vertical lines with their text."""

    title: str
    subtitle: str
    x: str
    y: str
    curves: Sequence[Curve] = ()
    groups: Sequence[tuple[str, Sequence[Box]]] = ()
    log_x: bool = False
    log_y: bool = False
    from_zero: bool = True
    rules: Sequence[tuple[float, str]] = field(default_factory=tuple)

    def svg(self) -> str:
        return _curves(self) if self.curves else _boxes(self)


def _curves(chart: Chart) -> str:
    points = [point for curve in chart.curves for point in curve.points]
    values = [y for _, y in points]
    drawing, top = _head(
        chart, [curve.style for curve in chart.curves], marked=any(curve.marked for curve in chart.curves)
    )
    low_x, high_x = min(x for x, _ in points), max(x for x, _ in points)
    x: Axis | LogAxis
    if chart.log_x:
        x = LogAxis(low_x, high_x, _LEFT_MARGIN, WIDTH - _RIGHT_MARGIN)
    else:
        room = 0.02 * (high_x - low_x)
        x = Axis(low_x - room, high_x + room, _LEFT_MARGIN, WIDTH - _RIGHT_MARGIN)
    y = _y_axis(chart, values, top)
    _frame(drawing, chart, y, top)
    base = HEIGHT - _BOTTOM_MARGIN
    for value, label in x.ticks(8):
        drawing.line(x(value), base, x(value), base + 4, colour="#888")
        drawing.text(x(value), base + 18, label, size=11, anchor="middle", colour="#444")
    for value, words in chart.rules:
        drawing.line(x(value), top, x(value), base, colour="#999", width=1, dash="3 3")
        drawing.text(x(value) + 4, top + 12, words, size=10.5, colour="#555")
    for curve in chart.curves:
        placed = [(x(a), y(max(b, y.low) if chart.log_y else b)) for a, b in curve.points]
        drawing.curve(placed, curve.style.colour, width=1.8, dash=curve.style.dash)
        if curve.marked:
            for a, b in _thin_points(placed):
                drawing.marker(a, b, curve.style.marker, curve.style.colour)
    return drawing.document()


def _boxes(chart: Chart) -> str:
    styles = list({box.style: None for _, boxes in chart.groups for box in boxes})
    drawing, top = _head(chart, styles, marked=True)
    y = _y_axis(chart, [value for _, boxes in chart.groups for box in boxes for value in box.quantiles], top)
    _frame(drawing, chart, y, top)
    base, width = HEIGHT - _BOTTOM_MARGIN, (WIDTH - _LEFT_MARGIN - _RIGHT_MARGIN) / len(chart.groups)
    for place, (name, boxes) in enumerate(chart.groups):
        left = _LEFT_MARGIN + place * width
        if place:
            drawing.line(left, top, left, base, colour=_GRID)
        drawing.text(
            left + width / 2, base + 18, name, size=11 if len(chart.groups) < 9 else 9.5, anchor="middle", colour="#444"
        )
        slot = 0.86 * width / len(boxes)
        for number, box in enumerate(boxes):
            _box(drawing, box, y, left + 0.07 * width + slot * (number + 0.5), min(0.66 * slot, 34.0))
    return drawing.document()


def _box(drawing: ChartDrawing, box: Box, y: Axis | LogAxis, middle: float, width: float) -> None:
    low, first, median, third, high = (y(value) for value in box.quantiles)
    colour, left, right = box.style.colour, middle - width / 2, middle + width / 2
    drawing.line(middle, low, middle, first, colour=colour)
    drawing.line(middle, third, middle, high, colour=colour)
    for end in (low, high):
        drawing.line(middle - width / 4, end, middle + width / 4, end, colour=colour)
    corners = [(left, first), (right, first), (right, third), (left, third), (left, first)]
    drawing.curve(corners, colour, width=1.2, dash=box.style.dash, fill=colour)
    drawing.line(left, median, right, median, colour=colour, width=2.4)
    drawing.marker(middle, y(box.mean), box.style.marker, colour)


def _head(chart: Chart, styles: Sequence[Style], *, marked: bool) -> tuple[ChartDrawing, float]:
    """The drawing with its title and legend, and where the plot begins."""
    drawing = ChartDrawing(WIDTH, HEIGHT, f"{chart.title}: {chart.subtitle}")
    drawing.text(24, 28, chart.title, size=16, weight="600")
    y = 47.0
    for line in wrap(chart.subtitle, 118):
        drawing.text(24, y, line, size=11.5, colour="#555")
        y += 15
    x, y = 24.0, y + 8
    for style in styles:
        length = 56 + 6.1 * len(style.label)
        if x + length > WIDTH - 8 and x > 24:
            x, y = 24.0, y + 19
        drawing.line(x, y - 4, x + 32, y - 4, colour=style.colour, width=2, dash=style.dash)
        if marked:
            drawing.marker(x + 16, y - 4, style.marker, style.colour)
        drawing.text(x + 38, y, style.label, size=11)
        x += length
    return drawing, y + 20


def _frame(drawing: ChartDrawing, chart: Chart, y: Axis | LogAxis, top: float) -> None:
    base, right = HEIGHT - _BOTTOM_MARGIN, WIDTH - _RIGHT_MARGIN
    for value, label in y.ticks(6):
        drawing.line(_LEFT_MARGIN, y(value), right, y(value), colour=_GRID, width=0.8)
        drawing.text(_LEFT_MARGIN - 7, y(value) + 4, label, size=10.5, anchor="end", colour="#555")
    drawing.line(_LEFT_MARGIN, base, right, base, colour=_INK)
    drawing.line(_LEFT_MARGIN, top, _LEFT_MARGIN, base, colour=_INK)
    drawing.text((_LEFT_MARGIN + right) / 2, HEIGHT - 14, chart.x, size=12, anchor="middle")
    drawing.turned_text(18, (top + base) / 2, chart.y, size=12)


def _y_axis(chart: Chart, values: Sequence[float], top: float) -> Axis | LogAxis:
    base, high = HEIGHT - _BOTTOM_MARGIN, max(values)
    if chart.log_y:
        return LogAxis(max(min(value for value in values if value > 0.0), 1e-12 * high), high, base, top + 6)
    low = 0.0 if chart.from_zero else min(values)
    room = 0.06 * (high - low or 1.0)
    return Axis(low if chart.from_zero else low - room, high + room, base, top)


def _thin_points(points: Sequence[tuple[float, float]]) -> Sequence[tuple[float, float]]:
    """At most about thirty markers on a curve."""
    step = max(1, math.ceil(len(points) / 30))
    return points[::step]


@dataclass(frozen=True)
class Tile:
    """One cell of a map: the ratio of two errors, or None where one is not known."""

    column: int
    row: int
    ratio: float | None


def tile_map(
    title: str,
    subtitle: str,
    columns: Sequence[str],
    rows: Sequence[str],
    tiles: Sequence[Tile],
    x: str,
    *,
    groups: int = 0,
) -> str:
    """Ratios as shaded tiles with their numbers: blue below one (the first wins), orange above, darker the farther
    from one.
    """
    lines = wrap(subtitle, 118)
    left, top, cell = 178.0, 50.0 + 15.0 * len(lines), 30.0
    width = (WIDTH - left - 20) / len(columns)
    drawing = ChartDrawing(WIDTH, top + cell * len(rows) + 62, f"{title}: {subtitle}")
    drawing.text(24, 28, title, size=16, weight="600")
    for number, line in enumerate(lines):
        drawing.text(24, 47 + 15 * number, line, size=11.5, colour="#555")
    for place, name in enumerate(columns):
        drawing.text(
            left + (place + 0.5) * width,
            top + cell * len(rows) + 18,
            name,
            size=11 if width > 40 else 9.5,
            anchor="middle",
            colour="#444",
        )
    for place, name in enumerate(rows):
        drawing.text(left - 8, top + (place + 0.62) * cell, name, size=11, anchor="end", colour="#444")
    for tile in tiles:
        x0, y0 = left + tile.column * width, top + tile.row * cell
        if tile.ratio is None:
            drawing.text(x0 + width / 2, y0 + 0.64 * cell, "–", size=11, anchor="middle", colour="#999")
            continue
        drawing.rectangle(x0 + 1, y0 + 1, width - 2, cell - 2, _shade(tile.ratio))
        wins, size = tile.ratio < 1.0, 11 if width > 40 else 9
        drawing.text(
            x0 + width / 2,
            y0 + 0.64 * cell,
            f"{tile.ratio:.2f}" if tile.ratio < 9.95 else f"{tile.ratio:.0f}",
            size=size,
            anchor="middle",
            colour="#ffffff" if abs(math.log(tile.ratio)) > 0.9 else "#111111",
            weight="700" if wins else "normal",
        )
    for place in range(groups, len(columns), groups) if groups else ():
        drawing.line(
            left + place * width, top - 4, left + place * width, top + cell * len(rows) + 22, colour=_INK, width=1.4
        )
    drawing.text(left + 0.5 * len(columns) * width, top + cell * len(rows) + 42, x, size=12, anchor="middle")
    return drawing.document()


def _shade(ratio: float) -> str:
    """White at one, blue below, orange above; full at a factor of four."""
    strength = min(1.0, abs(math.log(ratio)) / math.log(4.0))
    full = (0, 90, 156) if ratio < 1.0 else (196, 78, 0)
    return "#" + "".join(f"{round(255 + strength * (channel - 255)):02x}" for channel in full)
