"""Writes the SVG of benchmarks: text is escaped, numbers are short, and ticks fall on round values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


@dataclass(slots=True)
class Drawing:
    """An SVG document of a size in pixels; elements are added in drawing order."""

    width: float
    height: float
    title: str
    description: str = ""
    _elements: list[str] = field(default_factory=list)

    def add(self, element: str) -> None:
        self._elements.append(element)

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
    ) -> None:
        style = f'font-size="{size:g}" text-anchor="{anchor}" fill="{colour}" font-weight="{weight}"'
        self.add(f'<text x="{short(x)}" y="{short(y)}" {style}>{escape(content)}</text>')

    def line(
        self, x1: float, y1: float, x2: float, y2: float, *, colour: str = "#222", width: float = 1, dash: str = ""
    ) -> None:
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(
            f'<line x1="{short(x1)}" y1="{short(y1)}" x2="{short(x2)}" y2="{short(y2)}" stroke="{colour}" '
            f'stroke-width="{width:g}"{dashes}/>'
        )

    def circle(self, x: float, y: float, radius: float, colour: str) -> None:
        self.add(f'<circle cx="{short(x)}" cy="{short(y)}" r="{radius:g}" fill="{colour}"/>')

    def curve(
        self,
        points: Sequence[tuple[float, float]],
        colour: str,
        *,
        width: float = 1.5,
        dash: str = "",
        fill: str = "none",
    ) -> None:
        path = " ".join(f"{short(x)},{short(y)}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(
            f'<polyline points="{path}" fill="{fill}" fill-opacity="0.15" stroke="{colour}" '
            f'stroke-width="{width:g}"{dashes}/>'
        )

    def document(self) -> str:
        size = f'width="{self.width:g}" height="{self.height:g}" viewBox="0 0 {self.width:g} {self.height:g}"'
        font = f'font-family="{FONT}" role="img"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}><title>{escape(self.title)}</title>'
        head += f"<desc>{escape(self.description)}</desc>" if self.description else ""
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


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))


def short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
