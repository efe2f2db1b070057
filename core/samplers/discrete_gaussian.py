"""The exact discrete Gaussian distribution, P(X = k) proportional to e^(-k^2 / (2 variance)) on the integers."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from core.samplers.bernoulli import bernoulli_exp
from core.samplers.discrete_laplace import discrete_laplace
from core.samplers.entropy import Entropy


def discrete_gaussian(variance: Fraction, entropy: Entropy) -> int:
    """An integer with P(k) proportional to e^(-k^2 / (2 variance)) (Canonne, Kamath, Steinke 2020, Algorithm 3).

    `variance` > 0 rational is the parameter sigma^2, which the variance of the law stays just below. Rejection from a discrete Laplace law of
    about the same width; the number of rounds says nothing beyond the draw itself.
    """
    if variance <= 0:
        raise ValueError("the variance is positive")
    scale = isqrt(variance.numerator // variance.denominator) + 1
    while True:
        proposal = discrete_laplace(Fraction(scale), entropy)
        if bernoulli_exp((abs(proposal) - variance / scale) ** 2 / (2 * variance), entropy):
            return proposal
