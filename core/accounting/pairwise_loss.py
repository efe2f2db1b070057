"""Prices noisy answers to linear queries: a loss for each pair of cells, summed over rows; the largest sum is the cost.

A row h answered with Laplace noise of scale 1 / a tells the neighbours c and c' = c - e_i + e_k apart by at most a |h_i
- h_k|, whatever was answered before and however the row was chosen. So the loss of a whole transcript on that pair is
at most T_ik = Σ_j a_j |h_ji - h_jk|, and keeping the largest T_ik below a limit is pure differential privacy under full
adaptivity (`docs/explanation/privacy-proofs.md`). The largest is over all pairs: which cells are empty is private.

Under `zcdp` a row adds to each pair the rho of Laplace noise that is shifted by x = a |h_i - h_k| scales: x - 1 + e^-x
(Harrison and Manurangsi, arXiv 2510.25746), on a grid of step h scales x - (h / sinh h)(1 - e^-x).

All is integers of the accountant's unit, rounded up, and the same on every machine, so that a ledger can be recomputed
anywhere to the last unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.accounting.accountants import Accountant, Cost
from core.privacy import Epsilon, Rate, Rho

COARSEST_GRID: Final = Fraction(1, 2**20)
"""The step of the grid that noise is drawn on, in scales of the noise; no coarser one is used."""
MAX_COLUMNS: Final = 1_000
"""Pairs are told apart among this many different columns; rows beyond are charged one by one."""

_FINEST: Final = 2**20
_NODES: Final = 256
_ARITHMETIC: Final = Context(prec=60, rounding=ROUND_HALF_EVEN, Emin=-999_999, Emax=999_999)


@dataclass(frozen=True, slots=True)
class Row:
    """The row h = coefficients / denominator, shape (m,), answered with Laplace noise of scale 1 / rate, about units of
    up to `records` records each.

    k changed records lose at most k times what the worst pair does, and shift the noise by at most k times as much; rho
    is convex in the shift, so that all k on the worst pair cost most.
    """

    coefficients: tuple[int, ...]
    denominator: int
    rate: Rate
    records: int = 1

    @property
    def span(self) -> Fraction:
        """max h - min h: by how much a replaced record can move the answer."""
        return Fraction(max(self.coefficients) - min(self.coefficients), self.denominator)


def rho_of_shift(scales: Fraction, step: Fraction = COARSEST_GRID) -> Rho:
    """The rho of discrete Laplace noise on a grid of `step` scales when it is shifted by `scales` of them, a multiple
    of the step; rounded up.

    rho = x - (h / sinh h)(1 - e^-x), the Kullback-Leibler divergence. Proof that no order needs more. With w = a - 1/2,
    u = w^2, x = k h and q = e^-h, the sum Σ P^a Q^(1-a) is e^(-x/2) (A_k(wh) - q A_(k-2)(wh)) / (1 + q), A_k(t) =
    sinh((k+1) t) / sinh t, so that D_a / a = F(u) / (u - 1/4) with F its logarithm, F(1/4) = 0. In y = cosh t it is U_k
    - q U_(k-2) = 2 y U_(k-1) - (1 + q) U_(k-2), the characteristic polynomial of a Jacobi matrix, whose zeros are real
    and, its last entry being at most that of T_k (q = 1), lie within (-1, 1). A factor cosh t - cos φ is a constant
    times Π (1 + t^2 / (φ + 2πl)^2) over all integers l. So F is a sum of ln(1 + u / r^2), concave, and its chord from
    1/4 is steepest at u -> 1/4, order 1.

    It rises with the step, by at most h^2 / 6, and is convex in x. Source: Harrison and Manurangsi for the continuous
    law, h -> 0.
    """
    if scales < 0 or step <= 0:
        raise ValueError("a shift is not negative, and the step is positive")
    with localcontext(_ARITHMETIC):
        x = _decimal(scales)
        rho = x - _h_over_sinh(step) * (1 - (-x).exp())
        return Rho.ceil(max(rho, Decimal(0)) + (Decimal("1e-30") if scales else 0))


@lru_cache(maxsize=4)
def _h_over_sinh(step: Fraction) -> Decimal:
    """Call it within `_ARITHMETIC`."""
    h = _decimal(step)
    return 2 * h / (h.exp() - (-h).exp())


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


@dataclass(frozen=True, slots=True)
class RowLoss:
    """The loss of one row on each pair of cells, in units of the accountant: of epsilon under `basic`, of rho under
    `zcdp`.

    `values`, shape (m,): the coefficients less the least of them. `positions`: the same on a scale from 0 to
    `resolution`, rounded down where `slack` is 1. `nodes`: the loss at equal distances from 0 to the furthest. Between
    them it is interpolated: it is convex in the distance, so a chord lies above it.
    """

    values: NDArray[np.int64]
    positions: NDArray[np.int64]
    resolution: int
    slack: int
    nodes: NDArray[np.int64]

    @classmethod
    def of(cls, row: Row, accountant: Accountant) -> RowLoss:
        """The losses of `row` when all records of one unit change."""
        least = min(row.coefficients)
        width = max(row.coefficients) - least
        values = np.array([value - least for value in row.coefficients], dtype=np.int64)
        if width == 0:
            return cls(values, values, 1, 0, np.zeros(2, dtype=np.int64))
        exact = width <= _FINEST
        positions = (
            values if exact else np.array([value * _FINEST // width for value in values.tolist()], dtype=np.int64)
        )
        resolution = width if exact else _FINEST
        furthest = row.rate.value * row.span * row.records
        rho = accountant is Accountant.ZCDP
        nodes = _rho_nodes(furthest, min(resolution, _NODES)) if rho else (0, Epsilon.ceil(furthest).units)
        return cls(values, positions, resolution, 0 if exact else 1, np.array(nodes, dtype=np.int64))

    @property
    def largest(self) -> int:
        """The price of the row alone: its loss between the cells of its least and its largest coefficient."""
        return int(self.nodes[-1])

    def at(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """The losses between each two of these cells, shape (k, k)."""
        chosen = self.positions[cells]
        distance = np.abs(chosen[:, None] - chosen[None, :])
        if self.slack:
            values = self.values[cells]
            distance = np.minimum(distance + (values[:, None] != values[None, :]), self.resolution)
        node, rest = np.divmod(distance * (len(self.nodes) - 1), self.resolution)
        above = self.nodes[np.minimum(node + 1, len(self.nodes) - 1)]
        rise = (above - self.nodes[node]) * rest
        losses: NDArray[np.int64] = self.nodes[node] - (-rise // self.resolution)
        return losses


@lru_cache(maxsize=1024)
def _rho_nodes(furthest: Fraction, intervals: int) -> tuple[int, ...]:
    return tuple(rho_of_shift(furthest * i / intervals).units for i in range(intervals + 1))


class JointLoss:
    """The largest loss over pairs of cells of the rows added so far, and the plain sum of those that are charged one by
    one.

    Cells whose columns are the same in every row are one: only pairs of different columns are kept.
    """

    __slots__ = ("_class_of", "_plain", "_representatives", "_totals")

    def __init__(self, m: int) -> None:
        self._class_of = np.zeros(m, dtype=np.int64)
        self._representatives = np.zeros(1, dtype=np.int64)
        self._totals = np.zeros((1, 1), dtype=np.int64)
        self._plain = 0

    @property
    def units(self) -> int:
        """What all rows so far cost together."""
        return self.pairs + self._plain

    @property
    def columns(self) -> int:
        """How many different columns the rows have."""
        return len(self._representatives)

    @property
    def pairs(self) -> int:
        """What the rows that are told apart by pairs cost together."""
        return int(self._totals.max())

    def between(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """The losses so far between each two of these cells, shape (k, k)."""
        classes = self._class_of[cells]
        return self._totals[np.ix_(classes, classes)]

    def copy(self) -> JointLoss:
        """The same rows, to which others can be added."""
        other = JointLoss(0)
        other._class_of, other._representatives, other._totals = self._class_of, self._representatives, self._totals
        other._plain = self._plain
        return other

    def takes(self, loss: RowLoss) -> bool:
        """Whether the row leaves few enough different columns for its pairs to be told apart."""
        return bool(np.unique(self._refined(loss), axis=1).shape[1] <= MAX_COLUMNS)

    def add(self, loss: RowLoss, *, apart: bool) -> int:
        """Adds a row and returns by how much the cost of all rises. `apart`: charged by itself, as the pairs were
        too many when it was measured.
        """
        before = self.units
        if apart:
            self._plain += loss.largest
            return loss.largest
        _, first, class_of = np.unique(self._refined(loss), axis=1, return_index=True, return_inverse=True)
        old = self._class_of[first]
        self._class_of, self._representatives = class_of.reshape(-1).astype(np.int64), first.astype(np.int64)
        self._totals = self._totals[np.ix_(old, old)] + loss.at(self._representatives)
        return self.units - before

    def _refined(self, loss: RowLoss) -> NDArray[np.int64]:
        return np.stack((self._class_of, loss.values))


def joint_units(rows: list[RowLoss], m: int) -> int:
    """What these rows cost together and alone, in units: the largest sum over pairs, or the plain sum where the
    pairs are too many.
    """
    joint = JointLoss(m)
    for loss in rows:
        joint.add(loss, apart=not joint.takes(loss))
    return joint.units


def cost_of_units(accountant: Accountant, units: int) -> Cost:
    """These units as an amount of the accountant's only dimension that rows use."""
    return Cost(epsilon=Epsilon(units)) if accountant is Accountant.BASIC else Cost(rho=Rho(units))
