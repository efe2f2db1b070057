"""Computes the distribution of an estimate's error: a weighted sum of independent noises, symmetric around zero.

There are three methods:

- Few Laplace noises of separate scales: partial fractions of Π 1 / (1 − b_j² s²), the closed form of theorem 4.1 of
  Xiao and Xiong.
- Any Laplace noises: the Bromwich integral of this product through its saddle point. The path is a hyperbola that bends
  away from the poles, with the trapezoid rule. Weights near zero cost nothing, and the error is relative in any tail.
- With noise of posterior releases, which lies on integers: the characteristic function, times that of a narrow bounded
  noise, is inverted on the real line. The blur of at most ±w is added to the half width, so the interval covers. It
  need not be the narrowest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from core.noise import LaplaceNoise, Noise
from core.roots import where_tail_is
from core.simplex_noise import SimplexGeometricNoise

_MAX_TERMS: Final = 32
_MAX_CANCELLATION: Final = 1e4
_DIGITS: Final = 38.0
"""e^-38 is below the rounding of a sum near 1."""
_MAX_NODES: Final = 20_000
_MAX_NODES_OF_INDEPENDENT: Final = 400_000
_VALUES_AT_ONCE: Final = 16
"""Number of factors multiplied before a logarithm is taken: |b s| < 1e9, so the 32nd power is finite."""
_SLOPE: Final = 0.7
_MAX_NUMBERS: Final = 3 * 10**7
_NEGLIGIBLE_PHI: Final = 1e-15
_SMALLEST_BLUR: Final = 0.1
"""Width of the bounded noise added to integer noise, in standard deviations of the sum."""
_BLUR_DIGITS, _BLUR_DIGITS_OF_INDEPENDENT = 12, 10
"""The characteristic function of the blur is followed down to this power of ten."""
_BLUR_OF_INDEPENDENT: Final = 0.005
"""`_SMALLEST_BLUR` for few weights of independent integer noises, whose characteristic functions take little time."""
_BLURS: Final = 8
"""Number of uniform noises whose mean is the blur; its characteristic function falls like t^-8."""
_NEGLIGIBLE_DEVIATION: Final = 1e-8
"""Integer noise with a smaller deviation differs from 0 with a probability below 1e-16."""
_EQUAL: Final = 1e-9
"""Weights that differ by less than this, relative to the largest, are equal."""
_DISTRIBUTION_ERROR: Final = 1e-9
_ROOT_ERROR: Final = 1e-10
_BLURRED_DIGITS: Final = 22.0
"""e^-22 is below `_DISTRIBUTION_ERROR`."""


@dataclass(frozen=True, slots=True)
class LaplaceSum:
    """Σ b_j Lap(1) with independent continuous Laplace noises of scale 1; `scales` are the b_j > 0."""

    scales: NDArray[np.float64]

    @property
    def deviation(self) -> float:
        return float(np.sqrt(2.0 * (self.scales**2).sum()))

    def beyond(self, x: float) -> float:
        """Return P(error > x) for x >= 0."""
        if self.scales.size == 0:
            return 0.0
        if x == 0.0:
            return 0.5
        return (
            beyond_by_partial_fractions(self.scales, x, self._fractions)
            if self._fractions is not None
            else beyond_by_integral(self.scales, x)
        )

    def half_width(self, confidence: float) -> float:
        """Return the half width of the narrowest interval that contains the error with this probability.

        The interval is symmetric, because a sum of log-concave symmetric variables is unimodal.
        """
        return _half_width(self.beyond, self.deviation, confidence)

    def holds(self, half_width: float, confidence: float) -> bool:
        """Return whether an interval of this half width reaches the confidence. Evaluates the distribution once."""
        return half_width >= 0.0 and 2.0 * self.beyond(half_width) <= 1.0 - confidence

    @property
    def _fractions(self) -> NDArray[np.float64] | None:
        return partial_fractions(self.scales)


def partial_fractions(scales: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return the weights w_j = Π_(k≠j) 1 / (1 − b_k² / b_j²) for `scales` b_j, or None if the terms cancel too much to
    be usable.

    With these, P(Σ b_j Lap(1) > x) = ½ Σ w_j e^(−x / b_j) for x >= 0.
    """
    if scales.size > _MAX_TERMS:
        return None
    ratios = (scales[None, :] / scales[:, None]) ** 2
    factors = 1.0 - ratios
    np.fill_diagonal(factors, 1.0)
    if np.any(factors == 0.0):
        return None
    with np.errstate(over="ignore"):
        weights: NDArray[np.float64] = 1.0 / factors.prod(axis=1)
    return weights if np.abs(weights).sum() < _MAX_CANCELLATION else None


def beyond_by_partial_fractions(scales: NDArray[np.float64], x: float, weights: NDArray[np.float64]) -> float:
    """Return P(Σ b_j Lap(1) > x) for x >= 0, from the weights of `partial_fractions`."""
    return float(0.5 * (weights * np.exp(-x / scales)).sum())


def beyond_by_integral(scales: NDArray[np.float64], x: float) -> float:
    """Return P(Σ b_j Lap(1) > x) for x > 0, by an integral through the saddle point 0 < s₀ < 1 / max b:

        (1 / 2πi) ∫ e^(K(s) − s x) ds / s,    K(s) = −Σ ln(1 − b_j² s²).

    The path is the hyperbola s = √(s₀² + κ²τ²) + iτ, κ < 1. Like the vertical line, it has all poles 1 / b_j to its
    right. On it Re s² <= s₀², so |1 − b² s²| >= 1 − b² s₀² for every b. The product is therefore largest at the saddle
    for any scales, and e^(−s x) decreases too. Small scales need no extra work. The trapezoid rule has an error of
    e^(−2πd / step), where d is the distance of τ = 0 from the nearest singularity.
    """
    unit = float(scales.max())
    b, y = np.asarray(scales / unit), x / unit
    saddle = _saddle(b, y)
    nearest = min(0.8 * saddle, 1.0 - saddle)
    end = _path_end(b, y, saddle)
    step = 2.0 * np.pi * nearest / _DIGITS / 1.5
    nodes = int(np.ceil(end / step))
    # If the saddle is close to the pole at zero, the integrand extends to the scale 1 / x, and only the neighbourhood
    # of the pole needs fine steps: then use equal steps of asinh.
    even = nodes <= _MAX_NODES
    u = np.linspace(0.0, end if even else float(np.arcsinh(end / nearest)), max(nodes, 1) + 1 if even else _MAX_NODES)
    tau = u if even else nearest * np.sinh(u)
    weight = (u[1] - u[0]) * (np.ones_like(u) if even else nearest * np.cosh(u))
    root = np.sqrt(saddle**2 + (_SLOPE * tau) ** 2)
    s = root + 1j * tau
    path = 1j + _SLOPE**2 * tau / root
    logs = -y * (s - saddle) - np.log(s)
    squares = s * s
    for start in range(0, b.size, _VALUES_AT_ONCE):
        logs -= np.log((1.0 - np.square(b[start : start + _VALUES_AT_ONCE, None]) * squares).prod(axis=0))
    # The half of the path below the axis is the mirror image; the node on the axis counts once.
    terms = (np.exp(logs) * path).imag * weight
    return float(np.exp(-y * saddle) * (terms[0] / 2 + terms[1:].sum()) / np.pi)


def _saddle(b: NDArray[np.float64], y: float) -> float:
    """Return the root in (0, 1) of K'(s) − y − 1/s, which increases from −∞ to ∞. The scales `b` have maximum 1."""

    def slope(s: float) -> float:
        return float((2.0 * b * b * s / ((1.0 - b * s) * (1.0 + b * s))).sum()) - y - 1.0 / s

    low, high = 1e-300, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if slope(middle) < 0:
            low = middle
        else:
            high = middle
    return low if low > 1e-300 else high


def _path_end(b: NDArray[np.float64], y: float, saddle: float) -> float:
    """Return a τ at which the integrand is e^-38 of its value at the saddle. The integrand decreases along the path."""

    def fallen(tau: float) -> float:
        s = np.sqrt(saddle**2 + (_SLOPE * tau) ** 2) + 1j * tau
        ratios = np.log(np.abs((1.0 - (b * s) ** 2) / (1.0 - (b * saddle) ** 2))).sum()
        return float(y * (s.real - saddle) + np.log(abs(s) / saddle) + ratios)

    tau = min(saddle, 1.0 - saddle) / 4
    while fallen(tau) < _DIGITS:
        tau *= 1.3
    return tau


@dataclass(frozen=True, slots=True)
class BlurredDistribution:
    """A symmetric distribution of integer noise, convolved with a noise that lies within ±blur.

    It is given by its characteristic function `phi` at equidistant `t`.
    """

    deviation: float
    blur: float
    step: float
    t: NDArray[np.float64]
    phi: NDArray[np.float64]

    def beyond(self, x: float) -> float:
        """Return P(blurred error > x) for x >= 0, to 1e-9."""
        if x >= np.pi / self.step:
            return 0.0  # half a period of the sum away, where the distribution is below `_DISTRIBUTION_ERROR`
        # Gil-Pelaez at half steps: the pole at zero needs no node.
        return float(np.clip(0.5 - self.step / np.pi * (self.phi * np.sin(self.t * x) / self.t).sum(), 0.0, 0.5))

    def half_width(self, confidence: float) -> float:
        """Return a half width with at least this confidence: that of the blurred distribution at a slightly higher
        confidence, plus the blur.
        """
        return _half_width(self.beyond, self.deviation, 1.0 - 2.0 * _allowed_tail(confidence)) + self.blur

    def holds(self, half_width: float, confidence: float) -> bool:
        """Return whether an interval of this half width certainly reaches the confidence.

        Evaluates the distribution once.
        """
        return half_width >= self.blur and self.beyond(half_width - self.blur) <= _allowed_tail(confidence)


def _allowed_tail(confidence: float) -> float:
    """Return the probability of the blurred distribution that may lie beyond the interval on one side."""
    return max((1.0 - confidence) / 2 - _DISTRIBUTION_ERROR, _DISTRIBUTION_ERROR)


@dataclass(frozen=True, slots=True)
class StepDistribution:
    """Noise whose values are multiples of `step`: that of a set of cells of one geometric release, or of equal weights.

    P(|error| = k·step) = distribution[k].
    """

    step: float
    distribution: NDArray[np.float64]

    @property
    def deviation(self) -> float:
        return self.step * float(np.sqrt((np.arange(self.distribution.size) ** 2 * self.distribution).sum()))

    def beyond(self, x: float) -> float:
        """Return P(error > x) for x >= 0."""
        return float(self.distribution[int(np.floor(x / self.step * (1.0 + 1e-12))) + 1 :].sum()) / 2

    def half_width(self, confidence: float) -> float:
        """Return the smallest multiple of the step that reaches the confidence."""
        return self.step * int(np.searchsorted(np.cumsum(self.distribution), confidence + 1e-12))

    def holds(self, half_width: float, confidence: float) -> bool:
        """Return whether an interval of this half width reaches the confidence."""
        return self.half_width(confidence) <= half_width


EstimateErrorDistribution: TypeAlias = LaplaceSum | BlurredDistribution | StepDistribution


def distribution_of(parts: Sequence[tuple[Noise, NDArray[np.float64]]]) -> EstimateErrorDistribution:
    """Return the distribution of Σ w·z over parts. Each part is a noise z and the weights w on its rows."""
    laplace = [np.abs(weights) * noise.scale for noise, weights in parts if isinstance(noise, LaplaceNoise)]
    scales = np.concatenate([np.zeros(0), *laplace])
    scales = scales[scales > 0]
    others = [
        (noise, weights) for noise, weights in parts if not isinstance(noise, LaplaceNoise) and np.ptp([*weights, 0.0])
    ]
    if not others:
        return LaplaceSum(scales)
    if scales.size == 0 and len(others) == 1 and (single := _single_set(*others[0])) is not None:
        return single
    on_integers = not any(noise.is_tied or noise.mean for noise, _ in others)
    if scales.size == 0 and on_integers and (equal := _equal_weights(others)) is not None:
        return equal
    return _blur_distribution(scales, others)


def _single_set(noise: Noise, weights: NDArray[np.float64]) -> StepDistribution | None:
    """Return the exact distribution if the weights on a geometric release are those of a set of cells, otherwise None.

    The weights may be scaled, and a constant may be added to all of them.
    """
    if not isinstance(noise, SimplexGeometricNoise):
        return None
    step = float(np.ptp(weights))
    upper = weights - weights.min() > step / 2
    if not step or np.abs(weights - np.where(upper, weights.max(), weights.min())).max() > 1e-9 * step:
        return None
    return StepDistribution(step, noise.sum_distribution(int(upper.sum())))


def distribution_of_independent(
    parts: Sequence[tuple[Noise, NDArray[np.float64]]],
) -> EstimateErrorDistribution:
    """Return the distribution of Σ w·z over parts, each independent integer noise z of rows and weights w on them.

    It is exact if all weights are equal, up to their signs. Otherwise the blur is 0.5 % of the deviation. Each
    part should have few distinct weights, and parts with large variances should come first.
    """
    used = [(noise, weights) for noise, weights in parts if weights.any() and noise.deviation > _NEGLIGIBLE_DEVIATION]
    if not used:
        return LaplaceSum(np.zeros(0))
    equal = _equal_weights(used)
    if equal is not None:
        return equal
    found = _blur_distribution(
        np.zeros(0), used, _BLUR_OF_INDEPENDENT, _BLUR_DIGITS_OF_INDEPENDENT, _MAX_NODES_OF_INDEPENDENT
    )
    seen = np.abs(found.phi) > _NEGLIGIBLE_PHI
    return replace(found, t=found.t[seen], phi=found.phi[seen])


def _equal_weights(
    parts: Sequence[tuple[Noise, NDArray[np.float64]]],
) -> StepDistribution | None:
    """Return the exact distribution if the weights are equal up to their signs, otherwise None.

    P(k) is the inverse Fourier transform of the characteristic function. The circle has enough nodes to make aliases
    negligible, as in `_blur_distribution`.
    """
    used = [(noise, np.abs(weights[weights != 0])) for noise, weights in parts]
    step = max(float(weights.max()) for _, weights in used)
    if any(np.abs(weights - step).max() > _EQUAL * step for _, weights in used):
        return None
    numbers = [(noise, np.ones(weights.size)) for noise, weights in used]
    deviation = float(np.sqrt(sum(_variance(noise, ones) for noise, ones in numbers)))
    reach = 8.0 * deviation + _DIGITS * max(noise.decay(ones) for noise, ones in numbers)
    size = 2 * int(reach + 1.0)
    if size > _MAX_NODES_OF_INDEPENDENT:
        return None
    t = np.asarray(2 * np.pi / size * np.arange(size // 2 + 1), dtype=np.float64)
    phi: NDArray[np.float64] = np.ones_like(t)
    for noise, ones in numbers:
        phi = phi * noise.characteristic(ones, t)
    distribution = np.maximum(np.fft.irfft(phi, size), 0.0)[: size // 2]
    distribution[1:] *= 2.0
    return StepDistribution(step, np.asarray(distribution / distribution.sum()))


def _blur_distribution(
    scales: NDArray[np.float64],
    others: Sequence[tuple[Noise, NDArray[np.float64]]],
    smallest_blur: float = _SMALLEST_BLUR,
    digits: int = _BLUR_DIGITS,
    max_nodes: int = _MAX_NODES,
) -> BlurredDistribution:
    deviation = float(np.sqrt(2.0 * (scales**2).sum() + sum(_variance(noise, weights) for noise, weights in others)))
    # Aliases are a period apart. There the distribution is below `_DISTRIBUTION_ERROR`, as every part decreases at
    # least exponentially on its own scale.
    furthest = max(float(scales.max(initial=0.0)), *(noise.decay(weights) for noise, weights in others))
    step = np.pi / (8.0 * deviation + _BLURRED_DIGITS * furthest)
    numbers_per_point = sum(noise.characteristic_cost(weights) for noise, weights in others)
    most = min(max_nodes, _MAX_NUMBERS // max(numbers_per_point, 1))
    # At this t, sinc^8(t blur / 8) is 10^-digits.
    scale_of_blur = _BLURS * 10.0 ** (digits / _BLURS)
    blur = max(smallest_blur * deviation, scale_of_blur / (step * most))
    t = np.asarray(step * (np.arange(int(scale_of_blur / blur / step) + 1) + 0.5), dtype=np.float64)
    phi: NDArray[np.float64] = np.asarray(np.sinc(t * blur / _BLURS / np.pi) ** _BLURS, dtype=np.float64)
    for scale, count in zip(*np.unique(scales, return_counts=True), strict=True):
        phi = np.asarray(phi / (1.0 + (scale * t) ** 2) ** count, dtype=np.float64)
    for noise, weights in sorted(others, key=lambda part: part[0].is_tied):
        seen = np.abs(phi) > _NEGLIGIBLE_PHI
        t = t[seen]
        phi = phi[seen] * noise.characteristic(weights, t)
    return BlurredDistribution(deviation, blur, step, t, phi)


def _variance(noise: Noise, weights: NDArray[np.float64]) -> float:
    centred = weights - weights.mean() if noise.is_tied else weights
    return float((centred**2).sum()) * noise.deviation**2


def _half_width(beyond: Callable[[float], float], deviation: float, confidence: float) -> float:
    """Return the x at which P(|error| <= x) = confidence, rounded up."""
    if deviation == 0.0:
        return 0.0
    target = (1.0 - confidence) / 2
    # Start from the normal distribution, which approximates sums of many noises.
    guess = -float(ndtri(target)) * deviation
    low, high = 0.0, 1.05 * guess
    while beyond(high) > target:
        low, high = high, 1.5 * high
    if low == 0.0 and beyond(0.8 * guess) > target:
        low = 0.8 * guess
    return where_tail_is(target, beyond, low, high, tolerance=1e-11 * deviation) * (1.0 + _ROOT_ERROR)
