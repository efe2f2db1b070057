"""Questions whose intervals a plan predicts: a share of a set of cells, or a contrast of two such shares.

The interval of a ratio or an odds ratio is measured on the logarithmic scale, as ln(upper end / lower end). Its upper
end can be arbitrarily large, and a mean of such widths would not exist.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.cells import CellSet
from core.inference.contrast_scales import MAX_LOG, Contrast
from core.inference.events import Share

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ContrastOfShares:
    """A difference, ratio or odds ratio of two different shares."""

    first: Share
    second: Share
    contrast: Contrast


Question: TypeAlias = Share | ContrastOfShares


def share_of_cell(cell: int) -> Share:
    return Share(frozenset({cell}))


def shares_of(question: Question) -> tuple[Share, ...]:
    return (question,) if isinstance(question, Share) else (question.first, question.second)


def is_logarithmic(question: Question) -> bool:
    """Return whether the widths of the question are differences of logarithms."""
    return isinstance(question, ContrastOfShares) and question.contrast is not Contrast.DIFFERENCE


def sets_of(question: Question, m: int) -> list[CellSet]:
    """Return the cells that each share counts, and the other cells of its base, in turn."""
    found = []
    for share in shares_of(question):
        base = frozenset(range(m)) if share.given is None else share.given
        found += [share.cells & base, base - share.cells]
    assert all(found), "a share has cells that belong to it and others that do not"
    return found


def value_at(question: Question, counts: NDArray[np.int64]) -> float | None:
    """Return the value of the question at counts, of a ratio its logarithm; None if it is at the end of its range, or
    if a share counts no record.
    """
    sums = [int(counts[sorted(cells)].sum()) for cells in sets_of(question, counts.size)]
    if not all(sums[::2]) or (not isinstance(question, ContrastOfShares) and not sums[1]):
        return None
    first, *others = (inside / (inside + rest) for inside, rest in zip(sums[::2], sums[1::2], strict=True))
    if isinstance(question, Share):
        return first
    match question.contrast:
        case Contrast.DIFFERENCE:
            return first - others[0]
        case Contrast.RATIO:
            return math.log(first / others[0])
        case _:
            return math.log(sums[0]) - math.log(sums[1]) - math.log(sums[2]) + math.log(sums[3]) if all(sums) else None


def intervals(question: Question, sets: Sequence[Sequence[int]], log_gammas: Floats, level: float) -> Floats:
    """Return the ends of central intervals, shape (…, 2), from ln of Gamma draws of the pieces, shape (…, draws,
    pieces). Divided by their sum, these have a Dirichlet distribution in each release.

    `sets` are those of `sets_of`, by numbers of pieces. A quantile of the draws is the order statistic that has the
    probability of its tail on average.
    """
    sums = [np.logaddexp.reduce(log_gammas[..., each], axis=-1) for each in sets]
    values = sums[0] - sums[1]
    if isinstance(question, ContrastOfShares):
        inside, rest = sums[::2], sums[1::2]
        if question.contrast is Contrast.DIFFERENCE:
            values = special.expit(values) - special.expit(inside[1] - rest[1])
        elif question.contrast is Contrast.RATIO:
            values = inside[0] - inside[1] - np.logaddexp(inside[0], rest[0]) + np.logaddexp(inside[1], rest[1])
        else:
            values = values - inside[1] + rest[1]
    tails = 0.5 - level / 2, 0.5 + level / 2
    found = np.moveaxis(np.quantile(values, tails, axis=-1, method="weibull"), 0, -1)
    return np.asarray(special.expit(found) if isinstance(question, Share) else np.clip(found, -MAX_LOG, MAX_LOG))


def of_two_categories(question: Question, of_first: Floats, of_second: Floats) -> Floats:
    """Return the ends of the question's interval at two pieces, shape (…, 2), from those of both shares.

    All questions of two pieces are increasing or decreasing functions of the first share.
    """
    if isinstance(question, Share):
        return of_first
    if question.contrast is Contrast.DIFFERENCE:
        return 2.0 * of_first - 1.0
    # An end near 1 has lost the digits of its distance to 1, which the other share has.
    rest = of_second[..., ::-1]
    with np.errstate(divide="ignore"):
        logits = np.where(of_first < 0.5, np.log(of_first) - np.log1p(-of_first), np.log1p(-rest) - np.log(rest))
    return np.clip(logits if question.contrast is Contrast.RATIO else 2.0 * logits, -MAX_LOG, MAX_LOG)


def largest_cells(counts: NDArray[np.int64], most: int) -> list[int]:
    """Return the indices of the `most` largest counts, largest first."""
    found: list[int] = np.argsort(-counts, kind="stable")[:most].tolist()
    return found
