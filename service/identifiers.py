"""Makes random identifiers and secrets, and reads the clock with the one-second precision that public timestamps
have.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from service.entropy import system_entropy

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz234567"
_PAIRS: Final = [first + second for first in _LETTERS for second in _LETTERS]
"""Of ten bits each. The library's base32 takes as long as all the noise of a small release."""


def new_id(prefix: str) -> str:
    """A random id of 128 bits, as in `bud_6qk3…`; ids are unguessable and tell nothing."""
    bits = system_entropy().bits(128) << 2  # 26 letters hold 130
    return prefix + "_" + "".join([_PAIRS[bits >> shift & 1023] for shift in range(120, -1, -10)])


def now() -> int:
    """Unix time in whole seconds."""
    return int(time.time())


@lru_cache(maxsize=64)
def timestamp(seconds: int) -> str:
    """Unix seconds as RFC 3339 text in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
