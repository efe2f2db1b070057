"""Posteriors that are simulated are those that enumeration gives, within the error that they state."""

from __future__ import annotations

import math
import sys
from functools import partial

import numpy as np
import pytest
from scipy import stats

import core.inference.simulated_counts as simulated_counts_module
from core.candidates import histograms
from core.inference import InferenceError, infer
from core.inference.counts import CountPosterior, listed_counts
from core.inference.likelihood import counts_given_releases, unavailable_reason
from core.inference.posterior import NoiseAwarePosterior
from core.inference.product_counts import Observed
from core.inference.simulated_counts import simulated_counts
from core.mechanisms.exponential import pointwise
from core.mechanisms.exponential.calibration import calibrate_global, calibrate_published
from core.mechanisms.exponential.channel import log_likelihoods
from core.mechanisms.exponential.mechanism import Exponential, rate_at, release
from core.mechanisms.exponential.pointwise import log_likelihood, pointwise_channel
from core.mechanisms.geometric.mechanism import SimplexGeometric, log_noise
from core.mechanisms.mechanism import PointwiseChannel
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon, PrivacyLoss
from core.private import Private
from core.samplers.entropy import SeededEntropy

E, D = Epsilon.parse, Delta.parse
UNUSED = PrivacyLoss(E("1"), Delta(0), None)


def published(n: int, prior: tuple[float, ...], epsilon: str) -> Exponential:
    return calibrate_published(n, prior, E(epsilon), D("0.00000001"))


def channel_of(event: Exponential) -> PointwiseChannel:
    channel = pointwise_channel(event)
    assert channel is not None
    return channel


def looked_up(event: Exponential, released: tuple[int, ...], *, seconds: float = 1.0) -> PointwiseChannel:
    """The same channel, with the likelihoods of the enumerated one, which are quick, and few draws all the same."""
    every = histograms(event.n, event.m)
    known = dict(zip(map(tuple, every.tolist()), log_likelihoods(event, released).tolist(), strict=True))
    true = channel_of(event)
    return PointwiseChannel(lambda _, c: known[tuple(c.tolist())], true.log_terms, true.steepest, seconds)


def assert_alike(simulated: CountPosterior, exact: CountPosterior) -> None:
    """All means, and the distribution function of each count, within four and a half standard errors."""
    assert simulated.simulated is not None
    assert exact.simulated is None
    assert exact.n is not None
    for one, other in zip(simulated.marginals(), exact.marginals(), strict=True):
        running, true = np.zeros(exact.n + 1), np.zeros(exact.n + 1)
        running[one.low : one.low + one.probabilities.size] = one.probabilities
        true[other.low : other.low + other.probabilities.size] = other.probabilities
        assert np.abs(np.cumsum(running) - np.cumsum(true)).max() < 4.5 * simulated.error


CASES = [
    (20, (1.0, 1.0, 1.0), "0.5", (0, 13, 7)),
    (20, (1.0, 0.5, 2.0), "8", (17, 2, 1)),
    (24, (1.0, 1.0, 1.0, 1.0), "8", (6, 6, 6, 6)),
    (24, (0.3, 1.0, 1.0, 4.0), "30", (0, 0, 3, 21)),
]


@pytest.mark.every(3)
@pytest.mark.parametrize(("n", "prior", "epsilon", "released"), CASES)
@pytest.mark.parametrize("by_mixture", [False, True])
def test_the_likelihood_at_a_histogram_is_that_of_the_listed_channel(
    n: int,
    prior: tuple[float, ...],
    epsilon: str,
    released: tuple[int, ...],
    *,
    by_mixture: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if by_mixture:
        monkeypatch.setattr(pointwise, "_MAX_SUMMED_CANDIDATES", 0)
    event = published(n, prior, epsilon)
    logs, every = log_likelihoods(event, released), histograms(n, len(prior))
    for place in (0, len(every) // 3, len(every) - 1):
        assert log_likelihood(event, released, every[place]) == pytest.approx(logs[place], abs=1e-9)


@pytest.mark.parametrize(("n", "prior", "epsilon", "released"), CASES)
def test_a_simulated_posterior_is_the_enumerated_one(
    n: int, prior: tuple[float, ...], epsilon: str, released: tuple[int, ...]
) -> None:
    event, wanted = published(n, prior, epsilon), np.array(prior[::-1])
    exact = listed_counts(wanted, histograms(n, len(prior)), log_likelihoods(event, released), 1e-8)
    channel = looked_up(event, released)
    simulated = simulated_counts(channel, released, wanted, n)
    assert_alike(simulated, exact)
    assert simulated.effective is not None
    assert 300 < simulated.effective < 1000
    again = simulated_counts(channel, released, wanted, n)
    np.testing.assert_array_equal(again.marginals()[0].probabilities, simulated.marginals()[0].probabilities)


def test_a_likelihood_at_twice_the_rate_would_be_seen() -> None:
    event, released = published(24, (1.0,) * 4, "4"), (7, 5, 7, 5)
    exact = listed_counts(np.ones(4), histograms(24, 4), log_likelihoods(event, released), 1e-8)
    true = looked_up(event, released)

    def twice(r: tuple[int, ...], c: np.ndarray) -> float:
        distance = math.sqrt(-math.expm1(sum(float(h[held]) for h, held in zip(true.log_terms(r), c, strict=True))))
        return true.log_likelihood(r, c) - rate_at(event, c) * distance

    wrong = PointwiseChannel(twice, true.log_terms, true.steepest, 1.0)
    with pytest.raises(AssertionError):
        assert_alike(simulated_counts(wrong, released, np.ones(4), 24), exact)


def test_another_release_of_product_noise_is_pooled() -> None:
    event, released = published(24, (1.0,) * 4, "8"), (2, 6, 6, 10)
    geometric, noisy = SimplexGeometric(24, 4, E("1")), (1, 9, 6, 8)
    every = histograms(24, 4)
    logs = log_likelihoods(event, released) + sum(
        log_noise(geometric, y - held) for y, held in zip(noisy, every.T, strict=True)
    )
    exact = listed_counts(np.ones(4), every, logs, 1e-8)
    observed = [Observed.of_release(noisy, partial(log_noise, geometric), len(noisy))]
    assert_alike(simulated_counts(looked_up(event, released), released, np.ones(4), 24, observed), exact)


def test_what_does_not_converge_is_refused() -> None:
    """A likelihood that one histogram alone has: none of the draws, or few, carry the weight."""
    event, released = published(20, (1.0, 1.0, 1.0), "0.5"), (0, 13, 7)
    true = channel_of(event)
    spiked = PointwiseChannel(
        lambda _, c: 50.0 if c.tolist() == [20, 0, 0] else -2.0 * float(c[0]) ** 2,
        true.log_terms,
        true.steepest,
        true.seconds,
    )
    with pytest.raises(InferenceError, match="a few of its draws have nearly all of the weight"):
        simulated_counts(spiked, released, np.ones(3), 20)


def test_halves_that_found_different_modes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """One half of the draws misses a mode: the far mode has half of the weight of the odd draws."""
    event, released = published(20, (1.0, 1.0, 1.0), "8"), (17, 2, 1)
    weighed = simulated_counts_module._weights

    def lopsided(*arguments: np.ndarray) -> np.ndarray:
        weights = weighed(*arguments)
        # The last draws come from the steepest distribution, near the release.
        weights[-len(weights) // 4 :: 2] *= 30.0
        return np.asarray(weights / weights.sum())

    monkeypatch.setattr(simulated_counts_module, "_LEAST_EFFECTIVE", 1)
    assert simulated_counts(looked_up(event, released), released, np.ones(3), 20).simulated is not None
    monkeypatch.setattr(simulated_counts_module, "_weights", lopsided)
    with pytest.raises(InferenceError, match="differ on where the weight lies"):
        simulated_counts(looked_up(event, released), released, np.ones(3), 20)


def test_a_release_of_too_many_candidates_to_list_has_a_posterior(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_counts_module, "_SECONDS", 0.0)
    event = published(300, (1.0, 1.0, 1.0), "20")
    assert unavailable_reason(event) is None
    drawn = release(Private(np.array([100, 80, 120])), event, SeededEntropy(3), loss=UNUSED).value
    posterior = infer(event, drawn, [1.0, 1.0, 1.0])
    assert posterior.method == "simulation"
    estimate = posterior.above(0, 0.25)
    assert estimate.method == "simulation"
    assert estimate.draws is not None
    assert estimate.error < 0.04
    low, high = posterior.share(0).interval(0.95)
    assert low < 1 / 3 < high
    with pytest.raises(InferenceError, match="only one such release"):
        counts_given_releases([(event, drawn), (event, drawn)], np.ones(3))


def test_a_simulation_that_takes_too_long_is_unavailable_with_a_reason() -> None:
    event = calibrate_global(1_000_000, (1.0,) * 50, E("1"), D("0.000000000000000001"))
    assert unavailable_reason(event) is not None
    with pytest.raises(InferenceError, match="takes too long"):
        infer(event, NoisyCounts((1,) * 50, (1,) * 50), [1.0] * 50)


@pytest.mark.long
@pytest.mark.parametrize(
    ("n", "prior", "epsilon", "runs"),
    [
        (20, (1.0, 1.0, 1.0), "3", 300),
        (24, (1.0, 1.0, 1.0, 1.0), "8", 300),
        (24, (0.3, 2.0, 1.0, 5.0), "15", 300),
        (300, (1.0, 0.4, 2.0), "10", 60),
    ],
)
def test_ranks_of_the_truth_are_uniform(
    n: int, prior: tuple[float, ...], epsilon: str, runs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulation-based calibration (Talts et al. 2018): shares from the prior, data from them, a release from these."""
    monkeypatch.setattr(simulated_counts_module, "_SECONDS", 0.0)
    event, rng = published(n, prior, epsilon), np.random.default_rng(7)
    alpha, ranks = np.array(prior), []
    for run in range(runs):
        shares = rng.dirichlet(alpha)
        counts = rng.multinomial(n, shares).astype(np.int64)
        drawn = release(Private(counts), event, SeededEntropy(run), loss=UNUSED).value
        channel = looked_up(event, drawn.noisy) if n < 100 else channel_of(event)
        distribution = simulated_counts(channel, drawn.noisy, alpha, n, seed=run)
        distributions = NoiseAwarePosterior(alpha, distribution).shares()
        ranks.append([share.cdf(float(at)) for share, at in zip(distributions, shares, strict=True)])
    for of_one in np.array(ranks).T:
        assert stats.kstest(of_one, "uniform").pvalue > 1e-4
        held = np.abs(of_one - 0.5) < 0.475
        sys.stdout.write(f"n={n}, {prior}, epsilon {epsilon}: 95 % intervals held {held.mean():.3f} of {runs}\n")
