"""Every value is compared with mpmath at 60 digits, computed by the definition."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
from scipy import special

from core.special_functions import (
    beta_quantile,
    log_affinity,
    log_affinity_terms,
    log_half_step,
    stirling_remainder,
    unequal,
)

mp.mp.dps = 60

ARGUMENTS = [1e-3, 0.05, 0.4, 0.5, 1.0, 1.7, 3.25, 9.5, 15.999, 16.0, 16.5, 100.25, 12345.5, 1e5, 1e6 + 0.125, 1e7, 3e7]


def reference_half_step(t: float) -> mp.mpf:
    t = mp.mpf(t)
    return mp.loggamma(t + mp.mpf("0.5")) - (mp.loggamma(t) + mp.loggamma(t + 1)) / 2


def reference_affinity(alpha: float, count: int, other: int) -> mp.mpf:
    alpha = mp.mpf(alpha)
    return (
        mp.loggamma(alpha + mp.mpf(count + other) / 2) - (mp.loggamma(alpha + count) + mp.loggamma(alpha + other)) / 2
    )


def test_half_step_has_twelve_digits_at_every_size() -> None:
    values = log_half_step(ARGUMENTS)
    for t, value in zip(ARGUMENTS, values, strict=True):
        expected = reference_half_step(t)
        assert abs((mp.mpf(float(value)) - expected) / expected) < 1e-13, t


def test_half_step_is_one_step_of_the_affinity() -> None:
    c = np.arange(1, 40)
    steps = log_affinity(0.3, c, c - 1) + log_affinity(1.7, 4, 5)
    assert steps == pytest.approx(log_half_step(0.3 + c - 1) + log_half_step(1.7 + 4), rel=1e-13)


@pytest.mark.parametrize("alpha", [1e-3, 0.1, 0.49, 1.0, 2.3, 1e3, 1e6])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 15, 16, 40, 1000, 123_456, 10_000_000])
def test_affinity_terms_have_twelve_digits(alpha: float, count: int) -> None:
    near = {max(0, count + step) for step in (-1000, -33, -2, -1, 1, 2, 3, 50, 4097)}
    others = sorted(near | {0, 1, count // 3, 2 * count + 9, 10_000_000})
    values = log_affinity(alpha, count, others)
    for other, value in zip(others, values, strict=True):
        expected = reference_affinity(alpha, count, other)
        assert abs(mp.mpf(float(value)) - expected) <= 1e-12 * abs(expected), other


def test_affinity_terms_are_the_affinity_on_a_window() -> None:
    assert np.array_equal(log_affinity_terms(0.7, 5, 2, 9), log_affinity(0.7, 5, np.arange(2, 10)))
    assert log_affinity_terms(0.7, 5, 5, 5).tolist() == [0.0]


def test_stirling_remainder_against_its_definition() -> None:
    for z, value in zip(ARGUMENTS, stirling_remainder(ARGUMENTS), strict=True):
        exact = mp.mpf(z)
        expected = mp.loggamma(exact) - (exact - mp.mpf("0.5")) * mp.log(exact) + exact - mp.log(2 * mp.pi) / 2
        assert abs(mp.mpf(float(value)) - expected) < 4e-16 * max(float(expected), 4.0) / 4 + 1e-15


def test_an_affinity_does_not_depend_on_the_batch_size() -> None:
    """They are computed in blocks: at and beside the ends of a block each value has the bits that it has alone."""
    rng = np.random.default_rng(7)
    size = 3 * 8192 + 5
    alpha, count, other = rng.random(size) + 0.01, rng.integers(0, 10**7, size), rng.integers(0, 10**7, size)
    together = log_affinity(alpha, count, other)
    for place in (0, 1, 8190, 8191, 8192, 8193, 16383, 16384, 3 * 8192, size - 1):
        assert together[place] == log_affinity(alpha[place], count[place], other[place])
    table = log_affinity(1.5, count[:200, None], other[None, :150])
    assert table.shape == (200, 150)
    assert table[77, 111] == log_affinity(1.5, count[77], other[111])
    assert log_affinity(1.0, np.zeros((0, 3)), 1.0).shape == (0, 3)


@pytest.mark.parametrize("size", [2.0**36, 2.0**39, 2.0**45, 2.0**52])
def test_the_incomplete_beta_function_keeps_its_digits_at_equal_parameters(size: float) -> None:
    """Without skew, the normal distribution is right to 1 / size; x itself is rounded, by up to 1e-7 deviations at
    2^52.
    """
    deviation = 0.5 / np.sqrt(2.0 * size + 1.0)
    x = 0.5 + deviation * np.array([-3.0, -1.2, -0.3, 0.05, 0.7, 2.5])
    expected = special.ndtr((x - 0.5) / deviation)
    assert special.betainc(size, unequal(size, size), x) == pytest.approx(expected, abs=1e-7)
    quantiles = special.betaincinv(size, unequal(size, size), np.array([0.025, 0.9]))
    assert (quantiles - 0.5) / deviation == pytest.approx(special.ndtri([0.025, 0.9]), abs=0.05)


def test_only_large_equal_parameters_are_moved_apart() -> None:
    a, b = np.array([1.0, 2.0**30, 2.0**30]), np.array([1.0, 2.0**30, 2.0**30 + 1])
    assert (unequal(a, b) == b).tolist() == [True, False, True]
    assert unequal(a, b)[1] == np.nextafter(2.0**30, np.inf)


def _beta_cdf(a: float, b: float, x: mp.mpf) -> mp.mpf:
    """P(θ <= x) for Beta(a, b), by quadrature."""
    a, b = mp.mpf(a), mp.mpf(b)
    scale = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
    deviation = mp.sqrt(a * b / (a + b + 1)) / (a + b)
    low = max(mp.mpf(0), a / (a + b) - 14 * deviation)
    edges = [low + (x - low) * step / 2 for step in range(3)]
    return mp.quad(lambda t: mp.exp((a - 1) * mp.log(t) + (b - 1) * mp.log1p(-t) - scale), edges)


@pytest.mark.every(3)
@pytest.mark.parametrize("total", [1e12, 2.0**53])
@pytest.mark.parametrize("share", [0.5, 0.3, 1e-6])
def test_quantiles_of_large_beta_distributions_hold_their_tail(total: float, share: float) -> None:
    a = share * total + 1.0
    b = total - share * total + 1.0
    for tail in (0.025, 1e-6):
        lower, upper = (float(beta_quantile(a, b, tail, upper=upper)) for upper in (False, True))
        # x is rounded, by up to 2e-8 deviations.
        assert float(_beta_cdf(a, b, mp.mpf(lower))) == pytest.approx(tail, rel=4e-7)
        assert float(_beta_cdf(b, a, 1 - mp.mpf(upper))) == pytest.approx(tail, rel=4e-7)


@pytest.mark.parametrize("few", [0.05, 1.0, 700.5, 999_999.0, 1_000_001.0])
def test_quantiles_of_a_nearly_empty_share_hold_their_tail(few: float) -> None:
    for total in (1e12, 2.0**53):
        for tail in (0.025, 0.4):
            for upper in (False, True):
                x = float(beta_quantile(few, total, tail, upper=upper))
                below = mp.gammainc(few, 0, -mp.log1p(-mp.mpf(x)) * (total + (few - 1) / 2), regularized=True)
                assert float(1 - below if upper else below) == pytest.approx(tail, rel=1e-7)
                assert float(beta_quantile(total, few, tail, upper=not upper)) == pytest.approx(1.0 - x, rel=3e-16)


def test_quantiles_of_smaller_beta_distributions_are_those_of_scipy() -> None:
    a, b = np.array([0.3, 7.0, 2e5, 4e11]), np.array([900.0, 7.0, 3e9, 5e11])
    assert np.array_equal(beta_quantile(a, b, 0.05), special.betaincinv(a, b, 0.05))
    assert np.array_equal(beta_quantile(a, b, 0.05, upper=True), special.betainccinv(a, b, 0.05))
