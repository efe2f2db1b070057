"""Repeat the charges and decisions that a restored database lost, from the signed lines of the witness."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from sqlalchemy import Connection, insert, select, text, update

from core.accounting.accountants import NOTHING, Cost
from service.database import costs
from service.database.rows import GrantRow, fetch_first
from service.database.tables import (
    BOOKED_ONCE,
    budgets,
    datasets,
    entries,
    grants,
    principals,
    releases,
)
from service.identifiers.canonical_json import canonical_json
from service.ledger import database_state
from service.ledger.budget_changes import Act, lock_budget, store
from service.ledger.chain import OF_RESTORING, Entry, EntryKind, lost_entry_id
from service.ledger.query_debit import QUERY_PREFIX
from service.ledger.receipts import Receipt, SignedEntry, parse
from service.ledger.restore.decisions import DestroyCounts, apply, larger_of, open_again, raised_limit
from service.ledger.restore.gaps import Gap, read_gaps
from service.principals.auth import COMMAND_LINE


class Booked(Enum):
    """Outcome of reconciling a receipt or another entry."""

    KNOWN = "already known to the database"
    CHARGED = "forgotten, and now charged again"
    APPLIED = "forgotten, and now applied again"
    NOT_APPLIED = "forgotten, and can't be applied again: the budget stays frozen until its owner looks"
    NO_BUDGET = "of a budget that the database does not have: there is nothing here to charge"


def book_receipt(connection: Connection, receipt: Receipt, signed: Mapping[str, Any]) -> Booked:
    """Charge a verified receipt that the database lost, and bind its idempotency key to a lost release. A second call
    changes nothing.

    The charge has happened, so it is recorded even if it exceeds a limit or cap of the restored database. The limit is
    then raised to the amount spent, since the ledger must not state a smaller privacy loss than there was.
    """
    if connection.execute(select(budgets.c.id).where(budgets.c.id == receipt.budget_id)).first() is None:
        return Booked.NO_BUDGET
    budget = lock_budget(connection, receipt.budget_id)
    if _is_known(connection, receipt):
        return Booked.KNOWN
    acts = _freeze_for_receipt(connection, receipt)
    locked = select(grants).where(grants.c.id == receipt.grant_id).with_for_update()
    grant = fetch_first(connection, GrantRow, locked) if receipt.grant_id else None
    columns, raised = raised_limit(budget, receipt.amount)
    acts += raised
    if grant is not None:
        acts += _charge_grant(connection, grant, receipt.amount)
    detail: dict[str, Any] = {"receipt": dict(signed), "dataset_id": receipt.dataset_id}
    if grant is not None:
        detail["grant_id"] = receipt.grant_id
    acts.append(Act(EntryKind.RECEIPT_RECONCILED, COMMAND_LINE, receipt.release_id, receipt.amount, detail))
    store(connection, budget, columns, acts)
    _bind_key(connection, receipt, signed, budget.sequence + len(acts))
    return Booked.CHARGED


def book_entry(
    connection: Connection,
    line: SignedEntry,
    signed: Mapping[str, Any],
    destroy_counts: DestroyCounts,
    *,
    witnessed: int = 0,
) -> Booked:
    """Apply a verified entry again that the database lost, or record that it can't be applied. A second call changes
    nothing.

    `destroy_counts` deletes the counts of a data set whose deletion was lost. If the database lacks the budget, it is
    opened again from its first entry; `witnessed` is then the last entry that the witness recorded.
    """
    entry = line.entry
    if connection.execute(select(budgets.c.id).where(budgets.c.id == entry.budget_id)).first() is None:
        return _open_budget_again(connection, entry, signed, witnessed)
    if entry.kind is EntryKind.RECEIPT_RECONCILED:
        receipt = entry.read_detail()["receipt"]
        book_receipt(connection, parse(receipt, Receipt), receipt)
    budget = lock_budget(connection, entry.budget_id)
    if _has_entry(connection, entry):
        return Booked.KNOWN
    acts, gap = [], _gap_of(connection, entry)
    if gap is None:
        database_state.freeze_all(connection)
        gap = Gap(entry.budget_id, entry.sequence - 1, entry.sequence, entry.created_at)
        acts.append(_notice_act(entry.budget_id, entry.sequence - 1, entry.sequence, charges=0))
    applied = apply(connection, budget, entry, gap.kept, destroy_counts)
    acts.append(_reconciling_act(entry, signed, lost=applied is None))
    if applied is None:
        store(connection, budget, {}, acts)
        return Booked.NOT_APPLIED
    store(connection, budget, applied.columns, acts + applied.acts)
    return Booked.APPLIED


def _open_budget_again(connection: Connection, entry: Entry, signed: Mapping[str, Any], witnessed: int) -> Booked:
    if entry.kind is not EntryKind.BUDGET_OPENED or not open_again(connection, entry):
        return Booked.NO_BUDGET
    database_state.freeze_all(connection)
    noticed = _notice_act(entry.budget_id, 0, max(witnessed, entry.sequence))
    acts = [noticed, _reconciling_act(entry, signed, lost=False)]
    store(connection, lock_budget(connection, entry.budget_id), {}, acts)
    return Booked.APPLIED


def _has_entry(connection: Connection, entry: Entry) -> bool:
    """Return whether the ledger has the entry, or has reconciled it."""
    place = (entries.c.budget_id == entry.budget_id) & (entries.c.sequence == entry.sequence)
    stored = select(entries.c.hash).where(place, entries.c.hash == entry.hash)
    reconciled = entries.c.subject_id == lost_entry_id(entry.hash)
    booked = select(entries.c.sequence).where(reconciled, text(BOOKED_ONCE))
    return connection.execute(stored).first() is not None or connection.execute(booked).first() is not None


def _reconciling_act(entry: Entry, signed: Mapping[str, Any], *, lost: bool) -> Act:
    """Return the act that records a lost entry, with its signed form unless it is about a restore itself."""
    detail: dict[str, Any] = {"sequence": entry.sequence, "kind": entry.kind.value}
    if entry.kind not in OF_RESTORING:
        detail["entry"] = dict(signed)
    if lost:
        detail["lost"] = True
    return Act(EntryKind.ENTRY_RECONCILED, COMMAND_LINE, lost_entry_id(entry.hash), detail=detail)


def _gap_of(connection: Connection, entry: Entry) -> Gap | None:
    """Return the gap in which the entry was lost, or None if the ledger records none."""
    gaps = read_gaps(connection, ended=True, budget_id=entry.budget_id).get(entry.budget_id, [])
    return next(
        (
            gap
            for gap in gaps
            if entry.created_at <= gap.noticed_at and (gap.covers(entry.sequence) or gap.kept is None)
        ),
        None,
    )


def _notice_act(budget_id: str, kept: int, witnessed: int, **counted: int) -> Act:
    detail = {"kept": kept, "witnessed": witnessed, **counted}
    return Act(EntryKind.RESTORE_NOTICED, COMMAND_LINE, budget_id, detail=detail)


def _freeze_for_receipt(connection: Connection, receipt: Receipt) -> list[Act]:
    """Freeze the database, since a lost receipt proves that it was restored. Return the act that records this, or none
    if the ledger records the gap already.
    """
    gaps = read_gaps(connection, ended=True, budget_id=receipt.budget_id).get(receipt.budget_id, [])
    if any(
        receipt.at <= gap.noticed_at and (gap.covers(receipt.sequence) or (gap.charges is not None and gap.unknown))
        for gap in gaps
    ):
        return []
    database_state.freeze_all(connection)
    return [_notice_act(receipt.budget_id, receipt.sequence - 1, receipt.sequence)]


def _is_known(connection: Connection, receipt: Receipt) -> bool:
    drawn = select(releases.c.id).where(releases.c.id == receipt.release_id)
    booked = select(entries.c.sequence).where(entries.c.subject_id == receipt.release_id, text(BOOKED_ONCE))
    return connection.execute(drawn).first() is not None or connection.execute(booked).first() is not None


def _charge_grant(connection: Connection, grant: GrantRow, charge: Cost) -> list[Act]:
    spent, cap = grant.spent + charge, grant.cap
    columns, acts = costs.columns(spent, "spent"), list[Act]()
    if not spent.fits(cap):
        cap = larger_of(cap, spent)
        columns |= costs.columns(cap, "cap")
        acts = [Act(EntryKind.GRANT_CHANGED, COMMAND_LINE, grant.id, cap)]
    connection.execute(update(grants).where(grants.c.id == grant.id).values(**columns))
    return acts


def _bind_key(connection: Connection, receipt: Receipt, signed: Mapping[str, Any], sequence: int) -> None:
    """Store a lost release under the receipt's idempotency key. Do nothing if its data set or principal was lost too,
    or if the key was used again.
    """
    connection.execute(update(datasets).where(datasets.c.id == receipt.dataset_id).values(charged=1))
    owners = select(datasets.c.owner_id, datasets.c.registered_by)
    dataset = connection.execute(owners.where(datasets.c.id == receipt.dataset_id)).first()
    principal = connection.execute(select(principals.c.id).where(principals.c.id == receipt.principal_id)).first()
    taken = select(releases.c.id).where(
        releases.c.principal_id == receipt.principal_id, releases.c.key_hash == receipt.key_hash
    )
    if dataset is None or principal is None or connection.execute(taken).first() is not None:
        return
    connection.execute(
        insert(releases).values(
            {
                "id": receipt.release_id,
                "dataset_id": receipt.dataset_id,
                "budget_id": receipt.budget_id,
                "sequence": sequence,
                "principal_id": receipt.principal_id,
                "key_hash": receipt.key_hash,
                "payload_hash": receipt.payload_hash,
                "spec": "{}",
                "receipt": canonical_json(dict(signed)),
                "created_at": receipt.at,
                "state": "lost",
                "leased_until": 0,
                "owner_id": dataset.registered_by or dataset.owner_id,
                "kind": "query" if receipt.release_id.startswith(f"{QUERY_PREFIX}_") else "posterior",
            }
            | costs.columns(receipt.amount, "charged")
            | costs.columns(NOTHING, "remaining")
        )
    )
