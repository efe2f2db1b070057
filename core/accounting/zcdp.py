"""Converts zero-concentrated differential privacy to and from (epsilon, delta), rounded toward privacy.

A mechanism is rho-zCDP if, for every a > 1, the Rényi divergence of order a between its outputs on neighbours is at
most a · rho (Bun and Steinke 2016, definition 1.1). It is delta-approximately so if this holds outside events of
probability at most delta on either side (definition 8.1). rho and delta add up. This also holds if each mechanism is
chosen after the answers before it, and the sum is kept below a limit (Whitehouse, Ramdas, Rogers and Wu 2023, theorem
1).

The arithmetic is decimal with 60 digits. A standard defines decimal results, so every machine computes the same amount.
Each result is moved outward by 1e-30, far more than rounding in the last of 60 digits.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from core.privacy import NEEDS_DELTA, Delta, Epsilon, Rho

if TYPE_CHECKING:
    from collections.abc import Callable

_ARITHMETIC: Final = Context(prec=60, rounding=ROUND_HALF_EVEN, Emin=-999_999, Emax=999_999)
_MARGIN: Final = Decimal("1e-30")
_MIN_LOG_ORDER, _MAX_LOG_ORDER = Decimal(-60), Decimal(90)
_SEARCH_CONTEXT: Final = Context(prec=28, rounding=ROUND_HALF_EVEN, Emin=-999_999, Emax=999_999)
_HALVINGS: Final = 58


class ConversionError(ValueError):
    """The conversion needs a delta strictly between 0 and 1."""


def rho_of_pure(epsilon: Epsilon) -> Rho:
    """Return the rho of every epsilon-DP mechanism: epsilon · tanh(epsilon / 2) <= epsilon² / 2, rounded up.

    The same rho holds delta-approximately for every (epsilon, delta)-DP mechanism.

    Proof. Randomised response with odds e^epsilon dominates every epsilon-DP pair of neighbours. For (epsilon,
    delta)-DP pairs, disclosure of everything with probability delta is added (Kairouz, Oh and Viswanath 2015, theorem
    3.4); outside that event it is randomised response again. Its divergence of order a is [ln cosh((a − 1/2) epsilon) −
    ln cosh(epsilon / 2)] / (a − 1). As a function of u = (a − 1/2)², ln cosh(epsilon √u) has the derivative epsilon
    tanh(epsilon √u) / (2 √u), which decreases in u. It is therefore concave and lies below its tangent at u = 1/4, of
    slope epsilon tanh(epsilon / 2). Since u − 1/4 = a (a − 1), the divergence is at most a epsilon tanh(epsilon / 2).
    No smaller rho suffices, because the divergence attains it in the limit a → 1.
    """
    with localcontext(_ARITHMETIC):
        exact = Decimal(epsilon.units).scaleb(-Epsilon.digits)
        odds = exact.exp()
        return Rho.ceil(exact * (odds - 1) / (odds + 1) + (_MARGIN if exact else 0))


@lru_cache(maxsize=1024)
def largest_rho(epsilon: Epsilon, delta: Delta) -> Rho:
    """Return the largest rho for which rho-zCDP implies (epsilon, delta)-DP by the conversion below, rounded down.

        delta >= min over a > 1 of exp((a − 1)(a rho − epsilon)) / (a − 1) · (1 − 1/a)^a

    (Canonne, Kamath and Steinke 2020, corollary 13; log-convex in a). Solved for rho at a fixed a this is

        rho = [epsilon + (ln delta + a ln a) / (a − 1) − ln(a − 1)] / a.

    Every single a proves its own rho, so the search for the best a can lose tightness but never validity.

    Raises ConversionError unless 0 < delta < 1.
    """
    with localcontext(_ARITHMETIC):
        exact, log_delta = Decimal(epsilon.units).scaleb(-Epsilon.digits), _log(delta)

        def rho_at(order_less_one: Decimal) -> Decimal:
            order = order_less_one + 1
            return (exact + (log_delta + order * order.ln()) / order_less_one - order_less_one.ln()) / order

        best = _best_order_less_one(lambda b: (2 * b + 1) * rho_at(b) - exact + (b / (b + 1)).ln())
        return Rho.floor(max(rho_at(best) - _MARGIN, Decimal(0)))


def epsilon_of(rho: Rho, delta: Delta) -> Epsilon:
    """Return the smallest epsilon for which rho-zCDP implies (epsilon, delta)-DP by the conversion of `largest_rho`,
    rounded up.

    Raises ConversionError unless 0 < delta < 1.
    """
    with localcontext(_ARITHMETIC):
        exact, log_delta = Decimal(rho.units).scaleb(-Rho.digits), _log(delta)
        if not exact:
            return Epsilon(0)

        def epsilon_at(order_less_one: Decimal) -> Decimal:
            order = order_less_one + 1
            return order * exact - (log_delta + order * order.ln()) / order_less_one + order_less_one.ln()

        best = _best_order_less_one(lambda b: (2 * b + 1) * exact - epsilon_at(b) + (b / (b + 1)).ln())
        return Epsilon.ceil(max(epsilon_at(best) + _MARGIN, Decimal(0)))


def _best_order_less_one(slope: Callable[[Decimal], Decimal]) -> Decimal:
    """Return a − 1 for the order a at which a log-convex bound has its extremum.

    `slope` returns a number with the sign of the bound's derivative, given a − 1. ln(a − 1) is bisected to 1e-15. The
    error of the bound at its extremum is the square of this only.
    """
    low, high = _MIN_LOG_ORDER, _MAX_LOG_ORDER
    with localcontext(_SEARCH_CONTEXT):
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if slope(middle.exp()) < 0:
                low = middle
            else:
                high = middle
    return high.exp()


def _log(delta: Delta) -> Decimal:
    if not 0 < delta.units < 10**Delta.digits:
        raise ConversionError(NEEDS_DELTA)
    return Decimal(delta.units).scaleb(-Delta.digits).ln()
