"""How far the windows of a product law reach: to where the tilted weights of a category are negligible.

Tilting multiplies Π f_i(r_i) by e^{−b Σ (r_i − c_i)}, which is one on Σ r_i = n. So a law may be cut under any tilt b,
and under its own, at which the counts add up to n, it is cut closest.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

_STEPS: Final = 12
_FAR: Final = 30.0


def expected_tilt(a: Floats, counts: Floats | NDArray[np.int64], k: float, n: int, many: Floats) -> float:
    """About the b >= 0 at which counts under e^{k h_i − b·t} have the sum n: as normal laws of variance 4a/k around c
    that are cut at zero, `many` of each; `a` = α + c.
    """
    return float(expected_tilts(a, counts, k, n, many)[0])


def expected_tilts(
    a: Floats, counts: Floats | NDArray[np.int64], k: float | Floats, n: int, many: Floats | NDArray[np.float64]
) -> Floats:
    """The same for several histograms of n records, of shape (…, g), and k of shape (…, 1), as is the result.

    Their expected sum is convex in b, so that Newton's steps from b = 0 come from one side.
    """
    deviations = 2.0 * np.sqrt(a / k)
    most = np.log1p(many.sum(axis=-1, keepdims=True) / n)
    tilt = np.zeros((*np.broadcast_shapes(deviations.shape, many.shape)[:-1], 1))
    for _ in range(_STEPS):
        ends = tilt * deviations - counts / deviations
        means, variances = above(ends)
        excess = (many * (deviations * means - counts)).sum(axis=-1, keepdims=True)
        slope = (many * deviations * deviations * variances).sum(axis=-1, keepdims=True)
        goes_on = (excess > 1e-3 * np.sqrt(slope)) & (tilt < most)
        if not goes_on.any():
            break
        tilt = tilt + np.divide(excess, slope, out=np.zeros_like(tilt), where=goes_on)
    return np.asarray(np.minimum(tilt, most))


def above(ends: Floats) -> tuple[Floats, Floats]:
    """The mean of a standard normal variable above each end, less that end, and its variance, given that it is above.

    Far out both are small differences of large numbers, which rounding would leave of any sign: there by their
    asymptotic series in 1/end, to 2e-5.
    """
    hazards = math.sqrt(2.0 / math.pi) / special.erfcx(ends / math.sqrt(2.0))
    far, squares = ends > _FAR, ends * ends
    means = np.where(far, ends / (squares + 2.0), hazards - ends)
    return means, np.where(far, 1.0 / (squares + 6.0), 1.0 - hazards * means)


def window_radii(a: Floats, k: float | Floats, depth: float | Floats, tilt: float | Floats) -> tuple[Floats, Floats]:
    """Some x, downward and upward, from which on k h(c ∓ x) ± bx <= −depth: upward for b of three quarters of the
    `tilt`, and downward for five.

    −h(c ± x) >= x² / (8 (a ± x/2)), a = α + c, as the other parts of Stirling's formula have the same sign. With the
    depth D, k x² / (8a ± 4x) ± bx >= D from the root x of (k + 4b) x² ± (8ab − 4D) x = 8aD on.
    """
    linear, upward = _root(a, k, depth, 0.75 * tilt)
    up = 16.0 * a * depth / (upward + linear)
    linear, downward = _root(a, k, depth, 1.25 * tilt)
    return (downward + linear) / (2.0 * (k + 5.0 * tilt)), up


def _root(a: Floats, k: float | Floats, depth: float | Floats, tilt: float | Floats) -> tuple[Floats, Floats]:
    """The linear coefficient of the polynomial, and the root of its discriminant."""
    linear = 8.0 * a * tilt - 4.0 * depth
    return linear, np.sqrt(linear * linear + 32.0 * a * depth * (k + 4.0 * tilt))
