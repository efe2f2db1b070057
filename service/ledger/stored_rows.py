"""Compare the rows of a budget with its ledger entries: releases with their specs and receipts, data sets, grants and
public texts. A fault names the row and the difference.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, select

from core.accounting.accountants import Cost
from service import costs
from service.canonical_json import canonical_json
from service.database.rows import BudgetRow, GrantRow, ReleaseRow, fetch_all
from service.database.tables import datasets, grants, public_texts, releases
from service.ledger.chain import ChainError, Entry, EntryKind
from service.ledger.outcomes import is_genuine, is_public_text
from service.ledger.receipts import Receipt, SignatureError, UnknownKeyError, parse, verify

_REGISTERED: Final = (EntryKind.DATASET_REGISTERED, EntryKind.DATASET_REPLACED)
_CHARGES: Final = (EntryKind.RELEASE_CHARGED, EntryKind.QUERY_CHARGED)
_FACTS: Final = {
    "owner_id": "owner",
    "commitment": "commitment",
    "relation": "neighbour relation",
    "category_count": "size",
    "record_count": "size",
    "records_per_unit": "size",
}
"""Columns of a data set that the ledger binds, and the name of each in messages."""


@dataclass(slots=True)
class StoredRows:
    """The expected rows of one budget, from the entries added so far. `public_keys` are the service's keys by id; if
    empty, signatures are not checked.
    """

    budget: BudgetRow
    public_keys: Mapping[str, str]
    _datasets: dict[str, dict[str, Any]] = field(default_factory=dict)
    _caps: dict[str, Cost] = field(default_factory=dict)

    def add(self, entry: Entry) -> None:
        """Add the next entry. Raises ChainError if a charge contradicts the registration of its data set."""
        detail = entry.read_detail()
        if entry.kind in _REGISTERED:
            known = self._datasets.get(entry.subject_id, {"owner_id": entry.principal_id})
            self._datasets[entry.subject_id] = known | {name: detail.get(name) for name in _FACTS if name in detail}
        elif entry.kind in (EntryKind.GRANT_OPENED, EntryKind.GRANT_CHANGED):
            self._caps[entry.subject_id] = entry.amount
        elif entry.kind in _CHARGES:
            registered = self._datasets.get(str(detail.get("dataset_id")))
            if registered is None:
                raise ChainError(entry.sequence, "charges a release from a data set that was never registered")
            for name in ("commitment", "owner_id"):
                if detail.get(name) != registered[name]:
                    raise ChainError(
                        entry.sequence, f"names another {_FACTS[name]} than the data set was registered with"
                    )

    def check_release(self, row: ReleaseRow, entry: Entry) -> None:
        """Raise ChainError unless the stored release, its spec and its receipt match the entry."""
        detail = entry.read_detail()
        if entry.kind is EntryKind.RECEIPT_RECONCILED:
            if row.receipt != canonical_json(detail.get("receipt")):
                raise ChainError(entry.sequence, f"charges another receipt than release {row.id} holds")
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
            raise ChainError(entry.sequence, f"paid for release {row.id}, whose drawn values or answer were altered")

    def _is_genuine(self, row: ReleaseRow) -> bool:
        try:
            return not self.public_keys or is_genuine(row, self.public_keys)
        except UnknownKeyError:
            return False

    def _receipt(self, row: ReleaseRow, entry: Entry) -> Receipt:
        try:
            signed = json.loads(row.receipt)
            return verify(signed, Receipt, self.public_keys) if self.public_keys else parse(signed, Receipt)
        except (ValueError, TypeError, AttributeError, SignatureError) as error:
            what = error if isinstance(error, SignatureError) else "it is not JSON"
            raise ChainError(entry.sequence, f"has a receipt in release {row.id} that is none: {what}") from None

    def fault(self, connection: Connection) -> str | None:
        """Return the first difference between the added entries and the rows of data sets, grants and public texts,
        or None.
        """
        return (
            self._fault_of_datasets(connection)
            or self._fault_of_grants(connection)
            or self._fault_of_public_texts(connection)
        )

    def _fault_of_datasets(self, connection: Connection) -> str | None:
        columns = (datasets.c.id, datasets.c.budget_id, *(datasets.c[name] for name in _FACTS))
        here = datasets.c.budget_id == self.budget.id
        rows = {row.id: row for row in connection.execute(select(*columns).where(here))}
        for dataset_id, registered in self._datasets.items():
            row = rows.pop(dataset_id, None)
            if row is None:
                return f"Data set {dataset_id} is of this budget; its row is missing or names another budget."
            for name, called in _FACTS.items():
                if getattr(row, name) != registered[name]:
                    return f"The row of data set {dataset_id} names another {called} ({name}) than its entry."
        return f"Data set {min(rows)} names this budget and was never registered on it." if rows else None

    def _fault_of_grants(self, connection: Connection) -> str | None:
        query = select(grants).join(datasets).where(datasets.c.budget_id == self.budget.id)
        for grant in fetch_all(connection, GrantRow, query):
            if (cap := self._caps.get(grant.id)) != grant.cap:
                said = "nothing" if cap is None else costs.in_words(cap)
                return f"Grant {grant.id} allows {costs.in_words(grant.cap)}; by its entries it is {said}."
        return None

    def _fault_of_public_texts(self, connection: Connection) -> str | None:
        query = select(public_texts.c.release_id, public_texts.c.text).join(releases)
        for row in connection.execute(query.where(releases.c.budget_id == self.budget.id)):
            if not self._is_signed(row.release_id, row.text):
                return f"The public text of release {row.release_id} is not what was signed."
        return None

    def _is_signed(self, release_id: str, text: str) -> bool:
        try:
            return not self.public_keys or is_public_text(release_id, text, self.public_keys)
        except UnknownKeyError:
            return False
