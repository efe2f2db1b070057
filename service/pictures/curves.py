"""Draws the width of an interval against the charge, a curve for each mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from service.pictures.frame import (
    LegendEntry,
    PictureHeader,
    described,
    draw_axis_title,
    draw_head,
    draw_legend,
    draw_x_axis,
    fitting_ticks,
    line_sample,
)
from service.pictures.scales import PER_100_000, PLAIN, POINTS, LogScale, Unit
from service.pictures.svg import DEFAULT_WIDTH, LINE, SIZE, Drawing, Look, Picture, Points
from service.pictures.text import isolated, text_width, wrap

_HEIGHT: Final = 320.0
_MOST_MARKERS: Final = 8
"""Largest number of markers on a curve. Between them, the dash identifies the curve."""
_EXACT_LOOK: Final = Look("prior")
_WORDS: Final = {"ε": "epsilon", "ρ": "rho"}


@dataclass(frozen=True, slots=True)
class PlottedCurve:
    """A mechanism, and the width of its interval at charges. Widths of shares are fractions of 1."""

    name: str
    points: Points


def width_curves(
    head: PictureHeader,
    curves: Sequence[PlottedCurve],
    *,
    what: str,
    unit: Unit | None = None,
    symbol: str = "ε",
    without_noise: float | None = None,
    width: float = DEFAULT_WIDTH,
    height: float = _HEIGHT,
) -> Picture:
    """Draw widths against ε or ρ, the `symbol`, both axes logarithmic.

    `what` is the title of the vertical axis, such as `width of the 95 % interval`. `unit` is the unit of the widths, by
    default the one that suits them. `without_noise` is the width from exact counts.
    """
    curves = [replace(each, points=sorted(each.points)) for each in curves]
    every = [point for each in curves for point in each.points if min(point) > 0.0]
    widths = [each for _, each in every] + ([] if without_noise is None else [without_noise])
    if unit is None:
        unit = PER_100_000 if max(widths, default=1.0) < 0.01 else POINTS
    drawing = head.drawing(width)
    y = draw_head(drawing, head)
    y = draw_legend(drawing, y, _entries(curves, without_noise))
    if every:
        y = _chart(drawing, y, curves, every, widths, unit, what, symbol, without_noise, height)
    sentences = [_sentence(each, _WORDS[symbol]) for each in curves]
    if without_noise is not None:
        sentences.insert(0, f"Without noise: {without_noise:.6g}")
    return drawing.finished(y + 14, head.whole_title, described(head, [f"{what}, by {_WORDS[symbol]}", *sentences]))


def _chart(
    drawing: Drawing,
    top: float,
    curves: Sequence[PlottedCurve],
    every: Points,
    widths: Sequence[float],
    unit: Unit,
    what: str,
    symbol: str,
    without_noise: float | None,
    height: float,
) -> float:
    left, right = drawing.margin, drawing.width - drawing.margin
    top += 12
    for line in wrap(f"{what}, {unit.name}" if unit.name else what, right - left, SIZE, most=2):
        top += LINE
        drawing.text(left, top, line, tone="muted")
    top += 12
    base = top + height
    vertical = LogScale(*_range(widths), base, top)
    rungs = vertical.ticks(int(height // (2 * LINE)), unit.factor)
    start = left + max((text_width(label, SIZE) for _, label in rungs), default=0.0) + 10
    horizontal = LogScale(*_range([charge for charge, _ in every]), start, right - 6)
    for value, label in rungs:
        drawing.line(start, vertical(value), horizontal.end, vertical(value), "grid")
        drawing.text(start - 8, vertical(value) + 5, label, anchor="end")
    ticks = fitting_ticks(drawing, horizontal, PLAIN, 10)
    for value, _ in ticks:
        drawing.line(horizontal(value), top, horizontal(value), base, "grid")
    if without_noise is not None:
        y = vertical(without_noise)
        drawing.line(start, y, horizontal.end, y, _EXACT_LOOK.tone, thickness=2.0, dash=_EXACT_LOOK.dash)
    for number, curve in enumerate(curves):
        look = Look.of_series(number)
        placed = [(horizontal(charge), vertical(each)) for charge, each in curve.points if min(charge, each) > 0.0]
        drawing.curve(placed, look.tone, dash=look.dash)
        step = max(1, -(-len(placed) // _MOST_MARKERS))
        for x, y in placed[number % step :: step]:
            drawing.marker(x, y, look.marker, look.tone)
    y = draw_x_axis(drawing, base, horizontal, ticks)
    return draw_axis_title(
        drawing, y + 2, f"{_WORDS[symbol]} ({symbol}), logarithmic: less is more private", start, right
    )


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    return (low / 1.08, high * 1.08) if high > low * 1.2 else (low / 1.5, high * 1.5)


def _entries(curves: Sequence[PlottedCurve], without_noise: float | None) -> list[LegendEntry]:
    entries = [
        LegendEntry(isolated(each.name), line_sample(Look.of_series(place))) for place, each in enumerate(curves)
    ]
    if without_noise is not None:
        entries.append(LegendEntry("exact counts, without noise", line_sample(_EXACT_LOOK, marked=False)))
    return entries


def _sentence(curve: PlottedCurve, charge: str) -> str:
    points = "; ".join(f"{charge} {amount:.6g}, width {each:.6g}" for amount, each in curve.points)
    return f"{isolated(curve.name)}: {points or 'no width known'}"
