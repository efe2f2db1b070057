"""A payer: the rows already paid for by one budget or grant, which determine the cost of another row."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import JointLoss, Row, RowLoss
from core.privacy import Rate
from core.queries.estimator import Query


@dataclass(frozen=True, slots=True)
class Payer:
    """The losses of the rows already paid for on the data set, by pairs of cells.

    `max_standalone_cost`: limit on a row's own cost, in units, or None for no limit. `records`: the number of records
    per unit.
    """

    joint: JointLoss
    accountant: Accountant
    records: int = 1
    max_standalone_cost: int | None = None

    def loss(self, row: Query, rate: Rate) -> RowLoss:
        """Return the loss of a row at a rate on each pair of cells, if all records of one unit change."""
        return self._loss(row.measured_at(rate))

    def rise(self, loss: RowLoss) -> int:
        """Return by how much a row with this loss raises the joint cost."""
        joint = self.joint.copy()
        return joint.add(loss, apart=not joint.takes(loss))

    def after(self, row: Row) -> Payer:
        """Return the payer after this row has been paid for.

        The row's own cost is deducted from `max_standalone_cost`, which the rows of one request share.
        """
        loss, joint = self._loss(row), self.joint.copy()
        joint.add(loss, apart=not joint.takes(loss))
        left = None if self.max_standalone_cost is None else max(self.max_standalone_cost - loss.largest, 0)
        return Payer(joint, self.accountant, self.records, left)

    def _loss(self, row: Row) -> RowLoss:
        return RowLoss.of(replace(row, records=self.records), self.accountant)
