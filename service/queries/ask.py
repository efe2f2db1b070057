"""The way through of answers to queries: replay? what is known, what has to be measured, debit, measure, store, answer
from the stored row.

What the caller's own releases answer well enough is free. What they do not is measured with the least noise that,
together with them, gives the width asked
for. Which rate that is hangs on what the caller may read alone; what it costs is found under the lock, where it hangs
on all that was measured.
"""

from __future__ import annotations

import json
import logging
import time
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any

from sqlalchemy import Connection

from core.accounting.accountants import Accountant, Cost
from core.accounting.pairwise_loss import Row
from core.mechanisms.event import EventError
from core.mechanisms.linear import LinearAnswers, release
from core.privacy import Delta
from core.queries.estimator import Query, estimate
from core.queries.history import History, HistoryError
from core.queries.search import least_rate
from service import costs, log
from service.auth import Caller, Role
from service.cells import CellNames
from service.database.engine import reading
from service.database.rows import DatasetRow, QueryChargeRow, ReleaseRow
from service.datasets import counts as stored_counts
from service.datasets import datasets as dataset_use_case
from service.datasets.datasets import DatasetFacts
from service.entropy import system_entropy
from service.errors import FactsChanged, InvalidRequest, Problem, ReleaseInProgress, within
from service.faults import reach
from service.identifiers import new_id
from service.ledger.debit import Debit, find_paid, hash_idempotency_key
from service.ledger.joint_costs import Measured, find_charge
from service.ledger.query_debit import QueryDebit
from service.queries.answers import query_document
from service.queries.asked import read_queries
from service.queries.known import history_of, read_rows
from service.queries.order import QueryOrder
from service.queries.payload import hash_query_payload
from service.releases import access as release_access
from service.releases.release import UNDRAWN_AT_ONCE, Answer, is_leased, settling, take_lease, undrawn
from service.releases.results import MISSING, Drawn, store_results
from service.releases.time_grid import grid_spacing, wait_for_tick
from service.runtime import Runtime
from service.schemas import queries as schema

_logger = logging.getLogger("posterior.queries")
_TRIES = 3
_ORDER = "service.queries.ask:ordered"
_LEASE_SECONDS = 30
_MAX_MEASURED = 20_000
"""Numbers in the rows that one request measures."""
_MAX_NUMBERS = 200_000
_NO_LIMIT = Delta(2**62)


@dataclass(frozen=True, slots=True)
class _Request:
    caller: Caller
    dataset_id: str
    body: schema.QueryCreate
    document: dict[str, Any]
    key_hash: str
    payload_hash: str


async def create(
    runtime: Runtime, caller: Caller, dataset_id: str, body: schema.QueryCreate, idempotency_key: str
) -> Answer:
    """The answers, as their stored JSON text; those that this key already paid for, where there are any."""
    document = body.model_dump(mode="json")
    payload = hash_query_payload(dataset_id, document)
    key_hash = hash_idempotency_key(caller.principal_id, idempotency_key)
    request = _Request(caller, dataset_id, body, document, key_hash, payload)
    for _ in range(_TRIES):
        found = await runtime.read(lambda c: _replay_or_facts(c, request))
        if isinstance(found, ReleaseRow):
            return Answer(await _answer(runtime, found), replayed=True)
        facts, rows = found
        text = await runtime.compute(caller.principal_id, _ORDER, _inputs(request, facts, rows))
        order = QueryOrder.from_json(text)
        reach("priced", runtime.settings.fault_point)
        try:
            # The place is taken before the charge, and held until the tick.
            async with runtime.draws.queue.place(caller.principal_id):
                paid = await runtime.writer.perform(runtime.debit_handler, _debit(request, facts, order))
                reach("debited", runtime.settings.fault_point)
                if paid.new:
                    return Answer(await _measure_and_answer(runtime, paid.row, order), replayed=False)
        except FactsChanged:
            continue
        return Answer(await _answer(runtime, paid.row), replayed=True)
    raise FactsChanged


def _inputs(request: _Request, facts: DatasetFacts, rows: list[ReleaseRow]) -> str:
    return json.dumps({"facts": [facts.dataset, facts.grant_id], "rows": rows, "request": request.document})


def ordered(text: str) -> str:
    """A computation: the JSON text of the order of a request. Raises InvalidRequest."""
    inputs = json.loads(text)
    dataset, grant_id = inputs["facts"]
    facts = DatasetFacts(DatasetRow(*dataset), grant_id)
    rows = [ReleaseRow(*row) for row in inputs["rows"]]
    return order_of(schema.QueryCreate.model_validate(inputs["request"]), inputs["request"], facts, rows).to_json()


def _replay_or_facts(connection: Connection, request: _Request) -> ReleaseRow | tuple[DatasetFacts, list[ReleaseRow]]:
    # The replay comes before grant, freeze and budget are looked at: what was paid stays available.
    paid = find_paid(connection, request.key_hash, request.payload_hash.__eq__)
    if paid is not None:
        return paid
    request.caller.require(Role.OWNER, Role.ANALYST)
    facts = dataset_use_case.facts(connection, request.caller, request.dataset_id)
    return facts, read_rows(connection, request.caller, request.dataset_id)


def order_of(
    body: schema.QueryCreate, document: dict[str, Any], facts: DatasetFacts, rows: list[ReleaseRow]
) -> QueryOrder:
    """What the answers rest on and what has to be measured for them. Raises InvalidRequest, on public facts alone."""
    dataset = facts.dataset
    queries = read_queries(body.queries, CellNames.of_texts(dataset.labels, dataset.attributes))
    known = history_of(dataset, rows)
    if len(known.history) * len(queries) > _MAX_NUMBERS:
        raise InvalidRequest.at("queries", f"must be fewer: they would have more than {_MAX_NUMBERS} weights")
    measured = rows_to_measure(body, queries, known.history)
    try:
        event = None if not measured else _event(dataset.record_count, dataset.category_count, measured)
    except EventError as error:
        raise InvalidRequest.at("queries", str(error)) from None
    return QueryOrder(
        request=document,
        labels=json.loads(dataset.labels),
        attributes=None if dataset.attributes is None else json.loads(dataset.attributes),
        unit=dataset.unit,
        record_count=dataset.record_count,
        accountant=Accountant(dataset.accountant),
        rests_on=known.release_ids,
        event=event,
    )


def rows_to_measure(body: schema.QueryCreate, queries: list[Query], known: History) -> list[Row]:
    """A row for each query that the history, with the rows for those before, does not answer as precisely as was
    asked.
    """
    history, measured = known.copy(), list[Row]()
    for index, (asked, query) in enumerate(zip(body.queries, queries, strict=True)):
        with within(f"queries[{index}]"):
            found = estimate(history, query)
            if asked.half_width is None:
                if found is None:
                    raise InvalidRequest.at("half_width", "is required where earlier releases can't tell of the query")
                continue
            if found is not None and found.half_width(asked.confidence) <= asked.half_width:
                continue
            search = least_rate(history, found, query, asked.half_width, asked.confidence)
            if search is None:
                raise InvalidRequest.at("half_width", "is smaller than the largest rate of noise reaches")
            if (len(measured) + 1) * known.m > _MAX_MEASURED:
                raise InvalidRequest.at(
                    "", f"would be one too many: a request measures {_MAX_MEASURED} weights at most"
                )
            try:
                # What it will say changes nothing of how precise it is.
                history.add_answer(search.row, Fraction(0), "")
            except HistoryError as error:
                raise InvalidRequest.at("", str(error)) from None
            measured.append(search.row)
    return measured


def _event(n: int, m: int, rows: list[Row]) -> LinearAnswers:
    common = lcm(*(row.denominator for row in rows))
    whole = tuple(tuple(value * (common // row.denominator) for value in row.coefficients) for row in rows)
    return LinearAnswers(n, m, common, whole, tuple(row.rate for row in rows))


def _debit(request: _Request, facts: DatasetFacts, order: QueryOrder) -> Debit:
    dataset, limit = facts.dataset, request.body.charge_at_most
    measured = None if order.event is None else Measured.of(order.event.measured, order.accountant)
    most = None
    if limit is not None:
        with within("charge_at_most"):
            most = costs.asked(order.accountant, epsilon=limit.epsilon, rho=limit.rho, delta=_NO_LIMIT)
    return Debit(
        release_id=new_id("qry"),
        principal_id=request.caller.principal_id,
        key_id=request.caller.key_id,
        dataset_id=dataset.id,
        budget_id=dataset.budget_id,
        grant_id=facts.grant_id,
        key_hash=request.key_hash,
        payload_hash=request.payload_hash,
        commitment=dataset.commitment,
        mechanism="linear",
        cost=Cost(),
        order=order.to_json(),
        lease_seconds=_LEASE_SECONDS,
        query=QueryDebit(measured, most),
    )


async def _answer(runtime: Runtime, row: ReleaseRow) -> str:
    """The stored result; what was paid and left undrawn is measured now. Raises ReleaseFailed, ReleaseLost or
    ReleaseInProgress.
    """
    log.add(release_id=row.id)
    if row.result is not None:
        return row.result
    if row.state in ("failed", "lost"):
        raise MISSING[row.state]
    with settling(row.id):
        order = QueryOrder.from_json(row.plan)
        if is_leased(row.leased_until, _LEASE_SECONDS):
            raise ReleaseInProgress
        async with runtime.draws.queue.place(row.principal_id):
            if not await runtime.write(lambda c: take_lease(c, row.id, _LEASE_SECONDS, runtime.witness)):
                raise ReleaseInProgress
            return await _measure_and_answer(runtime, row, order)


async def _measure_and_answer(runtime: Runtime, row: ReleaseRow, order: QueryOrder) -> str:
    """Measures what is to be measured, on a tick of the time grid, and stores the answers. Nothing past here says why
    it failed.
    """
    log.add(release_id=row.id)
    with settling(row.id):
        charge, earlier = await runtime.read(lambda c: _paid_for(c, row.id, order))
        started = time.monotonic()
        drawn = () if order.event is None else await runtime.draws.run(lambda: _draw(runtime, row, order.event))
        if order.event is not None:
            spacing = grid_spacing(_typical_draw_seconds(order.event), runtime.settings.response_grid_ms)
            await wait_for_tick(started, spacing)
        reach("drawn", runtime.settings.fault_point)
        # From here on everything follows from what is public.
        result = (
            None if drawn is None else await runtime.run(lambda: query_document(row, order, charge, earlier, drawn))
        )
        stored = await runtime.results.perform(store_results, Drawn(row.id, result, runtime.settings.fault_point))
        reach("stored", runtime.settings.fault_point)
    return stored


def _paid_for(connection: Connection, release_id: str, order: QueryOrder) -> tuple[QueryChargeRow, list[ReleaseRow]]:
    found = {row.id: row for row in release_access.complete_of(connection, order.rests_on)}
    return find_charge(connection, release_id), [found[each] for each in order.rests_on]


def _draw(runtime: Runtime, row: ReleaseRow, event: LinearAnswers | None) -> tuple[Fraction, ...] | None:
    """The noisy answers; None where the mechanism raised, or the counts were destroyed. The exception is dropped
    unread: it could tell of the counts.
    """
    assert event is not None
    with reading(runtime.engine) as connection:
        sealed = stored_counts.read_sealed(connection, [row.dataset_id]).get(row.dataset_id)
    if sealed is None:
        return None
    counts = stored_counts.open_counts(sealed, row.dataset_id, runtime.ring)
    reach("opened", runtime.settings.fault_point)
    try:
        return release(counts, event, system_entropy()).value
    except Exception:  # noqa: BLE001  see the docstring
        _logger.error("a mechanism raised; the release is charged and failed", extra={"release_id": row.id})
        return None


def _typical_draw_seconds(event: LinearAnswers) -> float:
    """A generous public estimate of a draw on one core."""
    return 5e-3 + len(event.rows) * (5e-4 + 1e-6 * event.m)


async def measure_undrawn(runtime: Runtime, after: str = "") -> str:
    """Measures some of what crashes left paid and undrawn, and returns what to go on behind, as `draw_undrawn`."""
    rows = await runtime.read(partial(undrawn, after=after, kind="query"))
    for row in rows:
        with suppress(Problem):
            await _answer(runtime, row)
    return rows[-1].id if len(rows) == UNDRAWN_AT_ONCE else ""
