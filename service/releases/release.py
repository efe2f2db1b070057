"""Price a release on public facts, pay for it, and compose its answer. Every check that depends on public facts runs
before the debit. A request that paid before is found first.

Computing a certificate of the exponential mechanism takes from a second to an hour, so it is done once and stored as a
job of its principal (`service.runtime.jobs`). A certificate depends on the mechanism, the number of records and the
prior, never on counts. Its computation starts in the request that needs it. Nothing is charged while a certificate is
pending. The calibration is never switched silently.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, Self, TypeAlias, TypeVar

from sqlalchemy import Connection

from core.accounting.accountants import Accountant, Cost, price
from core.limits import MAX_CATEGORIES, MAX_CONCENTRATION
from core.mechanisms.noisy_counts import read_back
from core.privacy import PrivacyLoss
from service.channels.certified import Certified, Channel
from service.channels.mechanisms import is_formula
from service.database.rows import DatasetRow, JobRow, ReleaseRow
from service.datasets import public_facts
from service.datasets.public_facts import DatasetFacts
from service.errors import (
    ComputationsUnavailable,
    ComputationTooLarge,
    DatasetChanged,
    IdempotencyKeyReused,
    InvalidRequest,
    MaxChargeExceeded,
    NotSupported,
    PreparationPending,
    Problem,
    error_location,
)
from service.identifiers.identifiers import new_id, now
from service.ledger.counts_binding import hash_description
from service.ledger.debit import Debit, Wish, find_paid_before, hash_idempotency_key
from service.ledger.noise import hash_noise
from service.ledger.query_debit import QueryDebit
from service.principals.auth import Caller
from service.releases.paid import Draw, StoredRelease, answer_from_row, check_draw, pay_and_answer
from service.releases.spec import ReleaseSpec, hash_payload, loss_response, release_document
from service.runtime import jobs
from service.runtime.job_leases import retry_seconds
from service.runtime.runtime import Runtime
from service.schemas import releases as schema
from service.schemas.cell_names import CellNames
from service.schemas.model import PaidBody
from service.schemas.principals import Role
from service.settings.faults import crash_point

_NOTED_EVERY_SECONDS: Final = 86_400
_REMEMBERED_CATEGORIES: Final = 1000


def above_limit(limit: schema.MaxCharge | None, loss: PrivacyLoss, cost: Cost) -> MaxChargeExceeded | None:
    """Return MaxChargeExceeded if the certified loss or the accountant's charge exceeds the limit, otherwise None.

    Every stated limit applies, whichever unit the accountant uses. A rho limit is exceeded if no rho is certified.
    """
    if limit is None:
        return None
    too_much = (
        (limit.epsilon is not None and max(loss.epsilon, cost.epsilon) > limit.epsilon)
        or (limit.delta is not None and cost.delta > limit.delta)
        or (limit.rho is not None and (loss.rho is None or max(loss.rho, cost.rho) > limit.rho))
    )
    return MaxChargeExceeded(certified=loss_response(loss).model_dump(mode="json")) if too_much else None


async def obtain_certificate(
    runtime: Runtime, caller: Caller, channel: Channel, *, releasing: bool = False
) -> Certified:
    """Return the requested channel with its certificate. `releasing`: a release uses it, so it is kept longer.

    Raises PreparationPending if it is not computed yet and takes longer than a request may wait. Raises InvalidRequest
    or NotSupported if no channel has these parameters.
    """
    place = caller.principal_id, channel, releasing
    certified = runtime.caches.certificates.get(place)
    if certified is None:
        certified = await certify_by_formula(channel) or await _stored_certificate(
            runtime, caller, channel, releasing=releasing
        )
        if len(channel.prior) <= _REMEMBERED_CATEGORIES:
            runtime.caches.certificates.keep(place, certified)
    return certified


async def certify_by_formula(channel: Channel) -> Certified | None:
    """Return the certificate if a formula gives it, which is faster than a look-up, otherwise None. It is not stored.

    It is computed in a thread, because the first one on a small simplex solves for its weights. Raises InvalidRequest
    or NotSupported.
    """
    return await asyncio.to_thread(channel.certify) if is_formula(channel.mechanism) else None


async def _stored_certificate(runtime: Runtime, caller: Caller, channel: Channel, *, releasing: bool) -> Certified:
    """Return the stored certificate of a channel.

    If there is none, compute it within the request or request its computation.
    """
    row = await ask_certificate(runtime, caller, channel)
    if row.state == "pending":
        raise PreparationPending.until(retry_seconds(row.created_at), certificate=f"/v1/jobs/{row.id}")
    result = jobs.result_of(row)
    if releasing and (row.used_at or 0) <= now() - _NOTED_EVERY_SECONDS:
        await runtime.database.write(lambda c: jobs.note_use(c, row.id))
    return Certified.from_json(result)


async def ask_certificate(runtime: Runtime, caller: Caller, channel: Channel) -> JobRow:
    """Return the job of a certificate without a formula. If there is none, compute the certificate within the request,
    or request its computation if that takes too long or no process is available.

    Raises CertificateQuotaExceeded, InvalidRequest or NotSupported.
    """
    text, keys = channel.parameters, runtime.database.keys
    key = jobs.key_of(jobs.CERTIFICATE, text)
    row = await runtime.database.read(lambda c: jobs.find(c, caller, key, keys))
    if row is not None:
        return row
    result = None
    try:
        result = await runtime.processes.compute(caller.principal_id, jobs.COMPUTATIONS[jobs.CERTIFICATE], text)
    except (ComputationTooLarge, ComputationsUnavailable):
        await asyncio.to_thread(channel.check)
    return await runtime.database.write(lambda c: jobs.ask(c, caller, jobs.CERTIFICATE, key, text, keys, result))


B = TypeVar("B", bound=PaidBody)

_TRIES: Final = 3


@dataclass(frozen=True, slots=True)
class PaidRequest(Generic[B]):
    """A request that spends budget. The idempotency key is bound to `payload_hash`."""

    caller: Caller
    dataset_id: str
    body: B
    document: dict[str, Any]
    """The body as plain JSON, which the spec repeats, without `kind`, as in version 0.2.0, without `max_charge`, which
    only the payer may see, and without `once`. `payload_hash` binds the limit.
    """
    key_hash: str
    payload_hash: str
    began: float
    """Start of the request, by the clock of the event loop."""

    @classmethod
    def of(cls, caller: Caller, dataset_id: str, body: B, idempotency_key: str) -> Self:
        return cls(
            caller,
            dataset_id,
            body,
            body.model_dump(mode="json", exclude={"kind", "max_charge", "merged", "once"}),
            hash_idempotency_key(caller.principal_id, idempotency_key),
            hash_payload(dataset_id, body),
            asyncio.get_running_loop().time(),
        )

    def debit(
        self,
        facts: DatasetFacts,
        *,
        prefix: str,
        mechanism: str,
        cost: Cost,
        spec: str,
        drawn: Mapping[str, Any],
        result_bytes: int,
        refusal: Problem | None = None,
        query: QueryDebit | None = None,
    ) -> Debit:
        """Return the debit on these facts. `prefix` begins the id of the release, and `drawn` has the members of the
        spec that determine the draw. Raises a `refusal`, unless the release may have been paid for before.
        """
        if refusal is not None and not self.body.once:
            raise refusal
        dataset = facts.dataset
        return Debit(
            release_id=new_id(prefix),
            principal_id=self.caller.principal_id,
            key_id=self.caller.key_id,
            dataset_id=dataset.id,
            budget_id=dataset.budget_id,
            grant_id=facts.grant_id,
            key_hash=self.key_hash,
            payload_hash=self.payload_hash,
            commitment=dataset.commitment,
            mechanism=mechanism,
            cost=cost,
            spec=spec,
            noise=hash_noise(self.caller.principal_id, dataset.id, dataset.commitment, drawn),
            once=self.body.once,
            refusal=refusal,
            description=hash_description(dataset.labels, dataset.attributes, dataset.unit),
            result_bytes=result_bytes,
            query=query,
        )


async def create(
    runtime: Runtime,
    caller: Caller,
    dataset_id: str,
    body: PaidBody,
    idempotency_key: str,
    *,
    repeated: bool,
) -> StoredRelease:
    """Return the release that this idempotency key already paid for. Otherwise pay for the request, by the facts of the
    data set.

    Facts that are less than ten minutes old save the read, unless this process answered the key before (`repeated`): a
    repetition is neither priced nor passed to the writer. The debit looks for the key and checks the facts under its
    lock. What is refused on them is priced again on facts that are read.
    """
    request = PaidRequest.of(caller, dataset_id, body, idempotency_key)
    place, known = (caller.principal_id, dataset_id), runtime.caches.dataset_facts
    recent = known.get(place) if body.kind == COUNTS and body.broken_rule is None and not repeated else None
    if recent is not None:
        try:
            return await _pay(runtime, request, recent)
        except Problem as refusal:
            known.forget(place)
            if refusal.charged is not False or refusal.status >= 500:
                raise
    for _ in range(_TRIES):
        found = await runtime.database.read(lambda c: _paid_or_facts(c, request))
        if isinstance(found, ReleaseRow):
            return StoredRelease(await answer_from_row(runtime, found, began=request.began), replayed=True)
        if body.kind == COUNTS and found.dataset.category_count <= _REMEMBERED_CATEGORIES:
            known.keep(place, found)
        with suppress(DatasetChanged):
            return await _pay(runtime, request, found)
    raise DatasetChanged


async def _pay(runtime: Runtime, request: PaidRequest[Any], facts: DatasetFacts) -> StoredRelease:
    """Price the request on these facts, pay and answer. Raises DatasetChanged, uncharged, if the facts have changed."""
    kind = runtime.kinds[request.body.kind]
    debit, draw = await kind.price(runtime, request, facts)
    if draw is not None:
        check_draw(draw, runtime.processes.max_draw_seconds)
    crash_point("priced")
    return await pay_and_answer(runtime, debit, draw, perform=partial(kind.pay, runtime), began=request.began)


def _paid_or_facts(connection: Connection, request: PaidRequest[B]) -> ReleaseRow | DatasetFacts:
    # Look for a replay before checking grant, freeze and budget, so that what was paid stays available.
    before = None
    with suppress(*[IdempotencyKeyReused] if request.body.once else []):  # it may have paid for the same noise
        before = find_paid_before(connection, Wish(request.key_hash, request.payload_hash))
    if before is not None:
        return before
    if request.body.broken_rule is not None:
        raise InvalidRequest.at(*request.body.broken_rule)
    request.caller.require(Role.OWNER, Role.ANALYST)
    return public_facts.facts(connection, request.caller, request.dataset_id)


COUNTS: Final = "counts"
"""The kind of a release of a posterior of all categories."""
_Request: TypeAlias = PaidRequest[schema.CountsCreate]
_RESULT_BYTES_PER_CATEGORY = 400
"""Bytes of one category in the result: the numbers of its posterior and their field names."""


async def price_counts(runtime: Runtime, request: _Request, facts: DatasetFacts) -> tuple[Debit, Draw]:
    """Return the debit of a posterior of all categories, and its draw."""
    body, spec = request.body, await _certify_request(runtime, request, facts)
    text, loss = spec.to_json(), spec.certified.certificate.loss
    cost = price(loss, spec.accountant)
    debit = request.debit(
        facts,
        prefix="rel",
        mechanism=body.mechanism.kind,
        cost=cost,
        spec=text,
        drawn={"request": spec.request, "event": spec.drawn["event"]},
        result_bytes=_RESULT_BYTES_PER_CATEGORY * spec.certified.event.m,
        refusal=above_limit(body.max_charge, loss, cost),
    )
    return debit, Draw.of(spec.certified.event, spec.records_per_unit, len(text), partial(_document, spec))


async def _certify_request(runtime: Runtime, request: _Request, facts: DatasetFacts) -> ReleaseSpec:
    """Return the certified spec of the requested release. Raises the Problem that refuses it on public facts."""
    dataset = facts.dataset
    channel, merged = channel_of(dataset, request.body)
    return ReleaseSpec(
        request=request.document | {"prior": list(channel.prior)},
        labels=json.loads(dataset.labels),
        merged=merged,
        attributes=None if dataset.attributes is None else json.loads(dataset.attributes),
        unit=dataset.unit,
        records_per_unit=dataset.records_per_unit,
        accountant=Accountant(dataset.accountant),
        certified=await obtain_certificate(runtime, request.caller, channel, releasing=True),
    )


def channel_of(dataset: DatasetRow, body: schema.CountsCreate) -> tuple[Channel, list[list[int]] | None]:
    """Return the requested channel, and the categories that are merged before it. Their parameters of the prior add.

    Raises NotSupported or InvalidRequest if the data set is too large for a posterior, or the prior or the merged
    labels do not fit.
    """
    if dataset.category_count > MAX_CATEGORIES:
        raise NotSupported(
            f"A posterior is released from at most {MAX_CATEGORIES} categories. Release margins of this data set, or "
            "query it."
        )
    prior = body.prior_at(dataset.category_count)
    if len(prior) != dataset.category_count:
        raise InvalidRequest.at("prior", "must have one number for each category of the data set")
    merged = None
    if body.merged is not None:
        with error_location("merged"):
            names = CellNames(json.loads(dataset.labels))
            merged = names.merged(body.merged)
        prior = names.with_merged(merged).added(prior)
        if max(prior) > MAX_CONCENTRATION:
            raise InvalidRequest.at("prior", "must sum to at most 1000000 for each merged set")
    return Channel(body.mechanism, dataset.record_count, tuple(prior), dataset.records_per_unit), merged


def counts_document(row: ReleaseRow) -> str:
    """Return the JSON text of a `schema.CountsRelease` of a drawn release."""
    return _document(ReleaseSpec.from_json(row.spec), row)


def _document(spec: ReleaseSpec, row: ReleaseRow) -> str:
    assert row.drawn is not None, "a drawn release has its values"
    return release_document(row, spec, read_back(row.drawn, spec.certified.certificate.loss))
