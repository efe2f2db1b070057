"""Describes what is left of a budget, in the terms of whoever wants to release, and how fast it goes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from service.schemas.amounts import Amount, DeltaField, EpsilonField, Guarantee, RhoField
from service.schemas.model import Id, Response

KindByEpsilon = Literal["simplex_geometric", "laplace", "exponential", "exponential_global"]
BlockedBy = Literal["recovery_pending", "grant_closed", "grant_expired", "budget_frozen", "restore_pending"]


class NextByEpsilon(Response):
    """The largest ε of one more release by this mechanism; null where none is possible."""

    kind: KindByEpsilon
    allowed: bool = Field(description="Whether the owner allows this mechanism on the budget.")
    largest_epsilon: EpsilonField | None
    charge: Amount | None = Field(description="The most that such a release is charged.")


class NextByRho(Response):
    """The largest ρ of one more Gaussian release, stated at the largest δ that is left; null where none is possible."""

    kind: Literal["gaussian"]
    allowed: bool
    largest_rho: RhoField | None
    delta: DeltaField | None
    charge: Amount | None


class ReleasesOfSameCost(Response):
    """How many more releases that cost what one release cost."""

    release_id: Id
    charged: Amount
    remaining_releases: int | None = Field(
        description="As long as nobody else spends; null where the release cost nothing."
    )


class Allowance(Response):
    """What you can still release from a data set. Everything here is free to ask, and holds until somebody spends or
    the owner changes a limit.
    """

    can_release: bool = Field(description="Whether anything at all can be released now.")
    blocked_by: BlockedBy | None = Field(description="What stops every release, if anything does.")
    largest_possible_charge: Amount = Field(
        description="The most that one release of yours may cost: the least of cap, grant and budget. What is left of "
        "a budget on which rows were measured tells what others asked: then a grant's holder hears of cap and grant "
        "alone, and the budget may refuse what they allow."
    )
    below_threshold: bool = Field(
        description="Whether less is left for you than the threshold that the budget's owner set as low."
    )
    mechanisms: list[Annotated[NextByEpsilon | NextByRho, Field(discriminator="kind")]] = Field(
        description=(
            "The released posterior's mechanisms. `exponential_published` is left out: what it is charged is known "
            "from its certificate only."
        )
    )
    measuring_allowed: bool = Field(
        description="Whether anything can be measured for linear queries: nothing stops it, and the owner allows "
        "`linear` on the budget. A quote answers from what you may read in any case."
    )
    more_like: ReleasesOfSameCost | None = Field(
        description="How many more releases like the one that the request names, if it names one."
    )


class Spending(Response):
    """What was charged in the last so many days, counted by full hours."""

    days: int
    spent: Amount
    releases: int


class BurnRate(Response):
    """How fast a budget is being spent, and the one guarantee that holds for all releases so far."""

    spent: Amount
    remaining: Amount
    below_threshold: bool
    spent_guarantee: Guarantee = Field(
        description="The joint guarantee of all releases so far; under `zcdp` it is converted from ρ."
    )
    recent: list[Spending]
    days_left: int | None = Field(
        description="For how many days the rest lasts at the rate of the last 30 days; null where nothing was spent "
        "in them."
    )
