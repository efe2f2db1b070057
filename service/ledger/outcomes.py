"""Compare stored releases with the signatures of the service: the receipt of the charge, and the outcome when it was
stored. The outcome is the drawn values and the answer. Without public keys, contents are compared and no signature is
verified.

Version 0.1.0 signed receipts and no outcomes. The spec of a later release states that its outcome is signed, and the
receipt has the hash of the spec: so nobody can pass an unsigned outcome for one of 0.1.0. The outcomes of 0.1.0 are
compared with the facts in the receipt, and with each other.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

from core.accounting.accountants import Accountant
from service.database import costs
from service.database.rows import ReleaseRow
from service.identifiers.canonical_json import canonical_json
from service.ledger.query_debit import QUERY_PREFIX
from service.ledger.receipts import (
    Outcome,
    Receipt,
    ReleaseSignature,
    Signer,
    UnknownKeyError,
    is_signed,
    parse,
    read_signed,
)

SIGNED_OUTCOME: Final = {"outcome": "signed"}
"""Member of the spec of a release whose outcome is signed."""
NOT_SIGNED: Final = ""
"""`releases.signature` until there is an outcome."""
_ROW_FIELDS: Final = ("budget_id", "dataset_id", "owner_id", "principal_id", "key_hash", "payload_hash")
"""Fields that must be equal in the row and the receipt of a release."""
_IDENTITY_FIELDS: Final = ("id", "dataset_id", "budget_id", "principal_id")
"""Columns that an answer repeats."""
_SPEC_FIELDS_BY_KIND: Final = {"posterior": ("labels", "attributes", "event"), "query": ("event",)}
"""Members that an answer repeats from the spec, by the kind of the release."""


class SignedText(NamedTuple):
    """The stored JSON text of a release, with the signature of its outcome; None if version 0.1.0 paid."""

    text: str
    signature: str | None


def sign_outcome(signer: Signer, release_id: str, drawn: str, answer: str | None = None) -> str:
    """Return the signature of drawn values, and of the answer if it is composed."""
    return signer.signed_text(Outcome.of(release_id, drawn, answer))


def is_paid(row: ReleaseRow, public_keys: Mapping[str, str] | None) -> bool:
    """Return whether the row is the one that its signed receipt describes. Raises UnknownKeyError if it is, and the
    receipt names another key than the given ones.

    The charge of queries is not compared: it can be less than the receipt's amount, if earlier rows share the cost.
    """
    try:
        signed = json.loads(row.receipt)
        receipt = parse(signed, Receipt)
        return _describes(receipt, row) and read_signed(signed, Receipt, public_keys) == receipt
    except UnknownKeyError:
        raise
    except (ValueError, TypeError, AttributeError):
        return False


def _describes(receipt: Receipt, row: ReleaseRow) -> bool:
    paid = {name: getattr(receipt, name) for name in _ROW_FIELDS}
    paid |= {"id": receipt.release_id, "sequence": receipt.sequence, "created_at": receipt.at}
    return (
        all(getattr(row, name) == value for name, value in paid.items())
        and hashlib.sha256(row.spec.encode()).hexdigest() == receipt.spec_sha256
        and row.kind == ("query" if row.id.startswith(f"{QUERY_PREFIX}_") else "posterior")
        and (row.kind == "query" or row.charged == receipt.amount)
    )


def is_genuine(row: ReleaseRow, public_keys: Mapping[str, str] | None) -> bool:
    """Return whether the row's state, drawn values and answer are those that the service stored. Raises
    UnknownKeyError.
    """
    if (row.drawn is not None, row.result is not None) != (row.state in ("drawn", "complete"), row.state == "complete"):
        return False
    if row.drawn is None:
        return True
    if row.signature:
        return is_signed(row.signature, Outcome.of(row.id, row.drawn, row.result), public_keys)
    if not is_paid(row, public_keys):
        return False
    try:
        spec = json.loads(row.spec)
        return spec.get("outcome") != "signed" and (row.result is None or _fits(row, spec))
    except (ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError):
        return False


def is_public_text(release_id: str, text: str, public_keys: Mapping[str, str] | None) -> bool:
    """Return whether the text is the signed public text of this release. Raises UnknownKeyError."""
    try:
        signature = canonical_json(json.loads(text)["signature"])
    except (ValueError, LookupError, TypeError):
        return False
    content = text.removesuffix(f',"signature":{signature}}}') + "}"
    return is_signed(signature, ReleaseSignature.of(release_id, content.encode()), public_keys)


def repeats(text: str, document: str) -> bool:
    """Return whether every member of a public text is that of the release's answer, except its signature, and for
    `kind`, which answers of 0.1.0 and 0.2.0 lack.
    """
    try:
        public, answer = json.loads(text), json.loads(document)
        return all(answer[name] == value for name, value in public.items() if name not in ("kind", "signature"))
    except (ValueError, LookupError, TypeError, AttributeError):
        return False


def _fits(row: ReleaseRow, spec: Mapping[str, Any]) -> bool:
    """Return whether an unsigned answer is that of the row: its ids, receipt, event, loss, charge and drawn values."""
    answer, drawn, accountant = json.loads(row.document), json.loads(row.drawn or ""), Accountant(spec["accountant"])
    receipt = json.loads(row.receipt)
    amount = Receipt(**{name: value for name, value in receipt["body"].items() if name != "kind"}).amount
    certificate = spec["certificate"]
    same = [answer[name] == getattr(row, name) for name in _IDENTITY_FIELDS]
    same += [answer[name] == spec[name] for name in _SPEC_FIELDS_BY_KIND[row.kind]]
    same += [answer["receipt"] == receipt]
    same += [certificate is None or answer["certificate"]["loss"] == certificate["loss"]]
    if row.kind == "posterior":
        posterior = answer["posterior"]
        same += [
            answer["certified"] == certificate["loss"],
            answer["charged"] == costs.document(accountant, row.charged),
            posterior["noisy_counts"] == drawn["noisy"],
            posterior["released_counts"] == drawn["on_simplex"],
        ]
    else:
        rows = [Fraction(each["exact_answer"]) for each in answer["measured"]]
        same += [
            answer["standalone_cost"] == costs.document(accountant, amount),
            bool(receipt["body"]["grant_id"]) or answer["charged"] == costs.document(accountant, row.charged),
            rows == [Fraction(each) for each in drawn],
        ]
    return all(same)
