"""Reads how a caller stands with a data set: the budget and the grant that its next charge would be decided on."""

from __future__ import annotations

from sqlalchemy import Connection, select

from service.auth import Caller
from service.database.rows import BudgetRow, DatasetRow, GrantRow, fetch_one
from service.database.tables import grants
from service.ledger.decision import BudgetState, GrantState
from service.ledger.locked import budget_state, grant_state
from service.ledger.standstill import is_stopped


def standing(
    connection: Connection, caller: Caller, dataset: DatasetRow, budget_row: BudgetRow
) -> tuple[BudgetState, GrantState | None]:
    """The facts that a charge by this caller would be decided on now; None in place of the grant for the owner."""
    budget = budget_state(budget_row, stopped=is_stopped(connection))
    if dataset.owner_id == caller.principal_id:
        return budget, None
    held = select(grants).where(grants.c.dataset_id == dataset.id, grants.c.principal_id == caller.principal_id)
    return budget, grant_state(fetch_one(connection, GrantRow, held))
