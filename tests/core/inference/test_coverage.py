"""Do 95 % intervals hold the truth in 95 % of the runs? Shares are drawn from the prior, data from the shares, a
release from the data.

Averaged over all of that, the noise-aware interval covers with exactly its level, whatever the mechanism. The band that
is accepted is that of a binomial count at a false-alarm rate of 1e-8 a case; the naive interval's coverage is printed
beside it (`pytest -rP`) and must fall short where noise is large.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from core.dirichlet import posterior
from core.inference import infer, pool
from core.inference.contrasts import Contrast
from core.inference.events import Answered, Share, contrast_law, share_law
from core.mechanisms.catalogue import Event, rehearse
from core.mechanisms.exponential.calibration import calibrate_published
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.privacy import Delta, Epsilon
from core.samplers.reproducible import Reproducible
from tests.core.inference.reference import events

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
        low, high = posterior(prior, released.on_simplex).naive_intervals(LEVEL)[category]
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
    """By the law at the value, which is one integral where the ends of the interval are a search."""
    return (1 - LEVEL) / 2 <= answer.law.cdf(value) <= (1 + LEVEL) / 2


ODD_PRIOR = [0.3, 2.0, 1.0, 5.0]
ALL_OF_FIRST, OF_SECOND = Share(frozenset({0}), frozenset({0, 1})), Share(frozenset({2}), frozenset({2, 3}))


LONG = [pytest.param(question, marks=pytest.mark.long) for question in ("difference", "odds ratio")]


@pytest.mark.parametrize("question", ["set", "conditional", "pooled", *LONG])
def test_intervals_of_what_analysts_ask_cover_under_an_odd_prior(question: str) -> None:
    rng, runs = Reproducible(8), 120
    entropy, event = rng.entropy(), events(7, 4, "1.5")[0]
    shares = rng.dirichlets(np.tile(ODD_PRIOR, (runs, 1)))
    histograms, aware = rng.histograms(event.n, shares), 0
    for theta, truth in zip(shares, histograms, strict=True):
        odds = theta[0] / theta[1] / (theta[2] / theta[3])
        first, second = rehearse(event, truth, 2, entropy)
        posterior = infer(event, first, ODD_PRIOR)
        match question:
            case "set":
                aware += in_interval(share_law(posterior, Share(frozenset({0, 2}))), theta[0] + theta[2])
            case "conditional":
                aware += in_interval(share_law(posterior, ALL_OF_FIRST), theta[0] / (theta[0] + theta[1]))
            case "difference":
                of_two = Share(frozenset({0, 1})), Share(frozenset({3}))
                aware += in_interval(
                    contrast_law(posterior, *of_two, Contrast.DIFFERENCE), theta[0] + theta[1] - theta[3]
                )
            case "odds ratio":
                aware += in_interval(contrast_law(posterior, ALL_OF_FIRST, OF_SECOND, Contrast.ODDS_RATIO), odds)
            case _:
                low, high = pool([(event, first), (event, second)], ODD_PRIOR).share(3).interval(LEVEL)
                aware += low <= theta[3] <= high
    print(f"{question}: {aware / runs:.4f} of {runs} runs")  # noqa: T201  shown by pytest -rP
    assert binom.cdf(aware, runs, LEVEL) > FALSE_ALARM / 2
    assert binom.sf(aware - 1, runs, LEVEL) > FALSE_ALARM / 2


def test_the_papers_mechanism_at_three_categories_covers_and_its_naive_interval_does_not() -> None:
    event = calibrate_published(14, (1.0, 1.0, 1.0), Epsilon.parse("2"), Delta.parse("0.00000001"))
    assert_covers(event, [0.5, 1.0, 2.0], 120, seed=5)
