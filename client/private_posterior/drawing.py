"""Draws named intervals on one scale, as an SVG document without scripts, fonts or links."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Final, Literal, NamedTuple, TypeAlias

_WIDTH: Final = 720
_NAMES: Final = 260
_VALUES: Final = 90
_ROW: Final = 22
_LOG_SCALE_RATIO: Final = 50
"""Ratio of the largest to the smallest share from which the scale is logarithmic: rare ones would be a point at 0."""
_MOST_ROWS: Final = 60
_LONGEST_NAME: Final = 40
_NOT_IN_XML: Final = re.compile(r"[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Scale: TypeAlias = Literal["share", "logarithm", "difference", "ratio"]
"""A share begins at 0. A difference has a line at 0. A ratio has a logarithmic scale and a line at 1."""


class Bar(NamedTuple):
    """A named value with an interval. A value that does not exist is None, and so is an end that is not finite."""

    name: str
    value: float | None
    low: float | None
    high: float | None


class Picture(NamedTuple):
    """Bars on one scale, under a title."""

    title: str
    bars: Sequence[Bar]
    scale: Scale = "share"


def drawing(picture: Picture, remark: str = "") -> str:
    """Return the picture as an SVG document."""
    title, bars, scale = picture
    shown = bars[:_MOST_ROWS]
    if scale == "share" and _are_far_apart(shown):
        title, scale = f"{title} (logarithmic scale)", "logarithm"
    if len(bars) > len(shown):
        remark = f"The first {len(shown)} of {len(bars)}. {remark}".strip()
    place, equal = _places(shown, scale)
    height = round((len(shown) + 1.5 + bool(remark)) * _ROW)
    size = f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="4" y="16" font-weight="bold">{_escape_text(title)}</text>',
    ]
    if equal is not None:
        ends = f'x1="{place(equal):.1f}" x2="{place(equal):.1f}" y1="{_ROW}" y2="{(len(shown) + 1) * _ROW}"'
        lines.append(f'<line {ends} stroke="#999" stroke-dasharray="3 3"/>')
    lines += [line for number, each in enumerate(shown) for line in _row(each, (number + 1.5) * _ROW, place)]
    if remark:
        lines.append(f'<text x="4" y="{height - 8}" fill="#555">{_escape_text(remark)}</text>')
    return "\n".join([*lines, "</svg>"])


def _places(bars: Sequence[Bar], scale: Scale) -> tuple[Callable[[float], float], float | None]:
    """Return where a value stands in pixels, and the value at which two shares are equal."""
    values = [value for bar in bars for value in (bar.value, bar.low, bar.high) if value is not None]
    if scale in ("ratio", "logarithm"):
        logs = [math.log(value) for value in values if value > 0] + ([-0.1, 0.1] if scale == "ratio" else [])
        least, most = min(logs), max(logs)
        equal = 1.0 if scale == "ratio" else None
        return lambda value: _pixel_between(math.log(value) if value > 0 else -math.inf, least, most), equal
    least, most = min([*values, 0.0]), max([*values, 0.0])
    return lambda value: _pixel_between(value, least, most), 0.0 if scale == "difference" else None


def _are_far_apart(bars: Sequence[Bar]) -> bool:
    """Return whether a linear scale would show some of the shares as points at 0."""
    ends = [bar.value if bar.high is None else bar.high for bar in bars]
    found = [end for end in ends if end is not None and end > 0]
    return bool(found) and max(found) > _LOG_SCALE_RATIO * min(found)


def _pixel_between(value: float, least: float, most: float) -> float:
    """Return the pixel of a value on a scale, at its end if the value lies beyond."""
    part = (min(max(value, least), most) - least) / ((most - least) or 1.0)
    return _NAMES + (_WIDTH - _NAMES - _VALUES) * part


def _row(bar: Bar, y: float, place: Callable[[float], float]) -> list[str]:
    name = bar.name if len(bar.name) <= _LONGEST_NAME else f"{bar.name[: _LONGEST_NAME - 1]}…"
    parts = [f'<text x="{_NAMES - 8}" y="{y + 4:.1f}" text-anchor="end">{_escape_text(name)}</text>']
    if bar.low is not None:
        end = _WIDTH - _VALUES if bar.high is None else place(bar.high)
        ends = f'x1="{place(bar.low):.1f}" x2="{end:.1f}"'
        parts.append(f'<line {ends} y1="{y:.1f}" y2="{y:.1f}" stroke="#4477aa" stroke-width="3"/>')
    if bar.value is not None:
        parts.append(f'<circle cx="{place(bar.value):.1f}" cy="{y:.1f}" r="4" fill="#222"/>')
        parts.append(f'<text x="{_WIDTH - _VALUES + 10}" y="{y + 4:.1f}">{bar.value:.4g}</text>')
    return parts


def _escape_text(text: str) -> str:
    return escape(_NOT_IN_XML.sub(" ", text))
