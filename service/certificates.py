"""Certificates of the exponential mechanism, which can take a second or a minute to compute: found once, kept by their
public parameters.

A certificate depends on the mechanism, the number of records and the prior, never on counts. One that is quick is
computed in the request that needs it; a longer one becomes a job that any process may take, one at a time in a process
of its own. A job is leased, so that one whose process died is taken up again. Nothing is charged while it is pending,
and the calibration is never switched silently.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, insert, not_, or_, select, update

from service.auth import Caller
from service.channels.certified import COMPUTATION, Certified, Channel, key_of
from service.channels.mechanisms import estimated_seconds, is_immediate
from service.database.rows import CertificateRow, fetch_first
from service.database.tables import certificate_requests, certificates
from service.errors import (
    CertificatePending,
    CertificateQuota,
    ComputationTooLarge,
    NotFound,
    NotSupported,
    Problem,
)
from service.identifiers import new_id, now
from service.runtime import Runtime

_logger = logging.getLogger("posterior.certificates")

INLINE_SECONDS: Final = 1.0
_LEASE_SECONDS: Final = 30
_MAX_SECONDS: Final = 3600
_REMEMBERED_CATEGORIES: Final = 1000
_LOOK_EVERY_SECONDS: Final = 1.0


async def obtain(runtime: Runtime, caller: Caller, channel: Channel) -> Certified:
    """The channel that a request asks for, certified.

    Raises CertificatePending, with the job started, where that takes longer than a second and was not done before;
    InvalidRequest or NotSupported where the parameters allow no channel.
    """
    certified = runtime.certificates.get(channel)
    if certified is None:
        immediate = is_immediate(channel.mechanism)
        certified = await (_formula(runtime, channel) if immediate else _stored(runtime, caller, channel))
        if len(channel.prior) <= _REMEMBERED_CATEGORIES:
            runtime.certificates.keep(channel, certified)
    return certified


async def _formula(runtime: Runtime, channel: Channel) -> Certified:
    """A certificate that is quicker computed than looked up. Not in the event loop, since the first of a small
    simplex solves for its weights.
    """
    return await runtime.run(channel.certify)


async def _stored(runtime: Runtime, caller: Caller, channel: Channel) -> Certified:
    """A certificate that the database keeps, computed or asked for where it is new."""
    parameters = channel.parameters
    key = key_of(parameters)
    row = await runtime.read(lambda c: _find(c, key))
    seconds = estimated_seconds(channel.mechanism, n=channel.n, m=len(channel.prior))
    if row is None and seconds < INLINE_SECONDS:
        with suppress(ComputationTooLarge):  # the estimate was wrong: it becomes a job
            return Certified.from_json(await _compute(runtime, caller, key, parameters, seconds))
    if row is None or row.state == "pending":
        row = await runtime.write(lambda c: _ask(c, caller, key, parameters, seconds, _quota(runtime)))
    return Certified.from_json(_text_of(row))


async def _compute(runtime: Runtime, caller: Caller, key: str, parameters: str, seconds: float) -> str:
    """Computes a certificate while its caller waits, and keeps it."""
    text = await runtime.compute(caller.principal_id, COMPUTATION, parameters)
    await runtime.write(lambda c: _keep(c, key, parameters, seconds, text))
    return text


@dataclass(frozen=True, slots=True)
class _Quota:
    """What a principal may have pending: so many certificates, and so many seconds of work beside a first one."""

    certificates: int
    seconds: int


def _quota(runtime: Runtime) -> _Quota:
    return _Quota(runtime.settings.certificates_per_principal, runtime.settings.certificate_seconds)


def _text_of(row: CertificateRow) -> str:
    if row.state == "ready":
        return str(row.certified)
    if row.state == "failed":
        raise NotSupported(
            "No certificate was found for these parameters; another calibration or another size may have one."
        )
    raise CertificatePending(certificate=f"/v1/certificates/{row.id}", estimated_seconds=row.estimated_seconds)


def _find(connection: Connection, key: str) -> CertificateRow | None:
    return fetch_first(connection, CertificateRow, select(certificates).where(certificates.c.key == key))


def _keep(connection: Connection, key: str, parameters: str, seconds: float, text: str) -> None:
    """Stores a certificate that was computed at once, unless another process was first."""
    if _find(connection, key) is None:
        connection.execute(
            insert(certificates).values(_columns(key, parameters, seconds) | {"state": "ready", "certified": text})
        )


def _columns(key: str, parameters: str, seconds: float) -> dict[str, Any]:
    return {
        "key": key,
        "id": new_id("cer"),
        "parameters": parameters,
        "estimated_seconds": round(seconds),
        "created_at": now(),
    }


def _ask(
    connection: Connection, caller: Caller, key: str, parameters: str, seconds: float, quota: _Quota
) -> CertificateRow:
    """The certificate's row, made if need be, with the caller noted as one who asked. Raises CertificateQuota."""
    row = _find(connection, key)
    asked = select(certificate_requests.c.certificate_key).where(
        certificate_requests.c.certificate_key == key, certificate_requests.c.principal_id == caller.principal_id
    )
    if row is None or connection.execute(asked).first() is None:
        if row is None or row.state == "pending":
            pending = _pending_of(connection, caller)
            if len(pending) >= quota.certificates or (pending and sum(pending) + seconds > quota.seconds):
                raise CertificateQuota
        if row is None:
            connection.execute(insert(certificates).values(_columns(key, parameters, seconds) | {"state": "pending"}))
        connection.execute(
            insert(certificate_requests).values(certificate_key=key, principal_id=caller.principal_id, created_at=now())
        )
    found = _find(connection, key)
    assert found is not None, "it was just found or made"
    return found


def _pending_of(connection: Connection, caller: Caller) -> list[int]:
    """The estimated seconds of each certificate that the caller waits for."""
    query = (
        select(certificates.c.estimated_seconds)
        .join(certificate_requests, certificates.c.key == certificate_requests.c.certificate_key)
        .where(certificate_requests.c.principal_id == caller.principal_id, certificates.c.state == "pending")
    )
    return list(connection.execute(query).scalars())


async def formula(runtime: Runtime, channel: Channel) -> Certified | None:
    """The certificate where a formula gives it, which nothing keeps; else None. Raises InvalidRequest or
    NotSupported.
    """
    return await _formula(runtime, channel) if is_immediate(channel.mechanism) else None


async def ask(runtime: Runtime, caller: Caller, channel: Channel) -> CertificateRow:
    """Asks for a certificate that no formula gives ahead of its use; its row. Raises CertificateQuota,
    InvalidRequest or NotSupported.
    """
    parameters = channel.parameters
    key = key_of(parameters)
    seconds = estimated_seconds(channel.mechanism, n=channel.n, m=len(channel.prior))
    if seconds < INLINE_SECONDS and await runtime.read(lambda c: _find(c, key)) is None:
        with suppress(ComputationTooLarge):  # as above
            await _compute(runtime, caller, key, parameters, seconds)
    return await runtime.write(lambda c: _ask(c, caller, key, parameters, seconds, _quota(runtime)))


def read(connection: Connection, caller: Caller, certificate_id: str) -> CertificateRow:
    """The row of a certificate that the caller asked for. Raises NotFound."""
    query = (
        select(certificates)
        .join(certificate_requests, certificate_requests.c.certificate_key == certificates.c.key)
        .where(certificates.c.id == certificate_id, certificate_requests.c.principal_id == caller.principal_id)
    )
    row = fetch_first(connection, CertificateRow, query)
    if row is None:
        raise NotFound
    return row


async def keep_certifying(runtime: Runtime) -> None:
    """Computes pending certificates, one at a time, in turns by who asked for them."""
    turns: dict[str, float] = {}
    while True:
        try:
            row = await runtime.write(lambda c: _lease(c, turns))
            if row is not None:
                await _certify(runtime, row)
                continue
        except Exception:  # noqa: BLE001  it is tried again, and nothing of it concerns a caller
            _logger.error("a certificate could not be worked on")
        await asyncio.sleep(_LOOK_EVERY_SECONDS)


def _lease(connection: Connection, turns: dict[str, float]) -> CertificateRow | None:
    """A pending certificate that nobody works on, leased; None where there is none.

    It is the oldest of whoever had no turn for the longest time. `turns`, when each principal had the last one, is
    brought up to date.
    """
    # A lease that ends later than one of now would was given by a clock that ran ahead.
    leased = certificates.c.leased_until.between(now() + 1, now() + _LEASE_SECONDS)
    free = (certificates.c.state == "pending") & or_(certificates.c.leased_until.is_(None), not_(leased))
    waiting = connection.execute(
        select(certificates.c.key, certificates.c.created_at, certificate_requests.c.principal_id)
        .join(certificate_requests, certificate_requests.c.certificate_key == certificates.c.key)
        .where(free)
    ).all()
    if not waiting:
        return None
    following = min(waiting, key=lambda each: (turns.get(each.principal_id, 0.0), each.created_at, each.key))
    query = select(certificates).where(certificates.c.key == following.key, free).with_for_update(skip_locked=True)
    row = fetch_first(connection, CertificateRow, query)
    if row is not None:
        _renew(connection, row.key)
        turns[following.principal_id] = time.monotonic()
    return row


def _renew(connection: Connection, key: str) -> None:
    connection.execute(
        update(certificates).where(certificates.c.key == key).values(leased_until=now() + _LEASE_SECONDS)
    )


async def _certify(runtime: Runtime, row: CertificateRow) -> None:
    """Computes a leased certificate in a process of its own, which can be killed, and stores what came of it."""
    work = asyncio.ensure_future(runtime.processes.run(COMPUTATION, row.parameters, seconds=_MAX_SECONDS))
    try:
        while not (await asyncio.wait({work}, timeout=_LEASE_SECONDS / 3))[0]:
            await runtime.write(lambda c: _renew(c, row.key))
        outcome: dict[str, Any] = {"state": "ready", "certified": work.result()}
    except (ComputationTooLarge, TimeoutError):
        # Killed, for its memory or its time, which says nothing of the certificate: it is tried again, after the
        # others.
        outcome = {"leased_until": now() + _LEASE_SECONDS}
    except Problem:
        outcome = {"state": "failed"}
    finally:
        work.cancel()
        await asyncio.wait({work})
    still_pending = (certificates.c.key == row.key) & (certificates.c.state == "pending")
    await runtime.write(lambda c: c.execute(update(certificates).where(still_pending).values(**outcome)).rowcount)
