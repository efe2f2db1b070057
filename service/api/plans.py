"""The route of plans. They are free and read no data set."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from service.api.dependencies import CallerDependency, RuntimeDependency
from service.api.jobs import LATER, OF_COMPUTATIONS, answered
from service.errors import InvalidRequest, RoleNotAllowed, error_location
from service.runtime.jobs import JobInput
from service.schemas.plans import Plan, PlanCreate
from service.schemas.principals import Role
from service.schemas.problems import problems

router = APIRouter(prefix="/v1", tags=["plans"])


@router.post(
    "/plans", response_model=Plan, responses=problems(RoleNotAllowed, InvalidRequest, *OF_COMPUTATIONS) | LATER
)
async def create_plan(
    body: PlanCreate, caller: CallerDependency, runtime: RuntimeDependency, request: Request
) -> Response:
    """Compare the mechanisms at up to 40 values of ε, for made-up counts: cost, odds, interval widths and errors, with
    a recommendation, and the smallest ε for a wanted width or error.

    Free. No data set is read.
    """
    caller.require(Role.OWNER, Role.ANALYST)
    with error_location("body"):
        return await answered(request, runtime, caller, "plan", lambda _: JobInput(body.model_dump_json()))
