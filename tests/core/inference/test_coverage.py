"""Do 95 % intervals contain the truth in 95 % of the runs? Shares are drawn from the prior, data from the shares, and a
release from the data.

Averaged over all of that, the noise-aware interval covers with exactly its level, whatever the mechanism. The band that
is accepted is that of a binomial count at a false-alarm rate of 1e-8 a case; the naive interval's coverage is printed
beside it (`pytest -rP`) and must fall short where noise is large.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from core.dirichlet import posterior
from core.inference import infer, pool
from core.inference.contrast_scales import Contrast
from core.inference.events import Answered, Share, contrast_distribution, share_distribution
from core.mechanisms.catalogue import Event, rehearse
from core.mechanisms.exponential.calibration import calibrate_published
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon
from core.samplers.reproducible import Reproducible
from tests.core.inference.reference import events

Floats: TypeAlias = NDArray[np.float64]
LEVEL = 0.95
FALSE_ALARM = 1e-8


def coverage(event: Event, prior: list[float], runs: int, seed: int) -> tuple[int, int]:
    """How often the noise-aware and the naive interval of one category, taken in turn, hold the share."""
    rng = Reproducible(seed)
    entropy = rng.entropy()
    shares = rng.dirichlets(np.tile(prior, (runs, 1)))
    histograms = rng.histograms(event.n, shares)
    aware = naive = 0
    for run in range(runs):
        category = run % event.m
        released = rehearse(event, histograms[run], 1, entropy)[0]
        low, high = infer(event, released, prior).share(category).interval(LEVEL)
        aware += low <= shares[run, category] <= high
        as_if_exact = posterior(prior, released.on_simplex)
        low, high = as_if_exact.summaries(LEVEL)[as_if_exact.marginals[category]].naive_interval
        naive += low <= shares[run, category] <= high
    return aware, naive


def assert_covers(event: Event, prior: list[float], runs: int, seed: int) -> None:
    aware, naive = coverage(event, prior, runs, seed)
    print(f"{type(event).__name__}: noise-aware {aware / runs:.4f}, naive {naive / runs:.4f} of {runs} runs")  # noqa: T201  shown by pytest -rP
    assert binom.cdf(aware, runs, LEVEL) > FALSE_ALARM / 2
    assert binom.sf(aware - 1, runs, LEVEL) > FALSE_ALARM / 2
    assert binom.cdf(naive, runs, LEVEL) < 1e-5, "the naive interval would have done at this noise"


def published(n: int, epsilon: str) -> Event:
    return calibrate_published(n, (1.0, 1.0), Epsilon.parse(epsilon), Delta.parse("0.00000001"))


SMALL = SimplexGeometric(40, 3, Epsilon.parse("0.3"))


@pytest.mark.every(3)
@pytest.mark.parametrize("event", [*events(60, 3, "0.3"), published(60, "0.8"), SMALL])
def test_noise_aware_intervals_cover_and_naive_ones_do_not(event: Event) -> None:
    assert_covers(event, [1.0] * event.m, 120, seed=1)


@pytest.mark.long
@pytest.mark.parametrize(
    "event", [*events(200, 3, "0.1"), *events(200, 3, "0.5"), published(200, "0.8"), published(200, "2")]
)
def test_noise_aware_intervals_cover_closely(event: Event) -> None:
    assert_covers(event, [1.0] * event.m, 4000, seed=2)


@pytest.mark.long
@pytest.mark.parametrize("event", events(500, 8, "0.3"))
def test_noise_aware_intervals_cover_with_many_categories_under_another_prior(event: Event) -> None:
    assert_covers(event, [0.3, 1.0, 1.0, 2.0, 0.5, 1.0, 3.0, 1.0], 2000, seed=3)


def test_a_wrong_noise_scale_does_not_cover() -> None:
    """The same test must refuse a posterior that believes in noise of half the size."""
    event = events(60, 3, "0.1")[0]
    believed = events(60, 3, "0.3")[0]
    rng = Reproducible(4)
    entropy, runs, aware = rng.entropy(), 200, 0
    shares = rng.dirichlets(np.ones((runs, 3)))
    histograms = rng.histograms(60, shares)
    for run in range(runs):
        released = rehearse(event, histograms[run], 1, entropy)[0]
        low, high = infer(believed, released, [1.0] * 3).share(run % 3).interval(LEVEL)
        aware += low <= shares[run, run % 3] <= high
    assert binom.cdf(aware, runs, LEVEL) < FALSE_ALARM


def in_interval(answer: Answered, value: float) -> bool:
    """By the distribution function at the value: one integral. The ends of the interval would need a search."""
    return (1 - LEVEL) / 2 <= answer.distribution.cdf(value) <= (1 + LEVEL) / 2


ODD_PRIOR = [0.3, 2.0, 1.0, 5.0]
ALL_OF_FIRST, OF_SECOND = Share(frozenset({0}), frozenset({0, 1})), Share(frozenset({2}), frozenset({2, 3}))


BOTH = Share(frozenset({0, 2}))
FIRST_TWO, LAST = Share(frozenset({0, 1})), Share(frozenset({3}))
QUESTIONS: dict[str, Callable[[Floats], Floats]] = {
    "set": lambda t: t[..., 0] + t[..., 2],
    "conditional": lambda t: t[..., 0] / (t[..., 0] + t[..., 1]),
    "difference": lambda t: t[..., 0] + t[..., 1] - t[..., 3],
    "ratio": lambda t: (t[..., 0] + t[..., 1]) / t[..., 3],
    "odds ratio": lambda t: t[..., 0] / t[..., 1] / (t[..., 2] / t[..., 3]),
    "pooled": lambda t: t[..., 3],
}
"""The questions, as functions of the shares of four categories."""


def answer_of(question: str, event: Event, releases: tuple[NoisyCounts, NoisyCounts]) -> Answered:
    """By the first release; in questions about pooling, by both."""
    if question == "pooled":
        return share_distribution(pool([(event, release) for release in releases], ODD_PRIOR), LAST)
    posterior = infer(event, releases[0], ODD_PRIOR)
    match question:
        case "set":
            return share_distribution(posterior, BOTH)
        case "conditional":
            return share_distribution(posterior, ALL_OF_FIRST)
        case "difference":
            return contrast_distribution(posterior, FIRST_TWO, LAST, Contrast.DIFFERENCE)
        case "ratio":
            return contrast_distribution(posterior, FIRST_TWO, LAST, Contrast.RATIO)
        case _:
            return contrast_distribution(posterior, ALL_OF_FIRST, OF_SECOND, Contrast.ODDS_RATIO)


def coverage_of(question: str, event: Event, runs: int) -> tuple[int, int]:
    """How often the interval of the answer contains the truth, and how often the naive one. The naive analysis treats
    released counts as data, and the counts of a second release as those of other people.
    """
    rng, value = Reproducible(8), QUESTIONS[question]
    entropy = rng.entropy()
    shares = rng.dirichlets(np.tile(ODD_PRIOR, (runs, 1)))
    histograms, aware, naive = rng.histograms(event.n, shares), 0, 0
    for theta, truth in zip(shares, histograms, strict=True):
        releases = (*rehearse(event, truth, 2, entropy),)
        aware += in_interval(answer_of(question, event, (releases[0], releases[1])), float(value(theta)))
        counted = releases if question == "pooled" else releases[:1]
        taken = np.array([release.on_simplex for release in counted]).sum(axis=0)
        drawn = value(rng.dirichlets(np.tile(ODD_PRIOR + taken, (1000, 1))))
        low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        naive += bool(low <= value(theta) <= high)
    return aware, naive


def assert_holds(question: str, event: Event, runs: int) -> None:
    aware, naive = coverage_of(question, event, runs)
    print(f"{question}, n={event.n}: {aware / runs:.3f} noise-aware, {naive / runs:.3f} naive of {runs} runs")  # noqa: T201  shown by pytest -rP
    assert binom.cdf(aware, runs, LEVEL) > FALSE_ALARM / 2
    assert binom.sf(aware - 1, runs, LEVEL) > FALSE_ALARM / 2
    assert naive < aware


SMALL_TABLE = events(7, 4, "1.5")[0]


@pytest.mark.every(3)
@pytest.mark.parametrize("question", ["set", "conditional", "pooled"])
def test_intervals_of_what_analysts_ask_cover_under_an_odd_prior(question: str) -> None:
    assert_holds(question, SMALL_TABLE, 120)


@pytest.mark.long
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_covers_closely_under_an_odd_prior(question: str) -> None:
    """The table of docs/explanation/noise-aware-posteriors.md. Differences and odds ratios are long integrals."""
    assert_holds(question, SMALL_TABLE, {"difference": 200, "odds ratio": 500}.get(question, 2000))


@pytest.mark.long
@pytest.mark.parametrize("question", ["set", "conditional"])
def test_answers_by_joint_draws_cover_under_an_odd_prior(question: str) -> None:
    assert_holds(question, events(2000, 4, "0.1")[0], 400)


def test_the_papers_mechanism_at_three_categories_covers_and_its_naive_interval_does_not() -> None:
    event = calibrate_published(14, (1.0, 1.0, 1.0), Epsilon.parse("2"), Delta.parse("0.00000001"))
    assert_covers(event, [0.5, 1.0, 2.0], 120, seed=5)


@pytest.mark.long
def test_the_papers_mechanism_at_three_categories_covers_closely() -> None:
    event = calibrate_published(14, (1.0, 1.0, 1.0), Epsilon.parse("2"), Delta.parse("0.00000001"))
    assert_covers(event, [0.5, 1.0, 2.0], 1000, seed=6)
