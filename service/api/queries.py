"""Routes of linear queries on the counts, answered from releases or by new measurements."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from service.api.dependencies import (
    CallerDependency,
    PathId,
    RuntimeDependency,
    computed,
)
from service.api.jobs import LATER, OF_COMPUTATIONS, answered
from service.errors import (
    ComputationsUnavailable,
    ComputationTooLarge,
    InvalidRequest,
    NotFound,
    RoleNotAllowed,
    error_location,
)
from service.queries import history, quote
from service.schemas.problems import problems
from service.schemas.queries import History, QueryQuote, QueryQuoteCreate

router = APIRouter(prefix="/v1", tags=["queries"])


@router.post(
    "/datasets/{dataset_id}/query-quotes",
    response_model=QueryQuote,
    responses=problems(NotFound, RoleNotAllowed, InvalidRequest, *OF_COMPUTATIONS) | LATER,
)
async def create_query_quote(
    dataset_id: PathId,
    body: QueryQuoteCreate,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    request: Request,
) -> Response:
    """Answer weighted sums of the counts from the releases that you may read: estimate, interval, probability. Free.

    The estimate is the best linear unbiased one from all of those releases together. The distribution of its error is
    known exactly. An interval contains the true answer as often as its confidence if the query was fixed before the
    releases were seen. It does so less often if you ask many queries and report only the most striking one.
    """
    with error_location("body"):
        return await answered(
            request,
            runtime,
            caller,
            "query_quote",
            lambda c: quote.ordered(c, caller, dataset_id, body, runtime.database.keys),
        )


@router.get(
    "/datasets/{dataset_id}/history",
    response_model=History,
    responses=problems(NotFound, RoleNotAllowed, ComputationTooLarge, ComputationsUnavailable),
)
async def get_history(
    dataset_id: PathId, caller: CallerDependency, runtime: RuntimeDependency, request: Request
) -> Response:
    """List the releases from this data set that queries use and that you may read, with their rows, noise rates and
    costs. Also list releases that queries can't use, and categories that are known precisely. Free.
    """
    return await computed(request, history.history(runtime, caller, dataset_id))
