"""Schemas of free computations from releases and noisy tables: posteriors, comparisons."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator
from typing_extensions import TypeAliasType

from core.limits import MAX_RECORDS
from service.pictures.svg import DEFAULT_WIDTH, LEAST_WIDTH, MOST_WIDTH
from service.schemas.cells import ABOUT, MAX_ATTRIBUTES, About, Cells, ContrastKind, MarginNames, Question, Share
from service.schemas.events import (
    AnsweredDistribution,
    DensityCurve,
    EstimatedProbability,
    FigureRow,
    Quantile,
)
from service.schemas.model import AS_WHOLE, Id, Interval, Method, Request, Response, ShortText, examples
from service.schemas.priors import PriorMatters, PriorOfCategories, StatedPrior, UsedPrior
from service.schemas.releases import Level
from service.schemas.strata import AnsweredStrata, StratifiedQuestion
from service.schemas.tables import TableSource
from service.schemas.trials import Effect, TrialFigures, TrialQuestion

MAX_QUESTIONS = 50
MAX_SOURCES = 50
MAX_KNOWN = 50


class DrawsRequest(Request):
    """Joint draws of the shares of all categories. The same seed gives the same draws."""

    size: Annotated[int, Field(strict=True, ge=1, le=100_000), AS_WHOLE] = Field(
        description="The number of draws: at most 200 000 divided by the number of categories."
    )
    seed: Annotated[int, Field(strict=True, ge=0, le=2**53), AS_WHOLE] = Field(
        default=0, description="The seed of the draws."
    )
    question: Question | None = Field(
        default=None,
        description=(
            "The question that the draws are for. The records are divided by its pieces first, so that its value "
            "computed from the draws is near its answer. If left out, they are divided by the attributes, those of the "
            "trial's outcome first: a contrast of rare shares that is computed from such draws can be far from its "
            "answer."
        ),
    )


class Questions(Request):
    """Questions about the shares of a table, and the figures of each cell."""

    level: Level = Field(
        default=0.95, description=("Probability that an interval contains the share, above 0 and below 1.")
    )
    quantiles: Annotated[list[Level], Field(max_length=50)] = Field(
        default=[],
        examples=[[0.05, 0.5, 0.95]],
        description="Probabilities at which quantiles of each share are returned, above 0 and below 1.",
    )
    questions: Annotated[list[Question], Field(max_length=MAX_QUESTIONS)] = Field(
        default=[],
        description="Questions about shares of sets of cells, conditional shares, and contrasts of two shares.",
        examples=[[{"kind": "share", "of": {"labels": ["paralytic polio"]}, "above": 0.001}]],
    )
    by: StratifiedQuestion | None = Field(
        default=None,
        description="A question that is answered in each stratum, and for two groups adjusted for the strata.",
    )
    trial: TrialQuestion | None = Field(default=None, description="An outcome in two groups.")
    density_points: Annotated[int, Field(strict=True, ge=0, le=1000), AS_WHOLE] = Field(
        default=0, description="Number of points of each share's density; 0 for none."
    )
    draws: DrawsRequest | None = Field(default=None, description="Also return joint draws of all shares.")


class ReleaseSource(Request):
    """A release that you may read, or one measured margin of a release of margins."""

    kind: Literal["release"]
    release_id: Id
    margin: MarginNames | None = Field(
        default=None, description="For a release of margins: the measured margin whose noisy counts are used."
    )


Source = TypeAliasType("Source", Annotated[ReleaseSource | TableSource, Field(discriminator="kind")])


def _check_one_kind(sources: list[Source]) -> list[Source]:
    if len(sources) > 1 and any(each.kind == "table" for each in sources):
        raise ValueError(
            "must be releases, or one table alone; further tables of the same counts go into its `further`"
        )
    return sources


Sources = Annotated[list[Source], Field(min_length=1, max_length=MAX_SOURCES), AfterValidator(_check_one_kind)]
_SOURCES_DESCRIPTION = (
    "The releases of one data set whose likelihoods are multiplied, or one noisy table that somebody published. Don't "
    "choose releases by their values: omitting a release because of its values invalidates every interval."
)


class KnownTotal(Request):
    """The number of records in some cells, if it is public."""

    of: Cells = Field(description="The cells, such as an arm of a trial.", examples=[{"where": {"arm": ["vaccine"]}}])
    count: Annotated[int, Field(strict=True, ge=0, le=MAX_RECORDS), AS_WHOLE] = Field(
        description="The number of their records.", examples=[18198]
    )


_WARNINGS_DESCRIPTION = "Doubts about a noisy table, its description, or `known`."
Known = Annotated[list[KnownTotal], Field(max_length=MAX_KNOWN)]
_KNOWN_DESCRIPTION = (
    "Public totals of groups without a common cell. Each share of a question then lies within one group, or outside "
    "all of them. The service does not compare the totals with the counts. They must be public from elsewhere: "
    "somebody who copies a total from the data without noise discloses it."
)


class PosteriorPicture(Request):
    """A picture of shares: each category, or the cells of a cross table in groups."""

    by: Annotated[list[ShortText], Field(max_length=MAX_ATTRIBUTES)] = Field(
        default=[], description="Attributes of a cross table: one row for each combination of their levels."
    )
    of: Cells | None = Field(default=None, description="With `by`: show the share of these cells within each row.")
    width: Annotated[int, Field(strict=True, ge=LEAST_WIDTH, le=MOST_WIDTH), AS_WHOLE] = Field(
        default=DEFAULT_WIDTH, description="Width of the picture's layout in pixels."
    )


class PosteriorCreate(Questions):
    model_config = examples(
        {
            "sources": [{"kind": "release", "release_id": "rel_aaaaaaaaaaaaaaaaaaaaaaaaaa"}],
            "prior": [0.5, 0.5],
            "level": 0.9,
            "quantiles": [0.05, 0.5, 0.95],
            "questions": [{"kind": "share", "of": {"labels": ["paralytic polio"]}, "above": 0.001}],
        },
        {
            "sources": [
                {"kind": "release", "release_id": "rel_aaaaaaaaaaaaaaaaaaaaaaaaaa"},
                {"kind": "release", "release_id": "rel_bbbbbbbbbbbbbbbbbbbbbbbbbb"},
            ],
            "prior": [1, 1],
            "level": 0.9,
        },
        {
            "sources": [
                {
                    "kind": "table",
                    "cells": [
                        {"label": "FR", "value": 1250},
                        {"label": "MC", "value": None},
                        {"label": "AD", "between": [1, 90]},
                        {"label": "CH", "value": 310, "noise": {"law": "geometric", "scale": 30}},
                    ],
                    "noise": {"law": "discrete_gaussian", "rho": 0.01505, "l2_sensitivity": 3.1623},
                    "printed": {"shown_from": 91},
                    "total": {"known": 1700},
                }
            ],
            "prior": {"each": 0.5, "of": "cell"},
        },
        {
            "sources": [
                {
                    "kind": "table",
                    "cells": [{"label": "yes", "value": 41}, {"label": "no", "value": 112}],
                    "noise": {"law": "geometric", "epsilon": 1},
                }
            ],
            "questions": [{"kind": "share", "of": {"labels": ["yes"]}, "above": 0.25}],
            "picture": {"width": 400},
        },
    )

    sources: Sources = Field(description=_SOURCES_DESCRIPTION)
    prior: StatedPrior | None = Field(
        default=None,
        description=(
            "The prior: `each` for one number for each piece of a question or for each cell, or a list with one number "
            "for each cell, which add in merged sets. If left out, ½ for each piece. Each figure says in "
            "`prior_matters` when it depends on it."
        ),
        examples=[{"each": 0.5, "of": "cell"}],
    )
    known: Known = Field(
        default=[],
        description=f"{_KNOWN_DESCRIPTION} `questions` and `trial` use them; rows, `total` and pictures don't. Not "
        "with `by` or `draws`.",
    )
    point: bool = Field(
        default=False,
        strict=True,
        description=(
            "Also return the single Dirichlet posterior with the smallest expected Hellinger error. Only for releases, "
            "and only if the number of records is public."
        ),
    )
    at_most: Annotated[int, Field(strict=True, ge=0, le=MAX_RECORDS), AS_WHOLE] | None = Field(
        default=None,
        description=(
            "For releases, if the number of records is private: the largest number that is possible. The prior on it "
            "is flat from 0 to this, or without an end if left out."
        ),
    )
    picture: PosteriorPicture | None = Field(
        default=None, description="Also return a picture of the shares, with intervals at `level`."
    )


class CountFigures(Response):
    """The posterior distribution of a number of records, given what was published."""

    mean: float = Field(description="Posterior mean, in records.")
    standard_deviation: float = Field(description="Posterior standard deviation, in records.")
    interval: Interval = Field(description="The credible interval at the requested level, in records.")
    quantiles: list[Quantile] = Field(description="The requested quantiles, in records.")
    error: float = Field(description="Upper bound on the error of any probability of this number.")


class SizeFigures(CountFigures):
    """The number of records: its posterior distribution under the prior, and an unbiased estimate, which needs no
    prior.
    """

    estimate: float | None = Field(
        description=(
            "The sum of the noisy counts, plus ½ a count for `laplace`, whose noise is rounded down. For several "
            "releases, the weighted mean of their sums. Null for a noisy table."
        )
    )
    estimate_interval: Interval | None = Field(
        description="Interval around `estimate` that contains the number as often as its level. It uses no prior."
    )


class CategoryShare(Response):
    label: str = Field(description="The label of the category.")
    mean: float = Field(description="Posterior mean of the share, which accounts for the noise.")
    standard_deviation: float = Field(
        description="Posterior standard deviation of the share, which accounts for the noise."
    )
    interval: Interval = Field(
        description="The equal-tailed credible interval at the requested level, which accounts for the noise."
    )
    quantiles: list[Quantile] = Field(description="The requested quantiles.")
    density: DensityCurve | None = Field(description="Null if `density_points` is 0 or the posterior was simulated.")
    error: float = Field(
        description=(
            "Error of the share's distribution function. If `exact`, an upper bound. If the shares were drawn from an "
            "exact posterior of the counts, an upper bound that fails with probability 1e-6. If that posterior is "
            "itself simulated, one standard error."
        )
    )
    method: Method = Field(description="How the distribution of the share was computed.")
    draws: int | None = Field(description="Number of simulated draws; null if `exact`.")
    count: CountFigures | None = Field(
        description="The number of records of the category; null for releases of more than 1 000 categories."
    )
    prior_matters: PriorMatters | None = Field(
        description="What another prior gives, if that differs by much; null otherwise, and above 200 categories."
    )


SvgDocument = Annotated[str, Field(json_schema_extra={"contentMediaType": "image/svg+xml"})]


class PointPosterior(Response):
    """The Bayes remap: the Dirichlet posterior on counts with the smallest expected Hellinger distance to the true
    posterior, given the release.
    """

    released_counts: list[int] = Field(description="Counts that are not negative and sum to n.")
    concentration: list[float] = Field(description="The prior's parameters plus `released_counts`.")
    expected_hellinger_error: float = Field(
        description="Expected Hellinger distance to the true posterior, given the release, from 0 to 1."
    )
    error: float = Field(
        description="Error of the expectation: an upper bound if `exact`, one standard error if `simulation`."
    )
    method: Method = Field(description="How the expectation was computed.")
    draws: int | None = Field(description="Number of simulated draws; null if `exact`.")


class NoiseAwarePosterior(Response):
    """p(θ | sources): the posterior of the shares θ given the noisy counts, which accounts for the distribution of the
    noise. The likelihoods of several releases are multiplied, under one prior.
    """

    kind: Literal["noise_aware"]
    release_ids: list[Id] = Field(description="The releases; empty for a noisy table.")
    prior: UsedPrior = Field(description="The prior that was used.")
    prior_of_categories: PriorOfCategories
    error: float = Field(
        description=(
            "Error of any probability of the counts: an upper bound if the posterior is `exact`, one standard error if "
            "it is a `simulation`."
        )
    )
    method: Method = Field(description="How the posterior was computed.")
    effective_draws: float | None = Field(
        description="Effective sample size of the simulation's draws of the counts; null if `exact`."
    )
    total: SizeFigures | None = Field(description="The number of records; null if the releases' data set states it.")
    categories: list[CategoryShare] = Field(description="The categories, in the order of the labels.")
    answers: list[AnsweredDistribution] = Field(description="The answers to the questions, in their order.")
    by: AnsweredStrata | None = Field(description="The answers by stratum; null if the request has no `by`.")
    trial: TrialFigures | None = Field(description="The trial; null if the request has no `trial`.")
    rows: list[FigureRow] = Field(description="The figures of `answers`, `by` and `trial` as the rows of a table.")
    notes: list[str] = Field(description="What to know about single rows.")
    draws: list[list[float]] | None = Field(
        description="Joint draws: for each draw one share for each category. Null if none were requested."
    )
    draws_of: DrawsRequest | None = Field(
        description="What was asked of the draws: their number, their seed, and the question that they are for."
    )
    divided_by: list[str] = Field(
        description="The attributes by which the records are divided for `categories` and `draws`, in this order. "
        "Empty without attributes, or if the prior is by cell."
    )
    point: PointPosterior | None = Field(description="The single Dirichlet posterior; null if it was not requested.")
    known: list[KnownTotal] = Field(description="The public totals that the answers use.")
    warnings: list[str] = Field(description=_WARNINGS_DESCRIPTION)
    picture: SvgDocument | None = Field(description="The picture; null if the request has no `picture`.")


class NoiseAwareUnavailable(Response):
    """No noise-aware posterior can be computed for this mechanism at this size. Use the release's own posterior."""

    kind: Literal["unavailable"]
    release_ids: list[Id] = Field(description="The releases.")
    reason: str = Field(description="The reason, in words.")
    picture: SvgDocument | None = Field(
        description="The picture of the release's own posterior; null if the request has no `picture`."
    )


Posterior = TypeAliasType(
    "Posterior", Annotated[NoiseAwarePosterior | NoiseAwareUnavailable, Field(discriminator="kind")]
)


class ComparedShare(Share):
    """A share, and the sources from which its posterior is computed."""

    sources: Sources = Field(description=_SOURCES_DESCRIPTION)
    prior: StatedPrior | None = Field(default=None, description="½ for each piece if left out.")
    known: Known = Field(default=[], description=_KNOWN_DESCRIPTION)


_COMPARISON_EXAMPLE = {
    side: {
        "sources": [{"kind": "release", "release_id": release_id}],
        "of": {"labels": ["paralytic polio"]},
    }
    for side, release_id in (("first", f"rel_{'a' * 26}"), ("second", f"rel_{'b' * 26}"))
}


class ComparisonCreate(Request):
    """Compares two shares: is the first greater than the second?

    Releases of one data set are pooled, since they describe the same people. Releases of different data sets, and noisy
    tables, are assumed to describe different people.
    """

    model_config = examples(_COMPARISON_EXAMPLE, _COMPARISON_EXAMPLE | {"contrast": "ratio", "above": 0.5})

    first: ComparedShare
    second: ComparedShare
    contrast: ContrastKind | None = Field(
        default=None, description="Also return the distribution of this contrast of the two shares."
    )
    above: Annotated[float, Field(strict=True, ge=-1.0, le=1e6)] | None = Field(
        default=None,
        description=(
            "Also return the probability that the contrast is above this. If left out, the value at equal shares: "
            "0 for a difference, 1 for ratios."
        ),
    )
    about: About = Field(default="population", description=ABOUT)
    level: Level = Field(
        default=0.95,
        description=("Probability that the contrast's interval contains the contrast, above 0 and below 1."),
    )
    quantiles: Annotated[list[Level], Field(max_length=50)] = Field(
        default=[], description=("Quantiles of the contrast to return.")
    )
    trial: bool = Field(
        default=False,
        strict=True,
        description="Also return the figures of a trial whose risks are the two shares.",
    )
    effect: Effect | None = Field(
        default=None,
        description="An effect of the trial whose probability is computed, too. Only with `trial`.",
        examples=[{"measure": "efficacy", "above": 0.3}],
    )

    @model_validator(mode="after")
    def _has_effect_of_trial(self) -> Self:
        if self.effect is not None and not self.trial:
            raise ValueError("must have `trial` true if it has `effect`")
        return self


class Comparison(EstimatedProbability):
    """The probability that the first share is greater than the second."""

    equal: float | None = Field(description="The probability that both are equal. Null about the population.")
    undefined: float | None = Field(
        description="The probability that a share is undefined, as no record is in its denominator. Null about the "
        "population."
    )
    first_mean: float = Field(description="Posterior mean of the first share.")
    second_mean: float = Field(description="Posterior mean of the second share.")
    contrast: AnsweredDistribution | None = Field(description="Null if no contrast was requested.")
    trial: TrialFigures | None = Field(
        description="The trial whose first and second group have these shares as risks; null if it was not requested."
    )
    rows: list[FigureRow] = Field(description="The figures as the rows of a table.")
    notes: list[str] = Field(description="What to know about single rows.")
    people: Literal["same", "may_overlap", "different"] = Field(
        description=(
            "`same`: one data set, whose releases were pooled. `different`: the two posteriors were assumed "
            "independent. `may_overlap`: as `different`, but the data sets share a budget, as data sets about the "
            "same people do. Then the probability is correct only if nobody is in both."
        )
    )
    warnings: list[str] = Field(description=_WARNINGS_DESCRIPTION)
