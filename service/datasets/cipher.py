"""Encrypts counts at rest with AES-256-GCM under a ring of keys, bound to the data set they belong to.

What is stored for a data set is a key id and a sealed text. The sealed text is

    nonce (12 bytes, fresh from the operating system for each sealing) || AES-256-GCM ciphertext and tag (16 bytes)

of the counts as 8-byte big-endian integers, with "private-posterior counts 1", the data set's id and the commitment to
the counts as associated data. So a row that was moved to another data set, altered or put back after its counts were

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

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FORMAT: Final = b"private-posterior counts 1"
_COMMITMENT: Final = "private-posterior commitment 1"
_NONCE_BYTES: Final = 12
_KEY_BYTES: Final = 32
COUNT_BYTES: Final = 8
_KEY_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")


class KeyRingError(ValueError):
    """The settings' key ring can't be used. Names the rule and never the key."""


class SealedCountsError(RuntimeError):
    """Stored counts do not open: the row was altered or moved. Says nothing of what was read."""


class NotOpenedHereError(SealedCountsError):
    """Stored counts do not open by this ring: another process may open them, or this one later."""


@dataclass(frozen=True, slots=True)
class SealedCounts:
    """What the database holds of a data set's counts, and the commitment that the ledger has to them."""

    key_id: str
    sealed: bytes = field(repr=False)
    commitment: str


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Keys by id; `current` seals, all of them open."""

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

    def seal(self, counts: Sequence[int], dataset_id: str, commitment: str) -> SealedCounts:
        """The counts (each in [0, 2**63)) as they are to be stored for this data set and this commitment to them."""
        encoded = b"".join(int(count).to_bytes(COUNT_BYTES, "big") for count in counts)
        nonce = os.urandom(_NONCE_BYTES)
        cipher = _cipher(self.keys[self.current])
        return SealedCounts(
            self.current,
            nonce + cipher.encrypt(nonce, encoded, _associated(dataset_id, commitment)),
            commitment,
        )

    def open(self, stored: SealedCounts, dataset_id: str) -> list[int]:
        """The counts that were sealed for this data set. Raises SealedCountsError where they do not open."""
        encoded = self._decrypt(stored, dataset_id)
        return [int.from_bytes(encoded[at : at + COUNT_BYTES], "big") for at in range(0, len(encoded), COUNT_BYTES)]

    def check(self, stored: SealedCounts, dataset_id: str) -> int:
        """How many counts were sealed for this data set. What comes out is looked at by nobody: this is about what is
        stored, and takes as long for any counts of one size. Raises SealedCountsError where they do not open.
        """
        return len(self._decrypt(stored, dataset_id)) // COUNT_BYTES

    def is_current(self, stored: SealedCounts) -> bool:
        """Whether rotation has nothing to do for this row."""
        return stored.key_id == self.current

    def rotate(self, stored: SealedCounts, dataset_id: str) -> SealedCounts:
        """The same counts under the current key, with a fresh nonce. Running it again over rotated rows is harmless,
        so it can be resumed.
        """
        return (
            stored
            if self.is_current(stored)
            else self.seal(self.open(stored, dataset_id), dataset_id, stored.commitment)
        )

    def _decrypt(self, stored: SealedCounts, dataset_id: str) -> bytes:
        key = self.keys.get(stored.key_id)
        if key is None:
            raise NotOpenedHereError("the key of the stored counts is not in the ring")
        nonce, ciphertext = stored.sealed[:_NONCE_BYTES], stored.sealed[_NONCE_BYTES:]
        try:
            return _cipher(key).decrypt(nonce, ciphertext, _associated(dataset_id, stored.commitment))
        except (InvalidTag, ValueError):
            raise SealedCountsError("the stored counts were altered, replaced or belong to another data set") from None


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


def _associated(dataset_id: str, commitment: str) -> bytes:
    return b"\0".join([_FORMAT, dataset_id.encode(), commitment.encode()])


def _decode_key(encoded: str) -> bytes:
    try:
        key = base64.b64decode(encoded.strip().replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        raise KeyRingError("a key is 32 bytes in base64") from None
    if len(key) != _KEY_BYTES:
        raise KeyRingError("a key is 32 bytes in base64")
    return key
