"""Price a release on public facts, pay for it, and compose its document.

Every check that depends on public facts runs before the debit.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Self

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
from service.ledger.counts_binding import hash_description
from service.ledger.debit import Debit, find_paid, hash_idempotency_key
from service.releases import paid
from service.releases.charge_limit import check_charge
from service.releases.document import release_document
from service.releases.paid import Answer, Composer, Draw, answer_from_row, check_draw, pay_and_answer
from service.releases.payload import hash_payload
from service.releases.spec import ReleaseSpec
from service.runtime.runtime import Runtime
from service.schemas import releases as schema

_PRICING_TRIES = 3
_RESULT_BYTES_PER_CATEGORY = 400
"""Bytes of one category in the result: the numbers of its posterior and their field names."""
_MAX_QUICK_SPEC = 4_000
"""Longest spec, in characters, whose answer is composed on the event loop: some 180 categories, in about 1 ms."""
_MAX_CACHED_LABELS = 10_000
"""Longest labels of a data set whose facts are cached, in characters."""
_POSSIBLY_STALE = (
    DatasetChanged,
    NotFound,
    InvalidRequest,
    NotSupported,
    MaxChargeExceeded,
    CertificatePending,
    CertificateQuotaExceeded,
)
"""Problems that stale cached facts can cause: those of pricing, and two refusals of the debit. None of them charges."""


async def create(runtime: Runtime, caller: Caller, asked: Asked, idempotency_key: str) -> Answer:
    """Return the requested release, or the one that this idempotency key already paid for."""
    key_hash = hash_idempotency_key(caller.principal_id, idempotency_key)
    request = _Request(caller, asked, key_hash, asyncio.get_running_loop().time())
    cached = runtime.caches.dataset_facts.get(request.cache_key)
    if cached is not None:
        # Saves a read: the debit finds earlier payments and checks the facts. A refusal that stale facts can cause is
        # not returned; the database is read first.
        try:
            return await _pay_and_answer(runtime, request, cached)
        except _POSSIBLY_STALE:
            runtime.caches.dataset_facts.forget(request.cache_key)
    for _ in range(_PRICING_TRIES):
        found = await runtime.database.read(partial(_replay_or_facts, request=request))
        if isinstance(found, ReleaseRow):
            return Answer(await answer_from_row(runtime, found, COMPOSER, began=request.began), replayed=True)
        if len(found.dataset.labels) <= _MAX_CACHED_LABELS:
            runtime.caches.dataset_facts.keep(request.cache_key, found)
        with suppress(DatasetChanged):
            return await _pay_and_answer(runtime, request, found)
    raise DatasetChanged


async def _pay_and_answer(runtime: Runtime, request: _Request, facts: DatasetFacts) -> Answer:
    """Price the release on these facts, pay unless the key already paid, and answer.

    Raises DatasetChanged, uncharged, if the facts have changed.
    """
    offer = await _offer(runtime, request, facts)
    crash_point("priced")
    pay, composer = runtime.database.debit, Composer(_compose, partial(_compose_at_once, offer=offer))
    return await pay_and_answer(runtime, offer.debit(request), offer.draw, composer, perform=pay, began=request.began)


async def _compose(_runtime: Runtime, row: ReleaseRow) -> str:
    """Return the document of a drawn release."""
    return await asyncio.to_thread(_composed, row)


def _compose_at_once(row: ReleaseRow, offer: Offer | None = None) -> str | None:
    """Return the document if it is short. `offer` saves reading the spec again, if it has the same."""
    if len(row.spec) > _MAX_QUICK_SPEC:
        return None
    return _composed(row, None if offer is None or offer.text != row.spec else offer.spec)


def _composed(row: ReleaseRow, spec: ReleaseSpec | None = None) -> str:
    assert row.drawn is not None, "a drawn release has its values"
    spec = spec or ReleaseSpec.from_json(row.spec)
    return release_document(row, spec, read_back(row.drawn, spec.certified.certificate.loss))


COMPOSER: Final = Composer(_compose, _compose_at_once)


@dataclass(frozen=True, slots=True)
class Asked:
    """The content of a request for a release. `document` is the body as plain JSON. The idempotency key is bound to
    `payload_hash`.
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
    caller: Caller
    asked: Asked
    key_hash: str
    began: float
    """Start of the request, by the clock of the event loop."""

    @property
    def cache_key(self) -> tuple[str, str]:
        """Return the key of the cached facts."""
        return self.caller.principal_id, self.asked.dataset_id


@dataclass(frozen=True, slots=True)
class Offer:
    """A priced release. Everything in it is public."""

    facts: DatasetFacts
    cost: Cost
    spec: ReleaseSpec
    text: str
    """The stored text of the spec."""
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
            mechanism=asked.body.mechanism.kind,
            cost=self.cost,
            spec=self.text,
            description=hash_description(dataset.labels, dataset.attributes, dataset.unit),
            result_bytes=_RESULT_BYTES_PER_CATEGORY * len(asked.body.prior),
        )


def _replay_or_facts(connection: Connection, request: _Request) -> ReleaseRow | DatasetFacts:
    # Look for a replay before checking grant, freeze and budget, so that a paid release stays available.
    before = find_paid(connection, request.key_hash, request.asked.payload_hash)
    if before is not None:
        return before
    request.caller.require(Role.OWNER, Role.ANALYST)
    return dataset_use_case.facts(connection, request.caller, request.asked.dataset_id)


async def _offer(runtime: Runtime, request: _Request, facts: DatasetFacts) -> Offer:
    """Certify and price the requested release. Raises the Problem that refuses it on public facts."""
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
    return Offer(facts=facts, cost=cost, spec=spec, text=text, draw=draw)


async def resume_pending_releases(runtime: Runtime, after: str = "") -> str:
    """Complete a batch of pending releases. Return the id after which to continue, or "" after the last one."""
    return await paid.resume_pending_releases(runtime, "posterior", after, COMPOSER)
