"""The bounds of the notes, compared with the exact tail and with every histogram of small spaces."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.papers.bounds import exceeding_bound, log_normaliser_floor
from core.dirichlet import hellinger_of_posteriors
from core.mechanisms.exponential.error import error_distribution
from core.mechanisms.exponential.mixture import HellingerMixture
from core.mechanisms.exponential.sensitivity import global_sensitivity, smooth_sensitivity
from core.samplers.reproducible import Reproducible
from tests.core.histograms import histograms


def test_the_public_bound_lies_above_the_exact_tail() -> None:
    prior, counts = np.array([1.0, 1.0, 1.0]), np.array([20, 20, 20])
    sensitivity = global_sensitivity(prior, 60)
    mixture = HellingerMixture(prior, counts)
    t = np.linspace(0.0, 1.0, 21)
    bound = exceeding_bound(t, epsilon0=30.0, sensitivity=sensitivity, log_candidates=mixture.log_component(0.0))
    distribution = error_distribution(mixture, 30.0 / (2.0 * sensitivity), Reproducible(1))
    assert all(distribution.exceeding(float(at)) <= most + 1e-12 for at, most in zip(t, bound, strict=True))
    assert bound[-1] < 1e-8


@pytest.mark.parametrize(
    ("n", "prior"), [(12, (1.0, 1.0)), (30, (0.2, 3.0)), (7, (1.0, 0.4, 2.0)), (5, (1.0, 1.0, 1.0, 1.0))]
)
@pytest.mark.parametrize(("epsilon0", "gamma"), [(0.8, 0.03), (2.0, 0.2), (0.1, 0.004)])
def test_no_histogram_has_a_normaliser_below_the_public_floor(
    n: int, prior: tuple[float, ...], epsilon0: float, gamma: float
) -> None:
    floor = log_normaliser_floor(n, len(prior), epsilon0=epsilon0, gamma=gamma)
    every = np.array(list(histograms(n, len(prior))))
    least = np.inf
    for c in every:
        rate = epsilon0 / (2 * smooth_sensitivity(np.array(prior), c, gamma))
        least = min(least, float(np.log(np.exp(-rate * hellinger_of_posteriors(prior, c, every)).sum())))
    assert 0.0 < floor <= least
    assert log_normaliser_floor(n, len(prior), epsilon0=0.8 * epsilon0, gamma=gamma) > floor


@pytest.mark.parametrize(("n", "m"), [(9, 2), (6, 3), (5, 4)])
def test_no_histogram_has_fewer_others_nearby_than_one_with_a_single_category(n: int, m: int) -> None:
    """The lemma behind the floor, for every number of records d."""
    every = np.array(list(histograms(n, m)))
    moved = np.abs(every[:, None, :] - every[None, :, :]).sum(axis=2) // 2
    corner = moved[(every[:, 0] == n).argmax()]
    for d in range(n + 1):
        assert ((moved <= d).sum(axis=1) >= (corner <= d).sum()).all()
