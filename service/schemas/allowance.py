"""Schemas of a caller's allowance and of a budget's burn rate."""

from __future__ import annotations

from pydantic import Field

from service.schemas.mechanisms import MechanismKind
from service.schemas.model import Amount, DeltaField, EpsilonField, Guarantee, Id, Response, RhoField


class NextRelease(Response):
    """The largest ε, or the largest ρ, of one more release by this mechanism, and the δ that it would have. The amounts
    are null if no release is possible.
    """

    kind: MechanismKind
    allowed: bool = Field(description="Whether the owner allows this mechanism on the budget.")
    largest_epsilon: EpsilonField | None = Field(
        description=(
            "Also null if a request names ρ instead. A larger ε may be granted if its charge can only be proven by a "
            "long computation: for the exponential mechanism, and on a small table under `zcdp`. A quote has the "
            "exact charge."
        )
    )
    largest_rho: RhoField | None = Field(description="Also null if a request names ε instead.")
    delta: DeltaField | None = Field(description="The largest remaining δ, if the mechanism takes one; otherwise null.")
    charge: Amount | None = Field(description="Upper bound on the charge of this release.")


class ReleasesOfSameCost(Response):
    """The number of further releases at the cost of an earlier one."""

    release_id: Id = Field(description="The earlier release.")
    charged: Amount = Field(description="The charge of the earlier release.")
    remaining_releases: int | None = Field(
        description=(
            "How many releases like `more_like` you can still make. It decreases when others spend. Null if that "
            "release was free."
        )
    )


class Allowance(Response):
    """The releases that you can still make from a data set. It holds until somebody spends or the owner changes a
    limit.
    """

    can_release: bool = Field(description="Whether any release is possible now.")
    blocked_by: str | None = Field(
        description=(
            "The problem that refuses every release now, such as `budget-exhausted`; null if a release is "
            "possible. A limit blocks if it is below the charge of the smallest release of every mechanism "
            "that the owner allows, margins included."
        )
    )
    largest_possible_charge: Amount = Field(
        description=(
            "Upper bound on the charge of one release: the minimum of release cap, grant and budget. If rows were "
            "measured on the budget, grant holders see only release cap and grant, since the budget's remainder "
            "would disclose other analysts' queries. The budget can then refuse such a release."
        )
    )
    below_threshold: bool = Field(description="Whether you have less left than the owner's `low_budget_percent`.")
    mechanisms: list[NextRelease] = Field(
        description=(
            "One entry for each mechanism of posteriors, except `exponential_published`, whose charge only its "
            "certificate states."
        )
    )
    margins_allowed: bool = Field(
        description=(
            "Whether margins can be released, of up to `largest_possible_charge`: nothing blocks releases, the data "
            "set has attributes, and the owner allows `margins` on the budget."
        )
    )
    measuring_allowed: bool = Field(
        description=(
            "Whether linear queries can measure new rows: nothing blocks releases, and the owner allows `linear` "
            "on the budget. A quote answers from earlier releases in any case."
        )
    )
    more_like: ReleasesOfSameCost | None = Field(
        description="Further releases at the cost of the release in `more_like`; null if the request names none."
    )


class Spending(Response):
    """Charges of the last `days` days, counted in full hours."""

    days: int = Field(description="The number of days.")
    spent: Amount = Field(description="The sum of their charges.")
    releases: int = Field(description="The number of charges.")


class BurnRate(Response):
    """The rate at which a budget is spent, and the guarantee of all releases so far."""

    spent: Amount = Field(description="The charges so far.")
    remaining: Amount = Field(description="The remainder of the total.")
    below_threshold: bool = Field(description="Whether less than `low_budget_percent` of the total is left.")
    spent_guarantee: Guarantee = Field(
        description="The joint guarantee of all releases so far. Under `zcdp` it is converted from ρ."
    )
    recent: list[Spending] = Field(description="The charges of the last 1, 7 and 30 days.")
    days_left: int | None = Field(
        description=(
            "Days that the remainder lasts at the average rate of the last 30 days; null if nothing was spent in them."
        )
    )
