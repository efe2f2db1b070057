"""Inverts distribution functions by words of uniform bits, exactly: many draws from several laws by one search.

A word of bits stands for a uniform real number that begins with them. It decides for a value where the whole of the
word's interval lies between bounds on the distribution function to both sides. Where it doesn't, about once in 10^12
draws, bits are appended and the bounds are computed closer, until it does.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.samplers.bernoulli import exp_bounds
from core.samplers.entropy import Entropy

_WORD_BITS: Final = 56
"""Of a word of 64 bits, which leaves room to tell 127 laws apart."""
_DRAWN_BITS: Final = 64
_GUARD_BITS: Final = 24
_NEGLIGIBLE: Final = 1 << 8
"""Units that are few beside the guard bits: where all that is left sums to no more, it is left off."""


class CumulativeBounds(NamedTuple):
    """Integers that bound a distribution function times 2^precision: P(X < first + i) <= `below[i]` and
    P(X <= first + i) >= `up_to[i]`, both rising with i.
    """

    first: int
    below: Sequence[int]
    up_to: Sequence[int]

    def value(self, word: int) -> int | None:
        """What a uniform number that begins with `word`, of `precision` bits, decides for."""
        index = bisect_right(self.below, word) - 1
        return self.first + index if index >= 0 and word < self.up_to[index] else None


class LogConcave:
    """A law on 0, 1, 2, ... whose ratios P(k + 1) / P(k) = weight(k) · e^-rate fall with k.

    Binomial and negative binomial laws are of this kind.
    """

    __slots__ = ("_last", "_mode", "_rate", "_weight")

    def __init__(self, weight: Callable[[int], tuple[int, int]], rate: Fraction, mode: int, last: int | None) -> None:
        """`weight(k)` is a positive numerator and denominator for each k < `last`, the largest value (None: there is
        none); `rate` > 0. `mode` is a value near the most probable one: any will do, one far from it takes longer.
        """
        self._weight, self._rate, self._mode, self._last = weight, rate, mode, last

    @classmethod
    def binomial(cls, tosses: int, rate: Fraction) -> LogConcave:
        """The heads among `tosses` coins of probability 1 / (1 + e^rate)."""
        low, _ = exp_bounds(rate, _DRAWN_BITS)
        mode = min(tosses, (tosses + 1) * low // ((1 << _DRAWN_BITS) + low))
        return cls(lambda k: (tosses - k, k + 1), rate, mode, tosses)

    @classmethod
    def negative_binomial(cls, size: int, rate: Fraction) -> LogConcave:
        """The total of `size` >= 0 geometric variables with q = e^-rate."""
        low, _ = exp_bounds(rate, _DRAWN_BITS)
        return cls(lambda k: (size + k, k + 1), rate, max(0, size - 1) * low // ((1 << _DRAWN_BITS) - low), None)

    def bounds(self, precision: int) -> CumulativeBounds:
        """Of the distribution function, in units of 2^-precision, apart by a few units at most.

        Terms are computed from the mode outward, by their ratios, each rounded down and up; sums of them make bounds
        on the distribution function as A / (A + B) rises with A and falls with B. What lies beyond the last term
        computed sums to less than a geometric series, as the ratios fall.
        """
        scale = precision + _GUARD_BITS + self._mode.bit_length()
        low_factor, high_factor = exp_bounds(self._rate, scale)
        above, rest_above = self._outward(scale, low_factor, high_factor)
        under, rest_under = self._inward(scale, low_factor, high_factor)
        lows = [low for low, _ in reversed(under)] + [low for low, _ in above]
        highs = [high for _, high in reversed(under)] + [high for _, high in above]
        low_sums, high_sums = list(accumulate(lows)), list(accumulate(highs, initial=rest_under))
        low_total, high_total = low_sums[-1], high_sums[-1] + rest_above
        below, up_to = [], []
        for k, (low, high) in enumerate(zip(low_sums, high_sums, strict=False)):
            from_here = low_total - (low_sums[k - 1] if k else 0)
            below.append(-((-high << precision) // (high + from_here)))
            up_to.append((low << precision) // (low + high_total - high_sums[k + 1]))
        return CumulativeBounds(self._mode - len(under), below, up_to)

    def _outward(self, scale: int, low_factor: int, high_factor: int) -> tuple[list[tuple[int, int]], int]:
        """Terms at the mode and above it, (low, high) in units of 2^-scale of the mode's, and what the rest sums to."""
        low = high = 1 << scale
        terms, k = [(low, high)], self._mode
        while k != self._last:
            numerator, denominator = self._weight(k)
            one = denominator << scale
            rising = numerator * high_factor
            if high * rising <= _NEGLIGIBLE * (one - rising):
                return terms, _NEGLIGIBLE
            low, high = low * numerator * low_factor // one, -(-high * rising // one)
            terms.append((low, high))
            k += 1
        return terms, 0

    def _inward(self, scale: int, low_factor: int, high_factor: int) -> tuple[list[tuple[int, int]], int]:
        """Terms below the mode, from it down, and what the rest sums to."""
        low = high = 1 << scale
        terms: list[tuple[int, int]] = []
        for k in range(self._mode, 0, -1):
            numerator, denominator = self._weight(k - 1)
            one, falling = denominator << scale, numerator * low_factor
            if high * one <= _NEGLIGIBLE * (falling - one):
                return terms, _NEGLIGIBLE
            low, high = low * one // (numerator * high_factor), -(-high * one // falling)
            terms.append((low, high))
        return terms, 0


class Inversions:
    """Several laws, of which each draw takes a value of each, all independent. Threads may share one."""

    __slots__ = ("_below", "_distributions", "_starts", "_tags", "_up_to", "_word_bits")

    def __init__(self, distributions: Sequence[LogConcave], *, word_bits: int = _WORD_BITS) -> None:
        """From 1 to 127 laws. Fewer bits a word are for tests, since more words then leave their draw undecided."""
        if not 1 <= len(distributions) <= 127:
            raise ValueError("there are 1 to 127 laws")
        self._distributions, self._word_bits = tuple(distributions), word_bits
        self._tags = np.arange(len(distributions), dtype=np.int64) << word_bits
        bounds = [distribution.bounds(word_bits) for distribution in distributions]
        # One sorted table for all: a law's bounds lie above its tag. An entry that decides for nothing comes first.
        tags = self._tags.tolist()
        self._below = np.array(
            [-1, *(tag + at for tag, distribution in zip(tags, bounds, strict=True) for at in distribution.below)]
        )
        self._up_to = np.array(
            [0, *(tag + at for tag, distribution in zip(tags, bounds, strict=True) for at in distribution.up_to)]
        )
        indices = accumulate((len(distribution.below) for distribution in bounds[:-1]), initial=1)
        self._starts = np.array(
            [distribution.first - index for distribution, index in zip(bounds, indices, strict=True)], dtype=np.int64
        )

    def draws(self, number: int, entropy: Entropy) -> NDArray[np.int64]:
        """`number` independent values of each law, shape (number, laws)."""
        count = number * len(self._distributions)
        drawn = np.frombuffer(entropy.bits(_DRAWN_BITS * count).to_bytes(8 * count), dtype=np.uint64)
        words = (drawn >> np.uint64(_DRAWN_BITS - self._word_bits)).astype(np.int64)
        tagged = words.reshape(number, len(self._distributions)) + self._tags
        indices = self._below.searchsorted(tagged, side="right") - 1
        values: NDArray[np.int64] = indices + self._starts
        for row, distribution in np.argwhere(tagged >= self._up_to[indices]).tolist():
            values[row, distribution] = self._settled(
                self._distributions[distribution], int(tagged[row, distribution] - self._tags[distribution]), entropy
            )
        return values

    def _settled(self, distribution: LogConcave, word: int, entropy: Entropy) -> int:
        """The value that the word decides for with bits appended, as many as it takes."""
        precision, value = self._word_bits, None
        while value is None:
            word = word << precision | entropy.bits(precision)
            precision *= 2
            value = distribution.bounds(precision).value(word)
        return value
