"""At a large ε the loss of the exponential mechanism saturates, and so does the charge.

`python -m pytest -m long -rP tests/core/mechanisms/exponential/test_saturation.py` compares the charges of 500 channels
with their losses, a third of them at an ε above ln |R|.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.candidates import candidate_count
from core.mechanisms.event import MAX_EPSILON
from core.mechanisms.exponential.calibration import calibrate_certified, calibrate_proven
from core.mechanisms.exponential.mechanism import Exponential, certify, weights_at
from core.privacy import Delta, Epsilon
from tests.core.inference.reference import histograms

NO_DELTA = Delta(0)


def loss_by_enumeration(event: Exponential) -> float:
    """The largest log ratio of two rows of the channel at neighbours."""
    every = histograms(event.n, event.m)
    rows = np.array([weights_at(event, c) for c in every])
    logs = np.log(rows / rows.sum(axis=1, keepdims=True))
    neighbours = np.abs(every[:, None, :] - every[None, :, :]).sum(axis=2) == 2
    return max(float((logs[x] - logs[y]).max()) for x, y in np.argwhere(neighbours).tolist())


def assert_charges_are_losses(rng: np.random.Generator, channels: int) -> None:
    worst, above = 0.0, 0
    for index in range(channels):
        m = int(rng.integers(2, 4))
        n = int(rng.integers(1, 40 if m == 2 else 9))
        prior = tuple(np.round(10.0 ** rng.uniform(-2.0, 5.5, m), 3).tolist())
        size = math.log(candidate_count(n, m))
        # Every third above ln |R|, up to the largest.
        logs = (math.log(size), math.log(50.0)) if index % 3 == 0 else (math.log(0.05), math.log(max(size, 0.1)))
        epsilon = min(Epsilon.floor(math.exp(rng.uniform(*logs))), MAX_EPSILON)
        above += float(epsilon) > size
        calibrate = calibrate_proven if rng.random() < 0.5 else calibrate_certified
        event = calibrate(n, prior, epsilon, NO_DELTA)
        charged, loss = certify(event).loss, loss_by_enumeration(event)
        assert charged.epsilon <= epsilon
        assert loss <= float(charged.epsilon) <= 1.001 * loss + 1e-8, (event, charged, loss)
        assert charged.rho is not None
        worst = max(worst, float(charged.epsilon) / loss)
    print(f"{channels} channels, {above} of them above ln |R|: charged at most {worst:.7f} times the loss")  # noqa: T201


def test_the_charge_at_a_large_epsilon_is_the_loss_and_not_the_error_of_its_computation() -> None:
    for calibrate in (calibrate_proven, calibrate_certified):
        event = calibrate(2, (1e5, 2e5), MAX_EPSILON, NO_DELTA)
        loss = certify(event).loss
        assert float(loss.epsilon) == pytest.approx(loss_by_enumeration(event), rel=1e-3)
        assert float(loss.epsilon) == pytest.approx(math.log(3) + 14, rel=5e-3)
        assert loss.rho is not None
        assert float(loss.rho) < 16


def test_charges_of_random_channels_are_their_losses() -> None:
    assert_charges_are_losses(np.random.default_rng(1), 9)


@pytest.mark.long
def test_charges_of_five_hundred_channels_are_their_losses() -> None:
    assert_charges_are_losses(np.random.default_rng(2), 500)
