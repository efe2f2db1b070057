"""Prices measured rows under the lock: by how much the largest loss over pairs of cells rises, of a data set and of a
grant on it.

The totals of a data set are kept per process, as of the last of its stored charges that was seen, and caught up from
the stored rows of others. Within a batch a copy goes on; what it adds counts only once it is read back, so that a
transaction that fails leaves nothing behind. Where the last charge that was seen is not stored any more, the database
is another one, and the totals are made anew.

A row over a thousand cells has half a million pairs. So rows are priced before the lock too: a price that was prepared
holds under the lock if nothing was measured on the data set since, which is one look. Else they are priced there, as
long as that is little work; what would be more is prepared again.

The rows of one charge that can be told apart by pairs go into the totals; where there would be too many different
columns, a row is charged by itself, to data set and grant alike.
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
"""Of what is kept, in numbers of eight bytes."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Rows that are to be measured, as they are stored, and the losses of each on pairs of cells."""

    text: str
    losses: tuple[RowLoss, ...]
    accountant: Accountant

    @property
    def m(self) -> int:
        """How many cells the rows have."""
        return len(self.losses[0].values)

    @property
    def work(self) -> int:
        """What pricing them takes: at most so many pairs of columns, some 0.2 microseconds each."""
        return work_of(len(self.losses), self.m)

    @classmethod
    def of(cls, rows: Sequence[Row], accountant: Accountant) -> Measured:
        """Rows over one denominator, at least one."""
        return cls(write_rows(rows), tuple(RowLoss.of(row, accountant) for row in rows), accountant)


@dataclass(frozen=True, slots=True)
class Price:
    """What measured rows cost: the data set's budget, the grant, and alone; and which of them were charged by
    themselves.
    """

    cost: Cost
    granted: Cost
    alone: Cost
    apart: tuple[bool, ...]


def work_of(rows: int, m: int) -> int:
    """What pricing so many rows over m cells takes: at most so many pairs of columns."""
    return int(rows * min(m, MAX_COLUMNS) ** 2)


def write_rows(rows: Sequence[Row]) -> str:
    """The rows as they are stored and hashed, for ever: canonical JSON."""
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
    """What an entry of the ledger binds stored rows by: the SHA-256 of their text, in lower-case hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_rows(text: str) -> list[Row]:
    """The rows that `write_rows` wrote. Raises LookupError, TypeError or ValueError for anything else."""
    return [
        Row(tuple(each["coefficients"]), each["denominator"], Rate.parse(each["rate"]), each.get("records", 1))
        for each in json.loads(text)
    ]


@dataclass(slots=True)
class Totals:
    """The losses on one data set so far: of all rows, and of those of each grant."""

    accountant: Accountant
    m: int
    all: JointLoss
    by_grant: dict[str, JointLoss] = field(default_factory=dict)
    last: tuple[int, str] | None = None
    """Sequence and release of the last charge that is in."""

    @classmethod
    def empty(cls, accountant: Accountant, m: int) -> Totals:
        return cls(accountant, m, JointLoss(m))

    @property
    def size(self) -> int:
        """How many numbers there are, one for each pair of columns."""
        return sum(joint.columns**2 for joint in (self.all, *self.by_grant.values()))

    def copy(self) -> Totals:
        by_grant = {grant_id: joint.copy() for grant_id, joint in self.by_grant.items()}
        return Totals(self.accountant, self.m, self.all.copy(), by_grant, self.last)

    def add(
        self,
        losses: Sequence[RowLoss],
        grant_id: str | None,
        apart: Sequence[bool] | None = None,
        *,
        shared: bool = False,
    ) -> Price:
        """Adds rows and returns what they cost. `apart`: how they were charged when they were measured; None decides it
        now. `shared`: the grant pays beside the rows of all, not beside those of its own holder alone.
        """
        alone, own = JointLoss(self.m), None if grant_id is None else self.by_grant.get(grant_id, JointLoss(self.m))
        rises, flags = [0, 0], []
        for number, loss in enumerate(losses):
            by_itself = not self.all.takes(loss) if apart is None else apart[number]
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
    """A price, with the totals after it, that holds as long as `last` is the last charge on the data set."""

    last: tuple[int, str] | None
    price: Price
    totals: Totals


class JointCosts:
    """The totals of the data sets that were asked for last, for any thread: those that are kept are never changed."""

    def __init__(self) -> None:
        self._totals: OrderedDict[str, Totals] = OrderedDict()
        self._lock = Lock()

    def caught_up(self, connection: Connection, dataset_id: str, accountant: Accountant, m: int) -> Totals:
        """A copy of the totals with all that is stored, to be gone on with. What they price holds under the lock of
        the data set's budget; without it, this leaves less to be done there.
        """
        with self._lock:
            kept = self._totals.get(dataset_id)
        if kept is not None and kept.m != m:
            kept = None  # other counts were registered, which can be as long as nothing was charged
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
        """What it takes to catch up the totals with what others measured since."""
        with self._lock:
            kept = self._totals.get(dataset_id)
        since = -1 if kept is None or kept.last is None else kept.last[0]
        later = select(query_charges.c.apart).where(
            query_charges.c.dataset_id == dataset_id, query_charges.c.sequence > since
        )
        return sum(work_of(len(json.loads(apart)), m) for apart in connection.execute(later).scalars())

    def prepare(
        self, connection: Connection, dataset_id: str, grant_id: str | None, measured: Measured, *, shared: bool
    ) -> Prepared:
        """What rows would cost now, before the lock."""
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
    """Sequence and release of the last charge of queries on a data set."""
    query = select(query_charges.c.sequence, query_charges.c.release_id).where(query_charges.c.dataset_id == dataset_id)
    found = connection.execute(query.order_by(query_charges.c.sequence.desc()).limit(1)).first()
    return None if found is None else (found[0], found[1])


def find_charge(connection: Connection, release_id: str) -> QueryChargeRow:
    """What a paid release of answers to queries measured, and what that cost."""
    return fetch_one(connection, QueryChargeRow, select(query_charges).where(query_charges.c.release_id == release_id))


def _charges(connection: Connection, dataset_id: str, since: int) -> list[QueryChargeRow]:
    query = select(query_charges).where(query_charges.c.dataset_id == dataset_id, query_charges.c.sequence >= since)
    return fetch_all(connection, QueryChargeRow, query.order_by(query_charges.c.sequence))


@lru_cache(maxsize=64)
def _losses(text: str, accountant: Accountant) -> tuple[RowLoss, ...]:
    return tuple(RowLoss.of(row, accountant) for row in read_rows(text))
