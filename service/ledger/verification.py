"""Verify that a ledger was not altered: from an export or from the database, and against checkpoints that others keep.

No stored balance or hash is trusted. The chain is recomputed from the entries and the balances from the amounts, and
both are compared with the stored values. A chain alone can't show that it was cut or rewritten as a whole. A checkpoint
can: a signed head or a receipt kept elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Table, func, select, text

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
    OF_RESTORES,
    budgets,
    datasets,
    entries,
    grants,
    hourly_spending,
    query_charges,
    releases,
    spending,
)
from service.identifiers.chain_links import ChainError
from service.ledger.chain import Balances, Entry, EntryKind, Head, read_entry, verify
from service.ledger.files import UnreadableError, read_entries
from service.ledger.joint_costs import Price, Totals, hash_measured, read_rows
from service.ledger.receipts import Receipt, SignatureError, parse
from service.ledger.stored_rows import StoredRows

_STORED_AT_ONCE: Final = 1000


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
        self._kept: int | None = None

    def watch(self, ledger: Iterable[Entry]) -> Iterator[Entry]:
        for entry in ledger:
            if entry.kind is EntryKind.RESTORE_NOTICED:
                self._kept = entry.read_detail().get("kept")
            yield entry

    def explanation(self, sequence: int) -> str:
        if self._kept is None or sequence <= self._kept:
            return ""
        return (
            f" The ledger says that it was restored from a backup that ended with entry {self._kept}. Later entries "
            "were lost, so a checkpoint among them can't match. Compare it with the entries receipt_reconciled and "
            "written_off."
        )


def verify_database(
    connection: Connection, checkpoints: Iterable[Head] = (), public_keys: Mapping[str, str] | None = None
) -> list[Finding]:
    """Verify every budget's ledger, and compare the stored balances, grants, data sets and releases with it.

    `public_keys` are the service's keys by id. Without any, signatures are not checked.
    """
    known = list(checkpoints)
    be_patient(connection)
    rows = fetch_all(connection, BudgetRow, select(budgets).order_by(budgets.c.id))
    findings = [_verify_budget(connection, row, known, public_keys or {}) for row in rows]
    missing = {head.budget_id for head in known} - {row.id for row in rows}
    lost = [
        Finding(budget_id, None, None, "The database has no such budget, but a checkpoint has.")
        for budget_id in sorted(missing)
    ]
    return findings + lost


def _verify_budget(
    connection: Connection, row: BudgetRow, checkpoints: Iterable[Head], public_keys: Mapping[str, str]
) -> Finding:
    restores = fetch_all(connection, EntryRow, select(entries).where(entries.c.budget_id == row.id, text(OF_RESTORES)))
    reconciled = reconciled_heads([read_entry(each._asdict()) for each in restores])
    stored = StoredRows(row, public_keys)
    with closing(_with_releases(connection, row, stored)) as ledger:
        finding = verify_ledger(row.id, ledger, checkpoints, reconciled)
    if finding.head is None or finding.balances is None:
        return finding
    wrong = stored.fault(connection) or _balance_fault(connection, row, finding.head, finding.balances)
    return replace(finding, unbound=stored.unbound) if wrong is None else Finding(row.id, None, None, wrong)


def _balance_fault(connection: Connection, row: BudgetRow, head: Head, balances: Balances) -> str | None:
    """Return the first difference between the entries and the rows of the budget and its grants, or None."""
    if (row.sequence, row.head_hash) != (head.sequence, head.hash):
        return (
            f"Entry {head.sequence} is the last, but the budget names entry {row.sequence} with another hash as its "
            "head."
        )
    if row.spent != balances.spent:
        return (
            f"The balance says {costs.in_words(row.spent)} spent; the entries add up to "
            f"{costs.in_words(balances.spent)}."
        )
    if row.limit != balances.limit:
        return f"The balance allows {costs.in_words(row.limit)}; by the entries it is {costs.in_words(balances.limit)}."
    if (row.frozen_at is not None) is not balances.frozen:
        return "The budget and its entries disagree on whether it is frozen."
    if (wrong := _totals_fault(connection, row)) is not None:
        return wrong
    for grant in fetch_all(connection, GrantRow, select(grants).join(datasets).where(datasets.c.budget_id == row.id)):
        spent = balances.spent_by_grant.get(grant.id, Cost())
        if grant.spent != spent:
            return (
                f"Grant {grant.id} says {costs.in_words(grant.spent)} spent; the entries add up to "
                f"{costs.in_words(spent)}."
            )
    return None


def _totals_fault(connection: Connection, row: BudgetRow) -> str | None:
    """Return a difference between the running totals of reports and the entries or releases, or None."""

    def total(table: Table, suffix: str = "") -> Cost:
        sums = [func.coalesce(func.sum(table.c[name]), 0) for name in costs.column_names(suffix)]
        found = connection.execute(select(*sums).where(table.c.budget_id == row.id)).one()
        return costs.of_units(*map(int, found))

    if total(hourly_spending) != row.spent:
        return "The hours that reports add up have another sum than the entries."
    if total(spending) != total(releases, "charged"):
        return "What the totals say was released from data sets is not what the releases say."
    return None


def _with_releases(connection: Connection, budget: BudgetRow, rows: StoredRows) -> Generator[Entry]:
    """Yield the stored entries in order. Raises ChainError if a charge and its release disagree.

    The cost of queries is computed again from the measured rows, in the order of the entries.
    """
    budget_id, query_costs = budget.id, _QueryCosts(Accountant(budget.accountant))
    at_once = {"yield_per": _STORED_AT_ONCE}
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
        if charge.sequence != entry.sequence or (charge.dataset_id, charge.grant_id) != (
            detail.get("dataset_id"),
            entry.grant_id,
        ):
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


def verify_export(paths: Iterable[Path], checkpoints: Iterable[Head] = ()) -> list[Finding]:
    """Verify the ledgers in exported files: CSV, JSON lines, or pages of the API. A ledger may span several files.
    Raises UnreadableError.
    """
    known = list(checkpoints)
    ledgers: dict[str, list[Entry]] = {}
    for path in paths:
        for entry in read_entries(path):
            ledgers.setdefault(entry.budget_id, []).append(entry)
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
