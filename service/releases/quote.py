"""Quotes a release before it is paid: what it would cost, whether it would be granted, and which earlier releases
answer too.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from core.accounting.accountants import Accountant, price
from service import certificates
from service.auth import Caller, Role
from service.channels.certified import Certified
from service.database.rows import BudgetRow, fetch_one
from service.database.tables import budgets, principals
from service.datasets import datasets as dataset_use_case
from service.datasets.standing import standing
from service.errors import InvalidRequest
from service.identifiers import now
from service.ledger.acts import is_frozen
from service.ledger.decision import Charge, Refused, State, decide, room
from service.ledger.refusal import problem_of_refusal
from service.releases import access as release_access
from service.releases.document import certificate_response, loss_response, summary
from service.releases.time_grid import check_draw
from service.runtime import Runtime
from service.schemas import releases as schema
from service.schemas.amounts import amount

_MAX_SHOWN = 50


async def quote(runtime: Runtime, caller: Caller, dataset_id: str, body: schema.ReleaseCreate) -> schema.Quote:
    """The quote for a release. Raises what the release itself would raise for its parameters."""
    caller.require(Role.OWNER, Role.ANALYST)
    dataset = await runtime.read(lambda c: dataset_use_case.visible(c, caller, dataset_id))
    if len(body.prior) != dataset.category_count:
        raise InvalidRequest.at("prior", "must have one number for each category of the data set")
    certified = await certificates.obtain(
        runtime, caller, body.mechanism, n=dataset.record_count, prior=tuple(body.prior)
    )
    check_draw(certified.event, runtime.settings.draw_seconds)
    return await runtime.read(lambda c: _quote(c, caller, dataset_id, body, certified))


def _quote(
    connection: Connection, caller: Caller, dataset_id: str, body: schema.ReleaseCreate, certified: Certified
) -> schema.Quote:
    dataset = dataset_use_case.visible(connection, caller, dataset_id)
    budget_row = fetch_one(connection, BudgetRow, select(budgets).where(budgets.c.id == dataset.budget_id))
    budget, grant = standing(connection, caller, dataset, budget_row)
    accountant = Accountant(dataset.accountant)
    cost = price(certified.certificate.loss, accountant)
    principal = connection.execute(
        select(principals.c.frozen_until).where(principals.c.id == caller.principal_id)
    ).one()
    decision = decide(
        State(
            budget,
            grant,
            dataset_deleted=False,
            principal_revoked=False,
            principal_frozen=is_frozen(principal.frozen_until),
        ),
        Charge(cost, body.mechanism.kind, now()),
    )
    rows = release_access.list_on(connection, caller, dataset_id, after=0, limit=_MAX_SHOWN)
    return schema.Quote(
        certified=loss_response(certified.certificate.loss),
        certificate=certificate_response(certified.certificate, dataset.unit),
        would_charge=amount(accountant, cost),
        granted=not isinstance(decision, Refused),
        refused_by=problem_of_refusal(decision, accountant.value).code if isinstance(decision, Refused) else None,
        largest_possible_charge=amount(accountant, room(budget, grant)),
        already_released=[summary(row, caller) for row in rows if row.state == "complete"],
    )
