import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray

from core.inference.counts import InferenceError, ListedCounts
from core.inference.likelihood import counts_given_releases
from core.inference.prior_weights import (
    log_prior_weight,
    log_prior_weights_of_runs,
    prior_weight_rounding,
    rounding_of_runs,
)
from core.mechanisms.catalogue import Event
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon, Rho
from core.samplers.entropy import SeededEntropy
from core.samplers.reproducible import Reproducible
from tests.core.chi_square import assert_accepts, assert_rejects
from tests.core.inference.reference import events, posterior_of_counts, release

PRIORS = {
    2: [[1.0, 1.0], [0.001, 7.5]],
    3: [[1.0, 1.0, 1.0], [0.5, 0.02, 30.0]],
    4: [[1.0] * 4, [0.001, 1.5, 400.0, 0.3]],
}
CASES = [
    (event, np.array(prior), seed)
    for m, n in ((2, 40), (3, 25), (4, 12))
    for prior in PRIORS[m]
    for epsilon in ("0.1", "0.8", "6")
    for seed, event in enumerate(events(n, m, epsilon))
]


def observed(event: Event, seed: int) -> NoisyCounts:
    counts = np.random.default_rng(seed).multinomial(
        event.n, np.linspace(1, 2, event.m) / np.linspace(1, 2, event.m).sum()
    )
    return release(event, counts, SeededEntropy(seed))


def spread(low: int, probabilities: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    whole = np.zeros(n + 1)
    whole[low : low + probabilities.size] = probabilities
    return whole


@pytest.mark.parametrize(("event", "prior", "seed"), CASES)
def test_every_marginal_equals_brute_force(event: Event, prior: NDArray[np.float64], seed: int) -> None:
    released = observed(event, seed)
    posterior = counts_given_releases([(event, released)], prior)
    counts, weights = posterior_of_counts(event, released.noisy, prior)
    for i, marginal in enumerate(posterior.marginals()):
        exact = np.bincount(counts[:, i], weights, minlength=event.n + 1)
        np.testing.assert_allclose(spread(marginal.low, marginal.probabilities, event.n), exact, rtol=0, atol=1e-12)
    assert posterior.error < 1e-11


@pytest.mark.parametrize(("event", "prior", "seed"), CASES[::3])
def test_the_joint_distribution_of_two_counts_equals_brute_force(
    event: Event, prior: NDArray[np.float64], seed: int
) -> None:
    released = observed(event, seed)
    found = counts_given_releases([(event, released)], prior).sums([frozenset({event.m - 1}), frozenset({0})])
    counts, weights = posterior_of_counts(event, released.noisy, prior)
    exact = np.zeros((event.n + 1, event.n + 1))
    np.add.at(exact, (counts[:, -1], counts[:, 0]), weights)
    whole = np.zeros_like(exact)
    rows, columns = (slice(low, low + size) for low, size in zip(found.lows, found.probabilities.shape, strict=True))
    whole[rows, columns] = found.probabilities
    np.testing.assert_allclose(whole, exact, rtol=0, atol=1e-12)


def test_draws_follow_the_joint_distribution_of_the_counts() -> None:
    event, prior = SimplexGeometric(8, 3, Epsilon.parse("0.5")), np.array([1.0, 0.5, 2.0])
    counts, weights = posterior_of_counts(event, (4, -1, 5), prior)
    index = {tuple(c): k for k, c in enumerate(counts.tolist())}
    posterior = counts_given_releases([(event, NoisyCounts((4, -1, 5), (4, 0, 4)))], prior)
    draws = [index[tuple(c)] for c in posterior.draws(50_000, Reproducible(1)).tolist()]
    assert_accepts(draws, dict(enumerate(weights)))
    _, of_another = posterior_of_counts(event, (4, 0, 4), prior)
    assert_rejects(draws, dict(enumerate(of_another)))


@pytest.mark.parametrize(("event", "prior", "seed"), [case for case in CASES if case[0].m > 2][::2])
def test_the_joint_distribution_of_sums_over_sets_equals_brute_force(
    event: Event, prior: NDArray[np.float64], seed: int
) -> None:
    released = observed(event, seed)
    counts, weights = posterior_of_counts(event, released.noisy, prior)
    for groups in ([{0, 1}], [{0, event.m - 1}, {1}], [{i} for i in range(event.m)]):
        found = counts_given_releases([(event, released)], prior).sums([frozenset(group) for group in groups])
        exact = np.zeros((event.n + 1,) * len(groups))
        np.add.at(exact, tuple(counts[:, sorted(group)].sum(axis=1) for group in groups), weights)
        whole = np.zeros_like(exact)
        whole[
            tuple(slice(low, low + size) for low, size in zip(found.lows, found.probabilities.shape, strict=True))
        ] = found.probabilities
        np.testing.assert_allclose(whole, exact, rtol=0, atol=1e-12)
        assert 0.5 * np.abs(whole - exact).sum() <= found.error + 1e-13


def test_a_distribution_by_a_list_of_histograms_is_summed_and_drawn() -> None:
    histograms = np.array([[3, 7, 0], [4, 5, 1], [4, 6, 0]])
    posterior = ListedCounts(histograms, np.array([0.2, 0.5, 0.3]), 0.0)
    assert (posterior.n, posterior.m) == (10, 3)
    assert [(each.low, each.probabilities.tolist()) for each in posterior.marginals()] == [
        (3, [0.2, 0.8]),
        (5, [0.5, 0.3, 0.2]),
        (0, [0.5, 0.5]),
    ]
    joint = posterior.sums([frozenset({0, 2}), frozenset({1})])
    cells = {
        (joint.lows[0] + i, joint.lows[1] + j): joint.probabilities[i, j]
        for i, j in np.ndindex(joint.probabilities.shape)
    }
    assert {cell: p for cell, p in cells.items() if p} == {(3, 7): 0.2, (5, 5): 0.5, (4, 6): 0.3}
    np.testing.assert_array_equal(posterior.probabilities(np.array([[4, 5, 1], [10, 0, 0]])), [0.5, 0.0])
    draws = posterior.draws(5_000, Reproducible(2))
    assert (draws.sum(axis=1) == 10).all()
    assert_accepts(draws[:, 1], {7: 0.2, 5: 0.5, 6: 0.3})


@pytest.mark.parametrize("alpha", [0.001, 0.5, 1.0, 2.5, 1e6])
@pytest.mark.parametrize("anchor", [0, 7, 3000])
def test_the_prior_weight_is_a_ratio_of_gamma_functions_within_its_stated_rounding(alpha: float, anchor: int) -> None:
    counts = np.array([0.0, 1.0, 5.0, 100.0, 2999.0, 3000.0, 3100.0])
    found, rounding = (
        log_prior_weight(alpha, counts, anchor=anchor),
        prior_weight_rounding(alpha, counts, anchor=anchor),
    )
    with mpmath.workdps(40):
        a = mpmath.mpf(alpha)
        ratio = [mpmath.loggamma(a + c) - mpmath.loggamma(mpmath.mpf(c) + 1) for c in (*counts.tolist(), float(anchor))]
        errors = [
            abs(float(mpmath.mpf(value) - (exact - ratio[-1])))
            for value, exact in zip(found.tolist(), ratio[:-1], strict=True)
        ]
    assert (np.array(errors) <= rounding + 2e-16).all()
    assert (rounding <= 1e-13 + 1e-14 * np.abs(counts - anchor) * (1 + abs(np.log(alpha)))).all()


@pytest.mark.parametrize("seed", range(4))
def test_the_prior_weights_of_runs_are_within_their_stated_rounding(seed: int) -> None:
    rng = np.random.default_rng(seed)
    alpha = rng.permutation([0.001, 0.02, 0.5, 1.0, 1.5, 30.0, 1e3, 1e6])
    low, sizes = rng.permutation([0, 0, 1, 9, 200, 3000, 10**7, 2**50]), rng.permutation([1, 2, 15, 16, 17, 50, 33, 70])
    anchor = low + rng.integers(-3, 40, size=8).clip(-low)
    found = log_prior_weights_of_runs(alpha, low, sizes, anchor=anchor)
    rounding = rounding_of_runs(alpha, low, sizes, anchor=anchor)
    runs = zip(alpha.tolist(), low.tolist(), sizes.tolist(), anchor.tolist(), strict=True)
    with mpmath.workdps(60):
        exact = [
            mpmath.loggamma(mpmath.mpf(a) + count)
            - mpmath.loggamma(count + 1)
            - (mpmath.loggamma(mpmath.mpf(a) + at) - mpmath.loggamma(at + 1))
            for a, start, size, at in runs
            for count in map(mpmath.mpf, range(start, start + size))
        ]
        errors = [abs(float(value - each)) for value, each in zip(map(mpmath.mpf, found.tolist()), exact, strict=True)]
    assert (np.array(errors) <= rounding + 2e-16).all()
    assert (rounding <= 1e-12 + 1e-14 * np.abs(found)).all()


def test_a_flat_prior_weighs_all_counts_alike_at_any_size() -> None:
    assert np.abs(log_prior_weight(1.0, np.array([0.0, 1e3, 1e7, 2.0**53]), anchor=17.0)).max() == 0.0


@pytest.mark.parametrize("n", [1, 1000, 2**53])
def test_a_release_far_from_every_histogram_still_has_a_posterior(n: int) -> None:
    event = SimplexGeometric(n, 3, Epsilon.parse("0.5"))
    posterior = counts_given_releases([(event, NoisyCounts((-900, n + 1700, -800), (0, n, 0)))], np.ones(3))
    means = [m.low + float(m.probabilities @ np.arange(m.probabilities.size)) for m in posterior.marginals()]
    assert sum(means) == pytest.approx(n, rel=1e-12)
    assert means[1] > n - 10


FAR_OFF: list[tuple[Event, tuple[int, ...], list[float]]] = [
    (SimplexGeometric(7, 4, Epsilon.parse("50")), (5, 7, 12, -17), [0.0015, 0.001, 2576.0, 0.075]),
    (
        Gaussian(10, 4, Rho.parse("67.966973545516"), Delta.parse("0.000001")),
        (26, 209, -174, -127),
        [2.134009, 0.319487, 12.21089, 0.67727],
    ),
    (
        Gaussian(12, 3, Rho.parse("1.767601621502"), Delta.parse("0.000001")),
        (25, 17, 33),
        [1246.959762, 0.034529, 0.034904],
    ),
    (Gaussian(24, 2, Rho.parse("138.183168800002"), Delta.parse("0.000001")), (25, 17), [8270.510332, 203.301711]),
    (Laplace(12, 3, Epsilon.parse("1.074121880")), (190, 150), [1137.176305, 0.026847, 237573.348221]),
]


@pytest.mark.parametrize(("event", "noisy", "prior"), FAR_OFF)
def test_a_release_that_no_noise_gives_is_still_conditioned_on_exactly(
    event: Event, noisy: tuple[int, ...], prior: list[float]
) -> None:
    """If the total is nearly impossible under independent weights, windows that contain each count almost surely may
    all miss it.
    """
    posterior = counts_given_releases([(event, NoisyCounts(noisy, noisy))], np.array(prior))
    counts, weights = posterior_of_counts(event, noisy, np.array(prior))
    assert posterior.error < 1e-8
    for i, marginal in enumerate(posterior.marginals()):
        exact = np.bincount(counts[:, i], weights, minlength=event.n + 1)
        assert np.abs(spread(marginal.low, marginal.probabilities, event.n) - exact).max() <= posterior.error + 1e-12


@pytest.mark.parametrize("event", events(11, 3, "1"))
def test_the_stated_error_holds_under_strong_priors(event: Event) -> None:
    prior = np.array([1e6, 8e5, 0.3])
    released = observed(event, 3)
    posterior = counts_given_releases([(event, released)], prior)
    counts, weights = posterior_of_counts(event, released.noisy, prior)
    for i, marginal in enumerate(posterior.marginals()):
        exact = np.bincount(counts[:, i], weights, minlength=event.n + 1)
        assert (
            np.abs(spread(marginal.low, marginal.probabilities, event.n) - exact).sum() <= 2 * posterior.error + 2e-14
        )
    assert posterior.error < 1e-12


def test_windows_beyond_measure_are_refused() -> None:
    event = SimplexGeometric(10**9, 5000, Epsilon.parse("0.0001"))
    counts = tuple([10**9 // 5000] * 5000)
    with pytest.raises(InferenceError, match="too many counts"):
        counts_given_releases([(event, NoisyCounts(counts, counts))], np.ones(5000))
