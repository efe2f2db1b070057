"""The tasks that a serving process finishes before it ends: paid releases in progress."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final

GRACE_SECONDS: Final = 20
"""Seconds that the server waits for requests at shutdown, and then again for paid releases without a request."""


class Shutdown:
    """The tasks that draw, store and compose paid releases, by release id. A task may outlive its request."""

    def __init__(self) -> None:
        self.in_progress: dict[str, asyncio.Task[str]] = {}

    def start(self, release_id: str, work: Coroutine[Any, Any, str]) -> asyncio.Task[str]:
        """Start a task that finishes a release."""
        task = asyncio.create_task(work)
        self.in_progress[release_id] = task

        def forget(done: asyncio.Task[str]) -> None:
            if self.in_progress.get(release_id) is done:
                del self.in_progress[release_id]
            if not done.cancelled():
                done.exception()  # read the exception, so that asyncio does not report it; the request may have ended

        task.add_done_callback(forget)
        return task

    async def finish(self) -> None:
        """Wait for the releases in progress, up to the grace period. A release that does not reach its tick stays paid,
        and the next process draws it.
        """
        tasks = list(self.in_progress.values())
        if tasks:
            await asyncio.wait(tasks, timeout=GRACE_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
