"""Divergences of Dirichlet distributions, compared with mpmath: closed forms with 60 digits, and quadrature without any
closed form.
"""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest

from benchmarks.papers.methods.divergences import log_gamma_gap, renyi_of_posteriors, total_variation_of_posteriors
from core.dirichlet import DirichletError, hellinger_of_posteriors
from tests.core.histograms import histograms

mp.mp.dps = 60

# Prior, counts, others: near and equal distributions, priors below one half, empty categories, counts of 10⁷, far
# distributions.
POSTERIORS = [
    ((1.0, 1.0), (4, 4), (5, 3)),
    ((0.01, 0.3), (0, 9), (1, 8)),
    ((0.5, 0.5, 0.5), (0, 0, 12), (6, 6, 0)),
    ((1.0, 2.0), (5_000_000, 5_000_000), (5_000_001, 4_999_999)),
    ((0.1, 2.7, 1.0), (10_000_000, 3, 5_000_000), (9_999_999, 3, 5_000_001)),
    ((0.2, 0.2), (10_000_000, 0), (9_000_000, 1_000_000)),
    ((7.0, 4.0, 5.0, 0.4), (20, 30, 40, 10), (25, 30, 33, 12)),
    ((1.0, 1.0), (60, 40), (71, 29)),
]
ORDERS = [0.25, 0.5, 0.9, 1.0, 1.5, 2.0, 8.0]


def exact_log_beta(vector: list[mp.mpf]) -> mp.mpf:
    return mp.fsum(map(mp.loggamma, vector)) - mp.loggamma(mp.fsum(vector))


def exact_renyi(a: list[mp.mpf], b: list[mp.mpf], order: float) -> mp.mpf:
    if order == 1.0:
        change = [(x - y) * (mp.digamma(x) - mp.digamma(mp.fsum(a))) for x, y in zip(a, b, strict=True)]
        return exact_log_beta(b) - exact_log_beta(a) + mp.fsum(change)
    weight = mp.mpf(order)
    middle = [weight * x + (1 - weight) * y for x, y in zip(a, b, strict=True)]
    if min(middle) <= 0:
        return mp.inf
    return (exact_log_beta(middle) - weight * exact_log_beta(a) - (1 - weight) * exact_log_beta(b)) / (weight - 1)


def concentrations(prior: tuple[float, ...], counts: tuple[int, ...]) -> list[mp.mpf]:
    return [mp.mpf(alpha) + c for alpha, c in zip(prior, counts, strict=True)]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("prior", "counts", "others"), POSTERIORS)
def test_renyi_of_posteriors_against_mpmath(
    prior: tuple[float, ...], counts: tuple[int, ...], others: tuple[int, ...], order: float
) -> None:
    exact = exact_renyi(concentrations(prior, counts), concentrations(prior, others), order)
    assert float(renyi_of_posteriors(order, prior, counts, others)) == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("order", [0.5, 1.0, 2.0, 5.0])
@pytest.mark.parametrize("gap", [1e-1, 1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("base", [0.03, 0.4, 3.0, 1e4, 1e7])
def test_nearly_equal_laws_keep_their_digits(base: float, gap: float, order: float) -> None:
    """The reference gets the exact change of the floats too."""
    change = base * gap
    exact = exact_renyi(
        [mp.mpf(base), 2 * mp.mpf(base)], [mp.mpf(base) + mp.mpf(change), 2 * mp.mpf(base) - mp.mpf(change)], order
    )
    gaps = order * float(np.sum(log_gamma_gap(order, [base, 2 * base], 0.0, [change, -change])))
    assert gaps == pytest.approx(float(exact), rel=1e-12)


def test_special_orders_are_the_divergences_they_are_named_for() -> None:
    prior, counts, others = (1.0, 0.5, 2.0), (3, 9, 1), (4, 7, 2)
    half = renyi_of_posteriors(0.5, prior, counts, others)
    assert -2.0 * math.log1p(-(float(hellinger_of_posteriors(prior, counts, others)) ** 2)) == pytest.approx(
        float(half), rel=1e-12
    )


def test_what_leaves_the_domain_is_infinite() -> None:
    """λa + (1 − λ)b < 0 in the first category for every order from 8/7 on."""
    prior, counts, others = (1.0, 1.0), (0, 20), (7, 13)
    assert math.isinf(float(renyi_of_posteriors(8 / 7 + 1e-12, prior, counts, others)))
    assert math.isfinite(float(renyi_of_posteriors(1.14, prior, counts, others)))
    assert math.isinf(float(renyi_of_posteriors(math.inf, prior, counts, others)))
    assert float(renyi_of_posteriors(math.inf, prior, counts, counts)) == 0.0


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("prior", "counts", "others"),
    [
        ((1.0, 1.0), (4, 4), (5, 3)),
        ((0.3, 0.2), (0, 10), (10, 0)),
        ((1.0, 2.0), (5_000_000, 5_000_000), (5_000_001, 4_999_999)),
        ((0.1, 0.1), (9_999_990, 10), (10_000_000, 0)),
        ((1.0, 1.0), (300, 700), (420, 580)),
    ],
)
def test_total_variation_of_posteriors_against_mpmath(
    prior: tuple[float, float], counts: tuple[int, int], others: tuple[int, int]
) -> None:
    """The reference takes the difference of two distribution functions at the crossing, with 60 digits to lose."""
    a, b = concentrations(prior, counts), concentrations(prior, others)
    steps = others[0] - counts[0]
    x = 1 / (1 + mp.exp(-(exact_log_beta(b) - exact_log_beta(a)) / steps))

    def density(v: list[mp.mpf], t: mp.mpf) -> mp.mpf:
        return mp.exp((v[0] - 1) * mp.log(t) + (v[1] - 1) * mp.log1p(-t) - exact_log_beta(v))

    if max(counts) < 10**6:
        exact = mp.betainc(*a, 0, x, regularized=True) - mp.betainc(*b, 0, x, regularized=True)
    else:
        # Around the crossing, where 10⁷ records leave no mass twenty standard deviations away.
        deviation = mp.sqrt(x * (1 - x) / (a[0] + a[1])) + mp.mpf(3) / (a[0] + a[1])
        points = [max(x - k * deviation, mp.mpf(0)) for k in range(24, -1, -2)]
        exact = mp.quad(lambda t: density(a, t) - density(b, t), points)
    assert total_variation_of_posteriors(prior, counts, others) == pytest.approx(float(abs(exact)), rel=1e-12)


def test_every_divergence_of_small_posteriors_has_the_order_it_should() -> None:
    """H² <= TV <= H sqrt(2 − H²), Pinsker, and Rényi divergences rise with their order: over all pairs of
    histograms.
    """
    for c in histograms(6, 2):
        for r in histograms(6, 2):
            distance = float(hellinger_of_posteriors((0.7, 1.2), c, r))
            variation = total_variation_of_posteriors((0.7, 1.2), c, r)
            orders = [float(renyi_of_posteriors(order, (0.7, 1.2), c, r)) for order in (0.1, 0.5, 1.0, 2.0, 3.0)]
            assert distance**2 <= variation + 1e-14
            assert variation <= distance * math.sqrt(2 - distance**2) + 1e-14
            assert variation <= math.sqrt(orders[2] / 2) + 1e-14
            assert orders == sorted(orders)


@pytest.mark.parametrize(
    "call",
    [
        lambda: renyi_of_posteriors(2.0, (1.0, 1.0), (1, 2, 3), (1, 2, 3)),
        lambda: renyi_of_posteriors(2.0, (1.0, 1.0), (1, 2), (1, 1, 1)),
        lambda: renyi_of_posteriors(0.0, (1.0, 1.0), (1, 2), (2, 1)),
        lambda: renyi_of_posteriors(math.nan, (1.0, 1.0), (1, 2), (2, 1)),
        lambda: total_variation_of_posteriors((1.0, 1.0, 1.0), (1, 2, 0), (2, 1, 0)),
    ],
)
def test_distributions_of_unequal_length_and_invalid_orders_are_refused(call: object) -> None:
    assert callable(call)
    with pytest.raises(DirichletError):
        call()
