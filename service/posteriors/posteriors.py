"""Computes posteriors and comparisons from releases. Only released values are read here: it costs no budget,
whatever is asked.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, assert_never

import numpy as np
from sqlalchemy import Connection

from core.cells import CellSet
from core.inference import comparison
from core.inference.beta_pairs import BetaPairs
from core.inference.contrasts import Contrast, DrawnLaw
from core.inference.counts import InferenceError
from core.inference.events import Share, contrast_between, contrast_law, share_law
from core.inference.likelihood import why_not
from core.inference.mixture import BetaMixture
from core.inference.posterior import Estimate, NoiseAwarePosterior, infer, pool
from core.inference.quantiles import quantiles
from core.inference.remap import remap
from core.mechanisms.catalogue import Event, lies_near_counts
from core.mechanisms.noisy_counts import NoisyCounts
from service.auth import Caller
from service.cells import SEPARATOR, CellNames
from service.database.rows import ReleaseRow
from service.errors import InvalidRequest, NotSupported, within
from service.posteriors import events
from service.posteriors.plot import Beta, Law, PlottedRelease, PlottedShare, plot
from service.releases import access as release_access
from service.releases.order import ordered_event
from service.releases.worth import seconds as worth_seconds
from service.releases.worth import sentence, worth_of
from service.schemas import posteriors as schema
from service.schemas.cells import of_json
from service.schemas.releases import Worth

_MAX_PLOTTED = 200
_MOST_JUDGING = 0.5
"""Seconds that the worth of a release may take, at the picture's own level."""
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
    attributes: list[dict[str, Any]] | None = None
    """Of a cross table, as plain JSON."""
    worth: dict[str, Any] | None = None
    """What was found of such releases when it was drawn, as plain JSON."""

    @property
    def names(self) -> CellNames:
        """How callers name its cells."""
        return CellNames(self.labels, of_json(self.attributes))


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
        attributes=result.get("attributes"),
        prior=result["prior"],
        worth=result.get("worth"),
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
    check(release.names, request)
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
    check(first.names, request)
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


def check(names: CellNames, request: schema.PosteriorRequest) -> None:
    """Raises InvalidRequest where a request cannot be about releases with these cells, or asks for too much."""
    _check_cost(names.m, request)
    for index, hypothesis in enumerate(request.hypotheses):
        with within(f"hypotheses[{index}]"):
            _check_hypothesis(hypothesis, names)
    events.check(request.events, names)


def _summary(release: ReadRelease, posterior: NoiseAwarePosterior, request: schema.PosteriorRequest) -> dict[str, Any]:
    return {
        "prior": posterior.prior.tolist(),
        "error": posterior.error,
        "method": posterior.method,
        "effective_draws": posterior.counts.effective,
        "categories": _categories(release.labels, posterior, request),
        "hypotheses": [_test(posterior, hypothesis, release.names) for hypothesis in request.hypotheses],
        "events": [events.answer(posterior, question, release.names, request) for question in request.events],
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


def _check_hypothesis(hypothesis: schema.Hypothesis, names: CellNames) -> None:
    with within("category"):
        cells = names.chosen(hypothesis.category)
        if len(cells) == names.m:
            raise InvalidRequest.at("", "must leave out a cell: the share of all of them is 1")
    if isinstance(hypothesis, schema.Greater):
        with within("than"):
            than = names.chosen(hypothesis.than)
            if cells <= than or than <= cells:
                raise InvalidRequest.at("", "must have a cell that `category` has not, and lack one that it has")
    if isinstance(hypothesis, schema.Between) and hypothesis.low >= hypothesis.high:
        raise InvalidRequest.at("", "must have low below high")


def _categories(
    labels: list[str], posterior: NoiseAwarePosterior, request: schema.PosteriorRequest
) -> list[schema.CategoryShare]:
    shares, level = posterior.shares(), request.level
    values = quantiles(shares, [(1.0 - level) / 2.0, (1.0 + level) / 2.0, *request.quantiles]).tolist()
    has_density = request.density_points and posterior.method == "exact"
    return [
        schema.CategoryShare(
            label=label,
            mean=share.mean,
            standard_deviation=share.standard_deviation,
            interval=schema.CredibleInterval(level=level, low=low, high=high),
            quantiles=[
                schema.Quantile(probability=each, value=value)
                for each, value in zip(request.quantiles, found, strict=True)
            ],
            density=_density(share, request.density_points) if has_density else None,
        )
        for label, share, (low, high, *found) in zip(labels, shares, values, strict=True)
    ]


def _density(share: BetaMixture, points: int) -> schema.DensityCurve:
    grid = density_grid(share, points)
    return schema.DensityCurve(share=grid.tolist(), density=share.density(grid).tolist())


def density_grid(share: BetaMixture, points: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """`points` values of a share, inside (0, 1), between the quantiles that leave out a thousandth on either side.

    Under a prior far below 1 these quantiles are 0 and 1 in floating point, where the density is infinite.
    """
    return np.clip(np.linspace(share.quantile(0.001), share.quantile(0.999), points), 1e-300, 1 - 2**-53)


def _test(posterior: NoiseAwarePosterior, hypothesis: schema.Hypothesis, names: CellNames) -> schema.TestedHypothesis:
    cells = names.chosen(hypothesis.category)
    match hypothesis:
        case schema.Above():
            estimate = posterior.estimate(posterior.share_of(cells).survival(hypothesis.threshold))
        case schema.Between():
            share = posterior.share_of(cells)
            estimate = posterior.estimate(share.between(hypothesis.low, hypothesis.high))
        case schema.Greater():
            estimate = posterior.greater_of(cells, names.chosen(hypothesis.than))
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
    shares = []
    for release, asked, side in ((first, request.first, "first"), (second, request.second, "second")):
        with within(side):
            shares.append(_compared(release, asked))
    if first.dataset_id == second.dataset_id:
        return _compare_within((first, second), (shares[0], shares[1]), request)
    posteriors = []
    for release, asked, side in ((first, request.first, "first"), (second, request.second, "second")):
        with within(side):
            posteriors.append(condition(release, asked.prior))
    return _told(
        (posteriors[0], shares[0]),
        (posteriors[1], shares[1]),
        request,
        "may_overlap" if first.budget_id == second.budget_id else "different",
    )


def _compared(release: ReadRelease, asked: schema.ShareOfRelease) -> Share:
    """The share that one side of a comparison is about. Raises InvalidRequest."""
    names = release.names
    with within("category"):
        cells = names.chosen(asked.category)
    return events.share_of(cells, asked.given, names, "category")


def _compare_within(
    releases: tuple[ReadRelease, ReadRelease], shares: tuple[Share, Share], request: schema.ComparisonCreate
) -> schema.Comparison:
    """Two shares of one data set, by both releases pooled."""
    first, second = releases
    if shares[0] == shares[1]:
        raise InvalidRequest.at(
            "second.category",
            "must be another category than the first: both releases are of one data set, and its shares are the same",
        )
    events.check_differ(*shares, len(first.labels))
    asked = request.first.prior, request.second.prior
    priors = [release.prior if prior is None else prior for release, prior in zip(releases, asked, strict=True)]
    if priors[0] != priors[1]:
        raise InvalidRequest.at("second.prior", "must be the prior of the first: both releases are of one data set")
    posterior = condition_on_all([first, second], priors[0])
    return _told((posterior, shares[0]), (posterior, shares[1]), request, "same")


def _told(
    first: tuple[NoiseAwarePosterior, Share],
    second: tuple[NoiseAwarePosterior, Share],
    request: schema.ComparisonCreate,
    people: Literal["same", "may_overlap", "different"],
) -> schema.Comparison:
    answers = [share_law(posterior, share) for posterior, share in (first, second)]
    left, right = (answer.law for answer in answers)
    assert left.mean is not None, "a share has a mean"
    assert right.mean is not None, "a share has a mean"
    if people == "same" and first[1].given == second[1].given is None and _apart(first[1].cells, second[1].cells):
        estimate = first[0].greater_of(first[1].cells, second[1].cells)
    elif people != "same" and isinstance(left, BetaMixture) and isinstance(right, BetaMixture):
        estimate = comparison.greater(left, right, error=sum(answer.error for answer in answers))
        if simulated := [answer for answer in answers if answer.method == "simulation"]:
            estimate = replace(estimate, method="simulation", draws=simulated[0].draws)
    else:
        contrast = (
            contrast_law(first[0], first[1], second[1], Contrast.DIFFERENCE)
            if people == "same"
            else contrast_between(first, second, Contrast.DIFFERENCE)
        )
        estimate = Estimate(contrast.law.survival(0.0), contrast.error, contrast.method, contrast.draws)
    return schema.Comparison(
        first_mean=left.mean,
        second_mean=right.mean,
        people=people,
        contrast=events.contrast_of_releases(first, second, request),
        **_probability(estimate),
    )


def _apart(first: CellSet, second: CellSet) -> bool:
    """Whether neither holds the other."""
    return not (first <= second or second <= first)


def check_picture(release: ReadRelease, request: schema.PictureRequest) -> None:
    """Raises InvalidRequest where there is no such picture of the release."""
    _rows_of(release, request)


def picture(release: ReadRelease, request: schema.PictureRequest) -> str:
    """The picture of a release, an SVG document. Raises InvalidRequest, and NotSupported for too many rows."""
    rows = _rows_of(release, request)
    if len(rows) > _MAX_PLOTTED:
        raise NotSupported(f"A picture shows at most {_MAX_PLOTTED} categories.")
    aware: list[Law | None]
    is_simulated = False
    try:
        posterior = condition(release, None)
        is_simulated = posterior.method == "simulation"
        laws = [share_law(posterior, share).law for share in rows.values()]
        aware = [law if isinstance(law, BetaMixture | BetaPairs | DrawnLaw) else None for law in laws]
    except NotSupported:
        aware = [None] * len(rows)
    prior, released = np.array(release.prior), np.array(release.counts.on_simplex)
    shares = []
    for (label, share), law in zip(rows.items(), aware, strict=True):
        base = sorted(range(prior.size) if share.given is None else share.given)
        cells, others = sorted(share.cells.intersection(base)), sorted(set(base) - share.cells)
        a, b = math.fsum(prior[cells]), math.fsum(prior[others])
        naive = Beta(a + int(released[cells].sum()), b + int(released[others].sum()))
        shares.append(PlottedShare(label, prior=Beta(a, b), naive=naive, aware=law))
    by = request.by or [each.name for each in release.names.attributes or ()]
    return plot(
        PlottedRelease(
            title=release.title,
            subtitle=release.subtitle,
            level=request.level,
            shares=shares,
            mark=release.mark,
            rows=SEPARATOR.join(by),
            axis=f"share of {'records' if request.of is None else _spoken(request.of)} in "
            + (f"each {SEPARATOR.join(by)}" if by else "the category"),
            worth=_worth(release, request.level),
            shows_naive=lies_near_counts(release.event),
            is_simulated=is_simulated,
        )
    )


def judging_seconds(event: Event) -> float:
    """A public estimate of what a picture takes to say the worth of its release; 0 where it says what was stored."""
    estimated = worth_seconds(event)
    return estimated if estimated <= _MOST_JUDGING else 0.0


def _worth(release: ReadRelease, level: float) -> str:
    """A sentence of what releases like this are worth at made-up counts: at the level of the picture where that is
    found quickly, else at that of the release; empty where neither is known.
    """
    if judging_seconds(release.event):
        return sentence(worth_of(release.event, release.prior, level))
    return "" if release.worth is None else sentence(Worth.model_validate(release.worth))


def _rows_of(release: ReadRelease, request: schema.PictureRequest) -> dict[str, Share]:
    """The shares that a picture shows, by what stands beside them. Raises InvalidRequest."""
    names = release.names
    if not request.by:
        groups = {label: frozenset({cell}) for cell, label in enumerate(release.labels)}
    else:
        with within("by"):
            groups = names.groups(request.by)
    if request.of is None:
        if len(groups) < 2:
            raise InvalidRequest.at("by", "must make more than one group of cells")
        return {label: Share(cells) for label, cells in groups.items()}
    with within("of"):
        wanted = names.named(request.of)
        if not request.by:
            raise InvalidRequest.at("", "needs `by`: the groups within which the share is taken")
        # Groups that hold only such cells, or none, have nothing to show.
        shares = {
            label: Share(wanted & base, base) for label, base in groups.items() if wanted & base and base - wanted
        }
        if not shares:
            raise InvalidRequest.at("", "must part the cells of a group")
    return shares


def _spoken(chosen: Sequence[str] | Mapping[str, Sequence[str]]) -> str:
    if isinstance(chosen, Mapping):
        return ", ".join(f"{name}: {' or '.join(levels)}" for name, levels in chosen.items())
    return " or ".join(chosen)
