"""The oracle of combined margins: dense generalised least squares over all cells of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from core.mechanisms.margins import Margin

Floats = NDArray[np.float64]


def rows_of(levels: Sequence[int], margin: Sequence[int]) -> Floats:
    """The 0-1 matrix that sums all cells of the table to those of a margin."""
    cells = list(product(*(range(k) for k in levels)))
    of_margin = list(product(*(range(levels[a]) for a in margin)))
    return np.array([[float(tuple(cell[a] for a in margin) == each) for cell in cells] for each in of_margin])


@dataclass(frozen=True)
class LeastSquares:
    """The best linear unbiased estimate of one margin: a matrix on the stacked measurements, and what n adds."""

    weights: Floats
    of_n: Floats
    variances: Floats


def least_squares(
    levels: Sequence[int],
    measured: Sequence[tuple[Margin, float]],
    wanted: Sequence[int],
    *,
    n_is_public: bool,
) -> LeastSquares:
    """Minimise the weighted squares over all tables, with the sum n if it is public."""
    m = int(np.prod(levels))
    rows = np.concatenate([rows_of(levels, margin) for margin, _ in measured])
    deviations = np.concatenate([np.full(len(rows_of(levels, margin)), variance**0.5) for margin, variance in measured])
    ones = np.full((m, 1), m**-0.5)
    free = np.linalg.svd(ones)[0][:, 1:] if n_is_public else np.eye(m)
    centre = np.full(m, 1 / m) if n_is_public else np.zeros(m)  # times n
    target = rows_of(levels, wanted)
    inverse = np.linalg.pinv(rows @ free / deviations[:, None], rcond=1e-11)
    weights = target @ free @ inverse / deviations
    assert np.allclose(target @ free, weights @ rows @ free, atol=1e-9), "the measurements determine the margin"
    return LeastSquares(weights, target @ centre - weights @ rows @ centre, ((weights * deviations) ** 2).sum(axis=1))
