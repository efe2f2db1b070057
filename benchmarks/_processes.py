"""Ends processes that a benchmark started."""

from __future__ import annotations

import subprocess


def end(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Terminate a process with its children. Kill it if it has not ended after `seconds`."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
