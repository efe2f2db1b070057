"""Hashes what a request for answers asks for, so that its idempotency key is bound to just that, whatever version of
the service sees it again.

The stored hash names its version, and is compared by the algorithm of that version for ever. `q1:` and 61 digits:
SHA-256 over the request without the fields that are null. A field that is added later is null when it is left out, and
changes no hash.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any


def hash_query_payload(dataset_id: str, document: dict[str, Any]) -> str:
    """The hash of a request, given as plain JSON with its defaults filled in."""
    bare = json.dumps([dataset_id, _without_nulls(document)], sort_keys=True)
    return "q1:" + hashlib.sha256(bare.encode()).hexdigest()[:61]


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    return value
