"""Converts posterior releases to rows of a history: noisy counts with additive noise are rows of single cells.

At a private number of records n, the sum of the noisy counts estimates n without any prior (`noisy_total`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import starmap
from typing import assert_never

import numpy as np

from core.cells import CrossTable
from core.mechanisms.catalogue import TableEvent, kind_of
from core.mechanisms.margins import Margins
from core.mechanisms.mechanism import (
    DiscreteGaussian,
    FlooredLaplace,
    IndependentGeometric,
    NoQueryNoise,
    TiedGeometric,
)
from core.noise import (
    MIN_RATE,
    DiscreteGaussianNoise,
    FlooredLaplaceNoise,
    GeometricNoise,
    Noise,
    SimplexGeometricNoise,
)
from core.queries.estimator import QueryEstimate
from core.queries.history import History


@dataclass(frozen=True, slots=True)
class NoisyCells:
    """Noisy counts of the first cells, with symmetric noise."""

    counts: tuple[Fraction, ...]
    noise: Noise


def noisy_cells(event: TableEvent, noisy: Sequence[int]) -> NoisyCells | str:
    """Return the rows that a release adds to a history, or a sentence for users that explains why it adds none."""
    exact = tuple(Fraction(y) for y in noisy)
    noise = kind_of(event).query_noise(event)
    match noise:
        case DiscreteGaussian(variance=variance):
            return NoisyCells(exact, DiscreteGaussianNoise(variance))
        case FlooredLaplace(scale=scale):
            # Floored Laplace noise has mean −1/2; adding a half makes it symmetric.
            return NoisyCells(tuple(y + Fraction(1, 2) for y in exact), FlooredLaplaceNoise(scale))
        case IndependentGeometric(rate=rate):
            return NoisyCells(exact, GeometricNoise(rate))
        case TiedGeometric(rate=rate):
            if rate < MIN_RATE:
                return "its noise is so wide that the distribution of a query's error takes too long to compute"
            return NoisyCells(exact, SimplexGeometricNoise(rate, event.m))
        case NoQueryNoise(reason=reason):
            return reason
        case _:
            assert_never(noise)


def add_margins(history: History, event: Margins, noisy: Sequence[Sequence[int]], name: str) -> None:
    """Add measured margins to a history over the possible cells of the table: each noisy count is that of a set of
    cells. Counts of cells that no possible combination reaches have no row, since they are noise alone.

    Arguments: `history`; `event`; `noisy`, the noisy counts of each margin in row-major order; `name` of their source.
    The parts of the history are named `name/0`, `name/1` and so on. Raises HistoryError if a limit is exceeded.
    """
    codes = np.array(CrossTable(event.levels, event.impossible).combinations, dtype=np.int64).reshape(event.m, -1)
    for number, (margin, counts) in enumerate(zip(event.margins, noisy, strict=True)):
        sizes = tuple(event.levels[each] for each in margin)
        cells = np.ravel_multi_index(tuple(codes[:, margin].T), sizes)
        reached = np.unique(cells)
        rows = (cells[None, :] == reached[:, None]).astype(np.int64)
        noise = noise_of(event, number)
        answers = [Fraction(counts[each]) for each in reached.tolist()]
        history.add_rows(rows.tolist(), 1, answers, noise, f"{name}/{number}")


def noise_of(event: Margins, number: int) -> DiscreteGaussianNoise | GeometricNoise:
    """Return the noise of the margin with this number."""
    parameter = float(event.noise_parameters[number])
    return DiscreteGaussianNoise(parameter) if event.is_gaussian else GeometricNoise(parameter)


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
