"""The change of κ between neighbours is never above its bound."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.mechanisms.exponential.rates import bounds_of_rate_change, largest_rate_change
from core.mechanisms.exponential.sensitivity import smooth_sensitivity, two_category_sensitivities
from tests.core.histograms import histograms, neighbours

PRIORS = [
    ((1.0, 1.0), 30),
    ((0.3, 2.5), 20),
    ((50.0, 0.01), 12),
    ((1.0, 1.0, 1.0), 9),
    ((0.5, 3.7, 0.2), 9),
    ((30.0, 40.0, 20.0), 8),
    ((1e3, 1e3, 1e5), 8),
    ((1.0, 0.4, 2.0, 9.0), 5),
    ((1e3, 1e3, 1e3, 1e3), 4),
]


@pytest.mark.parametrize("gamma", [1e-3, 0.05, 0.5])
@pytest.mark.parametrize(("prior", "n"), PRIORS)
def test_the_bound_holds_for_every_pair_of_neighbours(prior: tuple[float, ...], n: int, gamma: float) -> None:
    alpha = np.array(prior)
    rates = {c: 0.5 / smooth_sensitivity(alpha, np.array(c), gamma) for c in histograms(n, len(prior))}
    largest = max(abs(rates[x] - rates[y]) for x in rates for y in neighbours(x))
    assert largest <= largest_rate_change(alpha, n, 1.0, gamma)
    assert largest <= float(bounds_of_rate_change(alpha, n, 1.0, np.array([gamma]))[0])


@pytest.mark.parametrize("gamma", [3e-4, 0.004, 0.015, 0.06])
@pytest.mark.parametrize(("prior", "n"), [((1.0, 1.0), 20_000), ((0.01, 70.0), 20_000), ((40.0, 40.0), 5_000)])
def test_the_general_bound_holds_for_two_categories_of_many_records_and_is_not_far_off(
    prior: tuple[float, float], n: int, gamma: float
) -> None:
    alpha = np.array(prior)
    largest = float(np.abs(np.diff(0.5 / two_category_sensitivities(alpha, n, gamma))).max())
    assert largest <= float(bounds_of_rate_change(alpha, n, 1.0, np.array([gamma]))[0]) <= 6 * largest + 0.02


def test_the_bound_holds_along_a_path_of_many_categories() -> None:
    """Beyond enumeration: from an even histogram to one that empties two categories, record by record."""
    alpha, gamma = np.ones(10), 0.02
    bound = largest_rate_change(alpha, 5_000, 1.0, gamma)
    counts = np.full(10, 500)
    before, largest = 0.5 / smooth_sensitivity(alpha, counts, gamma), 0.0
    for category in (0, 1):
        while counts[category]:
            counts[category] -= 1
            counts[2 + counts[category] % 8] += 1
            after = 0.5 / smooth_sensitivity(alpha, counts, gamma)
            before, largest = after, max(largest, abs(after - before))
    assert 0.1 * bound < largest <= bound


def test_the_bound_does_not_grow_with_the_number_of_records() -> None:
    bounds = [largest_rate_change(np.ones(10), n, 1.0, 0.01) for n in (10**4, 10**5, 10**6, 10**7)]
    assert max(bounds) <= min(bounds) * 1.001
    assert max(bounds) <= math.sqrt(7.5 * 0.01)
