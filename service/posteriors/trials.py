"""Answers a question about a trial: an outcome in two groups."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from core.inference.contrast_scales import Contrast
from core.inference.counts import InferenceError
from core.inference.events import Answered, Share
from core.inference.sources import Answers
from core.inference.trials import Trial, number_needed, trial_between
from service.errors import InvalidRequest, error_location
from service.posteriors.events import describe, probability_fields, probability_undefined
from service.posteriors.priors import matters_for_function, matters_under
from service.schemas import trials as schema
from service.schemas.cell_names import CellNames
from service.schemas.cells import About
from service.schemas.events import AnsweredDistribution
from service.schemas.model import Interval
from service.schemas.posteriors import ComparisonCreate, Questions
from service.schemas.priors import PriorMatters


@dataclass(frozen=True, slots=True, eq=False)
class UnderOtherPrior:
    """The trial under a prior of `each` a piece."""

    trial: Trial
    each: float


def check(asked: schema.TrialQuestion, names: CellNames) -> None:
    """Raise InvalidRequest unless the groups have no common cells, and the outcome is possible and avoidable in each.

    No private data is read.
    """
    with error_location("outcome"):
        outcome = names.named(asked.outcome)
    groups = []
    for place, cells in (("first", asked.first), ("second", asked.second)):
        with error_location(place):
            groups.append(names.named(cells))
            if not outcome & groups[-1]:
                raise InvalidRequest.at("", "must have a cell with the outcome")
            if groups[-1] <= outcome:
                raise InvalidRequest.at("", "must have a cell without the outcome")
    if groups[0] & groups[1]:
        raise InvalidRequest.at("second", "must have no cell of the first group")


def answer(answers: Answers, asked: schema.TrialQuestion, names: CellNames, request: Questions) -> schema.TrialFigures:
    """Answer a question that `check` accepted. Raises InferenceError if a distribution is too large."""
    outcome = names.named(asked.outcome)
    groups = [names.named(cells) for cells in (asked.first, asked.second)]
    risks = [Share(outcome & group, group) for group in groups]
    found, other = _trial(answers, risks, asked.about), None
    if answers.alternative is not None:
        with suppress(InferenceError):
            other = UnderOtherPrior(_trial(answers.alternative, risks, asked.about), answers.alternative.each)
    return schema.TrialFigures(question=asked, **figures(found, request, asked.effect, other))


def _trial(answers: Answers, risks: list[Share], about: About) -> Trial:
    first, second = answers.sides(*risks)
    return trial_between(first, second, of_records=about == "records")


def figures(
    found: Trial, request: Questions | ComparisonCreate, effect: schema.Effect | None, other: UnderOtherPrior | None
) -> dict[str, Any]:
    """Return the fields of a trial's figures."""

    def described(name: str, above: float | None, *, is_ratio: bool = False) -> AnsweredDistribution:
        figure, matters = getattr(found, name), None
        if other is not None:
            law = getattr(other.trial, name).distribution
            matters = matters_under(figure, law, other.each, request.level, is_ratio=is_ratio)
        return describe(figure, request, above=above, prior_matters=matters)

    difference = described("difference", Contrast.DIFFERENCE.equal)
    ratio = described("ratio", Contrast.RATIO.equal, is_ratio=True)
    odds_ratio = described("odds_ratio", Contrast.ODDS_RATIO.equal, is_ratio=True)
    return {
        "first": described("first", None),
        "second": described("second", None),
        "difference": difference,
        "ratio": ratio,
        "odds_ratio": odds_ratio,
        "efficacy": _efficacy(found.ratio, request.level, ratio.prior_matters),
        "number_needed": _number_needed(found.difference, request.level, difference.prior_matters),
        "log_odds_ratio": _log_odds_ratio(found, request.level, odds_ratio.prior_matters),
        "effect": None if effect is None else _effect(found, effect),
    }


def _efficacy(ratio: Answered, level: float, matters: PriorMatters | None) -> schema.Efficacy:
    law = ratio.distribution
    low, high = law.interval(level)
    return schema.Efficacy(
        mean=None if law.mean is None else 1.0 - law.mean,
        median=1.0 - law.quantile(0.5),
        standard_deviation=law.standard_deviation,
        interval=Interval(
            level=level,
            low=None if math.isinf(high) else math.nextafter(1.0 - high, -math.inf),
            high=min(1.0, math.nextafter(1.0 - low, math.inf)),
        ),
        prior_matters=matters_for_function(matters, lambda value: 1.0 - value),
    )


def _number_needed(difference: Answered, level: float, matters: PriorMatters | None) -> schema.NumberNeeded | None:
    ends = number_needed(*difference.distribution.interval(level))
    if ends is None:
        return None
    median, (low, high) = difference.distribution.quantile(0.5), ends
    direction: Literal["fewer", "more"] = "fewer" if median < 0.0 else "more"
    return schema.NumberNeeded(
        level=level,
        estimate=1.0 / abs(median),
        direction=direction,
        low=low,
        high=high,
        prior_matters=matters_for_function(matters, lambda value: 1.0 / abs(value) if value else math.inf),
    )


def _log_odds_ratio(found: Trial, level: float, matters: PriorMatters | None) -> schema.LogOddsRatio | None:
    if probability_undefined(found.odds_ratio) is not None:
        return None
    logs = found.log_odds_ratio
    low, high = logs.interval(level)
    return schema.LogOddsRatio(
        mean=logs.mean,
        median=logs.median,
        standard_deviation=logs.standard_deviation,
        standard_error=logs.standard_error,
        interval=Interval(
            level=level,
            low=None if math.isinf(low) else low,
            high=None if math.isinf(high) else high,
        ),
        prior_matters=matters_for_function(matters, lambda value: math.log(value) if value else -math.inf),
    )


def _effect(found: Trial, effect: schema.Effect) -> schema.ProbableEffect:
    """Return the probability of a stated effect. An efficacy above t is a ratio below 1 − t."""
    is_above, at = (True, effect.above) if effect.above is not None else (False, effect.below)
    assert at is not None, "one of them was given"
    answers = {"difference": found.difference, "ratio": found.ratio, "odds_ratio": found.odds_ratio}
    if effect.measure == "efficacy":
        is_above, at, answered = not is_above, 1.0 - at, found.ratio
    else:
        answered = answers[effect.measure]
    estimate = answered.above(at) if is_above else answered.below(at)
    return schema.ProbableEffect(effect=effect, **probability_fields(estimate))
