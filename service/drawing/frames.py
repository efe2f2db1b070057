"""Messages between the service and a draw process: an eight-byte length, then JSON in UTF-8. The first has the keys."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Final, Self

from service.datasets.cipher import KeyRing

LENGTH_BYTES: Final = 8


def encode(message: dict[str, Any]) -> bytes:
    content = json.dumps(message).encode()
    return len(content).to_bytes(LENGTH_BYTES) + content


def read_frame(source: IO[bytes]) -> dict[str, Any] | None:
    """Return the next message, or None if the input has ended. Raises ValueError if it ends inside a message."""
    length = source.read(LENGTH_BYTES)
    if not length:
        return None
    content = source.read(int.from_bytes(length))
    if len(length) < LENGTH_BYTES or len(content) < int.from_bytes(length):
        raise ValueError("the input ended inside a message")
    message: dict[str, Any] = json.loads(content)
    return message


def take(received: bytearray) -> dict[str, Any] | None:
    """Remove the first message and return it, or None if it is not complete. Raises ValueError if it is not a JSON
    object.
    """
    end = LENGTH_BYTES + int.from_bytes(received[:LENGTH_BYTES])
    if len(received) < max(LENGTH_BYTES, end):
        return None
    message = json.loads(received[LENGTH_BYTES:end])
    del received[:end]
    if not isinstance(message, dict):
        raise ValueError("not an object")  # noqa: TRY004  the message is invalid
    return message


def write(sink: IO[bytes], message: dict[str, Any]) -> None:
    sink.write(encode(message))
    sink.flush()


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
