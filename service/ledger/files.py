"""Read files that people keep of a ledger: exports, signed heads, receipts and releases."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.privacy import AmountError
from service.database import costs
from service.identifiers.canonical_json import ChainError, canonical_json
from service.ledger.chain import Entry, Head, read_entry
from service.ledger.receipts import (
    Receipt,
    SignatureError,
    SignedEntry,
    SignedHead,
    is_of_kind,
    read_signed,
    verify,
)

CSV_COLUMNS: Final = {
    "budget_id": "budget_id",
    "sequence": "sequence",
    "created_at_unix_seconds": "created_at",
    "kind": "kind",
    "epsilon_nano": "epsilon",
    "delta_atto": "delta",
    "rho_pico": "rho",
    "principal_id": "principal_id",
    "subject_id": "subject_id",
    "detail_json": "detail",
    "previous_hash_sha256": "previous_hash",
    "hash_sha256": "hash",
}
"""Columns of the CSV, with units in their names, and the table column of each. Amounts are integers in units of 1e-9,
1e-18 and 1e-12.
"""

_TIME: Final = "%Y-%m-%dT%H:%M:%SZ"


class UnreadableError(ValueError):
    """A file is not an export or checkpoint. The message names the file and the rule."""


def read_checkpoints(paths: Iterable[Path], public_keys: Mapping[str, str]) -> list[Head]:
    """Return the heads in files of signed heads, receipts, releases or exports. With `public_keys`, check their
    signatures.

    Raises UnreadableError if a file has none, or one with an invalid signature.
    """
    heads: list[Head] = []
    for path in paths:
        found = [
            _head_of(path, signed, public_keys)
            for document in read_documents(path)
            for signed in attestations_in(document)
        ]
        if not found:
            raise UnreadableError(f"{path.name} holds no signed head and no receipt")
        heads += found
    return heads


_MAX_NAMED_FILES: Final = 5
"""Most files that a message names."""


class FoundReceipts(NamedTuple):
    """The receipts and entries in files, each with its signed form, by budget and in the order of their times; and the
    files that held none.
    """

    receipts: list[tuple[Receipt | SignedEntry, dict[str, Any]]]
    without: list[Path]


def read_receipts(paths: Iterable[Path], public_keys: Mapping[str, str]) -> FoundReceipts:
    """Return the receipts and entries in files and in all files of folders. Raises UnreadableError if there is none, or
    one that is not signed by a known key.

    A line that a crash cut short is skipped.
    """
    found: dict[str, tuple[Receipt | SignedEntry, dict[str, Any]]] = {}
    without = []
    for path in _files(paths):
        is_empty = True
        for signed in (each for document in _documents(path) for each in attestations_in(document)):
            try:
                if is_of_kind(signed, SignedEntry):
                    entry = verify(signed, SignedEntry, public_keys)
                    found[entry.chain_hash], is_empty = (entry, signed), False
                elif _is_receipt(signed):
                    receipt = verify(signed, Receipt, public_keys)
                    found[receipt.release_id], is_empty = (receipt, signed), False
            except SignatureError as error:
                raise UnreadableError(f"{path.name}: {error}") from None
        if is_empty:
            without.append(path)
    if not found:
        names = ", ".join(path.name for path in without[:_MAX_NAMED_FILES])
        raise UnreadableError(f"no receipt in {names or 'the folders'}")
    in_order = sorted(found.values(), key=lambda pair: (pair[0].budget_id, pair[0].at, pair[0].sequence))
    return FoundReceipts(in_order, without)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files, and the files in the folders, in the order of their names."""
    for path in paths:
        if path.is_dir():
            yield from sorted(each for each in path.rglob("*") if each.is_file())
        else:
            yield path


def _documents(path: Path) -> Iterator[Any]:
    """Yield the JSON documents of a file: one, or one per line. What is not JSON is skipped."""
    try:
        with path.open(encoding="utf-8") as file:
            lines = [line for line in file if line.strip()]
    except (OSError, UnicodeDecodeError):
        return
    documents = [document for line in lines if (document := _parse_json(line)) is not None]
    if len(documents) < len(lines) and (whole := _parse_json("".join(lines))) is not None:
        documents = [whole]
    yield from documents


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _head_of(path: Path, signed: dict[str, Any], public_keys: Mapping[str, str]) -> Head:
    keys = public_keys or None
    try:
        if _is_receipt(signed):
            return read_signed(signed, Receipt, keys).head
        if is_of_kind(signed, SignedEntry):
            return read_signed(signed, SignedEntry, keys).head
        return read_signed(signed, SignedHead, keys).head
    except SignatureError as error:
        raise UnreadableError(f"{path.name}: {error}") from None


def _is_receipt(signed: Mapping[str, Any]) -> bool:
    return "release_id" in signed["body"]


def attestations_in(document: Any) -> Iterator[dict[str, Any]]:
    """Yield every attestation inside a JSON document, at any depth."""
    waiting = [document]
    while waiting:
        match waiting.pop():
            case {"body": dict(), "key_id": str(), "signature": str(), **others} as attestation if not others:
                yield dict(attestation)
            case dict() as members:
                waiting.extend(reversed(members.values()))
            case list() as items:
                waiting.extend(reversed(items))
            case _:
                pass


def read_documents(path: Path) -> list[Any]:
    """Return the JSON documents of a file: one document, or one per line. Raises UnreadableError."""
    text = _read_file(path)
    try:
        return [json.loads(text)]
    except (ValueError, RecursionError):
        pass
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        raise UnreadableError(f"{path.name} is neither JSON nor JSON lines") from None


def _read_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise UnreadableError(f"{path.name} can't be read as text") from None


def read_export(path: Path, public_keys: Mapping[str, str]) -> Iterator[Entry | Head]:
    """Yield the entries of an export: CSV, JSON lines, or pages of the API; and its signed heads. With `public_keys`,
    check their signatures. Raises UnreadableError.
    """
    text = _read_file(path)
    if text.startswith(",".join(CSV_COLUMNS)):
        for line in csv.DictReader(text.splitlines()):
            yield _entry_of_csv(path, line)
        return
    for document in read_documents(path):
        match document:
            case {"items": list(items)}:
                lines = items
            case {"body": dict(), "signature": str()}:
                yield _head_of(path, document, public_keys)
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
    """Parse an entry in the form of the API: amounts as decimal text, times in RFC 3339."""
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
        raise UnreadableError(f"{path.name} holds a line that is not a ledger entry") from None
