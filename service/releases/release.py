"""Prices a release on public facts and has it paid and answered; composes its document.

Everything that can be refused is refused before the debit, on public facts alone.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

from sqlalchemy import Connection

from core.accounting.accountants import Accountant, Cost, price
from core.mechanisms.noisy_counts import read_back
from service import certificates
from service.auth import Caller, Role
from service.channels.certified import Channel
from service.database.rows import ReleaseRow
from service.datasets import datasets as dataset_use_case
from service.datasets.datasets import DatasetFacts
from service.errors import (
    CertificatePending,
    CertificateQuotaExceeded,
    DatasetChanged,
    InvalidRequest,
    MaxChargeExceeded,
    NotFound,
    NotSupported,
)
from service.faults import crash_point
from service.identifiers import new_id
from service.ledger.debit import Debit, find_paid, hash_idempotency_key
from service.releases import paid
from service.releases.charge_limit import check_charge
from service.releases.document import release_document
from service.releases.paid import Answer, Draw, answer_from_row, check_draw, pay_and_answer
from service.releases.payload import hash_payload
from service.releases.spec import ReleaseSpec
from service.runtime.runtime import Runtime
from service.schemas import releases as schema
from service.schemas.mechanisms import kind_of

_PRICING_TRIES = 3
_RESULT_BYTES_PER_CATEGORY = 400
"""Numbers of the posterior, and the names of their fields."""
_REMEMBERED_LABELS = 10_000
"""Characters."""
_MAY_COME_OF_OLD_FACTS = (
    DatasetChanged,
    NotFound,
    InvalidRequest,
    NotSupported,
    MaxChargeExceeded,
    CertificatePending,
    CertificateQuotaExceeded,
)
"""What pricing can raise, and the two refusals of the debit that hang on the facts. Nothing was charged then."""


async def create(runtime: Runtime, caller: Caller, asked: Asked, idempotency_key: str) -> Answer:
    """The release that the request asks for; the one that this key already paid for, where there is one."""
    key_hash = hash_idempotency_key(caller.principal_id, idempotency_key)
    request = _Request(caller, asked, key_hash, asyncio.get_running_loop().time())
    remembered = runtime.caches.dataset_facts.get(request.of)
    if remembered is not None:
        # Saves a look at the database: the debit finds what was paid before, and whether the facts still hold. A
        # refusal that an old fact can bring about is not told before the database was asked.
        try:
            return await _pay_and_answer(runtime, request, remembered)
        except _MAY_COME_OF_OLD_FACTS:
            runtime.caches.dataset_facts.forget(request.of)
    for _ in range(_PRICING_TRIES):
        found = await runtime.database.read(partial(_replay_or_facts, request=request))
        if isinstance(found, ReleaseRow):
            return Answer(await answer_from_row(runtime, found, compose, began=request.began), replayed=True)
        if len(found.dataset.labels) <= _REMEMBERED_LABELS:
            runtime.caches.dataset_facts.keep(request.of, found)
        with suppress(DatasetChanged):
            return await _pay_and_answer(runtime, request, found)
    raise DatasetChanged


async def _pay_and_answer(runtime: Runtime, request: _Request, facts: DatasetFacts) -> Answer:
    """Prices the release on these facts, pays for it, unless the key already has, and answers. Raises DatasetChanged,
    uncharged, where they no longer hold.
    """
    offer = await _offer(runtime, request, facts)
    crash_point("priced")
    pay = partial(runtime.database.debit)
    return await pay_and_answer(runtime, offer.debit(request), offer.draw, compose, perform=pay, began=request.began)


async def compose(_runtime: Runtime, row: ReleaseRow) -> str:
    """The document of a drawn release."""
    return await asyncio.to_thread(partial(_composed, row))


def _composed(row: ReleaseRow) -> str:
    assert row.drawn is not None, "a drawn release has its values"
    spec = ReleaseSpec.from_json(row.spec)
    return release_document(row, spec, read_back(row.drawn, spec.certified.certificate.loss))


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
    began: float
    """By the clock of the event loop."""

    @property
    def of(self) -> tuple[str, str]:
        """What facts are remembered by."""
        return self.caller.principal_id, self.asked.dataset_id


@dataclass(frozen=True, slots=True)
class Offer:
    """What a release costs on these facts, all of it public."""

    facts: DatasetFacts
    cost: Cost
    spec: str
    """As it is stored."""
    draw: Draw

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
            spec=self.spec,
            result_bytes=_RESULT_BYTES_PER_CATEGORY * len(asked.body.prior),
        )


def _replay_or_facts(connection: Connection, request: _Request) -> ReleaseRow | DatasetFacts:
    # The replay comes before grant, freeze and budget are looked at: what was paid stays available.
    before = find_paid(connection, request.key_hash, request.asked.payload_hash)
    if before is not None:
        return before
    request.caller.require(Role.OWNER, Role.ANALYST)
    return dataset_use_case.facts(connection, request.caller, request.asked.dataset_id)


async def _offer(runtime: Runtime, request: _Request, facts: DatasetFacts) -> Offer:
    """What will be drawn, certified and priced. Raises whatever speaks against it."""
    body, dataset = request.asked.body, facts.dataset
    if len(body.prior) != dataset.category_count:
        raise InvalidRequest.at("prior", "must have one number for each category of the data set")
    channel = Channel(body.mechanism, dataset.record_count, tuple(body.prior), dataset.records_per_unit)
    certified = await certificates.obtain(runtime, request.caller, channel, releasing=True)
    loss = certified.certificate.loss
    spec = ReleaseSpec(
        request=request.asked.document,
        labels=json.loads(dataset.labels),
        attributes=None if dataset.attributes is None else json.loads(dataset.attributes),
        unit=dataset.unit,
        records_per_unit=dataset.records_per_unit,
        accountant=Accountant(dataset.accountant),
        certified=certified,
    )
    text = spec.to_json()
    draw = Draw.of(certified.event, dataset.records_per_unit, len(text))
    check_draw(draw, runtime.processes.max_draw_seconds)
    cost = price(loss, spec.accountant)
    check_charge(body.max_charge, loss, cost)
    return Offer(facts=facts, cost=cost, spec=text, draw=draw)


async def resume_pending_releases(runtime: Runtime, after: str = "") -> str:
    """Finishes some of what was left, and returns the id to go on behind."""
    return await paid.resume_pending_releases(runtime, "posterior", after, compose)
