"""Schemas of questions by strata: a share or a contrast in each combination of levels of some attributes."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field
from typing_extensions import TypeAliasType

from service.schemas.cells import MAX_ATTRIBUTES, Labels, Question
from service.schemas.events import AnsweredDistribution, EstimatedProbability
from service.schemas.model import Request, Response, ShortText

MAX_STRATA: Final = 200


Standard = TypeAliasType(
    "Standard",
    Annotated[
        dict[ShortText, Annotated[float, Field(strict=True, gt=0, le=1e12)]],
        Field(min_length=1, max_length=MAX_STRATA),
    ],
)


class StratifiedQuestion(Request):
    """A question that is answered in each stratum: in each combination of levels of some attributes."""

    attributes: Annotated[Labels, Field(max_length=MAX_ATTRIBUTES)] = Field(
        description=(
            f"The attributes whose levels make the strata, at most {MAX_STRATA}. Combinations that no record can have "
            "are not listed."
        ),
        examples=[["department"]],
    )
    standard: Standard | None = Field(
        default=None,
        description=(
            "The size of each stratum in a standard population, by the label of the stratum, such as `20-29` or "
            "`20-29 · women`. `standardised` then has these weights in place of the pooled strata. Only for a contrast."
        ),
        examples=[{"A": 900, "B": 600}],
    )
    question: Question = Field(
        description="The question. In a stratum, both numerator and denominator are restricted to its records."
    )


class Stratum(Response):
    label: str = Field(description="The levels, joined by ` · `.", examples=["A"])
    levels: dict[str, str] = Field(description="The level of each attribute.", examples=[{"department": "A"}])
    answer: AnsweredDistribution | None = Field(description="Null if the question has no answer in this stratum.")
    unavailable_reason: str | None = Field(description="The reason why there is no answer; null if there is one.")
    without_records: EstimatedProbability = Field(
        description=(
            "The probability that no record is in the denominator of the share; for a contrast, the larger of the two "
            "probabilities. Near 1, the answer follows from the prior alone."
        )
    )


class AdjustedContrast(Response):
    """A contrast of two groups, adjusted for the strata that have an answer.

    In stratum k, a and b are the posterior shares, of all records, of the first group with and without the outcome; c
    and d are those of the second group; T = a + b + c + d. Both contrasts come from joint draws of all shares, whose
    number and error they state. Ratios have no mean.
    """

    mantel_haenszel: AnsweredDistribution = Field(
        description=(
            "Mantel and Haenszel's contrast of the posterior shares. Odds ratio: Σ(ad/T) / Σ(bc/T). Ratio: "
            "Σ(a(c+d)/T) / Σ(c(a+b)/T). Difference: Σ((ad−bc)/T) / Σ((a+b)(c+d)/T)."
        )
    )
    standardised: AnsweredDistribution = Field(
        description=(
            "The contrast of both groups' risks, standardised to the pooled strata: Σ(T·a/(a+b)) / ΣT and "
            "Σ(T·c/(c+d)) / ΣT; or to `standard`, whose weights replace T."
        )
    )


class AnsweredStrata(Response):
    """The answers of all strata, with the answer for all records together and, for two groups, adjusted contrasts."""

    question: StratifiedQuestion = Field(description="The question as it was asked.")
    overall: AnsweredDistribution = Field(description="The answer for all strata together, not adjusted.")
    strata: list[Stratum] = Field(description="In the order of the levels.")
    adjusted: AdjustedContrast | None = Field(
        description="The contrast adjusted for the strata; null for one share, and for two shares of common records."
    )
    adjusted_unavailable_reason: str | None = Field(
        description="The reason why a contrast is not adjusted; null otherwise."
    )
