"""Read which rows the payer of the next measurement has paid for on a data set, and the remaining amount:

- for the owner, all rows and the remainder of the budget
- for the holder of a grant, only the rows that the grant paid for and the remainder of the grant

A grant's holder sees the rows of others only if the owner shares the data set's history.
"""

from __future__ import annotations

import json
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, func, select

from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import JointLoss, RowLoss
from core.queries.payer import Payer
from service.database import costs
from service.database.rows import BudgetRow, DatasetRow, fetch_one
from service.database.tables import NOTHING_MEASURED, budgets, grants, query_charges
from service.datasets.caller_limits import caller_limits, may_measure
from service.ledger.joint_costs import read_rows
from service.ledger.query_debit import remaining_for_queries
from service.principals.auth import Caller
from service.releases import access as release_access

_MAX_CHARACTERS: Final = 4_000_000
_MAX_WORK: Final = 10**8
"""Limit of work, in rows times the square of columns: about a second."""

PayerFacts: TypeAlias = dict[str, Any]
"""Plain JSON with these members:

- `paid`: list of stored rows and of the flags that say which were charged by themselves; None if there are too many
- `left`: remaining amount in units
- `release_cap`: cap of one release in units, or None
- `measuring_allowed`: whether the budget allows measuring
"""


def read_payer(connection: Connection, caller: Caller, dataset: DatasetRow) -> PayerFacts:
    """Return the facts that determine the caller's next charge for rows, limited to those that the caller may see."""
    budget_row = fetch_one(connection, BudgetRow, select(budgets).where(budgets.c.id == dataset.budget_id))
    budget, grant = caller_limits(connection, caller, dataset, budget_row)
    dimension = costs.main_dimension(Accountant(dataset.accountant))
    cap = budget.release_cap
    return {
        "paid": _paid(connection, caller, dataset),
        "left": getattr(remaining_for_queries(budget, grant), dimension).units,
        "release_cap": None if cap is None else getattr(cap, dimension).units,
        "measuring_allowed": may_measure(connection, caller, dataset, budget, grant),
    }


def _paid(connection: Connection, caller: Caller, dataset: DatasetRow) -> list[tuple[str, str]] | None:
    of_payer = (query_charges.c.dataset_id == dataset.id) & (query_charges.c.measured != NOTHING_MEASURED)
    # If the history is shared, a grant is charged the same as the budget.
    if dataset.owner_id != caller.principal_id and not release_access.is_shared_with(connection, caller, dataset):
        held = select(grants.c.id).where(
            grants.c.dataset_id == dataset.id, grants.c.principal_id == caller.principal_id
        )
        of_payer &= query_charges.c.grant_id.in_(held)
    length = connection.execute(select(func.sum(func.length(query_charges.c.measured))).where(of_payer)).scalar()
    if length is not None and length > _MAX_CHARACTERS:
        return None
    rows = select(query_charges.c.measured, query_charges.c.apart).where(of_payer).order_by(query_charges.c.sequence)
    return [(measured, separate) for measured, separate in connection.execute(rows)]


def payer_of(facts: PayerFacts, dataset: DatasetRow) -> Payer | None:
    """Return the payer with the joint loss of the rows paid for, or None if there are too many rows."""
    if facts["paid"] is None:
        return None
    accountant = Accountant(dataset.accountant)
    joint, work = JointLoss(dataset.category_count), 0
    for measured, separate in facts["paid"]:
        for row, by_itself in zip(read_rows(measured), json.loads(separate), strict=True):
            work += (joint.columns + 1) ** 2
            if work > _MAX_WORK:
                return None
            joint.add(RowLoss.of(row, accountant), apart=by_itself)
    return Payer(joint, accountant, dataset.records_per_unit, facts["release_cap"])
