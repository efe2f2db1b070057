"""Questions about sets of categories: shares, conditional shares, and contrasts of two."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, assert_never

import numpy as np

from core.cells import CellSet
from core.inference.beta_pairs import BetaPairs
from core.inference.contrast_scales import Contrast
from core.inference.contrasts import DrawnDistribution
from core.inference.events import Answered, Share, contrast_between, contrast_distribution, share_distribution
from core.inference.mixture import BetaMixture
from core.inference.posterior import Estimate, NoiseAwarePosterior
from service.errors import InvalidRequest, error_location
from service.schemas import posteriors as schema
from service.schemas.cell_names import CellNames
from service.schemas.cells import SetOfCells


def check(questions: list[schema.EventQuestion], names: CellNames) -> None:
    """Raise InvalidRequest for a question about an empty set or about two equal shares. No private data is read."""
    for index, question in enumerate(questions):
        with error_location(f"events[{index}]"):
            match question:
                case schema.ShareQuestion():
                    asked_share(question, names)
                case schema.ContrastQuestion():
                    with error_location("first"):
                        first = asked_share(question.first, names)
                    with error_location("second"):
                        second = asked_share(question.second, names)
                    check_differ(first, second, names.m)
                case _:
                    assert_never(question)


def answer_event(
    posterior: NoiseAwarePosterior, question: schema.EventQuestion, names: CellNames, request: schema.PosteriorRequest
) -> schema.AnsweredEvent:
    """Answer a question that `check` accepted. Raises InferenceError if the distribution is too large."""
    match question:
        case schema.ShareQuestion():
            found, above = share_distribution(posterior, asked_share(question, names)), question.above
        case schema.ContrastQuestion():
            contrast = Contrast(question.kind)
            found = contrast_distribution(
                posterior, asked_share(question.first, names), asked_share(question.second, names), contrast
            )
            above = contrast.equal if question.above is None else question.above
        case _:
            assert_never(question)
    figures = _figures(
        found, level=request.level, quantiles=request.quantiles, points=request.density_points, above=above
    )
    return schema.AnsweredEvent(question=question, **figures)


def contrast_of_releases(
    first: tuple[NoiseAwarePosterior, Share],
    second: tuple[NoiseAwarePosterior, Share],
    request: schema.ComparisonCreate,
) -> schema.AnsweredDistribution | None:
    """Return the contrast of a comparison. If the people are the same, both shares have one posterior."""
    if request.contrast is None:
        return None
    contrast = Contrast(request.contrast)
    found = (
        contrast_distribution(first[0], first[1], second[1], contrast)
        if first[0] is second[0]
        else contrast_between(first, second, contrast)
    )
    above = contrast.equal if request.above is None else request.above
    return schema.AnsweredDistribution(
        **_figures(found, level=request.level, quantiles=request.quantiles, points=0, above=above)
    )


def _figures(
    found: Answered, *, level: float, quantiles: Sequence[float], points: int, above: float | None
) -> dict[str, Any]:
    low, high = found.distribution.interval(level)
    interval = schema.IntervalOfAnswer(level=level, low=low, high=None if math.isinf(high) else high)
    return {
        "mean": found.distribution.mean,
        "standard_deviation": found.distribution.standard_deviation,
        "interval": interval,
        "quantiles": [schema.Quantile(probability=each, value=found.distribution.quantile(each)) for each in quantiles],
        "density": _density(found, points),
        "above": None
        if above is None
        else schema.ProbabilityAbove(threshold=above, **probability_fields(found.above(above))),
        "error": found.error,
        "method": found.method,
        "draws": found.draws,
    }


def probability_fields(estimate: Estimate) -> dict[str, Any]:
    """Return the fields of an estimated probability."""
    return {"probability": estimate.value, "error": estimate.error, "method": estimate.method, "draws": estimate.draws}


def _density(found: Answered, points: int) -> schema.DensityCurve | None:
    law = found.distribution
    if not points or isinstance(law, DrawnDistribution) or found.method == "simulation":
        return None
    grid = np.linspace(law.quantile(0.001), law.quantile(0.999), points)
    if isinstance(law, BetaMixture | BetaPairs):
        grid = np.clip(grid, 1e-300, 1 - 2**-53)
    return schema.DensityCurve(share=grid.tolist(), density=law.density(grid).tolist())


def asked_share(asked: SetOfCells, names: CellNames) -> Share:
    """Return the share by cell numbers. Raises InvalidRequest if its set is empty, complete or has unknown cells."""
    place, chosen = ("labels", asked.labels) if asked.where is None else ("where", asked.where)
    assert chosen is not None, "one of them was given"
    with error_location(place):
        cells = names.named(chosen)
    return share_of(cells, asked.given, names, place)


def share_of(
    cells: CellSet, given: Sequence[str] | Mapping[str, Sequence[str]] | None, names: CellNames, place: str
) -> Share:
    """Return the share of these cells, named at `place`, among those in `given`. Raises InvalidRequest."""
    base = frozenset(range(names.m))
    if given is not None:
        with error_location("given"):
            base = names.named(given)
    if not cells & base:
        raise InvalidRequest.at(place, "must share a cell with `given`")
    if base <= cells:
        raise InvalidRequest.at(place, "must leave out a cell of the denominator: otherwise the share is 1")
    return Share(cells, None if given is None else base)


def check_differ(first: Share, second: Share, m: int) -> None:
    """Raise InvalidRequest if the two shares are equal."""
    if _pieces(first, m) == _pieces(second, m):
        raise InvalidRequest.at("second", "must be another share than the first")


def _pieces(share: Share, m: int) -> tuple[CellSet, CellSet]:
    base = frozenset(range(m)) if share.given is None else share.given
    return share.cells & base, base - share.cells
