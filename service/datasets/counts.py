"""Keeps encrypted counts. Only a draw process decrypts them for a release, after its charge. Here they are decrypted to
be encrypted with another key, and to check before a charge that they will decrypt; their values are not looked at.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

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

from service import log
from service.database.rows import EncryptedRow, fetch_all, fetch_first
from service.database.tables import OF_COUNTS, budgets, datasets, encrypted_counts, entries
from service.datasets.cipher import DecryptionError, EncryptedCounts, KeyRing
from service.ledger.counts_binding import CountsBinding

_logger = logging.getLogger("posterior.counts")
_TRIED = 10
_BUDGET = (
    select(datasets.c.budget_id)
    .where(datasets.c.id == encrypted_counts.c.dataset_id)
    .correlate(encrypted_counts)
    .scalar_subquery()
)
_earlier = entries.alias("earlier")
_LATEST = (
    select(func.max(_earlier.c.sequence))
    .where(_earlier.c.subject_id == entries.c.subject_id, _earlier.c.budget_id == entries.c.budget_id, text(OF_COUNTS))
    .scalar_subquery()
)
_LATEST_ENTRY = (
    select(entries.c.detail)
    .where(
        entries.c.subject_id == encrypted_counts.c.dataset_id,
        entries.c.budget_id == _BUDGET,
        entries.c.sequence == _LATEST,
        text(OF_COUNTS),
    )
    .correlate(encrypted_counts)
    .scalar_subquery()
)
_NEXT_KEY = select(func.min(encrypted_counts.c.key_id)).where(encrypted_counts.c.key_id > bindparam("after"))
_STORED = select(encrypted_counts, _LATEST_ENTRY.label("counts_entry"))


@dataclass(frozen=True, slots=True)
class Rotated:
    """A step of a rotation: the last data set looked at (None if there was none), how many were encrypted again, and
    which do not decrypt.
    """

    last: str | None
    count: int
    unreadable: tuple[str, ...]


def store(connection: Connection, counts: Sequence[int], binding: CountsBinding, ring: KeyRing) -> None:
    """Stores the counts of a data set that has none."""
    stored = ring.encrypt(counts, binding)
    connection.execute(
        insert(encrypted_counts).values(
            dataset_id=binding.dataset_id, key_id=stored.key_id, ciphertext=stored.ciphertext
        )
    )


def destroy(connection: Connection, dataset_id: str) -> None:
    connection.execute(delete(encrypted_counts).where(encrypted_counts.c.dataset_id == dataset_id))


def read_encrypted(connection: Connection, dataset_id: str) -> EncryptedRow | None:
    """What is stored of the counts of a data set; None if they were destroyed."""
    return fetch_first(connection, EncryptedRow, _STORED.where(encrypted_counts.c.dataset_id == dataset_id))


@dataclass(frozen=True, slots=True)
class CountsOfRing:
    """What is stored of counts, for the debit, and whether the keys of this process decrypt it. `ring_for` returns the
    ring for a key id.
    """

    ring_for: Callable[[str], KeyRing]

    def read(self, connection: Connection, dataset_ids: list[str]) -> dict[str, EncryptedRow]:
        """What is stored for these data sets, by id; those whose counts were destroyed are left out."""
        rows = fetch_all(connection, EncryptedRow, _STORED.where(encrypted_counts.c.dataset_id.in_(dataset_ids)))
        return {row.dataset_id: row for row in rows}

    def will_decrypt(self, row: EncryptedRow, binding: CountsBinding) -> bool:
        """Whether this process has the key, the row was encrypted with it for what `binding` states, the ledger names
        the same commitment, and there is one count for each category.
        """
        if _commitment(row) != binding.commitment:
            _logger.error("stored counts are not those of the ledger", extra={"dataset_id": row.dataset_id})
            return False
        return _size(row, binding, self.ring_for(row.key_id)) == binding.category_count


def keys_in_use(connection: Connection) -> set[str]:
    """The ids of the keys that counts are encrypted with. Looks the index up once for each of them."""
    found, after = set[str](), ""
    while (key_id := connection.execute(_NEXT_KEY, {"after": after}).scalar()) is not None:
        found.add(key_id)
        after = key_id
    return found


def find_encrypted_with(connection: Connection, key_id: str) -> str | None:
    """The first data set whose counts are encrypted with this key; None if there is none."""
    query = select(func.min(encrypted_counts.c.dataset_id)).where(encrypted_counts.c.key_id == key_id)
    return connection.execute(query).scalar()


def fits_one(connection: Connection, ring: KeyRing, key_id: str) -> bool:
    """Whether the ring's key of this id, which is in use, fits some counts that are encrypted under it: a row that was
    altered says nothing of the key.
    """
    rows = fetch_all(connection, EncryptedRow, _STORED.where(encrypted_counts.c.key_id == key_id).limit(_TRIED))
    return any(_size(row, _binding(connection, row), ring) is not None for row in rows)


def _size(row: EncryptedRow, binding: CountsBinding, ring: KeyRing) -> int | None:
    """The number of counts in a row; None if it does not decrypt, which is logged."""
    try:
        return ring.check(EncryptedCounts(row.key_id, row.ciphertext), binding)
    except DecryptionError as error:
        _logger.error("stored counts do not decrypt", extra={"dataset_id": row.dataset_id} | log.failure(error))
        return None


def _commitment(row: EncryptedRow) -> str:
    """That of the ledger, which is append-only, and not that of the data set's row, which is not."""
    return "" if row.counts_entry is None else str(json.loads(row.counts_entry)["commitment"])


def _binding(connection: Connection, row: EncryptedRow) -> CountsBinding:
    """What the counts of a row are bound to, by the data set's row and the ledger's commitment."""
    query = select(datasets, budgets.c.accountant).join(budgets, budgets.c.id == datasets.c.budget_id)
    dataset = connection.execute(query.where(datasets.c.id == row.dataset_id)).one()
    return CountsBinding(
        dataset_id=row.dataset_id,
        commitment=_commitment(row),
        budget_id=dataset.budget_id,
        owner_id=dataset.owner_id,
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
    """Encrypts the counts of the next data sets behind id `after` with the ring's current key, each row under its lock.
    Safe beside a running service.
    """
    query = (
        _STORED.where(encrypted_counts.c.key_id != ring.current, encrypted_counts.c.dataset_id > after)
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
