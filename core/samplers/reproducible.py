"""Reproducible draws from a seed, for work on public values, never for a release.

They are used for joint draws from a posterior given a release, the search for a point posterior, and planning at
made-up counts.
"""

from __future__ import annotations

from typing import final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.samplers.entropy import Entropy, SeededEntropy


@final
class Reproducible:
    """A stream of draws determined by its seed, an integer >= 0; the same numpy gives the same draws."""

    __slots__ = ("_rng", "_seed")

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._rng = np.random.default_rng(seed)

    def uniforms(self, size: int) -> NDArray[np.float64]:
        """Draw independent uniform numbers in [0, 1), shape (size,)."""
        return self._rng.random(size)

    def categories(self, probabilities: NDArray[np.float64], size: int) -> NDArray[np.int64]:
        """Draw independent indices with these probabilities, which sum to 1: shape (size,)."""
        return self._rng.choice(probabilities.size, size, p=probabilities)

    def log_gammas(self, shapes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Draw ln G(a), with G(a) ~ Gamma(a), for each a of `shapes`, all > 0.

        G(a) = G(a + 1) U^(1/a), with U uniform. For small a the gamma variable itself would often be zero.
        """
        gammas, uniforms = self._rng.standard_gamma(shapes + 1.0), self._rng.random(shapes.shape)
        logs: NDArray[np.float64] = np.log(gammas) + np.log1p(-uniforms) / shapes
        return logs

    def dirichlets(self, concentrations: NDArray[np.float64]) -> NDArray[np.float64]:
        """Draw from Dir(a) once for each row a of `concentrations`, shape (k, m)."""
        shares: NDArray[np.float64] = special.softmax(self.log_gammas(concentrations), axis=1)
        return shares

    def histograms(self, n: int, shares: NDArray[np.float64]) -> NDArray[np.int64]:
        """Draw histograms of n records with each row of `shares`, shape (k, m)."""
        return self._rng.multinomial(n, shares)

    def entropy(self) -> Entropy:
        """Return bits from the same seed, for a mechanism that is run on made-up counts."""
        return SeededEntropy(self._seed)
