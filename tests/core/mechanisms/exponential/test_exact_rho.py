"""rho of an evaluated channel, compared with Rényi divergences summed over the implemented channel."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from core.candidates import histograms
from core.mechanisms.exponential import calibration
from core.mechanisms.exponential.exact_rho import PairsOfRows, SumsOfPairs, rho_of_rows
from core.mechanisms.exponential.mechanism import Exponential, certify, weights_at
from core.privacy import Delta, Epsilon

Floats = NDArray[np.float64]
ORDERS = 1.0 + np.geomspace(1e-3, 1e7, 80)
DELTA = Delta.parse("1e-6")


def channel(event: Exponential) -> tuple[NDArray[np.int64], Floats]:
    """All histograms, and ln P(r | c), row c, from the integers that the draw uses."""
    every = histograms(event.n, event.m)
    rows = np.array([weights_at(event, c).astype(np.float64) for c in every])
    logs: Floats = np.log(rows) - np.log(rows.sum(axis=1, keepdims=True))
    return every, logs


def divergences(log_p: Floats, log_q: Floats) -> Floats:
    """D_a / a at ORDERS."""
    terms = ORDERS[:, None] * log_p + (1.0 - ORDERS[:, None]) * log_q
    highest = terms.max(axis=1)
    moments = highest + np.log(np.exp(terms - highest[:, None]).sum(axis=1))
    found: Floats = moments / (ORDERS * (ORDERS - 1.0))
    return found


def largest(event: Exponential) -> Floats:
    """The largest D_a / a over all pairs of neighbours, at ORDERS."""
    every, rows = channel(event)
    moved = np.abs(every[:, None, :] - every[None, :, :]).sum(axis=2)
    found: Floats = np.max([divergences(rows[x], rows[y]) for x, y in np.argwhere(moved == 2)], axis=0)
    return found


@pytest.mark.parametrize(
    "event",
    [
        calibration.calibrate_published(30, (1.0, 1.0), Epsilon.parse("0.8"), DELTA),
        calibration.calibrate_global(25, (0.3, 2.5), Epsilon.parse("3")),
        calibration.calibrate_certified(40, (1.0, 2.0), Epsilon.parse("1"), DELTA),
        calibration.calibrate_global(12, (1.0, 1.0), Epsilon.parse("0.0001")),
        calibration.calibrate_published(6, (0.5, 3.0, 1.0), Epsilon.parse("2"), DELTA),
        calibration.calibrate_proven(7, (1.0, 1.0, 1.0), Epsilon.parse("5"), Delta(0)),
        calibration.calibrate_global(4, (1.0, 0.2, 0.2, 7.0), Epsilon.parse("8")),
        calibration.calibrate_global(3, (1.0, 1.0, 1.0, 1.0, 0.001), Epsilon.parse("50")),
        calibration.calibrate_published(2, (1.0, 2.0, 1.0, 2.0, 1.0, 5.0), Epsilon.parse("1"), DELTA),
    ],
    ids=lambda event: f"{event.calibration}-{event.m}-{event.n}",
)
def test_an_evaluated_channel_is_charged_its_largest_divergence(event: Exponential) -> None:
    true, certificate = largest(event), certify(event)
    assert certificate.method == "exact_channel"
    assert certificate.loss.rho is not None
    charged = float(certificate.loss.rho)
    assert float(true.max()) * (1 - 1e-3) <= charged <= 1.01 * float(true.max()) + 1e-12


def test_the_range_or_order_one_alone_give_a_wrong_rho() -> None:
    """The planted faults: w²/8 charges three times too much, and the divergence at order 1 too little."""
    event = calibration.calibrate_published(40, (1.0, 1.0), Epsilon.parse("0.8"), DELTA)
    _, rows = channel(event)
    true = np.max([divergences(rows[x], rows[y]) for x in range(41) for y in (x - 1, x + 1) if 0 <= y <= 40], axis=0)
    charged = float(certify(event).loss.rho or 0)
    assert charged <= 1.01 * true.max()
    assert float(certify(event).details["loss_range"]) ** 2 / 8 > 3 * charged
    assert true[0] < 0.8 * charged
    assert 1.5 < ORDERS[true.argmax()] < 1e4


def test_the_largest_order_may_lie_between_those_that_are_looked_at() -> None:
    """A grid of orders gives too small a value: chords between a few orders stay above a maximum over many."""
    p, q = np.array([1e-3, 0.5, 0.499]), np.array([1e-6, 0.5005, 0.499499])
    between = 1.0 + np.geomspace(1e-3, 50.0, 20_000)
    moments = np.log((np.exp(np.log(p) * between[:, None] + np.log(q) * (1.0 - between[:, None]))).sum(axis=1))
    true = float((moments / (between * (between - 1.0))).max())
    few, more = (rho_of_rows(p, q, slack=0.0, floor=1e-3, tolerance=each) for each in (0.3, 0.002))
    assert few.attained < 0.99 * true
    assert true <= few.rho
    assert true <= more.rho <= 1.003 * true


@pytest.mark.parametrize("slack", [1e-9, 1e-4, 1e-2])
def test_slack_covers_every_channel_whose_losses_differ_by_no_more(slack: float) -> None:
    rng = np.random.default_rng(5)
    for scale in (1e-3, 0.3, 6.0):
        log_p = rng.normal(size=40)
        log_q = log_p + scale * rng.uniform(-1, 1, 40)
        rows = {0: np.exp(log_p), 1: np.exp(log_q)}
        pairs = PairsOfRows(slack)
        losses = np.log(rows[0] / rows[1])
        weights = np.stack([rows[0], rows[1]])
        sums = SumsOfPairs(
            weights.sum(axis=1, keepdims=True),
            (weights @ losses)[:, None],
            (weights @ losses**2)[:, None],
            np.array([losses.max()]),
            np.array([losses.min()]),
        )
        pairs.screen(np.array([[0, 1]]), sums, losses.size)
        charged = pairs.rho(rows.__getitem__)
        for _ in range(20):
            # Log probabilities that are off by half of the slack: weights by a quarter, normalisers by no more.
            off = [row * np.exp(slack / 4 * rng.choice([-1.0, 1.0], 40)) for row in rows.values()]
            one, other = (np.log(row / row.sum()) for row in off)
            assert max(divergences(one, other).max(), divergences(other, one).max()) <= charged
