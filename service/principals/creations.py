"""Create an object only once per Idempotency-Key. A repeated request, for example after a lost response, returns the
object that the first one created.

A body is stored only as an HMAC under a secret outside the database, since a plain hash of a small table could be found
by trial. The secret part of a response (a nonce, an API key, a token) is kept for a day. It is encrypted with a key
from values that only its caller has: the API key of the request and the Idempotency-Key. Later, and while the caller is
frozen, a replay omits the secret. Every function works inside the caller's transaction.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlalchemy import Connection, select, update

from service.database.insert_once import insert_once
from service.database.rows import CreationRow, fetch_one
from service.database.tables import creations, principals
from service.errors import IdempotencyKeyReused, Unauthenticated
from service.identifiers.canonical_json import canonical_json
from service.identifiers.identifiers import now, system_entropy
from service.principals.auth import Caller, is_frozen, require_live

SECRETS_KEPT_SECONDS: Final = 86_400
_NONCE_BYTES: Final = 12
_ROWS_AT_ONCE: Final = 200
"""Rows changed per transaction, so that others wait only briefly."""


class Attempt(NamedTuple):
    """A request to create an object. If `idempotency_key` is None, the object is created unconditionally."""

    caller: Caller
    api_key: str
    idempotency_key: str | None
    fingerprints: tuple[str, ...]
    """`fingerprints` of the operation, its path and the body."""

    @property
    def key_hash(self) -> str:
        named = ("private-posterior creation key 1", self.caller.principal_id, self.idempotency_key)
        return hashlib.sha256(canonical_json(named).encode()).hexdigest()

    def cipher(self) -> AESGCM:
        """Return the cipher of the response's secret. Its key follows from the API key and the Idempotency-Key."""
        salt = (self.idempotency_key or "").encode()
        info = b"private-posterior creation secret 1"
        return AESGCM(HKDF(SHA256(), 32, salt, info).derive(self.api_key.encode()))


class Made(NamedTuple):
    """The id of the created object, and its secret if there is one and it may still be returned."""

    subject_id: str
    secret: str | None = None
    replayed: bool = False


def once(connection: Connection, attempt: Attempt, make: Callable[[], Made]) -> Made:
    """Return the object that `make` creates, or that it created for an earlier request under the same Idempotency-Key.

    Raises IdempotencyKeyReused if that request was different, and the errors of `make`. Only a successful creation
    binds a key.
    """
    if attempt.idempotency_key is None:
        return make()
    if not _reserve(connection, attempt):
        return _replay(connection, attempt)
    made = make()
    sealed = None
    if made.secret is not None:
        nonce = system_entropy().bits(8 * _NONCE_BYTES).to_bytes(_NONCE_BYTES)
        sealed = nonce + attempt.cipher().encrypt(nonce, made.secret.encode(), made.subject_id.encode())
    connection.execute(
        update(creations)
        .where(creations.c.key_hash == attempt.key_hash)
        .values(
            subject_id=made.subject_id,
            sealed_secret=sealed,
            fingerprint=_stored_fingerprint(made.subject_id, attempt.fingerprints[0]),
        )
    )
    return made


def fingerprints(secrets: Iterable[bytes], *path: str, body: dict[str, Any]) -> tuple[str, ...]:
    """Return the HMACs of a request's path and parsed body, so that spellings of a value do not matter. The first is
    stored; the others recognise a request from before a rotation of the receipt key.
    """
    content = json.dumps([*path, body], sort_keys=True).encode()
    return tuple(hmac.digest(secret, content, "sha256").hex() for secret in secrets)


def forget_secrets(connection: Connection, *, subject_id: str | None = None) -> bool:
    """Delete the secrets of one object, or of a batch of creations older than a day.

    Returns whether more may be left.
    """
    which = (
        creations.c.subject_id == subject_id if subject_id else creations.c.created_at <= now() - SECRETS_KEPT_SECONDS
    )
    some = select(creations.c.key_hash).where(which, creations.c.sealed_secret.is_not(None)).limit(_ROWS_AT_ONCE)
    changed = connection.execute(
        update(creations).where(creations.c.key_hash.in_(some.scalar_subquery())).values(sealed_secret=None)
    )
    return changed.rowcount == _ROWS_AT_ONCE


def _stored_fingerprint(subject_id: str, fingerprint: str) -> str:
    """Return the stored form of a fingerprint: only the object that its request created has it too."""
    return hmac.digest(fingerprint.encode(), subject_id.encode(), "sha256").hex()


def _reserve(connection: Connection, attempt: Attempt) -> bool:
    """Store the key, and return False if it was used before."""
    row = {"key_hash": attempt.key_hash, "fingerprint": attempt.fingerprints[0], "subject_id": "", "created_at": now()}
    return insert_once(connection, creations, row)


def _replay(connection: Connection, attempt: Attempt) -> Made:
    row = fetch_one(connection, CreationRow, select(creations).where(creations.c.key_hash == attempt.key_hash))
    # Version 0.1.0 stored the fingerprint itself.
    bound = (_stored_fingerprint(row.subject_id, each) for each in attempt.fingerprints)
    stored = (*bound, *attempt.fingerprints)
    if not any(hmac.compare_digest(row.fingerprint, each) for each in stored):
        raise IdempotencyKeyReused
    return Made(row.subject_id, _opened_secret(connection, attempt, row), replayed=True)


def _opened_secret(connection: Connection, attempt: Attempt, row: CreationRow) -> str | None:
    is_kept = row.created_at > now() - SECRETS_KEPT_SECONDS
    if row.sealed_secret is None or not is_kept or not _may_return_secret(connection, attempt.caller):
        return None
    nonce, sealed = row.sealed_secret[:_NONCE_BYTES], row.sealed_secret[_NONCE_BYTES:]
    try:
        return attempt.cipher().decrypt(nonce, sealed, row.subject_id.encode()).decode()
    except (InvalidTag, ValueError):
        return None  # the request used another API key of the same principal, or the stored bytes were altered


def _may_return_secret(connection: Connection, caller: Caller) -> bool:
    """Return whether a secret may be returned to the caller.

    It may not while a recovery can still be vetoed, because the keys may belong to an attacker. Raises Unauthenticated
    if the key has ended.
    """
    query = select(principals.c.frozen_until, principals.c.revoked_at).where(principals.c.id == caller.principal_id)
    principal = connection.execute(query.with_for_update(read=True)).one()
    if principal.revoked_at is not None:
        raise Unauthenticated
    require_live(connection, [caller])
    return not is_frozen(principal.frozen_until)
