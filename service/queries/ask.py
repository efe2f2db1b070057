"""The way through of answers to queries: replay? what is known, what has to be measured, debit, measure, store, answer
from the stored row.

What the caller's own releases answer well enough is free. What they do not is measured with the least noise that,
together with them, gives the width asked for. Which rate that is hangs on what the caller may read alone; what it costs
is found under the lock, where it hangs on all that was measured.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, bindparam, func, select, text

from core.accounting.accountants import Cost
from core.mechanisms.linear import LinearAnswers, release
from core.privacy import Delta
from service import costs, log
from service.auth import Caller, Role
from service.computations.processes import NotBegunError
from service.database.engine import reading
from service.database.rows import DatasetRow, JobRow, QueryChargeRow, ReleaseRow
from service.database.tables import FREE_ANSWERS, OF_QUERIES, budgets, grants, query_charges, releases
from service.datasets import counts as stored_counts
from service.datasets import datasets as dataset_use_case
from service.datasets.cipher import NotOpenedHereError
from service.datasets.datasets import DatasetFacts
from service.entropy import system_entropy
from service.errors import (
    BudgetExhausted,
    ChargeAboveLimit,
    FactsChanged,
    FreeAnswerQuota,
    GrantExhausted,
    Problem,
    QueriesPending,
    ReleaseCapExceeded,
    ShuttingDown,
    within,
)
from service.fair_queue import FairQueue
from service.faults import crash_point
from service.identifiers import new_id
from service.jobs import jobs
from service.ledger.debit import Debit, Paid, find_paid, hash_idempotency_key
from service.ledger.joint_costs import Measured, find_charge, work_of
from service.ledger.query_debit import MEASURING, QUERY_PREFIX, QueryDebit
from service.queries import answers
from service.queries.answers import query_document
from service.queries.known import Known, KnownRelease, read_again, read_few, read_known
from service.queries.measuring import inputs, most_quick_rows, most_rows, order_of, probability_seconds, seconds
from service.queries.order import QueryOrder
from service.queries.payer import PayerFacts, payer_of, read_payer
from service.queries.reach import REACH
from service.quotas import Quotas
from service.releases.payload import hash_payload
from service.releases.release import Answer
from service.releases.results import Drawn, store_results
from service.releases.time_grid import grid_spacing, wait_for_tick
from service.releases.undrawn import Undrawn, answer_from_row, await_processes, leased, settle_undrawn, settling
from service.runtime import WAITED_SECONDS, Runtime
from service.schemas import queries as schema

_logger = logging.getLogger("posterior.queries")
_TRIES = 3
_LEASE_SECONDS = 30
_BYTES_A_NUMBER = 30
_DEAR = 20_000
"""Pairs of columns: some milliseconds of pricing."""
_PRICING_SECONDS, _SECONDS_A_PAIR = 1e-3, 1.2e-7
_ANSWERING_SECONDS, _SECONDS_AN_ANSWER = 0.05, 2e-3
_LEAST_PLANNING_SECONDS: Final = 0.2
_FEWER_PROBABILITIES: Final = "Ask for fewer probabilities (between) at a time."
_PLACES_APART: Final = 2
"""Of slow draws, for answers that are put together in a process of their own."""
_NO_LIMIT = Delta(2**62)


def _free(paid_by: ColumnElement[bool]) -> ColumnElement[int]:
    """How many answers that cost nothing were paid for by the grants, or budgets, of a query: an index has those of
    each, and their ids stay in the database. With a join in its place PostgreSQL may read those of all.
    """
    count = select(func.count()).select_from(query_charges).where(text(FREE_ANSWERS), paid_by).scalar_subquery()
    return func.sum(count)


_FREE_THROUGH_GRANTS = select(_free(query_charges.c.grant_id == grants.c.id)).where(
    grants.c.principal_id == bindparam("principal_id")
)
_FREE_OF_OWNER = select(_free(query_charges.c.grant_id.is_(None) & (query_charges.c.budget_id == budgets.c.id))).where(
    budgets.c.owner_id == bindparam("principal_id")
)


@dataclass(frozen=True, slots=True)
class _Request:
    caller: Caller
    dataset_id: str
    body: schema.QueryCreate
    document: dict[str, Any]
    key_hash: str
    payload_hash: str
    began: float
    """By the monotonic clock."""


async def create(
    runtime: Runtime, caller: Caller, dataset_id: str, body: schema.QueryCreate, idempotency_key: str
) -> Answer:
    """The answers, as their stored JSON text; those that this key already paid for, where there are any."""
    document = body.model_dump(mode="json")
    payload = hash_payload(dataset_id, body)
    key_hash = hash_idempotency_key(caller.principal_id, idempotency_key)
    request = _Request(caller, dataset_id, body, document, key_hash, payload, time.monotonic())
    for _ in range(_TRIES):
        found = await runtime.read(lambda c: _replay_or_facts(c, request))
        if isinstance(found, ReleaseRow):
            return Answer(await _answer(runtime, found), replayed=True)
        planned = await _plan(runtime, request, found)
        crash_point("priced")
        try:
            # The place is taken before the charge, and held until the tick.
            queue, size = _queue(runtime, planned.order, planned.known)
            async with queue.place(caller.principal_id, size=size):
                paid = await _pay(runtime, planned.debit)
                crash_point("debited")
                if paid.new:
                    measured = await _measure_and_answer(runtime, paid.row, planned.order, paid.charge, planned.known)
                    return Answer(measured, replayed=False)
        except FactsChanged:
            continue
        except (BudgetExhausted, ChargeAboveLimit, GrantExhausted, ReleaseCapExceeded) as problem:
            raise await _with_reach(runtime, request, found, problem) from None
        return Answer(await _answer(runtime, paid.row), replayed=True)
    raise FactsChanged


async def _with_reach(runtime: Runtime, request: _Request, facts: DatasetFacts, refused: Problem) -> Problem:
    """The refusal of an amount with the half widths that would be granted, where its caller may be told an amount."""
    left = WAITED_SECONDS - (time.monotonic() - request.began)
    if not refused.extra or left < _LEAST_PLANNING_SECONDS:
        return refused
    with suppress(Problem):  # the refusal stands, whatever hinders this
        read = partial(_inputs, request=request, facts=facts)
        principal_id = request.caller.principal_id
        text = await runtime.compute_from(principal_id, REACH, read, processor_seconds=left)
        refused.extra["reachable_half_widths"] = json.loads(text)
    return refused


def _replay_or_facts(connection: Connection, request: _Request) -> ReleaseRow | DatasetFacts:
    # The replay comes before grant, freeze and budget are looked at: what was paid stays available.
    paid = find_paid(connection, request.key_hash, request.payload_hash)
    if paid is not None:
        return paid
    request.caller.require(Role.OWNER, Role.ANALYST)
    return dataset_use_case.facts(connection, request.caller, request.dataset_id)


def _check_quota(connection: Connection, principal_id: str, most: int) -> None:
    """Raises FreeAnswerQuota. A few at once may pass it together; it bounds storage and no more."""
    found = 0
    for free in (_FREE_THROUGH_GRANTS, _FREE_OF_OWNER):
        found += connection.execute(free, {"principal_id": principal_id}).scalar_one() or 0
        if found >= most:
            raise FreeAnswerQuota


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be measured, and what it takes to pay for it. `known`: the history that it rests on, where that is
    short.
    """

    order: QueryOrder
    debit: Debit
    known: Known | None = None


async def _plan(runtime: Runtime, request: _Request, facts: DatasetFacts) -> _Plan:
    """Plans in a thread where the history is short, as a process would take longer to start than to plan. Nothing
    that hangs on the size of a request is done on the event loop.

    Raises QueriesPending where planning takes longer than somebody waits, InvalidRequest, RateLimited,
    ComputationTooLarge and JobQuota.
    """
    principal_id, dataset = request.caller.principal_id, facts.dataset
    most_rows = most_quick_rows(dataset.category_count, len(request.body.queries))
    if most_rows >= 0:
        async with runtime.quick_plans.queue.place(principal_id):
            few = await runtime.read(partial(read_few, caller=request.caller, dataset=dataset, most_rows=most_rows))
            if few is not None:
                payer = await runtime.read(partial(read_payer, caller=request.caller, dataset=dataset))
                return await runtime.quick_plans.run(partial(_plan_here, request, facts, few, payer))
    left = _seconds_left(request, dataset, runtime.settings.response_grid_ms)
    read = partial(_ordered, request=request, facts=facts, left=left)
    found = await jobs.answer(runtime, request.caller, "query_order", read)
    if isinstance(found, JobRow):
        raise QueriesPending(job=f"/v1/jobs/{found.id}", estimated_seconds=found.estimated_seconds)
    return await runtime.run(partial(_planned_there, request, facts, found))


def _ordered(connection: Connection, request: _Request, facts: DatasetFacts, left: float) -> jobs.Order:
    """What is to be planned. It is planned once for each key, as what others have measured in the meantime would make
    it another plan without end; who sees what else was measured is in the key, too.

    Raises ComputationTooLarge where the answers could not be put together in the seconds that are left for that.
    """
    dataset = facts.dataset
    known = read_known(connection, request.caller, dataset)
    after_the_charge = probability_seconds(request.body, known, dataset.category_count)
    jobs.check(after_the_charge, left, _FEWER_PROBABILITIES)
    text = inputs(dataset, request.document, known, read_payer(connection, request.caller, dataset))
    # Whoever paid for the same request under another key has what it needs. Planned before, it would be paid twice.
    answered = _find_answered(connection, request)
    found_by = [request.key_hash, request.payload_hash, dataset.commitment, dataset.history_shared, answered]
    estimated = seconds(request.body, known, dataset.category_count)
    inline_seconds = max(left - after_the_charge, _LEAST_PLANNING_SECONDS)
    return jobs.Order(text, estimated, inline_seconds, json.dumps(found_by))


def _find_answered(connection: Connection, request: _Request) -> str | None:
    """The latest answers of the caller's to the same request under another key."""
    # In the words of an index, which SQLite finds by them alone. The hash covers the data set.
    same = select(releases.c.id).where(
        text(OF_QUERIES),
        releases.c.payload_hash == request.payload_hash,
        releases.c.principal_id == request.caller.principal_id,
        releases.c.key_hash != request.key_hash,
        releases.c.state == "complete",
    )
    found: str | None = connection.execute(same.order_by(releases.c.sequence.desc()).limit(1)).scalar()
    return found


def _seconds_left(request: _Request, dataset: DatasetRow, spacing_ms: int) -> float:
    """For how long whoever asked may wait for a plan and for probabilities between bounds: the rest is for what else
    comes, by the most that may have to be measured.
    """
    m, asked = dataset.category_count, request.body.queries
    rows = most_rows(m, sum(each.half_width is not None for each in asked))
    pricing = grid_spacing(_pricing_seconds(work_of(rows, m)), spacing_ms)
    drawing = grid_spacing(_drawing_seconds(rows, m), spacing_ms)
    answering = _ANSWERING_SECONDS + _SECONDS_AN_ANSWER * len(asked)
    return max(WAITED_SECONDS - pricing - drawing - answering, _LEAST_PLANNING_SECONDS)


def _plan_here(request: _Request, facts: DatasetFacts, releases: list[KnownRelease], payer: PayerFacts) -> _Plan:
    order, known = order_of(facts.dataset, request.document, releases, payer_of(payer, facts.dataset))
    return _Plan(order, _debit(request, facts, order), known)


def _planned_there(request: _Request, facts: DatasetFacts, text: str) -> _Plan:
    order = QueryOrder.from_json(text)
    return _Plan(order, _debit(request, facts, order))


async def _pay(runtime: Runtime, debit: Debit) -> Paid:
    """Prices the rows and pays for them. How long pricing takes tells how many kinds of cells others told apart, so
    that what comes of it leaves on a grid that hangs on the size of the request alone.
    """
    measured = None if debit.query is None else debit.query.measured
    work = 0 if measured is None else measured.work
    async with runtime.dear_prices.place(debit.principal_id) if work > _DEAR else nullcontext():
        started = time.monotonic()
        prepared = await runtime.read(partial(_prepared, runtime=runtime, debit=debit))
        if measured is not None:
            await wait_for_tick(started, grid_spacing(_pricing_seconds(work), runtime.settings.response_grid_ms))
        return await runtime.writer.perform(runtime.debit_handler, prepared)


def _pricing_seconds(work: int) -> float:
    """A generous public estimate of what looking at so many pairs of columns takes."""
    return _PRICING_SECONDS + _SECONDS_A_PAIR * work


def _prepared(connection: Connection, runtime: Runtime, debit: Debit) -> Debit:
    """The debit with its price as of now. Raises FreeAnswerQuota."""
    debit = runtime.debit_handler.prepared(connection, debit)
    if debit.query is not None and debit.query.is_free:
        _check_quota(connection, debit.principal_id, Quotas.of(runtime.settings).free_answers)
    return debit


def _inputs(connection: Connection, request: _Request, facts: DatasetFacts) -> str:
    known = read_known(connection, request.caller, facts.dataset)
    return inputs(facts.dataset, request.document, known, read_payer(connection, request.caller, facts.dataset))


def _debit(request: _Request, facts: DatasetFacts, order: QueryOrder) -> Debit:
    dataset, limit = facts.dataset, request.body.charge_at_most
    measured = None if order.event is None else Measured.of(order.event.measured, order.accountant)
    most = None
    if limit is not None:
        with within("charge_at_most"):
            most = costs.asked(order.accountant, epsilon=limit.epsilon, rho=limit.rho, delta=_NO_LIMIT)
    return Debit(
        release_id=new_id(QUERY_PREFIX),
        principal_id=request.caller.principal_id,
        key_id=request.caller.key_id,
        dataset_id=dataset.id,
        budget_id=dataset.budget_id,
        grant_id=facts.grant_id,
        key_hash=request.key_hash,
        payload_hash=request.payload_hash,
        commitment=dataset.commitment,
        mechanism=MEASURING,
        cost=Cost(),
        order=order.to_json(),
        lease_seconds=_LEASE_SECONDS,
        result_bytes=_BYTES_A_NUMBER * order.numbers,
        query=QueryDebit(measured, most, shared=bool(dataset.history_shared)),
    )


async def _answer(runtime: Runtime, row: ReleaseRow) -> str:
    return await answer_from_row(runtime, row, partial(_undrawn_of, runtime))


def _undrawn_of(runtime: Runtime, row: ReleaseRow) -> Undrawn:
    order = QueryOrder.from_json(row.plan)
    queue, places = _queue(runtime, order, None)
    return Undrawn(_LEASE_SECONDS, queue, lambda row: _measure_and_answer(runtime, row, order), places)


def _is_apart(order: QueryOrder, known: Known | None) -> bool:
    """Whether the answers are put together in a process of their own: what is long, or beside releases, or looks at all
    possible counts, would be in the way of others' reads.
    """
    return known is None or bool(order.request.get("constraints"))


def _queue(runtime: Runtime, order: QueryOrder, known: Known | None) -> tuple[FairQueue, int]:
    """Where answers have their place while they are measured, and how many they take."""
    return (runtime.slow_draws, _PLACES_APART) if _is_apart(order, known) else (runtime.draws.queue, 1)


async def _measure_and_answer(
    runtime: Runtime,
    row: ReleaseRow,
    order: QueryOrder,
    charge: QueryChargeRow | None = None,
    known: Known | None = None,
) -> str:
    """Measures what is to be measured, on a tick of the time grid, and stores the answers. Nothing past here says why
    it failed.

    `charge` and `known`, the history that the order rests on, are read where they are not at hand.
    """
    log.add(release_id=row.id)
    with settling(row.id):
        if charge is None:
            charge = await runtime.read(partial(find_charge, release_id=row.id))
        # What the answers rest on is read, and what makes processes started, before the counts are open: what fails
        # from then on settles the release, so that nothing is drawn twice.
        told: list[KnownRelease] = []
        if _is_apart(order, known):
            known = None
            told = await runtime.read(partial(read_again, release_ids=order.rests_on, m=len(order.labels)))
            async with leased(runtime, row):
                await await_processes(runtime, _LEASE_SECONDS / 2)
        started = time.monotonic()
        drawn = () if order.event is None else await runtime.draws.run(lambda: _draw(runtime, row, order.event))
        if order.event is not None:
            typical = _drawing_seconds(len(order.event.rows), order.event.m)
            await wait_for_tick(started, grid_spacing(typical, runtime.settings.response_grid_ms))
        crash_point("drawn")
        result = None
        if drawn is not None and known is not None:
            result = await runtime.run(lambda: _document(row, order, charge, known, drawn))
        elif drawn is not None:
            result = await _document_apart(runtime, row, order, charge, told, drawn)
        stored = await runtime.results.perform(store_results, Drawn(row.id, result))
        crash_point("stored")
    return stored


def _document(
    row: ReleaseRow, order: QueryOrder, charge: QueryChargeRow, known: Known, drawn: Sequence[Fraction]
) -> str | None:
    """The answers; None where they can't be put together, which can hang on what was drawn: drawn anew, they would
    tell of the counts more than was paid for.
    """
    try:
        return query_document(row, order, charge, known, drawn)
    except Exception as error:  # noqa: BLE001  see the docstring
        _tell_failed(row, error)
        return None


async def _document_apart(
    runtime: Runtime,
    row: ReleaseRow,
    order: QueryOrder,
    charge: QueryChargeRow,
    told: list[KnownRelease],
    drawn: Sequence[Fraction],
) -> str | None:
    """As `_document`, in a process of its own. Where the service ends first, or no process was told of what was drawn,
    the release stays paid.
    """
    text = await runtime.run(lambda: answers.inputs(row, order, charge, told, drawn))
    try:
        return await runtime.processes.run(answers.ANSWERED, text, seconds=jobs.JOB_SECONDS)
    except (ShuttingDown, NotBegunError):
        raise
    except Exception as error:  # noqa: BLE001  as in `_document`
        _tell_failed(row, error)
        return None


def _tell_failed(row: ReleaseRow, error: Exception) -> None:
    _logger.error("a release is charged and failed", extra={"release_id": row.id} | log.failure(error))


def _draw(runtime: Runtime, row: ReleaseRow, event: LinearAnswers | None) -> tuple[Fraction, ...] | None:
    """The noisy answers; None where the mechanism raised, or the counts were destroyed or altered. The exception is
    dropped unread: it could tell of the counts. Raises NotOpenedHereError.
    """
    assert event is not None
    with reading(runtime.engine) as connection:
        sealed = stored_counts.read_sealed(connection, [row.dataset_id]).get(row.dataset_id)
    if sealed is None:
        return None
    try:
        counts = stored_counts.open_counts(sealed, runtime.ring)
        crash_point("opened")
        return release(counts, event, system_entropy()).value
    except NotOpenedHereError:
        raise
    except Exception:  # noqa: BLE001  see the docstring
        _logger.error("a release is charged and failed", extra={"release_id": row.id})
        return None


def _drawing_seconds(rows: int, m: int) -> float:
    """A generous public estimate of a draw of so many rows over m cells on one core."""
    return 5e-3 + rows * (5e-4 + 1e-6 * m)


async def measure_undrawn(runtime: Runtime, after: str = "") -> str:
    """Measures some of what crashes left, and returns what to go on behind, as `settle_undrawn`."""
    return await settle_undrawn(runtime, "query", after, partial(_answer, runtime))
