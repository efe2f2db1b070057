"""Bounds the sum of a category's weights under a tilt from a few of them: what bounds the normaliser of a product law
to some nats, at a hundredth of its cost.

The counts of a category fall into blocks that grow with their distance from c, and near 0. Where a = α + c >= ½, h is
concave: with T = α + t, h'' = ¼ψ'((T + a)/2) − ½ψ'(T), and by ψ' falling and convex, and the duplication formula,
ψ'((T + a)/2) <= ψ'(T/2 + ¼) <= ½ψ'(T/2) + ½ψ'(T/2 + ½) = 2ψ'(T). So over a block of L counts around x, where k h − b·t
has the slope s, its tangent bounds the weights, and their sum is at most that at x times

    Σ e^{s(t − x)} = sinh(sL/2) / sinh(s/2) <= L e^{min(s²(L² − 1)/24, |s|(L − 1)/2)},

since ln(sinh y / y) has a derivative of at most y/3, and no term is above that of the farthest count. The slope lies
between those of the chords to the neighbouring blocks; the first and the last block have one count, so that theirs does
not matter. Where a < ½, c = 0 and h falls in t: there the first weight of a block stands for all of it.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.special_functions import log_affinity

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

_RATIO: Final = 1.4
"""From the beginning of a block to the next, where it is not the next count."""


class BlockSums:
    """The blocks of some categories, and h at their middles: what sums at every k and tilt are bounded from."""

    __slots__ = ("_after", "_before", "_h", "_log_lengths", "_spread", "_widest", "_x")

    def __init__(self, prior: Floats, counts: Counts, n: int) -> None:
        """`prior` α and `counts` c of shape (g,), 0 <= c <= n."""
        firsts, lasts = _blocks(counts, n)
        lengths = np.maximum(lasts - firsts + 1, 0).astype(np.float64)
        falling = (prior + counts < 0.5)[:, None]
        # Empty blocks lie in the one before them, and weigh nothing.
        filled = np.maximum.accumulate(np.where(lengths > 0.0, np.arange(lengths.shape[1]), 0), axis=1)
        middles = np.where(falling, firsts, 0.5 * (firsts + lasts))
        x = np.take_along_axis(middles, filled, axis=1)
        h = np.zeros(x.shape)
        known = lengths > 0.0
        h[known] = log_affinity(
            np.broadcast_to(prior[:, None], x.shape)[known],
            np.broadcast_to(counts[:, None], x.shape)[known],
            (counts[:, None] + x)[known],
        )
        h = np.take_along_axis(h, filled, axis=1)
        self._x, self._h = x, h
        with np.errstate(divide="ignore"):
            self._log_lengths = np.log(lengths)
        # Chords from the block before and to the one behind, which empty blocks between hand on.
        steps = np.diff(x, axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            chords = np.where(steps > 0.0, np.diff(h, axis=1) / steps, 0.0)
        self._before = np.concatenate([np.zeros((len(x), 1)), chords], axis=1)
        behind = np.where(steps > 0.0, np.arange(1, x.shape[1]), x.shape[1])
        behind = np.minimum.accumulate(behind[:, ::-1], axis=1)[:, ::-1]
        after = np.take_along_axis(np.concatenate([self._before, np.zeros((len(x), 1))], axis=1), behind, axis=1)
        self._after = np.concatenate([after, np.zeros((len(x), 1))], axis=1)
        excess = np.where(falling, 0.0, np.maximum(lengths - 1.0, 0.0))
        self._spread, self._widest = excess * (lengths + 1.0) / 24.0, 0.5 * excess

    def log_sums(self, k: float | Floats, tilt: float | Floats) -> tuple[Floats, Floats, Floats]:
        """ln of upper bounds of Σ_x e^{k h(c + x) − b·x} over 0 <= c + x <= n for each category, k > 0 and b = `tilt`
        >= 0, and about the mean and the variance of x by these weights; `k` and `tilt` of shape (…, 1, 1) give (…, g).
        """
        slopes = np.maximum(np.abs(k * self._before - tilt), np.abs(k * self._after - tilt))
        logs = np.minimum(self._spread * slopes, self._widest) * slopes
        logs += k * self._h
        logs -= tilt * self._x
        logs += self._log_lengths
        largest = logs.max(axis=-1, keepdims=True)
        weights = np.exp(logs - largest)
        sums = weights.sum(axis=-1)
        means = (weights * self._x).sum(axis=-1) / sums
        variances = (weights * (self._x * self._x)).sum(axis=-1) / sums - means * means
        return np.log(sums) + largest[..., 0], means, variances


def log_peaks(a: Floats, counts: Floats, k: float | Floats, tilt: float | Floats) -> Floats:
    """ln of upper bounds of the largest e^{k h(c + x) − b·x} of each category, b = `tilt` >= 0: it is 1 upward, and
    downward at most e^{bx − kx²/8a} for some x <= c, a = α + c.
    """
    furthest = np.minimum(4.0 * a / k * tilt, counts)
    return np.asarray(furthest * (tilt - k / (8.0 * a) * furthest))


def _blocks(counts: Counts, n: int) -> tuple[Counts, Counts]:
    """The first and the last x of each block, rising, shape (g, w); those whose last is below their first are empty.

    From c up they grow; downward they grow up to the middle of c, and fall to 0 as they grew. c, 0 and n are blocks of
    their own.
    """
    c, reach = counts[:, None], (n - counts)[:, None]
    upward = np.concatenate([np.minimum(_firsts(n), np.maximum(reach, 1)), reach + 1], axis=1)
    steps = _firsts(max(1, math.ceil(int(counts.max()) / 2)))
    half = c // 2
    downward = np.concatenate(
        [np.minimum(steps, half + 1), np.maximum(half, c - np.minimum(steps, c - half)[:, ::-1]) + 1, c + 1], axis=1
    )
    return (
        np.concatenate([1 - downward[:, :0:-1], np.zeros_like(c), upward[:, :-1]], axis=1),
        np.concatenate([-downward[:, -2::-1], np.zeros_like(c), upward[:, 1:] - 1], axis=1),
    )


def _firsts(furthest: int) -> Counts:
    """From 1 on, and no further than `furthest`, which is among them. It may be private, so that none are kept."""
    firsts = [1]
    while firsts[-1] < furthest:
        firsts.append(min(furthest, max(firsts[-1] + 1, math.ceil(firsts[-1] * _RATIO))))
    return np.array(firsts)
