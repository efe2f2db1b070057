"""The law of noise that sums to zero over all cells: its standard deviation and characteristic function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from core.noise import TAIL, Noise, grouped

_OMITTED_LOG: Final = 45.0
"""All nodes with an integrand below e^-45 together contribute far less than 1e-12."""
_NARROW_MARGIN: Final = 8.0
"""e^8 exceeds the ratio of the circle's length to the integrand's width, even for thousands of cells."""
_CHUNK: Final = 30_000
_VALUES_AT_ONCE: Final = 16
"""Number of factors multiplied before a logarithm is taken."""
_MIN_SINGLE_VALUES: Final = 4
"""Smallest number of distinct weights for which `_log_product_of_single` is used; below, it costs more than
it saves.
"""
_FEW_CELLS, _NARROWER_FROM = 40, 10
"""Largest number of cells for which doubling panels resolve the flanks of a peak, and the number from which they start
narrower.
"""
_GAUSS_NODES, _GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(16)
MIN_RATE: Final = 5 / 2**10


@dataclass(frozen=True, slots=True)
class SimplexGeometricNoise(Noise):
    """The joint noise of all cells, P(z) ∝ e^(−rate ‖z‖₁) on the integer vectors with sum zero.

    Its covariance is v on the diagonal and −v / (m − 1) elsewhere. On queries minus their mean this equals the
    covariance of independent noise of variance v m / (m − 1), which the estimate uses. The mean is irrelevant, because
    n is known. Rates below `MIN_RATE` are refused, because the integral would need too many nodes.
    """

    rate: float
    m: int
    is_tied: ClassVar[bool] = True

    @property
    def deviation(self) -> float:
        """Return the standard deviation of the equivalent independent noise, sqrt(v m / (m − 1)).

        v = −φ''(0) is the variance of one coordinate, with the characteristic function φ.
        """
        s, logs = self._circle()
        weights = np.exp(self.m * (logs - logs.max()))
        q = np.exp(-self.rate)
        # f is the series of one coordinate. Its variance is minus the mean of f''/f under the weights f^m.
        cosine, one = np.cos(s), 1.0 + q * q
        f = 1.0 / (one - 2 * q * cosine)
        second = -2 * q * cosine * f**2 + 8 * q * q * np.sin(s) ** 2 * f**3
        variance = -float((weights * second / f).sum() / weights.sum())
        return float(np.sqrt(variance * self.m / (self.m - 1)))

    def characteristic(self, weights: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the characteristic function at each `t` of w·z, for `weights` w and noise z, which has sum zero.

        With f the characteristic function of one free two-sided geometric variable, scaled to f(0) = 1, it is ∫ Π_i f(t
        w_i + s) ds / ∫ f(s)^m ds over a circle of s. Equal weights are combined.
        """
        s, logs = self._circle()
        values, repeats = grouped(weights)
        norm = 2 * np.pi / s.size * np.exp(self.m * logs).sum()
        result = np.empty_like(t)
        chunk = max(1, _CHUNK // self._node_count(values, repeats))
        for start in range(0, t.size, chunk):
            part = t[start : start + chunk]
            nodes, steps = self._quadrature(part, values, repeats)
            logs = self._log_product(part, nodes, values, repeats)
            result[start : start + chunk] = (np.exp(logs) * steps).sum(axis=1) / norm
        return result

    def _log_product(
        self,
        t: NDArray[np.float64],
        nodes: NDArray[np.float64],
        values: NDArray[np.float64],
        repeats: NDArray[np.int64],
    ) -> NDArray[np.float64]:
        """Return Σ ln f(t w_i + s) at nodes s of shape (len(t), k).

        The weights w_i are `values` with their `repeats`.
        """
        alone = repeats == 1
        if alone.sum() < _MIN_SINGLE_VALUES:
            alone[:] = False
        logs = self._log_product_of_single(t, nodes, values[alone]) if alone.any() else np.zeros(nodes.shape)
        for value, count in zip(values[~alone], repeats[~alone], strict=True):
            logs += count * self._log_series(t[:, None] * value + nodes)
        return logs

    def _log_product_of_single(
        self, t: NDArray[np.float64], nodes: NDArray[np.float64], values: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return Σ ln f(t w + s) over w in `values`, at nodes s.

        sin((t w + s) / 2) is computed from the sines and cosines of its two parts, which are far fewer. Logarithms are
        taken of products of 16 factors: 1 / f stays below 10^6 at any accepted rate, so its 16th power is finite.
        """
        q = np.exp(-self.rate)
        root = 2.0 * np.sqrt(q) / (1.0 - q)
        sine, cosine = (root * each for each in _sine_and_cosine(0.5 * nodes))
        sines, cosines = _sine_and_cosine(0.5 * t[:, None] * values)
        logs, inverse, other = np.zeros(nodes.shape), np.empty(nodes.shape), np.empty(nodes.shape)
        for start in range(0, values.size, _VALUES_AT_ONCE):
            product = np.ones(nodes.shape)
            for index in range(start, min(start + _VALUES_AT_ONCE, values.size)):
                np.multiply(sines[:, index, None], cosine, out=inverse)
                np.multiply(cosines[:, index, None], sine, out=other)
                inverse += other
                inverse *= inverse
                inverse += 1.0
                product *= inverse
            logs -= np.log(product)
        return logs

    def _quadrature(
        self, t: NDArray[np.float64], values: NDArray[np.float64], repeats: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | float]:
        """Return quadrature nodes on the circle, shape (len(t), k), and their weights, for distinct weights `values`
        with their `repeats`.

        The nodes are equidistant; those where the factor of the most frequent weight is negligible are omitted. If few
        cells make narrow peaks, Gauss-Legendre nodes are used instead, on panels that double in width away from each
        peak.
        """
        if self._is_paneled(values, repeats):
            peaks = -t[:, None] * values
            ends = self._panel_ends()
            edges = (peaks[:, :, None] + np.concatenate((-ends, [0.0], ends))).reshape(t.size, -1)
            edges = np.sort(np.mod(edges, 2 * np.pi), axis=1)
            edges = np.concatenate((edges, edges[:, :1] + 2 * np.pi), axis=1)
            half = 0.5 * np.diff(edges, axis=1)
            nodes = (edges[:, :-1] + half)[:, :, None] + half[:, :, None] * _GAUSS_NODES
            return nodes.reshape(t.size, -1), (half[:, :, None] * _GAUSS_WEIGHTS).reshape(t.size, -1)
        near, size = self._nearby_nodes(int(repeats.max())), self._nodes()
        frequent = float(values[np.argmax(repeats)])
        centres = np.rint(-t * frequent * size / (2 * np.pi))
        return np.asarray(2 * np.pi / size * (centres[:, None] + near), dtype=np.float64), 2 * np.pi / size

    def _is_paneled(self, values: NDArray[np.float64], repeats: NDArray[np.int64]) -> bool:
        return self.m <= _FEW_CELLS and self._nodes_in_panels(values) < self._nearby_nodes(int(repeats.max())).size

    def _nodes_in_panels(self, values: NDArray[np.float64]) -> int:
        return len(values) * (2 * self._panel_ends().size + 1) * _GAUSS_NODES.size

    def _node_count(self, values: NDArray[np.float64], repeats: NDArray[np.int64]) -> int:
        if self._is_paneled(values, repeats):
            return self._nodes_in_panels(values)
        return self._nearby_nodes(int(repeats.max())).size

    def _panel_ends(self) -> NDArray[np.float64]:
        """Return the ends of the panels on one side of a peak.

        A peak is about `rate` wide, and narrower for many cells.
        """
        first = min(self.rate, 1.0) / 2 * min(1.0, (_NARROWER_FROM / self.m) ** 0.5)
        return np.asarray(first * 2.0 ** np.arange(int(np.log2(np.pi / first)) + 1), dtype=np.float64)

    def _nearby_nodes(self, count: int) -> NDArray[np.int64]:
        """Return the node indices, centred at 0, outside which f^count is below e^-45.

        All other nodes of the circle together contribute less than 1e-15.
        """
        nodes = self._nodes()
        q = np.exp(-self.rate)
        furthest = np.expm1(_OMITTED_LOG / count) * (1.0 - q) ** 2 / (4.0 * q)
        half = nodes // 2 if furthest >= 1.0 else int(nodes * np.arcsin(np.sqrt(furthest)) / np.pi) + 2
        return np.arange(-half, half) if 2 * half >= nodes else np.arange(-half, half + 1)

    def decay(self, weights: NDArray[np.float64]) -> float:
        return float(np.ptp(weights)) / 2 / self.rate

    def sum_distribution(self, size: int) -> NDArray[np.float64]:
        """Return P(S = 0), P(|S| = 1), P(|S| = 2), … for the sum S of the noise of `size` cells, 0 < size < m.

        P(S = k) ∝ g_size(k) g_(m − size)(k), where g_j is the distribution of the sum of j free two-sided geometric
        variables, computed from its characteristic function.
        """
        _, logs = self._circle()
        free = [
            np.maximum(np.fft.irfft(np.exp(j * np.roll(logs, logs.size // 2))[: logs.size // 2 + 1]), 0.0)
            for j in (size, self.m - size)
        ]
        distribution = (free[0] * free[1])[: logs.size // 2]
        distribution[1:] *= 2.0
        return np.asarray(distribution / distribution.sum())

    def characteristic_cost(self, weights: NDArray[np.float64]) -> int:
        values, repeats = grouped(weights)
        return self._node_count(values, repeats) * len(values)

    def _circle(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        nodes = self._nodes()
        s = np.asarray(2 * np.pi / nodes * np.arange(-(nodes // 2), nodes // 2), dtype=np.float64)
        return s, self._log_series(s)

    def _nodes(self) -> int:
        """Return a number of nodes on the circle at which a sum has a relative error below e^-40.

        The integrand is analytic to a distance of `rate`. At a smaller distance a it is at most f(ia)^m, so a mean over
        the nodes has an error of f(ia)^m e^(−a·nodes). For many cells f^m is narrow and needs denser nodes.
        """
        distances = self.rate * np.linspace(0.02, 0.98, 49)
        q = np.exp(-self.rate)
        logs = -np.log1p(-4.0 * q / (1.0 - q) ** 2 * np.sinh(distances / 2) ** 2)
        needed = float(((TAIL + _NARROW_MARGIN + self.m * logs) / distances).min())
        return max(64, 2 * int(max(needed / 2, TAIL / self.rate)) + 2)

    def _log_series(self, s: NDArray[np.float64]) -> NDArray[np.float64]:
        q = np.exp(-self.rate)
        square = np.tan(0.5 * s) ** 2  # sin² = tan² / (1 + tan²); see `_sine_and_cosine`
        logs: NDArray[np.float64] = -np.log1p(4.0 * q / (1.0 - q) ** 2 * (square / (1.0 + square)))
        return logs


def _sine_and_cosine(x: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return sin x and cos x from the tangent of x / 2, with an absolute error of a few rounding units.

    NumPy computes tan ten times as fast as sin where the processor has AVX-512.
    """
    tangent = np.tan(0.5 * x)
    inverse = 1.0 / (1.0 + tangent * tangent)
    return 2.0 * tangent * inverse, 2.0 * inverse - 1.0
