"""Start draw processes and send them orders.

One resident process takes short draws, one after the other. Each starts one slot after the previous one, so start times
are public. A longer draw gets a separate process, which ends after it. One spare process is kept ready, since starting
one takes half a second. A process that exceeds its time limit is killed, and its draw has failed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from service.drawing import frames
from service.drawing.estimates import is_short, kill_seconds, memory_bytes, slot_seconds
from service.drawing.keys import DrawKeys
from service.fair_queue import FairQueue
from service.faults import crash_point
from service.limits import LONG_DRAWS, RESIDENT, SHORT_DRAWS
from service.process_hardening import is_needed

_logger = logging.getLogger("posterior.drawing")

PROGRAM: Final = (sys.executable, "-m", "service.drawing")
_READY_SECONDS: Final = 30.0
_OVERRUN_SECONDS: Final = 1.0
"""Seconds by which a draw may overrun its slot before the resident process gets no more orders."""
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.5, 30.0
"""Pauses after a failed start: the first, and the longest."""
_ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class NotSentError(Exception):
    """The order was sent to no process. Nothing was drawn, and it can be sent later."""


@dataclass(frozen=True, slots=True)
class Order:
    """A paid draw, with its payer and its estimate in seconds."""

    principal_id: str
    release_id: str
    spec: str
    receipt: dict[str, Any]
    dataset_id: str
    counts_key_id: str
    ciphertext: str = field(repr=False)
    """The encrypted counts in base64."""
    estimate: float

    def message(self) -> dict[str, Any]:
        """Return the message that a draw process reads."""
        counts = {"dataset_id": self.dataset_id, "key_id": self.counts_key_id, "ciphertext": self.ciphertext}
        return {
            "release_id": self.release_id,
            "spec": self.spec,
            "receipt": self.receipt,
            "counts": counts,
            "seconds": kill_seconds(self.estimate),
            "memory_bytes": 2 * memory_bytes(self.estimate, len(self.spec)),
        }

    def can_be_drawn_with(self, keys: DrawKeys) -> bool:
        """Return whether a process with these keys can decrypt the counts and verify the receipt."""
        return self.counts_key_id in keys.ring.keys and self.receipt.get("key_id") in keys.public_keys


class DrawProcess:
    """One process that reported ready. It gets one order at a time."""

    def __init__(self, process: Process, input_: int, keys: DrawKeys) -> None:
        self.keys = keys
        self._process = process
        self._input = input_
        """The write end of a pipe. Written directly, since a write that fails at its first byte has sent nothing."""

    @classmethod
    async def start(cls, program: Sequence[str], keys: DrawKeys) -> DrawProcess:
        """Start a process and send it the keys. Raises NotSentError if it does not report ready."""
        read_end, write_end = os.pipe()
        os.set_blocking(write_end, False)
        environment = {name: value for name, value in os.environ.items() if is_needed(name)}
        try:
            process = await asyncio.create_subprocess_exec(
                *program, stdin=read_end, stdout=PIPE, stderr=DEVNULL, env=environment | _ONE_THREAD
            )
        except OSError:
            os.close(write_end)
            raise NotSentError from None
        finally:
            os.close(read_end)
        started = cls(process, write_end, keys)
        try:
            async with asyncio.timeout(_READY_SECONDS):
                await started._write(frames.encode(keys.to_json()))
                if await started._read() == {"ready": True}:
                    return started
        except _NO_ANSWER:
            pass
        except asyncio.CancelledError:
            await started.close()
            raise
        await started.close()
        raise NotSentError

    @property
    def process_id(self) -> int:
        return self._process.pid

    @property
    def is_usable(self) -> bool:
        """Return whether the process can receive an order, as far as the service knows."""
        return self._process.returncode is None and self._input >= 0

    def send(self, order: Order) -> Coroutine[Any, Any, str | None]:
        """Send the order. Return a coroutine for its answer: the drawn values as JSON text, or None if the draw failed.
        Raises NotSentError if the order's first byte could not be written.
        """
        message = frames.encode(order.message())
        if not self.is_usable:
            raise NotSentError
        try:
            written = os.write(self._input, message)
        except OSError:
            self.kill()
            raise NotSentError from None
        return self._receive(message[written:], order)

    async def _receive(self, rest: bytes, order: Order) -> str | None:
        try:
            async with asyncio.timeout(kill_seconds(order.estimate)):
                await self._write(rest)
                answer = await self._read_answer(order)
        except BaseException as error:
            await self.close()
            if isinstance(error, _NO_ANSWER):
                return None
            raise
        return json.dumps(answer["drawn"]) if "drawn" in answer else None

    async def _read_answer(self, order: Order) -> dict[str, Any]:
        """Return the next answer. Raises ValueError if it names another release than the order."""
        answer = await self._read()
        if answer.get("release_id") != order.release_id:
            raise ValueError("an answer to another order")
        return answer

    async def _write(self, message: bytes) -> None:
        loop, rest = asyncio.get_running_loop(), memoryview(message)
        while rest:
            try:
                rest = rest[os.write(self._input, rest) :]
            except BlockingIOError:
                writable = loop.create_future()
                loop.add_writer(self._input, writable.set_result, None)
                try:
                    await writable
                finally:
                    loop.remove_writer(self._input)

    async def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None, "it is a pipe"
        length = await self._process.stdout.readexactly(frames.LENGTH_BYTES)
        answer: dict[str, Any] = json.loads(await self._process.stdout.readexactly(int.from_bytes(length)))
        return answer

    def end(self) -> None:
        """Close the input of the process, so that it finishes its current draw and ends."""
        if self._input >= 0:
            os.close(self._input)
            self._input = -1

    def kill(self) -> None:
        self.end()
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def wait(self) -> None:
        await self._process.wait()

    async def close(self) -> None:
        """Kill the process and wait for its end. asyncio reports the end only after all output was read."""
        self.kill()
        assert self._process.stdout is not None, "it is a pipe"
        await self._process.stdout.read()
        await self.wait()


_NO_ANSWER: Final = (OSError, asyncio.IncompleteReadError, ValueError)
"""Errors of reading a missing or invalid answer. TimeoutError is an OSError."""


class DrawProcesses:
    """The draw processes of one serving process. `keys` returns the current keys. `program` is the command to start."""

    def __init__(self, keys: Callable[[], DrawKeys], program: Sequence[str] = PROGRAM) -> None:
        self._keys = keys
        self._program = tuple(program)
        self._short_slots, self._long_slots = SHORT_DRAWS.queue(), LONG_DRAWS.queue()
        self._turns = RESIDENT.queue()
        self._resident: DrawProcess | None = None
        self._ready: asyncio.Queue[DrawProcess] = asyncio.Queue()
        self._wanted = asyncio.Event()
        self._tried = asyncio.Event()
        self._pause = 0.0
        self._all = set[DrawProcess]()
        self._tasks = set[asyncio.Task[Any]]()

    def slots(self, estimate: float) -> FairQueue:
        """Return the queue of draws with this estimate. A draw holds its slot from before its charge until its tick."""
        return self._short_slots if is_short(estimate) else self._long_slots

    @property
    def are_available(self) -> bool:
        """Return whether the last started process reported ready."""
        return self._tried.is_set() and not self._pause

    async def start(self) -> None:
        """Start the task that keeps a process ready. Wait until the first process is ready or has failed to start."""
        self._wanted.set()
        self._keep(asyncio.create_task(self._keep_ready()))
        await self._tried.wait()

    async def draw(self, order: Order) -> str | None:
        """Return the drawn values as JSON text, or None if the draw failed. Raises NotSentError if the order could not
        be sent to a process.
        """
        return await (self._draw_short(order) if is_short(order.estimate) else self._draw_long(order))

    async def _draw_short(self, order: Order) -> str | None:
        await self._turns.take(order.principal_id)
        try:
            process, answer = await self._send(order, self._find_resident)
        except BaseException:
            self._turns.leave(order.principal_id)
            raise
        receiving = asyncio.create_task(answer)
        self._keep(receiving)
        self._keep(asyncio.create_task(self._hold_turn(order, process, receiving)))
        return await receiving

    async def _hold_turn(self, order: Order, process: DrawProcess, receiving: asyncio.Task[str | None]) -> None:
        """End the turn at the first of 1, 2, 4 … slots at which the draw has ended.

        A resident process that overruns its slot by a second finishes its draw and gets no more orders.
        """
        loop, slot = asyncio.get_running_loop(), slot_seconds(order.estimate)
        started, held = loop.time(), slot
        try:
            while True:
                await asyncio.sleep(started + min(held, slot + _OVERRUN_SECONDS) - loop.time())
                if receiving.done():
                    return
                if held >= slot + _OVERRUN_SECONDS:
                    process.end()
                    return
                held *= 2
        finally:
            self._turns.leave(order.principal_id)

    async def _draw_long(self, order: Order) -> str | None:
        process, answer = await self._send(order, self._take)
        try:
            return await answer
        finally:
            process.end()

    async def _send(
        self, order: Order, find: Callable[[], Coroutine[Any, Any, DrawProcess]]
    ) -> tuple[DrawProcess, Coroutine[Any, Any, str | None]]:
        """Send the order. Return its process and a coroutine for its answer. Raises NotSentError."""
        if not order.can_be_drawn_with(self._keys()):
            raise NotSentError
        while True:
            process = await find()
            if not order.can_be_drawn_with(process.keys):
                raise NotSentError
            with contextlib.suppress(NotSentError):  # the process has just ended: try the next
                answer = process.send(order)
                crash_point("sent")
                return process, answer

    async def _find_resident(self) -> DrawProcess:
        if self._resident is None or not self._is_current(self._resident):
            self._resident = await self._take()
        return self._resident

    def _is_current(self, process: DrawProcess) -> bool:
        """Return whether the process can be sent orders and has the current keys. End a process with other keys."""
        if process.keys != self._keys():
            process.end()
        return process.is_usable

    async def _take(self) -> DrawProcess:
        """Take the ready process for exclusive use. Raises NotSentError if none is ready in time."""
        try:
            async with asyncio.timeout(_READY_SECONDS):
                while True:
                    process = await self._ready.get()
                    self._wanted.set()
                    if self._is_current(process):
                        return process
        except TimeoutError:
            raise NotSentError from None

    async def _keep_ready(self) -> None:
        """Start a process each time one was taken."""
        while True:
            await self._wanted.wait()
            try:
                process = await DrawProcess.start(self._program, self._keys())
            except NotSentError:
                self._pause = min(max(2 * self._pause, _FIRST_PAUSE_SECONDS), _LONGEST_PAUSE_SECONDS)
                _logger.error("a draw process could not be started")
                self._tried.set()
                await asyncio.sleep(self._pause)
                continue
            self._pause = 0.0
            self._wanted.clear()
            self._all.add(process)
            self._keep(asyncio.create_task(self._forget_ended(process)))
            self._ready.put_nowait(process)
            self._tried.set()

    async def _forget_ended(self, process: DrawProcess) -> None:
        await process.wait()
        process.end()
        self._all.discard(process)

    def _keep(self, task: asyncio.Task[Any]) -> None:
        """Hold a reference to a task until it ends, and cancel it in `close`."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Kill all processes and their draws."""
        tasks, processes = list(self._tasks), list(self._all)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(process.close() for process in processes))
