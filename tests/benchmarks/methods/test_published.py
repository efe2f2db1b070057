"""The methods of Xiao and Xiong for the distribution of an error, compared with the exact distribution."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.papers.methods import published
from core.queries.error_distribution import LaplaceSum
from core.samplers.reproducible import Reproducible


def test_the_four_ways_agree() -> None:
    scales = np.array([10.0, 25.0 / 3, 2 * 5.0 / 3])
    law = LaplaceSum(scales)
    sampled = published.mass_by_sampling(scales, 200_000, Reproducible(4))
    convolved = published.mass_by_convolution(scales, 1e-10)
    filtered = published.mass_by_filters(scales, 0.05, 400.0)
    for confidence in (0.5, 0.9, 0.99):
        exact = law.half_width(confidence)
        assert published.half_width_of(convolved, confidence) == pytest.approx(exact, abs=0.6)
        assert published.half_width_of(sampled, confidence) == pytest.approx(exact, abs=1.2)
        assert published.half_width_of(filtered, confidence, 0.05) == pytest.approx(exact, abs=0.06)
    masses = [law.beyond(i - 0.5) - law.beyond(i + 0.5) for i in range(1, 30)]
    middle = (convolved.size - 1) // 2
    # Rounding each noise is not the same as rounding their sum.
    assert convolved[middle + 1 : middle + 30] == pytest.approx(masses, abs=1e-4)
    assert 1 - convolved.sum() <= -np.expm1(len(scales) * np.log1p(-1e-10))
    assert 1 - published.laplace_mass(3.0, 1e-3).sum() <= 1e-3
