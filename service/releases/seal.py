"""Verifies that a release's JSON text is what the service released: from the text, its seal and the service's public
key alone, offline.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from service.ledger.receipts import Receipt, ReleaseSeal, SignatureError, key_id_of, verify


class ReleaseVerificationError(ValueError):
    """The text, the seal and the key do not belong together; the message says where."""


def check_release(document: bytes, seal: bytes, public_key: str) -> Receipt:
    """The receipt of the release, once seal, text and receipt agree. Raises ReleaseVerificationError."""
    try:
        keys = {key_id_of(public_key): public_key}
        sealed = verify(_object(seal, "the seal"), ReleaseSeal, keys)
        release = _object(document, "the release")
        receipt = verify(_receipt(release), Receipt, keys)
    except SignatureError as error:
        raise ReleaseVerificationError(str(error)) from None
    except ValueError as error:
        raise ReleaseVerificationError(
            str(error) if isinstance(error, ReleaseVerificationError) else "the public key is not one"
        ) from None
    if sealed.sha256 != hashlib.sha256(document).hexdigest():
        raise ReleaseVerificationError("the text is not the one that was sealed")
    if not sealed.release_id == release.get("id") == receipt.release_id:
        raise ReleaseVerificationError("seal, text and receipt are of different releases")
    return receipt


def _object(text: bytes, what: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise ReleaseVerificationError(f"{what} is not a JSON object")
    return content


def _receipt(release: dict[str, Any]) -> dict[str, Any]:
    receipt = release.get("receipt")
    if not isinstance(receipt, dict):
        raise ReleaseVerificationError("the release has no receipt")
    return receipt
