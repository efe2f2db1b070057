"""Route of certificates: the proven cost of a release by a mechanism at a size."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from service.api.dependencies import CallerDependency, RuntimeDependency
from service.api.jobs import LATER, answer_of, settled
from service.channels.certified import Channel
from service.errors import CertificateQuotaExceeded, InvalidRequest, NotSupported, RoleNotAllowed, error_location
from service.releases import release as use_case
from service.runtime.jobs import CERTIFICATE
from service.schemas.certificates import CertificateCreate, CertifiedEvent
from service.schemas.principals import Role
from service.schemas.problems import problems

router = APIRouter(prefix="/v1/certificates", tags=["certificates"])


@router.post(
    "",
    response_model=CertifiedEvent,
    responses=problems(RoleNotAllowed, InvalidRequest, NotSupported, CertificateQuotaExceeded) | LATER,
)
async def create_certificate(
    body: CertificateCreate, caller: CallerDependency, runtime: RuntimeDependency, request: Request
) -> Response:
    """Return a certificate before a release needs it, or the job that computes it. Free: it depends on public
    parameters only, and no data set is read.
    """
    caller.require(Role.OWNER, Role.ANALYST)
    with error_location("body"):
        channel = Channel(body.mechanism, body.record_count, tuple(body.prior), body.records_per_unit)
        certified = await use_case.certify_by_formula(channel)
        if certified is not None:
            return answer_of(CERTIFICATE, certified.to_json())
        row = await use_case.ask_certificate(runtime, caller, channel)
        return await settled(request, runtime, caller, row)
