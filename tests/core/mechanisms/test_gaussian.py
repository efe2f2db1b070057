from math import exp, log

import numpy as np
import pytest

from core.accounting.zcdp import epsilon_of
from core.mechanisms.gaussian import Gaussian, certify, release
from core.privacy import Delta, Rho
from core.private import Private
from core.samplers.entropy import SeededEntropy
from tests.core.chi_square import assert_accepts, assert_rejects

R, D = Rho.parse, Delta.parse


def normal(variance: float, around: int = 0) -> dict[int, float]:
    weights = {around + k: exp(-(k**2) / (2 * variance)) for k in range(-120, 121)}
    normaliser = sum(weights.values())
    return {k: weight / normaliser for k, weight in weights.items()}


def test_every_count_gets_discrete_gaussian_noise_of_variance_one_over_rho() -> None:
    counts = np.array([5, 0, 15], dtype=np.int64)
    entropy = SeededEntropy(1)
    event = Gaussian(20, 3, R("0.125"), D("0.000001"))
    noisy = np.array([release(Private(counts), event, entropy).value.noisy for _ in range(4_000)])
    for i in range(3):
        assert_accepts(noisy[:, i], normal(8, int(counts[i])))
        for wrong in (
            normal(8 * 1.3**2, int(counts[i])),
            normal(8 * 0.7**2, int(counts[i])),
            normal(8, int(counts[i]) + 1),
        ):
            assert_rejects(noisy[:, i], wrong)
    off_diagonal = np.corrcoef(noisy.T)[np.triu_indices(3, 1)]
    assert np.abs(off_diagonal).max() < 6 / 4_000**0.5


def test_a_release_lies_on_the_simplex() -> None:
    for seed in range(20):
        released = release(
            Private(np.array([1, 0, 0, 2])), Gaussian(3, 4, R("0.01"), D("0.000001")), SeededEntropy(seed)
        ).value
        assert sum(released.on_simplex) == 3
        assert min(released.on_simplex) >= 0


@pytest.mark.parametrize("rho", ["0.02", "0.5", "3"])
def test_neighbours_stay_within_rho_at_every_order(rho: str) -> None:
    """The Rényi divergence of the two shifted coordinates, summed exactly, against a * rho."""
    variance = 1 / float(R(rho))
    reach = range(-400, 401)
    log_p = np.array([-(k**2) / (2 * variance) for k in reach])
    log_p -= log(np.exp(log_p).sum())
    log_q = np.array([-((k - 1) ** 2) / (2 * variance) for k in reach])
    log_q -= log(np.exp(log_q).sum())
    for order in (1.01, 1.5, 2, 3.5, 8, 20):
        one_coordinate = np.logaddexp.reduce(order * log_p + (1 - order) * log_q) / (order - 1)
        assert 2 * one_coordinate <= order * float(R(rho)) * (1 + 1e-9)


def test_the_certificate_states_rho_and_the_epsilon_it_implies() -> None:
    loss = certify(Gaussian(100, 4, R("0.08"), D("0.00000001"))).loss
    assert loss.rho == R("0.08")
    assert loss.rho_delta.units == 0
    assert (loss.epsilon, loss.delta) == (epsilon_of(R("0.08"), D("0.00000001")), D("0.00000001"))
