"""The releases that a mechanism can draw at two categories, with their probabilities, and means over them.

A release of two categories is a whole number: a noisy count, or the difference of two. A mean over releases is thus
a sum, which needs no simulation. If there are many of them, a function is computed at some and interpolated between
them, until computing it in the middle of each gap changes the mean by less than a tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.mechanisms.catalogue import Event
from core.mechanisms.exponential.mechanism import Exponential, weights_at
from core.mechanisms.exponential.rough import RoughChannel, stands_for
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.laplace import Laplace
from core.mechanisms.noisy_counts import NoisyCounts

_LISTED: Final = 1 << 13
"""Largest number of releases that are listed one by one; beyond, each represents its neighbours."""
_DEPTH: Final = 34.0
"""ln of the probability, relative to the likeliest release, below which releases are left out."""
_FIRST: Final = 17
_MOST: Final = 193
"""Number of releases at which a function is computed at first, and at most."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Outputs:
    """Increasing whole numbers that determine the likelihood of a release, and their probabilities, shape (k,)."""

    event: Event
    numbers: NDArray[np.int64]
    probabilities: Floats

    @staticmethod
    def of(event: Event, first: int) -> Outputs:
        """Return the releases at the counts (first, n − first)."""
        if isinstance(event, Exponential):
            numbers, weights = _candidates(event, first)
        elif isinstance(event, Gaussian):
            numbers, weights = _differences(event, first)
        else:
            # Beyond the range of the count all releases have one likelihood.
            low, rate = (-1, 0.5) if isinstance(event, Laplace) else (0, 1.0)
            rate *= float(event.epsilon)
            numbers = _some(max(low, first - math.ceil(_DEPTH / rate)), min(event.n, first + math.ceil(_DEPTH / rate)))
            noise = numbers - first
            weights = np.exp(-rate * np.where(noise >= 0, noise, low - noise)) * stands_for(numbers)
            beyond = math.exp(-rate) / -math.expm1(-rate)
            for end in (0, -1):
                weights[end] += beyond * math.exp(-rate * (noise[end] if noise[end] >= 0 else low - noise[end]))
        return Outputs(event, numbers, weights / weights.sum())

    def release(self, number: int) -> NoisyCounts:
        """Return a release with the likelihood of this number."""
        if isinstance(self.event, Gaussian):
            # Only the difference of the two noisy counts matters.
            half = (number + self.event.n) // 2
            noisy: tuple[int, ...] = half, half - number
        else:
            noisy = (number,) if isinstance(self.event, Laplace) else (number, self.event.n - number)
        return NoisyCounts(noisy, noisy)

    def mean(self, values: Callable[[Sequence[NoisyCounts]], Floats], tolerance: float) -> Floats:
        """Return the mean of `values`, shape (q,), over the releases; `values` returns shape (releases, q).

        All values are computed if there are few releases. Otherwise the mean is right to about `tolerance`, relative to
        each mean.
        """
        size = self.numbers.size
        if size <= 2 * _FIRST:
            return np.asarray(self.probabilities @ values([self.release(each) for each in self.numbers.tolist()]))
        # The places are closest where releases are likely.
        spread = np.cumsum(np.sqrt(self.probabilities))
        spread = np.searchsorted(spread, np.linspace(spread[0], spread[-1], _FIRST))
        places = np.unique(np.concatenate([[0, size - 1], spread]).clip(0, size - 1))
        known = self._values(values, places)
        upto = np.concatenate([[0.0], np.cumsum(self.probabilities)])
        gaps = np.stack([places[:-1], places[1:]], axis=1)
        while True:
            gaps = gaps[gaps[:, 1] - gaps[:, 0] > 1]
            if not len(gaps) or places.size >= _MOST:
                break
            middles = gaps.mean(axis=1).astype(np.int64)
            guesses = _between(places, known, middles)
            found = self._values(values, middles)
            off = (upto[gaps[:, 1]] - upto[gaps[:, 0] + 1])[:, None] * np.abs(found - guesses)
            order = np.argsort(np.concatenate([places, middles]))
            places = np.concatenate([places, middles])[order]
            known = np.concatenate([known, found])[order]
            mean = self.probabilities @ _between(places, known, np.arange(size))
            wrong = (off > tolerance / _FIRST * mean).any(axis=1)
            halves = np.concatenate([np.stack([gaps[:, 0], middles], axis=1), np.stack([middles, gaps[:, 1]], axis=1)])
            gaps = halves[np.tile(wrong, 2)]
            # The gaps that matter most come first.
            gaps = gaps[np.argsort(-np.tile(off.max(axis=1), 2)[np.tile(wrong, 2)])][: _MOST - places.size]
        return np.asarray(self.probabilities @ _between(places, known, np.arange(size)))

    def _values(self, values: Callable[[Sequence[NoisyCounts]], Floats], places: NDArray[np.int64]) -> Floats:
        return values([self.release(number) for number in self.numbers[places].tolist()])


def _between(places: NDArray[np.int64], known: Floats, at: NDArray[np.int64]) -> Floats:
    return np.stack([np.interp(at, places, column) for column in known.T], axis=1)


def _some(low: int, high: int) -> NDArray[np.int64]:
    """Return all whole numbers from `low` to `high`, or some, evenly spread."""
    if high - low < _LISTED:
        return np.arange(low, high + 1)
    return np.unique(np.rint(np.linspace(low, high, _LISTED)).astype(np.int64))


def _differences(event: Gaussian, first: int) -> tuple[NDArray[np.int64], Floats]:
    """Return the differences y_1 − y_2 of two noisy counts, and their weights.

    Σ_z e^(−(z² + (z − d)²) ρ/2) = e^(−d² ρ/4) Σ_z e^(−(z − d/2)² ρ). The sum depends on whether d is even.
    """
    rho = float(event.rho)
    centre, reach = 2 * first - event.n, math.ceil(math.sqrt(4.0 * _DEPTH / rho))
    numbers = _some(centre - reach, centre + reach)
    noise = numbers - centre
    z = np.arange(-math.ceil(7.0 / math.sqrt(rho)) - 1.0, math.ceil(7.0 / math.sqrt(rho)) + 2.0) if rho > 0.1 else None
    of_parity = np.ones(2) if z is None else np.array([np.exp(-((z - d / 2) ** 2) * rho).sum() for d in (0, 1)])
    return numbers, np.exp(-(noise.astype(np.float64) ** 2) * rho / 4) * of_parity[noise % 2] * stands_for(numbers)


def _candidates(event: Exponential, first: int) -> tuple[NDArray[np.int64], Floats]:
    if event.n <= _LISTED:
        return np.arange(event.n + 1), weights_at(event, np.array([first, event.n - first]))
    return RoughChannel.of(event).masses(first)
