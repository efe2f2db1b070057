"""The way through of a release: replay? price, debit, open, draw, store, answer from the stored row.

Everything that can be refused is refused before the debit, on public facts alone. From the debit on every failure is charged and says one constant
thing. Two processes may draw the same paid release after a crash; the store keeps the first result, and both answer from the row.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from core.accounting import Accountant, Cost, price
from core.mechanisms.exponential import Exponential
from core.privacy import PrivacyLoss
from service import certificates
from service import datasets as dataset_use_case
from service.auth import Caller, Role
from service.certified import Certified
from service.database import reading
from service.debit import Debit, ReleaseRow, find_paid
from service.errors import ChargeAboveLimit, FactsChanged, InvalidRequest, NotFound, Problem, ReleaseFailed, ReleaseInProgress
from service.faults import reach
from service.identifiers import new_id, now
from service.ledger import AnyRow
from service.mechanisms import Event, certify, draw, event_from_json, event_to_json
from service.models import grants, releases
from service.release_access import MISSING
from service.release_documents import loss_response, release_response
from service.restore import is_pending
from service.runtime import Runtime
from service.schemas import releases as schema
from service.time_grid import lease_seconds, spacing_seconds, wait_for_tick

_logger = logging.getLogger("posterior.releases")
_PRICING_TRIES = 3

_GRANT = select(grants.c.id).where(grants.c.dataset_id == bindparam("dataset"), grants.c.principal_id == bindparam("analyst"))
_STORE = (
    update(releases)
    .where(releases.c.id == bindparam("drawn_id"), releases.c.state == "paid")
    .values(state=bindparam("new_state"), result=bindparam("new_result"))
)
_STORED = select(releases.c.id, releases.c.result).where(releases.c.id.in_(bindparam("ids", expanding=True)))


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is public about the data set, and the grant that the caller would spend from."""

    dataset: AnyRow
    grant_id: str | None


async def create(runtime: Runtime, caller: Caller, dataset_id: str, body: schema.ReleaseCreate, idempotency_key: str) -> str:
    """The release that the request asks for, as its stored JSON text; the one that this key already paid for, where there is one."""
    payload_hash = _payload_hash(dataset_id, body)
    for _ in range(_PRICING_TRIES):
        found = await runtime.read(lambda c: _replay_or_facts(c, caller, dataset_id, body, idempotency_key, payload_hash))
        if isinstance(found, ReleaseRow):
            return await _answer(runtime, found)
        certified = await certificates.obtain(runtime, caller, body.mechanism, n=found.dataset.record_count, prior=tuple(body.prior))
        debit = _price(caller, found, body, certified, idempotency_key, payload_hash)
        reach("priced", runtime.settings.fault_point)
        try:
            paid = await asyncio.wrap_future(runtime.writer.submit(runtime.debit_handler, debit))
        except FactsChanged:
            continue
        reach("debited", runtime.settings.fault_point)
        return await (_draw_and_answer(runtime, paid.row) if paid.new else _answer(runtime, paid.row))
    raise FactsChanged


def _payload_hash(dataset_id: str, body: schema.ReleaseCreate) -> str:
    normalised = json.dumps([dataset_id, body.model_dump(mode="json")], sort_keys=True)
    return hashlib.sha256(normalised.encode()).hexdigest()


def _replay_or_facts(
    connection: Connection, caller: Caller, dataset_id: str, body: schema.ReleaseCreate, idempotency_key: str, payload_hash: str
) -> ReleaseRow | _Facts:
    # The replay comes before grant, freeze and budget are looked at: what was paid stays available.
    paid = find_paid(connection, caller.principal_id, idempotency_key, payload_hash)
    if paid is not None:
        return paid
    caller.require(Role.OWNER, Role.ANALYST)
    dataset = dataset_use_case.visible(connection, caller, dataset_id)
    if len(body.prior) != dataset.category_count:
        raise InvalidRequest.at("body.prior", "must have one number for each category of the data set")
    return _Facts(dataset, _grant_id(connection, caller, dataset))


def _price(
    caller: Caller, facts: _Facts, body: schema.ReleaseCreate, certified: Certified, idempotency_key: str, payload_hash: str
) -> Debit:
    dataset, certificate = facts.dataset, certified.certificate
    cost = price(certificate.loss, Accountant(dataset.accountant))
    _check_charge(body.charge_at_most, certificate.loss, cost)
    plan = {
        "request": body.model_dump(mode="json"),
        "labels": json.loads(dataset.labels),
        "unit": dataset.unit,
        "accountant": dataset.accountant,
        "event": event_to_json(certified.event),
        "certificate": certificate.to_json(),
    }
    return Debit(
        release_id=new_id("rel"),
        principal_id=caller.principal_id,
        key_id=caller.key_id,
        dataset_id=dataset.id,
        budget_id=dataset.budget_id,
        grant_id=facts.grant_id,
        idempotency_key=idempotency_key,
        payload_hash=payload_hash,
        commitment=dataset.commitment,
        mechanism=body.mechanism.kind,
        cost=cost,
        plan=json.dumps(plan, sort_keys=True),
        lease_seconds=lease_seconds(certified.event),
    )


def _grant_id(connection: Connection, caller: Caller, dataset: AnyRow) -> str | None:
    if dataset.owner_id == caller.principal_id:
        return None
    grant_id: str | None = connection.execute(_GRANT, {"dataset": dataset.id, "analyst": caller.principal_id}).scalar()
    if grant_id is None:
        raise NotFound
    return grant_id


def _check_charge(limit: schema.ChargeLimit | None, loss: PrivacyLoss, cost: Cost) -> None:
    """Raises ChargeAboveLimit where what is proven, or what the accountant charges for it, passes what the caller wants to pay."""
    if limit is None:
        return
    too_much = (
        (limit.epsilon is not None and max(loss.epsilon, cost.epsilon) > limit.epsilon)
        or (limit.delta is not None and cost.delta > limit.delta)
        or (limit.rho is not None and cost.rho > limit.rho)
    )
    if too_much:
        raise ChargeAboveLimit(certified=loss_response(loss).model_dump(mode="json"))


async def _answer(runtime: Runtime, row: ReleaseRow) -> str:
    """The stored result; a release that was paid and left undrawn is drawn now. Raises ReleaseFailed or ReleaseInProgress."""
    if row.result is not None:
        return row.result
    if row.state in ("failed", "lost"):
        raise MISSING[row.state]
    with _paid(row.id):
        lease = lease_seconds(event_from_json(json.loads(row.plan)["event"]))
        if row.leased_until > now() or not await runtime.write(lambda c: _take_lease(c, row.id, lease)):
            raise ReleaseInProgress
    return await _draw_and_answer(runtime, row)


@contextmanager
def _paid(release_id: str) -> Iterator[None]:
    """Tells whatever goes wrong with a paid release in the one way that is true: it is charged, and its retry settles it."""
    try:
        yield
    except (ReleaseFailed, ReleaseInProgress):
        raise
    except Exception as error:  # noqa: BLE001  its text could tell of the counts
        _logger.error("a paid release could not be settled now", extra={"release_id": release_id, "failure": type(error).__name__})
        raise ReleaseInProgress from None


def _take_lease(connection: Connection, release_id: str, seconds: int) -> bool:
    instant = now()
    return not is_pending(connection) and bool(
        connection.execute(
            update(releases)
            .where(releases.c.id == release_id, releases.c.state == "paid", releases.c.leased_until <= instant)
            .values(leased_until=instant + seconds)
        ).rowcount
    )


async def _draw_and_answer(runtime: Runtime, row: ReleaseRow) -> str:
    """Draws a paid release, stores it on a tick of the time grid, and answers from the row. Nothing past here says why it failed."""
    with _paid(row.id):
        plan = json.loads(row.plan)
        event = event_from_json(plan["event"])
        if isinstance(event, Exponential):
            # A draw needs the certificate again, which another process may have found: public, and kept, so it is no part of what the grid covers.
            await runtime.run(lambda: certify(event))
        started = time.monotonic()
        result = await runtime.run(lambda: _draw(runtime, row, plan, event))
        await wait_for_tick(started, spacing_seconds(event, runtime.settings.response_grid_ms))
        reach("drawn", runtime.settings.fault_point)
        stored = await asyncio.wrap_future(runtime.writer.submit(store_results, Drawn(row.id, result, runtime.settings.fault_point)))
        reach("stored", runtime.settings.fault_point)
    if stored is None:
        raise ReleaseFailed
    return stored


def _draw(runtime: Runtime, row: ReleaseRow, plan: dict[str, Any], event: Event) -> str | None:
    """The response of the release, drawn; None where the mechanism raised. The exception is dropped unread: it could tell of the counts.

    What fails before the counts are open leaves the release paid; from then on a failure settles it, so that nothing is drawn twice.
    """
    try:
        with reading(runtime.engine) as connection:
            counts = dataset_use_case.open_counts(connection, row.dataset_id, runtime.ring)
    except LookupError:
        return None
    reach("opened", runtime.settings.fault_point)
    try:
        return release_response(row, plan, draw(event, counts)).model_dump_json()
    except Exception:  # noqa: BLE001  see the docstring
        _logger.error("a mechanism raised; the release is charged and failed", extra={"release_id": row.id})
        return None


@dataclass(frozen=True, slots=True)
class Drawn:
    """What came of a paid release: its response, or None where it failed."""

    release_id: str
    result: str | None
    fault_point: str = ""


def store_results(connection: Connection, drawn: Sequence[Drawn]) -> list[str | None]:
    """Stores the results of releases that have none yet, and returns what is stored for each: None where it failed."""
    connection.execute(
        _STORE,
        [
            {"drawn_id": each.release_id, "new_state": "failed" if each.result is None else "complete", "new_result": each.result}
            for each in sorted(drawn, key=lambda each: each.release_id)
        ],
    )
    for each in drawn:
        reach("result-written", each.fault_point)
    rows = connection.execute(_STORED, {"ids": [each.release_id for each in drawn]})
    results = {row.id: row.result for row in rows}
    return [results[each.release_id] for each in drawn]


def undrawn(connection: Connection, limit: int = 16) -> list[ReleaseRow]:
    """Paid releases that nobody is drawing: what a crash left."""
    query = select(releases).where(releases.c.state == "paid", releases.c.leased_until <= now()).limit(limit)
    return [ReleaseRow.of(row) for row in connection.execute(query)]


async def draw_undrawn(runtime: Runtime) -> int:
    """Draws what crashes left paid and undrawn; returns how many there were."""
    rows = await runtime.read(undrawn)
    for row in rows:
        try:
            await _answer(runtime, row)
        except Problem:
            continue
    return len(rows)
