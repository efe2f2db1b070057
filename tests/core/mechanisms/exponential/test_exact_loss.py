"""The evaluated loss of a channel equals its definition, and its cost and error stay within their bounds."""

from __future__ import annotations

import math
import time

import mpmath
import numpy as np
import pytest

from core.candidates import candidate_count
from core.mechanisms.exponential import exact_loss as evaluation
from core.mechanisms.exponential import small_space
from core.mechanisms.exponential.exact_loss import (
    MAX_RECORDS_OF_TWO,
    MAX_SPACE,
    ExactLoss,
    evaluable,
    evaluation_seconds,
    exact_loss,
)
from core.mechanisms.exponential.sensitivity import global_sensitivity, smooth_sensitivity
from core.mechanisms.exponential.small_space import SmallSpace
from tests.core.histograms import histograms, neighbours

CASES = [
    ((1.0, 1.0), 8),
    ((0.3, 2.5), 7),
    ((40.0, 0.01), 6),
    ((1.0, 1.0, 1.0), 4),
    ((0.5, 3.7, 0.2), 4),
    ((1.0, 0.4, 2.0, 9.0), 3),
]


def distribution(
    prior: tuple[float, ...], counts: tuple[int, ...], rate: float, floor: float
) -> dict[tuple[int, ...], mpmath.mpf]:
    """P(r | c) with 30 digits, from beta functions."""

    def log_beta(held: tuple[float, ...]) -> mpmath.mpf:
        a = [mpmath.mpf(p) + h for p, h in zip(prior, held, strict=True)]
        return sum(mpmath.loggamma(x) for x in a) - mpmath.loggamma(sum(a))

    weights = {}
    for r in histograms(sum(counts), len(counts)):
        middle = tuple((x + y) / 2 for x, y in zip(counts, r, strict=True))
        affinity = mpmath.exp(log_beta(middle) - (log_beta(counts) + log_beta(r)) / 2)
        weights[r] = mpmath.exp(-rate * mpmath.sqrt(max(1 - affinity, 0))) + floor
    total = sum(weights.values())
    return {r: w / total for r, w in weights.items()}


@pytest.mark.every(4)
@pytest.mark.parametrize("gamma", [None, 0.05, 0.8])
@pytest.mark.parametrize(("epsilon0", "admixture"), [(0.3, None), (6.0, 9.0)])
@pytest.mark.parametrize(("prior", "n"), CASES)
def test_the_loss_is_that_of_the_definition(
    prior: tuple[float, ...], n: int, epsilon0: float, admixture: float | None, gamma: float | None
) -> None:
    alpha = np.array(prior)
    floor = 0.0 if admixture is None else math.exp(-admixture)
    with mpmath.workdps(30):
        distributions = {}
        for c in histograms(n, len(prior)):
            sensitivity = (
                global_sensitivity(alpha, n) if gamma is None else smooth_sensitivity(alpha, np.array(c), gamma)
            )
            distributions[c] = distribution(prior, c, epsilon0 / (2 * sensitivity), floor)
        losses = [
            {r: mpmath.log(distributions[x][r] / distributions[y][r]) for r in distributions[x]}
            for x in distributions
            for y in neighbours(x)
        ]
        pure = float(max(max(pair.values()) for pair in losses))
        widest = float(max(max(pair.values()) - min(pair.values()) for pair in losses))

        def excess(epsilon: float) -> float:
            factor = mpmath.exp(epsilon)
            return float(
                max(
                    sum(max(distributions[x][r] - factor * distributions[y][r], 0) for r in distributions[x])
                    for x in distributions
                    for y in neighbours(x)
                )
            )

        exact = exact_loss(prior, n, epsilon0, gamma, uniform_admixture=admixture, delta=0.0)
        assert exact.epsilon == pytest.approx(pure, abs=1e-10)
        assert exact.loss_range == pytest.approx(widest, abs=1e-10)
        at_delta = exact_loss(prior, n, epsilon0, gamma, uniform_admixture=admixture, delta=1e-3)
        assert excess(at_delta.epsilon) <= 1e-3
        assert at_delta.epsilon == 0 or excess(at_delta.epsilon - 1e-5) > 1e-3 * (1 - 1e-5)


@pytest.mark.parametrize(("prior", "n"), [((1.0, 1.0), 3000), ((0.3, 2.5), 1500), ((1.0, 1.0, 1.0), 40)])
def test_a_sample_of_the_pairs_comes_close_and_never_above(prior: tuple[float, ...], n: int) -> None:
    everywhere = exact_loss(prior, n, 1.5, 0.01, uniform_admixture=25.0, delta=0.0)
    sampled = exact_loss(prior, n, 1.5, 0.01, uniform_admixture=25.0, delta=0.0, sample=300)
    assert 0.99 * everywhere.epsilon <= sampled.epsilon <= everywhere.epsilon


@pytest.mark.every(2)
@pytest.mark.parametrize("prior", [(1.0, 1.0, 1.0, 1.0), (0.5, 2.0, 0.5, 1.0)])
@pytest.mark.parametrize("delta", [0.0, 1e-3])
def test_blocks_and_orbits_change_nothing(
    prior: tuple[float, ...], delta: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One block, all pairs of neighbours and no symmetry, against blocks of a few candidates and a pair of each
    orbit.
    """
    n = 9
    blocks = exact_loss(prior, n, 2.5, 0.1, uniform_admixture=25.0, delta=delta)
    monkeypatch.setattr(small_space, "_BLOCK", 1 << 10)
    monkeypatch.setattr(evaluation, "_CACHED_VALUES", 64)
    monkeypatch.setattr(evaluation, "_MAX_SINGLE_PAIRS", 3)
    small = exact_loss(prior, n, 2.5, 0.1, uniform_admixture=25.0, delta=delta)
    with monkeypatch.context() as patched:
        patched.setattr(SmallSpace, "pairs", lambda self: self.neighbours)
        every = exact_loss(prior, n, 2.5, 0.1, uniform_admixture=25.0, delta=delta)
    for other in (small, every):
        assert other.epsilon == pytest.approx(blocks.epsilon, abs=3e-10)
        assert other.loss_range == pytest.approx(blocks.loss_range, abs=1e-12)
    space = SmallSpace.of(prior, n)
    assert len(space.pairs()) < 0.6 * len(space.neighbours)
    rates = 1.25 / space.sensitivities(0.1)
    everyone = np.arange(len(rates))
    totals = sum(block.sum(axis=1) for block in space.weights(everyone, rates, 1e-11))
    np.testing.assert_allclose(space.log_normalisers(rates, 1e-11), np.log(totals), rtol=0, atol=1e-12)


def evaluated(prior: tuple[float, ...], n: int, delta: float = 0.0) -> tuple[ExactLoss, float]:
    """Return the loss, and the time of its evaluation as a multiple of that on the reference host."""
    started = time.process_time()
    exact = exact_loss(prior, n, 0.8, 0.02, uniform_admixture=24.0, delta=delta)
    return exact, (time.process_time() - started) / evaluation_seconds(n, len(prior))


@pytest.mark.long
@pytest.mark.parametrize(("prior", "few", "most"), [((1.0, 0.5, 2.0), 120, 243), ((1.0, 0.5, 2.0, 3.0), 30, 54)])
def test_thirty_thousand_candidates_are_evaluated_in_the_time_stated(
    prior: tuple[float, ...], few: int, most: int
) -> None:
    """Beside fewer candidates of the same run, so that the speed of the host does not matter."""
    _, of_few = evaluated(prior, few)
    exact, of_most = evaluated(prior, most)
    assert of_most < 3 * of_few
    assert 0.4 < exact.epsilon < 0.8
    assert exact.error < 1e-8


def test_two_thousand_records_take_seconds_and_lose_no_digit_that_matters() -> None:
    started = time.process_time()
    exact = exact_loss((1.0, 2.0), 2000, 0.8, 0.014, uniform_admixture=22.0, delta=0.0)
    assert time.process_time() - started < 5
    assert 0.4 < exact.epsilon < 0.8
    assert exact.error < 1e-8


@pytest.mark.long
def test_twenty_thousand_records_are_evaluated_in_the_time_stated() -> None:
    _, of_few = evaluated((1.0, 2.0), MAX_RECORDS_OF_TWO // 4, delta=1e-8)
    exact, of_most = evaluated((1.0, 2.0), MAX_RECORDS_OF_TWO, delta=1e-8)
    assert of_most < 3 * of_few
    assert 0.4 < exact.epsilon < 0.5
    assert exact.error < 1e-7


def test_evaluation_depends_on_size_alone() -> None:
    assert evaluable(MAX_RECORDS_OF_TWO, 2)
    assert not evaluable(MAX_RECORDS_OF_TWO + 1, 2)
    assert evaluable(243, 3)
    assert not evaluable(244, 3)
    assert not evaluable(10**6, 10**4)
    assert evaluable(2, 30)
    assert not evaluable(1, 1000)
    assert evaluation_seconds(244, 3) == math.inf
    assert evaluation_seconds(2000, 2) < 1 < evaluation_seconds(MAX_RECORDS_OF_TWO, 2) < 60
    assert evaluation_seconds(243, 3) < 90
    assert candidate_count(243, 3) <= MAX_SPACE < candidate_count(244, 3)
