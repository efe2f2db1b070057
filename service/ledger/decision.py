"""Decide whether a charge is granted: one pure function of the rows that the debit has locked.

The ledger calls it inside the transaction that writes the charge. Tests use it as the model of the whole service. It
reads no clock and no database, and grants all of a charge or nothing.

The checks run in this order, and the first that fails is the answer:

1. `principal_revoked`      the principal or its API key was revoked or has expired
2. `principal_frozen`       an admin's recovery of the principal can still be vetoed
3. `dataset_deleted`        the data set was deleted
4. `grant_closed`           the owner closed the grant
5. `grant_expired`          its end has passed (`expires_at` itself counts as passed)
6. `owner_unavailable`      the data set's owner was revoked or has no valid key, or a recovery can still be vetoed
7. `budget_frozen`          the owner or an admin froze the budget, or a restore is pending
8. `mechanism_not_allowed`  the owner does not allow this mechanism
9. `release_cap`            the charge exceeds the cap of one release
10. `grant`                 the charge exceeds the remainder of the grant
11. `budget`                the charge exceeds the remainder of the budget

States are checked before amounts, and the caller's own limits before the shared budget. So an analyst sees a refusal
by the budget only if the cap and the grant allow the charge.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from core.accounting.accountants import Cost

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


class RefusalReason(StrEnum):
    """The check that refused a charge."""

    PRINCIPAL_REVOKED = "principal_revoked"
    PRINCIPAL_FROZEN = "principal_frozen"
    DATASET_DELETED = "dataset_deleted"
    GRANT_CLOSED = "grant_closed"
    GRANT_EXPIRED = "grant_expired"
    OWNER_UNAVAILABLE = "owner_unavailable"
    BUDGET_FROZEN = "budget_frozen"
    MECHANISM_NOT_ALLOWED = "mechanism_not_allowed"
    RELEASE_CAP = "release_cap"
    GRANT = "grant"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class BudgetState:
    """A budget's locked row. `release_cap` None: the budget is the only cap. `allowed_mechanisms` None: all are
    allowed.
    """

    limit: Cost
    spent: Cost
    frozen: bool = False
    release_cap: Cost | None = None
    allowed_mechanisms: AbstractSet[str] | None = None

    def with_spent(self, spent: Cost) -> BudgetState:
        return BudgetState(self.limit, spent, self.frozen, self.release_cap, self.allowed_mechanisms)


@dataclass(frozen=True, slots=True)
class GrantState:
    """A grant's locked row. `expires_at` is in whole seconds since 1970, or None if it never expires."""

    limit: Cost
    spent: Cost
    closed: bool = False
    expires_at: int | None = None

    def has_ended(self, at: int) -> bool:
        return self.closed or (self.expires_at is not None and at >= self.expires_at)

    def with_spent(self, spent: Cost) -> GrantState:
        return GrantState(self.limit, spent, self.closed, self.expires_at)


@dataclass(frozen=True, slots=True)
class State:
    """All that a charge depends on, read under lock. `grant` is None for a release by the owner."""

    budget: BudgetState
    grant: GrantState | None
    dataset_deleted: bool
    principal_revoked: bool
    principal_frozen: bool = False
    owner_unavailable: bool = False
    """Whether nobody can act for the data set's owner, so that nobody could stop its releases."""


@dataclass(frozen=True, slots=True)
class Charge:
    """A priced release by a named mechanism, at a time in whole seconds since 1970.

    - `mechanism`: None if nothing is drawn
    - `granted`: amount that the grant pays, if it differs from `cost`
    - `alone`: amount compared with the release cap, if `cost` depends on earlier releases
    """

    cost: Cost
    mechanism: str | None
    at: int
    granted: Cost | None = None
    alone: Cost | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """The charge is granted in full. The fields are the balances after it."""

    budget_spent: Cost
    grant_spent: Cost | None


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing is charged. `largest_possible_charge` is None if even a zero charge would be refused."""

    by: RefusalReason
    largest_possible_charge: Cost | None


Decision: TypeAlias = Accepted | Refused


def largest_possible_charge(budget: BudgetState, grant: GrantState | None) -> Cost:
    """Return the largest amount that one release could cost, per dimension: the minimum of the cap and of the
    remainders of grant and budget.

    Analysts see this instead of the budget's balance. If the grant is the smallest, it discloses nothing that others
    spent. `service.ledger.query_debit.visible_to_caller` returns the budget to pass.
    """
    left = remaining(budget, grant)
    return left if budget.release_cap is None else left.smaller_of(budget.release_cap)


def remaining(budget: BudgetState, grant: GrantState | None) -> Cost:
    """Return the largest amount, per dimension, that all further releases together could cost.

    It is the smaller of the remainders of grant and budget.
    """
    left = budget.limit.left_after(budget.spent)
    return left if grant is None else left.smaller_of(grant.limit.left_after(grant.spent))


def decide(state: State, charge: Charge) -> Decision:
    """Grant the charge if every check passes. Otherwise return the first check that fails."""
    budget, grant = state.budget, state.grant
    if (failed := _failed_state(state, charge)) is not None:
        return Refused(failed, None)
    budget_spent = budget.spent + charge.cost
    grant_spent = None if grant is None else grant.spent + (charge.cost if charge.granted is None else charge.granted)
    capped = charge.cost if charge.alone is None else charge.alone
    if budget.release_cap is not None and not capped.fits(budget.release_cap):
        return Refused(RefusalReason.RELEASE_CAP, largest_possible_charge(budget, grant))
    # A zero charge is granted even if the budget is empty, or overspent after a restore.
    if grant is not None and grant_spent not in (None, grant.spent) and not grant_spent.fits(grant.limit):
        return Refused(RefusalReason.GRANT, largest_possible_charge(budget, grant))
    if budget_spent != budget.spent and not budget_spent.fits(budget.limit):
        return Refused(RefusalReason.BUDGET, largest_possible_charge(budget, grant))
    return Accepted(budget_spent, grant_spent)


def _failed_state(state: State, charge: Charge) -> RefusalReason | None:
    budget, grant = state.budget, state.grant
    if state.principal_revoked:
        return RefusalReason.PRINCIPAL_REVOKED
    if state.principal_frozen:
        return RefusalReason.PRINCIPAL_FROZEN
    if state.dataset_deleted:
        return RefusalReason.DATASET_DELETED
    if grant is not None and grant.closed:
        return RefusalReason.GRANT_CLOSED
    if grant is not None and grant.expires_at is not None and charge.at >= grant.expires_at:
        return RefusalReason.GRANT_EXPIRED
    if state.owner_unavailable:
        return RefusalReason.OWNER_UNAVAILABLE
    if budget.frozen:
        return RefusalReason.BUDGET_FROZEN
    allowed = budget.allowed_mechanisms
    if allowed is not None and charge.mechanism is not None and charge.mechanism not in allowed:
        return RefusalReason.MECHANISM_NOT_ALLOWED
    return None
