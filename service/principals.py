"""Principals and their keys. Every function works inside the caller's transaction."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from service import ledger
from service.auth import Caller, NewSecret, Role, new_secret
from service.chain import EntryKind
from service.errors import NotFound
from service.identifiers import new_id, now
from service.models import api_keys, principal_names, principals

_SECONDS_PER_DAY = 86_400
COMMAND_LINE = "command-line"
"""Who an act is noted as, where somebody did it on the machine itself."""


def create_principal(connection: Connection, role: Role, name: str) -> str:
    """Adds a principal and returns its pseudonymous id."""
    principal_id = new_id("pri")
    connection.execute(insert(principals).values(id=principal_id, role=role.value, created_at=now()))
    connection.execute(insert(principal_names).values(principal_id=principal_id, name=name))
    return principal_id


def principal_rows(connection: Connection, *, after: str = "", limit: int = 100, only: str | None = None) -> list[Row[tuple[object, ...]]]:
    """Principals with their names, in the order of their ids."""
    query = (
        select(principals, principal_names.c.name)
        .join(principal_names, principal_names.c.principal_id == principals.c.id, isouter=True)
        .where(principals.c.id > after)
        .order_by(principals.c.id)
        .limit(limit)
    )
    if only is not None:
        query = query.where(principals.c.id == only)
    return list(connection.execute(query))


def revoke_principal(connection: Connection, principal_id: str, *, erase_name: bool, by: str = COMMAND_LINE) -> None:
    """Ends every key of the principal at once, which the budgets it could spend from note; what it spent stays. Raises NotFound."""
    row = connection.execute(select(principals).where(principals.c.id == principal_id)).first()
    if row is None:
        raise NotFound
    if row.revoked_at is None:
        ledger.note_revocation(connection, principal_id=principal_id, by=by)
        connection.execute(
            update(principals).where(principals.c.id == principal_id, principals.c.revoked_at.is_(None)).values(revoked_at=now())
        )
    if erase_name:
        connection.execute(delete(principal_names).where(principal_names.c.principal_id == principal_id))


def create_key(connection: Connection, principal_id: str, *, issued_by: str, expires_in_days: int | None) -> tuple[str, NewSecret]:
    """Issues a key, which an owner's budgets note, and returns its id and the key itself, which is kept nowhere.

    Raises NotFound for an unknown or revoked principal.
    """
    key_id = new_id("key")
    ledger.note_key(connection, owner_id=principal_id, key_id=key_id, by=issued_by, kind=EntryKind.KEY_ISSUED)
    alive = select(principals.c.id).where(principals.c.id == principal_id, principals.c.revoked_at.is_(None)).with_for_update()
    if connection.execute(alive).first() is None:
        raise NotFound
    secret = new_secret()
    connection.execute(
        insert(api_keys).values(
            id=key_id,
            principal_id=principal_id,
            prefix=secret.prefix,
            secret_hash=secret.secret_hash,
            issued_by=issued_by,
            created_at=now(),
            expires_at=None if expires_in_days is None else now() + expires_in_days * _SECONDS_PER_DAY,
        )
    )
    return key_id, secret


def key_rows(
    connection: Connection, caller: Caller, *, after: str = "", limit: int = 100, only: str | None = None
) -> list[Row[tuple[object, ...]]]:
    """The keys that the caller may see: all for an admin, one's own for others."""
    query = select(api_keys).where(api_keys.c.id > after).order_by(api_keys.c.id).limit(limit)
    if caller.role is not Role.ADMIN:
        query = query.where(api_keys.c.principal_id == caller.principal_id)
    if only is not None:
        query = query.where(api_keys.c.id == only)
    return list(connection.execute(query))


def revoke_key(connection: Connection, caller: Caller, key_id: str) -> None:
    """Ends a key at once, which an owner's budgets note. Raises NotFound for a key that the caller may not see."""
    found = key_rows(connection, caller, only=key_id)
    if not found:
        raise NotFound
    row: Any = found[0]
    if row.revoked_at is not None:
        return
    ledger.note_key(connection, owner_id=row.principal_id, key_id=key_id, by=caller.principal_id, kind=EntryKind.KEY_REVOKED)
    connection.execute(update(api_keys).where(api_keys.c.id == key_id, api_keys.c.revoked_at.is_(None)).values(revoked_at=now()))


def note_use(connection: Connection, key_id: str, instant: int) -> None:
    connection.execute(update(api_keys).where(api_keys.c.id == key_id).values(last_used_at=instant))
