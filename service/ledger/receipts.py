"""Sign and verify attestations with Ed25519 over canonical JSON: the receipt of a charge, the head of a budget's chain,
and the signature of a public release.

A receipt proves to an owner or an auditor that the service charged this amount at this entry of the chain. Receipts
also reconcile a database that was restored from an older backup. A head is a checkpoint: a later chain that is shorter,
or differs there, was rolled back or rewritten.

An attestation has the form {"body": {...}, "key_id": "...", "signature": "..."}. The signature, in unpadded base64url,
covers the bytes of canonical_json(body). key_id is the first 16 hexadecimal digits of the SHA-256 of the raw 32-byte
public key. `kind` inside the body prevents that a receipt passes for a head. Anyone with the public key can verify one
offline.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias, TypeVar

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from core.accounting.accountants import Accountant, Cost
from core.privacy import Delta, Epsilon, Rho
from service.identifiers.canonical_json import Json, canonical_json
from service.ledger.chain import Entry, Head, read_entry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from service.database.rows import JobRow

_SEED_BYTES: Final = 32
_KEY_ID: Final = re.compile("[0-9a-f]{16}")
_PARTS: Final = {"body", "key_id", "signature"}
_DETAIL_FIELDS: Final = (
    "dataset_id",
    "grant_id",
    "owner_id",
    "commitment",
    "spec_sha256",
    "key_hash",
    "payload_hash",
)
"""Members of the entry's detail that the receipt repeats."""
_RECEIPT_FIELDS: Final = (
    "release_id",
    "dataset_id",
    "budget_id",
    "accountant",
    "sequence",
    "chain_hash",
    "spec_sha256",
    "at",
)
"""Members of the receipt that evidence repeats."""


class SigningKeyError(ValueError):
    """The configured signing key is invalid. The message names the rule and never the key."""


class SignatureError(ValueError):
    """The attestation is not signed by a known key, was altered, or is of another kind. The message quotes nothing of
    it.
    """


class UnknownKeyError(SignatureError):
    """The attestation names a key that is not among the given ones."""

    def __init__(self, key_id: str) -> None:
        super().__init__("the attestation was signed by an unknown key")
        self.key_id = key_id


@dataclass(frozen=True, slots=True)
class Receipt:
    """One charge in the ledger: entry, amount, subject, and the hash of the chain up to it.

    - `spec_sha256`: SHA-256, in lower-case hexadecimal, of the stored spec (request, event, certificate) that is drawn
    - `commitment` and `owner_id`: identify the counts that it is drawn from
    - `at`: whole seconds since 1970
    """

    budget_id: str
    accountant: str
    sequence: int
    release_id: str
    dataset_id: str
    grant_id: str
    principal_id: str
    owner_id: str
    commitment: str
    spec_sha256: str
    key_hash: str
    payload_hash: str
    epsilon_units: int
    delta_units: int
    rho_units: int
    chain_hash: str
    at: int

    @classmethod
    def of(cls, entry: Entry, accountant: str, detail: Mapping[str, Json] | None = None) -> Self:
        """Return the receipt of a linked charge. Its `grant_id` is empty for a release by the owner.

        `detail` is the entry's detail if the caller has already parsed it.
        """
        # The amount of a query charge depends on earlier rows, which a restore may lose too. Only the standalone price
        # can be charged again.
        alone = entry.alone
        detail = entry.read_detail() if detail is None else detail
        return cls(
            budget_id=entry.budget_id,
            accountant=Accountant(accountant).value,
            sequence=entry.sequence,
            release_id=entry.subject_id,
            principal_id=entry.principal_id,
            **{name: str(detail.get(name, "")) for name in _DETAIL_FIELDS},
            epsilon_units=alone.epsilon.units,
            delta_units=alone.delta.units,
            rho_units=alone.rho.units,
            chain_hash=entry.hash,
            at=entry.created_at,
        )

    @property
    def amount(self) -> Cost:
        return Cost(Epsilon(self.epsilon_units), Delta(self.delta_units), Rho(self.rho_units))

    @property
    def head(self) -> Head:
        return Head(self.budget_id, self.sequence, self.chain_hash)


@dataclass(frozen=True, slots=True)
class SignedHead:
    """The end of a budget's chain, which an owner keeps as a checkpoint. `at` is in whole seconds since 1970."""

    budget_id: str
    sequence: int
    chain_hash: str
    at: int

    @property
    def head(self) -> Head:
        return Head(self.budget_id, self.sequence, self.chain_hash)


@dataclass(frozen=True, slots=True)
class ReleaseSignature:
    """Attestation of a release's public text. `sha256`, in lower-case hexadecimal, covers the text without its
    signature.
    """

    release_id: str
    sha256: str

    @classmethod
    def of(cls, release_id: str, text: bytes) -> Self:
        return cls(release_id, hashlib.sha256(text).hexdigest())


@dataclass(frozen=True, slots=True)
class Outcome:
    """Attestation of the values drawn for a release, and of the answer composed from them. Hashes are SHA-256 in
    lower-case hexadecimal; `answer_sha256` is empty until the answer is composed.
    """

    release_id: str
    drawn_sha256: str
    answer_sha256: str

    @classmethod
    def of(cls, release_id: str, drawn: str, answer: str | None) -> Self:
        return cls(release_id, _hash(drawn), "" if answer is None else _hash(answer))


@dataclass(frozen=True, slots=True)
class Evidence:
    """Attestation of a complete release: its charge, and hashes of spec, drawn values and answer. Amounts are decimal
    text, and no number exceeds 2**53, so that every JSON parser keeps the body. It names no payer, grant or key.
    """

    release_id: str
    dataset_id: str
    budget_id: str
    accountant: str
    sequence: int
    chain_hash: str
    spec_sha256: str
    drawn_sha256: str
    answer_sha256: str
    epsilon: str
    delta: str
    rho: str
    at: int

    @classmethod
    def of(cls, receipt: Receipt, outcome: Outcome) -> Self:
        """Return the evidence of a release with this receipt and outcome."""
        return cls(
            **{name: getattr(receipt, name) for name in _RECEIPT_FIELDS},
            drawn_sha256=outcome.drawn_sha256,
            answer_sha256=outcome.answer_sha256,
            epsilon=str(receipt.amount.epsilon),
            delta=str(receipt.amount.delta),
            rho=str(receipt.amount.rho),
        )


@dataclass(frozen=True, slots=True)
class ComputedJob:
    """Attestation of a job. `outcome_sha256` is empty until it has a result or a problem."""

    job_id: str
    principal_id: str
    computation: str
    key: str
    input_sha256: str
    outcome_sha256: str

    @classmethod
    def of(cls, row: JobRow) -> Self:
        outcome = row.problem if row.result is None else row.result
        hashed = "" if outcome is None else _hash(f"{row.state} {outcome}")
        return cls(row.id, row.principal_id, row.kind, row.key, _hash(row.input), hashed)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class SignedEntry:
    """An entry other than a charge, as the witness keeps it to apply it again after a restore. `detail` is its
    canonical JSON as text. `at` is in whole seconds since 1970.
    """

    budget_id: str
    sequence: int
    entry_kind: str
    epsilon_units: int
    delta_units: int
    rho_units: int
    principal_id: str
    subject_id: str
    detail: str
    at: int
    previous_hash: str
    chain_hash: str

    @classmethod
    def of(cls, entry: Entry) -> Self:
        epsilon, delta, rho = entry.units
        return cls(
            entry.budget_id,
            entry.sequence,
            entry.kind.value,
            epsilon,
            delta,
            rho,
            entry.principal_id,
            entry.subject_id,
            entry.detail,
            entry.created_at,
            entry.previous_hash,
            entry.hash,
        )

    @property
    def entry(self) -> Entry:
        """Return the entry. Raises ChainError if this version does not know its kind."""
        return read_entry(
            {
                "kind": self.entry_kind,
                "epsilon": self.epsilon_units,
                "delta": self.delta_units,
                "rho": self.rho_units,
                "created_at": self.at,
                "hash": self.chain_hash,
                **{name: getattr(self, name) for name in ("budget_id", "sequence", "principal_id", "subject_id")},
                **{name: getattr(self, name) for name in ("detail", "previous_hash")},
            }
        )

    @property
    def head(self) -> Head:
        return Head(self.budget_id, self.sequence, self.chain_hash)


Attestation: TypeAlias = Receipt | SignedHead | ReleaseSignature | Outcome | Evidence | ComputedJob | SignedEntry
S = TypeVar("S", Receipt, SignedHead, ReleaseSignature, Outcome, Evidence, ComputedJob, SignedEntry)
_KINDS: Final[dict[type[Attestation], str]] = {
    Receipt: "private-posterior receipt 1",
    SignedHead: "private-posterior head 1",
    ReleaseSignature: "private-posterior release signature 1",
    Outcome: "private-posterior outcome 1",
    Evidence: "private-posterior evidence 1",
    ComputedJob: "private-posterior job 1",
    SignedEntry: "private-posterior signed entry 1",
}
_FIELDS: Final[dict[type[Attestation], tuple[str, ...]]] = {
    kind: tuple(each.name for each in fields(kind)) for kind in _KINDS
}


@dataclass(frozen=True, slots=True)
class Signer:
    """The service's signing key."""

    _key: Ed25519PrivateKey = field(repr=False)
    public_key: str
    """The raw public key, 32 bytes in unpadded base64url."""
    key_id: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a 32-byte Ed25519 seed in base64 of either alphabet. Raises SigningKeyError for anything else."""
        try:
            seed = base64.b64decode(text.strip().replace("-", "+").replace("_", "/"), validate=True)
        except (binascii.Error, ValueError):
            seed = b""
        if len(seed) != _SEED_BYTES:
            raise SigningKeyError("a signing key must be 32 bytes in base64")
        key = Ed25519PrivateKey.from_private_bytes(seed)
        public_key = _encode(key.public_key().public_bytes_raw())
        return cls(key, public_key, key_id_of(public_key))

    def secret_for(self, purpose: str) -> bytes:
        """Derive a 32-byte secret from the key, for a purpose other than signing."""
        return HKDF(SHA256(), 32, None, f"private-posterior {purpose}".encode()).derive(self._key.private_bytes_raw())

    def sign(self, attestation: Attestation) -> dict[str, Json]:
        """Return the signed attestation as an object."""
        signed: dict[str, Json] = json.loads(self.signed_text(attestation))
        return signed

    def signed_text(self, attestation: Attestation) -> str:
        """Return the signed attestation as canonical JSON text."""
        kind = type(attestation)
        body = canonical_json({"kind": _KINDS[kind], **{name: getattr(attestation, name) for name in _FIELDS[kind]}})
        signature = _encode(self._key.sign(body.encode()))
        return f'{{"body":{body},"key_id":"{self.key_id}","signature":"{signature}"}}'

    def receipt(self, entry: Entry, accountant: str, detail: Mapping[str, Json] | None = None) -> str:
        """Return the signed receipt of a linked charge, in canonical JSON. `detail` is as in `Receipt.of`."""
        return self.signed_text(Receipt.of(entry, accountant, detail))

    def entry(self, entry: Entry) -> str:
        """Return the signed form of a linked entry, in canonical JSON."""
        return self.signed_text(SignedEntry.of(entry))

    def head(self, head: Head, at: int) -> dict[str, Json]:
        """Return the signed head of a chain. `at` is in whole seconds since 1970."""
        return self.sign(SignedHead(head.budget_id, head.sequence, head.hash, at))


def key_id_of(public_key: str) -> str:
    """Return the id of a public key: 16 hexadecimal digits. Raises SigningKeyError unless it is 32 bytes in base64."""
    try:
        raw = _decode(public_key)
    except ValueError:
        raw = b""
    if len(raw) != _SEED_BYTES:
        raise SigningKeyError("a public key must be 32 bytes in base64url")
    return hashlib.sha256(raw).hexdigest()[:16]


def is_key_id(text: object) -> bool:
    return isinstance(text, str) and _KEY_ID.fullmatch(text) is not None


def key_id_of_signed(text: str) -> str | None:
    """Return the id of the key that a stored attestation names, or None if it names none. Nothing is verified."""
    try:
        found = json.loads(text)["key_id"]
    except (ValueError, LookupError, TypeError):
        return None
    return found if is_key_id(found) else None


def is_of_kind(signed: Mapping[str, Any], kind: type[Attestation]) -> bool:
    """Return whether an attestation names this kind. Nothing is verified."""
    return bool(signed["body"].get("kind") == _KINDS[kind])


def verify(signed: Mapping[str, object], kind: type[S], public_keys: Mapping[str, str]) -> S:
    """Verify an attestation of this kind and return its content. `public_keys` are keys by id, including old ones.

    Raises SignatureError for an invalid signature or another kind, for a missing or additional field, and for the
    signature of one of the keys under the id of another.
    """
    body, key_id, signature = _parts(signed)
    content = parse(signed, kind)
    if key_id not in public_keys:
        if not is_key_id(key_id) or any(_is_by(each, signature, body) for each in public_keys.values()):
            raise SignatureError("the attestation does not name the key that signed it")
        raise UnknownKeyError(key_id)
    if not _is_by(public_keys[key_id], signature, body):
        raise SignatureError("the signature is not valid")
    return content


def _is_by(public_key: str, signature: str, body: dict[str, Any]) -> bool:
    try:
        key = Ed25519PublicKey.from_public_bytes(_decode(public_key))
        key.verify(_decode(signature), canonical_json(body).encode())
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def read_signed(signed: Mapping[str, object], kind: type[S], public_keys: Mapping[str, str] | None) -> S:
    """Return the content of an attestation, verified unless there are no keys. Raises SignatureError."""
    return parse(signed, kind) if public_keys is None else verify(signed, kind, public_keys)


def is_signed(signature: str | None, expected: S, public_keys: Mapping[str, str] | None) -> bool:
    """Return whether a stored text is the signature of `expected` by one of the keys. Without keys only its content is
    compared. Raises UnknownKeyError, for equal content only.
    """
    try:
        signed = json.loads(signature or "")
        if not isinstance(signed, dict) or parse(signed, type(expected)) != expected:
            return False
        return public_keys is None or verify(signed, type(expected), public_keys) == expected
    except UnknownKeyError:
        raise
    except ValueError:
        return False


def parse(signed: Mapping[str, object], kind: type[S]) -> S:
    """Return the content of an attestation without verifying its signature. Use it only for attestations from storage
    that nobody else can write. Raises SignatureError.
    """
    body, _, _ = _parts(signed)
    wanted = {each.name: str if each.type == "str" else int for each in fields(kind)}
    content = {name: value for name, value in body.items() if name != "kind"}
    if body.get("kind") != _KINDS[kind] or content.keys() != wanted.keys():
        raise SignatureError("the attestation is of another kind")
    if any(type(content[name]) is not of for name, of in wanted.items()):
        raise SignatureError("the attestation is of another kind")
    return kind(**content)


def _parts(signed: Mapping[str, object]) -> tuple[dict[str, Any], str, str]:
    body, key_id, signature = signed.get("body"), signed.get("key_id"), signed.get("signature")
    if (
        not (isinstance(body, dict) and isinstance(key_id, str) and isinstance(signature, str))
        or signed.keys() != _PARTS
    ):
        raise SignatureError("an attestation must have a body, a key id and a signature")
    return body, key_id, signature


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True)
