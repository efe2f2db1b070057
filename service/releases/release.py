"""Takes a release from request to answer: replay or price, debit, open, draw, store, answer from the stored row.

Everything that can be refused is refused before the debit, on public facts alone. From the debit on every failure is
charged and says one constant thing. Two processes may draw the same paid release after a crash; the store keeps the
first result, and both answer from the row.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Awaitable
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from core.accounting.accountants import Accountant, Cost, price
from core.mechanisms.catalogue import Event, mechanism_of
from core.mechanisms.noisy_counts import NoisyCounts
from core.private import Private, Released
from service import certificates, log
from service.auth import Caller, Role
from service.channels.certified import Channel
from service.channels.mechanisms import draw, is_quick
from service.computations.processes import NotBegunError
from service.database.engine import reading
from service.database.rows import ReleaseRow, SealedRow
from service.datasets import counts as stored_counts
from service.datasets import datasets as dataset_use_case
from service.datasets.cipher import NotOpenedHereError
from service.datasets.datasets import DatasetFacts
from service.errors import (
    CertificatePending,
    CertificateQuota,
    ChargeAboveLimit,
    FactsChanged,
    InvalidRequest,
    NotFound,
    NotSupported,
    ShuttingDown,
)
from service.fair_queue import FairQueue
from service.faults import crash_point
from service.identifiers import new_id
from service.ledger.debit import Debit, Paid, find_paid, hash_idempotency_key
from service.releases.apart import draw_apart
from service.releases.charge_limit import check_charge
from service.releases.document import release_document
from service.releases.order import ReleaseOrder
from service.releases.payload import hash_payload
from service.releases.results import Drawn, store_results
from service.releases.time_grid import (
    check_draw,
    is_apart,
    is_short,
    is_slow,
    lease_seconds,
    places,
    spacing_seconds,
    typical_seconds,
    wait_for_tick,
)
from service.releases.undrawn import Undrawn, answer_from_row, await_processes, leased, settle_undrawn, settling
from service.runtime import Runtime
from service.schemas import releases as schema
from service.schemas.mechanisms import kind_of

_logger = logging.getLogger("posterior.releases")
_PRICING_TRIES = 3
_RESULT_BYTES_PER_CATEGORY = 400
"""Numbers of the posterior, and the names of their fields."""
_REMEMBERED_LABELS = 10_000
"""Characters."""
_MAY_COME_OF_OLD_FACTS = (
    FactsChanged,
    NotFound,
    InvalidRequest,
    NotSupported,
    ChargeAboveLimit,
    CertificatePending,
    CertificateQuota,
)
"""What pricing can raise, and the two refusals of the debit that hang on the facts. Nothing was charged then."""


class Answer(NamedTuple):
    """The stored JSON text of a release, and whether an earlier request had paid for it."""

    text: str
    replayed: bool


async def create(runtime: Runtime, caller: Caller, asked: Asked, idempotency_key: str) -> Answer:
    """The release that the request asks for; the one that this key already paid for, where there is one."""
    request = _Request(caller, asked, hash_idempotency_key(caller.principal_id, idempotency_key))
    remembered = runtime.dataset_facts.get(request.of)
    if remembered is not None:
        # Saves a look at the database: the debit finds what was paid before, and whether the facts still hold. A
        # refusal that an old fact can bring about is not told before the database was asked.
        try:
            return await _pay_and_draw(runtime, request, remembered)
        except _MAY_COME_OF_OLD_FACTS:
            runtime.dataset_facts.forget(request.of)
    for _ in range(_PRICING_TRIES):
        found = await runtime.read(partial(_replay_or_facts, request=request))
        if isinstance(found, ReleaseRow):
            return Answer(await _answer(runtime, found), replayed=True)
        if len(found.dataset.labels) <= _REMEMBERED_LABELS:
            runtime.dataset_facts.keep(request.of, found)
        with suppress(FactsChanged):
            return await _pay_and_draw(runtime, request, found)
    raise FactsChanged


async def _pay_and_draw(runtime: Runtime, request: _Request, facts: DatasetFacts) -> Answer:
    """Prices the release on these facts, pays for it, unless the key already has, and answers. Raises FactsChanged,
    uncharged, where they no longer hold.
    """
    offer = await _offer(runtime, request, facts)
    order, debit = offer.order, offer.debit(request)
    crash_point("priced")
    if debit.is_quick:
        return await _settle(runtime, await _pay(runtime, debit), order)
    event, principal_id = order.certified.event, request.caller.principal_id
    queue = _queue(runtime, event)
    size = places(event, queue.at_once)
    if not queue.has_place_for(principal_id, size):
        # Whoever has too much drawn already waits, or is refused, before the charge; a repeated request does neither.
        before = await runtime.read(
            partial(find_paid, key_hash=request.key_hash, payload_hash=request.asked.payload_hash)
        )
        if before is not None:
            return Answer(await _answer(runtime, before), replayed=True)
    async with queue.place(principal_id, size=size, retry_seconds=typical_seconds(event)):
        paid = await _pay(runtime, debit)
        if paid.new:
            return await _settle(runtime, paid, order)
    return await _settle(runtime, paid, order)


async def _settle(runtime: Runtime, paid: Paid, order: ReleaseOrder) -> Answer:
    if not paid.new:
        return Answer(await _answer(runtime, paid.row), replayed=True)
    return Answer(await _draw_and_answer(runtime, paid.row, order, paid.sealed), replayed=False)


def _queue(runtime: Runtime, event: Event) -> FairQueue:
    """Where a draw that is not quick has its place, until the tick: when the next one begins must not tell how long it
    took.
    """
    return runtime.slow_draws if is_slow(event) else runtime.draws.queue


async def _pay(runtime: Runtime, debit: Debit) -> Paid:
    paid = await runtime.writer.perform(runtime.debit_handler, debit)
    crash_point("debited")
    return paid


@dataclass(frozen=True, slots=True)
class Asked:
    """The release that a request asks for.

    `document` is the body as plain JSON; the hash of the payload is what the idempotency key is bound to.
    """

    dataset_id: str
    body: schema.ReleaseCreate
    document: dict[str, Any]
    payload_hash: str

    @classmethod
    def of(cls, dataset_id: str, body: schema.ReleaseCreate) -> Self:
        return cls(dataset_id, body, body.model_dump(mode="json"), hash_payload(dataset_id, body))


@dataclass(frozen=True, slots=True)
class _Request:
    """Who asks for which release, under which idempotency key."""

    caller: Caller
    asked: Asked
    key_hash: str

    @property
    def of(self) -> tuple[str, str]:
        """What facts are remembered by."""
        return self.caller.principal_id, self.asked.dataset_id


@dataclass(frozen=True, slots=True)
class Offer:
    """What a release costs on these facts, all of it public."""

    facts: DatasetFacts
    order: ReleaseOrder
    cost: Cost
    text: str
    """The order as it is stored."""
    lease_seconds: int
    is_quick: bool

    def debit(self, request: _Request) -> Debit:
        dataset, asked = self.facts.dataset, request.asked
        return Debit(
            release_id=new_id("rel"),
            principal_id=request.caller.principal_id,
            key_id=request.caller.key_id,
            dataset_id=dataset.id,
            budget_id=dataset.budget_id,
            grant_id=self.facts.grant_id,
            key_hash=request.key_hash,
            payload_hash=asked.payload_hash,
            commitment=dataset.commitment,
            mechanism=kind_of(asked.body.mechanism),
            cost=self.cost,
            order=self.text,
            lease_seconds=self.lease_seconds,
            is_quick=self.is_quick,
            result_bytes=_RESULT_BYTES_PER_CATEGORY * len(asked.body.prior),
        )


def _replay_or_facts(connection: Connection, request: _Request) -> ReleaseRow | DatasetFacts:
    # The replay comes before grant, freeze and budget are looked at: what was paid stays available.
    paid = find_paid(connection, request.key_hash, request.asked.payload_hash)
    if paid is not None:
        return paid
    request.caller.require(Role.OWNER, Role.ANALYST)
    return dataset_use_case.facts(connection, request.caller, request.asked.dataset_id)


async def _offer(runtime: Runtime, request: _Request, facts: DatasetFacts) -> Offer:
    """What will be drawn, certified and priced. Raises whatever speaks against it."""
    body, dataset = request.asked.body, facts.dataset
    if len(body.prior) != dataset.category_count:
        raise InvalidRequest.at("prior", "must have one number for each category of the data set")
    channel = Channel(body.mechanism, dataset.record_count, tuple(body.prior), dataset.records_per_unit)
    certified = await certificates.obtain(runtime, request.caller, channel, releasing=True)
    event, loss = certified.event, certified.certificate.loss
    check_draw(event, runtime.settings.draw_seconds)
    order = ReleaseOrder(
        request=request.asked.document,
        labels=json.loads(dataset.labels),
        attributes=None if dataset.attributes is None else json.loads(dataset.attributes),
        unit=dataset.unit,
        accountant=Accountant(dataset.accountant),
        certified=certified,
    )
    cost = price(loss, order.accountant)
    check_charge(body.charge_at_most, loss, cost)
    return Offer(
        facts=facts,
        order=order,
        cost=cost,
        text=order.to_json(),
        lease_seconds=lease_seconds(event),
        is_quick=is_quick(event),
    )


async def _answer(runtime: Runtime, row: ReleaseRow) -> str:
    return await answer_from_row(runtime, row, partial(_undrawn_of, runtime))


def _undrawn_of(runtime: Runtime, row: ReleaseRow) -> Undrawn:
    order = ReleaseOrder.from_json(row.spec)
    event = order.certified.event
    queue = _queue(runtime, event)
    return Undrawn(
        lease_seconds(event), queue, lambda row: _draw_and_answer(runtime, row, order), places(event, queue.at_once)
    )


async def _draw_and_answer(
    runtime: Runtime, row: ReleaseRow, order: ReleaseOrder, sealed: SealedRow | None = None
) -> str:
    """Draws a paid release, stores it on a tick of the time grid, and answers from the row. Nothing past here says why
    it failed.

    `sealed`: what is stored of the counts, given where the draw is too quick to be worth another thread.
    """
    log.add(release_id=row.id)
    with settling(row.id):
        async with leased(runtime, row):
            drawn = await _drawn_by_tick(runtime, row, order, sealed)
        if drawn.result is None:
            _logger.error("a release is charged and failed", extra={"release_id": row.id})
        crash_point("drawn")
        stored = await runtime.results.perform(store_results, drawn)
        crash_point("stored")
    return stored


async def _drawn_by_tick(runtime: Runtime, row: ReleaseRow, order: ReleaseOrder, sealed: SealedRow | None) -> Drawn:
    """A draw in another process or in this one, on a tick of the time grid."""
    event = order.certified.event
    if is_apart(event) and (runtime.processes.are_ready() or not is_short(event)):
        try:
            await await_processes(runtime, lease_seconds(event) / 2)
            return await _on_tick(runtime, event, _read_and_draw_apart(runtime, row, order))
        except NotBegunError:
            # Nobody was told of the counts. What is not slow is drawn here, by a clock of its own and within its lease.
            if is_slow(event):
                raise
    # What a draw needs of public facts may have been computed in another process only. Nor does the grid cover that.
    if (precompute := mechanism_of(event).precompute) is not None:
        await runtime.draws.run(partial(precompute, event))
    return await _on_tick(runtime, event, _draw_here(runtime, row, order, sealed))


async def _on_tick(runtime: Runtime, event: Event, drawing: Awaitable[Drawn]) -> Drawn:
    started = time.monotonic()
    drawn = await drawing
    await wait_for_tick(started, spacing_seconds(event, runtime.settings.response_grid_ms))
    return drawn


async def _draw_here(runtime: Runtime, row: ReleaseRow, order: ReleaseOrder, sealed: SealedRow | None) -> Drawn:
    if sealed is not None:
        return _draw(runtime, row, order, sealed)
    return await runtime.draws.run(lambda: _read_and_draw(runtime, row, order))


def _read_and_draw(runtime: Runtime, row: ReleaseRow, order: ReleaseOrder) -> Drawn:
    """As `_draw`; without a result also where the counts were destroyed in the meantime."""
    sealed = _read(runtime, row)
    return _failed(row) if sealed is None else _draw(runtime, row, order, sealed)


async def _read_and_draw_apart(runtime: Runtime, row: ReleaseRow, order: ReleaseOrder) -> Drawn:
    """As `_read_and_draw`, in another process. Where that is killed the release failed, too; where the service ends
    first, or no process was told of the counts, it stays paid.
    """
    # Within a turn nobody waits for the thread that draws noise: others wait for the turn.
    async with nullcontext() if is_slow(order.certified.event) else runtime.turns_apart.place(row.principal_id):
        sealed = await runtime.look(partial(_sealed, row=row))
        released = None if sealed is None else await _drawn_apart(runtime, order, sealed)
    if released is None:
        return _failed(row)
    try:
        return await runtime.draws.run(lambda: _told(row, order, released))
    except Exception:  # noqa: BLE001  as in `_draw`
        return _failed(row)


async def _drawn_apart(runtime: Runtime, order: ReleaseOrder, sealed: SealedRow) -> Released[NoisyCounts] | None:
    """None where it failed. Raises ShuttingDown, NotBegunError and NotOpenedHereError."""
    event = order.certified.event
    try:
        return await draw_apart(
            runtime.processes,
            order.certified,
            _open(runtime, sealed),
            seconds=lease_seconds(event),
            alone=is_slow(event),
            at_once=not is_slow(event),
        )
    except (ShuttingDown, NotBegunError, NotOpenedHereError):
        raise
    except Exception:  # noqa: BLE001  as in `_draw`
        return None


def _read(runtime: Runtime, row: ReleaseRow) -> SealedRow | None:
    with reading(runtime.engine) as connection:
        return _sealed(connection, row)


def _sealed(connection: Connection, row: ReleaseRow) -> SealedRow | None:
    return stored_counts.read_sealed(connection, [row.dataset_id]).get(row.dataset_id)


def _open(runtime: Runtime, sealed: SealedRow) -> Private[NDArray[np.int64]]:
    counts = stored_counts.open_counts(sealed, runtime.ring)
    crash_point("opened")
    return counts


def _draw(runtime: Runtime, row: ReleaseRow, order: ReleaseOrder, sealed: SealedRow) -> Drawn:
    """The response of the release, drawn; without a result where the mechanism raised. The exception is dropped unread:
    it could tell of the counts.

    A failure settles it, so that nothing is drawn twice; so do counts that were altered since they were paid for. It
    stays paid only where another process may have the key that opens them (NotOpenedHereError).
    """
    try:
        released = draw(order.certified.event, _open(runtime, sealed), order.certified.certificate.loss)
        return _told(row, order, released)
    except NotOpenedHereError:
        raise
    except Exception:  # noqa: BLE001  see the docstring
        return _failed(row)


def _told(row: ReleaseRow, order: ReleaseOrder, released: Released[NoisyCounts]) -> Drawn:
    """What is stored of a release. How long it takes to write tells of the noise, too: it is within what the grid
    covers.
    """
    return Drawn(row.id, release_document(row, order, released))


def _failed(row: ReleaseRow) -> Drawn:
    return Drawn(row.id, None)


async def draw_undrawn(runtime: Runtime, after: str = "") -> str:
    """Draws some of what crashes left, and returns what to go on behind, as `settle_undrawn`."""
    return await settle_undrawn(runtime, "posterior", after, partial(_answer, runtime))
