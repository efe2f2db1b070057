"""Create API keys, hash them, and authenticate requests. A key has 256 random bits, so a plain SHA-256 is as secure as
a slow hash.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, bindparam, or_, select

from service.database.rows import KeyRow, PrincipalRow, fetch_first
from service.database.tables import api_keys, principal_entries, principals
from service.errors import KeyRequired, RoleNotAllowed, Unauthenticated
from service.identifiers.canonical_json import canonical_json
from service.identifiers.identifiers import now
from service.schemas.principals import Role

COMMAND_LINE: Final = "command-line"
"""Actor of acts that were done by a command on the machine itself."""
SESSION: Final = "session"
"""Kind of a key of a browser session, which lasts some hours. All other keys are of kind `key`."""
SESSION_CONFIRMED: Final = "session_confirmed"
"""Kind of the entry by which a key confirms a session."""
_CONSTANT_COLUMNS: Final = (
    *("id", "principal_id", "prefix", "secret_hash", "kind", "issued_by", "enrolment_id", "made_by", "created_at"),
    "expires_at",
)
"""Columns of keys, tokens and recovery codes that an entry of their principal's chain binds."""
_SCHEME = "pp"
_PREFIX_LENGTH = 11
_KEY = (
    select(
        api_keys.c.id,
        api_keys.c.principal_id,
        api_keys.c.expires_at,
        api_keys.c.revoked_at,
        api_keys.c.last_used_at,
        api_keys.c.enrolment_id,
        api_keys.c.kind,
        principals.c.role,
        principals.c.revoked_at.label("principal_revoked_at"),
    )
    .join(principals, principals.c.id == api_keys.c.principal_id)
    .where(api_keys.c.secret_hash == bindparam("secret_hash"))
)
_PRINCIPALS_WITH_KEY = (
    select(api_keys.c.principal_id)
    .where(api_keys.c.principal_id.in_(bindparam("ids", expanding=True)), api_keys.c.revoked_at.is_(None))
    .where(or_(api_keys.c.expires_at.is_(None), api_keys.c.expires_at > bindparam("instant")))
    .distinct()
)

PUBLIC: Final = "public"
"""Pseudo-principal of requests without a key, which all share its slots."""
current_principal: ContextVar[str] = ContextVar("current_principal", default=PUBLIC)
"""The principal of the current request. Reads are queued per principal."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The authenticated principal of a request, and its key."""

    principal_id: str
    role: Role
    key_id: str
    last_used_at: int | None = None
    enrolment_id: str | None = None
    """Id of the token or code from which the key, or its oldest ancestor, came. None for keys created on the service's
    machine.
    """
    is_session: bool = False
    """Whether the key is that of a browser session."""

    def require_key(self) -> None:
        """Raise KeyRequired for the key of a session, even a confirmed one: a stranger at an open browser must not do
        this.
        """
        if self.is_session:
            raise KeyRequired

    def require(self, *roles: Role) -> None:
        """Raise RoleNotAllowed unless the caller has one of `roles`."""
        if self.role not in roles:
            raise RoleNotAllowed


def confirmed_until(connection: Connection, caller: Caller) -> int | None:
    """Return the time until which a key has confirmed the caller's session, or None if that has passed."""
    entries = principal_entries.c
    latest = (
        select(entries.detail)
        .where(
            entries.principal_id == caller.principal_id,
            entries.kind == SESSION_CONFIRMED,
            entries.subject_id == caller.key_id,
        )
        .order_by(entries.sequence.desc())
        .limit(1)
    )
    detail = connection.execute(latest).scalar_one_or_none()
    until: int = 0 if detail is None else json.loads(detail)["until"]
    return until if until > now() else None


def require_confirmed(connection: Connection, caller: Caller) -> None:
    """Raise KeyRequired for the key of a session that no key has confirmed within the last minutes."""
    if caller.is_session and confirmed_until(connection, caller) is None:
        raise KeyRequired


def require_live(connection: Connection, callers: Iterable[Caller]) -> None:
    """Lock the callers' keys, and raise Unauthenticated if one has ended. This is needed since a process caches callers
    for a moment. Lock their principals first.
    """
    key_ids = sorted({caller.key_id for caller in callers})
    if not key_ids:
        return
    query = (
        select(api_keys.c.revoked_at, api_keys.c.expires_at)
        .where(api_keys.c.id.in_(key_ids))
        .order_by(api_keys.c.id)
        .with_for_update(read=True)
    )
    instant = now()
    for row in connection.execute(query):
        if row.revoked_at is not None or (row.expires_at is not None and row.expires_at <= instant):
            raise Unauthenticated


By: TypeAlias = Caller | str
"""The actor: a caller with a key, or an id such as `COMMAND_LINE`."""


@dataclass(frozen=True, slots=True)
class NewSecret:
    """A new key, token or code, which is shown once, and its stored prefix and hash."""

    key: str
    prefix: str
    secret_hash: str
    row_sha256: str = ""
    """`hash_secret_row` of the stored row of a key."""


def new_secret(scheme: str = _SCHEME) -> NewSecret:
    """Return a new secret: `pp_` or another scheme, and 256 random bits. About 48 of them are its prefix."""
    key = f"{scheme}_{secrets.token_urlsafe(32)}"
    return NewSecret(key, key[:_PREFIX_LENGTH], hash_key(key))


def hash_key(key: str) -> str:
    """Return the stored hash of a key, token or code."""
    return hashlib.sha256(key.encode()).hexdigest()


def hash_secret_row(row: Mapping[str, Any]) -> str:
    """Return the hash that the entry of a new key, token or recovery code has of its row."""
    bound = {name: row[name] for name in _CONSTANT_COLUMNS if name in row}
    return hashlib.sha256(canonical_json(["private-posterior secret 1", bound]).encode()).hexdigest()


def presented_key(authorization: str | None) -> str:
    """Return the key in an Authorization header. Raises Unauthenticated if there is none."""
    scheme, _, key = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not key:
        raise Unauthenticated
    return key.strip()


def secret_hash_of(authorization: str | None) -> str:
    """Return the hash of the key in an Authorization header. Raises Unauthenticated if there is none."""
    return hash_key(presented_key(authorization))


def authenticate(connection: Connection, secret_hash: str, *, also_revoked: bool = False) -> Caller:
    """Return the caller whose key has this hash. `also_revoked` accepts revoked keys, for the few acts they may do.

    Raises Unauthenticated, always with the same text, for an unknown, expired or revoked key or a revoked principal.
    """
    row = fetch_first(connection, KeyRow, _KEY, {"secret_hash": secret_hash})
    if row is None or row.principal_revoked_at is not None or (row.revoked_at is not None and not also_revoked):
        raise Unauthenticated
    if row.expires_at is not None and row.expires_at <= now():
        raise Unauthenticated
    return Caller(row.principal_id, Role(row.role), row.id, row.last_used_at, row.enrolment_id, row.kind == SESSION)


def available(connection: Connection, people: Iterable[PrincipalRow]) -> set[str]:
    """Return the ids of those who can act: their access has not ended, no recovery can still be vetoed, and they have a
    valid key.
    """
    ids = [each.id for each in people if each.revoked_at is None and not is_frozen(each.frozen_until)]
    return set(connection.execute(_PRINCIPALS_WITH_KEY, {"ids": ids, "instant": now()}).scalars())


def is_frozen(frozen_until: int | None) -> bool:
    """Return whether an admin's recovery of a principal can still be vetoed. Until then the principal can't act."""
    return frozen_until is not None and frozen_until > now()
