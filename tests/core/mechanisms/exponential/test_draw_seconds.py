"""The public estimate of a draw: what it rests on holds at every histogram."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from core.mechanisms.exponential import draw_seconds
from core.mechanisms.exponential.calibration import calibrate_global, calibrate_proven, calibrate_published
from core.mechanisms.exponential.components import HellingerComponents
from core.mechanisms.exponential.draw_seconds import LARGEST_EPSILON0, mixture_seconds, shortest_step
from core.mechanisms.exponential.sensitivity import local_sensitivity
from core.privacy import Delta, Epsilon
from tests.core.histograms import by_shares, histograms

PRIORS = {
    "flat": np.full(40, 1.0),
    "small": np.full(60, 0.001),
    "large": np.full(100, 1e6),
    "falling": np.geomspace(1e6, 1e-3, 80),
    "half": np.repeat([1e6, 0.001], 30),
    "one large": np.array([1e6] + [1.0] * 49),
}


def spreads(n: int, m: int) -> list[NDArray[np.int64]]:
    """Made-up histograms, even and uneven."""
    shares = [np.full(m, 1 / m), np.eye(m)[0], np.eye(m)[-1], 0.7 ** np.arange(m), (np.arange(m) < m // 2) * 1.0]
    return by_shares(n, shares)


@pytest.mark.parametrize("prior", [[1.0, 1.0], [0.001, 5.0], [3.0, 0.2, 0.2], [0.5, 2.0, 9.0, 9.0], [1e6, 1.0, 0.001]])
@pytest.mark.parametrize("n", [1, 2, 7])
def test_no_local_sensitivity_is_below_the_shortest_step(prior: list[float], n: int) -> None:
    alpha = np.array(prior)
    smallest = min(local_sensitivity(alpha, np.array(counts)) for counts in histograms(n, alpha.size))
    assert shortest_step(n, np.sort(alpha)) <= smallest * (1 + 1e-12)


@pytest.mark.parametrize("prior", PRIORS.values(), ids=PRIORS)
@pytest.mark.parametrize("n", [30, 2_000, 100_000])
def test_no_normaliser_is_above_its_bound(prior: NDArray[np.float64], n: int) -> None:
    """As close as counts between those that are looked at allow, two hundredths of a nat a category."""
    k = np.exp2(np.arange(0, 24, 3))
    bounds = draw_seconds._log_normaliser_bounds(draw_seconds._grouped(n, np.sort(prior)), k)
    for counts in spreads(n, prior.size):
        components = HellingerComponents(prior, counts, 1e-3)
        for each, bound in zip(k.tolist(), bounds.tolist(), strict=True):
            assert components.log_normaliser_bound(each) <= bound + 0.02 * prior.size or bound == pytest.approx(
                draw_seconds._grouped(n, np.sort(prior)).log_candidates
            )
            if n <= 2_000 and each in (1.0, 64.0):
                assert components.law(each).log_normaliser <= bound + 0.02 * prior.size


@pytest.mark.parametrize("prior", PRIORS.values(), ids=PRIORS)
@pytest.mark.parametrize("n", [30, 2_000, 100_000])
def test_no_windows_are_wider_than_those_of_an_even_spread(prior: NDArray[np.float64], n: int) -> None:
    """By more than a quarter: where the tilt is not as expected, windows are laid twice."""
    priors = draw_seconds._grouped(n, np.sort(prior))
    for counts, k in itertools.product(spreads(n, prior.size), (3.0, 400.0)):
        components = HellingerComponents(prior, counts, 1e-3)
        components.law(k)
        widest, _ = draw_seconds._weights(priors, 2.0 * k, 50.0)
        assert sum(piece.size for piece in components._pieces) <= 1.25 * widest + 20 * prior.size


@pytest.mark.parametrize(("n", "m"), [(40_000, 2), (1_000, 3), (100_000, 10), (1_000, 200), (100_000, 1_000)])
@pytest.mark.parametrize("alpha", [0.001, 1.0, 1e6])
def test_no_calibration_sets_more_than_the_largest_epsilon0(n: int, m: int, alpha: float) -> None:
    prior, delta = (alpha,) * m, Delta.parse("1e-6")
    for epsilon in (Epsilon.parse("35"), Epsilon.parse("50")):
        for calibrate in (calibrate_published, calibrate_proven, calibrate_global):
            assert float(calibrate(n, prior, epsilon, delta).epsilon0) <= LARGEST_EPSILON0


def test_the_estimate_knows_how_a_prior_is_spread() -> None:
    """One large prior makes one wide window; a thousand of them, a thousand."""
    one, all_ = (1e6,) + (1.0,) * 999, (1e6,) * 1000
    assert 20 * mixture_seconds(100_000, one) < mixture_seconds(100_000, all_)
    assert mixture_seconds(100_000, one) == mixture_seconds(100_000, one[::-1])
