"""Routes of listed data sets and of requests for access to them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query, status
from sqlalchemy import Connection

from service.api.creation import CreationDependency
from service.api.dependencies import (
    CallerDependency,
    NameContains,
    OfDataset,
    OfPrincipal,
    PageDependency,
    PathId,
    RuntimeDependency,
)
from service.datasets import access_requests as use_case
from service.datasets import public_facts
from service.errors import (
    Conflict,
    InvalidRequest,
    KeyRequired,
    NotFound,
    ObjectQuotaExceeded,
    RoleNotAllowed,
    error_location,
)
from service.logs import log
from service.principals.auth import require_confirmed
from service.principals.creations import Made
from service.schemas.access_requests import (
    AccessRequest,
    AccessRequestChange,
    AccessRequestCreate,
    AccessRequestState,
)
from service.schemas.datasets import ListedDataset
from service.schemas.model import Page
from service.schemas.principals import Role
from service.schemas.problems import OF_CHANGES, OF_CREATIONS, problems

router = APIRouter(prefix="/v1", tags=["access"])
_State = Annotated[AccessRequestState | None, Query(description="Return only requests in this state.")]


@router.get("/listed-datasets", responses=problems(RoleNotAllowed))
async def list_listed_datasets(
    caller: CallerDependency, runtime: RuntimeDependency, page: PageDependency, name_contains: NameContains = None
) -> Page[ListedDataset]:
    """List the data sets that owners listed for all analysts of this installation. Analysts only."""
    with error_location("query"):
        return await runtime.database.read(lambda c: public_facts.list_listed(c, caller, page, name_contains))


@router.get("/listed-datasets/{dataset_id}", responses=problems(RoleNotAllowed, NotFound))
async def get_listed_dataset(dataset_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> ListedDataset:
    """Return the public facts about a listed data set. Analysts only."""
    return await runtime.database.read(lambda c: public_facts.read_listed(c, caller, dataset_id))


@router.post(
    "/datasets/{dataset_id}/access-requests",
    status_code=status.HTTP_201_CREATED,
    responses=problems(RoleNotAllowed, NotFound, Conflict, InvalidRequest, ObjectQuotaExceeded, *OF_CREATIONS),
)
async def create_access_request(
    dataset_id: PathId,
    body: AccessRequestCreate,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    creation: CreationDependency,
) -> AccessRequest:
    """Ask the owner of a listed data set for a grant. The owner sees your name, the amount and the purpose. Analysts
    only.

    You can have one open request for each data set. The hash chain of your keys records the request, without the
    purpose.
    """
    caller.require(Role.ANALYST)

    def make(connection: Connection) -> Made:
        most = runtime.database.quotas.access_requests
        with error_location("body"):
            return Made(use_case.create(connection, caller, dataset_id, body, most))

    def answer(connection: Connection, made: Made) -> AccessRequest:
        return use_case.get_access_request(connection, caller, made.subject_id)

    return await creation.perform(runtime, caller, "access-requests", dataset_id, body=body, make=make, answer=answer)


@router.get("/access-requests", responses=problems())
async def list_access_requests(
    caller: CallerDependency,
    runtime: RuntimeDependency,
    page: PageDependency,
    state: _State = None,
    dataset_id: OfDataset = None,
    principal_id: OfPrincipal = None,
) -> Page[AccessRequest]:
    """List the requests that you made and those for your data sets, including deleted ones."""
    with error_location("query"):
        return await runtime.database.read(
            lambda c: use_case.list_mine(c, caller, state, page, dataset_id=dataset_id, principal_id=principal_id)
        )


@router.get("/access-requests/{access_request_id}", responses=problems(NotFound))
async def get_access_request(
    access_request_id: PathId, caller: CallerDependency, runtime: RuntimeDependency
) -> AccessRequest:
    """Return a request that you made, or that was made for a data set of yours."""
    return await runtime.database.read(lambda c: use_case.get_access_request(c, caller, access_request_id))


@router.patch(
    "/access-requests/{access_request_id}",
    responses=problems(*OF_CHANGES, KeyRequired, Conflict, InvalidRequest, ObjectQuotaExceeded),
)
async def change_access_request(
    access_request_id: PathId,
    body: Annotated[AccessRequestChange, Body()],
    caller: CallerDependency,
    runtime: RuntimeDependency,
) -> AccessRequest:
    """Approve or decline a request as the owner of the data set, or withdraw it as the analyst who made it.

    An approval creates the grant. A decision is final: repeating it changes nothing (`changed` is false), and another
    one is refused. A session needs a confirmation to approve.
    """
    most = runtime.database.quotas.grants

    def work(connection: Connection) -> AccessRequest:
        if body.state == "approved":
            require_confirmed(connection, caller)
        with error_location("body"):
            changed = use_case.change(connection, caller, access_request_id, body, most)
        return use_case.read_changed(connection, caller, access_request_id, changed=changed)

    answer = await runtime.database.write(work)
    log.add(grant_id=answer.grant_id)
    return answer
