"""Writes SVG documents in one style: colours for light and dark, text of at least 14 pixels, and nothing that loads or
runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final, Literal, TypeAlias

from service.pictures.text import safe

Tone: TypeAlias = str
"""A name in `PALETTE`."""
Anchor: TypeAlias = Literal["start", "middle", "end"]
Points: TypeAlias = Sequence[tuple[float, float]]

SIZE: Final = 14.0
"""Font size, in pixels."""
LINE: Final = 19.0
"""Height of a line of text, in pixels."""
DEFAULT_WIDTH: Final = 760
LEAST_WIDTH: Final = 320
MOST_WIDTH: Final = 1200
NARROW: Final = 560
"""Pictures below this width put texts above what they describe, rather than beside it."""

PALETTE: Final[dict[Tone, tuple[str, str]]] = {
    "paper": ("#ffffff", "#15181d"),
    "ink": ("#1b1b1b", "#f0f0f0"),
    "muted": ("#565656", "#b5b5b5"),
    "grid": ("#dddddd", "#3b3f46"),
    "aware": ("#1b6ca8", "#7ab8f5"),
    "naive": ("#b45309", "#f2a65a"),
    "prior": ("#6b6b6b", "#a8a8a8"),
    "alert": ("#b00020", "#ff8f86"),
    "series-0": ("#1b6ca8", "#7ab8f5"),
    "series-1": ("#b45309", "#f2a65a"),
    "series-2": ("#1a7f37", "#6fdd8b"),
    "series-3": ("#7b3fa0", "#d2a8ff"),
    "series-4": ("#9d174d", "#f9a8d4"),
    "series-5": ("#4d4d4d", "#c9c9c9"),
}
"""The colour of each tone in light and in dark. Text has a contrast of 4.5 with the paper, all else but the grid 3."""
SERIES: Final = 6
_DASHES: Final = ("", "8 4", "2 4", "10 4 2 4", "5 3", "14 4")
_MARKERS: Final = ("circle", "square", "diamond", "triangle", "down", "ring")


def _rules(mode: int) -> str:
    return "".join(
        f".{name}{{fill:{colours[mode]}}}.l-{name}{{stroke:{colours[mode]}}}" for name, colours in PALETTE.items()
    )


STYLE: Final = (
    f"{_rules(0)}@media (prefers-color-scheme:dark){{{_rules(1)}}}.open{{fill:none}}.faint{{fill-opacity:.2}}"
)
"""The style is the same in every picture, so that a content policy could contain its hash."""
_FONT: Final = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
_SHAPES: Final = {
    "circle": "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0Z",
    "ring": "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0Z",
    "square": "M-4 -4H4V4H-4Z",
    "diamond": "M0 -5L5 0L0 5L-5 0Z",
    "triangle": "M0 -5L5 4H-5Z",
    "down": "M0 5L5 -4H-5Z",
    "left": "M-6 0L3 5V-5Z",
    "right": "M6 0L-3 5V-5Z",
}


@dataclass(frozen=True, slots=True)
class Look:
    """The style of a series, which makes it recognisable without its colour."""

    tone: Tone
    dash: str = ""
    marker: str = "circle"

    @classmethod
    def of_series(cls, place: int) -> Look:
        place %= SERIES
        return cls(f"series-{place}", _DASHES[place], _MARKERS[place])


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture. Screen readers read `title` and `description`."""

    width: float
    height: float
    title: str
    description: str
    elements: tuple[str, ...]

    @property
    def _size(self) -> str:
        box = f"0 0 {short(self.width)} {short(self.height)}"
        return f'width="{short(self.width)}" height="{short(self.height)}" viewBox="{box}"'

    @property
    def _style(self) -> str:
        return f'role="img" lang="en" font-family="{_FONT}" font-size="{short(SIZE)}"'

    def document(self) -> str:
        """Return the picture as an SVG document with its own colours."""
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {self._size} {self._style}>',
                f"<title>{_escape_text(self.title)}</title>",
                f"<desc>{_escape_text(self.description)}</desc>",
                f"<style>{STYLE}</style>",
                f'<rect width="{short(self.width)}" height="{short(self.height)}" class="paper"/>',
                *self.elements,
                "</svg>\n",
            ]
        )

    def element(self) -> str:
        """Return the picture as an element of a page, on whose style sheet its colours depend."""
        name = f'class="drawing" aria-label="{_escape_text(self.title)}"'
        return "\n".join(
            [
                f"<svg {name} {self._size} {self._style}>",
                f"<desc>{_escape_text(self.description)}</desc>",
                *self.elements,
                "</svg>",
            ]
        )


@dataclass(slots=True)
class Drawing:
    """Elements in drawing order, and the vertical position of their lower end."""

    width: float
    margin: float = 0.0
    """Empty space at the left and at the right."""
    _elements: list[str] = field(default_factory=list)

    def text(
        self,
        x: float,
        y: float,
        content: str,
        *,
        tone: Tone = "ink",
        size: float = SIZE,
        anchor: Anchor = "start",
        bold: bool = False,
    ) -> None:
        larger = "" if size == SIZE else f' font-size="{short(size)}"'
        placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
        weight = ' font-weight="600"' if bold else ""
        style = f'class="{tone}"{larger}{placed}{weight}'
        self._elements.append(f'<text x="{short(x)}" y="{short(y)}" {style}>{_escape_text(content)}</text>')

    def line(
        self, x1: float, y1: float, x2: float, y2: float, tone: Tone, *, thickness: float = 1.0, dash: str = ""
    ) -> None:
        ends = f'x1="{short(x1)}" y1="{short(y1)}" x2="{short(x2)}" y2="{short(y2)}"'
        self._elements.append(
            f'<line {ends} class="l-{tone}" stroke-width="{short(thickness)}"{_dash_attribute(dash)}/>'
        )

    def curve(self, points: Points, tone: Tone, *, thickness: float = 2.0, dash: str = "") -> None:
        style = (
            f'class="open l-{tone}" stroke-width="{short(thickness)}" stroke-linejoin="round"{_dash_attribute(dash)}'
        )
        self._elements.append(f'<polyline points="{_points_text(points)}" {style}/>')

    def area(self, points: Points, tone: Tone) -> None:
        self._elements.append(f'<polygon points="{_points_text(points)}" class="{tone} faint"/>')

    def shape(self, points: Points, tone: Tone) -> None:
        self._elements.append(f'<polygon points="{_points_text(points)}" class="{tone}"/>')

    def block(self, x: float, y: float, width: float, height: float, tone: Tone, opacity: float) -> None:
        """Add a rectangle with a thin edge in the colour of the grid, so that it is seen at any opacity."""
        box = f'x="{short(x)}" y="{short(y)}" width="{short(width)}" height="{short(height)}"'
        self._elements.append(f'<rect {box} class="{tone} l-grid" fill-opacity="{short(opacity)}"/>')

    def marker(self, x: float, y: float, shape: str, tone: Tone) -> None:
        filled = f"paper l-{tone}" if shape == "ring" else tone
        place = f'transform="translate({short(x)} {short(y)})"'
        self._elements.append(f'<path d="{_SHAPES[shape]}" {place} class="{filled}" stroke-width="2"/>')

    def finished(self, height: float, title: str, description: str) -> Picture:
        """Return the picture of this height."""
        return Picture(self.width, height, title, description, tuple(self._elements))


def _escape_text(text: str) -> str:
    return escape(safe(text))


def _dash_attribute(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""


def _points_text(points: Points) -> str:
    return " ".join(f"{short(x)},{short(y)}" for x, y in points)


def short(number: float) -> str:
    """Return the number with at most two decimals."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
