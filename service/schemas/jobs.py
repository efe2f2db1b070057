"""Schema of jobs: free computations whose results are fetched later."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypeAliasType

from service.database.rows import JobState
from service.schemas.model import Id, Response, Timestamp

PublishedKind: TypeAlias = Literal[
    "posterior", "comparison", "picture", "plan", "estimates", "quote", "preparation", "certificate"
]
JobResult = TypeAliasType(
    "JobResult",
    Annotated[
        dict[str, Any], Field(description="The result, as the operation that became the job would have returned it.")
    ],
)


class Job(Response):
    """A free computation that exceeded the time of a request. It runs again in the background, for at most ten minutes.
    Sending the same request again returns the same job.
    """

    id: Id
    kind: PublishedKind = Field(
        description=(
            "The kind of computation. `preparation` and `quote` prepare a charge or its quote, which the original "
            "request returns when it is sent again under its Idempotency-Key."
        )
    )
    state: JobState = Field(description="If `failed`, the result is the problem that occurred.")
    result: str = Field(
        description=(
            "Path on this host of the result when the job is ready. It has the form that the operation itself returns."
        ),
        examples=["/v1/jobs/job_aaaaaaaaaaaaaaaaaaaaaaaaaa/result"],
    )
    created_at: Timestamp
    finished_at: Timestamp | None = Field(description="Time at which the computation ended; null until then.")
    expires_at: Timestamp = Field(
        description=(
            "Time at which the job and its result are removed: a day after its creation, or after its end once it "
            "has ended."
        )
    )
