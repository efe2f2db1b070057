"""The distribution of the error, against high precision and simulation."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from core.noise import DiscreteGaussianNoise, FlooredLaplaceNoise, LaplaceNoise
from core.queries.error_distribution import (
    BlurredDistribution,
    LaplaceSum,
    StepDistribution,
    beyond_by_integral,
    beyond_by_partial_fractions,
    distribution_of,
    partial_fractions,
)
from core.simplex_noise import SimplexGeometricNoise


def exact_beyond(scales: list[float], x: float) -> float:
    """Partial fractions in 200 digits; equal scales are moved apart by 1e-40."""
    with mpmath.workdps(200):
        b = [mpmath.mpf(scale) * (1 + mpmath.mpf(10) ** -20 * i) for i, scale in enumerate(scales)]
        total = mpmath.mpf(0)
        for j, b_j in enumerate(b):
            weight = mpmath.mpf(1)
            for k, b_k in enumerate(b):
                if k != j:
                    weight /= 1 - (b_k / b_j) ** 2
            total += weight * mpmath.exp(-mpmath.mpf(x) / b_j)
        return float(total / 2)


@pytest.mark.parametrize(
    "scales",
    [
        [1.0],
        [2.0, 2.0],
        [1.0, 0.999],
        [1.0, 1e-6],
        [5.0, 0.3, 1e-9, 2.0],
        [3.0] * 6,
        [1.0, 0.5, 0.25, 0.125] * 2,
        list(np.linspace(0.1, 3, 30)),
    ],
)
@pytest.mark.parametrize("deviations", [1e-4, 0.1, 1.0, 3.0, 10.0, 100.0])
def test_the_integral_is_right_to_eleven_digits_in_any_tail(scales: list[float], deviations: float) -> None:
    b = np.array(scales)
    x = deviations * LaplaceSum(b).deviation
    expected = exact_beyond(scales, x)
    assert beyond_by_integral(b, x) == pytest.approx(expected, rel=1e-11)
    weights = partial_fractions(b)
    if weights is not None:
        assert beyond_by_partial_fractions(b, x, weights) == pytest.approx(expected, rel=1e-9)


def beyond_on_the_real_line(scales: np.ndarray, x: float) -> float:
    """Gil-Pelaez's formula by a fine trapezoid rule, accurate to about 1e-11."""
    deviation = np.sqrt(2 * (scales**2).sum())
    step = np.pi / (20 * deviation + 30 * scales.max()) / 2
    t = step * (np.arange(int(600 / deviation / step) + 1) + 0.5)
    logs = np.zeros_like(t)
    for scale in scales:
        logs -= np.log1p((scale * t) ** 2)
    return float(0.5 - step / np.pi * (np.exp(logs) * np.sin(t * x) / t).sum())


@pytest.mark.every(4)
@pytest.mark.parametrize("seed", range(25))
def test_one_large_noise_among_many_small_ones_and_any_other_mixture(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scales = np.concatenate(
        [
            rng.uniform(0.5, 1.0, rng.integers(0, 4)),
            10 ** rng.uniform(-3, 0) * rng.uniform(0.1, 1, rng.integers(8, 1500)),
        ]
    )
    distribution = LaplaceSum(scales)
    for deviations in (0.01, 0.5, 2.0, 3.5):
        x = deviations * distribution.deviation
        assert beyond_by_integral(scales, x) == pytest.approx(beyond_on_the_real_line(scales, x), abs=1e-9)
    half = distribution.half_width(0.95)
    assert distribution.holds(half, 0.95)
    assert not distribution.holds(half * (1 - 1e-6), 0.95)


def test_partial_fractions_are_refused_where_they_cancel() -> None:
    assert partial_fractions(np.array([1.0, 1.0])) is None
    assert partial_fractions(np.array([1.0, 1.00001, 2.0])) is None
    assert partial_fractions(np.arange(1.0, 40.0)) is None


def test_the_half_width_holds_the_confidence_and_no_more() -> None:
    distribution = LaplaceSum(np.array([3.0, 3.0, 1.0]))
    for confidence in (0.01, 0.5, 0.95, 0.999999):
        half = distribution.half_width(confidence)
        assert 1 - 2 * distribution.beyond(half) == pytest.approx(confidence, abs=1e-9)
        assert 1 - 2 * distribution.beyond(half) >= confidence
    assert distribution_of([]).half_width(0.95) == 0.0


def test_a_set_of_cells_of_one_geometric_release_has_its_exact_distribution() -> None:
    noise = SimplexGeometricNoise(0.4, 5)
    distribution = distribution_of([(noise, np.array([2.0, 2.0, 0.0, 0.0, 0.0]))])
    assert isinstance(distribution, StepDistribution)
    steps = noise.sum_distribution(2)
    assert distribution.half_width(0.95) == 2.0 * next(k for k in range(200) if steps[: k + 1].sum() >= 0.95)
    assert distribution.beyond(4.0) == pytest.approx(steps[3:].sum() / 2)
    assert distribution.deviation**2 == pytest.approx(4 * noise.deviation**2 * (2 - 4 / 5), rel=1e-9)


def mixed_error(size: int) -> np.ndarray:
    rng = np.random.default_rng(8)
    floored = np.floor(rng.laplace(scale=2.5, size=(size, 2))) + 0.5
    k = np.arange(-60, 61)
    p = np.exp(-(k**2) / 8.0)
    gaussian = rng.choice(k, (size, 2), p=p / p.sum())
    return np.asarray(floored @ [1.0, 0.2] + gaussian @ [0.5, -1.0] + rng.laplace(scale=2.0, size=size) * 0.5)


def test_a_distribution_with_noise_on_whole_numbers_covers_and_is_little_wider() -> None:
    distribution = distribution_of(
        [
            (FlooredLaplaceNoise(2.5), np.array([1.0, 0.2])),
            (DiscreteGaussianNoise(4.0), np.array([0.5, -1.0])),
            (LaplaceNoise(2.0, 0.0), np.array([0.5])),
        ]
    )
    assert isinstance(distribution, BlurredDistribution)
    assert [distribution.beyond(x * distribution.deviation) for x in (0.0, 20.0, 100.0, 1e6)] == pytest.approx(
        [0.5, 0, 0, 0], abs=1e-7
    )
    errors = np.abs(mixed_error(200_000))
    for confidence in (0.9, 0.95, 0.99):
        half = distribution.half_width(confidence)
        assert (errors <= half).mean() >= confidence
        assert half - distribution.blur == pytest.approx(np.quantile(errors, confidence), rel=0.02)
        assert half <= 1.12 * np.quantile(errors, confidence)
    assert distribution.deviation == pytest.approx(np.sqrt((errors**2).mean()), rel=0.01)
