"""Envelopes of the weights e^{k h(t) − b·(t − c)} of each category's counts t, at some k >= 0 and tilts b >= 0.

An envelope is an upper bound that is linear on blocks of counts. The envelopes' sums bound a normaliser, and counts are
drawn in proportion to them.

Blocks extend on both sides of the middle of the weights. The first blocks of a side have equal lengths; from there on
the length doubles after every few blocks. All lengths are powers of two, so that random bits are uniform on a block.
Where the grid passes count 0, the remaining counts are divided into at most one block of each power of two. The sizes
of all arrays follow from n and m alone, and all entries are computed, so the time is the same for all histograms.

    weight
      |  ____
      | |.   |____
      | |  . |    |____
      | |    | .  |    |_________
      | |    |    |  . |         |___________________
      | |    |    |    |   .     |         .         |
      +-+----+----+----+---------+-------------------+--->  count
      middle   1    1    1      2              4            block length, in units of the first

In the figure the weights are dots, and each block's line is drawn level.

Where a = α + c >= ½, h is concave. With T = α + t, h'' = ¼ψ'((T + a)/2) − ½ψ'(T). As ψ' is decreasing and convex, the
duplication formula gives ψ'((T + a)/2) <= ψ'(T/2 + ¼) <= ½ψ'(T/2) + ½ψ'(T/2 + ½) = 2ψ'(T). By concavity, h at both ends
and the middle of a block, and the slopes to its neighbours, bound the excess of h over its chord. k times this bounds
the excess of k·h, whatever the tilt. The exponential of the chord is convex, so it is below the line between its ends.
Where a < ½, the largest h of a block is used for the whole block; h increases up to c and decreases from there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.mechanisms.exponential.windows import above
from core.samplers.entropy import Entropy
from core.special_functions import log_affinity

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

UNITS_BITS: Final = 30
"""Integer weights of a draw sum to this power of two."""
_SHARE_OF_UNITS: Final = 1.0 - 2.0**-18
"""Share of the units that is distributed proportionally; the rest allows rounding up every weight."""
_MARGIN: Final = 4e-6
"""Added to ln of a sum. It covers the units that are not distributed proportionally, and the rounding of h."""
_OUTSIDE_LOG: Final = -1e300
_DEEPEST: Final = 700.0
"""Weights below e^-700 relative to the largest are raised to it, so that they are normal floats."""
_MAX_BULGE: Final = 0.5
"""Largest loss of a raised chord, in nats."""
_STEEP_SLOPE: Final = 1e30
"""A slope that represents an unknown one."""
_FINE: Final = 2.0
"""Block length, in deviations of the count divided by √m, up to a factor 2. The total loss of m envelopes is then below
a factor of e.
"""
_WIDE_DEVIATIONS: Final = 6.0
"""Distance from the middle, in deviations and up to a factor 2, within which blocks have equal lengths."""
_NEWTON_STEPS: Final = 16
_TILTS: Final = 3
"""Number of tilts tried for each k."""
_VALUES_AT_ONCE: Final = 1 << 15
"""Number of weights computed at once, so that they stay in the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """The blocks on one side of the middle, in units of the first block's length. The grid is public."""

    first: Counts
    length: Counts
    rest: Counts
    """Lengths, in counts, of the blocks that cover the remaining counts above 0."""

    @property
    def blocks(self) -> int:
        return 2 * (self.length.size - 1) + self.rest.size

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, n: int, m: int) -> _Grid:
        alike = math.ceil(_WIDE_DEVIATIONS / _FINE * math.sqrt(m))
        # The losses of many envelopes in their tails add up.
        of_each = max(1, round(math.sqrt(m) / 15.0))
        octaves = max(1, math.ceil(math.log2((n + 1) / alike + 1.0)))
        # One more block than needed to reach n. It gives the slope at the end of the last block.
        longer = np.repeat(2 ** np.arange(1, octaves + 1), of_each)
        length = np.concatenate([np.ones(alike, dtype=np.int64), longer, [2 ** (octaves + 1)]])
        return cls(np.cumsum(length) - length, length, 2 ** np.arange(n.bit_length() - 1, -1, -1))


class _Lines(NamedTuple):
    """The blocks of m categories at q values of k, and bounds on h on them; each array has shape (q, m, blocks)."""

    first: Counts
    """The count nearest to the middle."""
    length: Counts
    direction: Counts
    """1 if counts increase from the first one on, −1 if they decrease; shape (blocks,)."""
    inside: NDArray[np.bool_]
    """Whether the block contains counts; other blocks are never drawn."""
    near: Floats
    """A bound of h at the first count."""
    far: Floats
    """A bound of h one count beyond the last, unless the length is 1. The line between both bounds is above h."""


@dataclass(frozen=True, slots=True, eq=False)
class Envelopes:
    """The envelopes of m categories at several increasing k.

    Their content is private; the sizes of all arrays are public.
    """

    k: Floats
    """Shape (q,), like the next three."""
    tilt: Floats
    log_bound: Floats
    """ln B, B >= Z_k: the product of all categories' sums but one, times the largest weight of that one."""
    closing: Counts
    """The index of the category that is not drawn. Its count is the rest of n."""
    _first_edges: NDArray[np.int32]
    """As in `_Lines`; shape (q, m, blocks), like the next two."""
    _log_length: NDArray[np.int8]
    """Logarithm to base 2."""
    _is_falling: NDArray[np.bool_]
    """Whether weights decrease from the first count on."""
    _tables: NDArray[np.int32]
    """Cumulative integer weights by which counts are drawn, shape (q, m, 2 · blocks).

    Each block has two entries: first the part that is uniform, then the part that grows toward the end with the larger
    weights.
    """
    upward: int
    """Number of blocks above the middle, which come first: public."""

    @classmethod
    def of(cls, prior: Floats, counts: Counts, n: int, k: Floats) -> list[Envelopes]:
        """Return the envelopes at each k >= 0, in batches of some values of k.

        `prior` α and `counts` c have shape (m,), m >= 2, with sum n >= 1. The tilt is the best of a few, starting from
        one at which the expected counts have sum n.
        """
        grid = _Grid.of(n, counts.size)
        step = max(1, _VALUES_AT_ONCE // (counts.size * grid.blocks))
        return [_envelopes(prior, counts, n, k[start : start + step], grid) for start in range(0, k.size, step)]

    @classmethod
    def joined(cls, parts: Sequence[Envelopes]) -> Envelopes:
        """Return the envelopes of all parts as one object, sorted by k."""
        order = np.argsort(np.concatenate([part.k for part in parts]), kind="stable")
        names = [each.name for each in fields(cls) if each.name != "upward"]
        arrays = {name: np.concatenate([getattr(part, name) for part in parts])[order] for name in names}
        return cls(**arrays, upward=parts[0].upward)

    def propose(self, at: Counts, entropy: Entropy) -> tuple[Counts, Floats]:
        """Propose one histogram for each try. Return their counts and ln of the probability of each count.

        `at`, shape (tries,): try t uses k = `self.k[at[t]]`. Both results have shape (tries, m). A count
        may exceed n, but none is negative.
        """
        _, m, size = self._tables.shape
        words = uniform_words(entropy, (at.size, m), np.uint32) >> np.uint32(32 - UNITS_BITS)
        # Binary search for the number of cumulative sums <= word, with equally many steps for every word.
        sums, row = self._tables.reshape(-1), at[:, None] * m + np.arange(m)
        start, place, step = row * size, np.zeros_like(row), 1 << (size.bit_length() - 1)
        while step:
            further = np.minimum(place + step, size)
            place = np.where((further == place + step) & (sums[start + further - 1] <= words), further, place)
            step >>= 1
        block, entry = place // 2, start + place // 2 * 2
        first, log_length, falls = (
            each.reshape(-1)[row * (size // 2) + block]
            for each in (self._first_edges, self._log_length, self._is_falling)
        )
        length = np.int64(1) << log_length.astype(np.int64)
        # Two uniform numbers below a power of two: the smaller and the larger have linear distributions.
        pair = uniform_words(entropy, (at.size, m, 2), np.uint32).astype(np.int64) & (length[..., None] - 1)
        steps = np.where(place % 2 == 1, np.where(falls, pair.min(axis=-1), pair.max(axis=-1)), pair[..., 0])
        rank = np.where(falls, length - 1 - steps, steps)
        before = np.where(block > 0, sums[np.maximum(entry - 1, 0)], 0).astype(np.int64)
        even, both = sums[entry].astype(np.int64), sums[entry + 1].astype(np.int64)
        units = (even - before) * length + (both - even) * (2 * rank + 1)
        log_probability = np.log(units) - (2.0 * log_length + UNITS_BITS) * math.log(2.0)
        return first + np.where(block < self.upward, steps, -steps), log_probability


def uniform_words(
    entropy: Entropy, shape: tuple[int, ...], dtype: type[np.unsignedinteger]
) -> NDArray[np.unsignedinteger]:
    """Draw an array of independent uniform integers of this unsigned type."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    return np.frombuffer(entropy.bits(8 * size).to_bytes(size), dtype=dtype).reshape(shape)


def units_of(shares: Floats, inside: NDArray[np.bool_]) -> Counts:
    """Return integers with sum 2^UNITS_BITS that are approximately proportional to `shares` along the last axis.

    The integers are at least 1 where `inside` is true and 0 elsewhere. None is below its exact share by a factor of
    more than 1 − 2^−18.
    """
    units = np.floor(shares * (2.0**UNITS_BITS * _SHARE_OF_UNITS / shares.sum(axis=-1, keepdims=True))).astype(np.int64)
    units += inside
    is_largest = np.arange(shares.shape[-1]) == units.argmax(axis=-1)[..., None]
    return np.asarray(units + is_largest * (2**UNITS_BITS - units.sum(axis=-1, keepdims=True)), dtype=np.int64)


def _envelopes(prior: Floats, counts: Counts, n: int, k: Floats, grid: _Grid) -> Envelopes:
    following, mean, deviation = _expected_tilts(prior, counts, n, k)
    middle = np.minimum(mean, n).astype(np.int64)
    finest = np.maximum(_FINE / math.sqrt(counts.size) * np.minimum(deviation, n), 1.0)
    lines = _lines(prior, counts, n, k, middle, 2 ** np.floor(np.log2(finest)).astype(np.int64), grid)
    x = (lines.first - counts[:, None]).astype(np.float64)
    x_far = x + lines.direction * np.where(lines.length > 1, lines.length, 0)
    inside = np.where(lines.inside, 0.0, _OUTSIDE_LOG)

    def at_ends(tilt: Floats) -> tuple[Floats, Floats, Floats]:
        """Return ln of each category's largest weight, and the weights at both ends of its blocks relative to that
        weight.
        """
        near = k[:, None, None] * lines.near - tilt[:, None, None] * x + inside
        far = k[:, None, None] * lines.far - tilt[:, None, None] * x_far + inside
        top = np.maximum(near.max(axis=-1), far.max(axis=-1))[..., None]
        return top, *(np.exp(np.maximum(each - top, -_DEEPEST)) for each in (near, far))

    tilt, log_bound, closing = following, np.full(k.size, math.inf), np.zeros(k.size, dtype=np.int64)
    center = 0.5 * (x + x_far)
    for _ in range(_TILTS):
        top, near, far = at_ends(following)
        even, growing = _masses(near, far, lines.length)
        mass = even + growing
        total = mass.sum(axis=-1)
        means = (mass * center).sum(axis=-1) / total
        variance = ((mass * center * center).sum(axis=-1) / total - means * means).sum(axis=1)
        breadth = np.log(total) + _MARGIN
        bound = (breadth + top[..., 0]).sum(axis=1) - breadth.max(axis=1) + _MARGIN
        better = bound < log_bound
        tilt, log_bound, closing = (
            np.where(better, new, old)
            for new, old in ((following, tilt), (bound, log_bound), (breadth.argmax(axis=1), closing))
        )
        step = np.divide(means.sum(axis=1), variance, out=np.zeros(k.size), where=variance > 0.0)
        following = np.clip(following + step, 0.25 * following, 4.0 * following)
    _, near, far = at_ends(tilt)
    masses = np.stack(_masses(near, far, lines.length), axis=-1).reshape(*middle.shape, -1)
    units = units_of(masses, np.repeat(lines.inside, 2, axis=-1))
    return Envelopes(
        k,
        tilt,
        log_bound,
        closing,
        lines.first.astype(np.int32),
        np.log2(lines.length).astype(np.int8),
        near >= far,
        np.cumsum(units, axis=-1, dtype=np.int32),
        grid.length.size - 1,
    )


def _masses(near: Floats, far: Floats, length: Counts) -> tuple[Floats, Floats]:
    """Return an upper bound on the sum of each block's weights, in two parts.

    A block of L = `length` counts has the weights near + (far − near)·i/L at i = 0, …, L − 1. The first part of the sum
    is spread evenly over the counts. The second is spread in proportion to (i + ½)/L, or to 1 − (i + ½)/L if the near
    end has the larger weight.
    """
    even = np.minimum(near, far) * length + 0.5 * (near - far)
    return np.maximum(even, 0.0), 0.5 * np.abs(near - far) * length


def _expected_tilts(prior: Floats, counts: Counts, n: int, k: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the approximate tilt at each k, shape (q,), and the mean and deviation of each count under it, shape (q,
    m).

    At k = 0 the counts have geometric distributions.
    """
    at_zero = k[:, None] == 0.0
    of_k = np.where(at_zero, 1.0, k[:, None])
    at_one = log_affinity(prior, counts, 1.0)
    tilt = np.zeros((k.size, 1))
    # The sum of the expected counts is convex in the tilt, so that Newton's steps from 0 come from one side.
    for _ in range(_NEWTON_STEPS):
        mean, variance = _laws(prior, counts, of_k, at_one, tilt)
        excess, slope = mean.sum(axis=1, keepdims=True) - n, variance.sum(axis=1, keepdims=True)
        tilt = tilt + np.maximum(np.divide(excess, slope, out=np.zeros_like(tilt), where=slope > 0.0), 0.0)
    mean, variance = _laws(prior, counts, of_k, at_one, tilt)
    of_geometric = n / counts.size
    return (
        np.where(at_zero, math.log1p(1.0 / of_geometric), tilt)[:, 0],
        np.where(at_zero, of_geometric, mean),
        np.where(at_zero, of_geometric, np.sqrt(variance)),
    )


def _laws(prior: Floats, counts: Counts, k: Floats, at_one: Floats, tilt: Floats) -> tuple[Floats, Floats]:
    """Return the approximate mean and variance of each count t under the weights e^{k h(t) − b·(t − c)}, where b is the
    tilt.

    The weights are approximated by a normal density of variance 4a/k around c, a = α + c, cut at zero and multiplied by
    e^{−b t}. There are two exceptions:

    - If c = 0, the counts have the geometric distribution whose continuous version, the exponential distribution, has
      the mean of that density.
    - If a < ½, the weight at count 1 is e^{k h(1) − b}, with h(1) = `at_one`, and each further count multiplies it by
      2^{−k/2} e^{−b}.
    """
    deviations = 2.0 * np.sqrt((prior + counts) / k)
    means, variances = above(tilt * deviations - counts / deviations)
    mean, variance = deviations * means, deviations * deviations * variances
    whole = 1.0 / np.expm1(np.minimum(1.0 / np.maximum(mean, 1e-300), _DEEPEST))
    growth = whole * (1.0 + whole) / np.maximum(mean * mean, 1e-300)
    kept = -np.expm1(-tilt - 0.5 * math.log(2.0) * k)
    weight = np.exp(np.maximum(k * at_one - tilt, -_DEEPEST)) / kept
    small = weight / (1.0 + weight) / kept
    is_empty, is_small = counts == 0, prior + counts < 0.5
    return (
        np.select([is_small, is_empty], [small, whole], mean),
        np.select([is_small, is_empty], [small * (2.0 - kept) / kept - small * small, growth * variance], variance),
    )


def _lines(prior: Floats, counts: Counts, n: int, k: Floats, middle: Counts, unit: Counts, grid: _Grid) -> _Lines:
    """Return the blocks around each `middle`, of which the first is `unit` counts long.

    Both arguments have shape (q, m).
    """
    alpha, c = prior[:, None, None], counts[:, None, None]
    directions = np.array([[1], [-1]])
    # The last axis but one is the direction (upward, downward); the last axis has one block more than is used.
    length = unit[..., None, None] * np.stack([grid.length, grid.length])
    first = middle[..., None, None] + np.array([[0], [-1]]) + directions * unit[..., None, None] * grid.first
    halves = first + 0.5 * directions * length
    points = np.maximum(np.stack([first, halves], axis=-2), 0.0)
    h = log_affinity(alpha[..., None], c[..., None], points)
    ends, middles = h[..., 0, :], h[..., 1, :]
    near, far = ends[..., :-1], ends[..., 1:]
    half = np.asarray(0.5 * length, dtype=np.float64)
    inner, outer = (middles[..., :-1] - near) / half[..., :-1], (far - middles[..., :-1]) / half[..., :-1]
    # The nearest count on the other side of the middle, if there is one, is a neighbouring point.
    across = np.where(middle[..., None, None] > 0, near[..., :1] - near[..., ::-1, :1], _STEEP_SLOPE)
    before = np.concatenate([across, outer[..., :-1]], axis=-1)
    after = (middles[..., 1:] - far) / half[..., 1:]
    bend = np.maximum(inner - outer, 0.0)
    half = half[..., :-1]
    bulge = np.maximum(_bulge(before - inner, bend, half), _bulge(outer - after, bend, half))
    first, length = first[..., :-1], length[..., :-1]
    # Use the raised chord. If its loss is large, or points are missing before count 0, use the prolonged chord of the
    # block before. If h is not known to be concave, or that chord rises, use a level line.
    is_raised = (k[:, None, None, None] * bulge <= _MAX_BULGE) & (halves[..., 1:] >= 0.0)
    level = _largest_h(c, points[..., 0, :-1], points[..., 0, 1:], near, far)
    prolonged = near + before * length
    is_level = (alpha + c < 0.5) | (~is_raised & (prolonged > level))
    near_bound = np.select([length == 1, is_level, is_raised], [near, level, near + bulge], near)
    far_bound = np.select([length == 1, is_level, is_raised], [near, level, far + bulge], prolonged)
    inside = np.where(directions > 0, first <= n, first - length + 1 >= 0)
    # Split the counts left above 0 by the binary digits of their number.
    left = 1 + np.where(inside[..., 1, :], first[..., 1, :] - length[..., 1, :], middle[..., None] - 1).min(axis=-1)
    pieces, above_pieces = left[..., None] // grid.rest, left[..., None] // (2 * grid.rest)
    first_of_rest = left[..., None] - 1 - above_pieces * (2 * grid.rest)
    # On these, use the prolonged chord to a count half as far away, at most c.
    to_c = np.where(first_of_rest < counts[:, None], counts[:, None] - first_of_rest, 2 * n)
    span = np.minimum(np.maximum(grid.rest // 2, 1), to_c)
    of_rest, at_span = np.moveaxis(
        log_affinity(alpha, c, np.maximum(np.stack([first_of_rest, first_of_rest + span], axis=-2), 0)), -2, 0
    )
    slope = (of_rest - at_span) / span
    is_level = (prior + counts < 0.5)[:, None]
    near_of_rest = np.where(is_level, 0.0, of_rest)
    far_of_rest = np.where(is_level, 0.0, of_rest + np.where(grid.rest > 1, slope * grid.rest, 0.0))
    flattened = (*middle.shape, -1)
    return _Lines(
        np.concatenate([first.reshape(flattened), first_of_rest], axis=-1),
        np.concatenate([length.reshape(flattened), np.broadcast_to(grid.rest, of_rest.shape)], axis=-1),
        np.repeat([1, -1], [near.shape[-1], near.shape[-1] + grid.rest.size]),
        np.concatenate([inside.reshape(flattened), pieces % 2 == 1], axis=-1),
        np.concatenate([near_bound.reshape(flattened), near_of_rest], axis=-1),
        np.concatenate([far_bound.reshape(flattened), far_of_rest], axis=-1),
    )


def _bulge(turn: Floats, bend: Floats, half: Floats) -> Floats:
    """Return a bound on the excess of a concave function over the chord of a block, within one half of the block.

    At the block's middle the excess is bend · half / 2, because the slopes of the chords of the two halves differ by
    `bend`. Within a half the function lies below the prolonged chords of both neighbouring halves, whose slopes differ
    from its own by `turn` and `bend`. These two lines meet at the fraction bend / (turn + bend) of the way from the
    block's end.
    """
    turn = np.maximum(turn, 0.0)
    share = np.divide(bend, turn + bend, out=np.zeros_like(bend), where=turn + bend > 0.0)
    return np.asarray(share * half * (0.5 * bend + turn), dtype=np.float64)


def _largest_h(c: Counts, first: Floats | Counts, last: Floats | Counts, h_first: Floats, h_last: Floats) -> Floats:
    """Return the largest h between the counts `first` and `last`. h increases up to c, where it is 0, and decreases
    from there.
    """
    return np.where((first - c) * (last - c) <= 0, 0.0, np.maximum(h_first, h_last))
