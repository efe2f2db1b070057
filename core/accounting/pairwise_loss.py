"""Prices noisy answers to linear queries: the loss of each pair of cells is summed over rows, and the largest sum is
the cost.

A row h over the cells is answered with Laplace noise of scale 1/a on h·c. An analyst chooses each
row and rate after seeing all earlier answers. Fix neighbours c and c' = c − e_i + e_k.

Theorem. Let a transcript have rows h_1, h_2, … at rates a_1, a_2, …, chosen in any way. The log ratio of its two
distributions is at most T_ik = Σ_j a_j |h_ji − h_jk|. If every row that would raise max over i ≠ k of T_ik above ε is
refused, the whole interaction is ε-differentially private under `replace_one`.

*Proof.* Given the transcript so far, row j and its rate are the same under c and c' (the choice is a function of the
transcript and of coins that do not depend on the counts), and the ratio of the densities of answer j is at most e^{a_j
|h_j·c − h_j·c'|} = e^{a_j |h_ji − h_jk|} everywhere. The ratio of the distributions of the transcript is the product of
these, so it is at most e^{T_ik}, where T_ik is itself a function of the transcript. The stopping rule keeps T_ik at
most ε on every transcript, because it checks all pairs. So the ratio is at most e^ε everywhere. ∎

The maximum is over *all* pairs. Which cells are empty is private: a maximum over pairs with c_i ≥ 1 would disclose it,
and so would a refusal that depends on it.

If the number of records is private (`add_remove`), neighbours are c and c ± e_i. The loss on cell i is at most T_i =
Σ_j a_j |h_ji|, and the cost is the largest T_i. A constant row costs too.

Under `zcdp` a row adds to each pair the rho of Laplace noise shifted by x = a |h_i − h_k| scales: x − 1 + e^−x
(Harrison and Manurangsi, arXiv 2510.25746). On a grid of step h scales it is x − (h / sinh h)(1 − e^−x).
For a fixed pair these are conditional Rényi bounds, which add up under adaptivity if their sum is kept below a limit
(Whitehouse, Ramdas, Rogers and Wu 2023, theorem 1). For k moves the price is convex in x: Σ_j rho_j(Σ_s x_js) <= (1/k)
Σ_s Σ_j rho_j(k x_js) <= max over pairs of Σ_j rho_j(k x_j).

With delta. Let other releases between the rows be (epsilon_j, delta_j)-DP. For the fixed pair, and given the
transcript before release j, let P_j, Q_j be its distributions under c and c', and P_j⁰ = min(P_j, e^(epsilon_j) Q_j)
pointwise. P_j − P_j⁰ has a mass of at most delta_j. By induction over the transcript, the product of the P_j⁰ and of
the rows' distributions is at most e^(T_ik + Σ epsilon_j) times the distribution under c', and differs from that under
c by at most Σ delta_j in mass. So the interaction is (max T + Σ epsilon_j, Σ delta_j)-DP.

Several data sets on one budget. A person may be in each, with another pair in each, and nothing is known about how the
pairs are related. So the cost of a budget is the sum over its data sets of their max T, plus the sum over releases.
Several records per person: c and c' differ by up to k moves, so the ratio is at most the product over moves, k max T.

Cost of a row. It is the rise of the maximum, depends on the earlier rows and may be 0. Four rows, one for each of four
cells, at rate 0.3 cost 0.3, 0.3, 0 and 0. If a restore forgot the last two, and they were booked again at 0 and
answered again, the ledger would show 0.6 and the true cost would be 1.2. So a forgotten row is booked at its
standalone cost, a (max h − min h), added to the sum. Above MAX_COLUMNS columns T_ik is bounded by the max T of the
others plus that cost.

All amounts are integers of the accountant's unit, rounded up, and equal on every machine. Anybody can recompute a
ledger to the last unit.
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
from core.privacy import Epsilon, NeighbourRelation, Rate, Rho

COARSEST_GRID: Final = Fraction(1, 2**20)
"""Largest step of a noise grid, in scales of the noise."""
MAX_COLUMNS: Final = 1_000
"""Largest number of distinct columns whose pairs are tracked; rows beyond are charged separately."""

_FINEST: Final = 2**20
_NODES: Final = 256
_ARITHMETIC: Final = Context(prec=60, rounding=ROUND_HALF_EVEN, Emin=-999_999, Emax=999_999)


@dataclass(frozen=True, slots=True)
class Row:
    """The row h = coefficients / denominator, shape (m,), answered with Laplace noise of scale 1 / rate.

    One unit has at most `records` = k records. Changing k records loses at most k times as much as the worst pair of
    cells, and shifts the noise by at most k times as much. rho is convex in the shift, so k changes on the worst pair
    cost most. Under `add_remove` the same holds for k records that are added to the worst cell.
    """

    coefficients: tuple[int, ...]
    denominator: int
    rate: Rate
    records: int = 1
    relation: NeighbourRelation = NeighbourRelation.REPLACE_ONE

    @property
    def changes(self) -> tuple[int, ...]:
        """Return a number >= 0 for each cell, in units of 1 / denominator. The answer changes by the difference of two
        of them if a record is replaced (h − min h), and by one of them if it is added or removed (|h|).
        """
        if self.relation is NeighbourRelation.ADD_REMOVE:
            return tuple(map(abs, self.coefficients))
        least = min(self.coefficients)
        return tuple(value - least for value in self.coefficients)

    @property
    def span(self) -> Fraction:
        """Return the largest change of the answer by one record."""
        return Fraction(max(self.changes), self.denominator)


def rho_of_shift(scales: Fraction, step: Fraction = COARSEST_GRID) -> Rho:
    """Return the rho of discrete Laplace noise that is shifted by `scales` times its scale, rounded up.

    The noise lies on a grid of `step` scales, and the shift is a multiple of the step. With x = `scales` and h =
    `step`,

        rho = x − (h / sinh h)(1 − e^−x), the Kullback-Leibler divergence.

    Proof that no order a needs a larger rho. With w = a − 1/2, u = w², x = k h and q = e^−h, the sum Σ P^a Q^(1−a) is
    e^(−x/2) (A_k(wh) − q A_(k−2)(wh)) / (1 + q), A_k(t) = sinh((k+1) t) / sinh t. So D_a / a = F(u) / (u − 1/4) with F
    its logarithm and F(1/4) = 0. In y = cosh t the difference is U_k − q U_(k−2) = 2 y U_(k−1) − (1 + q) U_(k−2), the
    characteristic polynomial of a Jacobi matrix. Its zeros are real and, as its last entry is at most that of T_k (q =
    1), lie within (−1, 1). A factor cosh t − cos φ is a constant times Π (1 + t² / (φ + 2πl)²) over all integers l. So
    F is a sum of ln(1 + u / r²), which is concave. Its chord from 1/4 is steepest as u → 1/4, which is order 1.

    rho increases with the step, by at most h² / 6, and is convex in x. Source: Harrison and Manurangsi for the
    continuous distribution, h → 0.
    """
    if scales < 0 or step <= 0:
        raise ValueError("a shift must not be negative, and the step must be positive")
    with localcontext(_ARITHMETIC):
        x = _decimal(scales)
        rho = x - _h_over_sinh(step) * (1 - (-x).exp())
        return Rho.ceil(max(rho, Decimal(0)) + (Decimal("1e-30") if scales else 0))


@lru_cache(maxsize=4)
def _h_over_sinh(step: Fraction) -> Decimal:
    """Return h / sinh h for h = `step`. Requires the decimal context `_ARITHMETIC`."""
    h = _decimal(step)
    return 2 * h / (h.exp() - (-h).exp())


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


@dataclass(frozen=True, slots=True)
class RowLoss:
    """The loss of one row on each pair of cells, in units of epsilon under `basic` and of rho under `zcdp`.

    `values`, shape (m,): the row's `changes`. `positions`: the same, scaled to integers from 0 to
    `resolution`, rounded down if `slack` is 1. `nodes`: the loss at equidistant distances from 0 to the largest.
    Between nodes it is interpolated upward: the loss is convex in the distance, so a chord lies above it. `alone`: the
    loss is one of each cell, whatever the other cell of the pair.
    """

    values: NDArray[np.int64]
    positions: NDArray[np.int64]
    resolution: int
    slack: int
    nodes: NDArray[np.int64]
    alone: bool

    @classmethod
    def of(cls, row: Row, accountant: Accountant) -> RowLoss:
        """Return the loss of `row` on each pair of cells if all records of one unit change."""
        values, alone = np.array(row.changes, dtype=np.int64), row.relation is NeighbourRelation.ADD_REMOVE
        width = int(values.max())
        if width == 0:
            return cls(values, values, 1, 0, np.zeros(2, dtype=np.int64), alone)
        exact = width <= _FINEST
        positions = (
            values if exact else np.array([value * _FINEST // width for value in values.tolist()], dtype=np.int64)
        )
        resolution = width if exact else _FINEST
        furthest = row.rate.value * row.span * row.records
        rho = accountant is Accountant.ZCDP
        nodes = _rho_nodes(furthest, min(resolution, _NODES)) if rho else (0, Epsilon.ceil(furthest).units)
        return cls(values, positions, resolution, 0 if exact else 1, np.array(nodes, dtype=np.int64), alone)

    @property
    def largest(self) -> int:
        """Return the row's standalone cost, its loss at its span."""
        return int(self.nodes[-1])

    def at(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the losses between each pair of these cells, shape (k, k)."""
        chosen, values = self.positions[cells], self.values[cells]
        other = np.zeros_like(chosen) if self.alone else chosen
        distance = np.abs(chosen[:, None] - other[None, :])
        if self.slack:
            differs = values[:, None] != (other if self.alone else values)[None, :]
            distance = np.minimum(distance + differs, self.resolution)
        node, rest = np.divmod(distance * (len(self.nodes) - 1), self.resolution)
        above = self.nodes[np.minimum(node + 1, len(self.nodes) - 1)]
        rise = (above - self.nodes[node]) * rest
        losses: NDArray[np.int64] = self.nodes[node] - (-rise // self.resolution)
        return losses


@lru_cache(maxsize=1024)
def _rho_nodes(furthest: Fraction, intervals: int) -> tuple[int, ...]:
    return tuple(rho_of_shift(furthest * i / intervals).units for i in range(intervals + 1))


class JointLoss:
    """The largest loss over pairs of cells of the rows so far, and the plain sum of the rows that are charged
    separately.

    Cells with equal columns in every row form one class, and losses are kept by pairs of classes.
    """

    __slots__ = ("_class_of", "_plain_size", "_representatives", "_totals")

    def __init__(self, m: int) -> None:
        self._class_of = np.zeros(m, dtype=np.int64)
        self._representatives = np.zeros(1, dtype=np.int64)
        self._totals = np.zeros((1, 1), dtype=np.int64)
        self._plain_size = 0

    @property
    def units(self) -> int:
        """Return the joint cost of all rows so far."""
        return self.pairs + self._plain_size

    @property
    def columns(self) -> int:
        """Return the number of distinct columns of the rows."""
        return len(self._representatives)

    @property
    def pairs(self) -> int:
        """Return the largest joint loss over pairs of cells, without rows that are charged their standalone cost."""
        return int(self._totals.max())

    def between(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the losses so far between each pair of these cells, shape (k, k)."""
        classes = self._class_of[cells]
        return self._totals[np.ix_(classes, classes)]

    def copy(self) -> JointLoss:
        """Return a copy to which rows can be added."""
        other = JointLoss(0)
        other._class_of, other._representatives, other._totals = self._class_of, self._representatives, self._totals
        other._plain_size = self._plain_size
        return other

    def takes(self, loss: RowLoss) -> bool:
        """Return whether the rows and this one have few enough distinct columns to be tracked by pairs."""
        return bool(np.unique(self._refine_classes(loss), axis=1).shape[1] <= MAX_COLUMNS)

    def add(self, loss: RowLoss, *, apart: bool) -> int:
        """Add a row and return the increase of the joint cost.

        `apart` charges the row separately, because there were too many pairs when it was measured.
        """
        before = self.units
        if apart:
            self._plain_size += loss.largest
            return loss.largest
        _, first, class_of = np.unique(self._refine_classes(loss), axis=1, return_index=True, return_inverse=True)
        old = self._class_of[first]
        self._class_of, self._representatives = class_of.reshape(-1).astype(np.int64), first.astype(np.int64)
        self._totals = self._totals[np.ix_(old, old)] + loss.at(self._representatives)
        return self.units - before

    def _refine_classes(self, loss: RowLoss) -> NDArray[np.int64]:
        return np.stack((self._class_of, loss.values))


def joint_units(rows: list[RowLoss], m: int) -> int:
    """Return the joint cost of these rows alone, in units.

    A row that would make too many pairs is charged separately.
    """
    joint = JointLoss(m)
    for loss in rows:
        joint.add(loss, apart=not joint.takes(loss))
    return joint.units


def cost_of_units(accountant: Accountant, units: int) -> Cost:
    """Return these units as a cost, in the one dimension of the accountant that rows use."""
    return Cost(epsilon=Epsilon(units)) if accountant is Accountant.BASIC else Cost(rho=Rho(units))
