"""Schemas of quotas."""

from __future__ import annotations

from pydantic import Field

from service.schemas.model import Response


class QuotaUsage(Response):
    """The number in use, and its limit."""

    used: int = Field(description="The number in use.")
    limit: int = Field(description="The largest number.")


class QuotaReport(Response):
    """Your stored objects, and this installation's limits for them."""

    budgets: QuotaUsage = Field(description="Budgets that you opened.")
    datasets: QuotaUsage = Field(description="Deleted data sets do not count.")
    grants: QuotaUsage = Field(description="Grants on your data sets; closed ones count too.")
    keys: QuotaUsage = Field(description="Keys that are still valid, without those of sessions.")
    jobs: QuotaUsage = Field(description="Jobs that wait, run or have a stored result.")
    access_requests: QuotaUsage = Field(description="Open requests that you made.")
    bytes_per_budget: int = Field(
        description=(
            "Limit on the bytes reserved for the data sets and releases of one budget. Each release reserves its "
            "largest possible size, once. `stored_bytes` of a budget is the amount in use."
        )
    )
    bytes_per_grant: int = Field(
        description=(
            "Limit on the bytes reserved for the releases under one grant. `stored_bytes` of a grant is the amount in "
            "use."
        )
    )
