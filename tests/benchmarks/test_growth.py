"""A stopped benchmark deletes its database."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import psutil
import pytest

from tests.harness.deadlines import PATIENCE
from tests.harness.process import ROOT


@pytest.mark.long
def test_a_stopped_benchmark_leaves_no_database() -> None:
    with subprocess.Popen([sys.executable, "-m", "benchmarks.growth"], cwd=ROOT) as benchmark:
        deadline = time.monotonic() + 300
        while not (started := _databases(benchmark.pid)):
            assert benchmark.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.1)
        time.sleep(1)
        started |= _databases(benchmark.pid)
        benchmark.send_signal(signal.SIGTERM)
        assert benchmark.wait(timeout=PATIENCE) == 128 + signal.SIGTERM
    gone, left = psutil.wait_procs([*started], timeout=PATIENCE)
    assert not left, gone


def _databases(process_id: int) -> set[psutil.Process]:
    below = psutil.Process(process_id).children(recursive=True)
    return {each for each in below if "postgres" in each.name()}
