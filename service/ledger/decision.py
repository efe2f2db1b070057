"""Decides whether a charge is granted: one pure function of the rows that the debit has locked.

The ledger calls it inside the transaction that writes the charge; the tests use it as the model that the whole service
is held against. It reads no clock and no database, and it grants all of a charge or nothing.

The checks, in this order; the first that fails is the answer:

1. `principal_revoked`      whoever asks has lost the right to
2. `principal_frozen`       an admin's recovery of whoever asks can still be vetoed
3. `dataset_deleted`        there is nothing left to release from
4. `grant_closed`           the owner closed the grant
5. `grant_expired`          its time has passed (at `expires_at` itself it has)
6. `budget_frozen`          the owner, or a restore, stopped all spending
7. `mechanism_not_allowed`  the owner does not want this mechanism
8. `release_cap`            one release may not cost that much
9. `grant`                  the grant has not enough left
10. `budget`                the budget has not enough left

Standing before amounts, and the caller's own limits before the budget that others share: an analyst hears of the budget
only where neither the cap nor the grant stops him.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from core.accounting.accountants import Cost

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


class Limit(StrEnum):
    """What refused a charge."""

    PRINCIPAL_REVOKED = "principal_revoked"
    PRINCIPAL_FROZEN = "principal_frozen"
    DATASET_DELETED = "dataset_deleted"
    GRANT_CLOSED = "grant_closed"
    GRANT_EXPIRED = "grant_expired"
    BUDGET_FROZEN = "budget_frozen"
    MECHANISM_NOT_ALLOWED = "mechanism_not_allowed"
    RELEASE_CAP = "release_cap"
    GRANT = "grant"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class BudgetState:
    """A budget's locked row. `release_cap` None: no cap but the budget; `allowed_mechanisms` None: all of them."""

    limit: Cost
    spent: Cost
    frozen: bool = False
    release_cap: Cost | None = None
    allowed_mechanisms: AbstractSet[str] | None = None

    def with_spent(self, spent: Cost) -> BudgetState:
        return BudgetState(self.limit, spent, self.frozen, self.release_cap, self.allowed_mechanisms)


@dataclass(frozen=True, slots=True)
class GrantState:
    """A grant's locked row. `expires_at` in whole seconds since 1970; None: never."""

    limit: Cost
    spent: Cost
    closed: bool = False
    expires_at: int | None = None

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


@dataclass(frozen=True, slots=True)
class Charge:
    """What is asked for: a priced release by a named mechanism at a time (whole seconds since 1970).

    `mechanism` None: nothing is drawn. `granted`: what the grant pays, where that is not what the budget pays.
    `alone`: what the cap for one release is held against, where the cost hangs on earlier releases.
    """

    cost: Cost
    mechanism: str | None
    at: int
    granted: Cost | None = None
    alone: Cost | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """The charge is granted in full; these are the balances after it."""

    budget_spent: Cost
    grant_spent: Cost | None


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing is charged. `room` is the most that one release of this caller could cost now; None where no amount
    would be granted.
    """

    by: Limit
    room: Cost | None


Decision: TypeAlias = Accepted | Refused


def room(budget: BudgetState, grant: GrantState | None) -> Cost:
    """The most that one release could cost in each dimension: the least of the cap, the grant's rest and the budget's
    rest.

    This, not the budget's own balance, is what an analyst is shown: where the grant binds, what others spent stays
    unseen. `service.ledger.query_debit.as_told` says which budget it is taken of.
    """
    left = remaining(budget, grant)
    return left if budget.release_cap is None else left.smaller_of(budget.release_cap)


def remaining(budget: BudgetState, grant: GrantState | None) -> Cost:
    """The most that all further releases together could cost in each dimension: the lesser of the grant's rest and the
    budget's rest.
    """
    left = budget.limit.left_after(budget.spent)
    return left if grant is None else left.smaller_of(grant.limit.left_after(grant.spent))


def decide(state: State, charge: Charge) -> Decision:
    """Grants the charge if every limit allows all of it, else names the first limit that does not."""
    budget, grant = state.budget, state.grant
    if (standing := _standing(state, charge)) is not None:
        return Refused(standing, None)
    budget_spent = budget.spent + charge.cost
    grant_spent = None if grant is None else grant.spent + (charge.cost if charge.granted is None else charge.granted)
    capped = charge.cost if charge.alone is None else charge.alone
    if budget.release_cap is not None and not capped.fits(budget.release_cap):
        return Refused(Limit.RELEASE_CAP, room(budget, grant))
    # What costs nothing is granted of an empty budget too, and of one that a restore left overspent.
    if grant is not None and grant_spent not in (None, grant.spent) and not grant_spent.fits(grant.limit):
        return Refused(Limit.GRANT, room(budget, grant))
    if budget_spent != budget.spent and not budget_spent.fits(budget.limit):
        return Refused(Limit.BUDGET, room(budget, grant))
    return Accepted(budget_spent, grant_spent)


def _standing(state: State, charge: Charge) -> Limit | None:
    budget, grant = state.budget, state.grant
    if state.principal_revoked:
        return Limit.PRINCIPAL_REVOKED
    if state.principal_frozen:
        return Limit.PRINCIPAL_FROZEN
    if state.dataset_deleted:
        return Limit.DATASET_DELETED
    if grant is not None and grant.closed:
        return Limit.GRANT_CLOSED
    if grant is not None and grant.expires_at is not None and charge.at >= grant.expires_at:
        return Limit.GRANT_EXPIRED
    if budget.frozen:
        return Limit.BUDGET_FROZEN
    allowed = budget.allowed_mechanisms
    if allowed is not None and charge.mechanism is not None and charge.mechanism not in allowed:
        return Limit.MECHANISM_NOT_ALLOWED
    return None
