"""Draws shares, differences, ratios and odds ratios with their intervals as a forest plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from service.pictures.frame import LegendEntry, PictureHeader, described, draw_head, draw_legend, line_sample, percent
from service.pictures.rows import AWARE, Kind, Row, draw_rows, sentence, unit_for
from service.pictures.scales import PER_100_000, POINTS, Unit
from service.pictures.svg import DEFAULT_WIDTH, Picture


@dataclass(frozen=True, slots=True)
class Section:
    """Values on one axis. Ratios have a logarithmic axis with a line at 1; differences have a line at 0."""

    kind: Kind
    axis: str
    rows: Sequence[Row]
    unit: Unit | None = None
    """The unit of the axis, by default that of all rows."""


def units_of(rows: Mapping[Kind, Sequence[Row]]) -> dict[Kind, Unit]:
    """Return the unit of the values of each kind. Shares and their differences have the same unit."""
    units = {kind: unit_for(found, kind) for kind, found in rows.items()}
    if "share" in units and "difference" in units:
        units["difference"] = PER_100_000 if units["share"] is PER_100_000 else POINTS
    return units


def forest(head: PictureHeader, sections: Sequence[Section], level: float, *, width: float = DEFAULT_WIDTH) -> Picture:
    """Return a forest plot. Differences and shares are fractions of 1."""
    drawing = head.drawing(width)
    y = draw_head(drawing, head)
    if head.is_drawn and any(row.interval for section in sections for row in section.rows):
        words = f"noise-aware estimate, {percent(level)} credible interval"
        y = draw_legend(drawing, y, [LegendEntry(words, line_sample(AWARE, thickness=3.0))])
    units = units_of({section.kind: section.rows for section in sections})
    for section in sections:
        y = (
            draw_rows(
                drawing, y + 4, section.rows, section.kind, section.axis, unit=section.unit or units[section.kind]
            )
            + 10
        )
    sentences = [
        f"{section.axis}: " + "; ".join(sentence(row, percent(level), section.kind) for row in section.rows)
        for section in sections
    ]
    return drawing.finished(y + 8, head.whole_title, described(head, sentences))
