"""Checks texts that somebody kept: releases, receipts, signed heads and ledger entries.

A text is compared with signatures, with a verified ledger, and with what the service has of the release; never with
itself. Each check says what it compared, and names every member that it did not compare.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from private_posterior.verification.evidence import (
    STATED,
    Evidence,
    compare_release,
    is_evidence,
    require_entry,
    require_no_fork,
    verify_evidence,
)
from private_posterior.verification.ledgers import Entry, Ledger, amount_of, amount_of_receipt
from private_posterior.verification.releases import faults_of_release
from private_posterior.verification.signatures import (
    HEAD,
    OUTCOME,
    RECEIPT,
    UnreadableError,
    VerificationError,
    is_answer,
    is_signed,
    verify_release,
    verify_signed,
)

NOT_BOUND: Final = "labels, prior, unit, number of records, mechanism, noise and counts not checked"
"""What no receipt binds in a form that can be compared with the text of a release."""
MISSING: Final = "members that it lacks"
_RECEIPT_FIELDS: Final = {
    "id": "release_id", "dataset_id": "dataset_id", "budget_id": "budget_id", "principal_id": "principal_id",
}  # fmt: skip
Fetch = Callable[[Entry], Mapping[str, Any] | None]
"""Returns the service's release of a charge, or None if it has none. Raises VerificationError."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A text without a fault: what it is, what it was compared with, and its members that were not compared."""

    what: str
    compared: str
    unchecked: tuple[str, ...] = ()


def texts_in(content: bytes) -> list[tuple[str, Any]]:
    """Return each JSON document of a file with its text: the elements of an array, or documents one after another, as
    in JSON lines. Raises UnreadableError.
    """
    try:
        return list(_split_documents(content.decode().strip()))
    except (ValueError, RecursionError):
        raise UnreadableError("is neither JSON nor JSON lines, or has a member twice in one object") from None


def _split_documents(text: str) -> Iterator[tuple[str, Any]]:
    decoder, is_array = json.JSONDecoder(object_pairs_hook=_members_without_repetition), text.startswith("[")
    end, separator = ("]", ",") if is_array else ("", "")
    text = text.removeprefix("[").lstrip() if is_array else text
    while text and text != end:
        document, length = decoder.raw_decode(text)
        yield text[:length], document
        text = text[length:].lstrip()
        if not text.startswith(separator) and text != end:
            raise ValueError
        text = text.removeprefix(separator).lstrip()
    if text != end:
        raise ValueError


def _members_without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a repeated member: readers differ in which one they take."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def check_release(text: str, release: Any, keys: Mapping[str, str], signature: Any = None) -> Checked:
    """Check a public release by its signature. Check a release that was paid for by `signature`, which was kept beside
    it; without one, only what its receipt binds.

    Raises VerificationError, UnreadableError.
    """
    match release:
        case {"signature": _, "receipt": _}:
            raise VerificationError("it has both a signature and a receipt: no text of the service has both")
        case {"signature": _}:
            return _check_public_release(text, keys)
        case {"id": _, "receipt": _}:
            checked = _check_paid_release(release, keys)
            return checked if signature is None else _check_signed_outcome(text, checked, release, keys, signature)
        case _:
            raise UnreadableError("this is neither a public release nor a release that somebody paid for")


def check_texts(texts: Sequence[tuple[str, Any, Any]], keys: Mapping[str, str]) -> list[Checked]:
    """Check releases and evidence in any order, and compare each release with its evidence. No two may name one ledger
    entry with different hashes. `texts`: each text, its document, and the signature kept beside it or None.

    Raises VerificationError, UnreadableError.
    """
    evidences = {
        each.body["release_id"]: each
        for each in (verify_evidence(document, keys) for _, document, _ in texts if is_evidence(document))
    }
    found, compared = [], set[str]()
    for text, document, signature in texts:
        if is_evidence(document):
            continue
        checked = check_release(text, document, keys, signature)
        if (evidence := evidences.get(document["id"])) is not None:
            compared.add(document["id"])
            checked = _check_with_evidence(checked, evidence, text, document)
        found.append(checked)
    require_no_fork(document for _, document, _ in texts)
    alone = [
        Checked(each.what, f"genuine: all bytes are those that the service signed. {STATED}")
        for name, each in evidences.items()
        if name not in compared
    ]
    return [*found, *alone]


def _check_with_evidence(checked: Checked, evidence: Evidence, text: str, release: Mapping[str, Any]) -> Checked:
    compared = compare_release(evidence, text, release)
    if "receipt" not in release:
        return Checked(checked.what, f"{checked.compared}; {compared}. {STATED}")
    entry = release["receipt"]["body"]
    lacks = "" if evidence.spec.get("outcome") == "signed" else ". Version 0.1.0 drew it, and signed no hash of it then"
    return Checked(
        checked.what,
        f"genuine: {compared}; charged by entry {entry['sequence']} of budget {entry['budget_id']}{lacks}. {STATED}",
    )


def _check_public_release(text: str, keys: Mapping[str, str]) -> Checked:
    release = verify_release(text.encode(), keys)
    return Checked(f"public release {release['id']}", "genuine: all bytes are those that the service signed")


def _check_paid_release(release: Mapping[str, Any], keys: Mapping[str, str]) -> Checked:
    receipt = verify_signed(release["receipt"], RECEIPT, keys)
    what = f"release {receipt['release_id']}"
    for name, bound in _RECEIPT_FIELDS.items():
        if release.get(name) != receipt[bound]:
            raise VerificationError(f"{what}: its {name} is not that of its receipt")
    if release.get("created_at") != f"{datetime.fromtimestamp(receipt['at'], UTC):%Y-%m-%dT%H:%M:%SZ}":
        raise VerificationError(f"{what}: its created_at is not that of its receipt")
    # A receipt of queries states what they cost alone; the ledger has what they added.
    price = "standalone_cost" if "answers" in release else "charged"
    if not _is_amount(release.get(price), receipt):
        raise VerificationError(f"{what}: its {price} is not the amount of its receipt")
    compared = ["receipt", *_RECEIPT_FIELDS, "created_at", price]
    return Checked(
        what,
        f"receipt genuine; {NOT_BOUND}. Entry {receipt['sequence']} of budget {receipt['budget_id']}. "
        f"Compared with the receipt: {', '.join(compared[1:])}",
        (*(name for name in release if name not in compared), MISSING),
    )


def _check_signed_outcome(
    text: str, checked: Checked, release: Mapping[str, Any], keys: Mapping[str, str], kept: Any
) -> Checked:
    outcome = verify_signed(kept, OUTCOME, keys)
    if outcome["release_id"] != release["id"]:
        raise VerificationError(f"{checked.what}: the signature beside it is of another release")
    if not is_answer(text, release, outcome["answer_sha256"]):
        raise VerificationError(f"{checked.what}: it is not the text that the service signed")
    entry = release["receipt"]["body"]
    return Checked(
        checked.what,
        "genuine: all bytes are those that the service signed; "
        f"charged by entry {entry['sequence']} of budget {entry['budget_id']}",
    )


def _is_amount(stated: Any, receipt: Mapping[str, Any]) -> bool:
    try:
        return stated["accountant"] == receipt["accountant"] and amount_of(stated) == amount_of_receipt(receipt)
    except (LookupError, TypeError, ValueError, AttributeError):
        return False


def check_with_ledger(text: str, document: Any, ledger: Ledger, keys: Mapping[str, str], fetch: Fetch) -> Checked:
    """Check a text against a verified ledger, and a paid release against the service's. Raises VerificationError, and
    UnreadableError if it is of no known kind.
    """
    match document:
        case {"signature": _} if is_evidence(document):
            evidence = verify_evidence(document, keys)
            return Checked(evidence.what, f"genuine, and equal to entry {require_entry(evidence, ledger)}. {STATED}")
        case {"receipt": _} | {"signature": _} if not is_signed(document):
            checked = check_release(text, document, keys)
            return _check_charge(document, checked, ledger, keys, fetch)
        case {"body": {"kind": str(kind)}} if is_signed(document) and kind == RECEIPT:
            receipt = verify_signed(document, RECEIPT, keys)
            ledger.require_receipt(receipt)
            return Checked(f"receipt of {receipt['release_id']}", f"genuine, and equal to entry {receipt['sequence']}")
        case {"body": {"kind": str(kind)}} if is_signed(document) and kind == HEAD:
            head = verify_signed(document, HEAD, keys)
            ledger.require_head(head, "this head")
            return Checked("signed head", f"genuine, and on the chain at entry {head['sequence']}")
        case {"subject_id": _, "previous_hash": _}:
            return _entry(document, ledger)
        case _:
            raise UnreadableError("holds nothing that I know")


def _check_charge(
    release: Mapping[str, Any], checked: Checked, ledger: Ledger, keys: Mapping[str, str], fetch: Fetch
) -> Checked:
    """Compare a release with its entry, and a paid one with the service's release."""
    entry = ledger.charges.get(release["id"])
    if entry is None or release.get("budget_id") != ledger.budget_id:
        raise VerificationError(f"{checked.what}: the ledger has no such charge")
    if "signature" in release:
        return Checked(checked.what, f"{checked.compared}; charged by entry {entry.sequence}")
    faults = list(faults_of_release(release, ledger, keys))
    if faults:
        raise VerificationError("; ".join(faults))
    kept = fetch(entry)
    if kept is None:
        return Checked(checked.what, f"{checked.compared}; the service has no release to compare", checked.unchecked)
    different = (release.keys() ^ kept.keys()) - {"kind"}  # a file of 0.1.0 or 0.2.0 has none
    different |= {
        name for name in release.keys() & kept.keys() if _plain_text(release[name]) != _plain_text(kept[name])
    }
    if different:
        raise VerificationError(
            f"{checked.what}: its {', '.join(sorted(different))} differs from the service's release"
        )
    dataset = ledger.datasets.get(str(release["dataset_id"]), {})
    lacks = (
        ""
        if "description_sha256" in dataset
        else (". Its data set was registered by 0.1.0: no entry binds labels, attributes and unit")
    )
    return Checked(
        checked.what,
        f"receipt genuine, and equal to entry {entry.sequence}; every member equal to the service's release, which "
        f"alone states prior, mechanism, noise and counts{lacks}",
    )


def _plain_text(value: Any) -> str:
    """Return a text that is equal for equal JSON: 1 and 1.0 are equal, 1 and true are not."""
    return json.dumps(json.loads(json.dumps(value, sort_keys=True), parse_int=float))


def _entry(line: Mapping[str, Any], ledger: Ledger) -> Checked:
    entry = Entry.read(line)
    what = f"entry {entry.sequence}"
    is_on_chain = 0 < entry.sequence < len(ledger.hashes) and ledger.hashes[entry.sequence] == entry.hash
    if entry.budget_id != ledger.budget_id or not is_on_chain or entry.content_hash != entry.hash:
        raise VerificationError(f"{what} is not in the ledger")
    return Checked(what, "equal to that of the ledger")
