"""Computes divergences between Dirichlet laws beside the Hellinger distance: Rényi of any order, Kullback-Leibler, χ²,
total variation, Wasserstein.

With G of `log_gamma_gap`, the Rényi divergence of order λ between Dir(a) and Dir(b) is

    D_λ = ln ∫ p^λ q^(1−λ) / (λ − 1) = λ [Σ_i G(a_i, b_i) − G(Σa, Σb)],

Kullback-Leibler at λ = 1, and χ² = e^{D_2} − 1. Posteriors of one prior and one n have the same total: the last term is
zero, D_λ is a sum over categories of numbers of one sign, and small divergences keep their digits. Total variation and
Wasserstein-1 are those of Beta laws, the law of one share. Source of the closed forms: Gil, Alajaji and Linder 2013,
"Rényi divergence measures for commonly used univariate continuous distributions".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.dirichlet import Dirichlet, DirichletError, concentrations_of, hellinger
from core.special_functions import beta_tail, log_beta, log_gamma_gap, stirling_remainder

Floats = NDArray[np.float64]

_MAX_STEPS: Final = 1 << 16
"""A change of so many records is summed record by record; a larger one is a difference of two probabilities that are
far apart.
"""


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


def kullback_leibler_of_posteriors(prior: ArrayLike, counts: ArrayLike, others: ArrayLike) -> Floats:
    """KL(Dir(α + c) ‖ Dir(α + r)) in nats; shapes as in `renyi_of_posteriors`."""
    return renyi_of_posteriors(1.0, prior, counts, others)


def chi_square_of_posteriors(prior: ArrayLike, counts: ArrayLike, others: ArrayLike) -> Floats:
    """χ² = ∫ p²/q − 1 = e^{D_2} − 1, infinite where 2(α + c) − (α + r) is not positive or the number is beyond the
    floats; shapes as above.
    """
    with np.errstate(over="ignore"):
        return np.expm1(renyi_of_posteriors(2.0, prior, counts, others))


def wasserstein_of_posteriors(prior: ArrayLike, counts: ArrayLike, others: ArrayLike) -> Floats:
    """W₁ between the laws of the first share at m = 2: |c₁ − r₁| / (Σα + n), as the two laws are ordered; shapes as
    above.
    """
    alpha, c, r = (
        np.asarray(prior, dtype=np.float64),
        np.asarray(counts, dtype=np.float64),
        np.asarray(others, dtype=np.float64),
    )
    if not alpha.shape[-1] == c.shape[-1] == r.shape[-1] == 2:
        raise DirichletError("the Wasserstein distance is that of two categories")
    return np.asarray(np.abs(c[..., 0] - r[..., 0]) / (alpha.sum() + c.sum()))


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
    if steps > _MAX_STEPS:
        return _total_variation(Dirichlet((low[0], low[1])), Dirichlet((low[0] + steps, low[1] - steps)))
    # The densities are equal where the log-odds are the mean over the steps of ln(a + j) − ln(b − 1 − j).
    j = np.arange(steps, dtype=np.float64)
    given, taken = low[0] + j, low[1] - 1.0 - j
    odds = math.fsum(np.log(given / taken)) / steps
    return math.fsum(_binomial_terms(given, taken, odds))


def renyi(first: Dirichlet, second: Dirichlet, order: float) -> float:
    """D_λ(P ‖ Q) in nats, 0 < `order` <= ∞; infinite where λa + (1 − λ)b has an entry that is not positive.

    Laws of the same total keep 1e-12 relative; else the error is 1e-15 of G(Σa, Σb). Order ∞ is ln sup p/q. Raises
    DirichletError where lengths differ.
    """
    _check_order(order)
    a, b = concentrations_of(first, second)
    if order == math.inf:
        return _largest_log_ratio(a, b)
    total_a, total_b = math.fsum(a), math.fsum(b)
    gaps = float(np.sum(log_gamma_gap(order, a, 0.0, b - a)))
    if math.isinf(gaps):
        return math.inf
    of_totals = 0.0 if total_a == total_b else float(log_gamma_gap(order, total_a, 0.0, total_b - total_a))
    return max(0.0, order * (gaps - of_totals))


def kullback_leibler(first: Dirichlet, second: Dirichlet) -> float:
    """KL(P ‖ Q) in nats, >= 0: the Rényi divergence of order 1."""
    return renyi(first, second, 1.0)


def chi_square(first: Dirichlet, second: Dirichlet) -> float:
    """χ²(P ‖ Q) = ∫ p²/q − 1 >= 0; infinite where 2a − b has an entry that is not positive, or beyond the floats."""
    order_two = renyi(first, second, 2.0)
    return math.inf if order_two > 709.0 else math.expm1(order_two)


def total_variation_bounds(first: Dirichlet, second: Dirichlet) -> tuple[float, float]:
    """Bounds H² <= TV <= H sqrt(2 − H²) on the total variation distance at any number of categories (Le Cam)."""
    distance = hellinger(first, second)
    return distance**2, distance * math.sqrt(2.0 - distance**2)


def marginal_total_variations(first: Dirichlet, second: Dirichlet) -> list[float]:
    """TV between the laws of each share, Beta(a_i, A − a_i) and Beta(b_i, B − b_i); m numbers, to 1e-12 absolute;
    beyond a billion records, to 1e-10.
    """
    return [_total_variation(p, q) for p, q in _shares(first, second)]


def marginal_wassersteins(first: Dirichlet, second: Dirichlet) -> list[float]:
    """W₁ = ∫ |F − G| between the laws of each share; m numbers, to 1e-12 absolute; beyond a billion records, to 1e-10.

    Where one law's likelihood ratio to the other is monotone the laws are ordered and W₁ is the difference of their
    means. Else F and G cross once, at x, and ∫_0^x (F − G) = [x I_x(a, b) − I_x(a + 1, b) a/(a + b)] − the same of the
    other.
    """
    return [_wasserstein(p, q) for p, q in _shares(first, second)]


def _check_order(order: float) -> None:
    if not order > 0.0:
        raise DirichletError("the order of a Rényi divergence is positive")


def _largest_log_ratio(a: Floats, b: Floats) -> float:
    """ln sup p/q = lnB(b) − lnB(a) + sup Σ (a_i − b_i) ln θ_i: finite where a_i >= b_i throughout, and then at θ ∝ a
    − b.
    """
    step = a - b
    if (step < 0.0).any():
        return math.inf
    return log_beta(b) - log_beta(a) + float(special.xlogy(step, step).sum() - special.xlogy(step.sum(), step.sum()))


def _shares(first: Dirichlet, second: Dirichlet) -> list[tuple[Dirichlet, Dirichlet]]:
    def share(concentration: Floats, category: int) -> Dirichlet:
        return Dirichlet((float(concentration[category]), math.fsum(np.delete(concentration, category))))

    a, b = concentrations_of(first, second)
    return [(share(a, category), share(b, category)) for category in range(a.size)]


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


def _crossings(first: Dirichlet, second: Dirichlet) -> list[float]:
    """The log-odds at which two different densities are equal: one where ln p/q is monotone, else one to either side
    of its peak.
    """
    (a, b), (c, d) = first.concentration, second.concentration
    up, down, level = a - c, b - d, _level(first, second)

    def log_ratio(log_odds: float) -> float:
        """ln p/q, by shares beside the means of the second law, where both laws are."""
        share = -float(np.logaddexp(0.0, -log_odds)) - math.log(c / (c + d))
        rest = -float(np.logaddexp(0.0, log_odds)) - math.log(d / (c + d))
        return up * share + down * rest - level

    if up * down <= 0.0:
        direction = 1.0 if log_ratio(0.0) * (up - down) < 0.0 else -1.0
        return [_root(log_ratio, 0.0, direction)]
    peak = math.log(up / down)
    return [_root(log_ratio, peak, -1.0), _root(log_ratio, peak, 1.0)]


def _level(first: Dirichlet, second: Dirichlet) -> float:
    """ln B(a, b) − ln B(c, d) − (a − c) ln(c/(c + d)) − (b − d) ln(d/(c + d)), by Stirling's formula.

    The large parts cancel by algebra: of 10^10 records a difference of values of ln B has fewer digits than the
    densities' ratio.
    """
    (a, b), (c, d) = first.concentration, second.concentration
    level = 0.0
    for x, y, sign in ((a, c, 1.0), (b, d, 1.0), (a + b, c + d, -1.0)):
        # (x − ½) ln(x / y) = (x − ½)(u + ln(1 + u) − u), u = (x − y) / y; the sum of the x − y is zero.
        step = x - y
        near = (x - 0.5) * float(_log1p_less(np.array(step / y))) + step * (step - 0.5) / y
        level += sign * (near + float(stirling_remainder(x)) - float(stirling_remainder(y)))
    return level


def _root(function: Callable[[float], float], start: float, step: float) -> float:
    """The zero nearest to `start` in the direction of `step`, of a function that is monotone there."""
    at_start = function(start)
    if at_start == 0.0:
        return start
    while function(start + step) * at_start > 0.0:
        step *= 2.0
    return float(scipy.optimize.brentq(function, start, start + step, xtol=1e-15, rtol=8.9e-16))


def _total_variation(first: Dirichlet, second: Dirichlet) -> float:
    """TV = |Σ ± (F − G)| over the points where the densities cross."""
    if first == second:
        return 0.0
    gaps = [_cdf(first, log_odds) - _cdf(second, log_odds) for log_odds in _crossings(first, second)]
    return abs(gaps[0]) if len(gaps) == 1 else abs(gaps[0] - gaps[1])


def _cdf(law: Dirichlet, log_odds: float) -> float:
    a, b = law.concentration
    if log_odds < 0.0:
        return float(beta_tail(a, b, special.expit(log_odds)))
    return float(beta_tail(b, a, special.expit(-log_odds), upper=True))


def _wasserstein(first: Dirichlet, second: Dirichlet) -> float:
    (a, b), (c, d) = first.concentration, second.concentration
    mean_first, mean_second = a / (a + b), c / (c + d)
    if (a - c) * (b - d) <= 0.0:
        return abs(mean_first - mean_second)

    def gap(log_odds: float) -> float:
        return _cdf(first, log_odds) - _cdf(second, log_odds)

    # Between the two crossings of the densities F − G goes from its largest value to its smallest, and through zero
    # once.
    left, right = _crossings(first, second)
    if gap(left) * gap(right) >= 0.0:
        return abs(mean_first - mean_second)
    x = float(special.expit(scipy.optimize.brentq(gap, left, right, xtol=1e-15, rtol=8.9e-16)))
    below = x * float(beta_tail(a, b, x) - beta_tail(c, d, x))
    below -= mean_first * float(beta_tail(a + 1.0, b, x)) - mean_second * float(beta_tail(c + 1.0, d, x))
    # ∫ (F − G) over all is the difference of the means, so what lies above x is what the part below leaves of it.
    return abs(below) + abs(mean_second - mean_first - below)
