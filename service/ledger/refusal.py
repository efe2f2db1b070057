"""Map the refusal of a charge to a Problem."""

from __future__ import annotations

from core.accounting.accountants import Accountant
from service import errors
from service.database import costs
from service.errors import (
    Problem,
)
from service.ledger.decision import (
    Limit,
    Refused,
)

_PROBLEM_BY_LIMIT: dict[Limit, type[Problem]] = {
    Limit.PRINCIPAL_REVOKED: errors.Unauthenticated,
    Limit.PRINCIPAL_FROZEN: errors.RecoveryPending,
    Limit.DATASET_DELETED: errors.NotFound,
    Limit.GRANT_CLOSED: errors.GrantClosed,
    Limit.GRANT_EXPIRED: errors.GrantExpired,
    Limit.BUDGET_FROZEN: errors.BudgetFrozen,
    Limit.MECHANISM_NOT_ALLOWED: errors.MechanismNotAllowed,
    Limit.RELEASE_CAP: errors.ReleaseCapExceeded,
    Limit.GRANT: errors.GrantExhausted,
    Limit.BUDGET: errors.BudgetExhausted,
}


def problem_of_refusal(refused: Refused, accountant: str) -> Problem:
    """Return the Problem of a refusal. If an amount was the reason, it includes the largest possible charge."""
    kind = _PROBLEM_BY_LIMIT[refused.by]
    if refused.largest_possible_charge is None:
        return kind()
    return kind(largest_possible_charge=costs.document(Accountant(accountant), refused.largest_possible_charge))
