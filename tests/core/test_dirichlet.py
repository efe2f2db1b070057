from __future__ import annotations

from dataclasses import FrozenInstanceError

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

from core.dirichlet import (
    Dirichlet,
    DirichletError,
    hellinger_of_posteriors,
    posterior,
)

mp.mp.dps = 50


def reference_hellinger(a: list[float], b: list[float]) -> float:
    def log_beta(vector: list[mp.mpf]) -> mp.mpf:
        return mp.fsum(map(mp.loggamma, vector)) - mp.loggamma(mp.fsum(vector))

    exact_a, exact_b = [mp.mpf(x) for x in a], [mp.mpf(x) for x in b]
    middle = [(x + y) / 2 for x, y in zip(exact_a, exact_b, strict=True)]
    return float(mp.sqrt(1 - mp.exp(log_beta(middle) - (log_beta(exact_a) + log_beta(exact_b)) / 2)))


def test_posterior_adds_the_counts_to_the_prior() -> None:
    assert posterior([0.5, 2.0, 1.0], [3, 0, 7]).concentration == (3.5, 2.0, 8.0)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([1e5, 2e5, 3e5], [1e5 + 1, 2e5 - 1, 3e5]),
        ([7.0, 4.0, 5.0], [8.0, 3.0, 5.0]),
    ],
)
def test_hellinger_against_mpmath(a: list[float], b: list[float]) -> None:
    prior = [1.0] * len(a)
    counts, other = np.array(a) - 1.0, np.array(b) - 1.0
    assert hellinger_of_posteriors(prior, counts, other) == pytest.approx(reference_hellinger(a, b), rel=1e-12)


def test_neighbouring_posteriors_of_ten_million_records_keep_their_digits() -> None:
    prior, counts, other = [0.1, 2.7, 1.0], [10_000_000, 3, 5_000_000], [9_999_999, 3, 5_000_001]
    exact = [[mp.mpf(alpha) + c for alpha, c in zip(prior, histogram, strict=True)] for histogram in (counts, other)]
    assert hellinger_of_posteriors(prior, counts, other) == pytest.approx(reference_hellinger(*exact), rel=1e-12)


def test_a_printed_value_of_the_literature() -> None:
    """H(Dir(7,4,5), Dir(8,3,5)), printed with 12 digits as a sensitivity."""
    assert hellinger_of_posteriors([1, 1, 1], [6, 3, 4], [7, 2, 4]) == pytest.approx(0.239992747797, abs=1e-12)


def test_a_distribution_is_at_distance_zero_from_itself() -> None:
    assert hellinger_of_posteriors([3.0, 5.0], [1, 2], [1, 2]) == 0.0


def test_summaries_are_those_of_the_marginal_betas() -> None:
    distribution = Dirichlet((0.7, 30.0, 4.0))
    summaries = distribution.summaries(0.9)
    for category in range(3):
        marginal = stats.beta(
            distribution.concentration[category], np.delete(distribution.concentration, category).sum()
        )
        assert distribution.means[category] == pytest.approx(marginal.mean(), rel=1e-13)
        _, deviation, interval = summaries[distribution.marginals[category]]
        assert deviation == pytest.approx(marginal.std(), rel=1e-12)
        assert interval == pytest.approx([marginal.ppf(0.05), marginal.ppf(0.95)], rel=1e-9)


@pytest.mark.parametrize("n", [10**12, 10**15, 2**53])
@pytest.mark.parametrize("share", [0.5, 0.3, 0.01])
def test_intervals_of_very_many_records_are_as_wide_as_normal_ones(n: int, share: float) -> None:
    count = round(n * share)
    distribution = posterior([1.0, 1.0], [count, n - count])
    for _, deviation, (low, high) in distribution.summaries(0.95).values():
        assert high - low == pytest.approx(2 * stats.norm.ppf(0.975) * deviation, rel=1e-7)


@pytest.mark.parametrize(
    "vector", [[1.0], [1.0, 0.0], [1.0, -2.0], [1.0, float("nan")], [1.0, float("inf")], [[1.0, 1.0]]]
)
def test_what_is_no_concentration_is_refused(vector: list[float]) -> None:
    with pytest.raises(DirichletError):
        Dirichlet(tuple(vector))


def test_a_concentration_cannot_be_changed_afterwards() -> None:
    distribution = Dirichlet((1.0, 2.0))
    with pytest.raises(FrozenInstanceError):
        distribution.concentration = (3.0, 2.0)  # type: ignore[misc]  # what is tried here
    assert isinstance(posterior([1.0, 2.0], [0, 0]).concentration, tuple)


def test_a_prior_of_another_length_is_refused() -> None:
    with pytest.raises(DirichletError):
        posterior([1.0, 1.0], [1, 2, 3])


@pytest.mark.parametrize("level", [0.0, 1.0, float("nan")])
def test_an_impossible_level_is_refused(level: float) -> None:
    with pytest.raises(DirichletError):
        Dirichlet((1.0, 1.0)).summaries(level)
