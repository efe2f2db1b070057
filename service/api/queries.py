"""Routes of linear queries on the counts, answered from releases or by new measurements."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response, status

from core.accounting.accountants import Accountant
from service.api.dependencies import (
    CallerDependency,
    IdempotencyKeyDependency,
    PageDependency,
    PathId,
    RuntimeDependency,
    computed,
    paid_answer,
    runtime_of,
    signed_answer,
)
from service.api.jobs import LATER, OF_COMPUTATIONS, answered
from service.database.rows import ListedRelease
from service.errors import (
    ComputationsUnavailable,
    ComputationTooLarge,
    FreeAnswerQuotaExceeded,
    InvalidRequest,
    JobQuotaExceeded,
    NotFound,
    QueriesPending,
    RoleNotAllowed,
    error_location,
)
from service.identifiers.identifiers import timestamp
from service.ledger.outcomes import SignedText
from service.queries import history, paid_queries, quote
from service.releases import access as release_access
from service.schemas.model import Page, amount, page_of
from service.schemas.problems import OF_CHARGES, OF_STORED_RELEASES, problems
from service.schemas.queries import AnsweredQueries, History, QueryCreate, QueryQuote, QueryQuoteCreate, QueryRelease

router = APIRouter(prefix="/v1", tags=["queries"])


_CREATE_PROBLEMS = problems(*OF_CHARGES, ComputationTooLarge, FreeAnswerQuotaExceeded, JobQuotaExceeded, QueriesPending)


@router.post(
    "/datasets/{dataset_id}/queries",
    status_code=status.HTTP_201_CREATED,
    response_model=QueryRelease,
    responses=_CREATE_PROBLEMS,
)
async def create_queries(
    dataset_id: PathId,
    body: QueryCreate,
    caller: CallerDependency,
    idempotency_key: IdempotencyKeyDependency,
    request: Request,
) -> Response:
    """Answer weighted sums of the counts as precisely as you ask. Rows are measured only if earlier releases are not
    precise enough. All queries are answered, or none.

    New rows get the most noise that still gives the requested width together with earlier releases. The charge is the
    increase in the cost of your own rows on the data set, and can be 0; `max_charge` limits it.

    An interval contains the true answer as often as its confidence if the query was fixed before the answers were seen.
    It does so less often if you ask many queries and report only the most striking one.

    If planning the measurement takes more than a moment, the response is `queries-pending`, uncharged, with the job
    that plans it. The same request under the same key then uses that plan.
    """
    with error_location("body"):
        paid = await paid_queries.create(runtime_of(request), caller, dataset_id, body, idempotency_key)
    return paid_answer(request, paid)


@router.get("/queries", responses=problems())
async def list_my_queries(
    caller: CallerDependency, runtime: RuntimeDependency, page: PageDependency
) -> Page[AnsweredQueries]:
    """List the query answers that you paid for, and those from your own data sets, including deleted ones. Free."""
    with error_location("query"):
        rows = await runtime.database.read(lambda c: release_access.list_mine(c, caller, page, "query"))
    return page_of(rows, page.limit, _listed, lambda row: row.id)


@router.get(
    "/queries/{release_id}",
    response_model=QueryRelease,
    responses=problems(*OF_STORED_RELEASES),
)
async def get_queries(release_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Response:
    """Return answers to queries as they were first returned. Free."""
    row = await runtime.database.read(
        lambda c: release_access.readable_answers(c, caller, release_id, runtime.database.keys)
    )
    return signed_answer(SignedText(row.document, row.signature))


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


def _listed(row: ListedRelease) -> AnsweredQueries:
    return AnsweredQueries(
        id=row.id,
        dataset_id=row.dataset_id,
        principal_id=row.principal_id,
        state=row.state,
        charged=amount(Accountant(row.accountant), row.charged),
        created_at=timestamp(row.created_at),
    )
