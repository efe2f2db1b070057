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
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock

from sqlalchemy import Connection, select

from core.accounting.accountants import Accountant, Cost
from core.accounting.pairwise_loss import MAX_COLUMNS, JointLoss, Row, RowLoss, cost_of_units
from core.privacy import Rate
from service.canonical_json import Json, canonical_json
from service.database.rows import QueryChargeRow, fetch_all, fetch_one
from service.database.tables import query_charges

_MAX_DATASETS = 1_000
_MAX_SIZE = 2**24
"""Limit of the cache, in numbers of eight bytes."""


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
    return canonical_json([_written(row) for row in rows])


def _written(row: Row) -> dict[str, Json]:
    written: dict[str, Json] = {
        "coefficients": list(row.coefficients),
        "denominator": row.denominator,
        "rate": str(row.rate),
    }
    if row.records != 1:
        written["records"] = row.records
    return written


def hash_measured(text: str) -> str:
    """Return the SHA-256 of stored rows in lower-case hexadecimal. Ledger entries contain it."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_rows(text: str) -> list[Row]:
    """Parse rows that `write_rows` wrote. Raises LookupError, TypeError or ValueError for anything else."""
    return [
        Row(tuple(each["coefficients"]), each["denominator"], Rate.parse(each["rate"]), each.get("records", 1))
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
        separate: Sequence[bool] | None = None,
        *,
        shared: bool = False,
    ) -> Price:
        """Add rows and return their price.

        - `separate`: whether each row was charged by itself when it was measured; None if that is to be determined now
        - `shared`: the grant pays the same as the budget
        """
        alone, own = JointLoss(self.m), None if grant_id is None else self.by_grant.get(grant_id, JointLoss(self.m))
        rises, flags = [0, 0], []
        for number, loss in enumerate(losses):
            by_itself = not self.all.takes(loss) if separate is None else separate[number]
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

    def __init__(self) -> None:
        self._totals: OrderedDict[str, Totals] = OrderedDict()
        self._lock = Lock()

    def caught_up(self, connection: Connection, dataset_id: str, accountant: Accountant, m: int) -> Totals:
        """Return a copy of the totals that includes all stored charges.

        Under the lock of the data set's budget the copy is current. Without the lock it may be outdated, but it leaves
        less work for the lock.
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
        for row in rows:
            totals.add(_losses(row.measured, accountant), row.grant_id, json.loads(row.apart))
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


def find_charge(connection: Connection, release_id: str) -> QueryChargeRow:
    """Return the charge of a paid release of query answers, with its measured rows."""
    return fetch_one(connection, QueryChargeRow, select(query_charges).where(query_charges.c.release_id == release_id))


def _charges(connection: Connection, dataset_id: str, since: int) -> list[QueryChargeRow]:
    query = select(query_charges).where(query_charges.c.dataset_id == dataset_id, query_charges.c.sequence >= since)
    return fetch_all(connection, QueryChargeRow, query.order_by(query_charges.c.sequence))


@lru_cache(maxsize=64)
def _losses(text: str, accountant: Accountant) -> tuple[RowLoss, ...]:
    return tuple(RowLoss.of(row, accountant) for row in read_rows(text))
