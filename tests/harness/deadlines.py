"""How long tests wait for something, on a machine that may have other work."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE: Final = int(os.environ.get("TESTS_PATIENCE", "600"))
"""The limit of each wait of a test, in seconds. It ends what hangs, and is not a promise. For a mutant it is short."""


def until(happened: Callable[[], object]) -> None:
    """Wait for something that is outside this thread."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


async def until_async(happened: Callable[[], object]) -> None:
    """Wait as `until` does, without blocking the event loop."""
    async with asyncio.timeout(PATIENCE):
        while not happened():  # noqa: ASYNC110  it is outside this loop
            await asyncio.sleep(0.02)


def stretched(seconds: float) -> float:
    """`seconds` on an idle machine, and proportionally more if more processes want to run than there are cores. Call it
    at the end of the bounded work, because the load average is that of the last minute.
    """
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
