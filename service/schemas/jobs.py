"""Describes jobs: free computations that are fetched later."""

from __future__ import annotations

from pydantic import Field

from service.database.rows import JobKind, JobState
from service.schemas.model import Id, Response, Timestamp


class Job(Response):
    """A computation that took longer than somebody waits. It runs again, in turn, with a limit of ten minutes. The same
    request, sent again, finds it too.
    """

    id: Id
    kind: JobKind = Field(
        description="What is computed. `query_order`: what charged queries need; send their request again, under the "
        "same Idempotency-Key, for the answers."
    )
    state: JobState = Field(description="`failed`: its result tells the problem that it met.")
    result: str = Field(
        description="Where the answer is once the job is ready, as the operation itself would have given it.",
        examples=["/v1/jobs/job_aaaaaaaaaaaaaaaaaaaaaaaaaa/result"],
    )
    created_at: Timestamp
    finished_at: Timestamp | None
    expires_at: Timestamp = Field(description="The job and its result are removed then, or at this time after its end.")
