"""Store encrypted counts. Only a draw process decrypts them for a release, after its charge. This module decrypts them
to rotate keys, and to check before a charge that they decrypt. It does not read their values.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import (
    Connection,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    update,
)

from service.database.rows import EncryptedRow, fetch_all, fetch_first
from service.database.tables import OF_COUNTS, budgets, datasets, encrypted_counts, entries, key_checks
from service.datasets.cipher import DecryptionError, EncryptedCounts, KeyRing
from service.errors import DecryptionKeyUnavailable, Problem, StoredDataAltered
from service.identifiers.identifiers import failure
from service.ledger.counts_binding import CountsBinding

_logger = logging.getLogger("posterior.counts")
KIND: Final = "counts"
"""Kind of the check values of counts keys."""
_TRIED_ROWS = 10
_BUDGET = (
    select(datasets.c.budget_id)
    .where(datasets.c.id == encrypted_counts.c.dataset_id)
    .correlate(encrypted_counts)
    .scalar_subquery()
)
_earlier = entries.alias("earlier")
_LATEST_SEQUENCE = (
    select(func.max(_earlier.c.sequence))
    .where(_earlier.c.subject_id == entries.c.subject_id, _earlier.c.budget_id == entries.c.budget_id, text(OF_COUNTS))
    .scalar_subquery()
)
_LATEST_ENTRY = (
    select(entries.c.detail)
    .where(
        entries.c.subject_id == encrypted_counts.c.dataset_id,
        entries.c.budget_id == _BUDGET,
        entries.c.sequence == _LATEST_SEQUENCE,
        text(OF_COUNTS),
    )
    .correlate(encrypted_counts)
    .scalar_subquery()
)
_NEXT_KEY = select(func.min(encrypted_counts.c.key_id)).where(encrypted_counts.c.key_id > bindparam("after"))
_STORED_COUNTS = select(encrypted_counts, _LATEST_ENTRY.label("counts_entry"))


@dataclass(frozen=True, slots=True)
class Rotated:
    """Result of one step of a rotation: the id of the last data set or None, the number of rows encrypted again, and
    the ids of those that do not decrypt.
    """

    last: str | None
    count: int
    unreadable: tuple[str, ...]


def store(connection: Connection, counts: Sequence[int], binding: CountsBinding, ring: KeyRing) -> None:
    """Encrypt and store the counts of a data set that has none."""
    stored = ring.encrypt(counts, binding)
    connection.execute(
        insert(encrypted_counts).values(
            dataset_id=binding.dataset_id, key_id=stored.key_id, ciphertext=stored.ciphertext
        )
    )


def destroy(connection: Connection, dataset_id: str) -> None:
    connection.execute(delete(encrypted_counts).where(encrypted_counts.c.dataset_id == dataset_id))


def read_encrypted(connection: Connection, dataset_id: str) -> EncryptedRow | None:
    """Return the encrypted counts of a data set, or None if they were destroyed."""
    return fetch_first(connection, EncryptedRow, _STORED_COUNTS.where(encrypted_counts.c.dataset_id == dataset_id))


@dataclass(frozen=True, slots=True)
class CountsOfRing:
    """Implements `service.ledger.debit.StoredCounts`. `ring_for` returns the key ring for a key id."""

    ring_for: Callable[[str], KeyRing]

    def read(self, connection: Connection, dataset_ids: list[str]) -> dict[str, EncryptedRow]:
        """Return the encrypted counts of these data sets by id, without those whose counts were destroyed."""
        rows = fetch_all(connection, EncryptedRow, _STORED_COUNTS.where(encrypted_counts.c.dataset_id.in_(dataset_ids)))
        return {row.dataset_id: row for row in rows}

    def refusal(self, connection: Connection, row: EncryptedRow | None, binding: CountsBinding) -> Problem | None:
        """Return None if a draw process with the keys of this process could decrypt the row, otherwise the fault.

        It can if this process has the key, the row decrypts under `binding`, the ledger has the same commitment, and
        there is one count for each category. A key is missing only if a service was started with it once: somebody
        wrote any other id into the row.
        """
        if row is not None and row.key_id not in (ring := self.ring_for(row.key_id)).keys:
            if row.key_id in known_keys(connection):
                return DecryptionKeyUnavailable()
            _logger.error("stored counts name a key that no service had", extra={"dataset_id": binding.dataset_id})
            return StoredDataAltered()
        if row is None or _commitment(row) != binding.commitment:
            _logger.error("stored counts are not those of the ledger", extra={"dataset_id": binding.dataset_id})
            return StoredDataAltered()
        return None if _size(row, binding, ring) == binding.category_count else StoredDataAltered()


def known_keys(connection: Connection) -> set[str]:
    """Return the ids of the counts keys with which a service was started on this database."""
    return set(connection.execute(select(key_checks.c.key_id).where(key_checks.c.kind == KIND)).scalars())


def keys_in_use(connection: Connection) -> set[str]:
    """Return the ids of the keys with which counts are encrypted, with one index look-up for each."""
    found, after = set[str](), ""
    while (key_id := connection.execute(_NEXT_KEY, {"after": after}).scalar()) is not None:
        found.add(key_id)
        after = key_id
    return found


def find_encrypted_with(connection: Connection, key_id: str) -> str | None:
    """Return the id of the first data set whose counts are encrypted with this key, or None."""
    query = select(func.min(encrypted_counts.c.dataset_id)).where(encrypted_counts.c.key_id == key_id)
    return connection.execute(query).scalar()


def fits_one(connection: Connection, ring: KeyRing, key_id: str) -> bool:
    """Return whether the ring's key with this id decrypts at least one row that is encrypted under the id.

    Several rows are tried, since a single row may have been altered.
    """
    rows = fetch_all(
        connection, EncryptedRow, _STORED_COUNTS.where(encrypted_counts.c.key_id == key_id).limit(_TRIED_ROWS)
    )
    return any(_size(row, _binding(connection, row), ring) is not None for row in rows)


def _size(row: EncryptedRow, binding: CountsBinding, ring: KeyRing) -> int | None:
    """Return the number of counts in a row. If it does not decrypt, log that and return None."""
    try:
        return ring.check(EncryptedCounts(row.key_id, row.ciphertext), binding)
    except DecryptionError as error:
        _logger.error("stored counts do not decrypt", extra={"dataset_id": row.dataset_id} | failure(error))
        return None


def _commitment(row: EncryptedRow) -> str:
    """Return the commitment in the ledger, which is append-only, unlike the data set's row."""
    return "" if row.counts_entry is None else str(json.loads(row.counts_entry)["commitment"])


def _binding(connection: Connection, row: EncryptedRow) -> CountsBinding:
    """Return the binding of a row's counts, from the data set's row and the ledger's commitment."""
    query = select(datasets, budgets.c.accountant).join(budgets, budgets.c.id == datasets.c.budget_id)
    dataset = connection.execute(query.where(datasets.c.id == row.dataset_id)).one()
    return CountsBinding(
        dataset_id=row.dataset_id,
        commitment=_commitment(row),
        budget_id=dataset.budget_id,
        owner_id=dataset.registered_by or dataset.owner_id,
        accountant=dataset.accountant,
        relation=dataset.relation,
        category_count=dataset.category_count,
        record_count=dataset.record_count,
        records_per_unit=dataset.records_per_unit,
    )


def count_unrotated(connection: Connection, ring: KeyRing) -> int:
    """Return the number of data sets whose counts are not encrypted with the current key."""
    query = select(func.count()).select_from(encrypted_counts).where(encrypted_counts.c.key_id != ring.current)
    return int(connection.execute(query).scalar_one())


def rotate_counts(connection: Connection, ring: KeyRing, *, after: str, limit: int) -> Rotated:
    """Encrypt the counts of the next `limit` data sets after the id `after` with the current key, each row under its
    lock. A service may run meanwhile.
    """
    query = (
        _STORED_COUNTS.where(encrypted_counts.c.key_id != ring.current, encrypted_counts.c.dataset_id > after)
        .order_by(encrypted_counts.c.dataset_id)
        .limit(limit)
        .with_for_update(of=encrypted_counts)
    )
    rows = fetch_all(connection, EncryptedRow, query)
    unreadable = []
    for row in rows:
        try:
            rotated = ring.rotate(EncryptedCounts(row.key_id, row.ciphertext), _binding(connection, row))
        except DecryptionError:
            unreadable.append(row.dataset_id)
            continue
        connection.execute(
            update(encrypted_counts)
            .where(encrypted_counts.c.dataset_id == row.dataset_id)
            .values(key_id=rotated.key_id, ciphertext=rotated.ciphertext)
        )
    return Rotated(
        last=rows[-1].dataset_id if rows else None, count=len(rows) - len(unreadable), unreadable=tuple(unreadable)
    )
