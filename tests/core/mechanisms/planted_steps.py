"""Recurrences whose number of steps depends on an argument, and so discloses how many arguments are small."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.special_functions import _HALF_STEP, _STIRLING, _odd_series

_SERIES_FROM = 16


def stirling_remainder(z: ArrayLike) -> NDArray[np.float64]:
    """The remainder of Stirling's formula: R(z) = lnΓ(z) − (z − ½) ln z + z − ½ ln 2π, for z > 0.

    Returns an array of the shape of `z`, right to 2e-15, and relatively so where it is larger than 1.
    Source: DLMF 5.11.1, and R(z) = R(z + 1) + (z + ½) ln(1 + 1/z) − 1 below 16.
    """
    steps, small, argument = _raise_arguments(z)
    remainder = _odd_series(_STIRLING, argument)
    if small.any():
        added = (steps + 0.5) * np.log1p(1.0 / steps) - 1.0
        remainder[small] += np.where(steps < _SERIES_FROM, added, 0.0).sum(axis=1)
    return remainder.reshape(np.shape(z))


def log_half_step(t: ArrayLike) -> NDArray[np.float64]:
    """ln g(t), g(t) = Γ(t + ½) / sqrt(Γ(t) Γ(t + 1)), for t > 0: negative, increasing to 0, concave.

    One record that moves from category i to j changes a posterior to one at affinity g(α_i + c_i − 1) g(α_j + c_j).
    Returns an array of the shape of `t`, to 1e-14 relative.
    Source: g(t)² = g(t + 1)² / (1 + 1 / (4 t (t + 1))) below 16, DLMF 5.11.8 from there.
    """
    steps, small, argument = _raise_arguments(t)
    logarithm = _odd_series(_HALF_STEP, argument)
    if small.any():
        added = 0.5 * np.log1p(0.25 / (steps * (steps + 1.0)))
        logarithm[small] -= np.where(steps < _SERIES_FROM, added, 0.0).sum(axis=1)
    return logarithm.reshape(np.shape(t))


def _raise_arguments(z: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]:
    """All steps of a recurrence together: z, z + 1, … of the k arguments below 16, shape (k, 16), which these are, and
    for each argument the first of z, z + 1, … that the series is used at; both flat.
    """
    argument = np.array(z, dtype=np.float64).ravel()
    small = argument < _SERIES_FROM
    steps = argument[small][:, None] + np.arange(float(_SERIES_FROM))
    argument[small] += np.ceil(_SERIES_FROM - argument[small])
    return steps, small, argument
