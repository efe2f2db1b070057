"""The service is woken before whoever computes is at the end of a slice of a processor; computations yield."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from service.processors import WOKEN_OFTEN_SECONDS, slice_seconds, take_slices
from tests.harness.process import ROOT
from tests.harness.server import Server

_USUAL = slice_seconds()
needs_slices = pytest.mark.skipif(_USUAL is None, reason="Linux has slices of a thread's own from 6.12 on")

# Two processes on one processor, as they yield; printed is how often the first one lost it in a tenth of a second of
# its own work.
_SHARING = """
import os, resource, signal, time
from service.processors import yielding

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
parent, other = os.getpid(), os.fork()

def work():
    until = time.process_time() + 0.1
    while time.process_time() < until:
        pass

with yielding(2e-4) as is_possible:
    if other == 0:
        while os.getppid() == parent:
            work()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw
    work()
    lost = resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw - before
    os.kill(other, signal.SIGKILL)
print(lost, is_possible)
"""


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


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such timers")
def test_who_yields_lets_others_have_the_processor_long_before_the_kernel_would() -> None:
    """Each turn is of 0.2 ms of time, so that five hundred or more make up the tenth of a second; the kernel looks a
    thousand times a second at most, by itself.
    """
    ran = subprocess.run(
        [sys.executable, "-c", _SHARING], check=True, capture_output=True, text=True, timeout=120, cwd=ROOT
    )
    lost, is_possible = ran.stdout.split()
    assert is_possible == "True"
    assert int(lost) > 250
