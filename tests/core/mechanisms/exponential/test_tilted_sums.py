"""Sums of tilted weights: bounds above what adding up gives, and close where a draw needs them."""

from __future__ import annotations

import numpy as np
import pytest

from core.mechanisms.exponential.tilted_sums import log_tilted_sums, tilts_for
from core.special_functions import log_affinity

_FAR = 100_000


@pytest.mark.parametrize("alpha", [0.001, 0.5, 1.0, 40.0, 1e4, 1e6])
@pytest.mark.parametrize("count", [0, 1, 7, 300, 20_000])
def test_bounds_lie_above_the_sum_and_its_largest_term(alpha: float, count: int) -> None:
    for k in (0.5, 1.0, 9.0, 300.0, 1e6):
        for tilt in (1e-3, 0.02, 0.7, 5.0):
            x = np.arange(-count, _FAR)
            logs = k * log_affinity(alpha, count, count + x) - tilt * x
            sums, largest = log_tilted_sums(np.array([alpha + count]), np.array([float(count)]), k, np.array([tilt]))
            assert largest[0] >= logs.max() - 1e-9
            assert sums[0] >= np.logaddexp.reduce(logs) - 1e-9


def test_where_the_tilt_is_that_of_the_space_they_lie_close() -> None:
    """Ten thousand records over a hundred categories, priors of a million: per category less than a tenth of a nat."""
    x = np.arange(-100, 40_000)
    for tilt in tilts_for(10_000, 100).tolist():
        for k in (1.0, 100.0):
            logs = k * log_affinity(1e6, 100, 100 + x) - tilt * x
            sums, _ = log_tilted_sums(np.array([1e6 + 100]), np.array([100.0]), k, np.array([tilt]))
            assert 0 <= sums[0] - np.logaddexp.reduce(logs) < 0.1
