"""What is computed from releases afterwards, free: noise-aware posteriors, hypotheses, comparisons."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from service.schemas.model import AS_WHOLE, Id, Request, Response, examples
from service.schemas.releases import Level, Prior

Category = Annotated[
    int, Field(strict=True, ge=0, description="Position of the category among the labels, from 0."), AS_WHOLE
]
Share = Annotated[float, Field(strict=True, ge=0.0, le=1.0)]


class Above(Request):
    """The share of a category is above a threshold."""

    kind: Literal["above"]
    category: Category
    threshold: Share


class Between(Request):
    """The share of a category lies between two values."""

    kind: Literal["between"]
    category: Category
    low: Share
    high: Share


class Greater(Request):
    """The share of one category is greater than that of another."""

    kind: Literal["greater"]
    category: Category
    than: Category


Hypothesis = Annotated[Above | Between | Greater, Field(discriminator="kind")]


class DrawsRequest(Request):
    """Joint draws of all shares; the same seed gives the same draws."""

    size: Annotated[int, Field(strict=True, ge=1, le=10_000), AS_WHOLE]
    seed: Annotated[int, Field(strict=True, ge=0, le=2**63 - 1), AS_WHOLE] = 0


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
    density_points: Annotated[int, Field(strict=True, ge=0, le=1000), AS_WHOLE] = Field(
        default=0, description="Points of the density of each share; 0 for none."
    )
    draws: DrawsRequest | None = None
    point: bool = Field(
        default=False,
        strict=True,
        description="Also the one Dirichlet posterior with the least expected Hellinger error.",
    )


class CredibleInterval(Response):
    """As much posterior probability below it as above, with the mechanism's noise taken for noise: it holds the truth as often as its level says."""

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
    density: DensityCurve | None


class Probability(Response):
    """A probability and how far it can be off: a bound where it is `exact`, one standard error where it is a `simulation`."""

    probability: float
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None = Field(description="Size of the simulation.")


class TestedHypothesis(Probability):
    hypothesis: Hypothesis


class PointPosterior(Response):
    """The Bayes remap: the Dirichlet posterior on counts with the least expected Hellinger distance to the true posterior, given the release."""

    released_counts: list[int]
    concentration: list[float]
    expected_hellinger_error: float
    error: float = Field(
        description="Of the expectation: a bound where it is exact, one standard error where it is a simulation."
    )
    method: Literal["exact", "simulation"]
    draws: int | None


class NoiseAwarePosterior(Response):
    """p(θ | release): exact where the mechanism's noise can be conditioned on."""

    kind: Literal["noise_aware"]
    release_id: Id
    prior: list[float]
    error: float = Field(description="Bound on how far any probability here is off.")
    categories: list[CategoryShare]
    hypotheses: list[TestedHypothesis]
    draws: list[list[float]] | None
    point: PointPosterior | None


class NoiseAwareUnavailable(Response):
    """The mechanism's channel can't be conditioned on at this size; `naive_interval` of the release is all there is."""

    kind: Literal["unavailable"]
    release_id: Id
    reason: str


PosteriorResponse = Annotated[NoiseAwarePosterior | NoiseAwareUnavailable, Field(discriminator="kind")]


class ShareOfRelease(Request):
    release_id: Id
    category: Category
    prior: Prior | None = Field(default=None, description="The release's own prior when left out.")


class ComparisonCreate(Request):
    """Is the first share greater than the second? The releases must be from different people for the answer to be what it says."""

    model_config = examples(
        {
            "first": {"release_id": "rel_aaaaaaaaaaaaaaaaaaaaaaaaaa", "category": 0},
            "second": {"release_id": "rel_bbbbbbbbbbbbbbbbbbbbbbbbbb", "category": 0},
        }
    )

    first: ShareOfRelease
    second: ShareOfRelease


class Comparison(Probability):
    """The probability that the first share is greater than the second, the two posteriors being independent."""

    first_mean: float
    second_mean: float
