"""A product distribution with weight Π f_i(r_i) on {r ∈ Z^m : Σ r_i = n}: its normaliser, marginals and
expectations.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.cells import CellSet
from core.count_simplex.convolution import ApproximateArray, convolve, convolve_each
from core.count_simplex.rows import TOGETHER, in_rows
from core.count_simplex.tree import Node, Root, distribution_of_sum, grow
from core.count_simplex.window import CountSimplexError, Mass, Tilted, Window, tilt_to_total

DEFAULT_TOLERANCE: Final = 1e-20
_MAX_REFINEMENTS: Final = 6
_MAX_EXPONENT: Final = 700.0
_OMITTED_PROBABILITY: Final = 1e-16
_BATCH_VALUES: Final = 16 * TOGETHER
"""Number of probabilities outside of nodes that are processed together with those of their children."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Marginal:
    """P(r_i = low), P(r_i = low + 1), …

    The window may be narrower than the given one; `left_out` of the distribution includes the difference.
    """

    low: int
    probabilities: NDArray[np.float64]
    error: float
    """Bound on the error of each probability from rounded partial sums."""

    @property
    def values(self) -> NDArray[np.int64]:
        """Return the counts to which the probabilities belong, in order."""
        return np.arange(self.low, self.low + self.probabilities.size, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ProductDistribution:
    """P(r) = Π f_i(r_i) / Z on {r : Σ r_i = n}; created by `condition_on_total`."""

    total: int
    log_normaliser: float
    """ln Z, Z = Σ_r Π f_i(r_i)."""
    log_normaliser_error: float
    """Bound on the error of ln Z from rounded partial sums and `left_out`."""
    left_out: float
    """Total variation between the distribution on the given windows and the computed one, due to cut tails."""
    tilt: float
    """θ of the weights f_i(t) e^{θ t} that are multiplied. A tail beyond a given window is measured by these weights
    (see `log_left_out_beyond`).
    """
    _tilted_counts: Tilted
    _root: Root

    def log_left_out_beyond(self, log_tails: Sequence[float]) -> float:
        """Return a bound on ln P(some r_i is outside its window), under the distribution with wider windows.

        `log_tails`: for each category, ln of (a bound on) Σ f_i(t) e^{θ t} over all t outside its window, divided by
        the same sum inside, θ = `tilt`.

        Let τ_i be the tails and M_i the sums inside. The sum of Π f_i e^{θ t} over r with some r_i outside is at most Π
        M_i (Π (1 + τ_i) − 1) <= Π M_i Σ τ_i e^{Σ τ_i}. Everything is in logs, because a tail may be smaller than any
        float.
        """
        log_sum = float(np.logaddexp.reduce(np.array(log_tails, dtype=np.float64)))
        outside = log_sum + math.exp(min(log_sum, _MAX_EXPONENT))
        return outside + self._tilted_counts.log_infeasible - math.log(self._root.probability - self._root.error)

    def marginals(self) -> tuple[Marginal, ...]:
        """Return the exact distribution of each count r_i."""
        found: dict[int, Marginal] = {}
        left, right = self._root.left, self._root.right
        pending = [(left, *_mirror(right, self.total, left)), (right, *_mirror(left, self.total, right))]
        while pending:
            below = []
            # Process several nodes at a time: they are transformed together, and only these are in memory.
            for node, rest, error in _pop_batch(pending):
                if node.children is None:
                    found[node.category] = _marginal(node, rest, error, self._root.probability)
                else:
                    first, second = node.children
                    below += [(first, second, rest, error), (second, first, rest, error)]
            pending += _outside_distributions(below)
        return tuple(found[category] for category in range(len(found)))

    def means(self) -> NDArray[np.float64]:
        """Return E[r_i], shape (m,)."""
        return np.array([float(np.sum(marginal.values * marginal.probabilities)) for marginal in self.marginals()])

    def sums(self, groups: Sequence[CellSet]) -> tuple[list[Mass], Mass, float]:
        """Return the distribution of the sum of each group and of the remaining counts, under independent tilted
        weights, and an error.

        The groups are disjoint. Given the total, P(S_1 = s_1, S_2 = s_2, …) ∝ Π_g mass_g(s_g) · rest(total − Σ s_g).
        Each group's window is cut to the likely sums given the total. The error bounds the total-variation effect of
        cuts and Fourier rounding on that distribution.
        """
        cut = DEFAULT_TOLERANCE * self._root.probability / (8.0 * len(self._tilted_counts.distributions))
        distributions, outside = _cut_tails(self._tilted_counts.distributions, cut)
        taken = frozenset().union(*groups)
        others = [distribution for category, distribution in enumerate(distributions) if category not in taken]
        parts = [distribution_of_sum([distributions[category] for category in sorted(group)], cut) for group in groups]
        rest, trimmed = distribution_of_sum(others, cut) if others else (None, 0.0)
        rest_mass = Mass(0, np.ones(1)) if rest is None else rest.mass
        error = sum(part.error for part, _ in parts) + (0.0 if rest is None else rest.error)
        moved = outside + trimmed + sum(tail for _, tail in parts)
        nodes = [node for node, _ in parts]
        # The sum of all other counts is that of the earlier parts and the rest, and that of the later parts.
        later = list(accumulate(reversed(nodes[1:]), _and_part, initial=Mass(0, np.ones(1))))[::-1]
        masses, earlier = [], rest_mass
        for node, after in zip(nodes, later, strict=True):
            values, _ = convolve(ApproximateArray(earlier.values), ApproximateArray(after.values))
            masses.append(_likely_part(node.mass, Mass(earlier.low + after.low, values), self.total))
            earlier = _and_part(earlier, node)
        return (
            masses,
            rest_mass,
            2.0 * (error + moved) / (self._root.probability - self._root.error)
            + 2.0 * _OMITTED_PROBABILITY * len(parts),
        )


def _and_part(mass: Mass, node: Node) -> Mass:
    """Return the distribution of the sum of a count and of a part."""
    values, _ = convolve(ApproximateArray(mass.values), node.known)
    return Mass(mass.low + node.mass.low, values)


def condition_on_total(
    windows: Sequence[Window], total: int, *, tolerance: float = DEFAULT_TOLERANCE
) -> ProductDistribution:
    """Return the product of weights on windows, one for each of m >= 2 categories, conditioned on Σ r_i = total.

    Arguments: `windows`, the weights; `total`, an integer; `tolerance`, the largest accepted `left_out`, in (0, 1),
    which limits the cut tails of counts and of partial sums. The cost is about Σ (window lengths) · log for any m.

    Raises CountSimplexError if no vector in the windows has the total, or if rounding leaves the weight of the total
    uncertain.
    """
    if len(windows) < 2:
        raise CountSimplexError("there must be at least two categories")
    tilted = tilt_to_total(windows, total)
    # P(Σ r = n) if the total is nearly normal around n. It is measured and corrected otherwise.
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
    """Cut the ends with probability at most `cut` from each distribution.

    Return the rest and the total probability cut.
    """
    kept: dict[int, Mass] = {}
    outside = 0.0
    for indices, rows in in_rows([distribution.values for distribution in distributions]):
        below, above = np.cumsum(rows, axis=1), np.cumsum(rows[:, ::-1], axis=1)
        starts = np.count_nonzero(below <= cut, axis=1).tolist()
        # The padding zeros are part of what is cut from the end.
        stops = (rows.shape[1] - np.count_nonzero(above <= cut, axis=1)).tolist()
        for index, start, stop, row in zip(indices, starts, stops, range(len(indices)), strict=True):
            kept[index] = Mass(distributions[index].low + start, distributions[index].values[start:stop])
            outside += float(below[row, start - 1]) if start else 0.0
            outside += float(above[row, rows.shape[1] - stop - 1]) if stop < rows.shape[1] else 0.0
    return [kept[index] for index in range(len(distributions))], outside


def _likely_part(mass: Mass, elsewhere: Mass, total: int) -> Mass:
    """Return the range of a sum, given the total, without tails of probability at most 1e-16 on either side."""
    mirrored = Mass(total - elsewhere.high, elsewhere.values[::-1])
    part, other = mass.within(mirrored.low, mirrored.high), mirrored.within(mass.low, mass.high)
    running = np.cumsum(part.values * other.values)
    start = int(np.searchsorted(running, _OMITTED_PROBABILITY * running[-1], side="right"))
    above = np.cumsum((part.values * other.values)[::-1])
    stop = part.values.size - int(np.searchsorted(above, _OMITTED_PROBABILITY * above[-1], side="right"))
    return Mass(part.low + start, part.values[start:stop])


_OutsideNode: TypeAlias = tuple[Node, Mass, float]
"""A node, P(the sum of everything else = total − v), and a bound on the error of each of these probabilities."""


def _mirror(other: Node, total: int, node: Node) -> tuple[Mass, float]:
    """Return P(other = total − v) for v in the node's window, within the other's window, and its error."""
    mirrored = Mass(total - other.mass.high, other.mass.values[::-1])
    return mirrored.within(node.mass.low, node.mass.high), other.error


def _pop_batch(pending: list[_OutsideNode]) -> Iterator[_OutsideNode]:
    """Pop a batch of nodes, at least one, from the end of `pending`. A batch is computed together."""
    held = 0
    while pending and held <= _BATCH_VALUES:
        held += pending[-1][1].values.size
        yield pending.pop()


def _outside_distributions(below: Sequence[tuple[Node, Node, Mass, float]]) -> Iterator[_OutsideNode]:
    """Yield, for each tree node, the distribution of the sum of all counts that are not below the node.

    It follows from that of the node's parent: P(sum = total − v) = Σ_t sibling(t) rest(v + t).
    """
    found = convolve_each(
        [(ApproximateArray(rest.values, error), sibling.known.reversed()) for _, sibling, rest, error in below]
    )
    for (node, sibling, rest, _), sums in zip(below, found, strict=True):
        mass = Mass(rest.low - sibling.mass.high, sums.values)
        yield node, mass.within(node.mass.low, node.mass.high), sums.error


def _marginal(leaf: Node, rest: Mass, error: float, probability: float) -> Marginal:
    part = leaf.mass.within(rest.low, rest.high)
    joint = part.values * rest.values
    return Marginal(part.low, joint / joint.sum(), 2.0 * error * float(part.values.max()) / probability)
