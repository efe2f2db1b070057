"""Makes random identifiers and secrets, and reads the clock with the one-second precision that public timestamps
have.
"""

from __future__ import annotations

import base64
import time
from datetime import UTC, datetime

from service.entropy import system_entropy


def new_id(prefix: str) -> str:
    """A random id of 128 bits, as in `bud_6qk3…`; ids are unguessable and tell nothing."""
    return prefix + "_" + base64.b32encode(system_entropy().bits(128).to_bytes(16)).decode().rstrip("=").lower()


def now() -> int:
    """Unix time in whole seconds."""
    return int(time.time())


def timestamp(seconds: int) -> str:
    """Unix seconds as RFC 3339 text in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
