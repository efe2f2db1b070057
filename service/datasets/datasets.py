"""Register, change and delete data sets.

Counts are passed to `service.datasets.counts` and never returned.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    Connection,
    insert,
    select,
    update,
)

from core.limits import MAX_RECORDS
from service.database.rows import DatasetRow
from service.database.tables import datasets
from service.datasets import budgets as budget_use_case
from service.datasets import counts as stored_counts
from service.datasets.cipher import COUNT_BYTES, KeyRing, commit, new_commitment_nonce
from service.datasets.public_facts import owned, registrant_of
from service.errors import Conflict, InvalidRequest, error_location
from service.identifiers.identifiers import new_id, now
from service.ledger import budget_changes as ledger
from service.ledger.budget_changes import Act
from service.ledger.chain import EntryKind
from service.ledger.counts_binding import CountsBinding, hash_description
from service.ledger.database_state import is_restore_pending
from service.principals.auth import COMMAND_LINE, Caller
from service.principals.creations import forget_secrets
from service.principals.quotas import Quotas, check_budgets, check_datasets
from service.schemas.cell_names import CellNames, cross_table
from service.schemas.datasets import (
    DatasetChange,
    DatasetCreate,
    ExistingBudget,
    NamedCount,
)
from service.schemas.principals import Role

_FIXED_BYTES: Final = 8_000
"""Fixed overhead of a data set in bytes: its row, ledger entry and response."""


@dataclass(frozen=True, slots=True)
class Registered:
    """A new data set's id, and the nonce, which only its owner gets."""

    dataset_id: str
    nonce: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """The cells of a new data set, and its counts in their order."""

    names: CellNames
    counts: Sequence[int]


def histogram(body: DatasetCreate) -> Histogram:
    """Return the histogram of a request. Raises InvalidRequest, which names the field and the rule."""
    if (body.labels is None) is (body.attributes is None):
        raise InvalidRequest.at("", "must have either labels or attributes")
    names = _new_names(body)
    assert names is not None, "labels or attributes were given"
    counts = _counts_in_order(names, body.counts, body.named_counts)
    is_public = body.relation == "replace_one"
    if body.n_is_public is not is_public:
        raise InvalidRequest.at("n_is_public", f"must be {str(is_public).lower()} under {body.relation}")
    check_sizes(counts, is_public=is_public, field="counts" if body.named_counts is None else "named_counts")
    if (body.one_record_per_unit is None) is (body.records_per_unit is None):
        raise InvalidRequest.at("", "must have either one_record_per_unit or records_per_unit")
    if is_public and body.records_per_unit is not None and body.records_per_unit > sum(counts):
        raise InvalidRequest.at("records_per_unit", "must be at most the number of records")
    return Histogram(names, counts)


def check_sizes(counts: Sequence[int], *, is_public: bool, field: str) -> None:
    """Raise InvalidRequest if the counts are of a size that is not admitted. If their number is private, a table may be
    empty, and each count has an upper bound of its own, so that neighbouring tables are admitted alike.
    """
    if is_public and not any(counts):
        raise InvalidRequest.at(field, "the counts must hold at least one record")
    if not is_public and max(counts) > MAX_RECORDS // len(counts):
        raise InvalidRequest.at(field, "every count must be at most 2^53 divided by the number of categories")


def _counts_in_order(
    names: CellNames, counts: Sequence[int] | None, named: Sequence[NamedCount] | None
) -> Sequence[int]:
    """Return the counts in the order of the cells. Raises InvalidRequest."""
    if (counts is None) is (named is None):
        raise InvalidRequest.at("", "must have either counts or named_counts")
    if counts is not None:
        if len(counts) != names.m:
            raise InvalidRequest.at(
                "counts", f"must have as many counts as there are {'labels' if names.attributes is None else 'cells'}"
            )
        return counts
    assert named is not None, "one of them was given"
    found: dict[int, int] = {}
    numbers = names.numbers()
    for index, each in enumerate(named):
        with error_location(f"named_counts[{index}].cell"):
            cell = names.one(each.cell, numbers)
            if cell in found:
                raise InvalidRequest.at("", "must differ from the cells before")
        found[cell] = each.count
    if len(found) != names.m:
        raise InvalidRequest.at("named_counts", "must name every possible cell, empty ones too")
    return [found[cell] for cell in range(names.m)]


def register(
    connection: Connection,
    caller: Caller,
    body: DatasetCreate,
    described: Histogram,
    ring: KeyRing,
    quotas: Quotas | None = None,
) -> Registered:
    """Encrypt and store a histogram, on a new budget or on an existing one of the owner. `described` is the result of
    `histogram`. Raises NotFound, NameTaken, InvalidRequest, ObjectQuotaExceeded, StorageQuotaExceeded.
    """
    caller.require(Role.OWNER)
    labels, counts, attributes = described.names.labels, described.counts, described.names.to_json()
    if isinstance(body.budget, ExistingBudget):
        budget = budget_use_case.owned_budget(connection, caller, body.budget.id)
        budget_id, accountant = budget.id, budget.accountant
        # Lock before the insert, whose foreign key takes a weaker lock. Upgrading that lock later could deadlock with
        # concurrent registrations.
        ledger.lock_budget(connection, budget_id)
        _check_relation(connection, budget_id, body.relation)
    else:
        with error_location("budget.budget"):
            terms = budget_use_case.terms(body.budget.budget)
        if quotas is not None:
            check_budgets(connection, caller.principal_id, quotas.budgets)
        budget_id = ledger.open_budget(connection, owner=caller, name=body.budget.budget.name, terms=terms)
        accountant = terms.accountant.value
    if quotas is not None:
        check_datasets(connection, caller.principal_id, quotas.datasets)
    named = json.dumps(labels, ensure_ascii=False)
    described_by = None if attributes is None else json.dumps(attributes, ensure_ascii=False)
    size = _FIXED_BYTES + COUNT_BYTES * len(labels) + sum(len((text or "").encode()) for text in (named, described_by))
    budget_use_case.reserve_storage(connection, budget_id, size, math.inf if quotas is None else quotas.budget_bytes)
    dataset_id = new_id("dat")
    nonce = new_commitment_nonce()
    commitment = commit(nonce, labels, counts)
    connection.execute(
        insert(datasets).values(
            id=dataset_id,
            owner_id=caller.principal_id,
            budget_id=budget_id,
            name=body.name,
            labels=named,
            attributes=described_by,
            category_count=len(labels),
            record_count=_public_size(body.relation, counts),
            unit=body.unit,
            one_record_per_unit=int(body.records_per_unit in {None, 1}),
            records_per_unit=body.records_per_unit or 1,
            n_is_public=int(body.n_is_public),
            relation=body.relation,
            commitment=commitment,
            charged=0,
            created_at=now(),
            created_nanoseconds=time.time_ns(),
            history_shared=0,
            listed=0,
        )
    )
    binding = CountsBinding(
        dataset_id=dataset_id,
        commitment=commitment,
        budget_id=budget_id,
        owner_id=caller.principal_id,
        accountant=accountant,
        relation=body.relation,
        category_count=len(labels),
        record_count=_public_size(body.relation, counts),
        records_per_unit=body.records_per_unit or 1,
    )
    stored_counts.store(connection, counts, binding, ring)
    act = Act(
        EntryKind.DATASET_REGISTERED,
        caller,
        dataset_id,
        detail=_registered_detail(binding, named, described_by, body.unit) | {"name": body.name},
    )
    ledger.record(connection, budget_id, act)
    return Registered(dataset_id, nonce.hex())


def _check_relation(connection: Connection, budget_id: str, relation: str) -> None:
    """Raise InvalidRequest if the data sets of a locked budget, deleted ones too, have another neighbour relation."""
    first = connection.execute(select(datasets.c.relation).where(datasets.c.budget_id == budget_id).limit(1)).scalar()
    if first not in (None, relation):
        size = "public" if first == "replace_one" else "private"
        rule = f"its tables have a {size} number of records ({first}): choose or make another budget"
        raise InvalidRequest.at("budget.id", rule)


def _registered_detail(binding: CountsBinding, labels: str, attributes: str | None, unit: str) -> dict[str, Any]:
    """Return the detail of the ledger entry that registers counts."""
    return {
        "description_sha256": hash_description(labels, attributes, unit),
        "commitment": binding.commitment,
        "relation": binding.relation,
        "category_count": binding.category_count,
        "record_count": binding.record_count,
        "records_per_unit": binding.records_per_unit,
    }


def _public_size(relation: str, counts: Sequence[int]) -> int | None:
    """Return the number of records, or None if it is private: then nothing but the encrypted counts holds it."""
    return sum(counts) if relation == "replace_one" else None


def replace_table(
    connection: Connection, row: DatasetRow, caller: Caller, table: Histogram, ring: KeyRing, most_bytes: float
) -> str:
    """Replace the registered counts, and the names of the cells if they differ. Return the new nonce.

    Raises Conflict after the first charge, and StorageQuotaExceeded.
    """
    counts, labels = table.counts, list(table.names.labels)
    named, attributes = json.dumps(labels, ensure_ascii=False), table.names.to_json()
    described_by = None if attributes is None else json.dumps(attributes, ensure_ascii=False)
    if (labels, attributes) == (json.loads(row.labels), json.loads(row.attributes or "null")):
        named, described_by = row.labels, row.attributes
    ledger.lock_budget(connection, row.budget_id)
    if is_restore_pending(connection):
        raise Conflict("Counts can't be replaced while a restore is pending: the database may lack releases from them.")
    if connection.execute(select(datasets.c.charged).where(datasets.c.id == row.id).with_for_update()).scalar_one():
        raise Conflict(
            "Counts can be replaced only while nothing was released from them; register a new data set on the "
            "same budget."
        )
    check_sizes(counts, is_public=bool(row.n_is_public), field="counts")
    if row.n_is_public and row.records_per_unit > sum(counts):
        raise InvalidRequest.at("counts", "must sum to at least the records of one unit")
    sizes = [
        COUNT_BYTES * cells + sum(len((text or "").encode()) for text in texts)
        for cells, texts in ((len(labels), (named, described_by)), (row.category_count, (row.labels, row.attributes)))
    ]
    if sizes[0] > sizes[1]:
        budget_use_case.reserve_storage(connection, row.budget_id, sizes[0] - sizes[1], most_bytes)
    nonce = new_commitment_nonce()
    commitment = commit(nonce, labels, counts)
    connection.execute(
        update(datasets)
        .where(datasets.c.id == row.id)
        .values(
            commitment=commitment,
            record_count=_public_size(row.relation, counts),
            category_count=len(labels),
            labels=named,
            attributes=described_by,
        )
    )
    stored_counts.destroy(connection, row.id)
    binding = CountsBinding(
        dataset_id=row.id,
        commitment=commitment,
        budget_id=row.budget_id,
        owner_id=registrant_of(connection, row),
        accountant=row.accountant,
        relation=row.relation,
        category_count=len(labels),
        record_count=_public_size(row.relation, counts),
        records_per_unit=row.records_per_unit,
    )
    stored_counts.store(connection, counts, binding, ring)
    forget_secrets(connection, subject_id=row.id)
    act = Act(
        EntryKind.DATASET_REPLACED,
        caller,
        row.id,
        detail=_registered_detail(binding, named, described_by, row.unit),
    )
    ledger.record(connection, row.budget_id, act)
    return nonce.hex()


def change(
    connection: Connection,
    caller: Caller,
    dataset_id: str,
    body: DatasetChange,
    ring: KeyRing,
    most_bytes: float = math.inf,
) -> str | None:
    """Rename a data set, list it, share its history or replace its table. Return the nonce of new counts, or None.
    Raises NotFound, NameTaken, Conflict, InvalidRequest, StorageQuotaExceeded.
    """
    row = owned(connection, caller, dataset_id)
    if body.name is not None and body.name != row.name:
        act = Act(EntryKind.DATASET_RENAMED, caller, dataset_id, detail={"name": body.name})
        ledger.record(connection, row.budget_id, act)
        connection.execute(update(datasets).where(datasets.c.id == dataset_id).values(name=body.name))
    if body.history_shared is not None and body.history_shared != bool(row.history_shared):
        kind = EntryKind.HISTORY_SHARED if body.history_shared else EntryKind.HISTORY_UNSHARED
        ledger.record(connection, row.budget_id, Act(kind, caller, dataset_id))
        shared = update(datasets).where(datasets.c.id == dataset_id).values(history_shared=int(body.history_shared))
        connection.execute(shared)
    if body.listed is not None and body.listed != bool(row.listed):
        kind = EntryKind.DATASET_LISTED if body.listed else EntryKind.DATASET_UNLISTED
        ledger.record(connection, row.budget_id, Act(kind, caller, dataset_id))
        connection.execute(update(datasets).where(datasets.c.id == dataset_id).values(listed=int(body.listed)))
    new_names = _new_names(body)
    if body.counts is None and body.named_counts is None:
        if new_names is not None:
            raise InvalidRequest.at("counts", "must be sent with new labels or attributes")
        return None
    names = new_names or CellNames.of_texts(row.labels, row.attributes)
    table = Histogram(names, _counts_in_order(names, body.counts, body.named_counts))
    return replace_table(connection, row, caller, table, ring, most_bytes)


def _new_names(body: DatasetCreate | DatasetChange) -> CellNames | None:
    """Return the names of the cells in a request, or None if it has none. Raises InvalidRequest."""
    if body.labels is not None and body.attributes is not None:
        raise InvalidRequest.at("", "must have either labels or attributes")
    if body.attributes is not None:
        return cross_table(body.attributes, body.impossible)
    if body.impossible:
        raise InvalidRequest.at("impossible", "needs attributes: leave impossible labels out")
    return None if body.labels is None else CellNames(body.labels)


def destroy(connection: Connection, caller: Caller, dataset_id: str) -> None:
    """Destroy the counts. The ledger, the releases and their charges remain. Raises NotFound."""
    row = owned(connection, caller, dataset_id)
    ledger.record(connection, row.budget_id, Act(EntryKind.DATASET_DELETED, caller, dataset_id))
    _delete(connection, dataset_id)


def _delete(connection: Connection, dataset_id: str) -> None:
    connection.execute(update(datasets).where(datasets.c.id == dataset_id).values(deleted_at=now()))
    stored_counts.destroy(connection, dataset_id)
    forget_secrets(connection, subject_id=dataset_id)


def abandon_next(connection: Connection, key_id: str) -> str | None:
    """Delete the next data set whose counts are encrypted with this key, as its owner would. Return its id, or None if
    there is none. Use it after a key is permanently lost.
    """
    dataset_id = stored_counts.find_encrypted_with(connection, key_id)
    if dataset_id is None:
        return None
    row = connection.execute(select(datasets.c.budget_id).where(datasets.c.id == dataset_id)).one()
    ledger.record(connection, row.budget_id, Act(EntryKind.DATASET_DELETED, COMMAND_LINE, dataset_id))
    _delete(connection, dataset_id)
    return dataset_id
