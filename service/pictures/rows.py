"""Draws named values with their intervals as rows on one axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple, TypeAlias

from service.pictures.frame import draw_axis_title, draw_tick_label, draw_x_axis, fitting_ticks
from service.pictures.scales import (
    PER_100_000,
    PLAIN,
    LinearScale,
    LogScale,
    Scale,
    Unit,
    decimals_for,
    figures,
    grouped,
    span,
    unit_of_differences,
    unit_of_shares,
)
from service.pictures.svg import LINE, NARROW, SIZE, Drawing, Look
from service.pictures.text import cut, isolated, text_width, wrap

Kind: TypeAlias = Literal["share", "difference", "ratio"]

AWARE: Final = Look("aware")
NAIVE: Final = Look("naive", "6 4", "ring")
PRIOR: Final = Look("prior", "2 3")
COMPARED: Final = "times as wide as expected without noise"
RATIO: Final = "× without noise"
"""Heading of the column of width ratios: the interval's width over the width that is expected without noise."""
_MIN_INFINITE_VALUE: Final = 1e300
"""A median that stands for infinity."""
_ROW: Final = 28.0
_NARROW_ROW: Final = 26.0
"""Height of an interval in a narrow picture, without its label and figures."""
_LABEL_LINES: Final = 3
_GAP: Final = 14.0
_SPREAD: Final = 30.0
"""Largest ratio of the largest to the smallest share on a linear axis. Beyond it, the axis is logarithmic."""
_MOST_DECADES: Final = 6.0
_REACH: Final = 100.0
"""Factor by which a logarithmic axis may extend beyond the values, to show their intervals."""
_MAX_RARE_SHARE: Final = 0.001
"""Shares below it are per 100 000 among others in percent."""
_TICKS_ABOVE_FROM: Final = 16
"""Number of rows from which the axis has ticks above the rows, too."""


@dataclass(frozen=True, slots=True)
class Row:
    """A named value. `interval` accounts for noise, and is None if none is known; `naive` ignores the noise."""

    label: str
    value: float | None
    interval: tuple[float, float] | None
    naive: tuple[float, float] | None = None
    prior: float | None = None
    width_ratio: str = ""
    """The interval's width over the width that is expected without noise, as text; empty if unknown."""
    unit: Unit | None = None
    """The unit of its figures, by default that of all rows."""
    is_summary: bool = False
    """Whether it sums up other rows: its interval is a diamond."""


class Axes(NamedTuple):
    scale: Scale
    unit: Unit


def axes_for(rows: Sequence[Row], kind: Kind, start: float, end: float, unit: Unit | None = None) -> Axes:
    """Return the scale and the unit that suit the values of these rows. A given `unit` is kept."""
    values = [row.value for row in rows if row.value is not None]
    shown, unit = _ends_and_values(rows), unit or unit_for(rows, kind)
    match kind:
        case "ratio":
            low, high = _log_range(shown, values, around=1.0)
            return Axes(LogScale(low, high, start, end), unit)
        case "difference":
            low, high = span([*shown, 0.0], bounds=(-1.0, 1.0))
            return Axes(LinearScale(low, high, start, end), unit)
        case "share":
            positive = [value for value in values if value > 0.0]
            if positive and max(positive) > _SPREAD * min(positive):
                low, high = _log_range(shown, positive)
                return Axes(LogScale(low, min(high, 1.0), start, end), unit)
            low, high = span(shown, bounds=(0.0, 1.0))
            return Axes(LinearScale(low, high, start, end), unit)


def unit_for(rows: Sequence[Row], kind: Kind) -> Unit:
    """Return the unit for the values of these rows, on a page and in a picture."""
    match kind:
        case "ratio":
            return PLAIN
        case "difference":
            return unit_of_differences(max(map(abs, _ends_and_values(rows)), default=1.0))
        case "share":
            return unit_of_shares(min(map(_middle, rows), default=1.0))


def with_own_units(rows: Sequence[Row]) -> list[Row]:
    """Return shares with units. Among common shares, a rare share has a different unit."""
    unit = axis_unit(rows)
    return [replace(row, unit=PER_100_000 if _middle(row) < _MAX_RARE_SHARE else unit) for row in rows]


def axis_unit(rows: Sequence[Row]) -> Unit:
    """Return the unit of the axis of shares that may have different units: that of the largest."""
    return unit_of_shares(max(map(_middle, rows), default=1.0))


def _ends_and_values(rows: Sequence[Row]) -> list[float]:
    ends = [bound for row in rows for interval in (row.interval, row.naive) if interval for bound in interval]
    values = [row.value for row in rows if row.value is not None]
    return [each for each in values + ends if math.isfinite(each)]


def _log_range(shown: Sequence[float], values: Sequence[float], around: float | None = None) -> tuple[float, float]:
    positive = [value for value in shown if value > 0.0]
    core = [value for value in values if value > 0.0 and math.isfinite(value)] or positive or [1.0]
    low = max(min(positive, default=1.0), min(core) / _REACH)
    high = min(max(positive, default=1.0), max(core) * _REACH)
    low = max(low, high * 10.0**-_MOST_DECADES)
    if around is not None:
        low, high = min(low, around / 1.1), max(high, around * 1.1)
    return low / 1.06, high * 1.06


class _Columns(NamedTuple):
    """The horizontal positions of the parts of a row: the axis from `start` to `end`, and the end of the column of
    figures.

    In a narrow picture, labels and figures are above the axis.
    """

    start: float
    end: float
    label_room: float
    figures_at: float


def draw_rows(
    drawing: Drawing,
    top: float,
    rows: Sequence[Row],
    kind: Kind,
    title: str,
    heading: str = "",
    *,
    unit: Unit | None = None,
) -> float:
    """Draw the rows below `top` with an axis of this title, and return the vertical position of their lower end.

    `heading` is the heading of the labels. `unit` is the unit of the values, by default the one that suits them.
    """
    unit = unit or unit_for(rows, kind)
    texts = [row_figures(row, kind, row.unit or unit) for row in rows]
    headings = heading, _figures_heading(rows, kind), RATIO if any(row.width_ratio for row in rows) else ""
    columns = _columns(drawing, rows, texts, headings)
    scale = axes_for(rows, kind, columns.start, columns.end, unit).scale
    y = _headings(drawing, top, headings, columns)
    is_log = isinstance(scale, LogScale)
    ticks = fitting_ticks(drawing, scale, replace(unit, in_ticks="") if is_log else unit)
    if len(rows) >= _TICKS_ABOVE_FROM:
        y += LINE + 6
        for value, label in ticks:
            draw_tick_label(drawing, scale(value), y - 8, label)
    labels = [wrap(row.label, columns.label_room, SIZE, bold=True, most=_LABEL_LINES) for row in rows]
    below = [
        wrap(f"{text}, {row.width_ratio} {RATIO}" if row.width_ratio else text, columns.label_room, SIZE, most=2)
        for row, text in zip(rows, texts, strict=True)
    ]
    # In a narrow picture, a label and its figures stand above the axis.
    above = max((len(label) + len(each) for label, each in zip(labels, below, strict=True)), default=2) * LINE
    height = above + _NARROW_ROW if drawing.width < NARROW else _ROW
    bottom = y + height * len(rows)
    # In a narrow picture, texts are above the intervals, so that no line crosses them.
    strips = [(y, bottom)]
    if drawing.width < NARROW:
        strips = [(y + height * number + above + 3, y + height * (number + 1)) for number in range(len(rows))]
    reference = {"ratio": 1.0, "difference": 0.0}.get(kind)
    for first, last in strips:
        for value, _ in ticks:
            drawing.line(scale(value), first, scale(value), last, "grid")
        if reference is not None:
            drawing.line(scale(reference), first, scale(reference), last, "ink", thickness=1.5)
    for number, (row, text, named, under) in enumerate(zip(rows, texts, labels, below, strict=True)):
        _row(drawing, y + height * number, row, text, named, under, scale, columns)
    y = draw_x_axis(drawing, bottom, scale, ticks)
    named_unit = f", {unit.name}" if unit.name and (is_log or not unit.in_ticks) else ""
    whole_title = f"{title}{named_unit}{', logarithmic' if is_log else ''}"
    return draw_axis_title(drawing, y + 4, whole_title, columns.start, columns.end)


def _figures_heading(rows: Sequence[Row], kind: Kind) -> str:
    estimate = "mean" if kind == "share" else "estimate"
    return f"{estimate} and interval" if any(row.interval or row.naive for row in rows) else estimate


def _columns(drawing: Drawing, rows: Sequence[Row], texts: Sequence[str], headings: tuple[str, str, str]) -> _Columns:
    left, right = drawing.margin, drawing.width - drawing.margin
    if drawing.width < NARROW:
        return _Columns(left, right, right - left, left)
    heading, figures_heading, ratio_heading = headings
    labels = max([_widest_text(heading), *(text_width(row.label, SIZE, bold=row.is_summary) for row in rows)])
    ratios = _widest_text(ratio_heading, *(row.width_ratio for row in rows)) + _GAP if ratio_heading else 0.0
    drawn = (text_width(text, SIZE, bold=row.is_summary) for row, text in zip(rows, texts, strict=True))
    figures = max([_widest_text(figures_heading), *drawn])
    label_room, figures_at = min(labels, 0.3 * right), right - ratios
    return _Columns(left + label_room + _GAP, figures_at - figures - _GAP, label_room, figures_at)


def _widest_text(*texts: str) -> float:
    return max(text_width(text, SIZE) for text in texts)


def _headings(drawing: Drawing, top: float, headings: tuple[str, str, str], columns: _Columns) -> float:
    if drawing.width < NARROW:
        return top + 10
    heading, figures_heading, ratio_heading = headings
    left, right, y = drawing.margin, drawing.width - drawing.margin, top + 8
    for line in wrap(heading, columns.label_room, SIZE, most=2):
        y += LINE
        if line:
            drawing.text(left, y, line, tone="muted")
    drawing.text(columns.figures_at, y, figures_heading, tone="muted", anchor="end")
    if ratio_heading:
        drawing.text(right, y, ratio_heading, tone="muted", anchor="end")
    return y + 6


def _row(
    drawing: Drawing,
    top: float,
    row: Row,
    text: str,
    label: Sequence[str],
    under: Sequence[str],
    scale: Scale,
    columns: _Columns,
) -> None:
    """Draw one row. `label` and `under` are the lines of the label and of the figures below it in a narrow picture."""
    left, right = drawing.margin, drawing.width - drawing.margin
    if drawing.width < NARROW:
        y = top
        for line in label:
            y += LINE
            drawing.text(left, y, line, bold=True)
        for line in under:
            y += LINE
            drawing.text(left, y, line)
        y += 14
    else:
        y = top + _ROW / 2
        drawing.text(left, y + 5, cut(row.label, columns.label_room, SIZE, bold=row.is_summary), bold=row.is_summary)
        drawing.text(columns.figures_at, y + 5, text, anchor="end", bold=row.is_summary)
        if row.width_ratio:
            drawing.text(right, y + 5, row.width_ratio, anchor="end")
    if row.naive is not None:
        draw_interval(drawing, y + 6, row.naive, scale, NAIVE, thickness=2.0)
        if row.interval is None and row.value is not None:
            _value(drawing, y + 6, row.value, scale, NAIVE)
    elif row.interval is None and row.value is not None:
        _value(drawing, y, row.value, scale, NAIVE)
    if row.prior is not None and scale.low <= row.prior <= scale.high:
        drawing.line(scale(row.prior), y - 9, scale(row.prior), y + 9, "prior", thickness=2.0, dash=PRIOR.dash)
    if row.interval is not None:
        if row.is_summary and row.value is not None:
            _diamond(drawing, y - 2, row.value, row.interval, scale)
        else:
            draw_interval(drawing, y - 2, row.interval, scale, AWARE, thickness=3.0)
            if row.value is not None:
                _value(drawing, y - 2, row.value, scale, AWARE)


def draw_interval(
    drawing: Drawing, y: float, interval: tuple[float, float], scale: Scale, look: Look, *, thickness: float
) -> None:
    """Draw a horizontal line from end to end, with an arrow where it goes beyond the scale."""
    low, high = (min(max(bound, scale.low), scale.high) for bound in interval)
    drawing.line(scale(low), y, scale(high), y, look.tone, thickness=thickness, dash=look.dash)
    if interval[0] < scale.low and not math.isclose(interval[0], scale.low):
        drawing.marker(scale.start + 3, y, "left", look.tone)
    if interval[1] > scale.high and not math.isclose(interval[1], scale.high):
        drawing.marker(scale.end - 3, y, "right", look.tone)


def _diamond(drawing: Drawing, y: float, value: float, interval: tuple[float, float], scale: Scale) -> None:
    """Draw a diamond from end to end of an interval, as far as the scale goes."""
    low, middle, high = (scale(min(max(each, scale.low), scale.high)) for each in (interval[0], value, interval[1]))
    drawing.shape([(low, y), (middle, y - 6), (max(high, low + 1), y), (middle, y + 6)], AWARE.tone)


def _value(drawing: Drawing, y: float, value: float, scale: Scale, look: Look) -> None:
    if scale.low <= value <= scale.high:
        drawing.marker(scale(value), y, look.marker, look.tone)


def _middle(row: Row) -> float:
    if row.value is not None:
        return row.value
    interval = row.interval or row.naive
    return 1.0 if interval is None else sum(interval) / 2


def row_figures(row: Row, kind: Kind, unit: Unit) -> str:
    """Return the figures beside a row, such as `3.24 % (2.91 to 3.58)`."""
    interval = row.interval or row.naive
    if kind == "ratio":
        if interval is None:
            return "" if row.value is None else significant(row.value)
        ends = f"{significant(interval[0])} to {significant(interval[1])}"
        return ends if row.value is None else f"{significant(row.value)} ({ends})"
    if interval is None:
        return (
            "" if row.value is None else f"{unit.write(row.value, decimals_for(unit.factor * row.value))}{unit.suffix}"
        )
    return figures(unit, row.value, *interval)


def texts_of(row: Row, kind: Kind, unit: Unit) -> list[str]:
    """Return the value and both ends of its interval without the unit, with the digits of the picture. Missing numbers
    are empty.
    """
    numbers = [row.value, *(row.interval or (None, None))]
    if kind == "ratio":
        return ["" if each is None else significant(each) for each in numbers]
    decimals = decimals_for(unit.factor * (row.interval[1] - row.interval[0] if row.interval else row.value or 0.0))
    return ["" if each is None else unit.write(each, decimals) for each in numbers]


def significant(value: float, digits: int = 3) -> str:
    """Return the number with this many significant digits, without an exponent unless it is very small or large."""
    if not abs(value) < _MIN_INFINITE_VALUE:
        return "∞" if value > 0 else "\N{MINUS SIGN}∞"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        decimals = 0 if value == 0 else max(0, digits - 1 - math.floor(math.log10(abs(value))))
        return grouped(value, decimals)
    return f"{value:.{digits}g}"


def sentence(row: Row, level: str, kind: Kind = "share") -> str:
    """Return the numbers of a row for the description of the picture, with shares as fractions of 1."""
    texts = []
    middle = "mean" if kind == "share" else "median"
    for words, interval in ((f"{level} interval", row.interval), (f"{level} interval that ignores noise", row.naive)):
        if interval is not None:
            low, high = (significant(end) if kind == "ratio" else plain(end, interval) for end in interval)
            texts.append(f"{words} {low} to {high}")
    if row.width_ratio and texts:
        texts[0] += f", {row.width_ratio} {COMPARED}"
    if row.value is not None:
        value = significant(row.value) if kind == "ratio" else plain(row.value, row.interval or row.naive)
        texts.append(f"{middle if row.interval else f'{middle} of the release'} {value}")
    return f"{isolated(row.label)}: {', '.join(texts)}"


def plain(value: float, interval: tuple[float, float] | None) -> str:
    """Return the number with one digit more than its interval's width supports."""
    if not math.isfinite(value):
        return significant(value)
    width = 0.0 if interval is None else interval[1] - interval[0]
    if width > 0 and math.isfinite(width):
        return grouped(value, decimals_for(width) + 1)
    return f"{value:.6g}"


def wrapped_label(label: str, width: float) -> list[str]:
    return wrap(label, width, SIZE, bold=True, most=2)
