"""The hash chain of a principal: an entry for every change of its keys, tokens, recoveries and access requests.

A budget's entries contain the head of their actor's chain. So a receipt or a budget's head also authenticates the state
of the actor's keys.

Encoding, version 1. As for budgets (`service.ledger.chain`), the bytes of an entry are netstrings of, in order,

    "private-posterior principal entry 1", previous_hash, principal_id, sequence, kind, actor_id, subject_id, detail,
    created_at

and the previous_hash of the first entry is the SHA-256 of the netstrings of "private-posterior principal genesis 1" and
principal_id.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, insert, select, update

from service.database.rows import PrincipalEntryRow, PrincipalRow, fetch_all, fetch_first
from service.database.tables import principal_entries, principals
from service.errors import NotFound, RecoveryPending, Unauthenticated
from service.identifiers.canonical_json import ChainError, canonical_json, netstrings
from service.identifiers.identifiers import now
from service.principals.auth import SESSION_CONFIRMED, Caller, is_frozen, require_live

_ENTRY: Final = "private-posterior principal entry 1"
_GENESIS: Final = "private-posterior principal genesis 1"


class PrincipalEvent(StrEnum):
    """The kind of an entry. Kinds are stored: they may be added, but never renamed or given another meaning."""

    TOKEN_ISSUED = "token_issued"  # noqa: S105  the name of an event
    """An admin issued an invitation. `recovers` in the detail says that keys were in use already."""
    ENROLLED = "enrolled"
    """A token was exchanged for the first key."""
    RECOVERY_STARTED = "recovery_started"
    """An admin's token was exchanged while keys were in use. The principal is frozen until `frozen_until` in the
    detail.
    """
    RECOVERY_VETOED = "recovery_vetoed"
    """An older key, the earlier recovery code or a later recovery ended the recovery and its keys. A later one is
    `replaced_by` in the detail.
    """
    TOKEN_ENDED = "token_ended"  # noqa: S105  the name of an event
    """A key ended a token that was not exchanged yet."""
    RECOVERED_BY_CODE = "recovered_by_code"
    """The recovery code was exchanged for a key. All earlier keys ended."""
    KEY_ISSUED = "key_issued"
    """A key was created by another key, or by a command on the service's machine."""
    KEY_REPLACED = "key_replaced"
    """A key was replaced by a successor."""
    KEY_REVOKED = "key_revoked"
    SESSION_CONFIRMED = SESSION_CONFIRMED
    """A key confirmed a session that it had begun, until the time `until` in the detail."""
    PRINCIPAL_REVOKED = "principal_revoked"
    ACCESS_REQUESTED = "access_requested"
    """An analyst requested access to a data set. The detail has the amount, but not the purpose."""
    ACCESS_WITHDRAWN = "access_withdrawn"
    """The analyst withdrew the request. The owner's decision is an entry of the budget's ledger."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event to record: its kind, actor, and the key, token or access request concerned."""

    kind: PrincipalEvent
    actor_id: str
    subject_id: str
    detail: Mapping[str, Any] | None = None


def genesis_hash(principal_id: str) -> str:
    """Return the head of an empty chain."""
    return hashlib.sha256(netstrings(_GENESIS, principal_id)).hexdigest()


def lock(connection: Connection, principal_id: str) -> PrincipalRow:
    """Lock the principal's row until the transaction ends, and return it. Raises NotFound.

    Lock it before its keys. A debit uses this order, so the other order could deadlock.
    """
    row = fetch_first(
        connection,
        PrincipalRow,
        select(principals).where(principals.c.id == principal_id).with_for_update(key_share=True),
    )
    if row is None:
        raise NotFound
    return row


def require_acting(connection: Connection, caller: Caller) -> None:
    """Lock the caller's principal and key, so that until the commit no recovery starts and neither is revoked.

    Raises RecoveryPending if a recovery can still be vetoed, and Unauthenticated if principal or key has ended.
    """
    query = select(principals.c.frozen_until, principals.c.revoked_at)
    row = connection.execute(query.where(principals.c.id == caller.principal_id).with_for_update(read=True)).one()
    if row.revoked_at is not None:
        raise Unauthenticated
    if is_frozen(row.frozen_until):
        raise RecoveryPending
    require_live(connection, [caller])


def record(connection: Connection, principal_id: str, *events: Event) -> None:
    """Append entries to the chain of a principal whose row the caller has locked."""
    row = connection.execute(
        select(principals.c.sequence, principals.c.head_hash).where(principals.c.id == principal_id)
    ).one()
    sequence, head, instant = row.sequence, row.head_hash or genesis_hash(principal_id), now()
    for event in events:
        sequence += 1
        columns = {
            "principal_id": principal_id,
            "sequence": sequence,
            "kind": event.kind.value,
            "actor_id": event.actor_id,
            "subject_id": event.subject_id,
            "detail": canonical_json(dict(event.detail or {})),
            "created_at": instant,
        }
        digest = _hash(head, columns)
        connection.execute(insert(principal_entries).values(**columns, previous_hash=head, hash=digest))
        head = digest
    connection.execute(
        update(principals).where(principals.c.id == principal_id).values(sequence=sequence, head_hash=head)
    )


def rows(connection: Connection, principal_id: str, *, after: int, limit: int) -> list[PrincipalEntryRow]:
    """Return entries after sequence `after`, in the order of the chain."""
    query = select(principal_entries).where(
        principal_entries.c.principal_id == principal_id, principal_entries.c.sequence > after
    )
    return fetch_all(connection, PrincipalEntryRow, query.order_by(principal_entries.c.sequence).limit(limit))


def verify(principal_id: str, entries: Iterable[PrincipalEntryRow], heads: Mapping[int, str]) -> tuple[int, str]:
    """Verify every link, and compare the chain with `heads`, which entries of budgets contain, by sequence. Return
    sequence and hash of its head. Raises ChainError.
    """
    sequence, head, unseen = 0, genesis_hash(principal_id), dict(heads)
    _hold_against(unseen, sequence, head)
    for row in entries:
        sequence += 1
        if row.sequence != sequence or row.previous_hash != head:
            raise ChainError(sequence, "is missing or does not follow the entry before it")
        head = _hash(head, row._asdict())
        if head != row.hash:
            raise ChainError(sequence, "does not have the hash of its content")
        _hold_against(unseen, sequence, head)
    if unseen:
        raise ChainError(sequence + 1, "is named by a budget's ledger, but is missing")
    return sequence, head


def _hold_against(heads: dict[int, str], sequence: int, head: str) -> None:
    if heads.pop(sequence, head) != head:
        raise ChainError(sequence, "differs from what a budget's ledger says of it")


def _hash(previous_hash: str, columns: Mapping[str, Any]) -> str:
    names = ("principal_id", "sequence", "kind", "actor_id", "subject_id", "detail", "created_at")
    return hashlib.sha256(netstrings(_ENTRY, previous_hash, *(columns[name] for name in names))).hexdigest()
