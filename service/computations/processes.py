"""Runs computations in processes that can be killed: for their time, for their memory, or because nobody waits any
more. All are on public facts but the draws of `service.releases.apart`.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import service
from service.computations.forkserver import READY
from service.computations.worker import BEGUN, GREETING, LENGTH_BYTES
from service.errors import ComputationTooLarge, InternalError, ShuttingDown, problem_of

_logger = logging.getLogger("posterior.computations")

# A computation uses one core, and a library that started threads before a fork could hang after it.
ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"}
# A session of its own is out of the reach of an interrupt at the keyboard.
_START: Final = (
    "import os, sys; os.setsid(); sys.path.insert(0, sys.argv[1]); "
    "from service.computations.forkserver import main; main(sys.argv[2:])"
)
_STARTING_SECONDS: Final = 60.0
_ENDING_SECONDS: Final = 2.0
_MAX_BYTES: Final = 16_000_000
"""Of an answer."""
_KEPT_SECONDS: Final = 10.0
"""How long a process waits for its next order."""
_MOST_ORDERS: Final = 1_000
"""Of one process."""


class NotBegunError(Exception):
    """No process was there for a computation, and none was told of it."""


class Processes:
    """The forkserver, started at first use, and the processes that it makes; `modules` are what their computations
    import.
    """

    def __init__(self, *modules: str, memory_mb: int) -> None:
        self._modules, self._memory_mb = modules, memory_mb
        self._forkserver: asyncio.Task[_Forkserver] | None = None
        self._kept: _Process | None = None
        self._ending: asyncio.TimerHandle | None = None
        """Of the process that is kept, where nobody has an order for it."""
        self._names = itertools.count()
        self._closing = False

    async def run(
        self,
        function: str,
        text: str,
        *,
        seconds: int,
        processor_seconds: float | None = None,
        in_background: bool = False,
        private: bool = False,
        kept: bool = False,
    ) -> str:
        """What `function`, named as `module:function`, makes of `text`, in a process of its own that is killed when
        nobody waits for it. `in_background`: what is fetched later comes after all others. `private`: it has no limit
        of memory, since whether it keeps one could tell of the data, and a failure is InternalError, unlogged. `kept`:
        it may be the process of the `kept` one before, and waits for the next; without a limit of the processor.

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
            "in_background": in_background,
            "private": private,
        }
        try:
            forkserver = await self.started()
        except OSError:
            raise NotBegunError from None
        process, answer = None, None
        try:
            async with asyncio.timeout(seconds):
                process = await self._greeted(forkserver, kept=kept)
                answer = await process.answer(json.dumps(order).encode())
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
        return _result(json.loads(answer))

    async def _greeted(self, forkserver: _Forkserver, *, kept: bool) -> _Process:
        """A process that takes an order. Raises NotBegunError and ShuttingDown."""
        if kept and (waiting := self._taken()) is not None:
            with contextlib.suppress(NotBegunError):  # it has ended since
                return await self._begun(waiting)
        try:
            process = await _forked(forkserver, str(next(self._names)))
        except OSError:
            raise NotBegunError from None
        return await self._begun(process)

    async def _begun(self, process: _Process) -> _Process:
        try:
            await process.greet()
        except BaseException as error:
            process.end()
            if isinstance(error, asyncio.IncompleteReadError | ConnectionError):
                raise (ShuttingDown if self._closing else NotBegunError) from None
            raise
        return process

    def _put_away(self, process: _Process, *, keep: bool) -> None:
        if not keep or self._closing or self._kept is not None or process.orders >= _MOST_ORDERS:
            process.end()
            return
        self._kept = process
        self._ending = asyncio.get_running_loop().call_later(_KEPT_SECONDS, self._end_kept)

    def _taken(self) -> _Process | None:
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
        return starting.done() and starting.exception() is None

    async def started(self) -> _Forkserver:
        """The forkserver, which may have to be started, also anew. Whoever stops waiting for that stops nobody
        else's. Raises ShuttingDown, and OSError where it could not be started.
        """
        self._check_open()
        forkserver = await asyncio.shield(self._starting())
        self._check_open()
        return forkserver

    def _starting(self) -> asyncio.Task[_Forkserver]:
        if self._forkserver is None or self._has_ended(self._forkserver):
            self._forkserver = asyncio.create_task(_start(self._modules))
        return self._forkserver

    @staticmethod
    def _has_ended(started: asyncio.Task[_Forkserver]) -> bool:
        if not started.done():
            return False
        if started.exception() is None:
            if started.result().process.returncode is None:
                return False
            started.result().control.close()
        return True

    def _check_open(self) -> None:
        if self._closing:
            raise ShuttingDown

    async def close(self) -> None:
        """Ends all processes."""
        self._closing = True
        self._end_kept()
        if self._forkserver is None:
            return
        self._forkserver.cancel()
        with contextlib.suppress(asyncio.CancelledError, OSError, TimeoutError):
            forkserver = await self._forkserver
            # It ends those that it made, and then itself.
            forkserver.control.close()
            try:
                async with asyncio.timeout(_ENDING_SECONDS):
                    await forkserver.process.wait()
            except TimeoutError:
                forkserver.process.kill()
                await forkserver.process.wait()


@dataclass(frozen=True, slots=True)
class _Forkserver:
    process: asyncio.subprocess.Process
    control: socket.socket


@dataclass(slots=True)
class _Process:
    """What speaks to a process that was forked."""

    name: str
    forkserver: _Forkserver
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    orders: int = 0

    async def greet(self) -> None:
        """Until it takes an order. Raises IncompleteReadError or ConnectionError where it has ended, told of none."""
        self.writer.write(GREETING)
        await self.reader.readexactly(len(BEGUN))

    async def answer(self, order: bytes) -> bytes:
        """What it says to an order. Raises as `greet`, and ComputationTooLarge."""
        self.orders += 1
        self.writer.write(len(order).to_bytes(LENGTH_BYTES) + order)
        length = int.from_bytes(await self.reader.readexactly(LENGTH_BYTES))
        if length > _MAX_BYTES:
            raise ComputationTooLarge
        return await self.reader.readexactly(length)

    def end(self) -> None:
        """Kills it."""
        with contextlib.suppress(OSError):
            self.forkserver.control.send(f"kill {self.name}".encode())
        self.writer.close()


async def _forked(forkserver: _Forkserver, name: str) -> _Process:
    ours, theirs = socket.socketpair()
    try:
        with theirs:
            socket.send_fds(forkserver.control, [f"fork {name}".encode()], [theirs.fileno()])
        return _Process(name, forkserver, *await asyncio.open_unix_connection(sock=ours))
    except OSError:
        ours.close()
        raise


async def _start(modules: Sequence[str]) -> _Forkserver:
    """A forkserver that has imported what it needs. Raises OSError, also as TimeoutError, where it can't."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    with theirs:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-c", _START, str(Path(service.__file__).parent.parent), *modules),
            stdin=theirs.fileno(),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            env=ENVIRONMENT,
        )
    try:
        await _ready(ours)
    except BaseException:
        ours.close()
        if process.returncode is None:
            process.kill()
        await process.wait()
        raise
    return _Forkserver(process, ours)


async def _ready(control: socket.socket) -> None:
    """Until the forkserver says so. Raises OSError, also as TimeoutError."""
    async with asyncio.timeout(_STARTING_SECONDS):
        said = await asyncio.get_running_loop().sock_recv(control, len(READY))
    if said != READY:
        raise ConnectionError("it ended at its start")


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
