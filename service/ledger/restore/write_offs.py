"""Writes off losses of a restored ledger that have no receipt. The owner states an amount, which may be zero."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import NamedTuple

from sqlalchemy import Connection, select, text

from core.accounting.accountants import Cost
from service.database import costs
from service.database.rows import EntryRow, fetch_first, fetch_one
from service.database.tables import (
    BOOKED_ONCE,
    entries,
)
from service.errors import IdempotencyKeyReused, InvalidRequest
from service.identifiers.canonical_json import canonical_json
from service.ledger.budget_changes import Act, lock_budget, principal_of, store
from service.ledger.chain import EntryKind
from service.principals.auth import By


class WrittenOff(NamedTuple):
    """The entry of a write-off, and whether an earlier request under the same key made it."""

    entry: EntryRow
    replayed: bool


def write_off(
    connection: Connection, budget_id: str, *, owner: By, idempotency_key: str, amount: Cost, reason: str
) -> WrittenOff:
    """Spend the amount that the owner states for unknown losses, once per idempotency key.

    Raises InvalidRequest if the amount exceeds the remainder, and IdempotencyKeyReused if the key wrote off another
    amount or reason.
    """
    budget = lock_budget(connection, budget_id)
    subject_id = _write_off_id(budget_id, principal_of(owner), idempotency_key)
    booked = select(entries).where(entries.c.subject_id == subject_id, text(BOOKED_ONCE))
    earlier = fetch_first(connection, EntryRow, booked)
    if earlier is not None:
        if (earlier.amount, json.loads(earlier.detail)["reason"]) != (amount, reason):
            raise IdempotencyKeyReused
        return WrittenOff(earlier, replayed=True)
    spent = budget.spent + amount
    if not spent.fits(budget.limit):
        raise InvalidRequest.at("", "is more than remains of the budget; raise its total first")
    act = Act(EntryKind.WRITTEN_OFF, owner, subject_id, amount, {"reason": reason})
    store(connection, budget, costs.columns(spent, "spent"), [act])
    return WrittenOff(fetch_one(connection, EntryRow, booked), replayed=False)


def _write_off_id(budget_id: str, owner_id: str, idempotency_key: str) -> str:
    digest = hashlib.sha256(
        canonical_json(["private-posterior write-off 1", budget_id, owner_id, idempotency_key]).encode()
    ).digest()
    return "wof_" + base64.b32encode(digest[:16]).decode().rstrip("=").lower()
