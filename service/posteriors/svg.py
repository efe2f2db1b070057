"""Writes the SVG that plots need: text is escaped, numbers are short, and ticks fall on round values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


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


@dataclass(slots=True)
class Drawing:
    """An SVG document of a size in pixels; elements are added in drawing order."""

    width: float
    height: float
    title: str
    _elements: list[str] = field(default_factory=list)

    def text(
        self,
        x: float,
        y: float,
        content: str,
        *,
        size: float = 12,
        anchor: str = "start",
        colour: str = "#222",
        weight: str = "normal",
        turned: bool = False,
    ) -> None:
        """`turned` reads from the bottom upward."""
        turn = f' transform="rotate(-90 {_short(x)} {_short(y)})"' if turned else ""
        style = f'font-size="{size:g}" text-anchor="{anchor}" fill="{colour}" font-weight="{weight}"{turn}'
        self._elements.append(f'<text x="{_short(x)}" y="{_short(y)}" {style}>{escape(content)}</text>')

    def line(
        self, x1: float, y1: float, x2: float, y2: float, *, colour: str = "#222", width: float = 1, dash: str = ""
    ) -> None:
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._elements.append(
            f'<line x1="{_short(x1)}" y1="{_short(y1)}" x2="{_short(x2)}" y2="{_short(y2)}" stroke="{colour}" '
            f'stroke-width="{width:g}"{dashes}/>'
        )

    def circle(self, x: float, y: float, radius: float, colour: str) -> None:
        self._elements.append(f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{radius:g}" fill="{colour}"/>')

    def rectangle(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        size = f'width="{_short(width)}" height="{_short(height)}"'
        self._elements.append(f'<rect x="{_short(x)}" y="{_short(y)}" {size} fill="{colour}"/>')

    def marker(self, x: float, y: float, shape: str, colour: str) -> None:
        """A mark of about eight pixels: one of the names in `MARKERS`."""
        filled, path = MARKERS[shape]
        place = f'transform="translate({_short(x)} {_short(y)})"'
        fill = colour if filled else "white"
        self._elements.append(f'<path d="{path}" {place} fill="{fill}" stroke="{colour}" stroke-width="1.4"/>')

    def curve(
        self,
        points: Sequence[tuple[float, float]],
        colour: str,
        *,
        width: float = 1.5,
        dash: str = "",
        fill: str = "none",
    ) -> None:
        path = " ".join(f"{_short(x)},{_short(y)}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._elements.append(
            f'<polyline points="{path}" fill="{fill}" fill-opacity="0.15" stroke="{colour}" '
            f'stroke-width="{width:g}"{dashes}/>'
        )

    def document(self) -> str:
        size = f'width="{self.width:g}" height="{self.height:g}" viewBox="0 0 {self.width:g} {self.height:g}"'
        font = f'font-family="{FONT}" role="img"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}><title>{escape(self.title)}</title>'
        return "\n".join(
            [head, f'<rect width="{self.width:g}" height="{self.height:g}" fill="white"/>', *self._elements, "</svg>\n"]
        )


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear map from values in [low, high] to pixels in [start, end]."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, about: int = 5) -> list[tuple[float, str]]:
        """Round values within the range and their labels, all with the same number of digits."""
        step = _round_step((self.high - self.low) / about)
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [(index * step, f"{index * step:.{digits}f}") for index in range(first, last + 1)]


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


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
