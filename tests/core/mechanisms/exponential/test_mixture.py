"""Enumeration is the oracle where it can be had; elsewhere draws and sums have to agree with each other."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from core.count_simplex import ProductLaw
from core.dirichlet import hellinger_of_posteriors, log_affinity_of_posteriors
from core.mechanisms.exponential.components import HellingerComponents
from core.mechanisms.exponential.mixture import (
    _CHORD_MARGIN,
    HellingerMixture,
    _Envelope,
    numerical_slack,
    pure_slack,
)
from core.samplers.entropy import SeededEntropy
from core.samplers.split import uniform_split
from tests.core.histograms import histograms

# Priors that are not integer, unequal, below one half and far apart; counts with zeros and ties; weights from flat to
# steep.
SMALL = [
    ([1.0, 1.0], [7, 2], 3.0),
    ([0.3, 2.5], [0, 9], 5.0),
    ([1e-3, 1e-3], [1, 0], 2.0),
    ([50.0, 0.02], [30, 10], 9.0),
    ([1e6, 3.0], [4, 8], 0.7),
    ([0.5, 0.5], [250, 250], 60.0),
    ([1.0, 2.0], [0, 1], 1e-4),
    ([2.2, 0.7], [1000, 0], 25.0),
    ([1.0, 1.0, 1.0], [4, 4, 4], 2.0),
    ([0.05, 0.4, 7.7], [5, 0, 3], 12.0),
    ([0.3, 0.3, 0.3], [0, 0, 20], 6.0),
    ([10.0, 0.1, 1.0], [1, 9, 0], 0.01),
    ([3.3, 1e-3, 1e3], [2, 2, 2], 20.0),
    ([1.0, 1.5, 0.49], [30, 1, 4], 30.0),
    ([0.9, 0.9, 120.0], [0, 15, 0], 8.0),
    ([1.0, 2.0, 3.0, 4.0], [1, 1, 1, 1], 2.5),
    ([0.5, 1.0, 2.0, 0.2], [0, 6, 1, 0], 1.5),
    ([0.01, 0.01, 0.01, 0.01], [3, 0, 0, 2], 10.0),
    ([7.0, 7.0, 7.0, 0.3], [2, 0, 5, 1], 40.0),
    ([1.0, 1.0, 1.0, 1.0], [0, 0, 0, 9], 15.0),
    ([0.7, 0.2, 1.1, 5.0, 0.4], [1, 0, 2, 0, 1], 3.0),
    ([1.0, 1.0, 1.0, 1.0, 1.0], [2, 1, 1, 1, 0], 7.0),
    ([0.1, 9.0, 0.1, 9.0, 0.1], [0, 3, 0, 0, 2], 0.3),
    ([2.5, 2.5, 0.25, 0.25, 30.0], [0, 0, 1, 4, 0], 18.0),
]


def candidates(n: int, m: int) -> NDArray[np.int64]:
    """All of R, shape (|R|, m)."""
    return np.array(list(histograms(n, m)), dtype=np.int64)


@pytest.mark.parametrize(("prior", "counts", "kappa"), SMALL)
def test_normaliser_and_expected_error_equal_enumeration(prior: list[float], counts: list[int], kappa: float) -> None:
    distances = hellinger_of_posteriors(prior, counts, candidates(sum(counts), len(counts)))
    weights = np.exp(-kappa * distances)
    mixture = HellingerMixture(prior, counts)
    assert math.exp(mixture.log_normaliser(kappa)) == pytest.approx(weights.sum(), rel=1e-10)
    assert mixture.expected_distance(kappa) == pytest.approx((weights @ distances) / weights.sum(), rel=1e-10)
    assert mixture.expected_distance(1e-12) == pytest.approx(distances.mean(), rel=1e-10)


@pytest.mark.parametrize(("prior", "counts", "kappa"), SMALL[::3])
def test_components_are_powers_of_the_affinity(prior: list[float], counts: list[int], kappa: float) -> None:
    """`kappa` serves as k here: normaliser and marginals of s(r)^k."""
    every = candidates(sum(counts), len(counts))
    weights = np.exp(kappa * log_affinity_of_posteriors(prior, counts, every))
    law = HellingerMixture(prior, counts).component(kappa)
    assert math.exp(law.log_normaliser) == pytest.approx(weights.sum(), rel=1e-10)
    for category, marginal in enumerate(law.marginals()):
        full = np.zeros(sum(counts) + 1)
        full[marginal.values] = marginal.probabilities
        expected = np.bincount(every[:, category], weights=weights, minlength=full.size) / weights.sum()
        assert full == pytest.approx(expected, rel=1e-10, abs=1e-18)


@pytest.mark.parametrize(
    ("kappa", "normaliser"), [(3.6323079993774225, 93.24321397971667), (7.264615998754845, 14.024924272262332)]
)
def test_two_normalisers_known_beforehand(kappa: float, normaliser: float) -> None:
    """n = 60, α = (1, 1, 1), c = (20, 20, 20), from enumeration by another program."""
    assert math.exp(HellingerMixture([1.0, 1.0, 1.0], [20, 20, 20]).log_normaliser(kappa)) == pytest.approx(
        normaliser, rel=1e-12
    )


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
def test_draws_follow_the_law_and_no_nearby_one(
    prior: list[float], counts: list[int], kappa: float, log_admixture: float
) -> None:
    """The right law is accepted at p > 1e-7, a false alarm in 4e-7 of the suites; κ × 1.3 and a count moved are
    rejected there.
    """
    every = candidates(sum(counts), len(counts))
    sampler, entropy = HellingerMixture(prior, counts).sampler(kappa, log_admixture=log_admixture), SeededEntropy(20)
    draws = Counter(tuple(sampler.draw(entropy).tolist()) for _ in range(4000))

    def weights(used_counts: list[int], used_kappa: float) -> NDArray[np.float64]:
        return np.exp(-used_kappa * hellinger_of_posteriors(prior, used_counts, every)) + math.exp(log_admixture)

    assert p_value(draws, every, weights(counts, kappa)) > 1e-7
    assert p_value(draws, every, weights(counts, 1.3 * kappa)) < 1e-7
    assert p_value(draws, every, weights([counts[0] - 1, *counts[1:-1], counts[-1] + 1], kappa)) < 1e-7


@pytest.mark.parametrize(("n", "m"), [(6, 3), (1, 4), (5, 2), (3, 5)])
def test_a_uniform_split_is_uniform(n: int, m: int) -> None:
    """Four tests at p > 1e-7."""
    every, entropy = candidates(n, m), SeededEntropy(n * m)
    draws = Counter(tuple(uniform_split(n, m, entropy).tolist()) for _ in range(6000))
    assert p_value(draws, every, np.ones(len(every))) > 1e-7


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
    sampler, entropy = mixture.sampler(kappa), SeededEntropy(7)
    distances = np.array([float(hellinger_of_posteriors(prior, counts, sampler.draw(entropy))) for _ in range(500)])
    allowed = 6.0 * distances.std() / math.sqrt(distances.size)
    expected = mixture.expected_distance(kappa)
    assert abs(distances.mean() - expected) < allowed
    assert abs(distances.mean() - mixture.expected_distance(1.3 * kappa)) > allowed


@pytest.mark.parametrize("counts", [[1_000_000, 0, 0], [999_999, 1, 0], [0, 500_000, 500_000], [1, 1, 999_998]])
def test_sparse_histograms_of_a_million_records_are_drawn(counts: list[int]) -> None:
    for prior in ([1.0, 1.0, 1.0], [1e-3, 0.4, 1e6]):
        for kappa in (0.5, 3.0, 400.0):
            drawn = HellingerMixture(prior, counts).sampler(kappa).draw(SeededEntropy(1))
            assert drawn.sum() == 1_000_000
            assert (drawn >= 0).all()


@pytest.mark.parametrize("counts", [[34_451, 0], [0, 600_694], [0, 7, 12_000]])
def test_empty_categories_of_small_priors_have_the_exact_normaliser(counts: list[int]) -> None:
    """All the mass lies on one side of c, where windows are cut at n; two categories are summed directly."""
    prior = [0.04, 0.8, 0.3][: len(counts)]
    mixture = HellingerMixture(prior, counts)
    if len(counts) == 2:
        n = sum(counts)
        every = np.stack([np.arange(n + 1), n - np.arange(n + 1)], axis=1)
        expected = np.exp(-2.5 * hellinger_of_posteriors(prior, counts, every)).sum()
        assert math.exp(mixture.log_normaliser(2.5)) == pytest.approx(expected, rel=1e-10)
    assert mixture.sampler(2.5).draw(SeededEntropy(2)).sum() == sum(counts)


def test_a_hundred_categories_and_a_million_records() -> None:
    counts = np.random.default_rng(3).multinomial(10**6, np.random.default_rng(4).dirichlet(np.full(100, 0.5)))
    drawn = HellingerMixture(np.full(100, 0.7), counts).sampler(2000.0).draw(SeededEntropy(5))
    assert drawn.sum() == 10**6


def test_an_admixture_of_all_weight_is_a_uniform_split() -> None:
    """With e^50 added to weights below one, a draw and a uniform composition come from the same bits."""
    sampler = HellingerMixture([1.0, 2.0, 0.5], [10, 20, 30]).sampler(100.0, log_admixture=50.0)
    distances = [
        float(hellinger_of_posteriors([1.0, 2.0, 0.5], [10, 20, 30], sampler.draw(SeededEntropy(seed))))
        for seed in range(60)
    ]
    assert np.mean(distances) == pytest.approx(
        HellingerMixture([1.0, 2.0, 0.5], [10, 20, 30]).expected_distance(1e-12), abs=0.15
    )


def test_the_slack_is_small_and_grows_with_the_space() -> None:
    small, large = numerical_slack(1000, 3), numerical_slack(10**6, 100)
    assert small.log_ratio < large.log_ratio < 2e-8
    assert small.log_ratio < 1e-9
    assert large.total_variation < 1e-18
    assert numerical_slack(1000, 3, tolerance=1e-40).total_variation < 1e-39


def test_a_finer_tolerance_changes_nothing_that_can_be_seen() -> None:
    coarse, fine = (
        HellingerMixture([0.3, 1.0, 4.0], [500, 20, 3], tolerance=tolerance) for tolerance in (1e-20, 1e-45)
    )
    assert coarse.log_normaliser(11.0) == pytest.approx(fine.log_normaliser(11.0), abs=1e-12)


def test_a_pure_slack_has_no_total_variation_and_reaches_deep_tails() -> None:
    """The law at the deep tolerance still is the law: normaliser and mean error as at the usual one."""
    slack, tolerance = pure_slack(99_990, 4, largest_exponent=400.0)
    assert slack.total_variation == 0.0
    assert slack.log_ratio < 1e-8
    assert tolerance < math.exp(-400.0)
    prior, counts = [0.4, 2.0, 1.0, 1.0], [70_000, 20_000, 9_980, 10]
    usual, deep = HellingerMixture(prior, counts), HellingerMixture(prior, counts, tolerance=tolerance)
    assert deep.log_normaliser(400.0) == pytest.approx(usual.log_normaliser(400.0), abs=1e-11)
    assert deep.expected_distance(400.0) == pytest.approx(usual.expected_distance(400.0), rel=1e-9)
    assert deep.sampler(400.0).draw(SeededEntropy(3)).sum() == 99_990


def test_a_pure_slack_beyond_the_range_of_floats_is_refused() -> None:
    with pytest.raises(ValueError, match="600"):
        pure_slack(10**6, 100, largest_exponent=100.0)


@pytest.mark.parametrize(("prior", "counts"), [([1.0, 1.0, 1.0], [0, 40, 260]), ([0.01, 3.0], [500, 4500])])
@pytest.mark.parametrize("kappa", [0.5, 40.0, 900.0])
def test_the_margin_of_the_chords_is_far_above_what_rounding_takes_of_it(
    prior: list[float], counts: list[int], kappa: float
) -> None:
    """A proposal above its envelope would be cut to certainty, and its law with it."""
    mixture = HellingerMixture(tuple(prior), np.array(counts))
    envelope = _Envelope(kappa, mixture.certain_from(), mixture.log_component)
    ks = np.unique(np.geomspace(1, mixture.certain_from() - 1, 60).astype(np.int64))
    slack = envelope._chord(ks) - np.array([mixture.log_component(float(k)) for k in ks])
    assert slack.min() > 0.999 * _CHORD_MARGIN


BOUNDED = [
    ([1.0, 1.0, 1.0], [0, 40, 260]),
    ([1e-3, 0.4, 1e6], [1, 1, 99_998]),
    ([0.01, 3.0], [500, 4500]),
    ([0.3] * 8, [0, 0, 0, 5, 900, 20, 1, 74]),
    ([1e6] * 20, [100] * 20),
    ([1.0] * 30, [*range(1000, 31_000, 1000)]),
]


@pytest.mark.parametrize(("prior", "counts"), BOUNDED)
def test_bounds_of_a_normaliser_lie_above_it_and_the_close_one_by_little(prior: list[float], counts: list[int]) -> None:
    mixture = HellingerMixture(prior, counts)
    for k in (1.0, 3.0, 40.0, 1e3, 1e5):
        exact, close = mixture.log_component(k), mixture.log_component_bound(k)
        assert exact <= close <= exact + 0.003
        assert exact <= mixture.rough_bound(k) <= exact + 0.2 * len(prior) + math.log(sum(counts))


@pytest.mark.parametrize(("prior", "counts"), BOUNDED)
@pytest.mark.parametrize("kappa", [0.5, 40.0, 900.0])
def test_an_envelope_of_rough_bounds_lies_above_the_normalisers(
    prior: list[float], counts: list[int], kappa: float
) -> None:
    """In each block too, whose bound is that of its first k."""
    mixture = HellingerMixture(prior, counts)
    last = mixture.certain_from()
    envelope = _Envelope(kappa, last, mixture.log_component_bound, rough=mixture.rough_bound)
    ks = np.unique(np.geomspace(1, last - 1, 25).astype(np.int64))
    chords = envelope._chord(ks)
    assert (chords - np.array([mixture.log_component(float(k)) for k in ks])).min() > 0.999 * _CHORD_MARGIN
    assert (np.diff(chords) <= 0.0).all()


@pytest.mark.parametrize(("n", "m", "kappa"), [(1_000_000, 1_000, 1.5), (10_000_000, 50, 236.0)])
def test_laws_as_wide_as_the_space_are_not_computed_where_they_have_no_share(
    n: int, m: int, kappa: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A loose chord at small k once asked for windows of millions of counts, which took longer than a tick."""
    asked = []
    law = HellingerComponents.law

    def watched(components: HellingerComponents, k: float) -> ProductLaw:
        asked.append(k)
        return law(components, k)

    monkeypatch.setattr(HellingerComponents, "law", watched)
    sampler = HellingerMixture(np.full(m, 1e6), np.full(m, n // m)).sampler(kappa)
    entropy = SeededEntropy(1)
    assert all(sampler.draw(entropy).sum() == n for _ in range(100))
    assert min(asked, default=math.inf) >= 8
