"""Prices the debit of answers to linear queries under the lock, and says what is stored of it and told of a refusal.

The budget pays by how much the joint cost of all rows on the data set rises, a grant by how much that of its own rows
does. Whoever holds a grant hears of the second alone: the first tells what others measured. Where the owner shares the
history among the grants, they pay what the budget pays.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection, exists, select

from core.accounting.accountants import NOTHING, Accountant, Cost
from service import costs
from service.canonical_json import Json
from service.database.rows import QueryChargeRow
from service.database.tables import NOTHING_MEASURED, datasets, query_charges
from service.errors import MaxChargeExceeded, Problem
from service.identifiers import new_id
from service.ledger.chain import Entry
from service.ledger.decision import BudgetState, Charge, GrantState, Limit, Refused, remaining, room
from service.ledger.joint_costs import JointCosts, Measured, Prepared, Price, Totals, hash_measured, last_charge
from service.ledger.refusal import problem_of_refusal

MEASURING: Final = "linear"
"""What budgets allow measuring by, and entries name it."""
QUERY_PREFIX: Final = "qry"
"""Of ids of answers to queries, so that a receipt tells what it is of."""
_MOST_WORK: Final = 3 * 10**6
"""Pairs of columns that one batch looks at under the lock: the ledger waits for about 0.6 s at most. The rows of one
request have two millions of them at most.
"""


@dataclass(frozen=True, slots=True)
class QueryDebit:
    """What answers to linear queries measure, None where nothing is, and the most that the caller wants to pay for it.

    What it costs is known under the lock alone: two that would each be free after the other are not both free.
    """

    measured: Measured | None
    max_charge: Cost | None = None
    shared: bool = False
    """Whether the data set's history is shared among its grants, as of before the lock."""
    prepared: Prepared | None = None
    """The price as of before the lock."""

    @property
    def is_free(self) -> bool:
        """Whether it costs its caller nothing, as of before the lock."""
        return self.measured is None or (self.prepared is not None and self.prepared.price.granted == NOTHING)

    def charge(self, price: Price, mechanism: str, instant: int) -> Charge:
        """What is asked of the ledger. Nothing is drawn where nothing is measured, so no mechanism is named then."""
        named = mechanism if self.measured is not None else None
        return Charge(price.cost, named, instant, granted=price.granted, alone=price.alone)

    def above_limit(self, price: Price, accountant: Accountant, *, granted: bool) -> Problem | None:
        """The refusal of a price that the caller does not want to pay."""
        paid = price.granted if granted else price.cost
        if self.max_charge is None or paid.fits(self.max_charge):
            return None
        return MaxChargeExceeded(would_charge=costs.document(accountant, paid))

    def detail(self, price: Price) -> dict[str, Json]:
        """What an entry of the ledger says of it."""
        detail: dict[str, Json] = {
            "granted": list(costs.columns(price.granted).values()),
            "alone": list(costs.columns(price.alone).values()),
            # The receipt's hash covers the amount, which tells what others measured. Without this, whoever holds the
            # receipt could find the amount by trying.
            "blind": new_id("bld"),
            "measured": hash_measured(self._text),
        }
        if self.shared:
            detail["shared"] = True
        return detail

    def row(self, entry: Entry, price: Price, dataset_id: str, grant_id: str | None) -> QueryChargeRow:
        """What is stored of the charge, for the prices of later rows."""
        return QueryChargeRow(
            release_id=entry.subject_id,
            dataset_id=dataset_id,
            budget_id=entry.budget_id,
            sequence=entry.sequence,
            grant_id=grant_id,
            measured=self._text,
            apart=json.dumps(list(price.apart)),
            **costs.columns(price.alone, "alone"),
            **costs.columns(price.granted, "granted"),
        )

    @property
    def _text(self) -> str:
        return NOTHING_MEASURED if self.measured is None else self.measured.text


@dataclass(frozen=True, slots=True)
class Priced:
    """What queries cost, and the totals of the data set with their rows, which hold once the charge is granted."""

    price: Price
    totals: Totals | None


class BatchPrices:
    """The prices of one batch: each data set's totals as they stand after the debits that were granted."""

    def __init__(self, connection: Connection, joint_costs: JointCosts) -> None:
        self._connection = connection
        self._joint_costs = joint_costs
        self._totals: dict[str, Totals] = {}
        self._work = 0

    def price(self, query: QueryDebit, accountant: Accountant, dataset_id: str, grant_id: str | None) -> Priced | None:
        """What the rows cost on top of all that was measured on the data set before; None where finding it would keep
        the ledger waiting, and it has to be prepared again. Call it under the budget's lock.
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
        """The charge was granted; the next in the batch is priced on top of it."""
        if priced.totals is not None:
            self._totals[dataset_id] = priced.totals


def as_told(
    connection: Connection, budget_id: str, budget: BudgetState, grant: GrantState | None, *, measured_now: bool = False
) -> BudgetState:
    """The budget as the caller may know it. What is left of one on which rows were measured tells a grant's holder what
    others asked, and, before and after a request of his own, which pairs of cells their rows tell apart. So it is told
    as if nothing were spent: he hears of his grant and the cap. `measured_now`: rows of the same batch were granted,
    which are not stored yet.
    """
    if grant is None or remaining(budget, grant) == remaining(unspent := replace(budget, spent=NOTHING), grant):
        return budget
    # On a data set of the budget: these have an index, the charges of a whole budget have none.
    measured = exists().where(
        datasets.c.budget_id == budget_id,
        query_charges.c.dataset_id == datasets.c.id,
        query_charges.c.measured != NOTHING_MEASURED,
    )
    return unspent if measured_now or connection.execute(select(measured)).scalar_one() else budget


def room_for_queries(budget: BudgetState, grant: GrantState | None) -> Cost:
    """What the caller is told to have left: of a grant its own rest alone."""
    return room(budget, None) if grant is None else grant.limit.left_after(grant.spent)


def refusal_of_queries(refused: Refused, budget: BudgetState, grant: GrantState | None, accountant: str) -> Problem:
    """The problem that tells a refusal. Toward a grant's holder only the grant's own rest is told."""
    if refused.room is None or (grant is not None and refused.by is not Limit.GRANT):
        return problem_of_refusal(Refused(refused.by, None), accountant)
    return problem_of_refusal(Refused(refused.by, room_for_queries(budget, grant)), accountant)
