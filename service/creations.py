"""Makes a thing once for each Idempotency-Key: a request that is sent again, as after a lost answer, gets what the
first one made.

A body with counts is remembered by a fingerprint under a secret that is not in the database, since whoever reads a
plain hash of a small table finds the table by trial. The secret part of an answer (a nonce, an API key, a token) is
kept for a day, sealed under what only its caller has: the API key that the request was sent with, and the
Idempotency-Key. After that, and while the caller is frozen, a replay gives all but the secret. Every function works
inside the caller's transaction.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlalchemy import Connection, select, update

from service.auth import Caller, require_live
from service.canonical_json import canonical_json
from service.database.insert_once import insert_once
from service.database.rows import CreationRow, fetch_one
from service.database.tables import creations, principals
from service.entropy import system_entropy
from service.errors import IdempotencyKeyReused, Unauthenticated
from service.identifiers import now
from service.ledger.acts import is_frozen

SECRETS_KEPT_SECONDS: Final = 86_400
_NONCE_BYTES: Final = 12
_AT_ONCE: Final = 200
"""Rows that are changed in one transaction: others wait for it."""


class Attempt(NamedTuple):
    """A request to make something. `idempotency_key` is None where the caller named none, and then it is simply
    made.
    """

    caller: Caller
    api_key: str
    idempotency_key: str | None
    fingerprint: str
    """Of the operation, its path and the body, as `fingerprint` gives it."""

    @property
    def key_hash(self) -> str:
        named = ("private-posterior creation key 1", self.caller.principal_id, self.idempotency_key)
        return hashlib.sha256(canonical_json(named).encode()).hexdigest()

    def seal(self) -> AESGCM:
        """What seals the secret of the answer: only the caller can open it, with the same API key and the same
        Idempotency-Key.
        """
        salt = (self.idempotency_key or "").encode()
        info = b"private-posterior creation secret 1"
        return AESGCM(HKDF(SHA256(), 32, salt, info).derive(self.api_key.encode()))


class Made(NamedTuple):
    """What a creation gave: the id of the thing, and the secret that is told with it, where there is one that can
    still be told.
    """

    subject_id: str
    secret: str | None = None
    replayed: bool = False


def once(connection: Connection, attempt: Attempt, make: Callable[[], Made]) -> Made:
    """What `make` makes, or what it made for an earlier request under the same Idempotency-Key.

    Raises IdempotencyKeyReused where that request was another one, and whatever `make` raises; only what was made binds
    a key.
    """
    if attempt.idempotency_key is None:
        return make()
    if not _reserve(connection, attempt):
        return _replay(connection, attempt)
    made = make()
    sealed = None
    if made.secret is not None:
        nonce = system_entropy().bits(8 * _NONCE_BYTES).to_bytes(_NONCE_BYTES)
        sealed = nonce + attempt.seal().encrypt(nonce, made.secret.encode(), made.subject_id.encode())
    connection.execute(
        update(creations)
        .where(creations.c.key_hash == attempt.key_hash)
        .values(subject_id=made.subject_id, sealed_secret=sealed)
    )
    return made


def fingerprint(secret: bytes, *place: str, body: dict[str, Any]) -> str:
    """What is kept of a request: the HMAC of its place and its body, read and as plain JSON, so that two spellings
    are alike.
    """
    return hmac.digest(secret, json.dumps([*place, body], sort_keys=True).encode(), "sha256").hex()


def forget_secrets(connection: Connection, *, subject_id: str | None = None) -> bool:
    """Deletes the sealed secrets of one thing, or of some creations of a day ago. Whether more may be left."""
    which = (
        creations.c.subject_id == subject_id if subject_id else creations.c.created_at <= now() - SECRETS_KEPT_SECONDS
    )
    some = select(creations.c.key_hash).where(which, creations.c.sealed_secret.is_not(None)).limit(_AT_ONCE)
    changed = connection.execute(
        update(creations).where(creations.c.key_hash.in_(some.scalar_subquery())).values(sealed_secret=None)
    )
    return changed.rowcount == _AT_ONCE


def _reserve(connection: Connection, attempt: Attempt) -> bool:
    """Whether nobody has used the key before."""
    row = {"key_hash": attempt.key_hash, "fingerprint": attempt.fingerprint, "subject_id": "", "created_at": now()}
    return insert_once(connection, creations, row)


def _replay(connection: Connection, attempt: Attempt) -> Made:
    row = fetch_one(connection, CreationRow, select(creations).where(creations.c.key_hash == attempt.key_hash))
    if not hmac.compare_digest(row.fingerprint, attempt.fingerprint):
        raise IdempotencyKeyReused
    secret = None
    kept = row.sealed_secret is not None and row.created_at > now() - SECRETS_KEPT_SECONDS
    if row.sealed_secret is not None and kept and _counts(connection, attempt.caller):
        nonce, sealed = row.sealed_secret[:_NONCE_BYTES], row.sealed_secret[_NONCE_BYTES:]
        try:
            secret = attempt.seal().decrypt(nonce, sealed, row.subject_id.encode()).decode()
        except InvalidTag:
            secret = None  # Sent with another API key of the same principal.
    return Made(row.subject_id, secret, replayed=True)


def _counts(connection: Connection, caller: Caller) -> bool:
    """Whether a secret may be told to the caller: not while a recovery can still be vetoed, when nobody knows whose
    the keys are. Raises Unauthenticated for a key that ended since it was looked up.
    """
    query = select(principals.c.frozen_until, principals.c.revoked_at).where(principals.c.id == caller.principal_id)
    principal = connection.execute(query.with_for_update(read=True)).one()
    if principal.revoked_at is not None:
        raise Unauthenticated
    require_live(connection, [caller])
    return not is_frozen(principal.frozen_until)
