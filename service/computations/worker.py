"""Computes in a process made for it: within its memory and time, and with answers that say only what a caller may hear.
Of a computation on private data it says that it failed, and nothing else.
"""

from __future__ import annotations

import json
import math
import os
import pkgutil
import resource
import signal
import socket
import traceback
from pathlib import Path
from typing import Any, Final, Never

from service.errors import ComputationTooLarge, Problem

LENGTH_BYTES: Final = 8
GREETING: Final = b"hello"
BEGUN: Final = b"begun"
"""The answer to a greeting, said before an order is read: whoever did not hear it knows that nothing was computed."""
NICENESS: Final = 10
"""Of free computations: releases come first, and so does what was paid."""


def work(connection: socket.socket) -> Never:
    """Reads orders one after the other, computes and answers them, and ends the process when no more come. An order:
    `number`, which its answer carries, `function`, `text`, `seconds`, `processor_seconds` and `memory_mb`, where None
    is no limit, `private`. Limits of processor and memory stay: who gives them has one order.
    """
    code = 1
    try:
        stream = connection.makefile("rwb")
        while stream.read(len(GREETING)):
            stream.write(BEGUN)
            stream.flush()
            order = json.loads(stream.read(int.from_bytes(stream.read(LENGTH_BYTES))))
            if not order["private"]:
                os.nice(NICENESS)
            # Whoever started it kills it in time; if it is gone, the alarm does.
            signal.alarm(order["seconds"] + 1)
            if order["memory_mb"] is not None:
                _limit_memory(order["memory_mb"])
            if order["processor_seconds"] is not None:
                _limit_processor_time(order["processor_seconds"])
            compute = _answer_on_private if order["private"] else _answer
            answer = json.dumps(compute(order["function"], order["text"]) | {"number": order["number"]}).encode()
            stream.write(len(answer).to_bytes(LENGTH_BYTES) + answer)
            stream.flush()
            signal.alarm(0)
        code = 0
    finally:
        os._exit(code)


def _limit_processor_time(seconds: float) -> None:
    """Limit the processor time of this process. The kernel counts whole seconds and ends the process by SIGXCPU."""
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), resource.RLIM_INFINITY))


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
