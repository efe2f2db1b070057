"""Map the refusal of a charge to a Problem."""

from __future__ import annotations

from core.accounting.accountants import Accountant
from service import errors
from service.database import costs
from service.errors import (
    Problem,
)
from service.ledger.decision import (
    RefusalReason,
    Refused,
)

_PROBLEM_BY_LIMIT: dict[RefusalReason, type[Problem]] = {
    RefusalReason.PRINCIPAL_REVOKED: errors.Unauthenticated,
    RefusalReason.PRINCIPAL_FROZEN: errors.RecoveryPending,
    RefusalReason.DATASET_DELETED: errors.NotFound,
    RefusalReason.GRANT_CLOSED: errors.GrantClosed,
    RefusalReason.GRANT_EXPIRED: errors.GrantExpired,
    RefusalReason.OWNER_UNAVAILABLE: errors.OwnerUnavailable,
    RefusalReason.BUDGET_FROZEN: errors.BudgetFrozen,
    RefusalReason.MECHANISM_NOT_ALLOWED: errors.MechanismNotAllowed,
    RefusalReason.RELEASE_CAP: errors.ReleaseCapExceeded,
    RefusalReason.GRANT: errors.GrantExhausted,
    RefusalReason.BUDGET: errors.BudgetExhausted,
}


def problem_of_refusal(refused: Refused, accountant: str) -> Problem:
    """Return the Problem of a refusal. If an amount was the reason, it includes the largest possible charge."""
    kind = _PROBLEM_BY_LIMIT[refused.by]
    if refused.largest_possible_charge is None:
        return kind()
    return kind(largest_possible_charge=costs.document(Accountant(accountant), refused.largest_possible_charge))
