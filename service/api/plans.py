"""The route of plans. They are free and read no data set."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request, Response, status

from service.api.dependencies import CallerDependency, RuntimeDependency
from service.api.jobs import LATER, OF_COMPUTATIONS, answered
from service.errors import InvalidRequest, RoleNotAllowed, error_location
from service.runtime.jobs import JobInput
from service.schemas.plans import Plan, PlanCreate
from service.schemas.principals import Role
from service.schemas.problems import problems

_MOST_KEPT: Final = 500_000
"""Largest size of a plan, with its request, that is kept for a repetition of the request."""

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
        order = JobInput(body.model_dump_json())
        place = f"{caller.principal_id} {order.text}"
        known = runtime.caches.plans.get(place)
        if known is not None:
            return Response(known, media_type="application/json")
        answer = await answered(request, runtime, caller, "plan", lambda _: order)
    if answer.status_code == status.HTTP_200_OK and len(order.text) + len(answer.body) <= _MOST_KEPT:
        runtime.caches.plans.keep(place, bytes(answer.body).decode())
    return answer
