"""Check values of the installation's keys, which prevent that a database is used with the wrong keys.

A counts key is recorded by a check value that identifies it and discloses nothing else. The service does not start if a
recorded id has another key, or if a key in use is missing: counts could not be decrypted, and each release would be
charged and never drawn. New counts keys are recorded when they are first used.

Receipt keys are in the settings alone. The service does not start if one of them is missing that version 0.1.0
recorded, or that signed one of a sample of receipts: what it signed could not be checked.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from sqlalchemy import ColumnElement, Connection, TextClause, select, text, true

from service.database.insert_once import insert_once
from service.database.tables import UNFINISHED, key_checks, releases
from service.datasets import counts
from service.datasets.cipher import KeyRing
from service.identifiers.identifiers import now
from service.ledger.receipts import Receipt, UnknownKeyError, is_key_id, key_id_of_signed, read_signed
from service.settings.settings import SettingsError

_CHECK: Final = b"private-posterior key check 1"
_SAMPLE: Final = 100


class Kind(StrEnum):
    """The purpose of a key of the installation."""

    COUNTS = counts.KIND
    RECEIPTS = "receipts"


def check_keys(connection: Connection, ring: KeyRing, public_keys: Mapping[str, str]) -> None:
    """Compare the keys with their check values in the database, and record new counts keys. `public_keys` are the
    receipt keys by id. Raises SettingsError.
    """
    _check_ring(connection, ring)
    missing = sorted((retired_keys(connection).keys() - public_keys) | _missing(connection, true(), public_keys))
    if missing:
        raise SettingsError(
            f"the receipt key {missing[0]} is not in the settings, and receipts of this database are signed with it: "
            "put it behind the current one, or `public:` and its public key, as docs/how-to/keys.md#rotate shows"
        )


def may_make_keys(connection: Connection) -> bool:
    """Return whether this database never had keys. Only then is it safe to create new ones."""
    return connection.execute(select(key_checks).limit(1)).first() is None and not counts.keys_in_use(connection)


def retired_keys(connection: Connection) -> dict[str, int | None]:
    """Return the receipt keys that version 0.1.0 recorded: when each was retired, by its id."""
    rows = connection.execute(select(key_checks).where(key_checks.c.kind == Kind.RECEIPTS.value))
    return {row.key_id: row.retired_at for row in rows if is_key_id(row.key_id)}


def missing_for_unfinished(connection: Connection, public_keys: Mapping[str, str]) -> set[str]:
    """Return the ids of the missing receipt keys under which some releases without an answer were paid."""
    return _missing(connection, text(UNFINISHED), public_keys)


def _missing(
    connection: Connection, which: ColumnElement[bool] | TextClause, public_keys: Mapping[str, str]
) -> set[str]:
    """Return the ids of the missing keys that signed some receipts. Ids of releases are random, so the first ones are a
    sample. A receipt that one of the keys signed has no other: somebody wrote another id into it.
    """
    query = select(releases.c.receipt).where(which).order_by(releases.c.id).limit(_SAMPLE)
    found = set[str]()
    for receipt in connection.execute(query).scalars():
        if key_id_of_signed(receipt) in public_keys:
            continue
        try:
            read_signed(json.loads(receipt), Receipt, public_keys)
        except UnknownKeyError as error:
            found.add(error.key_id)
        except (ValueError, AttributeError):  # it was altered, and is refused where it is used
            pass
    return found


def _check_ring(connection: Connection, ring: KeyRing) -> None:
    query = select(key_checks.c.key_id, key_checks.c.check_value).where(key_checks.c.kind == Kind.COUNTS.value)
    recorded = {row.key_id: row.check_value for row in connection.execute(query)}
    for key_id, key in ring.keys.items():
        value = _check_value(key_id, key)
        if recorded.get(key_id, value) != value:
            raise SettingsError(
                f"the counts key {key_id} differs from the one that this database knows under that id: "
                "restore the right key"
            )
    in_use = counts.keys_in_use(connection)
    missing = sorted(in_use - ring.keys.keys())
    # Somebody wrote an id that was never recorded into the row: that is for `/readyz`, and stops no other release.
    missing = [each for each in missing if each in recorded or not recorded]
    if missing:
        raise SettingsError(
            f"the counts key {missing[0]} is not in the ring, and counts in this database are encrypted with it: "
            "restore it"
        )
    for key_id in ring.keys.keys() - recorded.keys():
        if key_id in in_use:
            _try(connection, ring, key_id)
        value = _check_value(key_id, ring.keys[key_id])
        columns = {"kind": Kind.COUNTS.value, "key_id": key_id, "check_value": value, "created_at": now()}
        insert_once(connection, key_checks, columns)  # if several processes start at once, the first one records it


def _try(connection: Connection, ring: KeyRing, key_id: str) -> None:
    """Check that a key without a check value decrypts some counts stored under its id. Raises SettingsError."""
    if not counts.fits_one(connection, ring, key_id):
        raise SettingsError(
            f"the counts key {key_id} does not decrypt the counts under that id in this database: restore the right key"
        )


def _check_value(key_id: str, key: bytes) -> str:
    return hmac.digest(key, _CHECK + b"\0" + key_id.encode(), "sha256").hex()
