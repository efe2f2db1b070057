"""Faults of a ledger that prices measured queries too low. The audit of queries has to catch them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select

from core.accounting.accountants import Accountant, Cost
from core.accounting.pairwise_loss import RowLoss
from core.privacy import Epsilon
from service.database.tables import datasets, query_charges
from service.datasets import counts as stored_counts
from service.datasets.cipher import KeyRing
from service.ledger.counts_binding import CountsBinding
from service.ledger.joint_costs import JointCosts, Prepared, Price, Totals
from service.ledger.query_debit import BatchPrices, Priced, QueryDebit
from service.ledger.receipts import Receipt

Patch = Callable[[Any, str, Any], None]


def plant(variant: str, patch: Patch = setattr) -> None:
    """Breaks the ledger of this process in one way; `patch` sets an attribute."""
    match variant:
        case "pairs_of_non_empty_cells":
            _look_at_non_empty_cells_only(patch)
        case "max_over_data_sets":
            _charge_the_dearest_data_set_only(patch)
        case "rises_booked_at_restore":
            _state_the_rise_on_receipts(patch)
        case _:
            assert variant == "sound"


def _look_at_non_empty_cells_only(patch: Patch) -> None:
    """Pairs with an empty cell are left out, as if no record could be there. A neighbour has one there."""
    filled: dict[str, NDArray[np.int64]] = {}
    now = local()
    store, price, prepare, add = stored_counts.store, BatchPrices.price, JointCosts.prepare, Totals.add

    def note_and_store(connection: Connection, counts: Sequence[int], binding: CountsBinding, ring: KeyRing) -> None:
        filled[binding.dataset_id] = np.flatnonzero(counts)
        store(connection, counts, binding, ring)

    def price_of(
        prices: BatchPrices, query: QueryDebit, accountant: Accountant, dataset_id: str, grant_id: str | None
    ) -> Priced | None:
        now.filled = filled[dataset_id]
        return price(prices, query, accountant, dataset_id, grant_id)

    def prepare_of(
        joint_costs: JointCosts, connection: Connection, dataset_id: str, *rest: Any, **named: Any
    ) -> Prepared:
        now.filled = filled[dataset_id]
        return prepare(joint_costs, connection, dataset_id, *rest, **named)

    def without_empty(loss: RowLoss) -> RowLoss:
        # An empty cell is taken for the first that is none.
        cells = np.full(len(loss.values), now.filled[0])
        cells[now.filled] = now.filled
        return replace(loss, values=loss.values[cells], positions=loss.positions[cells])

    def add_without(totals: Totals, losses: Sequence[RowLoss], *rest: Any, **named: Any) -> Price:
        return add(totals, [without_empty(loss) for loss in losses], *rest, **named)

    patch(stored_counts, "store", note_and_store)
    patch(BatchPrices, "price", price_of)
    patch(JointCosts, "prepare", prepare_of)
    patch(Totals, "add", add_without)


def _charge_the_dearest_data_set_only(patch: Patch) -> None:
    """Charge only the most expensive data set of a budget, as if no person were in two of them."""
    price = BatchPrices.price

    def dearest(
        prices: BatchPrices, query: QueryDebit, accountant: Accountant, dataset_id: str, grant_id: str | None
    ) -> Priced | None:
        priced = price(prices, query, accountant, dataset_id, grant_id)
        if priced is None or priced.totals is None:
            return priced
        connection = prices._connection
        budget_id = select(datasets.c.budget_id).where(datasets.c.id == dataset_id).scalar_subquery()
        wanted = select(query_charges.c.dataset_id).distinct().where(query_charges.c.budget_id == budget_id)
        others = [
            prices._joint_costs.caught_up(connection, each, accountant, priced.totals.m).all.units
            for each in connection.execute(wanted).scalars()
            if each != dataset_id
        ]
        after, rise = priced.totals.all.units, priced.price.cost.epsilon.units
        cost = Cost(epsilon=Epsilon(max(after - max(after - rise, *others, 0), 0)))
        return replace(priced, price=replace(priced.price, cost=cost))

    patch(BatchPrices, "price", dearest)


def _state_the_rise_on_receipts(patch: Patch) -> None:
    """A receipt states the rise, which depends on rows that a restore may forget too."""
    of = Receipt.of

    def of_rise(entry: Any, *rest: Any) -> Receipt:
        return replace(of(entry, *rest), epsilon_units=entry.amount.epsilon.units)

    patch(Receipt, "of", of_rise)
