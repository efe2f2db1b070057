"""A product law puts weight Π f_i(r_i) on {r ∈ Z^m : Σ r_i = n}. It knows its normaliser, marginals and
expectations.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.cells import CellSet
from core.count_simplex.convolution import Known, convolve, convolve_each
from core.count_simplex.rows import TOGETHER, in_rows
from core.count_simplex.tree import Node, Root, distribution_of_sum, grow
from core.count_simplex.window import CountSimplexError, Mass, Tilted, Window, tilt_to_total

DEFAULT_TOLERANCE: Final = 1e-20
_MAX_REFINEMENTS: Final = 6
_MAX_EXPONENT: Final = 700.0
_LEFT_OUT: Final = 1e-16
_TAKEN: Final = 16 * TOGETHER
"""Probabilities outside of some nodes that are taken together to those of their children."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Marginal:
    """P(r_i = low), P(r_i = low + 1), …; the window may be narrower than the one given, by what the law's `left_out`
    counts.
    """

    low: int
    probabilities: NDArray[np.float64]
    error: float
    """Bound on what rounding of partial sums can have added to or taken from each probability."""

    @property
    def values(self) -> NDArray[np.int64]:
        """The counts that the probabilities belong to."""
        return np.arange(self.low, self.low + self.probabilities.size, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ProductDistribution:
    """P(r) = Π f_i(r_i) / Z on {r : Σ r_i = n}, made by `condition_on_total`."""

    total: int
    log_normaliser: float
    """ln Z, Z = Σ_r Π f_i(r_i)."""
    log_normaliser_error: float
    """Bound on what partial sums' rounding and `left_out` can have changed in ln Z."""
    left_out: float
    """Total variation between the law on the windows as given and the one that is computed and drawn from: what cut
    tails can change.
    """
    tilt: float
    """θ of the weights f_i(t) e^{θ t} that were multiplied; a tail beyond a given window counts under these (see
    `log_left_out_beyond`).
    """
    _tilted: Tilted
    _root: Root

    def log_left_out_beyond(self, log_tails: Sequence[float]) -> float:
        """Bound on ln P(some r_i outside its window) had the windows been wider.

        `log_tails`: for each category, ln of (a bound on) Σ f_i(t) e^{θ t} over all t outside its window, divided by
        the same sum inside, with θ = `tilt`. Source: with tails τ_i, weights M_i inside, Σ over r with some r_i outside
        of Π f_i e^{θ t} <= Π M_i (Π (1 + τ_i) − 1), and Π (1 + τ_i) − 1 <= Σ τ_i e^{Σ τ_i}. In logs throughout: a tail
        may be smaller than any float, and what it is beside smaller still.
        """
        log_sum = float(np.logaddexp.reduce(np.array(log_tails, dtype=np.float64)))
        outside = log_sum + math.exp(min(log_sum, _MAX_EXPONENT))
        return outside + self._tilted.log_infeasible - math.log(self._root.probability - self._root.error)

    def marginals(self) -> tuple[Marginal, ...]:
        """The exact law of each r_i, in the order of the windows."""
        found: dict[int, Marginal] = {}
        left, right = self._root.left, self._root.right
        pending = [(left, *_mirror(right, self.total, left)), (right, *_mirror(left, self.total, right))]
        while pending:
            below = []
            # Some at a time, so that they can be transformed together and only these are held.
            for node, rest, error in _taken(pending):
                if node.children is None:
                    found[node.category] = _marginal(node, rest, error, self._root.probability)
                else:
                    first, second = node.children
                    below += [(first, second, rest, error), (second, first, rest, error)]
            pending += _outside_each(below)
        return tuple(found[category] for category in range(len(found)))

    def means(self) -> NDArray[np.float64]:
        """E[r_i], shape (m,)."""
        return np.array([float(np.sum(marginal.values * marginal.probabilities)) for marginal in self.marginals()])

    def sums(self, groups: Sequence[CellSet]) -> tuple[list[Mass], Mass, float]:
        """The sum of the counts in each of some disjoint groups of categories, and of all others, under independence of
        the tilted weights.

        Given the total, P(S_1 = s_1, S_2 = s_2, …) ∝ Π_g mass_g(s_g) · rest(total − Σ s_g). Each group's window is cut
        to where its sum lies given the total; the last number bounds what cuts and Fourier rounding can have moved in
        that law, in total variation.
        """
        cut = DEFAULT_TOLERANCE * self._root.probability / (8.0 * len(self._tilted.distributions))
        distributions, outside = _cut_tails(self._tilted.distributions, cut)
        taken = frozenset().union(*groups)
        others = [distribution for category, distribution in enumerate(distributions) if category not in taken]
        parts = [distribution_of_sum([distributions[category] for category in sorted(group)], cut) for group in groups]
        rest, trimmed = distribution_of_sum(others, cut) if others else (None, 0.0)
        rest_mass = Mass(0, np.ones(1)) if rest is None else rest.mass
        error = sum(part.error for part, _ in parts) + (0.0 if rest is None else rest.error)
        moved = outside + trimmed + sum(tail for _, tail in parts)
        masses = []
        for index, (part, _) in enumerate(parts):
            elsewhere = rest_mass
            for other, (node, _) in enumerate(parts):
                if other != index:
                    values = convolve(Known(elsewhere.values), node.known).values
                    elsewhere = Mass(elsewhere.low + node.mass.low, values)
            masses.append(_likely_part(part.mass, elsewhere, self.total))
        return (
            masses,
            rest_mass,
            2.0 * (error + moved) / (self._root.probability - self._root.error) + 2.0 * _LEFT_OUT * len(parts),
        )


def condition_on_total(
    windows: Sequence[Window], total: int, *, tolerance: float = DEFAULT_TOLERANCE
) -> ProductDistribution:
    """The product of weights on windows, one for each of m >= 2 categories, conditioned on Σ r_i = total.

    Arguments: `tolerance` is the largest `left_out` accepted, in (0, 1): the tails of single counts and of partial sums
    are cut where this allows. Returns a law whose cost is about Σ (window lengths) · log, whatever m is. Raises
    CountSimplexError where no vector in the windows has the total, or rounding leaves nothing certain of its weight.
    """
    if len(windows) < 2:
        raise CountSimplexError("there are at least two categories")
    tilted = tilt_to_total(windows, total)
    # P(Σ r = n) of a law of its deviation at its mean, if it is near normal; measured and corrected where it is not.
    probability = 0.1 / (1.0 + tilted.deviation)
    for _ in range(_MAX_REFINEMENTS):
        cut = tolerance * probability / (8.0 * len(windows))
        distributions, outside = _cut_tails(tilted.distributions, cut)
        root = grow(distributions, total, cut)
        if root.probability > 2.0 * root.error:
            left_out = (outside + root.left_out) / (root.probability - root.error)
            if left_out <= tolerance:
                rounding = -math.log1p(-root.error / root.probability)
                log_normaliser = tilted.log_scale + math.log(root.probability)
                return ProductDistribution(
                    total, log_normaliser, rounding + left_out, left_out, tilted.tilt, tilted, root
                )
        probability = min(probability * 1e-3, 0.5 * root.probability) if root.probability > 0.0 else probability * 1e-6
    raise CountSimplexError("the total has a weight that rounding cannot tell from zero")


def _cut_tails(distributions: Sequence[Mass], cut: float) -> tuple[list[Mass], float]:
    """Each law without its ends of mass at most `cut`, and the mass that went in all."""
    kept: dict[int, Mass] = {}
    outside = 0.0
    for indices, rows in in_rows([distribution.values for distribution in distributions]):
        below, above = np.cumsum(rows, axis=1), np.cumsum(rows[:, ::-1], axis=1)
        starts = np.count_nonzero(below <= cut, axis=1).tolist()
        # The zeros behind a law count among what is cut from its end.
        stops = (rows.shape[1] - np.count_nonzero(above <= cut, axis=1)).tolist()
        for index, start, stop, row in zip(indices, starts, stops, range(len(indices)), strict=True):
            kept[index] = Mass(distributions[index].low + start, distributions[index].values[start:stop])
            outside += float(below[row, start - 1]) if start else 0.0
            outside += float(above[row, rows.shape[1] - stop - 1]) if stop < rows.shape[1] else 0.0
    return [kept[index] for index in range(len(distributions))], outside


def _likely_part(mass: Mass, elsewhere: Mass, total: int) -> Mass:
    """The part of a sum's window outside of which the sum lies with probability at most 1e-16 on either side, given
    the total.
    """
    mirrored = Mass(total - elsewhere.high, elsewhere.values[::-1])
    part, other = mass.within(mirrored.low, mirrored.high), mirrored.within(mass.low, mass.high)
    running = np.cumsum(part.values * other.values)
    start = int(np.searchsorted(running, _LEFT_OUT * running[-1], side="right"))
    above = np.cumsum((part.values * other.values)[::-1])
    stop = part.values.size - int(np.searchsorted(above, _LEFT_OUT * above[-1], side="right"))
    return Mass(part.low + start, part.values[start:stop])


_Outside: TypeAlias = tuple[Node, Mass, float]
"""A node, P(everything outside of it = total − v), and a bound on what is wrong with each of these probabilities."""


def _mirror(other: Node, total: int, node: Node) -> tuple[Mass, float]:
    """P(other = total − v) for v in the node's window, as far as the other reaches."""
    mirrored = Mass(total - other.mass.high, other.mass.values[::-1])
    return mirrored.within(node.mass.low, node.mass.high), other.error


def _taken(pending: list[_Outside]) -> Iterator[_Outside]:
    """The last ones, as many as are computed together, at least one; they are taken away."""
    held = 0
    while pending and held <= _TAKEN:
        held += pending[-1][1].values.size
        yield pending.pop()


def _outside_each(below: Sequence[tuple[Node, Node, Mass, float]]) -> Iterator[_Outside]:
    """P(everything outside a node = total − v) = Σ_t sibling(t) rest(v + t), from the same of the parent, for nodes,
    their siblings and what is outside of the parent.
    """
    found = convolve_each([(Known(rest.values, error), sibling.known.reversed()) for _, sibling, rest, error in below])
    for (node, sibling, rest, _), sums in zip(below, found, strict=True):
        mass = Mass(rest.low - sibling.mass.high, sums.values)
        yield node, mass.within(node.mass.low, node.mass.high), sums.error


def _marginal(leaf: Node, rest: Mass, error: float, probability: float) -> Marginal:
    part = leaf.mass.within(rest.low, rest.high)
    joint = part.values * rest.values
    return Marginal(part.low, joint / joint.sum(), 2.0 * error * float(part.values.max()) / probability)
