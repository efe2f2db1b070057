"""Start draw processes and send them orders.

One resident process takes short draws, in rounds. A round is one message with some of the waiting orders. The next
round begins when the estimates of this one have passed, so rounds begin at public times, and only then are answers
read. A longer draw gets a separate process, which ends after it. One spare process is kept ready, since starting one
takes half a second. A process that exceeds its time limit is killed, and its draw has failed.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import math
import os
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Never

from service.background import Work
from service.drawing import frames
from service.drawing.estimates import is_short, kill_seconds, memory_bytes
from service.drawing.keys import DrawKeys
from service.drawing.turns import Turns
from service.identifiers.identifiers import now
from service.limits.limits import LONG_DRAWS, SHORT_DRAWS, FairQueue
from service.settings.faults import crash_point
from service.settings.process_hardening import is_needed

PROGRAM: Final = (sys.executable, "-m", "service.drawing")
_READY_SECONDS: Final = 30.0
OVERRUN_SECONDS: Final = 1.0
"""Seconds by which a round may overrun before the resident process gets no more orders."""
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.5, 30.0
"""Pauses after a failed start: the first, and the longest."""
_PIPE_BYTES: Final = 1 << 20
"""Size of a pipe, where the system allows it. A draw process then never waits for the service to read an answer."""
_MAX_UNREAD_BYTES: Final = 16 << 20
"""Far above the largest answer: 100 000 noisy counts of up to 20 digits."""
_ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class NotSentError(Exception):
    """The order was sent to no process. Nothing was drawn, and it can be sent later."""


@dataclass(frozen=True, slots=True)
class DrawOrder:
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
    leased_until: float
    """End of the lease. After it, another serving process may draw."""

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
        """Return whether a process with these keys can decrypt the counts and verify the receipt, before the lease
        ends.
        """
        known = self.counts_key_id in keys.ring.keys and self.receipt.get("key_id") in keys.public_keys
        return known and now() + kill_seconds(self.estimate) < self.leased_until


class _Drawing(NamedTuple):
    """An order, and the future of its drawn values as JSON text, which is None if the draw failed."""

    order: DrawOrder
    values: asyncio.Future[str | None]

    @property
    def principal_id(self) -> str:
        return self.order.principal_id

    @property
    def estimate(self) -> float:
        return self.order.estimate

    def settle(self, values: str | None) -> None:
        if not self.values.done():
            self.values.set_result(values)

    def refuse(self) -> None:
        if not self.values.done():
            self.values.set_exception(NotSentError())


class DrawProcess:
    """One process that reported ready."""

    def __init__(self, process: Process, input_: int, output: int, keys: DrawKeys) -> None:
        self.keys = keys
        self.has_ended = False
        """Whether the process has closed its output, or wrote something that is not an answer."""
        self._process = process
        self._input, self._output = input_, output
        """Ends of pipes. Written directly, since a write that fails at its first byte has sent nothing. Read directly,
        since nothing in the service may move when a draw ends.
        """
        self._unread = bytearray()
        self._writing: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, program: Sequence[str], keys: DrawKeys) -> DrawProcess:
        """Start a process and send it the keys. Raises NotSentError if it does not report ready."""
        (its_input, input_), (output, its_output) = _pipe(), _pipe()
        for end in (input_, output):
            os.set_blocking(end, False)
        environment = {name: value for name, value in os.environ.items() if is_needed(name)}
        try:
            process = await asyncio.create_subprocess_exec(
                *program, stdin=its_input, stdout=its_output, stderr=DEVNULL, env=environment | _ONE_THREAD
            )
        except OSError:
            os.close(input_)
            os.close(output)
            raise NotSentError from None
        finally:
            os.close(its_input)
            os.close(its_output)
        started = cls(process, input_, output, keys)
        try:
            async with asyncio.timeout(_READY_SECONDS):
                await started._write(frames.encode(keys.to_json()))
                while not (answers := started.read_answers()) and not started.has_ended:
                    await started.wait_for_output()
                if answers == [{"ready": True}]:
                    return started
        except OSError:  # TimeoutError is one
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
        return self._process.returncode is None and self._input >= 0 and not self.has_ended

    def send(self, orders: Sequence[DrawOrder]) -> None:
        """Send a round. Raises NotSentError if its first byte could not be written."""
        message = frames.encode({"orders": [each.message() for each in orders]})
        if not self.is_usable:
            raise NotSentError
        try:
            written = os.write(self._input, message)
        except OSError:
            self.kill()
            raise NotSentError from None
        if written < len(message):
            self._writing = asyncio.create_task(self._write_rest(message[written:]))

    async def _write_rest(self, rest: bytes) -> None:
        with contextlib.suppress(OSError):  # the process has ended, which the end of its output shows too
            await self._write(rest)

    async def _write(self, message: bytes) -> None:
        rest, input_, loop = memoryview(message), self._input, asyncio.get_running_loop()
        while rest:
            try:
                rest = rest[os.write(input_, rest) :]
            except BlockingIOError:
                writable = loop.create_future()
                loop.add_writer(input_, writable.set_result, None)
                try:
                    await writable
                finally:
                    if self._input == input_:
                        loop.remove_writer(input_)

    def read_answers(self) -> list[dict[str, Any]]:
        """Return the answers that the process has written since the last call, without waiting."""
        with contextlib.suppress(BlockingIOError):
            while not self.has_ended:
                content = os.read(self._output, _PIPE_BYTES)
                self._unread += content
                self.has_ended = not content or len(self._unread) > _MAX_UNREAD_BYTES
        answers = list[dict[str, Any]]()
        try:
            while (answer := frames.take(self._unread)) is not None:
                answers.append(answer)
        except ValueError:
            self.has_ended = True
        return answers

    async def wait_for_output(self) -> None:
        """Wait until the process has written something, or has ended."""
        loop = asyncio.get_running_loop()
        readable = loop.create_future()
        loop.add_reader(self._output, readable.set_result, None)
        try:
            await readable
        finally:
            loop.remove_reader(self._output)

    def kill(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
        if self._input >= 0:
            asyncio.get_running_loop().remove_writer(self._input)
            os.close(self._input)
            self._input = -1
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def wait(self) -> None:
        await self._process.wait()

    async def close(self) -> None:
        """Kill the process, wait for its end, and discard its output."""
        self.kill()
        await self.wait()
        if self._output >= 0:
            os.close(self._output)
            self._output, self.has_ended = -1, True


def _pipe() -> tuple[int, int]:
    ends = os.pipe()
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # the user has too many large pipes
            fcntl.fcntl(ends[1], fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return ends


class DrawProcesses:
    """The draw processes of one serving process. `keys` returns the current keys. `program` is the command to start.

    `round_seconds`: largest sum of the estimates of a round with several orders.
    """

    def __init__(
        self, keys: Callable[[], DrawKeys], program: Sequence[str] = PROGRAM, round_seconds: float = 0.0
    ) -> None:
        self._keys = keys
        self._program = tuple(program)
        self._round_seconds = round_seconds
        self._short_places, self._long_places = SHORT_DRAWS.queue(), LONG_DRAWS.queue()
        self._turns = Turns[_Drawing]()
        self._order_signal = asyncio.Event()
        self._resident_process: DrawProcess | None = None
        self._ready: asyncio.Queue[DrawProcess] = asyncio.Queue()
        self._want_signal = asyncio.Event()
        self._try_signal = asyncio.Event()
        self._rounds, self._starts = Work("draws"), Work("start of draw processes")
        self._all_processes = set[DrawProcess]()
        self._tasks = set[asyncio.Task[Any]]()

    def places(self, estimate: float) -> FairQueue:
        """Return the queue of draws with this estimate. A draw holds its place from before its charge until its
        tick.
        """
        return self._short_places if is_short(estimate) else self._long_places

    @property
    def are_available(self) -> bool:
        """Return whether the last started process reported ready."""
        return self._try_signal.is_set() and not self._starts.fails

    @property
    def works(self) -> list[Work]:
        return [self._rounds, self._starts]

    async def start(self) -> None:
        """Start the tasks that keep a process ready and begin rounds. Wait until the first process is ready or has
        failed to start.
        """
        self._want_signal.set()
        self._keep(self._starts.start(self._keep_ready()))
        self._keep(self._rounds.start(self._keep_drawing()))
        await self._try_signal.wait()

    def draw(self, order: DrawOrder) -> asyncio.Future[str | None]:
        """Return the future of the drawn values as JSON text, which is None if the draw failed. It raises NotSentError
        if the order could not be sent to a process.
        """
        drawing = _Drawing(order, asyncio.get_running_loop().create_future())
        if is_short(order.estimate):
            self._turns.add(drawing)
            self._order_signal.set()
        else:
            self._keep(asyncio.create_task(self._draw_long(drawing)))
        return drawing.values

    async def _keep_drawing(self) -> Never:
        """Draw the waiting orders, round after round."""
        while True:
            await self._order_signal.wait()
            self._order_signal.clear()
            while drawings := self._turns.take_round(self._round_seconds):
                with self._rounds.turn():
                    await self._draw_or_fail(drawings)

    async def _draw_or_fail(self, drawings: list[_Drawing]) -> None:
        """Draw a round. If that fails, its draws have failed."""
        try:
            await self._draw_round(drawings)
        except asyncio.CancelledError:
            for each in (*drawings, *self._turns.take_round(math.inf)):
                each.values.cancel()
            raise
        except Exception:
            for each in drawings:
                each.settle(None)
            if self._resident_process is not None:
                self._resident_process.has_ended = True  # it may still answer this round
            raise

    async def _draw_round(self, drawings: list[_Drawing]) -> None:
        """Send a round, and read its answers when it is due to end: when the estimates have passed, or at 2, 4, 8 …
        times that if an answer is missing. After an overrun of a second the resident gets no more orders.
        """
        process, waiting = await self._send(drawings, self._find_resident)
        if process is None or not waiting:
            return
        loop = asyncio.get_running_loop()
        began, seconds, times = loop.time(), sum(each.estimate for each in waiting), 1
        due, last = began + seconds, math.inf
        while True:
            await asyncio.sleep(due - loop.time())
            looked = loop.time()
            waiting = _settle_answered(process, waiting)
            if not waiting:
                return
            # The second counts from the first look, and starts again after a pause: a paused machine fails no order.
            if math.isinf(last) or looked - due > OVERRUN_SECONDS:
                last = looked + OVERRUN_SECONDS
            if process.has_ended or looked >= last:
                break
            while began + times * seconds <= looked:
                times *= 2
            due = min(began + times * seconds, last)
        self._resident_process = None
        if len(waiting) == 1 and not process.has_ended:
            self._keep(asyncio.create_task(self._await(process, waiting[0])))
            return
        process.kill()
        await process.wait()
        waiting = _settle_answered(process, waiting)
        await process.close()
        if waiting:
            waiting[0].settle(None)  # the others were not begun
            self._turns.put_back(waiting[1:])

    async def _draw_long(self, drawing: _Drawing) -> None:
        try:
            process, sent = await self._send([drawing], self._take)
            if process is not None:
                await (self._await(process, drawing) if sent else process.close())
        finally:
            drawing.values.cancel()

    async def _await(self, process: DrawProcess, drawing: _Drawing) -> None:
        """Wait for the last draw of a process, and end the process. At its limit the draw has failed."""
        try:
            async with asyncio.timeout(kill_seconds(drawing.estimate)):
                while _settle_answered(process, [drawing]) and not process.has_ended:
                    await process.wait_for_output()
        except TimeoutError:
            pass
        except asyncio.CancelledError:
            drawing.values.cancel()
            raise
        finally:
            drawing.settle(None)
            await process.close()

    async def _send(
        self, drawings: list[_Drawing], find: Callable[[], Coroutine[Any, Any, DrawProcess]]
    ) -> tuple[DrawProcess | None, list[_Drawing]]:
        """Send the orders in one message. Return the process and the sent orders. The others are refused."""
        sent = _drawable_orders(drawings, self._keys())
        while sent:
            try:
                process = await find()
            except NotSentError:
                return None, _drawable_orders(sent, None)
            sent = _drawable_orders(sent, process.keys)
            try:
                process.send([each.order for each in sent])
            except NotSentError:  # it has just ended: try the next
                await process.close()
                continue
            crash_point("sent")
            return process, sent
        return None, sent

    async def _find_resident(self) -> DrawProcess:
        if self._resident_process is not None and not self._is_current(self._resident_process):
            await self._resident_process.close()
            self._resident_process = None
        if self._resident_process is None:
            self._resident_process = await self._take()
        return self._resident_process

    def _is_current(self, process: DrawProcess) -> bool:
        """Return whether the process can be sent orders and has the current keys."""
        return process.is_usable and process.keys == self._keys()

    async def _take(self) -> DrawProcess:
        """Take the ready process for exclusive use. Raises NotSentError if none is ready in time."""
        try:
            async with asyncio.timeout(_READY_SECONDS):
                while True:
                    process = await self._ready.get()
                    self._want_signal.set()
                    if self._is_current(process):
                        return process
                    await process.close()
        except TimeoutError:
            raise NotSentError from None

    async def _keep_ready(self) -> Never:
        """Start a process each time one was taken."""
        pause = 0.0
        while True:
            await self._want_signal.wait()
            with self._starts.turn():
                process = await DrawProcess.start(self._program, self._keys())
                self._want_signal.clear()
                self._all_processes.add(process)
                self._keep(asyncio.create_task(self._forget_ended(process)))
                self._ready.put_nowait(process)
            self._try_signal.set()
            if self._starts.fails:
                pause = min(max(2 * pause, _FIRST_PAUSE_SECONDS), _LONGEST_PAUSE_SECONDS)
                await asyncio.sleep(pause)
            else:
                pause = 0.0

    async def _forget_ended(self, process: DrawProcess) -> None:
        await process.wait()
        process.kill()
        self._all_processes.discard(process)

    def _keep(self, task: asyncio.Task[Any]) -> None:
        """Hold a reference to a task until it ends, and cancel it in `close`."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Kill all processes and their draws."""
        tasks, processes = list(self._tasks), list(self._all_processes)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(process.close() for process in processes))


def _drawable_orders(drawings: list[_Drawing], keys: DrawKeys | None) -> list[_Drawing]:
    """Return the orders that a process with these keys can draw now. Refuse the others."""
    drawable = list[_Drawing]()
    for each in drawings:
        if keys is not None and each.order.can_be_drawn_with(keys):
            drawable.append(each)
        else:
            each.refuse()
    return drawable


def _settle_answered(process: DrawProcess, waiting: list[_Drawing]) -> list[_Drawing]:
    """Settle the draws that the process has answered. Return the others."""
    for answer in process.read_answers():
        if not waiting or answer.get("release_id") != waiting[0].order.release_id:
            process.has_ended = True  # it answers another order
            break
        waiting[0].settle(json.dumps(answer["drawn"]) if "drawn" in answer else None)
        waiting = waiting[1:]
    return waiting
