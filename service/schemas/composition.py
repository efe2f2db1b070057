"""Schemas of the joint guarantee of a budget's releases."""

from __future__ import annotations

from pydantic import Field

from service.schemas.amounts import DeltaField, EpsilonField
from service.schemas.model import Response


class Composition(Response):
    """The joint guarantee of a budget's releases, for information. The budget is charged the sum, which holds for
    adaptive analysts; `epsilon_nonadaptive` does not.
    """

    releases: int
    charged_epsilon: EpsilonField = Field(description="The ε of all releases together, from the sum of their charges.")
    charged_delta: DeltaField
    delta: DeltaField = Field(description="The δ of the budget, at which `epsilon_nonadaptive` is computed.")
    epsilon_nonadaptive: EpsilonField | None = Field(
        description=(
            "The ε that would hold if all costs had been fixed in advance. Null if the releases' δ sum to more "
            "than the budget's, or the ledger has charges without a release."
        )
    )
