"""The operations of version 0.2.0 that are elsewhere since. Those that spend budget answer until 0.4, so that whatever
paid there finds its release. The others name the operation that answers now.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Final

from fastapi import APIRouter, Body, Request, Response, status
from fastapi.responses import RedirectResponse

from service.api.dependencies import CallerDependency, IdempotencyKeyDependency, PathId
from service.api.releases import create_release
from service.errors import OperationMoved
from service.schemas.paid import ReleaseCreate, with_kind

router = APIRouter(include_in_schema=False)
_DATASET: Final = "/v1/datasets/{dataset_id}"

PAID: Final = {
    f"POST {_DATASET}/margins": f"POST {_DATASET}/releases",
    f"POST {_DATASET}/queries": f"POST {_DATASET}/releases",
}
"""Operations that answer as before, and the one that answers since."""
READ: Final = {
    "GET /v1/margins/{release_id}": "GET /v1/releases/{release_id}",
    "GET /v1/queries/{release_id}": "GET /v1/releases/{release_id}",
}
"""Operations that redirect to the one that answers now."""
MOVED: Final = {
    f"POST {_DATASET}/margins/quote": f"POST {_DATASET}/quotes",
    f"GET {_DATASET}/releases": "GET /v1/releases",
    "GET /v1/queries": "GET /v1/releases",
    "GET /v1/public/margins/{release_id}": "GET /v1/public/releases/{release_id}",
    "GET /v1/datasets/{dataset_id}/grants": "GET /v1/grants",
    "GET /v1/datasets/{dataset_id}/access-requests": "GET /v1/access-requests",
    "POST /v1/releases/{release_id}/posterior": "POST /v1/posteriors",
    "GET /v1/certificates/{certificate_id}": "GET /v1/jobs/{job_id}/result",
    "POST /v1/tables/posterior": "POST /v1/posteriors",
    "POST /v1/tables/plot.svg": "POST /v1/posteriors",
    "POST /v1/datasets/{dataset_id}/margins/tables": "POST /v1/datasets/{dataset_id}/estimates",
    "POST /v1/datasets/{dataset_id}/query-quotes": "POST /v1/datasets/{dataset_id}/estimates",
    "GET /v1/datasets/{dataset_id}/history": "GET /v1/releases",
    "POST /v1/rehearsals": "POST /v1/plans",
    "POST /v1/public/releases/{release_id}/posterior": "POST /v1/public/posteriors",
}
"""Free operations that answer 404 `operation-moved`, and the one that answers now."""


@router.post(f"{_DATASET}/margins", status_code=status.HTTP_201_CREATED)
async def create_margins(
    dataset_id: PathId,
    body: Annotated[ReleaseCreate, with_kind("margins"), Body()],
    caller: CallerDependency,
    idempotency_key: IdempotencyKeyDependency,
    request: Request,
) -> Response:
    """Release margins, as `POST /v1/datasets/{dataset_id}/releases`."""
    return await create_release(dataset_id, body, caller, idempotency_key, request)


@router.post(f"{_DATASET}/queries", status_code=status.HTTP_201_CREATED)
async def create_queries(
    dataset_id: PathId,
    body: Annotated[ReleaseCreate, with_kind("queries"), Body()],
    caller: CallerDependency,
    idempotency_key: IdempotencyKeyDependency,
    request: Request,
) -> Response:
    """Answer queries, as `POST /v1/datasets/{dataset_id}/releases`."""
    return await create_release(dataset_id, body, caller, idempotency_key, request)


@router.get("/v1/margins/{release_id}")
@router.get("/v1/queries/{release_id}")
async def read_elsewhere(release_id: PathId) -> Response:
    """Redirect to the release. The path is relative, so that it is right behind any prefix."""
    return RedirectResponse(f"../releases/{release_id}", status.HTTP_308_PERMANENT_REDIRECT)


def _refuse_moved_operation(operation: str) -> Callable[[], Awaitable[None]]:
    async def moved() -> None:
        raise OperationMoved(moved_to=operation)

    return moved


def _add(moved: Mapping[str, str]) -> None:
    for former, operation in moved.items():
        method, path = former.split()
        router.add_api_route(path, _refuse_moved_operation(operation), methods=[method], name=former)


_add(MOVED)
