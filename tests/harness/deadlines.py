"""Deadlines for promises in seconds, on a machine that may have other work."""

from __future__ import annotations

import os


def stretched(seconds: float) -> float:
    """`seconds` on an idle machine, and proportionally more if more processes want to run than there are cores. Call it
    at the end of the bounded work, because the load average is that of the last minute.
    """
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
