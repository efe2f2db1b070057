"""Represents P(r) ∝ exp(−κ H(Dir(α + c), Dir(α + r))) over all candidates R = {r ∈ N^m : Σ r_i = n}, not enumerated.

With s(r) the affinity of the two posteriors, H = sqrt(1 − s). The generating function of the discrete stable
distribution is exp(−κ sqrt(1 − s)) = Σ_k p_k(κ) s^k. As s is a product over categories,

    exp(−κ H(r)) = Σ_k p_k(κ) Π_i e^{k h_i(r_i)},    Z(κ) = Σ_r exp(−κ H(r)) = Σ_k p_k(κ) Z_k.

So P is a mixture over k, with weights p_k Z_k, of product distributions conditioned on their total. A sum over
C(n + m − 1, m − 1) candidates becomes a sum over k of normalisers Z_k that cost about m √n log n each.

Few normalisers are computed, as ln Z_k is smooth in ln k. The sum over k is split into panels:

    k = 0    1     4           16                            64  ...  K
        |    |-----|-----------|-----------------------------|-- ... -|- - - - - - ->
      |R|      every k or, in a long panel, ln Z_k interpolated         Z_k = 1 up to the
               in ln k through Chebyshev nodes                          tolerance: tail of Σ p_k

These sums serve planning at made-up counts and likelihoods of releases. Their time depends on the counts, so a release
is drawn by `core.mechanisms.exponential.sampler` instead.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.count_simplex import DEFAULT_TOLERANCE, ProductDistribution
from core.mechanisms.exponential.components import HellingerComponents
from core.mechanisms.exponential.stable_distribution import (
    GAUSS_LEGENDRE,
    distance_factors,
    log_mass_bounds,
    log_masses,
    tail_sums,
)

_CHEBYSHEV: Final = 20
"""Chebyshev nodes of a panel, at which ln Z_k is computed."""
_ROUGH_CHEBYSHEV: Final = 12
"""Chebyshev nodes of a panel at a rough tolerance."""
_MIN_ROUGH_TOLERANCE: Final = 1e-9
"""Tolerance from which `_ROUGH_CHEBYSHEV` nodes are used: sums are accurate to about the tolerance."""
_WORTHWHILE: Final = 4
"""Number of k in a panel, beyond its nodes, from which interpolation is used."""
_LAST_COEFFICIENTS: Final = 3
"""Number of Chebyshev coefficients whose size estimates the interpolation error."""
_INTERPOLATION_ERROR: Final = 1e-12
"""Accepted error of an interpolated ln Z_k: a tenth of the 1e-11 to which the sums are stated."""
_RELATIVE_ROUNDING: Final = 1e-15
"""Rounding of ln Z_k relative to its size, which no interpolation can improve on."""
_MAX_SUMMED_TERMS: Final = 1 << 16
"""Largest number of k summed term by term; beyond, the sum is an integral."""
_NEGLIGIBLE_SHARE: Final = 1e-15
"""Contribution relative to the sums, below which a panel is omitted."""
_BULK_TAIL: Final = 5e-4
"""Mass of the mixture outside the bulk, on either side."""
_MAX_WHOLE_NODE: Final = 48.0
"""Largest k at which masses are known at integers only (`core.mechanisms.exponential.stable_distribution`)."""


class HellingerMixture:
    """P at one prior and one histogram, for any κ. Values of ln Z_k are cached, because they do not depend on κ."""

    __slots__ = (
        "_components",
        "_counts",
        "_log_candidates",
        "_log_normalisers",
        "_prior",
        "_sums_by_point",
        "_tolerance",
    )

    def __init__(self, prior: ArrayLike, counts: ArrayLike, *, tolerance: float = DEFAULT_TOLERANCE) -> None:
        """Take `prior` α and `counts` c of shape (m,), m >= 2, α_i > 0, c_i >= 0, Σ c_i >= 1.

        `tolerance` bounds the total variation that cut tails change in a component.
        """
        self._prior = np.asarray(prior, dtype=np.float64)
        self._counts = np.asarray(counts, dtype=np.int64)
        self._components = HellingerComponents(self._prior, self._counts, tolerance)
        self._tolerance = tolerance
        n, m = int(self._counts.sum()), self._counts.size
        self._log_candidates = math.log(math.comb(n + m - 1, m - 1))
        self._log_normalisers: dict[float, float] = {0.0: self._log_candidates}
        self._sums_by_point: dict[float, tuple[float, float]] = {}

    @property
    def prior(self) -> NDArray[np.float64]:
        """Return the concentration α, shape (m,)."""
        return self._prior

    @property
    def counts(self) -> NDArray[np.int64]:
        """Return the histogram c, shape (m,)."""
        return self._counts

    def component(self, k: float) -> ProductDistribution:
        """Return the product distribution P_k for real k > 0."""
        return self._components.distribution(k)

    def log_component(self, k: float) -> float:
        """Return ln Z_k = ln Σ_r s(r)^k for real k >= 0."""
        if k not in self._log_normalisers:
            self._log_normalisers[k] = self._components.distribution(k).log_normaliser
        return self._log_normalisers[k]

    def log_normaliser(self, kappa: float) -> float:
        """Return ln Z(κ) = ln Σ_r exp(−κ H(r)), κ > 0."""
        return self._sums(kappa)[0]

    def expected_distance(self, kappa: float) -> float:
        """Return E[H] = −d ln Z/dκ at κ > 0, the expected Hellinger distance of a draw from the true posterior.

        Its error is at most 1e-11 relative or 1e-18 absolute, or the tolerance if that is larger.
        """
        return max(0.0, self._sums(kappa)[1])

    def bulk(self, kappa: float) -> tuple[float, float]:
        """Return two values of k between which nearly all of the mixture lies: about `_BULK_TAIL` is outside on either
        side.

        The uniform component k = 0 is ignored.
        """
        self._sums(kappa)
        nodes = np.array(sorted(k for k in self._log_normalisers if k >= 1.0))
        logs = log_masses(kappa, np.where(nodes < _MAX_WHOLE_NODE, np.rint(nodes), nodes)) + np.log(nodes)
        logs += np.array([self._log_normalisers[k] for k in nodes.tolist()])
        density = np.exp(logs - logs.max())
        mass = np.cumsum(0.5 * (density[1:] + density[:-1]) * np.diff(np.log(nodes)))
        first, last = np.searchsorted(mass, np.array([_BULK_TAIL, 1.0 - _BULK_TAIL]) * mass[-1])
        return float(nodes[first]), float(nodes[last + 1])

    def certain_from(self) -> int:
        """Return the smallest K above which every component's normaliser Z_k is 1, up to the tolerance.

        The bound is Z_k − 1 <= |R| e^{−kx}, where x is the least −ln s(r) over r ≠ c.
        """
        step = self._components.smallest_step
        return math.ceil((self._log_candidates - math.log(self._tolerance)) / step)

    def _sums(self, kappa: float) -> tuple[float, float]:
        """Return ln Z(κ) and E[H], cached for each κ."""
        if kappa not in self._sums_by_point:
            self._sums_by_point[kappa] = self._summed_over_components(kappa)
        return self._sums_by_point[kappa]

    def _summed_over_components(self, kappa: float) -> tuple[float, float]:
        """Return ln Z(κ) and E[H] from Σ p_k Z_k and Σ q_k Z_k, to about 1e-11 relative, with q_k = −dp_k/dκ."""
        last = self.certain_from()
        tail_mass, tail_distance = tail_sums(kappa, last)
        shift = max(0.0, self._log_candidates - kappa)
        masses = [math.exp(self._log_candidates - kappa - shift), tail_mass * math.exp(-shift)]
        distances = [masses[0], tail_distance * math.exp(-shift)]
        edges = [4**power for power in range(math.ceil(math.log(last, 4)))] + [last]
        panels = [(first, past) for first, past in itertools.pairwise(edges) if first < past]
        # Z >= p_k Z_k for every k. A panel adds at most its size times its largest p_k times Z_k at its start.
        starts = np.array([float(first) for first, _ in panels])
        at_starts = np.array([self.log_component(k) for k in starts])
        floor = max(
            0.0, float(np.max(log_masses(kappa, starts) + at_starts, initial=-math.inf)), self._log_candidates - kappa
        )
        most_needed = floor + math.log(_NEGLIGIBLE_SHARE) - math.log((1.0 + kappa) * (1.0 + 1.0 / kappa))
        for (first, past), at_start in zip(panels, at_starts, strict=True):
            most = math.log(past - first) + float(log_mass_bounds(kappa, first, past - 1)) + at_start
            if most > most_needed:
                self._add_panel(kappa, first, past, shift, masses, distances)
        total = math.fsum(masses)
        return math.log(total) + shift, math.fsum(distances) / total

    def _add_panel(
        self, kappa: float, first: int, past: int, shift: float, masses: list[float], distances: list[float]
    ) -> None:
        """Append the contributions of the panel first <= k < past to both sums.

        ln Z_k is interpolated in ln k if that is exact to rounding; otherwise the panel is split in two.
        """
        nodes = _CHEBYSHEV if self._tolerance < _MIN_ROUGH_TOLERANCE else _ROUGH_CHEBYSHEV
        if past - first <= nodes + _WORTHWHILE:
            k = np.arange(first, past, dtype=np.float64)
            log_z = np.array([self.log_component(x) for x in k])
        else:
            low, high = math.log(first), math.log(past - 1)
            points = np.cos(np.pi * (np.arange(nodes) + 0.5) / nodes)
            values = np.array(
                [self.log_component(math.exp(0.5 * (low + high) + 0.5 * (high - low) * x)) for x in points]
            )
            coefficients = np.polynomial.chebyshev.chebfit(points, values, nodes - 1)
            allowed = max(_INTERPOLATION_ERROR, self._tolerance, _RELATIVE_ROUNDING * np.abs(values).max())
            if np.abs(coefficients[-_LAST_COEFFICIENTS:]).max() > allowed:
                middle = round(math.sqrt(first * past))
                self._add_panel(kappa, first, middle, shift, masses, distances)
                self._add_panel(kappa, middle, past, shift, masses, distances)
                return

            def interpolate(k: NDArray[np.float64]) -> NDArray[np.float64]:
                scaled = (2.0 * np.log(k) - low - high) / (high - low)
                return np.asarray(np.polynomial.chebyshev.chebval(scaled, coefficients), dtype=np.float64)

            if past - first > _MAX_SUMMED_TERMS:
                _add_integral(kappa, first, past, shift, interpolate, masses, distances)
                return
            k = np.arange(first, past, dtype=np.float64)
            log_z = interpolate(k)
        terms = np.exp(log_masses(kappa, k) + log_z - shift)
        masses.append(math.fsum(terms))
        distances.append(math.fsum(terms * distance_factors(kappa, k)))


def _add_integral(
    kappa: float,
    first: int,
    past: int,
    shift: float,
    interpolate: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    masses: list[float],
    distances: list[float],
) -> None:
    """Append the contributions of a long panel first <= k < past, as an integral over ln k.

    The integral runs from first − ½ to past − ½, with the first correction of Euler and Maclaurin.
    """
    nodes, weights = GAUSS_LEGENDRE
    low, high = math.log(first - 0.5), math.log(past - 0.5)
    k = np.exp(low + 0.5 * (high - low) * (nodes + 1.0))
    ends = np.array([first - 1.0, first, past - 1.0, past])
    slopes = np.array([-1.0, 1.0, 1.0, -1.0]) / 24.0
    points = np.concatenate((k, ends))
    scale = np.concatenate((weights * 0.5 * (high - low) * k, slopes))
    terms = np.exp(log_masses(kappa, points) + interpolate(points) - shift) * scale
    masses.append(math.fsum(terms))
    distances.append(math.fsum(terms * distance_factors(kappa, points)))
