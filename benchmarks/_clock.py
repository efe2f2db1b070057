"""Takes the time of one call, as every benchmark does."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Final

import numpy as np

LOOP_SECONDS: Final = 0.05
"""Time of `calibrate` on the reference machine, in whose seconds draws are estimated."""


def median_seconds(
    work: Callable[[], object], repeats: int, *, clock: Callable[[], float] = time.process_time
) -> float:
    """Return the median time of `repeats` calls. By default it is CPU time, which excludes other work on the machine. A
    pause does not change the median.
    """
    times = []
    for _ in range(repeats):
        start = clock()
        work()
        times.append(clock() - start)
    return statistics.median(times)


def calibrate() -> float:
    """Processor seconds of a loop of Python and numpy."""
    began = time.process_time()
    values = np.arange(20_000.0)
    for number in range(150):
        np.fft.irfft(np.fft.rfft(values)).sum()
        sum(k * number for k in range(1_000))
    return time.process_time() - began
