"""Ends what a test process started and left behind, however the test process ended."""

from __future__ import annotations

import atexit
import contextlib
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

import psutil

ROOT: Final = Path(__file__).parents[2]
_END_SECONDS: Final = 10.0


def end_with_tests(process_id: int, folder: Path | str = "") -> None:
    """Kill the process and its children, and delete the folder, if they outlive this process."""
    pipe = _watcher().stdin
    assert pipe is not None
    pipe.write(f"{process_id} {folder}\n")
    pipe.flush()


@cache
def _watcher() -> subprocess.Popen[str]:
    # In a session of its own, it outlives signals to the group of the tests.
    watcher = subprocess.Popen(
        [sys.executable, "-m", __name__], cwd=ROOT, stdin=subprocess.PIPE, text=True, start_new_session=True
    )
    atexit.register(watcher.communicate)
    return watcher


def _end(process: psutil.Process) -> None:
    """As the process takes it: PostgreSQL and the service end in order on SIGTERM or SIGINT, and take a moment."""
    found = [process, *process.children(recursive=True)]
    process.send_signal(2 if process.name() == "postgres" else 15)
    _, left = psutil.wait_procs(found, timeout=_END_SECONDS)
    for each in left:
        with contextlib.suppress(psutil.NoSuchProcess):
            each.kill()


def main() -> None:
    watched: list[tuple[psutil.Process, str]] = []
    for line in sys.stdin:
        number, _, folder = line.strip().partition(" ")
        with contextlib.suppress(psutil.NoSuchProcess):
            watched.append((psutil.Process(int(number)), folder))
    for process, folder in watched:
        # It compares the time of the start, so that it does not take another process for this one.
        if process.is_running():
            with contextlib.suppress(psutil.NoSuchProcess):
                _end(process)
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
