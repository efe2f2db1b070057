"""The tightest composition of a budget's costs, had they been fixed in advance. It is for information only and never
grants a release: analysts choose each release after seeing earlier ones.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from sqlalchemy import Connection, func, select, text

from core.accounting.accountants import Accountant
from core.accounting.fixed_composition import epsilon_nonadaptive
from core.privacy import Delta, Epsilon, PrivacyLoss
from service.database.rows import BudgetRow
from service.database.tables import (
    NOTHING_MEASURED,
    OF_RESTORES,
    ORDERED_CERTIFICATE,
    entries,
    query_charges,
    releases,
    spending,
)
from service.ledger.joint_costs import read_rows
from service.releases.spec import stated_certificate

_MOST: Final = 500
"""Releases that are composed during a request. A thousand take 70 ms."""
_UNSEEN: Final = ("receipt_reconciled", "written_off")


def fixed_in_advance(connection: Connection, budget: BudgetRow) -> Epsilon | None:
    """Return the ε at the budget's δ of all its releases, had their costs been fixed in advance.

    None if there are too many releases, or their δ sum to more than the budget's, or a charge has no certificate: a
    restore lost it, or an owner wrote it off.
    """
    paid, queries = _counted(connection, budget.id)
    if paid > _MOST or queries > _MOST or _has_unseen(connection, budget):
        return None
    posteriors = (releases.c.budget_id == budget.id) & (releases.c.kind == "posterior")
    certificates = map(stated_certificate, connection.execute(select(ORDERED_CERTIFICATE).where(posteriors)).scalars())
    losses = [each.loss for each in certificates if each is not None]
    return epsilon_nonadaptive([*_of_queries(connection, budget), *losses], Delta(budget.guaranteed_delta))


def _has_unseen(connection: Connection, budget: BudgetRow) -> bool:
    # SQLite uses a partial index only if the condition has the same text as the index.
    of_restores = (entries.c.budget_id == budget.id) & text(OF_RESTORES)
    query = select(entries.c.sequence).where(of_restores, entries.c.kind.in_(_UNSEEN))
    return connection.execute(query.limit(1)).first() is not None


def _counted(connection: Connection, budget_id: str) -> tuple[int, int]:
    """Return the number of paid posteriors, and the number of query answers that measured rows."""
    query = select(spending.c.kind, func.sum(spending.c.releases)).where(spending.c.budget_id == budget_id)
    counted = {kind: int(count) for kind, count in connection.execute(query.group_by(spending.c.kind))}
    return counted.get("posterior", 0), counted.get("query", 0)


def _of_queries(connection: Connection, budget: BudgetRow) -> list[PrivacyLoss]:
    """Return, for each data set, the joint loss of its query answers, treated as one mechanism.

    Under `basic` each charge is the increase of a running maximum, so the joint loss is the sum of the
    charges. Under `zcdp`, which charges no epsilon, the joint loss is the sum of the rows' own losses.
    """
    if Accountant(budget.accountant) is Accountant.BASIC:
        query = (
            select(func.sum(spending.c.epsilon))
            .where(spending.c.budget_id == budget.id, spending.c.kind == "query")
            .group_by(spending.c.dataset_id)
        )
        return [PrivacyLoss(Epsilon(int(units))) for units in connection.execute(query).scalars()]
    totals: dict[str, Fraction] = {}
    # Select by the data sets of the budget, because rows are indexed by data set.
    on_budget = select(spending.c.dataset_id).where(spending.c.budget_id == budget.id, spending.c.kind == "query")
    texts = select(query_charges.c.dataset_id, query_charges.c.measured).where(
        query_charges.c.dataset_id.in_(on_budget), query_charges.c.measured != NOTHING_MEASURED
    )
    for dataset_id, rows in connection.execute(texts.execution_options(yield_per=10)):
        alone = sum((row.rate.value * row.span * row.records for row in read_rows(rows)), Fraction(0))
        totals[dataset_id] = totals.get(dataset_id, Fraction(0)) + alone
    return [PrivacyLoss(Epsilon.ceil(each)) for each in totals.values()]
