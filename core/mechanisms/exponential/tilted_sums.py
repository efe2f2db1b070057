"""Bounds the sum of a category's weights under a tilt, in closed form: what bounds the normaliser of a product law
whose windows would be as wide as the space.

Over Σ r_i = n, Σ_r Π f_i(r_i) is that of Π f_i(c_i + x_i) e^{−b·x_i} for any b, as the x_i sum to zero. All counts but
one are free, and the last is what the others leave: so it is at most Π_i Σ_x f_i(c_i + x) e^{−bx} over all categories
but one, times the largest term of that one.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

_FURTHEST: Final = 40.0
"""Beyond this many nats of the tilt, upward, a count is bounded by the tilt alone."""


def tilts_for(n: int, m: int) -> Floats:
    """Some tilts to choose the least bound from: that of a space without weights, and smaller ones, shape (4,)."""
    return np.asarray(math.log1p(m / n) * 0.5 ** np.arange(4))


def log_tilted_sums(
    a: Floats, counts: NDArray[np.int64] | Floats, k: float | Floats, tilts: Floats
) -> tuple[Floats, Floats]:
    """ln of upper bounds of Σ_{x >= −c} e^{k h(c + x)} e^{−bx} and of its largest term, elementwise, for `a` = α + c >
    0, `counts` = c >= 0, k > 0 and `tilts` = b > 0.

    By −h(c + x) >= x² / (8a + 4x), which upward is at least x² / (8a + 4X) up to any X, and downward at least x² / 8a.
    Upward the terms fall from 1, so that their sum is at most an integral; downward they rise to a peak and fall, so
    that it is at most an integral and the largest term.
    """
    far = _FURTHEST / tilts
    rate = k / (8.0 * a + 4.0 * far)
    upward = _half_width(rate) * special.erfcx(tilts / (2.0 * np.sqrt(rate)))
    upward += np.exp(-_FURTHEST - rate * far * far) * (1.0 + 1.0 / tilts)
    rate = k / (8.0 * a)
    peak = np.minimum(tilts / (2.0 * rate), counts)
    height = (tilts - rate * peak) * peak
    # The integral over 0 <= x <= c, as a multiple of the largest term.
    slope, root = np.maximum(tilts - 2.0 * rate * counts, 0.0), np.sqrt(rate)
    start, end = slope / (2.0 * root), slope / (2.0 * root) + counts * root
    rising = special.erfcx(start) - np.exp(-(slope + rate * counts) * counts) * special.erfcx(end)
    around = special.erf(peak * root) + special.erf((counts - peak) * root)
    width = np.minimum(counts, _half_width(rate) * np.where(slope > 0.0, rising, around))
    downward = np.where(counts >= 1.0, height + np.log1p(np.maximum(width, 0.0)), -np.inf)
    return np.logaddexp(np.log1p(upward), downward), np.broadcast_to(height, downward.shape)


def _half_width(rate: Floats) -> Floats:
    """∫_0^∞ e^{−rate·x²} dx."""
    return np.asarray(0.5 * np.sqrt(math.pi / rate))
