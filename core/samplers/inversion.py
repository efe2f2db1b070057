"""Inverts distribution functions by words of uniform bits, exactly: many draws from several distributions by one
search.

A word of bits stands for a uniform real number that begins with these bits. It determines a value if the whole interval
of the word lies between bounds on the distribution function on both sides. Otherwise, about once in 10^12 draws, bits
are appended and tighter bounds are computed, until it does.
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
"""Number of random bits in a word of 64. The other bits tag up to 127 distributions."""
_DRAWN_BITS: Final = 64
_GUARD_BITS: Final = 24
_NEGLIGIBLE_UNITS: Final = 1 << 8
"""Units that are negligible relative to the guard bits: a remainder that sums to no more is omitted."""


class CumulativeBounds(NamedTuple):
    """Integers that bound a distribution function times 2^precision.

    P(X < first + i) <= `below[i]` and P(X <= first + i) >= `up_to[i]`, both increasing in i.
    """

    first: int
    below: Sequence[int]
    up_to: Sequence[int]

    def value(self, word: int) -> int | None:
        """Return the value determined by a uniform number that begins with `word`, of `precision` bits, or None if
        it is undetermined.
        """
        index = bisect_right(self.below, word) - 1
        return self.first + index if index >= 0 and word < self.up_to[index] else None


class LogConcave:
    """A distribution on 0, 1, 2, ... whose ratios P(k + 1) / P(k) = weight(k) · e^-rate decrease in k.

    Binomial and negative binomial distributions are of this kind.
    """

    __slots__ = ("_last", "_mode", "_rate", "_weight")

    def __init__(self, weight: Callable[[int], tuple[int, int]], rate: Fraction, mode: int, last: int | None) -> None:
        """Describe the ratios P(k + 1) / P(k) = weight(k) · e^-rate.

        `weight(k)` returns a positive numerator and denominator for each k < `last`. `rate` > 0. `last` is the largest
        value, or None if there is none. `mode` approximates the most probable value; a poor approximation is slower but
        still exact.
        """
        self._weight, self._rate, self._mode, self._last = weight, rate, mode, last

    @classmethod
    def binomial(cls, tosses: int, rate: Fraction) -> LogConcave:
        """Return the distribution of the number of heads among `tosses` coins of probability 1 / (1 + e^rate)."""
        low, _ = exp_bounds(rate, _DRAWN_BITS)
        mode = min(tosses, (tosses + 1) * low // ((1 << _DRAWN_BITS) + low))
        return cls(lambda k: (tosses - k, k + 1), rate, mode, tosses)

    @classmethod
    def negative_binomial(cls, size: int, rate: Fraction) -> LogConcave:
        """Return the distribution of the total of `size` >= 0 geometric variables with q = e^-rate."""
        low, _ = exp_bounds(rate, _DRAWN_BITS)
        return cls(lambda k: (size + k, k + 1), rate, max(0, size - 1) * low // ((1 << _DRAWN_BITS) - low), None)

    def bounds(self, precision: int) -> CumulativeBounds:
        """Return bounds on the distribution function in units of 2^-precision, at most a few units apart.

        Terms are computed from the mode outward by their ratios, each rounded down and up. Let A and B be the sums of
        the terms below and above a point. A / (A + B) increases in A and decreases in B, so bounds on A and B bound the
        distribution function. The ratios decrease, so the omitted terms sum to less than a geometric series.
        """
        scale = precision + _GUARD_BITS + self._mode.bit_length()
        low_factor, high_factor = exp_bounds(self._rate, scale)
        above, rest_above = self._bounds_outward(scale, low_factor, high_factor)
        under, rest_under = self._bounds_inward(scale, low_factor, high_factor)
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

    def _bounds_outward(self, scale: int, low_factor: int, high_factor: int) -> tuple[list[tuple[int, int]], int]:
        """Return bounds (low, high) on the terms at the mode and above, in units of 2^-scale of the mode's term.

        Also returns a bound on the sum of the omitted terms.
        """
        low = high = 1 << scale
        terms, k = [(low, high)], self._mode
        while k != self._last:
            numerator, denominator = self._weight(k)
            one = denominator << scale
            rising = numerator * high_factor
            if high * rising <= _NEGLIGIBLE_UNITS * (one - rising):
                return terms, _NEGLIGIBLE_UNITS
            low, high = low * numerator * low_factor // one, -(-high * rising // one)
            terms.append((low, high))
            k += 1
        return terms, 0

    def _bounds_inward(self, scale: int, low_factor: int, high_factor: int) -> tuple[list[tuple[int, int]], int]:
        """Return bounds on the terms below the mode, downward, and a bound on the sum of the omitted terms."""
        low = high = 1 << scale
        terms: list[tuple[int, int]] = []
        for k in range(self._mode, 0, -1):
            numerator, denominator = self._weight(k - 1)
            one, falling = denominator << scale, numerator * low_factor
            if high * one <= _NEGLIGIBLE_UNITS * (falling - one):
                return terms, _NEGLIGIBLE_UNITS
            low, high = low * one // (numerator * high_factor), -(-high * one // falling)
            terms.append((low, high))
        return terms, 0


class Inversions:
    """Several independent distributions; a draw takes one value of each. Threads may share an instance."""

    __slots__ = ("_cumulative_below", "_cumulative_up_to", "_distributions", "_starts", "_tags", "_word_bits")

    def __init__(self, distributions: Sequence[LogConcave], *, word_bits: int = _WORD_BITS) -> None:
        """Take from 1 to 127 distributions.

        Fewer bits per word are for tests, because more words then leave their value undetermined.
        """
        if not 1 <= len(distributions) <= 127:
            raise ValueError("there must be 1 to 127 distributions")
        self._distributions, self._word_bits = tuple(distributions), word_bits
        self._tags = np.arange(len(distributions), dtype=np.int64) << word_bits
        bounds = [distribution.bounds(word_bits) for distribution in distributions]
        # The bounds of all distributions in one sorted array, each offset by its distribution's tag. Entry 0 belongs to
        # no value.
        tags = self._tags.tolist()
        self._cumulative_below = np.array(
            [-1, *(tag + at for tag, distribution in zip(tags, bounds, strict=True) for at in distribution.below)]
        )
        self._cumulative_up_to = np.array(
            [0, *(tag + at for tag, distribution in zip(tags, bounds, strict=True) for at in distribution.up_to)]
        )
        indices = accumulate((len(distribution.below) for distribution in bounds[:-1]), initial=1)
        self._starts = np.array(
            [distribution.first - index for distribution, index in zip(bounds, indices, strict=True)], dtype=np.int64
        )

    def draws(self, number: int, entropy: Entropy) -> NDArray[np.int64]:
        """Draw `number` independent values of each distribution, shape (number, distributions)."""
        count = number * len(self._distributions)
        drawn = np.frombuffer(entropy.bits(_DRAWN_BITS * count).to_bytes(8 * count), dtype=np.uint64)
        words = (drawn >> np.uint64(_DRAWN_BITS - self._word_bits)).astype(np.int64)
        tagged = words.reshape(number, len(self._distributions)) + self._tags
        indices = self._cumulative_below.searchsorted(tagged, side="right") - 1
        values: NDArray[np.int64] = indices + self._starts
        for row, distribution in np.argwhere(tagged >= self._cumulative_up_to[indices]).tolist():
            values[row, distribution] = self._settle_value(
                self._distributions[distribution], int(tagged[row, distribution] - self._tags[distribution]), entropy
            )
        return values

    def _settle_value(self, distribution: LogConcave, word: int, entropy: Entropy) -> int:
        """Append bits to the word until it determines a value, and return the value."""
        precision, value = self._word_bits, None
        while value is None:
            word = word << precision | entropy.bits(precision)
            precision *= 2
            value = distribution.bounds(precision).value(word)
        return value
