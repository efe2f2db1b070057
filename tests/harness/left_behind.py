"""Ends what a test process started and left behind, however the test process ended."""

from __future__ import annotations

import atexit
import contextlib
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

import psutil

ROOT: Final = Path(__file__).parents[2]
_END_SECONDS: Final = 10.0


def end_with_tests(process_id: int) -> None:
    """Kill the process and its children if they outlive this process."""
    _watch(f"{process_id}")


def folder_of_tests(prefix: str, parent: str | None = None) -> Path:
    """A new folder, which is deleted when this process has ended."""
    folder = tempfile.mkdtemp(prefix=prefix, dir=parent)
    _watch(folder)
    return Path(folder)


def _watch(what: str) -> None:
    pipe = _watcher().stdin
    assert pipe is not None
    pipe.write(f"{what}\n")
    pipe.flush()


@cache
def _watcher() -> subprocess.Popen[str]:
    # Start it in its own session, so that it outlives signals to the process group of the tests.
    watcher = subprocess.Popen(
        [sys.executable, "-m", __name__], cwd=ROOT, stdin=subprocess.PIPE, text=True, start_new_session=True
    )
    atexit.register(watcher.communicate)
    return watcher


def _end(process: psutil.Process) -> None:
    """End a process by its signal: PostgreSQL and the service end in order on SIGTERM or SIGINT, and take a moment."""
    found = [process, *process.children(recursive=True)]
    process.send_signal(2 if process.name() == "postgres" else 15)
    _, left = psutil.wait_procs(found, timeout=_END_SECONDS)
    for each in left:
        with contextlib.suppress(psutil.NoSuchProcess):
            each.kill()


def main() -> None:
    processes: list[psutil.Process] = []
    folders: list[str] = []
    for line in sys.stdin:
        what = line.rstrip("\n")
        if what.isdecimal():
            with contextlib.suppress(psutil.NoSuchProcess):
                processes.append(psutil.Process(int(what)))
        else:
            folders.append(what)
    for process in processes:
        # It compares the time of the start, so that it does not take another process for this one.
        if process.is_running():
            with contextlib.suppress(psutil.NoSuchProcess):
                _end(process)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
