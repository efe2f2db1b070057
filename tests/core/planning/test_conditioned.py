"""Many releases that are conditioned on together have the posteriors that each has alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.cells import atoms
from core.inference import infer
from core.inference.weighted_releases import weighted_releases
from core.mechanisms.catalogue import Event, mechanism_of
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.mechanism import NoiseOnCounts
from core.planning.conditioned import condition
from core.privacy import Delta, Epsilon, Rho
from core.samplers.reproducible import Reproducible


def random_problem(rng: np.random.Generator) -> tuple[Event, np.ndarray, np.ndarray]:
    """Priors from 0.001 to 10, empty and equal cells, few and many records, and noise of any width."""
    m, n = int(rng.integers(3, 9)), int(10.0 ** rng.uniform(0.0, 4.0))
    prior = np.round(10.0 ** rng.uniform(-3.0, 1.0, m), 6).clip(0.001, 10.0)
    shares = (np.ones(m), np.eye(m)[0], rng.dirichlet(np.full(m, 0.5)))[int(rng.integers(3))]
    counts = rng.multinomial(n, shares / shares.sum())
    epsilon = f"{10.0 ** rng.uniform(-2.0, 1.0):.4f}"
    event = (
        SimplexGeometric(n, m, Epsilon.parse(epsilon)),
        Laplace(n, m, Epsilon.parse(epsilon)),
        Gaussian(n, m, Rho.parse(f"{float(epsilon) ** 2 / 20:.8f}"), Delta.parse("1e-6")),
    )[int(rng.integers(3))]
    return event, counts, prior


def assert_posteriors_are_those_of_each_release(seed: int, problems: int) -> None:
    rng, worst, sure, releases = np.random.default_rng(seed), 0.0, 0, 0
    for _ in range(problems):
        event, counts, prior = random_problem(rng)
        sets = [frozenset({0}), frozenset({1, event.m - 1})]
        pieces = atoms(sets).pieces
        some = weighted_releases(event, counts, range(event.m), 6, Reproducible(seed)).releases
        likelihood = mechanism_of(event).likelihood(event)
        assert isinstance(likelihood, NoiseOnCounts)
        noisy = np.array([each.noisy for each in some])
        (together,) = condition(event.n, prior, likelihood.log_noise, noisy, pieces)
        found = [together.distribution([pieces.index(piece) for piece in pieces if piece <= cells]) for cells in sets]
        for place, release in enumerate(some):
            releases += 1
            if together.unsure[place]:
                continue
            sure += 1
            alone = infer(event, release, prior)
            for distributions, cells in zip(found, sets, strict=True):
                exact, one = alone.share_of(cells), distributions[place]
                assert math.isclose(one.total, exact.total)
                low = min(one.low, exact.low)
                size = max(one.low + one.probabilities.size, exact.low + exact.probabilities.size) - low
                first, second = np.zeros(size), np.zeros(size)
                first[one.low - low :][: one.probabilities.size] = one.probabilities
                second[exact.low - low :][: exact.probabilities.size] = exact.probabilities
                off = 0.5 * float(np.abs(first - second).sum())
                assert off < 1e-6, (event, counts, prior, release.noisy)
                worst = max(worst, off)
    assert sure > 0.8 * releases
    print(f"{sure} of {releases} releases together, total variation at most {worst:.1e}")  # noqa: T201  by pytest -rP


def test_posteriors_of_many_releases_together_are_those_of_each_alone() -> None:
    assert_posteriors_are_those_of_each_release(1, 12)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 15))
def test_posteriors_of_thousands_of_releases_together_are_those_of_each_alone(seed: int) -> None:
    assert_posteriors_are_those_of_each_release(seed, 120)


def test_draws_of_several_counts_have_the_means_and_correlations_of_each_release() -> None:
    event = SimplexGeometric(200, 4, Epsilon.parse("0.2"))
    counts, prior = np.array([20, 60, 0, 120]), np.array([1.0, 0.5, 0.1, 2.0])
    some = weighted_releases(event, counts, range(4), 8, Reproducible(3)).releases
    likelihood = mechanism_of(event).likelihood(event)
    assert isinstance(likelihood, NoiseOnCounts)
    pieces = [frozenset({0}), frozenset({1}), frozenset({2})]
    noisy = np.array([each.noisy for each in some])
    (together,) = condition(200, prior, likelihood.log_noise, noisy, pieces)
    rng = Reproducible(4)
    logs = rng.log_gammas(together.prior + together.counts(20_000, rng))
    for release, drawn in zip(some, logs, strict=True):
        shares = np.exp(drawn - np.logaddexp.reduce(drawn, axis=1)[:, None])
        exact = infer(event, release, prior).draws(20_000, seed=5)
        deviation = exact.std(axis=0)
        assert np.abs(shares.mean(axis=0) - exact.mean(axis=0)) == pytest.approx(0.0, abs=0.05 * float(deviation.max()))
        for first, second in ((0, 1), (1, 2)):
            found, expected = (
                np.mean((of[:, first] - of[:, first].mean()) * (of[:, second] - of[:, second].mean()))
                / of[:, first].std()
                / of[:, second].std()
                for of in (shares, exact)
            )
            assert found == pytest.approx(expected, abs=0.05)
