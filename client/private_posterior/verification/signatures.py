"""Verifies the signatures of the service: receipts, heads of ledgers and public releases. They are Ed25519 over
canonical JSON.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

RECEIPT: Final = "private-posterior receipt 1"
HEAD: Final = "private-posterior head 1"
RELEASE: Final = "private-posterior release signature 1"
OUTCOME: Final = "private-posterior outcome 1"
EVIDENCE: Final = "private-posterior evidence 1"
_FIELDS: Final[dict[str, dict[str, type]]] = {
    RECEIPT: {
        "budget_id": str, "accountant": str, "sequence": int, "release_id": str, "dataset_id": str, "grant_id": str,
        "principal_id": str, "owner_id": str, "commitment": str, "spec_sha256": str, "key_hash": str,
        "payload_hash": str, "epsilon_units": int, "delta_units": int, "rho_units": int, "chain_hash": str, "at": int,
    },
    HEAD: {"budget_id": str, "sequence": int, "chain_hash": str, "at": int},
    RELEASE: {"release_id": str, "sha256": str},
    EVIDENCE: {
        "release_id": str, "dataset_id": str, "budget_id": str, "accountant": str, "sequence": int, "chain_hash": str,
        "spec_sha256": str, "drawn_sha256": str, "answer_sha256": str, "epsilon": str, "delta": str, "rho": str,
        "at": int,
    },
    OUTCOME: {"release_id": str, "drawn_sha256": str, "answer_sha256": str},
}  # fmt: skip


class VerificationError(ValueError):
    """Content was altered, or was not written or signed by the service. The message names it."""


class UnreadableError(ValueError):
    """A text is not in a format of the service."""


def canonical_json(value: Any) -> bytes:
    """Return the canonical JSON text of a value. Raises VerificationError for a number that is not an integer."""
    _refuse_floats(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def _refuse_floats(value: Any) -> None:
    match value:
        case float():
            raise VerificationError("canonical JSON holds whole numbers only")
        case dict():
            for item in value.values():
                _refuse_floats(item)
        case list():
            for item in value:
                _refuse_floats(item)
        case _:
            pass


def key_id_of(public_key: Any) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of the raw key.

    Raises UnreadableError if the text is not a key.
    """
    return hashlib.sha256(_raw_key(public_key)).hexdigest()[:16]


def keys_in(document: Any) -> dict[str, str]:
    """Return the public keys by id, from the service's response or from a text that is a key.

    Raises UnreadableError.
    """
    match document:
        case {"public_key": current, "earlier": [*earlier]}:
            texts = [current, *(each.get("public_key") if isinstance(each, dict) else each for each in earlier)]
        case _:
            texts = [document]
    return {key_id_of(text): text for text in texts}


def _raw_key(public_key: Any) -> bytes:
    try:
        raw = _decode(public_key) if isinstance(public_key, str) else b""
    except ValueError:
        raw = b""
    if len(raw) != 32:
        raise UnreadableError("a public key must be 32 bytes in base64url, or a response of the service that holds one")
    return raw


def verify_signed(signed: Any, kind: str, keys: Mapping[str, str]) -> dict[str, Any]:
    """Return the body of a signed object of this kind. Raises VerificationError.

    `keys`: the service's public keys by id, including earlier ones.
    """
    if not is_signed(signed):
        raise VerificationError("a signed object must have a body, a key id and a signature")
    body, key_id = signed["body"], signed["key_id"]
    if key_id not in keys:
        raise VerificationError("it is signed with a key that the service does not have")
    text = canonical_json(body)
    try:
        Ed25519PublicKey.from_public_bytes(_raw_key(keys[key_id])).verify(_decode(signed["signature"]), text)
    except (InvalidSignature, ValueError):
        raise VerificationError("its signature is not valid") from None
    expected = {"kind": str} | _FIELDS[kind]
    if body.keys() != expected.keys() or any(type(body[name]) is not of for name, of in expected.items()):
        raise VerificationError("the signature is that of another kind of object")
    if body["kind"] != kind:
        raise VerificationError("the signature is that of another kind of object")
    return {name: value for name, value in body.items() if name != "kind"}


def is_signed(document: Any) -> bool:
    match document:
        case {"body": dict(), "key_id": str(), "signature": str()}:
            return len(document) == 3
        case _:
            return False


def signed_objects(document: Any) -> Iterator[dict[str, Any]]:
    """Yield every signed object inside a JSON document, at any depth."""
    waiting = [document]
    while waiting:
        each = waiting.pop()
        if is_signed(each):
            yield each
        elif isinstance(each, dict):
            waiting.extend(reversed(each.values()))
        elif isinstance(each, list):
            waiting.extend(reversed(each))


def verify_release(text: bytes, keys: Mapping[str, str]) -> dict[str, Any]:
    """Return the verified public release with this text, which must be unchanged.

    Raises VerificationError, UnreadableError.
    """
    text = text.strip()
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or not is_signed(document.get("signature")):
        raise UnreadableError("this is not a public release with its signature")
    signature = document["signature"]
    body = verify_signed(signature, RELEASE, keys)
    # The signature must be the last member: a later member could repeat a signed one with another value.
    signed = text.removesuffix(b',"signature":%b}' % canonical_json(signature))
    if body["sha256"] != hashlib.sha256(signed + b"}").hexdigest():
        raise VerificationError("the release is not the one that was signed")
    signed_document = json.loads(signed + b"}")
    if signed_document.get("id") != body["release_id"]:
        raise VerificationError("the signature is that of another release")
    return dict(signed_document)


def is_answer(text: str, release: Mapping[str, Any], sha256: str) -> bool:
    """Return whether this is the hash of the text of a release that was paid for. Since 0.3.0 the service inserts
    `kind` into what earlier versions stored, and their hash is that of the text without it.
    """
    kind = "queries" if "answers" in release else "margins" if "tables" in release else "counts"
    inserted = f'{{"kind":"{kind}",'
    stored = "{" + text.removeprefix(inserted) if text.startswith(inserted) else text
    return sha256 in {hashlib.sha256(each.encode()).hexdigest() for each in (text, stored)}


def _decode(text: str) -> bytes:
    """Return the bytes of a base64url text. Raises ValueError, also for another text of the same bytes."""
    raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if base64.urlsafe_b64encode(raw).rstrip(b"=").decode() != text:
        raise ValueError
    return raw
