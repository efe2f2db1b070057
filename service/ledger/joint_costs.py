"""Price measured rows by the increase of the joint loss: the largest loss over pairs of cells, for the data set and for
the grant.

Each process caches the totals of a data set up to the last charge that it has read, and adds later charges from their
stored rows. A batch works on a copy. The cache changes only when committed charges are read back, so a failed
transaction leaves nothing behind. If the last charge is missing from the database, the totals are computed again.

A row over a thousand cells has half a million pairs, so rows are priced before the lock. That price holds under the
lock if nothing was measured on the data set since, which is one read. Otherwise rows are priced under the lock if the
work is small. If it is large, the request prices them again before the lock.

The totals group cells that no row distinguishes into columns. A row that would make too many columns is charged by
itself, to data set and grant.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from threading import Lock
from typing import TypeAlias

from sqlalchemy import Connection, select

from core.accounting.accountants import Accountant, Cost
from core.accounting.pairwise_loss import MAX_COLUMNS, JointLoss, Row, RowLoss, cost_of_units
from core.privacy import NeighbourRelation, Rate
from service.database.rows import EntryRow, QueryChargeRow, fetch_all, fetch_one
from service.database.tables import entries, query_charges, releases
from service.errors import StoredDataAltered
from service.identifiers.canonical_json import ChainError, Json, canonical_json
from service.ledger.chain import EntryKind, read_entry
from service.ledger.receipts import Receipt, UnknownKeyError, verify

_MAX_DATASETS = 1_000
_MAX_SIZE = 2**24
"""Limit of the cache, in numbers of eight bytes."""
_ROWS_AT_ONCE = 500
_EVIDENCE = select(entries, releases.c.receipt).join(
    releases, (releases.c.budget_id == entries.c.budget_id) & (releases.c.sequence == entries.c.sequence)
)
"""Select the entries of releases, each with the receipt."""
Verified: TypeAlias = Callable[[Callable[[Mapping[str, str]], bool]], bool]
"""Returns the outcome of a check of signatures by the service's public keys. Raises UnknownKeyError."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The rows to measure as stored text, and the loss of each."""

    text: str
    losses: tuple[RowLoss, ...]
    accountant: Accountant

    @property
    def m(self) -> int:
        """Return the number of cells."""
        return len(self.losses[0].values)

    @property
    def work(self) -> int:
        """Return an upper bound on the work of pricing, in pairs of columns. A pair takes about 0.2 microseconds."""
        return work_of(len(self.losses), self.m)

    @classmethod
    def of(cls, rows: Sequence[Row], accountant: Accountant) -> Measured:
        """Return the stored text and the losses of `rows`, at least one, which have a common denominator."""
        return cls(write_rows(rows), tuple(RowLoss.of(row, accountant) for row in rows), accountant)


@dataclass(frozen=True, slots=True)
class Price:
    """Price of measured rows: `cost` to the budget, `granted` to the grant, and `alone` without other rows. `separate`
    holds a flag for each row: whether it was charged by itself.
    """

    cost: Cost
    granted: Cost
    alone: Cost
    separate: tuple[bool, ...]


def work_of(rows: int, m: int) -> int:
    """Return an upper bound on the number of pairs of columns that pricing `rows` rows over m cells reads."""
    return int(rows * min(m, MAX_COLUMNS) ** 2)


def write_rows(rows: Sequence[Row]) -> str:
    """Return the stored and hashed form of rows, in canonical JSON. It never changes."""
    return canonical_json([_row_json(row) for row in rows])


def _row_json(row: Row) -> dict[str, Json]:
    written: dict[str, Json] = {
        "coefficients": list(row.coefficients),
        "denominator": row.denominator,
        "rate": str(row.rate),
    }
    if row.records != 1:
        written["records"] = row.records
    if row.relation is not NeighbourRelation.REPLACE_ONE:
        written["relation"] = row.relation.value
    return written


def hash_measured(text: str) -> str:
    """Return the SHA-256 of stored rows in lower-case hexadecimal. Ledger entries contain it."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_rows(text: str) -> list[Row]:
    """Parse rows that `write_rows` wrote. Raises LookupError, TypeError or ValueError for anything else."""
    return [
        Row(
            tuple(each["coefficients"]),
            each["denominator"],
            Rate.parse(each["rate"]),
            each.get("records", 1),
            NeighbourRelation(each.get("relation", NeighbourRelation.REPLACE_ONE)),
        )
        for each in json.loads(text)
    ]


@dataclass(slots=True)
class Totals:
    """Joint losses on one data set: of all rows, and of the rows of each grant."""

    accountant: Accountant
    m: int
    all: JointLoss
    by_grant: dict[str, JointLoss] = field(default_factory=dict)
    last: tuple[int, str] | None = None
    """Sequence and release id of the last charge included."""

    @classmethod
    def empty(cls, accountant: Accountant, m: int) -> Totals:
        return cls(accountant, m, JointLoss(m))

    @property
    def size(self) -> int:
        """Return the number of stored values, one for each pair of columns."""
        return sum(joint.columns**2 for joint in (self.all, *self.by_grant.values()))

    def copy(self) -> Totals:
        by_grant = {grant_id: joint.copy() for grant_id, joint in self.by_grant.items()}
        return Totals(self.accountant, self.m, self.all.copy(), by_grant, self.last)

    def add(
        self,
        losses: Sequence[RowLoss],
        grant_id: str | None,
        *,
        shared: bool = False,
    ) -> Price:
        """Add rows and return their price. `shared`: the grant pays the same as the budget."""
        alone, own = JointLoss(self.m), None if grant_id is None else self.by_grant.get(grant_id, JointLoss(self.m))
        rises, flags = [0, 0], []
        for loss in losses:
            by_itself = not self.all.takes(loss)
            flags.append(by_itself)
            rises[0] += self.all.add(loss, apart=by_itself)
            if own is not None:
                rises[1] += own.add(loss, apart=by_itself)
            alone.add(loss, apart=by_itself)
        if own is not None and grant_id is not None:
            self.by_grant[grant_id] = own
        cost, granted, by_themselves = (cost_of_units(self.accountant, units) for units in (*rises, alone.units))
        return Price(cost, cost if shared or grant_id is None else granted, by_themselves, tuple(flags))


@dataclass(frozen=True, slots=True)
class Prepared:
    """A price and the totals after it. It is valid while `last` is the last charge on the data set."""

    last: tuple[int, str] | None
    price: Price
    totals: Totals


class JointCosts:
    """Thread-safe cache of the totals of recently used data sets. Cached totals are never modified."""

    def __init__(self, verified: Verified) -> None:
        self._receipt_verifier = verified
        self._totals: OrderedDict[str, Totals] = OrderedDict()
        self._lock = Lock()

    def caught_up(self, connection: Connection, dataset_id: str, accountant: Accountant, m: int) -> Totals:
        """Return a copy of the totals that includes all stored charges.

        Under the lock of the data set's budget the copy is current. Without the lock it may be outdated, but it leaves
        less work for the lock. Raises StoredDataAltered if a charge differs from its signed receipt.
        """
        with self._lock:
            kept = self._totals.get(dataset_id)
        if kept is not None and kept.m != m:
            kept = None  # the counts were replaced, which is allowed before the first charge
        rows = _charges(connection, dataset_id, 0 if kept is None or kept.last is None else kept.last[0])
        if kept is not None and kept.last is not None:
            if rows and (rows[0].sequence, rows[0].release_id) == kept.last:
                rows = rows[1:]
            else:
                kept, rows = None, _charges(connection, dataset_id, 0)
        totals = Totals.empty(accountant, m) if kept is None else kept.copy()
        check_charges(connection, rows, self._receipt_verifier)
        for row in rows:
            price = totals.add(_losses(row.measured, accountant), row.grant_id)
            if list(price.separate) != json.loads(row.apart):
                raise StoredDataAltered
            totals.last = row.sequence, row.release_id
        self._keep(dataset_id, totals)
        return totals.copy()

    def work_behind(self, connection: Connection, dataset_id: str, m: int) -> int:
        """Return the work needed to bring the cached totals up to date, in pairs of columns."""
        with self._lock:
            kept = self._totals.get(dataset_id)
        since = -1 if kept is None or kept.last is None else kept.last[0]
        later = select(query_charges.c.apart).where(
            query_charges.c.dataset_id == dataset_id, query_charges.c.sequence > since
        )
        return sum(work_of(len(json.loads(flags)), m) for flags in connection.execute(later).scalars())

    def prepare(
        self, connection: Connection, dataset_id: str, grant_id: str | None, measured: Measured, *, shared: bool
    ) -> Prepared:
        """Compute the price of the rows before the ledger lock is taken, so that the lock is held briefly."""
        totals = self.caught_up(connection, dataset_id, measured.accountant, measured.m)
        return Prepared(totals.last, totals.add(measured.losses, grant_id, shared=shared), totals)

    def _keep(self, dataset_id: str, totals: Totals) -> None:
        with self._lock:
            self._totals[dataset_id] = totals
            self._totals.move_to_end(dataset_id)
            sizes = [each.size for each in self._totals.values()]
            while len(sizes) > 1 and (len(sizes) > _MAX_DATASETS or sum(sizes) > _MAX_SIZE):
                self._totals.popitem(last=False)
                sizes.pop(0)


def last_charge(connection: Connection, dataset_id: str) -> tuple[int, str] | None:
    """Return sequence and release id of the last query charge on a data set, or None."""
    query = select(query_charges.c.sequence, query_charges.c.release_id).where(query_charges.c.dataset_id == dataset_id)
    found = connection.execute(query.order_by(query_charges.c.sequence.desc()).limit(1)).first()
    return None if found is None else (found[0], found[1])


def find_charge(connection: Connection, release_id: str, verified: Verified) -> QueryChargeRow:
    """Return the charge of a paid release of query answers, with its measured rows. Raises StoredDataAltered."""
    row = fetch_one(connection, QueryChargeRow, select(query_charges).where(query_charges.c.release_id == release_id))
    check_charges(connection, [row], verified)
    return row


def _charges(connection: Connection, dataset_id: str, since: int) -> list[QueryChargeRow]:
    query = select(query_charges).where(query_charges.c.dataset_id == dataset_id, query_charges.c.sequence >= since)
    return fetch_all(connection, QueryChargeRow, query.order_by(query_charges.c.sequence))


def check_charges(connection: Connection, rows: Sequence[QueryChargeRow], verified: Verified) -> None:
    """Raise StoredDataAltered unless each charge equals its entry, whose hash is in the signed receipt."""
    found: dict[str, tuple[EntryRow, str]] = {}
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        some = [row.release_id for row in rows[start : start + _ROWS_AT_ONCE]]
        for *columns, receipt in connection.execute(_EVIDENCE.where(releases.c.id.in_(some))):
            entry = EntryRow(*columns)
            found[entry.subject_id] = entry, receipt
    for row in rows:
        evidence = found.get(row.release_id)
        try:
            if evidence is None or not verified(partial(_is_charge, row, *evidence)):
                raise StoredDataAltered
        except UnknownKeyError as error:
            raise StoredDataAltered(
                f"The service lacks the receipt key {error.key_id}, which signed earlier answers from this data set. "
                "Nothing was charged."
            ) from None


def _is_charge(row: QueryChargeRow, stored: EntryRow, receipt: str, public_keys: Mapping[str, str]) -> bool:
    """Return whether a charge equals its entry, and the entry its receipt. Raises UnknownKeyError."""
    try:
        signed, entry = verify(json.loads(receipt), Receipt, public_keys), read_entry(stored._asdict())
        detail, chain_hash = entry.read_detail(), hashlib.sha256(entry.canonical_bytes()).hexdigest()
    except UnknownKeyError:
        raise
    except (ChainError, ValueError, TypeError, AttributeError):
        return False
    return (
        (chain_hash, entry.kind, entry.subject_id, row.release_id)
        == (signed.chain_hash, EntryKind.QUERY_CHARGED, signed.release_id, signed.release_id)
        and (row.budget_id, row.sequence) == (entry.budget_id, entry.sequence)
        and (row.dataset_id, row.grant_id) == (detail.get("dataset_id"), entry.grant_id)
        and hash_measured(row.measured) == detail.get("measured")
        and (row.granted, row.alone) == (entry.granted, entry.alone)
    )


@lru_cache(maxsize=64)
def _losses(text: str, accountant: Accountant) -> tuple[RowLoss, ...]:
    return tuple(RowLoss.of(row, accountant) for row in read_rows(text))
