"""Says how fast a budget goes: what was spent in the last days, and how long the rest lasts at that rate."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, case, func, or_, select

from core.accounting.accountants import Accountant, Cost
from service.budgets.budgets import is_low
from service.costs import DIMENSIONS, of_units
from service.database.rows import BudgetRow
from service.database.tables import entries
from service.identifiers import now
from service.ledger.acts import terms_of
from service.ledger.chain import EntryKind
from service.schemas import allowance as schema
from service.schemas.amounts import Guarantee, amount

_DAYS: Final = (1, 7, 30)
_SECONDS_PER_DAY: Final = 86_400
_SPENDING: Final = [
    kind.value
    for kind in (
        EntryKind.RELEASE_CHARGED,
        EntryKind.QUERY_CHARGED,
        EntryKind.RECEIPT_RECONCILED,
        EntryKind.WRITTEN_OFF,
    )
]

_IS_RELEASE: Final = (entries.c.kind != EntryKind.WRITTEN_OFF.value) & or_(
    entries.c.kind != EntryKind.QUERY_CHARGED.value, *(entries.c[dimension] > 0 for dimension in DIMENSIONS)
)
"""Answers to queries that cost nothing are many, and say nothing of how fast a budget goes."""


def burn_rate(connection: Connection, budget_row: BudgetRow) -> schema.BurnRate:
    """How fast a budget goes; a sum over the entries of the last 30 days."""
    accountant, instant = Accountant(budget_row.accountant), now()
    limit, spent = budget_row.limit, budget_row.spent
    remaining = limit.left_after(spent)
    recent = _recent(connection, budget_row.id, instant)
    loss = terms_of(budget_row).guarantee(spent)
    return schema.BurnRate(
        spent=amount(accountant, spent),
        remaining=amount(accountant, remaining),
        low=is_low(limit, remaining, budget_row.low_budget_percent),
        spent_guarantee=Guarantee(epsilon=loss.epsilon, delta=loss.delta),
        recent=[
            schema.Spending(days=days, spent=amount(accountant, cost), releases=count)
            for days, (cost, count) in recent.items()
        ],
        days_left=_days_left(remaining, recent[_DAYS[-1]][0], opened_seconds_ago=instant - budget_row.created_at),
    )


def _recent(connection: Connection, budget_id: str, instant: int) -> dict[int, tuple[Cost, int]]:
    """What was spent in each of the last so many days, and by how many releases; one pass over the ledger."""
    columns = []
    for days in _DAYS:
        within = entries.c.created_at >= instant - days * _SECONDS_PER_DAY
        columns += [func.sum(case((within, entries.c[dimension]), else_=0)) for dimension in DIMENSIONS]
        columns.append(func.sum(case((within & _IS_RELEASE, 1), else_=0)))
    since = instant - _DAYS[-1] * _SECONDS_PER_DAY
    spending = (entries.c.budget_id == budget_id) & (entries.c.created_at >= since) & entries.c.kind.in_(_SPENDING)
    values = iter([int(value or 0) for value in connection.execute(select(*columns).where(spending)).one()])
    return {days: (of_units(next(values), next(values), next(values)), next(values)) for days in _DAYS}


def _days_left(remaining: Cost, spent: Cost, *, opened_seconds_ago: int) -> int | None:
    """Whole days until the main dimension runs out at the rate of the last 30 days, or of the budget's life where
    that is shorter.
    """
    each = spent.epsilon.units or spent.rho.units
    if not each:
        return None
    left = remaining.epsilon.units or remaining.rho.units
    seconds = min(max(opened_seconds_ago, 1), _DAYS[-1] * _SECONDS_PER_DAY)
    return left * seconds // (each * _SECONDS_PER_DAY)
