"""Simulated releases at made-up counts, with weights, so that rare releases are among them.

Under a small prior an interval is next to nothing wide in most releases. The width comes from the few whose noise at
one count is large. Half of the releases here are therefore drawn from the mechanism, and half from one whose noise at
one count is several times as large. The weight of a release is its probability under the mechanism, divided by its
probability here (the balance heuristic of Veach and Guibas 1995), so no weight exceeds twice the mean. Nothing here is
a release of private counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.candidates import candidate
from core.count_simplex import Window, condition_on_total
from core.count_simplex.batch import draw_many
from core.inference.product_counts import noise_radius
from core.mechanisms.catalogue import Event, mechanism_of, rehearse
from core.mechanisms.mechanism import NoiseOnCounts
from core.mechanisms.noisy_counts import NoisyCounts
from core.samplers.reproducible import Reproducible

_POWER: Final = 0.2
"""Power of the noise's distribution from which the larger noise is drawn. A release with a probability of about e^-5 at
one count is then among few.
"""
_DEPTH: Final = 34.0
"""ln of the probability, relative to no noise, below which noise is left out."""

_TABLED: Final = 1 << 18
"""Largest number of values of tied noise, over all counts, that are convolved; wider noise has its sampler."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class WeightedReleases:
    """Distinct releases, their weights, and the sums of the squared weights of equal ones, shape (k,).

    The weights sum to about 1. `is_all` is true if these are all releases that the mechanism can draw.
    """

    releases: tuple[NoisyCounts, ...]
    weights: Floats
    squares: Floats
    is_all: bool = False

    def mean(self, values: Floats) -> tuple[Floats, Floats]:
        """Return the mean of `values`, shape (k, q), and its standard error, both of shape (q,)."""
        total = float(self.weights.sum())
        mean = self.weights @ values / total
        error = np.zeros_like(mean) if self.is_all else np.sqrt(self.squares @ (values - mean) ** 2) / total
        return mean, error


def weighted_releases(
    event: Event, counts: NDArray[np.int64], cells: Sequence[int], size: int, rng: Reproducible
) -> WeightedReleases:
    """Return about `size` simulated releases at the counts; those with larger noise have it at one of `cells`."""
    if (weights := mechanism_of(event).candidate_weights(event, counts)) is not None:
        return _candidates(event, weights, size, rng)
    likelihood = mechanism_of(event).likelihood(event)
    assert isinstance(likelihood, NoiseOnCounts), "it adds noise to counts"
    return with_weighted_noise(likelihood, counts, cells, size, rng)


def with_weighted_noise(
    likelihood: NoiseOnCounts, counts: NDArray[np.int64], cells: Sequence[int], size: int, rng: Reproducible
) -> WeightedReleases:
    """Return about `size` simulated releases with this noise; those with larger noise have it at one of `cells`."""
    noise, weights = _noise(likelihood, cells, size, rng)
    noisy = (counts[: noise.shape[1]] + noise).tolist()
    return _distinct([tuple(each) for each in noisy], weights / size)


def simulated_releases(event: Event, counts: NDArray[np.int64], size: int, rng: Reproducible) -> NDArray[np.int64]:
    """Return the noisy counts of simulated releases at the counts, one per row. The event adds noise to counts."""
    likelihood = mechanism_of(event).likelihood(event)
    assert isinstance(likelihood, NoiseOnCounts), "it adds noise to counts"
    if (weights := mechanism_of(event).candidate_weights(event, counts)) is not None:
        drawn = rng.categories(weights / weights.sum(), size)
        return np.array([candidate(index, event.n, event.m) for index in drawn.tolist()], dtype=np.int64)
    steps, logs = _likely_noise(likelihood)
    if likelihood.tied and steps.size * likelihood.noisy > _TABLED:
        return np.array([each.noisy for each in rehearse(event, counts, size, rng.entropy())], dtype=np.int64)
    noise, _ = _draws(likelihood, steps, logs, logs, size, rng)
    return np.asarray(counts[: likelihood.noisy] + noise)


def _distinct(noisy: Sequence[tuple[int, ...]], weights: Floats) -> WeightedReleases:
    places = {each: place for place, each in enumerate(dict.fromkeys(noisy))}
    indices = [places[each] for each in noisy]
    return WeightedReleases(
        tuple(NoisyCounts(each, each) for each in places),
        np.bincount(indices, weights).astype(np.float64),
        np.bincount(indices, weights**2).astype(np.float64),
    )


def _noise(
    likelihood: NoiseOnCounts, cells: Sequence[int], size: int, rng: Reproducible
) -> tuple[NDArray[np.int64], Floats]:
    """Return vectors of noise, shape (size, noisy counts), and their weights, of mean 1."""
    steps, logs = _likely_noise(likelihood)
    noisy = likelihood.noisy
    places = [cell for cell in cells if cell < noisy] or list(range(noisy))
    numbers = (size - size // 2, size // 2)
    drawn, log_totals = [], []
    for number, power in zip(numbers, (1.0, _POWER), strict=True):
        each, log_total = _draws(likelihood, steps, power * logs, logs, number, rng)
        drawn.append(each)
        log_totals.append(log_total)
    moved, rows = np.resize(places, numbers[1]), np.arange(numbers[1])
    drawn[1][rows, moved], drawn[1][:, 0] = drawn[1][:, 0], drawn[1][rows, moved].copy()
    noise = np.concatenate(drawn)
    at_each, share = np.unique(moved, return_counts=True)
    ratios = np.exp((_POWER - 1.0) * logs[noise[:, at_each] - steps[0]] + log_totals[0] - log_totals[1])
    return noise, size / (numbers[0] + ratios @ share)


def _likely_noise(likelihood: NoiseOnCounts) -> tuple[NDArray[np.int64], Floats]:
    """Return the likely noise of one count, and ln of its probability, up to a constant."""
    reach = noise_radius(likelihood.log_noise)
    steps = np.arange(-reach, reach + 1)
    logs = likelihood.log_noise(steps)
    return steps[logs > -_DEPTH], logs[logs > -_DEPTH]


def _draws(
    likelihood: NoiseOnCounts, steps: NDArray[np.int64], first: Floats, logs: Floats, size: int, rng: Reproducible
) -> tuple[NDArray[np.int64], float]:
    """Draw vectors of noise, shape (size, noisy counts), from ln of the probabilities of `steps`: `first` at the first
    count, and `logs` at the others. Return them and ln of the normaliser.
    """
    others = likelihood.noisy - 1
    if likelihood.tied:
        windows = [Window(int(steps[0]), of_one) for of_one in (first, *[logs] * others)]
        distribution = condition_on_total(windows, 0)
        return draw_many(distribution, size, rng), distribution.log_normaliser
    log_total = float(special.logsumexp(first)) + others * float(special.logsumexp(logs))
    of_first = rng.categories(special.softmax(first), size)[:, None]
    of_others = rng.categories(special.softmax(logs), size * others).reshape(size, others)
    return steps[np.concatenate([of_first, of_others], axis=1)], log_total


def _candidates(event: Event, weights: Floats, size: int, rng: Reproducible) -> WeightedReleases:
    weights = weights / weights.sum()
    if weights.size <= size:
        every = [candidate(index, event.n, event.m) for index in range(weights.size)]
        return WeightedReleases(tuple(NoisyCounts(each, each) for each in every), weights, weights**2, is_all=True)
    flat = weights**_POWER
    proposed = 0.5 * weights + 0.5 * flat / flat.sum()
    indices = rng.categories(proposed, size)
    drawn = [candidate(index, event.n, event.m) for index in indices.tolist()]
    return _distinct(drawn, weights[indices] / proposed[indices] / size)
