"""Schemas of trials: an outcome in two groups."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from service.schemas.cells import ABOUT, About, Cells, Contrast
from service.schemas.events import AnsweredDistribution, EstimatedProbability
from service.schemas.model import Interval, Request, Response
from service.schemas.priors import PriorMatters

Threshold = Annotated[float, Field(strict=True, ge=-1e6, le=1e6)]


class Effect(Request):
    """An effect whose probability is computed: a measure above a value, or below it."""

    measure: Literal[Contrast, "efficacy"] = Field(
        description=(
            "With the risks x of the first group and y of the second: x − y, x / y, the ratio of their odds, or the "
            "efficacy 1 − x / y."
        )
    )
    above: Threshold | None = Field(
        default=None, description="Compute the probability that the measure is above this value."
    )
    below: Threshold | None = Field(
        default=None, description="Compute the probability that the measure is below this value."
    )

    @model_validator(mode="after")
    def _has_one_threshold(self) -> Self:
        if (self.above is None) is (self.below is None):
            raise ValueError("must have either above or below")
        return self


class TrialQuestion(Request):
    """A trial: the risk of an outcome in a first group, such as the vaccinated, and in a second one."""

    outcome: Cells = Field(
        description="The cells with the outcome, in both groups.", examples=[{"where": {"outcome": ["ill"]}}]
    )
    first: Cells = Field(description="The cells of the first group.", examples=[{"where": {"arm": ["vaccine"]}}])
    second: Cells = Field(
        description="The cells of the second group, with which the first is compared. The groups have no common cell.",
        examples=[{"where": {"arm": ["placebo"]}}],
    )
    about: About = Field(default="population", description=ABOUT)
    effect: Effect | None = Field(
        default=None,
        description="An effect whose probability is computed, too.",
        examples=[{"measure": "efficacy", "above": 0.3}],
    )


class Efficacy(Response):
    """1 − x / y for the risks x and y of the first and second group: for a vaccine, its efficacy."""

    mean: float | None = Field(description="Null if the mean of the ratio is null.")
    median: float = Field(description="The posterior median.")
    standard_deviation: float | None = Field(description="Null if the mean of the ratio is null.")
    interval: Interval = Field(description="The credible interval at the requested level.")
    prior_matters: PriorMatters | None = Field(description="What another prior gives, if the ratio has this note.")


class NumberNeeded(Response):
    """The number needed to treat, 1 / |d|, where d is the difference of the risks, first minus second.

    Among this number of people, one fewer has the outcome in the first group than in the second (NNTB, if the outcome
    is a harm), or one more (NNTH).
    """

    level: float = Field(description="The probability that the difference lies in its interval.")
    estimate: float = Field(description="1 over the absolute median of the difference.")
    direction: Literal["fewer", "more"] = Field(
        description="Whether there are fewer outcomes in the first group, or more."
    )
    low: float = Field(description="The smallest number, at the largest difference of the interval.")
    high: float = Field(description="The largest number, at the smallest difference of the interval.")
    prior_matters: PriorMatters | None = Field(description="What another prior gives, if the difference has this note.")


class LogOddsRatio(Response):
    """The natural logarithm of the odds ratio, for a meta-analysis. Its mean and deviation always exist."""

    mean: float = Field(description="The posterior mean.")
    median: float = Field(description="The posterior median.")
    standard_deviation: float = Field(description="The posterior standard deviation.")
    standard_error: float = Field(description="The standard error of `mean`; 0 if the odds ratio is exact.")
    interval: Interval = Field(description="The credible interval at the requested level.")
    prior_matters: PriorMatters | None = Field(description="What another prior gives, if the odds ratio has this note.")


class ProbableEffect(EstimatedProbability):
    """The probability of a stated effect."""

    effect: Effect = Field(description="The effect as it was stated.")


class TrialFigures(Response):
    """The posterior of a trial: both risks, their contrasts, and the figures made from these."""

    first: AnsweredDistribution = Field(description="The risk x in the first group.")
    second: AnsweredDistribution = Field(description="The risk y in the second group.")
    difference: AnsweredDistribution = Field(description="x − y.")
    ratio: AnsweredDistribution = Field(description="x / y, the risk ratio.")
    odds_ratio: AnsweredDistribution = Field(description="(x / (1 − x)) / (y / (1 − y)).")
    efficacy: Efficacy = Field(description="1 − x / y.")
    number_needed: NumberNeeded | None = Field(
        description="1 / |x − y|; null if the interval of x − y contains 0, which no number of people stands for."
    )
    log_odds_ratio: LogOddsRatio | None = Field(
        description="The natural logarithm of the odds ratio; null about the records, where it may be infinite."
    )
    effect: ProbableEffect | None = Field(description="Null if no effect was stated.")
    question: TrialQuestion | None = Field(description="The trial as it was asked for; null in a comparison.")
