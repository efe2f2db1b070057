"""Which of two gamma variables is greater, compared with all pairs of counts, mpmath and the normal distribution."""

import math

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from core.count_simplex.window import Mass
from core.inference.counts import InferenceError
from core.inference.gamma_pairs import GammaCounts, greater

TOLERANCE = 2e-12


def masses(seed: int, *windows: tuple[int, int]) -> list[Mass]:
    """Uneven distributions of counts, with gaps, each from a least count on and of a width."""
    rng = np.random.default_rng(seed)
    found = []
    for low, size in windows:
        values = rng.exponential(size=size) * (rng.random(size) < 0.8)
        values[rng.integers(size)] = 1.0
        found.append(Mass(low, values / values.sum()))
    return found


def by_all_pairs(priors: tuple[float, float], distributions: list[Mass], total: int) -> float:
    first, second, rest = distributions
    a, b = first.low + np.arange(first.values.size), second.low + np.arange(second.values.size)
    left = total - np.add.outer(a, b) - rest.low
    inside = (left >= 0) & (left < rest.values.size)
    weights = np.outer(first.values, second.values)
    weights *= np.where(inside, rest.values[np.clip(left, 0, rest.values.size - 1)], 0.0)
    odds = special.betaincc(priors[0] + a[:, None], priors[1] + b[None, :], 0.5)
    return float((weights * odds).sum() / weights.sum())


@pytest.mark.parametrize(
    ("priors", "first", "second", "rest"),
    [
        ((1.0, 1.0), (0, 60), (0, 60), (40, 30)),
        ((0.001, 0.001), (0, 30), (0, 5), (0, 40)),
        ((0.001, 70.0), (0, 300), (0, 100), (140, 50)),
        ((0.5, 2.0), (0, 30), (100, 120), (900, 400)),
        ((3.25, 0.125), (5, 40), (2, 200), (30, 70)),
        ((1.0, 1.0), (900, 60), (920, 50), (5000, 120)),
        ((1e6, 1e6), (0, 40), (100, 50), (0, 90)),
        ((0.3, 0.7), (100_000, 60), (100_010, 50), (0, 900)),
        ((1.0, 1.0), (1, 1), (3, 1), (7, 1)),
        ((1.0, 1.0), (2000, 30), (10, 30), (7, 30)),
    ],
)
def test_it_equals_the_sum_over_all_pairs_of_counts(
    priors: tuple[float, float], first: tuple[int, int], second: tuple[int, int], rest: tuple[int, int]
) -> None:
    for wider in (0, 5):
        distributions = masses(1 + wider, first, second, rest)
        distributions[2].values[:] += 1e-3
        likeliest = sum(distribution.low + distribution.values.size // 2 for distribution in distributions)
        total = likeliest + min(wider, rest[1] // 4)
        exact = by_all_pairs(priors, distributions, total)
        a, b = (GammaCounts(prior, distribution) for prior, distribution in zip(priors, distributions[:2], strict=True))
        value, error = greater(a, b, distributions[2], total)
        assert value == pytest.approx(exact, abs=TOLERANCE)
        assert error < 1e-11
        other, _ = greater(b, a, distributions[2], total)
        assert value + other == pytest.approx(1.0, abs=TOLERANCE)


@pytest.mark.parametrize("count", [40, 99_999, 10**5, 10**7, 2**40])
def test_it_equals_mpmath_at_any_size(count: int) -> None:
    away = math.isqrt(count)
    first, second = GammaCounts(0.75, Mass(count, np.ones(1))), GammaCounts(2.5, Mass(count + away, np.ones(1)))
    with mpmath.workdps(40):
        # For these parameters the distribution of the difference, an integral by mpmath of the smooth density.
        a, b = mpmath.mpf(count) + mpmath.mpf("0.75"), mpmath.mpf(count + away) + mpmath.mpf("2.5")
        centre, spread = a / (a + b), mpmath.sqrt(a * b / (a + b) ** 3)
        top = a * mpmath.log(centre) + b * mpmath.log(1 - centre) - mpmath.log(mpmath.beta(a, b))

        def density(z: mpmath.mpf) -> mpmath.mpf:
            x = centre + z * spread
            value = a * mpmath.log(x / centre) + b * mpmath.log((1 - x) / (1 - centre))
            return mpmath.exp(value + top) / (x * (1 - x)) * spread

        low = (mpmath.mpf("0.5") - centre) / spread
        exact = float(mpmath.quad(density, mpmath.linspace(low, min(low + 14, (1 - centre) / spread), 15)))
    value, error = greater(first, second, Mass(7, np.ones(1)), 2 * count + away + 7)
    assert value == pytest.approx(exact, abs=TOLERANCE)
    assert error < 1e-11


def test_it_keeps_its_digits_at_the_largest_total() -> None:
    count = 2**52
    distribution = np.exp(-0.05 * np.abs(np.arange(-300, 301)))
    first, second = GammaCounts(0.5, Mass(count, distribution)), GammaCounts(0.5, Mass(count, distribution))
    rest = Mass(0, np.ones(2000))
    assert greater(first, second, rest, 2 * count + 1000)[0] == pytest.approx(0.5, abs=TOLERANCE)
    shift = math.isqrt(count)
    nearer, _ = greater(first, GammaCounts(0.5, Mass(count + shift, distribution)), rest, 2 * count + shift + 1000)
    assert nearer == pytest.approx(float(special.ndtr(-shift / math.sqrt(2.0 * count + shift))), abs=1e-8)


def test_what_would_take_long_is_refused() -> None:
    def flat(size: int) -> NDArray[np.float64]:
        return np.full(size, 1.0 / size)

    wide = GammaCounts(1.0, Mass(0, flat(200_000)))
    with pytest.raises(InferenceError):
        greater(wide, wide, Mass(0, flat(200_000)), 300_000)
