"""Widths that plans estimate roughly are within a percent of those that releases get."""

from __future__ import annotations

import numpy as np
import pytest

from core.inference import infer
from core.inference.rough_intervals import rough_widths, rough_widths_of
from core.mechanisms.exponential.calibration import calibrate_global, calibrate_proven, calibrate_published
from core.mechanisms.exponential.mechanism import Exponential, weights_at
from core.mechanisms.exponential.rough import RoughChannel
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon

E = Epsilon.parse
NO_DELTA, MICRO = Delta(0), Delta.parse("0.000001")
LEVELS = np.array([0.01, 0.3, 0.5, 0.8, 0.99])
EVENTS = [
    (calibrate_global(1500, (1.0, 1.0), E("0.1")), 700),
    (calibrate_proven(1500, (1.0, 1.0), E("2"), NO_DELTA), 12),
    (calibrate_published(1500, (0.02, 30.0), E("0.5"), MICRO), 1),
    (calibrate_proven(201, (3.0, 0.5), E("20"), NO_DELTA), 100),
    (calibrate_published(201, (1.0, 1.0), E("0.01"), MICRO), 201),
]


@pytest.mark.parametrize(("event", "first"), EVENTS)
def test_rough_widths_are_within_a_percent_of_those_of_the_posterior(event: Exponential, first: int) -> None:
    released = RoughChannel.of(event).releases(first, LEVELS).tolist()
    releases = [NoisyCounts((r, event.n - r), (r, event.n - r)) for r in released]
    exact = []
    for release in releases:
        low, high = infer(event, release, event.prior).share(0).interval(0.9)
        exact.append(high - low)
    assert rough_widths(event, releases, np.array(event.prior), 0.9) == pytest.approx(exact, rel=0.01)


@pytest.mark.parametrize(("n", "first", "epsilon"), [(20_000, 3, "0.004"), (10**6, 700_000, "0.002")])
def test_rough_widths_of_distributions_of_many_counts_are_within_a_percent(n: int, first: int, epsilon: str) -> None:
    event, release = SimplexGeometric(n, 2, E(epsilon)), NoisyCounts((first, n - first), (first, n - first))
    distribution = infer(event, release, [0.5, 2.0]).share(0)
    assert distribution.probabilities.size > 4096
    low, high = distribution.interval(0.9)
    assert rough_widths_of([distribution], 0.9)[0] == pytest.approx(high - low, rel=0.01)
    assert rough_widths(event, [release], np.array([0.5, 2.0]), 0.9)[0] == pytest.approx(high - low, rel=0.01)


@pytest.mark.parametrize(("event", "first"), EVENTS)
def test_rough_releases_follow_the_channel(event: Exponential, first: int) -> None:
    weights = weights_at(event, np.array([first, event.n - first])).astype(np.float64)
    reached = np.cumsum(weights) / weights.sum()
    drawn = RoughChannel.of(event).releases(first, LEVELS)
    assert (reached[drawn] >= LEVELS - 0.01).all()
    assert (np.where(drawn > 0, reached[drawn - 1], 0.0) <= LEVELS + 0.01).all()
