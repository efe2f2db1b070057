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
from core.mechanisms.exponential.mixture import HellingerMixture
from core.mechanisms.exponential.sensitivity import local_sensitivity
from core.mechanisms.exponential.stable_law import log_masses
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
        filled = np.array([1.0, 0.5 * prior.size, prior.size])
        widest = draw_seconds._weights(priors, filled, np.full(3, k), np.full(3, 7.0)).max()
        assert sum(piece.size for piece in components._pieces) <= 1.25 * widest + 20 * prior.size


@pytest.mark.parametrize("prior", PRIORS.values(), ids=PRIORS)
@pytest.mark.parametrize("n", [30, 2_000])
def test_no_draw_computes_a_law_of_a_smaller_k_than_is_expected(prior: NDArray[np.float64], n: int) -> None:
    """With a probability that matters; where none is expected, none is computed at any rate."""
    largest_rate = LARGEST_EPSILON0 / (2.0 * shortest_step(n, np.sort(prior)))
    laws = draw_seconds._likely_laws(draw_seconds._grouped(n, np.sort(prior)), largest_rate)
    least = laws[0].k / 2.0 if laws else np.inf
    for counts in spreads(n, prior.size):
        mixture = HellingerMixture(prior, counts, tolerance=1e-20)
        for rate in np.geomspace(0.01 * largest_rate, largest_rate, 8).tolist():
            smallest = mixture.sampler(rate).smallest_likely(np.exp(-10.0))
            assert smallest == 0 or smallest >= least


def test_masses_are_about_those_of_the_stable_law() -> None:
    k = np.array([1.0, 2.0, 3.0, 10.0, 40.0, 64.0, 1e3, 1e6])
    for rate in (0.01, 1.0, 20.0, 300.0, 1e4):
        about = draw_seconds._log_masses(np.array([[rate]]), k)[0]
        assert about == pytest.approx(log_masses(rate, k), abs=0.25, rel=1e-9)


def test_a_bound_that_neighbours_show_to_be_loose_is_left_out() -> None:
    """Three of six points are corners of the convex function below them."""
    k, bounds = draw_seconds._below_chords(
        np.array([1.0, 4.0, 16.0, 64.0, 256.0]), np.array([9.5, 9.0, 2.0, 6.0, 1.0]), 10.0
    )
    assert (k, bounds) == ([0.0, 16.0, 256.0], [10.0, 2.0, 1.0])


def test_priors_that_hardly_differ_are_estimated_as_one() -> None:
    nearly = tuple((3.0 + 1e-15 * np.arange(40)).tolist())
    assert len(set(nearly)) > 12
    assert mixture_seconds(5_000, nearly) == pytest.approx(mixture_seconds(5_000, (3.0,) * 40), rel=0.2)


@pytest.mark.parametrize("prior", [np.geomspace(1e6, 1e-3, 200), np.repeat([1e6, 3.0, 2.0, 0.001], [3, 50, 7, 40])])
def test_a_few_priors_stand_for_all(prior: NDArray[np.float64]) -> None:
    """A smooth function of the logarithm adds up over them as over all, and some bounds of normalisers do."""
    priors = draw_seconds._grouped(1_000, np.sort(prior))
    assert priors.alpha.size <= 12
    assert priors.many.sum() == pytest.approx(prior.size)
    for scale in (0.01, 1.0, 100.0, 1e4):
        each, few = np.log1p(prior / scale).sum(), priors.many @ np.log1p(priors.alpha / scale)
        assert few == pytest.approx(each, rel=0.03)


@pytest.mark.parametrize(("n", "m"), [(40_000, 2), (1_000, 3), (100_000, 10), (1_000, 200), (100_000, 1_000)])
@pytest.mark.parametrize("alpha", [0.001, 1.0, 1e6])
def test_no_calibration_sets_more_than_the_largest_epsilon0(n: int, m: int, alpha: float) -> None:
    prior, delta = (alpha,) * m, Delta.parse("1e-6")
    for epsilon in (Epsilon.parse("35"), Epsilon.parse("50")):
        for calibrate in (calibrate_published, calibrate_proven, calibrate_global):
            assert float(calibrate(n, prior, epsilon, delta).epsilon0) <= LARGEST_EPSILON0


def test_few_records_under_falling_priors_are_not_taken_for_as_many_under_large_ones() -> None:
    """Priors within a factor of 13 once counted as the largest of them, and the estimate was 0.48 s for 25 ms."""
    assert mixture_seconds(1_000, tuple(np.geomspace(1e6, 1e-3, 1_000).tolist())) < 0.06


def test_the_estimate_knows_how_a_prior_is_spread() -> None:
    """One large prior makes one wide window; a thousand of them, a thousand."""
    one, all_ = (1e6,) + (1.0,) * 999, (1e6,) * 1000
    assert 20 * mixture_seconds(100_000, one) < mixture_seconds(100_000, all_)
    assert mixture_seconds(100_000, one) == mixture_seconds(100_000, one[::-1])
