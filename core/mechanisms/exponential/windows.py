"""Window sizes of a product distribution: how far from c the tilted weights of a category are not negligible.

Tilting multiplies Π f_i(r_i) by e^{−b Σ (r_i − c_i)}, which is 1 on Σ r_i = n. A distribution may therefore be cut
under any tilt b. Its own tilt, at which the expected counts add up to n, gives the smallest windows.
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
    """Return the approximate tilt b >= 0 at which counts t with weights e^{k h_i(t) − b·t} have expected sum n.

    Each count is approximated by a normal distribution of variance 4a/k around c, cut at zero, a = α + c. `many` is the
    number of categories with each (a, c).
    """
    return float(expected_tilts(a, counts, k, n, many)[0])


def expected_tilts(
    a: Floats, counts: Floats | NDArray[np.int64], k: float | Floats, n: int, many: Floats | NDArray[np.float64]
) -> Floats:
    """Return `expected_tilt` for several histograms of n records, of shape (…, g). k and the result have shape (…, 1).

    The expected sum is convex in b, so Newton's steps from b = 0 approach the root from one side.
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
    """Return the mean excess over each end, and the variance, of a standard normal variable that exceeds the end.

    At large ends both are small differences of large numbers, which rounding would destroy. There an asymptotic series
    in 1/end is used, with an error of 2e-5.
    """
    hazards = math.sqrt(2.0 / math.pi) / special.erfcx(ends / math.sqrt(2.0))
    far, squares = ends > _FAR, ends * ends
    means = np.where(far, ends / (squares + 2.0), hazards - ends)
    return means, np.where(far, 1.0 / (squares + 6.0), 1.0 - hazards * means)


def window_radii(a: Floats, k: float | Floats, depth: float | Floats, tilt: float | Floats) -> tuple[Floats, Floats]:
    """Return distances x, downward and upward, beyond which k h(c ∓ x) ± bx <= −depth.

    Upward the bound holds for b equal to three quarters of `tilt`, downward for five quarters.

    −h(c ± x) >= x² / (8 (a ± x/2)), a = α + c, because the other parts of Stirling's formula have the same sign. With D
    = `depth`, k x² / (8a ± 4x) ± bx >= D from the root x of (k + 4b) x² ± (8ab − 4D) x = 8aD on.
    """
    linear, upward = _root(a, k, depth, 0.75 * tilt)
    up = 16.0 * a * depth / (upward + linear)
    linear, downward = _root(a, k, depth, 1.25 * tilt)
    return (downward + linear) / (2.0 * (k + 5.0 * tilt)), up


def _root(a: Floats, k: float | Floats, depth: float | Floats, tilt: float | Floats) -> tuple[Floats, Floats]:
    """Return the linear coefficient of the polynomial of `window_radii` and the square root of its discriminant."""
    linear = 8.0 * a * tilt - 4.0 * depth
    return linear, np.sqrt(linear * linear + 32.0 * a * depth * (k + 4.0 * tilt))
