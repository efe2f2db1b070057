"""Deadlines for what the service promises within seconds, on a machine that may have other work to do."""

from __future__ import annotations

import os


def stretched(seconds: float) -> float:
    """So many seconds on an idle machine; as many times longer as more wants to run than there are cores. Asked at the
    end of what it bounds, since the load average is that of the last minute.
    """
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
