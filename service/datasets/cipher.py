"""Encrypt counts at rest with AES-256-GCM under a ring of keys, bound to facts of their data set.

The stored form is a key id and a ciphertext. The ciphertext is

    nonce (12 bytes, fresh from the operating system for each encryption) || AES-256-GCM ciphertext and tag (16 bytes)

of the counts as 8-byte big-endian integers, with `CountsBinding.associated_data` as associated data. So a row does not
decrypt if it was altered, moved to another data set, or restored after its counts were replaced. Neither does it if the
budget, owner or size of its data set changed. The length discloses m, which is public, and nothing else.

No error contains any byte of the input.
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

from service.identifiers.canonical_json import canonical_json
from service.ledger.counts_binding import CountsBinding

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_COMMITMENT: Final = "private-posterior commitment 1"
_NONCE_BYTES: Final = 12
_KEY_BYTES: Final = 32
COUNT_BYTES: Final = 8
_KEY_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")


class KeyRingError(ValueError):
    """The configured key ring is invalid. The message names the rule and never the key."""


class DecryptionError(RuntimeError):
    """Stored counts do not decrypt: the row was altered or moved. The message contains no stored data."""


class KeyUnavailableError(DecryptionError):
    """The key of the stored counts is not in this ring. Another process may have it, or this one may load it later."""


@dataclass(frozen=True, slots=True)
class EncryptedCounts:
    """Stored counts of a data set: the key's id, and nonce with ciphertext."""

    key_id: str
    ciphertext: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Keys by id. The key `current` encrypts, and all keys decrypt."""

    current: str
    keys: Mapping[str, bytes] = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a text `id:key,id:key,...`. Each key is 32 bytes in base64 of either alphabet. The first is the current
        one.

        Raises KeyRingError if the text has no key, a key of another size, or an id twice.
        """
        keys: dict[str, bytes] = {}
        for part in filter(None, (part.strip() for part in text.split(","))):
            key_id, _, encoded = part.partition(":")
            if not _KEY_ID.fullmatch(key_id):
                raise KeyRingError("a key id must be 1 to 64 letters, digits, dots, dashes or underscores")
            if key_id in keys:
                raise KeyRingError("each key id must occur in the key ring once")
            keys[key_id] = _decode_key(encoded)
        if not keys:
            raise KeyRingError("the key ring is empty")
        return cls(next(iter(keys)), keys)

    def encrypt(self, counts: Sequence[int], binding: CountsBinding) -> EncryptedCounts:
        """Encrypt counts, each in [0, 2**63), with the current key, bound to `binding`."""
        encoded = b"".join(int(count).to_bytes(COUNT_BYTES, "big") for count in counts)
        nonce = os.urandom(_NONCE_BYTES)
        ciphertext = _cipher(self.keys[self.current]).encrypt(nonce, encoded, binding.associated_data)
        return EncryptedCounts(self.current, nonce + ciphertext)

    def decrypt(self, stored: EncryptedCounts, binding: CountsBinding) -> list[int]:
        """Decrypt counts that are bound to `binding`. Raises DecryptionError."""
        encoded = self._decrypt(stored, binding)
        return [int.from_bytes(encoded[at : at + COUNT_BYTES], "big") for at in range(0, len(encoded), COUNT_BYTES)]

    def check(self, stored: EncryptedCounts, binding: CountsBinding) -> int:
        """Decrypt counts that are bound to `binding`, and return only their number. Values are not read, and the time
        depends only on the size. Raises DecryptionError.
        """
        return len(self._decrypt(stored, binding)) // COUNT_BYTES

    def rotate(self, stored: EncryptedCounts, binding: CountsBinding) -> EncryptedCounts:
        """Return the same counts under the current key, with a new nonce. Rotating a row twice is harmless, so a
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
    """Return the cipher of a key. It is cached, since setting one up takes longer than decrypting a few counts."""
    return AESGCM(key)


def new_key() -> str:
    """Return a new key in the encoding of `KeyRing.parse`."""
    return base64.b64encode(os.urandom(_KEY_BYTES)).decode()


def new_commitment_nonce() -> bytes:
    """Return 256 random bits. They prevent guessing the counts by trying commitments."""
    return os.urandom(32)


def commit(nonce: bytes, labels: Sequence[str], counts: Sequence[int]) -> str:
    """Return the commitment to registered counts: SHA-256, in lower-case hexadecimal, over the canonical JSON list of

        "private-posterior commitment 1", the nonce in hexadecimal, the labels, the counts.

    It hides the counts while only the owner has the nonce. With the nonce the owner can prove which counts were
    registered.
    """
    content = canonical_json([_COMMITMENT, nonce.hex(), list(labels), [int(count) for count in counts]])
    return hashlib.sha256(content.encode()).hexdigest()


def _decode_key(encoded: str) -> bytes:
    try:
        key = base64.b64decode(encoded.strip().replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        raise KeyRingError("a key must be 32 bytes in base64") from None
    if len(key) != _KEY_BYTES:
        raise KeyRingError("a key must be 32 bytes in base64")
    return key
