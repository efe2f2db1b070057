from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from core.max_norm_noise import LawError, MaxNormNoise
from tests.core.samplers.test_max_norm import ball, points, size

REFERENCES = [
    # levels, epsilon, P(z = 0), v, half widths at 50, 90, 95 and 99 %, all at once at 95 %, rho
    ((2,) * 2, 0.5, 0.126245766910, 15.9130623700, (2, 7, 8, 12), 9, 0.110785794727),
    ((2,) * 2, 1.0, 0.258679360573, 3.90280933414, (1, 3, 4, 6), 5, 0.397818550396),
    ((2,) * 2, 3.0, 0.766615706057, 0.297088805120, (0, 1, 1, 2), 1, 2.51799163368),
    ((2,) * 3, 0.5, 0.0833578338581, 26.5852400171, (3, 8, 10, 15), 13, 0.110540100085),
    ((2,) * 3, 1.0, 0.167377980680, 6.58960026991, (2, 4, 5, 7), 6, 0.392250647382),
    ((2,) * 3, 3.0, 0.561437307902, 0.636581336973, (0, 1, 2, 2), 2, 2.34802135237),
    ((2,) * 5, 0.5, 0.0499998585544, 55.9166421228, (5, 12, 15, 20), 18, 0.110599953926),
    ((2,) * 5, 1.0, 0.0999848867163, 13.9164226368, (3, 6, 7, 10), 9, 0.393490761219),
    ((2,) * 5, 3.0, 0.296678467725, 1.49364693976, (1, 2, 2, 3), 3, 2.31517455289),
    ((2,) * 8, 0.5, 0.0312499999266, 119.916666686, (8, 18, 21, 27), 26, 0.110599608337),
    ((2,) * 8, 1.0, 0.0624999932556, 29.9166702205, (4, 9, 10, 13), 13, 0.393469199847),
    ((2,) * 8, 3.0, 0.187758174211, 3.24676636905, (1, 3, 3, 4), 4, 2.33165382767),
    ((5,) * 4, 0.5, 0.0357094237356, 195.727925021, (9, 23, 28, 37), 46, 0.067448438584),
    ((5,) * 4, 1.0, 0.0713896062059, 48.8477004526, (4, 12, 14, 19), 23, 0.254685190083),
    ((5,) * 4, 3.0, 0.213213837997, 5.32534513334, (1, 4, 5, 6), 7, 1.81961410502),
]
THREE = {  # levels 2, 3 and 5
    0.5: ((0.0358002612233, 0.0477001711075, 0.0814365778220), (95.6765366033, 79.7489287403, 46.0156085695),
          (19, 17, 14), 24, 0.0776209374438),
    1.0: ((0.0721149235210, 0.0958744261910, 0.161716669710), (23.6788902073, 19.7507768126, 11.4550914321),
          (9, 9, 7), 12, 0.291821581163),
    3.0: ((0.232143111349, 0.298557878817, 0.452003426057), (2.36755626375, 1.98992043265, 1.21031337162),
          (3, 3, 2), 4, 2.02868960825),
}  # fmt: skip


def noise_of(levels: tuple[int, ...], rate: float) -> MaxNormNoise:
    return MaxNormNoise(tuple(each - 1 for each in levels), rate)


def within(law: np.ndarray[tuple[int], np.dtype[np.float64]], confidence: float) -> int:
    return int(np.searchsorted(np.cumsum(law), confidence))


@pytest.mark.parametrize(("levels", "rate", "none", "variance", "widths", "at_once", "rho"), REFERENCES)
def test_the_laws_have_the_reference_values(
    levels: tuple[int, ...],
    rate: float,
    none: float,
    variance: float,
    widths: tuple[int, ...],
    at_once: int,
    rho: float,
) -> None:
    noise, d = noise_of(levels, rate), levels[0] - 1
    law = noise.law(d, 1)
    assert law[0] == pytest.approx(none, rel=2e-11)
    assert noise.variance(d) == pytest.approx(variance, rel=2e-11)
    assert tuple(within(law, each) for each in (0.5, 0.9, 0.95, 0.99)) == widths
    assert within(noise.largest(), 0.95) == at_once
    assert rho <= noise.rho() <= rho * (1 + 2e-9)


@pytest.mark.parametrize("rate", THREE)
def test_tables_of_different_sizes_have_the_reference_values(rate: float) -> None:
    none, variances, widths, at_once, rho = THREE[rate]
    noise = noise_of((2, 3, 5), rate)
    for d, first, variance, width in zip((1, 2, 4), none, variances, widths, strict=True):
        assert noise.law(d, 1)[0] == pytest.approx(first, rel=2e-11)
        assert noise.variance(d) == pytest.approx(variance, rel=2e-11)
        assert within(noise.law(d, 1), 0.95) == width
    assert within(noise.largest(), 0.95) == at_once
    assert rho <= noise.rho() <= rho * (1 + 2e-9)


def test_a_sum_of_two_of_four_labels_has_the_reference_values() -> None:
    noise = noise_of((4, 2), 1.0)
    law = noise.law(3, 2)
    assert law[0] == pytest.approx(0.151924702637, rel=2e-11)
    assert (np.arange(law.size) ** 2 * law).sum() == pytest.approx(8.25597032808, rel=2e-11)
    assert noise.variance(3) == pytest.approx(6.19197774606, rel=2e-11)
    assert tuple(within(law, each) for each in (0.5, 0.9, 0.95, 0.99)) == (2, 5, 6, 8)


@pytest.mark.parametrize(("dimensions", "d", "labels"), [((3, 1), 3, 2), ((2, 2), 2, 1), ((4, 1), 4, 2), ((3,), 3, 3)])
def test_the_law_of_a_set_is_that_of_all_vectors(dimensions: tuple[int, ...], d: int, labels: int) -> None:
    rate, radius = 4.0, 7
    others = list(dimensions)
    others.remove(d)
    weights = [math.exp(-rate * r) * math.prod(points(each, r) for each in others) for r in range(60)]
    law = np.zeros(radius + 1)
    for z in ball(d, radius):
        law[abs(sum(z[:labels]))] += sum(weights[size(z) :])
    found = MaxNormNoise(dimensions, rate).law(d, labels)
    np.testing.assert_allclose(found[:5], (law / law.sum())[:5], rtol=1e-6)


def test_a_sum_of_labels_has_the_variance_of_the_formula() -> None:
    for (d, labels), rate in product(((5, 2), (5, 3), (9, 4), (38, 17)), (0.05, 0.7, 4.0)):
        noise = MaxNormNoise((d, 3), rate)
        law = noise.law(d, labels)
        variance = noise.variance(d) * labels * (d + 1 - labels) / d
        assert (np.arange(law.size, dtype=np.float64) ** 2 * law).sum() == pytest.approx(variance, rel=1e-12)


def test_half_widths_fall_with_the_rate() -> None:
    widths = [within(MaxNormNoise((2, 2, 3), rate).law(2, 1), 0.95) for rate in np.geomspace(0.05, 5, 60)]
    assert widths == sorted(widths, reverse=True)


def test_laws_that_take_too_long_are_refused() -> None:
    with pytest.raises(LawError):
        MaxNormNoise((99,) * 10, 0.001)
    with pytest.raises(LawError):
        MaxNormNoise((1, 1), 1e-6)
    with pytest.raises(LawError):
        MaxNormNoise((40, 1), 1.0).law(40, 2)
    assert MaxNormNoise((40, 1), 1.0).law(40, 1).sum() == pytest.approx(1)
