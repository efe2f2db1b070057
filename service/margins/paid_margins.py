"""Pay for margins and draw them: the plan of the request, its event, and the debit.

Every check depends on public facts and runs before the debit. A release of margins takes the path of every release.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import Final, TypeAlias

from core.accounting.accountants import Accountant, price
from core.mechanisms.event import EventError
from core.mechanisms.margins import KIND as MARGINS
from core.mechanisms.margins import Margins, cells_of, certify
from core.privacy import Delta
from service.database.rows import DatasetRow, JobRow
from service.datasets.datasets import DatasetFacts
from service.errors import InvalidRequest, MarginsPending
from service.ledger.debit import Debit
from service.margins import planning
from service.margins.planning import Plan, names_of
from service.principals.auth import Caller
from service.releases.margins import MarginsSpec, margins_document, mechanism_of
from service.releases.paid import Draw, StoredRelease, check_draw, pay_and_answer
from service.releases.release import PaidRequest, check_charge, replay_or_pay
from service.runtime import jobs
from service.runtime.job_leases import retry_seconds
from service.runtime.runtime import Kind, Runtime
from service.schemas import margins as schema
from service.settings.faults import crash_point

_Request: TypeAlias = PaidRequest[schema.MarginsCreate]
_BYTES_PER_CELL = 30
"""Bytes of an estimate, or of a noisy count, in the result."""


async def create(
    runtime: Runtime, caller: Caller, dataset_id: str, body: schema.MarginsCreate, idempotency_key: str
) -> StoredRelease:
    """Return the requested margins, or those that this idempotency key already paid for."""
    request = _Request.of(caller, dataset_id, body, idempotency_key)

    async def pay(facts: DatasetFacts) -> StoredRelease:
        plan = await obtain_plan(runtime, caller, facts.dataset, body)
        debit, draw = await asyncio.to_thread(_priced, request, facts, plan)
        check_draw(draw, runtime.processes.max_draw_seconds)
        crash_point("priced")
        return await pay_and_answer(runtime, debit, draw, perform=runtime.database.debit, began=request.began)

    return await replay_or_pay(runtime, request, pay)


def _priced(request: _Request, facts: DatasetFacts, plan: Plan) -> tuple[Debit, Draw]:
    """Return the debit and the draw of a plan. At 50 000 cells this takes a tenth of a second. Raises InvalidRequest
    and MaxChargeExceeded.
    """
    dataset, body = facts.dataset, request.body
    event = event_of(dataset, body, plan)
    certificate, accountant = certify(event), Accountant(dataset.accountant)
    cost = price(certificate.loss, accountant)
    check_charge(body.max_charge, certificate.loss, cost)
    spec = MarginsSpec(
        request=request.document | {"mechanism": mechanism_of(event)},
        attributes=names_of(dataset).to_json() or [],
        unit=dataset.unit,
        accountant=accountant,
        event=event,
        tables=plan.table_texts,
    ).to_json()
    cells = sum(cells_of(event.levels, each) for each in (*event.margins, *(each.margin for each in plan.tables)))
    debit = request.debit(
        facts, prefix="rel", mechanism=MARGINS, cost=cost, spec=spec, result_bytes=_BYTES_PER_CELL * cells
    )
    return debit, Draw.of(event, event.records_per_unit, len(spec))


async def obtain_plan(runtime: Runtime, caller: Caller, dataset: DatasetRow, body: schema.MarginsCreate) -> Plan:
    """Return the plan of a request, which is cached: a charge measures what the quote before it said.

    Raises MarginsPending if it takes longer than a request may wait, InvalidRequest, RateLimited and JobQuotaExceeded.
    """
    order = await asyncio.to_thread(planning.order, dataset, body)
    key = hashlib.sha256(f"margins {caller.principal_id} {order.text}".encode()).hexdigest()
    found = runtime.caches.plans.get(key)
    if found is None:
        result = await jobs.run_or_enqueue(runtime, caller, "margins_plan", lambda _: order)
        if isinstance(result, JobRow):
            raise MarginsPending.until(retry_seconds(result.created_at), job=f"/v1/jobs/{result.id}")
        found = result
        runtime.caches.plans.keep(key, found)
    return Plan.from_json(found)


def event_of(dataset: DatasetRow, body: schema.MarginsCreate, plan: Plan) -> Margins:
    """Return the event that measures the planned margins. Raises InvalidRequest beyond its limits."""
    accountant, table = Accountant(dataset.accountant), names_of(dataset).table
    try:
        return Margins(
            n=dataset.record_count,
            levels=table.levels,
            impossible=table.impossible,
            margins=plan.margins,
            losses=plan.losses_of(accountant),
            delta=body.delta if accountant is Accountant.ZCDP else Delta(0),
            records_per_unit=dataset.records_per_unit,
        )
    except EventError as error:
        raise InvalidRequest.at("", str(error)) from None


KIND: Final = Kind(margins_document)
