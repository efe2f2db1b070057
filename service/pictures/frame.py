"""Draws the common parts of all pictures: a head with title, subtitle and notes, a legend, and axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from service.pictures.scales import Scale, Tick, Unit
from service.pictures.svg import LINE, NARROW, SIZE, Drawing, Look
from service.pictures.text import isolated, text_width, wrap

_TITLE: Final = 18.0
_TITLE_LINE: Final = 24.0
_TITLE_LINES: Final = 3
_SAMPLE: Final = 30.0
"""Width of the sample of a series in a legend, in pixels."""
_SAMPLE_GAP: Final = 8.0
_ENTRY_GAP: Final = 22.0
_TICK_GAP: Final = 14.0

Sample: TypeAlias = Callable[[Drawing, float, float], None]
"""Draws the sample of a series in a legend, from a point to its right."""


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A line of a legend."""

    words: str
    sample: Sample


@dataclass(frozen=True, slots=True)
class PictureHeader:
    """The text above a picture, unless a page has it (`is_drawn`)."""

    title: str
    subtitle: str = ""
    note: str = ""
    date: str = ""
    is_drawn: bool = True

    def drawing(self, width: float) -> Drawing:
        """Return an empty drawing. In a page it has no margin, since the page has one."""
        return Drawing(width, (12.0 if width < NARROW else 24.0) if self.is_drawn else 0.0)

    @property
    def whole_title(self) -> str:
        return f"{isolated(self.title)}, {self.date}" if self.date else self.title


def draw_head(drawing: Drawing, head: PictureHeader) -> float:
    """Draw the head, and return the vertical position of its lower end."""
    left, room, y = drawing.margin, drawing.width - 2 * drawing.margin, 8.0
    if not head.is_drawn:
        return 0.0
    lines = wrap(head.whole_title, room, _TITLE, bold=True)
    if len(lines) > _TITLE_LINES:  # cut the title only, so that the date remains
        lines = [*wrap(head.title, room, _TITLE, bold=True, most=_TITLE_LINES - 1), head.date]
    for line in lines:
        y += _TITLE_LINE
        drawing.text(left, y, line, size=_TITLE, bold=True)
    y += 3
    for text, tone in ((head.subtitle, "muted"), (head.note, "ink")):
        for line in wrap(text, room, SIZE) if text else ():
            y += LINE
            drawing.text(left, y, line, tone=tone)
    return y


def draw_legend(drawing: Drawing, top: float, entries: Sequence[LegendEntry]) -> float:
    """Draw a legend below `top`, and return the vertical position of its lower end."""
    left, right = drawing.margin, drawing.width - drawing.margin
    words_at = _SAMPLE + _SAMPLE_GAP
    x, y = left, top + LINE + 6
    for entry in entries:
        lines = wrap(entry.words, right - left - words_at, SIZE, most=2)
        length = words_at + max(text_width(line, SIZE) for line in lines)
        if x > left and x + length > right:
            x, y = left, y + LINE + 3
        entry.sample(drawing, x, y - 5)
        for number, line in enumerate(lines):
            drawing.text(x + words_at, y + LINE * number, line)
        y += LINE * (len(lines) - 1)
        x += length + _ENTRY_GAP
    return y


def line_sample(look: Look, *, thickness: float = 2.0, marked: bool = True) -> Sample:
    """Return a function that draws a piece of a curve for a legend."""

    def sample(drawing: Drawing, x: float, y: float) -> None:
        drawing.line(x, y, x + _SAMPLE, y, look.tone, thickness=thickness, dash=look.dash)
        if marked:
            drawing.marker(x + _SAMPLE / 2, y, look.marker, look.tone)

    return sample


def upright_sample(look: Look) -> Sample:
    """Return a function that draws a short vertical line for a legend."""

    def sample(drawing: Drawing, x: float, y: float) -> None:
        drawing.line(x + _SAMPLE / 2, y - 7, x + _SAMPLE / 2, y + 7, look.tone, thickness=2.0, dash=look.dash)

    return sample


def marker_sample(shape: str, tone: str) -> Sample:
    def sample(drawing: Drawing, x: float, y: float) -> None:
        drawing.marker(x + _SAMPLE / 2, y, shape, tone)

    return sample


def fitting_ticks(drawing: Drawing, scale: Scale, unit: Unit, most: int = 8) -> list[Tick]:
    """Return ticks of a horizontal axis whose labels do not overlap."""
    ticks: list[Tick] = []
    for number in range(most, 0, -1):
        ticks = [Tick(value, label + unit.in_ticks) for value, label in scale.ticks(number, unit.factor)]
        labels = [(_label_middle(drawing, scale(value), label), text_width(label, SIZE)) for value, label in ticks]
        if all(right - left >= (width + other) / 2 + _TICK_GAP for (left, width), (right, other) in pairwise(labels)):
            break
    return ticks


def draw_x_axis(drawing: Drawing, y: float, scale: Scale, ticks: Sequence[Tick]) -> float:
    """Draw a horizontal axis at `y` with its ticks, and return the vertical position of its lower end."""
    drawing.line(scale.start, y, scale.end, y, "ink")
    for value, label in ticks:
        drawing.line(scale(value), y, scale(value), y + 5, "ink")
        draw_tick_label(drawing, scale(value), y + 20, label)
    return y + 20


def draw_tick_label(drawing: Drawing, x: float, y: float, label: str) -> None:
    drawing.text(_label_middle(drawing, x, label), y, label, anchor="middle")


def _label_middle(drawing: Drawing, x: float, label: str) -> float:
    """Return the position of a label's middle: x, or the nearest position at which the label is inside the picture."""
    half = text_width(label, SIZE) / 2 + 2
    return min(max(x, half), drawing.width - half)


def draw_axis_title(drawing: Drawing, top: float, title: str, left: float, right: float) -> float:
    """Draw the title of a horizontal axis below `top`, and return the vertical position of its lower end."""
    y, room = top, drawing.width - 2 * drawing.margin
    lines = wrap(title, room, SIZE, most=4)
    half = max(text_width(line, SIZE) for line in lines) / 2
    middle = min(max((left + right) / 2, drawing.margin + half), drawing.width - drawing.margin - half)
    for line in lines:
        y += LINE
        drawing.text(middle, y, line, anchor="middle")
    return y


def percent(level: float) -> str:
    return f"{100.0 * level:.10g} %"


def described(head: PictureHeader, sentences: Sequence[str]) -> str:
    """Return the description of a picture: the text of its head, and its numbers."""
    texts = [head.subtitle, head.note, *sentences]
    return " ".join(text if text[-1] in ".:!?" else f"{text}." for text in texts if text)
