"""Describes what is computed from releases afterwards, free: noise-aware posteriors, hypotheses, comparisons."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from service.pictures.svg import DEFAULT_WIDTH, LEAST_WIDTH, MOST_WIDTH
from service.schemas.cells import MAX_ATTRIBUTES, CellOrCells, Cells, Labels, Where
from service.schemas.model import AS_WHOLE, Id, Request, Response, ShortText, examples
from service.schemas.releases import Level, Prior

Share = Annotated[float, Field(strict=True, ge=0.0, le=1.0)]


class Above(Request):
    """The share of a category, or of a set of cells, is above a threshold."""

    kind: Literal["above"]
    category: CellOrCells
    threshold: Share


class Between(Request):
    """The share of a category, or of a set of cells, lies between two values."""

    kind: Literal["between"]
    category: CellOrCells
    low: Share
    high: Share


class Greater(Request):
    """The share of one category, or set of cells, is greater than that of another."""

    kind: Literal["greater"]
    category: CellOrCells
    than: CellOrCells


Hypothesis = Annotated[Above | Between | Greater, Field(discriminator="kind")]


class SetOfCells(Request):
    """The share of the records in some cells, of all records or of those in `given` alone. The cells are named by
    `labels`, or by `where` in a cross table.
    """

    labels: Labels | None = Field(
        default=None, description="The categories that count, by their labels.", examples=[["paralytic polio"]]
    )
    where: Where | None = None
    given: Cells | None = Field(
        default=None,
        description="The cells that the share is taken of, by labels or by levels of attributes; all when left out.",
        examples=[{"age": ["20-29", "30-39"]}],
    )

    @model_validator(mode="after")
    def _said_once(self) -> Self:
        if (self.labels is None) is (self.where is None):
            raise ValueError("must have either labels or where")
        return self


class ShareQuestion(SetOfCells):
    """The share of a set of cells: of those in `given` who are in the set too."""

    kind: Literal["share"]
    above: Share | None = Field(default=None, description="Also answer how likely the share is above this.")


class ContrastQuestion(Request):
    """One share against another: first less second, first over second, or the ratio of their odds."""

    kind: Literal["difference", "ratio", "odds_ratio"]
    first: SetOfCells
    second: SetOfCells
    above: Annotated[float, Field(strict=True, ge=-1.0, le=1e6)] | None = Field(
        default=None,
        description="Answer how likely the contrast is above this; when left out, above what equal shares would give.",
    )


EventQuestion = Annotated[ShareQuestion | ContrastQuestion, Field(discriminator="kind")]

MAX_EVENTS = 5


class DrawsRequest(Request):
    """Joint draws of all shares; the same seed gives the same draws."""

    size: Annotated[int, Field(strict=True, ge=1, le=10_000), AS_WHOLE]
    seed: Annotated[int, Field(strict=True, ge=0, le=2**53), AS_WHOLE] = 0


class PosteriorRequest(Request):
    model_config = examples(
        {
            "prior": [0.5, 0.5],
            "level": 0.9,
            "quantiles": [0.05, 0.5, 0.95],
            "hypotheses": [{"kind": "above", "category": 0, "threshold": 0.001}],
        }
    )

    prior: Prior | None = Field(
        default=None, description="The release's own prior when left out. Any prior will do: this is free."
    )
    level: Level = Field(default=0.95, description="Level of the credible intervals.")
    quantiles: Annotated[list[Level], Field(max_length=50)] = Field(default=[], examples=[[0.05, 0.5, 0.95]])
    hypotheses: Annotated[list[Hypothesis], Field(max_length=100)] = Field(
        default=[], examples=[[{"kind": "above", "category": 0, "threshold": 0.001}]]
    )
    events: Annotated[list[EventQuestion], Field(max_length=MAX_EVENTS)] = Field(
        default=[],
        description="Shares of sets of cells, conditional shares, and contrasts of two shares.",
        examples=[[{"kind": "share", "labels": ["paralytic polio"], "above": 0.001}]],
    )
    density_points: Annotated[int, Field(strict=True, ge=0, le=1000), AS_WHOLE] = Field(
        default=0, description="Points of the density of each share; 0 for none."
    )
    draws: DrawsRequest | None = None
    point: bool = Field(
        default=False,
        strict=True,
        description="Also the one Dirichlet posterior with the least expected Hellinger error.",
    )


class PictureRequest(Request):
    """What the picture of a release shows: each category, or the cells of a cross table put together."""

    level: Level = 0.95
    by: Annotated[list[ShortText], Field(default_factory=list, max_length=MAX_ATTRIBUTES)]
    of: Cells | None = None
    width: Annotated[int, Field(strict=True, ge=LEAST_WIDTH, le=MOST_WIDTH)] = DEFAULT_WIDTH


class CredibleInterval(Response):
    """A noise-aware interval with as much posterior probability below it as above. It accounts for the noise and
    contains the truth as often as its level says.
    """

    level: float
    low: float
    high: float


class Quantile(Response):
    probability: float
    value: float


class DensityCurve(Response):
    share: list[float]
    density: list[float]


class CategoryShare(Response):
    label: str
    mean: float
    standard_deviation: float
    interval: CredibleInterval
    quantiles: list[Quantile]
    density: DensityCurve | None = Field(
        description="Null where none was asked for, or where the posterior was simulated."
    )


class Probability(Response):
    """A probability and how far it can be off: a bound where it is `exact`, one standard error where it is a
    `simulation`.
    """

    probability: float
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None = Field(description="Size of the simulation.")


class TestedHypothesis(Probability):
    hypothesis: Hypothesis


class ProbabilityAbove(Response):
    """How likely a value is above a threshold."""

    threshold: float
    probability: float


class AnsweredDistribution(Response):
    """The posterior distribution of a share, or of a contrast of two shares."""

    mean: float | None = Field(
        description=(
            "Null for a contrast that was computed by integration, and if the mean does not exist. A ratio has no mean "
            "if the prior of the categories in its denominator sums to 1 or less: a count of 0 has some probability, "
            "and makes the mean infinite."
        )
    )
    standard_deviation: float | None = Field(description="Null like the mean, and if the variance does not exist.")
    interval: CredibleInterval
    quantiles: list[Quantile]
    density: DensityCurve | None = Field(
        description="Null where none was asked for, or where the answer was simulated."
    )
    above: ProbabilityAbove | None
    error: float = Field(
        description=(
            "How far any probability can be off. If `exact`, a bound. If the shares were drawn from an exact posterior "
            "of the counts, a bound that fails with probability 1e-6. If that posterior is itself simulated, one "
            "standard error."
        )
    )
    method: Literal["exact", "simulation"]
    draws: int | None = Field(description="Size of the simulation.")


class AnsweredEvent(AnsweredDistribution):
    """The answer to a question about a share, or about a contrast of two shares."""

    question: EventQuestion


class PointPosterior(Response):
    """The Bayes remap: the Dirichlet posterior on counts with the least expected Hellinger distance to the true
    posterior, given the release.
    """

    released_counts: list[int]
    concentration: list[float]
    expected_hellinger_error: float
    error: float = Field(
        description="Of the expectation: a bound where it is exact, one standard error where it is a simulation."
    )
    method: Literal["exact", "simulation"]
    draws: int | None


class NoiseAwarePosterior(Response):
    """p(θ | release), the posterior of the shares θ given the release, with the distribution of the noise accounted
    for.
    """

    kind: Literal["noise_aware"]
    release_id: Id
    prior: list[float]
    error: float = Field(
        description=(
            "How far any probability here can be off: a bound where the posterior is `exact`, one standard error where "
            "it is a `simulation`."
        )
    )
    method: Literal["exact", "simulation"]
    effective_draws: float | None = Field(
        description="How many equal, independent draws of the counts the simulation is worth; null where it is exact."
    )
    categories: list[CategoryShare]
    hypotheses: list[TestedHypothesis]
    events: list[AnsweredEvent]
    draws: list[list[float]] | None
    point: PointPosterior | None


class NoiseAwareUnavailable(Response):
    """No noise-aware posterior can be computed for this mechanism at this size. Only the release's own figures are
    available.
    """

    kind: Literal["unavailable"]
    release_id: Id
    reason: str


PosteriorResponse = Annotated[NoiseAwarePosterior | NoiseAwareUnavailable, Field(discriminator="kind")]


class PooledRequest(PosteriorRequest):
    """A posterior from several releases of one data set."""

    model_config = examples(
        {
            "release_ids": ["rel_aaaaaaaaaaaaaaaaaaaaaaaaaa", "rel_bbbbbbbbbbbbbbbbbbbbbbbbbb"],
            "prior": [1, 1],
            "level": 0.9,
        }
    )

    release_ids: Annotated[list[Id], Field(min_length=1, max_length=50)] = Field(
        description="Releases of one data set that you may read. Choose them by anything but their values: dropping a "
        "release because of what it "
        "says makes every interval wrong."
    )
    prior: Prior | None = Field(
        default=None,
        description="One prior on the shares, counted once; to be stated where the priors of the releases differ.",
    )


class PooledPosterior(NoiseAwarePosterior):
    """p(θ | all the releases): their likelihoods multiplied, under one prior."""

    release_id: Id = Field(description="The first of the releases.")
    release_ids: list[Id]


PooledResponse = Annotated[PooledPosterior | NoiseAwareUnavailable, Field(discriminator="kind")]


class ShareOfRelease(Request):
    release_id: Id
    category: CellOrCells = Field(description="Whose share it is: a category by its position, or a set of cells.")
    given: Cells | None = Field(default=None, description="The cells that the share is taken of; all when left out.")
    prior: Prior | None = Field(default=None, description="The release's own prior when left out.")


class ComparisonCreate(Request):
    """Is the first share greater than the second?

    Two releases of one data set are pooled: they are about the same people. Releases of different data sets are taken
    to be about different people.
    """

    model_config = examples(
        {
            "first": {"release_id": "rel_aaaaaaaaaaaaaaaaaaaaaaaaaa", "category": 0},
            "second": {"release_id": "rel_bbbbbbbbbbbbbbbbbbbbbbbbbb", "category": 0},
        },
        {
            "first": {"release_id": "rel_aaaaaaaaaaaaaaaaaaaaaaaaaa", "category": ["paralytic polio"]},
            "second": {"release_id": "rel_bbbbbbbbbbbbbbbbbbbbbbbbbb", "category": ["paralytic polio"]},
            "contrast": "ratio",
            "above": 0.5,
        },
    )

    first: ShareOfRelease
    second: ShareOfRelease
    contrast: Literal["difference", "ratio", "odds_ratio"] | None = Field(
        default=None, description="Also answer with the distribution of this contrast of the two shares."
    )
    above: Annotated[float, Field(strict=True, ge=-1.0, le=1e6)] | None = Field(
        default=None,
        description="Answer how likely the contrast is above this; when left out, above what equal shares would give.",
    )
    level: Level = Field(default=0.95, description="Level of the contrast's interval.")
    quantiles: Annotated[list[Level], Field(max_length=50)] = Field(default=[], description="Of the contrast.")


class Comparison(Probability):
    """The probability that the first share is greater than the second."""

    first_mean: float
    second_mean: float
    contrast: AnsweredDistribution | None = Field(description="Null where none was asked for.")
    people: Literal["same", "may_overlap", "different"] = Field(
        description="`same`: one data set, and its releases were pooled. `different`: the two posteriors were taken "
        "for independent. "
        "`may_overlap`: as `different`, but the data sets share a budget, as those about the same people do; then the "
        "probability is only "
        "right if nobody is in both."
    )
