"""The ticks of paid releases. One timer wakes all that wait."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Hashable
from itertools import count
from typing import NamedTuple


class Start(NamedTuple):
    """When the service learned that a charge was committed, by the clock of the event loop, and the number of the
    charge.
    """

    instant: float
    number: int


class Ticks:
    """Wakes releases at their ticks. Those that are due together are woken in the order of their charges."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._numbers = count()
        self._last: tuple[Hashable, float] = None, 0.0

    def start(self, commit: Hashable = None) -> Start:
        """Start the clock of a release. Charges of one commit start together."""
        if commit is None or commit != self._last[0]:
            self._last = commit, asyncio.get_running_loop().time()
        return Start(self._last[1], next(self._numbers))

    async def wait(self, due: float, number: int) -> None:
        """Wait until `due`, by the clock of the event loop."""
        tick = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (due, number, tick))
        self._set_timer()
        await tick

    def _set_timer(self) -> None:
        if self._timer is not None and self._waiting and self._timer.when() <= self._waiting[0][0]:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(self._waiting[0][0], self._wake) if self._waiting else None

    def _wake(self) -> None:
        assert self._timer is not None, "it calls this"
        now, due = max(asyncio.get_running_loop().time(), self._timer.when()), list[tuple[int, asyncio.Future[None]]]()
        while self._waiting and self._waiting[0][0] <= now:
            _, number, tick = heapq.heappop(self._waiting)
            due.append((number, tick))
        for _, tick in sorted(due, key=lambda each: each[0]):
            if not tick.done():
                tick.set_result(None)
        self._timer = None
        self._set_timer()
