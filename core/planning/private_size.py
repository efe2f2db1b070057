"""Estimates the widths and ends of a release's noise-aware intervals if the number of records n is private.

The counts, and so n, are made up. Releases are simulated as in `core.planning.widths`. Each is conditioned on at an
unknown n, and a width is their weighted mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.cells import atoms
from core.inference import InferenceError, infer
from core.inference.weighted_releases import WeightedReleases, with_weighted_noise
from core.mechanisms import private_size
from core.mechanisms.private_size import PrivateSize
from core.planning.conditioned import draws_at_unknown_total, entries_of_window
from core.planning.questions import Ends, Pieces, Question, cells_of
from core.planning.widths import (
    MANY_UNDER_SMALL_PRIORS,
    MORE_REHEARSALS,
    MOST_UNDER_SMALL_PRIORS,
    SHARES_WITHOUT_QUESTIONS,
    SMALL_PRIOR,
    IntervalWidth,
    Precision,
    Widths,
)
from core.samplers.reproducible import Reproducible

PLANNED: Final = Precision(rehearsals=24, tolerance=0.0, window=1 << 20, categories=1000, draws=512)
_FEW_CATEGORIES: Final = 12
"""Categories beyond which fewer releases are simulated."""
_MIN_REHEARSALS: Final = 6
_MOST_ALONE: Final = 100
"""Largest number of categories times releases that are conditioned on one by one: each takes tens of milliseconds."""
TOO_WIDE: Final = (
    "its widths take too long to compute: the noise is too wide at this number of categories and of records"
)


def interval_widths(
    event: PrivateSize,
    counts: NDArray[np.int64],
    prior: NDArray[np.float64],
    questions: Sequence[Question],
    exact: Sequence[Ends],
    *,
    level: float,
    seed: int = 0,
) -> Widths:
    """Return the expected width of the noise-aware interval of each question, at made-up counts.

    `counts` and `prior` have shape (m,), of the event's size. `exact` are the questions' intervals from exact counts.
    """
    precision = PLANNED
    if float(prior.min()) < SMALL_PRIOR:
        if event.m > MOST_UNDER_SMALL_PRIORS:
            return Widths(level, (), 0, MANY_UNDER_SMALL_PRIORS)
        precision = replace(precision, rehearsals=MORE_REHEARSALS * precision.rehearsals)
    likelihood = private_size.likelihood(event)
    if event.m * entries_of_window(likelihood.log_noise) > precision.window:
        return Widths(level, (), 0, TOO_WIDE)
    size = max(_MIN_REHEARSALS, round(precision.rehearsals / max(1.0, event.m / _FEW_CATEGORIES)))
    cells = range(event.m) if event.m <= SHARES_WITHOUT_QUESTIONS else sorted(cells_of(questions))
    some = with_weighted_noise(likelihood, counts, cells, size, Reproducible(seed))
    try:
        ends = _intervals(event, some, prior, questions, level, precision.draws)
    except InferenceError as error:
        return Widths(level, (), 0, str(error))
    widths, errors = some.mean(ends[..., 1] - ends[..., 0])
    lows, _ = some.mean(ends[..., 0])
    found = zip(questions, widths.tolist(), errors.tolist(), lows.tolist(), (each.width for each in exact), strict=True)
    return Widths(level, tuple(IntervalWidth(*of_question) for of_question in found), size)


def _intervals(
    event: PrivateSize,
    some: WeightedReleases,
    prior: NDArray[np.float64],
    questions: Sequence[Question],
    level: float,
    draws: int,
) -> NDArray[np.float64]:
    """Return the ends of the questions' intervals in each release, shape (releases, questions, 2).

    Raises InferenceError if too many releases must be conditioned on one by one.
    """
    pieces = [Pieces.of(question, event.m) for question in questions]
    every = atoms([cells for each in pieces for cells in each.cells]).pieces
    noisy = np.array([each.noisy for each in some.releases], dtype=np.int64)
    log_noise, rng = private_size.likelihood(event).log_noise, Reproducible(0)
    found = list(draws_at_unknown_total(prior, log_noise, noisy, every, draws, rng))
    sums = np.concatenate([each.sums for each in found])
    alone = np.flatnonzero(np.concatenate([each.unsure for each in found])).tolist()
    if len(alone) * event.m > _MOST_ALONE:
        raise InferenceError(TOO_WIDE)
    for place in alone:
        sums[place] = infer(event, some.releases[place], prior).counts.draws_of_sums(every, draws, rng)
    ends = np.empty((len(noisy), len(pieces), 2))
    for place, each in enumerate(pieces):
        members = [[index for index, piece in enumerate(every) if piece <= cells] for cells in each.cells]
        counts = np.stack([sums[..., of_piece].sum(axis=-1) for of_piece in members], axis=-1)
        ends[:, place] = each.intervals(each.priors(prior) + counts, level, rng)
    return ends
