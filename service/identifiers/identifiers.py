"""Random identifiers, and the clock with the one-second precision of public timestamps."""

from __future__ import annotations

import base64
import threading
import time
from datetime import UTC, datetime
from functools import lru_cache

from core.samplers.entropy import SystemEntropy

_of_thread = threading.local()


def system_entropy() -> SystemEntropy:
    """Return this thread's source. It is reused, since a system call costs more than most draws."""
    source: SystemEntropy | None = getattr(_of_thread, "source", None)
    if source is None:
        source = _of_thread.source = SystemEntropy()
    return source


def new_id(prefix: str) -> str:
    """Return a random id of 128 bits, such as `bud_6qk3…`. Ids are unguessable and disclose nothing."""
    random = base64.b32encode(system_entropy().bits(128).to_bytes(16)).decode()
    return f"{prefix}_{random.rstrip('=').lower()}"


def now() -> int:
    """Return Unix time in whole seconds."""
    return int(time.time())


@lru_cache(maxsize=64)
def timestamp(seconds: int) -> str:
    """Return Unix seconds as RFC 3339 text in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
