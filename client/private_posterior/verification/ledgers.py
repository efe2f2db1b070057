"""Recomputes the ledger of a budget from its export: hash chain, balances, grants, and the objects that
charges name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, Final, NamedTuple, Self

from private_posterior.verification.signatures import (
    HEAD,
    RECEIPT,
    UnreadableError,
    VerificationError,
    canonical_json,
    is_signed,
    verify_signed,
)

_ENTRY: Final = "private-posterior ledger entry 1"
_GENESIS: Final = "private-posterior ledger genesis 1"
_DIGITS: Final = {"epsilon": 9, "delta": 18, "rho": 12}
_MAIN: Final = {"basic": "epsilon", "zcdp": "rho"}
_CHARGES: Final = ("release_charged", "query_charged")
_KINDS_WITHOUT_BALANCE: Final = frozenset({
    "policy_changed", "release_published", "release_withdrawn", "history_shared", "history_unshared", "budget_renamed",
    "dataset_renamed", "dataset_listed", "dataset_unlisted", "access_declined", "restore_ended",
    "entry_reconciled", "clock_confirmed", "budget_transferred",
})  # fmt: skip


class Amount(NamedTuple):
    """Whole units: 1e-9 of epsilon, 1e-18 of delta, 1e-12 of rho."""

    epsilon: int = 0
    delta: int = 0
    rho: int = 0

    def plus(self, other: Amount) -> Amount:
        return Amount(*(one + another for one, another in zip(self, other, strict=True)))

    def fits(self, limit: Amount) -> bool:
        return all(one <= most for one, most in zip(self, limit, strict=True))

    def __str__(self) -> str:
        parts = [
            f"{name} {_decimal(units, _DIGITS[name])}" for name, units in zip(self._fields, self, strict=True) if units
        ]
        return " and ".join(parts) or "nothing"


NOTHING: Final = Amount()


def _decimal(units: int, digits: int) -> str:
    whole, part = divmod(units, 10**digits)
    fraction = f"{part:0{digits}d}".rstrip("0")
    return f"{whole}.{fraction}" if fraction else str(whole)


def amount_of(document: Mapping[str, Any]) -> Amount:
    """Return the amount of a JSON document. Raises LookupError, TypeError or ValueError for anything else."""
    units, names = {}, (_MAIN[document["accountant"]], "delta")
    if {name for name, value in document.items() if value is not None} != {"accountant", *names}:
        raise ValueError
    for name in names:
        exact = Fraction(document[name]) * 10 ** _DIGITS[name]
        if exact.denominator != 1 or exact < 0:
            raise ValueError
        units[name] = int(exact)
    return Amount(**units)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an export. `detail` is its object, and the chain covers its canonical JSON."""

    budget_id: str
    sequence: int
    kind: str
    amount: Amount
    principal_id: str
    subject_id: str
    detail: dict[str, Any]
    created_at: int
    previous_hash: str
    hash: str

    @classmethod
    def read(cls, line: Any) -> Self:
        """Parse a line of an export. Raises UnreadableError."""
        try:
            moment = datetime.strptime(line["created_at"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
            texts = {
                name: line[name]
                for name in ("budget_id", "kind", "principal_id", "subject_id", "previous_hash", "hash")
            }
            entry = cls(
                amount=amount_of(line["amount"]), sequence=line["sequence"], detail=line["detail"],
                created_at=int(moment.timestamp()), **texts,
            )  # fmt: skip
        except (LookupError, TypeError, ValueError):
            raise UnreadableError("the export holds a line that is not a ledger entry") from None
        if type(entry.sequence) is not int or not isinstance(entry.detail, dict):
            raise UnreadableError("the export holds a line that is not a ledger entry")
        if not all(isinstance(text, str) for text in texts.values()) or len(line) != len(fields(cls)):
            raise UnreadableError("the export holds a line that is not a ledger entry")
        return entry

    @property
    def content_hash(self) -> str:
        return _hash(
            _ENTRY, self.previous_hash, self.budget_id, self.sequence, self.kind, *self.amount, self.principal_id,
            self.subject_id, canonical_json(self.detail).decode(), self.created_at,
        )  # fmt: skip

    def amount_in(self, name: str) -> Amount:
        """Return the amount that the grant paid (`granted`) or that the receipt states (`alone`).

        Both equal the entry's amount, except in charges of queries.
        """
        if self.kind != "query_charged":
            return self.amount
        units = self.detail.get(name)
        if not isinstance(units, list) or len(units) != 3 or any(type(each) is not int or each < 0 for each in units):
            raise _fault(self.sequence, f"charges queries without the member {name}")
        return Amount(*units)


def _hash(*values: str | int) -> str:
    parts = [str(value).encode() for value in values]
    return hashlib.sha256(b"".join(b"%d:%b," % (len(part), part) for part in parts)).hexdigest()


def _fault(sequence: int, rule: str) -> VerificationError:
    return VerificationError(f"entry {sequence} {rule}")


@dataclass(slots=True)
class _Grant:
    cap: Amount
    spent: Amount = NOTHING
    closed: bool = False


@dataclass(slots=True)
class Ledger:
    """A ledger whose chain and balances hold, as far as it was read."""

    budget_id: str
    accountant: str = ""
    sequence: int = 0
    hash: str = ""
    hashes: list[str] = field(default_factory=list)
    """Hash at each sequence, from the genesis on."""
    limit: Amount = NOTHING
    spent: Amount = NOTHING
    frozen: bool = False
    charges: dict[str, Entry] = field(default_factory=dict)
    """Charge of each release, including charges that were repeated after a restore."""
    datasets: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Registration of each data set in the ledger."""
    restored_behind: int | None = None
    """The last entry of a restored backup."""
    _grants: dict[str, _Grant] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.hash = _hash(_GENESIS, self.budget_id)
        self.hashes.append(self.hash)

    def __str__(self) -> str:
        state = ", frozen" if self.frozen else ""
        return (
            f"budget {self.budget_id}: intact, {self.sequence} entries, spent {self.spent} of {self.limit}{state}; "
            f"head {self.hash}"
        )

    def add(self, entry: Entry, keys: Mapping[str, str]) -> None:
        """Check the next entry and include it in the balances. Raises VerificationError."""
        sequence = self.sequence + 1
        if entry.budget_id != self.budget_id:
            raise _fault(sequence, "belongs to another budget")
        if entry.sequence != sequence:
            raise _fault(sequence, "is missing or out of order")
        if entry.previous_hash != self.hash:
            raise _fault(sequence, "does not follow the entry before it")
        if entry.hash != entry.content_hash:
            raise _fault(sequence, "does not have the hash of its content")
        if (sequence == 1) is not (entry.kind == "budget_opened"):
            raise _fault(sequence, "is wrong: a budget is opened once, by its first entry")
        self._count(entry, keys)
        self.sequence, self.hash = sequence, entry.hash
        self.hashes.append(entry.hash)

    def _count(self, entry: Entry, keys: Mapping[str, str]) -> None:
        grant = self._grants.get(entry.subject_id)
        match entry.kind:
            case "budget_opened":
                self.limit, self.accountant = entry.amount, str(entry.detail.get("accountant"))
            case "budget_changed":
                self.limit = entry.amount
                self._require_within_limit(entry)
            case "budget_frozen" | "budget_unfrozen":
                self.frozen = entry.kind == "budget_frozen"
            case "grant_opened":
                self._grants[entry.subject_id] = _Grant(entry.amount)
            case "grant_changed" if grant is not None:
                grant.cap = entry.amount
            case "grant_closed" | "grant_reopened" if grant is not None:
                grant.closed = entry.kind == "grant_closed"
            case "dataset_registered" | "dataset_replaced":
                self._register(entry)
            case "dataset_deleted":
                self.datasets.get(entry.subject_id, {})["deleted"] = True
            case "release_charged" | "query_charged":
                self._charge(entry)
            case "receipt_reconciled":
                self._reconcile(entry, keys)
            case "written_off":
                self.spent = self.spent.plus(entry.amount)
            case "restore_noticed":
                self.restored_behind = entry.detail.get("kept")
            case "grant_changed" | "grant_closed" | "grant_reopened":
                raise _fault(entry.sequence, "changes a grant that was never opened")
            case _ if entry.kind in _KINDS_WITHOUT_BALANCE:
                pass
            case _:
                raise _fault(entry.sequence, "is of a kind that this version does not know")

    def _register(self, entry: Entry) -> None:
        known = self.datasets.get(entry.subject_id)
        if (known is None) is not (entry.kind == "dataset_registered"):
            raise _fault(entry.sequence, "registers a data set twice, or replaces counts that were never registered")
        owner_id = entry.principal_id if known is None else known["owner_id"]
        relation = entry.detail.get("relation")
        if any(each.get("relation") != relation for each in self.datasets.values()):
            raise _fault(entry.sequence, "registers counts of another neighbour relation than those of its budget")
        self.datasets[entry.subject_id] = {**entry.detail, "owner_id": owner_id}

    def _charge(self, entry: Entry) -> None:
        detail, dataset = entry.detail, self.datasets.get(str(entry.detail.get("dataset_id")))
        if entry.subject_id in self.charges:
            raise _fault(entry.sequence, "charges a release a second time")
        if self.frozen:
            raise _fault(entry.sequence, "is charged while the budget was frozen")
        if dataset is None or "deleted" in dataset:
            raise _fault(entry.sequence, "charges a release from a data set that was not there")
        if detail.get("commitment") != dataset["commitment"]:
            raise _fault(entry.sequence, "names a foreign commitment: its counts are not those registered")
        if detail.get("owner_id") != dataset["owner_id"]:
            raise _fault(entry.sequence, "names another owner than the one who registered the data set")
        self._spend(entry)
        if entry.amount != NOTHING:
            self._require_within_limit(entry)
        if "grant_id" not in detail:
            return
        grant = self._grants.get(str(detail["grant_id"]))
        if grant is None or grant.closed:
            raise _fault(entry.sequence, "is charged to a grant that was not open")
        if entry.amount_in("granted") != NOTHING and not grant.spent.fits(grant.cap):
            raise _fault(entry.sequence, "spends more than the grant allows")

    def _spend(self, entry: Entry) -> None:
        self.charges[entry.subject_id] = entry
        self.spent = self.spent.plus(entry.amount)
        entry.amount_in("alone")
        grant = self._grants.get(str(entry.detail.get("grant_id")))
        if grant is not None:
            grant.spent = grant.spent.plus(entry.amount_in("granted"))

    def _require_within_limit(self, entry: Entry) -> None:
        if not self.spent.fits(self.limit):
            raise _fault(entry.sequence, "spends more than the budget allows")

    def _reconcile(self, entry: Entry, keys: Mapping[str, str]) -> None:
        try:
            receipt = verify_signed(entry.detail.get("receipt"), RECEIPT, keys)
        except VerificationError as error:
            raise _fault(entry.sequence, f"charges a receipt again, but {error}") from None
        if (receipt["budget_id"], receipt["release_id"]) != (self.budget_id, entry.subject_id):
            raise _fault(entry.sequence, "reconciles a receipt of another release or data set")
        if amount_of_receipt(receipt) != entry.amount:
            raise _fault(entry.sequence, "does not charge what its receipt says")
        self._spend(entry)

    def require_head(self, head: Mapping[str, Any], what: str) -> None:
        """Compare the chain with a verified head or receipt that was kept elsewhere.

        Raises VerificationError if they differ.
        """
        if head["budget_id"] != self.budget_id:
            raise VerificationError(f"{what} is of another budget")
        sequence = head["sequence"]
        if 0 <= sequence <= self.sequence and self.hashes[sequence] == head["chain_hash"]:
            return
        if any(
            _place(entry.detail["receipt"]["body"]) == (sequence, head["chain_hash"])
            for entry in self.charges.values()
            if entry.kind == "receipt_reconciled"
        ):
            return
        how = "ends before" if sequence > self.sequence else "differs from"
        raise VerificationError(f"the ledger {how} {what}: it was cut or rewritten.{self._history(sequence)}")

    def _history(self, sequence: int) -> str:
        if self.restored_behind is None or sequence <= self.restored_behind:
            return ""
        return (
            f" It says that it was restored from a backup that ended with entry {self.restored_behind}. Later entries "
            "were lost. Compare the entries receipt_reconciled and written_off."
        )

    def require_receipt(self, receipt: Mapping[str, Any]) -> None:
        """Compare a verified receipt with its ledger entry. Raises VerificationError if they differ."""
        what = f"the receipt of {receipt['release_id']}"
        self.require_head(receipt, what)
        entry = self.charges.get(receipt["release_id"])
        if entry is None:
            raise VerificationError(f"{what}: the ledger has no such charge")
        if amount_of_receipt(receipt) != entry.amount_in("alone"):
            raise VerificationError(f"{what} and entry {entry.sequence} differ in the price")
        if receipt["accountant"] != self.accountant:
            raise VerificationError(f"{what} and the ledger differ in the accountant")
        if entry.kind == "receipt_reconciled":
            return
        named = {name: str(entry.detail.get(name, "")) for name in _DETAIL_FIELDS}
        named["principal_id"] = entry.principal_id
        for name, value in named.items():
            if receipt[name] != value:
                raise VerificationError(f"{what} and entry {entry.sequence} differ in {name}")
        if _place(receipt) != (entry.sequence, entry.hash):
            raise VerificationError(f"{what} is of another entry than {entry.sequence}")


_DETAIL_FIELDS: Final = ("dataset_id", "grant_id", "owner_id", "commitment", "spec_sha256", "key_hash", "payload_hash")


def _place(signed: Mapping[str, Any]) -> tuple[int, str]:
    return signed["sequence"], signed["chain_hash"]


def amount_of_receipt(receipt: Mapping[str, Any]) -> Amount:
    """Return the standalone cost of a receipt's release."""
    return Amount(receipt["epsilon_units"], receipt["delta_units"], receipt["rho_units"])


def verify_ledger(
    export: bytes, keys: Mapping[str, str], kept: Iterable[Mapping[str, Any]] = (), *, budget_id: str | None = None
) -> Ledger:
    """Return the verified ledger of an export as JSON lines, whose last line is its signed head.

    `kept`: earlier signed heads, which must still be in the chain. Raises VerificationError, UnreadableError.
    """
    try:
        *lines, end = [json.loads(line) for line in export.decode().splitlines() if line.strip()]
    except (ValueError, RecursionError):
        raise UnreadableError("this is not a ledger as JSON lines") from None
    if not is_signed(end):
        raise UnreadableError("the export does not end with a signed head")
    entries = [Entry.read(line) for line in lines]
    head = verify_signed(end, HEAD, keys)
    ledger = Ledger(budget_id or head["budget_id"])
    for entry in entries:
        ledger.add(entry, keys)
    ledger.require_head(head, "its signed head")
    if head["sequence"] != ledger.sequence:
        raise VerificationError("the ledger continues after its signed head")
    for each in kept:
        ledger.require_head(verify_signed(each, HEAD, keys), f"the head kept at entry {each['body'].get('sequence')}")
    return ledger
