"""Describes the noise in a history: its standard deviation, the characteristic function of a weighted part, and how far
the law in use is from the true one.

All of it is symmetric around zero. A part of the error of an estimate is w·z, z the noise of some rows and w their
weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

_TAIL: Final = 40.0
"""e^-40 is below the rounding of a sum that is near 1."""
_MAX_NODES: Final = 16_384
_ROUNDING: Final = 2.0**-40
"""Relative to the largest weight."""
_CHUNK: Final = 2_000_000
MIN_RATE: Final = 2 * _TAIL / _MAX_NODES


@dataclass(frozen=True, slots=True)
class LaplaceNoise:
    """Laplace noise of a scale on a grid that is 2^20 times finer or more, taken for the continuous law.

    Discrete Laplace noise is a difference of the whole parts of two exponential variables, and so less than a step from
    the difference of the variables.
    """

    scale: float
    step: float

    @property
    def is_tied(self) -> bool:
        """Whether it sums to zero over all cells."""
        return False

    @property
    def deviation(self) -> float:
        return self.scale * 2**0.5

    def characteristic(self, weights: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        return _product(lambda s: 1.0 / (1.0 + (self.scale * s) ** 2), weights, t)

    def discrepancy(self, weights: NDArray[np.float64]) -> float:
        """What the grid changes of w·z, surely."""
        return float(np.abs(weights).sum()) * self.step


@dataclass(frozen=True, slots=True)
class FlooredLaplaceNoise:
    """The floor of Laplace noise of a scale, plus a half: ±(k + 1/2) with probability (1 - q) q^k / 2, q = e^(-1 /
    scale).
    """

    scale: float

    @property
    def is_tied(self) -> bool:
        """Whether it sums to zero over all cells."""
        return False

    @property
    def deviation(self) -> float:
        q = np.exp(-1.0 / self.scale)
        return float(np.sqrt(q * (1.0 + q) / (1.0 - q) ** 2 + q / (1.0 - q) + 0.25))

    def characteristic(self, weights: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        q = np.exp(-1.0 / self.scale)
        return _product(
            lambda s: (1.0 - q) ** 2 * np.cos(s / 2) / ((1.0 - q) ** 2 + 4.0 * q * np.sin(s / 2) ** 2), weights, t
        )

    def discrepancy(self, weights: NDArray[np.float64]) -> float:  # noqa: ARG002  every noise answers it
        return 0.0


@dataclass(frozen=True, slots=True)
class DiscreteGaussianNoise:
    """Whole numbers k with probabilities in proportion to e^(-k² / 2 variance)."""

    variance: float

    def _law(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        reach = int(np.ceil(np.sqrt(2.0 * _TAIL * self.variance))) + 1
        k = np.arange(-reach, reach + 1, dtype=np.float64)
        p = np.exp(-0.5 * k * k / self.variance)
        return k, p / p.sum()

    @property
    def is_tied(self) -> bool:
        """Whether it sums to zero over all cells."""
        return False

    @property
    def deviation(self) -> float:
        if self.variance > 1e4:
            return float(np.sqrt(self.variance))
        k, p = self._law()
        return float(np.sqrt((k * k * p).sum()))

    def characteristic(self, weights: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        """By Poisson's summation a sum of Gaussians around each multiple of 2π, or the sum itself where the noise is
        narrow.
        """
        if self.variance < 1.0:
            k, p = self._law()
            return _product(lambda s: np.asarray(np.cos(s[..., None] * k) @ p), weights, t)

        def phi(s: NDArray[np.float64]) -> NDArray[np.float64]:
            folded = np.remainder(s + np.pi, 2 * np.pi) - np.pi
            shifts = 2 * np.pi * np.arange(-2, 3)
            norm = np.exp(-0.5 * self.variance * shifts**2).sum()
            images: NDArray[np.float64] = (
                np.exp(-0.5 * self.variance * (folded[..., None] - shifts) ** 2).sum(axis=-1) / norm
            )
            return images

        return _product(phi, weights, t)

    def discrepancy(self, weights: NDArray[np.float64]) -> float:  # noqa: ARG002  every noise answers it
        return 0.0


@dataclass(frozen=True, slots=True)
class SimplexGeometricNoise:
    """The joint noise of all cells with P(z) ∝ e^(-rate ||z||_1) on the whole-number vectors of sum zero.

    Its covariance is v on the diagonal and -v / (m - 1) elsewhere. On queries less their part along ones it is that of
    independent noise of variance v m / (m - 1), which is what an estimate is made with; n being known, the part along
    ones tells nothing. Rates below `MIN_RATE` are not offered: the integral would take too many nodes.
    """

    rate: float
    m: int

    @property
    def is_tied(self) -> bool:
        """Whether it sums to zero over all cells."""
        return True

    @property
    def deviation(self) -> float:
        """Of the independent noise that stands for it: sqrt(v m / (m - 1)), from -φ''(0) of one coordinate."""
        s, logs = self._circle()
        weights = np.exp(self.m * (logs - logs.max()))
        q = np.exp(-self.rate)
        # The coordinate's own series f(s): f''/f under the weights f^m is minus its variance.
        cosine, one = np.cos(s), 1.0 + q * q
        f = 1.0 / (one - 2 * q * cosine)
        second = -2 * q * cosine * f**2 + 8 * q * q * np.sin(s) ** 2 * f**3
        variance = -float((weights * second / f).sum() / weights.sum())
        return float(np.sqrt(variance * self.m / (self.m - 1)))

    def characteristic(self, weights: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        """∫ Π f(t w_i + s) ds / ∫ f(s)^m ds over a circle, f the series of two-sided geometric noise; equal weights
        are taken together.
        """
        s, logs = self._circle()
        values, repeats = _grouped(weights)
        top = self.m * logs.max()
        norm = np.exp(self.m * logs - top).sum()
        result = np.empty_like(t)
        chunk = max(1, _CHUNK // s.size)
        for start in range(0, t.size, chunk):
            part = t[start : start + chunk]
            total = np.zeros((part.size, s.size))
            for value, count in zip(values, repeats, strict=True):
                total += count * self._log_series(part[:, None] * value + s[None, :])
            result[start : start + chunk] = np.exp(total - top).sum(axis=1) / norm
        return result

    def discrepancy(self, weights: NDArray[np.float64]) -> float:  # noqa: ARG002  every noise answers it
        return 0.0

    def sum_law(self, size: int) -> NDArray[np.float64]:
        """P(S = 0), P(|S| = 1), P(|S| = 2), ... for the sum S of the noise of `size` of the cells, 0 < size < m.

        P(S = k) ∝ g_size(k) g_(m - size)(k), with g_j(k) the sum of j free two-sided geometric variables, from its
        series around a circle.
        """
        _, logs = self._circle()
        free = [
            np.maximum(np.fft.irfft(np.exp(j * np.roll(logs, logs.size // 2))[: logs.size // 2 + 1]), 0.0)
            for j in (size, self.m - size)
        ]
        law = (free[0] * free[1])[: logs.size // 2]
        law[1:] *= 2.0
        return np.asarray(law / law.sum())

    def characteristic_cost(self, weights: NDArray[np.float64]) -> int:
        """How many numbers are computed for each t."""
        return self._circle()[0].size * len(_grouped(weights)[0])

    def _circle(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Nodes around the circle: as the integrand is analytic to a distance of `rate`, the sum is off by e^(-rate
        nodes).
        """
        nodes = min(_MAX_NODES, max(64, 2 * int(_TAIL / self.rate) + 2))
        s = 2 * np.pi * np.arange(nodes) / nodes - np.pi
        return s, self._log_series(s)

    def _log_series(self, s: NDArray[np.float64]) -> NDArray[np.float64]:
        q = np.exp(-self.rate)
        logs: NDArray[np.float64] = -np.log1p(4.0 * q / (1.0 - q) ** 2 * np.sin(s / 2) ** 2)
        return logs


Noise: TypeAlias = LaplaceNoise | FlooredLaplaceNoise | DiscreteGaussianNoise | SimplexGeometricNoise


def _grouped(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The different weights and how often each occurs; those that differ by rounding alone are one."""
    unit = float(np.abs(weights).max(initial=0.0)) * _ROUNDING or 1.0
    values, repeats = np.unique(np.rint(weights / unit), return_counts=True)
    return values * unit, repeats


def _product(
    phi: Callable[[NDArray[np.float64]], NDArray[np.float64]], weights: NDArray[np.float64], t: NDArray[np.float64]
) -> NDArray[np.float64]:
    result = np.ones_like(t)
    values, repeats = _grouped(np.abs(weights[weights != 0]))
    for value, count in zip(values, repeats, strict=True):
        result *= phi(value * t) ** count
    return result
