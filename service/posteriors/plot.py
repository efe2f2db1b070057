"""Draws the picture of a release: the noise-aware interval of each share and, beside it, the naive one.

Up to six categories have a panel of densities each; more are rows of dots and intervals, which stay readable where
curves would crowd.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.inference.beta_pairs import BetaPairs
from core.inference.contrasts import DrawnDistribution
from core.inference.mixture import BetaMixture
from core.inference.quantiles import quantiles
from core.special_functions import beta_kernel, beta_quantile
from service.posteriors.svg import Axis, Drawing

Law: TypeAlias = BetaMixture | BetaPairs | DrawnDistribution
AWARE, NAIVE, PRIOR, FAINT = "#1b6ca8", "#d1700f", "#7a7a7a", "#dddddd"
_MAX_PANELS = 6
_WIDTH = 760.0
_POINTS = 201
_NOTE_HEIGHT = 18.0
_RATIO_WIDTH = 50.0
"""Of the column that compares intervals with those of exact counts."""
_OUT_OF_SIGHT = 4.0
"""Times the height of the others up to which a density, or the end of one, is shown whole."""
_ENDS = 3
"""Points of a curve at either end, where the density of a share grows without bounds under a prior below 1."""
_NARROWEST = 1e-9
"""A width of a panel's axis below which the ticks and the densities of shares have no digits left."""


@dataclass(frozen=True, slots=True)
class Beta:
    """The law Beta(a, b) of a share."""

    a: float
    b: float

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    def density(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        return beta_kernel(self.a, self.b, special.logit(at)) / (at * (1.0 - at))


@dataclass(frozen=True, slots=True)
class PlottedShare:
    """One category: its prior, the released law that ignores the noise, and the noise-aware law where there is
    one, with its interval at the level of the picture.
    """

    label: str
    prior: Beta
    naive: Beta
    aware: Law | None
    interval: tuple[float, float] | None = None
    width_ratio: str = ""
    """The interval's width over the width that is expected without noise, as text; empty if unknown."""


@dataclass(frozen=True, slots=True)
class PlottedRelease:
    """What the picture shows; `subtitle` names mechanism and charge, `mark` stands across a rehearsal."""

    title: str
    subtitle: str
    level: float
    shares: list[PlottedShare]
    mark: str = ""
    rows: str = ""
    """What the labels are: the attributes whose levels they join."""
    axis: str = "share of records in the category"
    note: str = ""
    """A sentence on the accuracy of the release."""
    shows_naive: bool = True
    """Whether the law that ignores the noise means anything."""
    is_simulated: bool = False
    """Whether the noise-aware laws are simulations, whose densities would be ragged."""


def plot(release: PlottedRelease) -> str:
    """The picture as an SVG document."""
    has_curves = not release.is_simulated and all(
        not isinstance(share.aware, DrawnDistribution) and (release.shows_naive or share.aware is not None)
        for share in release.shares
    )
    return _panels(release) if has_curves and len(release.shares) <= _MAX_PANELS else _rows(release)


def _head(release: PlottedRelease, height: float) -> Drawing:
    drawing = Drawing(_WIDTH, height, f"{release.title}: {release.subtitle}", _described(release))
    drawing.text(24, 30, release.title, size=17, weight="600")
    drawing.text(24, 50, release.subtitle, size=12, colour="#555")
    if release.note:
        drawing.text(24, 67, release.note, size=12, colour="#555")
    if release.mark:
        drawing.text(_WIDTH - 24, 30, release.mark, size=13, anchor="end", colour="#b00020", weight="600")
    return drawing


def _described(release: PlottedRelease) -> str:
    """The noise-aware intervals in words."""
    lines = []
    for share in release.shares:
        if share.interval is not None:
            low, high = share.interval
            compared = f", {share.width_ratio} times as wide as expected without noise" if share.width_ratio else ""
            lines.append(f"{share.label}: {100 * release.level:g} % interval {low:.4g} to {high:.4g}{compared}.")
    return " ".join([*([release.note] if release.note else []), *lines])


def _legend(drawing: Drawing, y: float, release: PlottedRelease, *, dots: bool) -> None:
    percent, aware = f"{100 * release.level:g} %", release.shares[0].aware is not None
    entries = [(PRIOR, "2 3", "prior mean" if dots else "prior")]
    if release.shows_naive:
        entries.insert(0, (NAIVE, "6 4", "naive: ignores the noise, too narrow"))
    elif not aware:
        entries.insert(0, (NAIVE, "6 4", "mean of the release, which may be far from the truth"))
    if aware:
        simulated = ", simulated" if release.is_simulated else ""
        entries.insert(0, (AWARE, "", f"noise-aware, {percent} credible interval{simulated}"))
    x = 24.0
    for colour, dash, words in entries:
        drawing.line(x, y - 4, x + 26, y - 4, colour=colour, width=2.5, dash=dash)
        drawing.text(x + 32, y, words, size=11)
        x += 50 + 5.9 * len(words)


def _panels(release: PlottedRelease) -> str:
    shift = _NOTE_HEIGHT if release.note else 0.0
    panel, top, left, right = 150.0, 92.0 + shift, 72.0, _WIDTH - 24
    drawing = _head(release, top + panel * len(release.shares) + 34)
    _legend(drawing, 74 + shift, release, dots=False)
    for index, share in enumerate(release.shares):
        _panel(drawing, share, release, top + index * panel, panel, left, right)
    drawing.text((left + right) / 2, drawing.height - 12, release.axis, size=12, anchor="middle")
    return drawing.document()


def _panel(
    drawing: Drawing, share: PlottedShare, release: PlottedRelease, top: float, height: float, left: float, right: float
) -> None:
    low, high = _span(_bulks(release, [share], 1e-4))
    if high - low < _NARROWEST:
        _spike(drawing, share, top, height, left, right)
        return
    x = Axis(low, high, left, right)
    grid = np.linspace(x.low, x.high, _POINTS)
    inner = np.clip(grid, 1e-12, 1 - 1e-12)
    naive, prior = share.naive.density(inner), share.prior.density(inner)
    aware = None if share.aware is None or isinstance(share.aware, DrawnDistribution) else share.aware.density(inner)
    shown = [law for law in (naive if release.shows_naive else None, aware) if law is not None]
    tallest = max(_height(law) for law in shown)
    # The prior is shown whole, unless what matters would be flat beside it.
    if prior.max() <= _OUT_OF_SIGHT * tallest:
        tallest = max(tallest, float(prior.max()))
    base = top + height - 36
    y = Axis(0, tallest * 1.08, base, top + 22)
    drawing.text(left, top + 12, share.label, size=13, weight="600")
    if share.width_ratio:
        compared = f"interval {share.width_ratio} times as wide as expected without noise"
        drawing.text(right, top + 12, compared, size=11, anchor="end", colour="#444")
    for value, label in x.ticks(6):
        drawing.line(x(value), base, x(value), base + 4, colour="#888")
        drawing.text(x(value), base + 17, label, size=11, anchor="middle", colour="#444")
    for value, label in y.ticks(3):
        drawing.line(left, y(value), right, y(value), colour=FAINT, width=0.7)
        drawing.text(left - 7, y(value) + 4, label, size=10, anchor="end", colour="#666")
    if aware is not None and share.interval is not None:
        low, high = share.interval
        within = (grid >= low) & (grid <= high)
        body = [
            (x(low), base),
            *((x(g), y(min(d, y.high))) for g, d in zip(grid[within], aware[within], strict=True)),
            (x(high), base),
        ]
        drawing.curve(body, "none", fill=AWARE)
    lines = [
        (aware, AWARE, 2.0, ""),
        (prior, PRIOR, 1.5, "2 3"),
        (naive if release.shows_naive else None, NAIVE, 1.5, "6 4"),
    ]
    for law, colour, width, dash in lines:
        for piece in [] if law is None else _below(grid, law, y.high):
            drawing.curve([(x(g), y(d)) for g, d in piece], colour, width=width, dash=dash)
    drawing.line(left, base, right, base)
    drawing.text(22, top + 12, "density", size=10, colour="#666")


def _height(density: NDArray[np.float64]) -> float:
    """The height that shows a density: its own, or that of all but its ends where these grow without bounds."""
    inner = float(density[_ENDS:-_ENDS].max())
    return inner if density.max() > _OUT_OF_SIGHT * inner > 0 else float(density.max())


def _below(grid: NDArray[np.float64], density: NDArray[np.float64], top: float) -> list[list[tuple[float, float]]]:
    """The parts of a curve that are no higher than `top`, each with the points where it crosses that."""
    pieces: list[list[tuple[float, float]]] = [[]]
    for index, (place, height) in enumerate(zip(grid.tolist(), density.tolist(), strict=True)):
        if index and (height > top) != (density[index - 1] > top):
            before, last = float(grid[index - 1]), float(density[index - 1])
            pieces[-1].append((before + (place - before) * (top - last) / (height - last), top))
        if height <= top:
            pieces[-1].append((place, height))
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if len(piece) > 1]


def _spike(drawing: Drawing, share: PlottedShare, top: float, height: float, left: float, right: float) -> None:
    """A panel for laws so narrow that numbers don't tell their points apart: a line at their mean."""
    told = None if share.aware is None else share.aware.mean
    mean = share.naive.mean if told is None else told
    low = min(max(0.0, mean - _NARROWEST / 2), 1.0 - _NARROWEST)
    x, base = Axis(low, low + _NARROWEST, left, right), top + height - 36
    drawing.text(left, top + 12, share.label, size=13, weight="600")
    drawing.text(left, top + 30, f"all within {_NARROWEST:g} of {mean:.12g}", size=11, colour="#666")
    drawing.line(x(mean), base, x(mean), top + 40, colour=AWARE if share.aware is not None else NAIVE, width=2)
    drawing.line(left, base, right, base)


def _rows(release: PlottedRelease) -> str:
    shift = _NOTE_HEIGHT if release.note else 0.0
    row, top = 20.0, 100.0 + shift
    longest = max(len(release.rows), *(len(share.label) for share in release.shares))
    has_ratios = any(share.width_ratio for share in release.shares)
    left, right = 40 + min(6.3 * longest, 260.0), _WIDTH - 30 - (_RATIO_WIDTH if has_ratios else 0.0)
    drawing = _head(release, top + row * len(release.shares) + 58)
    _legend(drawing, 74 + shift, release, dots=True)
    naive = _naive_ends(release, release.shares, (1 - release.level) / 2)
    bulks = [_Bulk(each, share.interval) for each, share in zip(naive, release.shares, strict=True)]
    x = Axis(*_span(bulks), left, right)
    base = top + row * len(release.shares)
    if release.rows:
        drawing.text(left - 10, top - 8, _shortened(release.rows), size=11, anchor="end", colour="#555")
    if has_ratios:
        heading = "interval: times as wide as expected without noise"
        drawing.text(_WIDTH - 24, top - 8, heading, size=11, anchor="end", colour="#555")
    for value, label in x.ticks(7):
        drawing.line(x(value), top - 6, x(value), base, colour=FAINT)
        drawing.text(x(value), base + 18, label, size=11, anchor="middle", colour="#444")
    for index, (share, bulk) in enumerate(zip(release.shares, bulks, strict=True)):
        y = top + row * (index + 0.5)
        drawing.text(left - 10, y + 4, _shortened(share.label), size=11, anchor="end")
        if share.width_ratio:
            drawing.text(_WIDTH - 24, y + 4, share.width_ratio, size=11, anchor="end")
        if bulk.naive is not None:
            low, high = bulk.naive
            drawing.line(x(low), y + 4, x(high), y + 4, colour=NAIVE, width=1.5, dash="6 4")
        if share.aware is None or bulk.aware is None:
            drawing.circle(x(share.naive.mean), y + 4, 3, NAIVE)
        else:
            low, high = bulk.aware
            assert share.aware.mean is not None, "a share has a mean"
            drawing.line(x(low), y - 1, x(high), y - 1, colour=AWARE, width=3)
            drawing.circle(x(share.aware.mean), y - 1, 4, AWARE)
        if x.low <= share.prior.mean <= x.high:
            drawing.line(x(share.prior.mean), y - 7, x(share.prior.mean), y + 7, colour=PRIOR, width=1.5, dash="2 3")
    drawing.line(left, base, right, base)
    drawing.text((left + right) / 2, base + 40, release.axis, size=12, anchor="middle")
    return drawing.document()


def _shortened(label: str) -> str:
    return label if len(label) <= 42 else label[:41] + "…"


class _Bulk(NamedTuple):
    """Where the laws of a share mostly lie: those that are shown."""

    naive: tuple[float, float] | None
    aware: tuple[float, float] | None


def _bulks(release: PlottedRelease, shares: list[PlottedShare], tail: float) -> list[_Bulk]:
    """The interval of each law that is shown, with probability `tail` on either side of it."""
    aware = iter(intervals([share.aware for share in shares if share.aware is not None], tail))
    return [
        _Bulk(naive, None if share.aware is None else next(aware))
        for naive, share in zip(_naive_ends(release, shares, tail), shares, strict=True)
    ]


def _naive_ends(
    release: PlottedRelease, shares: list[PlottedShare], tail: float
) -> Sequence[tuple[float, float] | None]:
    if not release.shows_naive:
        return [None] * len(shares)
    a, b = [share.naive.a for share in shares], [share.naive.b for share in shares]
    ends = (beta_quantile(a, b, tail, upper=upper).tolist() for upper in (False, True))
    return list(zip(*ends, strict=True))


def intervals(laws: Sequence[Law], tail: float) -> list[tuple[float, float]]:
    """The interval of each law, with probability `tail` on either side of it."""
    # Those of many mixtures are found together.
    mixtures = [law for law in laws if isinstance(law, BetaMixture)]
    found = iter(quantiles(mixtures, (tail, 1.0 - tail)).tolist() if mixtures else [])
    ends = (next(found) if isinstance(law, BetaMixture) else map(law.quantile, (tail, 1.0 - tail)) for law in laws)
    return [(low, high) for low, high in ends]


def _span(bulks: list[_Bulk]) -> tuple[float, float]:
    """What the horizontal axis spans: the bulk of every law that is shown, with a little room, within [0, 1]."""
    intervals = [interval for bulk in bulks for interval in bulk if interval is not None]
    if not intervals:
        return 0.0, 1.0
    low, high = min(low for low, _ in intervals), max(high for _, high in intervals)
    room = 0.06 * (high - low)
    return max(0.0, low - room), min(1.0, high + room)
