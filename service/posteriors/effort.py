"""Estimates, from public sizes alone, how long computations on releases take on one core: an answer that would take
longer than somebody waits becomes a job, and one that can't end is refused.

The figures were fitted to measured times of m from 2 to 200 categories and n from 10³ to 10⁷ records.
`python -m benchmarks.estimates` holds them against processor time.
"""

from __future__ import annotations

from core.inference.gamma_pairs import MOST_WORK
from core.inference.likelihood import (
    comparing_work,
    conditioning_seconds,
    listing_seconds,
    quantile_seconds,
    typical_window,
)
from core.inference.posterior import COMPARISON_DRAWS
from core.mechanisms.catalogue import Event
from service.posteriors.pictures import judging_seconds
from service.posteriors.read_releases import ReadRelease
from service.schemas import posteriors as schema

_START = 0.05
"""To hand a computation to a process, and to read what it says."""
_FEW, _NARROW = 6, 512
"""Categories, and values of one count, up to which contrasts of two events are integrated, and not drawn."""
_WIDEST_COMPARED = 4096
_INTEGRATED = 512
"""Values of one count up to which contrasts of two releases are integrated: a third of them are likely."""
_ROUNDED_SECONDS = 10.0
"""What a comparison takes where the incomplete beta function is rounded, and takes milliseconds."""
_EVENT_DRAWS, _MOST_SETS = 40_000, 4
"""Joint draws of the sets that two shares are made of."""
_PLOTTED_POINTS = 1000


def of_posterior(release: ReadRelease, request: schema.PosteriorRequest) -> float:
    """Seconds for what `posteriors.summarise` is asked."""
    return _START + _conditioning(release.event) + _questions(release.event, request)


def of_pool(releases: list[ReadRelease], request: schema.PooledRequest) -> float:
    """Seconds for what `posteriors.summarise_pool` is asked."""
    conditioning = sum(_conditioning(release.event) for release in releases)
    return _START + conditioning + _questions(releases[0].event, request)


def of_comparison(first: ReadRelease, second: ReadRelease, request: schema.ComparisonCreate) -> float:
    """Seconds for `comparisons.compare`."""
    conditioning = _conditioning(first.event) + _conditioning(second.event)
    if first.dataset_id == second.dataset_id:
        return _START + conditioning + _hypothesis(first.event) + _drawing(first.event, COMPARISON_DRAWS)
    # Wider laws are drawn from, which takes no longer for the width.
    width = min(_WIDEST_COMPARED, typical_window(first.event) + typical_window(second.event))

    seconds = _START + conditioning + 0.25 + 2.5e-4 * width
    if request.contrast is None:
        return seconds
    integrated = max(typical_window(first.event), typical_window(second.event)) <= _INTEGRATED
    return seconds + (0.7 + 0.25 * (2 + len(request.quantiles)) if integrated else 0.1)


def of_picture(event: Event) -> float:
    """Seconds for `pictures.picture`."""
    curves = event.m * 3 * quantile_seconds(event) + _PLOTTED_POINTS * _density(event)
    return _START + judging_seconds(event) + _conditioning(event) + curves


def _questions(event: Event, request: schema.PosteriorRequest) -> float:
    m = event.m
    seconds = m * (2 + len(request.quantiles)) * quantile_seconds(event) + m * request.density_points * _density(event)
    greater = sum(isinstance(each, schema.Greater) for each in request.hypotheses)
    if greater and m > 2:
        seconds += greater * _hypothesis(event)
        seconds += _drawing(event, COMPARISON_DRAWS) if comparing_work(event) > MOST_WORK else 0.0
    seconds += sum(_event(event, each, request) for each in request.events)
    if request.draws is not None:
        seconds += _drawing(event, request.draws.size)
    if request.point:
        seconds += 2e-5 * m * typical_window(event)
    return seconds


def _conditioning(event: Event) -> float:
    return conditioning_seconds(event) + listing_seconds(event)


def _density(event: Event) -> float:
    return 5e-6 + 5e-8 * typical_window(event)


def _hypothesis(event: Event) -> float:
    # What is drawn by its typical window may turn out to be half as wide, and is then integrated.
    work = comparing_work(event)
    return 0.006 + 1e-4 * event.m + (1.5e-8 * min(work, MOST_WORK) if work <= 4 * MOST_WORK else 0.0)


def _drawing(event: Event, size: int, sets: int | None = None) -> float:
    """So many joint draws of all categories, or of this many sets of them."""
    return size * (event.m if sets is None else sets) * (1.2e-6 + 1e-9 * min(typical_window(event), 8192))


def _event(event: Event, question: schema.EventQuestion, request: schema.PosteriorRequest) -> float:
    answering = 5e-3 + (2 + len(request.quantiles)) * quantile_seconds(event) + request.density_points * _density(event)
    if isinstance(question, schema.ShareQuestion) and question.given is None:
        return answering + _conditioning(event)
    if event.m <= _FEW or typical_window(event) <= _NARROW:
        return answering + 0.05 + 1e-5 * min(event.m, 12) * typical_window(event)
    return answering + _conditioning(event) + _drawing(event, _EVENT_DRAWS, _MOST_SETS)
