"""Create, change and report budgets for their owners. Every function works inside the caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, Literal, cast

from sqlalchemy import ColumnElement, Connection, case, select, update
from typing_extensions import TypeAliasType

from core.accounting.accountants import Accountant, BudgetTerms, Cost, TermsError
from core.privacy import Delta, Epsilon
from service.database import costs
from service.database.paging import PageRequest, in_order_of_creation, name_contains
from service.database.rows import BudgetRow, EntryRow, fetch_all, fetch_first
from service.database.tables import budgets, entries
from service.errors import InvalidRequest, NotFound, StorageQuotaExceeded, error_location
from service.identifiers.identifiers import timestamp
from service.ledger import budget_changes as ledger
from service.ledger.database_state import is_restore_pending
from service.principals import chain
from service.principals.auth import Caller
from service.schemas.budgets import (
    Budget,
    BudgetChange,
    BudgetCreate,
    Cap,
    LedgerEntry,
    LedgerEntryKind,
    WriteOff,
)
from service.schemas.model import Guarantee, amount
from service.schemas.principals import Role

_WEAK_EPSILON: Final = Epsilon.parse("10")
_EPSILON_WARNING: Final = (
    f"epsilon is above {_WEAK_EPSILON}: one record may change the probability of a result by a factor of more than "
    "22 000."
)
_DELTA_WARNING: Final = (
    "delta is above 1/n, n being the number of records: that would allow a mechanism that publishes one record, drawn "
    "at random, in full."
)
BudgetListState = TypeAliasType("BudgetListState", Literal["low", "frozen"])
MIN_DELTA = Delta.parse("0.000000000000001")
CERTAIN = Delta.parse("1")


def terms(body: BudgetCreate) -> BudgetTerms:
    """Return the terms of a requested budget. Raises InvalidRequest."""
    if not body.epsilon.units:
        raise InvalidRequest.at("epsilon", "must be above 0")
    _check_delta(body.delta)
    conversion = body.delta_conversion
    if conversion is not None and body.accountant == "basic":
        raise InvalidRequest.at("delta_conversion", "must be left out under basic")
    if conversion is not None and conversion > body.delta:
        raise InvalidRequest.at("delta_conversion", "must be at most delta")
    try:
        if body.accountant == "basic":
            return BudgetTerms.basic(body.epsilon, body.delta)
        conversion = conversion or Delta(body.delta.units // 2)
        releases = Delta(body.delta.units - conversion.units)
        return BudgetTerms.zcdp(body.epsilon, delta_conversion=conversion, delta_releases=releases)
    except TermsError as error:
        raise InvalidRequest.at("delta", str(error).removeprefix("delta ")) from None


def _check_delta(delta: Delta) -> None:
    if delta.units and delta < MIN_DELTA:
        raise InvalidRequest.at("delta", f"must be 0 or at least {MIN_DELTA}")
    if delta >= CERTAIN:
        raise InvalidRequest.at("delta", "must be below 1")


def owned_budget(connection: Connection, caller: Caller, budget_id: str) -> BudgetRow:
    """Return the row of the caller's budget. Raises NotFound for a missing budget and for another owner's budget."""
    query = select(budgets).where(budgets.c.id == budget_id, budgets.c.owner_id == caller.principal_id)
    row = fetch_first(connection, BudgetRow, query) if caller.role is Role.OWNER else None
    if row is None:
        raise NotFound
    return row


def reserve_storage(connection: Connection, budget_id: str, size: int, most: float) -> None:
    """Add `size` to the stored bytes of a budget that the caller has locked. Raises StorageQuotaExceeded if the sum
    would exceed `most`.
    """
    stored = connection.execute(select(budgets.c.stored_bytes).where(budgets.c.id == budget_id)).scalar_one()
    if stored + size > most:
        raise StorageQuotaExceeded
    connection.execute(update(budgets).where(budgets.c.id == budget_id).values(stored_bytes=stored + size))


def list_budgets(
    connection: Connection,
    owner_id: str,
    page: PageRequest,
    budget_ids: Sequence[str] = (),
    state: BudgetListState | None = None,
    part_of_name: str | None = None,
) -> list[BudgetRow]:
    """Return an owner's budgets. Raises InvalidRequest for an unknown cursor."""
    query = select(budgets).where(budgets.c.owner_id == owner_id, name_contains(budgets.c.name, part_of_name))
    if budget_ids:
        query = query.where(budgets.c.id.in_(budget_ids))
    if state == "frozen":
        query = query.where(budgets.c.frozen_at.is_not(None))
    elif state == "low":
        query = query.where(_is_low_in_sql())
    return fetch_all(connection, BudgetRow, in_order_of_creation(connection, query, budgets, page))


def read_budget(connection: Connection, caller: Caller, budget_id: str) -> Budget:
    """Return a budget of the caller. Raises NotFound as `owned_budget` does."""
    return budget_response(owned_budget(connection, caller, budget_id), restore_pending=is_restore_pending(connection))


def budget_response(row: BudgetRow, *, restore_pending: bool) -> Budget:
    """Return the response document of a budget. `restore_pending`: whether a restore freezes all budgets."""
    accountant = Accountant(row.accountant)
    limit, spent = row.limit, row.spent
    remaining = limit.left_after(spent)
    return Budget(
        id=row.id,
        name=row.name,
        accountant=row.accountant,
        guarantee=Guarantee(epsilon=Epsilon(row.guaranteed_epsilon), delta=Delta(row.guaranteed_delta)),
        delta_conversion=Delta(row.delta_conversion) if accountant is Accountant.ZCDP else None,
        total=amount(accountant, limit),
        spent=amount(accountant, spent),
        remaining=amount(accountant, remaining),
        warnings=warnings_of(row),
        release_cap=None if row.release_cap is None else amount(accountant, row.release_cap),
        allowed_mechanisms=None if row.allowed is None else sorted(row.allowed),
        frozen=row.frozen_at is not None,
        restore_pending=restore_pending,
        below_threshold=is_low(limit, remaining, row.low_budget_percent),
        low_budget_percent=row.low_budget_percent,
        stored_bytes=row.stored_bytes,
        sequence=row.sequence,
        head_hash=row.head_hash,
        created_at=timestamp(row.created_at),
    )


def warnings_of(row: BudgetRow, record_count: int | None = None) -> list[str]:
    """Return reasons why the budget's guarantee is weak, in itself or for a data set of this number of records."""
    warnings = []
    if Epsilon(row.guaranteed_epsilon) > _WEAK_EPSILON:
        warnings.append(_EPSILON_WARNING)
    if record_count is not None and Delta(row.guaranteed_delta).value * record_count > 1:
        warnings.append(_DELTA_WARNING)
    return warnings


def _is_low_in_sql() -> ColumnElement[bool]:
    """Return the condition of `is_low` for the rows of budgets."""
    row, has_epsilon = budgets.c, budgets.c.epsilon_limit > 0
    total = case((has_epsilon, row.epsilon_limit), else_=row.rho_limit)
    spent = case((has_epsilon, row.epsilon_spent), else_=row.rho_spent)
    return (total - spent) * 100 < total * row.low_budget_percent


def is_low(limit: Cost, remaining: Cost, percent: int) -> bool:
    """Return whether less than `percent` of the main dimension, epsilon or rho, remains."""
    total = limit.epsilon.units or limit.rho.units
    left = remaining.epsilon.units or remaining.rho.units
    return left * 100 < total * percent


def change_of(body: BudgetChange, accountant: Accountant) -> ledger.BudgetChange:
    """Convert a requested change to a change of the ledger. Raises InvalidRequest."""
    if body.epsilon is not None and not body.epsilon.units:
        raise InvalidRequest.at("epsilon", "must be above 0")
    if body.delta is not None:
        _check_delta(body.delta)
    sent = body.model_fields_set
    cap = None if body.release_cap is None else _cap(body.release_cap, accountant)
    mechanisms = None if body.allowed_mechanisms is None else frozenset(body.allowed_mechanisms)
    return ledger.BudgetChange(
        name=body.name,
        epsilon=body.epsilon,
        delta=body.delta,
        frozen=body.frozen,
        release_cap=cap if "release_cap" in sent else ledger.UNCHANGED,
        allowed_mechanisms=mechanisms if "allowed_mechanisms" in sent else ledger.UNCHANGED,
        low_budget_percent=body.low_budget_percent,
    )


def _cap(cap: Cap, accountant: Accountant) -> Cost:
    with error_location("release_cap"):
        return costs.asked(accountant, epsilon=cap.epsilon, rho=cap.rho, delta=cap.delta)


def freeze_as_admin(connection: Connection, admin: Caller, budget_id: str) -> None:
    """Freeze a budget of any owner. Raises NotFound, and RecoveryPending if a recovery of the admin can be vetoed."""
    ledger.change_budget(connection, budget_id, admin, ledger.BudgetChange(frozen=True))
    chain.require_acting(connection, admin)  # after the budget, in the order of locks


def write_off_response(entry: EntryRow, accountant: Accountant) -> WriteOff:
    return WriteOff(
        id=entry.subject_id,
        budget_id=entry.budget_id,
        sequence=entry.sequence,
        amount=amount(accountant, entry.amount),
        reason=json.loads(entry.detail)["reason"],
        created_at=timestamp(entry.created_at),
    )


def ledger_rows(connection: Connection, budget_id: str, *, after: int, limit: int) -> list[EntryRow]:
    """Return the entries after sequence `after`, in ledger order."""
    query = (
        select(entries)
        .where(entries.c.budget_id == budget_id, entries.c.sequence > after)
        .order_by(entries.c.sequence)
        .limit(limit)
    )
    return fetch_all(connection, EntryRow, query)


def entry_response(row: EntryRow, accountant: Accountant) -> LedgerEntry:
    return LedgerEntry(
        budget_id=row.budget_id,
        sequence=row.sequence,
        kind=cast("LedgerEntryKind", row.kind),
        amount=amount(accountant, row.amount),
        principal_id=row.principal_id,
        subject_id=row.subject_id,
        detail=json.loads(row.detail),
        created_at=timestamp(row.created_at),
        previous_hash=row.previous_hash,
        hash=row.hash,
    )
