"""Several releases of one data set, against the product of their likelihoods on every histogram."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

from core.inference import InferenceError, infer, pool
from core.mechanisms.catalogue import Event
from core.mechanisms.exponential.calibration import calibrate_proven, calibrate_published
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon
from core.samplers.entropy import SeededEntropy
from core.samplers.reproducible import Reproducible
from tests.core.inference.reference import events, histograms, log_likelihood, release


def brute_force(
    released: list[tuple[Event, NoisyCounts]], prior: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Every histogram and its probability given all the releases."""
    event = released[0][0]
    counts = histograms(event.n, event.m)
    logs = (special.gammaln(counts + prior) - special.gammaln(counts + 1.0)).sum(axis=1)
    logs = logs + sum(log_likelihood(each, noisy.noisy, counts) for each, noisy in released)
    weights = np.exp(logs - logs.max())
    return counts, weights / weights.sum()


def assert_equal(released: list[tuple[Event, NoisyCounts]], prior: NDArray[np.float64], tolerance: float) -> None:
    posterior = pool(released, prior)
    counts, weights = brute_force(released, prior)
    total = prior.sum() + counts[0].sum()
    for i, share in enumerate(posterior.shares()):
        a = prior[i] + counts[:, i]
        assert share.mean == pytest.approx(weights @ (a / total), abs=tolerance)
        for x in (0.1, 0.4):
            exact = float(weights @ special.betaincc(a, total - a, x))
            assert share.survival(x) == pytest.approx(exact, abs=tolerance)
            assert abs(share.survival(x) - exact) <= posterior.error + 1e-12


def exponentials(n: int) -> list[Event]:
    """Exponential mechanisms of two calibrations, each with its own prior."""
    return [
        calibrate_published(n, (1.0, 1.0, 1.0), Epsilon.parse("2"), Delta.parse("0.00000001")),
        calibrate_proven(n, (2.0, 0.5, 1.0), Epsilon.parse("3"), Delta(0)),
    ]


@pytest.mark.parametrize("m", [3, 4])
def test_releases_with_noise_on_counts_multiply_category_by_category(m: int) -> None:
    truth, prior = np.array([5, 0, 3, 4][:m]), np.array([1.0, 0.5, 2.0, 0.1][:m])
    released = [
        (event, release(event, truth, SeededEntropy(seed)))
        for epsilon in ("0.8", "2")
        for seed, event in enumerate(events(int(truth.sum()), m, epsilon))
    ]
    assert_equal(released, prior, 1e-10)
    assert_equal(released[:1] * 3, prior, 1e-10)


@pytest.mark.parametrize("event", exponentials(10))
def test_the_exponential_mechanism_of_three_categories_has_an_exact_posterior(event: Event) -> None:
    for seed, truth in enumerate(([4, 3, 3], [10, 0, 0])):
        released = release(event, np.array(truth), SeededEntropy(seed))
        assert_equal([(event, released)], np.array([1.0, 0.5, 2.0]), 1e-10)


def test_choices_of_candidates_pool_with_noise_on_counts() -> None:
    truth = np.array([6, 1, 3])
    released = [
        (event, release(event, truth, SeededEntropy(seed)))
        for seed, event in enumerate([*exponentials(10), *events(10, 3, "1")])
    ]
    assert_equal(released, np.array([0.5, 1.0, 3.0]), 1e-10)


def test_paying_twice_narrows_an_interval() -> None:
    """Two releases at epsilon / 2 are a little less precise than one at epsilon, and far more than one of them."""
    n, runs, rng = 400, 12, Reproducible(3)
    half, whole = events(n, 3, "0.2")[0], events(n, 3, "0.4")[0]
    widths = np.zeros((runs, 3))
    for run, truth in enumerate(rng.histograms(n, rng.dirichlets(np.full((runs, 3), 5.0)))):
        first, second, once = (
            release(each, truth, SeededEntropy(7 * run + k)) for k, each in enumerate((half, half, whole))
        )
        for place, released in enumerate(([(half, first)], [(half, first), (half, second)], [(whole, once)])):
            low, high = pool(released, [1.0] * 3).share(0).interval(0.95)
            widths[run, place] = high - low
    alone, pooled, at_once = widths.mean(axis=0)
    assert at_once < pooled < 0.92 * alone


def test_releases_of_different_sizes_are_no_releases_of_one_data_set() -> None:
    first, second = events(10, 3, "1")[0], events(11, 3, "1")[0]
    with pytest.raises(InferenceError, match="one data set"):
        pool([(first, NoisyCounts((4, 3, 3), (4, 3, 3))), (second, NoisyCounts((4, 3, 4), (4, 3, 4)))], [1.0] * 3)


def test_pooling_is_no_product_of_posteriors() -> None:
    """The planted fault: a product of two posteriors counts the prior twice."""
    event, noisy, prior = events(20, 3, "1")[0], NoisyCounts((8, 7, 5), (8, 7, 5)), np.array([40.0, 1.0, 1.0])
    right = pool([(event, noisy), (event, noisy)], prior).share(0).mean
    counts, alone = brute_force([(event, noisy)], prior)
    product = alone**2 / (alone**2).sum()
    wrong = product @ ((prior[0] + counts[:, 0]) / (prior.sum() + 20))
    assert abs(right - wrong) > 0.01
    assert infer(event, noisy, prior).share(0).mean != pytest.approx(right, abs=1e-3)
