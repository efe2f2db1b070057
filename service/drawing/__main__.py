"""The draw process: reads keys and then one order after the other from standard input, and writes one answer to each to
standard output. It has no database, port, thread or child, and ends when its input ends.

It ignores SIGINT and SIGTERM, which the terminal or a supervisor sends to all processes of a service: the service
decides which draws still reach their tick. The alarm, with its default action, ends a draw whose service has gone.
"""

from __future__ import annotations

import resource
import signal
import sys
from pathlib import Path
from typing import Any

from service.drawing import frames
from service.drawing.draw import FAILED, answer
from service.drawing.keys import DrawKeys
from service.process_hardening import protect_process


def main() -> None:
    protect_process()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    keys = frames.read(source)
    if keys is None:
        return
    known = DrawKeys.from_json(keys)
    frames.write(sink, {"ready": True})
    while (order := frames.read(source)) is not None:
        frames.write(sink, _limited_answer(order, known))


def _limited_answer(order: dict[str, Any], keys: DrawKeys) -> dict[str, Any]:
    signal.alarm(order["seconds"])
    try:
        _limit_memory(order["memory_bytes"])
        return answer(order, keys)
    except (MemoryError, OSError, ValueError):
        return FAILED
    finally:
        signal.alarm(0)
        _limit_memory(None)


def _limit_memory(more: int | None) -> None:
    """Limits the address space to what it is now and `more` bytes; None ends the limit. Only Linux says how much it
    is.
    """
    if sys.platform == "linux":
        limit = hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        if more is not None:
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            limit = pages * resource.getpagesize() + more
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


if __name__ == "__main__":
    main()
