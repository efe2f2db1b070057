"""Widths that plans estimate roughly are within a percent of those that releases get."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from core.inference import infer
from core.inference.rough_intervals import rough_intervals, rough_intervals_of
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


def agree(found: NDArray[np.float64], exact: NDArray[np.float64]) -> None:
    """Assert that each width and each end, shape (k, 2), is right to a percent of the width."""
    widths = np.diff(exact, axis=1)
    assert np.diff(found, axis=1) == pytest.approx(widths, rel=0.01)
    assert np.all(np.abs(found - exact) <= 0.01 * widths)


def drawn_at_levels(event: Exponential, first: int) -> NDArray[np.int64]:
    """The quantiles of the release at `LEVELS`."""
    nodes, masses = RoughChannel.of(event).masses(first)
    between = np.concatenate([[-0.5], 0.5 * (nodes[1:] + nodes[:-1]), [event.n + 0.5]])
    cumulative = np.concatenate([[0.0], np.cumsum(masses)]) / masses.sum()
    drawn: NDArray[np.int64] = np.rint(np.interp(LEVELS, cumulative, between)).astype(np.int64).clip(0, event.n)
    return drawn


@pytest.mark.every(2)
@pytest.mark.parametrize(("event", "first"), EVENTS)
def test_rough_intervals_are_those_of_the_posterior_to_a_percent_of_their_width(event: Exponential, first: int) -> None:
    released = drawn_at_levels(event, first).tolist()
    releases = [NoisyCounts((r, event.n - r), (r, event.n - r)) for r in released]
    exact = np.array([infer(event, release, event.prior).share(0).interval(0.9) for release in releases])
    agree(rough_intervals(event, releases, np.array(event.prior), 0.9)[0], exact)


@pytest.mark.parametrize(("n", "first", "epsilon"), [(20_000, 3, "0.004"), (10**6, 700_000, "0.002")])
def test_rough_intervals_of_distributions_of_many_counts_are_within_a_percent(n: int, first: int, epsilon: str) -> None:
    event, release = SimplexGeometric(n, 2, E(epsilon)), NoisyCounts((first, n - first), (first, n - first))
    distribution = infer(event, release, [0.5, 2.0]).share(0)
    assert distribution.probabilities.size > 4096
    exact = np.array([distribution.interval(0.9)])
    agree(rough_intervals_of([distribution], 0.9), exact)
    agree(rough_intervals(event, [release], np.array([0.5, 2.0]), 0.9)[0], exact)


@pytest.mark.parametrize(("event", "first"), EVENTS)
def test_rough_releases_follow_the_channel(event: Exponential, first: int) -> None:
    weights = weights_at(event, np.array([first, event.n - first])).astype(np.float64)
    reached = np.cumsum(weights) / weights.sum()
    drawn = drawn_at_levels(event, first)
    assert (reached[drawn] >= LEVELS - 0.01).all()
    assert (np.where(drawn > 0, reached[drawn - 1], 0.0) <= LEVELS + 0.01).all()
