"""Verify that a ledger was not altered: from an export or from the database, and against checkpoints that others keep.

No stored balance or hash is trusted. The chain is recomputed from the entries and the balances from the amounts, and
both are compared with the stored values. A chain alone can't show that it was cut or rewritten as a whole. A checkpoint
can: a signed head or a receipt kept elsewhere.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, Connection, Select, Table, and_, case, func, select, text, tuple_
from sqlalchemy.exc import DBAPIError

from core.accounting.accountants import NOTHING, Accountant, Cost
from core.accounting.pairwise_loss import RowLoss
from service.database import costs
from service.database.engine import be_patient
from service.database.rows import (
    BudgetRow,
    EntryRow,
    GrantRow,
    QueryChargeRow,
    ReleaseRow,
    fetch_all,
    fetch_first,
    typed,
)
from service.database.tables import (
    NOTHING_MEASURED,
    OF_RESTORES,
    budgets,
    datasets,
    entries,
    grants,
    hourly_spending,
    installation,
    query_charges,
    releases,
    spending,
)
from service.identifiers.canonical_json import ChainError
from service.ledger.chain import SPENDING, Balances, Entry, EntryKind, Head, read_entry, verify
from service.ledger.files import UnreadableError, read_export
from service.ledger.joint_costs import Price, Totals, hash_measured, read_rows
from service.ledger.receipts import Receipt, SignatureError, parse
from service.ledger.stored_rows import StoredRows

_ROWS_AT_ONCE: Final = 1000
_SECONDS_PER_HOUR: Final = 3600
_SPENDING_COLUMNS: Final = ("dataset_id", "principal_id", "kind")
"""Columns by which reports split what was spent."""
UNREADABLE: Final = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, DBAPIError)
"""Exceptions when an altered value is read. Their messages are not repeated: they can contain values."""


def unreadable(error: Exception) -> str:
    """Return the fault of a row with an altered value that can't be read, with the table or function that met it."""
    places = [frame.name for frame in traceback.extract_tb(error.__traceback__) if "/service/" in frame.filename]
    return f"A stored value can't be read: it is not of its kind, or out of its range ({' in '.join(places[:-3:-1])})."


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of verifying one budget's ledger: its head and balances, or a fault."""

    budget_id: str
    head: Head | None
    balances: Balances | None
    fault: str | None = None
    unbound: int = 0
    """Number of data sets whose labels, attributes and unit no entry binds."""

    def __str__(self) -> str:
        if self.fault is not None or self.head is None or self.balances is None:
            return f"budget {self.budget_id}: NOT intact. {self.fault}"
        spent, limit = costs.in_words(self.balances.spent), costs.in_words(self.balances.limit)
        state = ", frozen" if self.balances.frozen else ""
        unbound = f". No entry binds labels, attributes and unit of {self.unbound} data sets" if self.unbound else ""
        return (
            f"budget {self.budget_id}: intact, {self.head.sequence} entries, spent {spent} of {limit}{state}; head "
            f"{self.head.hash}{unbound}"
        )


def verify_ledger(
    budget_id: str, ledger: Iterable[Entry], checkpoints: Iterable[Head], reconciled: AbstractSet[Head] = frozenset()
) -> Finding:
    """Verify one ledger from its entries, in constant memory.

    `reconciled` are heads of receipts that a restored ledger charges again (`reconciled_heads`). Checkpoints among them
    are not compared.
    """
    history = _RestoreHistory()
    try:
        head, balances = verify(
            budget_id, history.watch(ledger), [each for each in checkpoints if each not in reconciled]
        )
    except ChainError as error:
        return Finding(
            budget_id, None, None, f"Entry {error.sequence}: {error.rule}.{history.explanation(error.sequence)}"
        )
    return Finding(budget_id, head, balances)


class _RestoreHistory:
    """Records during the pass whether the ledger's own entries state that it was restored from a backup."""

    def __init__(self) -> None:
        self._last_kept_entry: int | None = None

    def watch(self, ledger: Iterable[Entry]) -> Iterator[Entry]:
        for entry in ledger:
            if entry.kind is EntryKind.RESTORE_NOTICED:
                self._last_kept_entry = entry.read_detail().get("kept")
            yield entry

    def explanation(self, sequence: int) -> str:
        if self._last_kept_entry is None or sequence <= self._last_kept_entry:
            return ""
        return (
            f" The ledger says that it was restored from a backup that ended with entry {self._last_kept_entry}. Later "
            "entries were lost, so a checkpoint among them can't match. Compare it with the entries "
            "receipt_reconciled and written_off."
        )


def verify_database(
    connection: Connection, checkpoints: Iterable[Head] = (), public_keys: Mapping[str, str] | None = None
) -> list[Finding]:
    """Verify every budget's ledger, and compare the stored balances, grants, data sets and releases with it.

    `public_keys` are the service's keys by id. Without any, signatures are not checked.
    """
    known = list(checkpoints)
    be_patient(connection)
    rows = {row.id: row for row in fetch_all(connection, BudgetRow, select(budgets))}
    with_entries = set(connection.execute(select(entries.c.budget_id).distinct()).scalars())
    findings = []
    for budget_id in sorted(rows.keys() | with_entries | {head.budget_id for head in known}):
        if (row := rows.get(budget_id)) is not None:
            findings.append(_verify_readable(connection, row, known, public_keys or {}))
        else:
            where = "entries" if budget_id in with_entries else "a checkpoint"
            findings.append(Finding(budget_id, None, None, f"The database has no such budget, but {where} of it."))
    return findings


def fault_of_installation(connection: Connection) -> str | None:
    """Return the fault of the installation's row, or None."""
    rows = connection.execute(select(installation.c.id, installation.c.restore_pending_since)).all()
    if len(rows) != 1:
        return "The row that names it and marks a restore is missing."
    kinds = (EntryKind.RESTORE_NOTICED.value, EntryKind.RESTORE_ENDED.value)
    newest = (
        select(entries.c.budget_id, func.max(entries.c.sequence))
        .where(text(OF_RESTORES), entries.c.kind.in_(kinds))
        .group_by(entries.c.budget_id)
    )
    place = tuple_(entries.c.budget_id, entries.c.sequence)
    noticed = select(entries.c.budget_id).where(place.in_(newest), entries.c.kind == EntryKind.RESTORE_NOTICED.value)
    if rows[0].restore_pending_since is None and connection.execute(noticed.limit(1)).first() is not None:
        return "By the entries of a budget a restore is pending, and the installation's row says that none is."
    return None


def _verify_readable(
    connection: Connection, row: BudgetRow, checkpoints: Iterable[Head], public_keys: Mapping[str, str]
) -> Finding:
    """Verify a budget. A stored value that can't be read is a fault of this budget, and the others are verified too."""
    try:
        with connection.begin_nested():
            return _verify_budget(connection, row, checkpoints, public_keys)
    except UNREADABLE as error:
        return Finding(row.id, None, None, unreadable(error))


def _verify_budget(
    connection: Connection, row: BudgetRow, checkpoints: Iterable[Head], public_keys: Mapping[str, str]
) -> Finding:
    restores = fetch_all(connection, EntryRow, select(entries).where(entries.c.budget_id == row.id, text(OF_RESTORES)))
    reconciled = reconciled_heads([read_entry(each._asdict()) for each in restores])
    stored = StoredRows(row, public_keys)
    with closing(_entries_with_releases(connection, row, stored)) as ledger:
        finding = verify_ledger(row.id, ledger, checkpoints, reconciled)
    if finding.head is None or finding.balances is None:
        return finding
    checks: tuple[Check, ...] = (
        *stored.checks(),
        partial(_head_fault, row=row, head=finding.head),
        partial(_spent_fault, row=row, balances=finding.balances),
        partial(_limit_fault, row=row, balances=finding.balances),
        partial(_hours_fault, row=row),
        partial(_spending_fault, row=row),
        partial(_grants_fault, row=row, balances=finding.balances),
    )
    faults = [fault for check in checks if (fault := _fault_of(connection, check)) is not None]
    return Finding(row.id, None, None, " ".join(faults)) if faults else replace(finding, unbound=stored.unbound)


Check: TypeAlias = Callable[[Connection], str | None]
"""Returns the first difference that it finds between the entries and rows of a budget, or None."""


def _fault_of(connection: Connection, check: Check) -> str | None:
    try:
        with connection.begin_nested():
            return check(connection)
    except UNREADABLE as error:
        return unreadable(error)


def _head_fault(_: Connection, row: BudgetRow, head: Head) -> str | None:
    if (row.sequence, row.head_hash) == (head.sequence, head.hash):
        return None
    return (
        f"Entry {head.sequence} is the last, but the budget names entry {row.sequence} with another hash as its head."
    )


def _spent_fault(_: Connection, row: BudgetRow, balances: Balances) -> str | None:
    if row.spent == balances.spent:
        return None
    return (
        f"The balance says {costs.in_words(row.spent)} spent; the entries add up to {costs.in_words(balances.spent)}."
    )


def _limit_fault(_: Connection, row: BudgetRow, balances: Balances) -> str | None:
    if row.limit != balances.limit:
        return f"The balance allows {costs.in_words(row.limit)}; by the entries it is {costs.in_words(balances.limit)}."
    if (row.frozen_at is not None) is not balances.frozen:
        return "The budget and its entries disagree on whether it is frozen."
    return None


def _grants_fault(connection: Connection, row: BudgetRow, balances: Balances) -> str | None:
    for grant in fetch_all(connection, GrantRow, select(grants).join(datasets).where(datasets.c.budget_id == row.id)):
        spent = balances.spent_by_grant.get(grant.id, Cost())
        if grant.spent != spent:
            return (
                f"Grant {grant.id} says {costs.in_words(grant.spent)} spent; the entries add up to "
                f"{costs.in_words(spent)}."
            )
    return None


def _totals(
    connection: Connection,
    rows: Select[Any],
    by: Iterable[ColumnElement[Any]],
    number: ColumnElement[int],
    table: Table,
    suffix: str = "",
) -> dict[tuple[object, ...], tuple[int, ...]]:
    """Return the sums of the numbers of releases and of the amounts of some rows of a table by group. A sum may be
    negative.
    """
    groups = [column.label(f"by_{place}") for place, column in enumerate(by)]
    sums = [func.sum(number), *(func.sum(table.c[name]) for name in costs.column_names(suffix))]
    found = connection.execute(rows.with_only_columns(*groups, *sums).group_by(*(each.name for each in groups)))
    return {tuple(row[: len(groups)]): tuple(map(int, row[len(groups) :])) for row in found}


def _hours_fault(connection: Connection, row: BudgetRow) -> str | None:
    spends = entries.c.kind.in_([kind.value for kind in SPENDING])
    added = select(entries).where(entries.c.budget_id == row.id, spends)
    stored = select(hourly_spending).where(hourly_spending.c.budget_id == row.id)
    is_free = and_(*(entries.c[name] == 0 for name in costs.column_names()))
    number = case(
        (entries.c.kind == EntryKind.WRITTEN_OFF.value, 0),
        (and_(entries.c.kind == EntryKind.QUERY_CHARGED.value, is_free), 0),
        else_=1,
    )
    hour = entries.c.created_at // _SECONDS_PER_HOUR
    if _totals(connection, stored, [hourly_spending.c.hour], hourly_spending.c.releases, hourly_spending) == _totals(
        connection, added, [hour], number, entries
    ):
        return None
    return "The hours that reports add up have other sums than the entries."


def _spending_fault(connection: Connection, row: BudgetRow) -> str | None:
    paid, stored = (select(table).where(table.c.budget_id == row.id) for table in (releases, spending))
    number = case((query_charges.c.measured == NOTHING_MEASURED, 0), else_=1)
    paid = paid.outerjoin(query_charges, query_charges.c.release_id == releases.c.id)
    if _totals(
        connection, stored, [spending.c[name] for name in _SPENDING_COLUMNS], spending.c.releases, spending
    ) == _totals(connection, paid, [releases.c[name] for name in _SPENDING_COLUMNS], number, releases, "charged"):
        return None
    return "What the totals say was released from data sets is not what the releases say."


def _entries_with_releases(connection: Connection, budget: BudgetRow, rows: StoredRows) -> Generator[Entry]:
    """Yield the stored entries in order. Raises ChainError if a charge and its release disagree.

    The cost of queries is computed again from the measured rows, in the order of the entries.
    """
    budget_id, query_costs = budget.id, _QueryCosts(Accountant(budget.accountant))
    at_once = {"yield_per": _ROWS_AT_ONCE}
    of_entries = select(entries).where(entries.c.budget_id == budget_id).order_by(entries.c.sequence)
    of_releases = select(releases).where(releases.c.budget_id == budget_id).order_by(releases.c.sequence)
    with (
        connection.execute(of_entries, execution_options=at_once) as stored,
        connection.execute(of_releases, execution_options=at_once) as paid,
    ):
        charged = typed(ReleaseRow, paid)
        release = next(charged, None)
        for row in typed(EntryRow, stored):
            entry = read_entry(row._asdict())
            yield entry
            rows.decided.add(entry)
            rows.check_reconciled(entry)
            if release is not None and release.sequence == entry.sequence:
                if (release.id, release.charged) != (entry.subject_id, entry.amount):
                    raise ChainError(entry.sequence, "does not charge what the release that it paid for says")
                rows.check_release(release, entry)
                if entry.kind is EntryKind.QUERY_CHARGED:
                    query_costs.check(connection, entry)
                release = next(charged, None)
            elif entry.kind in (EntryKind.RELEASE_CHARGED, EntryKind.QUERY_CHARGED):
                raise ChainError(entry.sequence, "charges a release that is missing")
        if release is not None:
            raise ChainError(release.sequence, "should charge a release, but is missing or records something else")


class _QueryCosts:
    """Joint costs of the rows measured on each data set, up to the current entry."""

    def __init__(self, accountant: Accountant) -> None:
        self._accountant = accountant
        self._totals: dict[str, Totals] = {}

    def check(self, connection: Connection, entry: Entry) -> None:
        """Raise ChainError unless the entry charges the increase of the joint cost by its rows."""
        query = select(query_charges).where(query_charges.c.release_id == entry.subject_id)
        charge = fetch_first(connection, QueryChargeRow, query)
        detail = entry.read_detail()
        if charge is None or hash_measured(charge.measured) != detail.get("measured"):
            raise ChainError(entry.sequence, "charges rows that are missing or differ from the measured ones")
        place = entry.budget_id, entry.sequence, detail.get("dataset_id"), entry.grant_id
        if (charge.budget_id, charge.sequence, charge.dataset_id, charge.grant_id) != place:
            raise ChainError(entry.sequence, "charges for rows of another data set, grant or place")
        price = Price(NOTHING, NOTHING, NOTHING, ())
        if rows := read_rows(charge.measured):
            m = len(rows[0].coefficients)
            totals = self._totals.setdefault(charge.dataset_id, Totals.empty(self._accountant, m))
            price = totals.add(
                [RowLoss.of(row, self._accountant) for row in rows], charge.grant_id, shared=bool(detail.get("shared"))
            )
        if price.separate != tuple(json.loads(charge.apart)):
            raise ChainError(entry.sequence, "charges rows separately that belong to the joint cost, or the reverse")
        if (price.cost, price.granted, price.alone) != (entry.amount, entry.granted, entry.alone):
            raise ChainError(entry.sequence, "does not charge the increase of the joint cost by its rows")
        if (charge.granted, charge.alone) != (entry.granted, entry.alone):
            raise ChainError(entry.sequence, "does not charge what is stored beside its rows")


def verify_export(
    paths: Iterable[Path], checkpoints: Iterable[Head] = (), public_keys: Mapping[str, str] | None = None
) -> list[Finding]:
    """Verify the ledgers in exported files: CSV, JSON lines, or pages of the API. A ledger may span several files, and
    a file repeat entries of another. Signed heads in the files are checkpoints; with `public_keys`, their signatures
    are checked. Raises UnreadableError.
    """
    known = list(checkpoints)
    ledgers: dict[str, set[Entry]] = {}
    for path in paths:
        for each in read_export(path, public_keys or {}):
            if isinstance(each, Head):
                known.append(each)
            else:
                ledgers.setdefault(each.budget_id, set()).add(each)
    if not ledgers:
        raise UnreadableError("the files hold no ledger entry")
    return [
        verify_ledger(budget_id, sorted(ledger, key=lambda entry: entry.sequence), known, reconciled_heads(ledger))
        for budget_id, ledger in sorted(ledgers.items())
    ]


def reconciled_heads(ledger: Iterable[Entry]) -> set[Head]:
    """Return the heads of receipts that these entries charge again in full.

    A checkpoint at such a head is not a fault.
    """
    heads = set()
    for entry in ledger:
        if entry.kind is not EntryKind.RECEIPT_RECONCILED:
            continue
        try:
            receipt = parse(entry.read_detail().get("receipt", {}), Receipt)
        except SignatureError:
            continue
        if (receipt.amount, receipt.budget_id, receipt.release_id) == (entry.amount, entry.budget_id, entry.subject_id):
            heads.add(receipt.head)
    return heads
