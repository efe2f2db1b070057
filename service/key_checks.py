"""Check values of the installation's keys, which prevent that a database is used with the wrong keys.

A counts key is recorded by a check value that identifies it and discloses nothing else. A receipt key is recorded by
its public key. The service does not start if a recorded id has another key, or if a key in use is missing: counts could
not be decrypted, and each release would be charged and never drawn. New keys are recorded when they are first used.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sqlalchemy import Connection, select, update

from service.database.insert_once import insert_once
from service.database.tables import key_checks
from service.datasets import counts
from service.datasets.cipher import KeyRing
from service.identifiers import now
from service.ledger.receipts import Signer
from service.settings import SettingsError

_CHECK: Final = b"private-posterior key check 1"


class Kind(StrEnum):
    """The purpose of a key of the installation."""

    COUNTS = "counts"
    RECEIPTS = "receipts"


@dataclass(frozen=True, slots=True)
class PublishedKey:
    """A public key of receipts. `retired_at` is None for the current one."""

    key_id: str
    public_key: str
    retired_at: int | None


def check_keys(connection: Connection, ring: KeyRing, signer: Signer) -> None:
    """Compare the keys with the recorded check values, and record new keys. Raises SettingsError."""
    _check_ring(connection, ring)
    current = next((key for key in published_keys(connection) if key.retired_at is None), None)
    if current is not None and current.key_id != signer.key_id:
        raise SettingsError(
            f"the receipt key {signer.key_id} is not the one that this database's receipts are signed with, "
            f"{current.key_id}: bring that one back, "
            "or change to the new one with `private-posterior receipts rotate`"
        )
    if current is None:
        _record(connection, Kind.RECEIPTS, signer.key_id, signer.public_key)


def may_make_keys(connection: Connection) -> bool:
    """Return whether this database never had keys. Only then is it safe to create new ones."""
    return connection.execute(select(key_checks).limit(1)).first() is None and not counts.keys_in_use(connection)


def known_counts_keys(connection: Connection) -> set[str]:
    """Return the ids of the counts keys that this database was used with."""
    return set(connection.execute(select(key_checks.c.key_id).where(key_checks.c.kind == Kind.COUNTS.value)).scalars())


def published_keys(connection: Connection) -> list[PublishedKey]:
    """Return all public keys of this database's receipts, the current one first."""
    query = select(key_checks).where(key_checks.c.kind == Kind.RECEIPTS.value)
    rows = connection.execute(query.order_by(key_checks.c.retired_at.is_not(None), key_checks.c.created_at.desc()))
    return [PublishedKey(row.key_id, row.check_value, row.retired_at) for row in rows]


def change_receipt_key(connection: Connection, signer: Signer) -> None:
    """Make this the current receipt key, and retire the previous one, which stays published."""
    in_use = (key_checks.c.kind == Kind.RECEIPTS.value) & key_checks.c.retired_at.is_(None)
    connection.execute(update(key_checks).where(in_use, key_checks.c.key_id != signer.key_id).values(retired_at=now()))
    _record(connection, Kind.RECEIPTS, signer.key_id, signer.public_key)


def _check_ring(connection: Connection, ring: KeyRing) -> None:
    query = select(key_checks.c.key_id, key_checks.c.check_value).where(key_checks.c.kind == Kind.COUNTS.value)
    recorded = {row.key_id: row.check_value for row in connection.execute(query)}
    for key_id, key in ring.keys.items():
        value = _check_value(key_id, key)
        if recorded.get(key_id, value) != value:
            raise SettingsError(
                f"the counts key {key_id} is another one than this database knows under that id: bring the right "
                "one back"
            )
    in_use = counts.keys_in_use(connection)
    missing = sorted(in_use - ring.keys.keys())
    if missing:
        raise SettingsError(
            f"the counts key {missing[0]} is not in the ring, and counts in this database are sealed with it: "
            "bring it back"
        )
    for key_id in ring.keys.keys() - recorded.keys():
        if key_id in in_use:
            _try(connection, ring, key_id)
        _record(connection, Kind.COUNTS, key_id, _check_value(key_id, ring.keys[key_id]))


def _try(connection: Connection, ring: KeyRing, key_id: str) -> None:
    """Check that a key without a check value decrypts some counts stored under its id. Raises SettingsError."""
    if not counts.fits_one(connection, ring, key_id):
        raise SettingsError(
            f"the counts key {key_id} does not open what is sealed under that id in this database: bring the "
            "right one back"
        )


def _check_value(key_id: str, key: bytes) -> str:
    return hmac.digest(key, _CHECK + b"\0" + key_id.encode(), "sha256").hex()


def _record(connection: Connection, kind: Kind, key_id: str, check_value: str) -> None:
    """Record a key. If several processes start at once, only the first one does."""
    columns = {"kind": kind.value, "key_id": key_id, "check_value": check_value, "created_at": now()}
    insert_once(connection, key_checks, columns)
