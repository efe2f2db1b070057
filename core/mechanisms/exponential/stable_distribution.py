"""The discrete stable distribution of index one half: P(K = k) = p_k(κ) with E[s^K] = Σ_k p_k(κ) s^k = exp(−κ sqrt(1 −
s)).

It turns a weight exp(−κ H) of a Hellinger distance H = sqrt(1 − s) into a mixture of powers of the affinity s. Given U
= κ² / (2 N²), N standard normal, K is Poisson(U). With ν = k − ½ and G_ν a gamma variable of shape ν,

    p_0 = e^{−κ},    p_k = κ / (2 √π) · Γ(k − ½) / k! · M_ν(κ),    k >= 1,
    M_ν(κ) = E[exp(−κ² / (4 G_ν))] = 2 (κ/2)^ν K_ν(κ) / Γ(ν).

M_ν increases in ν and Γ(k − ½) / k! decreases in k, which bounds p_k over a whole block of k.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.special_functions import log_half_step, stirling_remainder

# k from which Debye's expansion of K_ν is used, uniformly in κ; its first omitted term is then below 1e-15.
_DEBYE_FROM: Final = 48
_DEBYE_TERMS: Final = 10
# Nodes and weights on [−1, 1] for integrals over k of functions that are analytic on the scale of k itself.
GAUSS_LEGENDRE: Final = np.polynomial.legendre.leggauss(48)
_LOG_TWO_SQRT_PI: Final = math.log(2.0 * math.sqrt(math.pi))
_TAIL_PANELS: Final = 4
# k below which a tail is one minus a sum. Above, it is an integral, whose omitted correction falls like k^−4.
_TAIL_INTEGRAL_FROM: Final = 4096


def log_masses(kappa: float, k: ArrayLike) -> NDArray[np.float64]:
    """Return ln p_k(κ) for κ > 0 and an array of k >= 0. Each k below 48 is an integer; larger ones may be real.

    The absolute error is below 1e-13 (1 + κ²/k).
    """
    order = np.asarray(k, dtype=np.float64)
    small = order < _DEBYE_FROM
    large = np.where(small, float(_DEBYE_FROM), order)
    tabled = _log_small_masses(kappa)[np.where(small, order, 0.0).astype(np.int64)]
    return np.where(small, tabled, _log_coefficient(kappa, large) + _log_matern(kappa, large - 0.5))


def log_mass_bounds(kappa: float, first: ArrayLike, last: ArrayLike) -> NDArray[np.float64]:
    """Return ln of an upper bound on p_k(κ) over all k in [first, last], 1 <= first <= last. It is exact if first =
    last.

    κ / (2 √π) Γ(k − ½) / k! is largest at the first k, and M_{k−½}(κ) at the last.
    """
    first, last = np.asarray(first, dtype=np.float64), np.asarray(last, dtype=np.float64)
    return log_masses(kappa, last) - _log_coefficient(kappa, last) + _log_coefficient(kappa, first)


def distance_factors(kappa: float, k: ArrayLike) -> NDArray[np.float64]:
    """Return q_k(κ) / p_k(κ), where q_k = −dp_k/dκ. `k` is an array as for `log_masses`.

    The p_k(κ) are defined by Σ_k p_k s^k = e^{−κ H}, H = sqrt(1 − s), so Σ_k q_k s^k = H e^{−κ H}. Source: d/dκ (κ^ν
    K_ν) = −κ^ν K_{ν−1}, hence q_k / p_k = K_{k−3/2}(κ) / K_{k−1/2}(κ) − 1/κ, with K_ν the modified Bessel function.
    """
    order = np.asarray(k, dtype=np.float64)
    ratios = [1.0 + 1.0 / kappa, 1.0]
    while len(ratios) <= _DEBYE_FROM:
        ratios.append(1.0 / (2.0 * (len(ratios) - 1.5) / kappa + ratios[-1]))
    small = order <= _DEBYE_FROM
    nu = np.where(small, _DEBYE_FROM + 1.0, order) - 0.5
    uniform = 0.5 * kappa / (nu - 1.0) * np.exp(_log_matern(kappa, nu - 1.0) - _log_matern(kappa, nu))
    return np.where(small, np.array(ratios)[np.where(small, order, 0.0).astype(np.int64)], uniform) - 1.0 / kappa


def tail_sums(kappa: float, first: int) -> tuple[float, float]:
    """Return Σ p_k and Σ q_k over all k >= first >= 1, to about 1e-14 and 1e-14 (1 + 1/κ) absolute; q_k = −dp_k/dκ.

    For large `first` each sum is an integral over x = k^{−½}, in which p_k dk is smooth down to x = 0, with the first
    correction of Euler and Maclaurin. Otherwise the terms below `first` are subtracted from the totals, Σ p_k = 1 and Σ
    q_k = 0.
    """
    if first <= _TAIL_INTEGRAL_FROM:
        before = np.arange(first)
        masses = np.exp(log_masses(kappa, before))
        return max(0.0, 1.0 - math.fsum(masses)), -math.fsum(masses * distance_factors(kappa, before))
    nodes, weights = GAUSS_LEGENDRE
    edges = np.linspace(0.0, (first - 0.5) ** -0.5, _TAIL_PANELS + 1)
    x = (edges[:-1, None] + np.diff(edges)[:, None] * 0.5 * (nodes + 1.0)).ravel()
    w = np.tile(weights, _TAIL_PANELS) * 0.5 * (edges[1] - edges[0])
    density = w * 2.0 * np.exp(log_masses(kappa, x**-2) - 3.0 * np.log(x))
    ends = np.array([first - 1.0, first])
    slopes = np.exp(log_masses(kappa, ends)) * np.array([-1.0, 1.0]) / 24.0
    mass = math.fsum(density) + math.fsum(slopes)
    return mass, math.fsum(density * distance_factors(kappa, x**-2)) + math.fsum(slopes * distance_factors(kappa, ends))


def _log_small_masses(kappa: float) -> NDArray[np.float64]:
    """Return ln p_k(κ) of the discrete stable distribution for k = 0, …, 47.

    They follow from (k + 2)(k + 1) p_{k+2} = (k + 1)(k + ½) p_{k+1} + (κ²/4) p_k, all of whose terms are positive.
    """
    # Divide by p_0 and (1 + κ)^k, so that no κ overflows.
    scale, quarter = 1.0 + kappa, 0.25 * kappa * kappa
    ratios = [1.0, 0.5 * kappa / scale]
    for k in range(_DEBYE_FROM - 2):
        ratios.append(
            ((k + 0.5) / (k + 2.0) * ratios[-1] + quarter / ((k + 2.0) * (k + 1.0)) / scale * ratios[-2]) / scale
        )
    logs: NDArray[np.float64] = np.log(np.array(ratios)) + math.log(scale) * np.arange(_DEBYE_FROM) - kappa
    return logs


def _log_coefficient(kappa: float, k: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ln(κ / (2 √π) · Γ(k − ½) / k!).

    The ratio of gamma functions is g(k) / ((k − ½) √k), with g as in `log_half_step`.
    """
    return math.log(kappa) - _LOG_TWO_SQRT_PI + log_half_step(k) - np.log(k - 0.5) - 0.5 * np.log(k)


def _log_matern(kappa: float, nu: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ln M_ν(κ) for large ν, by Debye's expansion (DLMF 10.41.4) over Stirling's formula.

    Their large parts are cancelled.
    """
    z = kappa / nu
    root = np.sqrt(1.0 + z * z)
    excess = z * z / (1.0 + root)
    # U_j(p) is p^j times a polynomial of degree j in p².
    step, square = -1.0 / (nu * root), 1.0 / (root * root)
    series, power = np.ones_like(nu), np.ones_like(nu)
    for coefficients in _DEBYE_POLYNOMIALS:
        power = power * step
        value = np.full_like(nu, coefficients[-1])
        for coefficient in coefficients[-2::-1]:
            value *= square
            value += coefficient
        series += power * value
    return nu * (np.log1p(0.5 * excess) - excess) - 0.5 * np.log(root) + np.log(series) - stirling_remainder(nu)


def _debye_polynomials() -> list[list[float]]:
    """Return the coefficients of p^j, p^(j+2), …, p^(3j) of each polynomial U_j(p), j = 1, 2, ….

    U_{j+1}(p) = ½ p² (1 − p²) U_j'(p) + ⅛ ∫_0^p (1 − 5 t²) U_j(t) dt, U_0 = 1 (DLMF 10.41.9).
    """
    current, found = [Fraction(1)], []
    for order in range(1, _DEBYE_TERMS + 1):
        following = [Fraction(0)] * (len(current) + 3)
        for power, a in enumerate(current):
            following[power + 1] += a * (Fraction(power, 2) + Fraction(1, 8 * (power + 1)))
            following[power + 3] -= a * (Fraction(power, 2) + Fraction(5, 8 * (power + 3)))
        current = following
        found.append([float(a) for a in current[order::2]])
    return found


_DEBYE_POLYNOMIALS: Final = _debye_polynomials()
