"""Check the proven cost of a release against the request's `max_charge`."""

from __future__ import annotations

from core.accounting.accountants import Cost
from core.privacy import PrivacyLoss
from service.errors import MaxChargeExceeded
from service.releases.document import loss_response
from service.schemas import releases as schema


def check_charge(limit: schema.MaxCharge | None, loss: PrivacyLoss, cost: Cost) -> None:
    """Raise MaxChargeExceeded if the certified loss or the accountant's charge exceeds the limit.

    Every stated limit applies, whichever unit the accountant uses. A rho limit is exceeded if no rho is certified.
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
