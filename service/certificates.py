"""Certificates of the exponential mechanism, which can take a second or a minute to compute: found once, kept by their
public parameters.

A certificate depends on the mechanism, the number of records and the prior, never on counts. Each is started in the
request that needs it. If it takes longer than somebody waits, it is stopped and becomes a row that any process may
take. Its first try there ends after a minute, further ones after an hour; one worker takes first tries alone, so that
they do not wait for an hour. A row is leased, so that one whose process died is taken up again, a few times: one that
never fits would be in the way of all others for ever. Nothing is charged while it is pending, and the calibration is
never switched silently.

The work is shared, and nobody learns of it: each who asks knows the certificate by an id of its own, for a day after it
is there, or until a hundred newer ones. A certificate is kept as long as somebody has an id of it, and for thirty days
after a release used it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, Never

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from service.auth import Caller
from service.channels.certified import COMPUTATION, Certified, Channel, key_of
from service.channels.mechanisms import is_immediate
from service.database.rows import CertificateRow, fetch_first
from service.database.tables import certificate_requests, certificates
from service.errors import (
    CertificatePending,
    CertificateQuotaExceeded,
    ComputationsUnavailable,
    ComputationTooLarge,
    DatabaseUnavailable,
    NotFound,
    NotSupported,
    Problem,
    ShuttingDown,
)
from service.identifiers import new_id, now
from service.jobs.leases import (
    LEASE_SECONDS,
    Turns,
    compute_leased,
    is_free,
    keep_working,
    next_in_turn,
    retry_seconds,
    take_turn,
)
from service.limits import CERTIFICATES
from service.runtime.runtime import Runtime

_KEPT_SECONDS: Final = 86_400
_USED_KEPT_SECONDS: Final = 30 * 86_400
_MOST_KEPT: Final = 100
"""Certificates by whose ids a principal can ask within a day: the oldest one that is done makes room for the next."""
_FIRST_TRY_SECONDS: Final = 60
_TRIES: Final = 3
_NONE_FOUND: Final = (
    "No certificate was found for these parameters; another calibration, another size or a delta above 0 may have one."
)
_TOO_LARGE: Final = (
    f"The certificate was begun {_TRIES} times, and each time ended before it was done: most likely it needs more "
    "memory or time than the service allows for one. Ask for fewer records or categories, or for another mechanism; "
    "the operator can raise POSTERIOR_COMPUTATION_MEMORY_MB. It can be tried anew after a day."
)
_AT_ONCE: Final = 20
"""Rows that are removed in one transaction: others wait for it."""
_REMEMBERED_CATEGORIES: Final = 1000


async def obtain(runtime: Runtime, caller: Caller, channel: Channel, *, releasing: bool = False) -> Certified:
    """The channel that a request asks for, certified. `releasing`: for a release, for which it is kept longer.

    Raises CertificatePending if that takes longer than somebody waits and was not done before; InvalidRequest or
    NotSupported if the parameters allow no channel.
    """
    certified = runtime.caches.certificates.get(channel)
    if certified is None:
        certified = await (
            _formula(channel)
            if is_immediate(channel.mechanism)
            else _stored(runtime, caller, channel, releasing=releasing)
        )
        if len(channel.prior) <= _REMEMBERED_CATEGORIES:
            runtime.caches.certificates.keep(channel, certified)
    return certified


async def _formula(channel: Channel) -> Certified:
    """A certificate that is quicker computed than looked up. Not in the event loop, since the first of a small
    simplex solves for its weights.
    """
    return await asyncio.to_thread(channel.certify)


async def _stored(runtime: Runtime, caller: Caller, channel: Channel, *, releasing: bool) -> Certified:
    """A certificate that the database keeps, computed or asked for where it is new."""
    row = await _find_or_compute(runtime, caller, channel)
    if row is None or row.state == "pending":
        row = await runtime.database.write(lambda c: _ask(c, caller, channel.parameters))
    elif releasing and row.state == "ready" and (row.used_at or 0) <= now() - _KEPT_SECONDS:
        await runtime.database.write(lambda c: _note_use(c, row.key))
    return Certified.from_json(_text_of(row))


async def _find_or_compute(runtime: Runtime, caller: Caller, channel: Channel) -> CertificateRow | None:
    """Return the certificate's row. If there is none, compute the certificate while its caller waits and keep it;
    return None if that takes longer than somebody waits, or no process is there.
    """
    parameters = channel.parameters
    row = await runtime.database.read(lambda c: _find(c, key_of(parameters)))
    if row is not None:
        return row
    try:
        text = await runtime.processes.compute(caller.principal_id, COMPUTATION, parameters)
    except (ComputationTooLarge, ComputationsUnavailable):
        await asyncio.to_thread(channel.check)
        return None
    return await runtime.database.write(lambda c: _keep(c, caller, parameters, text))


def _text_of(row: CertificateRow) -> str:
    if row.state == "ready":
        return str(row.certified)
    if row.state == "failed":
        raise NotSupported(why_failed(row))
    raise CertificatePending.until(retry_seconds(row.created_at), certificate=f"/v1/certificates/{row.id}")


def why_failed(row: CertificateRow) -> str | None:
    """What a caller is told of a certificate that is not to be had; None of any other."""
    if row.state != "failed":
        return None
    return _TOO_LARGE if _is_tried_enough(row) else _NONE_FOUND


def _is_tried_enough(row: CertificateRow) -> bool:
    return row.tries >= _TRIES


def _find(connection: Connection, key: str) -> CertificateRow | None:
    return fetch_first(connection, CertificateRow, select(certificates).where(certificates.c.key == key))


def _keep(connection: Connection, caller: Caller, parameters: str, text: str) -> CertificateRow:
    """Store a certificate that was computed at once, and return its row."""
    key, ready = key_of(parameters), {"state": "ready", "certified": text}
    if _find(connection, key) is None:
        connection.execute(insert(certificates).values(_columns(parameters) | ready))
        _note_asker(connection, caller, key)
    else:  # another request was first, and may have made a job of it
        _settle(connection, key, ready)
    row = _find(connection, key)
    assert row is not None, "it was just found or made"
    return row


def _note_asker(connection: Connection, caller: Caller, key: str) -> None:
    asked = _asked_by(connection, caller)
    done = [each.key for each in asked if each.state != "pending"]
    oldest = done[: max(0, len(asked) + 1 - _MOST_KEPT)]
    mine = certificate_requests.c.principal_id == caller.principal_id
    connection.execute(delete(certificate_requests).where(mine, certificate_requests.c.certificate_key.in_(oldest)))
    row = {"certificate_key": key, "principal_id": caller.principal_id, "created_at": now(), "id": new_id("cer")}
    connection.execute(insert(certificate_requests).values(row))


def _note_use(connection: Connection, key: str) -> None:
    connection.execute(update(certificates).where(certificates.c.key == key).values(used_at=now()))


def _columns(parameters: str) -> dict[str, Any]:
    return {
        "key": key_of(parameters),
        "id": new_id("cer"),
        "parameters": parameters,
        "created_at": now(),
        "tries": 0,
    }


def _ask(connection: Connection, caller: Caller, parameters: str) -> CertificateRow:
    """Return the certificate's row, with the caller among those who asked. Raises CertificateQuotaExceeded."""
    key = key_of(parameters)
    if _asked(connection, caller, key) is None:
        row = _find(connection, key)
        if row is None or row.state == "pending":
            pending = [each for each in _asked_by(connection, caller) if each.state == "pending"]
            if len(pending) >= CERTIFICATES.max_per_key:
                raise CertificateQuotaExceeded
        if row is None:
            connection.execute(insert(certificates).values(_columns(parameters) | {"state": "pending"}))
        _note_asker(connection, caller, key)
    found = _asked(connection, caller, key)
    assert found is not None, "it was just found or made"
    return found


_ASKED: Final = select(
    *(certificate_requests.c.id if name == "id" else certificates.c[name] for name in CertificateRow._fields)
).join(certificate_requests, certificate_requests.c.certificate_key == certificates.c.key)
"""Certificates, each with the id that whoever asked for it knows it by."""


def _asked(connection: Connection, caller: Caller, key: str) -> CertificateRow | None:
    query = _ASKED.where(certificates.c.key == key, certificate_requests.c.principal_id == caller.principal_id)
    return fetch_first(connection, CertificateRow, query)


def _asked_by(connection: Connection, caller: Caller) -> Sequence[Row[Any, Any]]:
    """Key and state of each certificate that the caller asked for within the day, or waits for; in the order in which
    it did.
    """
    query = (
        select(certificates.c.key, certificates.c.state)
        .join(certificate_requests, certificates.c.key == certificate_requests.c.certificate_key)
        .where(certificate_requests.c.principal_id == caller.principal_id)
        .order_by(certificate_requests.c.created_at)
    )
    return connection.execute(query).all()


async def formula(channel: Channel) -> Certified | None:
    """The certificate where a formula gives it, which nothing keeps; else None. Raises InvalidRequest or
    NotSupported.
    """
    return await _formula(channel) if is_immediate(channel.mechanism) else None


async def ask(runtime: Runtime, caller: Caller, channel: Channel) -> CertificateRow:
    """Asks for a certificate that no formula gives ahead of its use; its row. Raises CertificateQuotaExceeded,
    InvalidRequest or NotSupported.
    """
    await _find_or_compute(runtime, caller, channel)
    return await runtime.database.write(lambda c: _ask(c, caller, channel.parameters))


def read(connection: Connection, caller: Caller, certificate_id: str) -> CertificateRow:
    """The row of a certificate that the caller asked for. Raises NotFound."""
    query = _ASKED.where(
        certificate_requests.c.principal_id == caller.principal_id,
        certificate_requests.c.id == certificate_id,
    )
    row = fetch_first(connection, CertificateRow, query)
    if row is None:
        raise NotFound
    return row


def forget_unused(connection: Connection) -> bool:
    """Removes some certificates that no release used for long and nobody has an id of, and ids of a day ago. Whether
    more may be left.
    """
    instant = now()
    done = select(certificates.c.key).where(certificates.c.state != "pending")
    old_ids = (
        select(certificate_requests.c.id)
        .where(
            certificate_requests.c.created_at <= instant - _KEPT_SECONDS,
            certificate_requests.c.certificate_key.in_(done),
        )
        .limit(_AT_ONCE)
    )
    ids = connection.execute(
        delete(certificate_requests).where(certificate_requests.c.id.in_(old_ids.scalar_subquery()))
    )
    unused = (
        select(certificates.c.key)
        .where(
            certificates.c.state != "pending",
            func.coalesce(certificates.c.used_at, 0) <= instant - _USED_KEPT_SECONDS,
            certificates.c.key.not_in(select(certificate_requests.c.certificate_key)),
        )
        .limit(_AT_ONCE)
    )
    removed = connection.execute(delete(certificates).where(certificates.c.key.in_(unused.scalar_subquery())))
    return max(ids.rowcount, removed.rowcount) >= _AT_ONCE


async def keep_certifying(runtime: Runtime) -> Never:
    """Computes pending certificates, one at a time, in turns by who asked for them."""
    await keep_working(runtime, _lease, _certify)


async def keep_certifying_first_tries(runtime: Runtime) -> Never:
    """As `keep_certifying`, beside it, so that what takes a minute does not wait for what takes an hour."""
    await keep_working(runtime, partial(_lease, first_tries_only=True), _certify)


def _lease(connection: Connection, turns: Turns, *, first_tries_only: bool = False) -> CertificateRow | None:
    """Lease a pending certificate that nobody works on: the oldest of the principal that had no turn for the longest
    time. Return None if there is none.
    """
    free = is_free(certificates)
    if first_tries_only:
        free &= certificates.c.tries == 0
    waiting = connection.execute(
        select(certificates.c.key, certificates.c.created_at, certificate_requests.c.principal_id)
        .join(certificate_requests, certificate_requests.c.certificate_key == certificates.c.key)
        .where(free)
    )
    following = next_in_turn(waiting, turns)
    if following is None:
        return None
    query = select(certificates).where(certificates.c.key == following.key, free).with_for_update(skip_locked=True)
    row = fetch_first(connection, CertificateRow, query)
    if row is None:
        return None
    if _is_tried_enough(row):  # and the last process that tried could not say so
        _settle(connection, row.key, {"state": "failed"})
        return None
    _renew(connection, row.key, tries=row.tries + 1)
    take_turn(turns, following.principal_id)
    return row


def _renew(connection: Connection, key: str, **columns: int) -> bool:
    renewed = update(certificates).where(certificates.c.key == key)
    return bool(connection.execute(renewed.values(leased_until=now() + LEASE_SECONDS, **columns)).rowcount)


def _settle(connection: Connection, key: str, outcome: dict[str, Any]) -> None:
    still_pending = (certificates.c.key == key) & (certificates.c.state == "pending")
    connection.execute(update(certificates).where(still_pending).values(**outcome))


async def _certify(runtime: Runtime, row: CertificateRow) -> None:
    """Computes a leased certificate and stores what came of it."""
    renew, begun = partial(_renew, key=row.key), row.tries + 1
    try:
        seconds = CERTIFICATES.seconds if row.tries else _FIRST_TRY_SECONDS
        text = await compute_leased(runtime, COMPUTATION, row.parameters, seconds=seconds, renew=renew)
        outcome: dict[str, Any] = {"state": "ready", "certified": text}
        if text is None:
            return
    except TimeoutError:
        outcome = {"leased_until": None} if begun < _TRIES else {"state": "failed"}
    except ComputationTooLarge:
        # Killed, perhaps for somebody else's need of memory: it is tried again, after the others.
        outcome = {"leased_until": now() + LEASE_SECONDS} if begun < _TRIES else {"state": "failed"}
    except (asyncio.CancelledError, ShuttingDown, DatabaseUnavailable, ComputationsUnavailable):
        # This process ends, or could not go on, which says nothing of the certificate: another takes it up now.
        await runtime.database.write(partial(_settle, key=row.key, outcome={"leased_until": None, "tries": begun - 1}))
        raise
    except Problem:
        outcome = {"state": "failed", "tries": 0}
    await runtime.database.write(partial(_settle, key=row.key, outcome=outcome))
