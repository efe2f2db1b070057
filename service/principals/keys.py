"""API keys of principals. A key can create keys below it, and can be replaced by a successor.

A key never outlives the key that created it, and revoking a key revokes its descendants. So revoking a leaked key also
revokes every key that a thief created with it. Every function works inside the caller's transaction.
"""

from __future__ import annotations

import time
from dataclasses import replace

from sqlalchemy import ColumnElement, Connection, func, insert, or_, select, update

from service.database.paging import FIRST_PAGE, PageRequest, in_order_of_creation
from service.database.rows import ApiKeyRow, fetch_all, fetch_first, fetch_one
from service.database.tables import api_keys
from service.errors import Conflict, InvalidRequest, KeyQuotaExceeded, NotFound, RecoveryPending, Unauthenticated
from service.identifiers.identifiers import new_id, now
from service.limits.limits import SESSIONS
from service.principals import chain
from service.principals.auth import SESSION, Caller, NewSecret, hash_secret_row, is_frozen, new_secret
from service.principals.chain import Event, PrincipalEvent
from service.schemas.principals import Role

SECONDS_PER_DAY = 86_400
MAX_LIFE_DAYS = 3653
MAX_SESSIONS = SESSIONS.max_per_key
SESSION_SECONDS = 8 * 3600
CONFIRMED_SECONDS = 600


def create_key(
    connection: Connection, principal_id: str, *, issued_by: str, expires_in_days: int | None
) -> tuple[str, NewSecret]:
    """Create a key without a parent, for commands on the service's machine. Raises NotFound for an unknown or revoked
    principal.
    """
    principal = chain.lock(connection, principal_id)
    if principal.revoked_at is not None:
        raise NotFound
    expires_at = None if expires_in_days is None else now() + expires_in_days * SECONDS_PER_DAY
    key_id, secret = add_key(connection, principal_id, issued_by=issued_by, expires_at=expires_at)
    detail = {"role": principal.role, "key_sha256": secret.row_sha256}
    chain.record(connection, principal_id, Event(PrincipalEvent.KEY_ISSUED, issued_by, key_id, detail))
    return key_id, secret


def create_session(connection: Connection, caller: Caller, *, expires_at: int | None) -> tuple[str, NewSecret]:
    """Create the key of a browser session, as a child of the caller's key.

    Beyond `MAX_SESSIONS` the oldest session ends. Raises InvalidRequest if it would last longer than the caller's key
    or `SESSION_SECONDS`, and RecoveryPending during a recovery.
    """
    parent = _lock_own(connection, caller)
    last = now() + SESSION_SECONDS
    if expires_at is not None and expires_at > last:
        raise InvalidRequest.at("expires_at", "must lie within eight hours for a session")
    if expires_at is None:
        expires_at = last if parent.expires_at is None else min(last, parent.expires_at)
    query = select(api_keys.c.id).where(_is_valid_key_of(caller.principal_id), api_keys.c.kind == SESSION)
    oldest_first = query.order_by(api_keys.c.created_nanoseconds, api_keys.c.id)
    live = list(connection.execute(oldest_first).scalars())
    end_keys(connection, caller.principal_id, live[: max(0, len(live) + 1 - MAX_SESSIONS)], by=caller.principal_id)
    return _add_child(connection, caller, parent, expires_at=expires_at, kind=SESSION)


def confirm_session(connection: Connection, caller: Caller, key_id: str) -> int:
    """Confirm a session that the caller's key began, for some minutes that no use of it prolongs. Return their end.

    Raises NotFound for any other key, and RecoveryPending during a recovery.
    """
    _lock_own(connection, caller)
    query = select(api_keys.c.id).where(
        _is_valid_key_of(caller.principal_id),
        api_keys.c.id == key_id,
        api_keys.c.parent_id == caller.key_id,
        api_keys.c.kind == SESSION,
    )
    if connection.execute(query).first() is None:
        raise NotFound
    until = now() + CONFIRMED_SECONDS
    event = Event(PrincipalEvent.SESSION_CONFIRMED, caller.principal_id, key_id, {"until": until})
    chain.record(connection, caller.principal_id, event)
    return until


def create_child(connection: Connection, caller: Caller, *, expires_at: int | None, most: int) -> tuple[str, NewSecret]:
    """Create a child of the caller's key. A principal may have at most `most` valid keys, not counting sessions.

    Raises InvalidRequest if it would outlive the caller's key, KeyQuotaExceeded, and RecoveryPending during a recovery.
    """
    parent = _lock_own(connection, caller)
    query = select(func.count()).where(_is_valid_key_of(caller.principal_id), api_keys.c.kind != SESSION)
    if connection.execute(query).scalar_one() >= most:
        raise KeyQuotaExceeded
    return _add_child(connection, caller, parent, expires_at=expires_at, kind="key")


def _add_child(
    connection: Connection, caller: Caller, parent: ApiKeyRow, *, expires_at: int | None, kind: str
) -> tuple[str, NewSecret]:
    """Store and record a child of the caller's key. Raises InvalidRequest if it would outlive that key."""
    check_end(expires_at)
    if parent.expires_at is not None:
        if expires_at is not None and expires_at > parent.expires_at:
            raise InvalidRequest.at(
                "expires_at", "can't be later than the end of the issuing key; leave it out for the same end"
            )
        expires_at = parent.expires_at if expires_at is None else expires_at
    key_id, secret = add_key(
        connection,
        caller.principal_id,
        issued_by=caller.principal_id,
        expires_at=expires_at,
        parent_id=caller.key_id,
        enrolment_id=parent.enrolment_id,
        kind=kind,
    )
    detail = {"parent_id": caller.key_id, "key_sha256": secret.row_sha256} | ({"kind": kind} if kind == SESSION else {})
    chain.record(
        connection,
        caller.principal_id,
        Event(PrincipalEvent.KEY_ISSUED, caller.principal_id, key_id, detail),
    )
    return key_id, secret


def replace_key(connection: Connection, caller: Caller, key_id: str) -> tuple[str, NewSecret]:
    """Revoke the caller's own key and create a successor with the same expiry and the same child keys. Raises NotFound,
    Conflict, RecoveryPending.
    """
    if not key_rows(connection, caller, only=key_id):
        raise NotFound
    if key_id != caller.key_id:
        raise Conflict("A key can only replace itself: send the request with the key that you want to replace.")
    old = _lock_own(connection, caller)
    new_key_id, secret = add_key(
        connection,
        caller.principal_id,
        issued_by=caller.principal_id,
        expires_at=old.expires_at,
        parent_id=old.parent_id,
        enrolment_id=old.enrolment_id,
    )
    # Only valid child keys: the parent of an ended key is never read, and there may be many.
    still = api_keys.c.revoked_at.is_(None) & (api_keys.c.expires_at.is_(None) | (api_keys.c.expires_at > now()))
    connection.execute(update(api_keys).where(api_keys.c.parent_id == key_id, still).values(parent_id=new_key_id))
    connection.execute(update(api_keys).where(api_keys.c.id == key_id).values(revoked_at=now()))
    detail = {"successor_id": new_key_id, "key_sha256": secret.row_sha256}
    event = Event(PrincipalEvent.KEY_REPLACED, caller.principal_id, key_id, detail)
    chain.record(connection, caller.principal_id, event)
    return new_key_id, secret


def revoke_key(connection: Connection, caller: Caller, key_id: str) -> None:
    """Revoke a key and all its descendants. An admin, the key itself and its ancestors may do so.

    Raises NotFound for a key that the caller may not see, Conflict for a key that the caller may not revoke, and
    RecoveryPending for an admin under recovery.
    """
    found = key_rows(connection, caller, only=key_id)
    if not found:
        raise NotFound
    principal_id = found[0].principal_id
    for each in sorted({principal_id, caller.principal_id}):
        chain.lock(connection, each)
    live = _valid_keys(connection, principal_id)
    if key_id not in _key_with_descendants(live, caller.key_id):
        if caller.role is not Role.ADMIN:
            raise Conflict(
                "A key can end itself and the keys that descend from it. The recovery code ends all other keys, and "
                "an admin can end any key."
            )
        # A recovery must not revoke the keys that could veto it, and an ended key must not revoke any.
        chain.require_acting(connection, caller)
    end_keys(connection, principal_id, _key_with_descendants(live, key_id), by=caller.principal_id)


def end_keys(connection: Connection, principal_id: str, key_ids: list[str], *, by: str) -> None:
    """Revoke these valid keys of a locked principal."""
    connection.execute(
        update(api_keys).where(api_keys.c.id.in_(key_ids), api_keys.c.revoked_at.is_(None)).values(revoked_at=now())
    )
    chain.record(connection, principal_id, *(Event(PrincipalEvent.KEY_REVOKED, by, key_id) for key_id in key_ids))


def key_rows(
    connection: Connection,
    caller: Caller,
    page: PageRequest = FIRST_PAGE,
    *,
    only: str | None = None,
    own: bool = False,
) -> list[ApiKeyRow]:
    """Return the keys that the caller may see: for an admin all keys unless `own`, for others their own.

    Raises InvalidRequest for an unknown cursor.
    """
    query = select(api_keys)
    if own or caller.role is not Role.ADMIN:
        query = query.where(api_keys.c.principal_id == caller.principal_id)
    if only is not None:
        query = query.where(api_keys.c.id == only)
    return fetch_all(connection, ApiKeyRow, in_order_of_creation(connection, query, api_keys, page))


def key_row(connection: Connection, key_id: str) -> ApiKeyRow:
    """Return the row of an existing key."""
    return fetch_one(connection, ApiKeyRow, select(api_keys).where(api_keys.c.id == key_id))


def note_use(connection: Connection, key_id: str, instant: int) -> None:
    """Store the time of a key's last use."""
    connection.execute(update(api_keys).where(api_keys.c.id == key_id).values(last_used_at=instant))


def add_key(
    connection: Connection,
    principal_id: str,
    *,
    issued_by: str,
    expires_at: int | None,
    parent_id: str | None = None,
    enrolment_id: str | None = None,
    kind: str = "key",
) -> tuple[str, NewSecret]:
    """Store a key and return its id and secret, which is not stored. The caller records the event."""
    key_id, secret = new_id("key"), new_secret()
    columns = {
        "id": key_id,
        "principal_id": principal_id,
        "prefix": secret.prefix,
        "secret_hash": secret.secret_hash,
        "issued_by": issued_by,
        "created_at": now(),
        "created_nanoseconds": time.time_ns(),
        "expires_at": expires_at,
        "parent_id": parent_id,
        "enrolment_id": enrolment_id,
        "kind": kind,
    }
    connection.execute(insert(api_keys).values(columns))
    return key_id, replace(secret, row_sha256=hash_secret_row(columns))


def check_end(expires_at: int | None) -> None:
    """Raise InvalidRequest if a new key can't expire at this time."""
    if expires_at is not None and not 0 < expires_at - now() <= MAX_LIFE_DAYS * SECONDS_PER_DAY:
        raise InvalidRequest.at("expires_at", "must lie in the future, at most ten years from now")


def _lock_own(connection: Connection, caller: Caller) -> ApiKeyRow:
    """Lock the caller's principal and key, check that both are valid, and return the key. Raises RecoveryPending,
    Unauthenticated.
    """
    principal = chain.lock(connection, caller.principal_id)
    if is_frozen(principal.frozen_until):
        raise RecoveryPending
    key = fetch_first(connection, ApiKeyRow, select(api_keys).where(api_keys.c.id == caller.key_id).with_for_update())
    if key is None or key.revoked_at is not None or principal.revoked_at is not None:
        raise Unauthenticated
    return key


def _valid_keys(connection: Connection, principal_id: str) -> dict[str, str | None]:
    """Return the valid keys of a principal, each with the id of its parent."""
    query = select(api_keys.c.id, api_keys.c.parent_id).where(_is_valid_key_of(principal_id))
    return {row.id: row.parent_id for row in connection.execute(query)}


def _is_valid_key_of(principal_id: str) -> ColumnElement[bool]:
    """Return the condition that a key belongs to the principal and is neither revoked nor expired."""
    counts = api_keys.c.revoked_at.is_(None) & or_(api_keys.c.expires_at.is_(None), api_keys.c.expires_at > now())
    return (api_keys.c.principal_id == principal_id) & counts


def _key_with_descendants(live: dict[str, str | None], key_id: str) -> list[str]:
    """Return a key and its descendants in `live`, or nothing if the key itself is not valid."""
    found = [key_id] if key_id in live else []
    for each in found:
        found += [child for child, parent in live.items() if parent == each]
    return found
