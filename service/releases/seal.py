"""Verifies that a release's JSON text is what the service released: from the text, its seal and the service's public
keys alone, offline.

There are two kinds of seal. The first covers the text that was answered, which holds a receipt; earlier versions gave
it for public releases. The second covers the public text. Both verify for ever.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from service.ledger.receipts import PublicReleaseSeal, Receipt, ReleaseSeal, SignatureError, key_id_of, parse, verify


class ReleaseVerificationError(ValueError):
    """The text, the seal and the key do not belong together; the message says where."""


class CheckedRelease(NamedTuple):
    """What a genuine text is of. `receipt` stands in the texts of the first kind."""

    release_id: str
    receipt: Receipt | None


def check_release(document: bytes, seal: bytes, *public_keys: str) -> CheckedRelease:
    """What the text is of, once it and its seal agree, with its receipt too where it has one. `public_keys`: the
    service's, those of before too, as seal and receipt may be older than the key in use. Raises
    ReleaseVerificationError.
    """
    try:
        keys = {key_id_of(each): each for each in public_keys}
        signed, release = _object(seal, "the seal"), _object(document, "the release")
        sealed: ReleaseSeal | PublicReleaseSeal
        receipt = None
        if _is_of_first_kind(signed):
            sealed, receipt = verify(signed, ReleaseSeal, keys), verify(_receipt(release), Receipt, keys)
        else:
            sealed = verify(signed, PublicReleaseSeal, keys)
    except SignatureError as error:
        raise ReleaseVerificationError(str(error)) from None
    except ValueError as error:
        raise ReleaseVerificationError(
            str(error) if isinstance(error, ReleaseVerificationError) else "the public key is not one"
        ) from None
    if sealed.sha256 != hashlib.sha256(document).hexdigest():
        raise ReleaseVerificationError("the text is not the one that was sealed")
    if sealed.release_id != release.get("id") or (receipt is not None and receipt.release_id != sealed.release_id):
        raise ReleaseVerificationError("seal, text and receipt are of different releases")
    return CheckedRelease(sealed.release_id, receipt)


def _is_of_first_kind(signed: dict[str, Any]) -> bool:
    try:
        parse(signed, ReleaseSeal)
    except SignatureError:
        return False
    return True


def _object(text: bytes, what: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise ReleaseVerificationError(f"{what} is not a JSON object")
    return content


def _receipt(release: dict[str, Any]) -> dict[str, Any]:
    receipt = release.get("receipt")
    if not isinstance(receipt, dict):
        raise ReleaseVerificationError("the release has no receipt")
    return receipt
