"""Routes of jobs. Free computations are answered directly, or with a job if they exceed the time of a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fastapi import APIRouter, Request, Response, status
from sqlalchemy import Connection

from service.api.dependencies import CallerDependency, PathId, RuntimeDependency, computed
from service.database.rows import JobKind, JobRow
from service.errors import ComputationTooLarge, JobPending, JobQuotaExceeded, NotFound, RateLimited
from service.identifiers.identifiers import timestamp
from service.logs import log
from service.principals.auth import Caller
from service.runtime import jobs as use_case
from service.runtime.job_leases import retry_seconds
from service.runtime.runtime import Runtime
from service.schemas.jobs import Job
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
SVG: Final = "image/svg+xml"


async def answered(
    request: Request, runtime: Runtime, caller: Caller, kind: JobKind, read: Callable[[Connection], use_case.JobInput]
) -> Response:
    """Return the result of the order that `read` returns, or its job."""

    async def work() -> Response:
        found = await use_case.run_or_enqueue(runtime, caller, kind, read)
        return _pending(found) if isinstance(found, JobRow) else _result(kind, found)

    return await computed(request, work())


def _result(kind: JobKind, text: str) -> Response:
    return Response(text, media_type=SVG if kind == "picture" else _JSON)


def _job(row: JobRow) -> Job:
    return Job(
        id=row.id,
        kind=row.kind,
        state=row.state,
        result=f"/v1/jobs/{row.id}/result",
        created_at=timestamp(row.created_at),
        finished_at=None if row.finished_at is None else timestamp(row.finished_at),
        expires_at=timestamp((row.finished_at or row.created_at) + use_case.KEPT_SECONDS),
    )


def _pending(row: JobRow) -> Response:
    log.add(job_id=row.id)
    headers = {
        "Location": f"/v1/jobs/{row.id}",
        "Retry-After": str(retry_seconds(row.created_at)),
    }
    return Response(_job(row).model_dump_json(), status.HTTP_202_ACCEPTED, headers, media_type=_JSON)


@router.get("/{job_id}", responses=problems(NotFound))
async def get_job(job_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Job:
    """Return a job of yours with its state. It is kept for a day."""
    return _job(await runtime.database.read(lambda c: use_case.read(c, caller, job_id, runtime.database.keys)))


@router.get(
    "/{job_id}/result",
    response_class=Response,
    responses=problems(NotFound, JobPending, ComputationTooLarge)
    | {
        200: {
            "description": "The result, as the operation that created the job would have returned it.",
            "content": {_JSON: {"schema": {"type": "object"}}, SVG: {"schema": {"type": "string"}}},
        }
    },
)
async def get_job_result(job_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Response:
    """Return the result of a job of yours, or the problem that occurred."""
    log.add(job_id=job_id)
    row = await runtime.database.read(lambda c: use_case.read(c, caller, job_id, runtime.database.keys))
    return _result(row.kind, use_case.result_of(row))


@router.delete("/{job_id}", status_code=status.HTTP_204_NO_CONTENT, responses=problems(NotFound))
async def delete_job(job_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Response:
    """End a job of yours, even while it is computed, and remove its result."""
    await runtime.database.write(lambda c: use_case.end(c, caller, job_id))
    return Response(status_code=status.HTTP_204_NO_CONTENT)
