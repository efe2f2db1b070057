"""Integrates a function of one variable by panels that are halved until two quadrature rules agree."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

_ORDER: Final = 32
"""Order of the rule; a panel has one more node."""
_MAX_PANELS: Final = 1024
"""Largest number of panels computed at once; halving stops there."""
_MAX_HALVINGS: Final = 40


def _clenshaw_curtis(order: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return order + 1 nodes in [−1, 1] and their weights, for an even order. Every second node is also a node of half
    the order.

    Source: Waldvogel 2006, equation 2.4.
    """
    angles, j = np.arange(order + 1) * (math.pi / order), np.arange(1, order // 2 + 1)
    factors = np.where(j == order // 2, 1.0, 2.0) / (4.0 * j**2 - 1.0)
    weights = (2.0 / order) * (1.0 - np.cos(2.0 * np.outer(angles, j)) @ factors)
    weights[[0, -1]] *= 0.5
    return np.cos(angles), weights


_NODES, _WEIGHTS = _clenshaw_curtis(_ORDER)
_COARSE_WEIGHTS = _clenshaw_curtis(_ORDER // 2)[1]


def integral(
    integrand: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    edges: NDArray[np.float64],
    tolerance: float,
    *,
    relative: bool = False,
) -> float:
    """Return the integral from the first edge to the last. Panels are halved until two rules agree within `tolerance`
    on each.

    If `relative`, the tolerance is a multiple of the integral so far, or of 1 if that is larger.
    """
    left, right = edges[:-1], edges[1:]
    total = 0.0
    for _ in range(_MAX_HALVINGS):
        if not left.size:
            break
        middle, half = 0.5 * (left + right), 0.5 * (right - left)
        heights = integrand((middle[:, None] + half[:, None] * _NODES).ravel()).reshape(left.size, -1)
        fine, coarse = half * (heights @ _WEIGHTS), half * (heights[:, ::2] @ _COARSE_WEIGHTS)
        allowed = tolerance * max(1.0, total + float(fine.sum())) if relative else tolerance
        is_open = np.abs(fine - coarse) > allowed
        if int(is_open.sum()) > _MAX_PANELS // 2:
            is_open[:] = False
        total += float(fine[~is_open].sum())
        left, right = (
            np.concatenate([left[is_open], middle[is_open]]),
            np.concatenate([middle[is_open], right[is_open]]),
        )
    return total
