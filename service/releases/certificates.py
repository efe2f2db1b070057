"""Certificates of channels. Computing one of the exponential mechanism takes from a second to an hour, so it is done
once and stored as a job of its principal (`service.runtime.jobs`).

A certificate depends on the mechanism, the number of records and the prior, never on counts. Its computation starts in
the request that needs it. Nothing is charged while a certificate is pending. The calibration is never switched
silently.
"""

from __future__ import annotations

import asyncio
from typing import Final

from sqlalchemy import Connection

from core.accounting.accountants import Cost
from core.privacy import PrivacyLoss
from service.channels.certified import Certified, Channel
from service.channels.mechanisms import is_formula
from service.database.rows import JobRow
from service.errors import CertificatePending, ComputationsUnavailable, ComputationTooLarge, MaxChargeExceeded
from service.identifiers.identifiers import now
from service.principals.auth import Caller
from service.releases.spec import loss_response
from service.runtime import jobs
from service.runtime.job_leases import retry_seconds
from service.runtime.key_file import InstalledKeys
from service.runtime.runtime import Runtime
from service.schemas import releases as schema

_NOTED_EVERY_SECONDS: Final = 86_400
_REMEMBERED_CATEGORIES: Final = 1000


def check_charge(limit: schema.MaxCharge | None, loss: PrivacyLoss, cost: Cost) -> None:
    """Raise MaxChargeExceeded if the certified loss or the accountant's charge exceeds the limit.

    Every stated limit applies, whichever unit the accountant uses. A rho limit is exceeded if no rho is certified.
    """
    if limit is None:
        return
    too_much = (
        (limit.epsilon is not None and max(loss.epsilon, cost.epsilon) > limit.epsilon)
        or (limit.delta is not None and cost.delta > limit.delta)
        or (limit.rho is not None and (loss.rho is None or max(loss.rho, cost.rho) > limit.rho))
    )
    if too_much:
        raise MaxChargeExceeded(certified=loss_response(loss).model_dump(mode="json"))


async def obtain(runtime: Runtime, caller: Caller, channel: Channel, *, releasing: bool = False) -> Certified:
    """Return the requested channel with its certificate. `releasing`: a release uses it, so it is kept longer.

    Raises CertificatePending if it is not computed yet and takes longer than a request may wait. Raises InvalidRequest
    or NotSupported if no channel has these parameters.
    """
    place = caller.principal_id, channel, releasing
    certified = runtime.caches.certificates.get(place)
    if certified is None:
        certified = await formula(channel) or await _stored(runtime, caller, channel, releasing=releasing)
        if len(channel.prior) <= _REMEMBERED_CATEGORIES:
            runtime.caches.certificates.keep(place, certified)
    return certified


async def formula(channel: Channel) -> Certified | None:
    """Return the certificate if a formula gives it, which is faster than a look-up, otherwise None. It is not stored.

    It is computed in a thread, because the first one on a small simplex solves for its weights. Raises InvalidRequest
    or NotSupported.
    """
    return await asyncio.to_thread(channel.certify) if is_formula(channel.mechanism) else None


async def _stored(runtime: Runtime, caller: Caller, channel: Channel, *, releasing: bool) -> Certified:
    """Return the stored certificate of a channel.

    If there is none, compute it within the request or request its computation.
    """
    row = await ask(runtime, caller, channel)
    if row.state == "pending":
        raise CertificatePending.until(retry_seconds(row.created_at), certificate=f"/v1/certificates/{row.id}")
    result = jobs.result_of(row)
    if releasing and (row.used_at or 0) <= now() - _NOTED_EVERY_SECONDS:
        await runtime.database.write(lambda c: jobs.note_use(c, row.id))
    return Certified.from_json(result)


async def ask(runtime: Runtime, caller: Caller, channel: Channel) -> JobRow:
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


def get_certificate(connection: Connection, caller: Caller, certificate_id: str, keys: InstalledKeys) -> JobRow:
    """Return the job of a certificate that the caller requested. Raises NotFound."""
    return jobs.read(connection, caller, certificate_id, keys, certificate=True)
