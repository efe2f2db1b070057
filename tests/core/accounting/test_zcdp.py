"""Conversions of zero-concentrated privacy against oracles, brute force and themselves; each rounds toward privacy."""

from __future__ import annotations

import mpmath
import numpy as np
import opendp.prelude as dp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.zcdp import ConversionError, epsilon_of, largest_rho, rho_of_pure
from core.privacy import Delta, Epsilon, Rho

dp.enable_features("contrib")

deltas = st.integers(1, 10**18 - 1).map(Delta) | st.integers(-18, -1).map(lambda e: Delta.parse(f"1e{e}"))
epsilons = st.integers(0, 1000 * 10**9).map(Epsilon)


def delta_of(rho: mpmath.mpf, epsilon: mpmath.mpf) -> mpmath.mpf:
    """The least over a > 1 of e^((a-1)(a rho - epsilon)) / (a-1) * (1 - 1/a)^a, in logs, by golden section over
    ln(a-1) at 50 digits.
    """
    with mpmath.workdps(50):

        def log_bound(t: mpmath.mpf) -> mpmath.mpf:
            b = mpmath.e**t
            return b * ((b + 1) * rho - epsilon) + b * mpmath.log(b) - (b + 1) * mpmath.log(b + 1)

        low, high = mpmath.mpf(-60), mpmath.mpf(90)
        golden = (mpmath.sqrt(5) - 1) / 2
        for _ in range(220):
            left, right = high - golden * (high - low), low + golden * (high - low)
            if log_bound(left) < log_bound(right):
                high = right
            else:
                low = left
        return log_bound(low)


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [
        ("1", "1e-6"),
        ("0.8", "1e-8"),
        ("0.01", "1e-12"),
        ("50", "0.1"),
        ("1000", "1e-18"),
        ("0.001", "0.000001"),
        ("0", "0.25"),
    ],
)
def test_largest_rho_is_the_last_unit_that_mpmath_still_accepts(epsilon: str, delta: str) -> None:
    rho = largest_rho(Epsilon.parse(epsilon), Delta.parse(delta))
    with mpmath.workdps(50):
        wanted = mpmath.log(mpmath.mpf(delta))
        assert delta_of(mpmath.mpf(rho.units) / 10**12, mpmath.mpf(epsilon)) <= wanted
        assert delta_of(mpmath.mpf(rho.units + 1) / 10**12, mpmath.mpf(epsilon)) > wanted


@pytest.mark.parametrize(
    ("rho", "delta", "reference"),
    # dp-accounting 0.6.0, in an environment of its own since it holds attrs < 24: orders = 1 +
    # np.exp(np.linspace(np.log(1e-3), np.log(1e8), 200001));
    # dp_accounting.rdp.rdp_privacy_accountant.compute_epsilon(orders, rho * orders, delta)
    [
        ("0.01", "1e-6", 0.6216926547770015),
        ("0.5", "1e-9", 6.474070021801172),
        ("3", "1e-5", 13.774455075023734),
        ("0.00001", "1e-12", 0.027852068020019893),
    ],
)
def test_epsilon_agrees_with_dp_accounting(rho: str, delta: str, reference: float) -> None:
    assert float(epsilon_of(Rho.parse(rho), Delta.parse(delta))) == pytest.approx(reference, abs=2e-9, rel=1e-8)


@pytest.mark.parametrize(
    ("rho", "delta"), [("0.01", "1e-6"), ("0.5", "1e-9"), ("3", "1e-5"), ("0.00001", "1e-12"), ("20", "0.01")]
)
def test_epsilon_agrees_with_opendp(rho: str, delta: str) -> None:
    counts = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T=float)
    curve = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*counts, scale=1.0)).map(d_in=float(np.sqrt(2 * float(rho))))
    assert float(epsilon_of(Rho.parse(rho), Delta.parse(delta))) == pytest.approx(
        curve.epsilon(float(delta)), abs=2e-9, rel=1e-7
    )


@given(epsilon=epsilons, delta=deltas)
def test_converting_there_and_back_never_gains(epsilon: Epsilon, delta: Delta) -> None:
    assert epsilon_of(largest_rho(epsilon, delta), delta) <= epsilon


@given(epsilon=epsilons, delta=deltas, more=st.integers(1, 10**12))
def test_a_larger_epsilon_never_allows_less(epsilon: Epsilon, delta: Delta, more: int) -> None:
    assert largest_rho(epsilon, delta) <= largest_rho(Epsilon(epsilon.units + more), delta)


@pytest.mark.parametrize("delta", [Delta(0), Delta(10**18), Delta(2 * 10**18)])
def test_a_delta_outside_the_open_unit_interval_is_refused(delta: Delta) -> None:
    with pytest.raises(ConversionError):
        largest_rho(Epsilon.parse("1"), delta)
    with pytest.raises(ConversionError):
        epsilon_of(Rho.parse("1"), delta)


@given(epsilon=st.integers(1, 50 * 10**9).map(Epsilon))
def test_rho_of_a_pure_mechanism_is_at_most_half_the_square_of_epsilon(epsilon: Epsilon) -> None:
    assert rho_of_pure(epsilon) <= Rho.ceil(epsilon.value**2 / 2)


@pytest.mark.parametrize("epsilon", ["0.0001", "0.1", "1", "3", "12", "50"])
def test_rho_of_a_pure_mechanism_covers_randomised_response_at_every_order_and_no_unit_less_does(epsilon: str) -> None:
    rho = rho_of_pure(Epsilon.parse(epsilon))
    with mpmath.workdps(60):
        odds = mpmath.e ** mpmath.mpf(epsilon)
        p, q = odds / (1 + odds), 1 / (1 + odds)
        orders = [1 + mpmath.mpf(10) ** (mpmath.mpf(k) / 8) for k in range(-320, 60)]
        worst = max(mpmath.log(p**a * q ** (1 - a) + q**a * p ** (1 - a)) / (a - 1) / a for a in orders)
        assert worst <= mpmath.mpf(rho.units) / 10**12
        assert worst > mpmath.mpf(rho.units - 1) / 10**12
