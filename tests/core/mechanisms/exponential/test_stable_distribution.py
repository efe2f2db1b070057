"""The oracle is mpmath: the distribution's recurrence at 40 digits, and its closed form with a Bessel function."""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest

from core.mechanisms.exponential.stable_distribution import distance_factors, log_mass_bounds, log_masses, tail_sums

mp.mp.dps = 40
KAPPAS = [1e-8, 1e-3, 0.3, 3.6, 50.0, 700.0]


def reference_log_mass(kappa: mp.mpf, k: float) -> mp.mpf:
    if k == 0:
        return -kappa
    nu = mp.mpf(k) - mp.mpf(1) / 2
    return (
        mp.log(kappa / mp.sqrt(mp.pi))
        + nu * mp.log(kappa / 2)
        + mp.log(mp.besselk(nu, kappa))
        - mp.loggamma(nu + mp.mpf(3) / 2)
    )


@pytest.mark.parametrize("kappa", KAPPAS)
@pytest.mark.parametrize(
    "k", [0, 1, 2, 7, 47, 48, 49, 4321.25, *(pytest.param(k, marks=pytest.mark.long) for k in (48.5, 200, 1e6))]
)
def test_masses_and_distance_factors_against_the_bessel_form(kappa: float, k: float) -> None:
    allowed = 1e-13 * (1.0 + kappa**2 / max(k, 1.0))
    assert float(mp.mpf(float(log_masses(kappa, k))) - reference_log_mass(mp.mpf(kappa), k)) == pytest.approx(
        0.0, abs=allowed
    )
    exact = -mp.diff(lambda x: reference_log_mass(x, k), mp.mpf(kappa))
    assert float(mp.mpf(float(distance_factors(kappa, k))) - exact) == pytest.approx(
        0.0, abs=allowed * (1.0 + 1.0 / kappa)
    )


def test_masses_of_a_large_kappa_against_the_recurrence() -> None:
    kappa = mp.mpf(10) ** 4
    masses = [mp.exp(-kappa), kappa / 2 * mp.exp(-kappa)]
    for k in range(500):
        masses.append(((k + 1) * (k + mp.mpf(1) / 2) * masses[-1] + kappa**2 / 4 * masses[-2]) / ((k + 2) * (k + 1)))
    reference = np.array([float(mp.log(mass)) for mass in masses])
    assert log_masses(1e4, np.arange(502)) == pytest.approx(reference, abs=1e-9)


@pytest.mark.every(5)
@pytest.mark.parametrize("kappa", KAPPAS)
@pytest.mark.parametrize("s", [0.0, 0.3, 0.9, 0.999])
def test_the_generating_function_is_that_of_the_hellinger_weight(kappa: float, s: float) -> None:
    k = np.arange(100_000)
    masses, distance = np.exp(log_masses(kappa, k)) * s**k, math.sqrt(1.0 - s)
    assert masses.sum() == pytest.approx(math.exp(-kappa * distance), rel=1e-11, abs=1e-300)
    expected = distance * math.exp(-kappa * distance)
    assert masses @ distance_factors(kappa, k) == pytest.approx(expected, rel=1e-8, abs=1e-13 * (1.0 + 1.0 / kappa))


@pytest.mark.every(5)
@pytest.mark.parametrize("kappa", KAPPAS)
@pytest.mark.parametrize("first", [1, 5, 4096, 4097, 300_000])
def test_tails_are_what_the_sums_before_leave(kappa: float, first: int) -> None:
    k = np.arange(first)
    masses = np.exp(log_masses(kappa, k))
    mass, distance = tail_sums(kappa, first)
    assert mass == pytest.approx(1.0 - masses.sum(), abs=3e-13)
    assert distance == pytest.approx(-(masses @ distance_factors(kappa, k)), abs=3e-13 * (1.0 + 1.0 / kappa))


@pytest.mark.parametrize("kappa", KAPPAS)
def test_a_bound_over_a_block_holds_for_each_of_its_k(kappa: float) -> None:
    for first, last in [(1, 1), (1, 9), (40, 60), (100, 137), (10_000, 12_000)]:
        assert (log_masses(kappa, np.arange(first, last + 1)) <= log_mass_bounds(kappa, first, last) + 1e-9).all()
    assert log_mass_bounds(kappa, 7, 7) == pytest.approx(log_masses(kappa, 7), abs=1e-12)
