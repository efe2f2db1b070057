"""Encrypts counts at rest with AES-256-GCM under a ring of keys, bound to what they stand for.

What is stored for a data set is a key id and a ciphertext. The ciphertext is

    nonce (12 bytes, fresh from the operating system for each encryption) || AES-256-GCM ciphertext and tag (16 bytes)

of the counts as 8-byte big-endian integers, with `CountsBinding.associated_data` as associated data. So a row that was
moved to another data set, altered, or put back after its counts were replaced does not decrypt, nor does one whose data
set changed its budget, owner or size. The length tells m, which is public, and nothing of the counts.

No error here carries a byte of what was read.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from service.canonical_json import canonical_json
from service.ledger.counts_binding import CountsBinding

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_COMMITMENT: Final = "private-posterior commitment 1"
_NONCE_BYTES: Final = 12
_KEY_BYTES: Final = 32
COUNT_BYTES: Final = 8
_KEY_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")


class KeyRingError(ValueError):
    """The settings' key ring can't be used. Names the rule and never the key."""


class DecryptionError(RuntimeError):
    """Stored counts do not decrypt: the row was altered or moved. Says nothing of what was read."""


class KeyUnavailableError(DecryptionError):
    """The key of the stored counts is not in this ring: another process may have it, or this one later."""


@dataclass(frozen=True, slots=True)
class EncryptedCounts:
    """What the database holds of a data set's counts: the id of the key, and nonce and ciphertext."""

    key_id: str
    ciphertext: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Keys by id; `current` encrypts, all of them decrypt."""

    current: str
    keys: Mapping[str, bytes] = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The ring of a settings text `id:key,id:key,...`, each key 32 bytes in base64 (either alphabet); the first is
        the current one.

        Raises KeyRingError where the text holds no key, one of another size, or an id twice.
        """
        keys: dict[str, bytes] = {}
        for part in filter(None, (part.strip() for part in text.split(","))):
            key_id, _, encoded = part.partition(":")
            if not _KEY_ID.fullmatch(key_id):
                raise KeyRingError("a key id is 1 to 64 letters, digits, dots, dashes and underscores")
            if key_id in keys:
                raise KeyRingError("a key id stands in the ring once")
            keys[key_id] = _decode_key(encoded)
        if not keys:
            raise KeyRingError("the ring holds no key")
        return cls(next(iter(keys)), keys)

    def encrypt(self, counts: Sequence[int], binding: CountsBinding) -> EncryptedCounts:
        """The counts (each in [0, 2**63)), encrypted with the current key for what `binding` states."""
        encoded = b"".join(int(count).to_bytes(COUNT_BYTES, "big") for count in counts)
        nonce = os.urandom(_NONCE_BYTES)
        ciphertext = _cipher(self.keys[self.current]).encrypt(nonce, encoded, binding.associated_data)
        return EncryptedCounts(self.current, nonce + ciphertext)

    def decrypt(self, stored: EncryptedCounts, binding: CountsBinding) -> list[int]:
        """The counts that were encrypted for what `binding` states. Raises DecryptionError."""
        encoded = self._decrypt(stored, binding)
        return [int.from_bytes(encoded[at : at + COUNT_BYTES], "big") for at in range(0, len(encoded), COUNT_BYTES)]

    def check(self, stored: EncryptedCounts, binding: CountsBinding) -> int:
        """The number of counts that were encrypted for what `binding` states. Their values are not looked at, and it
        takes as long for all counts of one size. Raises DecryptionError.
        """
        return len(self._decrypt(stored, binding)) // COUNT_BYTES

    def rotate(self, stored: EncryptedCounts, binding: CountsBinding) -> EncryptedCounts:
        """The same counts under the current key, with a fresh nonce. Rotating a row again is harmless, so that a
        rotation can be resumed.
        """
        return stored if stored.key_id == self.current else self.encrypt(self.decrypt(stored, binding), binding)

    def _decrypt(self, stored: EncryptedCounts, binding: CountsBinding) -> bytes:
        key = self.keys.get(stored.key_id)
        if key is None:
            raise KeyUnavailableError("the key of the stored counts is not in the ring")
        nonce, ciphertext = stored.ciphertext[:_NONCE_BYTES], stored.ciphertext[_NONCE_BYTES:]
        try:
            return _cipher(key).decrypt(nonce, ciphertext, binding.associated_data)
        except (InvalidTag, ValueError):
            raise DecryptionError("the stored counts were altered, replaced, or belong to something else") from None


@lru_cache(maxsize=16)
def _cipher(key: bytes) -> AESGCM:
    """The cipher of a key that the process holds anyway; setting one up takes longer than opening the counts of a
    few categories.
    """
    return AESGCM(key)


def new_key() -> str:
    """A fresh key in the encoding that `KeyRing.parse` reads."""
    return base64.b64encode(os.urandom(_KEY_BYTES)).decode()


def new_commitment_nonce() -> bytes:
    """256 fresh bits: what keeps a commitment to few or guessable counts from being tried out."""
    return os.urandom(32)


def commit(nonce: bytes, labels: Sequence[str], counts: Sequence[int]) -> str:
    """The commitment to what was registered: SHA-256, in lower-case hexadecimal, over the canonical JSON list of

        "private-posterior commitment 1", the nonce in hexadecimal, the labels, the counts.

    It hides the counts as long as the nonce stays with the owner, and lets the owner prove later which counts were
    registered.
    """
    content = canonical_json([_COMMITMENT, nonce.hex(), list(labels), [int(count) for count in counts]])
    return hashlib.sha256(content.encode()).hexdigest()


def _decode_key(encoded: str) -> bytes:
    try:
        key = base64.b64decode(encoded.strip().replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        raise KeyRingError("a key is 32 bytes in base64") from None
    if len(key) != _KEY_BYTES:
        raise KeyRingError("a key is 32 bytes in base64")
    return key
