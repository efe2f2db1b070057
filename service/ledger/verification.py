"""Whether a ledger is still what was once written: from an export that somebody kept, or from the database, against heads that others keep.

Nothing here trusts a stored balance or hash: the chain is recomputed from the entries, the balances from the amounts, and both are held against what
is stored. What a chain alone can't show, that it was cut or written anew as a whole, shows against a checkpoint: a signed head or a receipt
kept elsewhere.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, select, text

from core.accounting.accountants import Cost
from core.privacy import AmountError
from service import costs
from service.budgets.export import CSV_COLUMNS
from service.canonical_json import canonical_json
from service.database.rows import BudgetRow, EntryRow, GrantRow, ReleaseRow, fetch_all, typed
from service.database.tables import OF_RESTORES, budgets, datasets, entries, grants, releases
from service.ledger.chain import Balances, ChainError, Entry, EntryKind, Head, read_entry, verify
from service.ledger.receipts import Receipt, SignatureError, SignedHead, parse
from service.ledger.receipts import verify as verify_signature
from service.restore.restore import reconciled_heads

_TIME: Final = "%Y-%m-%dT%H:%M:%SZ"
_STORED_AT_ONCE: Final = 1000


class UnreadableError(ValueError):
    """A file is no export or checkpoint; the message names the file and the rule."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of verifying one budget's ledger: where it ends and what it adds up to, or what is wrong with it."""

    budget_id: str
    head: Head | None
    balances: Balances | None
    fault: str | None = None

    def __str__(self) -> str:
        if self.fault is not None or self.head is None or self.balances is None:
            return f"budget {self.budget_id}: NOT what was once written. {self.fault}"
        spent, limit = costs.in_words(self.balances.spent), costs.in_words(self.balances.limit)
        state = ", frozen" if self.balances.frozen else ""
        return f"budget {self.budget_id}: intact, {self.head.sequence} entries, spent {spent} of {limit}{state}; head {self.head.hash}"


def verify_ledger(
    budget_id: str, ledger: Iterable[Entry], checkpoints: Iterable[Head], reconciled: AbstractSet[Head] = frozenset()
) -> Finding:
    """Recomputes one ledger from its entries, in constant memory.

    `reconciled`: heads of receipts that a restored ledger charges again (`service.restore.restore.reconciled_heads`); a checkpoint among them is accounted for.
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
    """Notices on the way whether the ledger says of itself that it was restored from a backup."""

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
            f" The ledger says that it was restored from a backup which ended with entry {self._kept}: later entries of before are lost, and a "
            "checkpoint among them can't fit. Compare it with the entries receipt_reconciled and written_off."
        )


def verify_database(connection: Connection, checkpoints: Iterable[Head] = ()) -> list[Finding]:
    """Recomputes every budget's ledger from its entries and holds the stored balances, grants and releases against it."""
    known = list(checkpoints)
    rows = fetch_all(connection, BudgetRow, select(budgets).order_by(budgets.c.id))
    findings = [_verify_budget(connection, row, known) for row in rows]
    missing = {head.budget_id for head in known} - {row.id for row in rows}
    lost = [
        Finding(budget_id, None, None, "The database has no such budget, but a checkpoint has.")
        for budget_id in sorted(missing)
    ]
    return findings + lost


def _verify_budget(connection: Connection, row: BudgetRow, checkpoints: Iterable[Head]) -> Finding:
    told = fetch_all(connection, EntryRow, select(entries).where(entries.c.budget_id == row.id, text(OF_RESTORES)))
    reconciled = reconciled_heads([read_entry(each._asdict()) for each in told])
    with closing(_with_releases(connection, row.id)) as ledger:
        finding = verify_ledger(row.id, ledger, checkpoints, reconciled)
    if finding.head is None or finding.balances is None:
        return finding
    wrong = _stored_otherwise(connection, row, finding.head, finding.balances)
    return finding if wrong is None else Finding(row.id, None, None, wrong)


def _stored_otherwise(connection: Connection, row: BudgetRow, head: Head, balances: Balances) -> str | None:
    """What the budget's row or its grants say that the entries do not."""
    if (row.sequence, row.head_hash) != (head.sequence, head.hash):
        return f"Entry {head.sequence} is the last, but the budget names entry {row.sequence} with another hash as its head."
    if row.spent != balances.spent:
        return f"The balance says {costs.in_words(row.spent)} spent; the entries add up to {costs.in_words(balances.spent)}."
    if row.limit != balances.limit:
        return f"The balance allows {costs.in_words(row.limit)}; by the entries it is {costs.in_words(balances.limit)}."
    if (row.frozen_at is not None) is not balances.frozen:
        return "The budget and its entries disagree on whether it is frozen."
    for grant in fetch_all(connection, GrantRow, select(grants).join(datasets).where(datasets.c.budget_id == row.id)):
        spent = balances.spent_by_grant.get(grant.id, Cost())
        if grant.spent != spent:
            return f"Grant {grant.id} says {costs.in_words(grant.spent)} spent; the entries add up to {costs.in_words(spent)}."
    return None


def _with_releases(connection: Connection, budget_id: str) -> Generator[Entry]:
    """The stored entries in order; raises ChainError where a charge and the release that it paid for disagree."""
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
            if release is not None and release.sequence == entry.sequence:
                if (release.id, release.charged) != (entry.subject_id, entry.amount):
                    raise ChainError(entry.sequence, "does not charge what the release that it paid for says")
                release = next(charged, None)
            elif entry.kind is EntryKind.RELEASE_CHARGED:
                raise ChainError(entry.sequence, "charges a release that is missing")
        if release is not None:
            raise ChainError(release.sequence, "should charge a release, but is missing or records something else")


def verify_export(paths: Iterable[Path], checkpoints: Iterable[Head] = ()) -> list[Finding]:
    """Recomputes the ledgers in exported files: CSV, JSON lines, or pages of the API, one or several files to a ledger. Raises UnreadableError."""
    known = list(checkpoints)
    ledgers: dict[str, list[Entry]] = {}
    for path in paths:
        for entry in _exported_entries(path):
            ledgers.setdefault(entry.budget_id, []).append(entry)
    if not ledgers:
        raise UnreadableError("the files hold no ledger entry")
    return [
        verify_ledger(budget_id, sorted(ledger, key=lambda entry: entry.sequence), known, reconciled_heads(ledger))
        for budget_id, ledger in sorted(ledgers.items())
    ]


def read_checkpoints(paths: Iterable[Path], public_keys: Mapping[str, str]) -> list[Head]:
    """The heads in files of signed heads, receipts, releases or exports, their signatures checked where there are `public_keys`.

    Raises UnreadableError where a file holds none, or one whose signature does not hold.
    """
    heads: list[Head] = []
    for path in paths:
        found = [
            _head_of(path, signed, public_keys)
            for document in read_documents(path)
            for signed in signed_statements(document)
        ]
        if not found:
            raise UnreadableError(f"{path.name} holds no signed head and no receipt")
        heads += found
    return heads


def read_receipts(paths: Iterable[Path], public_keys: Mapping[str, str]) -> list[tuple[Receipt, dict[str, Any]]]:
    """The receipts in files, in ledger order, each with its signed form. Raises UnreadableError where one is not signed by a known key."""
    found: dict[str, tuple[Receipt, dict[str, Any]]] = {}
    for path in paths:
        for signed in (
            each for document in read_documents(path) for each in signed_statements(document) if _is_receipt(each)
        ):
            try:
                receipt = verify_signature(signed, Receipt, public_keys)
            except SignatureError as error:
                raise UnreadableError(f"{path.name}: {error}") from None
            found[receipt.release_id] = (receipt, signed)
    if not found:
        raise UnreadableError("the files hold no receipt")
    return sorted(found.values(), key=lambda pair: (pair[0].budget_id, pair[0].sequence))


def _head_of(path: Path, signed: dict[str, Any], public_keys: Mapping[str, str]) -> Head:
    try:
        if _is_receipt(signed):
            return (verify_signature(signed, Receipt, public_keys) if public_keys else parse(signed, Receipt)).head
        return (verify_signature(signed, SignedHead, public_keys) if public_keys else parse(signed, SignedHead)).head
    except SignatureError as error:
        raise UnreadableError(f"{path.name}: {error}") from None


def _is_receipt(signed: Mapping[str, Any]) -> bool:
    return "release_id" in signed["body"]


def signed_statements(document: Any) -> Iterator[dict[str, Any]]:
    """Every signed statement inside a JSON document, however deep: a receipt alone, one in a release, a list of them."""
    match document:
        case {"body": dict(), "key_id": str(), "signature": str(), **others} if not others:
            yield dict(document)
        case dict():
            for value in document.values():
                yield from signed_statements(value)
        case list():
            for value in document:
                yield from signed_statements(value)
        case _:
            return


def read_documents(path: Path) -> list[Any]:
    """The JSON documents of a file: one, or one a line. Raises UnreadableError."""
    text = _read(path)
    try:
        return [json.loads(text)]
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError:
        raise UnreadableError(f"{path.name} is neither JSON nor JSON lines") from None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise UnreadableError(f"{path.name} can't be read as text") from None


def _exported_entries(path: Path) -> Iterator[Entry]:
    text = _read(path)
    if text.startswith(",".join(CSV_COLUMNS)):
        for line in csv.DictReader(text.splitlines()):
            yield _entry_of_csv(path, line)
        return
    for document in read_documents(path):
        match document:
            case {"items": list(items)}:
                lines = items
            case {"body": dict(), "signature": str()}:
                continue
            case _:
                lines = [document]
        for line in lines:
            yield _entry_of_json(path, line)


def _entry_of_csv(path: Path, line: Mapping[str, Any]) -> Entry:
    integers = {"sequence", "created_at", "epsilon", "delta", "rho"}
    try:
        columns = {
            column: int(line[name]) if column in integers else line[name] for name, column in CSV_COLUMNS.items()
        }
    except (LookupError, ValueError, TypeError):
        raise UnreadableError(f"{path.name} is not a ledger in CSV, as the service exports it") from None
    return read_entry(columns)


def _entry_of_json(path: Path, line: Any) -> Entry:
    """An entry in the form of the API, whose amounts are decimal text and whose times are RFC 3339."""
    try:
        amount = costs.of_document(line["amount"])
        moment = datetime.strptime(line["created_at"], _TIME).replace(tzinfo=UTC)
        return read_entry(
            {
                **{
                    name: line[name]
                    for name in ("budget_id", "sequence", "kind", "principal_id", "subject_id", "previous_hash", "hash")
                },
                **costs.columns(amount),
                "detail": canonical_json(line["detail"]),
                "created_at": int(moment.timestamp()),
            }
        )
    except (LookupError, TypeError, AmountError, ChainError, ValueError):
        raise UnreadableError(f"{path.name} holds a line that is no ledger entry") from None
