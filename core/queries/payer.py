"""Holds what whoever pays for measured rows has paid for already: it decides what another row costs."""

from __future__ import annotations

from dataclasses import dataclass

from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import JointLoss, Row, RowLoss
from core.privacy import Rate
from core.queries.estimator import Query


@dataclass(frozen=True, slots=True)
class Payer:
    """What whoever pays has paid for on the data set: the losses of these rows by pairs of cells.

    `most_alone`: what a row may cost by itself, in units; None: whatever it costs. `records`: of one unit.
    """

    joint: JointLoss
    accountant: Accountant
    records: int = 1
    max_standalone_cost: int | None = None

    def loss(self, row: Query, rate: Rate) -> RowLoss:
        """The losses of a row at a rate, of all records of one unit."""
        return self._loss(row.measured_at(rate))

    def rise(self, loss: RowLoss) -> int:
        """By how much a row raises what all together cost."""
        joint = self.joint.copy()
        return joint.add(loss, apart=not joint.takes(loss))

    def after(self, row: Row) -> Payer:
        """The payer of a request that measures this row too: what rows may cost by themselves, they may together."""
        loss, joint = self._loss(row), self.joint.copy()
        joint.add(loss, apart=not joint.takes(loss))
        left = None if self.max_standalone_cost is None else max(self.max_standalone_cost - loss.largest, 0)
        return Payer(joint, self.accountant, self.records, left)

    def _loss(self, row: Row) -> RowLoss:
        return RowLoss.of(Row(row.coefficients, row.denominator, row.rate, self.records), self.accountant)
