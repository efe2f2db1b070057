"""Routes of budgets and their ledgers, for owners only."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request, Response, status
from fastapi.responses import StreamingResponse
from sqlalchemy import Connection

from core.accounting.accountants import Accountant
from service import errors
from service.api.creation import CreationDependency
from service.api.dependencies import (
    REPLAYED,
    CallerDependency,
    IdempotencyKeyDependency,
    LedgerPageDependency,
    NameContains,
    OfBudgets,
    PageDependency,
    PathId,
    RuntimeDependency,
)
from service.database import costs
from service.datasets import budgets as use_case
from service.datasets import ledger_export
from service.identifiers.identifiers import now
from service.ledger import budget_changes as ledger
from service.ledger.chain import Head
from service.ledger.database_state import is_restore_pending
from service.ledger.restore.write_offs import write_off
from service.ledger.transfers import transfer
from service.principals import chain, quotas
from service.principals.auth import Caller
from service.principals.creations import Made
from service.reports.allowance import burn_rate
from service.runtime.runtime import Runtime
from service.schemas.allowance import BurnRate
from service.schemas.budgets import (
    Budget,
    BudgetChange,
    BudgetCreate,
    BudgetOwner,
    LedgerEntry,
    SignedHead,
    WriteOff,
    WriteOffCreate,
)
from service.schemas.model import Page, page_of
from service.schemas.principals import Role
from service.schemas.problems import OF_CHANGES, OF_CREATIONS, problems

router = APIRouter(prefix="/v1/budgets", tags=["budgets"])


def _text_response(media_type: str, description: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"description": description, "content": {media_type: {"schema": {"type": "string"}}}}}


@router.post(
    "",
    status_code=status.HTTP_201_CREATED,
    responses=problems(
        errors.RoleNotAllowed, errors.InvalidRequest, errors.NameTaken, errors.ObjectQuotaExceeded, *OF_CREATIONS
    ),
)
async def create_budget(
    body: Annotated[BudgetCreate, Body()],
    caller: CallerDependency,
    runtime: RuntimeDependency,
    creation: CreationDependency,
) -> Budget:
    """Open a budget. Data sets about the same people share one budget."""
    caller.require(Role.OWNER)
    with errors.error_location("body"):
        opening = use_case.terms(body)

    def make(connection: Connection) -> Made:
        quotas.check_budgets(connection, caller.principal_id, runtime.database.quotas.budgets)
        return Made(ledger.open_budget(connection, owner=caller, name=body.name, terms=opening))

    def answer(connection: Connection, made: Made) -> Budget:
        return use_case.read_budget(connection, caller, made.subject_id)

    return await creation.perform(runtime, caller, "budgets", body=body, make=make, answer=answer)


@router.get("", responses=problems())
async def list_budgets(
    caller: CallerDependency,
    runtime: RuntimeDependency,
    page: PageDependency,
    budget_id: OfBudgets,
    state: Annotated[
        use_case.BudgetListState | None,
        Query(description="`low`: only budgets whose `below_threshold` is true. `frozen`: only frozen budgets."),
    ] = None,
    name_contains: NameContains = None,
) -> Page[Budget]:
    """List your budgets."""
    with errors.error_location("query"):
        rows, stopped = await runtime.database.read(
            lambda c: (
                use_case.list_budgets(c, caller.principal_id, page, budget_id, state, name_contains),
                is_restore_pending(c),
            )
        )
    return page_of(
        rows, page.limit, partial(use_case.budget_response, restore_pending=stopped), lambda budget: budget.id
    )


@router.get("/{budget_id}", responses=problems(errors.NotFound))
async def get_budget(budget_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Budget:
    """Return a budget: its total, what is spent and what remains."""
    return await runtime.database.read(lambda c: use_case.read_budget(c, caller, budget_id))


@router.patch(
    "/{budget_id}",
    response_model=Budget,
    responses=problems(*OF_CHANGES, errors.KeyRequired, errors.InvalidRequest, errors.NameTaken)
    | {204: {"description": "An admin froze the budget."}},
)
async def change_budget(
    budget_id: PathId, body: BudgetChange, caller: CallerDependency, runtime: RuntimeDependency
) -> Budget | Response:
    """Raise, lower, freeze or restrict a budget. A total can't go below what is spent. The ledger records every change.
    A session's key can't raise or remove a limit, and can't unfreeze. During a recovery of the owner, only changes that
    lower limits or freeze are accepted.

    An admin may only freeze: `{"frozen": true}` answers 204 without a body, and nobody but the owner unfreezes.
    """
    if caller.role is Role.ADMIN and body.model_dump(exclude_unset=True) == {"frozen": True}:
        await runtime.database.write(lambda c: use_case.freeze_as_admin(c, caller, budget_id))
        return Response(status_code=status.HTTP_204_NO_CONTENT)
    caller.require(Role.OWNER)

    def work(connection: Connection) -> Budget:
        row = use_case.owned_budget(connection, caller, budget_id)
        with errors.error_location("body"):
            change = use_case.change_of(body, Accountant(row.accountant))
            ledger.change_budget(connection, budget_id, caller, change)
        return use_case.read_budget(connection, caller, budget_id)

    return await runtime.database.write(work)


@router.put(
    "/{budget_id}/owner",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(*OF_CHANGES, errors.KeyRequired, errors.InvalidRequest, errors.Conflict, errors.NameTaken),
)
async def transfer_budget(
    budget_id: PathId, body: BudgetOwner, caller: CallerDependency, runtime: RuntimeDependency
) -> Response:
    """Give the budget of an owner whose access has ended to another owner, with its data sets, grants and open access
    requests. Admins only. The admin reads nothing of it.

    An entry of the ledger names the admin, the former and the new owner. A name that the new owner uses already gets a
    number. Releases, receipts and counts stay as they are; nothing is refunded. A repeated request changes
    nothing.
    """
    caller.require(Role.ADMIN)
    caller.require_key()

    def work(connection: Connection) -> None:
        with errors.error_location("body"):
            transfer(connection, budget_id, caller, body.principal_id)
        chain.require_acting(connection, caller)  # after the budget, in the order of locks

    await runtime.database.write(work)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.get("/{budget_id}/ledger", responses=problems(errors.NotFound))
async def list_ledger(
    budget_id: PathId, caller: CallerDependency, runtime: RuntimeDependency, page: LedgerPageDependency
) -> Page[LedgerEntry]:
    """List the entries of a budget's ledger in order. Each entry contains the hash of the one before."""

    def work(connection: Connection) -> Page[LedgerEntry]:
        row = use_case.owned_budget(connection, caller, budget_id)
        rows = use_case.ledger_rows(connection, budget_id, after=page.after, limit=page.limit + 1)
        accountant = Accountant(row.accountant)
        return page_of(
            rows, page.limit, lambda entry: use_case.entry_response(entry, accountant), lambda entry: entry.sequence
        )

    return await runtime.database.read(work)


@router.post(
    "/{budget_id}/write-offs",
    status_code=status.HTTP_201_CREATED,
    responses=problems(errors.RoleNotAllowed, errors.NotFound, errors.InvalidRequest, *OF_CREATIONS),
)
async def create_write_off(
    budget_id: PathId,
    body: WriteOffCreate,
    request: Request,
    response: Response,
    idempotency_key: IdempotencyKeyDependency,
    caller: CallerDependency,
    runtime: RuntimeDependency,
) -> WriteOff:
    """Charge an amount that you state for releases that a restore may have lost. The charge is permanent."""
    caller.require(Role.OWNER)

    def work(connection: Connection) -> tuple[WriteOff, bool]:
        row = use_case.owned_budget(connection, caller, budget_id)
        with errors.error_location("body"):
            cost = costs.asked(Accountant(row.accountant), epsilon=body.epsilon, rho=body.rho, delta=body.delta)
            written_off = write_off(
                connection, budget_id, owner=caller, idempotency_key=idempotency_key, amount=cost, reason=body.reason
            )
        return use_case.write_off_response(written_off.entry, Accountant(row.accountant)), written_off.replayed

    written_off, replayed = await runtime.database.write(work)
    runtime.caches.reported_charges.add(request)
    if replayed:
        response.headers.update(REPLAYED)
    return written_off


@router.get("/{budget_id}/burn-rate", responses=problems(errors.NotFound))
async def get_burn_rate(budget_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> BurnRate:
    """Return a budget's rate of spending, the days that the remainder lasts at that rate, and the joint guarantee of
    the releases so far.
    """
    return await runtime.database.read(lambda c: burn_rate(c, use_case.owned_budget(c, caller, budget_id)))


@router.get("/{budget_id}/head", responses=problems(errors.NotFound))
async def get_head(budget_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> SignedHead:
    """Return the signed head of a budget's ledger: the number and hash of its latest entry. Keep heads as checkpoints:
    a ledger that is cut or rewritten later does not match them.
    """
    head, _ = await _head(budget_id, caller, runtime)
    return SignedHead.model_validate(runtime.database.keys.current.signer.head(head, now()))


@router.get(
    "/{budget_id}/ledger.csv",
    response_class=Response,
    responses=problems(errors.NotFound)
    | _text_response("text/csv", "A header line, then one entry per line. The column names state the units."),
)
async def export_ledger_csv(
    budget_id: PathId, caller: CallerDependency, runtime: RuntimeDependency
) -> StreamingResponse:
    """Export the whole ledger as CSV. Amounts are integers in the units of the column names. `private-posterior ledger
    verify` reads the file.
    """
    head, _ = await _head(budget_id, caller, runtime)
    return StreamingResponse(
        ledger_export.as_csv(runtime.database.read, head), media_type="text/csv", headers=_attachment(budget_id, "csv")
    )


@router.get(
    "/{budget_id}/ledger.jsonl",
    response_class=Response,
    responses=problems(errors.NotFound)
    | _text_response("application/jsonl", "One entry per line; the last line is the signed head."),
)
async def export_ledger_json_lines(
    budget_id: PathId, caller: CallerDependency, runtime: RuntimeDependency
) -> StreamingResponse:
    """Export the whole ledger as JSON lines, followed by its signed head. `private-posterior ledger verify` reads the
    file.
    """
    head, accountant = await _head(budget_id, caller, runtime)
    lines = ledger_export.as_json_lines(
        runtime.database.read, runtime.database.keys.current.signer.head, head, accountant
    )
    return StreamingResponse(lines, media_type="application/jsonl", headers=_attachment(budget_id, "jsonl"))


async def _head(budget_id: PathId, caller: Caller, runtime: Runtime) -> tuple[Head, Accountant]:
    row = await runtime.database.read(lambda c: use_case.owned_budget(c, caller, budget_id))
    return Head(row.id, row.sequence, row.head_hash), Accountant(row.accountant)


def _attachment(budget_id: str, suffix: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{budget_id}-ledger.{suffix}"'}
