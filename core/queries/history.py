"""A history: the noisy answers from which new queries are answered. It has rows over the cells, their answers, and, if
the number of records is public, the exact row of ones.

A history only grows. It keeps the rows, an exact basis of their span (`row_space`), and orthogonal factors of the rows
scaled to unit variance. All are updated row by row. Cells with equal columns in every row share one column, so few rows
over many cells give few columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final, TypeVar

import numpy as np
import scipy
from numpy.typing import NDArray

from core.accounting.pairwise_loss import Row
from core.mechanisms.linear import MAX_COEFFICIENT, grid_of
from core.noise import LaplaceNoise, Noise
from core.queries.row_space import RowSpace, random_prime
from core.samplers.entropy import SystemEntropy

_Number = TypeVar("_Number", np.int64, np.float64)

MAX_COLUMNS: Final = 2_000
"""Largest number of columns; orthogonal factors of more take too long."""
MAX_ROWS: Final = 20_000
_REFINEMENTS: Final = 3
_WELL_SOLVED: Final = 1e-10


class HistoryError(ValueError):
    """The history rejects the rows. The message names the rule."""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that were released together: their range among all rows, their noise, and the `name` of their source."""

    rows: slice
    noise: Noise
    name: str


class History:
    """Rows over the m cells of a data set of n records, with noisy answers. Everything in it is public. `n` is None if
    the number of records is private.
    """

    __slots__ = (
        "_answers",
        "_class_of",
        "_coefficients",
        "_denominators",
        "_deviations",
        "_factor",
        "_space",
        "m",
        "n",
        "parts",
        "representatives",
    )

    def __init__(self, n: int | None, m: int) -> None:
        self.n, self.m = n, m
        self.parts: list[Part] = []
        self._class_of = np.zeros(m, dtype=np.int64)
        self.representatives = np.zeros(1, dtype=np.int64)
        """The first cell of each column."""
        self._coefficients = np.zeros((0, 1), dtype=np.int64)
        self._denominators = np.zeros(0, dtype=np.int64)
        self._deviations = np.zeros(0)
        self._answers = np.zeros(0)
        self._factor = np.zeros((0, 1))
        self._space = RowSpace(1, random_prime(SystemEntropy()))

    def copy(self) -> History:
        """Return a copy to which rows can be added."""
        other = History.__new__(History)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other.parts = list(self.parts)
        other._space = self._space.copy()  # noqa: SLF001  its own class
        return other

    def __len__(self) -> int:
        return len(self._answers)

    @property
    def columns(self) -> int:
        return len(self.representatives)

    @property
    def class_of(self) -> NDArray[np.int64]:
        """Return the number of the column of each cell, shape (m,). Cell 0 is in column 0."""
        return self._class_of

    @property
    def answers(self) -> NDArray[np.float64]:
        """Return the noisy answer of each row, shape (J,)."""
        return self._answers

    @property
    def deviations(self) -> NDArray[np.float64]:
        """Return the standard deviation of each row's noise, shape (J,)."""
        return self._deviations

    @property
    def rank(self) -> int:
        """Return the rank of the rows; modulo the row of ones if n is public."""
        return self._space.rank

    @property
    def _zeros(self) -> int:
        """Return the number of columns, 0 or 1, that are 0 in every row once a multiple of ones is subtracted."""
        return 0 if self.n is None else 1

    @property
    def _is_whole(self) -> bool:
        """Return whether the history determines every query that is equal on the cells of each column."""
        return self._space.rank == self.columns - self._zeros

    @property
    def _scales(self) -> NDArray[np.float64]:
        scales: NDArray[np.float64] = 1.0 / self._denominators
        return scales

    def add_answer(self, row: Row, answer: Fraction, name: str) -> None:
        noise = LaplaceNoise(float(1 / row.rate.value), float(grid_of(row)))
        self.add_rows([row.coefficients], row.denominator, [answer], noise, name)

    def add_counts(self, noisy: Sequence[Fraction], noise: Noise, name: str) -> None:
        """Add noisy counts of the first cells, one row each.

        Counts of all cells make the history determine every query. At a public n, counts of all but one do.
        """
        if len(noisy) >= self.m - self._zeros and self.m <= MAX_COLUMNS:
            self._split_columns(np.arange(self.m, dtype=np.int64)[None, :])
            self._space = RowSpace.whole(self.m, 2, self._zeros)
        rows = [tuple(int(i == j) for i in range(self.m)) for j in range(len(noisy))]
        self.add_rows(rows, 1, noisy, noise, name)

    def add_rows(
        self, rows: Sequence[Sequence[int]], denominator: int, answers: Sequence[Fraction], noise: Noise, name: str
    ) -> None:
        """Add the rows `rows` / `denominator` with their answers and their common noise.

        Raises HistoryError if a limit is exceeded; the history is then unchanged.
        """
        matrix = np.array(rows, dtype=np.int64)
        if matrix.shape != (len(answers), self.m) or np.abs(matrix).max() > MAX_COEFFICIENT:
            raise HistoryError("a row must have a whole number of at most 2e15 for each cell")
        if len(self) + len(answers) > MAX_ROWS:
            raise HistoryError(f"a history must have at most {MAX_ROWS} rows")
        self._split_columns(matrix)
        on_columns = matrix[:, self.representatives]
        self.parts.append(Part(slice(len(self), len(self) + len(answers)), noise, name))
        differences = self._rows_without_ones(on_columns)
        for difference in differences:
            if not self._is_whole:
                self._space.add(difference)
        scaled = differences / (denominator * noise.deviation)
        self._factor = _factor_with_rows(self._factor, scaled, self._space.pivots)
        self._coefficients = np.vstack((self._coefficients, on_columns))
        self._denominators = np.append(self._denominators, np.full(len(answers), denominator, dtype=np.int64))
        self._deviations = np.append(self._deviations, np.full(len(answers), noise.deviation))
        self._answers = np.append(self._answers, [float(answer) for answer in answers])

    def _split_columns(self, matrix: NDArray[np.int64]) -> None:
        """Split columns so that cells with different coefficients in these rows are in separate columns."""
        keys, first, class_of = np.unique(
            np.vstack((self._class_of, matrix)), axis=1, return_index=True, return_inverse=True
        )
        if keys.shape[1] > MAX_COLUMNS:
            raise HistoryError(f"a history must have at most {MAX_COLUMNS} different columns")
        # Order columns by their first cells, so that cell 0 is in the first one.
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(order.size)
        parents = self._class_of[first[order]]
        self._class_of, self.representatives = rank[class_of.reshape(-1)], first[order]
        self._coefficients, self._factor = self._coefficients[:, parents], self._factor[:, parents]
        self._space.split(parents)

    def sees(self, query: Sequence[int]) -> bool:
        """Return whether the history determines the query, given as m integers. The decision is exact.

        A query is determined if it is a rational combination of the rows and, if n is public, the row of ones.
        """
        on_columns = [int(query[cell]) for cell in self.representatives.tolist()]
        if any(int(value) != on_columns[of] for value, of in zip(query, self._class_of.tolist(), strict=True)):
            return False
        if self._is_whole:
            return True
        ones = 0 if self.n is None else on_columns[0]
        return self._space.holds([value - ones for value in on_columns])

    def weights(self, query: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weights β, shape (J,), of the best linear unbiased estimate of a query q, shape (m,).

        The history must determine the query. β minimises Σ (β_j σ_j)² subject to β H = q, where H are the rows and σ
        their deviations. If n is public, β H = q up to a multiple of the row of ones.

        With A the rows scaled to unit variance and A = Q R, β σ = A R^-1 R^-T q, refined by the residual of q. A basis
        of the columns determines the solution. If the exact elimination chose an ill-conditioned basis, orthogonal
        factors of all columns are used instead.
        """
        scaled = self._scaled_rows()
        target = self._coefficients_on_columns(query)
        solution = self._refine_solution(scaled, target, self._solve_on_pivots)
        if np.abs(target - solution @ scaled).max(initial=0.0) > _WELL_SOLVED * np.abs(target).max(initial=0.0):
            solution = self._refine_solution(scaled, target, self._solve_on_all)
        weights: NDArray[np.float64] = solution / self._deviations
        return weights

    def _refine_solution(
        self,
        scaled: NDArray[np.float64],
        target: NDArray[np.float64],
        solve: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    ) -> NDArray[np.float64]:
        solution = np.zeros(len(self))
        for _ in range(_REFINEMENTS):
            solution = solution + scaled @ solve(target - solution @ scaled)
        return solution

    def _solve_on_pivots(self, target: NDArray[np.float64]) -> NDArray[np.float64]:
        pivots = self._space.pivots
        factor = self._factor[:, pivots]
        result = np.zeros(self.columns)
        if pivots:
            result[pivots] = scipy.linalg.solve_triangular(
                factor, scipy.linalg.solve_triangular(factor, target[pivots], trans="T")
            )
        return result

    def _solve_on_all(self, target: NDArray[np.float64]) -> NDArray[np.float64]:
        basis, triangle = np.linalg.qr(self._factor.T)
        within: NDArray[np.float64] = scipy.linalg.solve_triangular(triangle, basis.T @ target)
        result: NDArray[np.float64] = basis @ scipy.linalg.solve_triangular(triangle, within, trans="T")
        return result

    def row(self, number: int) -> tuple[NDArray[np.float64], float, float]:
        """Return the weights of a row on the columns, its answer, and the standard deviation of its noise."""
        on_columns = self._coefficients[number].astype(np.float64) * self._scales[number]
        return on_columns, float(self._answers[number]), float(self._deviations[number])

    def precision(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the precision matrix of the counts of these cells, shape (k, k), given the rows and their noise.

        The precision matrix is the inverse of the covariance, if that exists. `cells` contains one cell of each class.
        If n is public, the first column is subtracted, so its row and column are zero.
        """
        scaled = self._scaled_rows()[:, self._class_of[cells]]
        found: NDArray[np.float64] = scaled.T @ scaled
        return found

    def left_over(self, weights: NDArray[np.float64], query: NDArray[np.float64]) -> tuple[float, float]:
        """Return the smallest and the largest entry of q − β H, shape (m,), in floating point, for a query q with
        weights β.

        For an unbiased estimate all entries are equal up to rounding.
        """
        rest = query[self.representatives] - (weights * self._scales) @ self._coefficients.astype(np.float64)
        return float(rest.min()), float(rest.max())

    def rounding(self, weights: NDArray[np.float64], query: NDArray[np.float64]) -> float:
        """Return a bound on the rounding error of an entry of q − β H in `left_over`."""
        sizes = np.abs(weights * self._scales) @ np.abs(self._coefficients.astype(np.float64)) + np.abs(
            query[self.representatives]
        )
        return float(sizes.max()) * (len(self) + 4) * float(np.finfo(np.float64).eps)

    def remainder(self, weights: Sequence[Fraction], query: Sequence[int], denominator: int) -> list[Fraction]:
        """Return q − β H exactly, one entry for each column. q is `query` / `denominator`, and β its weights."""
        used = [number for number, weight in enumerate(weights) if weight]
        scaled = [weights[number] / int(self._denominators[number]) for number in used]
        common = lcm(*(each.denominator for each in scaled))
        whole = np.array([each.numerator * (common // each.denominator) for each in scaled], dtype=object)
        coefficients = self._coefficients[used]
        rows, columns = np.nonzero(coefficients)
        sums = np.zeros(self.columns, dtype=object)
        np.add.at(sums, columns, whole[rows] * coefficients[rows, columns].astype(object))
        return [
            Fraction(query[cell], denominator) - Fraction(total, common)
            for cell, total in zip(self.representatives.tolist(), sums.tolist(), strict=True)
        ]

    def _coefficients_on_columns(self, query: NDArray[np.float64]) -> NDArray[np.float64]:
        on_columns: NDArray[np.float64] = self._rows_without_ones(query[None, self.representatives])[0]
        return on_columns

    def _rows_without_ones(self, rows: NDArray[_Number]) -> NDArray[_Number]:
        """Return the rows without the row of ones, which is known exactly if n is public: the first column is
        subtracted from every column.
        """
        return rows if self.n is None else rows - rows[:, :1]

    def _scaled_rows(self) -> NDArray[np.float64]:
        differences = self._rows_without_ones(self._coefficients).astype(np.float64)
        scaled: NDArray[np.float64] = differences * (self._scales / self._deviations)[:, None]
        return scaled


_MAX_ROTATED_ROWS: Final = 8
"""Up to this many new rows are rotated into the factor one by one; more are factored together with it."""


def _factor_with_rows(factor: NDArray[np.float64], rows: NDArray[np.float64], pivots: list[int]) -> NDArray[np.float64]:
    """Return R with R^T R = factor^T factor + rows^T rows, triangular on the pivots.

    The number of pivots is the exact rank.
    """
    known = factor.shape[0]
    if len(rows) <= _MAX_ROTATED_ROWS and len(pivots) - known <= len(rows) and _is_triangular(factor, pivots):
        rotated = _rotate_factor(factor, rows, pivots)
        if rotated is not None:
            return rotated
    others = np.setdiff1d(np.arange(factor.shape[1]), pivots)
    order = np.concatenate((np.array(pivots, dtype=np.int64), others))
    stacked = np.vstack((factor, rows))
    # Sort large rows first, so that small ones keep their digits.
    stacked = stacked[np.argsort(-np.abs(stacked).max(axis=1), kind="stable")]
    triangle = np.linalg.qr(stacked[:, order], mode="r")[: len(pivots)]
    result = np.empty((len(pivots), factor.shape[1]))
    result[:, order] = triangle
    return result


def _is_triangular(factor: NDArray[np.float64], pivots: list[int]) -> bool:
    """Return whether the factor is triangular on these pivots.

    It is not if noisy counts of all cells have replaced the pivots that the factor was built on.
    """
    on_pivots = factor[:, pivots[: len(factor)]]
    return not np.tril(on_pivots, -1).any() and bool(np.diag(on_pivots).all())


def _rotate_factor(
    factor: NDArray[np.float64], rows: NDArray[np.float64], pivots: list[int]
) -> NDArray[np.float64] | None:
    """Return the factor updated by Givens rotations, row by row, if it is triangular on the first pivots.

    Returns None if a row is zero at the next pivot, because the row would be lost.
    """
    result, waiting = factor.copy(), [row.copy() for row in rows]
    for new in waiting:
        for i, pivot in enumerate(pivots[: len(result)]):
            if new[pivot] == 0.0:
                continue
            length = float(np.hypot(result[i, pivot], new[pivot]))
            cosine, sine = result[i, pivot] / length, new[pivot] / length
            result[i], new[:] = cosine * result[i] + sine * new, cosine * new - sine * result[i]
            new[pivot] = 0.0
        if len(result) < len(pivots) and new.any():
            if new[pivots[len(result)]] == 0.0:
                return None
            result = np.vstack((result, new))
    return result
