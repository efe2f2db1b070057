"""Noise for a private number of records, compared with brute force over every change by one unit."""

from __future__ import annotations

import sys
from itertools import product
from math import exp
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import logsumexp

from core.mechanisms import linear, margins, private_size
from core.mechanisms.catalogue import MECHANISMS
from core.mechanisms.catalogue import certify as certify_public
from core.mechanisms.event import EventError
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.linear import LinearAnswers
from core.mechanisms.margins import Margins
from core.mechanisms.private_size import Law, PrivateSize, calibrate, certify, release
from core.mechanisms.unsealing import HistogramError
from core.privacy import Delta, Epsilon, NeighbourRelation, PrivacyLoss, Rate, Rho
from core.private import Private
from core.samplers.entropy import SeededEntropy
from tests.core.chi_square import assert_accepts, assert_rejects

E, R = Epsilon.parse, Rho.parse
ORDERS = 1.0 + np.concatenate([np.geomspace(1e-4, 30.0, 120), [100.0, 1e3]])
DELTA = Delta.parse("0.000001")


def rho_of(loss: PrivacyLoss) -> float:
    assert loss.rho is not None
    return float(loss.rho)


def laws_of(event: PrivateSize, shifts: int) -> list[NDArray[np.float64]]:
    """ln P(c + z = y) at a wide range of y, for counts c = 0, 1, …, `shifts`."""
    deviations = 40.0 * float(event.variance) ** 0.5 if event.law == "gaussian" else 120.0 / float(event.rate)
    y = np.arange(-int(deviations) - 2, int(deviations) + 2 * shifts + 2)
    logs = [event.noise.log_mass(y - shift) for shift in range(shifts + 1)]
    return [each - logsumexp(each) for each in logs]


def divergences(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([logsumexp(a * p + (1 - a) * q) / (a - 1) for a in ORDERS])


@pytest.mark.every(3)
@pytest.mark.parametrize("law", ["geometric", "laplace", "gaussian"])
def test_a_release_is_charged_the_largest_loss_over_all_changes_by_one_unit(law: Law) -> None:
    for records, loss in product((1, 2, 3), ("0.2", "1", "3")):
        is_gaussian = law == "gaussian"
        event = PrivateSize(2, law, R(loss) if is_gaussian else E(loss), DELTA if is_gaussian else Delta(0), records)
        of_count = laws_of(event, records)
        charged, worst, rho = certify(event).loss, 0.0, 0.0
        for added in product(range(records + 1), repeat=2):
            if not 0 < sum(added) <= records:
                continue
            for here, there in ((0, 1), (1, 0)):  # added, removed
                pairs = [(of_count[here * v], of_count[there * v]) for v in added]
                rho = max(rho, float((sum(divergences(p, q) for p, q in pairs) / ORDERS).max()))
                worst = max(worst, sum(float((p - q)[10:-10].max()) for p, q in pairs))
        assert 1 - 1e-7 <= rho_of(charged) / rho <= 1.001, (records, loss)
        if law != "gaussian":
            assert float(charged.epsilon) == pytest.approx(worst, rel=1e-9)


@pytest.mark.parametrize(
    ("records", "epsilon", "geometric", "laplace"),
    [
        (1, "1", 0.4621171573, 0.3160602794),
        (2, "1", 0.3934693403, 0.3547648099),
        (3, "1", 0.3794353916, 0.3620372833),
        (1, "4", 3.8561103203, 1.9792950570),
        (2, "3", 2.3306095196, 1.8779644585),
        (3, "3", 2.1914465908, 1.9718917414),
        (3, "20", 19.9830315219, 16.6581716371),
        (2, "8", 7.8534748889, 5.9260665192),
    ],
)
def test_the_prices_are_those_of_an_independent_calculation(
    records: int, epsilon: str, geometric: float, laplace: float
) -> None:
    """Summed in 40 digits over all outcomes, maximised over the order."""
    for law, expected in (("geometric", geometric), ("laplace", laplace)):
        charged = rho_of(certify(PrivateSize(3, law, E(epsilon), records_per_unit=records)).loss)  # type: ignore[arg-type]
        assert expected - 1e-10 <= charged <= 1.001 * expected, law


def test_the_first_order_is_too_cheap_for_laplace_noise_of_a_large_epsilon() -> None:
    first = 4 - 2 / np.tanh(2) * (1 - exp(-4))
    assert first == pytest.approx(1.9633687222)
    assert rho_of(certify(PrivateSize(3, "laplace", E("4"))).loss) > 1.008 * first
    assert rho_of(certify(PrivateSize(3, "laplace", E("3.42"))).loss) == pytest.approx(
        3.42 - 1.71 / np.tanh(1.71) * (1 - exp(-3.42)), abs=1e-11
    )


def test_the_certificate_is_about_adding_and_removing_the_records_of_a_unit() -> None:
    one, three = certify(PrivateSize(4, "geometric", E("1"))), certify(PrivateSize(4, "laplace", E("1"), Delta(0), 3))
    gaussian = certify(PrivateSize(4, "gaussian", R("0.5"), DELTA, 2))
    assert {each.relation for each in (one, three, gaussian)} == {NeighbourRelation.ADD_REMOVE}
    assert "when one record is added or removed" in one.statement
    assert "when up to 3 records of one unit are added or removed" in three.statement
    assert "0.5-zCDP" in gaussian.statement
    assert "sigma^2 = 4 " in gaussian.statement
    assert gaussian.loss.delta == DELTA


def test_every_count_gets_independent_noise_of_the_laws_rate() -> None:
    counts, entropy = np.array([0, 3, 40], dtype=np.int64), SeededEntropy(5)
    for law, event in (
        ("geometric", PrivateSize(3, "geometric", E("1"), records_per_unit=2)),
        ("laplace", PrivateSize(3, "laplace", E("1"), records_per_unit=2)),
        ("gaussian", PrivateSize(3, "gaussian", R("0.5"), DELTA, 2)),
    ):
        drawn = np.array([release(Private(counts), event, entropy).value.noisy for _ in range(4000)]) - counts
        z = np.arange(-300, 301)
        logs = event.noise.log_mass(z)
        right = dict(zip(z.tolist(), np.exp(logs - logsumexp(logs)).tolist(), strict=True))
        twice = dict(zip(z.tolist(), np.exp(2 * logs - logsumexp(2 * logs)).tolist(), strict=True))
        for cell in range(3):
            assert_accepts(drawn[:, cell], right)
            assert_rejects(drawn[:, cell], twice)  # the rate of another neighbour relation
        assert np.abs(np.corrcoef(drawn.T) - np.eye(3)).max() < 0.08, law


def test_a_table_without_records_is_released_like_any_other() -> None:
    event = PrivateSize(3, "geometric", E("1"))
    drawn = release(Private(np.zeros(3, dtype=np.int64)), event, SeededEntropy(2))
    assert drawn.loss == certify(event).loss
    assert drawn.value.on_simplex == tuple(max(y, 0) for y in drawn.value.noisy)
    for seed in range(5):
        same = private_size.rehearse(np.zeros(3, dtype=np.int64), event, SeededEntropy(seed))
        assert same == release(Private(np.zeros(3, dtype=np.int64)), event, SeededEntropy(seed)).value


def test_no_cache_of_the_process_knows_the_number_of_records() -> None:
    """A cached value would make the answer for a table of the same size faster."""
    event, answers = (
        PrivateSize(3, "geometric", E("0.7"), Delta(0), 2),
        LinearAnswers(None, 3, 1, ((1, 0, 2),), (Rate.parse("0.1"),)),
    )
    of_margins = Margins(None, (3,), frozenset(), ((0,),), (E("0.3"),))

    def draw(counts: list[int]) -> None:
        private = Private(np.array(counts, dtype=np.int64))
        release(private, event, SeededEntropy(3))
        linear.release(private, answers, SeededEntropy(3))
        margins.release(private, of_margins, SeededEntropy(3))

    draw([1, 0, 2])
    before = misses()
    draw([5, 1, 77])
    draw([0, 0, 0])
    assert before == misses()
    assert sum(before.values()) > 0
    # The planted fault: a number of records that is a public parameter is a key.
    certify_public(Gaussian(83, 3, R("0.1"), DELTA))
    before = misses()
    certify_public(Gaussian(84, 3, R("0.1"), DELTA))
    assert before != misses()


def misses() -> dict[str, int]:
    """The number of misses of each cache of a function of the core."""
    caches = {
        f"{name}.{key}": value
        for name, module in list(sys.modules.items())
        if name.startswith("core.")
        for key, value in vars(module).items()
        if hasattr(value, "cache_info")
    }
    return {name: value.cache_info().misses for name, value in caches.items()}


def test_counts_beyond_a_constant_are_refused_and_no_sum_is_compared() -> None:
    event = PrivateSize(3, "geometric", E("1"))
    for counts in ([1, 2], [1, 2, -3], [2**53 // 3 + 1, 0, 0]):
        with pytest.raises(HistogramError, match="of the size that the event states"):
            release(Private(np.array(counts, dtype=np.int64)), event, SeededEntropy(1))
    release(Private(np.array([2**53 // 3, 0, 1], dtype=np.int64)), event, SeededEntropy(1))


def test_a_release_costs_at_most_the_requested_epsilon_and_delta() -> None:
    for law, records in product(get_args(Law), (1, 3, 7)):
        event = calibrate(law, 5, E("0.7"), DELTA, records)
        loss = certify(event).loss
        assert loss.epsilon <= E("0.7"), law
        assert float(loss.epsilon) == pytest.approx(0.7, abs=1e-6)
        assert loss.delta == (DELTA if law == "gaussian" else Delta(0))


def test_mechanisms_whose_output_adds_up_to_n_say_what_to_use_instead() -> None:
    refused = {each.kind: each.refused_at_private_n for each in MECHANISMS}
    assert refused["laplace"] is None
    assert refused["gaussian"] is None
    for kind in ("simplex_geometric", "exponential"):
        assert "use geometric" in str(refused[kind]), kind


def test_events_beyond_their_limits_are_refused() -> None:
    for m, law, loss, delta, records in (
        (1, "geometric", E("1"), 0, 1),
        (10_001, "geometric", E("1"), 0, 1),
        (3, "geometric", E("0.00009"), 0, 1),
        (3, "laplace", E("51"), 0, 1),
        (3, "laplace", E("1"), 1, 1),
        (3, "laplace", R("1"), 1, 1),
        (3, "gaussian", E("1"), 1, 1),
        (3, "gaussian", R("1"), 0, 1),
        (3, "gaussian", R("0.000000009"), 1, 1),
        (3, "exponential", E("1"), 0, 1),
        (3, "geometric", E("1"), 0, 0),
        (3, "geometric", E("1"), 0, 1001),
    ):
        with pytest.raises(EventError):
            PrivateSize(m, law, loss, Delta(delta), records)  # type: ignore[arg-type]
