"""The distribution of the error: P(H >= t) for a draw from weights exp(−κ H), in spaces too large to enumerate.

Where they are few enough, the candidates with κ H <= ln |R| + 40 are visited one by one: all others together weigh at most e^{−40} of the whole.

Else, with X = −ln s(r), H = sqrt(1 − e^{−X}) rises in X. Under a component P_k the characteristic function of X comes from the convolution tree, as
X is a sum over categories; Fourier inversion gives its law, and

    P(X <= x) = Z_k / Z(κ) · E_k[e^{k X − κ H}; X <= x]

turns it into the law of a draw. k is taken in the bulk of the mixture over k, where this reweighting changes least.

Computed at counts that a caller makes up it is public; at the true counts it is private.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.mechanisms.hellinger_mixture import HellingerMixture
from core.special_functions import log_affinity, log_affinity_terms

# Candidates visited one by one, at most.
_VISITED: Final = 1 << 22
_ENUMERATION_DEPTH: Final = 40.0
_POINTS: Final = 1024
# Largest over smallest k of a stretch of the law.
_STRETCH: Final = 5.0
# The law is smoothed by a normal one of this many grid steps: its transform is e^{−33} at the last frequency, so that nothing rings.
_SMOOTHING: Final = 2.6
# Mass at a point is known to about 1e-14; less than this is taken for rounding, which the weights would blow up.
_FLOOR: Final = 1e-12
# What lies beyond the grid, and comes back at its start, has at most e^{−28} under the component, less than the floor.
_DEPTH: Final = 28.0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ErrorDistribution:
    """The law of the Hellinger error H of a draw; made by `error_distribution`."""

    distances: NDArray[np.float64]
    """Ascending in [0, 1]."""
    cumulative: NDArray[np.float64]
    """P(H <= distance) at each; what the last leaves of 1 lies beyond, up to H = 1."""
    resolution: float
    """Standard deviation of the smoothing, in X = −ln(1 − H²); 0 where the law was enumerated."""

    def exceeding(self, distance: float) -> float:
        """P(H >= t) for t in [0, 1]; where t lies beyond the last distance, the bound P(H > last)."""
        before = int(np.searchsorted(self.distances, distance, side="left"))
        return 1.0 if before == 0 else float(1.0 - self.cumulative[before - 1])

    def quantile(self, level: float) -> float:
        """The smallest t with P(H <= t) >= level, 0 < level < 1; 1, an upper bound, where it lies beyond the last distance."""
        if not 0.0 < level < 1.0:
            raise ValueError("the level of a quantile lies strictly between 0 and 1")
        place = int(np.searchsorted(self.cumulative, level))
        return 1.0 if place == self.cumulative.size else float(self.distances[place])


def error_distribution(mixture: HellingerMixture, kappa: float) -> ErrorDistribution:
    """The law of H at κ > 0.

    Exact where at most four million candidates lie near enough to matter: at any n for two categories, and for three unless κ is small. Else
    smoothed, which shifts quantiles by a few hundredths of their size where H is spread over many candidates.
    """
    depth = mixture.log_component(0.0) + _ENUMERATION_DEPTH
    farthest = min(depth / kappa, 1.0)
    windows = [_within(float(a), int(c), farthest, int(mixture.counts.sum())) for a, c in zip(mixture.prior, mixture.counts, strict=True)]
    if math.prod(high - low + 1 for low, high in windows[:-1]) <= _VISITED:
        return _enumerated(mixture, kappa, windows)
    return _inverted(mixture, kappa)


def exceeding_bound(distance: ArrayLike, *, epsilon0: float, sensitivity: float, log_candidates: float) -> NDArray[np.float64]:
    """min(1, |R| e^{−κ t}), κ = ε₀ / (2 · sensitivity): a bound of P(H >= t) that holds at every histogram if the sensitivity is the global one.

    From P(r) <= e^{−κ H(r)} / Z and Z >= 1, summed over at most |R| candidates.
    """
    return np.exp(np.minimum(0.0, log_candidates - epsilon0 / (2.0 * sensitivity) * np.asarray(distance, dtype=np.float64)))


def _within(alpha: float, count: int, farthest: float, total: int) -> tuple[int, int]:
    """First and last t of which −h(t) <= −ln(1 − farthest²), so that H <= farthest is possible."""
    if farthest >= 1.0:
        return 0, total
    limit = math.log1p(-farthest * farthest)

    def reach(step: int, most: int) -> int:
        inside, outside = 0, 1
        while outside <= most and float(log_affinity(alpha, count, count + step * outside)) >= limit:
            inside, outside = outside, 2 * outside
        outside = min(outside, most + 1)
        while outside - inside > 1:
            middle = (inside + outside) // 2
            inside, outside = (middle, outside) if float(log_affinity(alpha, count, count + step * middle)) >= limit else (inside, middle)
        return inside

    return count - reach(-1, count), count + reach(1, total - count)


def _enumerated(mixture: HellingerMixture, kappa: float, windows: list[tuple[int, int]]) -> ErrorDistribution:
    """Every candidate inside the windows of the first categories, the last taking the rest."""
    total = int(mixture.counts.sum())
    sums, terms = np.zeros(1, dtype=np.int64), np.zeros(1)
    for alpha, count, (low, high) in zip(mixture.prior[:-1], mixture.counts[:-1], windows[:-1], strict=True):
        sums = np.add.outer(sums, np.arange(low, high + 1)).ravel()
        terms = np.add.outer(terms, log_affinity_terms(float(alpha), int(count), low, high)).ravel()
    possible = sums <= total
    last = log_affinity(float(mixture.prior[-1]), int(mixture.counts[-1]), total - sums[possible])
    distances = np.sort(np.sqrt(-np.expm1(terms[possible] + last)))
    cumulative = np.cumsum(np.exp(-kappa * distances - mixture.log_normaliser(kappa)))
    return ErrorDistribution(distances, np.minimum(cumulative, 1.0), 0.0)


def _inverted(mixture: HellingerMixture, kappa: float) -> ErrorDistribution:
    """The law of X pieced together, each stretch from the component k whose weights e^{kx − κH} are level there: k = κ (1 − H²) / (2H).

    The atom at X = 0, which is r = c, is kept apart and exact.
    """
    # Errors well below 1 come from k of at least (m − 1)/2; where the uniform component rules, a larger k only leaves more beyond the grid.
    smallest, largest = (max(k, 0.5 * (mixture.counts.size - 1)) for k in mixture.sampler(kappa).bulk())
    stretches = max(1, math.ceil(math.log(largest / smallest) / math.log(_STRETCH)))
    borders = np.geomspace(largest, smallest, stretches + 1)
    x_borders = -np.log1p(-np.square((np.hypot(borders, kappa) - borders) / kappa))
    x_borders[0], x_borders[-1] = 0.0, math.inf
    ends, masses, resolution = [np.zeros(1)], [np.zeros(1)], 0.0
    for k, low, high in zip(np.sqrt(borders[:-1] * borders[1:]), x_borders[:-1], x_borders[1:], strict=True):
        x, mass, step = _stretch(mixture, kappa, float(k))
        # A point stands for the cell around it; borders cut cells in proportion.
        edges, cumulative = np.append(0.0, x + 0.5 * step), np.append(0.0, np.cumsum(mass))
        inside = edges[(edges > low) & (edges < high)]
        inside = np.append(inside, min(high, edges[-1]))
        ends.append(inside)
        masses.append(np.diff(np.interp(np.append(low, inside), edges, cumulative)))
        resolution = max(resolution, _SMOOTHING * step)
    certain = math.exp(-mixture.log_normaliser(kappa))
    rest = np.cumsum(np.concatenate(masses))
    # All but r = c weighs exactly this much, of which smoothing may have found too much.
    rest *= min(1.0, -math.expm1(-mixture.log_normaliser(kappa)) / max(float(rest[-1]), 1e-300))
    distances = np.sqrt(-np.expm1(-np.concatenate(ends)))
    return ErrorDistribution(distances, np.minimum(certain + rest, 1.0), resolution)


def _stretch(mixture: HellingerMixture, kappa: float, k: float) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Points x, the mass of the draw's law around each (without r = c), and their distance, by Fourier inversion of the component's law of X."""
    length = (mixture.log_component(0.5 * k) - mixture.log_component(k) + _DEPTH) / (0.5 * k)
    step = length / _POINTS
    frequencies = np.linspace(0.0, math.pi / step, _POINTS // 2 + 1)
    functions = [_part(float(alpha), int(count)) for alpha, count in zip(mixture.prior, mixture.counts, strict=True)]
    transform = mixture.component(k).characteristic(functions, frequencies) - math.exp(-mixture.log_component(k))
    # The conjugate, since numpy's inverse turns the other way.
    mass = np.fft.irfft(np.conj(transform * np.exp(-0.5 * (_SMOOTHING * step * frequencies) ** 2)), _POINTS)
    mass = np.where(mass < _FLOOR, 0.0, mass)
    # What was smoothed to below zero comes out at the far end.
    below = math.ceil(8.0 * _SMOOTHING)
    mass[0] += mass[-below:].sum()
    x = step * np.arange(_POINTS - below, dtype=np.float64)
    distance = np.sqrt(-np.expm1(-np.maximum(x, 0.5 * step)))
    exponent = k * x - kappa * distance + mixture.log_component(k) - mixture.log_normaliser(kappa)
    # Smoothing raises the mean of a convex weight w by ½ σ² w''; taken back to that order, at most by half.
    slope = k - kappa * np.exp(-x) / (2.0 * distance)
    bend = kappa * np.exp(-x) / (2.0 * distance) * (1.0 + np.exp(-x) / (2.0 * distance**2))
    correction = np.maximum(-0.5 * (_SMOOTHING * step) ** 2 * (slope**2 + bend), -math.log(2.0))
    return x, np.exp(np.minimum(exponent + correction, 700.0)) * mass[: x.size], step


def _part(alpha: float, count: int) -> Callable[[NDArray[np.int64]], NDArray[np.float64]]:
    """−h of one category, its share of X."""
    return lambda t: -log_affinity(alpha, count, t)
