"""The normalisers of neighbours are never further apart than λ, and λ is the number that the theorem gives."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

from core.candidates import log_affinities
from core.mechanisms.exponential import normalisers as normaliser_ratio
from core.mechanisms.exponential.normalisers import normaliser_excess
from core.mechanisms.exponential.rates import rate_of_category
from core.mechanisms.exponential.sensitivity import local_sensitivity
from tests.core.histograms import histograms, neighbours

PRIORS = [
    ((1.0, 1.0), 12),
    ((0.3, 2.5), 10),
    ((50.0, 0.01), 10),
    ((100.0, 100.0), 8),
    ((2000.0, 500.0), 6),
    ((1.0, 1.0, 1.0), 7),
    ((0.5, 3.7, 0.2), 7),
    ((1.0, 0.4, 2.0, 9.0), 4),
]


@pytest.mark.parametrize("epsilon0", [0.2, 1.0, 8.0])
@pytest.mark.parametrize(("prior", "n"), PRIORS)
def test_the_bound_holds_for_every_pair_at_the_largest_rate_of_either(
    prior: tuple[float, ...], n: int, epsilon0: float
) -> None:
    """Also with an admixture, and with the rate lowered: the bound is for every κ up to ε₀/(2Δ(y))."""
    bound = normaliser_excess(np.array(prior), n, epsilon0, math.inf)
    distances = {c: np.sqrt(-np.expm1(log_affinities(prior, np.array(c)))) for c in histograms(n, len(prior))}
    for y, from_y in distances.items():
        for x in neighbours(y):
            for part in (1.0, 0.5):
                rate = part * epsilon0 / (2 * local_sensitivity(np.array(prior), np.array(y)))
                for added in (0.0, 1e-3):
                    ratio = (np.exp(-rate * from_y) + added).sum() / (np.exp(-rate * distances[x]) + added).sum()
                    assert math.log(ratio) <= bound + 1e-12


@pytest.mark.parametrize(
    ("m", "n", "epsilon0", "expected"),
    [
        (3, 60, 0.2, 0.586),
        (3, 60, 0.8, 0.639),
        (3, 60, 2.0, 0.732),
        (3, 1000, 0.8, 0.549),
        (3, 1000, 2.0, 0.602),
        (10, 1000, 0.2, 0.530),
        (10, 1000, 0.8, 0.577),
        (10, 1000, 2.0, 0.648),
        (10, 10**6, 0.8, 0.520),
        (10, 10**6, 2.0, 0.546),
    ],
)
def test_the_loss_at_one_rate_is_the_tabled_share_of_epsilon(m: int, n: int, epsilon0: float, expected: float) -> None:
    assert 0.5 + normaliser_excess(np.ones(m), n, epsilon0, math.inf) / epsilon0 == pytest.approx(expected, abs=6e-4)


@pytest.mark.parametrize(("alpha", "m"), [(1.0, 3), (0.2, 10), (30.0, 2)])
def test_the_blocks_of_large_counts_bound_what_single_counts_give(alpha: float, m: int) -> None:
    beyond = normaliser_ratio._excess_beyond(alpha, 40, 3000, m, 0.8, math.inf)
    assert 0 < beyond < 0.4
    for z in (40, 41, 60, 100, 300, 1000, 2999):
        rate = np.array([rate_of_category(alpha + z, 0.8)])
        assert 0 < normaliser_ratio._excess_at(alpha, np.array([z]), 3000, m, rate)[0] <= beyond


def test_strong_priors_and_many_distinct_ones_fall_back_on_the_triangle_inequality() -> None:
    assert normaliser_excess(np.full(2, 1e4), 100, 0.1, math.inf) > 0.04
    assert normaliser_excess(np.linspace(1, 2, 40), 1000, 0.8, math.inf) == 0.4


def test_a_bound_that_is_no_number_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A maximum would drop it, and with it the largest of the bounds."""
    assert normaliser_ratio._combine_log_sums(math.nan, 0.0, 10, 3) == math.inf
    monkeypatch.setattr(normaliser_ratio, "rates_of_categories", lambda u, _: np.full(u.shape, math.nan))
    assert normaliser_excess(np.ones(3), 20, 0.8, math.inf) == 0.4


def test_small_priors_of_different_categories_give_the_larger_of_their_bounds_without_a_warning() -> None:
    for n in (1, 5, 300):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            together = normaliser_excess(np.array([0.001, 0.002]), n, 1.0, math.inf)
        assert together == max(normaliser_excess(np.full(2, alpha), n, 1.0, math.inf) for alpha in (0.001, 0.002))
