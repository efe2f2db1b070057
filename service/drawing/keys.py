"""The keys of a draw process, and their encoding for its pipe."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from service.datasets.cipher import KeyRing


@dataclass(frozen=True, slots=True)
class DrawKeys:
    """The key ring that decrypts counts, and the public keys that verify receipts, by key id."""

    ring: KeyRing = field(repr=False)
    public_keys: Mapping[str, str]

    def to_json(self) -> dict[str, Any]:
        """Return the keys as JSON. They are secret."""
        ring = {key_id: base64.b64encode(key).decode() for key_id, key in self.ring.keys.items()}
        return {"current": self.ring.current, "counts_keys": ring, "public_keys": dict(self.public_keys)}

    @classmethod
    def from_json(cls, keys: Mapping[str, Any]) -> Self:
        ring = {key_id: base64.b64decode(key) for key_id, key in keys["counts_keys"].items()}
        return cls(KeyRing(keys["current"], ring), keys["public_keys"])
