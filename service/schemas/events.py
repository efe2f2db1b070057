"""Schemas of questions about shares and contrasts, and of the distributions that answer them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import Field

from service.schemas.cells import Contrast, Question
from service.schemas.model import Interval, Method, Response
from service.schemas.priors import PriorMatters


class Quantile(Response):
    probability: float = Field(description="The probability that the value is at most this quantile.")
    value: float = Field(description="0 if its absolute value is below 1e-300, and at most 1e300.")


class DensityCurve(Response):
    share: list[float] = Field(description="The points at which the density is given.")
    density: list[float] = Field(description="The density at each point.")


class EstimatedProbability(Response):
    """A probability and its error: an upper bound if `exact`, one standard error if `simulation`.

    From n draws, of which k have the property, it is (k + 1)/(n + 2), so never 0 or 1. Show no more digits than the
    error allows.
    """

    probability: float = Field(description="The probability, from 0 to 1.")
    error: float = Field(description="An upper bound on its error if `exact`, one standard error if `simulation`.")
    method: Method = Field(description="How it was computed.")
    draws: int | None = Field(description="Number of simulated draws; null if `exact`.")


class ProbabilityAbove(EstimatedProbability):
    """The probability that a value is above a threshold, with its own error."""

    threshold: float = Field(description="The threshold.")
    equal: float | None = Field(
        description="The probability that the value equals the threshold: a tie. Null about the population."
    )


class AnsweredDistribution(Response):
    """The posterior distribution of a share, or of a contrast of two shares."""

    mean: float | None = Field(
        description=(
            "Null for a contrast that was computed by integration, and if the mean does not exist. A ratio has no "
            "mean if the prior parameters of the categories in its denominator sum to 1 or less: a count of 0 has "
            "some probability, and makes the mean infinite."
        )
    )
    median: float = Field(description="The median. It exists even if the mean does not. 1e300 stands for infinity.")
    standard_deviation: float | None = Field(
        description=("Null if the mean is null, and if the variance does not exist.")
    )
    interval: Interval = Field(description="The credible interval at the requested level.")
    quantiles: list[Quantile] = Field(description="The requested quantiles.")
    density: DensityCurve | None = Field(description="Null if `density_points` is 0 or the answer was simulated.")
    above: ProbabilityAbove | None = Field(
        description="The probability above the threshold; null if none was asked for."
    )
    between: EstimatedProbability | None = Field(
        description="The probability that the value lies in the range, with its ends; null if none was asked for."
    )
    undefined: float | None = Field(
        description=(
            "The probability that the value is undefined, as 0/0 is; the other figures except `above` and `between` "
            "are given that it is not. Null about the population."
        )
    )
    error: float = Field(
        description=(
            "Error of the distribution function. If `exact`, an upper bound. If the shares were drawn from an exact "
            "posterior of the counts, an upper bound that fails with probability 1e-6. If that posterior is itself "
            "simulated, one standard error."
        )
    )
    method: Method = Field(description="How the distribution was computed.")
    draws: int | None = Field(description="Number of simulated draws; null if `exact`.")
    prior_matters: PriorMatters | None = Field(
        description="What another prior gives, if that differs by much; null otherwise."
    )
    question: Question | None = Field(description="The question as it was asked; null for a part of another answer.")


FigureKind: TypeAlias = Literal["share", Contrast, "efficacy", "log_odds_ratio", "number_needed", "probability"]


class FigureRow(Response):
    """A figure of an answer as the row of a table: its name, and where its numbers are."""

    name: str = Field(description="The name of the figure.", examples=["Risk ratio"])
    kind: FigureKind = Field(description="The kind of figure. Show a ratio on a logarithmic axis.")
    path: str = Field(
        description=(
            "JSON Pointer (RFC 6901) to the figure in this answer: to a distribution, to a mean or a probability, or "
            "to null if it does not exist."
        ),
        examples=["/trial/ratio"],
    )
    probability: str | None = Field(
        description="Its probability in words, with no more digits than its error allows; null if none was asked for.",
        examples=["P(above 1) = 0.12"],
    )
