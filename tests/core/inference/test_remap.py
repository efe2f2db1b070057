import numpy as np
import pytest

from core.dirichlet import hellinger_of_posteriors
from core.inference import infer, remap
from core.mechanisms.catalogue import Event
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts, nearest_on_simplex
from core.privacy import Epsilon
from core.samplers.entropy import SeededEntropy
from core.samplers.reproducible import Reproducible
from tests.core.inference.reference import events, histograms, posterior_of_counts, release

E = Epsilon.parse


def expected_distances(event: Event, noisy: tuple[int, ...], prior: np.ndarray) -> np.ndarray:
    """E[H | y] of every candidate, by brute force."""
    counts, weights = posterior_of_counts(event, noisy, prior)
    return np.array([weights @ hellinger_of_posteriors(prior, r, counts) for r in counts])


@pytest.mark.parametrize(
    ("n", "prior"), [(20, [1.0, 1.0]), (30, [0.5, 8.0]), (8, [1.0, 1.0, 1.0]), (9, [0.1, 2.0, 5.0])]
)
def test_no_candidate_is_nearer_on_average(n: int, prior: list[float]) -> None:
    alpha = np.array(prior)
    for seed, event in enumerate(events(n, alpha.size, "0.8")):
        released = release(event, np.random.default_rng(seed).multinomial(n, alpha / alpha.sum()), SeededEntropy(seed))
        point = remap(alpha, infer(event, released, prior).counts)
        brute = expected_distances(event, released.noisy, alpha)
        assert point.method == "exact"
        assert point.expected_hellinger == pytest.approx(float(brute.min()), abs=1e-10)
        assert (
            tuple(histograms(n, alpha.size)[int(brute.argmin())].tolist()) == point.counts
            or np.sort(brute)[1] - brute.min() < 1e-9
        )


def test_the_search_at_two_categories_finds_the_best_of_a_large_space() -> None:
    event = SimplexGeometric(3000, 2, E("0.02"))
    posterior = infer(event, NoisyCounts((40, 2960), (40, 2960)), [1.0, 1.0])
    point = remap(np.ones(2), posterior.counts)
    counts = np.stack([np.arange(3001), 3000 - np.arange(3001)], axis=1)
    weights = posterior.counts.probabilities(counts)
    best = min(weights @ hellinger_of_posteriors(np.ones(2), counts[k], counts) for k in range(200))
    assert point.expected_hellinger == pytest.approx(best, abs=1e-9)


@pytest.mark.every(2)
@pytest.mark.parametrize(("m", "epsilon"), [(5, "0.2"), (24, "1.5")])
def test_beyond_enumeration_it_beats_the_projection_and_states_its_error(m: int, epsilon: str) -> None:
    event = SimplexGeometric(400, m, E(epsilon))
    prior = np.ones(m)
    truth = np.random.default_rng(3).multinomial(400, np.random.default_rng(4).dirichlet(prior))
    ahead = []
    for seed in range(1, 7):
        released = release(event, truth, SeededEntropy(seed))
        posterior = infer(event, released, prior)
        point = remap(prior, posterior.counts, draws=400)
        assert sum(point.counts) == 400
        assert min(point.counts) >= 0
        assert (point.method, point.draws) == ("simulation", 400)
        draws = posterior.counts.draws(4000, Reproducible(9))
        mean = hellinger_of_posteriors(prior, np.array(point.counts), draws).mean()
        assert abs(mean - point.expected_hellinger) < 6 * point.error
        projection = np.array(nearest_on_simplex(released.noisy, 400))
        ahead.append(hellinger_of_posteriors(prior, projection, draws).mean() - mean)
        assert ahead[-1] > -point.error, "it is chosen by draws, and may be worse by what they can be off by"
        assert remap(prior, posterior.counts, draws=400) == point, "the same release gives the same point"
    assert sum(ahead) > 0


def test_many_categories_take_the_rounded_mean() -> None:
    event = SimplexGeometric(10_000, 200, E("1"))
    truth = np.full(200, 50)
    posterior = infer(event, release(event, truth, SeededEntropy(1)), np.ones(200))
    point = remap(np.ones(200), posterior.counts, draws=100)
    means = np.array([share.count_mean for share in posterior.shares()])
    assert sum(point.counts) == 10_000
    assert np.abs(np.array(point.counts) - means).max() <= 1.0
