"""Allocate slots fairly by key, usually the principal. Each key has a few slots at once, waiting requests are served in
turns by key, and a key with too many waiting is refused.

Not thread-safe: use it in one event loop. A slot is taken before any charge, so a refusal costs nothing.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from service.errors import RateLimited

_RETRY_SECONDS: Final = 5.0


class FairQueue:
    """`max_concurrent` slots. A key holds at most `max_per_key`, and waits for at most `max_queued_per_key` more.
    `max_queued` limits the waiting requests of all keys, and `wait_seconds` the wait of each.
    """

    def __init__(
        self,
        *,
        max_concurrent: int,
        max_per_key: int,
        max_queued_per_key: float,
        max_queued: float = math.inf,
        wait_seconds: float | None = None,
    ) -> None:
        self._free, self._wait_seconds = max_concurrent, wait_seconds
        self._max_per_key, self._max_queued_per_key, self._max_queued = max_per_key, max_queued_per_key, max_queued
        self._held: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """Waiting requests by key, in the order of the keys' turns."""

    @asynccontextmanager
    async def slot(self, key: str, *, retry_seconds: float = _RETRY_SECONDS) -> AsyncIterator[None]:
        """Hold a slot during the block. Raises RateLimited if too many requests wait or the wait ends."""
        await self.take(key, retry_seconds)
        try:
            yield
        finally:
            self.leave(key)

    @property
    def held(self) -> int:
        """Return the number of slots that are held."""
        return sum(self._held.values())

    def has_slot_for(self, key: str) -> bool:
        """Return whether the key would get a slot without waiting."""
        return self._next() is None and self._may_have_one(key) and self._free > 0

    async def take(self, key: str, retry_seconds: float = _RETRY_SECONDS) -> None:
        """Take a slot as `slot` does. `leave` frees it."""
        if self.has_slot_for(key):
            self._hand_to(key)
            return
        queued, queued_of_all = len(self._waiting.get(key, ())), sum(map(len, self._waiting.values()))
        if queued >= self._max_queued_per_key or queued_of_all >= self._max_queued:
            raise RateLimited.until(retry_seconds)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(turn)
        try:
            async with asyncio.timeout(self._wait_seconds):
                await self._wait(key, turn)
        except TimeoutError:
            raise RateLimited.until(retry_seconds) from None

    async def _wait(self, key: str, turn: asyncio.Future[None]) -> None:
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave(key)
            else:
                self._forget(key, turn)
                self._serve()
            raise

    def _may_have_one(self, key: str) -> bool:
        return self._held[key] < self._max_per_key

    def _next(self) -> str | None:
        """Return the key whose turn it is, or None."""
        return next((each for each in self._waiting if self._may_have_one(each)), None)

    def _hand_to(self, key: str) -> None:
        self._free -= 1
        self._held[key] += 1

    def leave(self, key: str) -> None:
        """Free a slot, and pass it to the next in turn."""
        self._free += 1
        self._held[key] -= 1
        if not self._held[key]:
            del self._held[key]
        if key in self._waiting:
            self._waiting.move_to_end(key)  # those who waited during its turn come first
        self._serve()

    def _serve(self) -> None:
        while self._free > 0 and (following := self._next()) is not None:
            turn = self._waiting[following][0]
            if turn.cancelled():
                return  # its coroutine has not run since; it serves the next one when it runs
            self._forget(following, turn)
            if following in self._waiting:
                self._waiting.move_to_end(following)
            self._hand_to(following)
            turn.set_result(None)

    def _forget(self, key: str, turn: asyncio.Future[None]) -> None:
        self._waiting[key].remove(turn)
        if not self._waiting[key]:
            del self._waiting[key]
