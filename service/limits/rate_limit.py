"""Limit requests per process. The limits are approximate: they stop loops, not distributed attacks."""

from __future__ import annotations

import time
from collections import OrderedDict

from service.errors import RateLimited

_TRACKED_PRINCIPALS = 10_000


class RateLimit:
    """A token bucket per principal:

    `per_minute` requests per minute, with bursts of the same number. 0 means no limit.
    """

    def __init__(self, per_minute: int) -> None:
        self._capacity = float(per_minute)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def admit(self, principal_id: str, requests: float = 1) -> None:
        """Take `requests` tokens, at most the capacity, from the principal's bucket. Raises RateLimited with the time
        to wait.
        """
        if not self._capacity:
            return
        requests = min(requests, self._capacity)
        instant = time.monotonic()
        tokens, then = self._buckets.pop(principal_id, (self._capacity, instant))
        tokens = min(self._capacity, tokens + (instant - then) * self._capacity / 60)
        admitted = tokens >= requests
        self._buckets[principal_id] = (tokens - requests if admitted else tokens, instant)
        if len(self._buckets) > _TRACKED_PRINCIPALS:
            self._buckets.popitem(last=False)
        if not admitted:
            raise RateLimited.until((requests - tokens) * 60 / self._capacity)
