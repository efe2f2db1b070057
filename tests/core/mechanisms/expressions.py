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


SHOWS: Final = {masked: True, branched: True, shifted: True, chosen: False, doubled: False}
"""Whether the operations tell one array from another."""
