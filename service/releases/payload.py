"""Hashes what a request asks for, so that its idempotency key is bound to just that.

A repeated request is answered by later versions of the service, too. Fields that equal their default are left out, so
that a field that is added later changes no hash until it is used. Amounts stand as the service writes them, so that
`0.5`, `"0.50"` and `"0.5"` are one. The default of a field that exists never changes: the hashes of earlier requests
depend on it.
"""

from __future__ import annotations

import hashlib
import json

from pydantic import BaseModel


def hash_payload(dataset_id: str, body: BaseModel) -> str:
    """SHA-256 of a request for a release or for answers to queries, in hexadecimal."""
    document = body.model_dump(mode="json", exclude_defaults=True)
    return hashlib.sha256(json.dumps([dataset_id, document], sort_keys=True).encode()).hexdigest()
