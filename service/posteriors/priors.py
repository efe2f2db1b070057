"""The prior of a free answer: ½ a piece if none is stated (docs/explanation/priors.md)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from core.inference.counts import InferenceError
from core.inference.distribution import CEILING, Distribution
from core.inference.events import Answered
from core.inference.pieces import PRIOR_OF_A_PIECE
from core.inference.sources import Answers, Source, tree_of
from core.limits import MAX_CONCENTRATION
from service.errors import InvalidRequest
from service.schemas.cell_names import CellNames
from service.schemas.posteriors import Questions
from service.schemas.priors import EachPrior, PriorMatters, UsedEachPrior

Figures: TypeAlias = tuple[float, float, float]
"""Both ends of an interval, and the median."""
_PRACTICAL_ZERO: Final = 1e-9
_MAX_MEDIAN_SHIFT: Final = 0.25
"""A median moves if it changes by more than this part of an interval's width."""
_MAX_WIDTHS: Final = 2.0
"""The prior sets both ends if one interval is more than this number of times as wide as the other."""


def check_prior(prior: EachPrior | Sequence[float] | None, names: CellNames) -> None:
    """Raise InvalidRequest if a prior does not fit a table with these cells. Numbers of merged cells add."""
    if is_by_piece(prior):
        return
    found = by_cell(prior, names)
    if len(found) != names.m:
        raise InvalidRequest.at("prior", "must have one number for each cell")
    if max(found) > MAX_CONCENTRATION:
        raise InvalidRequest.at("prior", "must sum to at most 1000000 for each merged set")


def answers_of(
    source: Source, prior: EachPrior | Sequence[float] | None, names: CellNames, first: Sequence[str] = ()
) -> Answers:
    """Return the answers from a source. `first`: attributes by which the table is divided before the others."""
    if names.attributes is None:
        tree = tree_of([(cell,) for cell in range(names.m)])
    else:
        places = [names.attribute(name) for name in order_of(names, first)]
        tree = tree_of([tuple(each[place] for place in places) for each in names.table.combinations])
    match prior:
        case None:
            return Answers.by_pieces(source, tree)
        case EachPrior(each=each, of="piece"):
            return Answers.by_pieces(source, tree, each)
        case _:
            return Answers.by_cells(source, by_cell(prior, names), tree)


def order_of(names: CellNames, first: Sequence[str]) -> list[str]:
    """Return the attributes of a table. The attributes in `first` come before the others."""
    every = [each.name for each in names.attributes or ()]
    return [*(name for name in every if name in first), *(name for name in every if name not in first)]


def outcome_of(request: Questions) -> list[str]:
    """Return the attributes of the outcome of the request's trial: a rare outcome is divided first."""
    if request.trial is None or request.trial.outcome.where is None:
        return []
    return list(request.trial.outcome.where)


def used_prior(answers: Answers) -> UsedEachPrior | list[float]:
    """Return the prior as an answer states it. It is for each cell if a likelihood is not a product over cells."""
    if answers.prior is not None:
        by_cell: list[float] = answers.prior.tolist()
        return by_cell
    return UsedEachPrior(each=answers.each, of="cell" if answers.is_by_cells else "piece")


def prior_of_categories(answers: Answers) -> UsedEachPrior | None:
    """Return the prior of the rows of a table if it differs from the prior of the questions, otherwise None."""
    if answers.source.cells is None or not answers.rows_are_by_cells:
        return None
    return UsedEachPrior(each=answers.each, of="cell")


def by_cell(prior: EachPrior | Sequence[float] | None, names: CellNames) -> list[float]:
    """Return the prior of each cell. If the prior is by piece, each cell has the number of a piece."""
    match prior:
        case None:
            return [PRIOR_OF_A_PIECE] * names.m
        case EachPrior(each=each, of="piece"):
            return [each] * names.m
        case EachPrior(each=each):
            return names.added([each] * names.cells_of_table)
        case _:
            return names.added(prior)


def is_by_piece(prior: EachPrior | Sequence[float] | None) -> bool:
    """Return whether a prior, or none, is one for each piece."""
    return prior is None or (isinstance(prior, EachPrior) and prior.of == "piece")


def prior_words(prior: EachPrior | Sequence[float] | None, text: str) -> str:
    """Return the prior in words; `text` describes a prior by cell."""
    if not is_by_piece(prior):
        return text
    return f"{prior.each if isinstance(prior, EachPrior) else PRIOR_OF_A_PIECE:g} for each part of a question"


def prior_matters(
    found: Answered, answers: Answers, other: Callable[[Answers], Answered], level: float, *, is_ratio: bool = False
) -> PriorMatters | None:
    """Return what another prior gives for a figure, or None if that differs by little or can't be computed.

    `other` returns the figure from other answers.
    """
    if (alternative := answers.alternative) is None:
        return None
    try:
        law = other(alternative).distribution
    except InferenceError:
        return None
    return matters_under(found, law, alternative.each, level, is_ratio=is_ratio)


def matters_under(
    found: Answered, law: Distribution, each: float, level: float, *, is_ratio: bool = False
) -> PriorMatters | None:
    """Return the figure under the prior `each` for each piece, or None if it differs by little."""
    figures = [(*of.interval(level), of.quantile(0.5)) for of in (found.distribution, law)]
    return matters_of(figures[0], figures[1], each, is_ratio=is_ratio)


def matters_of(found: Figures, other: Figures, each: float, *, is_ratio: bool = False) -> PriorMatters | None:
    """Return how far the prior `each` for each piece moves the figures, from `found` to `other`. None if little."""
    low, high, median = other
    lowest, highest, _ = found
    has_no_ends = is_ratio and low < _PRACTICAL_ZERO and high > 1.0 / _PRACTICAL_ZERO
    if found == other or not (has_no_ends or _differ(found, other, is_ratio)):
        return None
    if each < PRIOR_OF_A_PIECE and 0.0 <= median < lowest and high <= highest:
        shown = "no upper end" if math.isinf(high) else f"{high:.3g}"
        ends = (
            f"the interval goes down to practically 0, and up to {shown}. The noisy counts can't tell whether there "
            "are any cases: rely on the upper end of this figure's own interval only."
        )
    elif has_no_ends:
        ends = "the interval has practically no ends. The release says little about this ratio."
    else:
        ends = _figures_in_words(*other)
    return _matters(other, each, ends)


def matters_for_function(of: PriorMatters | None, function: Callable[[float], float]) -> PriorMatters | None:
    """Return what another prior gives for a monotone function of a figure, or for 1 / |difference|."""
    if of is None:
        return None
    ends = [function(end) for end in (of.low, math.inf if of.high is None else of.high)]
    if of.low < 0.0 < (of.high or 0.0) and function(0.0) == math.inf:
        ends.append(math.inf)
    other = (min(ends), max(ends), function(of.median))
    return _matters(other, of.prior.each, _figures_in_words(*other))


def _matters(other: Figures, each: float, ends: str) -> PriorMatters:
    low, high, median = (max(-CEILING, value) for value in other)
    return PriorMatters(
        prior=UsedEachPrior(each=each, of="piece"),
        median=min(CEILING, median),
        low=low,
        high=None if math.isinf(high) else high,
        note=f"The prior matters here: with {each:g} for each part of the question {ends}",
    )


def _figures_in_words(low: float, high: float, median: float) -> str:
    least = "practically 0" if 0.0 < low < _PRACTICAL_ZERO else f"{low:.3g}"
    least = "no lower end" if low < -1.0 / _PRACTICAL_ZERO else least
    most = "no upper end" if high >= CEILING else f"{high:.3g}"
    middle = "infinite" if abs(median) >= CEILING else f"{median:.3g}"
    return f"the median is {middle}, and the interval goes from {least} to {most}."


def _differ(first: Figures, second: Figures, is_ratio: bool) -> bool:  # noqa: FBT001
    """Return whether medians differ by more than a quarter of the narrower interval, given (low, high, median), or one
    interval of a share or a difference is more than twice as wide as the other.
    """
    if is_ratio:
        first, second = _logs(first), _logs(second)
        if math.isinf(first[0]) and math.isinf(second[0]):  # of records: both start at 0
            first, second = (first[2], *first[1:]), (second[2], *second[1:])
    widths = [first[1] - first[0], second[1] - second[0]]
    narrower = min(widths)
    if math.isnan(sum(widths)) or math.isinf(narrower):
        return True
    is_wider = not is_ratio and max(widths) > _MAX_WIDTHS * narrower
    return is_wider or abs(first[2] - second[2]) > _MAX_MEDIAN_SHIFT * narrower


def _logs(values: Figures) -> Figures:
    low, high, median = (math.log(each) if each > 0.0 else -math.inf for each in values)
    return low, high, median
