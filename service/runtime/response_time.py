"""Response-time quantization: a paid answer leaves 1, 2, 4, 8 … spacings after its charge was committed.

The duration of a draw can depend on the counts and the noise. So the answer waits for a tick. Ticks depend only on
public facts: the event and the length of its spec. An answer that misses a tick leaves at twice that time, not at the
next multiple, so that a slow draw discloses at most the octave in which it ended. The result is stored on the tick,
too, so that no second request, list or ledger shows it earlier. One timer wakes all that wait.
"""

from __future__ import annotations

import asyncio
import heapq
import math
from collections.abc import Hashable
from itertools import count
from typing import Final, NamedTuple

from service.background import Work
from service.drawing.estimates import kill_seconds, tick
from service.drawing.processes import OVERRUN_SECONDS

MARGIN: Final = 3
"""Minimum of the first tick, in multiples of the estimated draw time."""
MAX_LEASE_SECONDS: Final = 7200
"""Longest lease. A stored lease that ends later came from a clock that ran ahead, and is ignored."""
_LEASE_MARGIN_SECONDS: Final = 10
_AGAIN_SECONDS: Final = 1.0
"""Seconds after which releases are woken again if that failed."""


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
        self._due_time = math.inf
        """When the timer fires. It is not read from the timer: not every event loop has it after that."""
        self.work = Work("ticks")
        self._numbers = count()
        self._last_start: tuple[Hashable, float] = None, 0.0

    def start(self, commit: Hashable = None) -> Start:
        """Start the clock of a release. Charges of one commit start together."""
        if commit is None or commit != self._last_start[0]:
            self._last_start = commit, asyncio.get_running_loop().time()
        return Start(self._last_start[1], next(self._numbers))

    async def wait(self, due: float, number: int) -> None:
        """Wait until `due`, by the clock of the event loop."""
        tick = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (due, number, tick))
        self._set_timer(self._waiting[0][0])
        await tick

    def _set_timer(self, due: float) -> None:
        if self._due_time <= due:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._due_time, self._timer = due, asyncio.get_running_loop().call_at(due, self._wake)

    def _wake(self) -> None:
        now = max(asyncio.get_running_loop().time(), self._due_time)
        self._timer, self._due_time = None, math.inf
        with self.work.turn():
            self._wake_due(now)
        if self._waiting:
            self._set_timer(max(self._waiting[0][0], now + self.work.fails * _AGAIN_SECONDS))

    def _wake_due(self, now: float) -> None:
        due = list[tuple[int, asyncio.Future[None]]]()
        while self._waiting and self._waiting[0][0] <= now:
            _, number, tick = heapq.heappop(self._waiting)
            due.append((number, tick))
        for _, tick in sorted(due, key=lambda each: each[0]):
            if not tick.done():
                tick.set_result(None)


def spacing_seconds(estimate: float, quantum_ms: int) -> float:
    """Return the time of the first tick: `quantum_ms` times a power of two, at least three times the estimate.

    It is 0 if quantization is off.
    """
    if not quantum_ms:
        return 0.0
    quantum = quantum_ms / 1000
    return float(quantum * 2 ** max(0, math.ceil(math.log2(MARGIN * estimate / quantum))))


def lease_seconds(estimate: float, quantum_ms: int, before: int = 0) -> int:
    """Return the length of a lease: ten seconds more than the first tick after a draw of this estimate would be
    killed, and the seconds by which `before` other draws may delay it.
    """
    last_tick = tick(kill_seconds(estimate), spacing_seconds(estimate, quantum_ms))
    delay = math.ceil(before * OVERRUN_SECONDS)
    return min(math.ceil(last_tick) + _LEASE_MARGIN_SECONDS + delay, MAX_LEASE_SECONDS)


async def wait_for_tick(ticks: Ticks, start: Start, spacing: float) -> None:
    """Wait until the next tick after `start`."""
    if spacing:
        elapsed = asyncio.get_running_loop().time() - start.instant
        await ticks.wait(start.instant + tick(elapsed, spacing), start.number)
