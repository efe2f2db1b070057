"""The one path of every paid request, for posteriors and for query answers:

1. take a place in the queue
2. charge
3. draw
4. wait for the tick
5. compose the answer, and store it with the drawn values
6. respond

An answer that takes long to compose, or can't be composed now, is composed after the drawn values are stored.

After the charge a separate task continues. The request waits for it for a limited time, and then responds
`release-in-progress`. A retry under the same key gets the answer from the row.

A failed draw is stored as failed, on its tick. A release stays paid if its order was not sent to a draw process, or if
the service ended before the draw. A retry or the background task resumes it. Composing is retried until it succeeds.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from core.mechanisms.catalogue import AnyEvent
from service.channels.events import event_from_json
from service.database.rows import ReleaseRow
from service.datasets import counts as stored_counts
from service.drawing.estimates import estimate_seconds
from service.drawing.processes import DrawOrder, NotSentError
from service.errors import (
    DrawsUnavailable,
    NotSupported,
    OutcomeUnknown,
    Problem,
    ReceiptKeyUnavailable,
    ReleaseAltered,
    ReleaseFailed,
    ReleaseInProgress,
    ReleaseLost,
)
from service.identifiers.identifiers import failure, now
from service.ledger.debit import Debit, Paid, find_paid_before
from service.ledger.outcomes import SignedText, sign_outcome
from service.limits.limits import HELD_REQUESTS, FairQueue
from service.logs import log
from service.releases.results import (
    MAX_PENDING,
    WITHOUT_RESULT,
    Outcome,
    check_outcome,
    end_lease,
    is_leased,
    matches_receipt,
    pending,
    store_outcomes,
    take_lease,
)
from service.runtime.response_time import Start, lease_seconds, spacing_seconds, wait_for_tick
from service.runtime.runtime import Runtime
from service.settings.faults import crash_point
from service.settings.settings import SettingsError

_logger = logging.getLogger("posterior.releases")
_STORED_AGAIN_SECONDS: Final = 0.5
_MAX_QUICK_SPEC: Final = 4_000
"""Longest spec and longest drawn values, in characters, whose answer is composed on the event loop: some 180
categories, in about 1 ms.
"""
_FAILURES_AFTER_THE_CHARGE: Final = (
    ReleaseAltered,
    ReleaseFailed,
    ReleaseInProgress,
    ReleaseLost,
    ReceiptKeyUnavailable,
    OutcomeUnknown,
)


class StoredRelease(NamedTuple):
    """The stored text of a release, and whether an earlier request had paid for it."""

    signed: SignedText
    replayed: bool


@dataclass(frozen=True, slots=True)
class Draw:
    """An event to draw, and the estimated seconds of its draw, which depend on public facts only."""

    event: AnyEvent
    estimate: float
    document: Callable[[ReleaseRow], str] | None = None
    """Composes the answer from the spec that this process priced, so that the stored text need not be parsed."""

    @classmethod
    def of(
        cls,
        event: AnyEvent,
        records_per_unit: int,
        spec_bytes: int = 0,
        document: Callable[[ReleaseRow], str] | None = None,
    ) -> Draw:
        return cls(event, estimate_seconds(event, records_per_unit, spec_bytes), document)

    @classmethod
    def of_spec(cls, spec: str) -> Draw | None:
        """Return the draw that a stored spec describes, or None if it needs no draw."""
        stored = json.loads(spec)
        if stored["event"] is None:
            return None
        return cls.of(event_from_json(stored["event"]), stored["records_per_unit"], len(spec))


def check_draw(draw: Draw, most_seconds: int) -> None:
    """Raise NotSupported if the estimate of the draw exceeds `most_seconds`. A limit of 0 allows all draws."""
    if most_seconds and draw.estimate > most_seconds:
        raise NotSupported(
            f"A draw at this size and prior can take {draw.estimate:.0f} s, and this service allows {most_seconds} s. "
            "A smaller prior, fewer categories or fewer cells of margins take less."
        )


async def pay_and_answer(
    runtime: Runtime,
    debit: Debit,
    draw: Draw | None,
    *,
    perform: Callable[[Debit], Awaitable[Paid]],
    began: float,
) -> StoredRelease:
    """Take a place, pay with `perform`, and answer. `began` is the start of the request, by the loop's clock.

    Before the charge it raises the errors of the debit, RateLimited if all places are taken, and DrawsUnavailable.
    After the charge it raises the errors of `answer_from_row`.
    """
    if draw is None:
        paid = await perform(debit)
        return StoredRelease(await answer_from_row(runtime, paid.row, began=began), replayed=not paid.new)
    queue = runtime.processes.draws.places(draw.estimate)
    if not (runtime.processes.draws.are_available and queue.has_slot_for(debit.principal_id)):
        # A request that was paid before needs neither a place nor a process.
        if (before := await runtime.database.read(partial(find_paid_before, wish=debit))) is not None:
            return StoredRelease(await answer_from_row(runtime, before, began=began), replayed=True)
        if not runtime.processes.draws.are_available:
            raise DrawsUnavailable
    with await _take_place(queue, debit.principal_id) as place:
        lease = _lease_seconds(runtime, draw)
        paid = await perform(replace(debit, lease_seconds=lease))
        crash_point("debited")
        finishing = _start(runtime, paid, draw, place.pop_all()) if paid.new else None
    if finishing is None:
        return StoredRelease(await answer_from_row(runtime, paid.row, began=began), replayed=True)
    return StoredRelease(await _hold(runtime, finishing, paid.row.id, draw, began), replayed=False)


def _lease_seconds(runtime: Runtime, draw: Draw) -> int:
    before = runtime.processes.draws.places(draw.estimate).held
    return lease_seconds(draw.estimate, runtime.processes.response_time_quantum_ms, before)


async def _take_place(queue: FairQueue, principal_id: str) -> ExitStack:
    """Take a place in the queue. Closing the returned stack frees it. Raises RateLimited."""
    await queue.take(principal_id)
    place = ExitStack()
    place.callback(queue.leave, principal_id)
    return place


def _start(runtime: Runtime, paid: Paid, draw: Draw, place: ExitStack) -> asyncio.Task[SignedText]:
    """Start the task that finishes a release that was just paid or leased. Its ticks are counted from now."""
    started = runtime.ticks.start(paid.commit)
    return runtime.shutdown.start(paid.row.id, _finish(runtime, paid, draw, place, started))


async def _finish(runtime: Runtime, paid: Paid, draw: Draw, place: ExitStack, start: Start) -> SignedText:
    row = paid.row
    log.add(release_id=row.id)
    spacing = spacing_seconds(draw.estimate, runtime.processes.response_time_quantum_ms)
    with place:
        try:
            values = await _draw(runtime, paid, draw)
        except NotSentError:
            await runtime.database.write(partial(end_lease, row=row))
            raise ReleaseInProgress from None
        crash_point("drawn")
        await wait_for_tick(runtime.ticks, start, spacing)
    outcome = _outcome(runtime, row, values, draw)
    stored = await _store(runtime, row, outcome)
    if stored is not None:  # the data set was deleted meanwhile, or another process stored an outcome first
        return await answer_from_row(runtime, stored)
    if outcome.answer is not None:
        crash_point("stored")
        return SignedText(outcome.answer, outcome.signature)
    if outcome.values is None:
        raise ReleaseFailed
    crash_point("drawn-stored")
    drawn = row._replace(state="drawn", drawn=outcome.values, signature=outcome.signature)
    return await _answer_of_drawn(runtime, drawn)


def _outcome(runtime: Runtime, row: ReleaseRow, values: str | None, draw: Draw) -> Outcome:
    """Return the signed outcome of a draw, with its answer if that is composed quickly."""
    if values is None:
        _logger.error("a release is charged and failed", extra={"release_id": row.id})
        return Outcome(row.id, row.receipt, None)
    answer = None
    try:
        answer = _compose_at_once(runtime, row._replace(state="drawn", drawn=values), draw)
    except Exception as error:  # noqa: BLE001  the values are stored, whatever failed
        runtime.caches.composing_failed.keep(row.id, True)
        _log_unsettled(row.id, error)
    if answer is not None:
        crash_point("composed")
    signature = sign_outcome(runtime.database.keys.current.signer, row.id, values, answer)
    return Outcome(row.id, row.receipt, values, answer, signature)


async def _store(runtime: Runtime, row: ReleaseRow, outcome: Outcome) -> ReleaseRow | None:
    """Store the outcome of a draw. Return None, or the row if it has another outcome.

    Database failures are retried until the lease ends: if the values were lost, another process would draw a second
    time for one charge.
    """
    while True:
        try:
            return await runtime.database.store(store_outcomes, outcome)
        except Exception as error:
            _log_unsettled(row.id, error)
            if now() >= row.leased_until:
                raise
        await asyncio.sleep(_STORED_AGAIN_SECONDS)


async def _draw(runtime: Runtime, paid: Paid, draw: Draw) -> str | None:
    """Return the drawn values as JSON text, or None if the draw failed, or if the counts were destroyed or given the id
    of no key after the charge.

    Raises NotSentError.
    """
    row, counts = paid.row, paid.counts
    if counts is None:
        counts = await runtime.database.look(partial(stored_counts.read_encrypted, dataset_id=row.dataset_id))
    if counts is None:
        return None
    receipt = json.loads(row.receipt)
    if not runtime.database.keys.know(counts.key_id, receipt["key_id"]):
        known = await runtime.database.look(stored_counts.known_keys)
        if counts.key_id in known or counts.key_id in runtime.database.keys.current.ring.keys:
            raise NotSentError
        _logger.error("stored counts name a key that no service had", extra={"dataset_id": row.dataset_id})
        return None
    order = DrawOrder(
        principal_id=row.principal_id,
        release_id=row.id,
        spec=row.spec,
        receipt=receipt,
        dataset_id=counts.dataset_id,
        counts_key_id=counts.key_id,
        ciphertext=base64.b64encode(counts.ciphertext).decode(),
        estimate=draw.estimate,
        leased_until=row.leased_until,
    )
    return await runtime.processes.draws.draw(order)


async def _hold(
    runtime: Runtime, finishing: asyncio.Task[SignedText], release_id: str, draw: Draw, began: float
) -> SignedText:
    """Return the answer if it is ready while the request may be held.

    Raises ReleaseInProgress at once if the first response-time tick comes after that.
    """
    left = HELD_REQUESTS.seconds - (asyncio.get_running_loop().time() - began)
    first_tick = spacing_seconds(draw.estimate, runtime.processes.response_time_quantum_ms)
    if first_tick > left:
        raise ReleaseInProgress.until(first_tick)
    return await _await(finishing, release_id, left)


async def _await(finishing: asyncio.Task[SignedText], release_id: str, seconds: float) -> SignedText:
    """Return the result of the task within this time.

    Every failure is reported as ReleaseInProgress. That is always true: the release is charged, and a retry returns its
    outcome.
    """
    done, _ = await asyncio.wait({finishing}, timeout=max(seconds, 0))
    if not done or finishing.cancelled():
        raise ReleaseInProgress
    error = finishing.exception()
    if error is None:
        return finishing.result()
    if isinstance(error, _FAILURES_AFTER_THE_CHARGE):
        raise error
    _log_unsettled(release_id, error)
    raise ReleaseInProgress


def _log_unsettled(release_id: str, error: BaseException) -> None:
    if not isinstance(error, Problem):
        _logger.error("a paid release could not be settled now", extra={"release_id": release_id} | failure(error))


async def answer_from_row(runtime: Runtime, row: ReleaseRow, *, began: float | None = None) -> SignedText:
    """Return the stored answer. If the release is only paid, draw it; if it is only drawn, compose its answer.

    Raises ReleaseFailed, ReleaseLost, ReleaseInProgress, ReleaseAltered or ReceiptKeyUnavailable.
    """
    log.add(release_id=row.id)
    loop, keys = asyncio.get_running_loop(), runtime.database.keys
    left = HELD_REQUESTS.seconds if began is None else HELD_REQUESTS.seconds - (loop.time() - began)
    if row.state in {"drawn", "complete"} or row.result is not None:
        await asyncio.to_thread(check_outcome, row, keys)
    if row.result is not None:
        return SignedText(row.document, row.signature)
    if row.state == "drawn":
        return await _await(_composing(runtime, row), row.id, left)
    if row.state != "paid":
        raise WITHOUT_RESULT[row.state]
    if row.id in runtime.shutdown.in_progress or is_leased(row.leased_until):
        raise ReleaseInProgress
    if not await asyncio.to_thread(matches_receipt, row, keys) or await _was_answered(runtime, row):
        _logger.error("the row of a paid release was altered: it has failed", extra={"release_id": row.id})
        stored = await _store(runtime, row, Outcome(row.id, row.receipt, None))
        if stored is None:
            raise ReleaseFailed
        return await answer_from_row(runtime, stored, began=began)
    try:
        draw = await asyncio.to_thread(partial(Draw.of_spec, row.spec))
        assert draw is not None, "a release without a draw is stored as drawn"
        finishing = await _resume(runtime, row, draw)
    except Exception as error:  # noqa: BLE001  it is charged, whatever failed
        _log_unsettled(row.id, error)
        raise ReleaseInProgress from None
    return await _hold(runtime, finishing, row.id, draw, loop.time() + left - HELD_REQUESTS.seconds)


async def _was_answered(runtime: Runtime, row: ReleaseRow) -> bool:
    """Return whether the witness recorded an answer of this release, even if its row has none. Raises ReleaseInProgress
    if the witness can't be read.
    """
    try:
        return await asyncio.to_thread(runtime.database.witness.has_returned, row.id)
    except SettingsError as error:
        _log_unsettled(row.id, error)
        raise ReleaseInProgress from None


async def _resume(runtime: Runtime, row: ReleaseRow, draw: Draw) -> asyncio.Task[SignedText]:
    """Lease and draw a paid release. Raises ReleaseInProgress if another process draws it, and RateLimited."""
    with await _take_place(runtime.processes.draws.places(draw.estimate), row.principal_id) as place:
        seconds, witness = _lease_seconds(runtime, draw), runtime.database.witness
        take = partial(take_lease, release_id=row.id, seconds=seconds, witness=witness)
        until = await runtime.database.write(take)
        if until is None or row.id in runtime.shutdown.in_progress:
            raise ReleaseInProgress
        return _start(runtime, Paid(row._replace(leased_until=until), new=False), draw, place.pop_all())


def _composing(runtime: Runtime, row: ReleaseRow) -> asyncio.Task[SignedText]:
    """Return the task that composes the answer of a drawn release. A running task is reused."""
    return runtime.shutdown.in_progress.get(row.id) or runtime.shutdown.start(row.id, _answer_of_drawn(runtime, row))


async def _answer_of_drawn(runtime: Runtime, row: ReleaseRow) -> SignedText:
    """Compose the answer of a drawn release and store it. After a failure, retry at most once a minute."""
    assert row.drawn is not None, "a drawn release has its values"
    if runtime.caches.composing_failed.get(row.id):
        raise ReleaseInProgress
    try:
        answer = await _compose(runtime, row)
    except Exception:
        runtime.caches.composing_failed.keep(row.id, True)
        raise
    crash_point("composed")
    signature = sign_outcome(runtime.database.keys.current.signer, row.id, row.drawn, answer)
    stored = await runtime.database.store(store_outcomes, Outcome(row.id, row.receipt, row.drawn, answer, signature))
    if stored is None:
        crash_point("stored")
        return SignedText(answer, signature)
    # Another process stored its outcome first.
    if stored.result is None:
        raise WITHOUT_RESULT[stored.state]
    await asyncio.to_thread(check_outcome, stored, runtime.database.keys)
    return SignedText(stored.document, stored.signature)


def _compose_at_once(runtime: Runtime, row: ReleaseRow, draw: Draw) -> str | None:
    """Return the answer of a drawn release, or None if composing it would take long."""
    if max(len(row.spec), len(row.drawn or "")) > _MAX_QUICK_SPEC:
        return None
    document = draw.document or runtime.kinds[row.paid_kind].document
    return None if document is None else document(row)


async def _compose(runtime: Runtime, row: ReleaseRow) -> str:
    kind = runtime.kinds[await asyncio.to_thread(lambda: row.paid_kind)]
    if kind.document is not None:
        return await asyncio.to_thread(kind.document, row)
    assert kind.compose is not None, "a kind composes its answers in one of two ways"
    return await kind.compose(runtime, row)


async def resume_pending_releases(runtime: Runtime, after: str = "") -> str:
    """Complete a batch of pending releases. Return the id after which to continue, or "" after the last one.

    The next call continues there, so that releases that can't be completed now do not block the others.
    """
    rows = await runtime.database.read(partial(pending, after=after))
    for row in rows:
        with suppress(Problem):
            await answer_from_row(runtime, row)
    return rows[-1].id if len(rows) == MAX_PENDING else ""
