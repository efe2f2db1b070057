"""Runs computations in processes that can be killed: for their time, for their memory, or because nobody waits any
more. All are on public facts but the draws of `service.releases.apart`.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from typing import Any, Final

from service.computations.forks import Forkserver, Process, start
from service.errors import ComputationTooLarge, InternalError, ShuttingDown, problem_of

_logger = logging.getLogger("posterior.computations")

_KEPT_SECONDS: Final = 10.0
"""How long a process waits for its next order."""
_MOST_ORDERS: Final = 1_000
"""Of one process."""
_PROMPT_SECONDS: Final = 1.0
"""How long whoever can do without a process waits for one to greet."""
_GREETING_SECONDS: Final = 10.0
"""After which a forkserver whose processes do not greet is given up."""
_FIRST_PAUSE_SECONDS: Final = 2.0
_LONGEST_PAUSE_SECONDS: Final = 60.0
"""From one start of a forkserver to the next, where no process has greeted since."""


class NotBegunError(Exception):
    """No process was there for a computation, and none was told of it."""


class Processes:
    """The forkserver, started at first use, and the processes that it makes; `modules` are what their computations
    import.
    """

    def __init__(self, *modules: str, memory_mb: int) -> None:
        self._modules, self._memory_mb = modules, memory_mb
        self._forkserver: asyncio.Task[Forkserver] | None = None
        self._given_up = list[Forkserver]()
        self._pause = 0.0
        """From the next start of a forkserver to the one after it, in seconds."""
        self._not_before = 0.0
        """By the clock of the event loop: when the next forkserver may be started."""
        self._kept: Process | None = None
        self._ending: asyncio.TimerHandle | None = None
        """Of the process that is kept, where nobody has an order for it."""
        self._numbers = itertools.count()
        """Of processes and of orders."""
        self._closing = False

    async def run(
        self,
        function: str,
        text: str,
        *,
        seconds: int,
        processor_seconds: float | None = None,
        private: bool = False,
        kept: bool = False,
        at_once: bool = False,
    ) -> str:
        """What `function`, named as `module:function`, makes of `text`, in a process of its own that is killed when
        nobody waits for it. `processor_seconds` is rounded up to whole seconds. `private`: it has no limit of memory,
        since whether it keeps one could tell of the data, and a failure is InternalError, unlogged. `kept`: it may be
        the process of the `kept` one before, and waits for the next; without a limit of the processor. `at_once`: where
        no process greets in a moment, that is told at once, and no other is waited for.

        Raises the Problem that the function raised, ComputationTooLarge where the process was killed or its memory did
        not suffice, TimeoutError after `seconds`, or after `processor_seconds` of the processor, ShuttingDown where all
        processes were ended, and NotBegunError. A process that had a limit of the processor and was killed counts as
        one that reached it.
        """
        assert not kept or (private and processor_seconds is None), "a limit is one of the whole process"
        order = {
            "function": function,
            "text": text,
            "seconds": seconds,
            "processor_seconds": processor_seconds,
            "memory_mb": None if private else self._memory_mb,
            "private": private,
        }
        if at_once and not self.are_ready():
            raise NotBegunError
        try:
            forkserver = await self.started()
        except OSError:
            raise NotBegunError from None
        process, answer = None, None
        try:
            async with asyncio.timeout(seconds):
                process = await self._greeted(forkserver, kept=kept, at_once=at_once)
                answer = await process.answer(next(self._numbers), order)
        except (asyncio.IncompleteReadError, ConnectionError):
            if self._closing:
                raise ShuttingDown from None
            # The system killed it for its memory, or for its time.
            raise (ComputationTooLarge if processor_seconds is None else TimeoutError) from None
        except TimeoutError:
            raise (NotBegunError if process is None else TimeoutError) from None
        finally:
            if process is not None:
                self._put_away(process, keep=kept and answer is not None)
        return _result(answer)

    async def _greeted(self, forkserver: Forkserver, *, kept: bool, at_once: bool) -> Process:
        """A process that takes an order. Raises NotBegunError and ShuttingDown."""
        if kept and (waiting := self._taken()) is not None:
            with contextlib.suppress(NotBegunError, TimeoutError):  # it has ended since, or hangs
                await self._greet(waiting, _PROMPT_SECONDS)
                return waiting
        try:
            return await self._forked(forkserver, _PROMPT_SECONDS if at_once else _GREETING_SECONDS)
        except NotBegunError:
            if at_once or forkserver.silent_since is None:
                raise
        try:  # once more, by one that is started anew
            return await self._forked(await self.started(), _GREETING_SECONDS)
        except OSError:
            raise NotBegunError from None

    async def _forked(self, forkserver: Forkserver, seconds: float) -> Process:
        """A new process that has greeted within so many seconds; else the forkserver is silent. Raises as
        `_greeted`.
        """
        asked = asyncio.get_running_loop().time()
        try:
            process = await forkserver.fork(str(next(self._numbers)))
        except OSError:
            raise NotBegunError from None
        try:
            await self._greet(process, seconds)
        except TimeoutError:
            forkserver.silent_since = min(asked, forkserver.silent_since or asked)
            raise NotBegunError from None
        forkserver.silent_since = None
        self._pause, self._not_before = 0.0, 0.0
        return process

    async def _greet(self, process: Process, seconds: float) -> None:
        """Ends a process that does not greet. Raises TimeoutError after so many seconds, NotBegunError and
        ShuttingDown.
        """
        try:
            async with asyncio.timeout(seconds):
                await process.greet()
        except BaseException as error:
            process.end()
            if isinstance(error, asyncio.IncompleteReadError | ConnectionError):
                raise (ShuttingDown if self._closing else NotBegunError) from None
            raise

    def _put_away(self, process: Process, *, keep: bool) -> None:
        if not keep or self._closing or self._kept is not None or process.orders >= _MOST_ORDERS:
            process.end()
            return
        self._kept = process
        self._ending = asyncio.get_running_loop().call_later(_KEPT_SECONDS, self._end_kept)

    def _taken(self) -> Process | None:
        """The process that waits for an order, which then does so no more."""
        if self._ending is not None:
            self._ending.cancel()
        waiting, self._kept, self._ending = self._kept, None, None
        return waiting

    def _end_kept(self) -> None:
        if (waiting := self._taken()) is not None:
            waiting.end()

    def are_ready(self) -> bool:
        """Whether a process can be made at once. Where not, the forkserver is started for whoever asks later."""
        if self._closing:
            return False
        starting = self._starting()
        if not starting.done() or starting.exception() is not None:
            return False
        return not self._is_over(starting) and starting.result().silent_since is None

    async def started(self) -> Forkserver:
        """The forkserver, which may have to be started, also anew. Whoever stops waiting for that stops nobody
        else's. Raises ShuttingDown, and OSError where it could not be started.
        """
        self._check_open()
        starting = self._starting()
        forkserver = await asyncio.shield(starting)
        self._check_open()
        if self._is_over(starting):
            raise ConnectionError("it has ended, and the next is not started yet")
        return forkserver

    def _starting(self) -> asyncio.Task[Forkserver]:
        """The start of the forkserver. One that can't be started, or whose processes do not greet, is started anew at
        once, and then after longer and longer pauses, as each start takes seconds of a processor.
        """
        now = asyncio.get_running_loop().time()
        if self._forkserver is None or (self._is_over(self._forkserver) and now >= self._not_before):
            self._give_up()
            self._not_before = now + self._pause
            self._pause = min(max(2 * self._pause, _FIRST_PAUSE_SECONDS), _LONGEST_PAUSE_SECONDS)
            self._forkserver = asyncio.create_task(start(self._modules))
        return self._forkserver

    def _give_up(self) -> None:
        self._given_up = [each for each in self._given_up if not each.has_ended]
        if self._forkserver is not None and self._forkserver.exception() is None:
            self._given_up.append(self._forkserver.result())
            self._given_up[-1].give_up()

    @staticmethod
    def _is_over(starting: asyncio.Task[Forkserver]) -> bool:
        """Whether nothing comes any more of a forkserver that was started."""
        if not starting.done():
            return False
        if starting.exception() is not None:
            return True
        forkserver, now = starting.result(), asyncio.get_running_loop().time()
        silent_since = now if forkserver.silent_since is None else forkserver.silent_since
        return forkserver.has_ended or now - silent_since >= _GREETING_SECONDS

    def _check_open(self) -> None:
        if self._closing:
            raise ShuttingDown

    async def close(self) -> None:
        """Ends all processes."""
        self._closing = True
        self._end_kept()
        forkservers = [each for each in self._given_up if not each.has_ended]
        if self._forkserver is not None:
            self._forkserver.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                forkservers.append(await self._forkserver)
        await asyncio.gather(*(each.end() for each in forkservers))


def _result(answer: dict[str, Any]) -> str:
    if "result" in answer:
        result: str = answer["result"]
        return result
    if "problem" in answer:
        raise problem_of(answer["problem"])
    if "failed" in answer:
        raise InternalError
    _logger.error("a computation failed", extra={"failure": answer["failure"], "places": answer["places"]})
    raise InternalError
