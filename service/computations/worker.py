"""Computes in a process made for it: within its memory and time, and with answers that say only what a caller may hear.
Of a computation on private data it says that it failed, and nothing else.
"""

from __future__ import annotations

import json
import os
import pkgutil
import resource
import signal
import socket
import traceback
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Final, Never

from service.errors import ComputationTooLarge, Problem
from service.processors import end_with, pausing, processor_seconds

LENGTH_BYTES: Final = 8
GREETING: Final = b"hello"
BEGUN: Final = b"begun"
"""The answer to a greeting, said before an order is read: whoever did not hear it knows that nothing was computed."""
NICENESS: Final = 5
"""Releases come first: they run in processes that are not nice."""
NICENESS_IN_BACKGROUND: Final = 10
"""Of what is fetched later. On a machine whose processors others fill as well it must get on, too."""


def work(connection: socket.socket) -> Never:
    """Reads orders one after the other, computes and answers them, and ends the process when no more come. An order:
    `number`, which its answer carries, `function`, `text`, `seconds`, `processor_seconds` and `memory_mb`, where None
    is no limit, `in_background`, `private`. Limits of processor and memory stay: who gives them has one order.
    """
    code = 1
    try:
        usual, forkserver = os.nice(0), os.getppid()
        stream = connection.makefile("rwb")
        while stream.read(len(GREETING)):
            stream.write(BEGUN)
            stream.flush()
            order = json.loads(stream.read(int.from_bytes(stream.read(LENGTH_BYTES))))
            niceness = usual + (NICENESS_IN_BACKGROUND if order["in_background"] else NICENESS)
            os.nice(max(0, niceness - os.nice(0)))
            # Whoever started it kills it in time; if it is gone, the alarm does.
            signal.alarm(order["seconds"] + 1)
            if order["memory_mb"] is not None:
                _limit_memory(order["memory_mb"])
            compute = _answer_on_private if order["private"] else _answer
            with _limited(order["processor_seconds"], forkserver):
                computed = compute(order["function"], order["text"])
            answer = json.dumps(computed | {"number": order["number"]}).encode()
            stream.write(len(answer).to_bytes(LENGTH_BYTES) + answer)
            stream.flush()
            signal.alarm(0)
        code = 0
    finally:
        os._exit(code)


def _limited(seconds: float | None, forkserver: int) -> AbstractContextManager[object]:
    """The context of a computation that may have a processor for so many seconds; None is no limit. The forkserver
    keeps the limit, or a timer where it can't look how much the process had. Then the computation does not pause: the
    timer counts ticks, and whoever pauses may be away at each of them.
    """
    if seconds is not None:
        end_with(forkserver)
        if processor_seconds(os.getpid()) is None:
            signal.setitimer(signal.ITIMER_PROF, seconds)
            return nullcontext()
    return pausing()


def _limit_memory(megabytes: int) -> None:
    """What the process may take beyond what it was forked with."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    limit = pages * resource.getpagesize() + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _answer_on_private(function: str, text: str) -> dict[str, Any]:
    try:
        return {"result": pkgutil.resolve_name(function)(text)}
    except Exception:  # noqa: BLE001  its kind and its place could tell of the data, as its text could
        return {"failed": True}


def _answer(function: str, text: str) -> dict[str, Any]:
    try:
        return {"result": pkgutil.resolve_name(function)(text)}
    except Problem as problem:
        return {"problem": problem.to_json()}
    except MemoryError:
        return {"problem": ComputationTooLarge().to_json()}
    except Exception as error:  # noqa: BLE001  the process that asked writes it down
        frames = traceback.extract_tb(error.__traceback__)[-6:]
        return {
            "failure": type(error).__name__,
            "places": " ".join(f"{Path(f.filename).name}:{f.lineno}" for f in frames),
        }
