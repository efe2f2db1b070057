"""Questions about sets of categories: shares, conditional shares, and contrasts of two."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias, assert_never

import numpy as np

from core.cells import CellSet
from core.inference.beta_pairs import BetaPairs
from core.inference.contrast_scales import Contrast
from core.inference.contrasts import DrawnDistribution
from core.inference.events import (
    DRAWS,
    Answered,
    Share,
    contrast_between,
    contrast_distribution,
    greater_between,
    share_distribution,
)
from core.inference.mixture import BetaMixture
from core.inference.posterior import Estimate, NoiseAwarePosterior
from core.inference.record_laws import RecordsLaw
from core.inference.records import contrasts_of_records, share_of_records
from core.inference.sources import Answers
from service.errors import InvalidRequest, error_location
from service.posteriors.priors import prior_matters
from service.schemas import cells
from service.schemas import events as schema
from service.schemas.cell_names import CellNames
from service.schemas.model import Interval
from service.schemas.posteriors import ComparisonCreate, Questions
from service.schemas.priors import PriorMatters

Side: TypeAlias = tuple[NoiseAwarePosterior, Share]
"""One side of a comparison: a posterior, and the share of its cells or pieces."""


def check(questions: list[cells.Question], names: CellNames) -> None:
    """Raise InvalidRequest for a question about an empty set or about two equal shares. No private data is read."""
    for index, question in enumerate(questions):
        with error_location(f"questions[{index}]"):
            shares_of(question, names)


def shares_of(question: cells.Question, names: CellNames) -> tuple[Share, ...]:
    """Return the share, or both shares. Raises InvalidRequest as `asked_share` and `asked_shares` do."""
    match question:
        case cells.ShareQuestion():
            return (asked_share(question, names),)
        case cells.ContrastQuestion():
            return asked_shares(question, names)
        case _:
            assert_never(question)


def answer_event(
    answers: Answers, question: cells.Question, names: CellNames, request: Questions
) -> schema.AnsweredDistribution:
    """Answer a question that `check` accepted. Raises InferenceError if the distribution is too large."""
    found = distribution_of(answers, question, names)
    matters, at = prior_matters_of(found, answers, question, names, request.level), threshold(question)
    figures = _figures_for(found, request, at, question.between, matters)
    if isinstance(question, cells.ContrastQuestion) and at is not None and _is_greater(question, found):
        greater = probability_of_greater(answers, *asked_shares(question, names))
        figures["above"] = schema.ProbabilityAbove(threshold=at, equal=None, **probability_fields(greater))
    return schema.AnsweredDistribution(question=question, **figures)


def _is_greater(question: cells.ContrastQuestion, found: Answered) -> bool:
    """Return whether a drawn contrast is compared with its value at equal shares: that one share is the greater one can
    have an exact probability.
    """
    equal = Contrast(question.kind).equal
    return found.method == "simulation" and question.about == "population" and question.above in (None, equal)


def _estimate_between(found: Answered, asked: cells.AnswerRange) -> Estimate:
    return found.between(-math.inf if asked.low is None else asked.low, math.inf if asked.high is None else asked.high)


def prior_matters_of(
    found: Answered, answers: Answers, question: cells.Question, names: CellNames, level: float
) -> PriorMatters | None:
    """Return what another prior gives for the answer to a question, if that differs by much."""
    return prior_matters(
        found, answers, lambda other: distribution_of(other, question, names), level, is_ratio=is_ratio(question.kind)
    )


def is_ratio(kind: str) -> bool:
    """Return whether a kind of figure is compared on the logarithmic scale."""
    return kind in (Contrast.RATIO.value, Contrast.ODDS_RATIO.value)


def distribution_of(answers: Answers, question: cells.Question, names: CellNames) -> Answered:
    """Return the distribution of a share or a contrast. Raises InferenceError if it is too large."""
    match question:
        case cells.ShareQuestion():
            return distribution_of_share(answers, asked_share(question, names), question.about)
        case cells.ContrastQuestion():
            return distribution_of_contrast(answers, asked_shares(question, names), question)
        case _:
            assert_never(question)


def distribution_of_share(
    answers: Answers, share: Share, about: cells.About = "population", draws: int = DRAWS
) -> Answered:
    """Return the distribution of a share, from `draws` draws if it must be drawn. Raises InferenceError if it is too
    large.
    """
    (side,) = answers.sides(share)
    return share_law(side, about, draws)


def distribution_of_contrast(
    answers: Answers, shares: tuple[Share, Share], question: cells.ContrastQuestion
) -> Answered:
    """Return the distribution of a contrast. Raises InferenceError if it is too large."""
    first, second = answers.sides(*shares)
    return contrast_of(first, second, Contrast(question.kind), question.about)


def share_law(side: Side, about: cells.About, draws: int = DRAWS) -> Answered:
    """Return the distribution of a share, of the records or of the population."""
    return share_of_records(*side) if about == "records" else share_distribution(*side, draws)


def threshold(question: cells.Question) -> float | None:
    """Return the threshold of a question. For a contrast without one it is the value at equal shares."""
    if question.above is None and isinstance(question, cells.ContrastQuestion):
        return Contrast(question.kind).equal
    return question.above


def describe(
    found: Answered,
    request: Questions | ComparisonCreate,
    *,
    above: float | None,
    between: cells.AnswerRange | None = None,
    prior_matters: PriorMatters | None = None,
) -> schema.AnsweredDistribution:
    """Return the figures of a distribution that a request asks for."""
    return schema.AnsweredDistribution(question=None, **_figures_for(found, request, above, between, prior_matters))


def _figures_for(
    found: Answered,
    request: Questions | ComparisonCreate,
    above: float | None,
    between: cells.AnswerRange | None,
    prior_matters: PriorMatters | None,
) -> dict[str, Any]:
    points = request.density_points if isinstance(request, Questions) else 0
    figures = _figures(found, level=request.level, quantiles=request.quantiles, points=points, above=above)
    inside = (
        None
        if between is None
        else schema.EstimatedProbability(**probability_fields(_estimate_between(found, between)))
    )
    return figures | {"between": inside, "prior_matters": prior_matters}


def contrast_of(first: Side, second: Side, contrast: Contrast, about: cells.About) -> Answered:
    """Return the contrast of two shares. If the people are the same, both have one posterior."""
    if about == "records":
        return contrasts_of_records(first, second, [contrast])[0]
    if first[0] is second[0]:
        return contrast_distribution(first[0], first[1], second[1], contrast)
    return contrast_between(first, second, contrast)


def _figures(
    found: Answered, *, level: float, quantiles: Sequence[float], points: int, above: float | None
) -> dict[str, Any]:
    low, high = found.distribution.interval(level)
    interval = Interval(level=level, low=low, high=None if math.isinf(high) else high)
    return {
        "mean": found.distribution.mean,
        "median": found.distribution.quantile(0.5),
        "standard_deviation": found.distribution.standard_deviation,
        "interval": interval,
        "quantiles": [schema.Quantile(probability=each, value=found.distribution.quantile(each)) for each in quantiles],
        "density": density_of(found, points),
        "above": None
        if above is None
        else schema.ProbabilityAbove(
            threshold=above, equal=tie(found, above), **probability_fields(found.above(above))
        ),
        "undefined": probability_undefined(found),
        "error": found.error,
        "method": found.method,
        "draws": found.draws,
    }


def tie(found: Answered, at: float) -> float | None:
    """Return the probability that a value of the records equals `at`. It is None if the question is about the
    population.
    """
    estimate = found.equal(at)
    return None if estimate is None else estimate.value


def probability_undefined(found: Answered) -> float | None:
    """Return the probability that a value of the records is undefined. It is None if the question is about the
    population.
    """
    return found.distribution.undefined if isinstance(found.distribution, RecordsLaw) else None


def probability_fields(estimate: Estimate) -> dict[str, Any]:
    """Return the fields of an estimated probability."""
    return {"probability": estimate.value, "error": estimate.error, "method": estimate.method, "draws": estimate.draws}


def density_of(found: Answered, points: int) -> schema.DensityCurve | None:
    """Return the density at `points` shares; None for no points or if the distribution consists of draws."""
    law = found.distribution
    if not points or isinstance(law, DrawnDistribution | RecordsLaw) or found.method == "simulation":
        return None
    grid = np.linspace(law.quantile(0.001), law.quantile(0.999), points)
    if isinstance(law, BetaMixture | BetaPairs):
        grid = np.clip(grid, 1e-300, 1 - 2**-53)
    return schema.DensityCurve(share=grid.tolist(), density=law.density(grid).tolist())


def asked_share(asked: cells.Share, names: CellNames) -> Share:
    """Return the share by cell numbers. Raises InvalidRequest if its set is empty, complete or has unknown cells."""
    with error_location("of"):
        counted = names.named(asked.of)
    base = frozenset(range(names.m))
    if asked.within is not None:
        with error_location("within"):
            base = names.named(asked.within)
    if not counted & base:
        raise InvalidRequest.at("of", "must share a cell with `within`")
    if base <= counted:
        raise InvalidRequest.at("of", "must leave out a cell of the denominator: otherwise the share is 1")
    return Share(counted, None if asked.within is None else base)


def asked_shares(asked: cells.ContrastQuestion, names: CellNames) -> tuple[Share, Share]:
    """Return the two shares of a contrast. Raises InvalidRequest as `asked_share` does, and if they are equal."""
    with error_location("first"):
        first = asked_share(asked.first, names)
    with error_location("second"):
        second = asked_share(asked.second, names)
    check_differ(first, second, names.m)
    return first, second


def check_differ(first: Share, second: Share, m: int) -> None:
    """Raise InvalidRequest if the two shares are equal."""
    if are_same(first, second, m):
        raise InvalidRequest.at("second", "must differ from the first share")


def are_same(first: Share, second: Share, m: int) -> bool:
    """Return whether two shares have the same numerator and the same denominator."""
    return _pieces(first, m) == _pieces(second, m)


def _pieces(share: Share, m: int) -> tuple[CellSet, CellSet]:
    base = frozenset(range(m)) if share.given is None else share.given
    return share.cells & base, base - share.cells


def probability_of_greater(answers: Answers, *shares: Share) -> Estimate:
    """Return the probability that the first of two shares of the same records is greater than the second."""
    (posterior, first), (other, second) = answers.sides(*shares)
    if posterior is not other:
        return greater_between((posterior, first), (other, second))
    if first.given == second.given is None and not (first.cells <= second.cells or second.cells <= first.cells):
        return posterior.greater_of(first.cells, second.cells)
    return contrast_distribution(posterior, first, second, Contrast.DIFFERENCE).above(0.0)
