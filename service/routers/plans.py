"""Plans and rehearsals: free, and without any data set."""

from __future__ import annotations

from fastapi import APIRouter

from service import certificates
from service import plans as use_case
from service.auth import Role
from service.errors import CertificatePending, CertificateQuota, InvalidRequest, NotSupported, RoleNotAllowed, within
from service.routers.dependencies import CallerDependency, RuntimeDependency
from service.schemas.plans import Plan, PlanCreate, RehearsalCreate, RehearsedRelease
from service.schemas.problems import problems

router = APIRouter(prefix="/v1", tags=["plans"])


@router.post("/plans", responses=problems(RoleNotAllowed, InvalidRequest))
async def create_plan(body: PlanCreate, caller: CallerDependency, runtime: RuntimeDependency) -> Plan:
    """What each mechanism would give at this epsilon, at counts that you make up: cost, errors, interval widths, and which one to take.

    Free, and about no data set.
    """
    caller.require(Role.OWNER, Role.ANALYST)
    with within("body"):
        return await runtime.compute(lambda: use_case.plan(body))


@router.post(
    "/rehearsals",
    responses=problems(RoleNotAllowed, InvalidRequest, NotSupported, CertificateQuota, CertificatePending),
)
async def create_rehearsal(
    body: RehearsalCreate, caller: CallerDependency, runtime: RuntimeDependency
) -> RehearsedRelease:
    """A whole release, with its picture, on counts that you make up. Free, and marked as a rehearsal."""
    caller.require(Role.OWNER, Role.ANALYST)
    with within("body"):
        certified = await certificates.obtain(
            runtime, caller, body.mechanism, n=sum(body.counts), prior=tuple(body.prior)
        )
    return await runtime.compute(lambda: use_case.rehearsal(body, certified))
