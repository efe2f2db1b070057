"""Posteriors from releases or a noisy table. Only released values are read, so this costs no budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.inference.beta_pairs import BetaPairs
from core.inference.counts import CountMarginal, InferenceError
from core.inference.events import Answered
from core.inference.mixture import BetaMixture
from core.inference.posterior import NoiseAwarePosterior
from core.inference.quantiles import intervals_and_quantiles
from core.inference.remap import remap
from core.inference.sources import MOST_ROWS, Answers
from core.inference.total_nodes import OverTotals
from core.queries.released_counts import noisy_total
from service.errors import InvalidRequest, NotSupported, error_location
from service.posteriors import events, known, pictures, sources, strata, trials, words
from service.posteriors.priors import (
    Figures,
    answers_of,
    check_prior,
    matters_of,
    order_of,
    outcome_of,
    prior_of_categories,
    used_prior,
)
from service.posteriors.read_tables import ReadTable
from service.posteriors.sources import Given, as_refusal, check_sources, ids_of, names_of, source_of
from service.schemas import posteriors as schema
from service.schemas.cell_names import CellNames
from service.schemas.events import Quantile
from service.schemas.model import Interval
from service.schemas.priors import PriorMatters

_FEW_COMPONENTS = 256
"""Largest number of components of a mixture that is searched together with others."""
_MAX_COMPARED_CATEGORIES = 200
"""Largest number of categories whose shares are computed under another prior, too."""
_MAX_COUNTED_CATEGORIES = 1000
"""Largest number of categories of releases whose counts are in the answer: they double its size."""
_SEPARATE_ANSWERS_WARNING = (
    "The labels of this table share one draw of noise. Each share is computed from its own noisy count, so that shares "
    "need not sum to 1. Ask for a set of labels as one share."
)
_MAX_NUMBERS = 200_000
"""Largest count of numbers in a response. Densities and draws of many categories add up."""


def summarise(given: Given, request: schema.PosteriorCreate) -> schema.Posterior:
    """Answer a request about its sources. Raises InvalidRequest."""
    check_request(given, request)
    picture = None
    if request.picture is not None:
        with error_location("picture"):
            picture = pictures.picture(given, request, request.picture)
    try:
        with as_refusal(given):
            fields = _summary(given, request)
    except NotSupported as problem:
        return schema.NoiseAwareUnavailable(
            kind="unavailable", release_ids=ids_of(given), reason=problem.detail, picture=picture
        )
    return schema.NoiseAwarePosterior(kind="noise_aware", release_ids=ids_of(given), picture=picture, **fields)


def check_request(given: Given, request: schema.PosteriorCreate) -> None:
    """Raise InvalidRequest if a request does not fit its sources, and NotSupported for too large a picture."""
    check_sources(given, request.prior)
    names = names_of(given)
    check(names, request)
    check_prior(request.prior, names)
    known.check_questions(known.check(request.known, given, request.at_most), request, names)
    if isinstance(given, ReadTable):
        if request.point:
            raise InvalidRequest.at("point", "must be false for a noisy table")
        if request.at_most is not None:
            raise InvalidRequest.at("at_most", "must be left out for a noisy table: state it in `total`")
    elif request.point and given[0].event.n is None:
        raise InvalidRequest.at(
            "point", "must be false: the counts of a point posterior sum to the number of records, which is private"
        )
    elif request.at_most is not None and given[0].event.n is not None:
        raise InvalidRequest.at("at_most", "must be left out, because the number of records is public")
    if request.picture is not None:
        with error_location("picture"):
            pictures.rows_of(names, request.picture)


def takes_long(given: Given, request: schema.PosteriorCreate) -> bool:
    """Return whether the answer is estimated to take more than two seconds of CPU time."""
    asked = request.questions
    contrasts = sum(each.kind != "share" for each in asked)
    if request.trial is not None:
        contrasts += 3
    strata = 0 if request.by is None else len(names_of(given).groups(request.by.attributes))
    contrasts += request.by is not None  # all strata together
    return sources.takes_long(given, request.prior, questions=len(asked), contrasts=contrasts, strata=strata)


def check(names: CellNames, request: schema.Questions) -> None:
    """Raise InvalidRequest if questions do not fit a table with these cells, or are too large."""
    _check_cost(names.m, request)
    events.check(request.questions, names)
    if request.draws is not None and request.draws.question is not None:
        with error_location("draws.question"):
            events.shares_of(request.draws.question, names)
            if names.m > MOST_ROWS:
                raise InvalidRequest.at("", f"must be left out for more than {MOST_ROWS} categories")
    if request.by is not None:
        with error_location("by"):
            strata.check(request.by, names)
    if request.trial is not None:
        with error_location("trial"):
            trials.check(request.trial, names)


def _summary(given: Given, request: schema.PosteriorCreate) -> dict[str, Any]:
    names = names_of(given)
    source, groups = source_of(given, at_most=request.at_most), known.groups_of(request.known, names)
    found = answers_of(source, request.prior, names, outcome_of(request)).given(groups)
    # The posterior under a prior on the cells: a simulation says how well it is known.
    by_cells = found.cell_posterior if found.is_by_cells else None
    counts, error = found.counts()
    categories = _categories(
        names.labels,
        found,
        [_count_figures(each, error, request) for each in counts]
        if isinstance(given, ReadTable) or names.m <= _MAX_COUNTED_CATEGORIES
        else [None] * names.m,
        request,
    )
    moved = [each.label for each in categories if each.prior_matters is not None]
    return {
        "prior": used_prior(found),
        "prior_of_categories": prior_of_categories(found),
        "error": error,
        "method": "exact" if by_cells is None else by_cells.method,
        "effective_draws": None if by_cells is None else by_cells.counts.effective,
        "total": _size_figures(given, *found.totals(), request),
        "categories": categories,
        "point": _point(found.cell_posterior) if request.point else None,
        "draws_of": request.draws,
        "divided_by": order_of(names, outcome_of(request)) if found.is_by_branch else [],
        "known": request.known,
        "warnings": [
            *known.warnings_about(request.known, given, source),
            *([_SEPARATE_ANSWERS_WARNING] if source.of_set else []),
        ],
        **answers(names, found, request, moved),
    }


def answers(names: CellNames, found: Answers, request: schema.Questions, moved: Sequence[str] = ()) -> dict[str, Any]:
    """Return the answers to questions that `check` accepted, as fields of a response. `moved` has the categories with a
    share for which the prior matters.
    """
    answers = [events.answer_event(found, question, names, request) for question in request.questions]
    by = None if request.by is None else strata.answer(found, request.by, names, request)
    trial = None if request.trial is None else trials.answer(found, request.trial, names, request)
    return {
        "answers": answers,
        "by": by,
        "trial": trial,
        **words.laid_out([*words.of_answers(answers)], by, trial, moved),
        "draws": None if request.draws is None else _draws(names, found, request.draws),
    }


def _draws(names: CellNames, found: Answers, asked: schema.DrawsRequest) -> list[list[float]]:
    shares = () if asked.question is None else events.shares_of(asked.question, names)
    drawn: list[list[float]] = found.draws(asked.size, seed=asked.seed, shares=shares).tolist()
    return drawn


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


def _categories(
    labels: Sequence[str],
    found: Answers,
    counts: Sequence[schema.CountFigures | None],
    request: schema.PosteriorCreate,
) -> list[schema.CategoryShare]:
    level, shares = request.level, found.shares()
    ends, values = _ends_and_quantiles(shares, level, [*request.quantiles, 0.5])
    matters = _prior_matters_of_rows(found, _figures(ends, values), level)
    return [
        schema.CategoryShare(
            label=label,
            mean=_moment(share.distribution.mean),
            standard_deviation=_moment(share.distribution.standard_deviation),
            interval=Interval(level=level, low=low, high=high),
            quantiles=[
                Quantile(probability=each, value=value)
                for each, value in zip(request.quantiles, of_share[:-1], strict=True)
            ],
            density=events.density_of(share, request.density_points),
            error=share.error,
            method=share.method,
            draws=share.draws,
            count=count,
            prior_matters=matter,
        )
        for label, share, (low, high), of_share, count, matter in zip(
            labels, shares, ends, values, counts, matters, strict=True
        )
    ]


def _prior_matters_of_rows(found: Answers, ours: Sequence[Figures], level: float) -> list[PriorMatters | None]:
    """Return what another prior gives for each row; None where that differs by little, and in long tables."""
    if len(ours) > _MAX_COMPARED_CATEGORIES or (other := found.alternative) is None:
        return [None] * len(ours)
    try:
        laws = other.shares()
    except InferenceError:
        return [None] * len(ours)
    theirs = _figures(*_ends_and_quantiles(laws, level, [0.5]))
    return [matters_of(mine, under_other, other.each) for mine, under_other in zip(ours, theirs, strict=True)]


def _figures(ends: Sequence[tuple[float, float]], values: Sequence[Sequence[float]]) -> list[Figures]:
    """Return both ends of each share's interval, and its median: the last quantile."""
    return [(*each, quantiles[-1]) for each, quantiles in zip(ends, values, strict=True)]


def _ends_and_quantiles(
    shares: Sequence[Answered], level: float, probabilities: Sequence[float]
) -> tuple[list[tuple[float, float]], list[list[float]]]:
    """Return the interval and the quantiles of each share. Mixtures over one count are searched together."""
    found: dict[int, tuple[tuple[float, float], list[float]]] = {}
    mixtures = {i: each.distribution for i, each in enumerate(shares)}
    together = {
        i: each
        for i, each in mixtures.items()
        if isinstance(each, BetaMixture | OverTotals)
        or (isinstance(each, BetaPairs) and each.a.size <= _FEW_COMPONENTS)
    }
    if together:
        ends, values = intervals_and_quantiles(list(together.values()), level, probabilities)
        found = dict(zip(together, zip(ends.tolist(), values.tolist(), strict=True), strict=True))
    for i, each in mixtures.items():
        if i not in found:
            found[i] = each.interval(level), [each.quantile(probability) for probability in probabilities]
    in_order = [found[i] for i in mixtures]
    return [(low, high) for (low, high), _ in in_order], [values for _, values in in_order]


def _moment(value: float | None) -> float:
    """Return the mean or the standard deviation of a share, which always exists."""
    assert value is not None, "a share has moments"
    return value


def _count_figures(count: CountMarginal, error: float, request: schema.Questions) -> schema.CountFigures:
    """Return the figures of the posterior of a number of records."""
    low, high = count.interval(request.level)
    return schema.CountFigures(
        mean=count.mean,
        standard_deviation=count.standard_deviation,
        interval=Interval(level=request.level, low=low, high=high),
        quantiles=[Quantile(probability=each, value=count.quantile(each)) for each in request.quantiles],
        error=error,
    )


def _size_figures(
    given: Given, total: CountMarginal, error: float, request: schema.Questions
) -> schema.SizeFigures | None:
    """Return the figures of the number of records, or None if the releases' data set states it."""
    figures = _count_figures(total, error, request).model_dump()
    if isinstance(given, ReadTable):
        return schema.SizeFigures(**figures, estimate=None, estimate_interval=None)
    of_private = [(each.event, each.counts.noisy) for each in given if each.event.n is None]
    if not of_private:
        return None
    estimate = noisy_total(of_private)
    of_noise = estimate.interval(request.level)
    return schema.SizeFigures(
        **figures,
        estimate=estimate.estimate,
        estimate_interval=Interval(level=request.level, low=of_noise.lower, high=of_noise.upper),
    )
