"""The exact error distributions behind the figures, compared with brute force over noises and candidates."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from benchmarks.papers import errors
from benchmarks.papers.errors import Data
from core.candidates import histograms
from core.count_simplex import Window
from core.dirichlet import hellinger_of_posteriors
from core.mechanisms.exponential.sensitivity import smooth_sensitivity
from core.mechanisms.laplace import consistent

SCALE = 2.5


def brute_laplace(data: Data) -> float:
    """Over all noises with relevant probability, in turn, through the mechanism's own clipping."""
    reach = range(-70, 71)
    total = 0.0
    for noise in product(reach, repeat=data.m - 1):
        weight = math.prod(float(errors.floored_laplace(np.array(z), SCALE)) for z in noise)
        released = consistent(tuple(c + z for c, z in zip(data.counts, noise, strict=False)), data.n)
        total += weight * float(hellinger_of_posteriors(data.alpha, data.c, np.array(released)))
    return total


def test_the_law_of_floored_laplace_noise() -> None:
    """Against integrals of the density over [k, k + 1)."""

    def cdf(x: float) -> float:
        return 0.5 * math.exp(x / SCALE) if x < 0 else 1 - 0.5 * math.exp(-x / SCALE)

    k = np.arange(-20, 21)
    assert errors.floored_laplace(k, SCALE) == pytest.approx([cdf(z + 1) - cdf(z) for z in k.tolist()], abs=1e-15)


@pytest.mark.parametrize("counts", [(5, 5), (0, 9), (12, 1)])
def test_clipped_noise_at_two_categories(counts: tuple[int, int]) -> None:
    data = Data((1.0, 0.5), counts, 0.8, 5e-4)
    assert errors.laplace(data, SCALE).mean == pytest.approx(brute_laplace(data), rel=1e-10)


@pytest.mark.parametrize("counts", [(3, 3, 3), (9, 0, 0), (0, 2, 7)])
def test_noise_that_is_cut_back_at_three_categories(counts: tuple[int, int, int]) -> None:
    """Candidates one by one, against pairs of noises one by one."""
    data = Data((1.0, 2.0, 0.5), counts, 0.8, 5e-4)
    by_noise = errors._noise_grid_law(data, SCALE)
    assert errors.laplace(data, SCALE).mean == pytest.approx(by_noise.mean, rel=1e-9)
    assert errors.laplace_of_candidates(data, SCALE).sum() == pytest.approx(1.0, abs=1e-14)
    mean, error = errors.laplace_runs(data, SCALE)
    assert abs(mean - by_noise.mean) < 5 * error


def test_a_sum_over_powers_of_the_affinity_is_the_mean_distance() -> None:
    data = Data((1.0, 1.0, 1.0), (400, 300, 300), 0.8, 5e-4)

    def log_noise(z: errors.Counts) -> errors.Floats:
        return np.log(errors.floored_laplace(z, SCALE))

    def windows(k: float) -> list[Window]:
        return [errors._noisy_window(data, i, k, 90, log_noise if i < 2 else None) for i in range(3)]

    assert errors.mean_distance(windows, data.n) == pytest.approx(errors.laplace(data, SCALE).mean, rel=1e-7)


@pytest.mark.parametrize("counts", [(5, 7), (0, 12), (11, 1)])
def test_geometric_noise_with_the_remap_at_two_categories(counts: tuple[int, int]) -> None:
    """The remap of every noisy count by brute force over the whole posterior of the counts."""
    data = Data((0.5, 2.0), counts, 0.8, 5e-4)
    every = histograms(12, 2)
    distances = np.array([hellinger_of_posteriors(data.alpha, c, every) for c in every])
    prior = errors.predictive(data.alpha, every)
    total = norm = 0.0
    for z in range(-60, 61):
        y = data.counts[0] + z
        joint = prior * np.exp(-0.8 * np.abs(every[:, 0] - y))
        said = int((distances @ joint).argmin())
        total += math.exp(-0.8 * abs(z)) * float(distances[data.counts[0], said])
        norm += math.exp(-0.8 * abs(z))
    assert errors.geometric(data).mean == pytest.approx(total / norm, rel=1e-9)


def test_quantiles_and_tails_of_a_law() -> None:
    law = errors.Law.of(np.array([0.5, 0.1, 0.3]), np.array([1.0, 2.0, 1.0]))
    assert law.mean == pytest.approx(0.25)
    assert [law.quantile(level) for level in (0.25, 0.5, 0.6, 0.99)] == [0.1, 0.1, 0.3, 0.5]
    assert [law.exceeding(t) for t in (0.0, 0.1, 0.2, 0.6)] == [1.0, 1.0, 0.5, 0.0]


@pytest.mark.parametrize(("prior", "n"), [((1.0, 1.0), 60), ((0.5, 20.0), 40), ((1.0, 1.0, 1.0), 9)])
def test_the_rate_of_an_exact_loss_is_that_loss_over_all_neighbours(prior: tuple[float, ...], n: int) -> None:
    """By brute force over every pair of neighbours. The rate of the printed mechanism is lower; without the 2 it is too
    high, or nearly right.
    """
    epsilon, counts = 0.8, (n, *(0,) * (len(prior) - 1))
    data = errors.Data(prior, counts, epsilon, 1e-4)
    gamma = errors.printed_gamma(data)
    epsilon0 = errors.sound_rate(data) * 2 * smooth_sensitivity(data.alpha, data.c, gamma)
    every = histograms(n, len(prior))
    logs = []
    for c in every:
        rate = epsilon0 / (2 * smooth_sensitivity(np.array(prior), c, gamma))
        weights = -rate * hellinger_of_posteriors(prior, c, every)
        logs.append(weights - np.logaddexp.reduce(weights))
    table = np.array(logs)
    near = np.abs(every[:, None, :] - every[None, :, :]).sum(axis=2) == 2
    worst = max(float(np.abs(table[x] - table[y]).max()) for x, y in zip(*np.nonzero(near), strict=True))
    assert 0.999 * epsilon <= worst <= epsilon * (1 + 1e-9)
    assert epsilon0 > epsilon
