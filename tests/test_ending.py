"""Processes that a test run started end with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from tests.harness.deadlines import PATIENCE

ROOT = Path(__file__).parents[1]


@pytest.mark.long
@pytest.mark.parametrize("browser", ["", "with"])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_what_the_tests_start_and_write_ends_with_them(tmp_path: Path, how: signal.Signals, browser: str) -> None:
    ready = tmp_path / "ready"
    folder = Path(tempfile.mkdtemp(dir="/tmp"))  # the path of a unix socket is short
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'base'}"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    with (tmp_path / "output").open("wb") as output:
        tests = subprocess.Popen(
            [*command, "tests/harness/left_running.py"],
            cwd=ROOT,
            env=environment | {"READY_FILE": str(ready), "BROWSER": browser, "TMPDIR": str(folder)},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        while not ready.exists():
            assert tests.poll() is None, (tmp_path / "output").read_text()
            time.sleep(0.05)
        started = psutil.Process(tests.pid).children(recursive=True)
        names = {each.name() for each in started}
        assert names >= {"postgres"} | ({"chromium"} if browser else set()), names
        assert sum("serve" in each.cmdline() for each in started) == 1
        assert any("tests.harness.drawing" in each.cmdline() for each in started)
    finally:
        tests.send_signal(how)
        tests.wait(PATIENCE)
    _, left = psutil.wait_procs(started, timeout=PATIENCE)
    assert [each.cmdline() for each in left] == []
    assert list(folder.iterdir()) == []
    folder.rmdir()
