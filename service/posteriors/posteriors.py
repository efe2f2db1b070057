"""Computes posteriors and comparisons from releases. Only released values are read here: it costs no budget,
whatever is asked.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, Literal, assert_never

import numpy as np
from sqlalchemy import Connection

from core.inference import comparison
from core.inference.counts import InferenceError
from core.inference.likelihood import why_not
from core.inference.mixture import BetaMixture
from core.inference.posterior import Estimate, NoiseAwarePosterior, infer, pool
from core.inference.remap import remap
from core.mechanisms.catalogue import Event
from core.mechanisms.noisy_counts import NoisyCounts
from service.auth import Caller
from service.database.rows import ReleaseRow
from service.errors import InvalidRequest, NotSupported, within
from service.posteriors import events
from service.posteriors.plot import Beta, PlottedRelease, PlottedShare, plot
from service.releases import access as release_access
from service.releases.order import ordered_event
from service.schemas import posteriors as schema

_MAX_PLOTTED = 200
_MAX_NUMBERS = 200_000
"""How many numbers a response may hold: densities and draws of many categories add up."""


@dataclass(frozen=True, slots=True)
class ReadRelease:
    """A complete release as inference needs it; all of it is public to whoever may read it."""

    id: str
    event: Event
    labels: list[str]
    prior: list[float]
    counts: NoisyCounts
    title: str
    subtitle: str
    mark: str = ""
    dataset_id: str = ""
    budget_id: str = ""


def read(connection: Connection, caller: Caller, release_id: str) -> ReadRelease:
    """The release. Raises NotFound, ReleaseInProgress or ReleaseFailed."""
    return _of_row(release_access.readable_row(connection, caller, release_id))


def read_public(connection: Connection, release_id: str) -> ReadRelease:
    """A release that anyone may read. Raises NotFound."""
    return _of_row(release_access.public_row(connection, release_id))


def _of_row(row: ReleaseRow) -> ReadRelease:
    result = json.loads(row.document)
    posterior = result["posterior"]
    counts = NoisyCounts(tuple(posterior["noisy_counts"]), tuple(posterior["released_counts"]))
    certified = result["certified"]
    return ReadRelease(
        id=row.id,
        dataset_id=row.dataset_id,
        budget_id=row.budget_id,
        event=ordered_event(row.plan),
        labels=result["labels"],
        prior=result["prior"],
        counts=counts,
        title=f"Private posterior of {result['record_count']:,} records",
        subtitle=(
            f"{result['mechanism']['kind']}, proven ({certified['epsilon']}, {certified['delta']})-differentially "
            f"private; release {row.id}"
        ),
    )


def condition(release: ReadRelease, prior: list[float] | None) -> NoiseAwarePosterior:
    """The posterior of the shares given the release. Raises InvalidRequest or NotSupported."""
    if prior is not None and len(prior) != len(release.labels):
        raise InvalidRequest.at("prior", "must have one number for each category of the release")
    reason = why_not(release.event)
    if reason is not None:
        raise NotSupported(reason)
    try:
        return infer(release.event, release.counts, release.prior if prior is None else prior)
    except InferenceError as error:
        raise NotSupported(str(error)) from None


def summarise(release: ReadRelease, request: schema.PosteriorRequest) -> schema.PosteriorResponse:
    """The answer to a request about one release. Raises InvalidRequest."""
    check(release.labels, request)
    try:
        posterior = condition(release, request.prior)
    except NotSupported as problem:
        return schema.NoiseAwareUnavailable(kind="unavailable", release_id=release.id, reason=problem.detail)
    return schema.NoiseAwarePosterior(
        kind="noise_aware", release_id=release.id, **_summary(release, posterior, request)
    )


def summarise_pool(releases: list[ReadRelease], request: schema.PooledRequest) -> schema.PooledResponse:
    """The answer to a request about several releases of one data set. Raises InvalidRequest."""
    check_pool(releases, request)
    first = releases[0]
    try:
        posterior = condition_on_all(releases, request.prior)
    except NotSupported as problem:
        return schema.NoiseAwareUnavailable(kind="unavailable", release_id=first.id, reason=problem.detail)
    ids = [release.id for release in releases]
    return schema.PooledPosterior(
        kind="noise_aware", release_id=first.id, release_ids=ids, **_summary(first, posterior, request)
    )


def check_pool(releases: list[ReadRelease], request: schema.PooledRequest) -> None:
    """Raises InvalidRequest where the releases are not of one data set, or can't be asked this."""
    first = releases[0]
    if len({release.id for release in releases}) != len(releases):
        raise InvalidRequest.at("release_ids", "must name each release once")
    if any(release.dataset_id != first.dataset_id or release.labels != first.labels for release in releases):
        raise InvalidRequest.at("release_ids", "must be releases of one data set")
    check(first.labels, request)
    _check_prior(releases, request.prior)


def _check_prior(releases: list[ReadRelease], prior: list[float] | None) -> None:
    if prior is None and any(release.prior != releases[0].prior for release in releases):
        raise InvalidRequest.at("prior", "must be stated, as the releases have different priors")
    if prior is not None and len(prior) != len(releases[0].labels):
        raise InvalidRequest.at("prior", "must have one number for each category of the releases")


def condition_on_all(releases: list[ReadRelease], prior: list[float] | None) -> NoiseAwarePosterior:
    """The posterior of the shares given several releases of one data set. Raises InvalidRequest or NotSupported."""
    _check_prior(releases, prior)
    try:
        return pool(
            [(release.event, release.counts) for release in releases], releases[0].prior if prior is None else prior
        )
    except InferenceError as error:
        raise NotSupported(str(error)) from None


def check(labels: list[str], request: schema.PosteriorRequest) -> None:
    """Raises InvalidRequest where a request cannot be about releases with these labels, or asks for too much."""
    m = len(labels)
    _check_cost(m, request)
    for index, hypothesis in enumerate(request.hypotheses):
        with within(f"hypotheses[{index}]"):
            _check_hypothesis(hypothesis, m)
    events.check(request.events, labels)


def _summary(release: ReadRelease, posterior: NoiseAwarePosterior, request: schema.PosteriorRequest) -> dict[str, Any]:
    return {
        "prior": posterior.prior.tolist(),
        "error": posterior.error,
        "categories": [
            _category(label, share, request) for label, share in zip(release.labels, posterior.shares(), strict=True)
        ],
        "hypotheses": [_test(posterior, hypothesis) for hypothesis in request.hypotheses],
        "events": [events.answer(posterior, question, release.labels, request) for question in request.events],
        "draws": None
        if request.draws is None
        else posterior.draws(request.draws.size, seed=request.draws.seed).tolist(),
        "point": _point(posterior) if request.point else None,
    }


def _point(posterior: NoiseAwarePosterior) -> schema.PointPosterior:
    found = remap(posterior.prior, posterior.counts)
    return schema.PointPosterior(
        released_counts=list(found.counts),
        concentration=(posterior.prior + np.array(found.counts)).tolist(),
        expected_hellinger_error=found.expected_hellinger,
        error=found.error,
        method=found.method,
        draws=found.draws,
    )


def _check_cost(m: int, request: schema.PosteriorRequest) -> None:
    if m * request.density_points > _MAX_NUMBERS:
        raise InvalidRequest.at("density_points", f"must be at most {_MAX_NUMBERS // m} for this many categories")
    if request.draws is not None and m * request.draws.size > _MAX_NUMBERS:
        raise InvalidRequest.at("draws.size", f"must be at most {_MAX_NUMBERS // m} for this many categories")
    if m * len(request.quantiles) > _MAX_NUMBERS:
        raise InvalidRequest.at("quantiles", f"must be at most {_MAX_NUMBERS // m} for this many categories")


def _check_hypothesis(hypothesis: schema.Hypothesis, m: int) -> None:
    if hypothesis.category >= m or (isinstance(hypothesis, schema.Greater) and hypothesis.than >= m):
        raise InvalidRequest.at("", "must name a category of the release, counted from 0")
    if isinstance(hypothesis, schema.Greater) and hypothesis.category == hypothesis.than:
        raise InvalidRequest.at("", "must compare two different categories")
    if isinstance(hypothesis, schema.Between) and hypothesis.low >= hypothesis.high:
        raise InvalidRequest.at("", "must have low below high")


def _category(label: str, share: BetaMixture, request: schema.PosteriorRequest) -> schema.CategoryShare:
    low, high = share.interval(request.level)
    return schema.CategoryShare(
        label=label,
        mean=share.mean,
        standard_deviation=share.standard_deviation,
        interval=schema.CredibleInterval(level=request.level, low=low, high=high),
        quantiles=[schema.Quantile(probability=each, value=share.quantile(each)) for each in request.quantiles],
        density=_density(share, request.density_points) if request.density_points else None,
    )


def _density(share: BetaMixture, points: int) -> schema.DensityCurve:
    grid = density_grid(share, points)
    return schema.DensityCurve(share=grid.tolist(), density=share.density(grid).tolist())


def density_grid(share: BetaMixture, points: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """`points` values of a share, inside (0, 1), between the quantiles that leave out a thousandth on either side.

    Under a prior far below 1 these quantiles are 0 and 1 in floating point, where the density is infinite.
    """
    return np.clip(np.linspace(share.quantile(0.001), share.quantile(0.999), points), 1e-300, 1 - 2**-53)


def _test(posterior: NoiseAwarePosterior, hypothesis: schema.Hypothesis) -> schema.TestedHypothesis:
    match hypothesis:
        case schema.Above():
            estimate = posterior.above(hypothesis.category, hypothesis.threshold)
        case schema.Between():
            estimate = posterior.between(hypothesis.category, hypothesis.low, hypothesis.high)
        case schema.Greater():
            estimate = posterior.greater(hypothesis.category, hypothesis.than)
        case _:
            assert_never(hypothesis)
    return schema.TestedHypothesis(hypothesis=hypothesis, **_probability(estimate))


def _probability(estimate: Estimate) -> dict[str, Any]:
    return {"probability": estimate.value, "error": estimate.error, "method": estimate.method, "draws": estimate.draws}


def compare(first: ReadRelease, second: ReadRelease, request: schema.ComparisonCreate) -> schema.Comparison:
    """Whether a share of one release is greater than one of another. Raises InvalidRequest or NotSupported."""
    if first.id == second.id:
        raise InvalidRequest.at(
            "second.release_id", "must be another release; compare categories of one release as a hypothesis"
        )
    sides = ((first, request.first, "first"), (second, request.second, "second"))
    for release, asked, side in sides:
        with within(side):
            if asked.category >= len(release.labels):
                raise InvalidRequest.at("category", "must name a category of the release, counted from 0")
    if first.dataset_id == second.dataset_id:
        return _compare_within(first, second, request)
    shares = []
    for release, asked, side in sides:
        with within(side):
            posterior = condition(release, asked.prior)
        shares.append((posterior.share(asked.category), posterior.error))
    (left, left_error), (right, right_error) = shares
    estimate = comparison.greater(left, right, error=left_error + right_error)
    people: Literal["may_overlap", "different"] = "may_overlap" if first.budget_id == second.budget_id else "different"
    return schema.Comparison(first_mean=left.mean, second_mean=right.mean, people=people, **_probability(estimate))


def _compare_within(first: ReadRelease, second: ReadRelease, request: schema.ComparisonCreate) -> schema.Comparison:
    """Two categories of one data set, by both releases pooled."""
    one, other = request.first, request.second
    if one.category == other.category:
        raise InvalidRequest.at(
            "second.category",
            "must be another category than the first: both releases are of one data set, and its shares are the same",
        )
    priors = [
        release.prior if asked.prior is None else asked.prior for release, asked in ((first, one), (second, other))
    ]
    if priors[0] != priors[1]:
        raise InvalidRequest.at("second.prior", "must be the prior of the first: both releases are of one data set")
    posterior = condition_on_all([first, second], priors[0])
    left, right = posterior.share(one.category), posterior.share(other.category)
    estimate = posterior.greater(one.category, other.category)
    return schema.Comparison(first_mean=left.mean, second_mean=right.mean, people="same", **_probability(estimate))


def picture(release: ReadRelease, level: float) -> str:
    """The picture of a release, an SVG document. Raises NotSupported for too many categories."""
    if len(release.labels) > _MAX_PLOTTED:
        raise NotSupported(f"A picture shows at most {_MAX_PLOTTED} categories.")
    aware: list[BetaMixture | None]
    try:
        aware = [*condition(release, None).shares()]
    except NotSupported:
        aware = [None] * len(release.labels)
    prior_total, total = math.fsum(release.prior), math.fsum(release.prior) + sum(release.counts.on_simplex)
    columns = zip(release.labels, release.prior, release.counts.on_simplex, aware, strict=True)
    return plot(
        PlottedRelease(
            title=release.title,
            subtitle=release.subtitle,
            level=level,
            shares=[
                PlottedShare(label, prior=Beta(alpha, prior_total), naive=Beta(alpha + count, total), aware=law)
                for label, alpha, count, law in columns
            ],
            mark=release.mark,
        )
    )
