"""Burn rate of a budget: spending of the last days, and the days that the remainder lasts."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, case, func, select

from core.accounting.accountants import Accountant, Cost
from service.database.costs import DIMENSIONS, of_units
from service.database.rows import BudgetRow
from service.database.tables import hourly_spending
from service.datasets.budgets import is_low
from service.identifiers.identifiers import now
from service.ledger.budget_changes import terms_of
from service.schemas import allowance as schema
from service.schemas.model import Guarantee, amount

_DAYS: Final = (1, 7, 30)
_SECONDS_PER_HOUR: Final = 3_600
_HOURS_PER_DAY: Final = 24
_SECONDS_PER_DAY: Final = _HOURS_PER_DAY * _SECONDS_PER_HOUR


def burn_rate(connection: Connection, budget_row: BudgetRow) -> schema.BurnRate:
    """Return the burn rate of a budget, from sums over the hours of the last 30 days."""
    accountant, instant = Accountant(budget_row.accountant), now()
    limit, spent = budget_row.limit, budget_row.spent
    remaining = limit.left_after(spent)
    recent = _recent(connection, budget_row.id, instant)
    loss = terms_of(budget_row).guarantee(spent)
    return schema.BurnRate(
        spent=amount(accountant, spent),
        remaining=amount(accountant, remaining),
        below_threshold=is_low(limit, remaining, budget_row.low_budget_percent),
        spent_guarantee=Guarantee(epsilon=loss.epsilon, delta=loss.delta),
        recent=[
            schema.Spending(days=days, spent=amount(accountant, cost), releases=count)
            for days, (cost, count) in recent.items()
        ],
        days_left=_days_left(remaining, recent[_DAYS[-1]][0], opened_seconds_ago=instant - budget_row.created_at),
    )


def _recent(connection: Connection, budget_id: str, instant: int) -> dict[int, tuple[Cost, int]]:
    """Return the spending and the number of releases of the last 1, 7 and 30 days. The hour in which a period begins
    counts in full.
    """
    columns, hour = [], instant // _SECONDS_PER_HOUR
    for days in _DAYS:
        within = hourly_spending.c.hour >= hour - days * _HOURS_PER_DAY
        columns += [
            func.sum(case((within, hourly_spending.c[summed]), else_=0)) for summed in (*DIMENSIONS, "releases")
        ]
    recent = (hourly_spending.c.budget_id == budget_id) & (hourly_spending.c.hour >= hour - _DAYS[-1] * _HOURS_PER_DAY)
    values = iter([int(value or 0) for value in connection.execute(select(*columns).where(recent)).one()])
    return {days: (of_units(next(values), next(values), next(values)), next(values)) for days in _DAYS}


def _days_left(remaining: Cost, spent: Cost, *, opened_seconds_ago: int) -> int | None:
    """Return the whole days until the main dimension runs out, at the average rate of the last 30 days.

    If the budget is younger, the rate over its lifetime is used.
    """
    each = spent.epsilon.units or spent.rho.units
    if not each:
        return None
    left = remaining.epsilon.units or remaining.rho.units
    seconds = min(max(opened_seconds_ago, 1), _DAYS[-1] * _SECONDS_PER_DAY)
    return left * seconds // (each * _SECONDS_PER_DAY)
