"""Work that a serving process repeats until it stops. Readiness and the log report work that fails or has ended."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Never

from service.identifiers.identifiers import failure

_logger = logging.getLogger("posterior.background")
_AGAIN_SECONDS: Final = 5.0
"""Longest pause after a turn that failed."""


@dataclass(slots=True)
class Work:
    """One kind of work in a task, a thread or a timer."""

    name: str
    fails: bool = False
    """Whether its last turn raised an exception."""
    has_ended: bool = False
    """Whether its task or thread has ended, so that it is not tried again."""

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Do one turn. An exception is logged and does not leave the block, so that the next turn follows."""
        try:
            yield
        except Exception as error:  # noqa: BLE001  no failure may end the work
            self.fails = True
            _logger.error("background work failed", extra={"work": self.name} | failure(error))
        else:
            self.fails = False

    async def repeat(self, do: Callable[[], Awaitable[object]], every_seconds: float) -> Never:
        """Do a turn, and another one `every_seconds` after its end, or sooner if it failed: the note in readiness stays
        until then.
        """
        while True:
            with self.turn():
                await do()
            await asyncio.sleep(min(every_seconds, _AGAIN_SECONDS) if self.fails else every_seconds)

    def start(self, run: Coroutine[Any, Any, Never]) -> asyncio.Task[Never]:
        """Start the task that does all turns."""
        task = asyncio.create_task(run, name=self.name)
        task.add_done_callback(self._note_end)
        return task

    def start_thread(self, run: Callable[[], None]) -> threading.Thread:
        """Start the thread that does all turns. `run` returns when the process closes."""

        def run_to_the_end() -> None:
            try:
                run()
            except Exception as error:  # noqa: BLE001  the library would print its text
                self._log_end(error)
            finally:
                self.has_ended = True

        thread = threading.Thread(target=run_to_the_end, name=self.name, daemon=True)
        thread.start()
        return thread

    def _note_end(self, task: asyncio.Task[Never]) -> None:
        self.has_ended = True
        if not task.cancelled():
            self._log_end(task.exception())

    def _log_end(self, error: BaseException | None) -> None:
        _logger.error("background work has ended", extra={"work": self.name} | (failure(error) if error else {}))
