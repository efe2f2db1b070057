"""Run one computation in its process, within limits of time and memory, and send back only what a caller may see."""

from __future__ import annotations

import json
import math
import os
import pkgutil
import resource
import signal
import traceback
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.errors import ComputationTooLarge, Problem
from service.settings.process_hardening import is_needed

_NICENESS: Final = 10
"""Nice value of computations. Releases have priority: the service and its draw processes run at 0."""


class Computation(NamedTuple):
    """A computation and its limits. `function` is named `module:function` and maps text to text. `processor_seconds`
    None: no limit of CPU time.
    """

    function: str
    text: str
    seconds: float
    processor_seconds: int | None
    memory_mb: int


def work(answers: Connection, order: Computation) -> None:
    """Send the answer to `order` as JSON bytes: `result`, `problem`, or `failure` with `places`."""
    for variable in [each for each in os.environ if not is_needed(each)]:
        del os.environ[variable]
    # On a keyboard interrupt the service ends its computations itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The service kills a process at its time limit. The alarm ends the process if the service is gone.
    signal.alarm(math.ceil(order.seconds) + 1)
    os.nice(_NICENESS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if order.processor_seconds is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (order.processor_seconds, order.processor_seconds + 1))
    _limit_memory(order.memory_mb)
    answers.send_bytes(json.dumps(_answer(order.function, order.text)).encode())


def _limit_memory(megabytes: int) -> None:
    """Limit the memory that the process may use in addition to its memory at the start. Linux only."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        pages = int(statm.read_text(encoding="ascii").split()[0])
        limit = pages * resource.getpagesize() + megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _answer(function: str, text: str) -> dict[str, Any]:
    try:
        return {"result": pkgutil.resolve_name(function)(text)}
    except Problem as problem:
        return {"problem": problem.to_json()}
    except MemoryError:
        return {"problem": ComputationTooLarge().to_json()}
    except Exception as error:  # noqa: BLE001  the service logs its kind and place, never its text
        frames = traceback.extract_tb(error.__traceback__)[-6:]
        return {
            "failure": type(error).__name__,
            "places": " ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames),
        }
