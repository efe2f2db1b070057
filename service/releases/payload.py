"""Hashes what a request for a release asks for, so that its idempotency key is bound to just that, whatever version of
the service sees it again.

The stored hash names its version, and is compared by the algorithm of that version for ever:

1. *First.* SHA-256, as 64 hexadecimal digits, over the request with the defaults of the first version filled in.
2. *Second.* `2:` and 62 digits, over the request without the fields that equal their frozen default.

Of both holds: a field that is added later, and left out, changes no hash. Amounts stand as the service writes them, so
that `0.5`, `"0.50"` and `"0.5"` are one. New releases store the first, the only one that replicas of the first version
know: while they are replaced one after the other, each replays what any of them released.

A frozen default is what a field was worth when it was added. It stays, also where the service's own default changes:
then a request that leaves the field out asks for something else, and hashes to something else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

FIRST_DEFAULTS: Final[Mapping[str, Any]] = {
    "level": 0.95,
    "charge_at_most": None,
    "charge_at_most.epsilon": None,
    "charge_at_most.delta": None,
    "charge_at_most.rho": None,
    "mechanism.exponential.delta": "0",
    "mechanism.exponential_global.delta": "0",
}
"""Of the fields that the first version knew, by their place; those of a mechanism by its kind."""
LATER_DEFAULTS: Final[Mapping[str, Any]] = {}
"""Of the fields that were added since. Add to it; change nothing."""
_ENCODER: Final = json.JSONEncoder(sort_keys=True)


@dataclass(frozen=True, slots=True)
class PayloadHash:
    """What releases may have stored of one request."""

    first: str
    second: str

    @property
    def stored(self) -> str:
        """What a new release stores."""
        return self.first

    def is_of(self, stored: str) -> bool:
        """Whether a release that stored this was asked for by the same request."""
        return stored in (self.first, self.second)


def hash_payload(dataset_id: str, document: Mapping[str, Any]) -> PayloadHash:
    """The hashes of a request, given as plain JSON with its defaults filled in."""
    known_first = _ENCODER.encode([dataset_id, _without(document, LATER_DEFAULTS)])
    bare = _ENCODER.encode([dataset_id, _without(document, {**FIRST_DEFAULTS, **LATER_DEFAULTS})])
    return PayloadHash(
        first=hashlib.sha256(known_first.encode()).hexdigest(),
        second="2:" + hashlib.sha256(bare.encode()).hexdigest()[:62],
    )


def _without(document: Mapping[str, Any], defaults: Mapping[str, Any], place: str = "") -> dict[str, Any]:
    """The document without the fields that equal these defaults, at every depth."""
    kept: dict[str, Any] = {}
    for name, value in document.items():
        path = f"{place}{name}"
        if path in defaults and defaults[path] == value:
            continue
        inside = f"{path}.{value['kind']}." if isinstance(value, dict) and "kind" in value else f"{path}."
        kept[name] = _without(value, defaults, inside) if isinstance(value, dict) else value
    return kept
