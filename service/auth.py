"""Makes API keys, shows them once, stores their hashes and looks them up. A key has 256 random bits, so a plain
SHA-256 of it is as good as any slow hash.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from sqlalchemy import Connection, bindparam, select

from service.database.rows import KeyRow, fetch_first
from service.database.tables import api_keys, principals
from service.errors import KeyRequired, RoleNotAllowed, Unauthenticated
from service.identifiers import now

COMMAND_LINE: Final = "command-line"
"""Who an act is noted as, where somebody did it on the machine itself."""
SESSION: Final = "session"
"""The kind of a key that a browser holds for some hours. Any other is a `key`."""
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


PUBLIC: Final = "public"
"""The principal of requests without a key: all of them share one principal's slots."""
current_principal: ContextVar[str] = ContextVar("current_principal", default=PUBLIC)
"""The principal whose request is being answered. Reads take turns by it."""


class Role(StrEnum):
    """The role of a principal in this installation."""

    ADMIN = "admin"
    """Runs the installation: principals and keys. Can neither change budgets nor read counts."""
    OWNER = "owner"
    """Holds data sets, budgets and grants."""
    ANALYST = "analyst"
    """Plans, releases and reads within a grant."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sent the request."""

    principal_id: str
    role: Role
    key_id: str
    last_used_at: int | None = None
    enrolment_id: str | None = None
    """The token or code that the key, or the first of those before it, was exchanged for; None for keys made on the
    service's machine.
    """
    is_session: bool = False
    """Whether the key is that of a browser session."""

    def require_key(self) -> None:
        """Raise KeyRequired for the key of a session: a stranger at an open browser must not do this."""
        if self.is_session:
            raise KeyRequired

    def require(self, *roles: Role) -> None:
        """Raises RoleNotAllowed unless the caller has one of `roles`."""
        if self.role not in roles:
            raise RoleNotAllowed


def require_live(connection: Connection, callers: Iterable[Caller], *, at: int | None = None) -> None:
    """Locks the callers' keys and raises Unauthenticated if one has ended by the time `at`, by default the system's
    time: a process remembers callers for a moment. Lock their principals before.
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
    instant = now() if at is None else at
    for row in connection.execute(query):
        if row.revoked_at is not None or (row.expires_at is not None and row.expires_at <= instant):
            raise Unauthenticated


By: TypeAlias = Caller | str
"""Who acts: a caller with a key, or the id of somebody who needs none."""


@dataclass(frozen=True, slots=True)
class NewSecret:
    """A key, token or code as shown once, and what is kept of it."""

    key: str
    prefix: str
    secret_hash: str


def new_secret(scheme: str = _SCHEME) -> NewSecret:
    """A fresh secret: `pp_`, or another scheme, and 256 random bits, of which the first 48 or so show as the prefix."""
    key = f"{scheme}_{secrets.token_urlsafe(32)}"
    return NewSecret(key, key[:_PREFIX_LENGTH], hash_key(key))


def hash_key(key: str) -> str:
    """What is kept of a key, token or code."""
    return hashlib.sha256(key.encode()).hexdigest()


def presented_key(authorization: str | None) -> str:
    """The key in an Authorization header. Raises Unauthenticated where there is none."""
    scheme, _, key = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not key:
        raise Unauthenticated
    return key.strip()


def secret_hash_of(authorization: str | None) -> str:
    """The hash of the key in an Authorization header. Raises Unauthenticated where there is none."""
    return hash_key(presented_key(authorization))


def authenticate(connection: Connection, secret_hash: str, *, also_revoked: bool = False) -> Caller:
    """The caller whose key has this hash; `also_revoked` for what a revoked key may still do.

    Raises Unauthenticated, always with the same words, for an unknown, expired or revoked key or a revoked principal.
    """
    row = fetch_first(connection, KeyRow, _KEY, {"secret_hash": secret_hash})
    if row is None or row.principal_revoked_at is not None or (row.revoked_at is not None and not also_revoked):
        raise Unauthenticated
    if row.expires_at is not None and row.expires_at <= now():
        raise Unauthenticated
    return Caller(row.principal_id, Role(row.role), row.id, row.last_used_at, row.enrolment_id, row.kind == SESSION)
