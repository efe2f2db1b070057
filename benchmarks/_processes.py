"""Ends processes that a benchmark started."""

from __future__ import annotations

import subprocess


def end(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Tells a process to end, which takes along what it started, and kills it where it has not after `seconds`."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
