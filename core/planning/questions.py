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
"""Number of draws of a contrast at exact counts. The ends of its interval are accurate to about 1 % of the width."""

_TOGETHER: Final = 16
"""Number of neighbouring components of a mixture that one represents."""
_NEWTON_STEPS: Final = 4
_LONGEST_STEP: Final = 0.5

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

    def intervals(self, concentrations: Floats, level: float, rng: Reproducible) -> Floats:
        """Return the ends of the central interval, shape (…, 2), if the pieces' shares have a Dirichlet distribution
        with each of these concentrations alike, shape (…, draws, pieces).
        """
        log_gammas = rng.log_gammas(concentrations)
        inside, rest = (
            [np.logaddexp.reduce(log_gammas[..., sorted(each)], axis=-1) for each in sets]
            for sets in (self.within, self.outside)
        )
        logits, tails = inside[0] - rest[0], (0.5 - level / 2, 0.5 + level / 2)
        if isinstance(self.question, Share):
            a, b = (concentrations[..., sorted(each[0])].sum(axis=-1) for each in (self.within, self.outside))
            return special.expit(_improved(np.quantile(logits, tails, axis=-1), tails, a, b))
        if self.question.contrast is Contrast.DIFFERENCE:
            values = special.expit(logits) - special.expit(inside[1] - rest[1])
        else:
            values = inside[0] - inside[1]
            values -= (
                np.logaddexp(inside[0], rest[0]) - np.logaddexp(inside[1], rest[1])
                if self.question.contrast is Contrast.RATIO
                else rest[0] - rest[1]
            )
            values = np.clip(values, -MAX_LOG, MAX_LOG)
        return np.moveaxis(np.quantile(values, tails, axis=-1), 0, -1)


def _improved(logits: Floats, tails: tuple[float, float], a: Floats, b: Floats) -> Floats:
    """Return the logits of the quantiles at `tails` of mixtures of Beta(a, b), shape (…, 2), from those of draws, shape
    (2, …). The components are of shape (…, draws).

    Newton steps on the distribution function leave the error of the drawn counts alone. Neighbouring components are
    taken together.
    """
    order = np.argsort(a / (a + b), axis=-1)
    size = a.shape[-1] // _TOGETHER * _TOGETHER
    a, b = (
        np.take_along_axis(each, order, axis=-1)[..., :size].reshape(*each.shape[:-1], -1, _TOGETHER).mean(axis=-1)
        for each in (a, b)
    )
    log_scale = special.betaln(a, b)
    found = np.clip(logits, -MAX_LOG, MAX_LOG)
    for _ in range(_NEWTON_STEPS):
        for end, tail in enumerate(tails):
            logit = found[end][..., None]
            below = special.betainc(a, b, special.expit(logit)).mean(axis=-1)
            slope = np.exp(a * special.log_expit(logit) + b * special.log_expit(-logit) - log_scale).mean(axis=-1)
            with np.errstate(divide="ignore", invalid="ignore"):
                step = np.clip((tail - below) / slope, -_LONGEST_STEP, _LONGEST_STEP)
            found[end] = np.clip(np.where(np.isfinite(step), found[end] + step, found[end]), -MAX_LOG, MAX_LOG)
    return np.moveaxis(found, 0, -1)


def interval_without_noise(counts: NDArray[np.int64], prior: Floats, question: Question, level: float) -> Ends:
    """Return the interval that exact counts would give."""
    pieces = Pieces.of(question, counts.size)
    concentration = pieces.priors(prior) + [int(counts[sorted(cells)].sum()) for cells in pieces.cells]
    if isinstance(question, Share):
        inside, rest = (math.fsum(concentration[sorted(each)]) for each in (pieces.within[0], pieces.outside[0]))
        (of_share, _) = posterior([inside, rest], [0, 0]).naive_intervals(level)
        return Ends(*of_share)
    if counts.size == 2:
        of_shares = posterior(concentration.tolist(), [0, 0]).naive_intervals(level)
        return Ends(*of_two_categories(question, *np.array(of_shares)).tolist())
    every = np.broadcast_to(concentration, (_DRAWS, concentration.size))
    return Ends(*pieces.intervals(every, level, Reproducible(0)).tolist())


def of_two_categories(question: Question, of_first: Floats, of_second: Floats) -> Floats:
    """Return the ends of the question's interval at two categories, shape (…, 2), from those of both shares.

    All questions of two categories are increasing or decreasing functions of the first share.
    """
    share = question if isinstance(question, Share) else question.first
    ends, of_rest = (of_first, of_second) if 0 in share.cells else (of_second, of_first)
    if isinstance(question, Share):
        return ends
    if question.contrast is Contrast.DIFFERENCE:
        return 2.0 * ends - 1.0
    # An end near 1 has lost the digits of its distance to 1, which the other share has.
    rest = of_rest[..., ::-1]
    with np.errstate(divide="ignore"):
        logits = np.where(ends < 0.5, np.log(ends) - np.log1p(-ends), np.log1p(-rest) - np.log(rest))
    return np.clip(logits if question.contrast is Contrast.RATIO else 2.0 * logits, -MAX_LOG, MAX_LOG)


def largest_cells(counts: NDArray[np.int64], most: int) -> list[int]:
    """Return the largest categories, largest first."""
    found: list[int] = np.argsort(-counts, kind="stable")[:most].tolist()
    return found


def cells_of(questions: Sequence[Question]) -> CellSet:
    """Return the cells that the questions count in a numerator."""
    shares = [each for of in questions for each in ((of,) if isinstance(of, Share) else (of.first, of.second))]
    return frozenset().union(*(each.cells for each in shares))
