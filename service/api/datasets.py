"""Routes of data sets and of grants on them."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response, status
from fastapi.responses import PlainTextResponse
from sqlalchemy import Connection

from service import errors
from service.api.creation import CreationDependency
from service.api.dependencies import (
    CallerDependency,
    LedgerPageDependency,
    NameContains,
    OfBudgets,
    OfDataset,
    OfPrincipal,
    PageDependency,
    PathId,
    RuntimeDependency,
)
from service.datasets import datasets as use_case
from service.datasets import grants as grant_use_case
from service.datasets import public_facts
from service.principals.auth import require_confirmed
from service.principals.creations import Made
from service.reports import allowance
from service.reports import dataset_statement as statements
from service.reports.registry_entry import registry_entry
from service.reports.statement_text import whole_text
from service.schemas.allowance import Allowance
from service.schemas.datasets import (
    Dataset,
    DatasetChange,
    DatasetCreate,
    Grant,
    GrantChange,
    GrantCreate,
)
from service.schemas.model import Id, Page, page_of
from service.schemas.principals import Role
from service.schemas.problems import OF_CHANGES, OF_CREATIONS, problems
from service.schemas.statements import Statement

router = APIRouter(prefix="/v1")
_STATED_RELEASES: Final = 1000
"""Releases that the text of a statement lists."""


@router.post(
    "/datasets",
    status_code=status.HTTP_201_CREATED,
    tags=["datasets"],
    responses=problems(
        errors.RoleNotAllowed,
        errors.NotFound,
        errors.NameTaken,
        errors.InvalidRequest,
        errors.ObjectQuotaExceeded,
        errors.StorageQuotaExceeded,
        *OF_CREATIONS,
    ),
)
async def create_dataset(
    body: DatasetCreate, caller: CallerDependency, runtime: RuntimeDependency, creation: CreationDependency
) -> Dataset:
    """Register a histogram, on a new budget or on one of yours. The API never returns the counts. Keep the nonce."""
    caller.require(Role.OWNER)
    with errors.error_location("body"):
        described = await asyncio.to_thread(use_case.histogram, body)  # a large one would hold the event loop

    def make(connection: Connection) -> Made:
        with errors.error_location("body"):
            registered = use_case.register(
                connection, caller, body, described, runtime.database.keys.current.ring, runtime.database.quotas
            )
        return Made(registered.dataset_id, registered.nonce)

    def answer(connection: Connection, made: Made) -> Dataset:
        return public_facts.read_registered(connection, caller, made.subject_id, made.secret)

    return await creation.perform(runtime, caller, "datasets", body=body, make=make, answer=answer)


@router.get("/datasets", tags=["datasets"], responses=problems())
async def list_datasets(
    caller: CallerDependency,
    runtime: RuntimeDependency,
    page: PageDependency,
    *,
    deleted: Annotated[
        bool, Query(description="List only the data sets of yours that you deleted. Each still has a statement.")
    ] = False,
    budget_id: OfBudgets,
    name_contains: NameContains = None,
) -> Page[Dataset]:
    """List the data sets that you own or have a grant on."""

    def work(connection: Connection) -> Page[Dataset]:
        rows = public_facts.list_visible(
            connection, caller, page, deleted=deleted, budget_ids=budget_id, part_of_name=name_contains
        )
        names = public_facts.owner_names(connection, rows)
        return page_of(
            rows,
            page.limit,
            lambda row: public_facts.dataset_response(row, names.get(row.owner_id)),
            lambda row: row.id,
        )

    with errors.error_location("query"):
        return await runtime.database.read(work)


@router.get("/datasets/{dataset_id}", tags=["datasets"], responses=problems(errors.NotFound))
async def get_dataset(dataset_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Dataset:
    """Return the public facts about a data set."""
    return await runtime.database.read(lambda c: public_facts.read_dataset(c, caller, dataset_id))


@router.get("/datasets/{dataset_id}/allowance", tags=["datasets"], responses=problems(errors.NotFound))
async def get_allowance(
    dataset_id: PathId,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    more_like: Annotated[
        Id | None, Query(description=("Id of a release: also return the number of further releases at its cost."))
    ] = None,
) -> Allowance:
    """Return the largest release of each mechanism that cap, grant and budget still allow. Free."""
    facts = await runtime.database.read(lambda c: allowance.read_facts(c, caller, dataset_id, more_like))
    return await asyncio.to_thread(allowance.compute_allowance, facts)


@router.get("/datasets/{dataset_id}/statement", tags=["datasets"], responses=problems(errors.NotFound))
async def get_statement(
    dataset_id: PathId, caller: CallerDependency, runtime: RuntimeDependency, page: LedgerPageDependency
) -> Statement:
    """Report the guarantee to the people in a data set and what was spent, in figures and in plain words. Deleted data
    sets have a statement too.
    """
    return await runtime.database.read(
        lambda c: statements.get_statement(c, caller, dataset_id, after=page.after, limit=page.limit)
    )


@router.get(
    "/datasets/{dataset_id}/statement.txt",
    tags=["datasets"],
    response_class=PlainTextResponse,
    responses=problems(errors.NotFound),
)
async def get_statement_in_words(
    dataset_id: PathId, caller: CallerDependency, runtime: RuntimeDependency
) -> PlainTextResponse:
    """Return the statement of a data set in plain words, as text."""
    statement = await runtime.database.read(
        lambda c: statements.get_statement(c, caller, dataset_id, after=0, limit=_STATED_RELEASES)
    )
    return PlainTextResponse(whole_text(statement))


@router.get(
    "/datasets/{dataset_id}/statement.yaml",
    tags=["datasets"],
    response_class=PlainTextResponse,
    responses=problems(errors.NotFound),
)
async def get_registry_entry(
    dataset_id: PathId, caller: CallerDependency, runtime: RuntimeDependency
) -> PlainTextResponse:
    """Return an entry for the Differential Privacy Deployments Registry as YAML, by its schema at the commit that the
    text names: what the ledger knows is filled in, and what only you know is marked. Its status is Draft. Nothing is
    sent.
    """
    return PlainTextResponse(await runtime.database.read(lambda c: registry_entry(c, caller, dataset_id)))


@router.patch(
    "/datasets/{dataset_id}",
    tags=["datasets"],
    responses=problems(
        *OF_CHANGES,
        errors.KeyRequired,
        errors.NameTaken,
        errors.Conflict,
        errors.InvalidRequest,
        errors.StorageQuotaExceeded,
        *OF_CREATIONS,
    ),
)
async def change_dataset(
    dataset_id: PathId,
    body: DatasetChange,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    creation: CreationDependency,
) -> Dataset:
    """Rename a data set, list it for all analysts, share its history or replace its table. Counts, and labels or
    attributes with them, can be replaced only while nothing was released from the data set. New counts have a new
    nonce. Counts and a shared history need your own key.
    """
    caller.require(Role.OWNER)
    if body.counts is not None or body.named_counts is not None or body.history_shared:
        caller.require_key()

    most_bytes = runtime.database.quotas.budget_bytes

    def make(connection: Connection) -> Made:
        ring = runtime.database.keys.current.ring
        with errors.error_location("body"):
            return Made(dataset_id, use_case.change(connection, caller, dataset_id, body, ring, most_bytes))

    def answer(connection: Connection, made: Made) -> Dataset:
        row = public_facts.owned(connection, caller, dataset_id)
        return public_facts.changed_response(connection, row, made.secret)

    changed = await creation.perform(runtime, caller, "datasets", dataset_id, body=body, make=make, answer=answer)
    if changed.nonce is not None:
        await runtime.database.truncate_log()
    return changed


@router.delete(
    "/datasets/{dataset_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    tags=["datasets"],
    responses=problems(*OF_CHANGES, errors.KeyRequired),
)
async def delete_dataset(dataset_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Response:
    """Destroy the counts. The ledger and the releases stay, and what they spent is not refunded."""
    caller.require(Role.OWNER)
    caller.require_key()
    await runtime.database.write(lambda c: use_case.destroy(c, caller, dataset_id))
    await runtime.database.truncate_log()
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.post(
    "/datasets/{dataset_id}/grants",
    status_code=status.HTTP_201_CREATED,
    tags=["grants"],
    responses=problems(
        errors.RoleNotAllowed,
        errors.KeyRequired,
        errors.NotFound,
        errors.Conflict,
        errors.InvalidRequest,
        errors.ObjectQuotaExceeded,
        *OF_CREATIONS,
    ),
)
async def create_grant(
    dataset_id: PathId,
    body: GrantCreate,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    creation: CreationDependency,
) -> Grant:
    """Allow an analyst to spend up to a cap of the budget on this data set. A session needs a confirmation."""
    caller.require(Role.OWNER)

    def make(connection: Connection) -> Made:
        require_confirmed(connection, caller)
        with errors.error_location("body"):
            most = runtime.database.quotas.grants
            return Made(grant_use_case.create(connection, caller, dataset_id, body, most))

    def answer(connection: Connection, made: Made) -> Grant:
        return grant_use_case.get_grant(connection, caller, made.subject_id)

    return await creation.perform(runtime, caller, "grants", dataset_id, body=body, make=make, answer=answer)


@router.get("/grants", tags=["grants"], responses=problems())
async def list_grants(
    caller: CallerDependency,
    runtime: RuntimeDependency,
    page: PageDependency,
    budget_id: OfBudgets,
    dataset_id: OfDataset = None,
    principal_id: OfPrincipal = None,
    state: Annotated[
        grant_use_case.GrantListState | None, Query(description="List only grants that are open, or closed or expired.")
    ] = None,
) -> Page[Grant]:
    """List the grants that you gave or hold, including those on deleted data sets."""
    wanted = grant_use_case.Wanted(dataset_id, budget_id, principal_id, state)
    with errors.error_location("query"):
        return await runtime.database.read(lambda c: grant_use_case.list_mine(c, caller, page, wanted))


@router.get("/grants/{grant_id}", tags=["grants"], responses=problems(errors.NotFound))
async def get_grant(grant_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Grant:
    """Return a grant that you gave or hold: its cap, its end and what it spent."""
    return await runtime.database.read(lambda c: grant_use_case.get_grant(c, caller, grant_id))


@router.patch(
    "/grants/{grant_id}",
    tags=["grants"],
    responses=problems(*OF_CHANGES, errors.KeyRequired, errors.InvalidRequest),
)
async def change_grant(
    grant_id: PathId, body: GrantChange, caller: CallerDependency, runtime: RuntimeDependency
) -> Grant:
    """Change a grant's cap or end, or close or reopen it. What it spent is not refunded. A session that is not
    confirmed can only close a grant.
    """
    caller.require(Role.OWNER)

    def work(connection: Connection) -> Grant:
        if body.model_dump(exclude_unset=True) != {"closed": True}:
            require_confirmed(connection, caller)
        with errors.error_location("body"):
            grant_use_case.change(connection, caller, grant_id, body)
        return grant_use_case.get_grant(connection, caller, grant_id)

    return await runtime.database.write(work)
