"""The report of composition with fixed parameters: compared with its oracle, and never above the plain sum."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.fixed_composition import epsilon_nonadaptive
from core.privacy import Delta, Epsilon, PrivacyLoss


def pure(*epsilons: str) -> list[PrivacyLoss]:
    return [PrivacyLoss(Epsilon.parse(epsilon)) for epsilon in epsilons]


@pytest.mark.parametrize(
    ("losses", "delta", "reference"),
    # dp-accounting 0.6.0: privacy_loss_distribution.from_privacy_parameters(DifferentialPrivacyParameters(e, d),
    # value_discretization_interval=1e-5) (1e-3 for a thousand of 0.1, 1e-2 for a thousand of 1), .self_compose(k),
    # .compose(other), .get_epsilon_for_delta(delta)
    [
        (pure("0.5"), "1e-6", 0.4999983934680498),
        (pure("0.1") * 10, "1e-6", 0.9993709057223882),
        (pure("0.1") * 100, "1e-6", 4.7745675876522755),
        (pure("0.1") * 1000, "1e-6", 19.3446714585289),
        (pure("1") * 3, "1e-2", 2.9740724549680366),
        (pure("1") * 1000, "1e-6", 591.0796503173681),
        ([PrivacyLoss(Epsilon.parse("0.2"), Delta.parse("1e-7"))] * 20 + pure("0.7"), "1e-5", 4.204806167791886),
    ],
)
def test_it_agrees_with_dp_accounting(losses: list[PrivacyLoss], delta: str, reference: float) -> None:
    assert float(epsilon_nonadaptive(losses, Delta.parse(delta)) or math.inf) == pytest.approx(reference, rel=2e-4)


@given(st.lists(st.integers(1, 3 * 10**9), min_size=1, max_size=7), st.floats(1e-9, 0.5))
def test_it_is_never_below_the_exact_composition_by_enumeration(units: list[int], delta: float) -> None:
    found = epsilon_nonadaptive([PrivacyLoss(Epsilon(u)) for u in units], Delta.ceil(delta))
    assert found is not None
    exact = 0.0
    for signs in itertools.product((1, -1), repeat=len(units)):
        loss = sum(sign * u / 1e9 for sign, u in zip(signs, units, strict=True))
        mass = math.prod(1 / (1 + math.exp(-sign * u / 1e9)) for sign, u in zip(signs, units, strict=True))
        exact += mass * max(0.0, -math.expm1(float(found) - loss))
    assert exact <= delta + 1e-12
    assert found.units <= sum(units)


def test_with_delta_zero_it_is_the_plain_sum() -> None:
    assert epsilon_nonadaptive(pure("0.1", "0.2", "0.3"), Delta(0)) == Epsilon.parse("0.6")


def test_nothing_released_proves_zero() -> None:
    assert epsilon_nonadaptive([], Delta(0)) == Epsilon(0)


def test_no_epsilon_makes_up_for_deltas_that_pass_delta() -> None:
    assert epsilon_nonadaptive([PrivacyLoss(Epsilon.parse("1"), Delta.parse("1e-6"))] * 2, Delta.parse("1e-6")) is None
