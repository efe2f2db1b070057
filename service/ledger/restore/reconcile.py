"""Charge again, from signed receipts, what a restored database lost."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from sqlalchemy import Connection, insert, select, text, update

from core.accounting.accountants import NOTHING, Accountant, Cost
from core.accounting.zcdp import epsilon_of
from core.privacy import Delta, Epsilon, Rho
from service.database import costs
from service.database.rows import BudgetRow, GrantRow, fetch_first
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
from service.ledger import freeze
from service.ledger.budget_changes import Act, lock_budget, store, terms_of
from service.ledger.chain import EntryKind
from service.ledger.query_debit import QUERY_PREFIX
from service.ledger.receipts import Receipt
from service.ledger.restore.gaps import read_gaps
from service.principals.auth import COMMAND_LINE


class Booked(Enum):
    """Outcome of reconciling a receipt."""

    KNOWN = "already known to the database"
    CHARGED = "forgotten, and now charged again"
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
    acts = _evidence(connection, receipt)
    locked = select(grants).where(grants.c.id == receipt.grant_id).with_for_update()
    grant = fetch_first(connection, GrantRow, locked) if receipt.grant_id else None
    columns, raised = _raised_limit(budget, receipt.amount)
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


def _evidence(connection: Connection, receipt: Receipt) -> list[Act]:
    """Freeze the database, since a lost receipt proves that it was restored. Return the act that records this, or none
    if the ledger records the gap already.
    """
    gaps = read_gaps(connection, ended=True, budget_id=receipt.budget_id).get(receipt.budget_id, [])
    if any(
        receipt.at <= gap.noticed_at and (gap.covers(receipt.sequence) or (gap.charges is not None and gap.unknown))
        for gap in gaps
    ):
        return []
    freeze.freeze_all(connection)
    detail = {"kept": receipt.sequence - 1, "witnessed": receipt.sequence}
    return [Act(EntryKind.RESTORE_NOTICED, COMMAND_LINE, receipt.budget_id, detail=detail)]


def _is_known(connection: Connection, receipt: Receipt) -> bool:
    drawn = select(releases.c.id).where(releases.c.id == receipt.release_id)
    booked = select(entries.c.sequence).where(entries.c.subject_id == receipt.release_id, text(BOOKED_ONCE))
    return connection.execute(drawn).first() is not None or connection.execute(booked).first() is not None


def _raised_limit(budget: BudgetRow, charge: Cost) -> tuple[dict[str, Any], list[Act]]:
    """Return the budget's columns after a charge that can't be refused, and the act that raises the limit."""
    spent, terms = budget.spent + charge, terms_of(budget)
    columns: dict[str, Any] = dict(costs.columns(spent, "spent"))
    if spent.fits(terms.limit):
        return columns, []
    limit = _larger_of(terms.limit, spent)
    if terms.accountant is Accountant.BASIC:
        epsilon, delta = limit.epsilon, limit.delta
    else:
        epsilon = max(terms.epsilon, epsilon_of(limit.rho, terms.delta_conversion))
        delta = terms.delta_conversion + limit.delta
    columns |= costs.columns(limit, "limit") | {"guaranteed_epsilon": epsilon.units, "guaranteed_delta": delta.units}
    detail = {
        "epsilon": str(epsilon),
        "delta": str(delta),
        "reason": "a forgotten charge does not fit the restored limit",
    }
    return columns, [Act(EntryKind.BUDGET_CHANGED, COMMAND_LINE, budget.id, limit, detail)]


def _charge_grant(connection: Connection, grant: GrantRow, charge: Cost) -> list[Act]:
    spent, cap = grant.spent + charge, grant.cap
    columns, acts = costs.columns(spent, "spent"), list[Act]()
    if not spent.fits(cap):
        cap = _larger_of(cap, spent)
        columns |= costs.columns(cap, "cap")
        acts = [Act(EntryKind.GRANT_CHANGED, COMMAND_LINE, grant.id, cap)]
    connection.execute(update(grants).where(grants.c.id == grant.id).values(**columns))
    return acts


def _larger_of(one: Cost, other: Cost) -> Cost:
    return Cost(
        Epsilon(max(one.epsilon.units, other.epsilon.units)),
        Delta(max(one.delta.units, other.delta.units)),
        Rho(max(one.rho.units, other.rho.units)),
    )


def _bind_key(connection: Connection, receipt: Receipt, signed: Mapping[str, Any], sequence: int) -> None:
    """Store a lost release under the receipt's idempotency key. Do nothing if its data set or principal was lost too,
    or if the key was used again.
    """
    connection.execute(update(datasets).where(datasets.c.id == receipt.dataset_id).values(charged=1))
    dataset = connection.execute(select(datasets.c.owner_id).where(datasets.c.id == receipt.dataset_id)).first()
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
                "owner_id": dataset.owner_id,
                "kind": "query" if receipt.release_id.startswith(f"{QUERY_PREFIX}_") else "posterior",
            }
            | costs.columns(receipt.amount, "charged")
            | costs.columns(NOTHING, "remaining")
        )
    )
