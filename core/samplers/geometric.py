"""Draws exact geometric variables, P(G = k) = (1 - q) q^k on k = 0, 1, 2, ... with q = e^-rate for a rational rate:
their total, and many at once.

Two facts make thousands of them cheap. The binary digits of a geometric variable are independent, digit j a coin of
probability q^(2^j) / (1 + q^(2^j)); so the total of many needs only the number of heads at each digit. And given their
total, independent geometric variables are a uniform composition of it: every vector of the total has the same
probability (1 - q)^size q^total.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from core.samplers.bernoulli import BinaryExpansion, binomial, exp_expansion, logistic_expansion
from core.samplers.entropy import Entropy
from core.samplers.split import uniform_split

_TAIL_RATE = 4
"""The digits are drawn one by one up to the first with rate * 2^j >= this; what lies above is geometric with q below
e^-4 and soon exhausted.
"""


class GeometricTotal:
    """The law of the total of `size` independent geometric variables (negative binomial), with the digits its coins
    need kept between draws.
    """

    __slots__ = ("_digits", "_tail", "size")

    def __init__(self, rate: Fraction, size: int) -> None:
        """`rate` > 0 rational, q = e^-rate; `size` >= 0 variables."""
        if rate <= 0 or size < 0:
            raise ValueError("the rate is positive and the size is not negative")
        self.size = size
        self._digits: list[BinaryExpansion] = []
        while rate < _TAIL_RATE:
            self._digits.append(logistic_expansion(rate))
            rate *= 2
        self._tail = exp_expansion(rate)

    def draw(self, entropy: Entropy) -> int:
        total = sum(binomial(self.size, digit, entropy) << place for place, digit in enumerate(self._digits))
        # G = digits + 2^len(digits) V, V geometric too: each round, the variables that are still going add one more.
        going = self.size
        while going:
            going = binomial(going, self._tail, entropy)
            total += going << len(self._digits)
        return total


def geometrics(rate: Fraction, size: int, entropy: Entropy) -> NDArray[np.int64]:
    """`size` >= 1 independent geometric variables with q = e^-rate, shape (size,)."""
    return uniform_split(GeometricTotal(rate, size).draw(entropy), size, entropy)
