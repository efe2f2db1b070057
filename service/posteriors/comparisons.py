"""Compares two shares: of two releases about different people, or of pooled releases of one data set."""

from __future__ import annotations

from typing import Literal

from core.inference.events import Share, greater_between, share_distribution
from core.inference.posterior import NoiseAwarePosterior
from core.inference.trials import trial_between
from service.errors import InvalidRequest, error_location
from service.posteriors import events, trials
from service.posteriors.posteriors import condition, condition_on_all
from service.posteriors.read_releases import ReadRelease
from service.schemas import posteriors as schema
from service.schemas.trials import TrialFigures


def compare(first: ReadRelease, second: ReadRelease, request: schema.ComparisonCreate) -> schema.Comparison:
    """Compare a share of one release with one of another. Raises InvalidRequest or NotSupported."""
    if first.id == second.id:
        raise InvalidRequest.at(
            "second.release_id", "must be a different release; compare shares of one release as a hypothesis"
        )
    shares = []
    for release, asked, side in ((first, request.first, "first"), (second, request.second, "second")):
        with error_location(side):
            shares.append(events.asked_share(asked, release.names))
    if first.dataset_id == second.dataset_id:
        return _compare_within((first, second), (shares[0], shares[1]), request)
    posteriors = []
    for release, asked, side in ((first, request.first, "first"), (second, request.second, "second")):
        with error_location(side):
            posteriors.append(condition(release, asked.prior))
    return _comparison(
        (posteriors[0], shares[0]),
        (posteriors[1], shares[1]),
        request,
        "may_overlap" if first.budget_id == second.budget_id else "different",
    )


def _compare_within(
    releases: tuple[ReadRelease, ReadRelease], shares: tuple[Share, Share], request: schema.ComparisonCreate
) -> schema.Comparison:
    """Compare two shares of one data set, with both releases pooled."""
    first, second = releases
    events.check_differ(*shares, len(first.labels))
    asked = request.first.prior, request.second.prior
    priors = [release.prior if prior is None else prior for release, prior in zip(releases, asked, strict=True)]
    if priors[0] != priors[1]:
        raise InvalidRequest.at("second.prior", "must be the prior of the first: both releases are of one data set")
    posterior = condition_on_all([first, second], priors[0])
    return _comparison((posterior, shares[0]), (posterior, shares[1]), request, "same")


def _comparison(
    first: tuple[NoiseAwarePosterior, Share],
    second: tuple[NoiseAwarePosterior, Share],
    request: schema.ComparisonCreate,
    people: Literal["same", "may_overlap", "different"],
) -> schema.Comparison:
    answers = [share_distribution(posterior, share) for posterior, share in (first, second)]
    left, right = (answer.distribution for answer in answers)
    assert left.mean is not None, "a share has a mean"
    assert right.mean is not None, "a share has a mean"
    if people == "same":
        estimate = events.probability_of_greater(first[0], first[1], second[1])
    else:
        estimate = greater_between(first, second)
    return schema.Comparison(
        first_mean=left.mean,
        second_mean=right.mean,
        people=people,
        contrast=events.contrast_of_releases(first, second, request),
        trial=TrialFigures(**trials.figures(trial_between(first, second), request, request.effect))
        if request.trial
        else None,
        **events.probability_fields(estimate),
    )
