"""Route of free estimates from all releases that a caller may read."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from service.api.dependencies import CallerDependency, PathId, RuntimeDependency
from service.api.jobs import LATER, OF_COMPUTATIONS, answered
from service.errors import InvalidRequest, NotFound, RoleNotAllowed, error_location
from service.estimates import estimates
from service.schemas.estimates import Estimates, EstimatesCreate
from service.schemas.problems import problems

router = APIRouter(prefix="/v1", tags=["estimates"])


@router.post(
    "/datasets/{dataset_id}/estimates",
    response_model=Estimates,
    responses=problems(NotFound, RoleNotAllowed, InvalidRequest, *OF_COMPUTATIONS) | LATER,
)
async def compute_estimates(
    dataset_id: PathId,
    body: EstimatesCreate,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    request: Request,
) -> Response:
    """Estimate weighted sums of the counts, or tables of a cross table, from all releases that you may read. Free.

    The estimates are the best linear unbiased ones, and the distribution of their errors is known exactly. Queries use
    every noisy count; tables combine the margins of releases of margins, and `excluded_releases` names the other
    releases.

    An interval contains the true number as often as its confidence if the question, and the amounts of all releases,
    were fixed before any answer was seen. It does so less often if you ask much and report only the most striking
    answer.
    """
    with error_location("body"):
        return await answered(
            request,
            runtime,
            caller,
            "estimates",
            lambda c: estimates.order(c, caller, dataset_id, body, runtime.database.keys),
        )
