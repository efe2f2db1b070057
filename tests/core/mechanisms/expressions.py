"""Expressions whose operations are counted, to test the counter."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.int64]


def masked(values: Values) -> object:
    return values[values > 2]


def branched(values: Values) -> object:
    return values.sum() if values[0] else 0


def shifted(values: Values) -> object:
    return 1 << int(values[0])


def chosen(values: Values) -> object:
    return np.where(values > 2, values, 0)


def doubled(values: Values) -> object:
    return values * 2


def looped(values: Values) -> object:
    left = values.tolist()[0]
    while left:
        left -= 1
    return left


def parted(values: Values) -> object:
    first, other = values.tolist()[:2]
    if first:
        first = other
    return first


def grown(values: Values) -> object:
    base, power = values.tolist()[0], 1 << 64
    power **= base
    return len(values)


def summed(values: Values) -> object:
    total = 0
    for each in values.tolist():
        total += each
    return total


SHOWS: Final = {
    masked: True, branched: True, shifted: True, looped: True, parted: True, grown: True,
    chosen: False, doubled: False, summed: False,
}  # fmt: skip
"""Whether the operations tell one array from another."""
