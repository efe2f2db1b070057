"""Reports what a budget's releases prove together: by the sum that was charged, and by the tightest composition if
their costs had been fixed in advance.

The second is a report. Analysts here choose each release after seeing the ones before, which the tighter theorem does
not allow for, so nothing is ever granted by it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from sqlalchemy import Connection, func, select

from core.accounting.accountants import Accountant
from core.accounting.fixed_composition import epsilon_if_fixed
from core.accounting.pairwise_loss import RowLoss
from core.privacy import Delta, Epsilon, PrivacyLoss
from service.database.rows import BudgetRow, QueryChargeRow, fetch_all
from service.database.tables import ORDERED_CERTIFICATE, entries, query_charges, releases
from service.errors import InvalidRequest
from service.ledger.acts import terms_of
from service.ledger.joint_costs import Totals, read_rows
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
    measured = list(_measured(connection, budget_row.id))
    delta = Delta(budget_row.guaranteed_delta)
    # What a restore forgot or an owner wrote off has no certificate here to be composed.
    fixed: Epsilon | None = (
        None
        if unseen is not None
        else epsilon_if_fixed([*measured, *(each.loss for each in certificates if each is not None)], delta)
    )
    return Composition(
        releases=len(stored) + _count_queries(connection, budget_row.id),
        delta=delta,
        charged_epsilon=charged.epsilon,
        charged_delta=charged.delta,
        epsilon_if_fixed=fixed,
    )


def _count_queries(connection: Connection, budget_id: str) -> int:
    return int(
        connection.execute(
            select(func.count()).where(releases.c.budget_id == budget_id, releases.c.kind == "query")
        ).scalar_one()
    )


def _measured(connection: Connection, budget_id: str) -> Iterator[PrivacyLoss]:
    """What the rows measured on each data set of the budget prove together: one mechanism a data set."""
    query = select(query_charges).where(query_charges.c.budget_id == budget_id).order_by(query_charges.c.sequence)
    totals: dict[str, Totals] = {}
    for charge in fetch_all(connection, QueryChargeRow, query):
        losses = [RowLoss.of(row, Accountant.BASIC) for row in read_rows(charge.measured)]
        if losses:
            empty = Totals.empty(Accountant.BASIC, len(losses[0].values))
            totals.setdefault(charge.dataset_id, empty).add(losses, None, json.loads(charge.apart))
    for each in totals.values():
        yield PrivacyLoss(Epsilon(each.all.units))
