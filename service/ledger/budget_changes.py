"""Open and change budgets and grants, and write the ledger entry of each act.

All entries are written here, except charges, which `service.ledger.debit` writes in batches. A balance changes only
under the budget's lock, and in one transaction with its entry. Nothing here decrypts counts or refunds an amount.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, insert, select, update

from core.accounting.accountants import NOTHING, Accountant, BudgetTerms, Cost
from core.privacy import Delta, Epsilon
from service.database import costs
from service.database.rows import (
    BudgetRow,
    EntryRow,
    GrantRow,
    PrincipalRow,
    columns_of,
    fetch_all,
    fetch_first,
    fetch_one,
)
from service.database.tables import budgets, datasets, entries, grants, principals
from service.database.writer import on_commit
from service.errors import InvalidRequest, NotFound, RecoveryPending, Unauthenticated
from service.identifiers.canonical_json import Json, canonical_json
from service.identifiers.identifiers import new_id, now, timestamp
from service.ledger.chain import CONFIRMING, Entry, EntryKind, Head, genesis, head_of, link
from service.ledger.row_locks import require_unaltered
from service.principals.auth import By, Caller, is_frozen, require_confirmed, require_live


class Unchanged(Enum):
    """Sentinel for "leave as it is", for fields whose None means "none"."""

    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED


@dataclass(frozen=True, slots=True)
class Act:
    """An act to record on a budget's ledger: kind, actor, subject and amount."""

    kind: EntryKind
    by: By
    subject_id: str = ""
    amount: Cost = NOTHING
    detail: Mapping[str, Any] | None = None
    only_lowers: bool = False
    """Whether the act permits nothing that was refused before. Such an act passes during a recovery of its actor."""


class NewestTime(NamedTuple):
    """The time of a ledger's newest entry. `confirmed` is 0 unless the entry is of a kind in `CONFIRMING`."""

    at: int
    confirmed: int


def newest_times(connection: Connection, budget_ids: Collection[str]) -> dict[str, NewestTime]:
    """Return the time of the newest entry of each ledger, by budget id. Ledgers whose budget names another entry are
    omitted.
    """
    newest = (
        (entries.c.budget_id == budgets.c.id)
        & (entries.c.sequence == budgets.c.sequence)
        & (entries.c.hash == budgets.c.head_hash)
    )
    columns = entries.c.budget_id, entries.c.created_at, entries.c.kind
    query = select(*columns).join(budgets, newest).where(budgets.c.id.in_(budget_ids))
    return {
        row.budget_id: NewestTime(row.created_at, row.created_at if row.kind in CONFIRMING else 0)
        for row in connection.execute(query)
    }


def ledger_time(connection: Connection, budget_id: str) -> int:
    """Return the later of the system's time and the time of the ledger's newest entry.

    Grants end by it, so that one that has ended stays ended while the system's clock is slightly behind. Keys end by
    the system's clock alone.
    """
    return max([now(), *(newest.at for newest in newest_times(connection, [budget_id]).values())])


def append(connection: Connection, budget_id: str, head: Head, acts: Iterable[Act]) -> list[Entry]:
    """Append entries after `head`, which the caller read under the budget's lock, and return them. The caller stores
    the new head.

    Each entry names the API key used and the head of the principal's key chain. Raises RecoveryPending unless all acts
    only lower, and Unauthenticated if the principal or key was revoked or has expired.
    """
    written = []
    acts = list(acts)
    confirmed = any(act.kind is EntryKind.CLOCK_CONFIRMED for act in acts)
    instant = now() if confirmed else ledger_time(connection, budget_id)
    raising = {principal_of(act.by) for act in acts if not act.only_lowers}
    actors = _lock_actors(connection, {principal_of(act.by) for act in acts}, raising)
    require_live(connection, (act.by for act in acts if isinstance(act.by, Caller)))
    for act in acts:
        principal_id = principal_of(act.by)
        detail = dict(act.detail or {})
        if isinstance(act.by, Caller):
            detail["api_key_id"] = act.by.key_id
        if principal_id in actors:
            detail["principal_head"] = actors[principal_id]
        entry = link(
            head,
            Entry(
                budget_id=budget_id,
                sequence=0,
                kind=act.kind,
                amount=act.amount,
                principal_id=principal_id,
                subject_id=act.subject_id,
                detail=canonical_json(detail),
                created_at=instant,
            ),
        )
        written.append(entry)
        head = head_of(entry)
    if written:
        connection.execute(insert(entries), [row_of(entry)._asdict() for entry in written])
    return written


def principal_of(by: By) -> str:
    return by.principal_id if isinstance(by, Caller) else by


def _lock_actors(connection: Connection, principal_ids: AbstractSet[str], raising: AbstractSet[str]) -> dict[str, Json]:
    """Lock these principals and return the heads of their key chains by id. Raises Unauthenticated, and RecoveryPending
    for a principal in `raising`.

    The command line has no key chain.
    """
    query = (
        select(*columns_of(PrincipalRow, principals))
        .where(principals.c.id.in_(principal_ids))
        .order_by(principals.c.id)
        .with_for_update(read=True)
    )
    rows = fetch_all(connection, PrincipalRow, query)
    if any(row.revoked_at is not None for row in rows):
        raise Unauthenticated
    if any(row.id in raising and is_frozen(row.frozen_until) for row in rows):
        raise RecoveryPending
    return {row.id: principal_head(row.sequence, row.head_hash) for row in rows}


def principal_head(sequence: int, head_hash: str | None) -> Json:
    """Return the head of a principal's key chain in the form in which ledger entries contain it."""
    return {"sequence": sequence, "hash": head_hash}


def row_of(entry: Entry) -> EntryRow:
    return EntryRow(
        entry.budget_id,
        entry.sequence,
        entry.kind.value,
        *entry.units,
        entry.principal_id,
        entry.subject_id,
        entry.detail,
        entry.created_at,
        entry.previous_hash,
        entry.hash,
    )


def lock_budget(connection: Connection, budget_id: str) -> BudgetRow:
    """Lock the budget's row until the transaction ends, and return it. Raises NotFound."""
    row = fetch_first(connection, BudgetRow, select(budgets).where(budgets.c.id == budget_id).with_for_update())
    if row is None:
        raise NotFound
    return row


def record(connection: Connection, budget_id: str, *acts: Act) -> None:
    """Lock the budget and append entries that change no balance."""
    store(connection, lock_budget(connection, budget_id), {}, acts)


def store(connection: Connection, row: BudgetRow, changes: Mapping[str, Any], acts: Iterable[Act]) -> None:
    """Write changed columns of a locked budget together with the entries of the acts that changed them."""
    head = Head(row.id, row.sequence, row.head_hash)
    written = append(connection, row.id, head, acts)
    head = head_of(written[-1]) if written else head
    connection.execute(
        update(budgets).where(budgets.c.id == row.id).values(**changes, sequence=head.sequence, head_hash=head.hash)
    )
    on_commit(connection, head, *written)


def open_budget(
    connection: Connection, *, owner: By, name: str, terms: BudgetTerms, budget_id: str | None = None
) -> str:
    """Open a budget and return its id, which is `budget_id` for one that a restore lost."""
    budget_id = budget_id or new_id("bud")
    columns = {
        "id": budget_id,
        "owner_id": principal_of(owner),
        "name": name,
        "accountant": terms.accountant.value,
        "guaranteed_epsilon": terms.epsilon.units,
        "guaranteed_delta": terms.delta.units,
        "delta_conversion": terms.delta_conversion.units,
        "low_budget_percent": 10,
        "sequence": 0,
        "head_hash": genesis(budget_id).hash,
        "created_at": now(),
        "created_nanoseconds": time.time_ns(),
        "stored_bytes": 0,
    }
    connection.execute(
        insert(budgets).values(columns | costs.columns(terms.limit, "limit") | costs.columns(NOTHING, "spent"))
    )
    detail = {
        "name": name,
        "accountant": terms.accountant.value,
        "epsilon": str(terms.epsilon),
        "delta": str(terms.delta),
        "delta_conversion": str(terms.delta_conversion),
    }
    record(connection, budget_id, Act(EntryKind.BUDGET_OPENED, owner, budget_id, terms.limit, detail))
    return budget_id


def terms_of(row: BudgetRow) -> BudgetTerms:
    return BudgetTerms(
        Accountant(row.accountant),
        row.limit,
        Epsilon(row.guaranteed_epsilon),
        Delta(row.guaranteed_delta),
        Delta(row.delta_conversion),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetChange:
    """Changes of a budget. None leaves a field as it is, except in the two fields whose default is UNCHANGED."""

    name: str | None = None
    epsilon: Epsilon | None = None
    delta: Delta | None = None
    frozen: bool | None = None
    release_cap: Cost | Unchanged | None = UNCHANGED
    allowed_mechanisms: frozenset[str] | Unchanged | None = UNCHANGED
    low_budget_percent: int | None = None


def change_budget(connection: Connection, budget_id: str, owner: By, change: BudgetChange) -> None:
    """Change a budget, with one entry for each kind of change.

    Raises InvalidRequest for a total below the amount spent. Raises StoredDataAltered if the row differs from the
    decisions in its entries, except for a freeze. Raises KeyRequired if an unconfirmed session asks for more than the
    budget allows now. During a recovery of the owner, raises RecoveryPending unless the change only lowers limits or
    freezes.
    """
    row = lock_budget(connection, budget_id)
    allows_more = _allows_more(row, change)
    if isinstance(owner, Caller) and allows_more:
        require_confirmed(connection, owner)
    only_lowers = not allows_more and change.name is None and change.low_budget_percent is None
    if change != BudgetChange(frozen=True):
        require_unaltered(connection, row)
    columns: dict[str, Any] = {}
    acts: list[Act] = []
    if change.name is not None and change.name != row.name:
        columns["name"] = change.name
        acts.append(Act(EntryKind.BUDGET_RENAMED, owner, budget_id, detail={"name": change.name}))
    if change.epsilon is not None or change.delta is not None:
        terms = _changed_terms(terms_of(row), change)
        if not row.spent.fits(terms.limit):
            raise InvalidRequest.at("", "a total can't be below what is already spent")
        columns |= {"guaranteed_epsilon": terms.epsilon.units, "guaranteed_delta": terms.delta.units}
        columns |= costs.columns(terms.limit, "limit")
        detail = {"epsilon": str(terms.epsilon), "delta": str(terms.delta)}
        acts.append(Act(EntryKind.BUDGET_CHANGED, owner, budget_id, terms.limit, detail, only_lowers))
    if change.frozen is not None and change.frozen != (row.frozen_at is not None):
        columns["frozen_at"] = now() if change.frozen else None
        kind = EntryKind.BUDGET_FROZEN if change.frozen else EntryKind.BUDGET_UNFROZEN
        acts.append(Act(kind, owner, budget_id, only_lowers=only_lowers))
    policy = _policy_columns(change)
    if policy:
        columns |= policy
        # The columns hold lists as JSON text; the detail holds them as lists.
        lists = {name: json.loads(value) for name, value in policy.items() if isinstance(value, str)}
        acts.append(Act(EntryKind.POLICY_CHANGED, owner, budget_id, detail=policy | lists, only_lowers=only_lowers))
    if columns:
        store(connection, row, columns, acts)


def _allows_more(row: BudgetRow, change: BudgetChange) -> bool:
    """Return whether the change would permit a release that the budget refuses now."""
    if change.frozen is False and row.frozen_at is not None:
        return True
    totals = change.epsilon is not None or change.delta is not None
    if totals and not _changed_terms(terms_of(row), change).limit.fits(row.limit):
        return True
    cap, now_capped = change.release_cap, row.release_cap
    if not isinstance(cap, Unchanged) and now_capped is not None and (cap is None or not cap.fits(now_capped)):
        return True
    mechanisms = change.allowed_mechanisms
    if isinstance(mechanisms, Unchanged) or row.allowed is None:
        return False
    return mechanisms is None or not mechanisms <= row.allowed


def _changed_terms(terms: BudgetTerms, change: BudgetChange) -> BudgetTerms:
    epsilon = change.epsilon or terms.epsilon
    if terms.accountant is Accountant.BASIC:
        return BudgetTerms.basic(epsilon, terms.delta if change.delta is None else change.delta)
    if change.delta is not None:
        raise InvalidRequest.at("delta", "is fixed when a zcdp budget is opened")
    return BudgetTerms.zcdp(epsilon, delta_conversion=terms.delta_conversion, delta_releases=terms.limit.delta)


def _policy_columns(change: BudgetChange) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    if not isinstance(change.release_cap, Unchanged):
        columns |= (
            dict.fromkeys(costs.column_names("release_cap"))
            if change.release_cap is None
            else costs.columns(change.release_cap, "release_cap")
        )
    if not isinstance(change.allowed_mechanisms, Unchanged):
        columns["allowed_mechanisms"] = (
            None if change.allowed_mechanisms is None else json.dumps(sorted(change.allowed_mechanisms))
        )
    if change.low_budget_percent is not None:
        columns["low_budget_percent"] = change.low_budget_percent
    return columns


def open_grant(
    connection: Connection,
    *,
    budget_id: str,
    dataset_id: str,
    analyst_id: str,
    owner: By,
    cap: Cost,
    expires_at: int | None,
    access_request_id: str | None = None,
) -> str:
    """Allow an analyst to spend up to `cap` of the budget on one data set. Return the grant's id.

    `access_request_id` names the access request that the grant approves. Raises InvalidRequest for an end that has
    passed.
    """
    grant_id = new_id("gra")
    lock_budget(connection, budget_id)  # first, in the lock order of a debit
    _check_end(connection, budget_id, expires_at)
    insert_grant(connection, grant_id, dataset_id=dataset_id, analyst_id=analyst_id, cap=cap, expires_at=expires_at)
    detail = {"dataset_id": dataset_id, "analyst_id": analyst_id, "expires_at": expires_at}
    if access_request_id is not None:
        detail["access_request_id"] = access_request_id
    record(connection, budget_id, Act(EntryKind.GRANT_OPENED, owner, grant_id, cap, detail))
    return grant_id


def insert_grant(
    connection: Connection, grant_id: str, *, dataset_id: str, analyst_id: str, cap: Cost, expires_at: int | None
) -> None:
    """Insert the row of a grant. The caller holds the budget's lock and records the entry."""
    of_dataset = select(datasets.c.owner_id, datasets.c.created_nanoseconds).where(datasets.c.id == dataset_id)
    dataset = connection.execute(of_dataset).one()
    connection.execute(
        insert(grants).values(
            {
                "id": grant_id,
                "dataset_id": dataset_id,
                "principal_id": analyst_id,
                "expires_at": expires_at,
                "created_at": now(),
                "created_nanoseconds": time.time_ns(),
                "stored_bytes": 0,
                "owner_id": dataset.owner_id,
                "dataset_nanoseconds": dataset.created_nanoseconds,
            }
            | costs.columns(cap, "cap")
            | costs.columns(NOTHING, "spent")
        )
    )


def change_grant(
    connection: Connection,
    *,
    budget_id: str,
    grant_id: str,
    owner: By,
    cap: Cost | None,
    closed: bool | None,
    expires_at: int | Unchanged | None = UNCHANGED,
) -> None:
    """Change a grant's cap or expiry, or close or reopen it. Its spent amount does not change.

    Raises InvalidRequest for a cap below the amount spent, and for an end that has passed. Raises StoredDataAltered if
    the row differs from the decisions in its entries, except for a closing. During a recovery of the owner, raises
    RecoveryPending unless the change only lowers the grant.
    """
    budget = lock_budget(connection, budget_id)
    grant = fetch_one(connection, GrantRow, select(grants).where(grants.c.id == grant_id).with_for_update())
    if (cap, closed, expires_at) != (None, True, UNCHANGED):
        require_unaltered(connection, budget, grant)
    only_lowers = (
        (cap is None or cap.fits(grant.cap))
        and closed is not False
        and (isinstance(expires_at, Unchanged) or _ends_no_later(expires_at, grant.expires_at))
    )
    columns: dict[str, Any] = {}
    acts: list[Act] = []
    if cap is not None:
        if not grant.spent.fits(cap):
            raise InvalidRequest.at("", "a cap can't be below what the grant already spent")
        columns |= costs.columns(cap, "cap")
        acts.append(Act(EntryKind.GRANT_CHANGED, owner, grant_id, cap, only_lowers=only_lowers))
    if not isinstance(expires_at, Unchanged) and expires_at != grant.expires_at:
        _check_end(connection, budget_id, expires_at)
        columns["expires_at"] = expires_at
        end = {"expires_at": expires_at}
        acts.append(Act(EntryKind.GRANT_CHANGED, owner, grant_id, cap or grant.cap, end, only_lowers))
    if closed is not None and closed != (grant.closed_at is not None):
        columns["closed_at"] = now() if closed else None
        kind = EntryKind.GRANT_CLOSED if closed else EntryKind.GRANT_REOPENED
        acts.append(Act(kind, owner, grant_id, only_lowers=only_lowers))
    if columns:
        connection.execute(update(grants).where(grants.c.id == grant_id).values(**columns))
        store(connection, budget, {}, acts)


def _ends_no_later(end: int | None, before: int | None) -> bool:
    return before is None or (end is not None and end <= before)


def _check_end(connection: Connection, budget_id: str, expires_at: int | None) -> None:
    if expires_at is not None and expires_at <= (instant := ledger_time(connection, budget_id)):
        raise InvalidRequest.at("expires_at", f"must be after the time of the budget's ledger, {timestamp(instant)}")
