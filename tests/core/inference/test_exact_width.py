"""The width that is expected without noise, given a release, against sums over all counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from core.inference import infer
from core.inference.beta_pairs import BetaPairs
from core.inference.events import Share, share_distribution
from core.inference.exact_width import expected_exact_width
from core.inference.mixture import BetaMixture
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon


def width(a: NDArray[Any], b: NDArray[Any], level: float) -> NDArray[Any]:
    tail = (1.0 - level) / 2.0
    found: NDArray[Any] = special.betaincinv(a, b, 1.0 - tail) - special.betaincinv(a, b, tail)
    return found


@pytest.mark.parametrize("level", [0.5, 0.95])
@pytest.mark.parametrize(
    ("n", "count", "epsilon", "prior"),
    [
        (200_745, 33, "0.25", 1.0),
        (200_745, 33, "0.1", 1.0),
        (200_745, 0, "0.1", 0.02),
        (1000, 500, "0.01", 1.0),
        (10**6, 2, "0.01", 0.05),
        (10**6, 999_999, "0.01", 0.1),
        (1, 1, "5", 1.0),
    ],
)
def test_the_width_without_noise_is_that_of_all_possible_counts(
    n: int, count: int, epsilon: str, prior: float, level: float
) -> None:
    event, counts = SimplexGeometric(n, 2, Epsilon.parse(epsilon)), (count, n - count)
    posterior, share = infer(event, NoisyCounts(counts, counts), [prior, prior]), Share(frozenset({0}))
    distribution = share_distribution(posterior, share).distribution
    assert isinstance(distribution, BetaMixture)
    possible = distribution.low + np.arange(distribution.probabilities.size)
    exact = float(distribution.probabilities @ width(prior + possible, prior + (n - possible), level))
    assert expected_exact_width(posterior, share, distribution, level) == pytest.approx(exact, rel=1e-3)


def test_conditional_shares_and_draws_have_the_same_width() -> None:
    event, counts = SimplexGeometric(600, 4, Epsilon.parse("4")), (20, 80, 200, 300)
    posterior = infer(event, NoisyCounts(counts, counts), [1.0] * 4)
    share = Share(frozenset({0}), frozenset({0, 1}))
    distribution = share_distribution(posterior, share).distribution
    assert isinstance(distribution, BetaPairs)
    exact = float(distribution.weights @ width(distribution.a, distribution.b, 0.9))
    assert expected_exact_width(posterior, share, distribution, 0.9) == pytest.approx(exact, rel=1e-3)
    assert expected_exact_width(posterior, share, None, 0.9) == pytest.approx(exact, rel=0.01)


@pytest.mark.parametrize(
    ("counts", "prior", "share", "given", "epsilon"),
    [
        ((10, 3, 0, 1), [1.0, 0.01, 0.3, 0.3], {3}, {1, 2, 3}, "0.5"),
        ((3, 3, 0), [0.01, 0.001, 0.05], {0}, {0, 1}, "2"),
        ((10, 1, 0), [0.001, 0.001, 0.01], {2}, {1, 2}, "0.5"),
    ],
)
def test_conditional_shares_have_the_same_width_under_small_priors(
    counts: tuple[int, ...], prior: list[float], share: set[int], given: set[int], epsilon: str
) -> None:
    """Distributions of one deviation have different skews here."""
    event = SimplexGeometric(sum(counts), len(counts), Epsilon.parse(epsilon))
    posterior, asked = infer(event, NoisyCounts(counts, counts), prior), Share(frozenset(share), frozenset(given))
    distribution = share_distribution(posterior, asked).distribution
    assert isinstance(distribution, BetaPairs)
    exact = float(distribution.weights @ width(distribution.a, distribution.b, 0.95) / distribution.weights.sum())
    assert expected_exact_width(posterior, asked, distribution, 0.95) == pytest.approx(exact, rel=1e-3)
