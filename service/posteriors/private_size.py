"""The number of records, if it is private, as releases of noisy counts show it."""

from __future__ import annotations

from collections.abc import Sequence

from core.inference.counts import CountMarginal
from core.queries.released_counts import noisy_total
from service.posteriors.read_releases import ReadRelease
from service.schemas import events
from service.schemas import posteriors as schema


def size_figures(
    releases: Sequence[ReadRelease], total: CountMarginal, error: float, request: schema.PosteriorRequest
) -> schema.SizeFigures | None:
    """Return what the releases say about the number of records, or None if it is public."""
    of_private = [(each.event, each.counts.noisy) for each in releases if each.event.n is None]
    if not of_private:
        return None
    estimate = noisy_total(of_private)
    low, high = total.interval(request.level)
    of_noise = estimate.interval(request.level)
    return schema.SizeFigures(
        estimate=estimate.estimate,
        estimate_interval=events.IntervalOfAnswer(level=request.level, low=of_noise.lower, high=of_noise.upper),
        mean=total.mean,
        standard_deviation=total.standard_deviation,
        interval=events.IntervalOfAnswer(level=request.level, low=low, high=high),
        quantiles=[events.Quantile(probability=each, value=total.quantile(each)) for each in request.quantiles],
        error=error,
    )
