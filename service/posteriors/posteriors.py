"""Posteriors from one or several releases. Only released values are read, so this costs no budget."""

from __future__ import annotations

from typing import Any, assert_never

import numpy as np

from core.inference.counts import InferenceError
from core.inference.events import Share, share_distribution
from core.inference.likelihood import unavailable_reason
from core.inference.mixture import BetaMixture
from core.inference.posterior import NoiseAwarePosterior, pool
from core.inference.quantiles import intervals_and_quantiles
from core.inference.remap import remap
from service.errors import InvalidRequest, NotSupported, error_location
from service.posteriors import events, strata, trials
from service.posteriors.events import asked_share, asked_shares, probability_fields, probability_of_greater
from service.posteriors.private_size import size_figures
from service.posteriors.read_releases import ReadRelease
from service.schemas import posteriors as schema
from service.schemas.cell_names import CellNames
from service.schemas.events import DensityCurve, Quantile

_MAX_NUMBERS = 200_000
"""Largest count of numbers in a response. Densities and draws of many categories add up."""


def check_prior(release: ReadRelease, prior: list[float] | None) -> None:
    """Raise InvalidRequest if a prior does not fit the release."""
    if prior is not None and len(prior) != len(release.labels):
        raise InvalidRequest.at("prior", "must have one number for each category of the release")


def condition(release: ReadRelease, prior: list[float] | None, *, at_most: int | None = None) -> NoiseAwarePosterior:
    """Return the posterior of the shares given the release. Raises InvalidRequest or NotSupported. `at_most`: the
    largest possible number of records, if it is private.
    """
    check_prior(release, prior)
    if (reason := unavailable_reason(release.event)) is not None:
        raise NotSupported(reason)
    return _infer([release], release.prior if prior is None else prior, at_most)


def _infer(releases: list[ReadRelease], prior: list[float], at_most: int | None) -> NoiseAwarePosterior:
    try:
        return pool([(each.event, each.counts) for each in releases], prior, at_most)
    except InferenceError as error:
        raise NotSupported(str(error)) from None


def summarise(release: ReadRelease, request: schema.PosteriorRequest) -> schema.Posterior:
    """Answer a request about one release. Raises InvalidRequest."""
    check_request(release, request)
    try:
        posterior = condition(release, request.prior, at_most=request.at_most)
    except NotSupported as problem:
        return schema.NoiseAwareUnavailable(kind="unavailable", release_id=release.id, reason=problem.detail)
    return schema.NoiseAwarePosterior(
        kind="noise_aware", release_id=release.id, **_summary([release], posterior, request)
    )


def summarise_pool(releases: list[ReadRelease], request: schema.PooledRequest) -> schema.PosteriorOfReleases:
    """Answer a request about several releases of one data set. Raises InvalidRequest."""
    check_pool(releases, request)
    first = releases[0]
    try:
        posterior = condition_on_all(releases, request.prior, at_most=request.at_most)
    except NotSupported as problem:
        return schema.NoiseAwareUnavailable(kind="unavailable", release_id=first.id, reason=problem.detail)
    ids = [release.id for release in releases]
    return schema.PooledPosterior(
        kind="noise_aware", release_id=first.id, release_ids=ids, **_summary(releases, posterior, request)
    )


def check_pool(releases: list[ReadRelease], request: schema.PooledRequest) -> None:
    """Raise InvalidRequest if the releases are not of one data set or don't support the request."""
    first = releases[0]
    if len({release.id for release in releases}) != len(releases):
        raise InvalidRequest.at("release_ids", "must name each release once")
    if any(release.dataset_id != first.dataset_id for release in releases):
        raise InvalidRequest.at("release_ids", "must be releases of one data set")
    _check_cells(releases)
    check_request(first, request)
    _check_prior(releases, request.prior)


def _check_cells(releases: list[ReadRelease]) -> None:
    """Raise InvalidRequest unless the noisy tables have the same cells: margins of one data set can differ."""
    first = releases[0]
    if any((each.labels, each.attributes) != (first.labels, first.attributes) for each in releases):
        raise InvalidRequest.at("", "must be about releases, or measured margins, that have the same cells")


def _check_prior(releases: list[ReadRelease], prior: list[float] | None) -> None:
    if prior is None and any(release.prior != releases[0].prior for release in releases):
        raise InvalidRequest.at("prior", "must be stated, because the releases have different priors")
    if prior is not None and len(prior) != len(releases[0].labels):
        raise InvalidRequest.at("prior", "must have one number for each category of the releases")


def condition_on_all(
    releases: list[ReadRelease], prior: list[float] | None, *, at_most: int | None = None
) -> NoiseAwarePosterior:
    """Return the posterior of the shares given several releases of one data set. Raises InvalidRequest or
    NotSupported.
    """
    _check_cells(releases)
    _check_prior(releases, prior)
    return _infer(releases, releases[0].prior if prior is None else prior, at_most)


def check_request(release: ReadRelease, request: schema.PosteriorRequest) -> None:
    """Raise InvalidRequest if a request does not fit a release."""
    check(release.names, request)
    is_private = release.event.n is None
    if request.point and is_private:
        raise InvalidRequest.at(
            "point", "must be false: the counts of a point posterior sum to the number of records, which is private"
        )
    if request.at_most is not None and not is_private:
        raise InvalidRequest.at("at_most", "must be left out, because the number of records is public")


def check(names: CellNames, request: schema.Questions) -> None:
    """Raise InvalidRequest if questions do not fit a table with these cells, or are too large."""
    _check_cost(names.m, request)
    for index, hypothesis in enumerate(request.hypotheses):
        with error_location(f"hypotheses[{index}]"):
            _check_hypothesis(hypothesis, names)
    events.check(request.events, names)
    if request.by is not None:
        with error_location("by"):
            strata.check(request.by, names)
    if request.trial is not None:
        with error_location("trial"):
            trials.check(request.trial, names)


def _summary(
    releases: list[ReadRelease], posterior: NoiseAwarePosterior, request: schema.PosteriorRequest
) -> dict[str, Any]:
    release = releases[0]
    return {
        "prior": posterior.prior.tolist(),
        "error": posterior.error,
        "method": posterior.method,
        "effective_draws": posterior.counts.effective,
        "total": size_figures(releases, posterior, request),
        "categories": _categories(release.labels, posterior, request),
        "point": _point(posterior) if request.point else None,
        **answers(release.names, posterior, request),
    }


def answers(names: CellNames, posterior: NoiseAwarePosterior, request: schema.Questions) -> dict[str, Any]:
    """Return the answers to questions that `check` accepted, as fields of a response."""
    return {
        "hypotheses": [_test(posterior, hypothesis, names) for hypothesis in request.hypotheses],
        "events": [events.answer_event(posterior, question, names, request) for question in request.events],
        "by": None if request.by is None else strata.answer(posterior, request.by, names, request),
        "trial": None if request.trial is None else trials.answer(posterior, request.trial, names, request),
        "draws": None
        if request.draws is None
        else posterior.draws(request.draws.size, seed=request.draws.seed).tolist(),
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


def _check_cost(m: int, request: schema.Questions) -> None:
    if m * request.density_points > _MAX_NUMBERS:
        raise InvalidRequest.at("density_points", f"must be at most {_MAX_NUMBERS // m} for this many categories")
    if request.draws is not None and m * request.draws.size > _MAX_NUMBERS:
        raise InvalidRequest.at("draws.size", f"must be at most {_MAX_NUMBERS // m} for this many categories")
    if m * len(request.quantiles) > _MAX_NUMBERS:
        raise InvalidRequest.at("quantiles", f"must be at most {_MAX_NUMBERS // m} for this many categories")


def _check_hypothesis(hypothesis: schema.Hypothesis, names: CellNames) -> None:
    if isinstance(hypothesis, schema.Greater):
        asked_shares(hypothesis, names)
        return
    asked_share(hypothesis, names)
    if isinstance(hypothesis, schema.Between) and hypothesis.low >= hypothesis.high:
        raise InvalidRequest.at("", "must have low below high")


def _categories(
    labels: list[str], posterior: NoiseAwarePosterior, request: schema.PosteriorRequest
) -> list[schema.CategoryShare]:
    if posterior.counts.n is None:
        return _categories_at_private_n(labels, posterior, request)
    shares, level = posterior.shares(), request.level
    ends, values = (each.tolist() for each in intervals_and_quantiles(shares, level, request.quantiles))
    has_density = request.density_points and posterior.method == "exact"
    return [
        schema.CategoryShare(
            label=label,
            mean=share.mean,
            standard_deviation=share.standard_deviation,
            interval=schema.CredibleInterval(level=level, low=low, high=high),
            quantiles=[
                Quantile(probability=each, value=value) for each, value in zip(request.quantiles, found, strict=True)
            ],
            density=_density(share, request.density_points) if has_density else None,
        )
        for label, share, (low, high), found in zip(labels, shares, ends, values, strict=True)
    ]


def _categories_at_private_n(
    labels: list[str], posterior: NoiseAwarePosterior, request: schema.PosteriorRequest
) -> list[schema.CategoryShare]:
    found = []
    for cell, label in enumerate(labels):
        share = share_distribution(posterior, Share(frozenset({cell})))
        law, (low, high) = share.distribution, share.distribution.interval(request.level)
        assert law.mean is not None, "a share has moments"
        assert law.standard_deviation is not None, "a share has moments"
        found.append(
            schema.CategoryShare(
                label=label,
                mean=law.mean,
                standard_deviation=law.standard_deviation,
                interval=schema.CredibleInterval(level=request.level, low=low, high=high),
                quantiles=[Quantile(probability=each, value=law.quantile(each)) for each in request.quantiles],
                density=events.density_of(share, request.density_points),
            )
        )
    return found


def _density(share: BetaMixture, points: int) -> DensityCurve:
    grid = _density_grid(share, points)
    return DensityCurve(share=grid.tolist(), density=share.density(grid).tolist())


def _density_grid(share: BetaMixture, points: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return `points` values of a share inside (0, 1), between the quantiles beyond which a thousandth lies on either
    side.

    Under a prior far below 1 these quantiles are 0 and 1 in floating point, where the density is infinite.
    """
    return np.clip(np.linspace(share.quantile(0.001), share.quantile(0.999), points), 1e-300, 1 - 2**-53)


def _test(posterior: NoiseAwarePosterior, hypothesis: schema.Hypothesis, names: CellNames) -> schema.TestedHypothesis:
    match hypothesis:
        case schema.Above():
            estimate = share_distribution(posterior, asked_share(hypothesis, names)).above(hypothesis.threshold)
        case schema.Between():
            share = share_distribution(posterior, asked_share(hypothesis, names))
            estimate = share.between(hypothesis.low, hypothesis.high)
        case schema.Greater():
            estimate = probability_of_greater(posterior, *asked_shares(hypothesis, names))
        case _:
            assert_never(hypothesis)
    return schema.TestedHypothesis(hypothesis=hypothesis, **probability_fields(estimate))
