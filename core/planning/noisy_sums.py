"""The noise in sums of noisy counts, as plans simulate it.

A question is answered from its pieces, so a plan needs the noise of a few sums and not of m counts. A law is tabled in
steps of `grain` records, so that wide noise has few steps too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy import special

from core.cells import CellSet
from core.count_simplex import Window, condition_on_total
from core.count_simplex.batch import draw_many
from core.inference.product_counts import noise_radius
from core.mechanisms.mechanism import NoiseOnCounts
from core.samplers.reproducible import Reproducible

_MIN_KEPT_RATIO: Final = 1e-12
"""Probability relative to the likeliest noise of a sum, below which it is left out: far above the transform's error."""
_DEVIATIONS: Final = 9.0
"""Number of standard deviations of a sum, besides the range of one noise, that its transform keeps apart."""
_SAMPLED_STEPS: Final = 2048
_NORMAL_FROM: Final = 1e4
"""Variance of a binomial count from which its quantiles are those of a normal distribution."""
_NEGLIGIBLE_REST: Final = 50
"""A rest with this many times as many cells as the question is not observed: its noise is so wide that it would make an
interval at most 1 % narrower.
"""

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
LogNoise: TypeAlias = Callable[[Integers], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """ln P(noise = low + i) at place i, up to a constant, in steps of the grain. The slopes at the ends go on."""

    low: int
    logs: Floats

    @property
    def reach(self) -> int:
        return max(-self.low, self.low + self.logs.size - 1)

    @property
    def probabilities(self) -> Floats:
        weights = np.exp(self.logs - self.logs.max())
        return np.asarray(weights / weights.sum())

    @property
    def variance(self) -> float:
        steps, p = self.low + np.arange(self.logs.size, dtype=np.float64), self.probabilities
        return float(p @ steps**2) - float(p @ steps) ** 2

    def at(self, noise: Integers) -> Floats:
        """Return ln P, elementwise."""
        places = noise - self.low
        inside = np.clip(places, 0, self.logs.size - 1)
        found = self.logs[inside]
        if self.logs.size > 1:
            found = found + np.where(places < 0, (self.logs[1] - self.logs[0]) * places, 0.0)
            beyond = places - (self.logs.size - 1)
            return np.asarray(found + np.where(beyond > 0, (self.logs[-1] - self.logs[-2]) * beyond, 0.0))
        return np.where(places == inside, found, -math.inf)

    def draws(self, size: int, rng: Reproducible) -> Integers:
        running = np.cumsum(self.probabilities)
        places = np.searchsorted(running, stratified(size, rng) * running[-1], side="right")
        return np.asarray(self.low + np.minimum(places, self.logs.size - 1))

    def plus(self, other: Law) -> Law:
        """Return the law of a noise z with both the weight of z here and that of −z in the other."""
        low = max(self.low, -(other.low + other.logs.size - 1))
        steps = np.arange(low, min(self.low + self.logs.size, -other.low + 1))
        return Law(low, self.at(steps) + other.at(-steps))


def stratified(size: int, rng: Reproducible) -> Floats:
    """Draw uniform numbers, one in each of `size` equal parts of [0, 1), in random order."""
    return (np.argsort(rng.uniforms(size)) + rng.uniforms(size)) / size


def drawn_counts(n: int, shares: Floats, size: int, rng: Reproducible) -> Integers:
    """Draw counts of n records with these shares, shape (size, shares). Each is stratified, given those before it."""
    left, rest = np.full(size, n), 1.0
    found = np.empty((size, shares.size), dtype=np.int64)
    for place, share in enumerate(shares[:-1].tolist()):
        p = min(max(share / rest, 0.0), 1.0) if rest > 0.0 else 0.0
        found[:, place] = _binomial_quantiles(stratified(size, rng), left, p)
        left, rest = left - found[:, place], rest - share
    found[:, -1] = left
    return found


def _binomial_quantiles(uniforms: Floats, n: Integers, p: float) -> Integers:
    """Return the least k with P(X <= k) >= u, from a normal approximation if X varies much."""
    variance = n * p * (1.0 - p)
    if float(variance.max()) > _NORMAL_FROM:
        found = np.rint(n * p + np.sqrt(variance) * special.ndtri(uniforms))
    elif 0.0 < p < 1.0:
        found = np.where(n > 0, np.ceil(special.bdtrik(uniforms, np.maximum(n, 1), p)), 0.0)
    else:
        found = n * p
    return np.asarray(np.clip(found, 0, n).astype(np.int64))


WITHOUT_NOISE: Final = Law(0, np.zeros(1))


def law_of_sum(log_noise: LogNoise, cells: int, grain: int) -> Law:
    """Return the law of the sum of independent noises on this number of cells, in steps of `grain`."""
    reach = -(-noise_radius(log_noise) // grain)
    steps = np.arange(-reach, reach + 1)
    logs = log_noise(steps * grain)
    logs = logs - logs.max()
    if cells > 1:
        weights = np.exp(logs) / np.exp(logs).sum()
        mean = float(weights @ steps)
        deviation = math.sqrt(float(weights @ (steps - mean) ** 2) * cells)
        furthest = min(cells * reach, reach + math.ceil(cells * abs(mean) + _DEVIATIONS * deviation))
        size = scipy.fft.next_fast_len(2 * furthest + 1, real=True)
        folded = np.zeros(size)
        folded[steps % size] = weights
        steps = np.arange(-furthest, furthest + 1)
        of_sum = scipy.fft.irfft(scipy.fft.rfft(folded) ** cells, size)[steps % size]
        logs = np.log(np.maximum(of_sum / of_sum.max(), 1e-300))
    kept = np.flatnonzero(logs > math.log(_MIN_KEPT_RATIO))
    return Law(int(steps[kept[0]]), logs[kept[0] : kept[-1] + 1])


def range_of_sum(log_noise: LogNoise, cells: int) -> float:
    """Return about the largest likely noise of a sum, in records."""
    radius = noise_radius(log_noise)
    steps = np.unique(np.linspace(-radius, radius, _SAMPLED_STEPS).astype(np.int64))
    weights = np.exp(log_noise(steps) - float(log_noise(np.zeros(1, dtype=np.int64))[0])) * np.gradient(steps)
    deviation = math.sqrt(float(weights @ steps.astype(np.float64) ** 2) / float(weights.sum()))
    return deviation * (7.0 * math.sqrt(cells) + 11.0)


@dataclass(frozen=True, slots=True, eq=False)
class NoisySums:
    """The noise of each piece, in steps of `grain`; the piece with the widest noise is the last. It has None if it has
    no noisy sum; all others have one. `tied`: whether the noises are conditioned on the sum 0.
    """

    pieces: tuple[CellSet, ...]
    laws: tuple[Law | None, ...]
    tied: bool
    grain: int

    @staticmethod
    def of(likelihood: NoiseOnCounts | None, pieces: Sequence[CellSet], n: int | None, m: int, steps: int) -> NoisySums:
        """Return the noise of the sum of each piece. The pieces are disjoint and have all m cells. Each law has at most
        about `steps` steps on either side of 0.

        If `likelihood` is None, the counts are exact.
        """
        if likelihood is None:
            return NoisySums(tuple(pieces), (WITHOUT_NOISE,) * len(pieces), tied=False, grain=1)
        known = [max(cells) < likelihood.noisy for cells in pieces]
        largest = max(range(len(pieces)), key=lambda place: len(pieces[place]))
        of_others = m - len(pieces[largest])
        if n is not None and all(known) and len(pieces[largest]) >= _NEGLIGIBLE_REST * of_others:
            known[largest] = False
        order = sorted(range(len(pieces)), key=lambda place: (not known[place], len(pieces[place])))
        sizes = [len(pieces[place]) for place in order if known[place]]
        reach = range_of_sum(likelihood.log_noise, max(sizes))
        grain = max(1, round(min(reach, math.inf if n is None else n) / steps))
        laws = {size: law_of_sum(likelihood.log_noise, size, grain) for size in set(sizes)}
        return NoisySums(
            tuple(pieces[place] for place in order),
            tuple(laws[len(pieces[place])] if known[place] else None for place in order),
            likelihood.tied and all(known),
            grain,
        )

    @property
    def observed(self) -> tuple[Law, ...]:
        return tuple(each for each in self.laws if each is not None)

    def draws(self, size: int, rng: Reproducible) -> Integers:
        """Draw the noises of the observed pieces, shape (size, observed)."""
        if self.tied:
            return draw_many(condition_on_total([Window(each.low, each.logs) for each in self.observed], 0), size, rng)
        return np.stack([each.draws(size, rng) for each in self.observed], axis=1)
