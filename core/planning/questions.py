"""Questions whose intervals a plan predicts: a share of a set of cells, or a contrast of two such shares.

The interval of a ratio or an odds ratio is measured on the logarithmic scale, as ln(upper end / lower end). Its upper
end can be arbitrarily large, and a mean of such widths would not exist.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.cells import CellSet, atoms
from core.dirichlet import posterior
from core.inference.contrast_scales import MAX_LOG, Contrast
from core.inference.events import Share
from core.samplers.reproducible import Reproducible

_DRAWS: Final = 20_000
"""Number of draws of a contrast at exact counts. The ends of its interval are right to about 1 % of the width."""

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ContrastOfShares:
    """A difference, ratio or odds ratio of two different shares."""

    first: Share
    second: Share
    contrast: Contrast


Question: TypeAlias = Share | ContrastOfShares


class Ends(NamedTuple):
    """The ends of an interval. Those of ratios are logarithms."""

    low: float
    high: float

    @property
    def width(self) -> float:
        return self.high - self.low


def share_of_cell(cell: int) -> Share:
    return Share(frozenset({cell}))


def is_logarithmic(question: Question) -> bool:
    """Return whether the widths of the question are differences of logarithms."""
    return isinstance(question, ContrastOfShares) and question.contrast is not Contrast.DIFFERENCE


@dataclass(frozen=True, slots=True)
class Pieces:
    """The disjoint sets of cells whose counts determine the value of a question, and which of them each share needs.

    A share is that of `within[k]` among `within[k]` and `outside[k]`, as indices of `cells`.
    """

    question: Question
    cells: tuple[CellSet, ...]
    within: tuple[frozenset[int], ...]
    outside: tuple[frozenset[int], ...]

    @staticmethod
    def of(question: Question, m: int) -> Pieces:
        shares = (question,) if isinstance(question, Share) else (question.first, question.second)
        sets = []
        for share in shares:
            base = frozenset(range(m)) if share.given is None else share.given
            sets += [share.cells & base, base - share.cells]
        assert all(sets), "a share has cells that belong to it and others that do not"
        found = atoms(sets)
        return Pieces(question, found.pieces, found.members[::2], found.members[1::2])

    def priors(self, prior: Floats) -> Floats:
        """Return the sum of the prior over each piece."""
        return np.array([math.fsum(prior[sorted(cells)]) for cells in self.cells])

    def intervals(self, log_gammas: Floats, level: float) -> Floats:
        """Return the ends of the central interval, shape (…, 2), from logarithms of gamma variables that are
        proportional to the shares of the pieces, shape (…, draws, pieces).
        """
        inside, rest = (
            [np.logaddexp.reduce(log_gammas[..., sorted(each)], axis=-1) for each in sets]
            for sets in (self.within, self.outside)
        )
        if isinstance(self.question, Share):
            values = special.expit(inside[0] - rest[0])
        elif self.question.contrast is Contrast.DIFFERENCE:
            values = special.expit(inside[0] - rest[0]) - special.expit(inside[1] - rest[1])
        else:
            values = inside[0] - inside[1]
            values -= (
                np.logaddexp(inside[0], rest[0]) - np.logaddexp(inside[1], rest[1])
                if self.question.contrast is Contrast.RATIO
                else rest[0] - rest[1]
            )
            values = np.clip(values, -MAX_LOG, MAX_LOG)
        tails = 0.5 - level / 2, 0.5 + level / 2
        return np.moveaxis(np.quantile(values, tails, axis=-1), 0, -1)


def interval_without_noise(counts: NDArray[np.int64], prior: Floats, question: Question, level: float) -> Ends:
    """Return the interval that exact counts would give."""
    pieces = Pieces.of(question, counts.size)
    concentration = pieces.priors(prior) + [int(counts[sorted(cells)].sum()) for cells in pieces.cells]
    if isinstance(question, Share):
        inside, rest = (math.fsum(concentration[sorted(each)]) for each in (pieces.within[0], pieces.outside[0]))
        (of_share, _) = posterior([inside, rest], [0, 0]).naive_intervals(level)
        return Ends(*of_share)
    if counts.size == 2:
        (of_first, _) = posterior(concentration.tolist(), [0, 0]).naive_intervals(level)
        return Ends(*of_two_categories(question, np.array(of_first)).tolist())
    drawn = Reproducible(0).log_gammas(np.broadcast_to(concentration, (_DRAWS, concentration.size)))
    return Ends(*pieces.intervals(drawn, level).tolist())


def of_two_categories(question: Question, of_first: Floats) -> Floats:
    """Return the ends of the question's interval at two categories, shape (…, 2), from those of the first category.

    All questions of two categories are increasing or decreasing functions of the first share.
    """
    share = question if isinstance(question, Share) else question.first
    ends = of_first if 0 in share.cells else 1.0 - of_first[..., ::-1]
    if isinstance(question, Share):
        return ends
    if question.contrast is Contrast.DIFFERENCE:
        return 2.0 * ends - 1.0
    logits = special.logit(np.clip(ends, 0.0, 1.0))
    return np.clip(logits if question.contrast is Contrast.RATIO else 2.0 * logits, -MAX_LOG, MAX_LOG)


def largest_cells(counts: NDArray[np.int64], most: int) -> list[int]:
    """Return the largest categories, largest first."""
    found: list[int] = np.argsort(-counts, kind="stable")[:most].tolist()
    return found


def cells_of(questions: Sequence[Question]) -> CellSet:
    """Return the cells that the questions count in a numerator."""
    shares = [each for of in questions for each in ((of,) if isinstance(of, Share) else (of.first, of.second))]
    return frozenset().union(*(each.cells for each in shares))
