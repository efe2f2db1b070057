"""Budgets and their ledgers. Owners only."""

from __future__ import annotations

from fastapi import APIRouter, status
from sqlalchemy import Connection

from core.accounting import Accountant
from service import budgets as use_case
from service import ledger
from service.auth import Role
from service.errors import InvalidRequest, NameTaken, NotFound, RoleNotAllowed
from service.routers.dependencies import CallerDependency, LedgerPageDependency, PageDependency, PathId, RuntimeDependency
from service.schemas.budgets import Budget, BudgetChange, BudgetCreate, LedgerEntry
from service.schemas.model import Page
from service.schemas.problems import problems

router = APIRouter(prefix="/v1/budgets", tags=["budgets"])


@router.post("", status_code=status.HTTP_201_CREATED, responses=problems(RoleNotAllowed, InvalidRequest, NameTaken))
async def create_budget(body: BudgetCreate, caller: CallerDependency, runtime: RuntimeDependency) -> Budget:
    """Opens a budget that data sets about the same people draw on together."""
    caller.require(Role.OWNER)
    allowance = use_case.allowance(body)

    def work(connection: Connection) -> Budget:
        budget_id = ledger.open_budget(connection, owner_id=caller.principal_id, name=body.name, allowance=allowance)
        return use_case.budget_response(use_case.owned_budget(connection, caller, budget_id))

    return await runtime.write(work)


@router.get("", responses=problems())
async def list_budgets(caller: CallerDependency, runtime: RuntimeDependency, page: PageDependency) -> Page[Budget]:
    """Your budgets."""
    rows = await runtime.read(lambda c: use_case.list_budgets(c, caller, after=page.cursor, limit=page.limit + 1))
    items = [use_case.budget_response(row) for row in rows[: page.limit]]
    return Page(items=items, next_cursor=items[-1].id if len(rows) > page.limit else None)


@router.get("/{budget_id}", responses=problems(NotFound))
async def get_budget(budget_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Budget:
    """A budget: what it allows, what is spent, what remains."""
    return await runtime.read(lambda c: use_case.budget_response(use_case.owned_budget(c, caller, budget_id)))


@router.patch("/{budget_id}", responses=problems(RoleNotAllowed, NotFound, InvalidRequest, NameTaken))
async def change_budget(budget_id: PathId, body: BudgetChange, caller: CallerDependency, runtime: RuntimeDependency) -> Budget:
    """Raises, lowers, freezes or restricts a budget. A total can't go below what is spent. Every change is an entry in the ledger."""
    caller.require(Role.OWNER)

    def work(connection: Connection) -> Budget:
        row = use_case.owned_budget(connection, caller, budget_id)
        change = use_case.change_of(body, Accountant(row.accountant))
        ledger.change_budget(connection, budget_id, caller.principal_id, change)
        return use_case.budget_response(use_case.owned_budget(connection, caller, budget_id))

    return await runtime.write(work)


@router.get("/{budget_id}/ledger", responses=problems(NotFound))
async def list_ledger(
    budget_id: PathId, caller: CallerDependency, runtime: RuntimeDependency, page: LedgerPageDependency
) -> Page[LedgerEntry]:
    """Everything that happened to a budget, in order, each entry chained to the one before by its hash."""

    def work(connection: Connection) -> Page[LedgerEntry]:
        row = use_case.owned_budget(connection, caller, budget_id)
        rows = use_case.ledger_rows(connection, budget_id, after=page.after, limit=page.limit + 1)
        items = [use_case.entry_response(entry, Accountant(row.accountant)) for entry in rows[: page.limit]]
        return Page(items=items, next_cursor=str(items[-1].sequence) if len(rows) > page.limit else None)

    return await runtime.read(work)
