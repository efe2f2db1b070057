"""Draws come from the distribution that is stated, whatever the histogram, and every bound that they rest on holds."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from core.candidates import log_candidate_count
from core.dirichlet import hellinger_of_posteriors
from core.mechanisms.exponential import sampler as sampling
from core.mechanisms.exponential.mixture import HellingerMixture
from core.mechanisms.exponential.sampler import HellingerSampler, sampler_slack, tries_together
from core.mechanisms.exponential.sensitivity import smooth_sensitivity
from core.samplers.entropy import SeededEntropy
from tests.core.histograms import histograms


def candidates(n: int, m: int) -> NDArray[np.int64]:
    """All of R, shape (|R|, m)."""
    return np.array(list(histograms(n, m)), dtype=np.int64)


def p_value(draws: Counter[tuple[int, ...]], every: NDArray[np.int64], weights: NDArray[np.float64]) -> float:
    """Chi-square of the draws; candidates expected fewer than 8 times share a cell."""
    expected = draws.total() * weights / weights.sum()
    observed = np.array([draws[tuple(candidate)] for candidate in every.tolist()], dtype=np.float64)
    rare = expected < 8.0
    cells = np.append(observed[~rare], observed[rare].sum()), np.append(expected[~rare], expected[rare].sum())
    kept = cells[1] > 0.0
    return float(stats.chisquare(cells[0][kept], cells[1][kept] * cells[0].sum() / cells[1].sum()).pvalue)


DRAWN = [
    pytest.param([0.6, 1.7], [9, 21], 9.0, -math.inf, marks=pytest.mark.long),
    pytest.param([1.0, 0.4, 2.0], [4, 0, 3], 5.0, -math.inf, marks=pytest.mark.long),
    ([1.0, 0.4, 2.0], [4, 0, 3], 5.0, -3.5),
    ([1.0, 1.0, 0.3, 3.0], [2, 1, 0, 2], 3.0, -math.inf),
]


@pytest.mark.parametrize(("prior", "counts", "kappa", "log_admixture"), DRAWN)
def test_draws_follow_the_distribution_and_no_nearby_one(
    prior: list[float], counts: list[int], kappa: float, log_admixture: float
) -> None:
    """The right distribution is accepted at p > 1e-7, a false alarm in 4e-7 of the suites; κ × 1.3 and a count moved
    are rejected there.
    """
    every = candidates(sum(counts), len(counts))
    sampler = HellingerSampler(prior, counts, kappa, log_admixture=log_admixture)
    draws = Counter(sampler.draws(8000, SeededEntropy(20)))

    def weights(used_counts: list[int], used_kappa: float) -> NDArray[np.float64]:
        return np.exp(-used_kappa * hellinger_of_posteriors(prior, used_counts, every)) + math.exp(log_admixture)

    assert p_value(draws, every, weights(counts, kappa)) > 1e-7
    assert p_value(draws, every, weights(counts, 1.3 * kappa)) < 1e-7
    assert p_value(draws, every, weights([counts[0] - 1, *counts[1:-1], counts[-1] + 1], kappa)) < 1e-7


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("prior", "counts", "kappa"),
    [
        ([1.0, 1.0, 1.0], [900, 90, 10], 15.0),
        ([0.4, 2.0, 1.0, 1.0], [70_000, 20_000, 9_990, 10], 30.0),
        ([1.0] * 10, [10_000] * 10, 120.0),
    ],
)
def test_draws_of_large_spaces_have_the_expected_error(prior: list[float], counts: list[int], kappa: float) -> None:
    """Two ways that share neither panels nor envelope; each mean within 6 standard errors, false alarms below 1e-8."""
    mixture = HellingerMixture(prior, counts)
    drawn = np.array(HellingerSampler(prior, counts, kappa).draws(500, SeededEntropy(7)))
    distances = hellinger_of_posteriors(prior, counts, drawn)
    allowed = 6.0 * distances.std() / math.sqrt(distances.size)
    expected = mixture.expected_distance(kappa)
    assert abs(distances.mean() - expected) < allowed
    assert abs(distances.mean() - mixture.expected_distance(1.3 * kappa)) > allowed


@pytest.mark.parametrize("counts", [[1_000_000, 0, 0], [999_999, 1, 0], [0, 500_000, 500_000], [1, 1, 999_998]])
def test_sparse_histograms_of_a_million_records_are_drawn(counts: list[int]) -> None:
    for prior in ([1.0, 1.0, 1.0], [1e-3, 0.4, 1e6]):
        for kappa in (0.5, 3.0, 400.0):
            [drawn] = HellingerSampler(prior, counts, kappa).draws(1, SeededEntropy(1))
            assert sum(drawn) == 1_000_000
            assert min(drawn) >= 0


def some_case(seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64], float, float]:
    """A prior, a histogram, a κ that some calibration may set there, and an admixture or none."""
    rng = np.random.default_rng(seed)
    m, n = int(rng.choice([2, 3, 5, 12, 40])), int(10 ** rng.uniform(0.0, 7.0))
    prior = 10 ** rng.uniform(-3.0, 6.0, m) if rng.random() < 0.5 else np.full(m, 10 ** rng.uniform(-3.0, 6.0))
    counts = rng.multinomial(n, rng.dirichlet(np.full(m, 10 ** rng.uniform(-2.0, 1.0))))
    kappa = 10 ** rng.uniform(-4.0, 1.7) / (2 * smooth_sensitivity(prior, counts, 10 ** rng.uniform(-5.0, 0.3)))
    return prior, counts, kappa, -math.inf if rng.random() < 0.5 else -(log_candidate_count(n, m) + 14.0)


SEEDS = [*range(30), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(30, 500))]


@pytest.mark.every(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_acceptance_probabilities_are_at_most_one_and_one_batch_suffices(
    seed: int,
) -> None:
    """Of every node, likely or not: above one a probability would be cut, and the distribution with it."""
    prior, counts, kappa, log_admixture = some_case(seed)
    sampler, entropy = HellingerSampler(prior, counts, kappa, log_admixture=log_admixture), SeededEntropy(seed)
    tries = sum(tries_together(counts.size))
    found, log_probability = sampler._attempts(tries, entropy)
    assert np.exp(log_probability).sum() >= 10.0
    likely, nodes = sampler._running, sampler._nodes.k.size
    for _ in range(2):
        assert found[log_probability > -math.inf].sum(axis=1) == pytest.approx(counts.sum())
        assert (found[log_probability > -math.inf] >= 0).all()
        assert not np.isnan(log_probability).any()
        assert log_probability.max() < 0.0
        sampler._running = np.arange(1, nodes + 1) * (likely[-1] // nodes)
        sampler._running[-1] = likely[-1]
        found, log_probability = sampler._attempts(tries, entropy)


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("prior", "counts", "kappa"),
    [([1.0, 1.0], [300, 500], 20.0), ([0.3, 1.0, 4.0], [500, 20, 3], 11.0), ([1.0] * 10, [10_000] * 10, 120.0)],
)
def test_as_many_proposals_are_kept_as_the_normaliser_says(prior: list[float], counts: list[int], kappa: float) -> None:
    """Z/C of them: kept ones have the mass w/C at each candidate. Within 6 standard errors, false alarms below 1e-8."""
    sampler, entropy = HellingerSampler(prior, counts, kappa), SeededEntropy(4)
    kept = np.exp(np.concatenate([sampler._attempts(2000, entropy)[1] for _ in range(10)]))
    expected = math.exp(HellingerMixture(prior, counts).log_normaliser(kappa) - sampler._log_c)
    assert abs(kept.mean() - expected) < 6.0 * kept.std() / math.sqrt(kept.size)


@pytest.mark.every(4)
@pytest.mark.parametrize("kappa", [0.02, 3.0, 400.0, 20_000.0])
@pytest.mark.parametrize("log_admixture", [-math.inf, -20.0])
def test_the_ratio_of_weight_and_proposal_stays_below_its_bound_everywhere(kappa: float, log_admixture: float) -> None:
    sampler = HellingerSampler([1.0, 4.0, 0.2], [70_000, 29_000, 1_000], kappa, log_admixture=log_admixture)
    x = np.concatenate([[0.0], np.geomspace(1e-14, 200.0, 200_001)])
    log_q = np.logaddexp.reduce(sampler._log_q - np.outer(x, sampler._nodes.k), axis=1)
    ratio = sampler._log_weight(x) - log_q
    assert sampler._log_c - 2.0 < ratio.max() < sampler._log_c


def test_an_admixture_of_all_weight_is_a_uniform_candidate() -> None:
    prior, counts = [1.0, 2.0, 0.5], [10, 20, 30]
    drawn = HellingerSampler(prior, counts, 100.0, log_admixture=50.0).draws(30_000, SeededEntropy(1))
    every = candidates(60, 3)
    assert p_value(Counter(drawn), every, np.ones(len(every))) > 1e-7


def test_a_hundred_categories_and_a_million_records() -> None:
    counts = np.random.default_rng(3).multinomial(10**6, np.random.default_rng(4).dirichlet(np.full(100, 0.5)))
    [drawn] = HellingerSampler(np.full(100, 0.7), counts, 2000.0).draws(1, SeededEntropy(5))
    assert sum(drawn) == 10**6


def test_proposals_are_made_some_at_a_time() -> None:
    assert sum(tries_together(1000)) == pytest.approx(90.0 * math.sqrt(1000), abs=1.0)
    assert max(tries_together(1000)) * 1000 <= 1 << 18


def test_where_no_proposal_is_kept_others_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "tries_together", lambda _: [1])
    sampler = HellingerSampler([1.0] * 10, [100] * 10, 30.0)
    assert all(sum(drawn) == 1000 for drawn in sampler.draws(20, SeededEntropy(1)))


def test_the_slack_is_small_and_grows_with_the_space() -> None:
    small, large = (sampler_slack(n, m, largest_exponent=1e4) for n, m in ((1000, 3), (10**7, 1000)))
    assert small < large < 1e-8
    assert small < 1e-9
