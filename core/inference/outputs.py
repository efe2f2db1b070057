"""The releases that a mechanism can draw at two categories, with their probabilities, and means over them.

A release of two categories is a whole number: a noisy count, or the difference of two. A mean over releases is thus
a sum, which needs no simulation. If there are many of them, a function is computed at some and interpolated between
them, until computing it in the middle of each gap changes the mean by less than a tolerance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.inference.product_counts import noise_radius
from core.mechanisms.catalogue import Event, mechanism_of
from core.mechanisms.exponential.rough import stands_for
from core.mechanisms.mechanism import ListedChannel, NoiseOfTwo, NoiseOnCounts
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
        """Return the releases at the counts (first, n − first). The event has them (`has_outputs`)."""
        likelihood = mechanism_of(event).likelihood(event)
        if isinstance(likelihood, ListedChannel):
            numbers, weights = _candidates(event, likelihood, first)
        else:
            assert isinstance(likelihood, NoiseOnCounts)
            assert likelihood.of_two is not None, "its releases are whole numbers"
            numbers, weights = _noisy(likelihood.of_two, event.n, first)
        return Outputs(event, numbers, weights / weights.sum())

    def release(self, number: int) -> NoisyCounts:
        """Return a release with the likelihood of this number."""
        likelihood = mechanism_of(self.event).likelihood(self.event)
        noisy = number, self.event.n - number
        if isinstance(likelihood, NoiseOnCounts):
            if likelihood.of_two is not None and likelihood.of_two.number == "difference":
                half = (number + self.event.n) // 2
                noisy = half, half - number
            return NoisyCounts(noisy[: likelihood.noisy], noisy[: likelihood.noisy])
        return NoisyCounts(noisy, noisy)

    def mean(self, values: Callable[[Sequence[NoisyCounts]], Floats], tolerance: float) -> Floats:
        """Return the mean of `values`, shape (q,), over the releases; `values` returns shape (releases, q).

        All values are computed if there are few releases. Otherwise the mean is accurate to about `tolerance`, relative
        to each mean.
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
            wrong = (off > tolerance / _FIRST * np.abs(mean)).any(axis=1)
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


def has_outputs(event: Event) -> bool:
    """Return whether a release of the event has two categories, and a whole number that determines its likelihood."""
    likelihood = mechanism_of(event).likelihood(event)
    match likelihood:
        case NoiseOnCounts() | ListedChannel():
            return likelihood.of_two is not None
        case _:
            return False


def _noisy(noise: NoiseOfTwo, n: int, first: int) -> tuple[NDArray[np.int64], Floats]:
    """Return the numbers that a release may have at the counts (first, n − first), and their weights."""
    reach = noise_reach(noise.log_noise, _DEPTH)
    if noise.number == "difference":
        numbers = _some(2 * first - n - reach, 2 * first - n + reach)
        return numbers, np.exp(noise.log_noise(numbers - (2 * first - n))) * stands_for(numbers)
    # All counts below 0 have one likelihood, and so have all above n.
    numbers = _some(max(-1, first - reach), min(n, first + reach))
    weights = np.exp(noise.log_noise(numbers - first)) * stands_for(numbers)
    weights[0] += np.exp(noise.log_noise(np.arange(-reach, numbers[0] - first))).sum()
    weights[-1] += np.exp(noise.log_noise(np.arange(numbers[-1] - first + 1, reach + 1))).sum()
    return numbers, weights


def noise_reach(log_noise: Callable[[NDArray[np.int64]], Floats], depth: float) -> int:
    """Return the least distance at which ln of the noise's probability, relative to its maximum, is at most −depth."""
    low, high, most = 0, noise_radius(log_noise), float(log_noise(np.array([0]))[0])
    while high - low > 1:
        middle = (low + high) // 2
        likely = float(log_noise(np.array([-middle, middle])).max()) - most > -depth
        low, high = (middle, high) if likely else (low, middle)
    return high


def _candidates(event: Event, channel: ListedChannel, first: int) -> tuple[NDArray[np.int64], Floats]:
    if event.n <= _LISTED:
        weights = mechanism_of(event).candidate_weights(event, np.array([first, event.n - first]))
        assert weights is not None, "it draws a candidate"
        return np.arange(event.n + 1), weights
    assert channel.of_two is not None, "it has two categories"
    return channel.of_two.masses(first)
