"""Random identifiers, the clock with the one-second precision of public timestamps, and errors without their texts."""

from __future__ import annotations

import base64
import threading
import time
import traceback
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Final

from core.samplers.entropy import SystemEntropy

ID_PATTERN: Final = r"^[a-z]{3}_[a-z2-7]{26}$"
"""The form of `new_id`."""
_thread_locals = threading.local()


def system_entropy() -> SystemEntropy:
    """Return this thread's source. It is reused, since a system call costs more than most draws."""
    source: SystemEntropy | None = getattr(_thread_locals, "source", None)
    if source is None:
        source = _thread_locals.source = SystemEntropy()
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


_SHOWN_PLACES: Final = 6


def failure(error: BaseException) -> dict[str, str]:
    """Return the fields of an unexpected exception: its kind, the database's error code, and code locations, innermost
    last. Its text is not included.
    """
    kind = type(error).__name__
    if (of_driver := getattr(error, "orig", None)) is not None:  # an error of SQLAlchemy
        name = getattr(of_driver, "sqlite_errorname", None) or getattr(of_driver, "sqlstate", None)
        kind = f"{type(of_driver).__name__}/{name}" if name else type(of_driver).__name__
    return {"failure": kind, "places": places(error)}


def places(error: BaseException) -> str:
    """Return files and lines of an exception's traceback."""
    frames = traceback.extract_tb(error.__traceback__)[-_SHOWN_PLACES:]
    return " ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
