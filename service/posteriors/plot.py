"""Prepares the picture of a release: the intervals of its shares, and densities in pieces that a panel shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.inference.beta_pairs import BetaPairs
from core.inference.contrasts import DrawnDistribution
from core.inference.mixture import BetaMixture
from core.inference.quantiles import intervals
from core.inference.total_nodes import OverTotals
from core.special_functions import beta_kernel, beta_quantile
from service.pictures.frame import PictureHeader
from service.pictures.posterior import MOST_PANELS, Densities, PosteriorPicture, posterior_picture
from service.pictures.rows import Row, unit_for
from service.pictures.scales import PER_100_000, span
from service.pictures.svg import Points

Law: TypeAlias = BetaMixture | BetaPairs | DrawnDistribution
_POINTS = 201
_OUT_OF_SIGHT = 4.0
"""Largest ratio of a density's height to that of the other densities at which the density is shown completely."""
_ENDS = 3
"""Number of points at either end of a curve that may be cut. Under a prior below 1, a density grows without bound
there.
"""
_OMITTED_TAIL = 1e-4
"""Probability of each shown distribution on either side of a panel's range, before its margin."""
_MIN_RANGE = 1e-8
"""Narrowest range of a panel's axis. Below it, densities of shares have no digits left."""


@dataclass(frozen=True, slots=True)
class Beta:
    """The distribution Beta(a, b) of a share."""

    a: float
    b: float

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    def density(self, at: NDArray[np.float64]) -> NDArray[np.float64]:
        return beta_kernel(self.a, self.b, special.logit(at)) / (at * (1.0 - at))


@dataclass(frozen=True, slots=True)
class PlottedShare:
    """One category: its prior, the released distribution, which ignores the noise, and, if available, the noise-aware
    one.

    The noise-aware distribution has its interval at the level of the picture.
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
    """The contents of the picture."""

    head: PictureHeader
    level: float
    shares: list[PlottedShare]
    axis: str
    """Name of the shares."""
    heading: str = ""
    """Heading of the labels: the attributes whose levels they join."""
    is_whole: bool = False
    """Whether the shares are of all records and add up to 1."""
    shows_naive: bool = True
    """Whether the naive distribution, which ignores the noise, is meaningful."""
    is_simulated: bool = False
    """Whether the noise-aware distributions are simulated; their densities would be ragged."""


def plot(release: PlottedRelease, width: int) -> str:
    """Return the picture as an SVG document."""
    naive = _naive_ends(release, release.shares, (1 - release.level) / 2)
    rows = [_row(share, ends) for share, ends in zip(release.shares, naive, strict=True)]
    densities: list[Densities | None] = []
    if _has_panels(release):
        densities = [_densities(share, release) for share in release.shares]
        if release.is_whole and len(rows) == 2:
            shown = _index_to_show(rows)
            rows, densities = [rows[shown], rows[1 - shown]], [densities[shown], None]
    picture = PosteriorPicture(
        release.head,
        release.level,
        release.axis,
        rows,
        densities,
        release.heading,
        shows_naive=release.shows_naive,
        is_simulated=release.is_simulated,
    )
    return posterior_picture(picture, width=width).document()


def _row(share: PlottedShare, naive: tuple[float, float] | None) -> Row:
    value = share.naive.mean if share.aware is None else share.aware.mean
    assert value is not None, "a share has a mean"
    return Row(share.label, value, share.interval, naive, share.prior.mean, share.width_ratio)


def _has_panels(release: PlottedRelease) -> bool:
    has_curves = not release.is_simulated and all(
        not isinstance(share.aware, DrawnDistribution) and (release.shows_naive or share.aware is not None)
        for share in release.shares
    )
    return has_curves and len(release.shares) <= MOST_PANELS


def _index_to_show(rows: Sequence[Row]) -> int:
    """Return the index of the share to show, of two that sum to 1: the first, unless the second is rare."""
    return int(unit_for(rows[1:], "share") is PER_100_000)


def _densities(share: PlottedShare, release: PlottedRelease) -> Densities:
    low, high = _span(release, share)
    if high - low < _MIN_RANGE:
        return Densities(low, high, [], [], [])
    grid = np.linspace(low, high, _POINTS)
    inner = np.clip(grid, 1e-12, 1 - 1e-12)
    naive, prior = share.naive.density(inner), share.prior.density(inner)
    aware = None if share.aware is None or isinstance(share.aware, DrawnDistribution) else share.aware.density(inner)
    shown = [law for law in (naive if release.shows_naive else None, aware) if law is not None]
    top = max(_height(law) for law in shown)
    # Show the prior completely, unless the other curves would then be flat.
    if prior.max() <= _OUT_OF_SIGHT * top:
        top = max(top, float(prior.max()))
    body: Points = ()
    if aware is not None and share.interval is not None:
        first, last = (min(max(end, low), high) for end in share.interval)
        within = np.concatenate([[first], grid[(grid > first) & (grid < last)], [last]])
        heights = np.minimum(np.interp(within, grid, aware), top) / top
        body = [(first, 0.0), *zip(within.tolist(), heights.tolist(), strict=True), (last, 0.0)]
    return Densities(
        low,
        high,
        aware=[] if aware is None else _parts_below(grid, aware, top),
        naive=_parts_below(grid, naive, top) if release.shows_naive else [],
        prior=_parts_below(grid, prior, top),
        body=body,
    )


def _height(density: NDArray[np.float64]) -> float:
    """Return the height of the axis for a density: its maximum, without its ends if it is unbounded at them."""
    inner = float(density[_ENDS:-_ENDS].max())
    return inner if density.max() > _OUT_OF_SIGHT * inner > 0 else float(density.max())


def _parts_below(grid: NDArray[np.float64], density: NDArray[np.float64], top: float) -> list[Points]:
    """Return the parts of a curve that are at most `top`, as fractions of `top`, with the points where the curve
    crosses it.
    """
    pieces: list[list[tuple[float, float]]] = [[]]
    for index, (place, height) in enumerate(zip(grid.tolist(), density.tolist(), strict=True)):
        if index and (height > top) != (density[index - 1] > top):
            before, last = float(grid[index - 1]), float(density[index - 1])
            pieces[-1].append((before + (place - before) * (top - last) / (height - last), 1.0))
        if height <= top:
            pieces[-1].append((place, height / top))
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if len(piece) > 1]


def _naive_ends(
    release: PlottedRelease, shares: list[PlottedShare], tail: float
) -> Sequence[tuple[float, float] | None]:
    if not release.shows_naive:
        return [None] * len(shares)
    a, b = [share.naive.a for share in shares], [share.naive.b for share in shares]
    ends = (beta_quantile(a, b, tail, upper=upper).tolist() for upper in (False, True))
    return list(zip(*ends, strict=True))


def intervals_of(laws: Sequence[Law], level: float) -> list[tuple[float, float]]:
    """Return the interval of each distribution at `level`."""
    # Those of all mixtures are found in one computation.
    mixtures = [law for law in laws if isinstance(law, BetaMixture | OverTotals)]
    found = iter(intervals(mixtures, level).tolist() if mixtures else [])
    ends = (next(found) if isinstance(law, BetaMixture | OverTotals) else law.interval(level) for law in laws)
    return [(low, high) for low, high in ends]


def _span(release: PlottedRelease, share: PlottedShare) -> tuple[float, float]:
    """Return the range of a panel's axis: all but `_OMITTED_TAIL` on either side of every shown distribution, with a
    small margin, within [0, 1].
    """
    aware = [] if share.aware is None else intervals_of([share.aware], 1.0 - 2.0 * _OMITTED_TAIL)
    shown = [*_naive_ends(release, [share], _OMITTED_TAIL), *aware]
    return span([end for interval in shown if interval is not None for end in interval], bounds=(0.0, 1.0))
