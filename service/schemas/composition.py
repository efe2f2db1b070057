"""Describes what releases prove together: the sum that is charged beside the tightest composition of fixed costs."""

from __future__ import annotations

from pydantic import Field

from service.schemas.amounts import DeltaField, EpsilonField
from service.schemas.model import Response


class Composition(Response):
    """A report. The budget is charged the sum, which holds when analysts choose as they go; the other figure does
    not.
    """

    releases: int
    charged_epsilon: EpsilonField = Field(
        description="The ε that holds for all releases so far, from the sum of what was charged."
    )
    charged_delta: DeltaField
    delta: DeltaField = Field(description="The δ of the budget, at which the other figure is taken.")
    epsilon_nonadaptive: EpsilonField | None = Field(
        description=(
            "The ε that would hold had all their costs been fixed in advance; null where the sum of their δ "
            "exceeds the budget's, or where the ledger holds charges without a release."
        )
    )
