"""Compares two gamma variables whose shapes contain random counts: which of two shares is greater, given both counts'
joint distribution.

θ_A > θ_B is G_A > G_B for independent G_A ~ Gamma(α_A + c_A) and G_B ~ Gamma(α_B + c_B), whatever the other categories.
The joint distribution of the counts is a product up to its total: p(c_A, c_B) ∝ f_A(c_A) f_B(c_B) f_rest(n − c_A −
c_B). At a fixed value t of √G_A each factor of P(G_A > G_B) depends on one count. The sum over all pairs of counts is
therefore a convolution:

    P(θ_A > θ_B) = ∫ Σ_a f_A(a) g_a(t) Σ_b f_B(b) P(G_b < t²) f_rest(n − a − b) dt / Z,

with g_a the density of √Gamma(α_A + a). The standard deviation of √G is about one half for every shape. Apart from a
power of t that vanishes at 0, the integrand is entire in t. On Im t = τ it grows by at most e^(4τ²), so sums with step
h are off by 2 e^(−π² / (4h²)), which is 1e-17 at h = ¼ (Trefethen and Weideman 2014, theorem 5.1). For shapes below 16
the power of t matters. These are compared by the incomplete beta function, one pair of counts at a time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.count_simplex.convolution import ApproximateArray, convolve
from core.count_simplex.window import Mass
from core.inference.counts import TOO_MANY_AT_THIS_NOISE, InferenceError
from core.special_functions import stirling_remainder

_STEP: Final = 0.25
_ROOTS_BELOW: Final = 4.6
_ROOTS_ABOVE: Final = 6.5
"""√Gamma(a) < √a − s has probability at most e^(−2s²), and √Gamma(a) > √a + s at most e^(−s²). Both are below 1e-18
here.
"""
_MAX_SMALL_SHAPE: Final = 16.0
_MIN_ABSENT_SHAPE: Final = 160.0
"""P(Gamma(160) < Gamma(16)) is about 1e-28, so larger shapes are skipped."""
_MAX_WORK: Final = 100_000_000
"""Largest number of convolved values over all points: about 1.5 s."""
_SERIES_RADIUS: Final = 0.1
_SERIES: Final = tuple((-1.0) ** (k + 1) / k for k in range(2, 20))
_MIN_ASYMPTOTIC_SHAPE: Final = 1e5
"""Shape from which an expansion is used. From about 1e6 on, SciPy's incomplete gamma function truncates its series
beyond 4.5 standard deviations.
"""
_TEMME: Final = ((-1 / 3, 1 / 12, -2 / 135, 1 / 864, 1 / 2835), (-1 / 540, -1 / 288))
"""Coefficients of powers of η, in the terms of order 1 and 1/a."""
_ROUNDING: Final = 2e-12
"""Relative error of the densities and their sums: rounding of an exponent of at most 45 and of its terms, with a margin
of ten.
"""


@dataclass(frozen=True, slots=True, eq=False)
class GammaCounts:
    """A variable Gamma(prior + c), where the count c has the unnormalised distribution `mass`."""

    prior: float
    mass: Mass

    def distance(self, position: int) -> float:
        """Return position − (prior + c) at the smallest c."""
        # Subtract integers first: at 10^15 records a float difference would lose the prior.
        return float(position - self.mass.low) - self.prior

    @property
    def shapes(self) -> NDArray[np.float64]:
        return (self.prior + self.mass.low) + np.arange(self.mass.values.size, dtype=np.float64)

    @property
    def roots(self) -> tuple[float, float]:
        """Return the square roots of the smallest and the largest shape."""
        return math.sqrt(self.prior + self.mass.low), math.sqrt(self.prior + self.mass.high)

    def above(self, shape: float) -> GammaCounts:
        """Return the part with shapes of at least `shape`."""
        start = min(max(0, math.ceil(shape - (self.prior + self.mass.low))), self.mass.values.size)
        return GammaCounts(self.prior, Mass(self.mass.low + start, self.mass.values[start:]))


def greater(first: GammaCounts, second: GammaCounts, rest: Mass, total: int) -> tuple[float, float]:
    """Return P(G_A > G_B) under f_A(a) f_B(b) f_rest(total − a − b) / Z, and a bound on its rounding error.

    Raises InferenceError if the computation would take more than one or two seconds.
    """
    points = _points(first, second), _points(second, first)
    swapped = _work(points[1], first.mass, rest) < _work(points[0], second.mass, rest)
    if min(_work(points[0], second.mass, rest), _work(points[1], first.mass, rest)) > _MAX_WORK:
        raise InferenceError(TOO_MANY_AT_THIS_NOISE)
    value, error = _probability_of_greater(
        *((second, first) if swapped else (first, second)), rest, total, points[swapped]
    )
    return min(1.0, max(0.0, 1.0 - value if swapped else value)), error


def _work(points: range, inner: Mass, rest: Mass) -> int:
    return len(points) * (inner.values.size + rest.values.size)


def _points(first: GammaCounts, second: GammaCounts) -> range:
    """Return the multiples of the step at which the integrand is not negligible, as values of √G_A."""
    low = max(first.roots[0], second.roots[0]) - _ROOTS_BELOW
    return range(max(1, math.floor(low / _STEP)), math.ceil((first.roots[1] + _ROOTS_ABOVE) / _STEP) + 1)


def _probability_of_greater(
    first: GammaCounts, second: GammaCounts, rest: Mass, total: int, points: range
) -> tuple[float, float]:
    pairs, rounding = convolve(ApproximateArray(second.mass.values), ApproximateArray(rest.values))
    whole = _values_before(pairs, total - second.mass.low - rest.low - first.mass.low, first.mass.values.size)
    normaliser = float(np.sum(first.mass.values * whole))
    found = _sum_over_small_shapes(first, second, rest, total)
    first = first.above(_MAX_SMALL_SHAPE)
    if first.mass.values.size:
        integral, worst = _integral(first, second, rest, total, points)
        found, rounding = found + integral, rounding + worst
    moved = rounding * float(first.mass.values.sum()) / normaliser
    return found / normaliser, 2.0 * moved + _ROUNDING


def _integral(first: GammaCounts, second: GammaCounts, rest: Mass, total: int, points: range) -> tuple[float, float]:
    """Return the sum over all points and the largest rounding error of a convolution."""
    # Count points from an integer near the first count, so that distances from it keep their digits.
    origin = round(first.prior + first.mass.low)
    root = math.sqrt(origin)
    a, b = first.shapes, second.shapes
    scale_a, scale_b = _scale(a), _scale(b)
    found, worst = [], 0.0
    for point in points:
        t = _STEP * point
        beyond = (t - root) * (t + root)
        slice_a = _relevant_slice(first.distance(origin) + beyond, t, a.size)
        slice_b = _relevant_slice(second.distance(origin) + beyond, t, b.size)
        if slice_a.start == slice_a.stop or slice_b.stop == 0:
            continue
        far_a = (first.distance(origin) + beyond) - np.arange(slice_a.start, slice_a.stop)
        density = (2.0 / t) * _kernel(a[slice_a], far_a, scale_a[slice_a])
        below = second.mass.values[: slice_b.stop].copy()
        if slice_b.start < slice_b.stop:
            far_b = (second.distance(origin) + beyond) - np.arange(slice_b.start, slice_b.stop)
            kernel = _kernel(b[slice_b], far_b, scale_b[slice_b])
            below[slice_b] *= _probabilities_below(b[slice_b], far_b, kernel)
        # The counts that remain for the other categories after each of these pairs.
        left = total - first.mass.low - second.mass.low
        part = _overlap(rest, left - (slice_a.stop - 1) - (slice_b.stop - 1), left - slice_a.start)
        if part is None:
            continue
        pairs, rounding = convolve(ApproximateArray(below), ApproximateArray(part.values))
        weights = first.mass.values[slice_a] * density
        inner = _values_before(pairs, left - part.low - slice_a.start, weights.size)
        found.append(_STEP * float(np.sum(weights * inner)))
        worst = max(worst, rounding)
    return math.fsum(found), worst


def _relevant_slice(distance: float, t: float, size: int) -> slice:
    """Return the indices i of the shapes a = a_0 + i near t², where t² − a_0 = `distance`.

    For all other shapes, √Gamma(a) lies almost surely on one side of t.
    """
    low = distance + _ROOTS_ABOVE * (_ROOTS_ABOVE - 2.0 * t) if t > _ROOTS_ABOVE else 0.0
    high = distance + _ROOTS_BELOW * (_ROOTS_BELOW + 2.0 * t)
    start = min(max(0, math.floor(low)), size)
    return slice(start, max(start, min(size, math.ceil(high) + 1)))


def _kernel(
    shapes: NDArray[np.float64], distances: NDArray[np.float64], scale: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return x^a e^(−x) / Γ(a), given the shapes a and the distances x − a.

    By Stirling's formula this is e^(a (ln(1 + r) − r)) · `scale`, r = (x − a) / a.
    """
    kernel: NDArray[np.float64] = scale * np.exp(shapes * _log_minus_argument(distances / shapes))
    return kernel


def _scale(shapes: NDArray[np.float64]) -> NDArray[np.float64]:
    scale: NDArray[np.float64] = np.sqrt(shapes / (2.0 * math.pi)) * np.exp(-stirling_remainder(shapes))
    return scale


def _log_minus_argument(r: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ln(1 + r) − r to full relative precision."""
    near = np.abs(r) < _SERIES_RADIUS
    if near.all():
        return _log_minus_argument_near_zero(r)
    found = np.log1p(r) - r
    found[near] = _log_minus_argument_near_zero(r[near])
    return found


def _log_minus_argument_near_zero(r: NDArray[np.float64]) -> NDArray[np.float64]:
    total = np.zeros_like(r)
    for term in reversed(_SERIES):
        total *= r
        total += term
    total *= r
    total *= r
    return total


def _probabilities_below(
    shapes: NDArray[np.float64], distances: NDArray[np.float64], kernel: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return P(Gamma(b) < x) for consecutive shapes b.

    The recurrence is P(b) = P(b + 1) + x^b e^(−x) / Γ(b + 1), all of whose terms are positive.
    """
    found = np.empty(shapes.size)
    last, distance = shapes[-1:], distances[-1:]
    if last[0] < _MIN_ASYMPTOTIC_SHAPE:
        found[-1:] = special.gammainc(last, last + distance)
    else:
        # DLMF 8.12.3 and 8.12.8; the omitted terms are below 1e-15 here.
        eta = np.copysign(np.sqrt(-2.0 * _log_minus_argument(distance / last)), distance)
        correction = np.polynomial.polynomial.polyval(eta, _TEMME[0])
        correction += np.polynomial.polynomial.polyval(eta, _TEMME[1]) / last
        normal = np.exp(-0.5 * last * eta**2) / np.sqrt(2.0 * math.pi * last)
        found[-1:] = special.ndtr(eta * np.sqrt(last)) - normal * correction
    found[:-1] = found[-1] + np.cumsum((kernel / shapes)[-2::-1])[::-1]
    return np.minimum(found, 1.0)


def _values_before(values: NDArray[np.float64], position: int, size: int) -> NDArray[np.float64]:
    """Return values[position], values[position − 1], …, `size` values in all, with 0 for indices outside the array."""
    found = np.zeros(size)
    start, stop = max(0, position - values.size + 1), min(size, position + 1)
    if start < stop:
        found[start:stop] = values[position - stop + 1 : position - start + 1][::-1]
    return found


def _overlap(mass: Mass, low: int, high: int) -> Mass | None:
    return mass.within(low, high) if max(low, mass.low) <= min(high, mass.high) else None


def _sum_over_small_shapes(first: GammaCounts, second: GammaCounts, rest: Mass, total: int) -> float:
    """Return the part of the sum over first shapes below 16. Second shapes below 160 suffice for it."""
    a = first.shapes[first.shapes < _MAX_SMALL_SHAPE]
    b = second.shapes[second.shapes < _MIN_ABSENT_SHAPE]
    if not a.size or not b.size:
        return 0.0
    left = (total - first.mass.low - second.mass.low - rest.low) - np.add.outer(np.arange(a.size), np.arange(b.size))
    inside = (left >= 0) & (left < rest.values.size)
    weights = np.where(inside, rest.values[np.clip(left, 0, rest.values.size - 1)], 0.0)
    weights *= np.outer(first.mass.values[: a.size], second.mass.values[: b.size])
    return float(np.sum(weights * special.betaincc(a[:, None], b[None, :], 0.5)))
