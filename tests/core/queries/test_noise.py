"""Deviations and characteristic functions of the noises, against sums over their laws."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from core.queries.noise import DiscreteGaussianNoise, FlooredLaplaceNoise, LaplaceNoise, SimplexGeometricNoise

T = np.array([0.0, 0.05, 0.4, 1.0, 3.0, 7.0])
WEIGHTS = np.array([1.0, -0.3])


def characteristic_of(values: np.ndarray, law: np.ndarray) -> np.ndarray:
    return np.array([np.prod([(law * np.cos(t * w * values)).sum() for w in WEIGHTS]) for t in T])


@pytest.mark.parametrize("scale", [0.3, 2.5, 20.0])
def test_floored_laplace_noise_and_a_half(scale: float) -> None:
    q = np.exp(-1 / scale)
    k = np.arange(int(45 * scale) + 5)
    side = (1 - q) * q**k / 2
    values, law = np.concatenate((-k - 0.5, k + 0.5)), np.concatenate((side, side))
    noise = FlooredLaplaceNoise(scale)
    assert noise.deviation == pytest.approx(np.sqrt((values**2 * law).sum()), rel=1e-9)
    assert noise.characteristic(WEIGHTS, T) == pytest.approx(characteristic_of(values, law), abs=1e-12)


@pytest.mark.parametrize("variance", [0.05, 0.5, 0.99, 1.01, 30.0, 2e4])
def test_discrete_gaussian_noise(variance: float) -> None:
    k = np.arange(-3000, 3001)
    law = np.exp(-(k**2) / 2 / variance)
    law /= law.sum()
    noise = DiscreteGaussianNoise(variance)
    assert noise.deviation == pytest.approx(np.sqrt((k**2 * law).sum()), rel=1e-9)
    assert noise.characteristic(WEIGHTS, T) == pytest.approx(characteristic_of(k, law), abs=1e-12)


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
    law = np.exp(-rate * np.abs(vectors).sum(axis=1))
    law /= law.sum()
    noise = SimplexGeometricNoise(rate, 3)
    variance = (vectors[:, 0] ** 2 * law).sum()
    assert noise.deviation**2 == pytest.approx(variance * 3 / 2, rel=1e-6)
    weights = np.array([1.0, -0.25, 0.4])
    expected = [(law * np.cos(t * vectors @ weights)).sum() for t in T]
    assert noise.characteristic(weights, T) == pytest.approx(expected, abs=1e-6)
    for size in (1, 2):
        sums = np.abs(vectors[:, :size].sum(axis=1))
        assert noise.sum_law(size)[:5] == pytest.approx([law[sums == k].sum() for k in range(5)], abs=1e-6)
