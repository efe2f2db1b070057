"""Answers questions about sets of categories: shares, conditional shares, and contrasts of two, by the categories'
labels.
"""

from __future__ import annotations

from typing import assert_never

import numpy as np

from core.cells import CellSet
from core.inference.beta_pairs import BetaPairs
from core.inference.contrasts import Contrast, DrawnLaw
from core.inference.events import Answered, Share, contrast_law, share_law
from core.inference.mixture import BetaMixture
from core.inference.posterior import NoiseAwarePosterior
from service.errors import InvalidRequest, within
from service.schemas import posteriors as schema


def check(questions: list[schema.EventQuestion], labels: list[str]) -> None:
    """Raises InvalidRequest, which names the question, where a set is none or two shares are the same. Nothing
    private is read.
    """
    for index, question in enumerate(questions):
        with within(f"events[{index}]"):
            match question:
                case schema.ShareQuestion():
                    _share(question, labels)
                case schema.ContrastQuestion():
                    with within("first"):
                        first = _share(question.first, labels)
                    with within("second"):
                        second = _share(question.second, labels)
                    if _pieces(first, len(labels)) == _pieces(second, len(labels)):
                        raise InvalidRequest.at("second", "must be another share than the first")
                case _:
                    assert_never(question)


def answer(
    posterior: NoiseAwarePosterior, question: schema.EventQuestion, labels: list[str], request: schema.PosteriorRequest
) -> schema.AnsweredEvent:
    """The answer to a question that `check` let pass. Raises InferenceError where the law is too large."""
    match question:
        case schema.ShareQuestion():
            found, above = share_law(posterior, _share(question, labels)), question.above
        case schema.ContrastQuestion():
            contrast = Contrast(question.kind)
            found = contrast_law(posterior, _share(question.first, labels), _share(question.second, labels), contrast)
            above = contrast.equal if question.above is None else question.above
        case _:
            assert_never(question)
    low, high = found.law.interval(request.level)
    return schema.AnsweredEvent(
        question=question,
        mean=found.law.mean,
        standard_deviation=found.law.standard_deviation,
        interval=schema.CredibleInterval(level=request.level, low=low, high=high),
        quantiles=[schema.Quantile(probability=each, value=found.law.quantile(each)) for each in request.quantiles],
        density=_density(found, request.density_points),
        above=None
        if above is None
        else schema.ProbabilityAbove(threshold=above, probability=found.law.survival(above)),
        error=found.error,
        method=found.method,
        draws=found.draws,
    )


def _density(found: Answered, points: int) -> schema.DensityCurve | None:
    law = found.law
    if not points or isinstance(law, DrawnLaw):
        return None
    grid = np.linspace(law.quantile(0.001), law.quantile(0.999), points)
    if isinstance(law, BetaMixture | BetaPairs):
        grid = np.clip(grid, 1e-300, 1 - 2**-53)
    return schema.DensityCurve(share=grid.tolist(), density=law.density(grid).tolist())


def _share(asked: schema.SetOfLabels, labels: list[str]) -> Share:
    """The share, by the numbers of its cells. Raises InvalidRequest where it is of nothing, of everything or of
    unknown labels.
    """
    cells = _cells(asked.labels, labels, "labels")
    given = None if asked.given is None else _cells(asked.given, labels, "given")
    base = frozenset(range(len(labels))) if given is None else given
    if not cells & base:
        raise InvalidRequest.at("labels", "must share a label with `given`")
    if base <= cells:
        raise InvalidRequest.at("labels", "must leave out a label of those that the share is taken of: it would be 1")
    return Share(cells, given)


def _cells(chosen: list[str], labels: list[str], place: str) -> CellSet:
    numbers = {label: number for number, label in enumerate(labels)}
    unknown = [position for position, label in enumerate(chosen) if label not in numbers]
    if unknown:
        raise InvalidRequest.at(f"{place}[{unknown[0]}]", "must be a label of the release")
    return frozenset(numbers[label] for label in chosen)


def _pieces(share: Share, m: int) -> tuple[CellSet, CellSet]:
    base = frozenset(range(m)) if share.given is None else share.given
    return share.cells & base, base - share.cells
