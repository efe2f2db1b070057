"""The laws of noise: how it is drawn, its probabilities, standard deviation and characteristic function.

Each law is symmetric around its mean. A part of an estimate's error is w·z, with z the noise of some rows without its
mean, and w their weights.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from core.samplers.discrete_gaussian import discrete_gaussian
from core.samplers.discrete_laplace import floored_laplaces
from core.samplers.entropy import Entropy
from core.samplers.geometric import geometrics

TAIL: Final = 40.0
"""e^-40 is below the rounding of a sum near 1."""
_ROUNDING: Final = 2.0**-40
"""Weights that differ by less than this, relative to the largest, are equal."""
_ONE_IMAGE_FROM: Final = 8.0
"""Variance of discrete Gaussian noise from which only the nearest image exceeds rounding. Below it, the two
neighbouring images exceed rounding, too.
"""


class Noise:
    """A law of noise. The defaults below apply to most laws; other laws override them."""

    __slots__ = ()
    is_tied: ClassVar[bool] = False
    """Whether the noise sums to zero over all cells."""
    mean: ClassVar[Fraction] = Fraction(0)

    @property
    @abstractmethod
    def deviation(self) -> float: ...

    @abstractmethod
    def characteristic(self, weights: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the characteristic function of w·z at each `t`, for `weights` w and noise z without its mean."""

    def characteristic_cost(self, weights: NDArray[np.float64]) -> int:  # noqa: ARG002  that of a formula
        """Return the number of values that `characteristic` computes for each t, or 0 if they are few."""
        return 0

    @abstractmethod
    def decay(self, weights: NDArray[np.float64]) -> float:
        """Return the scale of the exponential decay of the tail of w·z, or 0 if it decays faster."""

    def discrepancy(self, weights: NDArray[np.float64]) -> float:  # noqa: ARG002  it is exact
        """Return a bound on the error of w·z from terms that `characteristic` omits."""
        return 0.0


class CountNoise(Noise):
    """A law of independent noise on whole numbers, which mechanisms add to counts."""

    __slots__ = ()

    @abstractmethod
    def draw(self, size: int, entropy: Entropy) -> NDArray[np.int64]:
        """Draw the noise of `size` >= 1 counts exactly, shape (size,)."""

    @abstractmethod
    def log_mass(self, z: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return ln P(z) up to a constant: a concave function whose maximum is at 0."""


@dataclass(frozen=True, slots=True)
class LaplaceNoise(Noise):
    """Laplace noise on a grid at least 2^20 times finer than its scale, treated as continuous.

    Discrete Laplace noise is the difference of the integer parts of two exponential variables. It differs by less than
    one step from the difference of the variables themselves.
    """

    scale: float
    step: float

    @property
    def deviation(self) -> float:
        return self.scale * 2**0.5

    def characteristic(self, weights: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        return _product(lambda s: 1.0 / (1.0 + (self.scale * s) ** 2), weights, t)

    def decay(self, weights: NDArray[np.float64]) -> float:
        return float(np.abs(weights).max()) * self.scale

    def discrepancy(self, weights: NDArray[np.float64]) -> float:
        return float(np.abs(weights).sum()) * self.step


@dataclass(frozen=True, slots=True)
class FlooredLaplaceNoise(CountNoise):
    """The floor of Laplace noise: k or −1 − k with probability (1 − q) q^k / 2 each, q = e^(−1 / scale)."""

    scale: Fraction | float
    mean: ClassVar[Fraction] = Fraction(-1, 2)

    @property
    def _q(self) -> float:
        return float(np.exp(-1.0 / float(self.scale)))

    @property
    def deviation(self) -> float:
        q = self._q
        return float(np.sqrt(q * (1.0 + q) / (1.0 - q) ** 2 + q / (1.0 - q) + 0.25))

    def characteristic(self, weights: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        q = self._q
        return _product(
            lambda s: (1.0 - q) ** 2 * np.cos(s / 2) / ((1.0 - q) ** 2 + 4.0 * q * np.sin(s / 2) ** 2), weights, t
        )

    def decay(self, weights: NDArray[np.float64]) -> float:
        return float(np.abs(weights).max()) * float(self.scale)

    def draw(self, size: int, entropy: Entropy) -> NDArray[np.int64]:
        return floored_laplaces(Fraction(self.scale), size, entropy)

    def log_mass(self, z: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return ln P(z) up to a constant. It is largest at 0 and at −1."""
        return np.asarray(np.where(z >= 0, z, -1 - z) * -float(1 / Fraction(self.scale)))


@dataclass(frozen=True, slots=True)
class GeometricNoise(CountNoise):
    """Two-sided geometric noise, integers k with probability proportional to e^(−rate |k|)."""

    rate: Fraction | float

    @property
    def deviation(self) -> float:
        return float(2**-0.5 / np.sinh(float(self.rate) / 2))

    def characteristic(self, weights: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        root = float(np.sinh(float(self.rate) / 2))
        return _product(lambda s: 1.0 / (1.0 + (np.sin(s / 2) / root) ** 2), weights, t)

    def decay(self, weights: NDArray[np.float64]) -> float:
        return float(np.abs(weights).max()) / float(self.rate)

    def draw(self, size: int, entropy: Entropy) -> NDArray[np.int64]:
        rate = Fraction(self.rate)
        return geometrics(rate, size, entropy) - geometrics(rate, size, entropy)

    def log_mass(self, z: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(np.abs(z) * -float(self.rate))


@dataclass(frozen=True, slots=True)
class DiscreteGaussianNoise(CountNoise):
    """Integer noise k with probability proportional to e^(−k² / (2 variance))."""

    variance: Fraction | float

    def _distribution(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        variance = float(self.variance)
        radius = int(np.ceil(np.sqrt(2.0 * TAIL * variance))) + 1
        k = np.arange(-radius, radius + 1, dtype=np.float64)
        p = np.exp(-0.5 * k * k / variance)
        return k, p / p.sum()

    @property
    def deviation(self) -> float:
        if self.variance > 1e4:
            return float(np.sqrt(float(self.variance)))
        k, p = self._distribution()
        return float(np.sqrt((k * k * p).sum()))

    def characteristic(self, weights: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the characteristic function of w·z at each `t`, for `weights` w and noise z.

        By Poisson summation it is a sum of Gaussians around the multiples of 2π. If the noise is narrow, it is summed
        directly.
        """
        variance = float(self.variance)
        if variance < 1.0:
            k, p = self._distribution()
            return _product(lambda s: np.asarray(np.cos(s[..., None] * k) @ p), weights, t)

        def phi(s: NDArray[np.float64]) -> NDArray[np.float64]:
            folded = np.remainder(s + np.pi, 2 * np.pi) - np.pi
            shifts = 2 * np.pi * (np.arange(-1, 2) if variance < _ONE_IMAGE_FROM else np.zeros(1))
            norm = np.exp(-0.5 * variance * shifts**2).sum()
            images: NDArray[np.float64] = (
                np.exp(-0.5 * variance * (folded[..., None] - shifts) ** 2).sum(axis=-1) / norm
            )
            return images

        return _product(phi, weights, t)

    def decay(self, weights: NDArray[np.float64]) -> float:  # noqa: ARG002  faster than any exponential
        return 0.0

    def draw(self, size: int, entropy: Entropy) -> NDArray[np.int64]:
        variance = Fraction(self.variance)
        return np.array([discrete_gaussian(variance, entropy) for _ in range(size)], dtype=np.int64)

    def log_mass(self, z: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(np.asarray(z, dtype=np.float64) ** 2 * (-0.5 * float(1 / Fraction(self.variance))))


def grouped(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the distinct weights and how often each occurs. Weights that differ only by rounding count as equal."""
    unit = float(np.abs(weights).max(initial=0.0)) * _ROUNDING or 1.0
    values, repeats = np.unique(np.rint(weights / unit), return_counts=True)
    return values * unit, repeats


def _product(
    phi: Callable[[NDArray[np.float64]], NDArray[np.float64]], weights: NDArray[np.float64], t: NDArray[np.float64]
) -> NDArray[np.float64]:
    result = np.ones_like(t)
    values, repeats = grouped(np.abs(weights[weights != 0]))
    for value, count in zip(values, repeats, strict=True):
        result *= phi(value * t) ** count
    return result
