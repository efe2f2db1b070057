"""Computes the distribution of the error, P(H >= t) for a draw from weights exp(−κ H), in spaces too large to
enumerate.

If few enough candidates have κ H <= ln |R| + 40, they are visited one by one. All others together have at most e^{−40}
of the weight. Otherwise the distribution comes from weighted draws of components of the mixture. They need some
thousand draws of a few product distributions, whereas the mechanism builds a new one for each draw.

At made-up counts the result is public; at the true counts it is private.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.count_simplex.batch import draw_many
from core.dirichlet import log_affinity_of_posteriors
from core.mechanisms.exponential.mixture import HellingerMixture
from core.mechanisms.exponential.stable_distribution import log_masses
from core.samplers.reproducible import Reproducible
from core.special_functions import log_affinity, log_affinity_terms

# Largest number of candidates visited one by one.
_MAX_VISITED_CANDIDATES: Final = 1 << 22
_ENUMERATION_DEPTH: Final = 40.0
# Number of sampled components, geometrically spaced over the bulk of the mixture.
_COMPONENTS: Final = 12


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ErrorDistribution:
    """The distribution of the Hellinger error H of a draw; created by `error_distribution`."""

    distances: NDArray[np.float64]
    """Ascending in [0, 1]."""
    cumulative: NDArray[np.float64]
    """P(H <= distance) at each distance, up to 1."""
    standard_error: float
    """Largest standard error of a cumulative probability; 0 if the distribution was enumerated."""
    expected_l1: float
    """E Σ |r_i − c_i|, in records."""

    def exceeding(self, distance: float) -> float:
        """Return P(H >= `distance`) for a distance in [0, 1]."""
        before = int(np.searchsorted(self.distances, distance, side="left"))
        return 1.0 if before == 0 else float(1.0 - self.cumulative[before - 1])

    def quantile(self, level: float) -> float:
        """Return the smallest t with P(H <= t) >= `level`, for a level in (0, 1)."""
        if not 0.0 < level < 1.0:
            raise ValueError("the level of a quantile must lie strictly between 0 and 1")
        index = int(np.searchsorted(self.cumulative, level))
        return 1.0 if index == self.cumulative.size else float(self.distances[index])


def error_distribution(
    mixture: HellingerMixture, kappa: float, rng: Reproducible, *, draws: int = 2000
) -> ErrorDistribution:
    """Return the distribution of H at κ > 0.

    It is exact if at most four million candidates have relevant probability. That holds at any n for two categories,
    and for three unless κ is small. Otherwise it comes from about `draws` weighted draws, with a `standard_error` near
    1/sqrt(4·draws).
    """
    depth = mixture.log_component(0.0) + _ENUMERATION_DEPTH
    farthest = min(depth / kappa, 1.0)
    windows = [
        _counts_within(float(a), int(c), farthest, int(mixture.counts.sum()))
        for a, c in zip(mixture.prior, mixture.counts, strict=True)
    ]
    if math.prod(high - low + 1 for low, high in windows[:-1]) <= _MAX_VISITED_CANDIDATES:
        return _enumerate_candidates(mixture, kappa, windows)
    return _sample_candidates(mixture, kappa, rng, draws)


def _counts_within(alpha: float, count: int, farthest: float, total: int) -> tuple[int, int]:
    """Return the first and last count t of a category at which H <= `farthest` is possible, that is −h(t) <= −ln(1 −
    farthest²).
    """
    if farthest >= 1.0:
        return 0, total
    limit = math.log1p(-farthest * farthest)

    def radius(step: int, most: int) -> int:
        inside, outside = 0, 1
        while outside <= most and float(log_affinity(alpha, count, count + step * outside)) >= limit:
            inside, outside = outside, 2 * outside
        outside = min(outside, most + 1)
        while outside - inside > 1:
            middle = (inside + outside) // 2
            inside, outside = (
                (middle, outside)
                if float(log_affinity(alpha, count, count + step * middle)) >= limit
                else (inside, middle)
            )
        return inside

    return count - radius(-1, count), count + radius(1, total - count)


def _enumerate_candidates(mixture: HellingerMixture, kappa: float, windows: list[tuple[int, int]]) -> ErrorDistribution:
    """Visit every candidate inside the windows of all categories but the last, which takes the remaining records."""
    total = int(mixture.counts.sum())
    sums, terms, moved = np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros(1, dtype=np.int64)
    for alpha, count, (low, high) in zip(mixture.prior[:-1], mixture.counts[:-1], windows[:-1], strict=True):
        sums = np.add.outer(sums, np.arange(low, high + 1)).ravel()
        terms = np.add.outer(terms, log_affinity_terms(float(alpha), int(count), low, high)).ravel()
        moved = np.add.outer(moved, np.abs(np.arange(low, high + 1) - count)).ravel()
    possible = sums <= total
    last = log_affinity(float(mixture.prior[-1]), int(mixture.counts[-1]), total - sums[possible])
    distances = np.sqrt(-np.expm1(terms[possible] + last))
    masses = np.exp(-kappa * distances - mixture.log_normaliser(kappa))
    moved = moved[possible] + np.abs(total - sums[possible] - mixture.counts[-1])
    order = np.argsort(distances)
    return ErrorDistribution(
        distances[order], np.minimum(np.cumsum(masses[order]), 1.0), 0.0, float(masses @ moved / masses.sum())
    )


def _sample_candidates(mixture: HellingerMixture, kappa: float, rng: Reproducible, draws: int) -> ErrorDistribution:
    """Draw from components over the range of k, and weight the draws as draws from their mixture.

    This is the balance heuristic of Veach and Guibas (1995). With n_j draws from component k_j, a draw r has the weight
    e^{−κ H(r)} / Σ_j (n_j s(r)^{k_j} / Z_{k_j}); k_0 = 0 is the uniform component. The atom r = c is known exactly and
    excluded.
    """
    rates = np.geomspace(*mixture.bulk(kappa), _COMPONENTS)
    distributions = [mixture.component(float(k)) for k in rates]
    log_z = np.array([mixture.log_component(0.0), *(distribution.log_normaliser for distribution in distributions)])
    # Allocate half of the draws by the nearby weight of the mixture, and half evenly, so that no component is left out.
    near = np.append(log_z[0] - kappa, log_masses(kappa, rates.round()) + log_z[1:] + np.log(rates))
    shares = np.exp(near - near.max())
    numbers = np.ceil(draws * (0.5 * shares / shares.sum() + 0.5 / shares.size)).astype(np.int64)
    # Under a flat Dirichlet distribution of the shares all histograms are equally likely.
    flat = rng.dirichlets(np.ones((int(numbers[0]), mixture.counts.size)))
    some = [
        draw_many(distribution, number, rng)
        for distribution, number in zip(distributions, numbers[1:].tolist(), strict=True)
    ]
    drawn = np.concatenate([rng.histograms(int(mixture.counts.sum()), flat), *some])
    log_affinity = log_affinity_of_posteriors(mixture.prior, mixture.counts, drawn)
    distances = np.sqrt(-np.expm1(log_affinity))
    proposals = np.log(numbers) + np.multiply.outer(log_affinity, np.append(0.0, rates)) - log_z
    weights = np.where(
        distances > 0.0,
        np.exp(-kappa * distances - np.logaddexp.reduce(proposals, axis=1) - mixture.log_normaliser(kappa)),
        0.0,
    )
    log_certain = -mixture.log_normaliser(kappa)
    order = np.argsort(distances)
    # The exact total weight of all r ≠ c.
    rest = -math.expm1(log_certain) * np.cumsum(weights[order]) / max(float(weights.sum()), 1e-300)
    cumulative = np.minimum(math.exp(log_certain) + np.append(0.0, rest), 1.0)
    error = 0.5 * math.sqrt(float(np.square(weights).sum())) / max(float(weights.sum()), 1e-300)
    moved = np.abs(drawn - mixture.counts).sum(axis=1)
    expected_l1 = -math.expm1(log_certain) * float(weights @ moved) / max(float(weights.sum()), 1e-300)
    return ErrorDistribution(np.append(0.0, distances[order]), cumulative, min(error, 0.5), expected_l1)
