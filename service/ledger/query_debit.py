"""Price query debits under the lock, and limit what a refusal discloses.

The budget pays the increase of the joint cost of all rows on the data set. A grant pays the increase of the joint cost
of its own rows. The holder of a grant sees only the second amount, since the first would disclose the measurements of
others. If the owner shares the history, a grant pays the same as the budget.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection, exists, select

from core.accounting.accountants import NOTHING, Accountant, Cost
from service import errors
from service.database import costs
from service.database.rows import QueryChargeRow
from service.database.tables import NOTHING_MEASURED, datasets, query_charges
from service.errors import MaxChargeExceeded, Problem
from service.identifiers.canonical_json import Json
from service.identifiers.identifiers import new_id, now
from service.ledger.chain import Entry
from service.ledger.decision import (
    BudgetState,
    Charge,
    GrantState,
    RefusalReason,
    Refused,
    largest_possible_charge,
    remaining,
)
from service.ledger.joint_costs import JointCosts, Measured, Prepared, Price, Totals, hash_measured, last_charge

MEASURING: Final = "linear"
"""Name of the mechanism that measures rows, in the policies of budgets and in ledger entries."""
QUERY_PREFIX: Final = "qry"
"""Prefix of the ids of query answers. A receipt names only the id, so the kind must follow from it."""
_MOST_WORK: Final = 3 * 10**6
"""Limit of pairs of columns that one batch prices under the lock: at most about 0.6 s. One request has at most two
million.
"""


@dataclass(frozen=True, slots=True)
class QueryDebit:
    """The rows that query answers measure, or None if there are none, and the request's `max_charge`.

    The cost is known only under the lock. Of two equal requests, the second is free, and the lock decides which is
    second.
    """

    measured: Measured | None
    max_charge: Cost | None = None
    shared: bool = False
    """Whether the data set's history is shared among its grants, as read before the lock."""
    prepared: Prepared | None = None
    """The price computed before the lock."""

    @property
    def is_free(self) -> bool:
        """Return whether the debit costs the caller nothing, by the price computed before the lock."""
        return self.measured is None or (self.prepared is not None and self.prepared.price.granted == NOTHING)

    def charge(self, price: Price, mechanism: str, instant: int) -> Charge:
        """Return the charge to decide on. It names a mechanism only if rows are measured."""
        named = mechanism if self.measured is not None else None
        return Charge(price.cost, named, instant, granted=price.granted, alone=price.alone)

    def above_limit(self, price: Price, accountant: Accountant, *, granted: bool) -> Problem | None:
        """Return MaxChargeExceeded if the price is above the request's `max_charge`, otherwise None."""
        paid = price.granted if granted else price.cost
        if self.max_charge is None or paid.fits(self.max_charge):
            return None
        return MaxChargeExceeded(would_charge=costs.document(accountant, paid))

    def detail(self, price: Price) -> dict[str, Json]:
        """Return the members of the ledger entry's detail that are specific to queries."""
        detail: dict[str, Json] = {
            "granted": list(costs.columns(price.granted).values()),
            "alone": list(costs.columns(price.alone).values()),
            # The entry's hash, which the receipt contains, covers the amount, and the amount depends on what others
            # measured. Without this random value, the holder of the receipt could find the amount by trial.
            "blind": new_id("bld"),
            "measured": hash_measured(self._text),
        }
        if self.shared:
            detail["shared"] = True
        return detail

    def row(self, entry: Entry, price: Price, dataset_id: str, grant_id: str | None) -> QueryChargeRow:
        """Return the stored charge, from which later rows are priced."""
        return QueryChargeRow(
            release_id=entry.subject_id,
            dataset_id=dataset_id,
            budget_id=entry.budget_id,
            sequence=entry.sequence,
            grant_id=grant_id,
            measured=self._text,
            apart=json.dumps(list(price.separate)),
            **costs.columns(price.alone, "alone"),
            **costs.columns(price.granted, "granted"),
        )

    @property
    def _text(self) -> str:
        return NOTHING_MEASURED if self.measured is None else self.measured.text


@dataclass(frozen=True, slots=True)
class Priced:
    """Price of queries, and the totals of the data set that apply once the charge is granted."""

    price: Price
    totals: Totals | None


class BatchPrices:
    """Prices within one batch. Keeps each data set's totals, including the debits granted so far."""

    def __init__(self, connection: Connection, joint_costs: JointCosts) -> None:
        self._connection = connection
        self._joint_costs = joint_costs
        self._totals: dict[str, Totals] = {}
        self._work = 0

    def price(self, query: QueryDebit, accountant: Accountant, dataset_id: str, grant_id: str | None) -> Priced | None:
        """Return the price of the rows on top of all earlier rows on the data set. Call it under the budget's lock.

        Return None if that is too much work under the lock. The request then prepares its price again.
        """
        if query.measured is None:
            return Priced(Price(NOTHING, NOTHING, NOTHING, ()), None)
        prepared, work = query.prepared, query.measured.work
        if dataset_id not in self._totals:
            if prepared is not None and last_charge(self._connection, dataset_id) == prepared.last:
                return Priced(prepared.price, prepared.totals)
            work += self._joint_costs.work_behind(self._connection, dataset_id, query.measured.m)
        if self._work + work > _MOST_WORK:
            return None
        self._work += work
        if dataset_id not in self._totals:
            self._totals[dataset_id] = self._joint_costs.caught_up(
                self._connection, dataset_id, accountant, query.measured.m
            )
        totals = self._totals[dataset_id].copy()
        return Priced(totals.add(query.measured.losses, grant_id, shared=query.shared), totals)

    def granted(self, dataset_id: str, priced: Priced) -> None:
        """Record a granted charge. The next charge in the batch is then priced on top of it."""
        if priced.totals is not None:
            self._totals[dataset_id] = priced.totals


def visible_to_caller(
    connection: Connection, budget_id: str, budget: BudgetState, grant: GrantState | None, *, measured_now: bool = False
) -> BudgetState:
    """Return the budget as the caller may see it.

    If rows were measured on a budget, its remainder would disclose to a grant's holder what others asked. Compared
    before and after the holder's own request, it would even disclose which pairs of cells their rows distinguish. So
    the holder gets the budget as if nothing were spent: only the grant and the cap limit what is shown.

    The holder of an ended grant sees nothing of the budget but whether it is frozen.

    `measured_now`: this batch granted measured rows that are not stored yet.
    """
    if grant is not None and grant.has_ended(now()):
        return BudgetState(grant.limit, NOTHING, budget.frozen)
    if grant is None or remaining(budget, grant) == remaining(unspent := replace(budget, spent=NOTHING), grant):
        return budget
    # Joined through the data sets, which have an index; charges have no index by budget.
    measured = exists().where(
        datasets.c.budget_id == budget_id,
        query_charges.c.dataset_id == datasets.c.id,
        query_charges.c.measured != NOTHING_MEASURED,
    )
    return unspent if measured_now or connection.execute(select(measured)).scalar_one() else budget


def remaining_for_queries(budget: BudgetState, grant: GrantState | None) -> Cost:
    """Return the remainder that the caller may see. The holder of a grant sees only the grant's remainder."""
    return largest_possible_charge(budget, None) if grant is None else grant.limit.left_after(grant.spent)


def refusal_of_queries(refused: Refused, budget: BudgetState, grant: GrantState | None, accountant: str) -> Problem:
    """Return the Problem of a refusal. The holder of a grant sees an amount only if the grant itself refused."""
    if refused.largest_possible_charge is None or (grant is not None and refused.by is not RefusalReason.GRANT):
        return problem_of_refusal(Refused(refused.by, None), accountant)
    return problem_of_refusal(Refused(refused.by, remaining_for_queries(budget, grant)), accountant)


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
