"""Describes quotas."""

from __future__ import annotations

from pydantic import Field

from service.schemas.model import Response


class QuotaUsage(Response):
    """How many there are, and how many there may be."""

    used: int
    limit: int


class QuotaReport(Response):
    """What you have, and the most that this installation lets you have."""

    budgets: QuotaUsage
    datasets: QuotaUsage = Field(description="Deleted ones do not count.")
    grants: QuotaUsage = Field(description="On your data sets, closed ones too.")
    keys: QuotaUsage = Field(description="Those that still count.")
    jobs: QuotaUsage = Field(description="Waiting or kept.")
    access_requests: QuotaUsage = Field(description="That you made and that are open.")
    bytes_per_budget: int = Field(
        description="What the data sets and releases of one budget may take. Each release is counted, once, at the "
        "most that it can take; `stored_bytes` of a budget says how many are."
    )
    bytes_per_grant: int = Field(description="As `bytes_per_budget`, for the releases of one grant alone.")
