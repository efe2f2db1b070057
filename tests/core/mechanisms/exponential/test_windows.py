"""The tilt that windows expect is about the one at which the counts of cut normal distributions add up, however far it
is.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from core.mechanisms.exponential.components import HellingerComponents
from core.mechanisms.exponential.windows import expected_tilt

MIXED = [np.where(np.arange(1000) < large, 1e6, 1e-3) for large in (1, 8, 15, 22, 500)]


@pytest.mark.parametrize("prior", MIXED, ids=lambda prior: str(int((prior > 1).sum())))
def test_every_histogram_of_mixed_priors_has_an_expected_tilt(prior: NDArray[np.float64]) -> None:
    """If a few categories are far wider than the number of records, the normal distributions are cut beyond a thousand
    deviations, and rounding cancels a difference of hazards completely.
    """
    for n, k, place in itertools.product((2, 3, 5, 50), (1.0, 2.0, 8.0, 17.0), (0, 999)):
        counts = n * np.eye(1000)[place]
        tilt = expected_tilt(prior + counts, counts, k, n, np.ones(1000))
        assert 0.0 <= tilt <= math.log1p(1000 / n)


def test_a_distribution_of_few_records_under_mixed_priors_is_found() -> None:
    for place in (0, 999):
        counts = (3 * np.eye(1000)[place]).astype(np.int64)
        distribution = HellingerComponents(MIXED[0], counts, 1e-20).distribution(8.0)
        assert 0.0 <= distribution.log_normaliser <= math.log(math.comb(1002, 3))


@pytest.mark.parametrize("k", [1.0, 30.0, 1e4])
@pytest.mark.parametrize("alpha", [1.0, 1e3, 1e6])
def test_cut_normal_distributions_add_up_at_the_tilt(alpha: float, k: float) -> None:
    counts = np.array([40.0, 3.0, 0.0, 0.0, 0.0, 7.0])
    deviations = 2.0 * np.sqrt((alpha + counts) / k)
    tilt = expected_tilt(alpha + counts, counts, k, 50, np.ones(6))
    if 0.0 < tilt < math.log1p(6 / 50):
        ends = tilt * deviations - counts / deviations
        excess = float((deviations * stats.truncnorm.mean(ends, math.inf) - tilt * deviations**2).sum())
        assert abs(excess) <= 1e-2 * float(np.sqrt(np.square(deviations).sum()))
