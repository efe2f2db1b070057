"""A cache of public facts for a short time. No debit is decided by cached facts."""

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
    """The last `size` values, each for at most `seconds`. Not thread-safe: use it in one event loop."""

    size: int
    seconds: float = math.inf
    _kept: OrderedDict[K, tuple[float, V]] = field(default_factory=OrderedDict)

    def get(self, key: K) -> V | None:
        """Return the value under `key`, or None if there is none or it has expired."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        until, value = kept
        return value if until == math.inf or time.monotonic() < until else None

    def keep(self, key: K, value: V) -> None:
        """Store `value` under `key`. If the cache is full, drop the oldest value."""
        self._kept.pop(key, None)
        self._kept[key] = (time.monotonic() + self.seconds, value)
        if len(self._kept) > self.size:
            self._kept.popitem(last=False)

    def forget(self, key: K) -> None:
        self._kept.pop(key, None)

    def clear(self) -> None:
        self._kept.clear()
