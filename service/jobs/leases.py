"""Leases work that is kept as rows, so that one process does it and another takes it up if that one dies; whose turn
it is goes round by principal.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, Never, TypeVar

from sqlalchemy import ColumnElement, Connection, Table, not_, or_

from service import log
from service.identifiers import now
from service.runtime.runtime import Runtime

_logger = logging.getLogger("posterior.jobs")
LEASE_SECONDS: Final = 30
_LOOK_EVERY_SECONDS: Final = 1.0
_MAX_RETRY_SECONDS: Final = 30
T = TypeVar("T")
Turns = dict[str, float]
"""When each principal had its last turn."""


def is_free(table: Table) -> ColumnElement[bool]:
    """Whether a row of work is to be done, and nobody does it."""
    # A lease that ends later than one of now would was given by a clock that ran ahead.
    leased = table.c.leased_until.between(now() + 1, now() + LEASE_SECONDS)
    return (table.c.state == "pending") & or_(table.c.leased_until.is_(None), not_(leased))


def next_in_turn(waiting: Iterable[Any], turns: Turns) -> Any | None:
    """Of rows with `principal_id` and `created_at`, the oldest of whoever had no turn for the longest time."""
    return min(waiting, key=lambda each: (turns.get(each.principal_id, 0.0), each.created_at, each[0]), default=None)


def retry_seconds(created_at: int) -> int:
    """Return when to ask again for work that was asked for at `created_at`: after a quarter of the time since, at most
    half a minute, so that asking adds a quarter to a long wait and little load.
    """
    return min(max(1, (now() - created_at) // 4), _MAX_RETRY_SECONDS)


async def keep_working(
    runtime: Runtime,
    lease: Callable[[Connection, Turns], T | None],
    work: Callable[[Runtime, T], Awaitable[None]],
) -> Never:
    """Does what `lease` gives, one piece at a time, for ever. `lease` brings the turns up to date."""
    turns: Turns = {}
    while True:
        try:
            leased = await runtime.database.write(lambda c: lease(c, turns))
            if leased is not None:
                await work(runtime, leased)
                continue
        except Exception as error:  # noqa: BLE001  it is tried again, and nothing of it concerns a caller
            _logger.error("a job could not be worked on", extra=log.failure(error))
        await asyncio.sleep(_LOOK_EVERY_SECONDS)


def take_turn(turns: Turns, principal_id: str) -> None:
    turns[principal_id] = time.monotonic()


async def compute_leased(
    runtime: Runtime, function: str, text: str, *, seconds: float, renew: Callable[[Connection], bool]
) -> str | None:
    """What a computation gives, in a process of its own, with its lease renewed meanwhile; None, and the process
    killed, once `renew` says that nobody wants it any more.

    Raises the Problem that the function raised, ComputationTooLarge where it was killed, TimeoutError.
    """
    work = asyncio.ensure_future(runtime.processes.computations.run(function, text, seconds=seconds))
    try:
        while not (await asyncio.wait({work}, timeout=LEASE_SECONDS / 3))[0]:
            if not await runtime.database.write(renew):
                return None
        return work.result()
    finally:
        work.cancel()
        await asyncio.wait({work})
