"""Shares out places by principal: each has a few at once, those who wait are served in turns, and who waits too much
already is refused.

For one event loop: it has no lock. A place is taken before anything is charged, so that a refusal costs nobody
anything.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

from service.errors import RateLimited

_RETRY_SECONDS: Final = 5.0


class _Turn(NamedTuple):
    come: asyncio.Future[None]
    size: int


class FairQueue:
    """`at_once` places, of which a principal holds at most `each` and waits for at most `each_waiting` more.

    What is large takes the room of several places, `size`, and counts once for its principal. `all_waiting` bounds
    those who wait where they are no principals, and anybody can make up more of them.
    """

    def __init__(self, *, at_once: int, each: int, each_waiting: float, all_waiting: float = math.inf) -> None:
        self.at_once = at_once
        self._free, self._each, self._each_waiting, self._all_waiting = at_once, each, each_waiting, all_waiting
        self._held: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[_Turn]] = OrderedDict()
        """Principals in the order of their turns, each with what is to be done in a turn."""

    @asynccontextmanager
    async def place(
        self, principal_id: str, *, size: int = 1, retry_seconds: float = _RETRY_SECONDS
    ) -> AsyncIterator[None]:
        """A place for as long as the block lasts. Raises RateLimited where the principal waits for too many already."""
        await self.take(principal_id, retry_seconds, size)
        try:
            yield
        finally:
            self.leave(principal_id, size)

    def has_place_for(self, principal_id: str, size: int = 1) -> bool:
        """Whether the principal would not have to wait."""
        return self._next() is None and self._may_have_one(principal_id) and size <= self._free

    async def take(self, principal_id: str, retry_seconds: float = _RETRY_SECONDS, size: int = 1) -> None:
        """As `place`, for a place that is given back with `leave`."""
        waiting = self._waiting.get(principal_id)
        if self.has_place_for(principal_id, size):
            self._hand_to(principal_id, size)
            return
        if len(waiting or ()) >= self._each_waiting or sum(map(len, self._waiting.values())) >= self._all_waiting:
            raise RateLimited.until(retry_seconds)
        turn = _Turn(asyncio.get_running_loop().create_future(), size)
        self._waiting.setdefault(principal_id, deque()).append(turn)
        try:
            await turn.come
        except asyncio.CancelledError:
            if turn.come.done() and not turn.come.cancelled():
                self.leave(principal_id, size)
            else:
                self._forget(principal_id, turn)
                self._serve()
            raise

    def _may_have_one(self, principal_id: str) -> bool:
        return self._held[principal_id] < self._each

    def _next(self) -> str | None:
        """Whose turn it is. Nobody goes before them, however large what they want is."""
        return next((each for each in self._waiting if self._may_have_one(each)), None)

    def _hand_to(self, principal_id: str, size: int) -> None:
        self._free -= size
        self._held[principal_id] += 1

    def leave(self, principal_id: str, size: int = 1) -> None:
        """Gives a place back, to whoever is next."""
        self._free += size
        self._held[principal_id] -= 1
        if not self._held[principal_id]:
            del self._held[principal_id]
        self._serve()

    def _serve(self) -> None:
        while (following := self._next()) is not None and (turn := self._waiting[following][0]).size <= self._free:
            if turn.come.cancelled():
                return  # whoever gave it up has not run since, and serves the next one when it does
            self._forget(following, turn)
            if following in self._waiting:
                self._waiting.move_to_end(following)
            self._hand_to(following, turn.size)
            turn.come.set_result(None)

    def _forget(self, principal_id: str, turn: _Turn) -> None:
        self._waiting[principal_id].remove(turn)
        if not self._waiting[principal_id]:
            del self._waiting[principal_id]
