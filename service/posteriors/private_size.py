"""The number of records, and counts of categories, as noisy counts show them."""

from __future__ import annotations

from core.inference.counts import CountMarginal
from core.queries.released_counts import noisy_total
from service.posteriors.read_tables import ReadTable
from service.posteriors.sources import Given
from service.schemas import posteriors as schema
from service.schemas.events import Quantile
from service.schemas.model import Interval


def count_figures(count: CountMarginal, error: float, request: schema.Questions) -> schema.CountFigures:
    """Return the figures of the posterior of a number of records."""
    low, high = count.interval(request.level)
    return schema.CountFigures(
        mean=count.mean,
        standard_deviation=count.standard_deviation,
        interval=Interval(level=request.level, low=low, high=high),
        quantiles=[Quantile(probability=each, value=count.quantile(each)) for each in request.quantiles],
        error=error,
    )


def size_figures(
    given: Given, total: CountMarginal, error: float, request: schema.Questions
) -> schema.SizeFigures | None:
    """Return the figures of the number of records, or None if the releases' data set states it."""
    figures = count_figures(total, error, request).model_dump()
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
