"""Encrypts texts that a browser keeps for the console. Only this installation opens them, for their session."""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from service.identifiers.canonical_json import canonical_json

_NONCE_BYTES: Final = 12


class Sealer:
    """Seals texts with AES-256-GCM. `key` returns the current key: after a rotation, earlier texts can't be opened."""

    def __init__(self, key: Callable[[], bytes]) -> None:
        self._key = key

    def seal(self, text: str, *about: str) -> str:
        """Return the encrypted text, in characters that a cookie allows. It is bound to `about`."""
        nonce = os.urandom(_NONCE_BYTES)
        sealed = nonce + AESGCM(self._key()).encrypt(nonce, text.encode(), canonical_json(list(about)).encode())
        return urlsafe_b64encode(sealed).decode().rstrip("=")

    def opened(self, sealed: str, *about: str) -> str | None:
        """Return the text that was sealed with the same `about`, or None."""
        try:
            content = urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
            nonce, rest = content[:_NONCE_BYTES], content[_NONCE_BYTES:]
            return AESGCM(self._key()).decrypt(nonce, rest, canonical_json(list(about)).encode()).decode()
        except (InvalidTag, ValueError):
            return None
