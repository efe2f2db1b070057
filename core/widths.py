"""Estimates the widths and ends of a release's noise-aware intervals at made-up counts.

Nothing here sees private data. At two categories a width is a sum over the releases that the mechanism can draw
(`core.inference.outputs`). For more, releases are simulated under a fixed seed, rare ones among them
(`core.inference.weighted_releases`), and a width is their weighted mean, with its standard error. If very many counts
or categories are likely, some represent all, which adds about a percent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.candidates import of_shares
from core.cells import CellSet
from core.dirichlet import posterior
from core.inference import InferenceError, infer, unavailable_reason
from core.inference.likelihood import conditioning_seconds, listing_seconds, quantile_seconds, typical_window
from core.inference.outputs import Outputs
from core.inference.rough_intervals import rough_intervals, rough_intervals_of
from core.inference.weighted_releases import weighted_releases
from core.mechanisms.catalogue import Event
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.exponential.rough import SPREAD_UP_TO
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.laplace import Laplace
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon, Rho
from core.samplers.reproducible import Reproducible

QUICK_SECONDS: Final = 0.7
"""Longest estimated time to list the likelihood of a release for which widths are computed."""
MAX_RELATIVE_ERROR: Final = 0.05
"""Largest relative error of a plan's mean width besides four of its standard errors. Tests compare it with sums over
all releases and with means of thousands.
"""
SMALL_PRIOR: Final = 0.3
"""If the prior of a category is smaller, most of a width can come from rare releases."""
NARROW: Final = 0.01
"""Under such a prior, the stated error of a narrower width is relative to this width, because the releases that such a
width comes from can be rarer than all simulated ones.
"""
_MORE_REHEARSALS: Final = 4
"""Factor of the number of simulated releases under such a prior."""
_MOST_UNDER_SMALL_PRIORS: Final = 50
MANY_UNDER_SMALL_PRIORS: Final = (
    f"its widths are not known: a category has a prior below {SMALL_PRIOR}, so rare releases have most of the width, "
    f"and beyond {_MOST_UNDER_SMALL_PRIORS} categories too few of them are simulated"
)
_MIN_REHEARSALS: Final = 6
_COMPONENTS: Final = 8192
"""Largest mean number of mixture components in a simulated release. If noise as wide as a large simplex makes more,
fewer releases are simulated.
"""
_SHOWN_CATEGORIES: Final = 12
_DRAWS: Final = 4096
"""Number of draws of a share within a group in each simulated release. Its interval is right to about 2 %, the mean of
several to about 1 %.
"""


class Ends(NamedTuple):
    """The ends of an interval."""

    low: float
    high: float

    @property
    def width(self) -> float:
        return self.high - self.low


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """The amount of work that is spent on widths.

    - `rehearsals`: the number of simulated releases.
    - `tolerance`: the relative error of a sum over the releases of two categories.
    - `window`: if the noise leaves more counts possible than this, several records are treated as one.
    - `categories`: if there are more than twice as many, widths of single shares are computed from about this number of
      categories.
    """

    rehearsals: int
    tolerance: float
    window: int
    categories: int


OF_PLANS: Final = Precision(rehearsals=48, tolerance=0.002, window=4096, categories=100)
OF_CURVES: Final = Precision(rehearsals=24, tolerance=0.01, window=1024, categories=24)


@dataclass(frozen=True, slots=True)
class IntervalWidth:
    """The expected width of the noise-aware interval of a set's share, the expected lower end, and the width that the
    exact counts would give.

    `standard_error` is that of the weighted mean over simulated releases, and 0 for a sum over all releases.
    """

    share: CellSet
    expected: float
    standard_error: float
    low: float
    without_noise: float


@dataclass(frozen=True, slots=True)
class Widths:
    """Expected widths at `level` from `rehearsals` simulated releases, in the order of the shares, or why they are
    unavailable. There are no rehearsals if the widths are sums over all releases.
    """

    level: float
    of_categories: tuple[IntervalWidth, ...]
    rehearsals: int
    unavailable: str | None = None


def interval_widths(
    event: Event,
    counts: NDArray[np.int64],
    prior: NDArray[np.float64],
    *,
    level: float = 0.95,
    seed: int = 0,
    shares: Sequence[CellSet] | None = None,
    given: CellSet | None = None,
    precision: Precision = OF_PLANS,
) -> Widths:
    """Return the expected width of the noise-aware interval of each share, at made-up counts.

    `counts` and `prior` have shape (m,), of the event's size. `shares` are proper subsets of the cells; None stands for
    the twelve largest categories, largest first. If `given` is set, each share is that among the records in these
    cells, and is a proper subset of them. Fewer rehearsals are made if each takes long.
    """
    assert counts.shape == prior.shape == (event.m,), "there is one number for each category"
    assert int(counts.sum()) == event.n, "the counts sum to n"
    if (reason := unavailable_reason(event)) is not None:
        return Widths(level, (), 0, reason)
    if not has_quick_widths(event):
        return Widths(level, (), 0, "its posterior takes too long to compute for a plan at this size")
    if shares is None:
        shares = largest_categories(counts)
    assert given is None or all(share < given for share in shares), "each share is of a part of the group"
    without = [interval_without_noise(counts, prior, share, level, given).width for share in shares]
    if event.m == 2:
        of_first = _ends_of_two(event, int(counts[0]), prior, level, precision.tolerance)
        of_second = Ends(1.0 - of_first.high, 1.0 - of_first.low)
        of_shares = [of_first if 0 in share else of_second for share in shares]
        exact = zip(shares, of_shares, without, strict=True)
        return Widths(level, tuple(IntervalWidth(share, each.width, 0.0, each.low, w) for share, each, w in exact), 0)
    if float(prior.min()) < SMALL_PRIOR:
        if event.m > _MOST_UNDER_SMALL_PRIORS:
            return Widths(level, (), 0, MANY_UNDER_SMALL_PRIORS)
        precision = replace(precision, rehearsals=_MORE_REHEARSALS * precision.rehearsals, categories=event.m)
    model = _Model.of(event, counts, prior, shares, precision, given)
    size = _rehearsals(model, precision)
    some = weighted_releases(model.event, model.counts, model.cells(), size, Reproducible(seed))
    try:
        ends = model.intervals(some.releases, level)
    except InferenceError as error:
        return Widths(level, (), 0, str(error))
    widths, errors = some.mean(ends[..., 1] - ends[..., 0])
    lows, _ = some.mean(ends[..., 0])
    each = zip(shares, widths.tolist(), errors.tolist(), lows.tolist(), without, strict=True)
    return Widths(level, tuple(IntervalWidth(*of_share) for of_share in each), 0 if some.is_all else size)


def narrowest(prior: Sequence[float]) -> float:
    """Return the width below which the stated relative errors are relative to this width instead."""
    return NARROW if len(prior) > 2 and min(prior) < SMALL_PRIOR else 0.0


def largest_categories(counts: NDArray[np.int64]) -> list[CellSet]:
    """Return the twelve largest categories as sets of cells, largest first."""
    return [frozenset({cell}) for cell in np.argsort(-counts, kind="stable")[:_SHOWN_CATEGORIES].tolist()]


def interval_without_noise(
    counts: NDArray[np.int64],
    prior: NDArray[np.float64],
    share: CellSet,
    level: float,
    given: CellSet | None = None,
) -> Ends:
    """Return the interval that exact counts would give for the share of a set of cells, among those in `given` if it is
    set.
    """
    cells, base = sorted(share), sorted(range(counts.size) if given is None else given)
    inside, total = (math.fsum(prior[each]) + int(counts[each].sum()) for each in (cells, base))
    (of_share, _) = posterior([inside, total - inside], [0, 0]).naive_intervals(level)
    return Ends(*of_share)


def has_quick_widths(event: Event) -> bool:
    """Return whether the noise-aware intervals of the event's releases are fast enough for many simulated releases."""
    return unavailable_reason(event) is None and (event.m == 2 or listing_seconds(event) <= QUICK_SECONDS)


def width_seconds(event: Event) -> float:
    """Estimate, from public sizes, the time on one core to compute the widths of one share.

    It is infinite if they are not quick.
    """
    if not has_quick_widths(event):
        return math.inf
    if event.m == 2:
        return 0.05 + 64 * (1e-3 + 1e-6 * math.sqrt(min(event.n, SPREAD_UP_TO)))
    counts, prior = of_shares(event.n, np.ones(event.m)), np.ones(event.m)
    model = _Model.of(event, counts, prior, [frozenset({0})], OF_PLANS)
    of_one = conditioning_seconds(model.event) + 2 * quantile_seconds(model.event)
    return listing_seconds(event) + _rehearsals(model, OF_PLANS) * of_one


def coarse_window(window: float) -> float:
    """Return the number of counts that the computation of widths uses if the noise leaves `window` counts possible."""
    return window / _grain(window, OF_PLANS)


def _grain(window: float, precision: Precision) -> int:
    return max(1, int(window) // precision.window)


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    """The problem that widths are computed for: an event, counts, a prior and shares.

    One record represents `grain` records.
    """

    event: Event
    counts: NDArray[np.int64]
    prior: NDArray[np.float64]
    shares: Sequence[CellSet]
    given: CellSet | None = None
    grain: int = 1

    @staticmethod
    def of(
        event: Event,
        counts: NDArray[np.int64],
        prior: NDArray[np.float64],
        shares: Sequence[CellSet],
        precision: Precision,
        given: CellSet | None = None,
    ) -> _Model:
        model = _Model(event, counts, prior, shares, given)
        if isinstance(event, Exponential):
            return model
        return model.of_some_categories(precision.categories).coarse(precision)

    def cells(self) -> Sequence[int]:
        """Return the cells at which rare noise matters most."""
        return range(self.event.m) if self.event.m <= _SHOWN_CATEGORIES else sorted(frozenset().union(*self.shares))

    def intervals(self, releases: Sequence[NoisyCounts], level: float) -> NDArray[np.float64]:
        """Return the ends of the shares' intervals in each release, shape (releases, shares, 2).

        Raises InferenceError if a release cannot be conditioned on.
        """
        if self.given is not None:
            return self._intervals_within(self.given, releases, level)
        distinct = list(dict.fromkeys(self.shares))
        distributions = []
        for release in releases:
            found = infer(self.event, release, self.prior)
            distributions += [
                found.share(min(share)) if len(share) == 1 else found.share_of(share) for share in distinct
            ]
        ends = rough_intervals_of(distributions, level, n=self.event.n, grain=self.grain).reshape(
            len(releases), len(distinct), 2
        )
        return ends[:, [distinct.index(share) for share in self.shares]]

    def _intervals_within(self, given: CellSet, releases: Sequence[NoisyCounts], level: float) -> NDArray[np.float64]:
        """Return the ends of the intervals of shares within a group, from draws of its two counts."""
        ends = np.empty((len(releases), len(self.shares), 2))
        for row, release in enumerate(releases):
            found = infer(self.event, release, self.prior)
            for column, share in enumerate(self.shares):
                groups, rng = [share, given - share], Reproducible(0)
                drawn = self.grain * found.counts.draws_of_sums(groups, _DRAWS, rng)
                logs = rng.log_gammas(np.array([math.fsum(self.prior[sorted(cells)]) for cells in groups]) + drawn)
                tails = 0.5 - level / 2, 0.5 + level / 2
                ends[row, column] = np.quantile(special.expit(logs[:, 0] - logs[:, 1]), tails)
        return ends

    def of_some_categories(self, most: int) -> _Model:
        """Return a model with about `most` categories, in which one category has the records of all omitted ones.

        This requires that every share is of a single category. The other categories disclose only their sum, which says
        almost nothing about each share. Returns the same model if there are few categories.
        """
        event, alone = self.event, [min(share) for share in self.shares if len(share) == 1]
        # Laplace releases have no noisy count of the last category, so its share depends on all other counts.
        told = len(alone) == len(self.shares) and not (isinstance(event, Laplace) and event.m - 1 in alone)
        if event.m <= 2 * most or isinstance(event, Exponential) or not told or self.given is not None:
            return self
        last = {event.m - 1} if isinstance(event, Laplace) else set[int]()
        kept = sorted({*alone, *np.linspace(0, event.m - 1, most).astype(np.int64).tolist()} - last)
        counts, prior = (np.append(each[kept], each.sum() - each[kept].sum()) for each in (self.counts, self.prior))
        shares = [frozenset({kept.index(cell)}) for cell in alone]
        return _Model(replace(event, m=counts.size), counts, prior, shares)

    def coarse(self, precision: Precision) -> _Model:
        """Return a model in which several records are treated as one, so that the noise leaves some thousands of counts
        possible.

        The width of the noise relative to the counts does not change.
        """
        event, grain = self.event, _grain(typical_window(self.event), precision)
        if grain == 1 or isinstance(event, Exponential):
            return self
        n, counts = event.n // grain, self.counts // grain
        counts[int(np.argmax(counts))] += n - int(counts.sum())
        if isinstance(event, Gaussian):
            return replace(
                self, event=replace(event, n=n, rho=Rho(event.rho.units * grain**2)), counts=counts, grain=grain
            )
        return replace(
            self, event=replace(event, n=n, epsilon=Epsilon(event.epsilon.units * grain)), counts=counts, grain=grain
        )


def _ends_of_two(event: Event, first: int, prior: NDArray[np.float64], level: float, tolerance: float) -> Ends:
    """Return the expected ends of the interval of the first of two shares."""

    def lows_and_widths(releases: Sequence[NoisyCounts]) -> NDArray[np.float64]:
        low, high = rough_intervals(event, releases, prior, level).T
        return np.stack([low, high - low], axis=1)

    low, width = Outputs.of(event, first).mean(lows_and_widths, tolerance).tolist()
    return Ends(low, low + width)


def _rehearsals(model: _Model, precision: Precision) -> int:
    """Return the number of releases to simulate: fewer if each takes long."""
    relative = max(1.0, model.event.m / 8, typical_window(model.event) * len(model.shares) / _COMPONENTS)
    return max(_MIN_REHEARSALS, round(precision.rehearsals / relative))
