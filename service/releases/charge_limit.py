"""Holds the proven cost of a release against what its caller wants to pay."""

from __future__ import annotations

from core.accounting.accountants import Cost
from core.privacy import PrivacyLoss
from service.errors import MaxChargeExceeded
from service.releases.document import loss_response
from service.schemas import releases as schema


def check_charge(limit: schema.MaxCharge | None, loss: PrivacyLoss, cost: Cost) -> None:
    """Raises MaxChargeExceeded where what is proven, or what the accountant charges for it, passes what the caller
    wants to pay: whatever the accountant counts in, a limit holds. Where no rho is proven, none is low enough.
    """
    if limit is None:
        return
    too_much = (
        (limit.epsilon is not None and max(loss.epsilon, cost.epsilon) > limit.epsilon)
        or (limit.delta is not None and cost.delta > limit.delta)
        or (limit.rho is not None and (loss.rho is None or max(loss.rho, cost.rho) > limit.rho))
    )
    if too_much:
        raise MaxChargeExceeded(certified=loss_response(loss).model_dump(mode="json"))
