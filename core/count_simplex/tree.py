"""Merges the laws of independent counts two by two, and bounds what Fourier rounding and cut tails can have changed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from core.count_simplex.window import Mass

_UNIT: Final = 2.0**-53
# One transform of length N has a relative error of at most this many units times log2 N in the Euclidean norm; radix-2
# theory gives 6.7 (Higham 2002, theorem 24.2), the mixed radices of a real transform a little more.
_TRANSFORM_UNITS: Final = 10.0
# Below this length of the shorter factor a direct sum is as fast, and its error is relative to each value.
_DIRECT_UP_TO: Final = 48
# Sums with fewer values than this are not worth a search for their tails.
_TRIM_FROM: Final = 512


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node:
    """The law of a sum of some categories, |mass − exact| <= `error` at every value in the window."""

    mass: Mass
    error: float
    log_moments: NDArray[np.float64]
    """ln E exp(λ · sum) at the rates of the tree, for Chernoff's bound."""
    category: int = -1
    """Which category a leaf is; −1 for an inner node."""
    children: tuple[Node, Node] | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Root:
    """The two halves that meet in the total: Σ_l left(l) · right(total − l) is the probability of the total."""

    left: Node
    right: Node
    probability: float
    """Of the total, under independence."""
    error: float
    """|probability − exact| for the leaves' laws as given."""
    left_out: float
    """Bound on the probability, under independence, of a vector with a partial sum outside its window."""


def grow(laws: Sequence[Mass], total: int, cut: float) -> Root:
    """The tree over independent laws, two or more; each tail of each partial sum that is cut has probability at most
    `cut`.

    Likes are merged with likes, narrow before wide: lengths then add up to about m · sqrt(n) on the lowest level and
    shrink above it, since windows of sums grow only like the square root of their number.
    """
    (left, right), trimmed = _merged(laws, cut, down_to=2)
    probability = float(np.sum(split_weights(left, right, total)))
    inflation = left.error * float(right.mass.values.sum()) + right.error * float(left.mass.values.sum())
    overlap = min(left.mass.values.size, right.mass.values.size)
    error = inflation + overlap * (left.error * right.error + _UNIT * probability)
    return Root(left, right, probability, error, trimmed * cut)


def law_of_sum(laws: Sequence[Mass], cut: float) -> tuple[Node, float]:
    """The law of the sum of independent laws, one or more, and a bound on the probability of what was cut from the
    tails of partial sums.
    """
    (node,), trimmed = _merged(laws, cut, down_to=1)
    return node, trimmed * cut


def _merged(laws: Sequence[Mass], cut: float, *, down_to: int) -> tuple[list[Node], int]:
    """Sums of the laws, `down_to` of them, that have every law in one of them; and how many tails were cut."""
    rates = _rates(laws, cut)
    nodes = [
        Node(law, 0.0, moments, category)
        for category, (law, moments) in enumerate(zip(laws, _log_moments(laws, rates), strict=True))
    ]
    trimmed = 0
    while len(nodes) > down_to:
        nodes.sort(key=lambda node: node.mass.values.size)
        # The widest waits where the number is odd.
        merged = [_merge(nodes[place], nodes[place + 1], rates, cut) for place in range(0, len(nodes) - 1, 2)]
        trimmed += 2 * len(merged)
        nodes = merged + nodes[len(merged) * 2 :]
    return nodes, trimmed


def split_weights(left: Node, right: Node, total: int, *, raised: bool = False) -> NDArray[np.float64]:
    """left(l) · right(total − l) for l = max(left.low, total − right.high), …; `raised` adds each node's error to
    its mass.
    """
    low, high = max(left.mass.low, total - right.mass.high), min(left.mass.high, total - right.mass.low)
    if low > high:
        return np.zeros(0)
    first = left.mass.values[low - left.mass.low : high - left.mass.low + 1]
    second = right.mass.values[total - high - right.mass.low : total - low - right.mass.low + 1][::-1]
    return (first + left.error) * (second + right.error) if raised else first * second


def convolve(first: NDArray[np.float64], second: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """The convolution of two non-negative sequences, and a bound on the error of each of its values."""
    if min(first.size, second.size) <= _DIRECT_UP_TO:
        direct = np.convolve(first, second)
        return direct, _UNIT * min(first.size, second.size) * float(direct.max(initial=0.0))
    size = first.size + second.size - 1
    length = fft.next_fast_len(size, real=True)
    product = fft.irfft(fft.rfft(first, length) * fft.rfft(second, length), length)[:size]
    np.maximum(product, 0.0, out=product)
    # Two transforms forward, each relative to its own norm, meet in a product (Cauchy–Schwarz); the one back is
    # relative to the result's.
    norms = 2.0 * _norm(first) * _norm(second) + _norm(product)
    return product, _UNIT * (_TRANSFORM_UNITS * math.log2(length) + 2.0) * norms


def _norm(values: NDArray[np.float64]) -> float:
    # Not by a matrix product: its threads would wait for each other on a busy machine, for a sum of no account.
    return math.sqrt(float(np.square(values).sum()))


def _merge(left: Node, right: Node, rates: NDArray[np.float64], cut: float) -> Node:
    values, error = convolve(left.mass.values, right.mass.values)
    error += left.error * float(right.mass.values.sum()) + right.error * float(left.mass.values.sum())
    error += left.error * right.error * min(left.mass.values.size, right.mass.values.size)
    mass = Mass(left.mass.low + right.mass.low, values)
    log_moments = left.log_moments + right.log_moments
    if values.size >= _TRIM_FROM:
        mass = mass.within(*_chernoff(log_moments, rates, cut))
    return Node(mass, error, log_moments, children=(left, right))


def _rates(laws: Sequence[Mass], cut: float) -> NDArray[np.float64]:
    """Rates λ for Chernoff's bound, from the steepest that a sum of few may need to the flattest of the whole, then
    their negatives.

    A normal tail of mass e^{−D} begins at x = √(2D) deviations σ, where λ = x/σ is best. A window has 2x deviations of
    its own law, so that λ is 4D over its width, and less for a sum by the root of the number of its terms. Powers of
    two in between give away a tenth.
    """
    widths = np.array([law.values.size for law in laws], dtype=np.float64)
    if widths.sum() < _TRIM_FROM:
        return np.zeros(0)
    depth = -math.log(cut)
    steepest, flattest = 3.0 * depth / float(widths.min()), depth / math.sqrt(float(widths @ widths))
    count = max(2, math.ceil(math.log2(steepest / flattest)) + 1)
    upward = np.geomspace(steepest, min(flattest, steepest), count)
    return np.concatenate((upward, -upward))


def _log_moments(laws: Sequence[Mass], rates: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """ln Σ_t p(t) e^{λ t} for each law at each rate; infinite where it would overflow."""
    longest = max(law.values.size for law in laws)
    with np.errstate(over="ignore", invalid="ignore"):
        # Both directions grow away from an end of the window, so that one table of powers with λ > 0 serves them.
        powers = np.exp(np.outer(np.arange(longest, dtype=np.float64), rates[: rates.size // 2]))
        moments = []
        for law in laws:
            table = powers[: law.values.size]
            upward, downward = (
                np.log(np.einsum("t,tj->j", law.values, table)),
                np.log(np.einsum("t,tj->j", law.values[::-1], table)),
            )
            half = rates.size // 2
            logs = np.concatenate((upward + law.low * rates[:half], downward + law.high * rates[half:]))
            moments.append(np.where(np.isnan(logs), np.inf, logs))
    return moments


def _chernoff(log_moments: NDArray[np.float64], rates: NDArray[np.float64], cut: float) -> tuple[int, int]:
    """A window outside of which the sum lies with probability at most `cut` on either side: P(S >= s) <= E e^{λS}
    e^{−λs}.

    The millionth pays for the rounding of the moments.
    """
    half = rates.size // 2
    ends = (log_moments + (1e-6 - math.log(cut))) / rates
    high, low = float(np.min(ends[:half])), float(np.max(ends[half:]))
    return (math.floor(low) if math.isfinite(low) else -(2**62)), (math.ceil(high) if math.isfinite(high) else 2**62)
