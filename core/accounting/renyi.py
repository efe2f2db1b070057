"""Rényi divergences of noises give the smallest rho at which a mechanism is rho-zCDP, each rounded up.

rho is the supremum of D_a / a over the orders a > 1, D_a the Rényi divergence between the outputs on neighbours.
Additive noise on whole numbers has few values of the loss, so that the supremum has a closed form; `docs/accounting.md`
has the proofs.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.privacy import Epsilon, Rho
from core.special_functions import OUTWARD

_ARITHMETIC: Final = Context(prec=60, rounding=ROUND_HALF_EVEN, Emin=-999_999, Emax=999_999)
_MARGIN: Final = Decimal("1e-30")
_FIRST_ORDER: Final = 1e-4
_ORDER_RATIO: Final = 1.02


def rho_of_geometric(epsilon: Epsilon, m: int) -> Rho:
    """rho of geometric noise conditioned on its sum, of rate epsilon / 2 on each of m >= 2 counts, when one record is
    replaced; rounded up.

    rho = epsilon (1 − Q) N_(m−2)(Q) / N_(m−1)(Q), Q = e^(−epsilon), N_j(Q) = Σ_k C(j, k)² Q^k: from epsilon
    tanh(epsilon / 2) at m = 2 it falls toward epsilon tanh(epsilon / 4) as m grows. The ratio of the N_j follows from
    the recurrence of Legendre's polynomials, j N_j = (2j − 1)(1 + Q) N_(j−1) − (j − 1)(1 − Q)² N_(j−2), whose growing
    solution it is.
    """
    with localcontext(_ARITHMETIC):
        exact = Decimal(epsilon.units).scaleb(-Epsilon.digits)
        q = (-exact).exp()
        both, square = 1 + q, (1 - q) ** 2
        ratio = both
        for j in range(2, m):
            ratio = ((2 * j - 1) * both - (j - 1) * square / ratio) / j
        return Rho.ceil(exact * (1 - q) / ratio + (_MARGIN if exact else 0))


@lru_cache(maxsize=1024)
def rho_of_laplace(epsilon: Epsilon, m: int) -> Rho:
    """rho of floored Laplace noise of scale 2 / epsilon on m − 1 of m >= 2 counts, when one record is replaced; rounded
    up.

    A replaced record moves one noisy count at m = 2 and at most two otherwise, each by one, and each with the loss
    epsilon / 2 with probability 1/2.
    """
    moved = 1 if m == 2 else 2
    return Rho.ceil(moved * rho_of_three_losses(float(epsilon) / 2, 0.5))


def rho_of_three_losses(step: float, probability: float) -> float:
    """rho of a loss with the values h, 0 and −h, h = `step`, where h has this `probability`; rounded up.

    −h has the probability e^(−h) times that, as the likelihoods sum to 1 on both sides. (a − 1) D_a = ln(1 + p (2
    e^(−h/2) cosh((a − ½) h) − 1 − e^(−h))). The supremum of D_a / a is the limit at order 1, h p (1 − e^(−h)), if and
    only if p_0 / (2 p e^(−h/2)) <= R(h/2), R(w) = (sinh w cosh w − w) / (w cosh w − sinh w) (MATH: docs/accounting.md);
    R is at least 2. Else it is bounded by chords of the convex (a − 1) D_a between orders.
    """
    if step == 0.0 or probability == 0.0:
        return 0.0
    none = max(0.0, 1.0 - probability * (1.0 + math.exp(-step)))
    at_first_order = OUTWARD * step * probability * -math.expm1(-step)
    if none * math.exp(step / 2) / (2.0 * probability) <= max(2.0, _largest_ratio(step / 2) * (1 - 1e-9)):
        return at_first_order
    orders = _orders(step / at_first_order)
    # 2 e^(−h/2) cosh((a − ½) h) − 1 − e^(−h) = 4 e^(−h/2) sinh(a h / 2) sinh((a − 1) h / 2), which keeps the digits
    # near order 1.
    logs = (
        math.log(4.0 * probability) - step / 2 + _log_sinh(orders * (step / 2)) + _log_sinh((orders - 1.0) * (step / 2))
    )
    return OUTWARD * supremum_by_chords(orders, np.logaddexp(0.0, logs), step)


def supremum_by_chords(orders: NDArray[np.float64], log_moments: NDArray[np.float64], largest_loss: float) -> float:
    """A bound of sup D_a / a over all a > 1, from K(a) = (a − 1) D_a at increasing orders a > 1 (or upper bounds of
    it), and the largest loss.

    K is convex with K(1) = 0. Between orders it lies under its chord L, and L(a) / (a (a − 1)) is largest at an end or
    where it is level. Up to the first order D_a / a <= D_(a_1), since D grows; beyond the last it is at most the
    largest loss divided by it.
    """
    below = float(log_moments[0] / (orders[0] - 1.0))
    left, right, at_left = orders[:-1], orders[1:], log_moments[:-1]
    slope = (log_moments[1:] - at_left) / (right - left)
    constant = at_left - slope * left
    best = max(below, largest_loss / float(orders[-1]), float((log_moments / (orders * (orders - 1.0))).max()))
    # (p + q a) / (a² − a) is level where q a² + 2 p a − p = 0.
    discriminant = np.sqrt(np.maximum(constant * (constant + slope), 0.0))
    for root in ((-constant + discriminant), (-constant - discriminant)):
        with np.errstate(divide="ignore", invalid="ignore"):
            level = root / slope
        inside = (level > left) & (level < right)
        at = np.where(inside, level, right)
        best = max(best, float(((constant + slope * at) / (at * (at - 1.0))).max()))
    return best


def _log_sinh(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """ln sinh x for x > 0."""
    logs: NDArray[np.float64] = x + np.log(-np.expm1(-2.0 * x)) - math.log(2.0)
    return logs


def _orders(largest: float) -> NDArray[np.float64]:
    """Orders from just above 1 to at least `largest`, in proportion beyond 1: chords between them cost less than a
    thousandth.
    """
    steps = math.ceil(math.log(max(largest, 2.0) / _FIRST_ORDER) / math.log(_ORDER_RATIO)) + 1
    beyond: NDArray[np.float64] = _FIRST_ORDER * _ORDER_RATIO ** np.arange(steps + 1, dtype=np.float64)
    return 1.0 + beyond


def _largest_ratio(w: float) -> float:
    """R(w) = (sinh w cosh w − w) / (w cosh w − sinh w), from 2 at w = 0, increasing."""
    if w < 1e-2:
        return 2.0
    return (math.sinh(w) * math.cosh(w) - w) / (w * math.cosh(w) - math.sinh(w))
