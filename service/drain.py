"""Stops a process without losing a request: it says that it is not ready, goes on serving for a while, and only then
takes no more.

A load balancer learns from readiness where to send requests, and it asks now and then only. A process that stops at
once would turn away what is sent to it until the balancer has asked again.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from service.runtime import Runtime


@contextmanager
def draining(runtime: Runtime) -> Iterator[None]:
    """While it lasts, the first SIGTERM reaches the server `POSTERIOR_DRAIN_SECONDS` late, and readiness at once. A
    second one is not held up.
    """
    if threading.current_thread() is not threading.main_thread() or not callable(
        stop := signal.getsignal(signal.SIGTERM)
    ):
        yield
        return
    loop = asyncio.get_running_loop()

    def begin(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, at_once)
        runtime.begin_to_stop()
        loop.call_soon_threadsafe(loop.call_later, runtime.settings.drain_seconds, end, number, frame)

    def at_once(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(end, number, frame)

    def end(number: int, frame: FrameType | None) -> None:
        runtime.take_no_more()
        stop(number, frame)

    signal.signal(signal.SIGTERM, begin)
    yield
