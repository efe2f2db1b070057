"""Compare the rows of a budget with its ledger entries: the budget itself, releases with their specs and receipts, data
sets, grants, access requests and public texts. A fault names the row and the difference.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, select

from core.accounting.accountants import NOTHING
from service.database import costs
from service.database.rows import AccessRequestRow, BudgetRow, DatasetRow, GrantRow, ReleaseRow, columns_of, fetch_all
from service.database.tables import (
    access_requests,
    budgets,
    datasets,
    grants,
    has_counts,
    public_texts,
    releases,
)
from service.identifiers.canonical_json import ChainError, canonical_json
from service.ledger.chain import OF_RESTORING, Entry, EntryKind, lost_entry_id
from service.ledger.counts_binding import hash_description
from service.ledger.decided import Decided, difference
from service.ledger.outcomes import is_genuine, is_public_text
from service.ledger.query_debit import QUERY_PREFIX
from service.ledger.receipts import Receipt, SignatureError, SignedEntry, UnknownKeyError, read_signed

_RECEIPT_FIELDS: Final = ("dataset_id", "principal_id", "key_hash", "payload_hash")
"""Columns of a lost release that its receipt names."""


@dataclass(slots=True)
class StoredRows:
    """The expected rows of one budget, from the entries added so far. `public_keys` are the service's keys by id; if
    empty, signatures are not checked.
    """

    budget: BudgetRow
    public_keys: Mapping[str, str]
    decided: Decided = field(default_factory=Decided)

    def check_release(self, row: ReleaseRow, entry: Entry) -> None:
        """Raise ChainError unless the stored release, its spec and its receipt match the entry."""
        detail = entry.read_detail()
        if entry.kind is EntryKind.RECEIPT_RECONCILED:
            if row.receipt != canonical_json(detail.get("receipt")):
                raise ChainError(entry.sequence, f"charges another receipt than release {row.id} holds")
            self._require(entry, self._lost_columns(row, entry), row)
            return
        if hashlib.sha256(row.spec.encode()).hexdigest() != detail.get("spec_sha256"):
            raise ChainError(
                entry.sequence,
                f"charges another spec (request, event, certificate) than release {row.id} holds",
            )
        for name in ("dataset_id", "owner_id", "key_hash", "payload_hash"):
            if getattr(row, name) != detail.get(name):
                raise ChainError(entry.sequence, f"names another {name} than release {row.id} does")
        if row.principal_id != entry.principal_id:
            raise ChainError(entry.sequence, f"names another payer than release {row.id} does")
        if self._receipt(row, entry) != Receipt.of(entry, self.budget.accountant, detail):
            raise ChainError(entry.sequence, f"is not what the receipt of release {row.id} says")
        if not self._is_genuine(row):
            raise ChainError(
                entry.sequence, f"paid for release {row.id}, whose state, drawn values or answer were altered"
            )
        self._require(entry, self.decided.release(entry), row)

    def check_reconciled(self, entry: Entry) -> None:
        """Raise ChainError unless the service signed this entry, which a restore lost."""
        detail = entry.read_detail()
        signed = detail.get("entry")
        if entry.kind is not EntryKind.ENTRY_RECONCILED or detail.get("kind") in OF_RESTORING:
            return
        try:
            line = read_signed(signed or {}, SignedEntry, self.public_keys or None)
        except (AttributeError, SignatureError):
            raise ChainError(entry.sequence, "reconciles a lost entry without a valid signature") from None
        named = self.budget.id, detail.get("sequence"), detail.get("kind"), entry.subject_id
        if (line.budget_id, line.sequence, line.entry_kind, lost_entry_id(line.chain_hash)) != named:
            raise ChainError(entry.sequence, "reconciles another entry than the signed one")

    def _is_genuine(self, row: ReleaseRow) -> bool:
        try:
            return is_genuine(row, self.public_keys or None)
        except UnknownKeyError:
            return False

    def _lost_columns(self, row: ReleaseRow, entry: Entry) -> dict[str, Any]:
        """Return the expected columns of a release that a restore lost, from its receipt."""
        receipt = self._receipt(row, entry)
        return {
            "kind": "query" if entry.subject_id.startswith(f"{QUERY_PREFIX}_") else "posterior",
            "created_at": receipt.at,
            **costs.columns(NOTHING, "remaining"),
            **{name: getattr(receipt, name) for name in _RECEIPT_FIELDS},
        }

    @staticmethod
    def _require(entry: Entry, expected: Mapping[str, Any], row: ReleaseRow) -> None:
        if (name := difference(expected, row)) is not None:
            raise ChainError(entry.sequence, f"gives release {row.id} another {name} than its row has")

    def _receipt(self, row: ReleaseRow, entry: Entry) -> Receipt:
        try:
            signed = json.loads(row.receipt)
            return read_signed(signed, Receipt, self.public_keys or None)
        except (ValueError, TypeError, AttributeError, SignatureError) as error:
            what = error if isinstance(error, SignatureError) else "it is not JSON"
            raise ChainError(entry.sequence, f"has a receipt in release {row.id} that is not valid: {what}") from None

    def checks(self) -> tuple[Callable[[Connection], str | None], ...]:
        """Return functions that compare the added entries with the rows of the budget, its data sets, grants,
        access requests and publications. Each returns the first difference, or None.
        """
        return (
            self._fault_of_budget,
            self._fault_of_datasets,
            self._fault_of_counts,
            self._fault_of_grants,
            self._fault_of_requests,
            self._fault_of_publications,
            self._fault_of_public_texts,
        )

    def _fault_of_budget(self, _: Connection) -> str | None:
        name = difference(self.decided.budget, self.budget)
        return None if name is None else f"The row of the budget names another {name} than its entries."

    @property
    def unbound(self) -> int:
        """Return the number of data sets whose labels, attributes and unit no entry binds. Version 0.1.0 registered
        them.
        """
        return sum("description_sha256" not in each for each in self.decided.datasets.values())

    def _fault_of_datasets(self, connection: Connection) -> str | None:
        mine, named = datasets.c.budget_id == self.budget.id, datasets.c.registered_by
        query = select(*columns_of(DatasetRow, datasets, budgets)).join(budgets, budgets.c.id == datasets.c.budget_id)
        rows = fetch_all(connection, DatasetRow, query.where(mine))
        registrants = {
            row.id: row.registered_by for row in connection.execute(select(datasets.c.id, named).where(mine))
        }
        described = {row.id: _DescribedDataset(row, registrants[row.id]) for row in rows}
        return _first_fault("data set", self.decided.datasets, described, "registered on it")

    def _fault_of_counts(self, connection: Connection) -> str | None:
        query = select(has_counts).join(datasets, datasets.c.id == has_counts)
        stored = set(connection.execute(query.where(datasets.c.budget_id == self.budget.id)).scalars())
        live = {row_id for row_id, columns in self.decided.datasets.items() if not columns["deleted_at"]}
        if live - stored:
            return f"The counts of data set {min(live - stored)} are missing."
        return (
            f"The counts of data set {min(stored - live)} should be deleted, and are there." if stored - live else None
        )

    def _fault_of_grants(self, connection: Connection) -> str | None:
        query = select(grants).join(datasets).where(datasets.c.budget_id == self.budget.id)
        rows = fetch_all(connection, GrantRow, query)
        for grant in rows:
            if (cap := self.decided.caps.get(grant.id)) != grant.cap:
                said = "nothing" if cap is None else costs.in_words(cap)
                return f"Grant {grant.id} allows {costs.in_words(grant.cap)}; by its entries it is {said}."
        return _first_fault("grant", self.decided.grants, {row.id: row for row in rows}, "opened on it")

    def _fault_of_requests(self, connection: Connection) -> str | None:
        query = select(access_requests).join(datasets).where(datasets.c.budget_id == self.budget.id)
        decided = query.where(access_requests.c.state.not_in(("open", "withdrawn")))
        rows = {row.id: row for row in fetch_all(connection, AccessRequestRow, decided)}
        return _first_fault("access request", self.decided.requests, rows, "decided on it")

    def _fault_of_publications(self, connection: Connection) -> str | None:
        query = select(releases.c.id).where(
            releases.c.budget_id == self.budget.id, releases.c.public_since.is_not(None)
        )
        wrong = self.decided.public.symmetric_difference(connection.execute(query).scalars())
        return f"Release {min(wrong)} and its entries disagree on whether it is public." if wrong else None

    def _fault_of_public_texts(self, connection: Connection) -> str | None:
        query = select(public_texts.c.release_id, public_texts.c.text).join(releases)
        missing = set(self.decided.public)
        for row in connection.execute(query.where(releases.c.budget_id == self.budget.id)):
            missing.discard(row.release_id)
            if not self._is_signed(row.release_id, row.text):
                return f"The public text of release {row.release_id} is not what was signed."
        return f"The public text of release {min(missing)} is missing." if missing else None

    def _is_signed(self, release_id: str, text: str) -> bool:
        try:
            return is_public_text(release_id, text, self.public_keys or None)
        except UnknownKeyError:
            return False


class _DescribedDataset:
    """A data set's row with its registrant, and the hash that binds its labels, attributes and unit."""

    def __init__(self, row: DatasetRow, registered_by: str | None) -> None:
        self._row, self.registered_by = row, registered_by

    def __getattr__(self, name: str) -> Any:
        if name != "description_sha256":
            return getattr(self._row, name)
        try:
            return hash_description(self._row.labels, self._row.attributes, self._row.unit)
        except (ValueError, TypeError):
            return "it is not JSON"


def _first_fault(
    kind: str, expected: Mapping[str, Mapping[str, Any]], rows: Mapping[str, Any], made: str
) -> str | None:
    """Return the first difference between the expected columns and the rows, both by id, or None."""
    for row_id, columns in expected.items():
        if row_id not in rows:
            return f"{kind.capitalize()} {row_id} is of this budget; its row is missing or names another budget."
        if (name := difference(columns, rows[row_id])) is not None:
            return f"The row of {kind} {row_id} names another {name} than its entry."
    extra = rows.keys() - expected.keys()
    return f"{kind.capitalize()} {min(extra)} names this budget and was never {made}." if extra else None
