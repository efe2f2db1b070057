"""Recompute from the entries of a budget which columns its decisions give to the rows of the budget, its data sets,
grants, access requests and releases. A fault names the row and the column that differs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from core.accounting.accountants import NOTHING, Cost
from core.privacy import Delta, Epsilon
from service.database import costs
from service.database.rows import DatasetRow
from service.database.tables import NOTHING_MEASURED
from service.identifiers.canonical_json import ChainError
from service.ledger.chain import Entry, EntryKind
from service.ledger.decision import BudgetState, GrantState, largest_possible_charge
from service.ledger.joint_costs import hash_measured
from service.ledger.query_debit import remaining_for_queries

_BOUND: Final = tuple(dict.fromkeys(("relation", *DatasetRow._fields, "description_sha256")))
"""Members of a registration's detail that are compared, the relation before the size that follows from it. Entries of
version 0.1.0 have no `description_sha256`, those before 0.3.0 no `name`.
"""
_POLICY: Final = (*costs.column_names("release_cap"), "low_budget_percent")
_TERMS: Final = {"epsilon": Epsilon, "delta": Delta}
_END_COLUMNS: Final = frozenset({"closed_at", "deleted_at", "frozen_at", "public_since"})
"""Columns that hold a time, of which the entries decide only whether there is one."""
_COLUMN_NAMES: Final = {
    "owner_id": "owner",
    "registered_by": "owner at registration",
    "principal_id": "holder",
    "relation": "neighbour relation",
    "category_count": "size",
    "record_count": "size",
    "records_per_unit": "size",
    "description_sha256": "labels, attributes or unit",
    "allowed_mechanisms": "policy",
    **dict.fromkeys(_POLICY, "policy"),
    "guaranteed_epsilon": "guarantee",
    "guaranteed_delta": "guarantee",
    "delta_conversion": "guarantee",
    "expires_at": "end",
    "closed_at": "closing",
    "deleted_at": "deletion",
    "public_since": "publication",
}
"""The name of a column in messages, unless it is the column's own."""
_NOTHING_MEASURED: Final = hash_measured(NOTHING_MEASURED)


def difference(expected: Mapping[str, Any], row: Any) -> str | None:
    """Return the name of the first column of `row` that differs, or None."""
    for name, value in expected.items():
        stored = getattr(row, name)
        if (stored is not None if name in _END_COLUMNS else stored) != value:
            return f"{_COLUMN_NAMES.get(name, name)} ({name})"
    return None


@dataclass(slots=True)
class Decided:
    """The expected columns of one budget's rows by id, after the entries added so far."""

    budget: dict[str, Any] = field(default_factory=dict)
    datasets: dict[str, dict[str, Any]] = field(default_factory=dict)
    grants: dict[str, dict[str, Any]] = field(default_factory=dict)
    caps: dict[str, Cost] = field(default_factory=dict)
    requests: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Access requests that the owner decided."""
    public: set[str] = field(default_factory=set)
    """Published releases."""
    _state: BudgetState = field(default_factory=lambda: BudgetState(NOTHING, NOTHING))
    _spent_by_grant: dict[str, Cost] = field(default_factory=dict)
    """Amounts spent by grant."""
    _is_measured: bool = False
    """Whether query answers measured rows."""

    def add(self, entry: Entry) -> None:
        """Add the next entry. Raises ChainError if it contradicts an earlier one."""
        detail, subject = entry.read_detail(), entry.subject_id
        match entry.kind:
            case EntryKind.BUDGET_OPENED:
                self.budget = {
                    "owner_id": entry.principal_id,
                    "accountant": detail.get("accountant"),
                    "delta_conversion": _units(entry, Delta, detail.get("delta_conversion")),
                    "allowed_mechanisms": None,
                    **dict.fromkeys(_POLICY),
                    "low_budget_percent": 10,
                    **{name: detail[name] for name in ("name",) if name in detail},
                }
                self._change_terms(entry, detail)
            case EntryKind.BUDGET_CHANGED:
                self._change_terms(entry, detail)
            case EntryKind.POLICY_CHANGED:
                self._change_policy(detail)
            case EntryKind.BUDGET_TRANSFERRED:
                self._transfer(entry, detail)
            case EntryKind.BUDGET_RENAMED:
                self.budget["name"] = detail.get("name")
            case EntryKind.DATASET_REGISTERED | EntryKind.DATASET_REPLACED:
                self._register(entry, detail)
            case EntryKind.DATASET_DELETED:
                self._change(self.datasets, entry, deleted_at=True)
            case EntryKind.DATASET_RENAMED:
                self._change(self.datasets, entry, name=detail.get("name"))
            case EntryKind.HISTORY_SHARED | EntryKind.HISTORY_UNSHARED:
                self._change(self.datasets, entry, history_shared=int(entry.kind is EntryKind.HISTORY_SHARED))
            case EntryKind.DATASET_LISTED | EntryKind.DATASET_UNLISTED:
                self._change(self.datasets, entry, listed=int(entry.kind is EntryKind.DATASET_LISTED))
            case EntryKind.GRANT_OPENED:
                self._open_grant(entry, detail)
            case EntryKind.GRANT_CHANGED:
                self.caps[subject] = entry.amount
                self._change(self.grants, entry, **{name: detail[name] for name in ("expires_at",) if name in detail})
            case EntryKind.GRANT_CLOSED | EntryKind.GRANT_REOPENED:
                self._change(self.grants, entry, closed_at=entry.kind is EntryKind.GRANT_CLOSED)
            case EntryKind.ACCESS_DECLINED:
                self.requests[subject] = {"state": "declined", "grant_id": None}
            case EntryKind.RELEASE_PUBLISHED:
                self.public.add(subject)
            case EntryKind.RELEASE_WITHDRAWN:
                self.public.discard(subject)
            case EntryKind.RELEASE_CHARGED | EntryKind.QUERY_CHARGED | EntryKind.RECEIPT_RECONCILED:
                self._charge(entry, detail)
            case EntryKind.WRITTEN_OFF:
                self._state = self._state.with_spent(self._state.spent + entry.amount)
            case _:
                pass

    def release(self, entry: Entry) -> dict[str, Any]:
        """Return the expected columns of the release that the last added entry charges."""
        is_query = entry.kind is EntryKind.QUERY_CHARGED
        budget, grant_id = self._state, entry.grant_id
        grant = None if grant_id is None else GrantState(self._cap(entry, grant_id), self._spent_by_grant[grant_id])
        if is_query:
            remaining = remaining_for_queries(budget, grant)
        else:
            # The holder of a grant does not see what was spent on measured rows (`visible_to_caller`).
            hides = grant is not None and self._is_measured
            remaining = largest_possible_charge(budget.with_spent(NOTHING) if hides else budget, grant)
        return {
            "kind": "query" if is_query else "posterior",
            "created_at": entry.created_at,
            **costs.columns(remaining, "remaining"),
        }

    def _cap(self, entry: Entry, grant_id: str) -> Cost:
        if grant_id not in self.caps:
            raise ChainError(entry.sequence, "charges a grant that was never opened")
        return self.caps[grant_id]

    @staticmethod
    def _change(rows: dict[str, dict[str, Any]], entry: Entry, **columns: Any) -> None:
        if entry.subject_id not in rows:
            raise ChainError(entry.sequence, "changes something that no entry made")
        rows[entry.subject_id] |= columns

    def _transfer(self, entry: Entry, detail: Mapping[str, Any]) -> None:
        if detail.get("from") != self.budget["owner_id"]:
            raise ChainError(entry.sequence, "transfers the budget from an owner who did not have it")
        owner_id = detail.get("to")
        for known in self.datasets.values():
            known["registered_by"] = _registrant(known)
        for row in (self.budget, *self.datasets.values(), *self.grants.values()):
            row["owner_id"] = owner_id

    def _change_terms(self, entry: Entry, detail: Mapping[str, Any]) -> None:
        self.budget |= {f"guaranteed_{name}": _units(entry, kind, detail.get(name)) for name, kind in _TERMS.items()}
        self._state = BudgetState(entry.amount, self._state.spent, release_cap=self._state.release_cap)

    def _change_policy(self, detail: Mapping[str, Any]) -> None:
        self.budget |= {name: detail[name] for name in _POLICY if name in detail}
        if "allowed_mechanisms" in detail:
            names = detail["allowed_mechanisms"]
            self.budget["allowed_mechanisms"] = None if names is None else json.dumps(names)
        units = [self.budget[name] for name in costs.column_names("release_cap")]
        cap = None if None in units else costs.of_units(*units)
        self._state = BudgetState(self._state.limit, self._state.spent, release_cap=cap)

    def _register(self, entry: Entry, detail: Mapping[str, Any]) -> None:
        known = self.datasets.get(entry.subject_id)
        if known is None:
            known = {
                "owner_id": entry.principal_id,
                "charged": 0,
                "history_shared": 0,
                "listed": 0,
                "deleted_at": False,
                "registered_by": None,
            }
        bound = {name: detail[name] for name in _BOUND if name in detail}
        described = known.get("description_sha256")
        if known["charged"] and described is not None and bound.get("description_sha256") != described:
            raise ChainError(entry.sequence, "its labels, attributes or unit are not those of the registration")
        relation = detail.get("relation")
        if any(each.get("relation") != relation for each in self.datasets.values()):
            raise ChainError(entry.sequence, "registers counts of another neighbour relation than those of its budget")
        self.datasets[entry.subject_id] = (
            known
            | bound
            | {
                "one_record_per_unit": int(detail.get("records_per_unit") == 1),
                "n_is_public": int(relation == "replace_one"),
            }
        )

    def _open_grant(self, entry: Entry, detail: Mapping[str, Any]) -> None:
        grant_id, dataset_id = entry.subject_id, detail.get("dataset_id")
        self.caps[grant_id] = entry.amount
        self.grants[grant_id] = {
            "dataset_id": dataset_id,
            "principal_id": detail.get("analyst_id"),
            "owner_id": self.datasets.get(str(dataset_id), {}).get("owner_id"),
            "expires_at": detail.get("expires_at"),
            "closed_at": False,
        }
        if (request_id := detail.get("access_request_id")) is not None:
            self.requests[request_id] = {"state": "approved", "grant_id": grant_id}

    def _charge(self, entry: Entry, detail: Mapping[str, Any]) -> None:
        registered = self.datasets.get(str(detail.get("dataset_id")))
        if entry.kind is not EntryKind.RECEIPT_RECONCILED:
            if registered is None:
                raise ChainError(entry.sequence, "charges a release from a data set that was never registered")
            expected = {"commitment": registered["commitment"], "owner_id": _registrant(registered)}
            for name, value in expected.items():
                if detail.get(name) != value:
                    raise ChainError(
                        entry.sequence,
                        f"names another {_COLUMN_NAMES.get(name, name)} than the data set was registered with",
                    )
        draws = entry.kind is not EntryKind.QUERY_CHARGED or detail.get("measured") != _NOTHING_MEASURED
        if registered is not None and draws:
            registered["charged"] = 1
        self._is_measured |= draws and entry.kind is EntryKind.QUERY_CHARGED
        self._state = self._state.with_spent(self._state.spent + entry.amount)
        if (grant_id := entry.grant_id) is not None:
            self._spent_by_grant[grant_id] = self._spent_by_grant.get(grant_id, NOTHING) + entry.granted


def _registrant(dataset: Mapping[str, Any]) -> Any:
    """Return the owner at registration. Counts and receipts stay bound to that owner."""
    return dataset["registered_by"] or dataset["owner_id"]


def _units(entry: Entry, kind: type[Any], text: object) -> int:
    """Return the units of an amount in a detail. Raises ChainError unless it is decimal text."""
    try:
        return int(kind.parse(str(text)).units)
    except ValueError:
        raise ChainError(entry.sequence, "names a guarantee that is not an amount") from None
