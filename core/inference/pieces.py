"""Answers questions from their own pieces: disjoint sets of cells, such as the records with and without an outcome in
each of two groups, and the rest.

A prior of ½ or 1 for each cell is a strong prior for a piece of many cells. At exact counts, a piece of 20 cells gets
10 or 20 invented records. Under wide noise, a small prior takes true small counts for noise. So the noisy counts are
added up within each piece, the noise of the sum has a law of its own, and the prior is the same for each piece. How
finely the owner cut the table does not matter then, except for the noise that each cell adds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.cells import CellSet, atoms
from core.inference.events import Share
from core.inference.noise_of_sums import LawOfSum, law_of_sum
from core.inference.posterior import NoiseAwarePosterior
from core.inference.product_counts import UNBOUNDED, Observed, UnknownTotal, counts_given_noise

PRIOR_OF_A_PIECE: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class NoisyCells:
    """The noisy counts of one table. The noises are independent, or independent given their sum.

    `values`: the noisy counts, shape (m,), NaN for a cell without one. `laws` and `scales`: their noise, as in
    `core.inference.published.Noise`, each of shape (m,); scales may have a second column for a second noise, or 0.
    """

    values: NDArray[np.float64]
    laws: NDArray[np.str_]
    scales: NDArray[np.float64]

    def among(self, cells: NDArray[np.int64]) -> NoisyCells:
        """Return the noisy counts of these cells alone, in this order."""
        return NoisyCells(self.values[cells], self.laws[cells], self.scales[cells])

    def sums(self, pieces: Sequence[CellSet]) -> Observed | None:
        """Return the likelihood of each piece's count given the noisy sums, or None if a piece has no noisy sum."""
        found = [self._sum(np.array(sorted(cells))) for cells in pieces]
        laws = [law for _, law in found]
        return None if None in laws else _observe_pieces([value for value, _ in found], [each for each in laws if each])

    def _sum(self, cells: NDArray[np.int64]) -> tuple[float, LawOfSum | None]:
        laws = set(self.laws[cells].tolist())
        scales = self.scales[cells].ravel()
        law = law_of_sum(laws.pop(), scales[scales > 0.0]) if len(laws) == 1 else None
        return math.fsum(self.values[cells]), law


def _observe_pieces(values: Sequence[float], laws: Sequence[LawOfSum]) -> Observed:
    told = np.array([not math.isnan(value) for value in values])
    sums = np.where(told, values, 0.0)
    exact = np.array([law.is_exact for law in laws])
    anchors = np.rint(sums - [law.centre for law in laws]).astype(np.int64)
    limits = np.stack([np.where(exact, anchors, 0), np.where(exact, anchors, UNBOUNDED)])

    def log_likelihood(pieces: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
        found = np.zeros(counts.size)
        for piece in np.unique(pieces).tolist():
            some = pieces == piece
            found[some] = laws[piece].log_law(sums[piece] - counts[some])
        return found

    reach = np.array([law.reach if each else 0 for law, each in zip(laws, told, strict=True)])
    return Observed(log_likelihood, anchors, np.stack([reach, reach]), limits, told)


def pieces_of(shares: Sequence[Share], m: int) -> tuple[CellSet, ...]:
    """Return the disjoint sets of cells on which the shares depend, and the other cells if there are any."""
    everything, sets = frozenset(range(m)), []
    for share in shares:
        base = everything if share.given is None else share.given
        sets += [share.cells & base, base - share.cells]
    found = atoms(sets).pieces
    rest = everything.difference(*found)
    return (*found, rest) if rest else found


def by_pieces(share: Share, pieces: Sequence[CellSet]) -> Share:
    """Return the share by numbers of pieces, each of which lies in its set, in the rest of its base, or outside."""
    base = None if share.given is None else _pieces_within(share.given, pieces)
    inside = share.cells if share.given is None else share.cells & share.given
    return Share(_pieces_within(inside, pieces), base)


def _pieces_within(cells: CellSet, pieces: Sequence[CellSet]) -> CellSet:
    return frozenset(number for number, piece in enumerate(pieces) if piece <= cells)


def posterior_of_pieces(observed: Sequence[Observed], each: float, total: int | UnknownTotal) -> NoiseAwarePosterior:
    """Return the posterior of pieces under the prior `each` for every one of them.

    p(C | Y) ∝ g(n) Π Γ(a + C_p) / C_p! L_p(Y_p − C_p), with a = `each`, and g(n) = n! / Γ(n + Pa) if n is unknown.
    """
    prior = np.full(observed[0].anchors.size, each)
    return NoiseAwarePosterior(prior, counts_given_noise(prior, observed, total))
