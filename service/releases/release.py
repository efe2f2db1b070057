"""Price a release on public facts, pay for it, and compose its document.

Every check that depends on public facts runs before the debit.
"""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Final, TypeAlias

from core.accounting.accountants import Accountant, Cost, price
from core.limits import MAX_CATEGORIES
from core.mechanisms.noisy_counts import read_back
from service.channels.certified import Channel
from service.database.rows import DatasetRow, ReleaseRow
from service.datasets.datasets import DatasetFacts
from service.errors import (
    InvalidRequest,
    NotSupported,
)
from service.principals.auth import Caller
from service.releases import certificates, margins, paid
from service.releases.certificates import check_charge
from service.releases.paid import Composer, Draw, StoredRelease, check_draw, pay_and_answer
from service.releases.request import PaidRequest, replay_or_pay
from service.releases.spec import ReleaseSpec, release_document
from service.runtime.runtime import Runtime
from service.schemas import releases as schema
from service.settings.faults import crash_point

_Request: TypeAlias = PaidRequest[schema.ReleaseCreate]
_RESULT_BYTES_PER_CATEGORY = 400
"""Bytes of one category in the result: the numbers of its posterior and their field names."""
_MAX_QUICK_SPEC = 4_000
"""Longest spec and longest drawn values, in characters, whose answer is composed on the event loop: some 180
categories, in about 1 ms.
"""


async def create(
    runtime: Runtime, caller: Caller, dataset_id: str, body: schema.ReleaseCreate, idempotency_key: str
) -> StoredRelease:
    """Return the requested release, or the one that this idempotency key already paid for."""
    request = _Request.of(caller, dataset_id, body, idempotency_key)
    return await replay_or_pay(runtime, request, COMPOSER, partial(_pay_and_answer, runtime, request))


async def _pay_and_answer(runtime: Runtime, request: _Request, facts: DatasetFacts) -> StoredRelease:
    """Price the release on these facts, pay and answer. Raises DatasetChanged, uncharged, if the facts have changed."""
    body, (spec, cost) = request.body, await _priced(runtime, request, facts)
    text = spec.to_json()
    draw = Draw.of(spec.certified.event, spec.records_per_unit, len(text))
    check_draw(draw, runtime.processes.max_draw_seconds)
    debit = request.debit(
        facts,
        prefix="rel",
        mechanism=body.mechanism.kind,
        cost=cost,
        spec=text,
        result_bytes=_RESULT_BYTES_PER_CATEGORY * len(body.prior),
    )
    crash_point("priced")
    pay, composer = runtime.database.debit, Composer(_compose, partial(_compose_at_once, known=(text, spec)))
    return await pay_and_answer(runtime, debit, draw, composer, perform=pay, began=request.began)


async def _priced(runtime: Runtime, request: _Request, facts: DatasetFacts) -> tuple[ReleaseSpec, Cost]:
    """Certify and price the requested release. Raises the Problem that refuses it on public facts."""
    body, dataset = request.body, facts.dataset
    check_prior(dataset, body.prior)
    channel = Channel(body.mechanism, dataset.record_count, tuple(body.prior), dataset.records_per_unit)
    certified = await certificates.obtain(runtime, request.caller, channel, releasing=True)
    spec = ReleaseSpec(
        request=request.document,
        labels=json.loads(dataset.labels),
        attributes=None if dataset.attributes is None else json.loads(dataset.attributes),
        unit=dataset.unit,
        records_per_unit=dataset.records_per_unit,
        accountant=Accountant(dataset.accountant),
        certified=certified,
    )
    cost = price(certified.certificate.loss, spec.accountant)
    check_charge(body.max_charge, certified.certificate.loss, cost)
    return spec, cost


def check_prior(dataset: DatasetRow, prior: list[float]) -> None:
    """Raise NotSupported or InvalidRequest if the data set is too large for a posterior, or the prior does not fit."""
    if dataset.category_count > MAX_CATEGORIES:
        raise NotSupported(
            f"A posterior is released from at most {MAX_CATEGORIES} categories. Release margins of this data set, or "
            "query it."
        )
    if len(prior) != dataset.category_count:
        raise InvalidRequest.at("prior", "must have one number for each category of the data set")


async def _compose(_runtime: Runtime, row: ReleaseRow) -> str:
    """Return the document of a drawn release."""
    return await asyncio.to_thread(_composed, row)


def _compose_at_once(row: ReleaseRow, known: tuple[str, ReleaseSpec] | None = None) -> str | None:
    """Return the document if it is short. `known` is a spec with its text, which saves reading it again."""
    if max(len(row.spec), len(row.drawn or "")) > _MAX_QUICK_SPEC:
        return None
    return _composed(row, known[1] if known is not None and known[0] == row.spec else None)


def _composed(row: ReleaseRow, spec: ReleaseSpec | None = None) -> str:
    assert row.drawn is not None, "a drawn release has its values"
    if spec is None and json.loads(row.spec)["event"]["event"] == margins.KIND:
        return margins.margins_document(row, margins.MarginsSpec.from_json(row.spec))
    spec = spec or ReleaseSpec.from_json(row.spec)
    return release_document(row, spec, read_back(row.drawn, spec.certified.certificate.loss))


COMPOSER: Final = Composer(_compose, _compose_at_once)


async def resume_pending_releases(runtime: Runtime, after: str = "") -> str:
    """Complete a batch of pending releases. Return the id after which to continue, or "" after the last one."""
    return await paid.resume_pending_releases(runtime, "posterior", after, COMPOSER)
