"""Schemas of the priors of free answers."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag
from typing_extensions import TypeAliasType

from service.schemas.model import Request, Response
from service.schemas.releases import Concentration, Prior


class EachPrior(Request):
    """The same prior for each piece of a question, or for each cell.

    The pieces of a question are the disjoint sets of cells on which its answer depends, such as the records with and
    without an outcome in each of two groups, and all other records. The noisy counts of a piece are added up. With the
    prior by piece, the answer does not depend on how finely a table was cut, except for the noise of each cell.
    """

    each: Concentration = Field(description="The concentration of each.")
    of: Literal["piece", "cell"] = Field(
        default="cell", description="Whether each piece of a question, or each cell, has this concentration."
    )


def _is_each(value: object) -> str:
    # A tag that is not a field's name is left out of the locations of errors.
    return "for each" if isinstance(value, dict | EachPrior) else "list"


StatedPrior = TypeAliasType(
    "StatedPrior",
    Annotated[Annotated[EachPrior, Tag("for each")] | Annotated[Prior, Tag("list")], Discriminator(_is_each)],
)
"""A prior: one number for all pieces or cells, or a list by cell."""


class UsedEachPrior(Response):
    """The prior of each piece of a question, or of each cell."""

    each: float = Field(description="The concentration of each.")
    of: Literal["piece", "cell"] = Field(
        description=(
            "`cell`: each cell has this concentration. `piece`: each piece of a question; the rows of a table are "
            "divided attribute by attribute, with this concentration for each branch."
        )
    )


UsedPrior = TypeAliasType("UsedPrior", UsedEachPrior | list[float])
"""The prior that was used: one number for all pieces or cells, or one number for each cell."""


PriorOfCategories: TypeAlias = Annotated[
    UsedEachPrior | None,
    Field(
        description=(
            "The prior of `categories` and `draws` if it is not `prior`: a table of more than 2 000 categories is not "
            "divided branch by branch. Null otherwise."
        )
    ),
]


class PriorMatters(Response):
    """What another prior gives for a figure.

    It is stated if the median moves by more than a quarter of the narrower interval, on the logarithmic scale for
    ratios. It is also stated if the ratio has practically no ends under the other prior, or if one interval of a share
    or difference is more than twice as wide as the other.
    """

    prior: UsedEachPrior = Field(
        description="The other prior: 0.05 for each piece, or 0.5 for each piece if another one was stated."
    )
    median: float = Field(description="The median under the other prior.")
    low: float = Field(description="The lower end of the interval under the other prior.")
    high: float | None = Field(description="The upper end under the other prior; null if there is none.")
    note: str = Field(description="The difference in words.")
