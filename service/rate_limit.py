"""Limits requests in each process alone. The limits are approximate: they guard against loops, not against a
distributed flood.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from service.errors import RateLimited

_TRACKED_PRINCIPALS = 10_000


class RateLimit:
    """A token bucket per principal: `per_minute` requests a minute, of which a minute's worth may come at once. 0
    means no limit.
    """

    def __init__(self, per_minute: int) -> None:
        self._capacity = float(per_minute)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def admit(self, principal_id: str, requests: float = 1) -> None:
        """Takes so many requests, or the whole bucket where that holds fewer, from the principal's bucket. Raises
        RateLimited, which says when they are there.
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


class SmallQueue:
    """A few places for work that anybody can ask for without a key: `at_once` of it runs, `waiting` of it waits, and
    the rest is refused at once.
    """

    def __init__(self, *, at_once: int, waiting: int) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._most = at_once + waiting
        self._inside = 0

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Waits for a place. Raises RateLimited where too many wait already."""
        if self._inside >= self._most:
            raise RateLimited.until(1)
        self._inside += 1
        try:
            async with self._places:
                yield
        finally:
            self._inside -= 1
