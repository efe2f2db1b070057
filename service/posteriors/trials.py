"""Answers a question about a trial: an outcome in two groups."""

from __future__ import annotations

import math
from typing import Any

from core.inference.contrast_scales import Contrast
from core.inference.distribution import CEILING
from core.inference.events import Answered
from core.inference.posterior import Estimate, NoiseAwarePosterior
from core.inference.trials import NumbersNeeded, Trial, trial
from service.errors import InvalidRequest, error_location
from service.posteriors.events import describe, probability_fields
from service.schemas import trials as schema
from service.schemas.cell_names import CellNames
from service.schemas.posteriors import ComparisonCreate, Questions


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


def answer(
    posterior: NoiseAwarePosterior, asked: schema.TrialQuestion, names: CellNames, request: Questions
) -> schema.AnsweredTrial:
    """Answer a question that `check` accepted. Raises InferenceError if a distribution is too large."""
    found = trial(posterior, *(names.named(cells) for cells in (asked.outcome, asked.first, asked.second)))
    return schema.AnsweredTrial(question=asked, **figures(found, request, asked.effect))


def figures(found: Trial, request: Questions | ComparisonCreate, effect: schema.Effect | None) -> dict[str, Any]:
    """Return the fields of a trial's figures."""
    return {
        "first": describe(found.first, request, above=None),
        "second": describe(found.second, request, above=None),
        "difference": describe(found.difference, request, above=Contrast.DIFFERENCE.equal),
        "ratio": describe(found.ratio, request, above=Contrast.RATIO.equal),
        "odds_ratio": describe(found.odds_ratio, request, above=Contrast.ODDS_RATIO.equal),
        "efficacy": _efficacy(found.ratio, request.level),
        "number_needed": _number_needed(found.difference, request.level),
        "log_odds_ratio": _log_odds_ratio(found, request.level),
        "effect": None if effect is None else _effect(found, effect),
    }


def _efficacy(ratio: Answered, level: float) -> schema.Efficacy:
    law = ratio.distribution
    low, high = law.interval(level)
    return schema.Efficacy(
        mean=None if law.mean is None else 1.0 - law.mean,
        median=1.0 - law.quantile(0.5),
        standard_deviation=law.standard_deviation,
        interval=schema.OpenInterval(
            level=level,
            low=None if math.isinf(high) else math.nextafter(1.0 - high, -math.inf),
            high=min(1.0, math.nextafter(1.0 - low, math.inf)),
        ),
    )


def _number_needed(difference: Answered, level: float) -> schema.NumberNeeded:
    numbers = NumbersNeeded.of_interval(*difference.distribution.interval(level))
    median = difference.distribution.quantile(0.5)
    return schema.NumberNeeded(
        level=level,
        estimate=None if median == 0.0 else 1.0 / abs(median),
        direction="fewer" if median < 0.0 else "more",
        fewer=_range(numbers.fewer),
        more=_range(numbers.more),
    )


def _range(numbers: tuple[float, float] | None) -> schema.NumberRange | None:
    if numbers is None:
        return None
    low, high = numbers
    return schema.NumberRange(low=min(low, CEILING), high=None if math.isinf(high) else high)


def _log_odds_ratio(found: Trial, level: float) -> schema.LogOddsRatio:
    logs = found.log_odds_ratio
    low, high = logs.interval(level)
    return schema.LogOddsRatio(
        mean=logs.mean,
        median=logs.median,
        standard_deviation=logs.standard_deviation,
        standard_error=logs.standard_error,
        interval=schema.OpenInterval(
            level=level,
            low=None if math.isinf(low) else low,
            high=None if math.isinf(high) else high,
        ),
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
    above = answered.above(at)
    estimate = above if is_above else Estimate(1.0 - above.value, above.error, above.method, above.draws)
    return schema.ProbableEffect(effect=effect, **probability_fields(estimate))
