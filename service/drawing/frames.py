"""Messages between the service and a draw process: an eight-byte length, then JSON in UTF-8. This module needs only the
standard library, so that a program without packages can import it.
"""

from __future__ import annotations

import json
from typing import IO, Any, Final

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
