"""The service is woken before whoever computes is at the end of a slice of a processor; computations wait."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from service.processors import WOKEN_OFTEN_SECONDS, slice_seconds, take_slices
from tests.harness.server import Server

_USUAL = slice_seconds()
needs_slices = pytest.mark.skipif(_USUAL is None, reason="Linux has slices of a thread's own from 6.12 on")


def in_a_thread() -> list[float | None]:
    """The slices of a thread before and after it asks for short ones, of one that it starts then, and after it gives
    them back.
    """
    seen = list[float | None]()

    def ask() -> None:
        seen.append(slice_seconds())
        assert take_slices(WOKEN_OFTEN_SECONDS)
        seen.append(slice_seconds())
        started = threading.Thread(target=lambda: seen.append(slice_seconds()))
        started.start()
        started.join()
        take_slices(0)
        seen.append(slice_seconds())

    asking = threading.Thread(target=ask)
    asking.start()
    asking.join()
    return seen


@needs_slices
def test_a_thread_that_asks_for_short_slices_has_them_and_so_have_those_that_it_starts() -> None:
    assert in_a_thread() == [_USUAL, WOKEN_OFTEN_SECONDS, WOKEN_OFTEN_SECONDS, _USUAL]
    assert slice_seconds() == _USUAL, "no other thread was changed"


@needs_slices
def test_a_service_that_serves_has_short_slices(sqlite_server: Server) -> None:
    pid = sqlite_server.process.process.pid
    assert slice_seconds(pid) == WOKEN_OFTEN_SECONDS
    threads = [slice_seconds(int(thread.name)) for thread in Path(f"/proc/{pid}/task").iterdir()]
    assert threads.count(WOKEN_OFTEN_SECONDS) >= 2, "the writer has them, too"
