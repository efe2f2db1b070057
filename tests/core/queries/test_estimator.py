"""Estimates and intervals: the worked cube, coverage over random histories, and one analyst whose interval does not
cover.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from core.mechanisms import gaussian, laplace
from core.mechanisms.geometric import mechanism as simplex_geometric
from core.mechanisms.linear import LinearAnswers, rehearse
from core.noise import DiscreteGaussianNoise, FlooredLaplaceNoise, LaplaceNoise
from core.privacy import Delta, Epsilon, Rate, Rho
from core.queries.estimator import Query, covariance, estimate
from core.queries.history import History
from core.samplers.entropy import SeededEntropy
from core.simplex_noise import SimplexGeometricNoise
from tests.core.accounting.test_pairwise_loss import CUBE

COUNTS = np.array([10, 21, 37, 20, 12, 5, 53, 7, 3])


def cube() -> History:
    event = LinearAnswers(168, 9, 1, tuple(row.coefficients for row in CUBE), tuple(row.rate for row in CUBE))
    history = History(168, 9)
    for row, answer in zip(CUBE, rehearse(COUNTS, event, SeededEntropy(2)), strict=True):
        history.add_answer(row, answer, "q")
    return history


def test_the_worked_cube() -> None:
    found = estimate(cube(), Query((0, 0, 1) * 3))
    assert found is not None
    assert found.weights == pytest.approx([0, 0, 0, -2 / 3, 1 / 3, 0], abs=1e-12)
    assert found.deviation**2 == pytest.approx(161.11, abs=0.005)
    assert found.half_width(0.95) == pytest.approx(26.406, abs=5e-4)
    assert estimate(cube(), Query((1, *(0,) * 8))) is None


def test_a_constant_query_is_exact_and_known_to_all() -> None:
    found = estimate(History(168, 9), Query((5,) * 9, 2))
    assert found is not None
    assert (found.estimate, found.half_width(0.95)) == (420.0, 0.0)
    assert found.probability(419.0, None) == 1.0
    assert found.probability(None, 419.0) == 0.0


def test_a_probability_is_that_of_the_distribution_around_the_estimate() -> None:
    found = estimate(cube(), Query((0, 0, 1) * 3))
    assert found is not None
    half = found.distribution.half_width(0.9)
    assert found.probability(found.estimate - half, found.estimate + half) == pytest.approx(0.9, abs=1e-8)
    assert found.probability(found.estimate, None) == pytest.approx(0.5)
    assert found.probability(None, found.estimate + half) == pytest.approx(0.95, abs=1e-8)


def test_the_variance_of_a_difference_follows_from_the_joint_covariance() -> None:
    history = cube()
    first, second = Query((1, 1, 1, 0, 0, 0, 0, 0, 0)), Query((2, 2, 2, 1, 1, 1, 0, 0, 0), 2)
    difference = Query((0, 0, 0, -1, -1, -1, 0, 0, 0), 2)
    both = [estimate(history, query) for query in (first, second, difference)]
    assert None not in both
    joint = covariance(history, [each for each in both[:2] if each is not None])
    assert both[2] is not None
    assert both[2].deviation ** 2 == pytest.approx(joint[0, 0] + joint[1, 1] - 2 * joint[0, 1])
    assert joint[0, 0] == pytest.approx(both[0].deviation ** 2 if both[0] is not None else 0)


def test_the_covariance_of_geometric_noise_counts_its_ties() -> None:
    history = History(10, 4)
    history.add_counts([Fraction(x) for x in (5, -1, 4, 2)], SimplexGeometricNoise(0.4, 4), "rel")
    cells = [estimate(history, Query(tuple(int(i == j) for i in range(4)))) for j in range(2)]
    joint = covariance(history, [each for each in cells if each is not None])
    assert joint[0, 1] == pytest.approx(-joint[0, 0] / 3)


def test_the_measured_row_is_the_query_without_common_factors() -> None:
    row = Query((3, 7, 11), 10).measured_at(Rate.parse("0.5"))
    assert (row.coefficients, row.denominator) == ((0, 1, 2), 1)
    fine = Query((0, 123_456_789_012, 10**15), 10**9)
    assert 1 <= fine.measured_at(Rate(1)).span < 10
    for query in (Query((3, 7, 11), 10), fine):
        row = query.measured_at(Rate(1))
        scaled = [
            query.scale * Fraction(value, row.denominator) + min(query.coefficients) * Fraction(1, query.denominator)
            for value in row.coefficients
        ]
        assert scaled == [Fraction(value, query.denominator) for value in query.coefficients]


@pytest.mark.parametrize(("m", "count"), [(4, 1), (4, 10), (9, 30), (60, 40), (12, 200)])
def test_intervals_hold_what_they_say_for_queries_fixed_ahead(m: int, count: int) -> None:
    """Noise is continuous here, as the distribution takes it; 2 000 draws for each history, and a false alarm of 1e-8
    over all.
    """
    rng = np.random.default_rng(m * count)
    rows = rng.integers(0, 4, (count, m))
    rows[:, 0] += rows.max(axis=1) - rows.min(axis=1) == 0
    scales = 1 / rng.choice([0.01, 0.1, 0.5, 2.0], count)
    counts = rng.integers(0, 30, m)
    history = History(int(counts.sum()), m)
    for row, scale in zip(rows, scales, strict=True):
        history.add_rows([row.tolist()], 1, [Fraction(0)], LaplaceNoise(float(scale), 0.0), "q")
    query = Query(tuple((rng.integers(-2, 3, count) @ rows).tolist()))
    if query.constant is not None:
        query = Query(tuple(rows[0].tolist()))
    found = estimate(history, query)
    assert found is not None
    errors = rng.laplace(size=(2_000, count)) * scales @ found.weights
    for confidence in (0.9, 0.95, 0.99):
        held = (np.abs(errors) <= found.half_width(confidence)).mean()
        assert abs(held - confidence) <= 6 * np.sqrt(confidence * (1 - confidence) / 2_000)


def test_an_analyst_who_reports_the_largest_of_twenty_estimates_is_not_covered() -> None:
    rng = np.random.default_rng(5)
    half = 1.0 * np.log(20)  # 95 % of Lap(1)
    errors = rng.laplace(size=(20_000, 20))
    assert (np.abs(errors[:, 0]) <= half).mean() == pytest.approx(0.95, abs=0.01)
    assert (errors.max(axis=1) <= half).mean() == pytest.approx(0.60, abs=0.02)


@pytest.mark.parametrize("mechanism", ["simplex_geometric", "laplace", "gaussian"])
def test_posterior_releases_answer_without_bias_and_their_intervals_cover(mechanism: str) -> None:
    n, m, runs = 5_000, 5, 2_000
    counts = np.array([1000, 2500, 700, 0, 800])
    entropy = SeededEntropy(9)
    query = Query((0, 10, 3, 0, 7), 10)
    history = History(n, m)
    match mechanism:
        case "simplex_geometric":
            event = simplex_geometric.SimplexGeometric(n, m, Epsilon.parse("0.4"))
            drawn = [simplex_geometric.rehearse(counts, event, entropy).noisy for _ in range(runs)]
            history.add_counts([Fraction(y) for y in drawn[0]], SimplexGeometricNoise(0.2, m), "rel")
        case "laplace":
            drawn = [
                laplace.rehearse(counts, laplace.Laplace(n, m, Epsilon.parse("0.4")), entropy).noisy
                for _ in range(runs)
            ]
            history.add_counts([y + Fraction(1, 2) for y in drawn[0]], FlooredLaplaceNoise(5.0), "rel")
        case _:
            wide = gaussian.Gaussian(n, m, Rho.parse("0.02"), Delta.parse("0.000001"))
            drawn = [gaussian.rehearse(counts, wide, entropy).noisy for _ in range(runs)]
            history.add_counts([Fraction(y) for y in drawn[0]], DiscreteGaussianNoise(50.0), "rel")
    found = estimate(history, query)
    assert found is not None
    errors = found.estimate + (np.array(drawn) - np.array(drawn[0])) @ found.weights - float(query.row @ counts)
    assert abs(errors.mean()) < 6 * found.deviation / runs**0.5
    assert errors.std() == pytest.approx(found.deviation, rel=0.15)
    assert (np.abs(errors) <= found.half_width(0.9)).mean() >= 0.9 - 5 * (0.09 / runs) ** 0.5
