"""A limit on requests per key, kept in each process alone: approximate by design, it guards against loops and not against a distributed flood."""

from __future__ import annotations

import time
from collections import OrderedDict

_TRACKED_KEYS = 10_000


class RateLimit:
    """A token bucket per key: `per_minute` requests a minute, of which a minute's worth may come at once. 0 means no limit."""

    def __init__(self, per_minute: int) -> None:
        self._capacity = float(per_minute)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def admits(self, key_id: str) -> bool:
        """Takes one request from the key's bucket, or says that it is empty."""
        if not self._capacity:
            return True
        instant = time.monotonic()
        tokens, then = self._buckets.pop(key_id, (self._capacity, instant))
        tokens = min(self._capacity, tokens + (instant - then) * self._capacity / 60)
        admitted = tokens >= 1
        self._buckets[key_id] = (tokens - admitted, instant)
        if len(self._buckets) > _TRACKED_KEYS:
            self._buckets.popitem(last=False)
        return admitted
