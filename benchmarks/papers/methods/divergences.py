"""Computes two divergences between Dirichlet posteriors of one prior and one n: Rényi of any order, total variation.

With G of `log_gamma_gap`, the Rényi divergence of order λ between Dir(a) and Dir(b) is

    D_λ = ln ∫ p^λ q^(1−λ) / (λ − 1) = λ [Σ_i G(a_i, b_i) − G(Σa, Σb)],

Kullback-Leibler at λ = 1. Posteriors of one prior and one n have the same total: the last term is zero, D_λ is a sum
over categories of numbers of one sign, and small divergences keep their digits. Source of the closed form: Gil, Alajaji
and Linder 2013, "Rényi divergence measures for commonly used univariate continuous distributions".
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.dirichlet import DirichletError
from core.special_functions import stirling_remainder

Floats = NDArray[np.float64]

# Up to this relative distance a power series in it is used, which 26 terms give to the last digit.
_SERIES_DISTANCE: Final = 0.2
_SERIES_TERMS: Final = 26


def renyi_of_posteriors(order: float, prior: ArrayLike, counts: ArrayLike, others: ArrayLike) -> Floats:
    """D_λ(Dir(α + c) ‖ Dir(α + r)) in nats for histograms c and r of one total; 0 < `order` <= ∞, 1 is
    Kullback-Leibler.

    `prior` and `counts` of shape (m,), `others` of shape (..., m); returns shape (...), to 1e-12 relative. Infinite
    where λ(α + c) + (1 − λ)(α + r) leaves the positive numbers, and at order ∞ wherever r ≠ c.
    """
    _check_order(order)
    c, r = np.asarray(counts, dtype=np.float64), np.asarray(others, dtype=np.float64)
    if c.shape[-1] != np.shape(prior)[-1] or r.shape[-1] != c.shape[-1]:
        raise DirichletError("prior and histograms have the same categories")
    if order == math.inf:
        return np.where((r == c).all(axis=-1), 0.0, np.inf)
    return np.asarray(order * np.sum(log_gamma_gap(order, prior, c, r), axis=-1))


def total_variation_of_posteriors(prior: ArrayLike, counts: ArrayLike, other: ArrayLike) -> float:
    """TV between Beta posteriors of one prior and one n, all of shape (2,), to 1e-12 relative.

    The likelihood ratio is monotone, so the densities cross once, at x, and TV = I_x(a, b) − I_x(a + d, b − d). Record
    by record that is Σ_j x^(a + j) (1 − x)^(b − 1 − j) Γ(N) / (Γ(a + j + 1) Γ(b − j)), N = a + b: positive terms, so
    that neighbours of 10⁷ records keep their digits.
    """
    alpha, c, r = (
        np.asarray(prior, dtype=np.float64),
        np.asarray(counts, dtype=np.float64),
        np.asarray(other, dtype=np.float64),
    )
    if not alpha.shape == c.shape == r.shape == (2,):
        raise DirichletError("the total variation distance is that of two categories")
    low, steps = alpha + np.array([min(c[0], r[0]), max(c[1], r[1])]), abs(int(r[0] - c[0]))
    if steps == 0:
        return 0.0
    # The densities are equal where the log-odds are the mean over the steps of ln(a + j) − ln(b − 1 − j).
    j = np.arange(steps, dtype=np.float64)
    given, taken = low[0] + j, low[1] - 1.0 - j
    odds = math.fsum(np.log(given / taken)) / steps
    return math.fsum(_binomial_terms(given, taken, odds))


def _check_order(order: float) -> None:
    if not order > 0.0:
        raise DirichletError("the order of a Rényi divergence is positive")


def _binomial_terms(given: Floats, taken: Floats, log_odds: float) -> Floats:
    """x^g (1 − x)^t Γ(g + t + 1) / (Γ(g + 1) Γ(t + 1)), g and t > 0, at the log-odds of x.

    Relative to the peak at x = g/(g + t), whose height Stirling's formula gives without a large part: both exponents
    are then small.
    """
    total = given + taken
    # u = x/peak − 1 and v = (1 − x)/(1 − peak) − 1, with g u + t v = 0.
    shift = special.expit(log_odds) * taken - special.expit(-log_odds) * given
    exponent = given * _log1p_less(shift / given) + taken * _log1p_less(-shift / taken)
    peak = 0.5 * np.log(total / (2.0 * math.pi * given * taken))
    return np.asarray(
        np.exp(exponent + peak + stirling_remainder(total) - stirling_remainder(given) - stirling_remainder(taken))
    )


def _log1p_less(u: Floats) -> Floats:
    """ln(1 + u) − u, to full relative precision near zero."""
    series = np.zeros_like(u)
    for k in range(14, 1, -1):
        series = (-1.0) ** (k + 1) / k + u * series
    with np.errstate(divide="ignore"):
        return np.where(np.abs(u) < 0.05, u * u * series, np.log1p(u) - u)


def log_gamma_gap(order: float, alpha: ArrayLike, count: ArrayLike, other: ArrayLike) -> NDArray[np.float64]:
    """G = [λ lnΓ(x) + (1 − λ) lnΓ(y) − lnΓ(λx + (1 − λ)y)] / (λ(1 − λ)) >= 0, x = α + c, y = α + t: the share of one
    category in a Rényi divergence.

    `order` λ > 0; at λ = 1 the limit lnΓ(y) − lnΓ(x) − (y − x) ψ(x). `alpha` > 0, `count` = c >= 0 and `other` = t >= 0
    broadcast. Infinite where λx + (1 − λ)y <= 0. Accurate to 1e-13 relative for |λ − 1| and λ above 1e-2, and for λ = 1; c
    and t enter through their exact difference. Source: by Σ_k (x − y)^k ζ(k, x)/k · (1 + μ + … + μ^(k − 2)), μ = 1 − λ,
    where y is near x, since lnΓ has these derivatives; else Stirling's formula.
    """
    prior, c, t = np.broadcast_arrays(*(np.asarray(values, dtype=np.float64) for values in (alpha, count, other)))
    first, second, change, mu = prior + c, prior + t, t - c, 1.0 - order
    middle = first + mu * change
    gap = np.full(first.shape, np.inf)
    near = np.abs(change) * max(1.0, abs(mu)) <= _SERIES_DISTANCE * first
    far = ~near & (middle > 0.0)
    gap[near] = _gap_nearby(mu, first[near], change[near])
    gap[far] = _far_gap(order, first[far], second[far], change[far], middle[far])
    return gap


def _gap_nearby(mu: float, x: NDArray[np.float64], change: NDArray[np.float64]) -> NDArray[np.float64]:
    total, power, geometric = np.zeros_like(x), -change, 0.0
    for k in range(2, _SERIES_TERMS):
        power = power * -change
        geometric = 1.0 + mu * geometric
        total += power * special.zeta(float(k), x) * (geometric / k)
    return total


def _far_gap(
    order: float,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    change: NDArray[np.float64],
    middle: NDArray[np.float64],
) -> NDArray[np.float64]:
    mu, at_x, at_y = 1.0 - order, stirling_remainder(x), stirling_remainder(y)
    if order == 1.0:
        return np.asarray((y - 0.5) * np.log(y / x) - change + at_y - at_x + change * (np.log(x) - special.digamma(x)))
    small = order * at_x + mu * at_y - stirling_remainder(middle)
    large = -order * (x - 0.5) * np.log1p(mu * change / x) - mu * (y - 0.5) * np.log1p(-order * change / y)
    return np.asarray((large + small) / (order * mu))
