"""Estimates the widths and ends of a release's noise-aware intervals at made-up counts.

Nothing here sees private data. At two categories a width is a sum over the releases that the mechanism can draw
(`core.inference.outputs`). For more, releases are simulated under a fixed seed, and a width is the mean over them, with
its standard error. If very many counts or categories are likely, some represent all, which adds about a percent.
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
from core.mechanisms.catalogue import Event, rehearse
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.exponential.rough import SPREAD_UP_TO
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.laplace import Laplace
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon, Rho
from core.samplers.reproducible import Reproducible

QUICK_SECONDS: Final = 0.7
"""Longest estimated time to list the likelihood of a release for which widths are computed."""
_MAX_CHOICE_REHEARSALS: Final = 12
"""Largest number of simulated releases of the exponential mechanism, whose candidates seldom repeat."""
_MIN_REHEARSALS: Final = 6
_REPEATED: Final = 8
"""Number of simulated releases for each distinct one that is computed, at most. Equal releases have equal intervals."""
_REHEARSED_COMPONENTS: Final = 200_000
"""Largest number of mixture components in all simulated releases. Noise as wide as a large simplex makes many."""
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

    - `rehearsals`: the number of distinct simulated releases whose intervals are computed, about.
    - `together`: the number of releases simulated between two checks of the work done.
    - `tolerance`: the relative error of a sum over the releases of two categories.
    - `window`: if the noise leaves more counts possible than this, several records are treated as one.
    - `categories`: if there are more than twice as many, widths of single shares are computed from about this number of
      categories.
    """

    rehearsals: int
    together: int
    tolerance: float
    window: int
    categories: int


OF_PLANS: Final = Precision(rehearsals=24, together=6, tolerance=0.002, window=4096, categories=100)
OF_CURVES: Final = Precision(rehearsals=12, together=4, tolerance=0.01, window=1024, categories=24)


@dataclass(frozen=True, slots=True)
class IntervalWidth:
    """The expected width of the noise-aware interval of a set's share, the expected lower end, and the width that the
    exact counts would give.

    `standard_error` is that of the mean over simulated releases, and 0 for a sum over all releases.
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
        ends = _ends_of_two(event, int(counts[0]), prior, level, precision.tolerance)
        of_shares = [ends if 0 in share else Ends(1.0 - ends.high, 1.0 - ends.low) for share in shares]
        exact = zip(shares, of_shares, without, strict=True)
        return Widths(level, tuple(IntervalWidth(share, each.width, 0.0, each.low, w) for share, each, w in exact), 0)
    model = _Model.of(event, counts, prior, shares, precision, given)
    runs: list[list[Ends]] = []
    # Little noise gives few distinct releases. Whether they agree says little about those that are rare.
    known: dict[tuple[int, ...], list[Ends]] = {}
    components, most, entropy = 0, _most_rehearsals(event, precision), Reproducible(seed).entropy()
    repeated = 1 if isinstance(event, Exponential) else _REPEATED
    while len(known) < most and len(runs) < repeated * most and components <= _REHEARSED_COMPONENTS:
        together = rehearse(model.event, model.counts, precision.together, entropy)
        new = {release.noisy: release for release in together if release.noisy not in known}
        try:
            found, size = model.intervals(list(new.values()), level)
        except InferenceError as refusal:
            return Widths(level, (), 0, str(refusal))
        known |= zip(new, found, strict=True)
        components += size
        runs += [known[release.noisy] for release in together]
    widths, lows = _widths_of(runs), np.array(runs)[..., 0].mean(axis=0).tolist()
    deviations = (widths.std(axis=0, ddof=1) / math.sqrt(len(runs))).tolist()
    each = zip(shares, widths.mean(axis=0).tolist(), deviations, lows, without, strict=True)
    return Widths(level, tuple(IntervalWidth(*of_share) for of_share in each), len(runs))


def _widths_of(runs: list[list[Ends]]) -> NDArray[np.float64]:
    ends = np.array(runs)
    return np.asarray(ends[..., 1] - ends[..., 0])


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
    found_from = _Model.of(event, counts, prior, [frozenset({0})], OF_PLANS).event
    of_one = conditioning_seconds(found_from) + 2 * quantile_seconds(found_from)
    enough = math.ceil(_REHEARSED_COMPONENTS / coarse_window(typical_window(event)))
    return listing_seconds(event) + min(_most_rehearsals(event, OF_PLANS), max(OF_PLANS.together, enough)) * of_one


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

    def intervals(self, releases: Sequence[NoisyCounts], level: float) -> tuple[list[list[Ends]], int]:
        """Return the shares' intervals in each release, and the number of components of their mixtures.

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
        indices = [distinct.index(share) for share in self.shares]
        return ends[:, indices].tolist(), sum(distribution.probabilities.size for distribution in distributions)

    def _intervals_within(
        self, given: CellSet, releases: Sequence[NoisyCounts], level: float
    ) -> tuple[list[list[Ends]], int]:
        """Return the intervals of shares within a group, from draws of its two counts, and the number of draws."""
        intervals = []
        for release in releases:
            found, of_release = infer(self.event, release, self.prior), list[Ends]()
            for share in self.shares:
                groups, rng = [share, given - share], Reproducible(0)
                drawn = self.grain * found.counts.draws_of_sums(groups, _DRAWS, rng)
                logs = rng.log_gammas(np.array([math.fsum(self.prior[sorted(cells)]) for cells in groups]) + drawn)
                low, high = np.quantile(special.expit(logs[:, 0] - logs[:, 1]), (0.5 - level / 2, 0.5 + level / 2))
                of_release.append(Ends(float(low), float(high)))
            intervals.append(of_release)
        return intervals, _DRAWS * len(self.shares) * len(releases)

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


def _most_rehearsals(event: Event, precision: Precision) -> int:
    most = min(_MAX_CHOICE_REHEARSALS, precision.rehearsals) if isinstance(event, Exponential) else precision.rehearsals
    return min(most, max(_MIN_REHEARSALS, 200 // event.m))
