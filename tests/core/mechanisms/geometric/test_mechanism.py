"""The simplex geometric mechanism: its distribution, its loss, and that its work does not depend on the data."""

from itertools import product
from math import exp

import numpy as np
import pytest

from core.mechanisms.geometric.mechanism import SimplexGeometric, certify, release, simplex_noise
from core.privacy import Epsilon, NeighbourRelation
from core.private import Private
from core.samplers.entropy import Entropy, SeededEntropy
from tests.core.chi_square import assert_accepts, assert_rejects

E = Epsilon.parse
REACH = 40


def code(z: tuple[int, ...]) -> int:
    """A number for all but the last coordinate, which the sum fixes."""
    return sum((z_i + 1000) * 10_000**i for i, z_i in enumerate(z[:-1]))


def distribution(m: int, epsilon: float, total: int = 0) -> dict[int, float]:
    """The exact distribution by enumeration of all vectors within REACH."""
    weights = {}
    for free in product(range(-REACH, REACH + 1), repeat=m - 1):
        z = (*free, total - sum(free))
        weights[code(z)] = exp(-epsilon / 2 * sum(map(abs, z)))
    normaliser = sum(weights.values())
    return {key: weight / normaliser for key, weight in weights.items()}


@pytest.mark.every(3)
@pytest.mark.parametrize(("m", "epsilon"), [(2, "0.8"), (2, "3"), (3, "1"), (3, "2.5"), (4, "4")])
def test_the_noise_follows_its_distribution_and_no_nearby_one(m: int, epsilon: str) -> None:
    if m == 4:
        reach = list(product(range(-6, 7), repeat=3))
        weights = {code((*z, -sum(z))): exp(-2 * (sum(map(abs, z)) + abs(sum(z)))) for z in reach}
        exact = {key: weight / sum(weights.values()) for key, weight in weights.items()}
        wrong: list[dict[int, float]] = []
    else:
        exact = distribution(m, float(E(epsilon)))
        wrong = [
            distribution(m, 1.3 * float(E(epsilon))),
            distribution(m, 0.7 * float(E(epsilon))),
            distribution(m, float(E(epsilon)), total=1),
        ]
    entropy = SeededEntropy(1)
    event = SimplexGeometric(100, m, E(epsilon))
    draws = [code(tuple(simplex_noise(event, entropy).tolist())) for _ in range(8_000)]
    assert_accepts(draws, exact)
    for nearby in wrong:
        assert_rejects(draws, nearby)


def test_without_the_acceptance_step_the_distribution_would_be_another() -> None:
    """The free coordinates alone are independent geometrics, which the draws must refuse."""
    q = exp(-0.5)
    free = {
        code((i, j, 0)): ((1 - q) / (1 + q)) ** 2 * q ** (abs(i) + abs(j))
        for i in range(-REACH, REACH)
        for j in range(-REACH, REACH)
    }
    entropy = SeededEntropy(2)
    event = SimplexGeometric(100, 3, E("1"))
    assert_rejects([code(tuple(simplex_noise(event, entropy).tolist())) for _ in range(8_000)], free)


def test_two_categories_get_the_two_sided_geometric_of_scale_one_over_epsilon() -> None:
    q = exp(-0.8)
    two_sided = {code((k, -k)): (1 - q) / (1 + q) * q ** abs(k) for k in range(-200, 201)}
    entropy = SeededEntropy(3)
    event = SimplexGeometric(100, 2, E("0.8"))
    assert_accepts([code(tuple(simplex_noise(event, entropy).tolist())) for _ in range(10_000)], two_sided)


@pytest.mark.parametrize("m", [2, 3])
def test_the_certified_loss_is_the_largest_log_ratio_between_neighbours(m: int) -> None:
    epsilon = 0.7
    worst = 0.0
    for z in product(range(-6, 7), repeat=m - 1):
        y = np.array([*z, -sum(z)])
        moved = y.copy()
        moved[0] += 1
        moved[-1] -= 1
        worst = max(worst, epsilon / 2 * (np.abs(moved).sum() - np.abs(y).sum()))
    certificate = certify(SimplexGeometric(100, m, E("0.7")))
    assert certificate.loss.epsilon == E("0.7")
    assert certificate.loss.delta.units == 0
    assert worst == pytest.approx(0.7)
    assert certificate.relation is NeighbourRelation.REPLACE_ONE


class CountingEntropy:
    def __init__(self, entropy: Entropy) -> None:
        self.entropy, self.drawn = entropy, 0

    def bits(self, count: int) -> int:
        self.drawn += count
        return self.entropy.bits(count)


@pytest.mark.parametrize("m", [2, 5, 300])
def test_the_work_and_the_noise_are_the_same_for_every_histogram(m: int) -> None:
    n = 1000 * m
    one_holds_all = np.zeros(m, dtype=np.int64)
    one_holds_all[0] = n
    seen = []
    for counts in (one_holds_all, one_holds_all[::-1].copy(), np.full(m, 1000, dtype=np.int64)):
        entropy = CountingEntropy(SeededEntropy(4))
        released = release(Private(counts), SimplexGeometric(n, m, E("0.1")), entropy)
        seen.append((entropy.drawn, tuple((np.array(released.value.noisy) - counts).tolist())))
    assert len(set(seen)) == 1


@pytest.mark.parametrize(("m", "epsilon"), [(2, "0.0001"), (7, "0.3"), (10_000, "1"), (10_000, "50")])
def test_a_release_sums_to_n_and_lies_on_the_simplex(m: int, epsilon: str) -> None:
    counts = np.full(m, 3, dtype=np.int64)
    released = release(Private(counts), SimplexGeometric(3 * m, m, E(epsilon)), SeededEntropy(5))
    assert len(released.value.noisy) == len(released.value.on_simplex) == m
    assert sum(released.value.noisy) == sum(released.value.on_simplex) == 3 * m
    assert min(released.value.on_simplex) >= 0
    assert released.loss.epsilon == E(epsilon)


def test_ten_thousand_coordinates_have_the_variance_of_the_distribution() -> None:
    """At m = 10 000 the condition hardly moves one coordinate: variance 2q/(1-q)^2, less a ten-thousandth part."""
    noise = simplex_noise(SimplexGeometric(10**6, 10_000, E("1")), SeededEntropy(6)).astype(float)
    q = exp(-0.5)
    assert noise.sum() == 0
    # Kurtosis of a Laplace distribution is 6: the variance's standard error is sqrt(5 / 10 000), taken six times.
    assert noise.var() / (2 * q / (1 - q) ** 2) == pytest.approx(1, abs=6 * (5 / 10_000) ** 0.5)
