"""Extends the drawings of benchmarks for charts of the papers: markers, rectangles, rotated text, a logarithmic axis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

from benchmarks._svg import Drawing, short

MARKERS = {
    "circle": (True, "M-3 0A3 3 0 1 0 3 0A3 3 0 1 0 -3 0Z"),
    "ring": (False, "M-3.4 0A3.4 3.4 0 1 0 3.4 0A3.4 3.4 0 1 0 -3.4 0Z"),
    "square": (True, "M-3 -3H3V3H-3Z"),
    "diamond": (True, "M0 -4.2L4.2 0L0 4.2L-4.2 0Z"),
    "triangle": (True, "M0 -3.8L3.6 2.8H-3.6Z"),
    "down": (True, "M0 3.8L3.6 -2.8H-3.6Z"),
    "right": (True, "M3.8 0L-2.8 3.6V-3.6Z"),
    "plus": (False, "M-4 0H4M0 -4V4"),
    "cross": (False, "M-3.2 -3.2L3.2 3.2M-3.2 3.2L3.2 -3.2"),
    "star": (False, "M0 -4V4M-3.5 -2L3.5 2M-3.5 2L3.5 -2"),
}
"""Shapes by name: whether they are filled, and their outline around the origin."""


class ChartDrawing(Drawing):
    """An SVG document with the elements of charts."""

    def turned_text(self, x: float, y: float, content: str, *, size: float) -> None:
        """Text in the middle of a point that reads from the bottom upward."""
        style = f'font-size="{size:g}" text-anchor="middle" fill="#222" font-weight="normal"'
        turn = f'transform="rotate(-90 {short(x)} {short(y)})"'
        self.add(f'<text x="{short(x)}" y="{short(y)}" {style} {turn}>{escape(content)}</text>')

    def rectangle(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        size = f'width="{short(width)}" height="{short(height)}"'
        self.add(f'<rect x="{short(x)}" y="{short(y)}" {size} fill="{colour}"/>')

    def marker(self, x: float, y: float, shape: str, colour: str) -> None:
        """A mark of about eight pixels: one of the names in `MARKERS`."""
        filled, path = MARKERS[shape]
        place = f'transform="translate({short(x)} {short(y)})"'
        fill = colour if filled else "white"
        self.add(f'<path d="{path}" {place} fill="{fill}" stroke="{colour}" stroke-width="1.4"/>')


@dataclass(frozen=True, slots=True)
class LogAxis:
    """A logarithmic map from values in [low, high], low > 0, to pixels in [start, end]."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + math.log(value / self.low) / math.log(self.high / self.low) * (self.end - self.start)

    def ticks(self, about: int = 5) -> list[tuple[float, str]]:
        """Powers of ten within the range, with their twofold and fivefold where there are few, and their labels."""
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        powers = range(first, last + 1)
        factors = (1, 2, 5) if len(powers) * 2 <= about else (1,)
        step = max(1, math.ceil((last - first) / about))
        values = [
            factor * 10.0**power
            for power in powers
            if (power - first) % step == 0 or len(factors) > 1
            for factor in factors
        ]
        return [
            (value, f"{value:,.0f}" if 1 <= value < 1e7 else f"{value:g}")
            for value in values
            if self.low * 0.999 <= value <= self.high * 1.001
        ]
