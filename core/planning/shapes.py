"""Made-up histograms for callers without a guess."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from core.candidates import of_shares


class Shape(StrEnum):
    """Reference histograms: equal shares, shares that fall as 1, 1/2, 1/3, …, or the prior's mean."""

    EVEN = "even"
    FALLING = "falling"
    PRIOR_MEAN = "prior_mean"


def reference_counts(shape: Shape, n: int, prior: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return a made-up histogram of n records over the prior's m categories, shape (m,).

    The first category gets the rounding rest.
    """
    match shape:
        case Shape.EVEN:
            shares = np.ones(prior.size)
        case Shape.FALLING:
            shares = 1.0 / np.arange(1.0, prior.size + 1.0)
        case Shape.PRIOR_MEAN:
            shares = prior
        case _:
            assert_never(shape)
    return of_shares(n, shares)
