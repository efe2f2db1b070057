"""The nodes of an attribute tree (`core.inference.attribute_tree`), and joint draws of the leaves below a node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.count_simplex.batch import split
from core.count_simplex.window import Mass
from core.samplers.reproducible import Reproducible

Floats: TypeAlias = NDArray[np.float64]

ROUNDING: Final = 1e-12
"""Error of a probability by rounded weights and direct sums."""
_UNLIKELY_PROBABILITY: Final = 1e-18
"""Probability of the counts at either end of a window that are not drawn."""


@dataclass(slots=True, eq=False)
class Node:
    """A node with two children, or a leaf."""

    leaf: int = -1
    """The number of a leaf, from left to right; −1 for others."""
    children: tuple[Node, Node] | None = None
    branches: int = 0
    """The number k of branches, or 0 for a leaf and for a node that joins some branches of another one."""
    is_careful: bool = False
    """Whether its convolutions are direct, and its window is not cut at the level of Fourier rounding."""
    low: int = 0
    weights: Floats = field(default_factory=lambda: np.ones(1))
    """U at `low`, `low` + 1, …, with the sum 1."""
    is_cut: tuple[bool, bool] = (False, False)
    """Whether its window leaves out counts below and above."""
    factor: Floats = field(default_factory=lambda: np.ones(1))
    """U / S at each count."""
    error: float = 0.0
    """Error of each of `weights` by the convolution of this node."""
    outside: Floats = field(default_factory=lambda: np.ones((3, 1)))
    """A, T^1 and T^2 at each count."""
    error_outside: float = 0.0

    @property
    def likely(self) -> Mass:
        """Return the weights of all counts but the ends of a probability of at most `_UNLIKELY_PROBABILITY`."""
        probabilities = self.probabilities
        below, above = np.cumsum(probabilities), np.cumsum(probabilities[::-1])
        start, stop = (
            int(np.searchsorted(below, _UNLIKELY_PROBABILITY)),
            int(np.searchsorted(above, _UNLIKELY_PROBABILITY)),
        )
        return Mass(self.low + start, self.weights[start : self.weights.size - stop])

    @property
    def counts(self) -> Floats:
        return self.low + np.arange(float(self.weights.size))

    @property
    def probabilities(self) -> Floats:
        found: Floats = self.weights * self.outside[0]
        return found

    @property
    def moved(self) -> float:
        """Return the effect of this node's own errors on probabilities, and the estimated one of its window's ends."""
        return self.error * float(self.outside[0].sum()) + self.error_outside + sum(self.tails)

    @property
    def tails(self) -> tuple[float, float]:
        """Return estimates of the probabilities below and above the window, 0 where it is not cut."""
        below, above = (_tail_beyond(each) if cut else 0.0 for each, cut in zip(self._ends, self.is_cut, strict=True))
        return below, above

    @property
    def _ends(self) -> tuple[list[float], list[float]]:
        found = self.probabilities
        return found[:2].tolist(), found[:-3:-1].tolist()


def _tail_beyond(end: Sequence[float]) -> float:
    """Return an estimate of the probability beyond the first of these two values, and of the first."""
    if len(end) < 2 or end[0] <= ROUNDING:  # the ratio of values at the level of rounding says nothing
        return end[0]
    return end[0] / (1.0 - end[0] / end[1]) if end[0] < end[1] else 1.0


class Drawn(NamedTuple):
    """Draws of the count of a leaf and of the logarithm of its share, each of shape (size,)."""

    leaf: int
    counts: NDArray[np.int64]
    logs: Floats

    def with_others(self, others: Drawn) -> Drawn:
        """Return the draws of a set of leaves."""
        return Drawn(self.leaf, self.counts + others.counts, np.logaddexp(self.logs, others.logs))


def drawn_below(
    node: Node, held: NDArray[np.int64], log_share: Floats, prior: float, rng: Reproducible
) -> Iterator[Drawn]:
    """Yield draws of the leaves of a node from left to right, given those of the node."""
    if node.children is None:
        yield Drawn(node.leaf, held, log_share)
    else:
        for each in divided(node, held, log_share, prior, rng):
            yield from drawn_below(*each, prior, rng)


def divided(
    node: Node, held: NDArray[np.int64], log_share: Floats, prior: float, rng: Reproducible
) -> list[tuple[Node, NDArray[np.int64], Floats]]:
    """Return the branches of a node, with draws of the counts and of the logarithms of the shares of each."""
    counts = list(_split_node(node, held, rng))
    logs = rng.log_gammas(np.stack([prior + each for _, each in counts]))
    top = logs.max(axis=0)
    logs += log_share - (top + np.log(np.exp(logs - top).sum(axis=0)))
    return [(branch, each, of_branch) for (branch, each), of_branch in zip(counts, logs, strict=True)]


def _split_node(node: Node, held: NDArray[np.int64], rng: Reproducible) -> Iterator[tuple[Node, NDArray[np.int64]]]:
    """Yield the branches of a node, and draws of the counts of each, given the node's counts."""
    assert node.children is not None, "an inner node has children"
    first = split(node.children[0].likely, node.children[1].likely, held, rng)
    for child, counts in zip(node.children, (first, held - first), strict=True):
        if child.branches or child.children is None:
            yield child, counts
        else:
            yield from _split_node(child, counts, rng)
