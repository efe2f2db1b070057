"""Linear queries on the counts, answered from what was released."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from service.errors import ComputationTooLarge, InvalidRequest, NotFound, RoleNotAllowed, within
from service.queries import quote
from service.routers.dependencies import CallerDependency, PathId, RuntimeDependency, computed
from service.schemas.problems import problems
from service.schemas.queries import History, QueryQuote, QueryQuoteCreate

router = APIRouter(prefix="/v1", tags=["queries"])


@router.post(
    "/datasets/{dataset_id}/query-quotes",
    response_model=QueryQuote,
    responses=problems(NotFound, RoleNotAllowed, InvalidRequest, ComputationTooLarge),
)
async def create_query_quote(
    dataset_id: PathId,
    body: QueryQuoteCreate,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    request: Request,
) -> Response:
    """Answers weighted sums of the counts from the releases that you may read: estimate, interval, probability. Free.

    The estimate is the best linear unbiased one from all of those releases together, and the distribution of its error
    is known exactly. An interval contains the true answer as often as its confidence says if the query was fixed before
    the releases were seen. It does so less often if you ask many queries and report only the most striking one.
    """
    with within("body"):
        return await computed(request, quote.quote(runtime, caller, dataset_id, body))


@router.get(
    "/datasets/{dataset_id}/history",
    response_model=History,
    responses=problems(NotFound, RoleNotAllowed, ComputationTooLarge),
)
async def get_history(
    dataset_id: PathId, caller: CallerDependency, runtime: RuntimeDependency, request: Request
) -> Response:
    """The releases that queries on this data set are answered from: those that you may read, how noisy they are, and
    which of them can't be used. Free.
    """
    return await computed(request, quote.history(runtime, caller, dataset_id))
