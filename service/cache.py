"""Remembers facts for a short time, so that they need not be looked up again: public facts only, and never what a
debit is decided by.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


@dataclass(slots=True)
class TTLCache(Generic[K, V]):
    """The last `size` values that were kept, each for at most `seconds`. For one event loop: it has no lock."""

    size: int
    seconds: float = math.inf
    _kept: OrderedDict[K, tuple[float, V]] = field(default_factory=OrderedDict)

    def get(self, key: K) -> V | None:
        """The value under `key`; None where there is none any more."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        until, value = kept
        return value if until == math.inf or time.monotonic() < until else None

    def keep(self, key: K, value: V) -> None:
        """Puts `value` under `key`, in the place of the oldest one where the cache is full."""
        self._kept.pop(key, None)
        self._kept[key] = (time.monotonic() + self.seconds, value)
        if len(self._kept) > self.size:
            self._kept.popitem(last=False)

    def forget(self, key: K) -> None:
        self._kept.pop(key, None)

    def clear(self) -> None:
        self._kept.clear()
