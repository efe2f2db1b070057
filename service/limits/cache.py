"""A cache of public facts for a short time. No debit is decided by cached facts."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


@dataclass(slots=True)
class TTLCache(Generic[K, V]):
    """The last values, each for at most `seconds`. `size` limits their number or, if `weigh` returns another size of
    each, the sum of these. Not thread-safe: use it in one event loop.
    """

    size: int
    seconds: float = math.inf
    weigh: Callable[[V], int] = lambda _: 1
    _kept: OrderedDict[K, tuple[float, V]] = field(default_factory=OrderedDict)
    _weight: int = 0

    def get(self, key: K) -> V | None:
        """Return the value under `key`, or None if there is none or it has expired."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        until, value = kept
        return value if until == math.inf or time.monotonic() < until else None

    def keep(self, key: K, value: V) -> None:
        """Store `value` under `key`. If the cache is full, drop the oldest values."""
        self.forget(key)
        self._kept[key] = (time.monotonic() + self.seconds, value)
        self._weight += self.weigh(value)
        while self._weight > self.size:
            self.forget(next(iter(self._kept)))

    def forget(self, key: K) -> None:
        if key in self._kept:
            self._weight -= self.weigh(self._kept.pop(key)[1])

    def clear(self) -> None:
        self._kept.clear()
        self._weight = 0
