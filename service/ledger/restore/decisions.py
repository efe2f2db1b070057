"""Apply decisions again that a restored database lost, from the entries that the witness kept.

Each kind of entry has its case in `apply`; the type checker refuses a kind without one. A later decision of the owner
about the same thing stands. A limit that a charge from before the restore does not fit is raised.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, assert_never

from sqlalchemy import Connection, Table, select, text, update

from core.accounting.accountants import Accountant, BudgetTerms, Cost
from core.accounting.zcdp import epsilon_of
from core.privacy import Delta, Epsilon, Rho
from service.database import costs
from service.database.rows import BudgetRow, EntryRow, GrantRow, fetch_all, fetch_first
from service.database.tables import (
    BOOKED_ONCE,
    access_requests,
    budgets,
    datasets,
    entries,
    grants,
    principals,
    releases,
)
from service.errors import Problem
from service.identifiers.identifiers import now
from service.ledger.budget_changes import Act, insert_grant, open_budget, terms_of
from service.ledger.chain import Entry, EntryKind
from service.principals.auth import COMMAND_LINE
from service.principals.creations import forget_secrets

_SAME_THING: Final = (
    {EntryKind.BUDGET_FROZEN, EntryKind.BUDGET_UNFROZEN},
    {EntryKind.GRANT_CLOSED, EntryKind.GRANT_REOPENED},
    {EntryKind.HISTORY_SHARED, EntryKind.HISTORY_UNSHARED},
    {EntryKind.DATASET_LISTED, EntryKind.DATASET_UNLISTED},
    {EntryKind.RELEASE_PUBLISHED, EntryKind.RELEASE_WITHDRAWN},
)
"""Kinds that decide about the same thing. Every other kind is alone."""
DestroyCounts: TypeAlias = Callable[[Connection, str], None]
_CAPS: Final = costs.column_names("release_cap")


@dataclass(slots=True)
class Applied:
    """Changed columns of the budget, and the acts that record what was applied."""

    columns: dict[str, Any] = field(default_factory=dict)
    acts: list[Act] = field(default_factory=list)


def apply(
    connection: Connection, budget: BudgetRow, entry: Entry, kept: int | None, destroy_counts: DestroyCounts
) -> Applied | None:
    """Apply a lost entry again to the locked budget, except the budget's own columns, which the caller stores. `kept`
    is the last entry that the backup had. `destroy_counts` deletes the counts of a data set. Return None if the entry
    can't be applied.
    """
    if kept is None:  # a later decision can't be distinguished from an earlier one
        return None
    detail = entry.read_detail()
    if (later := _later_details(connection, entry, kept)) is not None:
        return Applied() if detail.keys() - _ACTOR_FIELDS <= later else None
    match entry.kind:
        case EntryKind.BUDGET_CHANGED:
            return _change_total(budget, entry, detail)
        case EntryKind.BUDGET_FROZEN | EntryKind.BUDGET_UNFROZEN:
            frozen = entry.kind is EntryKind.BUDGET_FROZEN
            if frozen is (budget.frozen_at is not None):
                return Applied()
            return Applied({"frozen_at": now() if frozen else None}, [_repeated_act(entry)])
        case EntryKind.BUDGET_RENAMED:
            named = (budgets.c.owner_id == budget.owner_id) & (budgets.c.name == detail["name"])
            if _is_there(connection, budgets, named & (budgets.c.id != budget.id)):
                return None
            return Applied({"name": detail["name"]}, [_repeated_act(entry, "name")])
        case EntryKind.POLICY_CHANGED:
            return _change_policy(entry, detail)
        case EntryKind.GRANT_OPENED:
            return _open_grant(connection, entry, detail)
        case EntryKind.GRANT_CHANGED:
            grant = fetch_first(connection, GrantRow, select(grants).where(grants.c.id == entry.subject_id))
            if grant is None or not grant.spent.fits(entry.amount):
                return None
            ends = {"expires_at": detail["expires_at"]} if "expires_at" in detail else {}
            return _change_row(connection, grants, entry, costs.columns(entry.amount, "cap") | ends, *ends)
        case EntryKind.GRANT_CLOSED | EntryKind.GRANT_REOPENED:
            closed = entry.kind is EntryKind.GRANT_CLOSED
            return _change_row(connection, grants, entry, {"closed_at": now() if closed else None})
        case EntryKind.DATASET_RENAMED:
            named = (datasets.c.owner_id == budget.owner_id) & (datasets.c.name == detail["name"])
            others = named & (datasets.c.id != entry.subject_id) & datasets.c.deleted_at.is_(None)
            if _is_there(connection, datasets, others):
                return None
            return _change_row(connection, datasets, entry, {"name": detail["name"]}, "name")
        case EntryKind.HISTORY_SHARED | EntryKind.HISTORY_UNSHARED:
            shared = int(entry.kind is EntryKind.HISTORY_SHARED)
            return _change_row(connection, datasets, entry, {"history_shared": shared})
        case EntryKind.DATASET_LISTED | EntryKind.DATASET_UNLISTED:
            return _change_row(connection, datasets, entry, {"listed": int(entry.kind is EntryKind.DATASET_LISTED)})
        case EntryKind.DATASET_DELETED:
            return _delete_dataset(connection, entry, destroy_counts)
        case EntryKind.RELEASE_WITHDRAWN:
            return _change_row(connection, releases, entry, {"public_since": None})
        case EntryKind.ACCESS_DECLINED:
            columns = {"state": "declined", "decided_at": now()}
            asked = (access_requests.c.id == entry.subject_id) & (access_requests.c.state == "open")
            if not _is_there(connection, access_requests, asked):
                return Applied()
            return _change_row(connection, access_requests, entry, columns, "dataset_id", "analyst_id")
        case EntryKind.WRITTEN_OFF:
            booked = select(entries.c.sequence).where(entries.c.subject_id == entry.subject_id, text(BOOKED_ONCE))
            if connection.execute(booked).first() is not None:
                return Applied()
            columns, raised = raised_limit(budget, entry.amount)
            return Applied(columns, [*raised, _repeated_act(entry, "reason")])
        case EntryKind.RESTORE_NOTICED | EntryKind.RESTORE_ENDED | EntryKind.ENTRY_RECONCILED:
            return Applied()  # the folder has what an earlier restore lost, too
        case EntryKind.RECEIPT_RECONCILED:
            return Applied()  # the caller has charged the receipt again
        case EntryKind.CLOCK_CONFIRMED:
            return Applied()  # the operator confirms the clock again if it contradicts the restored ledger
        case EntryKind.BUDGET_OPENED | EntryKind.DATASET_REGISTERED | EntryKind.DATASET_REPLACED:
            return None  # no line has the counts; a lost budget is opened by `open_again`
        case EntryKind.BUDGET_TRANSFERRED:
            return None  # an admin transfers it again, after the end of its owner
        case EntryKind.RELEASE_PUBLISHED:
            return None  # no line has the public text
        case EntryKind.RELEASE_CHARGED | EntryKind.QUERY_CHARGED:
            return None  # a charge has a receipt
        case _:
            assert_never(entry.kind)


_ACTOR_FIELDS: Final = {"api_key_id", "principal_head"}


def open_again(connection: Connection, entry: Entry) -> bool:
    """Open a budget again that the restored database lacks. Return False if that is not possible, for example since the
    database lacks its owner, too.
    """
    detail = entry.read_detail()
    epsilon, delta = Epsilon.parse(detail["epsilon"]), Delta.parse(detail["delta"])
    conversion = Delta.parse(detail["delta_conversion"])
    terms = BudgetTerms(Accountant(detail["accountant"]), entry.amount, epsilon, delta, conversion)
    if not _is_there(connection, principals, principals.c.id == entry.principal_id):
        return False
    name = f"restored {entry.budget_id}"
    try:
        open_budget(connection, owner=entry.principal_id, name=name, terms=terms, budget_id=entry.budget_id)
    except Problem:  # the owner was revoked, or is being recovered
        return False
    return True


def _repeated_act(entry: Entry, *members: str) -> Act:
    """Return the act of an entry, by the command line, with these members of its detail."""
    detail = entry.read_detail()
    again = {name: detail[name] for name in members if name in detail}
    return Act(entry.kind, COMMAND_LINE, entry.subject_id, entry.amount, again)


def _later_details(connection: Connection, entry: Entry, kept: int) -> set[str] | None:
    """Return the members of what people decided about the same thing since the backup, or None if they did not."""
    kinds = next((each for each in _SAME_THING if entry.kind in each), {entry.kind})
    query = select(entries).where(
        entries.c.budget_id == entry.budget_id,
        entries.c.sequence > kept,
        entries.c.subject_id == entry.subject_id,
        entries.c.kind.in_([kind.value for kind in kinds]),
        entries.c.principal_id != COMMAND_LINE,
    )
    found = fetch_all(connection, EntryRow, query)
    return {name for row in found for name in json.loads(row.detail)} if found else None


def _change_total(budget: BudgetRow, entry: Entry, detail: Mapping[str, Any]) -> Applied | None:
    if not budget.spent.fits(entry.amount):
        return None
    guaranteed = {
        "guaranteed_epsilon": Epsilon.parse(detail["epsilon"]).units,
        "guaranteed_delta": Delta.parse(detail["delta"]).units,
    }
    acts = [_repeated_act(entry, "epsilon", "delta", "reason")]
    return Applied(costs.columns(entry.amount, "limit") | guaranteed, acts)


def _change_policy(entry: Entry, detail: Mapping[str, Any]) -> Applied:
    members = [*_CAPS, "low_budget_percent", "allowed_mechanisms"]
    columns = {name: detail[name] for name in members if name in detail}
    if (allowed := columns.get("allowed_mechanisms")) is not None:
        columns["allowed_mechanisms"] = json.dumps(allowed)
    return Applied(columns, [_repeated_act(entry, *members)])


def _open_grant(connection: Connection, entry: Entry, detail: Mapping[str, Any]) -> Applied | None:
    dataset_id, analyst_id = detail["dataset_id"], detail["analyst_id"]
    given = grants.c.dataset_id == dataset_id, grants.c.principal_id == analyst_id
    if _is_there(connection, grants, grants.c.id == entry.subject_id):  # from another line of the same grant
        return Applied()
    if (
        not _is_there(connection, datasets, datasets.c.id == dataset_id)
        or not _is_there(connection, principals, principals.c.id == analyst_id)
        or _is_there(connection, grants, *given)
    ):
        return None
    insert_grant(
        connection,
        entry.subject_id,
        dataset_id=dataset_id,
        analyst_id=analyst_id,
        cap=entry.amount,
        expires_at=detail["expires_at"],
    )
    members = ["dataset_id", "analyst_id", "expires_at"]
    asked = (access_requests.c.id == detail.get("access_request_id")) & (access_requests.c.state == "open")
    if _is_there(connection, access_requests, asked):
        decided = {"state": "approved", "grant_id": entry.subject_id, "decided_at": now()}
        connection.execute(update(access_requests).where(asked).values(**decided))
        members.append("access_request_id")
    return Applied(acts=[_repeated_act(entry, *members)])


def _delete_dataset(connection: Connection, entry: Entry, destroy_counts: DestroyCounts) -> Applied | None:
    ended = (datasets.c.id == entry.subject_id) & datasets.c.deleted_at.is_not(None)
    if _is_there(connection, datasets, ended):
        return Applied()
    destroy_counts(connection, entry.subject_id)
    forget_secrets(connection, subject_id=entry.subject_id)
    return _change_row(connection, datasets, entry, {"deleted_at": now()})


def _change_row(
    connection: Connection, table: Table, entry: Entry, columns: Mapping[str, Any], *members: str
) -> Applied | None:
    """Apply the entry's change to its row. Return None if the database lacks the row."""
    changed = connection.execute(update(table).where(table.c.id == entry.subject_id).values(**columns))
    return Applied(acts=[_repeated_act(entry, *members)]) if changed.rowcount else None


def _is_there(connection: Connection, table: Table, *conditions: Any) -> bool:
    return connection.execute(select(table.c.id).where(*conditions).limit(1)).first() is not None


def raised_limit(budget: BudgetRow, charge: Cost) -> tuple[dict[str, Any], list[Act]]:
    """Return the budget's columns after a charge that can't be refused, and the act that raises the limit."""
    spent, terms = budget.spent + charge, terms_of(budget)
    columns: dict[str, Any] = dict(costs.columns(spent, "spent"))
    if spent.fits(terms.limit):
        return columns, []
    limit = larger_of(terms.limit, spent)
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


def larger_of(one: Cost, other: Cost) -> Cost:
    return Cost(
        Epsilon(max(one.epsilon.units, other.epsilon.units)),
        Delta(max(one.delta.units, other.delta.units)),
        Rho(max(one.rho.units, other.rho.units)),
    )
