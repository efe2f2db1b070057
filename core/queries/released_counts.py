"""Converts posterior releases to rows of a history: noisy counts with additive noise are rows of single cells.

At a private number of records n, the sum of the noisy counts estimates n without any prior (`noisy_total`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import starmap

import numpy as np

from core.cells import CrossTable
from core.mechanisms.catalogue import TableEvent, query_noise_of
from core.mechanisms.margins import Margins
from core.noise import Noise
from core.queries.estimator import QueryEstimate
from core.queries.history import History


@dataclass(frozen=True, slots=True)
class NoisyCells:
    """Noisy counts of the first cells, with symmetric noise."""

    counts: tuple[Fraction, ...]
    noise: Noise


def noisy_cells(event: TableEvent, noisy: Sequence[int]) -> NoisyCells | str:
    """Return the rows that a release adds to a history, or a sentence for users that explains why it adds none."""
    noise = query_noise_of(event)
    return noise if isinstance(noise, str) else NoisyCells(tuple(y - noise.mean for y in noisy), noise)


def add_margins(history: History, event: Margins, noisy: Sequence[Sequence[int]], name: str) -> None:
    """Add measured margins to a history over the possible cells of the table: each noisy count is that of a set of
    cells. Cells without a possible combination have no row, since their noisy counts are only noise.

    Arguments: `history`; `event`; `noisy`, the noisy counts of each margin in row-major order; `name` of their source.
    The parts of the history are named `name/0`, `name/1` and so on. Raises HistoryError if a limit is exceeded.
    """
    codes = np.array(CrossTable(event.levels, event.impossible).combinations, dtype=np.int64).reshape(event.m, -1)
    for number, (margin, noise, counts) in enumerate(zip(event.margins, event.noises, noisy, strict=True)):
        sizes = tuple(event.levels[each] for each in margin)
        # ravel_multi_index returns one number, not an array, for the margin without attributes.
        cells = np.broadcast_to(np.ravel_multi_index(tuple(codes[:, margin].T), sizes), event.m)
        reached = np.unique(cells)
        rows = (cells[None, :] == reached[:, None]).astype(np.int64)
        answers = [Fraction(counts[each]) for each in reached.tolist()]
        history.add_rows(rows.tolist(), 1, answers, noise, f"{name}/{number}")


def noisy_total(releases: Sequence[tuple[TableEvent, Sequence[int]]]) -> QueryEstimate:
    """Return the best linear unbiased estimate of a private number of records. It needs no prior.

    Arguments: `releases`, the event and the noisy counts of each; one at least, all of one data set. Each estimates n
    by the sum of its counts. The sums are weighted by the reciprocals of their variances.
    """
    cells = [each for each in starmap(noisy_cells, releases) if isinstance(each, NoisyCells)]
    precisions = np.array([1.0 / (len(each.counts) * each.noise.deviation**2) for each in cells])
    weights = precisions / precisions.sum()
    parts = [(each.noise, np.full(len(each.counts), weight)) for each, weight in zip(cells, weights, strict=True)]
    sums = np.array([float(sum(each.counts)) for each in cells])
    return QueryEstimate(float(weights @ sums), weights, parts, 0.0)
