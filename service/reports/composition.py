"""Reports what a budget's releases prove together: by the sum that was charged, and by the tightest composition if
their costs had been fixed in advance.

The second is a report. Analysts here choose each release after seeing the ones before, which the tighter theorem does
not allow for, so nothing is ever granted by it.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, select

from core.accounting.fixed_composition import epsilon_if_fixed
from core.privacy import Delta, Epsilon
from service.database.rows import BudgetRow
from service.database.tables import entries, releases
from service.errors import InvalidRequest
from service.ledger.acts import terms_of
from service.releases.order import StoredOrder
from service.schemas.composition import Composition

MAX_RELEASES: Final = 2_000
_UNSEEN: Final = ("receipt_reconciled", "written_off")


def report(connection: Connection, budget_row: BudgetRow) -> Composition:
    """Both figures at the budget's delta. Raises InvalidRequest for more releases than can be composed while
    somebody waits.
    """
    stored = (
        connection.execute(select(releases.c.plan).where(releases.c.budget_id == budget_row.id).limit(MAX_RELEASES + 1))
        .scalars()
        .all()
    )
    if len(stored) > MAX_RELEASES:
        raise InvalidRequest.at("budget_id", f"must be a budget with at most {MAX_RELEASES} releases")
    unseen = connection.execute(
        select(entries.c.sequence).where(entries.c.budget_id == budget_row.id, entries.c.kind.in_(_UNSEEN)).limit(1)
    ).first()
    certificates = [StoredOrder.of(order).certificate for order in stored]
    charged = terms_of(budget_row).guarantee(budget_row.spent)
    delta = Delta(budget_row.guaranteed_delta)
    # What a restore forgot or an owner wrote off has no certificate here to be composed.
    fixed: Epsilon | None = (
        None
        if unseen is not None
        else epsilon_if_fixed([each.loss for each in certificates if each is not None], delta)
    )
    return Composition(
        releases=len(stored),
        delta=delta,
        charged_epsilon=charged.epsilon,
        charged_delta=charged.delta,
        epsilon_if_fixed=fixed,
    )
