"""Reports what a budget's releases prove together: by the sum that was charged, and by the tightest composition if
their costs had been fixed in advance.

The second is a report. Analysts here choose each release after seeing the ones before, which the tighter theorem does
not allow for, so nothing is ever granted by it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from sqlalchemy import Connection, func, select

from core.accounting.accountants import Accountant
from core.accounting.fixed_composition import epsilon_if_fixed
from core.privacy import Delta, Epsilon, PrivacyLoss
from service.database.rows import BudgetRow
from service.database.tables import NOTHING_MEASURED, ORDERED_CERTIFICATE, entries, query_charges, releases
from service.errors import InvalidRequest
from service.ledger.acts import terms_of
from service.ledger.joint_costs import read_rows
from service.releases.order import stated_certificate
from service.schemas.composition import Composition

MAX_RELEASES: Final = 2_000
_UNSEEN: Final = ("receipt_reconciled", "written_off")


def report(connection: Connection, budget_row: BudgetRow) -> Composition:
    """Both figures at the budget's delta. Raises InvalidRequest for more releases than can be composed while
    somebody waits.
    """
    stored = (
        connection.execute(
            select(ORDERED_CERTIFICATE)
            .where(releases.c.budget_id == budget_row.id, releases.c.kind == "posterior")
            .limit(MAX_RELEASES + 1)
        )
        .scalars()
        .all()
    )
    if len(stored) > MAX_RELEASES:
        raise InvalidRequest.at("budget_id", f"must be a budget with at most {MAX_RELEASES} releases")
    unseen = connection.execute(
        select(entries.c.sequence).where(entries.c.budget_id == budget_row.id, entries.c.kind.in_(_UNSEEN)).limit(1)
    ).first()
    certificates = [stated_certificate(text) for text in stored]
    charged = terms_of(budget_row).guarantee(budget_row.spent)
    queries, measured = _queries(connection, budget_row)
    delta = Delta(budget_row.guaranteed_delta)
    # What a restore forgot or an owner wrote off has no certificate here to be composed.
    fixed: Epsilon | None = (
        None
        if unseen is not None
        else epsilon_if_fixed([*measured, *(each.loss for each in certificates if each is not None)], delta)
    )
    return Composition(
        releases=len(stored) + queries,
        delta=delta,
        charged_epsilon=charged.epsilon,
        charged_delta=charged.delta,
        epsilon_if_fixed=fixed,
    )


def _queries(connection: Connection, budget: BudgetRow) -> tuple[int, list[PrivacyLoss]]:
    """How many answers to queries measured something, and what those on each data set prove together: one mechanism a
    data set. Raises InvalidRequest for more than can be read while somebody waits.

    Under `basic` that is the sum of what they were charged, which are rises of one maximum; under `zcdp`, which charges
    no epsilon, the sum of the rows' own.
    """
    measured = (query_charges.c.budget_id == budget.id) & (query_charges.c.measured != NOTHING_MEASURED)
    count = int(connection.execute(select(func.count()).where(measured)).scalar_one())
    if Accountant(budget.accountant) is Accountant.BASIC:
        query = (
            select(func.sum(releases.c.epsilon_charged))
            .where(releases.c.budget_id == budget.id, releases.c.kind == "query")
            .group_by(releases.c.dataset_id)
        )
        return count, [PrivacyLoss(Epsilon(int(units))) for units in connection.execute(query).scalars()]
    if count > MAX_RELEASES:
        raise InvalidRequest.at("budget_id", f"must be a budget with at most {MAX_RELEASES} measured answers")
    totals: dict[str, Fraction] = {}
    texts = select(query_charges.c.dataset_id, query_charges.c.measured).where(measured)
    for dataset_id, text in connection.execute(texts.execution_options(yield_per=10)):
        alone = sum((row.rate.value * row.span * row.records for row in read_rows(text)), Fraction(0))
        totals[dataset_id] = totals.get(dataset_id, Fraction(0)) + alone
    return count, [PrivacyLoss(Epsilon.ceil(each)) for each in totals.values()]
