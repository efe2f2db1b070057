"""Keeps counts, sealed. This is the only code that reads them: straight into `Private`, after a charge was
committed. Before it, the seal is checked, and what it keeps is looked at by nobody.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    Connection,
    delete,
    func,
    insert,
    select,
    text,
    update,
)

from core.private import Private
from service import log
from service.database.rows import SealedRow, fetch_all
from service.database.tables import OF_COUNTS, datasets, entries, sealed_counts
from service.datasets.cipher import KeyRing, SealedCounts, SealedCountsError

_logger = logging.getLogger("posterior.counts")
_TRIED = 10
_earlier = entries.alias("earlier")
_LATEST = (
    select(func.max(_earlier.c.sequence))
    .where(_earlier.c.subject_id == entries.c.subject_id, text(OF_COUNTS))
    .scalar_subquery()
)
_LATEST_ENTRY = (
    select(entries.c.detail)
    .where(entries.c.subject_id == sealed_counts.c.dataset_id, entries.c.sequence == _LATEST, text(OF_COUNTS))
    .scalar_subquery()
)
_SIZE = select(datasets.c.category_count).where(datasets.c.id == sealed_counts.c.dataset_id).scalar_subquery()
_STORED = select(
    sealed_counts,
    _LATEST_ENTRY.label("counts_entry"),
    _SIZE.label("category_count"),
)


@dataclass(frozen=True, slots=True)
class Rotated:
    """A step of a rotation: the last data set looked at (None where there was none), how many were sealed anew, and
    which do not open.
    """

    last: str | None
    count: int
    unreadable: tuple[str, ...]


def seal(connection: Connection, dataset_id: str, counts: Sequence[int], commitment: str, ring: KeyRing) -> None:
    """Stores the counts of a data set that has none."""
    sealed = ring.seal(counts, dataset_id, commitment)
    connection.execute(
        insert(sealed_counts).values(dataset_id=dataset_id, key_id=sealed.key_id, ciphertext=sealed.sealed)
    )


def destroy(connection: Connection, dataset_id: str) -> None:
    connection.execute(delete(sealed_counts).where(sealed_counts.c.dataset_id == dataset_id))


def read_sealed(connection: Connection, dataset_ids: list[str]) -> dict[str, SealedRow]:
    """What is stored of the counts of these data sets, by id; data sets whose counts were destroyed are left out."""
    rows = fetch_all(connection, SealedRow, _STORED.where(sealed_counts.c.dataset_id.in_(dataset_ids)))
    return {row.dataset_id: row for row in rows}


def open_counts(row: SealedRow, ring: KeyRing) -> Private[NDArray[np.int64]]:
    """The counts, sealed against every look but a mechanism's. Call it only for a release that is paid.

    Raises SealedCountsError where they do not open, and NotOpenedHereError where that is no fault of what is stored;
    neither says anything of the counts.
    """
    return Private(np.array(ring.open(_stored(row), row.dataset_id), dtype=np.int64))


@dataclass(frozen=True, slots=True)
class CountsOfRing:
    """What is stored of counts, for the debit, and whether this ring opens it."""

    ring: KeyRing

    def read(self, connection: Connection, dataset_ids: list[str]) -> dict[str, SealedRow]:
        """As `read_sealed`."""
        return read_sealed(connection, dataset_ids)

    def will_open(self, row: SealedRow) -> bool:
        """Whether this process has the key, what is stored was sealed with it, and it is one count for each
        category.
        """
        return _size(row, self.ring) == row.category_count


def handed_over(counts: Sequence[int]) -> Private[NDArray[np.int64]]:
    """The counts that another process opened, in the one that draws for it (`service.releases.apart`)."""
    return Private(np.array(counts, dtype=np.int64))


def keys_in_use(connection: Connection) -> set[str]:
    """The ids of the keys that counts are sealed with."""
    return set(connection.execute(select(sealed_counts.c.key_id).distinct()).scalars())


def fits_one(connection: Connection, ring: KeyRing, key_id: str) -> bool:
    """Whether the ring's key of this id, which is in use, fits some counts that are sealed under it: a row that was
    altered says nothing of the key.
    """
    rows = fetch_all(connection, SealedRow, _STORED.where(sealed_counts.c.key_id == key_id).limit(_TRIED))
    return any(_size(row, ring) is not None for row in rows)


def _size(row: SealedRow, ring: KeyRing) -> int | None:
    """How many counts a row holds; None where it doesn't open, of which the log is told."""
    try:
        return ring.check(_stored(row), row.dataset_id)
    except SealedCountsError as error:
        _logger.error("stored counts do not open", extra={"dataset_id": row.dataset_id} | log.failure(error))
        return None


def _stored(row: SealedRow) -> SealedCounts:
    """With the commitment of the ledger, which is append-only, and not that of the data set's row, which is not."""
    commitment = "" if row.counts_entry is None else str(json.loads(row.counts_entry)["commitment"])
    return SealedCounts(row.key_id, row.ciphertext, commitment)


def count_unrotated(connection: Connection, ring: KeyRing) -> int:
    """Return the number of data sets whose counts are not sealed with the current key."""
    query = select(func.count()).select_from(sealed_counts).where(sealed_counts.c.key_id != ring.current)
    return int(connection.execute(query).scalar_one())


def rotate_counts(connection: Connection, ring: KeyRing, *, after: str, limit: int) -> Rotated:
    """Seals the counts of the next data sets behind id `after` with the ring's current key, each row under its lock.
    Safe beside a running service.
    """
    query = (
        _STORED.where(sealed_counts.c.key_id != ring.current, sealed_counts.c.dataset_id > after)
        .order_by(sealed_counts.c.dataset_id)
        .limit(limit)
        .with_for_update(of=sealed_counts)
    )
    rows = fetch_all(connection, SealedRow, query)
    unreadable = []
    for row in rows:
        try:
            sealed = ring.rotate(_stored(row), row.dataset_id)
        except SealedCountsError:
            unreadable.append(row.dataset_id)
            continue
        connection.execute(
            update(sealed_counts)
            .where(sealed_counts.c.dataset_id == row.dataset_id)
            .values(key_id=sealed.key_id, ciphertext=sealed.sealed)
        )
    return Rotated(
        last=rows[-1].dataset_id if rows else None, count=len(rows) - len(unreadable), unreadable=tuple(unreadable)
    )
