"""Group privacy says what is proven of k records at once, from what is proven of one; each bound rounded up.

Data sets that differ in k records are joined by k steps of one record each. Pure losses add along the path: k·epsilon.
An (epsilon, delta) becomes (k·epsilon, delta (1 + e^epsilon + … + e^((k−1)·epsilon))) (Vadhan 2017, "The complexity of
differential privacy", lemma 2.2). rho becomes k²·rho (Bun and Steinke 2016, proposition 1.9), and no more than what
k·epsilon implies by itself where delta is 0. The shares go the other way: the largest parameters for one record whose k
records keep what was asked, rounded down.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal, localcontext
from typing import Final

from core.accounting.zcdp import rho_of_pure
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho

_UPWARD: Final = Context(prec=60, rounding=ROUND_CEILING, Emin=-999_999, Emax=999_999)


def loss_of_group(loss: PrivacyLoss, records: int) -> PrivacyLoss:
    """What is proven of `records` >= 1 changed records, where `loss` is proven of each."""
    if records == 1:
        return loss
    epsilon = Epsilon(records * loss.epsilon.units)
    grown = Decimal(loss.delta.units).scaleb(-Delta.digits) * _steps(loss.epsilon, records)
    delta = Delta.ceil(min(grown, Decimal(1)))
    rho = None
    if loss.rho is not None and not loss.rho_delta.units:
        rho = Rho(records**2 * loss.rho.units)
        if not loss.delta.units:
            rho = min(rho, rho_of_pure(epsilon))
    return PrivacyLoss(epsilon, delta, rho)


def share_of_epsilon(epsilon: Epsilon, records: int) -> Epsilon:
    """The largest epsilon for one record at which `records` of them have at most `epsilon`."""
    return Epsilon(epsilon.units // records)


def share_of_delta(delta: Delta, epsilon: Epsilon, records: int) -> Delta:
    """The largest delta for one record, beside its share of `epsilon`, at which `records` of them have at most
    `delta`.
    """
    if records == 1:
        return delta
    return Delta(int(Decimal(delta.units) / _steps(share_of_epsilon(epsilon, records), records)))


def share_of_rho(rho: Rho, records: int) -> Rho:
    """The largest rho for one record at which `records` of them have at most `rho`."""
    return Rho(rho.units // records**2)


def _steps(epsilon: Epsilon, records: int) -> Decimal:
    """1 + e^epsilon + … + e^((records − 1)·epsilon), rounded up."""
    with localcontext(_UPWARD):
        step = Decimal(epsilon.units).scaleb(-Epsilon.digits).exp() * (1 + Decimal("1e-50"))
        total = Decimal(1)
        for _ in range(records - 1):
            total = total * step + 1
        return total
