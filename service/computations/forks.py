"""Starts a forkserver, and speaks to it and to the processes that it makes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import service
from service.computations.forkserver import READY
from service.computations.worker import BEGUN, GREETING, LENGTH_BYTES
from service.errors import ComputationTooLarge, InternalError

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


@dataclass(slots=True, eq=False)
class Forkserver:
    """What speaks to a forkserver that was started."""

    process: asyncio.subprocess.Process
    control: socket.socket
    silent_since: float | None = None
    """By the clock of the event loop: when it was asked for a process that did not greet in time, and none has since.
    """
    _living: int = 0
    _is_given_up: bool = False

    @property
    def has_ended(self) -> bool:
        return self.process.returncode is not None

    async def fork(self, name: str) -> Process:
        """A process that it makes now. Raises OSError where it can't be asked."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self.control, [f"fork {name}".encode()], [theirs.fileno()])
            process = Process(name, self, *await asyncio.open_unix_connection(sock=ours))
        except BaseException:
            ours.close()
            raise
        self._living += 1
        return process

    def end_process(self, name: str) -> None:
        """Kills a process that it made; with the last one itself, where it was given up."""
        with contextlib.suppress(OSError):
            self.control.send(f"kill {name}".encode())
        self._living -= 1
        self._end_when_given_up()

    def give_up(self) -> None:
        """Asks it for nothing more. What it made goes on, and then it is killed: it may never look again."""
        self._is_given_up = True
        self._end_when_given_up()

    def _end_when_given_up(self) -> None:
        if self._is_given_up and not self._living:
            self.control.close()
            self._kill()

    def _kill(self) -> None:
        """It and all that it made, which are a session of their own."""
        if not self.has_ended:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    async def end(self) -> None:
        """Ends it and all that it made."""
        self.control.close()  # it ends those that it made, and then itself
        try:
            async with asyncio.timeout(_ENDING_SECONDS):
                await self.process.wait()
        except TimeoutError:
            self._kill()
            await self.process.wait()


@dataclass(slots=True, eq=False)
class Process:
    """What speaks to a process that was forked."""

    name: str
    forkserver: Forkserver
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    orders: int = 0

    async def greet(self) -> None:
        """Until it takes an order. Raises IncompleteReadError or ConnectionError where it takes none, told of none."""
        self.writer.write(GREETING)
        if await self.reader.readexactly(len(BEGUN)) != BEGUN:
            raise ConnectionError("it says what nobody asked")

    async def answer(self, number: int, order: dict[str, Any]) -> dict[str, Any]:
        """What it says to an order of this number. Raises as `greet`, ComputationTooLarge, and InternalError for an
        answer to another order.
        """
        self.orders += 1
        text = json.dumps(order | {"number": number}).encode()
        self.writer.write(len(text).to_bytes(LENGTH_BYTES) + text)
        length = int.from_bytes(await self.reader.readexactly(LENGTH_BYTES))
        if length > _MAX_BYTES:
            raise ComputationTooLarge
        answer: dict[str, Any] = json.loads(await self.reader.readexactly(length))
        if answer.get("number") != number:
            raise InternalError
        return answer

    def end(self) -> None:
        """Kills it."""
        self.forkserver.end_process(self.name)
        self.writer.close()


async def start(modules: Sequence[str]) -> Forkserver:
    """A forkserver that has imported what it needs. Raises OSError, also as TimeoutError, where it can't."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    try:
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
            if process.returncode is None:
                process.kill()
            await process.wait()
            raise
    except BaseException:
        ours.close()
        raise
    return Forkserver(process, ours)


async def _ready(control: socket.socket) -> None:
    """Until the forkserver says so. Raises OSError, also as TimeoutError."""
    async with asyncio.timeout(_STARTING_SECONDS):
        said = await asyncio.get_running_loop().sock_recv(control, len(READY))
    if said != READY:
        raise ConnectionError("it ended at its start")
