"""Draws exact geometric variables, P(G = k) = (1 - q) q^k on k = 0, 1, 2, ... with q = e^-rate for a rational rate:
their total, and many at once.

Two facts make thousands of them cheap. The binary digits of a geometric variable are independent, digit j a coin of
probability q^(2^j) / (1 + q^(2^j)); so the total of many needs only the number of heads at each digit. And given their
total, independent geometric variables are a uniform composition of it: every vector of the total has the same
probability (1 - q)^size q^total.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.samplers.bernoulli import BinaryExpansion, binomial, exp_expansion, logistic_expansion
from core.samplers.entropy import Entropy
from core.samplers.split import uniform_split

_TAIL_RATE = 8
"""The digits are drawn one by one up to the first with rate * 2^j >= this; what lies above is geometric with q below
e^-8 and mostly nothing.
"""
_SIDE_BY_SIDE = 1 << 15
"""Coins that are tossed as the bits of one integer; of more, most bits would be drawn for coins that are decided."""
_BYTE = 8


class GeometricTotal:
    """The law of the total of `size` independent geometric variables (negative binomial)."""

    __slots__ = ("_digits", "_rate", "_tail", "size")

    def __init__(self, rate: Fraction, size: int) -> None:
        """`rate` > 0 rational, q = e^-rate; `size` >= 0 variables."""
        if rate <= 0 or size < 0:
            raise ValueError("the rate is positive and the size is not negative")
        self.size, self._rate = size, rate
        *self._digits, self._tail = _coins(rate)

    def draw(self, entropy: Entropy) -> int:
        total = sum(binomial(self.size, digit, entropy) << place for place, digit in enumerate(self._digits))
        return total + self._above(self.size, entropy)

    def draws(self, number: int, entropy: Entropy) -> list[int]:
        """`number` >= 1 independent totals; where they are of few variables, in much less time than one by one."""
        if self.size * (len(self._digits) + 1) * number > _SIDE_BY_SIDE:
            return [self.draw(entropy) for _ in range(number)]
        heads = _side_by_side(self._rate, self.size, number).heads(entropy)
        totals: list[int] = (heads @ (1 << np.arange(len(self._digits) + 1))).tolist()
        for which in heads[:, -1].nonzero()[0].tolist():
            totals[which] += self._above(int(heads[which, -1]), entropy)
        return totals

    def _above(self, going: int, entropy: Entropy) -> int:
        """What `going` variables have beside their digits: G = digits + 2^len(digits) V, V geometric too, and each
        round the variables that are still going add one more.
        """
        rounds = 0
        while going:
            going = binomial(going, self._tail, entropy)
            rounds += going
        return rounds << len(self._digits)


@lru_cache(maxsize=256)
def _coins(rate: Fraction) -> tuple[BinaryExpansion, ...]:
    """The coins of a variable's digits, lowest first, and last the one that says whether what lies above goes on."""
    digits = []
    while rate < _TAIL_RATE:
        digits.append(logistic_expansion(rate))
        rate *= 2
    return (*digits, exp_expansion(rate))


class _SideBySide:
    """`size` tosses of each coin, `number` times: `core.samplers.bernoulli.binomial` with all tosses as the bits of one
    integer. Those of one coin and time fill whole bytes, and the bits that are left over there are decided from the
    start.
    """

    __slots__ = ("_coins", "_digits", "_field", "_number", "_undecided")

    def __init__(self, coins: tuple[BinaryExpansion, ...], size: int, number: int) -> None:
        self._coins, self._number, self._field = coins, number, -(-size // _BYTE)
        self._undecided = int.from_bytes(((1 << size) - 1).to_bytes(self._field) * (number * len(coins)))
        self._digits: dict[int, int] = {}

    def heads(self, entropy: Entropy) -> NDArray[np.int64]:
        """How many tosses were heads, shape (number, coins)."""
        size = self._field * self._number * len(self._coins)
        undecided, heads, place = self._undecided, 0, 0
        while undecided:
            drawn, digits = entropy.bits(_BYTE * size), self._digits_at(place)
            # Where a toss and its coin's digit differ, it is decided: heads where the digit is the larger one.
            differ = undecided & (drawn ^ digits)
            heads |= differ & digits
            undecided ^= differ
            place += 1
        bits = np.frombuffer(heads.to_bytes(size), dtype=np.uint8)
        fields = np.bitwise_count(bits).reshape(len(self._coins), self._number, self._field)
        by_coin: NDArray[np.int64] = fields.sum(axis=2, dtype=np.int64)
        return by_coin.T

    def _digits_at(self, place: int) -> int:
        """The digit of each coin at a place, at all its tosses."""
        if place not in self._digits:
            block = self._field * self._number
            ones = (b"\xff" if coin.digit(place) else b"\x00" for coin in self._coins)
            self._digits[place] = int.from_bytes(b"".join(one * block for one in ones))
        return self._digits[place]


@lru_cache(maxsize=64)
def _side_by_side(rate: Fraction, size: int, number: int) -> _SideBySide:
    return _SideBySide(_coins(rate), size, number)


def geometrics(rate: Fraction, size: int, entropy: Entropy) -> NDArray[np.int64]:
    """`size` >= 1 independent geometric variables with q = e^-rate, shape (size,)."""
    return uniform_split(GeometricTotal(rate, size).draw(entropy), size, entropy)
