"""Hash the content of a request, so that its idempotency key is bound to this content.

A later version of the service must find the same hash for a repeated request:

- Fields equal to their default are omitted. A field added later changes no hash until it is used.
- Amounts are written in one form, so that `0.5`, `"0.50"` and `"0.5"` are equal.
- The default of an existing field never changes, since stored hashes depend on it.
"""

from __future__ import annotations

import hashlib
import json

from pydantic import BaseModel


def hash_payload(dataset_id: str, body: BaseModel) -> str:
    """Return the SHA-256 of a request for a release or for query answers, in hexadecimal."""
    document = body.model_dump(mode="json", exclude_defaults=True)
    return hashlib.sha256(json.dumps([dataset_id, document], sort_keys=True).encode()).hexdigest()
