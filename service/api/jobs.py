"""Routes of jobs. Free computations are answered directly, or with a job if they exceed the time of a request."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any, Final, cast

from fastapi import APIRouter, Request, Response, status
from sqlalchemy import Connection

from service.api.dependencies import CallerDependency, PathId, RuntimeDependency, computed
from service.channels.certified import Certified
from service.channels.events import event_to_json
from service.database.rows import JobKind, JobRow
from service.errors import ComputationTooLarge, JobPending, JobQuotaExceeded, NotFound, RateLimited, error_location
from service.identifiers.identifiers import timestamp
from service.limits.limits import JOB_WAITS
from service.logs import log
from service.principals.auth import Caller
from service.releases.spec import certificate_response, unit_of
from service.runtime import jobs as use_case
from service.runtime.job_leases import retry_seconds
from service.runtime.runtime import Runtime
from service.schemas.certificates import CertifiedEvent
from service.schemas.jobs import Job, JobResult, PublishedKind
from service.schemas.problems import problems

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])

OF_COMPUTATIONS: Final = (ComputationTooLarge, JobQuotaExceeded, RateLimited)
"""Additional problems of free computations."""
LATER: Final[dict[int | str, dict[str, Any]]] = {
    202: {
        "model": Job,
        "description": "The computation needs more than two seconds of CPU time: fetch the job's result later.",
    }
}
_JSON: Final = "application/json"
_WAIT: Final = re.compile(r"(?:^|[,;])\s*wait\s*=\s*\"?([0-9]+)\"?\s*(?=[,;]|$)", re.IGNORECASE)
"""The preference `wait` of RFC 7240."""
SVG: Final = "image/svg+xml"
_PREPARING: Final = {"query_order": "preparation", "margins_plan": "preparation", "query_price": "quote"}
"""Published kinds of computations before a charge or its quote."""


async def answered(
    request: Request, runtime: Runtime, caller: Caller, kind: JobKind, read: Callable[[Connection], use_case.JobInput]
) -> Response:
    """Return the result of the order that `read` returns, or its job if the result is not ready. A request with
    `Prefer: wait` waits for the job for the rest of that time.
    """
    until = _current_time() + _wait_seconds(request)

    async def work() -> Response:
        found = await use_case.run_or_enqueue(runtime, caller, kind, read)
        return (
            answer_of(kind, found)
            if isinstance(found, str)
            else await _response_by(request, runtime, caller, found, until)
        )

    return await computed(request, work())


async def settled(request: Request, runtime: Runtime, caller: Caller, row: JobRow) -> Response:
    """Return the result of a job, or the job if it has none in the time that the request prefers to wait."""
    return await computed(
        request, _response_by(request, runtime, caller, row, _current_time() + _wait_seconds(request))
    )


async def _response_by(request: Request, runtime: Runtime, caller: Caller, row: JobRow, until: float) -> Response:
    row = await use_case.wait_for(runtime, caller, row, until - _current_time())
    return _pending_response(request, row) if row.state == "pending" else answer_of(row.kind, use_case.result_of(row))


def _current_time() -> float:
    return asyncio.get_running_loop().time()


def _wait_seconds(request: Request) -> float:
    """Return the seconds that the request prefers to wait (`Prefer: wait=30`), up to the limit; 0 if it names none."""
    found = _WAIT.search(request.headers.get("prefer", ""))
    return 0.0 if found is None else min(float(found[1]), JOB_WAITS.seconds)


def answer_of(kind: str, text: str) -> Response:
    """Return what the operation returns from the result of a job."""
    if kind == use_case.CERTIFICATE:
        certified = Certified.from_json(text)
        certificate = certificate_response(certified.certificate, unit=unit_of(certified.certificate))
        text = CertifiedEvent(event=event_to_json(certified.event), certificate=certificate).model_dump_json()
    return Response(text, media_type=SVG if kind == "picture" else _JSON)


def _path(request: Request, row: JobRow) -> str:
    """Return the path of the job, as callers reach it."""
    return f"{request.scope.get('root_path', '')}/v1/jobs/{row.id}"


def _job(request: Request, row: JobRow) -> Job:
    return Job(
        id=row.id,
        kind=cast("PublishedKind", _PREPARING.get(row.kind, row.kind)),
        state=row.state,
        result=f"{_path(request, row)}/result",
        created_at=timestamp(row.created_at),
        finished_at=None if row.finished_at is None else timestamp(row.finished_at),
        expires_at=timestamp((row.finished_at or row.created_at) + use_case.KEPT_SECONDS),
    )


def _pending_response(request: Request, row: JobRow) -> Response:
    log.add(job_id=row.id)
    headers = {
        "Location": _path(request, row),
        "Retry-After": str(retry_seconds(row.created_at)),
    }
    return Response(_job(request, row).model_dump_json(), status.HTTP_202_ACCEPTED, headers, media_type=_JSON)


@router.get("/{job_id}", responses=problems(NotFound))
async def get_job(job_id: PathId, caller: CallerDependency, runtime: RuntimeDependency, request: Request) -> Job:
    """Return a job of yours with its state. It is kept for a day."""
    return _job(request, await runtime.database.read(lambda c: use_case.read(c, caller, job_id, runtime.database.keys)))


@router.get(
    "/{job_id}/result",
    response_class=Response,
    responses=problems(NotFound, JobPending, ComputationTooLarge)
    | {
        200: {
            "description": "The result, as the operation that created the job would have returned it.",
            "model": JobResult,
            "content": {SVG: {"schema": {"type": "string"}}},
        }
    },
)
async def get_job_result(
    job_id: PathId, caller: CallerDependency, runtime: RuntimeDependency, request: Request
) -> Response:
    """Return the result of a job of yours, or the problem that occurred."""
    log.add(job_id=job_id)

    async def work() -> Response:
        row = await runtime.database.read(lambda c: use_case.read(c, caller, job_id, runtime.database.keys))
        row = await use_case.wait_for(runtime, caller, row, _wait_seconds(request))
        # A computation does not know where its input was in the request. A picture's was in the address.
        with error_location("query" if row.kind == "picture" else "body"):
            return answer_of(row.kind, use_case.result_of(row))

    return await computed(request, work())


@router.delete("/{job_id}", status_code=status.HTTP_204_NO_CONTENT, responses=problems(NotFound))
async def delete_job(job_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Response:
    """End a job of yours, even while it is computed, and remove its result."""
    await runtime.database.write(lambda c: use_case.end(c, caller, job_id))
    return Response(status_code=status.HTTP_204_NO_CONTENT)
