"""Routes of certificates: the proven cost of a release by a mechanism at a size."""

from __future__ import annotations

import json

from fastapi import APIRouter, Response, status

from service.api.dependencies import CallerDependency, PathId, RuntimeDependency
from service.channels.certified import Certified, Channel
from service.channels.events import event_to_json
from service.database.rows import JobRow
from service.errors import (
    CertificateQuotaExceeded,
    InvalidRequest,
    NotFound,
    NotSupported,
    RoleNotAllowed,
    error_location,
    problem_of,
)
from service.identifiers.identifiers import now, timestamp
from service.releases import release as use_case
from service.releases.spec import certificate_response, unit_of
from service.runtime.job_leases import retry_seconds
from service.schemas.certificates import CertificateCreate, CertificateStatus
from service.schemas.principals import Role
from service.schemas.problems import problems

router = APIRouter(prefix="/v1/certificates", tags=["certificates"])


def _status(row: JobRow) -> CertificateStatus:
    certified = None if row.result is None else Certified.from_json(row.result)
    return CertificateStatus(
        id=row.id,
        state=row.state,
        event=None if certified is None else event_to_json(certified.event),
        certificate=None
        if certified is None
        else certificate_response(certified.certificate, unit=unit_of(certified.certificate)),
        detail=None if row.problem is None else problem_of(json.loads(row.problem)).detail,
        created_at=timestamp(row.created_at),
    )


def _ready(certified: Certified) -> CertificateStatus:
    return CertificateStatus(
        id=None,
        state="ready",
        event=event_to_json(certified.event),
        certificate=certificate_response(certified.certificate, unit=unit_of(certified.certificate)),
        detail=None,
        created_at=timestamp(now()),
    )


@router.post(
    "",
    status_code=status.HTTP_201_CREATED,
    responses=problems(RoleNotAllowed, InvalidRequest, NotSupported, CertificateQuotaExceeded)
    | {202: {"model": CertificateStatus, "description": "The certificate is being computed: read it later."}},
)
async def create_certificate(
    body: CertificateCreate, caller: CallerDependency, runtime: RuntimeDependency, response: Response
) -> CertificateStatus:
    """Request a certificate before a release needs it. Free: it depends on public parameters only, and no data set is
    read.
    """
    caller.require(Role.OWNER, Role.ANALYST)
    with error_location("body"):
        channel = Channel(body.mechanism, body.record_count, tuple(body.prior), body.records_per_unit)
        certified = await use_case.certify_by_formula(channel)
        if certified is not None:
            return _ready(certified)
        row = await use_case.ask_certificate(runtime, caller, channel)
    if row.state == "pending":
        response.status_code = status.HTTP_202_ACCEPTED
        response.headers["Retry-After"] = str(retry_seconds(row.created_at))
    return _status(row)


@router.get("/{certificate_id}", responses=problems(NotFound))
async def get_certificate(
    certificate_id: PathId, caller: CallerDependency, runtime: RuntimeDependency
) -> CertificateStatus:
    """Return a certificate that you requested, or its state while it is computed."""
    return await runtime.database.read(
        lambda c: _status(use_case.get_certificate(c, caller, certificate_id, runtime.database.keys))
    )
