import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import gammaln

from core.inference.counts import CountMarginal, InferenceError, TwoCategoryCounts, log_prior_weight
from core.inference.likelihood import Event, counts_given_release
from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.simplex_geometric import SimplexGeometric
from core.privacy import Epsilon
from core.samplers.entropy import SeededEntropy
from core.samplers.reproducible import Reproducible
from tests.core.chi_square import assert_accepts, assert_rejects
from tests.core.inference.reference import events, posterior_of_counts, release

PRIORS = {2: [[1.0, 1.0], [0.001, 7.5]], 3: [[1.0, 1.0, 1.0], [0.5, 0.02, 30.0]], 4: [[1.0] * 4, [0.001, 1.5, 400.0, 0.3]]}
CASES = [
    (event, np.array(prior), seed)
    for m, n in ((2, 40), (3, 25), (4, 12))
    for prior in PRIORS[m]
    for epsilon in ("0.1", "0.8", "6")
    for seed, event in enumerate(events(n, m, epsilon))
]


def observed(event: Event, seed: int) -> NoisyCounts:
    counts = np.random.default_rng(seed).multinomial(event.n, np.linspace(1, 2, event.m) / np.linspace(1, 2, event.m).sum())
    return release(event, counts, SeededEntropy(seed))


def spread(low: int, probabilities: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    whole = np.zeros(n + 1)
    whole[low : low + probabilities.size] = probabilities
    return whole


@pytest.mark.parametrize(("event", "prior", "seed"), CASES)
def test_every_marginal_equals_brute_force(event: Event, prior: NDArray[np.float64], seed: int) -> None:
    released = observed(event, seed)
    posterior = counts_given_release(event, released, prior)
    counts, weights = posterior_of_counts(event, released.noisy, prior)
    for i, marginal in enumerate(posterior.marginals()):
        exact = np.bincount(counts[:, i], weights, minlength=event.n + 1)
        np.testing.assert_allclose(spread(marginal.low, marginal.probabilities, event.n), exact, rtol=0, atol=1e-12)
    assert posterior.error < 1e-11


@pytest.mark.parametrize(("event", "prior", "seed"), CASES[::3])
def test_the_joint_law_of_two_counts_equals_brute_force(event: Event, prior: NDArray[np.float64], seed: int) -> None:
    released = observed(event, seed)
    first, second, joint = counts_given_release(event, released, prior).pair(event.m - 1, 0)
    counts, weights = posterior_of_counts(event, released.noisy, prior)
    exact = np.zeros((event.n + 1, event.n + 1))
    np.add.at(exact, (counts[:, -1], counts[:, 0]), weights)
    whole = np.zeros_like(exact)
    whole[first.low : first.low + joint.shape[0], second.low : second.low + joint.shape[1]] = joint
    np.testing.assert_allclose(whole, exact, rtol=0, atol=1e-12)


def test_draws_follow_the_joint_law_of_the_counts() -> None:
    event, prior = SimplexGeometric(8, 3, Epsilon.parse("0.5")), np.array([1.0, 0.5, 2.0])
    counts, weights = posterior_of_counts(event, (4, -1, 5), prior)
    index = {tuple(c): k for k, c in enumerate(counts.tolist())}
    posterior = counts_given_release(event, NoisyCounts((4, -1, 5), (4, 0, 4)), prior)
    draws = [index[tuple(c)] for c in posterior.draws(50_000, Reproducible(1)).tolist()]
    assert_accepts(draws, dict(enumerate(weights)))
    _, of_another = posterior_of_counts(event, (4, 0, 4), prior)
    assert_rejects(draws, dict(enumerate(of_another)))


def test_the_law_of_two_counts_given_directly_is_mirrored_and_drawn() -> None:
    posterior = TwoCategoryCounts(10, CountMarginal(3, np.array([0.2, 0.5, 0.3])), 0.0)
    second = posterior.marginals()[1]
    assert second.low == 5
    np.testing.assert_allclose(second.probabilities, [0.3, 0.5, 0.2])
    first, other, joint = posterior.pair(0, 1)
    cells = {(first.low + i, other.low + j): joint[i, j] for i, j in np.ndindex(joint.shape) if joint[i, j]}
    assert cells == {(3, 7): 0.2, (4, 6): 0.5, (5, 5): 0.3}
    draws = posterior.draws(5_000, Reproducible(2))
    assert (draws.sum(axis=1) == 10).all()
    assert_accepts(draws[:, 0], {3: 0.2, 4: 0.5, 5: 0.3})


@pytest.mark.parametrize("alpha", [0.001, 0.5, 1.0, 2.5, 1e6])
def test_the_prior_weight_is_a_ratio_of_gamma_functions(alpha: float) -> None:
    counts = np.array([0.0, 1.0, 5.0, 100.0, 3000.0])
    np.testing.assert_allclose(log_prior_weight(alpha, counts), gammaln(alpha + counts) - gammaln(counts + 1), rtol=1e-11, atol=1e-11)


def test_a_flat_prior_weighs_all_counts_alike_at_any_size() -> None:
    assert np.abs(log_prior_weight(1.0, np.array([0.0, 1e3, 1e7, 2.0**53]))).max() == 0.0


@pytest.mark.parametrize("n", [1, 1000, 2**53])
def test_a_release_far_from_every_histogram_still_has_a_posterior(n: int) -> None:
    event = SimplexGeometric(n, 3, Epsilon.parse("0.5"))
    posterior = counts_given_release(event, NoisyCounts((-900, n + 1700, -800), (0, n, 0)), np.ones(3))
    means = [m.low + float(m.probabilities @ np.arange(m.probabilities.size)) for m in posterior.marginals()]
    assert sum(means) == pytest.approx(n, rel=1e-12)
    assert means[1] > n - 10


def test_windows_beyond_measure_are_refused() -> None:
    event = SimplexGeometric(10**9, 5000, Epsilon.parse("0.0001"))
    counts = tuple([10**9 // 5000] * 5000)
    with pytest.raises(InferenceError, match="too many counts"):
        counts_given_release(event, NoisyCounts(counts, counts), np.ones(5000))
