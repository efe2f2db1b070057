"""Routes of noisy tables that somebody else published."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection

from service.api.dependencies import CallerDependency, RuntimeDependency
from service.api.jobs import LATER, OF_COMPUTATIONS, answered
from service.errors import InvalidRequest, error_location
from service.runtime.jobs import JobInput
from service.schemas.problems import problems
from service.schemas.tables import TablePicture, TablePosterior, TablePosteriorRequest
from service.tables import pictures, posteriors

router = APIRouter(prefix="/v1/tables", tags=["tables"])


@router.post(
    "/posterior",
    response_model=TablePosterior,
    responses=problems(InvalidRequest, *OF_COMPUTATIONS) | LATER,
)
async def compute_table_posterior(
    body: TablePosteriorRequest, caller: CallerDependency, runtime: RuntimeDependency, request: Request
) -> Response:
    """Compute the posterior of shares, counts and the number of records, given a noisy table that somebody published.
    Free.

    The request has the published values, the law of the noise, and what was done to the values afterwards. The service
    needs no data set, and does not store the table. If the computation becomes a job, the job keeps request and result
    for a day, or until you delete it.
    """

    def read(_: Connection) -> JobInput:
        table = posteriors.check(body)
        return JobInput(body.model_dump_json(), takes_long=posteriors.takes_long(table, body))

    with error_location("body"):
        return await answered(request, runtime, caller, "table_posterior", read)


@router.post(
    "/plot.svg",
    response_class=Response,
    responses=problems(InvalidRequest, *OF_COMPUTATIONS)
    | LATER
    | {200: {"description": "The picture as SVG.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
async def plot_table(
    body: TablePicture, caller: CallerDependency, runtime: RuntimeDependency, request: Request
) -> Response:
    """Plot a noisy table: the posterior interval of each share, and the interval that treats the values as true counts.
    Free.

    As with the posterior, the table is stored only if the computation becomes a job.
    """

    def read(_: Connection) -> JobInput:
        table = pictures.check(body)
        return JobInput(body.model_dump_json(), takes_long=posteriors.takes_long(table))

    with error_location("body"):
        return await answered(request, runtime, caller, "table_picture", read)
