"""Verifies that the JSON text of a public release is what the service released: from the text, its seal and the
service's public keys alone, offline.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from service.ledger.receipts import PublicReleaseSeal, SignatureError, key_id_of, verify


class ReleaseVerificationError(ValueError):
    """The text, the seal and the key do not belong together; the message says where."""


def check_release(document: bytes, seal: bytes, *public_keys: str) -> str:
    """The id of the release, once its text and its seal agree. `public_keys`: the service's, also earlier ones, as a
    seal may be older than the key in use. Raises ReleaseVerificationError.
    """
    try:
        keys = {key_id_of(each): each for each in public_keys}
    except ValueError:
        raise ReleaseVerificationError("the public key is not one") from None
    signed, release = _object(seal, "the seal"), _object(document, "the release")
    try:
        sealed = verify(signed, PublicReleaseSeal, keys)
    except SignatureError as error:
        raise ReleaseVerificationError(str(error)) from None
    if sealed.sha256 != hashlib.sha256(document).hexdigest():
        raise ReleaseVerificationError("the text is not the one that was sealed")
    if sealed.release_id != release.get("id"):
        raise ReleaseVerificationError("seal and text are of different releases")
    return sealed.release_id


def _object(text: bytes, what: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise ReleaseVerificationError(f"{what} is not a JSON object")
    return content
