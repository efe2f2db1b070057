"""Quote margins before payment: the margins that would be measured, the precision of the tables, and the charge."""

from __future__ import annotations

import asyncio
from typing import Final

from sqlalchemy import Connection

from core.accounting.accountants import Accountant
from core.limits import MAX_CATEGORIES
from core.mechanisms.catalogue import TablesEvent, certify
from core.mechanisms.margins import KIND as MARGINS
from service.datasets import datasets as dataset_use_case
from service.ledger.debit import hash_idempotency_key
from service.margins.paid_margins import event_of, measured_fields, obtain_plan, table_fields
from service.margins.planning import Plan, names_of
from service.principals.auth import Caller
from service.releases.paid import Draw, check_draw
from service.releases.quote import offer
from service.releases.spec import certificate_response, loss_response
from service.runtime.runtime import Runtime
from service.schemas import margins as schema
from service.schemas.model import amount
from service.schemas.principals import Role

_NEARLY: Final = 1.1
"""Largest ratio of half widths at which one release of all attributes is called nearly as precise."""


async def quote(
    runtime: Runtime, caller: Caller, dataset_id: str, body: schema.MarginsCreate, idempotency_key: str | None
) -> schema.MarginsQuote:
    """Return the quote for margins under this key. Raises what the charge would raise for its parameters."""
    caller.require(Role.OWNER, Role.ANALYST)
    dataset = await runtime.database.read(lambda c: dataset_use_case.visible(c, caller, dataset_id))
    plan = await obtain_plan(runtime, caller, dataset, body)
    event = await asyncio.to_thread(event_of, dataset, body, plan)
    check_draw(Draw.of(event, event.records_per_unit), runtime.processes.max_draw_seconds)
    key_hash = None if idempotency_key is None else hash_idempotency_key(caller.principal_id, idempotency_key)
    return await runtime.database.read(lambda c: _quote(c, caller, dataset_id, body, plan, event, key_hash))


def _quote(
    connection: Connection,
    caller: Caller,
    dataset_id: str,
    body: schema.MarginsCreate,
    plan: Plan,
    event: TablesEvent,
    key_hash: str | None,
) -> schema.MarginsQuote:
    dataset = dataset_use_case.visible(connection, caller, dataset_id)
    certificate, accountant = certify(event), Accountant(dataset.accountant)
    attributes = names_of(dataset).to_json() or []
    half_widths = [
        next(half for confidence, half in each.intervals if confidence == body.confidence) for each in plan.tables
    ]
    as_precise = all(full <= _NEARLY * own for full, own in zip(plan.full_half_widths, half_widths, strict=True))
    full = None if plan.full_charge is None else plan.cost(accountant, plan.full_charge)
    return schema.MarginsQuote(
        measured=[schema.PlannedMargin(**each) for each in measured_fields(event, attributes, accountant)],
        tables=[schema.PlannedTable(**each) for each in table_fields(plan.table_texts, event, attributes)],
        full_release=schema.FullRelease(
            half_widths=list(plan.full_half_widths),
            is_nearly_as_precise=as_precise and dataset.category_count <= MAX_CATEGORIES,
            would_charge=None if full is None else amount(accountant, full),
        ),
        certified=loss_response(certificate.loss),
        certificate=certificate_response(certificate, dataset.unit),
        **offer(connection, caller, dataset, certificate.loss, MARGINS, body.max_charge, key_hash)._asdict(),
    )
