"""The service is woken before whoever computes is at the end of a slice of a processor; computations pause, and keep
their shares.
"""

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

# Two processes on one processor: one pauses every 0.2 ms and is nicer, the other has it at all other times. Printed are
# the pauses of the former within two seconds, its share of the processor's time, and whether pauses were possible.
_SHARING = """
import os, resource, signal, time
from service.processors import pausing

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
parent, other = os.getpid(), os.fork()
if other == 0:
    while os.getppid() == parent:
        pass
os.nice(5)
with pausing(2e-4) as is_possible:
    before, began, until = resource.getrusage(resource.RUSAGE_SELF), time.process_time(), time.monotonic() + 2
    while time.monotonic() < until:
        pass
    after, mine = resource.getrusage(resource.RUSAGE_SELF), time.process_time() - began
os.kill(other, signal.SIGKILL)
others = os.wait4(other, 0)[2]
print(after.ru_nvcsw - before.ru_nvcsw, mine / (mine + others.ru_utime + others.ru_stime), is_possible)
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
def test_who_pauses_lets_others_have_the_processor_and_keeps_his_share() -> None:
    """By how nice it is, it would have a quarter of the time, some 0.5 s; as one pause follows on another after 0.2 ms
    of that, there are two thousand. A `sched_yield` in its place left it a hundredth in Linux 6.18.
    """
    ran = subprocess.run(
        [sys.executable, "-c", _SHARING], check=True, capture_output=True, text=True, timeout=120, cwd=ROOT
    )
    pauses, share, is_possible = ran.stdout.split()
    assert is_possible == "True"
    assert int(pauses) > 250
    assert float(share) > 0.1
