"""Joint guarantee of a budget's releases: the sum that was charged, and the tightest composition of costs fixed in
advance.

The composition is for information only and never grants a release. Its theorem requires costs that are fixed in
advance, but analysts choose each release after seeing earlier ones.
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
from service.errors import InvalidRequest
from service.ledger.acts import terms_of
from service.ledger.joint_costs import read_rows
from service.releases.spec import stated_certificate
from service.schemas.composition import Composition

MAX_RELEASES: Final = 2_000
_UNSEEN: Final = ("receipt_reconciled", "written_off")


def report(connection: Connection, budget_row: BudgetRow) -> Composition:
    """Return both guarantees at the budget's delta.

    Raises InvalidRequest if there are too many releases to compose during a request.
    """
    paid, queries = _counted(connection, budget_row.id)
    if paid > MAX_RELEASES:
        raise InvalidRequest.at("budget_id", f"must be a budget with at most {MAX_RELEASES} releases")
    posteriors = (releases.c.budget_id == budget_row.id) & (releases.c.kind == "posterior")
    stored = connection.execute(select(ORDERED_CERTIFICATE).where(posteriors)).scalars().all()
    # SQLite uses a partial index only if the condition has the same text as the index.
    of_restores = (entries.c.budget_id == budget_row.id) & text(OF_RESTORES)
    unseen = connection.execute(
        select(entries.c.sequence).where(of_restores, entries.c.kind.in_(_UNSEEN)).limit(1)
    ).first()
    certificates = [stated_certificate(each) for each in stored]
    charged = terms_of(budget_row).guarantee(budget_row.spent)
    measured = _queries(connection, budget_row, queries)
    delta = Delta(budget_row.guaranteed_delta)
    # Charges that a restore lost or an owner wrote off have no certificate, so they can't be composed.
    fixed: Epsilon | None = (
        None
        if unseen is not None
        else epsilon_nonadaptive([*measured, *(each.loss for each in certificates if each is not None)], delta)
    )
    return Composition(
        releases=len(stored) + queries,
        delta=delta,
        charged_epsilon=charged.epsilon,
        charged_delta=charged.delta,
        epsilon_nonadaptive=fixed,
    )


def _counted(connection: Connection, budget_id: str) -> tuple[int, int]:
    """Return the number of paid posteriors, and the number of query answers that measured rows."""
    query = select(spending.c.kind, func.sum(spending.c.releases)).where(spending.c.budget_id == budget_id)
    counted = {kind: int(count) for kind, count in connection.execute(query.group_by(spending.c.kind))}
    return counted.get("posterior", 0), counted.get("query", 0)


def _queries(connection: Connection, budget: BudgetRow, count: int) -> list[PrivacyLoss]:
    """Return, for each data set, the joint loss of its query answers, treated as one mechanism.

    `count` is the number of answers that measured rows. Raises InvalidRequest if they are too many to read during a
    request. Under `basic` each charge is the increase of a running maximum, so the joint loss is the sum of the
    charges. Under `zcdp`, which charges no epsilon, the joint loss is the sum of the rows' own losses.
    """
    if Accountant(budget.accountant) is Accountant.BASIC:
        query = (
            select(func.sum(spending.c.epsilon))
            .where(spending.c.budget_id == budget.id, spending.c.kind == "query")
            .group_by(spending.c.dataset_id)
        )
        return [PrivacyLoss(Epsilon(int(units))) for units in connection.execute(query).scalars()]
    if count > MAX_RELEASES:
        raise InvalidRequest.at("budget_id", f"must be a budget with at most {MAX_RELEASES} measured answers")
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
