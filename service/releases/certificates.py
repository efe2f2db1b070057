"""Certificates of the exponential mechanism. Computing one takes from a second to an hour, so it is done once and
stored by its public parameters.

A certificate depends on the mechanism, the number of records and the prior, never on counts. Its computation starts in
the request that needs it. If it exceeds the time of a request, it is stopped and becomes a row that any process may
lease. There, the first try is limited to a minute and later tries to an hour. One worker does only first tries, so that
they do not wait for an hour. If a process dies, another leases the row, up to a few times, so that a computation that
never fits does not block the others. Nothing is charged while a certificate is pending. The calibration is never
switched silently.

A stored certificate is believed only if the service signed it. Another one is computed again.

Principals share no certificate, since an answer without a computation would disclose what others asked for. The id of
a certificate is kept for a day after it is ready, or until a hundred newer ones. A certificate is kept while it has an
id, and for thirty days after a release used it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, Never

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from core.accounting.accountants import Cost
from core.privacy import PrivacyLoss
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
    MaxChargeExceeded,
    NotFound,
    NotSupported,
    Problem,
    ShuttingDown,
)
from service.identifiers.identifiers import new_id, now
from service.ledger.receipts import ComputedCertificate, UnknownKeyError, is_signed
from service.limits.limits import CERTIFICATES
from service.principals.auth import Caller
from service.releases.document import loss_response
from service.runtime.job_leases import (
    LEASE_SECONDS,
    Turns,
    compute_leased,
    is_free,
    keep_working,
    next_in_turn,
    retry_seconds,
    take_turn,
)
from service.runtime.key_file import InstalledKeys
from service.runtime.runtime import Runtime
from service.schemas import releases as schema


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


_KEPT_SECONDS: Final = 86_400
_USED_KEPT_SECONDS: Final = 30 * 86_400
_MOST_KEPT: Final = 100
"""Limit of certificate ids per principal. Beyond it, the oldest finished one is deleted."""
_FIRST_TRY_SECONDS: Final = 60
_TRIES: Final = 3
_NONE_FOUND: Final = (
    "No certificate was found for these parameters; another calibration, another size or a delta above 0 may have one."
)
_TOO_LARGE: Final = (
    f"The certificate was begun {_TRIES} times and never completed. Most likely it needs more memory or time than the "
    "service allows for one. Ask for fewer records or categories, or for another mechanism; the operator can raise "
    "POSTERIOR_COMPUTATION_MEMORY_MB. You can try again after a day."
)
_AT_ONCE: Final = 20
"""Rows deleted per transaction, so that others wait only briefly."""
_REMEMBERED_CATEGORIES: Final = 1000


async def obtain(runtime: Runtime, caller: Caller, channel: Channel, *, releasing: bool = False) -> Certified:
    """Return the requested channel with its certificate. `releasing`: a release uses it, so it is kept longer.

    Raises CertificatePending if it is not computed yet and takes longer than a request may wait. Raises InvalidRequest
    or NotSupported if no channel has these parameters.
    """
    place = caller.principal_id, channel
    certified = runtime.caches.certificates.get(place)
    if certified is None:
        certified = await (
            _formula(channel)
            if is_immediate(channel.mechanism)
            else _stored(runtime, caller, channel, releasing=releasing)
        )
        if len(channel.prior) <= _REMEMBERED_CATEGORIES:
            runtime.caches.certificates.keep(place, certified)
    return certified


async def _formula(channel: Channel) -> Certified:
    """Compute a certificate that has a formula, which is faster than a look-up.

    It runs in a thread, because the first one on a small simplex solves for its weights.
    """
    return await asyncio.to_thread(channel.certify)


async def _stored(runtime: Runtime, caller: Caller, channel: Channel, *, releasing: bool) -> Certified:
    """Return the stored certificate of a channel.

    If there is none, compute it within the request or request its computation.
    """
    row = await _find_or_compute(runtime, caller, channel)
    if row is None or row.state == "pending":
        row = await runtime.database.write(
            lambda c: _ask(c, caller, channel.parameters(caller.principal_id), runtime.database.keys)
        )
    elif releasing and row.state == "ready" and (row.used_at or 0) <= now() - _KEPT_SECONDS:
        await runtime.database.write(lambda c: _note_use(c, row.key))
    return Certified.from_json(_text_of(row))


def _is_signed(row: CertificateRow, keys: InstalledKeys) -> bool:
    """Return whether the service stored this certificate for its parameters."""
    computed = ComputedCertificate.of(row.parameters, row.certified or "")
    try:
        return key_of(row.parameters) == row.key and keys.verified(partial(is_signed, row.signature, computed))
    except UnknownKeyError:
        return False


def _ready(row: CertificateRow | None, keys: InstalledKeys) -> CertificateRow | None:
    """Return the row, or None if there is none, or if it is ready and the service did not store it."""
    return None if row is None or (row.state == "ready" and not _is_signed(row, keys)) else row


def _certified(parameters: str, text: str, keys: InstalledKeys) -> dict[str, Any]:
    """Return the columns of a ready certificate, with its signature."""
    signature = keys.current.signer.signed_text(ComputedCertificate.of(parameters, text))
    return {"state": "ready", "certified": text, "signature": signature}


async def _find_or_compute(runtime: Runtime, caller: Caller, channel: Channel) -> CertificateRow | None:
    """Return the certificate's row. If there is none, compute the certificate within the request and store it. Return
    None if that takes too long or no process is available.
    """
    parameters = channel.parameters(caller.principal_id)
    keys = runtime.database.keys
    row = _ready(await runtime.database.read(lambda c: _find(c, key_of(parameters))), keys)
    if row is not None:
        return row
    try:
        text = await runtime.processes.compute(caller.principal_id, COMPUTATION, parameters)
    except (ComputationTooLarge, ComputationsUnavailable):
        await asyncio.to_thread(channel.check)
        return None
    ready = _certified(parameters, text, keys)
    return await runtime.database.write(lambda c: _keep(c, caller, parameters, ready, keys))


def _text_of(row: CertificateRow) -> str:
    if row.state == "ready":
        return str(row.certified)
    if row.state == "failed":
        raise NotSupported(why_failed(row))
    raise CertificatePending.until(retry_seconds(row.created_at), certificate=f"/v1/certificates/{row.id}")


def why_failed(row: CertificateRow) -> str | None:
    """Return the reason why a certificate failed, or None if it did not fail."""
    if row.state != "failed":
        return None
    return _TOO_LARGE if _is_tried_enough(row) else _NONE_FOUND


def _is_tried_enough(row: CertificateRow) -> bool:
    return row.tries >= _TRIES


def _find(connection: Connection, key: str) -> CertificateRow | None:
    return fetch_first(connection, CertificateRow, select(certificates).where(certificates.c.key == key))


def _keep(
    connection: Connection, caller: Caller, parameters: str, ready: dict[str, Any], keys: InstalledKeys
) -> CertificateRow:
    """Store a certificate that was computed within the request, and return its row."""
    key = key_of(parameters)
    _reset_unsigned(connection, parameters, keys)
    if _find(connection, key) is None:
        connection.execute(insert(certificates).values(_columns(parameters) | ready))
        _note_asker(connection, caller, key)
    else:  # another request created the row first
        _settle(connection, key, ready)
    row = _find(connection, key)
    assert row is not None, "it was just found or made"
    return row


def _reset_unsigned(connection: Connection, parameters: str, keys: InstalledKeys) -> None:
    """Let a certificate be computed again if it is stored as ready and the service did not store it."""
    row = _find(connection, key_of(parameters))
    if row is not None and _ready(row, keys) is None:
        again = {"parameters": parameters, "state": "pending", "certified": None, "signature": None, "tries": 0}
        connection.execute(update(certificates).where(certificates.c.key == row.key).values(again))


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


def _ask(connection: Connection, caller: Caller, parameters: str, keys: InstalledKeys) -> CertificateRow:
    """Return the certificate's row, after recording that the caller requested it. Raises CertificateQuotaExceeded."""
    key = key_of(parameters)
    _reset_unsigned(connection, parameters, keys)
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
"""Select requested certificates, each with the requesting principal's id for it."""


def _asked(connection: Connection, caller: Caller, key: str) -> CertificateRow | None:
    query = _ASKED.where(certificates.c.key == key, certificate_requests.c.principal_id == caller.principal_id)
    return fetch_first(connection, CertificateRow, query)


def _asked_by(connection: Connection, caller: Caller) -> Sequence[Row[Any, Any]]:
    """Return key and state of each certificate that the caller requested within a day or waits for, oldest request
    first.
    """
    query = (
        select(certificates.c.key, certificates.c.state)
        .join(certificate_requests, certificates.c.key == certificate_requests.c.certificate_key)
        .where(certificate_requests.c.principal_id == caller.principal_id)
        .order_by(certificate_requests.c.created_at)
    )
    return connection.execute(query).all()


async def formula(channel: Channel) -> Certified | None:
    """Return the certificate if a formula gives it, otherwise None.

    It is not stored. Raises InvalidRequest or NotSupported.
    """
    return await _formula(channel) if is_immediate(channel.mechanism) else None


async def ask(runtime: Runtime, caller: Caller, channel: Channel) -> CertificateRow:
    """Request a certificate without a formula ahead of its use, and return its row.

    Raises CertificateQuotaExceeded, InvalidRequest or NotSupported.
    """
    await _find_or_compute(runtime, caller, channel)
    return await runtime.database.write(
        lambda c: _ask(c, caller, channel.parameters(caller.principal_id), runtime.database.keys)
    )


def get_certificate(connection: Connection, caller: Caller, certificate_id: str, keys: InstalledKeys) -> CertificateRow:
    """Return the row of a certificate that the caller requested. Raises NotFound, also if the service did not store it:
    the next request computes it again.
    """
    query = _ASKED.where(
        certificate_requests.c.principal_id == caller.principal_id,
        certificate_requests.c.id == certificate_id,
    )
    row = _ready(fetch_first(connection, CertificateRow, query), keys)
    if row is None:
        raise NotFound
    return row


def forget_unused(connection: Connection) -> bool:
    """Delete a batch of ids older than a day, and of certificates without an id that no recent release used.

    Returns whether more may be left.
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
    """Compute pending certificates, one at a time, in turns by principal."""
    await keep_working(runtime, _lease, _certify)


async def keep_certifying_first_tries(runtime: Runtime) -> Never:
    """Compute pending certificates as `keep_certifying` does, but only first tries.

    They then never wait for an hour-long computation.
    """
    await keep_working(runtime, partial(_lease, first_tries_only=True), _certify)


def _lease(connection: Connection, turns: Turns, *, first_tries_only: bool = False) -> CertificateRow | None:
    """Lease the oldest pending certificate of the principal who has waited longest for a turn.

    Returns None if there is none without a valid lease.
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
    if key_of(row.parameters) != row.key:  # the row was altered: the next request makes another
        connection.execute(delete(certificate_requests).where(certificate_requests.c.certificate_key == row.key))
        connection.execute(delete(certificates).where(certificates.c.key == row.key))
        return None
    if _is_tried_enough(row):  # the process of the last try died before it could store this
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
    """Compute a leased certificate and store the outcome."""
    renew, begun = partial(_renew, key=row.key), row.tries + 1
    try:
        seconds = CERTIFICATES.seconds if row.tries else _FIRST_TRY_SECONDS
        text = await compute_leased(runtime, COMPUTATION, row.parameters, seconds=seconds, renew=renew)
        if text is None:
            return
        outcome = _certified(row.parameters, text, runtime.database.keys)
    except TimeoutError:
        outcome = {"leased_until": None} if begun < _TRIES else {"state": "failed"}
    except ComputationTooLarge:
        # The process was killed, perhaps because other processes needed memory. Retry after the others.
        outcome = {"leased_until": now() + LEASE_SECONDS} if begun < _TRIES else {"state": "failed"}
    except (asyncio.CancelledError, ShuttingDown, DatabaseUnavailable, ComputationsUnavailable):
        # This process is ending or lost a resource. That is no failed try, and another process may lease the row now.
        await runtime.database.write(partial(_settle, key=row.key, outcome={"leased_until": None, "tries": begun - 1}))
        raise
    except Problem:
        outcome = {"state": "failed", "tries": 0}
    await runtime.database.write(partial(_settle, key=row.key, outcome=outcome))
