"""Lease work that is stored as rows, in turns by principal. One process does a piece of work. If it dies, another
process leases it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, Never, TypeVar

from sqlalchemy import Connection

from service.background import Work
from service.identifiers.identifiers import now
from service.runtime.runtime import Runtime

LEASE_SECONDS: Final = 30
_LOOK_EVERY_SECONDS: Final = 1.0
_MAX_RETRY_SECONDS: Final = 30
T = TypeVar("T")
Turns = dict[str, float]
"""Time of each principal's last turn, by the monotonic clock."""


def next_in_turn(waiting: Iterable[Any], turns: Turns) -> Any | None:
    """Return the oldest row of the principal who has waited longest for a turn, or None if there are no rows.

    Rows have `principal_id` and `created_at`.
    """
    return min(waiting, key=lambda each: (turns.get(each.principal_id, 0.0), each.created_at, each[0]), default=None)


def retry_seconds(created_at: int) -> int:
    """Return the seconds to wait before the next request for work created at `created_at`.

    This is a quarter of the time since, at most half a minute. Polling therefore adds at most a quarter to a wait, and
    little load.
    """
    return min(max(1, (now() - created_at) // 4), _MAX_RETRY_SECONDS)


async def keep_working(
    runtime: Runtime,
    work: Work,
    lease: Callable[[Connection, Turns], T | None],
    do: Callable[[Runtime, T], Awaitable[None]],
) -> Never:
    """Lease rows and work on them, one at a time, without end. `lease` updates the turns."""
    turns: Turns = {}
    while True:
        with work.turn():
            leased = await runtime.database.write(lambda c: lease(c, turns))
            if leased is not None:
                await do(runtime, leased)
                continue
        await asyncio.sleep(_LOOK_EVERY_SECONDS)


def take_turn(turns: Turns, principal_id: str) -> None:
    turns[principal_id] = time.monotonic()


async def compute_leased(
    runtime: Runtime,
    function: str,
    text: str,
    *,
    seconds: float,
    processor_seconds: float,
    renew: Callable[[Connection], bool],
) -> str | None:
    """Run a computation in a separate process and return its result. Renew its lease while it runs.

    If `renew` returns False, the work was deleted: the process is killed, and None is returned. Raises the Problem that
    the function raised, and the errors of `ComputationProcesses.run`.
    """
    running = runtime.processes.computations.run(function, text, seconds=seconds, processor_seconds=processor_seconds)
    work = asyncio.ensure_future(running)
    try:
        while not (await asyncio.wait({work}, timeout=LEASE_SECONDS / 3))[0]:
            if not await runtime.database.write(renew):
                return None
        return work.result()
    finally:
        work.cancel()
        await asyncio.wait({work})
