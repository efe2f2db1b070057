"""Exact draws from the discrete Gaussian distribution, P(X = k) proportional to e^(-k^2 / (2 variance)) on the
integers.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from core.samplers.bernoulli import bernoulli_exp_of
from core.samplers.discrete_laplace import discrete_laplace
from core.samplers.entropy import Entropy


def discrete_gaussian(variance: Fraction, entropy: Entropy) -> int:
    """Draw an integer with P(k) proportional to e^(-k^2 / (2 variance)) (Canonne, Kamath, Steinke 2020, Algorithm 3).

    `variance` > 0, rational, is the parameter sigma^2; the distribution's variance is slightly smaller. Proposals come
    from a discrete Laplace distribution of about the same width. The number of rounds discloses nothing beyond the draw
    itself. Raises ValueError unless the variance is positive.
    """
    if variance <= 0:
        raise ValueError("the variance must be positive")
    a, b = variance.numerator, variance.denominator
    scale = isqrt(a // b) + 1
    proposals = Fraction(scale)
    while True:
        proposal = discrete_laplace(proposals, entropy)
        # (|k| - variance / scale)^2 / (2 variance), in integers.
        if bernoulli_exp_of((abs(proposal) * scale * b - a) ** 2, 2 * a * b * scale**2, entropy):
            return proposal
