"""The hash chain of a budget's ledger fixes the bytes of an entry, links entries, and verifies them from the entries
alone.

Encoding, version 1. The bytes of an entry are netstrings (the length in decimal ASCII, a colon, that many bytes, a
comma) of, in order,

    "private-posterior ledger entry 1", previous_hash, budget_id, sequence, kind, epsilon_units, delta_units, rho_units,
    principal_id, subject_id, detail, created_at

with text in UTF-8 and integers in decimal ASCII. `hash` is the SHA-256 of these bytes, in lower-case hexadecimal. The
first entry has sequence 1, and its previous_hash is the SHA-256 of the netstrings of "private-posterior ledger genesis
1" and budget_id, so that a chain cannot be passed off as another budget's. The meaning of a stored encoding never
changes: a new one would get a new first string.

Whoever can write the whole table can also compute a whole new chain. What he cannot do is make it pass the heads that
others keep: receipts and exported heads are the checkpoints, and a chain that is shorter than one or differs from one
at its sequence was rolled back or rewritten.

No database, no clock: this module is what `ledger verify` runs offline, and what the service runs when it writes.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from core.accounting.accountants import NOTHING, Cost
from core.privacy import Delta, Epsilon, Rho

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_ENTRY: Final = "private-posterior ledger entry 1"
_GENESIS: Final = "private-posterior ledger genesis 1"
_MAX: Final = 2**63 - 1
"""What a database column of 64 bits holds."""


class EntryKind(StrEnum):
    """What an entry records. Stored for ever: kinds are added, never renamed or given another meaning.

    The amount is the whole new limit where a budget or a grant is opened or changed, what was spent where something was
    spent, else nothing.
    """

    BUDGET_OPENED = "budget_opened"
    BUDGET_CHANGED = "budget_changed"
    BUDGET_FROZEN = "budget_frozen"
    BUDGET_UNFROZEN = "budget_unfrozen"
    RELEASE_CHARGED = "release_charged"
    QUERY_CHARGED = "query_charged"
    """Answers to linear queries; the amount is by how much the cost of all rows measured on the data set rose, also
    nothing.

    In the detail `granted` is the same of the rows that the grant's holder paid for, or the amount where `shared` says
    that the history is shared, `alone` the price of these rows
    without others, both in units of
    epsilon, delta and rho, and `measured` the hash of the rows.
    """
    RECEIPT_RECONCILED = "receipt_reconciled"
    """A charge that a restored database had forgotten, charged again from its receipt."""
    WRITTEN_OFF = "written_off"
    """What may have been spent and can't be known any more; spent by the owner's word."""
    POLICY_CHANGED = "policy_changed"
    """Per-release cap, allowed mechanisms, low-budget threshold; the new values stand in the detail."""
    GRANT_OPENED = "grant_opened"
    GRANT_CHANGED = "grant_changed"
    GRANT_CLOSED = "grant_closed"
    GRANT_REOPENED = "grant_reopened"
    DATASET_REGISTERED = "dataset_registered"
    DATASET_REPLACED = "dataset_replaced"
    DATASET_DELETED = "dataset_deleted"
    RELEASE_PUBLISHED = "release_published"
    """The owner let anyone read a release."""
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
    """The database is a restored backup. `kept` in the detail is the last entry of before, `witnessed` the last that
    is known to have been.
    """
    RESTORE_ENDED = "restore_ended"
    """Forgotten receipts were charged and the unknown written off: releases are possible again."""


_TEXTS: Final = ("budget_id", "principal_id", "subject_id", "detail", "previous_hash", "hash")
_BOUND_BY_THE_LIMIT: Final = frozenset({EntryKind.BUDGET_CHANGED, EntryKind.RELEASE_CHARGED, EntryKind.QUERY_CHARGED})


class ChainError(ValueError):
    """The ledger is not what was once written. `sequence` is the first place where that shows; the message says how,
    and names no data.
    """

    def __init__(self, sequence: int, rule: str) -> None:
        super().__init__(f"entry {sequence}: {rule}")
        self.sequence = sequence
        self.rule = rule


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a budget's ledger. Everything in it is public to the budget's owner; nothing in it comes from counts.

    `principal_id` is who did it (a pseudonym), `subject_id` what it was done to (data set, grant, release, key; empty
    for the budget itself), `detail` canonical JSON, `created_at` whole seconds since 1970. `grant_id` in a charge's
    detail names the grant it was also charged to. A draft has no hashes yet; `link` sets them and the sequence.
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
        """The grant that a charge was also charged to; None for the owner's own. Raises ChainError where the detail
        is not JSON.
        """
        grant_id = self.read_detail().get("grant_id")
        return grant_id if isinstance(grant_id, str) else None

    @property
    def granted(self) -> Cost:
        """What a charge took from the grant: the amount, but for queries, whose grant pays for its own rows. Raises
        ChainError.
        """
        return self._amount_in_detail("granted")

    @property
    def alone(self) -> Cost:
        """What a receipt of a charge states: the amount, but for queries, whose amount hangs on what came before.
        Raises ChainError.
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
        """The detail as an object. Raises ChainError where it is none."""
        try:
            detail = json.loads(self.detail)
        except ValueError:
            raise ChainError(self.sequence, "has a detail that is not JSON") from None
        return detail if isinstance(detail, dict) else {}

    def canonical_bytes(self) -> bytes:
        return self.canonical_bytes_behind(Head(self.budget_id, self.sequence - 1, self.previous_hash))

    def canonical_bytes_behind(self, head: Head) -> bytes:
        """The bytes that this entry has, or would have, as the next one behind `head`."""
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
    """The end of a chain as somebody saw it: enough to tell later whether the chain was cut or rewritten since.
    Sequence 0 is the empty ledger.
    """

    budget_id: str
    sequence: int
    hash: str


@dataclass(frozen=True, slots=True)
class Balances:
    """What the entries add up to: the facts that the database keeps beside them, recomputed."""

    limit: Cost = NOTHING
    spent: Cost = NOTHING
    frozen: bool = False
    spent_by_grant: Mapping[str, Cost] = field(default_factory=dict)


def genesis(budget_id: str) -> Head:
    """The head of a budget's empty ledger."""
    return Head(budget_id, 0, hashlib.sha256(netstrings(_GENESIS, budget_id)).hexdigest())


def link(head: Head, draft: Entry) -> Entry:
    """`draft` with its sequence and hashes set so that it follows `head`."""
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
        hash=hashlib.sha256(draft.canonical_bytes_behind(head)).hexdigest(),
    )


def head_of(entry: Entry) -> Head:
    return Head(entry.budget_id, entry.sequence, entry.hash)


def verify(budget_id: str, entries: Iterable[Entry], checkpoints: Iterable[Head] = ()) -> tuple[Head, Balances]:
    """Checks every link, replays the balances and holds the chain against the checkpoints; one pass, in constant memory
    but for the grants.

    Finds any changed, dropped, inserted or reordered entry; a cut at the end and a consistent rewriting only against a
    checkpoint. Raises ChainError at the first sequence that is wrong.
    """
    hashes_wanted: dict[int, set[str]] = {}
    for checkpoint in checkpoints:
        if checkpoint.budget_id == budget_id:
            hashes_wanted.setdefault(checkpoint.sequence, set()).add(checkpoint.hash)
    head, balances = genesis(budget_id), Balances()
    _hold_against(head, hashes_wanted)
    grants: dict[str, Cost] = {}
    for entry in entries:
        _check_link(head, entry)
        balances = _replay(balances, entry, grants)
        head = head_of(entry)
        _hold_against(head, hashes_wanted)
    if hashes_wanted:
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


def _hold_against(head: Head, hashes_wanted: dict[int, set[str]]) -> None:
    wanted = hashes_wanted.pop(head.sequence, None)
    if wanted is not None and wanted != {head.hash}:
        raise ChainError(head.sequence, "differs from a checkpoint: the ledger was rewritten")


def _replay(balances: Balances, entry: Entry, grants: dict[str, Cost]) -> Balances:
    if (entry.sequence == 1) is not (entry.kind is EntryKind.BUDGET_OPENED):
        raise ChainError(entry.sequence, "a budget is opened once, by its first entry")
    match entry.kind:
        case EntryKind.BUDGET_OPENED | EntryKind.BUDGET_CHANGED:
            balances = replace(balances, limit=entry.amount)
        case EntryKind.BUDGET_FROZEN | EntryKind.BUDGET_UNFROZEN:
            balances = replace(balances, frozen=entry.kind is EntryKind.BUDGET_FROZEN)
        case EntryKind.RELEASE_CHARGED | EntryKind.QUERY_CHARGED | EntryKind.RECEIPT_RECONCILED | EntryKind.WRITTEN_OFF:
            balances = replace(balances, spent=balances.spent + entry.amount)
            if entry.grant_id is not None:
                grants[entry.grant_id] = grants.get(entry.grant_id, NOTHING) + entry.granted
        case _:
            pass
    # A reconciled receipt or a write-off records what has already happened, under a limit that a restore may have
    # brought back lower. Queries that cost nothing are answered then too.
    free = entry.kind is EntryKind.QUERY_CHARGED and entry.amount == NOTHING
    if entry.kind in _BOUND_BY_THE_LIMIT and not free and not balances.spent.fits(balances.limit):
        raise ChainError(entry.sequence, "leaves more spent than the budget allows")
    return balances


def netstrings(*values: str | int) -> bytes:
    """The values one after another, each with its length before it, so that no two lists of values have the same
    bytes.
    """
    parts = [str(value).encode() for value in values]
    return b"".join([b"%d:%b," % (len(part), part) for part in parts])


def read_entry(columns: Mapping[str, Any]) -> Entry:
    """The entry of a stored row or an exported line, by the names of the columns.

    Raises ChainError where a column is missing or holds what no entry can.
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
