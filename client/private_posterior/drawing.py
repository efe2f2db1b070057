"""Draws named intervals on one scale, as an SVG document without scripts, fonts or links."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

_WIDTH: Final = 720
_NAMES: Final = 220
_VALUES: Final = 90
_ROW: Final = 22
_MOST_ROWS: Final = 60


class Bar(NamedTuple):
    """A named value with an interval, or without one."""

    name: str
    value: float
    low: float | None
    high: float | None


def drawing(title: str, bars: Sequence[Bar], remark: str) -> str:
    shown = bars[:_MOST_ROWS]
    end = max((max(each.value, each.high or 0.0) for each in shown), default=0.0) or 1.0
    height = (len(shown) + 3) * _ROW
    box = f'viewBox="0 0 {_WIDTH} {height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="sans-serif" font-size="12">',
        f'<text x="4" y="16" font-weight="bold">{escape(title)}</text>',
        *(line for number, each in enumerate(shown) for line in _row(each, (number + 1.5) * _ROW, end)),
    ]
    if len(bars) > len(shown):
        remark = f"The first {len(shown)} of {len(bars)}. {remark}"
    lines.append(f'<text x="4" y="{height - 8}" fill="#555">{escape(remark)}</text></svg>')
    return "\n".join(lines)


def _row(bar: Bar, y: float, end: float) -> list[str]:
    def place(value: float) -> float:
        return _NAMES + (_WIDTH - _NAMES - _VALUES) * min(max(value / end, 0.0), 1.0)

    name = bar.name if len(bar.name) <= 34 else f"{bar.name[:33]}…"
    parts = [f'<text x="{_NAMES - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(name)}</text>']
    if bar.low is not None and bar.high is not None:
        ends = f'x1="{place(bar.low):.1f}" x2="{place(bar.high):.1f}"'
        parts.append(f'<line {ends} y1="{y:.1f}" y2="{y:.1f}" stroke="#4477aa" stroke-width="3"/>')
    parts.append(f'<circle cx="{place(bar.value):.1f}" cy="{y:.1f}" r="4" fill="#222"/>')
    parts.append(f'<text x="{_WIDTH - _VALUES + 10}" y="{y + 4:.1f}">{bar.value:.4g}</text>')
    return parts
