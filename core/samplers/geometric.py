"""Exact geometric variables, P(G = k) = (1 - q) q^k on k = 0, 1, 2, ... with q = e^-rate for a rational rate: their
total, and many at once.

Two facts make thousands of them cheap. The binary digits of a geometric variable are independent; digit j is a coin of
probability q^(2^j) / (1 + q^(2^j)). So the total of many needs only the number of heads at each digit, a binomial
variable. Given their total, independent geometric variables are a uniform composition of it, as every vector with this
total has the same probability (1 - q)^size q^total.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.samplers.entropy import Entropy
from core.samplers.inversion import Inversions, LogConcave
from core.samplers.split import uniform_split

_TAIL_RATE = 8
"""Digits are drawn up to the first with rate * 2^j >= this. The part above is geometric with q < e^-8, and mostly 0."""


class GeometricTotal:
    """The distribution of the total of `size` independent geometric variables (negative binomial)."""

    __slots__ = ("_parts",)

    def __init__(self, rate: Fraction, size: int) -> None:
        """Take a rational `rate` > 0, with q = e^-rate, and the number `size` >= 0 of variables."""
        if rate <= 0 or size < 0:
            raise ValueError("the rate must be positive, and the size must not be negative")
        self._parts = _parts(rate, size)

    def draw(self, entropy: Entropy) -> int:
        return self.draws(1, entropy)[0]

    def draws(self, number: int, entropy: Entropy) -> list[int]:
        """Draw `number` >= 1 independent totals. This takes little more time than one."""
        heads = self._parts.draws(number, entropy)
        totals: list[int] = (heads @ (1 << np.arange(heads.shape[1]))).tolist()
        return totals


@lru_cache(maxsize=16)
def _parts(rate: Fraction, size: int) -> Inversions:
    """Return the distributions from which a total is computed.

    A variable is G = digits + 2^len(digits) V, with V geometric too. For each binary digit, lowest first, there is the
    number of variables that have it; the last distribution is that of the total of V.
    """
    digits = []
    while rate < _TAIL_RATE:
        digits.append(LogConcave.binomial(size, rate))
        rate *= 2
    return Inversions((*digits, LogConcave.negative_binomial(size, rate)))


def geometrics(rate: Fraction, size: int, entropy: Entropy) -> NDArray[np.int64]:
    """Draw `size` >= 1 independent geometric variables with q = e^-rate, shape (size,)."""
    return uniform_split(GeometricTotal(rate, size).draw(entropy), size, entropy)
