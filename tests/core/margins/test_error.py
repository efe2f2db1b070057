from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from core.margins.allotment import Workload, allot
from core.margins.combination import Combination, MeasuredMargin
from core.mechanisms.margins import rehearse
from core.noise import DiscreteGaussianNoise, GeometricNoise
from core.privacy import Delta, Epsilon, NeighbourRelation, Rho
from core.samplers.entropy import SeededEntropy

CONFIDENCES = (0.9, 0.95, 0.99)
Law = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Values and their probabilities."""


def law_of(combination: Combination, wanted: Sequence[int]) -> Law:
    """The exact distribution of a cell's error, by convolving the noises one by one."""
    values: NDArray[np.float64] = np.zeros(1)
    law: NDArray[np.float64] = np.ones(1)
    for noise, weight, count in combination.weights(wanted):
        k = np.arange(-30, 31)
        p = np.exp(noise.log_mass(k))
        for _ in range(count):
            sums = np.add.outer(values, weight * k).round(9).ravel()
            values, places = np.unique(sums, return_inverse=True)
            law = np.asarray(np.bincount(places, np.multiply.outer(law, p / p.sum()).ravel()), dtype=np.float64)
            values, law = values[law > 1e-12], law[law > 1e-12]
    return values, law


def test_intervals_hold_by_the_exact_distribution_of_the_error() -> None:
    for noises, n_is_public in (
        ((GeometricNoise(1.1), GeometricNoise(0.6)), True),
        ((DiscreteGaussianNoise(1.7), DiscreteGaussianNoise(4.0)), False),
    ):
        measured = [MeasuredMargin((0,), noises[0]), MeasuredMargin((0, 1), noises[1])]
        combination = Combination((2, 2), measured, n_is_public=n_is_public)
        for wanted in ((0,), (1,), (0, 1)):
            values, law = law_of(combination, wanted)
            variance = float((values**2 * law).sum())
            assert variance == pytest.approx(combination.variance(wanted), rel=1e-5)
            for confidence in CONFIDENCES:
                [half] = combination.half_widths([wanted], confidence)
                assert law[abs(values) <= half + 1e-9].sum() >= confidence - 1e-7
                # Narrower by three hundredths of the deviation, it does not hold.
                less = half - 0.03 * variance**0.5
                steps = np.unique(abs(values))
                spacing = float(np.diff(steps[steps < half + 1.0]).max())
                assert law[abs(values) <= less - spacing].sum() < confidence


def test_the_interval_of_a_margin_that_is_measured_alone_is_the_smallest_whole_one() -> None:
    combination = Combination((3,), [MeasuredMargin((0,), GeometricNoise(0.2))], n_is_public=False)
    p = np.exp(-0.2 * abs(np.arange(-400, 401)))
    p /= p.sum()
    for confidence in CONFIDENCES:
        [half] = combination.half_widths([(0,)], confidence)
        assert half == int(half)
        assert p[400 - int(half) : 401 + int(half)].sum() >= confidence
        assert p[401 - int(half) : 400 + int(half)].sum() < confidence


def covered(wanted: Workload, amount: Epsilon | Rho, tables: int) -> NDArray[np.float64]:
    """The shares of intervals at 90, 95 and 99 % that hold one cell of each wanted margin."""
    found = allot(wanted, amount)
    combination = found.combination
    generator, entropy = np.random.default_rng(4), SeededEntropy(4)
    halves = np.array([found.half_widths(confidence) for confidence in CONFIDENCES])
    inside = np.zeros(3)
    for _ in range(tables):
        table = generator.poisson(generator.gamma(0.5, 40.0, size=wanted.levels)).astype(np.int64)
        n = int(table.sum()) if wanted.n_is_public else None
        event = found.event(n, Delta(int(isinstance(amount, Rho))))
        noisy = rehearse(table.ravel(), event, entropy)
        estimates = combination.estimates(noisy, n, wanted.wanted)
        for index, (margin, estimate) in enumerate(zip(wanted.wanted, estimates, strict=True)):
            exact = table.sum(axis=tuple(a for a in range(table.ndim) if a not in margin)).ravel()
            cell = int(generator.integers(exact.size))
            inside += abs(estimate.ravel()[cell] - exact[cell]) <= halves[:, index]
    return np.asarray(inside / (tables * len(wanted.wanted)))


def check_coverage(tables: int) -> None:
    for relation in NeighbourRelation:
        for amount in (Epsilon.parse("1"), Rho.parse("0.2")):
            wanted = tuple(combinations(range(4), 2))
            workload = Workload((2, 3, 2, 4), wanted, (1.0,) * len(wanted), relation)
            shares = covered(workload, amount, tables)
            for share, confidence in zip(shares, CONFIDENCES, strict=True):
                # The cells of one table share noises, so allow for one trial a table.
                allowed = 4 * (confidence * (1 - confidence) / tables) ** 0.5
                assert abs(share - confidence) < allowed + 0.004, (relation, amount, confidence, share)


def test_intervals_hold_in_their_share_of_tables() -> None:
    check_coverage(40)


@pytest.mark.long
def test_intervals_hold_in_their_share_of_a_thousand_tables() -> None:
    check_coverage(1_000)
