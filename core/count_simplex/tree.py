"""Merges distributions of independent counts pairwise, with bounds on Fourier rounding and cut tails."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.count_simplex.convolution import ApproximateArray, convolve_each
from core.count_simplex.rows import in_rows
from core.count_simplex.window import Mass

_UNIT: Final = 2.0**-53
# Number of values of a sum from which its tails are cut.
_TRIM_FROM: Final = 512


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node:
    """The distribution of the sum of several categories. At every value in the window, |mass − exact| <= `error`."""

    mass: Mass
    error: float
    log_moments: NDArray[np.float64]
    """ln E exp(λ · sum) at the tree's rates λ, for Chernoff's bound."""
    category: int = -1
    """The category of a leaf; −1 for an inner node."""
    children: tuple[Node, Node] | None = None

    @property
    def known(self) -> ApproximateArray:
        return ApproximateArray(self.mass.values, self.error)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Root:
    """The two halves of the tree: Σ_l left(l) · right(total − l) is the probability of the total."""

    left: Node
    right: Node
    probability: float
    """The probability of the total, under independence."""
    error: float
    """|probability − exact| for the leaves' distributions as given."""
    left_out: float
    """Bound on the probability, under independence, of a vector with a partial sum outside its window."""


def grow(distributions: Sequence[Mass], total: int, cut: float) -> Root:
    """Return the tree over two or more independent distributions. Each cut tail of a partial sum has probability at
    most `cut`.

    Nodes of similar width are merged, narrow ones first. The lengths then add up to about m · sqrt(n) on the lowest
    level and shrink above, because windows of sums grow only like the square root of their number.
    """
    (left, right), trimmed = _merge_distributions(distributions, cut, down_to=2)
    probability = float(np.sum(split_weights(left, right, total)))
    inflation = left.error * float(right.mass.values.sum()) + right.error * float(left.mass.values.sum())
    overlap = min(left.mass.values.size, right.mass.values.size)
    error = inflation + overlap * (left.error * right.error + _UNIT * probability)
    return Root(left, right, probability, error, trimmed * cut)


def distribution_of_sum(distributions: Sequence[Mass], cut: float) -> tuple[Node, float]:
    """Return the distribution of the sum of one or more independent distributions, and a bound on the probability
    cut.
    """
    (node,), trimmed = _merge_distributions(distributions, cut, down_to=1)
    return node, trimmed * cut


def _merge_distributions(distributions: Sequence[Mass], cut: float, *, down_to: int) -> tuple[list[Node], int]:
    """Merge the distributions into `down_to` sums; return these and the number of cut tails."""
    rates = _rates(distributions, cut)
    nodes = [
        Node(distribution, 0.0, moments, category)
        for category, (distribution, moments) in enumerate(
            zip(distributions, _log_moments(distributions, rates), strict=True)
        )
    ]
    trimmed = 0
    while len(nodes) > down_to:
        nodes.sort(key=lambda node: node.mass.values.size)
        # If the number is odd, the widest distribution is not merged.
        merged = _merge_pairs(list(zip(nodes[0:-1:2], nodes[1::2], strict=True)), rates, cut)
        trimmed += 2 * len(merged)
        nodes = merged + nodes[len(merged) * 2 :]
    return nodes, trimmed


def split_weights(left: Node, right: Node, total: int) -> NDArray[np.float64]:
    """Return left(l) · right(total − l) for consecutive l, from max(left.low, total − right.high) on."""
    low, high = max(left.mass.low, total - right.mass.high), min(left.mass.high, total - right.mass.low)
    if low > high:
        return np.zeros(0)
    first = left.mass.values[low - left.mass.low : high - left.mass.low + 1]
    second = right.mass.values[total - high - right.mass.low : total - low - right.mass.low + 1][::-1]
    return first * second


def _merge_pairs(pairs: Sequence[tuple[Node, Node]], rates: NDArray[np.float64], cut: float) -> list[Node]:
    found = convolve_each([(left.known, right.known) for left, right in pairs])
    return [_cut_sum(left, right, sums, rates, cut) for (left, right), sums in zip(pairs, found, strict=True)]


def _cut_sum(left: Node, right: Node, sums: ApproximateArray, rates: NDArray[np.float64], cut: float) -> Node:
    mass = Mass(left.mass.low + right.mass.low, sums.values)
    log_moments = left.log_moments + right.log_moments
    if sums.values.size >= _TRIM_FROM:
        mass = mass.within(*_chernoff(log_moments, rates, cut))
    return Node(mass, sums.error, log_moments, children=(left, right))


def _rates(distributions: Sequence[Mass], cut: float) -> NDArray[np.float64]:
    """Return rates λ > 0 for Chernoff's bound in falling order, followed by their negatives.

    The steepest suits sums of few terms, the flattest the sum of all. A normal tail of probability e^{−D} begins at x =
    √(2D) deviations σ, where λ = x/σ is best. A window is 2x deviations wide, so the best λ is 4D divided by its width.
    For a sum of distributions, the best λ is smaller by the square root of their number. Rates are a factor of 2 apart,
    which costs at most about a tenth of D.
    """
    widths = np.array([distribution.values.size for distribution in distributions], dtype=np.float64)
    if widths.sum() < _TRIM_FROM:
        return np.zeros(0)
    depth = -math.log(cut)
    steepest, flattest = 3.0 * depth / float(widths.min()), depth / math.sqrt(float(widths @ widths))
    count = max(2, math.ceil(math.log2(steepest / flattest)) + 1)
    upward = np.geomspace(steepest, min(flattest, steepest), count)
    return np.concatenate((upward, -upward))


def _log_moments(distributions: Sequence[Mass], rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ln Σ_t p(t) e^{λ t} for each distribution at each rate, shape (distributions, rates).

    It is infinite on overflow.
    """
    moments = np.zeros((len(distributions), rates.size))
    if not rates.size:
        return moments
    upward, downward = np.split(rates, 2)
    lows, highs = np.array(
        [[distribution.low, distribution.high] for distribution in distributions], dtype=np.float64
    ).T
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        # Both directions grow away from an end of the window, so one table of powers with λ > 0 serves both.
        longest = max(distribution.values.size for distribution in distributions)
        powers = np.exp(np.outer(np.arange(float(longest)), upward))
        for direction, rate, ends, columns in (
            (1, upward, lows, slice(0, upward.size)),
            (-1, downward, highs, slice(upward.size, None)),
        ):
            for indices, rows in in_rows([distribution.values[::direction] for distribution in distributions]):
                sums = np.einsum("kt,tj->kj", rows, powers[: rows.shape[1]])
                moments[indices, columns] = np.log(sums) + np.outer(ends[indices], rate)
    return np.where(np.isnan(moments), np.inf, moments)


def _chernoff(log_moments: NDArray[np.float64], rates: NDArray[np.float64], cut: float) -> tuple[int, int]:
    """Return a window outside which the sum lies with probability at most `cut` on either side.

    P(S >= s) <= E e^{λS} e^{−λs}. An added millionth covers the rounding of the moments.
    """
    half = rates.size // 2
    ends = (log_moments + (1e-6 - math.log(cut))) / rates
    high, low = float(np.min(ends[:half])), float(np.max(ends[half:]))
    return (math.floor(low) if math.isfinite(low) else -(2**62)), (math.ceil(high) if math.isfinite(high) else 2**62)
