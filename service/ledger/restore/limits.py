"""Raise a limit that a charge from before a restore does not fit."""

from __future__ import annotations

from typing import Any

from core.accounting.accountants import Accountant, Cost
from core.accounting.zcdp import epsilon_of
from core.privacy import Delta, Epsilon, Rho
from service.database import costs
from service.database.rows import BudgetRow
from service.ledger.budget_changes import Act, terms_of
from service.ledger.chain import EntryKind
from service.principals.auth import COMMAND_LINE


def raised_limit(budget: BudgetRow, charge: Cost) -> tuple[dict[str, Any], list[Act]]:
    """Return the budget's columns after a charge that can't be refused, and the act that raises the limit."""
    spent, terms = budget.spent + charge, terms_of(budget)
    columns: dict[str, Any] = dict(costs.columns(spent, "spent"))
    if spent.fits(terms.limit):
        return columns, []
    limit = larger_of(terms.limit, spent)
    if terms.accountant is Accountant.BASIC:
        epsilon, delta = limit.epsilon, limit.delta
    else:
        epsilon = max(terms.epsilon, epsilon_of(limit.rho, terms.delta_conversion))
        delta = terms.delta_conversion + limit.delta
    columns |= costs.columns(limit, "limit") | {"guaranteed_epsilon": epsilon.units, "guaranteed_delta": delta.units}
    detail = {
        "epsilon": str(epsilon),
        "delta": str(delta),
        "reason": "a forgotten charge does not fit the restored limit",
    }
    return columns, [Act(EntryKind.BUDGET_CHANGED, COMMAND_LINE, budget.id, limit, detail)]


def larger_of(one: Cost, other: Cost) -> Cost:
    return Cost(
        Epsilon(max(one.epsilon.units, other.epsilon.units)),
        Delta(max(one.delta.units, other.delta.units)),
        Rho(max(one.rho.units, other.rho.units)),
    )
