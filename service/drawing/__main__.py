"""The draw process. It reads keys and then rounds of orders from standard input, and writes one answer per order to
standard output. It uses no database, port, thread or child process, and ends when its input ends.

It ignores SIGINT and SIGTERM, which a terminal or supervisor sends to all processes of a service. The service decides
which draws may still finish. The alarm, with its default action, ends a draw if the service is gone.
"""

from __future__ import annotations

import resource
import signal
import sys
from pathlib import Path
from typing import Any

from service.drawing import frames
from service.drawing.draw import FAILED, handle_order
from service.drawing.keys import DrawKeys
from service.settings.process_hardening import protect_process


def main() -> None:
    protect_process()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    keys = frames.read_frame(source)
    if keys is None:
        return
    known = DrawKeys.from_json(keys)
    frames.write(sink, {"ready": True})
    while (round_ := frames.read_frame(source)) is not None:
        for order in round_["orders"]:
            frames.write(sink, {"release_id": order["release_id"]} | _limited_answer(order, known))


def _limited_answer(order: dict[str, Any], keys: DrawKeys) -> dict[str, Any]:
    signal.alarm(order["seconds"])
    try:
        _limit_memory(order["memory_bytes"])
        return handle_order(order, keys)
    except (MemoryError, OSError, ValueError):
        return FAILED
    finally:
        signal.alarm(0)
        _limit_memory(None)


def _limit_memory(more: int | None) -> None:
    """Limit the address space to its current size plus `more` bytes, or remove the limit if `more` is None. Linux only,
    since other systems do not report the current size.
    """
    if sys.platform == "linux":
        limit = hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        if more is not None:
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            limit = pages * resource.getpagesize() + more
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


if __name__ == "__main__":
    main()
