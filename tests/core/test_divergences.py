"""Divergences of Dirichlet laws against mpmath: closed forms with 60 digits, and quadrature that knows no closed
form.
"""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest

from core.dirichlet import Dirichlet, DirichletError, hellinger_of_posteriors
from core.divergences import (
    chi_square,
    chi_square_of_posteriors,
    kullback_leibler,
    kullback_leibler_of_posteriors,
    marginal_total_variations,
    marginal_wassersteins,
    renyi,
    renyi_of_posteriors,
    total_variation_bounds,
    total_variation_of_posteriors,
    wasserstein_of_posteriors,
)
from core.special_functions import log_gamma_gap
from tests.core.histograms import histograms

mp.mp.dps = 60

# Prior, counts, others: near and equal laws, priors below one half, counts of 10⁷, empty categories, far laws.
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
    """The exact change of the floats is what the reference gets, too."""
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
    assert float(kullback_leibler_of_posteriors(prior, counts, others)) == float(
        renyi_of_posteriors(1.0, prior, counts, others)
    )
    exact = mp.expm1(exact_renyi(concentrations(prior, counts), concentrations(prior, others), 2.0))
    assert float(chi_square_of_posteriors(prior, counts, others)) == pytest.approx(float(exact), rel=1e-12)


def test_laws_of_different_totals_against_mpmath() -> None:
    first, second = Dirichlet((3.0, 0.2, 7.0)), Dirichlet((2.5, 0.4, 11.0))
    a, b = ([mp.mpf(x) for x in law.concentration] for law in (first, second))
    for order in ORDERS[:-1]:
        assert renyi(first, second, order) == pytest.approx(float(exact_renyi(a, b, order)), rel=1e-12)
    assert kullback_leibler(first, second) == pytest.approx(float(exact_renyi(a, b, 1.0)), rel=1e-12)
    assert chi_square(second, first) == pytest.approx(float(mp.expm1(exact_renyi(b, a, 2.0))), rel=1e-12)


def test_what_leaves_the_domain_is_infinite() -> None:
    """2a − b < 0 in the first category, and λa + (1 − λ)b there for every order from 8/7 on."""
    prior, counts, others = (1.0, 1.0), (0, 20), (7, 13)
    assert math.isinf(float(chi_square_of_posteriors(prior, counts, others)))
    assert math.isinf(float(renyi_of_posteriors(8 / 7 + 1e-12, prior, counts, others)))
    assert math.isfinite(float(renyi_of_posteriors(1.14, prior, counts, others)))
    assert math.isinf(chi_square(Dirichlet((1.0, 1.0)), Dirichlet((2.5, 1.0))))
    assert math.isinf(float(renyi_of_posteriors(math.inf, prior, counts, others)))
    assert float(renyi_of_posteriors(math.inf, prior, counts, counts)) == 0.0


def test_the_order_infinity_is_the_largest_log_ratio() -> None:
    first, second = Dirichlet((4.0, 3.0, 2.0)), Dirichlet((2.0, 2.5, 2.0))
    grid = np.array(
        [(x, y, 1 - x - y) for x in np.linspace(0.001, 0.998, 400) for y in np.linspace(0.001, 0.998, 400) if x + y < 1]
    )

    def log_density(law: Dirichlet) -> np.ndarray:
        return np.asarray(
            np.log(grid) @ (np.array(law.concentration) - 1)
            - float(exact_log_beta([mp.mpf(x) for x in law.concentration]))
        )

    assert renyi(first, second, math.inf) == pytest.approx(
        float((log_density(first) - log_density(second)).max()), abs=1e-2
    )
    assert renyi(first, second, 5_000.0) < renyi(first, second, math.inf)
    assert math.isinf(renyi(second, first, math.inf))


def exact_beta_integral(a: list[mp.mpf], b: list[mp.mpf], what: str) -> float:
    """∫ |p − q|/2 or ∫ |F − G| by quadrature between the points where the integrand changes sign."""
    if what == "tv":
        sign = lambda x: (
            (a[0] - b[0]) * mp.log(x) + (a[1] - b[1]) * mp.log1p(-x) - exact_log_beta(a) + exact_log_beta(b)
        )
        ends = roots_of(sign)
        parts = [mp.betainc(*v, ends[i], ends[i + 1], regularized=True) for v in (a, b) for i in range(len(ends) - 1)]
        half = len(parts) // 2
        return float(mp.fsum(abs(x - y) for x, y in zip(parts[:half], parts[half:], strict=True)) / 2)
    gap = lambda x: mp.betainc(*a, 0, x, regularized=True) - mp.betainc(*b, 0, x, regularized=True)
    ends = roots_of(gap)
    return float(
        mp.fsum(abs(mp.quad(gap, [ends[i], (ends[i] + ends[i + 1]) / 2, ends[i + 1]])) for i in range(len(ends) - 1))
    )


def roots_of(function: object) -> list[mp.mpf]:
    """0, the sign changes of the function on a fine grid of (0, 1), bisected, and 1."""
    assert callable(function)
    grid = [mp.mpf(k) / 157 for k in range(1, 157)]
    values = [function(x) for x in grid]
    found = [mp.mpf(0)]
    for x, y, at_x, at_y in zip(grid, grid[1:], values, values[1:], strict=False):
        if at_x * at_y < 0:
            found.append(mp.findroot(function, (x, y), solver="anderson", tol=1e-40))
    return [*found, mp.mpf(1)]


BETAS = [
    ((1.0, 1.0), (2.0, 5.0)),
    ((0.4, 0.3), (0.7, 0.9)),
    ((5.0, 5.0), (9.0, 8.0)),
    ((20.0, 3.0), (19.0, 4.0)),
    ((2.0, 2.0), (2.0, 3.0)),
]


@pytest.mark.parametrize(("a", "b"), BETAS)
def test_total_variation_and_wasserstein_of_betas_against_quadrature(
    a: tuple[float, float], b: tuple[float, float]
) -> None:
    mp.mp.dps = 30
    exact_a, exact_b = [mp.mpf(x) for x in a], [mp.mpf(x) for x in b]
    first, second = Dirichlet(a), Dirichlet(b)
    variation, distance = marginal_total_variations(first, second), marginal_wassersteins(first, second)
    assert variation == pytest.approx([exact_beta_integral(exact_a, exact_b, "tv")] * 2, abs=1e-12)
    assert distance == pytest.approx([exact_beta_integral(exact_a, exact_b, "w")] * 2, abs=1e-12)
    lower, upper = total_variation_bounds(first, second)
    assert lower <= variation[0] <= upper
    mp.mp.dps = 60


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


def test_wasserstein_of_posteriors_is_the_distance_of_their_means() -> None:
    for c in range(9):
        for r in range(9):
            exact = marginal_wassersteins(Dirichlet((0.6 + c, 1.5 + 8 - c)), Dirichlet((0.6 + r, 1.5 + 8 - r)))[0]
            assert float(wasserstein_of_posteriors((0.6, 1.5), (c, 8 - c), (r, 8 - r))) == pytest.approx(
                exact, abs=1e-14
            )


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


@pytest.mark.parametrize("share", [0.3, 1e-3])
@pytest.mark.parametrize("records", [1e4, 1e8, 1e10, 1e12, 1e15])
def test_the_variation_of_one_record_keeps_its_digits_at_many(records: float, share: float) -> None:
    """F − G of Beta(a, b) and Beta(a + 1, b − 1) is x^a (1 − x)^(b − 1) / (a B(a, b)), largest at a / (a + b − 1)."""
    a, b = round(share * records) + 1.0, round((1 - share) * records) + 1.0
    x = mp.mpf(a) / (mp.mpf(a) + b - 1)
    exact = mp.exp(
        a * mp.log(x)
        + (b - 1) * mp.log(1 - x)
        - mp.log(a)
        - mp.loggamma(a)
        - mp.loggamma(b)
        + mp.loggamma(mp.mpf(a) + b)
    )
    (found, other) = marginal_total_variations(Dirichlet((a, b)), Dirichlet((a + 1, b - 1)))
    assert found == pytest.approx(float(exact), rel=1e-6, abs=1e-10)
    assert other == pytest.approx(found, rel=1e-6, abs=1e-10)


@pytest.mark.parametrize(
    "call",
    [
        lambda: renyi(Dirichlet((1.0, 1.0)), Dirichlet((1.0, 1.0, 1.0)), 2.0),
        lambda: chi_square(Dirichlet((1.0, 1.0)), Dirichlet((1.0, 1.0, 1.0))),
        lambda: marginal_wassersteins(Dirichlet((1.0, 1.0)), Dirichlet((1.0, 1.0, 1.0))),
        lambda: renyi_of_posteriors(2.0, (1.0, 1.0), (1, 2, 3), (1, 2, 3)),
        lambda: renyi_of_posteriors(2.0, (1.0, 1.0), (1, 2), (1, 1, 1)),
        lambda: renyi_of_posteriors(0.0, (1.0, 1.0), (1, 2), (2, 1)),
        lambda: renyi_of_posteriors(math.nan, (1.0, 1.0), (1, 2), (2, 1)),
        lambda: wasserstein_of_posteriors((1.0, 1.0, 1.0), (1, 2, 0), (2, 1, 0)),
        lambda: total_variation_of_posteriors((1.0, 1.0, 1.0), (1, 2, 0), (2, 1, 0)),
    ],
)
def test_laws_that_do_not_fit_and_orders_that_are_none_are_refused(call: object) -> None:
    assert callable(call)
    with pytest.raises(DirichletError):
        call()
