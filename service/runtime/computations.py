"""Run free computations on public facts, each in a separate process. The process is killed at its limits of time and
memory, or when no request waits for it any more.

The standard library's forkserver starts the processes. It imports the computations' modules once, so that a process is
ready within milliseconds.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import multiprocessing
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any, Final

from service.errors import ComputationsUnavailable, ComputationTooLarge, InternalError, ShuttingDown, problem_of
from service.runtime.computation_worker import Computation, work

_logger = logging.getLogger("posterior.computations")
_MAX_BYTES: Final = 16_000_000
"""Largest answer in bytes."""
_MAX_AT_ONCE: Final = 64
"""Number of threads. It far exceeds what the queues of computations, jobs and certificates admit together."""


class UnfinishedError(Exception):
    """The computation had no result at its limit of wall time, or its process was killed. This does not depend on the
    computation: the machine may have been busy, or short of memory.
    """


class _Computation:
    """One computation. A thread starts its process and reads the answer. Any thread may end it."""

    def __init__(self, context: multiprocessing.context.ForkServerContext, order: Computation) -> None:
        self._context, self._order = context, order
        self._lock = threading.Lock()
        self._process: ForkServerProcess | None = None
        self._has_ended = False

    def run(self) -> dict[str, Any]:
        """Return the answer. Raises the errors of `ComputationProcesses.run`."""
        ours, theirs = self._context.Pipe(duplex=False)
        with ours:
            process = self._start(theirs)
            try:
                return self._read_answer(ours, process)
            finally:
                process.kill()
                process.join()
                with self._lock:
                    self._process = None
                    process.close()

    def _start(self, theirs: Connection) -> ForkServerProcess:
        process = self._context.Process(target=work, args=(theirs, self._order), daemon=True)
        with theirs:
            try:
                process.start()
            except (OSError, EOFError):
                raise ComputationsUnavailable from None
        with self._lock:
            self._process = process
            if self._has_ended:
                process.kill()
        return process

    def _read_answer(self, ours: Connection, process: ForkServerProcess) -> dict[str, Any]:
        if not ours.poll(self._order.seconds):
            raise UnfinishedError
        try:
            answer: dict[str, Any] = json.loads(ours.recv_bytes(_MAX_BYTES))
        except EOFError:
            process.join()
            if process.exitcode == -signal.SIGXCPU:
                raise TimeoutError from None
            raise UnfinishedError from None
        except OSError:  # the answer is too large; the order may be larger
            raise ComputationTooLarge from None
        return answer

    def end(self) -> None:
        """Kill the process, now or as soon as it is started."""
        with self._lock:
            self._has_ended = True
            if self._process is not None:
                self._process.kill()


class ComputationProcesses:
    """The computation processes of one service. `modules` are imported once, before the first process starts: those of
    the computations, and the module of the program's start script, which the standard library runs in each process.
    """

    def __init__(self, *modules: str, memory_mb: int) -> None:
        self._memory_mb = memory_mb
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(list(modules))
        self._threads = ThreadPoolExecutor(max_workers=_MAX_AT_ONCE, thread_name_prefix="computation")
        self._running = set[_Computation]()
        self._closing = False

    async def run(self, function: str, text: str, *, seconds: float, processor_seconds: float | None = None) -> str:
        """Return the result of `function`, named `module:function`, for `text`.

        `seconds` limits wall time. `processor_seconds` limits CPU time and is rounded up to whole seconds. Raises:

        - the Problem that the function raised
        - TimeoutError at the limit of CPU time
        - ComputationTooLarge if it needs more memory, or its answer is too large
        - UnfinishedError at the limit of wall time, or if the process was killed
        - ComputationsUnavailable if no process could be started
        - InternalError if the function failed
        - ShuttingDown
        """
        if self._closing:
            raise ShuttingDown
        limit = None if processor_seconds is None else max(1, math.ceil(processor_seconds))
        computation = _Computation(self._context, Computation(function, text, seconds, limit, self._memory_mb))
        self._running.add(computation)
        try:
            answer = await asyncio.get_running_loop().run_in_executor(self._threads, computation.run)
        except (UnfinishedError, ComputationsUnavailable):
            if self._closing:
                raise ShuttingDown from None
            raise
        finally:
            computation.end()
            self._running.discard(computation)
        return _result(answer)

    async def close(self) -> None:
        """End all computations."""
        self._closing = True
        for computation in tuple(self._running):
            computation.end()
        await asyncio.to_thread(self._threads.shutdown)


def _result(answer: dict[str, Any]) -> str:
    if "result" in answer:
        result: str = answer["result"]
        return result
    if "problem" in answer:
        raise problem_of(answer["problem"])
    _logger.error("a computation failed", extra={"failure": answer["failure"], "places": answer["places"]})
    raise InternalError
