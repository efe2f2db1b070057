"""Widths that plans estimate roughly are within a percent of those that releases get."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from core.inference import infer
from core.inference.rough_intervals import rough_intervals_of
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon

E = Epsilon.parse


def agree(found: NDArray[np.float64], exact: NDArray[np.float64]) -> None:
    """Assert that each width and each end, shape (k, 2), is right to a percent of the width."""
    widths = np.diff(exact, axis=1)
    assert np.diff(found, axis=1) == pytest.approx(widths, rel=0.01)
    assert np.all(np.abs(found - exact) <= 0.01 * widths)


@pytest.mark.parametrize(("n", "first", "epsilon"), [(20_000, 3, "0.004"), (10**6, 700_000, "0.002")])
def test_rough_intervals_of_distributions_of_many_counts_are_within_a_percent(n: int, first: int, epsilon: str) -> None:
    event, release = SimplexGeometric(n, 2, E(epsilon)), NoisyCounts((first, n - first), (first, n - first))
    distribution = infer(event, release, [0.5, 2.0]).share(0)
    assert distribution.probabilities.size > 4096
    exact = np.array([distribution.interval(0.9)])
    agree(rough_intervals_of([distribution], 0.9), exact)
