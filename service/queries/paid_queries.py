"""Plan, pay for and compose answers to queries.

Queries that the caller's readable releases already answer precisely enough are free. The others are measured, with the
most noise that still gives the requested width. The noise rate depends only on releases that the caller may read. The
price is computed under the lock, and depends on all rows measured on the data set.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import nullcontext
from functools import partial
from typing import Any, Final, TypeAlias

from pydantic_core import to_json
from sqlalchemy import Connection, select, text

from core.accounting.accountants import Accountant, Cost
from core.privacy import Delta
from service.database import costs
from service.database.rows import DatasetRow, JobRow, ReleaseRow
from service.database.tables import OF_QUERIES, releases
from service.datasets.public_facts import DatasetFacts
from service.drawing.estimates import on_this_host
from service.errors import (
    MaxChargeExceeded,
    PreparationPending,
    ReleaseAltered,
    StoredDataAltered,
    error_location,
)
from service.identifiers.identifiers import now
from service.ledger.debit import Debit, Paid
from service.ledger.decision import Charge
from service.ledger.joint_costs import Measured, find_charge
from service.ledger.query_debit import MEASURING, QUERY_PREFIX, QueryDebit
from service.limits.limits import COMPOSING
from service.principals.auth import Caller
from service.principals.quotas import check_free_answers
from service.queries import answers
from service.queries.measuring import PayerFacts, QuerySpec, inputs, most_quick_rows, payer_of, read_payer, spec_of
from service.queries.quote import pricing
from service.queries.readable_history import KnownRelease, read_again, read_few, read_known
from service.releases.paid import Draw
from service.releases.release import PaidRequest
from service.runtime import jobs
from service.runtime.job_leases import retry_seconds
from service.runtime.key_file import InstalledKeys
from service.runtime.response_time import spacing_seconds, wait_for_tick
from service.runtime.runtime import Kind, Priced, Runtime
from service.schemas import queries as schema
from service.schemas.model import amount
from service.schemas.releases import OfQuotes

_Request: TypeAlias = PaidRequest[schema.QueryCreate]
_Plan: TypeAlias = tuple[Debit, Draw | None]
"""The debit for the answers, and the draw that measures them; None if nothing is measured."""
_BYTES_PER_NUMBER = 30
_MANY_PAIRS = 20_000
"""Pairs of columns from which pricing waits for a slot: they take some milliseconds."""
_PRICING_SECONDS, _SECONDS_PER_PAIR = 1e-3, 1.2e-7
_NO_LIMIT = Delta(2**62)


async def _price(runtime: Runtime, request: _Request, facts: DatasetFacts) -> _Plan:
    """Plan in a thread if the history is short, because starting a process would take longer; otherwise plan in a
    process.

    Work that grows with the request never runs on the event loop. Raises PreparationPending if planning takes longer
    than a request may wait, InvalidRequest, RateLimited, ComputationTooLarge and JobQuotaExceeded.
    """
    principal_id, dataset = request.caller.principal_id, facts.dataset
    most_rows = most_quick_rows(dataset.category_count, len(request.body.queries))
    if most_rows >= 0:
        async with runtime.processes.query_planning_slots.slot(principal_id):
            few = await runtime.database.read(
                partial(
                    read_few, caller=request.caller, dataset=dataset, keys=runtime.database.keys, most_rows=most_rows
                )
            )
            if few is not None:
                payer = await runtime.database.read(partial(read_payer, caller=request.caller, dataset=dataset))
                return await asyncio.to_thread(partial(_plan_now, request, facts, few, payer))
    read = partial(_planning_order, request=request, facts=facts, keys=runtime.database.keys)
    found = await jobs.run_or_enqueue(runtime, request.caller, "query_order", read)
    if isinstance(found, JobRow):
        raise PreparationPending.until(retry_seconds(found.created_at), job=f"/v1/jobs/{found.id}")
    return await asyncio.to_thread(partial(_plan_from_job, request, facts, found))


def _planning_order(
    connection: Connection, request: _Request, facts: DatasetFacts, keys: InstalledKeys
) -> jobs.JobInput:
    """Return the order of the planning job. Its key includes whether the history is shared.

    Each idempotency key is planned once. Otherwise new measurements by others would change the plan repeatedly.
    """
    dataset = facts.dataset
    text = _inputs(connection, request, facts, keys)
    # After the same request was paid under another key, an older plan would measure, and charge, a second time. So
    # those answers are part of the job's key.
    answered = _find_answered(connection, request)
    found_by = [request.key_hash, request.payload_hash, dataset.commitment, dataset.history_shared, answered]
    return jobs.JobInput(text, found_by=json.dumps(found_by))


def _find_answered(connection: Connection, request: _Request) -> str | None:
    """Return the id of the caller's latest answers to the same request under another key, or None."""
    # Repeat the condition of the partial index literally, otherwise SQLite does not use it. The payload's hash covers
    # the data set.
    same = select(releases.c.id).where(
        text(OF_QUERIES),
        releases.c.payload_hash == request.payload_hash,
        releases.c.principal_id == request.caller.principal_id,
        releases.c.key_hash != request.key_hash,
        releases.c.state == "complete",
    )
    found: str | None = connection.execute(same.order_by(releases.c.sequence.desc()).limit(1)).scalar()
    return found


def _plan_now(request: _Request, facts: DatasetFacts, releases: list[KnownRelease], payer: PayerFacts) -> _Plan:
    return _plan_of(request, facts, spec_of(facts.dataset, request.document, releases, payer_of(payer, facts.dataset)))


def _plan_from_job(request: _Request, facts: DatasetFacts, text: str) -> _Plan:
    return _plan_of(request, facts, QuerySpec.from_json(text))


def _plan_of(request: _Request, facts: DatasetFacts, spec: QuerySpec) -> _Plan:
    text = spec.to_json()
    draw = None if spec.event is None else Draw.of(spec.event, spec.records_per_unit, len(text))
    return _debit(request, facts, spec, text), draw


async def _pay(runtime: Runtime, debit: Debit) -> Paid:
    """Price the rows and pay for them.

    Pricing time depends on how many kinds of cells the rows of others distinguish. The debit or refusal therefore waits
    for a tick that depends only on the size of the request.
    """
    measured = None if debit.query is None else debit.query.measured
    work = 0 if measured is None else measured.work
    async with runtime.processes.pricing_slots.slot(debit.principal_id) if work > _MANY_PAIRS else nullcontext():
        started = runtime.ticks.start()
        prepared = await runtime.database.read(partial(_prepare_debit, runtime=runtime, debit=debit))
        if measured is not None:
            spacing = spacing_seconds(_pricing_seconds(work), runtime.processes.response_time_quantum_ms)
            await wait_for_tick(runtime.ticks, started, spacing)
        return await runtime.database.debit(prepared)


def _pricing_seconds(work: int) -> float:
    """Return a generous estimate of the time to price `work` pairs of columns. It depends on public facts only."""
    return on_this_host(_PRICING_SECONDS + _SECONDS_PER_PAIR * work)


def _prepare_debit(connection: Connection, runtime: Runtime, debit: Debit) -> Debit:
    """Return the debit with its current price. Raises FreeAnswerQuotaExceeded."""
    debit = runtime.database.price(connection, debit)
    if debit.query is not None and debit.query.is_free:
        check_free_answers(connection, debit.principal_id, runtime.database.quotas.free_answers)
    return debit


def _inputs(connection: Connection, request: _Request, facts: DatasetFacts, keys: InstalledKeys) -> str:
    known = read_known(connection, request.caller, facts.dataset, keys)
    return inputs(facts.dataset, request.document, known, read_payer(connection, request.caller, facts.dataset))


def _debit(request: _Request, facts: DatasetFacts, spec: QuerySpec, text: str) -> Debit:
    measured = None if spec.event is None else Measured.of(spec.event.measured, spec.accountant)
    return request.debit(
        facts,
        prefix=QUERY_PREFIX,
        mechanism=MEASURING,
        cost=Cost(),
        spec=text,
        drawn=_spec_of_queries(request.body),
        result_bytes=_BYTES_PER_NUMBER * spec.numbers + len(to_json(spec.request)),
        query=QueryDebit(measured, _limit(request.body, spec.accountant), shared=bool(facts.dataset.history_shared)),
    )


def _limit(body: schema.QueryCreate, accountant: Accountant) -> Cost | None:
    """Return the most that may be charged. Raises InvalidRequest if it is not in the unit of the budget."""
    most = body.max_charge
    if most is None or (most.epsilon is None and most.rho is None):  # a quote needs none
        return None
    with error_location("max_charge"):
        return costs.asked(accountant, epsilon=most.epsilon, rho=most.rho, delta=_NO_LIMIT)


async def _quote(runtime: Runtime, caller: Caller, dataset: DatasetRow, body: schema.QueryCreate) -> Priced:
    """Return the price of queries from the facts that the caller may see: what their own rows rise to."""
    accountant = Accountant(dataset.accountant)
    most = _limit(body, accountant)
    read = partial(pricing, caller=caller, dataset=dataset, body=body, keys=runtime.database.keys)
    found = await jobs.run_or_enqueue(runtime, caller, "query_price", read)
    if isinstance(found, JobRow):
        raise PreparationPending.until(retry_seconds(found.created_at), job=f"/v1/jobs/{found.id}")
    price = json.loads(found)
    cost, alone = (costs.of_document(price[name]) for name in ("would_charge", "standalone_cost"))

    def quoted(of_every_kind: dict[str, Any], _: DatasetRow) -> OfQuotes:
        return schema.QueriesQuote(
            kind="queries",
            standalone_cost=amount(accountant, alone),
            joint_cost=amount(accountant, costs.of_document(price["joint_cost"])),
            achievable_half_widths=price["achievable_half_widths"],
            **of_every_kind,
        )

    measuring = MEASURING if price["measures"] else None
    above = MaxChargeExceeded() if most is not None and not cost.fits(most) else None
    return Priced(Charge(cost, measuring, now(), granted=cost, alone=alone), above, quoted, _spec_of_queries(body))


def _spec_of_queries(body: schema.QueryCreate) -> dict[str, Any]:
    """Return the members of a spec with the answered queries."""
    return {"request": {"queries": [each.model_dump(mode="json") for each in body.queries]}}


async def _compose(runtime: Runtime, row: ReleaseRow) -> str:
    """Return the document of measured answers. It runs in a separate process, and may take as long as a job."""
    text = await runtime.database.read(partial(_composing, row=row, keys=runtime.database.keys))
    async with runtime.processes.composing_slots.slot(row.principal_id):
        return await runtime.processes.computations.run(answers.ANSWERED, text, seconds=COMPOSING.seconds)


def _composing(connection: Connection, row: ReleaseRow, keys: InstalledKeys) -> str:
    assert row.drawn is not None, "a drawn release has its values"
    spec = QuerySpec.from_json(row.spec)
    known = read_again(connection, spec.rests_on, len(spec.labels), keys)
    try:
        charge = find_charge(connection, row.id, keys.verified)
    except StoredDataAltered:
        raise ReleaseAltered from None
    return answers.inputs(row, charge, known)


KIND: Final = Kind(_price, _pay, _quote, compose=_compose)
