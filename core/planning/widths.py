"""Estimates the widths and ends of a release's noise-aware intervals at made-up counts.

At two categories a width is a sum over the releases that the mechanism can draw (`core.inference.outputs`). For more,
releases are simulated under a fixed seed, rare ones among them (`core.inference.weighted_releases`), and a width is
their weighted mean, with its standard error. If very many counts or categories are likely, some represent all, which
adds about a percent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.candidates import of_shares
from core.cells import CellSet, atoms
from core.inference import InferenceError, infer, unavailable_reason
from core.inference.events import Share
from core.inference.likelihood import conditioning_seconds, listing_seconds, quantile_seconds, typical_window
from core.inference.mixture import BetaMixture
from core.inference.outputs import Outputs, has_outputs
from core.inference.rough_intervals import rough_intervals, rough_intervals_of
from core.inference.weighted_releases import weighted_releases
from core.mechanisms.catalogue import Event, mechanism_of
from core.mechanisms.exponential.rough import SPREAD_UP_TO
from core.mechanisms.mechanism import NoiseOnCounts
from core.mechanisms.noisy_counts import NoisyCounts
from core.planning.conditioned import ConditionedReleases, condition
from core.planning.questions import (
    Ends,
    Pieces,
    Question,
    cells_of,
    interval_without_noise,
    is_logarithmic,
    largest_cells,
    of_two_categories,
    share_of_cell,
)
from core.samplers.reproducible import Reproducible

QUICK_SECONDS: Final = 0.7
"""Longest estimated time to list the likelihood of a release for which widths are computed."""
MAX_RELATIVE_ERROR: Final = 0.05
"""Largest relative error of a mean width besides four of its standard errors. Tests compare it with sums over all
releases and with means of thousands.
"""
SMALL_PRIOR: Final = 0.3
"""If the prior of a category is smaller, most of a width can come from rare releases."""
NARROW: Final = 0.01
"""Under such a prior, the stated error of a narrower width is relative to this width, because the releases that such a
width comes from can be rarer than all simulated ones.
"""
MORE_REHEARSALS: Final = 4
"""Factor of the number of simulated releases under such a prior."""
MOST_UNDER_SMALL_PRIORS: Final = 50
MANY_UNDER_SMALL_PRIORS: Final = (
    f"its widths are not known: a category has a prior below {SMALL_PRIOR}, so rare releases have most of the width, "
    f"and beyond {MOST_UNDER_SMALL_PRIORS} categories too few of them are simulated"
)
_MIN_REHEARSALS: Final = 6
_COMPONENTS: Final = 8192
"""Largest mean number of mixture components in a simulated release. If noise as wide as a large simplex makes more,
fewer releases are simulated.
"""
SHARES_WITHOUT_QUESTIONS: Final = 12
"""Number of categories whose widths are computed if no questions are given."""
_DRAWS: Final = 4096
"""Number of draws for a question about several counts, in each release that is conditioned on by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """The amount of work that is spent on widths.

    - `rehearsals`: the number of simulated releases.
    - `tolerance`: the relative error of a sum over the releases of two categories.
    - `window`: if the noise leaves more counts possible than this, several records are treated as one.
    - `categories`: if there are more than twice as many, widths of single shares are computed from about this number of
      categories.
    - `draws`: the number of draws, in each simulated release, of a question that needs several counts.
    """

    rehearsals: int
    tolerance: float
    window: int
    categories: int
    draws: int


PLANNED: Final = Precision(rehearsals=48, tolerance=0.002, window=1024, categories=24, draws=512)


@dataclass(frozen=True, slots=True)
class IntervalWidth:
    """The expected width of the noise-aware interval of a question, the expected lower end, and the width that the
    exact counts would give.

    `standard_error` is that of the weighted mean over simulated releases, and 0 for a sum over all releases.
    """

    question: Question
    expected: float
    standard_error: float
    low: float
    without_noise: float


@dataclass(frozen=True, slots=True)
class Widths:
    """Expected widths at `level` from `rehearsals` simulated releases, in the order of the questions, or why they are
    unavailable. There are no rehearsals if the widths are sums over all releases.
    """

    level: float
    of_questions: tuple[IntervalWidth, ...]
    rehearsals: int
    unavailable: str | None = None


def interval_widths(
    event: Event,
    counts: NDArray[np.int64],
    prior: NDArray[np.float64],
    *,
    level: float = 0.95,
    seed: int = 0,
    questions: Sequence[Question] | None = None,
    precision: Precision = PLANNED,
    exact: Sequence[Ends] | None = None,
) -> Widths:
    """Return the expected width of the noise-aware interval of each question, at made-up counts.

    `counts` and `prior` have shape (m,), of the event's size. None stands for the shares of the twelve largest
    categories, largest first. Fewer rehearsals are made if each takes long. `exact` are the questions' intervals from
    exact counts, if they were computed before.
    """
    assert counts.shape == prior.shape == (event.m,), "there is one number for each category"
    assert int(counts.sum()) == event.n, "the counts sum to n"
    if (reason := unavailable_reason(event)) is not None:
        return Widths(level, (), 0, reason)
    if not has_quick_widths(event):
        return Widths(level, (), 0, "its posterior takes too long to compute for a plan at this size")
    if questions is None:
        questions = [share_of_cell(cell) for cell in largest_cells(counts, SHARES_WITHOUT_QUESTIONS)]
    if exact is None:
        exact = [interval_without_noise(counts, prior, question, level) for question in questions]
    without = [each.width for each in exact]
    if has_outputs(event):
        of_each = _ends_of_two(event, int(counts[0]), prior, level, questions, precision.tolerance)
        sums = zip(questions, of_each, without, strict=True)
        return Widths(level, tuple(IntervalWidth(each, width, 0.0, low, w) for each, (low, width), w in sums), 0)
    if float(prior.min()) < SMALL_PRIOR:
        if event.m > MOST_UNDER_SMALL_PRIORS:
            return Widths(level, (), 0, MANY_UNDER_SMALL_PRIORS)
        precision = replace(precision, rehearsals=MORE_REHEARSALS * precision.rehearsals, categories=event.m)
    model = _Model.of(event, counts, prior, questions, precision)
    size = _rehearsals(model, precision)
    some = weighted_releases(model.event, model.counts, model.cells(), size, Reproducible(seed))
    try:
        ends = model.intervals(some.releases, level, precision.draws)
    except InferenceError as error:
        return Widths(level, (), 0, str(error))
    widths, errors = some.mean(ends[..., 1] - ends[..., 0])
    lows, _ = some.mean(ends[..., 0])
    found = zip(questions, widths.tolist(), errors.tolist(), lows.tolist(), without, strict=True)
    return Widths(level, tuple(IntervalWidth(*of_question) for of_question in found), 0 if some.is_all else size)


def narrowest(prior: Sequence[float]) -> float:
    """Return the width below which the stated relative errors are relative to this width instead."""
    return NARROW if len(prior) > 2 and min(prior) < SMALL_PRIOR else 0.0


def has_quick_widths(event: Event) -> bool:
    """Return whether the noise-aware intervals of the event's releases are fast enough for many simulated releases."""
    return unavailable_reason(event) is None and (has_outputs(event) or listing_seconds(event) <= QUICK_SECONDS)


def width_seconds(event: Event) -> float:
    """Estimate, from public sizes, the time on one core to compute the widths of one share.

    It is infinite if they are not quick.
    """
    if not has_quick_widths(event):
        return math.inf
    if has_outputs(event):
        return 0.05 + 64 * (1e-3 + 1e-6 * math.sqrt(min(event.n, SPREAD_UP_TO)))
    counts, prior = of_shares(event.n, np.ones(event.m)), np.ones(event.m)
    model = _Model.of(event, counts, prior, [share_of_cell(0)], PLANNED)
    of_one = conditioning_seconds(model.event) + 2 * quantile_seconds(model.event)
    return listing_seconds(event) + _rehearsals(model, PLANNED) * of_one


def _grain(window: float, precision: Precision) -> int:
    return max(1, int(window) // precision.window)


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    """The problem that widths are computed for: an event, counts, a prior and questions.

    One record represents `grain` records.
    """

    event: Event
    counts: NDArray[np.int64]
    prior: NDArray[np.float64]
    questions: Sequence[Question]
    grain: int = 1

    @staticmethod
    def of(
        event: Event,
        counts: NDArray[np.int64],
        prior: NDArray[np.float64],
        questions: Sequence[Question],
        precision: Precision,
    ) -> _Model:
        model = _Model(event, counts, prior, questions)
        if mechanism_of(event).resized is None:
            return model
        return model.of_some_categories(precision.categories).coarse(precision)

    def cells(self) -> Sequence[int]:
        """Return the cells at which rare noise matters most."""
        return range(self.event.m) if self.event.m <= SHARES_WITHOUT_QUESTIONS else sorted(cells_of(self.questions))

    def intervals(self, releases: Sequence[NoisyCounts], level: float, draws: int) -> NDArray[np.float64]:
        """Return the ends of the questions' intervals in each release, shape (releases, questions, 2).

        Raises InferenceError if a release cannot be conditioned on.
        """
        likelihood = mechanism_of(self.event).likelihood(self.event)
        if not isinstance(likelihood, NoiseOnCounts):
            return self._intervals_one_by_one(releases, level)
        pieces = [Pieces.of(question, self.event.m) for question in self.questions]
        every = atoms([cells for each in pieces for cells in each.cells]).pieces
        noisy = np.array([each.noisy for each in releases], dtype=np.int64)
        found, done = [], 0
        for some in condition(self.event.n, self.prior, likelihood.log_noise, noisy, every):
            ends = self._intervals_together(some, pieces, every, level, draws, Reproducible(done))
            for place in np.flatnonzero(some.unsure).tolist():
                ends[place] = self._intervals_one_by_one([releases[done + place]], level)[0]
            found.append(ends)
            done += len(ends)
        return np.concatenate(found)

    def _intervals_together(
        self,
        some: ConditionedReleases,
        pieces: Sequence[Pieces],
        every: Sequence[CellSet],
        level: float,
        draws: int,
        rng: Reproducible,
    ) -> NDArray[np.float64]:
        ends = np.empty((len(some.lows), len(pieces), 2))
        simple = [place for place, each in enumerate(pieces) if _needs_one_count(each.question)]
        distributions: list[BetaMixture] = []
        for place in simple:
            distributions += some.distribution(_members(every, self._cells_of(place)))
        shape = len(simple), len(some.lows), 2
        if simple:
            ends[:, simple] = self._ends_of(distributions, level).reshape(shape).swapaxes(0, 1)
        for place in set(range(len(pieces))).difference(simple):
            merged = some.merged([_members(every, cells) for cells in pieces[place].cells])
            concentrations = merged.prior + self.grain * merged.counts(draws, rng)
            ends[:, place] = pieces[place].intervals(concentrations, level, rng)
        return ends

    def _cells_of(self, place: int) -> CellSet:
        question = self.questions[place]
        assert isinstance(question, Share), "it needs one count"
        return question.cells

    def _intervals_one_by_one(self, releases: Sequence[NoisyCounts], level: float) -> NDArray[np.float64]:
        ends = np.empty((len(releases), len(self.questions), 2))
        simple = [place for place, each in enumerate(self.questions) if _needs_one_count(each)]
        distributions = []
        for row, release in enumerate(releases):
            found = infer(self.event, release, self.prior)
            for place, question in enumerate(self.questions):
                if place in simple:
                    cells = self._cells_of(place)
                    distributions.append(found.share(min(cells)) if len(cells) == 1 else found.share_of(cells))
                else:
                    pieces, rng = Pieces.of(question, self.event.m), Reproducible(row)
                    drawn = self.grain * found.counts.draws_of_sums(pieces.cells, _DRAWS, rng)
                    ends[row, place] = pieces.intervals(pieces.priors(self.prior) + drawn, level, rng)
        if simple:
            ends[:, simple] = self._ends_of(distributions, level).reshape(len(releases), len(simple), 2)
        return ends

    def _ends_of(self, distributions: Sequence[BetaMixture], level: float) -> NDArray[np.float64]:
        return rough_intervals_of(distributions, level, n=self.event.n, grain=self.grain)

    def of_some_categories(self, most: int) -> _Model:
        """Return a model with about `most` categories, in which one category has the records of all omitted ones.

        This requires that every question is a share of a single category. The other categories disclose only their sum,
        which says almost nothing about each share. Returns the same model if there are few categories.
        """
        event, resized = self.event, mechanism_of(self.event).resized
        likelihood = mechanism_of(event).likelihood(event)
        noisy = likelihood.noisy if isinstance(likelihood, NoiseOnCounts) else event.m
        alone = [min(each.cells) for each in self.questions if isinstance(each, Share) and _is_of_one_cell(each)]
        # The share of a category without a noisy count depends on all other counts.
        told = len(alone) == len(self.questions) and max(alone) < noisy
        if event.m <= 2 * most or resized is None or not told:
            return self
        some = {*alone, *np.linspace(0, event.m - 1, most).astype(np.int64).tolist()}
        kept = [cell for cell in sorted(some) if cell < noisy]
        counts, prior = (np.append(each[kept], each.sum() - each[kept].sum()) for each in (self.counts, self.prior))
        questions = [share_of_cell(kept.index(cell)) for cell in alone]
        return _Model(resized(event, event.n, counts.size, 1), counts, prior, questions)

    def coarse(self, precision: Precision) -> _Model:
        """Return a model in which several records are treated as one, so that the noise leaves some thousands of counts
        possible.

        The width of the noise relative to the counts does not change.
        """
        event, grain, resized = (
            self.event,
            _grain(typical_window(self.event), precision),
            mechanism_of(self.event).resized,
        )
        if grain == 1 or resized is None:
            return self
        n, counts = event.n // grain, (self.counts + grain // 2) // grain
        counts[int(np.argmax(counts))] += n - int(counts.sum())
        return replace(self, event=resized(event, n, event.m, grain), counts=counts, grain=grain)


def _needs_one_count(question: Question) -> bool:
    return isinstance(question, Share) and question.given is None


def _is_of_one_cell(share: Share) -> bool:
    return share.given is None and len(share.cells) == 1


def _members(every: Sequence[CellSet], cells: CellSet) -> list[int]:
    """Return the indices of the pieces that are in a set of cells, which is a union of pieces."""
    return [place for place, piece in enumerate(every) if piece <= cells]


def _ends_of_two(
    event: Event,
    first: int,
    prior: NDArray[np.float64],
    level: float,
    questions: Sequence[Question],
    tolerance: float,
) -> list[list[float]]:
    """Return the expected lower end and width of the interval of each question at two categories."""
    logarithmic = any(is_logarithmic(question) for question in questions)

    def lows_and_widths(releases: Sequence[NoisyCounts]) -> NDArray[np.float64]:
        of_first, *others = rough_intervals(event, releases, prior, level, (0, 1) if logarithmic else (0,))
        of_second = others[0] if others else 1 - of_first[:, ::-1]
        ends = np.stack([of_two_categories(question, of_first, of_second) for question in questions], axis=1)
        ends[..., 1] -= ends[..., 0]
        return ends.reshape(len(releases), -1)

    return Outputs.of(event, first).mean(lows_and_widths, tolerance).reshape(-1, 2).tolist()


def _rehearsals(model: _Model, precision: Precision) -> int:
    """Return the number of releases to simulate: fewer if each takes long."""
    relative = max(1.0, model.event.m / 8, typical_window(model.event) * len(model.questions) / _COMPONENTS)
    return max(_MIN_REHEARSALS, round(precision.rehearsals / relative))
