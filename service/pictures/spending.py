"""Draws the spending of a budget: as a line over time, and as a bar."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from typing import Final

from service.pictures.dates import day, instant, time_ticks
from service.pictures.frame import (
    LegendEntry,
    PictureHeader,
    described,
    draw_axis_title,
    draw_head,
    draw_legend,
    draw_x_axis,
    line_sample,
    marker_sample,
)
from service.pictures.scales import LinearScale
from service.pictures.svg import DEFAULT_WIDTH, LINE, SIZE, Drawing, Look, Picture
from service.pictures.text import isolated, text_width

_HEIGHT: Final = 260.0
_MOST_PEOPLE: Final = 5
"""Largest number of people with their own marker. All others share one."""
_MAX_LISTED_LOOKS: Final = 30
"""Largest number of charges that the description names one by one."""
_TICK_ROOM: Final = 90.0
_LIMIT: Final = Look("alert", "8 4")
_SPENT_LOOK: Final = Look("aware")


@dataclass(frozen=True, slots=True)
class PlottedCharge:
    """The charge of a release as decimal text, with its time and the person who made it."""

    at: str
    """RFC 3339, as in `2026-11-24T11:00:00Z`."""
    amount: str
    by: str


def spending(
    head: PictureHeader,
    charges: Sequence[PlottedCharge],
    *,
    limit: str,
    opened_at: str,
    until: str,
    unit: str = "ε",
    spent_before: Decimal = Decimal(0),
    width: float = DEFAULT_WIDTH,
) -> Picture:
    """Draw a budget's spending over time: a step for each charge, and a line at the
    limit. `spent_before` is the sum of earlier charges, which are not drawn.
    """
    ordered = sorted(charges, key=lambda each: instant(each.at))
    totals = list(accumulate((Decimal(each.amount) for each in ordered), initial=spent_before))[1:]
    spent = totals[-1] if totals else spent_before
    people = _people(ordered)
    looks = _looks(people)
    drawing = head.drawing(width)
    y = draw_head(drawing, head)
    entries = [
        LegendEntry("spent", line_sample(_SPENT_LOOK, marked=False)),
        LegendEntry(f"budget: {unit} = {limit}", line_sample(_LIMIT, marked=False)),
        *(
            LegendEntry(isolated(name), marker_sample(look.marker, look.tone))
            for name, look in _markers_by_label(looks).items()
        ),
    ]
    y = draw_legend(drawing, y, entries)
    y = _chart(drawing, y, ordered, totals, looks, Decimal(limit), (opened_at, until), unit)
    left = max(Decimal(limit) - spent, Decimal(0))
    sentences = [
        f"Budget: {unit} = {limit}; spent: {_plain_amount(spent)}; left: {_plain_amount(left)}; {len(ordered)} charges",
        *(f"{isolated(name)}: {_plain_amount(amount)} in {count} charges" for name, (amount, count) in people.items()),
    ]
    if len(ordered) <= _MAX_LISTED_LOOKS:
        sentences += [f"{each.at}: {each.amount} by {isolated(each.by)}" for each in ordered]
    return drawing.finished(y + 14, head.whole_title, described(head, sentences))


def _chart(
    drawing: Drawing,
    top: float,
    charges: Sequence[PlottedCharge],
    totals: Sequence[Decimal],
    looks: dict[str, Look],
    limit: Decimal,
    times: tuple[str, str],
    unit: str,
) -> float:
    left, right = drawing.margin, drawing.width - drawing.margin
    drawing.text(left, top + LINE + 12, f"{unit} spent so far", tone="muted")
    top += LINE + 26
    base = top + _HEIGHT
    vertical = LinearScale(0.0, float(max(limit, *totals, Decimal("1e-18"))), base, top)
    rungs = vertical.ticks(5)
    start = left + max(text_width(label, SIZE) for _, label in rungs) + 10
    first, last = (instant(each) for each in times)
    moments = [instant(each.at) for each in charges]
    first, last = min([first, *moments]), max([last, *moments])
    seconds = max((last - first).total_seconds(), 1.0)
    horizontal = LinearScale(first.timestamp(), first.timestamp() + seconds, start, right - 8)
    for value, label in rungs:
        drawing.line(start, vertical(value), horizontal.end, vertical(value), "grid")
        drawing.text(start - 8, vertical(value) + 5, label, anchor="end")
    drawing.line(
        start, vertical(float(limit)), horizontal.end, vertical(float(limit)), "alert", thickness=2.0, dash=_LIMIT.dash
    )
    steps, height, marked = [(horizontal.start, base)], base, -1.0
    points = []
    for charge, moment, total in zip(charges, moments, totals, strict=True):
        x = horizontal(moment.timestamp())
        steps += [(x, height), (x, height := vertical(float(total)))]
        if x - marked >= 3.0 or charge is charges[-1]:  # thousands of markers show no more
            points.append((x, height, looks[charge.by]))
            marked = x
    drawing.curve([*_thin_steps(steps), (horizontal.end, height)], _SPENT_LOOK.tone, thickness=2.5)
    for x, y, look in points:
        drawing.marker(x, y, look.marker, look.tone)
    ticks = time_ticks(first, last, max(1, int((horizontal.end - start) // _TICK_ROOM)))
    y = draw_x_axis(drawing, base, horizontal, ticks)
    days = day(first) if day(first) == day(last) else f"from {day(first)} to {day(last)}"
    return draw_axis_title(drawing, y + 2, f"{days} (UTC)", start, right)


def _thin_steps(steps: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the steps without those that lie within a quarter of a pixel of a kept step."""
    kept = [steps[0]]
    for x, y in steps[1:]:
        if max(abs(x - kept[-1][0]), abs(y - kept[-1][1])) >= 0.25:
            kept.append((x, y))
    return kept


def _people(charges: Sequence[PlottedCharge]) -> dict[str, tuple[Decimal, int]]:
    """Return the charge of each person and the number of charges, in order of decreasing charge."""
    people: dict[str, tuple[Decimal, int]] = {}
    for each in charges:
        amount, count = people.get(each.by, (Decimal(0), 0))
        people[each.by] = amount + Decimal(each.amount), count + 1
    return dict(sorted(people.items(), key=lambda item: -item[1][0]))


def _looks(names: Collection[str]) -> dict[str, Look]:
    """Return the marker of each person. People who spent little share one."""
    own = _MOST_PEOPLE if len(names) > _MOST_PEOPLE + 1 else len(names)
    return {name: Look.of_series(min(place, own)) for place, name in enumerate(names)}


def _markers_by_label(looks: dict[str, Look]) -> dict[str, Look]:
    """Return the markers of a legend by their labels."""
    if len(looks) <= _MOST_PEOPLE + 1:
        return looks
    first = dict(list(looks.items())[:_MOST_PEOPLE])
    return first | {f"{len(looks) - _MOST_PEOPLE} others": Look.of_series(_MOST_PEOPLE)}


def _plain_amount(amount: Decimal) -> str:
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
