"""The posterior of a noisy table: shares, counts, the number of records, and what is doubtful about the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Final

from core.inference.counts import CountMarginal, InferenceError
from core.inference.events import Answered, share_distributions
from core.inference.mixed_counts import MixedCounts
from core.inference.mixture import BetaMixture
from core.inference.posterior import NoiseAwarePosterior
from core.inference.product_counts import ProductCounts, check_unknown_total
from core.inference.published import PublishedCell, infer_table, log_chance_of_sum
from core.inference.quantiles import intervals_and_quantiles
from core.inference.total_nodes import OverTotals
from service.errors import InvalidRequest
from service.posteriors import posteriors
from service.posteriors.events import density_of
from service.schemas import events
from service.schemas import posteriors as answers
from service.schemas import tables as schema
from service.tables.reading import ReadTable, read

_LOG_UNLIKELY: Final = math.log(1e-6)
_MOVED: Final = 0.25
"""The prior dominates if a count's mean changes by more than this part of its interval's width at a tenth of the
prior.
"""
_MOST_NAMED: Final = 5
"""Largest number of cells that a warning names."""
_ZEROS: Final = 3
"""Smallest number of values 0 at which clamping is suspected."""
_LOG_OF_CHANCE: Final = math.log(1e4)
"""Rounding is suspected at this ln of the odds against values that are multiples of one number by chance, and above."""
_SECONDS_OF_REQUEST: Final = 2.0
_STRONG: Final = 1000.0
"""Smallest concentration at which a mixture of independent counts is likely to be needed."""


def check(request: schema.TablePosteriorRequest) -> ReadTable:
    """Return the table of a request. Raises InvalidRequest if the table or a question breaks a rule, or if the
    posterior takes too long.
    """
    table = read(request)
    if not isinstance(table.total, int):
        try:
            check_unknown_total(table.prior)
        except InferenceError as error:
            raise InvalidRequest.at("total", str(error)) from None
    posteriors.check(table.names, request)
    return table


def takes_long(table: ReadTable, request: schema.TablePosteriorRequest | None = None) -> bool:
    """Return whether the posterior is estimated to take more than two seconds of CPU time.

    At an unknown total, the shares of all cells need several passes, each question a quadrature, and strong priors a
    mixture of independent counts.
    """
    m = table.names.m
    asked = [] if request is None else [*request.events, *request.hypotheses]
    contrasts = sum(each.kind in ("difference", "ratio", "odds_ratio", "greater") for each in asked)
    if request is not None and request.trial is not None:
        contrasts += 3
    if request is not None and request.by is not None:
        contrasts += len(table.names.groups(request.by.attributes)) + 3
    if isinstance(table.total, int):
        seconds = 0.0008 * (m + len(asked)) + 0.3 * contrasts
    else:
        seconds = 0.4 + 0.004 * m + (0.07 + 0.0005 * m) * len(asked) + 0.3 * contrasts
    return seconds > _SECONDS_OF_REQUEST or (not isinstance(table.total, int) and max(table.prior) > _STRONG)


def summarise(request: schema.TablePosteriorRequest) -> schema.TablePosterior:
    """Answer a request. Raises InvalidRequest."""
    table = check(request)
    posterior = condition(table, table.prior)
    marginals, means = posterior.counts.marginals(), share_means(posterior)
    categories = _categories(table, posterior, request)
    sensitivity = None
    if table.tenth_of_prior() != table.prior:
        sensitivity = _sensitivity(table, means, marginals)
    return schema.TablePosterior(
        kind="noise_aware",
        prior=table.prior,
        error=posterior.error,
        method="exact",
        categories=categories,
        total=_figures(posterior.counts.totals(), posterior.error, request),
        **posteriors.answers(table.names, posterior, request),
        prior_sensitivity=sensitivity,
        warnings=_warnings(table, categories, sensitivity),
    )


def condition(table: ReadTable, prior: Sequence[float]) -> NoiseAwarePosterior:
    """Return the posterior. Raises InvalidRequest if no counts are possible, or too many."""
    try:
        return infer_table(table.tables, prior, table.total)
    except InferenceError as error:
        raise InvalidRequest.at("cells", str(error)) from None


def share_means(posterior: NoiseAwarePosterior) -> list[float]:
    """Return the mean of each share."""
    assert isinstance(posterior.counts, ProductCounts | MixedCounts), "infer_table returns no others"
    found: list[float] = posterior.counts.share_means(posterior.prior).tolist()
    return found


def _categories(
    table: ReadTable, posterior: NoiseAwarePosterior, request: schema.TablePosteriorRequest
) -> list[schema.TableCategory]:
    level, shares = request.level, share_distributions(posterior)
    counts = posterior.counts.marginals()
    ends, values = _ends_and_quantiles(shares, level, request.quantiles)
    return [
        schema.TableCategory(
            label=label,
            mean=_moment(share.distribution.mean),
            standard_deviation=_moment(share.distribution.standard_deviation),
            interval=answers.CredibleInterval(level=level, low=low, high=high),
            quantiles=[
                events.Quantile(probability=each, value=value)
                for each, value in zip(request.quantiles, found, strict=True)
            ],
            density=density_of(share, request.density_points),
            error=share.error,
            method=share.method,
            draws=share.draws,
            count=_figures(count, posterior.error, request),
        )
        for label, share, (low, high), found, count in zip(
            table.names.labels, shares, ends, values, counts, strict=True
        )
    ]


def _ends_and_quantiles(
    shares: Sequence[Answered], level: float, probabilities: Sequence[float]
) -> tuple[list[tuple[float, float]], list[list[float]]]:
    """Return the interval and the quantiles of each share. Mixtures over one count are searched together."""
    found: dict[int, tuple[tuple[float, float], list[float]]] = {}
    mixtures = {i: each.distribution for i, each in enumerate(shares)}
    together = {i: each for i, each in mixtures.items() if isinstance(each, BetaMixture | OverTotals)}
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


def _figures(count: CountMarginal, error: float, request: schema.TablePosteriorRequest) -> answers.CountFigures:
    low, high = count.interval(request.level)
    return answers.CountFigures(
        mean=count.mean,
        standard_deviation=count.standard_deviation,
        interval=events.IntervalOfAnswer(level=request.level, low=low, high=high),
        quantiles=[events.Quantile(probability=each, value=count.quantile(each)) for each in request.quantiles],
        error=error,
    )


def _sensitivity(
    table: ReadTable, means: Sequence[float], marginals: Sequence[CountMarginal]
) -> schema.PriorSensitivity | None:
    """Return the means at a tenth of the prior; None if the posterior can't be computed there."""
    prior = table.tenth_of_prior()
    try:
        posterior = infer_table(table.tables, prior, table.total)
    except InferenceError:
        return None
    shares, counts = share_means(posterior), [each.mean for each in posterior.counts.marginals()]
    return schema.PriorSensitivity(
        prior=prior,
        categories=[
            schema.CategoryMeans(label=label, share=share, count=count)
            for label, share, count in zip(table.names.labels, shares, counts, strict=True)
        ],
        total=posterior.counts.totals().mean,
        largest_change_of_a_share=max(abs(a - b) for a, b in zip(means, shares, strict=True)),
        largest_change_of_a_count=max(abs(a.mean - b) for a, b in zip(marginals, counts, strict=True)),
    )


def _warnings(
    table: ReadTable, categories: Sequence[schema.TableCategory], sensitivity: schema.PriorSensitivity | None
) -> list[str]:
    found = []
    if isinstance(table.total, int) and any(
        log_chance_of_sum(cells, table.total) < _LOG_UNLIKELY for cells in table.tables
    ):
        found.append(
            "The values add up to a number so far from the total that the stated noise does this with a probability "
            "below 1e-6. The noise, its scale or the total is probably misstated."
        )
    found += _doubts_of_printing(table.tables[0])
    if sensitivity is not None:
        moved = [
            each.label
            for each, at_a_tenth in zip(categories, sensitivity.categories, strict=True)
            if abs(each.count.mean - at_a_tenth.count) > _MOVED * max(1.0, _width(each.count.interval))
        ]
        if moved:
            found.append(
                f"The prior dominates: at a tenth of it, the mean count of {len(moved)} of {len(categories)} cells "
                f"({_listed(moved)}) moves by more than a quarter of its interval. State the total if you know it, and "
                "a prior that you can defend."
            )
    return found


def _listed(labels: Sequence[str]) -> str:
    more = [f"{len(labels) - _MOST_NAMED} more"] if len(labels) > _MOST_NAMED else []
    return ", ".join([*(f"“{label}”" for label in labels[:_MOST_NAMED]), *more])


def _width(interval: events.IntervalOfAnswer) -> float:
    return math.inf if interval.high is None else interval.high - interval.low


def _doubts_of_printing(cells: Sequence[PublishedCell]) -> list[str]:
    """Return warnings about values that look clamped or rounded, though the request does not say so."""
    found = []
    noisy = [cell for cell in cells if cell.value is not None and cell.noise.law != "none"]
    values = [cell.value for cell in noisy if cell.value is not None]
    if (
        sum(value == 0.0 for value in values) >= _ZEROS
        and min(values) >= 0.0
        and not any(cell.printed.clamped_at_zero for cell in noisy)
    ):
        found.append(
            "Several values are 0 and none is negative. If negative values were printed as 0, set `clamped_at_zero`."
        )
    if values and all(value.is_integer() for value in values) and noisy[0].printed.round_to is None:
        unit = reduce(math.gcd, (abs(int(value)) for value in values))
        if unit > 1 and len(values) * math.log(unit) > _LOG_OF_CHANCE:
            found.append(f"All values are multiples of {unit}. If they were rounded, set `round_to`.")
    return found
