"""The posterior of a noisy table: shares, counts, the number of records, and what is doubtful about the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Final

from core.inference.counts import CountMarginal, InferenceError
from core.inference.product_counts import check_unknown_total
from core.inference.published import PublishedCell, log_chance_of_sum
from core.inference.sources import MOST_ROWS, Answers
from service.errors import InvalidRequest
from service.posteriors import posteriors
from service.posteriors.events import density_of
from service.posteriors.priors import answers_of, is_by_piece, outcome_of, prior_of_categories, used_prior
from service.schemas import events
from service.schemas import posteriors as answers
from service.schemas import tables as schema
from service.tables.reading import ReadTable, read

_LOG_UNLIKELY: Final = math.log(1e-6)
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
            check_unknown_total(table.concentrations())
        except InferenceError as error:
            raise InvalidRequest.at("total", str(error)) from None
    posteriors.check(table.names, request)
    return table


def takes_long(table: ReadTable, request: schema.TablePosteriorRequest | None = None) -> bool:
    """Return whether the posterior is estimated to take more than two seconds of CPU time.

    At an unknown total, the shares of all cells need several passes, each question a quadrature, and strong priors a
    mixture of independent counts. Without a prior by cell, the cells are divided branch by branch.
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
    if is_by_piece(table.prior):
        seconds += 0.0012 * min(m, MOST_ROWS)
    return seconds > _SECONDS_OF_REQUEST or (not isinstance(table.total, int) and max(table.concentrations()) > _STRONG)


def summarise(request: schema.TablePosteriorRequest) -> schema.TablePosterior:
    """Answer a request. Raises InvalidRequest."""
    table = check(request)
    found = answers_of(table.source, table.prior, table.names, outcome_of(request))
    try:
        (counts, error), (total, error_of_total) = found.counts(), found.totals()
        return schema.TablePosterior(
            kind="noise_aware",
            prior=used_prior(found),
            prior_of_categories=prior_of_categories(found),
            error=error,
            method="exact",
            categories=_categories(table, found, counts, error, request),
            total=_figures(total, error_of_total, request),
            **posteriors.answers(table.names, found, request),
            warnings=_warnings(table),
        )
    except InferenceError as problem:
        raise InvalidRequest.at("cells", str(problem)) from None


def _categories(
    table: ReadTable,
    found: Answers,
    counts: Sequence[CountMarginal],
    error: float,
    request: schema.TablePosteriorRequest,
) -> list[schema.TableCategory]:
    level, shares = request.level, found.shares()
    ends, values = posteriors.ends_and_quantiles(shares, level, request.quantiles)
    matters = posteriors.prior_matters_of_rows(found, shares, level)
    return [
        schema.TableCategory(
            label=label,
            mean=posteriors.moment(share.distribution.mean),
            standard_deviation=posteriors.moment(share.distribution.standard_deviation),
            interval=answers.CredibleInterval(level=level, low=low, high=high),
            quantiles=[
                events.Quantile(probability=each, value=value)
                for each, value in zip(request.quantiles, of_share, strict=True)
            ],
            density=density_of(share, request.density_points),
            error=share.error,
            method=share.method,
            draws=share.draws,
            count=_figures(count, error, request),
            prior_matters=matter,
        )
        for label, share, (low, high), of_share, count, matter in zip(
            table.names.labels, shares, ends, values, counts, matters, strict=True
        )
    ]


def _figures(count: CountMarginal, error: float, request: schema.TablePosteriorRequest) -> answers.CountFigures:
    low, high = count.interval(request.level)
    return answers.CountFigures(
        mean=count.mean,
        standard_deviation=count.standard_deviation,
        interval=events.IntervalOfAnswer(level=request.level, low=low, high=high),
        quantiles=[events.Quantile(probability=each, value=count.quantile(each)) for each in request.quantiles],
        error=error,
    )


def _warnings(table: ReadTable) -> list[str]:
    found = []
    if isinstance(table.total, int) and any(
        log_chance_of_sum(cells, table.total) < _LOG_UNLIKELY for cells in table.tables
    ):
        found.append(
            "The values add up to a number so far from the total that the stated noise does this with a probability "
            "below 1e-6. The noise, its scale or the total is probably misstated."
        )
    found += _doubts_of_printing(table.tables[0])
    return found


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
