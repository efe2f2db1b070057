"""Group privacy: what a proof about one record implies for k records. Every bound is rounded up.

Data sets that differ in k records are connected by k steps of one record each.

- Pure losses add along the path: k·epsilon.
- (epsilon, delta) becomes (k·epsilon, delta (1 + e^epsilon + … + e^((k−1)·epsilon))) (Vadhan 2017, "The complexity of
  differential privacy", lemma 2.2).
- rho becomes k²·rho (Bun and Steinke 2016, proposition 1.9), and at most what k·epsilon implies if delta is 0.

The shares are the inverse: the largest parameters for one record whose k records satisfy the given bound, rounded down.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal, localcontext
from typing import Final

from core.accounting.zcdp import rho_of_pure
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho

_UPWARD_CONTEXT: Final = Context(prec=60, rounding=ROUND_CEILING, Emin=-999_999, Emax=999_999)


def loss_of_group(loss: PrivacyLoss, records: int) -> PrivacyLoss:
    """Return the loss that is proven for a change of `records` >= 1 records, if `loss` is proven for each record."""
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
    """Return the largest epsilon per record for which a change of `records` records loses at most `epsilon`."""
    return Epsilon(epsilon.units // records)


def share_of_delta(delta: Delta, epsilon: Epsilon, records: int) -> Delta:
    """Return the largest delta per record for which a change of `records` records has at most `delta`.

    The epsilon per record is `share_of_epsilon`.
    """
    if records == 1:
        return delta
    return Delta(int(Decimal(delta.units) / _steps(share_of_epsilon(epsilon, records), records)))


def share_of_rho(rho: Rho, records: int) -> Rho:
    """Return the largest rho per record for which a change of `records` records loses at most `rho`."""
    return Rho(rho.units // records**2)


def _steps(epsilon: Epsilon, records: int) -> Decimal:
    """Return 1 + e^epsilon + … + e^((records − 1)·epsilon), rounded up."""
    with localcontext(_UPWARD_CONTEXT):
        step = Decimal(epsilon.units).scaleb(-Epsilon.digits).exp() * (1 + Decimal("1e-50"))
        total = Decimal(1)
        for _ in range(records - 1):
            total = total * step + 1
        return total
