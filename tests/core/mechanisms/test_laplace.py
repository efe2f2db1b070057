from itertools import product
from math import exp

import numpy as np
import pytest

from core.mechanisms.laplace import Laplace, certify, consistent, release
from core.privacy import Epsilon
from core.private import Private
from core.samplers.entropy import SeededEntropy
from tests.core.chi_square import assert_accepts, assert_rejects

E = Epsilon.parse


def floored(epsilon: float, around: int) -> dict[int, float]:
    """P(floor(around + Lap(2 / epsilon)) = k) from the distribution function of the Laplace distribution."""
    q = exp(-epsilon / 2)
    return {around + k: (1 - q) / 2 * (q**k if k >= 0 else q ** (-1 - k)) for k in range(-300, 300)}


def test_every_count_but_the_last_gets_floored_laplace_noise_of_scale_two_over_epsilon() -> None:
    counts = np.array([5, 0, 15], dtype=np.int64)
    entropy = SeededEntropy(1)
    noisy = np.array([release(Private(counts), Laplace(20, 3, E("0.8")), entropy).value.noisy for _ in range(10_000)])
    assert noisy.shape == (10_000, 2)
    for i in range(2):
        assert_accepts(noisy[:, i], floored(0.8, int(counts[i])))
        for wrong in (
            floored(0.8 * 1.3, int(counts[i])),
            floored(0.8 * 0.7, int(counts[i])),
            floored(0.8, int(counts[i]) + 1),
        ):
            assert_rejects(noisy[:, i], wrong)
    assert abs(np.corrcoef(noisy.T)[0, 1]) < 6 / 100


def test_the_noise_of_the_papers_table() -> None:
    """notes-long 3.4.1: no step with probability 0.329679953964 at epsilon 0.8, which counts both sides, floor(Y) =
    0 and floor(Y) = -1.
    """
    distribution = floored(0.8, 0)
    assert distribution[0] + distribution[-1] == pytest.approx(0.329679953964, abs=1e-12)
    assert distribution[1] + distribution[-2] == pytest.approx(0.220991081918, abs=1e-12)


@pytest.mark.parametrize(
    ("noisy", "expected"),
    [
        ((3, 4), (3, 4, 3)),
        ((-2, 4), (0, 4, 6)),
        ((12, 4), (10, 0, 0)),
        ((7, 9), (7, 3, 0)),
        ((-1, -1), (0, 0, 10)),
        ((0, 11), (0, 10, 0)),
    ],
)
def test_counts_are_clipped_cut_back_in_order_and_completed(noisy: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert consistent(noisy, 10) == expected


def test_every_consistent_vector_lies_on_the_simplex() -> None:
    for noisy in product(range(-2, 8), repeat=3):
        counts = consistent(noisy, 5)
        assert sum(counts) == 5
        assert min(counts) >= 0


def test_two_categories_spend_half_of_the_nominal_epsilon() -> None:
    assert certify(Laplace(10, 2, E("0.8"))).loss.epsilon == E("0.4")
    assert certify(Laplace(10, 2, E("0.800000001"))).loss.epsilon == E("0.400000001"), "rounded up"
    assert certify(Laplace(10, 3, E("0.8"))).loss.epsilon == E("0.8")


@pytest.mark.parametrize("m", [2, 3])
def test_the_certified_loss_is_the_largest_log_ratio_between_neighbours(m: int) -> None:
    distribution = floored(0.8, 0)
    worst = 0.0
    for y in product(range(-4, 5), repeat=m - 1):
        for i, j in product(range(m), repeat=2):
            there = [(y_k - (k == i), y_k - (k == j)) for k, y_k in enumerate(y)]
            worst = max(worst, sum(np.log(distribution[a] / distribution[b]) for a, b in there))
    assert worst == pytest.approx(float(certify(Laplace(10, m, E("0.8"))).loss.epsilon), rel=1e-9)
