"""Draws the posterior of a release: for each share, the noise-aware interval and, marked, the interval that ignores the
noise.

Up to six shares have a panel with densities each. Of two shares that sum to 1, only one has a panel. More than six
shares are rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
    marker_sample,
    percent,
    upright_sample,
)
from service.pictures.rows import (
    AWARE,
    COMPARED,
    NAIVE,
    PRIOR,
    RATIO,
    Row,
    draw_interval,
    draw_rows,
    row_figures,
    sentence,
    unit_for,
    wrapped_label,
)
from service.pictures.scales import LinearScale, Unit
from service.pictures.svg import DEFAULT_WIDTH, LINE, SIZE, Drawing, Picture, Points
from service.pictures.text import wrap

MOST_PANELS: Final = 6
_PANEL: Final = 118.0


@dataclass(frozen=True, slots=True)
class Densities:
    """The densities of a share between `low` and `high`.

    Each consists of pieces of a curve, with points (share, height) and heights from 0 to 1.
    """

    low: float
    high: float
    aware: Sequence[Points]
    naive: Sequence[Points]
    prior: Sequence[Points]
    body: Points = ()
    """The noise-aware density within the interval."""


@dataclass(frozen=True, slots=True)
class PosteriorPicture:
    """The contents of a release's picture."""

    head: PictureHeader
    level: float
    axis: str
    """Name of the shares, such as `share admitted, by department and sex`."""
    rows: Sequence[Row]
    densities: Sequence[Densities | None] = ()
    """Densities of each row, or None for a row without a panel; empty if the picture has no panels."""
    heading: str = ""
    """Heading of the labels."""
    shows_naive: bool = True
    is_simulated: bool = False


def posterior_picture(shown: PosteriorPicture, *, width: float = DEFAULT_WIDTH) -> Picture:
    """Draw the posterior of a release."""
    drawing = shown.head.drawing(width)
    y = draw_head(drawing, shown.head)
    y = draw_legend(drawing, y, _entries(shown))
    y = _panels(drawing, y, shown) if shown.densities else _rows(drawing, y, shown)
    sentences = [sentence(row, percent(shown.level)) for row in shown.rows]
    return drawing.finished(y + 14, shown.head.whole_title, described(shown.head, [f"{shown.axis}:", *sentences]))


def _entries(shown: PosteriorPicture) -> list[LegendEntry]:
    has_panels = bool(shown.densities)
    entries = []
    if any(row.interval for row in shown.rows):
        simulated = ", simulated" if shown.is_simulated else ""
        words = f"noise-aware, {percent(shown.level)} credible interval{simulated}"
        entries.append(LegendEntry(words, line_sample(AWARE, thickness=3.0)))
    if any(each is not None and each.naive for each in shown.densities) if has_panels else shown.shows_naive:
        marked = not any(row.interval for row in shown.rows)
        entries.append(LegendEntry("naive: ignores the noise, too narrow", line_sample(NAIVE, marked=marked)))
    elif not shown.shows_naive and not any(row.interval for row in shown.rows):
        words = "mean of the release, which may be far from the truth"
        entries.append(LegendEntry(words, marker_sample(NAIVE.marker, NAIVE.tone)))
    if has_panels and any(each is not None and each.prior for each in shown.densities):
        entries.append(LegendEntry("prior", line_sample(PRIOR, marked=False)))
    elif not has_panels and any(row.prior is not None for row in shown.rows):
        entries.append(LegendEntry("prior mean", upright_sample(PRIOR)))
    return entries


def _rows(drawing: Drawing, top: float, shown: PosteriorPicture) -> float:
    y = draw_rows(drawing, top, shown.rows, "share", shown.axis, shown.heading)
    if any(row.width_ratio for row in shown.rows):
        left = drawing.margin
        y += 6
        for line in wrap(f"{RATIO}: the interval is this many {COMPARED}.", drawing.width - 2 * left, SIZE):
            y += LINE
            drawing.text(left, y, line, tone="muted")
    return y


def _panels(drawing: Drawing, top: float, shown: PosteriorPicture) -> float:
    left, right, y = drawing.margin, drawing.width - drawing.margin, top + 4
    whole, unit = shown.densities.count(None) > 0, unit_for(shown.rows, "share")
    for row, densities in zip(shown.rows, shown.densities, strict=True):
        y = _panel(drawing, y, row, densities, shown.axis if whole else "", unit)
    return y if whole else draw_axis_title(drawing, y + 6, shown.axis, left, right)


def _panel(drawing: Drawing, top: float, row: Row, densities: Densities | None, axis: str, unit: Unit) -> float:
    """Draw the panel of a share with its densities, or only its figures if it has none."""
    left, right, y = drawing.margin, drawing.width - drawing.margin, top + 6
    for line in wrapped_label(row.label, right - left):
        y += LINE
        drawing.text(left, y, line, bold=True)
    for line in wrap(("the rest: " if densities is None else "") + row_figures(row, "share", unit), right - left, SIZE):
        y += LINE
        drawing.text(left, y, line)
    if row.width_ratio and densities is not None:
        for line in wrap(f"interval {row.width_ratio} {COMPARED}", right - left, SIZE):
            y += LINE
            drawing.text(left, y, line, tone="muted")
    if densities is None:
        return y
    scale = LinearScale(densities.low, densities.high, left + 4, right - 4)
    base, height = y + _PANEL, _PANEL - 16

    def placed(points: Points) -> list[tuple[float, float]]:
        return [(scale(share), base - height * share_of_top) for share, share_of_top in points]

    ticks = fitting_ticks(drawing, scale, unit)
    for value, _ in ticks:
        drawing.line(scale(value), base - height, scale(value), base, "grid")
    if densities.body:
        drawing.area(placed(densities.body), AWARE.tone)
    for pieces, look, thickness in (
        (densities.prior, PRIOR, 2.0),
        (densities.naive, NAIVE, 2.0),
        (densities.aware, AWARE, 2.5),
    ):
        for piece in pieces:
            drawing.curve(placed(piece), look.tone, thickness=thickness, dash=look.dash)
    y = draw_x_axis(drawing, base, scale, ticks)
    if row.interval is not None:
        draw_interval(drawing, base, row.interval, scale, AWARE, thickness=3.0)
        for end in row.interval:
            if scale.low <= end <= scale.high:
                drawing.line(scale(end), base - 7, scale(end), base, AWARE.tone, thickness=2.0)
    if row.value is not None and scale.low <= row.value <= scale.high:
        look = NAIVE if row.interval is None else AWARE
        drawing.marker(scale(row.value), base, look.marker, look.tone)
    title = ", ".join(filter(None, [axis, "" if unit.in_ticks else unit.name]))
    return draw_axis_title(drawing, y, title, left, right) if title else y
