"""Compares two shares: of two releases about different people, or of pooled releases of one data set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from core.inference.contrast_scales import Contrast
from core.inference.events import Share, greater_between, share_distribution
from core.inference.sources import Answers
from core.inference.trials import trial_between
from service.errors import InvalidRequest, error_location
from service.posteriors import events, trials
from service.posteriors.posteriors import as_unavailable, source_of
from service.posteriors.priors import answers_of, check_prior, matters_under
from service.posteriors.read_releases import ReadRelease
from service.schemas import posteriors as schema
from service.schemas.events import AnsweredDistribution
from service.schemas.trials import TrialFigures

_SIDES: Final = ("first", "second")


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
    sides = []
    for release, asked, side, share in zip(
        (first, second), (request.first, request.second), _SIDES, shares, strict=True
    ):
        with error_location(side):
            check_prior(asked.prior, release.names)
            sides.append((answers_of(source_of([release]), asked.prior, release.names), share))
    return _comparison(sides, request, "may_overlap" if first.budget_id == second.budget_id else "different")


def _compare_within(
    releases: tuple[ReadRelease, ReadRelease], shares: tuple[Share, Share], request: schema.ComparisonCreate
) -> schema.Comparison:
    """Compare two shares of one data set, with both releases pooled."""
    first = releases[0]
    events.check_differ(*shares, len(first.labels))
    check_prior(request.first.prior, first.names)
    if request.first.prior != request.second.prior:
        raise InvalidRequest.at("second.prior", "must be the prior of the first: both releases are of one data set")
    found = answers_of(source_of(releases), request.first.prior, first.names)
    return _comparison([(found, share) for share in shares], request, "same")


def _comparison(
    sides: Sequence[tuple[Answers, Share]],
    request: schema.ComparisonCreate,
    people: Literal["same", "may_overlap", "different"],
) -> schema.Comparison:
    with as_unavailable():
        first, second = _pair(sides, people)
        estimate = (
            events.probability_of_greater(sides[0][0], *(share for _, share in sides))
            if people == "same"
            else greater_between(first, second)
        )
        left, right = (share_distribution(*each).distribution for each in (first, second))
        others = [(answers.alternative, share) for answers, share in sides if answers.alternative is not None]
        other = _pair(others, people) if len(others) == len(sides) else None
        each = others[0][0].each if others else 0.0
        asked = None if request.contrast is None else Contrast(request.contrast)
        contrast = None if asked is None else _described(asked, (first, second), other, each, request)
        trial = None
        if request.trial:
            under_other = None if other is None else trials.UnderOtherPrior(trial_between(*other), each)
            trial = trials.figures(trial_between(first, second), request, request.effect, under_other)
    assert left.mean is not None, "a share has a mean"
    assert right.mean is not None, "a share has a mean"
    return schema.Comparison(
        first_mean=left.mean,
        second_mean=right.mean,
        people=people,
        contrast=contrast,
        trial=None if trial is None else TrialFigures(**trial),
        **events.probability_fields(estimate),
    )


def _pair(sides: Sequence[tuple[Answers, Share]], people: str) -> tuple[events.Side, events.Side]:
    """Return the posterior and the share of each side; one posterior if the people are the same."""
    (one, first), (other, second) = sides
    if people == "same":
        posterior, shares = one.of(first, second)
        return (posterior, shares[0]), (posterior, shares[1])
    (left, (first,)), (right, (second,)) = one.of(first), other.of(second)
    return (left, first), (right, second)


def _described(
    contrast: Contrast,
    pair: tuple[events.Side, events.Side],
    other: tuple[events.Side, events.Side] | None,
    each: float,
    request: schema.ComparisonCreate,
) -> AnsweredDistribution:
    found, matters = events.contrast_of(*pair, contrast), None
    if other is not None:
        law = events.contrast_of(*other, contrast).distribution
        matters = matters_under(found, law, each, request.level, is_ratio=events.is_ratio(contrast.value))
    return events.describe(
        found,
        request,
        above=contrast.equal if request.above is None else request.above,
        prior_matters=matters,
    )
