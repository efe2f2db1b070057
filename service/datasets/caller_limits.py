"""Read the budget and grant that decide a caller's next charge on a data set."""

from __future__ import annotations

from sqlalchemy import Connection, select

from core.accounting.accountants import NOTHING
from service.database.rows import BudgetRow, DatasetRow, GrantRow, PrincipalRow, fetch_all, fetch_one
from service.database.tables import grants, principals
from service.identifiers.identifiers import now
from service.ledger.decision import Accepted, BudgetState, Charge, GrantState, State, decide
from service.ledger.freeze import is_restore_pending
from service.ledger.query_debit import MEASURING, visible_to_caller
from service.ledger.row_locks import budget_state, grant_state
from service.principals.auth import Caller, is_frozen, is_unavailable


def caller_limits(
    connection: Connection, caller: Caller, dataset: DatasetRow, budget_row: BudgetRow
) -> tuple[BudgetState, GrantState | None]:
    """Return the budget and grant that determine a charge by this caller, limited to what the caller may see.

    The grant is None for the owner.
    """
    budget = budget_state(budget_row, restore_pending=is_restore_pending(connection))
    if dataset.owner_id == caller.principal_id:
        return budget, None
    held = select(grants).where(grants.c.dataset_id == dataset.id, grants.c.principal_id == caller.principal_id)
    grant = grant_state(fetch_one(connection, GrantRow, held))
    return visible_to_caller(connection, dataset.budget_id, budget, grant), grant


def asked_by(
    connection: Connection, caller: Caller, dataset: DatasetRow, budget: BudgetState, grant: GrantState | None
) -> State:
    """Return the state that determines a charge by this caller: budget, grant, and the states of caller and owner."""
    query = select(principals).where(principals.c.id.in_({caller.principal_id, dataset.owner_id}))
    people = {row.id: row for row in fetch_all(connection, PrincipalRow, query)}
    owner = people.get(dataset.owner_id)  # None if somebody altered the row
    return State(
        budget,
        grant,
        dataset_deleted=False,
        principal_revoked=False,
        principal_frozen=is_frozen(people[caller.principal_id].frozen_until),
        owner_unavailable=owner is None or is_unavailable(owner),
    )


def may_measure(
    connection: Connection, caller: Caller, dataset: DatasetRow, budget: BudgetState, grant: GrantState | None
) -> bool:
    """Return whether the caller may measure rows for queries now, if they cost nothing."""
    free = Charge(NOTHING, MEASURING, now())
    return isinstance(decide(asked_by(connection, caller, dataset, budget, grant), free), Accepted)
