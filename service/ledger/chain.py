"""The hash chain of a budget's ledger: encode entries, link them, and verify a chain from its entries alone.

Encoding, version 1. The bytes of an entry are netstrings (the length in decimal ASCII, a colon, that many bytes, a
comma) of, in order,

    "private-posterior ledger entry 1", previous_hash, budget_id, sequence, kind, epsilon_units, delta_units, rho_units,
    principal_id, subject_id, detail, created_at

with text in UTF-8 and integers in decimal ASCII. `hash` is the SHA-256 of these bytes, in lower-case hexadecimal. The
first entry has sequence 1, and its previous_hash is the SHA-256 of the netstrings of "private-posterior ledger genesis
1" and budget_id, so that a chain can't pass for another budget's. The meaning of a stored encoding never changes: a new
encoding would get a new first string.

An attacker who can write the whole table can compute a new chain. It will not match the heads that others keep. These
checkpoints are receipts and exported heads. A chain that is shorter than a checkpoint, or differs from it at its
sequence, was rolled back or rewritten.

This module uses no database and no clock. `ledger verify` runs it offline, and the service runs it when it writes.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from core.accounting.accountants import NOTHING, Cost
from core.privacy import Delta, Epsilon, Rho
from service.identifiers.canonical_json import ChainError, netstrings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_ENTRY: Final = "private-posterior ledger entry 1"
_GENESIS: Final = "private-posterior ledger genesis 1"
_MAX: Final = 2**63 - 1
"""Largest value of a 64-bit database column."""


class EntryKind(StrEnum):
    """The kind of an entry. Kinds are stored: they may be added, but never renamed or given another meaning.

    The amount is the whole new limit if a budget or grant is opened or changed, the amount spent if something is spent,
    else zero.
    """

    BUDGET_OPENED = "budget_opened"
    BUDGET_CHANGED = "budget_changed"
    BUDGET_FROZEN = "budget_frozen"
    BUDGET_UNFROZEN = "budget_unfrozen"
    BUDGET_TRANSFERRED = "budget_transferred"
    """An admin gave the budget of an owner whose access had ended to another owner, with its data sets and grants. The
    detail has their ids, `from` and `to`.
    """
    RELEASE_CHARGED = "release_charged"
    QUERY_CHARGED = "query_charged"
    """Answers to linear queries. The amount is the increase of the joint cost of all rows measured on the data set. It
    may be zero. The detail has these members, with amounts in units of epsilon, delta and rho:

    - `granted`: the same increase for the rows of the grant; equal to the amount if `shared`
    - `alone`: price of these rows without others
    - `measured`: hash of the rows
    - `shared`: True if the history is shared, otherwise omitted
    """
    RECEIPT_RECONCILED = "receipt_reconciled"
    """A charge that a restored database had lost, charged again from its receipt."""
    WRITTEN_OFF = "written_off"
    """An amount, stated by the owner, for losses of a restore that can't be determined."""
    POLICY_CHANGED = "policy_changed"
    """The owner changed the cap of one release, the allowed mechanisms or the low-budget threshold. The detail has the
    new values.
    """
    GRANT_OPENED = "grant_opened"
    GRANT_CHANGED = "grant_changed"
    GRANT_CLOSED = "grant_closed"
    GRANT_REOPENED = "grant_reopened"
    DATASET_REGISTERED = "dataset_registered"
    DATASET_REPLACED = "dataset_replaced"
    DATASET_DELETED = "dataset_deleted"
    RELEASE_PUBLISHED = "release_published"
    """The owner published a release."""
    RELEASE_WITHDRAWN = "release_withdrawn"
    HISTORY_SHARED = "history_shared"
    """The owner lets queries of every grant on the data set be answered from its whole history."""
    HISTORY_UNSHARED = "history_unshared"
    DATASET_LISTED = "dataset_listed"
    """The owner lets every analyst of the installation see the data set's public facts and ask for access."""
    DATASET_UNLISTED = "dataset_unlisted"
    ACCESS_DECLINED = "access_declined"
    """The owner declined an analyst's request for access. The entry of an approval is that of its grant."""
    BUDGET_RENAMED = "budget_renamed"
    DATASET_RENAMED = "dataset_renamed"
    RESTORE_NOTICED = "restore_noticed"
    """The database was found to be a restored backup. In the detail, `kept` is the last entry that the backup has, and
    `witnessed` the last entry known to have existed.
    """
    ENTRY_RECONCILED = "entry_reconciled"
    """An entry other than a charge that a restored database had lost. The detail has its `sequence` and `kind`, and its
    signed form unless it is of a kind in `OF_RESTORING`. If a decision was applied again, the next entry does so. If it
    could not be applied, the detail has `lost`, and the budget stays frozen until its owner looks.
    """
    RESTORE_ENDED = "restore_ended"
    """The restore has ended: the gap is reconciled or written off, or the budget is frozen."""
    CLOCK_CONFIRMED = "clock_confirmed"
    """The operator confirmed the system's clock, which contradicted the ledger. The time of this entry can be earlier
    than that of the entry before, which is `ledger_time` in the detail.
    """


SPENDING: Final = frozenset(
    {EntryKind.RELEASE_CHARGED, EntryKind.QUERY_CHARGED, EntryKind.RECEIPT_RECONCILED, EntryKind.WRITTEN_OFF}
)
"""Kinds of entries that add to the amount spent."""
CONFIRMING: Final = SPENDING | {EntryKind.CLOCK_CONFIRMED}
"""Kinds of entries that no clock writes which the service doubts."""
OF_RESTORING: Final = frozenset(
    {
        EntryKind.RESTORE_NOTICED,
        EntryKind.RESTORE_ENDED,
        EntryKind.ENTRY_RECONCILED,
        EntryKind.RECEIPT_RECONCILED,
        EntryKind.CLOCK_CONFIRMED,
    }
)
"""Kinds of entries by the command line that a later restore does not apply again."""
CHARGING: Final = frozenset({EntryKind.RELEASE_CHARGED, EntryKind.QUERY_CHARGED})
"""Kinds of entries for which the service signs a receipt."""
_TEXTS: Final = ("budget_id", "principal_id", "subject_id", "detail", "previous_hash", "hash")
_BOUND_BY_THE_LIMIT: Final = frozenset({EntryKind.BUDGET_CHANGED, EntryKind.RELEASE_CHARGED, EntryKind.QUERY_CHARGED})


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a budget's ledger. The budget's owner may read all of it. Nothing in it depends on counts.

    - `principal_id`: pseudonym of the actor
    - `subject_id`: id of the data set, grant, release or key concerned; empty or the budget's id for the budget itself
    - `detail`: canonical JSON; in a charge, its `grant_id` names the grant that was charged too
    - `created_at`: whole seconds since 1970

    A draft has no hashes yet; `link` sets them and the sequence.
    """

    budget_id: str
    sequence: int
    kind: EntryKind
    amount: Cost
    principal_id: str
    subject_id: str
    detail: str
    created_at: int
    previous_hash: str = ""
    hash: str = ""

    def __post_init__(self) -> None:
        for number in (self.sequence, self.created_at, *self.units):
            if type(number) is not int or not 0 <= number <= _MAX:
                raise ChainError(self.sequence, "holds a number that is negative, fractional or too large")

    @property
    def units(self) -> tuple[int, int, int]:
        return self.amount.epsilon.units, self.amount.delta.units, self.amount.rho.units

    @property
    def grant_id(self) -> str | None:
        """Return the id of the grant that was charged too, or None for a release by the owner.

        Raises ChainError if the detail is not JSON.
        """
        grant_id = self.read_detail().get("grant_id")
        return grant_id if isinstance(grant_id, str) else None

    @property
    def granted(self) -> Cost:
        """Return the amount charged to the grant. Raises ChainError.

        It equals `amount`, except for queries, for which the grant pays only for its own rows.
        """
        return self._amount_in_detail("granted")

    @property
    def alone(self) -> Cost:
        """Return the amount that the receipt states. Raises ChainError.

        It equals `amount`, except for queries, whose amount depends on earlier rows.
        """
        return self._amount_in_detail("alone")

    def _amount_in_detail(self, name: str) -> Cost:
        if self.kind is not EntryKind.QUERY_CHARGED:
            return self.amount
        units = self.read_detail().get(name)
        if not isinstance(units, list) or len(units) != 3 or any(type(each) is not int or each < 0 for each in units):
            raise ChainError(self.sequence, f"charges queries without saying what is {name}")
        return Cost(Epsilon(units[0]), Delta(units[1]), Rho(units[2]))

    def read_detail(self) -> dict[str, Any]:
        """Return the detail as an object. Raises ChainError if it is not JSON."""
        try:
            detail = json.loads(self.detail)
        except ValueError:
            raise ChainError(self.sequence, "has a detail that is not JSON") from None
        return detail if isinstance(detail, dict) else {}

    def canonical_bytes(self) -> bytes:
        return self.canonical_bytes_after(Head(self.budget_id, self.sequence - 1, self.previous_hash))

    def canonical_bytes_after(self, head: Head) -> bytes:
        """Return the encoding of this entry as the next one after `head`."""
        return netstrings(
            _ENTRY,
            head.hash,
            self.budget_id,
            head.sequence + 1,
            self.kind.value,
            *self.units,
            self.principal_id,
            self.subject_id,
            self.detail,
            self.created_at,
        )


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain at some time. It suffices to detect later that the chain was cut or rewritten. Sequence 0 is
    the empty ledger.
    """

    budget_id: str
    sequence: int
    hash: str


@dataclass(frozen=True, slots=True)
class Balances:
    """Balances recomputed from the entries, to compare with those that the database stores."""

    limit: Cost = NOTHING
    spent: Cost = NOTHING
    frozen: bool = False
    spent_by_grant: Mapping[str, Cost] = field(default_factory=dict)


def lost_entry_id(entry_hash: str) -> str:
    """Return the id under which a ledger reconciles a lost entry with this hash."""
    return "ent_" + base64.b32encode(bytes.fromhex(entry_hash)[:16]).decode().rstrip("=").lower()


def genesis(budget_id: str) -> Head:
    """Return the head of a budget's empty ledger."""
    return Head(budget_id, 0, hashlib.sha256(netstrings(_GENESIS, budget_id)).hexdigest())


def link(head: Head, draft: Entry) -> Entry:
    """Return `draft` with sequence and hashes set so that it follows `head`."""
    if draft.budget_id != head.budget_id:
        raise ChainError(head.sequence + 1, "belongs to another budget")
    return Entry(
        budget_id=draft.budget_id,
        sequence=head.sequence + 1,
        kind=draft.kind,
        amount=draft.amount,
        principal_id=draft.principal_id,
        subject_id=draft.subject_id,
        detail=draft.detail,
        created_at=draft.created_at,
        previous_hash=head.hash,
        hash=hashlib.sha256(draft.canonical_bytes_after(head)).hexdigest(),
    )


def head_of(entry: Entry) -> Head:
    return Head(entry.budget_id, entry.sequence, entry.hash)


def verify(budget_id: str, entries: Iterable[Entry], checkpoints: Iterable[Head] = ()) -> tuple[Head, Balances]:
    """Check every link, recompute the balances, and compare the chain with the checkpoints, in one pass.

    Detects any changed, dropped, inserted or reordered entry. A cut at the end, or a consistent rewriting, is detected
    only by a checkpoint. Memory grows only with the number of grants and checkpoints. Raises ChainError at the first
    wrong sequence.
    """
    expected: dict[int, set[str]] = {}
    for checkpoint in checkpoints:
        if checkpoint.budget_id == budget_id:
            expected.setdefault(checkpoint.sequence, set()).add(checkpoint.hash)
    head, balances = genesis(budget_id), Balances()
    _compare(head, expected)
    grants: dict[str, Cost] = {}
    for entry in entries:
        _check_link(head, entry)
        balances = _replay(balances, entry, grants)
        head = head_of(entry)
        _compare(head, expected)
    if expected:
        raise ChainError(head.sequence + 1, "the ledger ends before a checkpoint: it was cut or rolled back")
    return head, replace(balances, spent_by_grant=grants)


def _check_link(head: Head, entry: Entry) -> None:
    sequence = head.sequence + 1
    if entry.budget_id != head.budget_id:
        raise ChainError(sequence, "belongs to another budget")
    if entry.sequence != sequence:
        raise ChainError(sequence, "is missing or out of order")
    if entry.previous_hash != head.hash:
        raise ChainError(sequence, "does not follow the entry before it")
    try:
        content = entry.canonical_bytes()
    except UnicodeEncodeError:
        raise ChainError(sequence, "holds text that is not Unicode") from None
    if entry.hash != hashlib.sha256(content).hexdigest():
        raise ChainError(sequence, "does not have the hash of its content")


def _compare(head: Head, expected: dict[int, set[str]]) -> None:
    hashes = expected.pop(head.sequence, None)
    if hashes is not None and hashes != {head.hash}:
        raise ChainError(head.sequence, "differs from a checkpoint: the ledger was rewritten")


def _replay(balances: Balances, entry: Entry, grants: dict[str, Cost]) -> Balances:
    if (entry.sequence == 1) is not (entry.kind is EntryKind.BUDGET_OPENED):
        raise ChainError(entry.sequence, "a budget is opened once, by its first entry")
    match entry.kind:
        case EntryKind.BUDGET_OPENED | EntryKind.BUDGET_CHANGED:
            balances = replace(balances, limit=entry.amount)
        case EntryKind.BUDGET_FROZEN | EntryKind.BUDGET_UNFROZEN:
            balances = replace(balances, frozen=entry.kind is EntryKind.BUDGET_FROZEN)
        case kind if kind in SPENDING:
            balances = replace(balances, spent=balances.spent + entry.amount)
            if entry.grant_id is not None:
                grants[entry.grant_id] = grants.get(entry.grant_id, NOTHING) + entry.granted
        case _:
            pass
    # Reconciled receipts and write-offs record spending that has already happened, and a restore may have brought back
    # a lower limit. Queries without a cost are answered even then.
    free = entry.kind is EntryKind.QUERY_CHARGED and entry.amount == NOTHING
    if entry.kind in _BOUND_BY_THE_LIMIT and not free and not balances.spent.fits(balances.limit):
        raise ChainError(entry.sequence, "spends more than the budget allows")
    return balances


def read_entry(columns: Mapping[str, Any]) -> Entry:
    """Return the entry of a stored row or an exported line, given by column names.

    Raises ChainError if a column is missing or has an invalid value.
    """
    sequence = columns.get("sequence")
    try:
        return Entry(
            kind=EntryKind(columns["kind"]),
            amount=Cost(Epsilon(columns["epsilon"]), Delta(columns["delta"]), Rho(columns["rho"])),
            sequence=columns["sequence"],
            created_at=columns["created_at"],
            **{name: _text(columns[name]) for name in _TEXTS},
        )
    except (LookupError, ValueError, TypeError):
        raise ChainError(
            sequence if isinstance(sequence, int) else 0,
            "is incomplete, of an unknown kind, or holds an impossible number",
        ) from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
