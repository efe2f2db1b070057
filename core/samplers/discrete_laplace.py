"""Exact draws from the discrete Laplace distribution, P(X = k) = (1 - q) / (1 + q) q^|k|, and of the floor of a Laplace
variable.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from core.samplers.bernoulli import bernoulli_exp_up_to_one
from core.samplers.entropy import Entropy
from core.samplers.geometric import geometrics
from core.samplers.uniform import uniform_below


def discrete_laplace(scale: Fraction, entropy: Entropy) -> int:
    """Draw an integer with P(k) proportional to e^(-|k| / scale), scale > 0 rational.

    Source: Canonne, Kamath, Steinke 2020, Algorithm 2.
    """
    if scale <= 0:
        raise ValueError("the scale must be positive")
    period, step = scale.numerator, scale.denominator
    while True:
        # remainder + period * rounds is geometric with q = e^(-1/period); its quotient by the step is geometric with q
        # = e^(-step/period).
        remainder = uniform_below(period, entropy)
        if not bernoulli_exp_up_to_one(remainder, period, entropy):
            continue
        rounds = 0
        while bernoulli_exp_up_to_one(1, 1, entropy):
            rounds += 1
        magnitude = (remainder + period * rounds) // step
        negative = bool(entropy.bits(1))
        # Zero can be drawn with either sign. Reject one of them, so that zero does not count twice.
        if not (negative and magnitude == 0):
            return -magnitude if negative else magnitude


def floored_laplaces(scale: Fraction, size: int, entropy: Entropy) -> NDArray[np.int64]:
    """Draw `size` >= 1 independent floors of a continuous Laplace(scale) variable, shape (size,).

    The floor is G or -1 - G, each with probability one half, with G geometric, q = e^(-1 / scale). It is asymmetric
    with mean -1/2.
    """
    magnitudes = geometrics(1 / scale, size, entropy)
    signs = np.frombuffer(entropy.bits(8 * size).to_bytes(size), dtype=np.uint8) & 1
    return np.where(signs == 1, -1 - magnitudes, magnitudes)
