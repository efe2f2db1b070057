"""Deviations and characteristic functions of the noises, against sums over their distributions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from core.noise import DiscreteGaussianNoise, FlooredLaplaceNoise, LaplaceNoise
from core.simplex_noise import SimplexGeometricNoise

T = np.array([0.0, 0.05, 0.4, 1.0, 3.0, 7.0])
WEIGHTS = np.array([1.0, -0.3])


def characteristic_of(values: np.ndarray, distribution: np.ndarray) -> np.ndarray:
    return np.array([np.prod([(distribution * np.cos(t * w * values)).sum() for w in WEIGHTS]) for t in T])


@pytest.mark.parametrize("scale", [0.3, 2.5, 20.0])
def test_floored_laplace_noise_and_a_half(scale: float) -> None:
    q = np.exp(-1 / scale)
    k = np.arange(int(45 * scale) + 5)
    side = (1 - q) * q**k / 2
    values, distribution = np.concatenate((-k - 0.5, k + 0.5)), np.concatenate((side, side))
    noise = FlooredLaplaceNoise(scale)
    assert noise.deviation == pytest.approx(np.sqrt((values**2 * distribution).sum()), rel=1e-9)
    assert noise.characteristic(WEIGHTS, T) == pytest.approx(characteristic_of(values, distribution), abs=1e-12)


@pytest.mark.parametrize("variance", [0.05, 0.5, 0.99, 1.01, 30.0, 2e4])
def test_discrete_gaussian_noise(variance: float) -> None:
    k = np.arange(-3000, 3001)
    distribution = np.exp(-(k**2) / 2 / variance)
    distribution /= distribution.sum()
    noise = DiscreteGaussianNoise(variance)
    assert noise.deviation == pytest.approx(np.sqrt((k**2 * distribution).sum()), rel=1e-9)
    assert noise.characteristic(WEIGHTS, T) == pytest.approx(characteristic_of(k, distribution), abs=1e-12)


def test_laplace_noise() -> None:
    assert LaplaceNoise(3.0, 0.01).deviation == pytest.approx(3 * np.sqrt(2))
    assert LaplaceNoise(3.0, 0.0).characteristic(WEIGHTS, T) == pytest.approx(
        1 / (1 + (3 * T) ** 2) / (1 + (0.9 * T) ** 2)
    )
    assert LaplaceNoise(3.0, 0.01).discrepancy(WEIGHTS) == pytest.approx(0.013)


@pytest.mark.parametrize("rate", [0.7, 2.0])
def test_geometric_noise_of_sum_zero(rate: float) -> None:
    reach = int(20 / rate)
    vectors = np.array([(a, b, -a - b) for a, b in product(range(-reach, reach + 1), repeat=2)])
    distribution = np.exp(-rate * np.abs(vectors).sum(axis=1))
    distribution /= distribution.sum()
    noise = SimplexGeometricNoise(rate, 3)
    variance = (vectors[:, 0] ** 2 * distribution).sum()
    assert noise.deviation**2 == pytest.approx(variance * 3 / 2, rel=1e-6)
    weights = np.array([1.0, -0.25, 0.4])
    expected = [(distribution * np.cos(t * vectors @ weights)).sum() for t in T]
    assert noise.characteristic(weights, T) == pytest.approx(expected, abs=1e-6)
    for size in (1, 2):
        sums = np.abs(vectors[:, :size].sum(axis=1))
        assert noise.sum_distribution(size)[:5] == pytest.approx(
            [distribution[sums == k].sum() for k in range(5)], abs=1e-6
        )


@pytest.mark.parametrize(
    ("rate", "sizes"), [(0.2, (30, 5, 1)), (0.5, (1, 2, 1)), (0.3, (12, 12, 100)), (1.5, (6, 1, 3))]
)
def test_geometric_noise_of_many_cells_with_few_weights(rate: float, sizes: tuple[int, int, int]) -> None:
    reach = 60 + int(40 / rate)
    one = np.exp(-rate * np.abs(np.arange(-reach, reach + 1)))
    one /= one.sum()

    def of_sum(size: int) -> np.ndarray:
        spectrum = np.fft.fft(np.roll(np.pad(one, reach), -2 * reach), norm="backward")
        return np.real(np.fft.fftshift(np.fft.ifft(spectrum**size)))

    first, second, third = (np.maximum(of_sum(size), 0.0) for size in sizes)
    k = np.arange(-(first.size // 2), first.size - first.size // 2)
    rest = -(k[:, None] + k)
    inside = (rest >= k[0]) & (rest <= k[-1])
    distribution = first[:, None] * second * np.where(inside, third[np.clip(rest - k[0], 0, k.size - 1)], 0.0)
    distribution /= distribution.sum()
    a, b, c = 1.0, -0.6, 0.25
    errors = a * k[:, None] + b * k + c * rest
    t = np.array([0.0, 0.003, 0.05, 0.4, 2.0])
    expected = [float((distribution * np.cos(each * errors)).sum()) for each in t]
    noise = SimplexGeometricNoise(rate, sum(sizes))
    weights = np.repeat((a, b, c), sizes)
    assert noise.characteristic(weights, t) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("m", [2, 3, 20, 124, 300, 1000])
@pytest.mark.parametrize("rate", [0.1, 1.0, 4.0])
def test_sums_of_the_geometric_noise_of_many_cells(rate: float, m: int) -> None:
    q, size = np.exp(-rate), max(1, m // 3)

    def of_sum(cells: int) -> np.ndarray:
        """The distribution of a sum of free two-sided geometric noises: a difference of two negative binomial
        numbers.
        """
        reach = int(stats.nbinom.isf(1e-30, cells, 1 - q)) + 50
        side = stats.nbinom.pmf(np.arange(reach), cells, 1 - q)
        return np.correlate(side, side, "full")[reach - 1 :]

    for cells in (1, size):
        sides = of_sum(cells), of_sum(m - cells)
        reach = min(side.size for side in sides)
        distribution = sides[0][:reach] * sides[1][:reach]
        distribution[1:] *= 2
        distribution /= distribution.sum()
        found = SimplexGeometricNoise(rate, m).sum_distribution(cells)
        common = min(reach, found.size)
        assert found[:common] == pytest.approx(distribution[:common], abs=1e-15)
        assert distribution[common:].sum() + found[common:].sum() < 1e-15
        if cells == 1:
            variance = float(distribution @ np.arange(reach) ** 2)
            assert SimplexGeometricNoise(rate, m).deviation ** 2 == pytest.approx(variance * m / (m - 1), rel=1e-12)


def test_what_the_noise_of_many_cells_costs_hardly_grows_as_it_widens() -> None:
    weights = np.repeat((1.0, 0.0, -1.0), (40, 100, 60))
    wide, narrow = (SimplexGeometricNoise(rate, 200).characteristic_cost(weights) for rate in (0.01, 1.0))
    assert wide < 3 * narrow < 1000


@pytest.mark.every(3)
@pytest.mark.parametrize(("rate", "m"), [(0.05, 60), (0.005, 200), (2.0, 30)])
def test_different_weights_and_equal_ones_have_the_same_distribution(rate: float, m: int) -> None:
    """Different weights are multiplied before a logarithm is taken, and equal ones are counted."""
    noise, t = SimplexGeometricNoise(rate, m), np.linspace(0.0, 2.0 * rate, 25)
    equal = np.repeat([0.3, -1.2], m // 2)
    # So close to them that nothing that counts is between.
    different = equal + 1e-9 * np.linspace(-1.0, 1.0, m)
    assert noise.characteristic(different, t) == pytest.approx(noise.characteristic(equal, t), abs=1e-7)
    alone = np.linspace(-1.0, 1.0, m)
    nodes = np.linspace(-np.pi, np.pi, 4001)[:-1]
    logs = noise._log_product(t, np.broadcast_to(nodes, (t.size, nodes.size)), alone, np.ones(m, dtype=np.int64))
    one_by_one = np.sum([noise._log_series(t[:, None] * weight + nodes) for weight in alone], axis=0)
    assert logs == pytest.approx(one_by_one, rel=1e-12, abs=1e-11)
